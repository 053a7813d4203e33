/**
 * Which sheets of a workbook are read as tables: the same for every kind of workbook.
 */
import { SheetError } from '../../errors.ts';
import { buildTable } from '../build-table.ts';
import { message } from '../../messages/message.ts';
import type { RowSource } from '../raw-row.ts';
import { HELP_SHEET, type OpenOptions, type SheetTable, type WorkbookFormat } from '../table.ts';

/** What the reader of each kind returns: nothing stays open, and rows are read on demand. */
export interface Workbook {
  /** Absolute path. */
  file: string;
  format: WorkbookFormat;
  /** Worksheets in the order of their tabs; chart and macro sheets are not among them. */
  sheets: WorkbookSheet[];
}

export interface WorkbookSheet {
  name: string;
  hidden: boolean;
  rows: RowSource;
}

/** The table of the named sheet, or of the first visible sheet that has one. */
export async function firstTable(workbook: Workbook, options: OpenOptions): Promise<SheetTable> {
  if (options.sheet !== undefined) return sheetTable(workbook, findSheet(workbook, options.sheet), options);
  const tables = visibleTables(workbook, options);
  const first = await tables.next();
  if (first.done !== true) return first.value;
  throw first.value;
}

/** Every visible sheet that has a table, in the order of the tabs. Throws where none has. */
export async function allTables(workbook: Workbook, options: OpenOptions): Promise<SheetTable[]> {
  const tables: SheetTable[] = [];
  const found = visibleTables(workbook, options);
  for (;;) {
    const next = await found.next();
    if (next.done !== true) tables.push(next.value);
    else if (tables.length === 0) throw next.value;
    else return tables;
  }
}

/** The tables of visible sheets; returns the error to throw where there was none. */
async function* visibleTables(
  workbook: Workbook,
  options: OpenOptions,
): AsyncGenerator<SheetTable, SheetError, undefined> {
  let reason: SheetError | undefined;
  for (const sheet of workbook.sheets.filter((each) => !each.hidden && each.name !== HELP_SHEET)) {
    try {
      yield await sheetTable(workbook, sheet, options);
    } catch (error) {
      if (!(error instanceof SheetError) || !['empty_file', 'no_rows', 'no_header'].includes(error.code))
        throw error;
      // A header without rows says more than an empty sheet.
      if (reason === undefined || reason.code === 'empty_file') reason = error;
    }
  }
  if (reason !== undefined) return reason;
  const hidden = workbook.sheets.map((sheet) => `"${sheet.name}"`).join(', ');
  return new SheetError(
    'no_visible_sheet',
    hidden === '' ? 'The workbook has no worksheet.' : `All worksheets are hidden: ${hidden}.`,
    {
      position: { file: workbook.file },
      remedy: 'Name one with --sheet, or unhide it in your spreadsheet program.',
    },
  );
}

function sheetTable(workbook: Workbook, sheet: WorkbookSheet, options: OpenOptions): Promise<SheetTable> {
  const others = workbook.sheets
    .filter((other) => other.hidden && other !== sheet)
    .map((other) => other.name);
  return buildTable(
    {
      file: workbook.file,
      format: workbook.format,
      sheet: sheet.name,
      sheets: workbook.sheets.map((each) => each.name),
      detected: [
        message('verbatim', { text: workbook.format.toUpperCase() }),
        message('sheet', { sheet: sheet.name }),
      ],
      notes: others.length === 0 ? [] : [message('hidden_sheets_not_read', { sheets: others })],
      rows: sheet.rows,
      filler: null,
      offset: true,
    },
    options,
  );
}

/** By exact name, else without regard to case and outer spaces. */
function findSheet(workbook: Workbook, name: string): WorkbookSheet {
  const plain = (text: string) => text.trim().toLowerCase();
  const sheet =
    workbook.sheets.find((candidate) => candidate.name === name) ??
    workbook.sheets.find((candidate) => plain(candidate.name) === plain(name));
  if (sheet !== undefined) return sheet;
  const names = workbook.sheets.map((candidate) => `"${candidate.name}"`).join(', ');
  throw new SheetError('no_such_sheet', `There is no sheet "${name}". The workbook has: ${names}.`, {
    position: { file: workbook.file },
    remedy: 'Give one of these names to --sheet.',
  });
}
