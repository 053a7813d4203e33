/**
 * What a person should look at before rows are sent: more changes than usual, items that look like the rows, an
 * export that would be created again. There is no delete behind this API.
 */
import { NotFoundError } from '../../api/errors.ts';
import { UsageError } from '../../errors.ts';
import type { JobRecord, RowCounts } from '../../ledger/ledger.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { changesGuard } from './changes-guard.ts';
import { similarGuard } from '../similar/check-similar.ts';
import type { JobOptions } from '../../ledger/job-options.ts';

const IDS_TRIED = 3;

/** The first guard that wants a person's word and did not get it; undefined when the job may be sent. */
export async function guardOf(
  job: JobRecord,
  counts: RowCounts,
  deps: JobDeps,
  run: RunOptions,
): Promise<UsageError | undefined> {
  const options = job.options;
  if (counts.planned === 0) return undefined;
  const refused = (await changesGuard(job, counts, deps, run)) ?? (await similarGuard(job, deps, run));
  if (refused !== undefined) return refused;
  if (run.yes === true || job.firstSentAt !== undefined || job.mode !== 'create' || options.force)
    return undefined;
  return ownExport(job, options, deps);
}

/** An export of ours, given back to the team it came from without saying that it is an update. */
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
    const what = `this file is an export of items that are there already (${id} is one)`;
    if (await confirmWithUser(deps, `${what}. Create all of them once more?`)) return undefined;
    return new UsageError('own_export', `${what}; nothing was sent`, {
      remedy:
        'To bring changes back: --mode update --match id. To create every item once more all the same: --yes.',
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
