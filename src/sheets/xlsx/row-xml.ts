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
  private readonly dateStyles: readonly (number | undefined)[];

  /** @param dateStyles For each column the style index of its dates; undefined where it has no dates. */
  constructor(dateStyles: readonly (number | undefined)[]) {
    this.dateStyles = dateStyles;
    this.letters = dateStyles.map((_, column) => columnLetter(column));
  }

  row(number: number, values: TableValues): string {
    let xml = `<row r="${number}">`;
    for (let column = 0; column < this.letters.length; column += 1) {
      const value = values[column];
      if (value === undefined || value === null || value === '') continue;
      xml += this.cell(`${this.letters[column]}${number}`, value, this.dateStyles[column]);
    }
    return `${xml}</row>`;
  }

  private cell(reference: string, value: Exclude<Cell, null>, dateStyle: number | undefined): string {
    if (typeof value === 'string') return this.textCell(reference, value);
    if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number') {
      return Number.isFinite(value)
        ? `<c r="${reference}"><v>${value}</v></c>`
        : this.textCell(reference, String(value));
    }
    const serial = value.kind === 'date' && dateStyle !== undefined ? dateToSerial(value) : undefined;
    if (serial === undefined) return this.textCell(reference, cellText(value));
    return `<c r="${reference}" s="${dateStyle}"><v>${serial}</v></c>`;
  }

  private textCell(reference: string, text: string): string {
    let content = text;
    if (content.length > CELL_CHARACTERS) {
      this.cutCells += 1;
      content = content.slice(0, CELL_CHARACTERS);
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
