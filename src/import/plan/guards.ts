/**
 * What a person should look at before rows are sent: more changes than usual, an export that would be created
 * again, rows that an earlier job has created from the same file. There is no delete behind this API.
 */
import { createHash } from 'node:crypto';
import { NotFoundError } from '../../api/errors.ts';
import { UsageError } from '../../errors.ts';
import type { JobRecord, Ledger, LedgerRow, RowCounts } from '../../ledger/ledger.ts';
import type { ImportDeps } from '../deps.ts';
import type { JobOptions, RunOptions } from '../options.ts';
import { changesGuard } from '../changes/changes-guard.ts';
import { agreed } from '../stage/agreed.ts';
import { similarGuard } from '../similar/check-similar.ts';
import { rowPages } from '../results/row-pages.ts';
import { counted } from '../../counted.ts';

const IDS_TRIED = 3;

/** The first guard that wants a person's word and did not get it; undefined when the job may be sent. */
export async function guardOf(
  job: JobRecord,
  counts: RowCounts,
  deps: ImportDeps,
  run: RunOptions,
): Promise<UsageError | undefined> {
  const options = job.options as unknown as JobOptions;
  if (counts.planned === 0) return undefined;
  const refused = (await changesGuard(job, counts, deps, run)) ?? (await similarGuard(job, deps, run));
  if (refused !== undefined) return refused;
  if (run.yes === true || job.firstSentAt !== undefined || job.mode !== 'create' || options.force)
    return undefined;
  return (await ownExport(job, options, deps)) ?? (await sentBefore(job, deps));
}

/** An export of ours, given back to the team it came from without saying that it is an update. */
async function ownExport(
  job: JobRecord,
  options: JobOptions,
  deps: ImportDeps,
): Promise<UsageError | undefined> {
  if (!options.ownExport) return undefined;
  const idColumn = job.source.headers.indexOf('id');
  const rows = await deps.ledger.rows(job.id, { states: ['planned'], limit: IDS_TRIED });
  for (const row of rows) {
    const id = (JSON.parse(row.source ?? '[]') as string[])[idColumn] ?? '';
    if (id === '' || !(await exists(id, deps))) continue;
    const what = `this file is an export of items that are there already (${id} is one)`;
    if (await agreed(deps, `${what}. Create all of them once more?`)) return undefined;
    return new UsageError('own_export', `${what}; nothing was sent`, {
      remedy:
        'To bring changes back: --mode update --match id. To create every item once more all the same: --yes.',
    });
  }
  return undefined;
}

async function exists(id: string, deps: ImportDeps): Promise<boolean> {
  try {
    await deps.client.getItem(id, { signal: deps.signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** A file that was changed since it was imported: rows that stayed the same would be created a second time. */
async function sentBefore(job: JobRecord, deps: ImportDeps): Promise<UsageError | undefined> {
  const before = await rowsSentBefore(job, deps.ledger);
  if (before === undefined) return undefined;
  const rows = counted(before.rows, 'row equals a row', 'rows equal rows');
  const what = `${rows} that job ${before.jobId} created from this file, or still will`;
  if (deps.confirm === undefined) {
    deps.emit({ type: 'warning', message: `${what}: they are created once more` });
    return undefined;
  }
  if (await agreed(deps, `${what}. Create them once more?`)) return undefined;
  return new UsageError('sent_before', `${what}; nothing was sent`, {
    remedy:
      'Leave only the new rows in the file; or --mode upsert --match FIELD, which creates what is not there yet.',
  });
}

/** How many planned creates equal rows that another job made, or is still to make, from the same file. */
export async function rowsSentBefore(
  job: JobRecord,
  ledger: Ledger,
): Promise<{ rows: number; jobId: string } | undefined> {
  const earlier = (await ledger.listJobs()).filter(
    (each) =>
      each.id !== job.id &&
      each.mode === 'create' &&
      each.apiUrl === job.apiUrl &&
      each.source.file === job.source.file &&
      each.firstSentAt !== undefined,
  );
  const [newest] = earlier;
  if (newest === undefined) return undefined;
  const contents = new Map<string, number>();
  for (const each of earlier) {
    await eachCreate(each, ledger, ['done', 'planned', 'sending', 'unknown', 'held'], (content) => {
      contents.set(content, (contents.get(content) ?? 0) + 1);
    });
  }
  let rows = 0;
  await eachCreate(job, ledger, ['planned'], (content) => {
    const left = contents.get(content) ?? 0;
    if (left === 0) return;
    rows += 1;
    contents.set(content, left - 1);
  });
  return rows === 0 ? undefined : { rows, jobId: newest.id };
}

async function eachCreate(
  job: JobRecord,
  ledger: Ledger,
  states: LedgerRow['state'][],
  visit: (content: string) => void,
): Promise<void> {
  for await (const rows of rowPages(ledger, job.id, { states, actions: ['create'] })) {
    for (const row of rows) {
      const text = `${job.collections[row.collection ?? ''] ?? ''}\n${row.payload ?? ''}`;
      // A few bytes a row instead of the row: the file may have a million of them.
      visit(createHash('sha1').update(text).digest('base64'));
    }
  }
}
