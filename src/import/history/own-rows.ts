/**
 * Decides what to do with rows that any job of the store has sent before: once per job, before it sends anything. From
 * then on the job owns its planned rows, and other imports find them, so two imports that were planned at the same time
 * send each row once.
 */
import { message } from '../../messages/message.ts';
import type { Action, MessageParams } from '../../messages/params.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { hasSent } from '../job/has-sent.ts';
import { warningOf } from '../job/events.ts';
import { AlreadyClaimedError, type JobRecord } from '../../ledger/ledger.ts';
import { unitOf } from '../../base/counted.ts';
import {
  confirmWithUser,
  DeclinedError,
  type JobDeps,
  PlanChangedError,
  UnwantedError,
} from '../job/deps.ts';
import { PLANNED_CREATES, withoutKey } from '../items/creates-by-key.ts';
import { type Decision, decideRows, rowPages } from '../job/row-pages.ts';
import { rowTotals } from '../job/row-totals.ts';
import type { RunOptions } from '../job/options.ts';
import { answersFor } from './applied.ts';
import { Comparison } from './compare.ts';
import { createsByKey } from '../changes/match-key.ts';
import {
  continuesEarlier,
  countFindings,
  moveKnown,
  sendOthers,
  type SentBefore,
  sentBefore,
} from './known-rows.ts';
import { holdElsewhere, rowsElsewhere, waitForJob } from './rows-elsewhere.ts';

/** What to do with rows that were sent before. */
type Answer = 'skip' | 'create' | 'hold';

const POLL_MS = 200;

/**
 * Gives a job the ownership of its planned rows: asks what to do with rows that were sent before, and moves them.
 *
 * @throws UnwantedError `rows_sent_before` without an answer; no row was moved
 * @throws AlreadyClaimedError if another job is sending the same import
 */
