/** Writes a table for review as a page or a workbook. */
import { extname } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { MarkedTable } from './marked-table.ts';
import { writeMarkedHtml } from './marked-html.ts';

const WIDTH = 24;
const WIDTHS: Record<string, number> = { row: 8, what: 12, item: 38, name: 36, note: 60 };

/** @throws UsageError `unknown_format` */
export function checkMarkedFile(file: string): void {
  if (['.xlsx', '.html'].includes(extname(file).toLowerCase())) return;
  throw new UsageError('unknown_format', message('marked_format', { file }));
}

/** The file appears when it is complete. @returns its SHA-256, lower-case hex */
export function writeMarkedTable(file: string, table: MarkedTable): Promise<string> {
  return extname(file).toLowerCase() === '.html' ? writeMarkedHtml(file, table) : writeXlsx(file, table);
}

async function writeXlsx(file: string, { sheet, summary, columns, rows }: MarkedTable): Promise<string> {
  // exceljs is loaded for workbooks only.
  const { writeMarkedWorkbook } = await import('./xlsx/write-marked.ts');
  const totals = async function* () {
    yield summary.map(([name, value]) => [name, value]);
  };
  return writeMarkedWorkbook(file, [
    {
      name: sheet,
      columns: columns.map((header) => ({ header, width: WIDTHS[header] ?? WIDTH })),
      rows: rows(),
    },
    {
      name: 'Totals',
      columns: [
        { header: 'what', width: 40 },
        { header: 'value', width: 40 },
      ],
      rows: totals(),
    },
  ]);
}
