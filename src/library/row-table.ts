/**
 * Rows from a program, as a table: they are kept in a private file until the import has staged them, because the
 * columns are known only after the last row.
 */
import { byHand, message } from '../messages/message.ts';
import { shown } from '../base/schema-words.ts';
import type { Message } from '../messages/params.ts';
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WRITABLE_FIELDS } from '../api/schemas.ts';
import { type Position, UsageError } from '../base/errors.ts';
import type { GivenRows } from '../import/job/options.ts';
import { jsonValue } from '../mapping/casts/custom-field.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { textForm } from '../mapping/text-form.ts';
import { nearest } from '../base/nearest.ts';
import { type Cell, columnLetter } from '../sheets/cell.ts';
import { readNdjson } from '../sheets/read-ndjson.ts';
import { type RowProblem, rowProblem } from '../sheets/raw-row.ts';
import { orStopped } from './or-stopped.ts';
import { RowError } from './row-error.ts';
import { removeStaleTempFiles, temporaryName } from '../sheets/stale-temp-files.ts';
import type { SheetRow, SheetTable } from '../sheets/table.ts';

/** A row with its source. */
export interface SourcedRow {
  /** From 1; for a file, as in a spreadsheet program. */
  number: number;
  values: unknown;
  /** Why the row cannot be mapped. */
  problem?: SheetRow['problem'];
}

export interface RowsAsked {
  /** Absolute path that names the job and its results. */
  file: string;
  /** In create mode, null leaves the field out; in other modes it empties the field. */
  mode: 'create' | 'update' | 'upsert';
  /** Returns the fields of an item; undefined leaves the row out. */
  map?: (row: never, place: { row: number }) => unknown;
  mapVersion?: string;
  /** Hash of the file that the rows come from; otherwise, of the rows. */
  sha256?: string;
  signal: AbortSignal;
}

const BATCH = 500;
const CHUNK_CHARACTERS = 1 << 18;
const NAME = 'shelflift-rows';
const CLEAR = '<clear>';

/**
 * Passes the rows to `work` as a table that can be read once.
 *
 * @throws UsageError `bad_row`, `mapping_failed`, `unknown_field`, `no_rows`
 */
export async function withRows<T>(
  rows: AsyncIterable<SourcedRow>,
  asked: RowsAsked,
  work: (given: GivenRows) => Promise<T>,
): Promise<T> {
  const folder = tmpdir();
  await removeStaleTempFiles(folder, NAME);
  const path = join(folder, temporaryName(NAME));
  try {
    return await work(await keep(rows, path, asked));
  } finally {
    await rm(path, { force: true });
  }
}

type RowPosition = Position & { row: number };

/** The content of a line of the file. */
type KeptRow = [number: number, cells: Cell[], problem?: SheetRow['problem']];

async function keep(rows: AsyncIterable<SourcedRow>, path: string, asked: RowsAsked): Promise<GivenRows> {
  const { map, mapVersion, signal } = asked;
  const columns = new Map<string, number>();
  const hash = createHash('sha256');
  let leftOut = 0;
  let count = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    let chunk = '';
    for await (const { number, values, problem } of rows) {
      signal.throwIfAborted();
      const place = { file: asked.file, row: number };
      if (asked.sha256 === undefined) hash.update(`${jsonOf(values, place)}\n`);
      const mapped =
        map === undefined || problem !== undefined
          ? values
          : await orStopped(mapRow(map, values, place), signal);
      if (mapped === undefined || mapped === null) {
        leftOut += 1;
        continue;
      }
      count += 1;
      const wrong = problem ?? (mapped instanceof RowError ? refusal(mapped) : undefined);
      const line: KeptRow =
        wrong === undefined ? [number, cellsOf(mapped, columns, place, asked)] : [number, [], wrong];
      const kept = `${JSON.stringify(line)}\n`;
      if (asked.sha256 === undefined && !isPlain(values)) hash.update(kept);
      chunk += kept;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      await file.writeFile(chunk);
      chunk = '';
    }
    await file.writeFile(chunk);
  } finally {
    await file.close();
  }
  if (count === 0)
    throw new UsageError('no_rows', message('no_rows_given', { file: asked.file }), {
      position: { file: asked.file },
      actions: leftOut === 0 ? [] : [byHand('map_left_all_out', {})],
    });
  // If every row was refused, no field is known, but each row still has its problem.
  const headers = map !== undefined && columns.size === 0 ? ['name'] : [...columns.keys()];
  const table: SheetTable = {
    file: asked.file,
    format: map === undefined ? 'rows' : 'fields',
    sheets: [],
    headers,
    letters: headers.map((_, index) => columnLetter(index)),
    headerRow: 0,
    detected: [message('rows_given', { rows: count })],
    notes: leftOut === 0 ? [] : [message('rows_left_out_by_map', { rows: leftOut })],
    doubts: [],
    batches: batchesOf(path, headers.length),
    skipped: { blank: 0, repeatedHeader: 0, totals: 0 },
  };
  return {
    table,
    sha256: asked.sha256 ?? hash.digest('hex'),
    ...(mapVersion === undefined ? {} : { mapVersion }),
  };
}

