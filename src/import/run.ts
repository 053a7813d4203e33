/**
 * An import from file to results: stage → plan → write (with settling) → results. Reads as the pipeline; each
 * stage is a file of its own beside this one.
 */
import { ExitCode, ShelfliftError, UsageError } from '../errors.ts';
import { AlreadyClaimedError, type JobRecord, type RowCounts } from '../ledger/ledger.ts';
import { Circuit, withRecovery } from './circuit.ts';
import { checkTeam } from './check-team.ts';
import type { ImportDeps } from './deps.ts';
import { holdDrifted } from './drift.ts';
import { interruptedOr } from './interrupted.ts';
import type { ImportRequest, JobOptions, RunOptions } from './options.ts';
import { planJob } from './plan.ts';
import { type ResultFiles, writeResults } from './results.ts';
import { sendJob, waitsOf } from './send.ts';
import { stageFile } from './stage.ts';
import { stateAfter } from './standstill.ts';
import {
  alreadyApplied,
  errorOf,
  exitCodeOf,
  type JobOutcome,
  planTotals,
  type RunFacts,
  summarise,
} from './summary.ts';

/**
 * Imports a spreadsheet: exactly once for each row, whatever happens in between.
 *
 * @throws SheetError and UsageError when nothing was sent and no job was made
 */
export async function importFile(request: ImportRequest, deps: ImportDeps): Promise<JobOutcome> {
  const { ledger, client, signal, emit } = deps;
  let job: JobRecord;
  try {
    job = await stageFile(request, { ledger, apiUrl: client.target, signal, emit });
  } catch (error) {
    throw interruptedOr(error, signal);
  }
  const run = request.run ?? {};
  try {
    job = await plan(job, deps, run);
  } catch (thrown) {
    const error = interruptedOr(thrown, signal);
    // Nothing was sent, and a wrong command leaves no job behind; a plan that could not be made does.
    if (!(error instanceof ShelfliftError) || stateAfter(error) === undefined || job.dryRun) {
      await ledger.discardJob(job.id);
      throw error;
    }
    return failed(job, deps, error);
  }
  if (job.dryRun) return planned(job, deps);
  return begin(job, deps, { ...run, skipInvalid: request.skipInvalid === true || run.skipInvalid === true });
}

/** Goes on with a job where it was; one that has ended tells its summary again. */
export async function resumeJob(
  reference: string,
  deps: ImportDeps,
  run: RunOptions = {},
): Promise<JobOutcome> {
  const job = await deps.ledger.findJob(reference);
  if (job.dryRun) {
    const error = new UsageError('is_a_dry_run', `job ${job.id} is a dry run: it was never begun`, {
      remedy: `shelflift jobs apply ${job.id} sends what it planned.`,
    });
    return failed(job, deps, error);
  }
  return goOn(job, deps, run);
}

/** Sends the plan of a dry run, or of an import that invalid rows have stopped: exactly that plan. */
export async function applyJob(
  reference: string,
  deps: ImportDeps,
  run: RunOptions = {},
): Promise<JobOutcome> {
  const job = await deps.ledger.findJob(reference);
  if (job.dryRun) {
    job.dryRun = false;
    await deps.ledger.updateJob(job.id, { dryRun: false });
  }
  return goOn(job, deps, run);
}

/** Ends a job by hand. Its unsent rows stay pending; nothing that was sent is taken back. */
export async function cancelJob(
  reference: string,
  deps: Pick<ImportDeps, 'ledger' | 'meter'>,
): Promise<JobOutcome> {
  const job = await deps.ledger.findJob(reference);
  if (job.state !== 'done') await deps.ledger.updateJob(job.id, { state: 'cancelled' });
  const summary = await summarise(await deps.ledger.findJob(job.id), deps.ledger, {
    requests: deps.meter.totals,
  });
  return { summary, exitCode: ExitCode.ok };
}

