/** Where the rows of an import come from. */
import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { GivenRows, ImportRequest } from '../import/job/options.ts';
import { withCopy } from '../sheets/copied-input.ts';
import { bareCell, cellText, errorOfCell } from '../sheets/cell.ts';
import { hashFile } from '../sheets/hash-file.ts';
import { rowProblem } from '../sheets/raw-row.ts';
import type { OpenOptions, SheetTable } from '../sheets/table.ts';
import { orStopped } from './or-stopped.ts';
import { streamFailed } from './stream-failed.ts';
import { type RowsAsked, type SourcedRow, withRows } from './row-table.ts';
import { message } from '../messages/message.ts';

/**
 * A row of a file as a mapping function gets it: keyed by header, or by letter if a column has no header. Blank cells
 * are ''. Numbers of a workbook come without the currency that their format shows, percentages as texts (`5%`).
 */
export type FileRow = Record<string, string | number | boolean>;

/** A file: CSV, XLSX, XLS or ODS, detected by its content. */
export interface FileSource {
  /** Path of the file. */
  file: string;
}

/**
 * Objects, in memory or as they arrive: from an array, a generator, or a database cursor.
 *
 * Without a mapping function their keys are read as the headers of a spreadsheet. Values are strings, numbers, booleans,
 * lists of strings, null (blank) or dates, which become ISO 8601 strings in UTC.
 */
export interface RowsSource<Row> {
  /** Each is read once. */
  rows: Iterable<Row> | AsyncIterable<Row>;
  /** Names the job and its results file. Default `rows`. */
  name?: string | undefined;
}

/** The bytes of a file as they arrive: a Node stream, a Web stream, or any async iterable of bytes. */
export interface StreamSource {
  /** Read once, to its end. */
  stream: ByteStream;
  /** Names the job and its results file. Default `stream`. */
  name?: string | undefined;
}

/** A Node stream, a Web stream (`response.body`), or any async iterable of bytes. */
export type ByteStream =
  | AsyncIterable<Uint8Array | string>
  | {
      /** Like that of a Web ReadableStream. */
      getReader(): {
        /** Returns the next bytes. */
        read(): Promise<{
          /** True after the last bytes. */
          done: boolean;
          /** The bytes; undefined at the end. */
          value?: Uint8Array | undefined;
        }>;
        /** Lets the stream be read by others again. */
        releaseLock(): void;
      };
    };

/** The source of an import's rows: a file, objects, or the bytes of a file. */
export type ImportSource<Row = object> = FileSource | RowsSource<Row> | StreamSource;

/** The part of an import's request that describes its source. */
export type SourceRequest = Pick<ImportRequest, 'file' | 'knownAs' | 'isStdin' | 'given'>;

/**
 * Passes `work` the part of an import's request that describes its source.
 *
 * @throws UsageError `bad_source`; ShelfliftError `stream_failed`; errors of withRows and withCopy
 */
export async function withSource<T>(
  source: ImportSource,
  asked: Pick<RowsAsked, 'map' | 'mapVersion' | 'mode' | 'signal'> & { open: OpenOptions },
  work: (request: SourceRequest) => Promise<T>,
): Promise<T> {
  const given = checkSource(source);
  const { open, ...mapping } = asked;
  if ('rows' in given) {
    const { name = 'rows' } = given;
    return withRows(
      numbered(given.rows, { name, signal: asked.signal }),
      { ...mapping, file: name },
      (rows) => work({ file: name, given: rows }),
    );
  }
  if ('stream' in given) {
    const name = given.name ?? 'stream';
    const { signal } = asked;
    return withCopy(bytesOf(given.stream, { name, signal }), { name, signal }, (copy) => {
      const request = { file: copy, knownAs: name, isStdin: true } as const;
      return mapping.map === undefined ? work(request) : withMapped(request, copy);
    });
  }
  const request = { file: given.file };
  return mapping.map === undefined ? work(request) : withMapped(request, given.file);

  /** The rows of a file, converted by the mapping function. */
  async function withMapped(about: SourceRequest, path: string): Promise<T> {
    const file = about.knownAs ?? resolve(path);
    const sha256 = await hashFile(path);
    const { openTables } = await import('../sheets/open-table.ts');
    const tables = await openTables(path, { ...open, signal: asked.signal });
    return withRows(rowsOf(tables), { ...mapping, file, sha256 }, (rows: GivenRows) =>
      work({ ...about, given: rows }),
    );
  }
}

