/**
 * Small workbooks for review, in which single cells are coloured. Each coloured cell has a style of its own, which
 * doubles the time of exceljs (measured): rows in bulk are for write-xlsx.ts.
 */
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import type ExcelJS from 'exceljs';
import WorkbookWriter from 'exceljs/lib/stream/xlsx/workbook-writer.js';
import { limits } from '../limits.ts';
import { openWriteTarget } from '../write-target.ts';
import { encodeEscapes } from './escapes.ts';
import { numberedSheetName } from './sheet-name.ts';

export type Mark = 'changed' | 'added' | 'emptied' | 'problem';
/** A text, or one that is coloured. Always a string cell: text that looks like a formula stays text. */
export type MarkedCell = string | { text: string; mark: Mark };

export interface MarkedSheet {
  name: string;
  columns: { header: string; width: number }[];
  /** In batches; rows beyond the room of a sheet are not written. */
  rows: AsyncIterable<MarkedCell[][]>;
}

const COLOURS: Record<Mark, string> = {
  changed: 'FFFFEB9C',
  added: 'FFC6EFCE',
  emptied: 'FFFFC7CE',
  problem: 'FFF4B084',
};
const CELL_CHARACTERS = 32_767;

/** Writes all sheets; the file appears when it is complete. @returns its SHA-256, lower-case hex */
export async function writeMarkedWorkbook(file: string, sheets: readonly MarkedSheet[]): Promise<string> {
  const target = await openWriteTarget(file);
  const write = callbackify((chunk: Buffer) => target.write(chunk));
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => write(chunk, done) });
  const failed = new Promise<never>((_, reject) => {
    sink.once('error', reject);
  });
  // Without a listener a full disk would end the process before the next write could say so.
  failed.catch(() => {});
  try {
    const workbook = new WorkbookWriter({ stream: sink, useStyles: true });
    for (const sheet of sheets) await writeSheet(workbook, sheet);
    await Promise.race([workbook.commit(), failed]);
    return (await target.commit()).sha256;
  } catch (error) {
    await target.abort();
    throw error;
  }
}

async function writeSheet(workbook: ExcelJS.stream.xlsx.WorkbookWriter, sheet: MarkedSheet): Promise<void> {
  const worksheet = workbook.addWorksheet(numberedSheetName(sheet.name, 1), {
    views: [{ state: 'frozen', ySplit: 1 }],
  });
  worksheet.columns = sheet.columns.map(({ width }) => ({ width }));
  const header = worksheet.addRow(sheet.columns.map((column) => encodeEscapes(column.header)));
  header.font = { bold: true };
  header.commit();
  let count = 1;
  for await (const batch of sheet.rows) {
    for (const cells of batch) {
      if (count === limits.rows) break;
      count += 1;
      const row = worksheet.addRow(
        cells.map((cell) => encodeEscapes(textOf(cell).slice(0, CELL_CHARACTERS))),
      );
      for (const [index, cell] of cells.entries()) {
        if (typeof cell === 'string') continue;
        const fgColor = { argb: COLOURS[cell.mark] };
        row.getCell(index + 1).fill = { type: 'pattern', pattern: 'solid', fgColor };
      }
      row.commit();
    }
  }
  worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: count, column: sheet.columns.length } };
  worksheet.commit();
}

function textOf(cell: MarkedCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
