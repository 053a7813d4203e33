/**
 * From the events of a worksheet's XML to rows (ECMA-376 part 1, 18.3).
 *
 * The letters of cell references tell the true columns; cells and rows without a reference stand right after the
 * one before (`r` is optional, 18.3.1.4 and 18.3.1.73). `dimension` is not read: programs write it wrong.
 */
import { type Cell, columnLetter } from '../cell.ts';
import { limitError, limits } from '../limits.ts';
import { isBlankCell, type RawRow } from '../raw-row.ts';
import { type CellSource, cellValue } from './cell-value.ts';
import { isTrue, type Workbook } from './workbook.ts';
import type { XmlHandlers } from './xml.ts';

/** Gaps between cells up to this width are filled with null. */
const MAX_FILL = 256;

export class RowCollector implements XmlHandlers {
  rows: RawRow[] = [];
  /** The rows have ended; what follows in the part is not needed. */
  done = false;

  private readonly workbook: Workbook;
  private readonly sheet: string;
  private readonly lastColumn: number;
  private rowNumber = 0;
  private column = -1;
  private cells: Cell[] = [];
  private outside: RawRow['outside'];
  private cell: CellSource | undefined;
  private collecting: 'value' | 'inline' | undefined;
  private phonetic = 0;
  private hiddenRows = 0;
  private readonly hiddenColumns: string[] = [];

  /** Cells right of `lastColumn` are not kept, but for the first of each row. */
  constructor(workbook: Workbook, sheet: string, lastColumn: number = limits.columns) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.lastColumn = lastColumn;
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
        this.closeRow();
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

  take(): RawRow[] {
    const rows = this.rows;
    this.rows = [];
    return rows;
  }

  notes(): string[] {
    const notes: string[] = [];
    if (this.hiddenRows > 0) notes.push(`hidden rows were read too: ${this.hiddenRows}`);
    if (this.hiddenColumns.length > 0) {
      notes.push(`hidden columns were read too: ${this.hiddenColumns.join(', ')}`);
    }
    return notes;
  }

  private openRow(attributes: Record<string, string>): void {
    const reference = attributes['r'];
    this.rowNumber = reference === undefined ? this.rowNumber + 1 : Number(reference);
    if (!Number.isInteger(this.rowNumber) || this.rowNumber < 1 || this.rowNumber > limits.rows) {
      throw this.tooFar(`a row numbered ${reference ?? this.rowNumber}; rows end at ${limits.rows}`, 'rows');
    }
    this.column = -1;
    this.cells = [];
    this.outside = undefined;
    if (isTrue(attributes['hidden'])) this.hiddenRows += 1;
  }

  private closeRow(): void {
    const row: RawRow = { number: this.rowNumber, cells: this.cells };
    if (this.outside !== undefined) row.outside = this.outside;
    this.rows.push(row);
    this.cells = [];
    this.outside = undefined;
  }

  private openCell(attributes: Record<string, string>): void {
    const reference = attributes['r'];
    this.column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (this.column < 0 || this.column >= limits.columns) {
      throw this.tooFar(
        `a cell at ${reference ?? `column ${this.column + 1}`}; columns end at ${columnLetter(limits.columns - 1)}`,
        'columns',
      );
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
    const value = cellValue(this.cell, this.workbook);
    this.cell = undefined;
    this.collecting = undefined;
    if (value === null) return;
    if (this.column > this.lastColumn) {
      if (!isBlankCell(value)) this.outside ??= { column: this.column, cell: value };
      return;
    }
    // A cell far out leaves a hole, or a row of two cells would take 130 kB.
    if (this.column - this.cells.length < MAX_FILL) {
      while (this.cells.length < this.column) this.cells.push(null);
    }
    this.cells[this.column] = value;
  }

  private noteHiddenColumns(attributes: Record<string, string>): void {
    if (!isTrue(attributes['hidden'])) return;
    const first = Number(attributes['min']);
    const last = Number(attributes['max']);
    // Hiding everything right of the table is a habit, and hides nothing of it.
    if (!(first >= 1) || !(last < limits.columns) || this.hiddenColumns.length >= 20) return;
    const from = columnLetter(first - 1);
    this.hiddenColumns.push(first === last ? from : `${from}–${columnLetter(last - 1)}`);
  }

  private tooFar(what: string, limit: 'rows' | 'columns'): Error {
    return limitError(limit, `Sheet "${this.sheet}" has ${what}.`, this.workbook.file);
  }
}

/** 0-based column of `BC12`; -1 where the reference does not begin with letters. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const code = reference.charCodeAt(at);
    if (code >= 65 && code <= 90) column = column * 26 + code - 64;
    else if (code >= 97 && code <= 122) column = column * 26 + code - 96;
    else if (code !== 36) break; // `$` of an absolute reference
  }
  return column - 1;
}
