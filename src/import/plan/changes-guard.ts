/** Guards against unusually many changes, and against fields that are emptied in bulk. */
import { basename } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { JobRecord, RowCounts } from '../../ledger/ledger.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { updatePayload } from '../job/payload.ts';
import { rowPages } from '../job/row-pages.ts';
import { fieldChanges, isEmptied } from '../engine/field-changes.ts';
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
    const asked = job.kind === 'undo' && deps.confirm !== undefined;
    const refused = asked
      ? await undoWanted(job, counts, deps)
      : ((await tooMany(job, counts, deps, run)) ?? (await emptied(job, deps, run)));
    if (refused !== undefined) return refused;
  }
  if (run.first === undefined || run.first >= counts.planned) {
    job.options = { ...job.options, changesAgreed: true };
    await deps.ledger.jobs.update(job.id, { options: job.options });
  }
  return undefined;
}

/** Names what an undo is about: `last` may be another job than the user thinks of. */
async function undoWanted(job: JobRecord, counts: RowCounts, deps: JobDeps): Promise<UsageError | undefined> {
  const { kind, mode, source, createdAt, options } = await deps.ledger.jobs.find(job.options.undoes ?? '');
  const what = kind === 'import' && mode === 'create' ? 'creation' : 'change';
  const of = kind === 'import' ? `'${basename(source.file)}'` : `'${options.request ?? kind}'`;
  const question = `Undo ${counted(counts.plannedUpdates, what)} of ${of}, ${localTime(createdAt)}?`;
  if (await confirmWithUser(deps, question)) return undefined;
  return new UsageError('not_confirmed', 'The undo was not confirmed. Nothing was sent.', {
    remedy: `To undo another job, find it with: shelflift jobs list`,
  });
}

/** The time of today, or date and time, where the user is. */
function localTime(ms: number): string {
  const [date, time] = new Date(ms).toLocaleString('sv-SE').split(' ');
  const [today] = new Date().toLocaleString('sv-SE').split(' ');
  return `${date === today ? '' : `${date ?? ''} `}${time?.slice(0, 5) ?? ''}`;
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