async function* batchesOf(path: string, width: number): AsyncGenerator<SheetRow[], void> {
  let batch: SheetRow[] = [];
  for await (const lines of readNdjson(path)) {
    for (const [number, cells, problem] of lines as KeptRow[]) {
      while (cells.length < width) cells.push(null);
      batch.push({ number, cells, ...(problem === undefined ? {} : { problem }) });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** @returns a RowError that refuses the row */
async function mapRow(
  map: NonNullable<RowsAsked['map']>,
  values: unknown,
  place: RowPosition,
): Promise<unknown> {
  try {
    return await map(values as never, { row: place.row });
  } catch (cause) {
    if (cause instanceof RowError) return cause;
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError('mapping_failed', message('mapping_failed', { row: place.row, detail }), {
      cause,
      position: place,
    });
  }
}

function refusal({ code, message: why, field }: RowError): RowProblem {
  const problem = rowProblem('refused_by_map', message('refused_by_map', { code, why }));
  return field === undefined ? problem : { ...problem, field };
}

/** The parts of the fingerprint. */
function jsonOf(values: unknown, position: RowPosition): string {
  try {
    return JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  } catch (cause) {
    const found = message('row_not_plain', { detail: (cause as Error).message });
    throw badRow(position, { found, expected: 'an_object_of_values', cause });
  }
}

/** False if the JSON of a value may be incomplete, as it is for a map, or for an object with private fields. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null || value instanceof Date) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  const kind: unknown = Object.getPrototypeOf(value);
  const shown = Object.keys(value);
  return (
    (kind === Object.prototype || kind === null) &&
    shown.length === Reflect.ownKeys(value).length &&
    Object.values(value).every(isPlain)
  );
}

const FIELDS: readonly string[] = ['id', 'collection', ...WRITABLE_FIELDS];

/** The cells in the order of the columns; new columns are added. */
function cellsOf(
  row: unknown,
  columns: Map<string, number>,
  position: RowPosition,
  { map, mode }: RowsAsked,
): Cell[] {
  const isMapped = map !== undefined;
  if (typeof row !== 'object' || row === null || Array.isArray(row) || row instanceof Date)
    throw badRow(position, {
      found: message('row_is', { found: shown(row) }),
      expected: 'an_object_of_columns',
      mapped: isMapped,
    });
  const cells: Cell[] = [];
  const put = (header: string, value: unknown) => {
    if (value === undefined) return;
    const index = columns.get(header) ?? columns.size;
    columns.set(header, index);
    while (cells.length < index) cells.push(null);
    cells[index] = cellOf(header, value, {
      position,
      mapped: isMapped,
      empties: isMapped && mode !== 'create',
    });
  };
  for (const [key, value] of Object.entries(row)) {
    if (isMapped && !FIELDS.includes(key)) throw unknownField(key, position);
    if (key !== 'custom_fields' || typeof value !== 'object' || value === null) put(key, value);
    else
      for (const [name, each] of Object.entries(value as object)) {
        if (isMapped && typeof each === 'string' && jsonValue(each) !== undefined)
          throw badRow(position, {
            found: message('row_has_json', { header: CUSTOM_PREFIX + name }),
            expected: 'the_object_itself',
          });
        put(CUSTOM_PREFIX + name, each);
      }
  }
  return cells;
}

function cellOf(
  header: string,
  value: unknown,
  { position, mapped, empties }: { position: RowPosition; mapped: boolean; empties: boolean },
): Cell {
  if (value === null) return empties ? CLEAR : null;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'bigint':
      return String(value);
    case 'object':
      if (value instanceof Date) {
        if (!Number.isNaN(value.getTime())) return value.toISOString();
        break;
      }
      if (Array.isArray(value)) {
        if (value.length === 0) return empties ? CLEAR : null;
        return value.every((each) => typeof each === 'string')
          ? textForm('tags', value)
          : JSON.stringify(value);
      }
      return JSON.stringify(value);
    default:
  }
  throw badRow(
    { ...position, header },
    { found: message('row_has', { found: shown(value), header }), expected: 'a_cell', mapped },
  );
}

function unknownField(key: string, position: RowPosition): UsageError {
  const near = nearest(key, FIELDS);
  const said = message('map_gave_unknown_field', { row: position.row, field: key });
  return new UsageError('unknown_field', said, {
    position,
    actions: [
      ...(near === undefined ? [] : [byHand('did_you_mean', { near })]),
      byHand('fields_are', { fields: FIELDS }),
    ],
  });
}

function badRow(
  position: RowPosition,
  problem: {
    found: Message;
    expected: 'an_object_of_values' | 'an_object_of_columns' | 'the_object_itself' | 'a_cell';
    mapped?: boolean;
    cause?: unknown;
  },
): UsageError {
  const { found, mapped = false, cause } = problem;
  const expected = message(problem.expected, {});
  return new UsageError('bad_row', message('bad_row', { row: position.row, mapped, found, expected }), {
    position,
    cause,
  });
}
