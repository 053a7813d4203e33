/**
 * Corrects a staged job: its rows are judged again with the corrections, without the file, and planned again. Rows that
 * were sent stay as they are, and the job keeps its claim on the file.
 *
 * The corrections are stored first, with the job marked as pending; judging starts over until it has judged all rows.
 * So after a kill, no job has rows that were judged in two ways: the process that continues it judges them again first.
 */
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { JobRecord, Lease, RowMove } from '../../ledger/ledger.ts';
import type { JobState } from '../../ledger/states.ts';
import { badChange, checkChange, type Correction } from '../../mapping/template/change.ts';
import { stateOfRest } from '../history/reversals.ts';
import { retryThroughOutage } from '../job/circuit.ts';
import { isDecided, updateOf, updateText } from '../engine/operation.ts';
import { Readings } from '../engine/reading.ts';
import type { JobDeps } from '../job/deps.ts';
import { warningOf, without } from '../job/events.ts';
import { findJudging, type Judging, type CorrectionStep, readJudging, writeJudging } from '../job/judging.ts';
import type { RunOptions } from '../job/options.ts';
import { refuseIdleRates } from '../job/rates.ts';
import { jobLane, runsElsewhere } from '../job/runs-elsewhere.ts';
import { checkAddress, checkTeam } from '../jobs/check-team.ts';
import { underLock } from '../history/own-rows.ts';
import { checkRates } from '../plan/check-currency.ts';
import { planJob } from '../plan/plan.ts';
import { issuesOf } from '../results/issues.ts';
import { choiceOf } from '../results/undecided.ts';
import { reportPlan } from '../results/outcome.ts';
import type { JobOutcome } from '../results/summary.ts';
import { equalRowsOf } from '../stage/equal-rows.ts';
import { planOf } from '../stage/source-tables.ts';
import { isAcceptable, Judge } from './judge.ts';
import { readingWithoutTemplate } from './without-template.ts';
import { judgeAgain, type RejudgedRow } from './judge-again.ts';
import { changedBetween, isOfRow, judgeSome } from './judge-some.ts';
import { findRows } from './find-rows.ts';

export interface CorrectionRequest {
  /** One step of the undo list. */
  changes?: readonly Correction[];
  /** Number of last steps to take back first. */
  undo?: number;
  run?: RunOptions;
  /** Set by the process that continues the job: no person corrects it, and the team of the key was already checked. */
  byRule?: true;
}

export interface CorrectionOutcome extends JobOutcome {
  steps: CorrectionStep[];
}

/** The result of a correction, before anything is reported. */
export interface Corrected {
  steps: CorrectionStep[];
  /** How often the rows were judged. */
  revision: number;
  /** The rows that have changed; undefined if all rows were judged. */
  rows: RejudgedRow[] | undefined;
}

/**
 * Corrects a job, and reports its new plan.
 *
 * @param reference id of a job, unique beginning of one, or `last`
 * @throws UsageError as correctJob
 */
export async function correctAndReport(
  reference: string,
  request: CorrectionRequest,
  given: JobDeps,
): Promise<CorrectionOutcome> {
  const deps = { ...given, emit: without(given.emit, 'issues') };
  const { id } = await deps.ledger.jobs.find(reference);
  const { steps, rows } = await correctJob(id, request, deps);
  await warnOfEqualRows(await deps.ledger.jobs.find(id), rows, deps);
  const job = await deps.ledger.jobs.find(id);
  const reasons = await issuesOf(id, deps.ledger);
  if (reasons.length > 0) given.emit({ type: 'issues', reasons, job: id });
  const over = message('nothing_was_sent', {});
  return { ...(await reportPlan(job, deps, request.run ?? {}, { over })), steps };
}

/** Comparing more rows than this takes longer than a person should wait for a small correction. */
const MAX_COMPARED = 50_000;

/** Warns of rows that became equal through the correction. */
async function warnOfEqualRows(
  { id, mode, plan, firstSentAt }: JobRecord,
  mended: Corrected['rows'],
  { ledger, emit }: JobDeps,
): Promise<void> {
  if (mode !== 'create' || firstSentAt !== undefined || mended?.length === 0) return;
  if (mended !== undefined && (await ledger.rows.counts(id)).planned > MAX_COMPARED) return;
  const equal = await equalRowsOf({ id }, ledger);
  const note = equal.note();
  if (equal.count === (plan.equalRows ?? 0)) return;
  await ledger.jobs.update(id, { plan: { ...plan, equalRows: equal.count } });
  if (note !== undefined) emit(warningOf(note));
}

