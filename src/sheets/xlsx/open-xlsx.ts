/**
 * XLSX workbooks. A worksheet's rows are read as a stream, in batches. Reading ends with the rows, so that merged
 * cells, validations and the like after them take no time.
 */
import type { RawRow, ReadOptions } from '../raw-row.ts';
import { RowAssembler, rowSource } from '../workbook/row-assembler.ts';
import type { Workbook } from '../workbook/tables.ts';
import type { Package } from '../workbook/package.ts';
import { PlainRows } from './plain-rows.ts';
import { RowCollector } from './row-collector.ts';
import { openXlsxBook, type XlsxBook, type XlsxSheet } from './workbook.ts';
import { parseXml } from '../workbook/xml.ts';

const BATCH_ROWS = 500;

/** Reads names, shared strings and styles. Throws a SheetError for anything that is not a workbook. */
export async function openXlsx(parts: Package): Promise<Workbook> {
  const book = await openXlsxBook(parts);
  const sheets = book.sheets.map((sheet) => ({
    name: sheet.name,
    hidden: sheet.hidden,
    rows: rowSource((options) => readSheet(book, sheet, options)),
  }));
  return { file: parts.file, format: 'xlsx', sheets };
}

async function* readSheet(
  workbook: XlsxBook,
  sheet: XlsxSheet,
  { notes, signal, lastColumn }: ReadOptions,
): AsyncGenerator<RawRow[], void, undefined> {
  const { file } = workbook;
  const parts = await workbook.reopen();
  try {
    const assembler = new RowAssembler(lastColumn);
    const collector = new RowCollector(workbook, sheet.name, assembler);
    const shortcut = new PlainRows(workbook, collector, assembler);
    const place = { file, part: sheet.part };
    for await (const _ of parseXml(await parts.open(sheet.part), place, collector, { shortcut })) {
      signal?.throwIfAborted();
      if (assembler.rows.length >= BATCH_ROWS) yield assembler.take();
      if (collector.done) break;
    }
    if (assembler.rows.length > 0) yield assembler.take();
    notes.push(...assembler.notes());
  } finally {
    parts.close();
  }
}