function checkSource(source: ImportSource): ImportSource {
  const given = typeof source === 'object' && source !== null ? source : {};
  const named = ['file', 'rows', 'stream'].filter(
    (key) => (given as Record<string, unknown>)[key] !== undefined,
  );
  if (named.length !== 1) {
    throw new UsageError('bad_source', message('expected_one_source', { given: named }));
  }
  const { name } = given as { name?: unknown };
  if (name !== undefined && (typeof name !== 'string' || name.trim() === ''))
    throw new UsageError('bad_source', message('source_name_no_text', {}));
  if ('file' in source && source.file !== undefined) {
    if (typeof source.file === 'string') return source;
    throw new UsageError('bad_source', message('source_file_no_path', {}));
  }
  if ('rows' in source && source.rows !== undefined) {
    if (isIterable(source.rows) && typeof source.rows !== 'string') return source;
    throw new UsageError('bad_source', message('source_rows_not_iterable', {}));
  }
  const { stream } = source as StreamSource;
  if (isIterable(stream) || (typeof stream === 'object' && 'getReader' in stream)) return source;
  throw new UsageError('bad_source', message('source_stream_no_stream', {}));
}

function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof value === 'string') return true;
  return (
    typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}

async function* numbered(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  { name, signal }: { name: string; signal: AbortSignal },
): AsyncGenerator<SourcedRow, void> {
  let number = 0;
  for await (const values of given(iteratorOf(rows), { name, signal })) {
    number += 1;
    yield { number, values };
  }
}

/** Ends even while the source does not return the next value. */
async function* given<T>(
  iterator: Iterator<T> | AsyncIterator<T>,
  { name, signal }: { name: string; signal: AbortSignal },
): AsyncGenerator<Awaited<T>, void> {
  let isOver = false;
  try {
    for (;;) {
      const next = await orStopped(nextOf(iterator, name), signal);
      isOver = next === END;
      if (next === END) return;
      yield next;
    }
  } finally {
    // Not awaited: a generator that waits for its next value ends only after that value has arrived.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

const END = Symbol('end');

/** The next value, or END. @throws ShelfliftError `stream_failed` */
async function nextOf<T>(
  iterator: Iterator<T> | AsyncIterator<T>,
  name: string,
): Promise<Awaited<T> | typeof END> {
  try {
    const { done = false, value } = await iterator.next();
    return done ? END : await value;
  } catch (cause) {
    throw streamFailed(name, cause);
  }
}

function iteratorOf<T>(source: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}

async function* rowsOf(tables: readonly SheetTable[]): AsyncGenerator<SourcedRow, void> {
  for (const { headers, letters, batches } of tables) {
    const keys = headers.map((header, index) =>
      header === '' || headers.indexOf(header) !== index ? (letters[index] ?? '') : header,
    );
    for await (const batch of batches) {
      for (const { number, cells, problem } of batch) {
        const values: FileRow = {};
        let wrong = problem;
        for (const [index, key] of keys.entries()) {
          // A program calculates with it: the currency that a format shows is no part of a number.
          const cell = bareCell(cells[index] ?? null);
          if (typeof cell === 'object' && cell !== null && cell.kind === 'error')
            wrong ??= rowProblem(
              'cell_error',
              message('cell_problem', { field: key, what: errorOfCell(cell) }),
            );
          values[key] = typeof cell === 'number' || typeof cell === 'boolean' ? cell : cellText(cell);
        }
        yield { number, values, ...(wrong === undefined ? {} : { problem: wrong }) };
      }
    }
  }
}

async function* bytesOf(
  stream: ByteStream,
  about: { name: string; signal: AbortSignal },
): AsyncGenerator<Uint8Array, void> {
  const pieces = isIterable(stream) ? iteratorOf(stream) : readerOf(stream.getReader());
  for await (const piece of given(pieces, about))
    yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

function readerOf(
  reader: ReturnType<Extract<ByteStream, { getReader(): unknown }>['getReader']>,
): AsyncIterator<Uint8Array> {
  const end = () => {
    reader.releaseLock();
    return { done: true, value: undefined } as const;
  };
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done || value === undefined ? end() : { done: false, value };
    },
    return: async () => end(),
  };
}