/** Tells a job's summary without doing anything. */
export async function showJob(
  reference: string,
  deps: Pick<ImportDeps, 'ledger' | 'meter'>,
): Promise<JobOutcome> {
  const job = await deps.ledger.findJob(reference);
  const summary = await summarise(job, deps.ledger, { requests: deps.meter.totals });
  return withExit(summary, job);
}

async function goOn(job: JobRecord, deps: ImportDeps, run: RunOptions): Promise<JobOutcome> {
  const { unknown } = await deps.ledger.counts(job.id);
  // Another job's settling may have made a finished row unknown again (DESIGN §4): that is work left to do.
  if (job.state === 'done' && unknown === 0) return showJob(job.id, deps);
  let ready = job;
  const planMade = job.fingerprint !== undefined;
  try {
    if (planMade) {
      await outlast(deps, run, async () => {
        await checkTeam(job, deps);
        await holdDrifted(job, deps);
      });
    } else ready = await plan(job, deps, run);
  } catch (error) {
    return failed(job, deps, error);
  }
  return begin(ready, deps, run);
}

/** Whatever stands in the way of sending is said here; then the job is sent. */
async function begin(job: JobRecord, deps: ImportDeps, run: RunOptions): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const options = job.options as unknown as JobOptions;
  // A job that has sent already goes on with its own rows, whoever imported the file again meanwhile.
  const claimant =
    job.fingerprint === undefined || job.mode !== 'create' || job.firstSentAt !== undefined
      ? undefined
      : await ledger.claimant(job.fingerprint);
  if (claimant !== undefined && claimant !== job.id && !options.force)
    return answerOfEarlier(claimant, job, deps);

  const counts = await ledger.counts(job.id);
  if (
    counts.invalid > 0 &&
    !options.skipInvalid &&
    run.skipInvalid !== true &&
    job.firstSentAt === undefined
  ) {
    const files = await writeResults(job, ledger, deps.emit);
    const summary = await summarise(job, ledger, { requests: meter.totals, files });
    return {
      summary,
      exitCode: ExitCode.rows,
      remedy:
        `Nothing was sent. Mend the rows in ${files.rejects ?? 'the rejects file'} or in the source, and import again; ` +
        `or send only the good ones: shelflift jobs apply ${job.id} --skip-invalid`,
    };
  }
  const guard = changesGuard(job, counts, run);
  if (guard !== undefined) return failed(job, deps, guard);

  try {
    const sent = await sendJob(job, deps, run);
    return await finish(sent.job, deps, sent.facts);
  } catch (error) {
    if (error instanceof AlreadyClaimedError) return answerOfEarlier(error.jobId, job, deps);
    return failed(job, deps, error);
  }
}

async function finish(job: JobRecord, deps: ImportDeps, facts: RunFacts): Promise<JobOutcome> {
  let files: ResultFiles = {};
  let error = facts.error;
  try {
    files = await writeResults(job, deps.ledger, deps.emit);
  } catch (failure) {
    // The rows are sent and recorded; only their report is missing.
    if (!(failure instanceof ShelfliftError)) throw failure;
    error ??= failure;
    deps.emit({ type: 'note', message: `the results could not be written: ${failure.message}` });
  }
  const summary = await summarise(job, deps.ledger, {
    ...facts,
    files,
    ...(error === undefined ? {} : { error }),
  });
  return withExit(summary, job, error);
}

/** The same file was sent before (DESIGN §2, Jobs): its own job answers, and nothing is sent. */
async function answerOfEarlier(earlierId: string, job: JobRecord, deps: ImportDeps): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const earlier = await ledger.findJob(earlierId);
  const rows = (await summarise(job, ledger, { requests: meter.totals })).rows.read;
  if (job.firstSentAt === undefined) await ledger.discardJob(job.id);
  const summary = await summarise(earlier, ledger, { requests: meter.totals });
  if (earlier.state === 'done' && summary.rows.pending === 0) {
    return {
      summary: alreadyApplied(earlier, rows, job.sheetRows, meter.totals),
      exitCode: ExitCode.ok,
      remedy: `This file was imported before, by job ${earlier.id}. --force imports it again.`,
    };
  }
  const code = exitCodeOf(summary);
  return {
    summary:
      code === ExitCode.ok || code === ExitCode.rows ? summary : { ...summary, error: errorOf(summary) },
    exitCode: code === ExitCode.ok ? ExitCode.rows : code,
    remedy: `This file is job ${earlier.id} already, which has rows left. Go on with: shelflift jobs resume ${earlier.id}`,
  };
}

