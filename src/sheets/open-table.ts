/**
 * Opens any kind of spreadsheet as a table.
 */
import { resolve } from 'node:path';
import { SheetError } from '../base/errors.ts';
import { byHand, message } from '../messages/message.ts';
import { openCsv } from './csv/open-csv.ts';
import { fileKind, readFileHead } from './file-kind.ts';
import type { OpenOptions, SheetTable } from './table.ts';
import { allTables, firstTable } from './workbook/tables.ts';

/** Loaded only for workbooks, because their readers are four fifths of the reading code. */
const openWorkbook: typeof import('./open-workbook.ts').openWorkbook = async (...asked) =>
  (await import('./open-workbook.ts')).openWorkbook(...asked);

/**
 * Opens one table. The kind of file is known by its content, never by its ending.
 *
 * Only the first rows are read here; no file stays open until `batches` is iterated. Throws a SheetError with a
 * stable code for anything that is not a table: `no_such_file`, `is_a_folder`, `not_readable`, `empty_file`,
 * `no_rows`, `no_header`, `old_xls`, `xlsb`, `password_protected`, `truncated`, `not_a_workbook`, `broken_xml`,
 * `html`, `xml_spreadsheet`, `numbers`, `binary`, `no_such_sheet`, `no_visible_sheet`, `bad_delimiter`,
 * `bad_encoding_name`, and `limit_…` if a hard limit is exceeded; while rows are read also `unclosed_quote` and
 * `broken_csv`.
 */
export async function openTable(file: string, options: OpenOptions): Promise<SheetTable> {
  const path = resolve(file);
  const head = await readFileHead(path);
  const kind = fileKind(path, head, options.encoding !== undefined);
  if (kind !== 'text') return firstTable(await openWorkbook(kind, path, options), options);
  if (options.sheet !== undefined) throw noSheets(path, options.sheet);
  return openCsv(path, head, options);
}

/**
 * Opens one table, or with `sheet: 'all'` the table of every visible sheet. Sheets whose headers differ from those of
 * the first sheet, apart from their order, are left out, and the first table's notes say so.
 */
export async function openTables(file: string, options: OpenOptions): Promise<SheetTable[]> {
  if (options.sheet !== 'all') return [await openTable(file, options)];
  const path = resolve(file);
  const { sheet: _, ...rest } = options;
  const kind = fileKind(path, await readFileHead(path), rest.encoding !== undefined);
  if (kind === 'text') return [await openTable(path, rest)];
  const [first, ...others] = await allTables(await openWorkbook(kind, path, rest), rest);
  if (first === undefined) return [];
  const same = others.filter((table) => shape(table) === shape(first));
  const left = others.filter((table) => !same.includes(table)).map(({ sheet = '' }) => sheet);
  if (left.length > 0) first.notes.push(message('other_sheets_left_out', { sheets: left }));
  return [first, ...same];
}

function shape(table: SheetTable): string {
  return JSON.stringify(table.headers.map((header) => header.toLowerCase()).sort());
}

function noSheets(file: string, sheet: string): SheetError {
  return new SheetError('no_such_sheet', message('csv_has_no_sheets', { file, sheet }), {
    position: { file },
    actions: [byHand('name_no_sheet', {})],
  });
}
