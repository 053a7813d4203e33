/** Guards against unusually many changes, and against fields that are emptied in bulk. */
import { UsageError } from '../../errors.ts';
import type { JobRecord, RowCounts } from '../../ledger/ledger.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { updatePayload } from '../job/payload.ts';
import { rowPages } from '../job/row-pages.ts';
import { fieldChanges, isEmptied } from '../changes/field-changes.ts';
import { counted } from '../../counted.ts';

const MOST_CHANGES = 500;
/** A field emptied in this many items is usually a mistake: a wrong column, or an active filter. */
const BULK = 10;

/**
 * The guard that was not confirmed; undefined if the updates may be sent. Once all of them are confirmed, a resume does
 * not ask again. A canary (`--first`) confirms only its own rows.
 */
export async function changesGuard(
  job: JobRecord,
  counts: RowCounts,
  deps: JobDeps,
  run: RunOptions,
): Promise<UsageError | undefined> {
  const { changesAgreed } = job.options;
  if (counts.plannedUpdates === 0 || changesAgreed === true) return undefined;
  if (run.yes !== true) {
    const refused = (await tooMany(job, counts, deps, run)) ?? (await emptied(job, deps, run));
    if (refused !== undefined) return refused;
  }
  if (run.first === undefined || run.first >= counts.planned) {
    job.options = { ...job.options, changesAgreed: true };
    await deps.ledger.jobs.update(job.id, { options: job.options });
  }
  return undefined;
}

async function tooMany(
  job: JobRecord,
  counts: RowCounts,
  deps: JobDeps,
  run: RunOptions,
): Promise<UsageError | undefined> {
  const most = run.maxChanges ?? MOST_CHANGES;
  const changes = Math.min(counts.plannedUpdates, run.first ?? Number.POSITIVE_INFINITY);
  if (changes <= most) return undefined;
  const what = `${counted(changes, 'item')} would be changed, more than ${most}`;
  if (await confirmWithUser(deps, `${what}. Continue?`)) return undefined;
  return new UsageError('too_many_changes', `${what}. Nothing was sent.`, {
    remedy: `Look at the plan: shelflift jobs show ${job.id} --changes. To send it: shelflift jobs apply ${job.id} --yes (or a larger --max-changes)`,
  });
}

/** Not for an undo, which empties only what its job had filled. */
async function emptied(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<UsageError | undefined> {
  if (job.kind === 'undo' || (run.first !== undefined && run.first < BULK)) return undefined;
  const fields = new Map<string, number>();
  for await (const rows of rowPages(deps.ledger, job.id, { states: ['planned'], actions: ['update'] })) {
    for (const { field, to } of rows.flatMap((row) => fieldChanges(updatePayload(row))))
      if (isEmptied(to)) fields.set(field, (fields.get(field) ?? 0) + 1);
  }
  const many = [...fields].filter(([, count]) => count >= BULK);
  if (many.length === 0) return undefined;
  const what = many
    .map(([field, count]) => `${field} would be emptied in ${counted(count, 'item')}`)
    .join(', and ');
  if (await confirmWithUser(deps, `${what}. Continue?`)) return undefined;
  return new UsageError('field_emptied', `${what}. Nothing was sent.`, {
    remedy: `Look at the plan: shelflift jobs show ${job.id} --changes. To send it: shelflift jobs apply ${job.id} --yes`,
  });
}
