/** Recognises our own files by their headers. */

/** Only our item exports have all four of these, and at least one of the read-only headers below. */
const EXPORT_HEADERS = ['id', 'name', 'status', 'collection_id'];
const EXPORT_ONLY_HEADERS = ['object', 'created_at', 'updated_at'];

/**
 * True for the headers of our own item exports: `id`, `name`, `status` and `collection_id`, each spelled exactly and
 * present once, and at least one of `object`, `created_at` and `updated_at`. Other columns do not matter: a file with
 * a notes column added by hand, or with our results columns, is still an export.
 *
 * An export of fewer columns (`--columns id,name`) is read as an ordinary file, because a file made by hand can have the
 * same headers. It still comes back unchanged: its cells are compared with the text form of the current values, even
 * if they cannot be cast.
 */
export function isOwnExport(headers: readonly string[]): boolean {
  return (
    EXPORT_HEADERS.every((name) => headers.filter((header) => header === name).length === 1) &&
    EXPORT_ONLY_HEADERS.some((name) => headers.includes(name))
  );
}

/**
 * True if rows say which item they are, and when it had last changed: also an export of some columns
 * (`--columns id,brand,updated_at`).
 */
export function saysLastChange(headers: readonly string[]): boolean {
  return ['id', 'updated_at'].every((name) => headers.filter((header) => header === name).length === 1);
}

/** True for a plan or a comparison as a workbook: its cells describe changes, and are not values. */
export function isForPeople(headers: readonly string[]): boolean {
  return ['row', 'what', undefined, 'name'].every((name, at) => name === undefined || headers[at] === name);
}

/** Column of results and rejects files: the id of the row's item. */
export const ITEM_COLUMN = '_item_id';

/** True if a person may map a column to a field: of those that begin with _, only the ids of items. */
export function isMappable(header: string | undefined, field: string): boolean {
  return header?.startsWith('_') !== true || (header === ITEM_COLUMN && field === 'id');
}

/** Column of results and rejects files: the id of the job that wrote the row. */
export const JOB_COLUMN = '_job';

/** Column of results and rejects files of several sheets. */
export const SHEET_COLUMN = '_sheet';

/**
 * The name of a sheet in this column. In apostrophes, no program takes it for a number, a date or yes or no
 * (`'May 2024'`, `'TRUE'`).
 */
export function sheetCell(sheet: string): string {
  return `'${sheet}'`;
}

/** The name in a cell of this column. */
export function sheetOf(cell: string): string {
  return /^'(.*)'$/u.exec(cell)?.[1] ?? cell;
}

/** The sheet that a cell of this column names, also if its spaces were lost; undefined if it is none of these. */
export function sheetNamed(cell: string, sheets: readonly string[]): string | undefined {
  const name = sheetOf(cell);
  return sheets.find((each) => each === name) ?? sheets.find((each) => each.trim() === name.trim());
}

/** True for our own results and rejects files, which have `_row` and `_state`. */
export function isResultsFile(headers: readonly string[]): boolean {
  return headers.includes('_row') && headers.includes('_state');
}

/** True for files that shelflift wrote to be read again. In CSV, their texts are escaped. */
export function isOwnFile(headers: readonly string[]): boolean {
  return isOwnExport(headers) || isResultsFile(headers);
}
