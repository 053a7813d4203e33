/**
 * Assembles the cells of a worksheet into rows, within the columns of the table: the same for every kind of
 * workbook.
 */
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { type Cell, columnLetter } from '../cell.ts';
import { limits } from '../limits.ts';
import { isBlankCell, type RawRow, type RowSource } from '../raw-row.ts';

/** Gaps between cells up to this width are filled with null. */
const MAX_FILL = 256;
/** Hidden columns are listed up to this many. */
const MAX_LISTED = 20;

export class RowAssembler {
  rows: RawRow[] = [];

  private readonly lastColumn: number;
  private number = 0;
  private cells: Cell[] = [];
  private outside: RawRow['outside'];
  private hiddenRows = 0;
  private readonly hiddenColumns: string[] = [];

  /** Cells to the right of `lastColumn` (0-based) are not kept, except the first one of each row. */
  constructor(lastColumn: number = limits.columns) {
    this.lastColumn = lastColumn;
  }

  /** Begins a row, whose number is 1-based. */
  begin(number: number): void {
    this.number = number;
    this.cells = [];
    this.outside = undefined;
  }

  /** Puts a cell into a 0-based column of the row. */
  put(column: number, cell: Cell): void {
    if (cell === null) return;
    if (column > this.lastColumn) {
      if (!isBlankCell(cell)) this.outside ??= { column, cell };
      return;
    }
    // A cell far out leaves a hole, or a row of two cells would take 130 kB.
    if (column - this.cells.length < MAX_FILL) {
      while (this.cells.length < column) this.cells.push(null);
    }
    this.cells[column] = cell;
  }

  end(): void {
    const row: RawRow = { number: this.number, cells: this.cells };
    if (this.outside !== undefined) row.outside = this.outside;
    this.rows.push(row);
    this.begin(this.number);
  }

  /** The rows that have ended since the last call. */
  take(): RawRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  hideRow(times = 1): void {
    this.hiddenRows += times;
  }

  /** 0-based columns. */
  hideColumns(first: number, last: number): void {
    // People often hide everything to the right of the table, which hides no part of the table.
    if (!(first >= 0) || !(last < limits.columns - 1) || this.hiddenColumns.length >= MAX_LISTED) return;
    const from = columnLetter(first);
    this.hiddenColumns.push(first === last ? from : `${from}–${columnLetter(last)}`);
  }

  notes(): Message[] {
    const notes: Message[] = [];
    if (this.hiddenRows > 0) notes.push(message('hidden_rows_read', { rows: this.hiddenRows }));
    if (this.hiddenColumns.length > 0)
      notes.push(message('hidden_columns_read', { columns: this.hiddenColumns }));
    return notes;
  }
}

/** Rows from a function that reads them all from the first on: the head is read again when the rows are. */
export function rowSource(read: RowSource['read']): RowSource {
  return {
    read,
    async head(count, signal) {
      const rows: RawRow[] = [];
      for await (const batch of read({ notes: [], ...(signal === undefined ? {} : { signal }) })) {
        // Formatted rows without a value may come by the thousand before the table.
        rows.push(...batch.filter((row) => row.cells.length > 0));
        if (rows.length >= count) break;
      }
      return rows.slice(0, count);
    },
  };
}