/**
 * Corrects a job without writing files or reporting: the page shows the rows itself.
 *
 * @throws UsageError `job_runs_elsewhere`; `cannot_mend` for a job whose rows cannot be judged again; `bad_change` for
 *   a correction that matches nothing. On an error, nothing was changed
 */
export async function correctJob(
  reference: string,
  request: CorrectionRequest,
  given: JobDeps,
): Promise<Corrected> {
  const deps = { ...given, readings: given.readings ?? new Readings(given) };
  const { ledger } = deps;
  const { changes = [], run = {}, byRule } = request;
  const found = await ledger.jobs.find(reference);
  return withJob(found, deps, async (lease) => {
    const job = await ledger.jobs.find(found.id);
    const judging = await mendable(job, deps, byRule);
    const steps = await stepsAfter(judging, request, job, deps);
    const next: Judging = { ...judging, steps, revision: judging.revision + 1 };
    // Corrections that leave no usable mapping are refused before anything is stored.
    const judge = new Judge(job, next);
    await checkRatesOf(changes, judge, deps);
    if (steps === judging.steps && !judging.pending) return { steps, revision: judging.revision, rows: [] };
    const rows = await judgeSome(job, judging, steps, judge, ledger);
    if (rows === undefined && byRule === undefined && job.fingerprint !== undefined)
      await retryThroughOutage(deps, run, () => checkTeam(job, deps));
    await forgetDecisions(job.id, judging, steps, ledger);
    await writeJudging(job.id, { ...next, pending: true }, ledger);
    if (rows !== undefined) await storeSome(job, rows, judge, deps, lease);
    // The first attempt has changed the judge's state.
    else await judgeAndPlan(job, next, new Judge(job, next), deps, run, lease);
    await writeJudging(job.id, { ...next, pending: false }, ledger);
    return { steps, revision: next.revision, rows };
  });
}