async function planned(job: JobRecord, deps: ImportDeps): Promise<JobOutcome> {
  const files = await writeResults(job, deps.ledger, deps.emit, 'rejects');
  const summary = await summarise(job, deps.ledger, { requests: deps.meter.totals, files });
  summary.plan = await planTotals(job, deps.ledger);
  return {
    summary,
    exitCode: summary.rows.invalid > 0 ? ExitCode.rows : ExitCode.ok,
    remedy: `This was a dry run: nothing was sent. To send exactly this: shelflift jobs apply ${job.id}`,
  };
}

/** The job stands where it is: parked by what the API, the disk or a person did, or as it was by a wrong command. */
async function failed(job: JobRecord, deps: ImportDeps, thrown: unknown): Promise<JobOutcome> {
  const error = interruptedOr(thrown, deps.signal);
  if (!(error instanceof ShelfliftError)) throw error;
  const state = stateAfter(error);
  if (state !== undefined) {
    await deps.ledger.updateJob(job.id, { state, error: { code: error.code, message: error.message } });
  }
  const now = await deps.ledger.findJob(job.id);
  const summary = await summarise(now, deps.ledger, { requests: deps.meter.totals, error });
  if (state !== undefined) return withExit(summary, now, error);
  const { exitCode, remedy } = error;
  return { summary, exitCode, ...(remedy === undefined ? {} : { remedy }) };
}

function withExit(summary: JobOutcome['summary'], job: JobRecord, error?: ShelfliftError): JobOutcome {
  const exitCode = exitCodeOf(summary);
  const silent: number[] = [ExitCode.ok, ExitCode.rows, ExitCode.limit, ExitCode.interrupted];
  if (!silent.includes(exitCode)) summary.error ??= errorOf(summary);
  const resume = `shelflift jobs resume ${job.id}`;
  const goesOn = summary.state !== 'done' && summary.state !== 'already_applied';
  const remedy = [error?.remedy, goesOn ? `To go on: ${resume}` : undefined]
    .filter((part) => part !== undefined)
    .join(' ');
  return { summary, exitCode, ...(remedy === '' ? {} : { remedy }) };
}

function changesGuard(job: JobRecord, counts: RowCounts, run: RunOptions): UsageError | undefined {
  const most = run.maxChanges ?? 500;
  if (run.yes === true || counts.plannedUpdates <= most || job.firstSentAt !== undefined) return undefined;
  return new UsageError(
    'too_many_changes',
    `${counts.plannedUpdates} items would be changed, more than ${most}; nothing was sent`,
    {
      remedy: `Look at the plan, then: shelflift jobs apply ${job.id} --yes (or a larger --max-changes)`,
    },
  );
}

function plan(job: JobRecord, deps: ImportDeps, run: RunOptions): Promise<JobRecord> {
  return outlast(deps, run, () => planJob(job, deps));
}

/** Runs reads through a short outage; the API that was never reached is waited for 30 s (DESIGN §2, Waiting). */
function outlast<T>(deps: ImportDeps, run: RunOptions, read: () => Promise<T>): Promise<T> {
  const { client, clock, emit, signal } = deps;
  const waits = waitsOf(run);
  const circuit = new Circuit({
    client,
    clock,
    emit,
    signal,
    neverReachedMs: waits.neverReached,
    outageMs: waits.outage,
  });
  return withRecovery(circuit, read);
}
