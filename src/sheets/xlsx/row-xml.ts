import { type Cell, cellText, columnLetter } from '../cell.ts';
import type { TableValues } from '../table-writer.ts';
import { encodeEscapes } from './escapes.ts';
import { dateToSerial } from './serial-date.ts';

/** Characters that a cell can hold (Excel's limit). */
const CELL_CHARACTERS = 32_767;
/** Anything but plain text: to be escaped for XML or for XLSX. */
const SPECIAL = /[&<>_]|[^\u0020-\ud7ff\t\n]/u;
const OUTER_SPACE = /^\s|\s$|\n/u;

/** Turns values into the XML of a sheet's rows (ECMA-376 part 1, 18.3.1.73). */
export class RowXml {
  /** Texts that did not fit into a cell. */
  cutCells = 0;
  private readonly letters: string[];
  private readonly styles: readonly (number | undefined)[];

  /** @param styles For each column the style index of its dates and numbers; undefined where it has none. */
  constructor(styles: readonly (number | undefined)[]) {
    this.styles = styles;
    this.letters = styles.map((_, column) => columnLetter(column));
  }

  row(number: number, values: TableValues): string {
    let xml = `<row r="${number}">`;
    for (let column = 0; column < this.letters.length; column += 1) {
      const value = values[column];
      if (value === undefined || value === null || value === '') continue;
      xml += this.cell(`${this.letters[column]}${number}`, value, this.styles[column]);
    }
    return `${xml}</row>`;
  }

  private cell(reference: string, value: Exclude<Cell, null>, style: number | undefined): string {
    if (typeof value === 'string') return this.textCell(reference, value);
    if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return this.textCell(reference, String(value));
      return style === undefined
        ? `<c r="${reference}"><v>${value}</v></c>`
        : `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
    }
    const serial = value.kind === 'date' && style !== undefined ? dateToSerial(value) : undefined;
    if (serial === undefined) return this.textCell(reference, cellText(value));
    return `<c r="${reference}" s="${style}"><v>${serial}</v></c>`;
  }

  private textCell(reference: string, text: string): string {
    let content = text;
    if (content.length > CELL_CHARACTERS) {
      this.cutCells += 1;
      // Never within a surrogate pair.
      const half = /[\uD800-\uDBFF]/.test(content.charAt(CELL_CHARACTERS - 1));
      content = content.slice(0, half ? CELL_CHARACTERS - 1 : CELL_CHARACTERS);
    }
    if (SPECIAL.test(content)) {
      content = encodeEscapes(content)
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;');
    }
    const space = OUTER_SPACE.test(content) ? ' xml:space="preserve"' : '';
    return `<c r="${reference}" t="inlineStr"><is><t${space}>${content}</t></is></c>`;
  }
}
