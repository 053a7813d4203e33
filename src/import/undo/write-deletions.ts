/** Lists the items that an undone job had created, for deletion by hand, because the API has no delete. */
import { basename, extname } from 'node:path';
import type { JobRecord } from '../../ledger/ledger.ts';
import { createTableWriter } from '../../sheets/write-table.ts';
import type { JobDeps } from '../job/deps.ts';
import { keptPath, outputPath } from '../results/output-path.ts';
import { createdWith, updateOf } from '../engine/operation.ts';
import type { ResultFiles } from '../results/results.ts';
import { rowPages } from '../job/row-pages.ts';

const COLUMNS = ['id', 'name', 'row', 'created_by', 'archived'];

/** Writes `NAME.undo.to-delete.csv` beside the results, if the job had created items. */
export async function writeDeletions(
  job: JobRecord,
  { ledger, emit }: Pick<JobDeps, 'ledger' | 'emit'>,
): Promise<Pick<ResultFiles, 'toDelete'>> {
  const { outDir, undoes = '', noFiles = false } = job.request;
  if (noFiles) return {};
  const lines: string[][] = [];
  for await (const rows of rowPages(ledger, job.id, { states: ['done', 'unchanged', 'held', 'planned'] })) {
    for (const row of rows) {
      const { item, ...update } = updateOf(row);
      if (createdWith(update) === undefined || row.itemId === null) continue;
      const archived = row.state === 'done' || row.state === 'unchanged' ? 'yes' : 'no';
      lines.push([row.itemId, item?.name ?? '', String(row.sheetRow), undoes, archived]);
    }
  }
  if (lines.length === 0) return {};
  const name = basename(job.source.file, extname(job.source.file));
  const place = await outputPath(job, outDir, `${name}.to-delete`, 'to_delete', ledger, emit);
  const columns = COLUMNS.map((header) => ({ header, kind: 'text' as const }));
  const writer = await createTableWriter({ file: place.path, format: 'csv', columns });
  try {
    await writer.write(lines);
    const { sha256 } = await writer.finish();
    await ledger.jobs.noteFile(sha256, job.id);
    const file = await keptPath(place, emit);
    const { files } = await ledger.jobs.find(job.id);
    await ledger.jobs.update(job.id, { files: { ...files, to_delete: { path: file, sha256 } } });
    return { toDelete: file };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
