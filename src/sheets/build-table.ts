/**
 * From rows as they stand in a file to a table: the header found, its columns cut out, and the rows that are no
 * data left out and counted. The same for CSV and XLSX.
 */
import { SheetError } from '../errors.ts';
import { type Cell, cellText, columnLetter } from './cell.ts';
import { findHeader } from './find-header.ts';
import { limitError, limits } from './limits.ts';
import { isBlankCell, type RawRow, type RowSource } from './raw-row.ts';
import { isBlankRow, isRepeatedHeader, isTotalsRow } from './special-rows.ts';
import type { OpenOptions, SheetRow, SheetTable } from './table.ts';

const BATCH_ROWS = 1000;

export interface TableSource {
  file: string;
  format: 'csv' | 'xlsx';
  sheet?: string;
  delimiter?: string;
  /** Parts of the line that says what was found, before the header's row. */
  detected: string[];
  notes: string[];
  rows: RowSource;
  /** What fills up a short row. */
  filler: '' | null;
  /** XLSX: the table may begin right of column A, and columns without a name may be part of it. */
  offset: boolean;
}

/** The table of a source. Throws a SheetError where there is no header (`empty`) or no row below (`no_rows`). */
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
  const header = place && head[place.index];
  if (place === undefined || header === undefined) {
    if (options.headerRow !== undefined && head.length > 0) {
      throw new SheetError('no_header', `Row ${options.headerRow} holds no column names.`, {
        position: { ...position, row: options.headerRow },
        remedy: 'Give the number that a spreadsheet program shows beside the row of column names.',
      });
    }
    throw new SheetError('empty_file', 'There is nothing in this file but blank cells.', {
      position,
      remedy: 'Check that it is the right file, and that it was saved.',
    });
  }
  const first = source.offset ? place.first : 0;
  const last = source.offset ? place.last : header.cells.length - 1;
  if (last - first >= limits.columns) {
    const found = `Row ${header.number} has ${last - first + 1} columns; a sheet has at most ${limits.columns}.`;
    throw limitError('columns', found, source.file);
  }
  const headers = Array.from({ length: last - first + 1 }, (_, column) =>
    headerText(header.cells[first + column] ?? null),
  );
  const below = head.slice(place.index + 1);
  if (!below.some((row) => !isBlankRow(row.cells)) && head.length < limits.headRows) {
    throw new SheetError('no_rows', `There is a header in row ${header.number}, but no row below it.`, {
      position: { ...position, row: header.number },
      remedy: 'Check that it is the right file, and that it was saved.',
    });
  }
  const notes = [...source.notes, ...headerNotes(headers, first, below)];
  const table: SheetTable = {
    file: source.file,
    format: source.format,
    ...(source.sheet === undefined ? {} : { sheet: source.sheet }),
    headers,
    letters: headers.map((_, column) => columnLetter(first + column)),
    headerRow: header.number,
    ...(source.delimiter === undefined ? {} : { delimiter: source.delimiter }),
    detected: [...source.detected, `header in row ${header.number}`].join(' · '),
    notes,
    skipped: { blank: 0, repeatedHeader: 0, totals: 0 },
    batches: { [Symbol.asyncIterator]: () => dataBatches(source, table, first, options.signal) },
  };
  return table;
}

/** Without byte order mark, line breaks and no-break spaces, trimmed. */
function headerText(cell: Cell): string {
  return cellText(cell)
    .replaceAll(/[\uFEFF\u200B]/gu, '')
    .replaceAll(/[\s\u00a0]+/gu, ' ')
    .trim();
}

function headerNotes(headers: readonly string[], first: number, below: readonly RawRow[]): string[] {
  const notes: string[] = [];
  const places = new Map<string, string[]>();
  headers.forEach((header, column) => {
    const letter = columnLetter(first + column);
    if (header === '') {
      if (below.some((row) => !isBlankCell(row.cells[first + column]))) {
        notes.push(`column ${letter} has data but no header`);
      }
      return;
    }
    places.set(header, [...(places.get(header) ?? []), letter]);
  });
  for (const [header, letters] of places) {
    if (letters.length > 1) notes.push(`header "${header}" stands in columns ${letters.join(', ')}`);
  }
  return notes;
}

async function* dataBatches(
  source: TableSource,
  table: SheetTable,
  first: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<SheetRow[], void, undefined> {
  const { headers, skipped } = table;
  skipped.blank = 0;
  skipped.repeatedHeader = 0;
  skipped.totals = 0;
  /** Rows that are totals if no data follows them. */
  let held: SheetRow[] = [];
  let out: SheetRow[] = [];
  for await (const batch of source.rows.read({
    notes: table.notes,
    lastColumn: first + headers.length - 1,
    signal,
  })) {
    for (const raw of batch) {
      if (raw.number <= table.headerRow) continue;
      const row = toTableRow(raw, headers.length, first, source.filler);
      if (isBlankRow(row.cells) && row.problem === undefined) skipped.blank += 1;
      else if (isRepeatedHeader(row.cells, headers)) skipped.repeatedHeader += 1;
      else if (headers.length > 1 && isTotalsRow(row.cells)) held.push(row);
      else {
        if (held.length > 0) {
          out.push(...held);
          held = [];
        }
        out.push(row);
      }
    }
    if (out.length >= BATCH_ROWS) {
      yield out;
      out = [];
    }
  }
  skipped.totals = held.length;
  if (out.length > 0) yield out;
}

/** Exactly as many cells as headers; filled cells beyond them are the row's problem. */
function toTableRow(raw: RawRow, width: number, first: number, filler: '' | null): SheetRow {
  const cells = raw.cells;
  if (first === 0 && cells.length === width && raw.outside === undefined) return raw;
  const outside = raw.outside ?? firstOutside(cells, first, width);
  const row: SheetRow = { number: raw.number, cells: [] };
  for (let column = first; column < first + width; column += 1) row.cells.push(cells[column] ?? filler);
  if (raw.line !== undefined) row.line = raw.line;
  if (raw.problem !== undefined) row.problem = raw.problem;
  else if (outside !== undefined) {
    row.problem = {
      code: 'too_many_cells',
      message: `column ${columnLetter(outside.column)} holds "${cellText(outside.cell).slice(0, 80)}", but the header has nothing there`,
    };
  }
  return row;
}

function firstOutside(cells: readonly Cell[], first: number, width: number): RawRow['outside'] {
  for (let column = 0; column < cells.length; column += 1) {
    if (column === first) column += width;
    const cell = cells[column];
    if (cell !== undefined && !isBlankCell(cell)) return { column, cell };
  }
  return undefined;
}