/** Finishes an interrupted correction before its job is continued. */
export async function finishCorrection(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<JobRecord> {
  if ((await findJudging(job.id, deps.ledger))?.pending !== true) return job;
  await correctJob(job.id, { run, byRule: true }, deps);
  return deps.ledger.jobs.find(job.id);
}

async function withJob<T>(job: JobRecord, deps: JobDeps, work: (lease: Lease) => Promise<T>): Promise<T> {
  const runner = await deps.ledger.lanes.runner(job.id);
  if (runner !== undefined) throw runsElsewhere(job, runner);
  const lease = await deps.ledger.lanes.acquire(jobLane(job.id), job.id);
  if (!('token' in lease)) throw runsElsewhere(job, lease);
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}

async function mendable(
  job: JobRecord,
  deps: JobDeps,
  byRule: CorrectionRequest['byRule'],
): Promise<Judging> {
  checkAddress(job, deps);
  if (job.state === 'cancelled' && byRule === undefined)
    throw new UsageError(
      'cannot_mend',
      message(
        'job_is_cancelled',
        { job: job.id },
        { do: 'apply', job: job.id, label: message('to_send_after_all', {}) },
        { do: 'byHand', label: message('import_file_again', {}) },
      ),
    );
  return readJudging(job, deps.ledger);
}

async function stepsAfter(
  judging: Judging,
  { changes = [], undo = 0, byRule }: CorrectionRequest,
  job: JobRecord,
  deps: JobDeps,
): Promise<CorrectionStep[]> {
  const { ledger, clock } = deps;
  if (changes.length === 0 && undo === 0) return judging.steps;
  const kept = undo === 0 ? judging.steps : judging.steps.slice(0, -undo);
  if (changes.length === 0) return kept;
  for (const change of changes) checkChange(change, judging.tables);
  await checkRows(changes, judging, job, ledger);
  const number = (kept.at(-1)?.number ?? 0) + 1;
  const at = new Date(clock.now()).toISOString();
  const decided: Correction[] = [];
  for (const change of changes)
    decided.push(
      change.type === 'template'
        ? { ...change, template: await readingWithoutTemplate(job, judging, deps) }
        : change,
    );
  return [...kept, { number, at, changes: decided, ...(byRule === undefined ? {} : { byRule }) }];
}

/** @throws UsageError `bad_rate` for rates that do not convert any amount */
async function checkRatesOf(changes: readonly Correction[], judge: Judge, deps: JobDeps): Promise<void> {
  for (const change of changes) {
    if (change.type !== 'option' || change.field !== 'estimated_value' || change.option !== 'rates') continue;
    const rates = change.value as object | null;
    if (rates === null) continue;
    refuseIdleRates(
      rates,
      judge.tables.map(({ mapping }) => mapping),
    );
    await checkRates(
      Object.keys(rates).map((code) => code.toUpperCase()),
      deps,
    );
  }
}

/**
 * @throws UsageError `bad_change` for a row that the file does not have, or that was sent, or for an item that was not
 *   offered for the row
 */
async function checkRows(
  changes: readonly Correction[],
  judging: Judging,
  job: JobRecord,
  ledger: JobDeps['ledger'],
): Promise<void> {
  const places = changes.filter(isOfRow);
  if (places.length === 0) return;
  const byNumber = Map.groupBy(await findRows(job.id, judging, places, ledger), ({ sheetRow }) => sheetRow);
  for (const change of places) {
    const { row, sheet } = change;
    const rows = (byNumber.get(row) ?? []).filter((each) => sheet === undefined || each.sheet === sheet);
    if (rows.length === 0) throw badChange(change, message('no_row_with_data', { row }));
    const sheets = new Set(rows.map((each) => each.sheet));
    if (sheets.size > 1)
      throw badChange(change, message('several_sheets_have_row', { row, sheets: [...sheets].map(String) }));
    if (change.type === 'accept' && !rows.some(isAcceptable))
      throw badChange(change, message('row_no_total', { row }));
    if (rows.every(({ attempts }) => attempts > 0))
      throw badChange(change, message('row_sent_already', { row }));
    if (change.type === 'item' && !rows.some((each) => choiceOf(each).some(({ id }) => id === change.item)))
      throw badChange(change, message('item_matches_not', { row, item: change.item }));
  }
}

/**
 * Correcting a row cancels the person's earlier decision about it. If the process is killed before that, the row is
 * sent as decided.
 */
async function forgetDecisions(
  jobId: string,
  judging: Judging,
  steps: readonly CorrectionStep[],
  ledger: JobDeps['ledger'],
): Promise<void> {
  const places = changedBetween(judging.steps, steps).filter(isOfRow);
  if (places.length === 0) return;
  const decided = (await findRows(jobId, judging, places, ledger)).filter(isDecided);
  const moves = decided.map((row): RowMove => {
    const { decided: _, ...update } = updateOf(row);
    return { ordinal: row.ordinal, from: 'planned', to: 'planned', operation: updateText(update) };
  });
  if (moves.length > 0) await ledger.rows.move(jobId, moves);
}

/**
 * Stores rows that were judged one by one; the rest of the plan stays. A kill before the end makes the next process
 * judge all rows.
 */
async function storeSome(
  job: JobRecord,
  rows: readonly RejudgedRow[],
  judge: Judge,
  { ledger }: JobDeps,
  lease: Lease,
): Promise<void> {
  const after = rows.map((row) => row.after);
  await ledger.rows.rejudge(job.id, after, lease);
  const plan = { ...job.plan, noted: job.plan.noted === true || judge.noted };
  await ledger.jobs.update(job.id, { state: 'planned', error: null, plan, consents: {} });
}

/** Judges the rows with the corrections, and plans them. */
async function judgeAndPlan(
  job: JobRecord,
  judging: Judging,
  judge: Judge,
  deps: JobDeps,
  run: RunOptions,
  lease: Lease,
): Promise<void> {
  const { ledger } = deps;
  const before = job.state;
  const work = async () => {
    await judgeAgain(job, judging, judge, deps, lease);
    // The confirmations were for another plan.
    await ledger.jobs.update(job.id, { consents: {} });
    const noted = job.plan.noted === true || judge.noted;
    job.plan = { ...job.plan, ...planOf(judge.tables), similar: undefined, noted };
    await retryThroughOutage(deps, run, () => planJob(job, deps));
  };
  if (job.ownedAt === undefined && job.firstSentAt === undefined) await work();
  else
    await underLock(job, deps, async () => {
      // The rows are still the job's own: until its next run, other imports leave them to it.
      await ledger.known.forget(job.id);
      job.plan = { ...job.plan, compareAgain: true };
      await work();
    });
  await ledger.jobs.update(job.id, { state: await stateAfter(job, before, deps) });
}

/** A job that has already sent rows continues where it stopped. */
async function stateAfter(job: JobRecord, before: JobState, { ledger }: JobDeps): Promise<JobState> {
  if (job.firstSentAt === undefined) return 'planned';
  const { planned, sending, unknown } = await ledger.rows.counts(job.id);
  const isOver = before === 'done' || before === 'planned';
  if (!isOver) return before;
  return planned + sending + unknown > 0 ? stateOfRest(job, ledger) : 'done';
}
