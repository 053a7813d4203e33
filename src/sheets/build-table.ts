/**
 * Turns a file's raw rows into a table: finds the header, cuts out its columns, and skips and counts rows that are not
 * data. The same for CSV and every workbook.
 */
import { SheetError } from '../base/errors.ts';
import { type Cell, cellText, columnLetter } from './cell.ts';
import { unescapeText } from './escape.ts';
import { findHeader, type HeaderPlace } from './find-header.ts';
import { headerRows } from './header-rows.ts';
import { byHand, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { limitError, limits } from './limits.ts';
import { MergeConflict } from './merge-conflict.ts';
import { isOwnFile } from './own-headers.ts';
import { isBlankCell, type RawRow, type RowSource, rowProblem } from './raw-row.ts';
import { isBlankRow, isRepeatedHeader } from './special-rows.ts';
import { SummaryRows } from './summary-rows.ts';
import type { OpenOptions, SheetRow, SheetTable } from './table.ts';

const BATCH_ROWS = 1000;

export interface TableSource {
  file: string;
  format: SheetTable['format'];
  sheet?: string;
  /** All worksheets of a workbook. */
  sheets?: string[];
  delimiter?: string;
  /** Parts of the `detected` line, before the header's row. */
  detected: Message[];
  notes: Message[];
  doubts?: Message[];
  rows: RowSource;
  /** The value that fills up a short row. */
  filler: '' | null;
  /** Workbooks: the table may begin to the right of column A, and may have columns without names. */
  offset: boolean;
}

/**
 * The table of a source. Throws a SheetError if there is no header (`empty`) or no row below it
 * (`no_rows`).
 */
export async function buildTable(source: TableSource, options: OpenOptions): Promise<SheetTable> {
  const head = await source.rows.head(
    Math.max(limits.headRows, (options.headerRow ?? 0) + 10),
    options.signal,
  );
  const place = findHeader(head, options.headerRow);
  const position = {
    file: source.file,
    ...(source.sheet === undefined ? {} : { sheet: source.sheet }),
  };
  const header = place && (place.index < 0 ? letterRow(place.last) : head[place.index]);
  if (place === undefined || header === undefined) {
    if (options.headerRow !== undefined && head.length > 0) {
      throw new SheetError('no_header', message('no_header', { row: options.headerRow }), {
        position: { ...position, row: options.headerRow },
        actions: [byHand('give_header_number', {})],
      });
    }
    throw new SheetError('empty_file', message('all_cells_blank', {}), {
      position,
      actions: [byHand('check_right_file', {})],
    });
  }
  const names =
    options.headerRow === undefined
      ? headerRows(head, place.index)
      : { cells: header.cells, last: place.index };
  const lastRow = head[names.last] ?? header;
  const { within } = place;
  const first = source.offset || (within?.first ?? 0) > 0 ? place.first : 0;
  const below = head.slice(names.last + 1);
  const named = source.offset
    ? lastUsed(Math.max(place.last, lastFilled(names.cells)), below)
    : names.cells.length - 1;
  const last = within === undefined || within.first > 0 ? named : place.last;
  if (last - first >= limits.columns) {
    const wide = { row: header.number, columns: last - first + 1, most: limits.columns };
    throw limitError('columns', message('row_too_wide', wide), source.file);
  }
  const found = Array.from({ length: last - first + 1 }, (_, column) => names.cells[first + column] ?? null);
  const isEscaped = source.format === 'csv' && (options.escaped ?? isOwnFile(found.map(headerText)));
  const headers = (isEscaped ? found.map(unescaped) : found).map(headerText);
  if (!below.some((row) => !isBlankRow(row.cells)) && head.length < limits.headRows) {
    throw new SheetError('no_rows', message('no_rows', { row: header.number }), {
      position: { ...position, row: header.number },
      actions: [byHand('check_right_file', {})],
    });
  }
  const notes = [...source.notes, ...headerNotes(headers, first, below)];
  if (within !== undefined) {
    notes.push(
      within.first > 0
        ? message('block_before_not_read', { column: columnLetter(within.first) })
        : message('block_after_not_read', { column: columnLetter(within.end) }),
    );
  }
  // A header of two rows may be repeated as two rows.
  const repeats = [headers];
  for (let index = place.index; names.last > place.index && index <= names.last; index += 1) {
    repeats.push(headers.map((_, column) => headerText(head[index]?.cells[first + column] ?? null)));
  }
  const table: SheetTable = {
    file: source.file,
    format: source.format,
    ...(source.sheet === undefined ? {} : { sheet: source.sheet }),
    sheets: source.sheets ?? [],
    headers,
    letters: headers.map((_, column) => columnLetter(first + column)),
    headerRow: lastRow.number,
    ...(source.delimiter === undefined ? {} : { delimiter: source.delimiter }),
    detected: detectedParts(source, options, header, lastRow, below),
    notes,
    doubts: source.doubts ?? [],
    skipped: { blank: 0, repeatedHeader: 0, totals: 0 },
    batches: {
      [Symbol.asyncIterator]: () =>
        dataBatches(source, table, {
          ...options,
          escaped: isEscaped,
          first,
          within,
          repeats,
          below,
        }),
    },
  };
  return table;
}

/** The header of a table that has none: the letter of each column. */
function letterRow(last: number): RawRow {
  return { number: 0, cells: Array.from({ length: last + 1 }, (_, column) => columnLetter(column)) };
}

/** `;`, `Windows-1252`, `decimal comma`, `header in row 4`; given options replace detected values. */
function detectedParts(
  source: TableSource,
  options: OpenOptions,
  header: RawRow,
  lastRow: RawRow,
  below: readonly RawRow[],
): Message[] {
  const style = source.format === 'csv' ? (options.decimal ?? decimalStyle(below)) : undefined;
  let rows = message('header_rows', { first: header.number, last: lastRow.number });
  if (header === lastRow)
    rows = header.number === 0 ? message('headless', {}) : message('header_row', { row: header.number });
  return [...source.detected, ...(style === undefined ? [] : [message(`decimal_${style}`, {})]), rows];
}

function unescaped(cell: Cell): Cell {
  return typeof cell === 'string' ? unescapeText(cell) : cell;
}

function lastFilled(cells: readonly Cell[]): number {
  return cells.findLastIndex((cell) => !isBlankCell(cell));
}

/** Minimum number of rows to detect a column without a name beyond the header, in which nearly all of them fill a cell. */
const MIN_ROWS_BEHIND = 4;
const NEARLY_ALL = 0.8;

/** The last column of a workbook's table: helper columns of formulas often have no name. */
function lastUsed(last: number, below: readonly RawRow[]): number {
  const rows = below.filter((row) => !isBlankRow(row.cells));
  if (rows.length < MIN_ROWS_BEHIND) return last;
  const ends = rows.map((row) => lastFilled(row.cells)).sort((a, b) => a - b);
  const usual = ends[Math.floor(rows.length * (1 - NEARLY_ALL))] ?? last;
  return Math.max(last, usual);
}

/** A header's text without byte order mark, line breaks and no-break spaces, trimmed. */
function headerText(cell: Cell): string {
  return cellText(cell)
    .replaceAll(/[\uFEFF\u200B]/gu, '')
    .replaceAll(/[\s\u00a0]+/gu, ' ')
    .trim();
}

function headerNotes(headers: readonly string[], first: number, below: readonly RawRow[]): Message[] {
  const notes: Message[] = [];
  const places = new Map<string, string[]>();
  headers.forEach((header, column) => {
    const letter = columnLetter(first + column);
    if (header === '') {
      if (below.some((row) => !isBlankCell(row.cells[first + column]))) {
        notes.push(message('column_unnamed', { column: letter }));
      }
      return;
    }
    const same = places.get(header);
    if (same === undefined) places.set(header, [letter]);
    else same.push(letter);
  });
  for (const [header, letters] of places) {
    if (letters.length > 1) notes.push(message('header_repeated', { header, columns: letters }));
  }
  return notes;
}

async function* dataBatches(
  source: TableSource,
  table: SheetTable,
  {
    first,
    within,
    repeats,
    below,
    everyRow = false,
    escaped = false,
    signal,
  }: Pick<OpenOptions, 'everyRow' | 'escaped' | 'signal'> & {
    first: number;
    within: HeaderPlace['within'];
    repeats: string[][];
    /** The first rows. */
    below: readonly RawRow[];
  },
): AsyncGenerator<SheetRow[], void, undefined> {
  const { headers, skipped } = table;
  skipped.blank = 0;
  skipped.repeatedHeader = 0;
  skipped.totals = 0;
  const summaries = new SummaryRows(below.map(({ cells }) => cells));
  let out: SheetRow[] = [];
  const conflict = source.format === 'csv' ? new MergeConflict() : undefined;
  for await (const batch of source.rows.read({
    notes: table.notes,
    lastColumn: first + headers.length - 1,
    signal,
  })) {
    for (const raw of batch) {
      if (raw.number <= table.headerRow) continue;
      const problem = conflict?.check(raw);
      if (problem !== undefined) raw.problem ??= problem;
      const row = toTableRow(raw, headers.length, first, within, source.filler);
      if (escaped) row.cells = row.cells.map(unescaped);
      if (everyRow) out.push(row);
      else if (isBlankRow(row.cells) && row.problem === undefined) skipped.blank += 1;
      else if (repeats.some((texts) => isRepeatedHeader(row.cells, texts))) skipped.repeatedHeader += 1;
      else if (headers.length === 1 || !summaries.holds(row)) out.push(...summaries.release(), row);
    }
    if (out.length >= BATCH_ROWS) {
      yield out;
      out = [];
    }
  }
  out.push(...summaries.end());
  skipped.totals = summaries.count;
  if (summaries.count > 0) skipped.totalsNamed = summaries.named;
  if (out.length > 0) yield out;
}

/** A row with exactly as many cells as headers; filled cells beyond them are a problem of the row. */
function toTableRow(
  raw: RawRow,
  width: number,
  first: number,
  within: HeaderPlace['within'],
  filler: '' | null,
): SheetRow {
  const cells = raw.cells;
  if (first === 0 && cells.length === width && raw.outside === undefined) return raw;
  const outside = raw.outside ?? firstOutside(cells, first, width, within?.first);
  const row: SheetRow = { number: raw.number, cells: [] };
  for (let column = first; column < first + width; column += 1) row.cells.push(cells[column] ?? filler);
  if (raw.line !== undefined) row.line = raw.line;
  if (raw.problem !== undefined) row.problem = raw.problem;
  else if (outside !== undefined && outside.column < (within?.end ?? Infinity)) {
    const column = columnLetter(outside.column);
    const text = cellText(outside.cell).slice(0, 80);
    row.problem = rowProblem('too_many_cells', message('holds_beyond_header', { column, text }));
  }
  return row;
}

function firstOutside(cells: readonly Cell[], first: number, width: number, from = 0): RawRow['outside'] {
  for (let column = from; column < cells.length; column += 1) {
    if (column === first) column += width;
    const cell = cells[column];
    if (cell !== undefined && !isBlankCell(cell)) return { column, cell };
  }
  return undefined;
}

// Groups of three digits, then a fraction; `1,234` alone may be either and counts for neither.
const COMMA = /^-?(?:\d{1,3}(?:[.'’\s\u00a0\u202f]\d{3})+,\d+|\d*,(?!\d{3}$)\d+|0,\d+)$/u;
const POINT = /^-?(?:\d{1,3}(?:[,'’\s\u00a0\u202f]\d{3})+\.\d+|\d*\.(?!\d{3}$)\d+|0\.\d+)$/u;
const SIGNS = /[\p{Sc}%\s\u00a0\u202f]|\b[A-Z]{3}\b/gu;
/** If a decimal mark has a smaller share of the fractions, it is accidental (dates such as 24.12). */
const ACCIDENT = 0.2;

/** The decimal mark of the first rows of a text file; undefined if no cell has a fraction. */
function decimalStyle(rows: readonly RawRow[]): 'comma' | 'point' | 'both' | undefined {
  let commas = 0;
  let points = 0;
  for (const row of rows) {
    for (const cell of row.cells) {
      // Amounts are short: the length check avoids the expressions for most texts.
      if (typeof cell !== 'string' || cell.length > 24 || !/\d/u.test(cell)) continue;
      const amount = cell.replaceAll(SIGNS, '');
      if (COMMA.test(amount)) commas += 1;
      else if (POINT.test(amount)) points += 1;
    }
  }
  if (commas === 0 && points === 0) return undefined;
  if (Math.min(commas, points) >= (commas + points) * ACCIDENT) return 'both';
  return commas > points ? 'comma' : 'point';
}
