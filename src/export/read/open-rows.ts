/**
 * Rows of a list as objects, for programs that do not need a file. Their completeness is proven in the
 * same way as for an export.
 */
import { type CheckedRequest, checkOptions, type ExportRequest } from '../request.ts';
import { resolveQuery } from '../query.ts';
import { readRows, type Rows } from './read-rows.ts';
import { ExportSource, type SourceOptions } from './source.ts';

export interface OpenRows extends AsyncDisposable, Pick<Rows, 'count' | 'reading' | 'batches'> {}

/**
 * Reads the whole list, and returns its rows afterwards, because a row may be missing until the list has been counted
 * again.
 *
 * @throws UsageError before anything is read (see checkOptions, resolveQuery); ApiError as exportResource
 */
export async function openRows(
  request: Pick<ExportRequest, 'resource' | 'status' | 'collection' | 'where'>,
  deps: SourceOptions,
): Promise<OpenRows> {
  const checked: CheckedRequest = await checkOptions({ ...request, out: '-', format: 'ndjson' });
  const source = new ExportSource(deps);
  try {
    const rows = await readRows(await resolveQuery(checked, source), source);
    if (rows.reading.consistency === 'moved') source.warn(rows.reading.explanation);
    return {
      count: rows.count,
      reading: rows.reading,
      async *batches() {
        for await (const batch of rows.batches()) {
          source.throwIfAborted();
          yield batch;
        }
      },
      async [Symbol.asyncDispose]() {
        await rows[Symbol.asyncDispose]();
        await source[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}
