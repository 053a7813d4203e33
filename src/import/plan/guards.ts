/**
 * What a person must confirm before rows are sent: unusually many changes, rows that look like existing items, an
 * export that would be created again. The API has no delete.
 */
import { NotFoundError } from '../../api/errors.ts';
import { UsageError } from '../../errors.ts';
import type { JobRecord, RowCounts } from '../../ledger/ledger.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { changesGuard } from './changes-guard.ts';
import { missingGuard } from './missing-items.ts';
import { similarGuard } from '../similar/check-similar.ts';
import type { JobOptions } from '../../ledger/job-options.ts';

const IDS_TRIED = 3;

/** The first guard that was not confirmed; undefined if the job may be sent. */
export async function guardOf(
  job: JobRecord,
  counts: RowCounts,
  deps: JobDeps,
  run: RunOptions,
): Promise<UsageError | undefined> {
  const tooMuch = await missingGuard(job, counts, deps, run);
  if (tooMuch !== undefined) return tooMuch;
  const options = job.options;
  if (counts.planned === 0) return undefined;
  const refused = (await changesGuard(job, counts, deps, run)) ?? (await similarGuard(job, deps, run));
  if (refused !== undefined) return refused;
  if (run.yes === true || job.firstSentAt !== undefined || job.mode !== 'create' || options.force)
    return undefined;
  return ownExport(job, options, deps);
}

/** A shelflift export, imported into the team it came from without saying that it is an update. */
async function ownExport(
  job: JobRecord,
  options: JobOptions,
  deps: JobDeps,
): Promise<UsageError | undefined> {
  if (!options.ownExport) return undefined;
  const idColumn = job.source.headers.indexOf('id');
  const rows = await deps.ledger.rows.list(job.id, { states: ['planned'], limit: IDS_TRIED });
  for (const row of rows) {
    const id = (JSON.parse(row.source ?? '[]') as string[])[idColumn] ?? '';
    if (id === '' || !(await exists(id, deps))) continue;
    const what = `This file is an export of items that already exist (such as ${id})`;
    if (await confirmWithUser(deps, `${what}. Create all of them again?`)) return undefined;
    return new UsageError('own_export', `${what}. Nothing was sent.`, {
      remedy: 'To update the items: --mode update --match id. To create every item again: --yes.',
    });
  }
  return undefined;
}

async function exists(id: string, deps: JobDeps): Promise<boolean> {
  try {
    await deps.client.getItem(id, { signal: deps.signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
