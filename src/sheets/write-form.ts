/**
 * A workbook to fill in: one sheet with headers, notes, drop-downs and number formats, one with instructions, and
 * a hidden one with the entries of long drop-downs. Small, so it is made in memory, by exceljs.
 */
import type ExcelJS from 'exceljs';
import Workbook from 'exceljs/lib/doc/workbook.js';
import { columnLetter } from './cell.ts';
import { openAtomicFile } from './atomic-file.ts';
import { encodeEscapes } from './xlsx/escapes.ts';
import { addValidation } from './xlsx/exceljs-internals.ts';

export interface FormColumn {
  header: string;
  /** Shown when the mouse is over the header. */
  note: string;
  /** Width in characters. */
  width: number;
  /** Number format, such as `@` for text, `0`, `#,##0.00`. */
  numberFormat: string;
  /** The values that may be typed. A list is only a suggestion: other words can still be typed, after a question. */
  allow?:
    | { kind: 'list'; entries: readonly string[] }
    | { kind: 'whole'; least: number; most: number }
    | { kind: 'decimal'; least: number }
    | { kind: 'length'; least: number; most: number };
}

export interface Form {
  /** Name of the sheet to fill in. */
  sheet: string;
  columns: readonly FormColumn[];
  /** Rows that are prepared. */
  rows: number;
  /** Name and lines of the sheet that explains. */
  help: { sheet: string; lines: readonly string[] };
}

const LISTS = 'Lists';
const HEADER_FILL = 'FFE8EEF4';

/** Writes the workbook atomically. Throws a SheetError (`cannot_write`, `disk_full`). */
export async function writeForm(file: string, form: Form): Promise<{ file: string }> {
  const workbook = new Workbook();
  const sheet = workbook.addWorksheet(form.sheet, { views: [{ state: 'frozen', ySplit: 1 }] });
  const lists: (readonly string[])[] = [];
  for (const [index, column] of form.columns.entries()) addColumn(sheet, index, column, form.rows, lists);
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: form.columns.length } };
  const help = workbook.addWorksheet(form.help.sheet);
  help.getColumn(1).width = 110;
  for (const line of form.help.lines) {
    const row = help.addRow([encodeEscapes(line)]);
    row.getCell(1).alignment = { wrapText: true, vertical: 'top' };
    if (row.number === 1) row.font = { bold: true };
  }
  if (lists.length > 0) {
    const hidden = workbook.addWorksheet(LISTS, { state: 'hidden' });
    for (const [index, entries] of lists.entries()) {
      hidden.getColumn(index + 1).values = entries.map(encodeEscapes);
    }
  }
  const bytes = await workbook.xlsx.writeBuffer();
  const target = await openAtomicFile(file);
  try {
    await target.write(new Uint8Array(bytes));
    await target.commit();
  } finally {
    await target.abort();
  }
  return { file: target.file };
}

function addColumn(
  sheet: ExcelJS.Worksheet,
  index: number,
  { header, note, width, numberFormat, allow }: FormColumn,
  rows: number,
  lists: (readonly string[])[],
): void {
  const column = sheet.getColumn(index + 1);
  column.width = width;
  column.numFmt = numberFormat;
  const cell = sheet.getCell(1, index + 1);
  cell.value = encodeEscapes(header);
  cell.numFmt = '@';
  cell.font = { bold: true };
  cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: HEADER_FILL } };
  cell.note = note;
  if (allow === undefined) return;
  const letter = columnLetter(index);
  addValidation(sheet, `${letter}2:${letter}${rows + 1}`, validation(header, allow, lists));
}

function validation(
  header: string,
  allow: NonNullable<FormColumn['allow']>,
  lists: (readonly string[])[],
): ExcelJS.DataValidation {
  const common = { allowBlank: true, showErrorMessage: true, errorTitle: header } as const;
  switch (allow.kind) {
    case 'list': {
      lists.push(allow.entries);
      const letter = columnLetter(lists.length - 1);
      return {
        ...common,
        type: 'list',
        errorStyle: 'warning',
        error: 'This is not one of the list.',
        formulae: [`${LISTS}!$${letter}$1:$${letter}$${Math.max(1, allow.entries.length)}`],
      };
    }
    case 'whole':
      return {
        ...common,
        type: 'whole',
        operator: 'between',
        errorStyle: 'stop',
        error: `A whole number from ${allow.least} to ${allow.most}.`,
        formulae: [allow.least, allow.most],
      };
    case 'decimal':
      return {
        ...common,
        type: 'decimal',
        operator: 'greaterThanOrEqual',
        errorStyle: 'stop',
        error: `A number of at least ${allow.least}, without a currency sign.`,
        formulae: [allow.least],
      };
    case 'length':
      return {
        ...common,
        type: 'textLength',
        operator: 'between',
        errorStyle: 'stop',
        error: `${allow.least} to ${allow.most} characters.`,
        formulae: [allow.least, allow.most],
      };
    default:
      return allow satisfies never;
  }
}
