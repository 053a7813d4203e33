/**
 * The pipeline of every job, whichever command starts it:
 *
 *   stage → plan → gates → send, and reconcile lost answers → report
 *
 * Each stage is a folder beside this file. A new job (import, set, undo) begins with `stage`; an existing one (resume,
 * apply) continues where it stopped. Every error of a run ends in `endWithError`.
 */
import { UsageError } from '../base/errors.ts';
import { ExitCode, mostSevere } from '../base/exit-code.ts';
import type { ShelfliftError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { Action } from '../messages/params.ts';
import { AlreadyClaimedError, type JobRecord, type Ledger } from '../ledger/ledger.ts';
import { defined } from '../base/defined.ts';
import { endWithError } from './end-with-error.ts';
import { chooseCanary } from './gates/canary.ts';
import { confirmGates, passGates, rehearseGates } from './gates/gates.ts';
import { type JobDeps, PlanChangedError } from './job/deps.ts';
import { holdProblems, noteOf } from './job/events.ts';
import { Readings } from './engine/reading.ts';
import { interruptedOr } from './job/interrupted.ts';
import { OtherTargetError } from './job/job-state-after-error.ts';
import { findJudging, judgeOnceMore } from './job/judging.ts';
import { cutShort, nextTryAt } from './job/limit-wait.ts';
import type { ImportRequest, RunOptions } from './job/options.ts';
import { retryThroughOutage } from './job/circuit.ts';
import { runsElsewhere } from './job/runs-elsewhere.ts';
import { sendsRest } from './gates/sends-rest.ts';
import { checkAddress, checkTargets, checkTeam } from './jobs/check-team.ts';
import { stopJob } from './jobs/stop-job.ts';
import { jobOffers } from './correction/job-rows.ts';
import { settleKept } from './correction/kept-columns.ts';
import { correctAndReport, correctJob, finishCorrection } from './correction/correct-job.ts';
import { continuedJob, readReturned } from './correction/returned-workbook.ts';
import { answersFor } from './history/applied.ts';
import { checkOwned, ownRows, rehearseImported, rehearseOwnRows } from './history/own-rows.ts';
import { undosOf } from './history/reversals.ts';
import { confirmPlan } from './plan/confirm-creates.ts';
import { planJob } from './plan/plan.ts';
import { PLANNERS } from './plan/planners.ts';
import {
  nextOfPlan,
  reportPlan,
  resultsUnwritten,
  showJob,
  withExit,
  withoutResults,
} from './results/outcome.ts';
import { type ResultFiles, deliverResults } from './results/results.ts';
import { stateOf } from './job/state-words.ts';
import { type JobOutcome, type RunFacts, summarise } from './results/summary.ts';
import { checkPlanFile, writePlan } from './review/write-plan.ts';
import { type SetRequest, stageSet } from './set/stage-set.ts';
import { skipSimilar } from './similar/check-similar.ts';
import { withRecipe } from './stage/recipes.ts';
import { stageFile } from './stage/stage.ts';
import { findUndoable, hasUnplannedRows, stageRest, stageUndo, type UndoRequest } from './undo/stage-undo.ts';
import { holdMadeAgain } from './history/made-again.ts';
import { reopenOvertaken } from './write/overtaken.ts';
import { MendedError, sendJob } from './write/send.ts';

/**
 * Imports a spreadsheet: every row is sent exactly once, even after kills and lost answers.
 *
 * @throws SheetError, UsageError if no job was made
 */
export async function importFile(request: ImportRequest, deps: JobDeps): Promise<JobOutcome> {
  const { run: given = {}, file } = request;
  const run = { ...given, skipInvalid: request.skipInvalid === true || given.skipInvalid === true };
  const continued = await continuedJob(request, deps);
  if (continued !== undefined) return importReturned(continued, request, deps, run);
  return runNewJob(async (own) => stageFile(await withRecipe(request, own.ledger), own), deps, run, file);
}

/** A marked workbook is imported: its corrections go to its job, which continues. */
async function importReturned(
  job: JobRecord,
  { file, dryRun }: ImportRequest,
  deps: JobDeps,
  run: RunOptions,
): Promise<JobOutcome> {
  const { ledger, emit, signal, filePassword: password } = deps;
  const { id } = job;
  const { changes, sent } = await readReturned(job, file, ledger, {
    signal,
    ...(password === undefined ? {} : { password }),
  });
  emit(noteOf(message('returned_continues', { job: id, changes: changes.length, sent })));
  if (dryRun !== true && changes.length > 0) await correctJob(id, { changes, run }, deps);
  const outcome = await (dryRun === true
    ? correctAndReport(id, { changes, run }, deps)
    : applyJob(id, deps, run));
  // Edits of rows that were already sent are in no item.
  return sent === 0 ? outcome : { ...outcome, exitCode: mostSevere([outcome.exitCode, ExitCode.rows]) };
}

/**
 * Changes items that differ from the requested values.
 *
 * @throws SheetError, UsageError if no job was made
 */
export function setItems(request: SetRequest, deps: JobDeps): Promise<JobOutcome> {
  return runNewJob((own) => stageSet(request, own), deps, request.run, request.idsFrom ?? request.from);
}

/**
 * Takes back the changes of a job. The undo is itself a job, with a plan, a dry run and results.
 *
 * @param reference id of the job, its unique first characters, or `last`
 * @throws UsageError `cannot_undo` for a job that has sent nothing or whose before-images were pruned
 */
export function undoJob(reference: string, deps: JobDeps, request: UndoRequest = {}): Promise<JobOutcome> {
  const { run = {} } = request;
  const stage: Stage = async (own) => {
    const job = await findUndoable(reference, own);
    await retryThroughOutage(own, run, () => checkTeam(job, own));
    // An earlier undo of it may have been stopped before it knew what it had taken back.
    const undos = await undosOf(job.id, own.ledger);
    for (const each of [job, ...undos]) await reconcile(each, own, run);
    return stageUndo(job, own, request);
  };
  return runNewJob(stage, deps, run);
}

/** Continues a job where it stopped. For a job that has ended or was cancelled, reports its summary again. */
export async function resumeJob(reference: string, deps: JobDeps, run: RunOptions = {}): Promise<JobOutcome> {
  const job = await deps.ledger.jobs.find(reference);
  if (job.dryRun) {
    const apply: Action = { do: 'apply', job: job.id, label: message('to_send_plan', {}) };
    const error = new UsageError('is_a_dry_run', message('is_a_dry_run', { job: job.id }, apply));
    return endWithError(error, job, deps, 'existing job');
  }
  // Whoever cancelled it meant it, whatever was queued before: only `apply` sends it after all.
  if (job.state === 'cancelled') return showJob(job.id, deps);
  return continueJob(job, deps, run);
}

/** Sends exactly the plan of a dry run, of an import that invalid rows stopped, or of a cancelled job. */
export async function applyJob(reference: string, deps: JobDeps, run: RunOptions = {}): Promise<JobOutcome> {
  return continueJob(await findPlan(reference, deps), deps, run);
}

/**
 * The job that `apply` sends.
 *
 * @param reference `last`: the newest job of all
 * @throws UsageError `not_a_plan` for `last` if that job is not a plan
 */
export function findPlan(reference: string, deps: Pick<JobDeps, 'ledger'>): Promise<JobRecord> {
  return reference === 'last' ? newestPlan(deps) : deps.ledger.jobs.find(reference);
}

/** Writes a new job into the ledger. @throws if it cannot; then there is no job */
type Stage = (deps: JobDeps) => Promise<JobRecord>;

/** @param source the file that the plan must not overwrite */
async function runNewJob(
  stage: Stage,
  given: JobDeps,
  run: RunOptions = {},
  source?: string,
): Promise<JobOutcome> {
  if (run.plan !== undefined) await checkPlanFile(run.plan, given.ledger, source);
  const deps = depsOfRun(given, run);
  const problems = holdProblems(deps.emit);
  const quiet = { ...deps, emit: problems.emit };
  let staged: JobRecord;
  try {
    staged = await stage(quiet);
  } catch (error) {
    problems.tell();
    throw interruptedOr(error, deps.signal);
  }
  let plan: NewPlan;
  try {
    plan = await planNewJob(staged, quiet, run);
  } catch (error) {
    if (!(error instanceof AlreadyClaimedError)) problems.tell();
    return endWithError(error, staged, deps, 'unplanned job');
  }
  const { job, earlier } = plan;
  if (earlier !== undefined) return reportPlan(job, deps, run, { earlier });
  problems.tell();
  return job.dryRun ? rehearse(job, deps, run) : send(job, deps, run, 'new job');
}

function depsOfRun(given: JobDeps, run: RunOptions): JobDeps {
  const patiently: JobDeps['patiently'] = (read) => retryThroughOutage(given, run, read);
  return { ...given, readings: new Readings(given), patiently };
}

interface NewPlan {
  job: JobRecord;
  /** For a dry run: the job that imported the same file. Nothing is left to send. */
  earlier?: string;
}

/** @throws AlreadyClaimedError if another job has imported the same file */
async function planNewJob(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<NewPlan> {
  const { ledger } = deps;
  const planned = await retryThroughOutage(deps, run, () => planJob(job, deps));
  const earlier = await answersFor(planned, deps, run);
  if (earlier !== undefined && !planned.dryRun) throw new AlreadyClaimedError(earlier);
  if (earlier !== undefined) await rehearseImported(planned, earlier, deps);
  if (run.plan !== undefined) await writePlan(planned, deps, run.plan, run);
  return { job: await ledger.jobs.find(job.id), ...(earlier === undefined ? {} : { earlier }) };
}

/** Ends a dry run, and reports the plan as it would be sent. */
async function rehearse(planned: JobRecord, deps: JobDeps, run: RunOptions): Promise<JobOutcome> {
  const job = await settleKept(planned, deps, run);
  if (run.similar === 'skip') await skipSimilar(job, deps);
  await rehearseGates(job, deps, run);
  const isAnswered = await rehearseOwnRows(job, deps, run);
  return reportPlan(job, deps, run, { isAnswered });
}

async function continueJob(job: JobRecord, given: JobDeps, run: RunOptions): Promise<JobOutcome> {
  const deps = depsOfRun(given, run);
  const { ledger, meter } = deps;
  const { unknown, planned, sending } = await ledger.rows.counts(job.id);
  // Another job's settling may have made a finished row unknown again (design §4): that is work left to do.
  if (job.state === 'done' && unknown + planned + sending === 0) {
    // Killed between its last row and its results?
    const isReported = job.files['results'] !== undefined;
    return isReported ? showJob(job.id, deps) : report(job, deps, { requests: meter.totals });
  }
  let ready: JobRecord;
  try {
    ready = await makeReady(job, deps, run);
  } catch (error) {
    if (!(error instanceof OtherTargetError)) await reopen(job, ledger);
    return endWithError(error, job, deps, 'existing job');
  }
  return send(ready, deps, run, 'existing job');
}

/** Checks that this process may continue a job, and plans it if a kill came before its plan. */
async function makeReady(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<JobRecord> {
  const { ledger } = deps;
  checkAddress(job, deps);
  // Before anything is compared or moved: the rows belong to the process that runs the job.
  const runner = await ledger.lanes.runner(job.id, run.takeOver);
  const waitsUntil = await nextTryAt(ledger, job.id);
  await cutShort(ledger, job.id);
  if (runner !== undefined) throw runsElsewhere(job, runner, waitsUntil);
  if (job.fingerprint !== undefined) await retryThroughOutage(deps, run, () => checkTargets(job, deps));
  await reopen(job, ledger);
  // Its amounts are compared with the items that are there by now.
  const isOld = job.fingerprint === undefined || job.error?.code === 'other_currency';
  return isOld ? retryThroughOutage(deps, run, () => planJob(job, deps)) : job;
}

/** After this, an applied dry run or cancelled job can be resumed wherever it stops. */
async function reopen(job: JobRecord, ledger: Ledger): Promise<void> {
  if (job.dryRun) await ledger.jobs.update(job.id, { dryRun: false });
  job.dryRun = false;
  if (job.state !== 'cancelled') return;
  job.state = await ledger.jobs.update(job.id, { state: 'planned', reopen: true });
}

/**
 * The steps from a plan to its results, in their order. The lane is not held during questions to a person, so the plan
 * may change before the job gets the lane; then the changed plan needs confirmation too.
 */
async function send(
  planned: JobRecord,
  deps: JobDeps,
  run: RunOptions,
  origin: 'new job' | 'existing job',
): Promise<JobOutcome> {
  const { ledger } = deps;
  // `--first`: the rows that were chosen, and those that this run has sent, also before its plan changed.
  let only: readonly number[] | undefined;
  const tried = new Set<number>();
  for (let job = planned; ; ) {
    try {
      job = await finishCorrection(job, deps, run);
      job = await settleKept(job, deps, run);
      const revision = (await findJudging(job.id, ledger))?.revision;
      const { committed: accounted } = await ledger.items.intents(job.apiUrl);
      await checkEarlier(job, deps, run);
      if (await waitsForPerson(job, deps, run)) return await reportUnsent(job, deps);
      if (run.similar === 'skip') await skipSimilar(job, deps);
      await reopenOvertaken(job, deps);
      await holdMadeAgain(job, deps);
      const asked = { isNew: origin === 'new job' };
      for (const ordinal of await sentOf(only ?? [], job, ledger)) tried.add(ordinal);
      const first = run.first === undefined ? undefined : Math.max(0, run.first - tried.size);
      await passGates(job, deps, { ...run, ...defined({ first }) }, asked);
      await ownRows(job, deps, run);
      only = first === undefined ? undefined : await chooseCanary(job.id, ledger, first);
      // Some of the rows that were asked about may have been sent before, and others take their place.
      if (only !== undefined) await passGates(job, deps, run, { ...asked, only });
      if (await endUndone(job, deps, run)) {
        job = await ledger.jobs.find(job.id);
        continue;
      }
      const isResumed = origin === 'existing job';
      const answered = { accounted, askAgain: (held: JobRecord) => askAgain(held, deps, run, only) };
      const sent = await sendJob(job, deps, run, {
        only,
        revision,
        isResumed,
        answered,
        confirmPlan: confirmInLane,
      });
      const canary = only && [...tried.union(new Set(only))].sort((a, b) => a - b);
      return await report(sent.job, deps, { ...sent.facts, ...defined({ canary }) });
    } catch (error) {
      if (!(error instanceof PlanChangedError)) return endWithError(error, job, deps, origin);
      // Data stored after the question may belong to the earlier plan.
      if (error instanceof MendedError) await judgeOnceMore(job.id, ledger);
      await ledger.jobs.update(job.id, { state: job.state });
      job = await ledger.jobs.find(job.id);
    }
  }
}

/** Those of some rows that have been sent. */
async function sentOf(ordinals: readonly number[], { id }: JobRecord, ledger: Ledger): Promise<number[]> {
  const rows = ordinals.length === 0 ? [] : await ledger.rows.list(id, { ordinals, limit: ordinals.length });
  return rows
    .filter(({ state, attempts }) => state !== 'planned' && attempts > 0)
    .map(({ ordinal }) => ordinal);
}

const confirmInLane: typeof confirmPlan = async (held, deps, options) => {
  await holdMadeAgain(held, deps);
  await confirmPlan(held, deps, options);
};

/**
 * Asks once more, inside the lane, what depends on what other jobs have sent.
 *
 * @throws PlanChangedError if a person has to answer, or if the job no longer owns its rows
 */
async function askAgain(
  job: JobRecord,
  deps: JobDeps,
  run: RunOptions,
  only: readonly number[] | undefined,
): Promise<void> {
  await confirmGates(job, deps, run, { only });
  checkOwned(job);
}

/** @throws AlreadyClaimedError if another job answers for the same import */
async function checkEarlier(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<void> {
  const earlier = await answersFor(job, deps, run);
  if (earlier !== undefined) throw new AlreadyClaimedError(earlier);
}

/** True for a job that has sent nothing, while rows are invalid or a person answers questions next. */
async function waitsForPerson(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<boolean> {
  if (job.firstSentAt !== undefined) return false;
  if (run.skipInvalid !== true && !(await sendsRest(job, deps.ledger))) return true;
  return deps.asksNext === true && (await jobOffers(job.id, deps.ledger)).length > 0;
}

/** Reports why nothing is sent: there are invalid rows (sends-rest.ts), or a person has to answer first. */
async function reportUnsent(job: JobRecord, deps: JobDeps): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const files = await deliverResults(job, deps);
  const summary = await summarise(job, ledger, { requests: meter.totals, files });
  const { said, actions } = await nextOfPlan(job, summary, ledger);
  return { summary, exitCode: ExitCode.rows, said: [message('nothing_was_sent', {}), ...said], actions };
}

/**
 * Ends the undone job before the undo sends its first change. Somebody may have resumed that job since the undo was
 * planned: its further changes are taken back, too.
 *
 * @returns true if rows were planned
 */
async function endUndone(undo: JobRecord, deps: JobDeps, run: RunOptions): Promise<boolean> {
  const { ledger } = deps;
  const { undoes, undoesPart } = undo.request;
  if (undoes === undefined) return false;
  // A partial undo leaves unsent rows active.
  if (undoesPart !== true) {
    const job = await stopJob(await ledger.jobs.find(undoes), deps);
    await reconcile(job, deps, run);
    await stageRest(job, undo, deps);
  }
  // Includes rows that an earlier run left unplanned, and rows that a person wants to be checked again.
  if (!(await hasUnplannedRows(undo, ledger))) return false;
  const planned = await ledger.jobs.find(undo.id);
  await retryThroughOutage(deps, run, () => planJob(planned, deps));
  return true;
}

/** Looks up the rows that a job may have written, also with another store, and sends nothing. */
async function reconcile(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<void> {
  const { rows } = deps.ledger;
  const [open, unsent] = [
    await rows.list(job.id, { states: ['unknown', 'sending'], limit: 1 }),
    await rows.list(job.id, { states: ['planned'], actions: ['create'], limit: 1 }),
  ];
  if (open.length + unsent.length === 0) return;
  const { facts } = await sendJob(job, deps, { ...run, first: 0 }, { isResumed: true });
  if (facts.error !== undefined) throw facts.error;
}

/** Writes the results and the summary, whichever process sent the last row. */
async function report(job: JobRecord, deps: JobDeps, facts: RunFacts): Promise<JobOutcome> {
  const { ledger } = deps;
  let files: ResultFiles = {};
  let unwritten: ShelfliftError | undefined;
  try {
    files = await deliverResults(job, deps);
    files = { ...files, ...(await PLANNERS[job.kind].files?.(job, deps)) };
  } catch (failure) {
    unwritten = await resultsUnwritten(job, deps, failure);
  }
  const error = facts.error ?? unwritten;
  const summary = await summarise(job, ledger, {
    ...facts,
    files,
    ...(error === undefined ? {} : { error }),
  });
  const outcome = await withExit(summary, job, ledger, facts.error);
  return unwritten === undefined ? outcome : withoutResults(outcome, unwritten);
}

/**
 * A person who applies `last` has just reviewed a plan, or corrected rows: sending an older plan would be a surprise.
 */
async function newestPlan({ ledger }: Pick<JobDeps, 'ledger'>): Promise<JobRecord> {
  const [newest] = await ledger.jobs.list(1);
  if (newest === undefined) return ledger.jobs.find('last');
  if (newest.dryRun || newest.state === 'planned' || newest.state === 'paused') return newest;
  const { id, state, source } = newest;
  const find: Action = { do: 'run', command: 'jobs list', label: message('to_find_job', {}) };
  const resume: Action = { do: 'resume', job: id, label: message('to_continue_it', {}) };
  const params = { job: id, file: source.file, state: stateOf(state) };
  throw new UsageError('not_a_plan', message('not_a_plan', params, find, resume));
}
