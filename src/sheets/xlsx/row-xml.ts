import { type CalendarDate, type Cell, cellText, columnLetter } from '../cell.ts';
import type { TableValues } from '../table-writer.ts';
import { encodeEscapes } from './escapes.ts';
import { dateToSerial, timeFraction } from '../workbook/serial-date.ts';

/** Characters that a cell can hold (Excel's limit). */
const CELL_CHARACTERS = 32_767;
/** Finds anything but plain text in one pass: characters to escape for XML or XLSX, and space that must be kept. */
const SPECIAL = /[&<>\n]|_x|[^\u0020-\ud7ff\t]|^\s|\s$/u;
const OUTER_SPACE = /^\s|\s$|\n/u;
/** Days whose serial number is remembered; a list by time has few at once. */
const MAX_DAYS = 5000;

/** Turns values into the XML of a sheet's rows (ECMA-376 part 1, 18.3.1.73). */
export class RowXml {
  /** Texts that did not fit into a cell. */
  cutCells = 0;
  /** The beginning of a cell in each column, up to the number of its row. */
  private readonly heads: string[];
  private readonly days = new Map<string, number>();
  private readonly styles: readonly (number | undefined)[];

  /** @param styles For each column the style index of its dates and numbers; undefined if it has none. */
  constructor(styles: readonly (number | undefined)[]) {
    this.styles = styles;
    this.heads = styles.map((_, column) => `<c r="${columnLetter(column)}`);
  }

  row(number: number, values: TableValues): string {
    const row = String(number);
    let xml = `<row r="${row}">`;
    for (let column = 0; column < this.heads.length; column += 1) {
      const value = values[column];
      if (value === undefined || value === null || value === '') continue;
      xml += this.heads[column] + row + this.cellFrom(value, this.styles[column]);
    }
    return `${xml}</row>`;
  }

  /** The cell, from the text after its reference on. */
  private cellFrom(value: Exclude<Cell, null>, style: number | undefined): string {
    if (typeof value === 'string') return this.textFrom(value);
    if (typeof value === 'boolean') return `" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return this.textFrom(String(value));
      return style === undefined ? `"><v>${value}</v></c>` : `" s="${style}"><v>${value}</v></c>`;
    }
    const serial = value.kind === 'date' && style !== undefined ? this.serialOf(value) : undefined;
    if (serial === undefined) return this.textFrom(cellText(value));
    return `" s="${style}"><v>${serial}</v></c>`;
  }

  private serialOf(value: CalendarDate): number | undefined {
    if (value.date === '') return dateToSerial(value);
    let day = this.days.get(value.date);
    if (day === undefined) {
      day = dateToSerial({ kind: 'date', date: value.date });
      if (day === undefined) return undefined;
      if (this.days.size < MAX_DAYS) this.days.set(value.date, day);
    }
    return day + timeFraction(value.time);
  }

  private textFrom(text: string): string {
    if (text.length <= CELL_CHARACTERS && !SPECIAL.test(text)) {
      return `" t="inlineStr"><is><t>${text}</t></is></c>`;
    }
    let content = text;
    if (content.length > CELL_CHARACTERS) {
      this.cutCells += 1;
      // Never within a surrogate pair.
      const half = /[\uD800-\uDBFF]/.test(content.charAt(CELL_CHARACTERS - 1));
      content = content.slice(0, half ? CELL_CHARACTERS - 1 : CELL_CHARACTERS);
    }
    content = encodeEscapes(content).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const space = OUTER_SPACE.test(content) ? ' xml:space="preserve"' : '';
    return `" t="inlineStr"><is><t${space}>${content}</t></is></c>`;
  }
}
