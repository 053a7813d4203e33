/**
 * Turns the events of a worksheet's XML into rows (ECMA-376 part 1, 18.3).
 *
 * The letters of cell references give the true columns; cells and rows without a reference follow directly after the
 * one before (`r` is optional, 18.3.1.4 and 18.3.1.73). `dimension` is not read, because some programs write it
 * incorrectly.
 */
import { columnLetter } from '../cell.ts';
import { message } from '../../messages/message.ts';
import { limitError, limits } from '../limits.ts';
import type { RowAssembler } from '../workbook/row-assembler.ts';
import { type CellSource, cellValue } from './cell-value.ts';
import { isTrue, type XlsxBook } from './workbook.ts';
import type { XmlHandlers } from '../workbook/xml.ts';

export class RowCollector implements XmlHandlers {
  /** True once the rows have ended; the rest of the part is not needed. */
  done = false;

  private readonly workbook: XlsxBook;
  private readonly sheet: string;
  private readonly assembler: RowAssembler;
  private rowNumber = 0;
  private column = -1;
  private cell: CellSource | undefined;
  private collecting: 'value' | 'inline' | undefined;
  private phonetic = 0;

  constructor(workbook: XlsxBook, sheet: string, assembler: RowAssembler) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.assembler = assembler;
  }

  open(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case 'c':
        this.openCell(attributes);
        break;
      case 'v':
        if (this.cell !== undefined) this.collecting = 'value';
        break;
      case 'f':
        if (this.cell !== undefined) this.cell.formula = true;
        break;
      case 't':
        if (this.cell !== undefined && this.phonetic === 0) this.collecting = 'inline';
        break;
      case 'row':
        this.openRow(attributes);
        break;
      case 'rPh':
        this.phonetic += 1;
        break;
      case 'col':
        this.noteHiddenColumns(attributes);
        break;
      default:
    }
  }

  text(text: string): void {
    if (this.collecting === undefined || this.cell === undefined) return;
    if (this.collecting === 'value') this.cell.value += text;
    else this.cell.inline = (this.cell.inline ?? '') + text;
  }

  close(name: string): void {
    switch (name) {
      case 'c':
        this.closeCell();
        break;
      case 'v':
      case 't':
        this.collecting = undefined;
        break;
      case 'row':
        this.assembler.end();
        break;
      case 'rPh':
        this.phonetic -= 1;
        break;
      case 'sheetData':
        this.done = true;
        break;
      default:
    }
  }

  private openRow(attributes: Record<string, string>): void {
    const reference = attributes['r'];
    this.rowNumber = reference === undefined ? this.rowNumber + 1 : Number(reference);
    if (!Number.isInteger(this.rowNumber) || this.rowNumber < 1 || this.rowNumber > limits.rows) {
      const row = reference ?? String(this.rowNumber);
      const found = message('row_beyond_last', { sheet: this.sheet, row, last: limits.rows });
      throw limitError('rows', found, this.workbook.file);
    }
    this.column = -1;
    this.assembler.begin(this.rowNumber);
    if (isTrue(attributes['hidden'])) this.assembler.hideRow();
  }

  private openCell(attributes: Record<string, string>): void {
    const reference = attributes['r'];
    this.column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (this.column < 0 || this.column >= limits.columns) {
      const cell = reference ?? columnLetter(this.column);
      const found = { sheet: this.sheet, cell, last: columnLetter(limits.columns - 1) };
      throw limitError('columns', message('cell_beyond_last', found), this.workbook.file);
    }
    this.cell = {
      type: attributes['t'] ?? 'n',
      style: attributes['s'] ?? '',
      value: '',
      inline: undefined,
      formula: false,
    };
  }

  private closeCell(): void {
    if (this.cell === undefined) return;
    this.assembler.put(this.column, cellValue(this.cell, this.workbook));
    this.cell = undefined;
    this.collecting = undefined;
  }

  private noteHiddenColumns(attributes: Record<string, string>): void {
    if (!isTrue(attributes['hidden'])) return;
    this.assembler.hideColumns(Number(attributes['min']) - 1, Number(attributes['max']) - 1);
  }
}

/** 0-based column of `BC12`; -1 if the reference does not begin with letters. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const code = reference.charCodeAt(at);
    if (code >= 65 && code <= 90) column = column * 26 + code - 64;
    else if (code >= 97 && code <= 122) column = column * 26 + code - 96;
    else if (code !== 36) break; // `$` of an absolute reference
  }
  return column - 1;
}