export async function ownRows(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<void> {
  if (job.mode === 'update') return;
  // Read from the store: a job that was cancelled and is continued no longer owns its rows.
  const { ownedAt, plan } = await deps.ledger.jobs.find(job.id);
  if (ownedAt !== undefined && plan.compareAgain !== true) return;
  if (createsByKey(job)) return ownKeys(job, deps, run);
  let answer = answerGiven(job, run);
  for (;;) {
    const found = await underLock(job, deps, async () => {
      const seen = answer === 'create' ? undefined : await look(job, deps);
      await takeClaim(job, deps, run);
      if (seen !== undefined && answer === undefined && seen.counts.sent > 0 && !isAdvised(job, run))
        return seen;
      await own(job, deps, seen, answer);
      // Its lock does not stop another try of the same import, which may have sent rows since the first look.
      await takeClaim(job, deps, run);
      return undefined;
    });
    if (found === undefined) return;
    answer = await ask(job, found, deps);
  }
}

/** @throws PlanChangedError if somebody has cancelled the job since and continued it: others may have sent its rows */
export function checkOwned({ mode, ownedAt }: JobRecord): void {
  if (mode !== 'update' && ownedAt === undefined) throw new PlanChangedError('the job does not own its rows');
}

async function own(
  job: JobRecord,
  deps: JobDeps,
  seen: Awaited<ReturnType<typeof look>>,
  answer: Answer | undefined,
): Promise<void> {
  if (seen !== undefined) await moveKnown(job, deps, seen, answer === 'skip' ? answer : advice(job, seen));
  await deps.ledger.known.own(job.id, deps.clock.now());
  if (job.plan.compareAgain !== true && answer !== 'create') return;
  job.plan = { ...job.plan, compareAgain: undefined, ...(answer === 'create' ? { allRows: true } : {}) };
  await deps.ledger.jobs.update(job.id, { plan: job.plan });
}

/** The same for an upsert, whose rows are identified by their keys; rows without a key by their content. */
async function ownKeys(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<void> {
  const answer = answerGiven(job, run);
  const waited = new Set<string>();
  for (;;) {
    const other = await underLock(job, deps, async () => {
      const elsewhere = await rowsElsewhere(job, deps);
      const running = [...elsewhere.values()].find(
        ({ jobId, isSent }) => isSent === undefined && !waited.has(jobId),
      );
      if (running !== undefined) return running.jobId;
      await holdElsewhere(job, elsewhere, deps);
      const seen = answer === 'create' ? undefined : await look(job, deps);
      await own(job, deps, seen, answer);
      return undefined;
    });
    if (other === undefined) return;
    await waitForJob(other, job, deps);
    waited.add(other);
  }
}

/**
 * If another job has meanwhile begun to send the same import, that job answers for the whole file. If it does not
 * answer, because its rows were taken back or refused, it no longer has a claim on the file.
 *
 * Asked after each look at earlier rows: a look that saw rows of that job saw its claim, too.
 */
async function takeClaim(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<void> {
  const { ledger } = deps;
  const { id, fingerprint, firstSentAt } = job;
  if (fingerprint === undefined || firstSentAt !== undefined) return;
  const claimant = await ledger.jobs.claimant(fingerprint);
  if (claimant === undefined || claimant === id) return;
  const earlier = await answersFor(job, deps, run);
  if (earlier !== undefined) throw new AlreadyClaimedError(earlier);
  await ledger.jobs.unclaim(claimant);
}

/** A dry run of a file that was imported before: the import would send nothing. */
export async function rehearseImported(
  job: JobRecord,
  earlier: string,
  { ledger, emit }: JobDeps,
): Promise<void> {
  emit(warningOf(message('already_imported', { job: earlier })));
  const issue = issueOf('already_sent', message('imported_by_job', { job: earlier }));
  const skipped: Decision = { to: 'skipped', issues: [issue] };
  await decideRows(job.id, ledger, { states: ['planned'] }, () => skipped);
}

/**
 * A dry run plans the import with the given answer; without an answer it only reports.
 *
 * @returns false if the answer is missing
 */
export async function rehearseOwnRows(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<boolean> {
  const answer = answerGiven(job, run);
  if (job.mode === 'update' || answer === 'create') return true;
  // A job that is being mended has no rows to compare with until that is done.
  const seen = await underLock(job, deps, () => look(job, deps));
  if (seen === undefined) return true;
  if (answer !== undefined || seen.counts.sent === 0 || isAdvised(job, run)) {
    await moveKnown(job, deps, seen, answer ?? advice(job, seen));
    return true;
  }
  const { counts, comparison } = seen;
  const params = sentBefore(counts, comparison);
  const actions = [...howToAnswer(params), ...sendOthers(counts)];
  deps.emit(warningOf(message('rows_sent_before_note', params, ...actions)));
  return false;
}

function answerGiven(job: JobRecord, run: RunOptions): Answer | undefined {
  const { force, onlyNew, allRows } = job.request;
  if (run.onlyNew === true) return 'skip';
  if (run.allRows === true) return 'create';
  if (onlyNew === true) return 'skip';
  return allRows === true || force ? 'create' : undefined;
}

/** Upserts are meant to be repeated, so nobody is asked each time. */
function isAdvised({ mode }: JobRecord, { yes, asAdvised }: RunOptions): boolean {
  return mode === 'upsert' || yes === true || asAdvised === true;
}

/** A few equal rows in a file that does not continue an earlier one may be different items. */
function advice(job: JobRecord, { counts, comparison }: Findings): 'skip' | 'hold' {
  return continuesEarlier(job, counts, comparison) ? 'skip' : 'hold';
}

interface Findings {
  comparison: Comparison;
  counts: SentBefore;
}

/** Undefined if no row was sent before and none has changed. */
async function look(job: JobRecord, deps: JobDeps): Promise<Findings | undefined> {
  const all = await deps.ledger.rows.counts(job.id);
  const planned = job.mode === 'create' ? all.planned : await countWithoutKey(job, deps);
  const comparison = planned === 0 ? undefined : await Comparison.open(job, deps);
  if (comparison === undefined) return undefined;
  const unit = unitOf({ rows: rowTotals(all), sheetRows: job.sheetRows });
  const counts = await countFindings(comparison, { planned, unit });
  return counts.sent + counts.changed + counts.left === 0 ? undefined : { comparison, counts };
}

async function countWithoutKey(job: JobRecord, { ledger }: JobDeps): Promise<number> {
  const isCompared = withoutKey(job);
  let count = 0;
  for await (const rows of rowPages(ledger, job.id, PLANNED_CREATES)) count += rows.filter(isCompared).length;
  return count;
}

async function ask(job: JobRecord, { counts, comparison }: Findings, deps: JobDeps): Promise<Answer> {
  const params = sentBefore(counts, comparison);
  const chosen = await deps.choose?.(message('ask_rows_sent_before', params), [
    { key: 'n', says: message('create_only_new', params) },
    { key: 'a', says: message('create_all', params) },
    { key: 'c', says: message('create_none', {}) },
  ]);
  if (chosen === 'n') return 'skip';
  if (chosen === 'a') return 'create';
  // Programs answer only yes or no.
  const confirms = deps.choose === undefined && deps.confirm !== undefined;
  if (confirms && (await confirmWithUser(deps, message('ask_skip_sent_before', params)))) return 'skip';
  const actions = [...howToAnswer(params), ...sendOthers(counts)];
  const said = message('rows_sent_before', { ...params, ...hasSent(job) }, ...actions);
  const refusal = new UnwantedError('rows_sent_before', said);
  throw confirms ? new DeclinedError(refusal) : refusal;
}

function howToAnswer({ planned, areItems }: MessageParams<'ask_rows_sent_before'>): Action[] {
  const all = message('to_create_all', { rows: planned, areItems });
  return [
    { do: 'setOption', option: 'only-new', label: message('to_skip_sent', {}) },
    { do: 'setOption', option: 'all-rows', label: all },
  ];
}

/** Only one job per target decides at a time: two jobs that see each other's rows would both skip them. */
export async function underLock<T>(job: JobRecord, deps: JobDeps, work: () => Promise<T>): Promise<T> {
  const { ledger, clock, signal } = deps;
  for (;;) {
    const taken = await ledger.lanes.acquire(`rows of ${job.apiUrl}`, job.id);
    if ('token' in taken) {
      try {
        return await work();
      } finally {
        await taken.release();
      }
    }
    await clock.sleep(POLL_MS, signal);
  }
}
