/**
 * Which sheets of a workbook are read as tables: the same for every kind of workbook.
 */
import { SheetError } from '../../base/errors.ts';
import { buildTable } from '../build-table.ts';
import { byHand, message } from '../../messages/message.ts';
import type { RowSource } from '../raw-row.ts';
import { HELP_SHEET, type OpenOptions, type SheetTable, type WorkbookFormat } from '../table.ts';
import type { SetOption } from '../../messages/params.ts';

/** The result of the reader of each kind: nothing stays open, and rows are read on demand. */
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

/** The table of the named sheet; otherwise of the first visible sheet that has one, unless another one fits far better. */
export async function firstTable(workbook: Workbook, options: OpenOptions): Promise<SheetTable> {
  if (options.sheet !== undefined) return sheetTable(workbook, findSheet(workbook, options.sheet), options);
  const tables = visibleTables(workbook, options);
  const first = await tables.next();
  if (first.done === true) throw first.value;
  const { fit } = options;
  if (fit === undefined || options.headerRow !== undefined) return first.value;
  const sheet = await bestSheet(first.value, tables, fit);
  // A table that was examined can be read only once, so the sheet is opened again.
  return sheet === undefined ? first.value : sheetTable(workbook, findSheet(workbook, sheet), options);
}

/** Maximum number of sheets to look at. */
const MAX_SHEETS = 20;
/** If a workbook has two lists, the first is probably the right one, so another sheet must fit this many times as well. */
const FAR_BETTER = 2;

/** The name of the sheet to read; undefined if there is only one. */
async function bestSheet(
  first: SheetTable,
  tables: AsyncGenerator<SheetTable, SheetError, undefined>,
  fit: NonNullable<OpenOptions['fit']>,
): Promise<string | undefined> {
  const others: { sheet: string | undefined; fits: number }[] = [];
  try {
    while (others.length < MAX_SHEETS) {
      const next = await tables.next();
      if (next.done === true) break;
      others.push({ sheet: next.value.sheet, fits: await fit(next.value) });
    }
  } catch (error) {
    // A problem of another sheet is no reason to refuse the first sheet.
    if (!(error instanceof SheetError)) throw error;
  }
  const [best] = others.sort((a, b) => b.fits - a.fits);
  if (best === undefined) return undefined;
  return best.fits > 0 && best.fits >= FAR_BETTER * (await fit(first)) ? best.sheet : first.sheet;
}

/** Every visible sheet that has a table, in the order of the tabs. Throws if no sheet has one. */
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

/** The tables of visible sheets; returns the error to throw if there was none. */
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
      // The error about a header without rows is more helpful than the error about an empty sheet.
      if (reason === undefined || reason.code === 'empty_file') reason = error;
    }
  }
  if (reason !== undefined) return reason;
  const sheets = workbook.sheets.map(({ name }) => name);
  const said = sheets.length === 0 ? message('no_worksheet', {}) : message('all_sheets_hidden', { sheets });
  return new SheetError('no_visible_sheet', said, {
    position: { file: workbook.file },
    actions:
      sheets.length === 0 ? [byHand('check_right_file', {})] : [nameSheet(), byHand('unhide_sheet', {})],
  });
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

/** Finds a sheet by its exact name, otherwise ignoring case and outer spaces. */
function findSheet(workbook: Workbook, name: string): WorkbookSheet {
  const plain = (text: string) => text.trim().toLowerCase();
  const sheet =
    workbook.sheets.find((candidate) => candidate.name === name) ??
    workbook.sheets.find((candidate) => plain(candidate.name) === plain(name));
  if (sheet !== undefined) return sheet;
  const sheets = workbook.sheets.map((candidate) => candidate.name);
  throw new SheetError('no_such_sheet', message('no_such_sheet', { sheet: name, sheets }), {
    position: { file: workbook.file },
    actions: [nameSheet()],
  });
}

function nameSheet(): SetOption {
  return { do: 'setOption', option: 'sheet', value: 'NAME', label: message('to_name_sheet', {}) };
}
