/** Writes rows as the file that the query requests: with a layout or without. */
import type { Layout } from '../layout/layout.ts';
import { writeByLayout } from '../layout/write-layout.ts';
import { openPlainOutput, type PlainOutput, warnOfBlanked, type WrittenExport } from './plain-output.ts';
import type { Query } from '../query.ts';
import type { Rows } from '../read/read-rows.ts';
import type { ExportSource } from '../read/source.ts';

/**
 * The file appears, complete, when the promise resolves; on an error nothing changes.
 *
 * @param streamed the file, if it was written while the rows were read
 */
export async function writeExport(
  query: Query,
  rows: Rows,
  source: ExportSource,
  streamed?: PlainOutput,
): Promise<WrittenExport> {
  const { layout } = query.request;
  if (layout !== undefined) return writeLayout(layout, query, rows, source);
  const output = streamed ?? (await openPlainOutput(query, rows.customFields, source));
  try {
    if (streamed === undefined) await pour(output, rows, source);
    else source.emit({ type: 'written', rows: rows.count });
    source.throwIfAborted();
    return await output.finish(rows.customFields);
  } catch (error) {
    await output.abort();
    throw error;
  }
}

async function writeLayout(
  layout: Layout,
  query: Query,
  rows: Rows,
  source: ExportSource,
): Promise<WrittenExport> {
  const { blanked, ...written } = await writeByLayout(layout, query, rows, source);
  return { ...written, ...warnOfBlanked(blanked, source) };
}

async function pour(output: PlainOutput, rows: Rows, source: ExportSource): Promise<void> {
  let count = 0;
  for await (const batch of rows.batches()) {
    source.throwIfAborted();
    await output.write(batch);
    count += batch.length;
    source.emit({ type: 'written', rows: count });
  }
}
