/** Whether a file has been imported before: then the earlier job answers for it, and nothing is sent. */
import type { JobRecord, Ledger, LedgerRow, RowCounts } from '../../ledger/ledger.ts';
import { type RowName, rowNameText } from '../../ledger/row-name.ts';
import type { RowState } from '../../ledger/states.ts';
import type { JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { rowPages } from '../job/row-pages.ts';
import { updateOf } from '../engine/operation.ts';
import { backAgain } from './back-again.ts';
import { Reversals } from './reversals.ts';

/**
 * The newest job that answers for a new import: it imported the same file, and either all of its rows are in effect or
 * it has not ended.
 *
 * With `--only-new`, a job with refused rows does not answer: these rows are sent again.
 */
export async function answersFor(
  job: JobRecord,
  deps: JobDeps,
  run: RunOptions,
): Promise<string | undefined> {
  // A job that has already sent rows continues with them, whoever has imported the file again since.
  if (job.mode !== 'create' || job.firstSentAt !== undefined || job.request.force) return undefined;
  if (job.fingerprint === undefined) return undefined;
  const { ledger } = deps;
  // Jobs with equal fingerprints have equal sources.
  const jobs = await ledger.jobs.list(undefined, { sha256: job.source.sha256 });
  const onlyNew = run.onlyNew ?? job.request.onlyNew === true;
  for (const each of jobs) {
    if (each.id === job.id || each.firstSentAt === undefined || each.mode !== 'create') continue;
    const isEqual = each.fingerprint === job.fingerprint;
    if (!isEqual && !isSameCommand(each, job)) continue;
    const counts = await ledger.rows.counts(each.id);
    if (!isEqual && !isWhole(counts)) continue;
    const isOver = counts.planned + counts.sending + counts.unknown === 0 || each.state === 'cancelled';
    if (isOver && onlyNew && counts.refused > 0) continue;
    if (!isOver || (await isInEffect(each, counts, deps, run))) return each.id;
  }
  return undefined;
}

/**
 * Usually the fingerprints of one file are equal. They differ if shelflift has read its columns in another way, because
 * it was another version or got other answers. Then every row must have been sent: a row that was left out may be
 * readable now.
 */
function isSameCommand(one: JobRecord, other: JobRecord): boolean {
  const saysOf = ({ kind, mode, apiUrl, source, collections, request }: JobRecord) =>
    JSON.stringify([
      [kind, mode, apiUrl, source.sha256, collections],
      [request.readAs, request.collection, request.stamp, request.mapVersion],
    ]);
  return one.state === 'done' && one.mode === 'create' && saysOf(one) === saysOf(other);
}

function isWhole(counts: RowCounts): boolean {
  const { done, created: _, updated: __, plannedUpdates: ___, ...left } = counts;
  return done > 0 && Object.values(left).every((count) => count === 0);
}

/**
 * True unless a row of the job was taken back, or a row that accounts for one of its rows was taken back or not sent,
 * or an item that one of its rows looks like is archived.
 */
async function isInEffect(
  job: JobRecord,
  counts: RowCounts,
  deps: JobDeps,
  { similar }: RunOptions,
): Promise<boolean> {
  const { ledger } = deps;
  const reversals = await Reversals.open(ledger);
  const left = ['skipped', 'held'] as const;
  const states = reversals.isTouched(job.id) || counts.updated > 0 ? (['done', ...left] as const) : left;
  for await (const rows of rowPages(ledger, job.id, { states })) {
    // A person had left the row out of a job, and that job was undone since.
    const issues = rows.flatMap((row) => (row.state === 'done' ? [] : row.issues));
    if (issues.some(({ leftAs }) => leftAs !== undefined && reversals.undoOf(leftAs.job) !== undefined))
      return false;
    const alike = issues.flatMap(({ code, itemId }) => (code === 'similar' ? (itemId ?? []) : []));
    if (alike.length > 0 && similar === 'create') return false;
    const names = rows.flatMap((row) => namesInEffect(job, row));
    const takenBack = [...(await reversals.takenBack(names)).values()];
    const archived = takenBack.flatMap((each) => (each.isCertain ? (each.archived ?? []) : []));
    if (archived.length < takenBack.length) return false;
    const items = [...new Set([...archived, ...alike])];
    // The first item is nearly always enough.
    for (const part of [items.slice(0, 1), items.slice(1)])
      if (part.length > 0 && (await backAgain(part, deps))?.size !== part.length) return false;
    const others = names.filter((name) => name.job !== job.id);
    if ((await unsentOf(others, ledger)).length > 0) return false;
  }
  return true;
}

/** The rows that sent a row of the file: the row itself, or the row of an earlier job, or both. */
function namesInEffect({ id }: JobRecord, row: LedgerRow): RowName[] {
  const { state, ordinal, issues } = row;
  const earlier = state === 'done' ? updateOf(row).sentAs : issues[0]?.sentAs;
  return [...(state === 'done' ? [{ job: id, ordinal }] : []), ...(earlier === undefined ? [] : [earlier])];
}

/** States of rows that are on the server or being sent. */
const SENT: readonly RowState[] = ['done', 'sending', 'unknown'];

/**
 * The rows that, as far as the store knows, are not on the server: they are in none of these states. A job that has
 * sent nothing may have been discarded since.
 */
export async function unsentOf(names: readonly RowName[], ledger: Ledger, states = SENT): Promise<RowName[]> {
  const unsent: RowName[] = [];
  const byJob = Map.groupBy(names, (name) => name.job);
  const jobs = byJob.size === 0 ? [] : await ledger.jobs.list(undefined, { ids: [...byJob.keys()] });
  for (const [job, these] of byJob) {
    if (!jobs.some(({ id }) => id === job)) {
      unsent.push(...these);
      continue;
    }
    const ordinals = [...new Set(these.map(({ ordinal }) => ordinal))];
    const query = { states, ordinals, limit: ordinals.length };
    const sent = new Set((await ledger.rows.list(job, query)).map(({ ordinal }) => ordinal));
    unsent.push(...these.filter(({ ordinal }) => !sent.has(ordinal)));
  }
  return unsent;
}

/**
 * The number of rows that a job has left to jobs which do not run, and which did not send them, got no answer or were
 * undone; and the ids of these jobs.
 */
export async function unsentElsewhere(
  { id }: JobRecord,
  ledger: Ledger,
): Promise<{ rows: number; jobs: string[] }> {
  const byJob = new Map<string, number>();
  const reversals = await Reversals.open(ledger);
  for await (const rows of rowPages(ledger, id, { states: ['skipped'] })) {
    const left = rows.flatMap(({ issues: [issue] }) =>
      issue?.sentAs === undefined ? [] : [{ name: issue.sentAs, seenBackAfter: issue.said?.params['undo'] }],
    );
    const names = left.map(({ name }) => name);
    const undone = await reversals.takenBack(names);
    const unsent = new Set(await unsentOf(names, ledger, ['done']));
    for (const { name, seenBackAfter } of left) {
      const undo = undone.get(rowNameText(name))?.undo;
      if (unsent.has(name) || (undo !== undefined && undo !== seenBackAfter))
        byJob.set(name.job, (byJob.get(name.job) ?? 0) + 1);
    }
  }
  for (const job of byJob.keys()) if ((await ledger.lanes.runner(job)) !== undefined) byJob.delete(job);
  return { rows: [...byJob.values()].reduce((sum, rows) => sum + rows, 0), jobs: [...byJob.keys()] };
}
