/** Writes tables: one writer interface for CSV and XLSX. */
import { SheetError } from '../base/errors.ts';
import { createCsvWriter } from './csv/write-csv.ts';
import type { TableWriter, TableWriterOptions } from './table-writer.ts';
import { createNdjsonTableWriter } from './write-ndjson.ts';
import { byHand, message } from '../messages/message.ts';

/** Throws a SheetError (`cannot_write`, `cannot_stream`) before anything is written. */
export async function createTableWriter(options: TableWriterOptions): Promise<TableWriter> {
  if (options.format === 'csv') return createCsvWriter(options);
  if (options.format === 'ndjson') return createNdjsonTableWriter(options);
  if (options.file === '-' && options.stream === undefined) {
    throw new SheetError('cannot_stream', message('cannot_stream', {}), {
      actions: [byHand('name_xlsx_file', {})],
    });
  }
  // exceljs takes a quarter of a second to load, which a CSV need not wait for.
  const { createXlsxWriter } = await import('./xlsx/write-xlsx.ts');
  return createXlsxWriter(options);
}
