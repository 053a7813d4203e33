/**
 * Workbooks of Excel 5.0 to 2003 (.xls, MS-XLS), of which only the parts that a table needs are read. The texts are
 * held in memory, the rows are read as a stream.
 */
import type { Cell } from '../cell.ts';
import { type StreamPlace, damaged } from '../compound-file.ts';
import { message } from '../../messages/message.ts';
import { limitError, limits } from '../limits.ts';
import type { FilePassword } from '../table.ts';
import type { RawRow, ReadOptions, RowSource } from '../raw-row.ts';
import { RowAssembler, rowSource } from '../workbook/row-assembler.ts';
import type { Workbook } from '../workbook/tables.ts';
import { readXlsBook, type XlsBook, type XlsSheet } from './book.ts';
import { CELL_RECORDS, CellReader, SheetRecords } from './cells.ts';
import { RECORD } from './record-reader.ts';

const BATCH_ROWS = 500;

/** @param stream the stream `Workbook` (Excel 97 to 2003) or `Book` (5.0 and 95) of a compound file */
export async function openXls(stream: StreamPlace, ask: FilePassword | undefined): Promise<Workbook> {
  const { file } = stream;
  const book = await readXlsBook(stream, ask).catch((cause: unknown) => {
    throw recordError(file, cause);
  });
  const sheets = book.sheets.map((sheet) => ({
    name: sheet.name,
    hidden: sheet.hidden,
    rows: sheetRows(book, sheet),
  }));
  return { file, format: 'xls', sheets };
}

function sheetRows(book: XlsBook, sheet: XlsSheet): RowSource {
  /** Determined once, before the first rows are read. */
  let sorted: Promise<boolean> | undefined;
  return rowSource(async function* (options) {
    try {
      sorted ??= isSorted(book, sheet);
      yield* (await sorted) ? readRows(book, sheet, options) : sortRows(book, sheet, options);
    } catch (cause) {
      throw recordError(book.stream.file, cause, sheet.name);
    }
  });
}

/**
 * Excel writes rows in order; other programs write cells in the order of their creation, for example column by column.
 *
 * @throws SheetError `limit_unordered_cells` if there are too many to sort
 */
async function isSorted(book: XlsBook, sheet: XlsSheet): Promise<boolean> {
  const records = await SheetRecords.open(book, sheet);
  let sorted = true;
  let cells = 0;
  let last = 0;
  try {
    do {
      while (records.step()) {
        const { type, data } = records;
        if (!CELL_RECORDS.has(type)) continue;
        cells += type === RECORD.multipleRk ? data.length / 6 : 1;
        const row = data.readUInt16LE(0);
        if (row < last) sorted = false;
        last = row;
        if (!sorted && cells > limits.unorderedCells) {
          const found = message('rows_out_of_order', { sheet: sheet.name, most: limits.unorderedCells });
          throw limitError('unordered_cells', found, book.stream.file);
        }
      }
    } while (await records.fill());
    // Sheets that share their records would take the square of the file's size to read.
    book.sheetBytes += records.steppedBytes;
    if (book.sheetBytes > book.stream.sizeBytes) throw records.damaged('overlaps another one');
    return sorted;
  } finally {
    await records.close();
  }
}

async function* readRows(
  book: XlsBook,
  sheet: XlsSheet,
  { notes, signal, lastColumn }: ReadOptions,
): AsyncGenerator<RawRow[], void, undefined> {
  const records = await SheetRecords.open(book, sheet);
  try {
    const assembler = new RowAssembler(lastColumn);
    let current = -1;
    const reader = new CellReader(book, sheet, records, {
      cell(row, column, cell) {
        if (row !== current) {
          if (current >= 0) assembler.end();
          assembler.begin(row + 1);
          current = row;
        }
        assembler.put(column, cell);
      },
      hiddenRow: () => assembler.hideRow(),
      hiddenColumns: (first, last) => assembler.hideColumns(first, last),
    });
    do {
      signal?.throwIfAborted();
      while (records.step()) {
        reader.take();
        if (assembler.rows.length >= BATCH_ROWS) yield assembler.take();
      }
    } while (await records.fill());
    reader.end();
    if (current >= 0) assembler.end();
    if (assembler.rows.length > 0) yield assembler.take();
    notes.push(...assembler.notes());
  } finally {
    await records.close();
  }
}

/** The rows of a sheet in order, sorted in memory. */
async function* sortRows(
  book: XlsBook,
  sheet: XlsSheet,
  { notes, signal, lastColumn }: ReadOptions,
): AsyncGenerator<RawRow[], void, undefined> {
  const assembler = new RowAssembler(lastColumn);
  /** For each row column, cell, column, cell … */
  const rows = new Map<number, (number | Cell)[]>();
  const records = await SheetRecords.open(book, sheet);
  try {
    const reader = new CellReader(book, sheet, records, {
      cell(row, column, cell) {
        const cells = rows.get(row);
        if (cells === undefined) rows.set(row, [column, cell]);
        else cells.push(column, cell);
      },
      hiddenRow: () => assembler.hideRow(),
      hiddenColumns: (first, last) => assembler.hideColumns(first, last),
    });
    do {
      signal?.throwIfAborted();
      while (records.step()) reader.take();
    } while (await records.fill());
    reader.end();
  } finally {
    await records.close();
  }
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    assembler.begin(row + 1);
    const cells = rows.get(row) ?? [];
    for (let at = 0; at < cells.length; at += 2) {
      assembler.put(cells[at] as number, cells[at + 1] as Cell);
    }
    assembler.end();
    if (assembler.rows.length >= BATCH_ROWS) yield assembler.take();
  }
  if (assembler.rows.length > 0) yield assembler.take();
  notes.push(...assembler.notes());
}

/** A record that is shorter than its fields shows as a Buffer's error; all others pass unchanged. */
function recordError(file: string, cause: unknown, sheet?: string): unknown {
  const code = cause instanceof RangeError && 'code' in cause ? cause.code : undefined;
  if (code !== 'ERR_OUT_OF_RANGE' && code !== 'ERR_BUFFER_OUT_OF_BOUNDS') return cause;
  return damaged(file, 'one of its records is too short', sheet);
}
