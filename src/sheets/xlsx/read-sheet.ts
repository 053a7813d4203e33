/**
 * A worksheet's rows in batches, read as a stream. Reading ends with the rows, so that merged cells, validations
 * and the like after them cost nothing.
 */
import type { RawRow, ReadOptions, RowSource } from '../raw-row.ts';
import { openPackage } from './package.ts';
import { RowCollector } from './row-collector.ts';
import type { Workbook, WorkbookSheet } from './workbook.ts';
import { parseXml } from './xml.ts';

const BATCH_ROWS = 500;

/** A zip cannot be entered in the middle: the head is read again when the rows are. */
export function sheetRows(workbook: Workbook, sheet: WorkbookSheet): RowSource {
  return {
    async head(count, signal) {
      const rows: RawRow[] = [];
      for await (const batch of readSheet(workbook, sheet, { notes: [], signal })) {
        // Formatted rows without a value may come by the thousand before the table.
        rows.push(...batch.filter((row) => row.cells.length > 0));
        if (rows.length >= count) break;
      }
      return rows.slice(0, count);
    },
    read: (options) => readSheet(workbook, sheet, options),
  };
}

async function* readSheet(
  workbook: Workbook,
  sheet: WorkbookSheet,
  { notes, signal, lastColumn }: ReadOptions,
): AsyncGenerator<RawRow[], void, undefined> {
  const { file } = workbook;
  const parts = await openPackage(file, workbook.directory);
  try {
    const collector = new RowCollector(workbook, sheet.name, lastColumn);
    for await (const _ of parseXml(await parts.open(sheet.part), { file, part: sheet.part }, collector)) {
      signal?.throwIfAborted();
      if (collector.rows.length >= BATCH_ROWS) yield collector.take();
      if (collector.done) break;
    }
    if (collector.rows.length > 0) yield collector.take();
    notes.push(...collector.notes());
  } finally {
    parts.close();
  }
}
