/** How a command about a job ends: its summary, exit code and next step. */
import { ShelfliftError } from '../../errors.ts';
import { ExitCode, gravestOf } from '../../exit-code.ts';
import { count, counted, unitOf } from '../../counted.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { systemCode } from '../../sheets/file-error.ts';
import type { JobDeps } from '../job/deps.ts';
import { findJudging } from '../job/judging.ts';
import type { RunOptions } from '../job/options.ts';
import { answersNeeded } from '../gates/gates.ts';
import { KINDS } from '../job/kinds.ts';
import { issuesJson, issuesOf } from './issues.ts';
import { writeResults } from './results.ts';
import { undecidedOf } from './undecided.ts';
import { planReport } from '../review/plan-report.ts';
import { alreadyApplied, errorOf, exitCodeOf, type JobOutcome, planTotals, summarise } from './summary.ts';

/** The summary of a job, which does not change. */
export async function showJob(
  reference: string,
  deps: Pick<JobDeps, 'ledger' | 'meter'>,
): Promise<JobOutcome> {
  const job = await deps.ledger.jobs.find(reference);
  const summary = await summarise(job, deps.ledger, { requests: deps.meter.totals });
  const issues = issuesJson(await issuesOf(job.id, deps.ledger));
  const { held, invalid } = summary.rows;
  const undecided = held + invalid === 0 ? undefined : await undecidedOf(job, deps.ledger);
  return withExit(
    { ...summary, ...issues, ...(undecided === undefined ? {} : { undecided }) },
    job,
    deps.ledger,
  );
}

/**
 * The outcome of a dry run: the plan, and the rows to correct.
 *
 * @param known `earlier`: the job that has imported the same file; `isAnswered`: false if `apply` will ask what to do with
 *   rows that were sent before
 */
export async function reportPlan(
  job: JobRecord,
  deps: JobDeps,
  run: RunOptions,
  { earlier, isAnswered }: { earlier?: string; isAnswered?: boolean } = {},
): Promise<JobOutcome> {
  const files = await writeResults(job, deps.ledger, deps.emit, 'rejects');
  const summary = await summarise(job, deps.ledger, { requests: deps.meter.totals, files });
  summary.plan = await planTotals(job, deps.ledger);
  Object.assign(summary, issuesJson(await issuesOf(job.id, deps.ledger)));
  summary.changes = await planReport(job, deps.ledger, deps.client.lane.knownRate, run);
  const next =
    earlier === undefined
      ? await nextOfPlan(job, summary, deps.ledger, isAnswered)
      : (await answerOfEarlier(earlier, job, deps)).remedy;
  return {
    summary,
    exitCode: summary.rows.invalid > 0 ? ExitCode.rows : ExitCode.ok,
    remedy: `This was a dry run: nothing was sent. ${next}`,
  };
}

/**
 * What to do next with rows that are not sent: for the end of an import or dry run, for `mend` and for `show`.
 *
 * @param isAnswered as for reportPlan
 */
export async function nextOfPlan(
  job: JobRecord,
  { rows, files }: JobOutcome['summary'],
  ledger: Ledger,
  isAnswered = true,
): Promise<string> {
  const { pending, invalid, unchanged } = rows;
  if (pending === 0 && invalid === 0) return 'There is nothing to send.';
  const { flags, first } = await answersNeeded(job, ledger);
  const go = `shelflift jobs ${job.firstSentAt === undefined ? 'apply' : 'resume'} ${job.id}${flags}`;
  const known = isAnswered ? '' : ' --only-new (or --all-rows)';
  if (pending > 0 && (invalid === 0 || job.request.skipInvalid)) {
    if (first !== undefined) return first;
    if (!isAnswered) return `To send only the new rows: ${go} --only-new. To send all: ${go} --all-rows`;
    if (job.dryRun) return `To send exactly this: ${go}`;
    return `To send the ${counted(pending, unitOf({ rows, sheet_rows: job.sheetRows }))}: ${go}`;
  }
  const match = unchanged === 0 ? '' : `; ${count(unchanged)} already match`;
  const need = `${counted(invalid, 'row needs', 'rows need')} attention${match}.`;
  const correct = `orrect the rows in ${files.rejects ?? 'the rejects file'} or in the source, and ${KINDS[job.kind].again}.`;
  const isMendable = (await findJudging(job.id, ledger)) !== undefined;
  const mend = isMendable ? `Mend the job: shelflift jobs mend ${job.id}. Or c${correct}` : `C${correct}`;
  return pending === 0
    ? `${need} ${mend}`
    : `${mend} To send only the valid rows: ${go} --skip-invalid${known}`;
}

/** The outcome for a file that was sent before (design §2, Jobs): that of its job. Nothing is sent. */
export async function answerOfEarlier(earlierId: string, job: JobRecord, deps: JobDeps): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const earlier = await ledger.jobs.find(earlierId);
  if (job.firstSentAt === undefined && !job.dryRun) await ledger.jobs.discard(job.id);
  const summary = await summarise(earlier, ledger, { requests: meter.totals });
  if (earlier.state === 'done' && summary.rows.pending === 0) {
    const applied = alreadyApplied(summary);
    return { summary: applied, exitCode: exitCodeOf(applied), remedy: nextOfApplied(earlier, applied) };
  }
  const code = exitCodeOf(summary);
  const goOn =
    earlier.state === 'cancelled'
      ? `which was cancelled before all rows were sent. To send the rest after all: shelflift jobs apply ${earlier.id}`
      : `which has not sent all rows yet. To go on: shelflift jobs resume ${earlier.id}`;
  return {
    summary:
      code === ExitCode.ok || code === ExitCode.rows ? summary : { ...summary, error: errorOf(summary) },
    exitCode: code === ExitCode.ok ? ExitCode.rows : code,
    remedy: `This ${KINDS[job.kind].asked} already belongs to job ${earlier.id}, ${goOn}`,
  };
}

function nextOfApplied(earlier: JobRecord, { rows }: JobOutcome['summary']): string {
  const { id, files, prunedAt } = earlier;
  const { refused, held, invalid } = rows;
  const left = [
    ...(refused === 0
      ? []
      : [`${counted(refused, 'row was', 'rows were')} refused. To send them again, add --only-new.`]),
    ...(held === 0
      ? []
      : [`${counted(held, 'row is', 'rows are')} held. To decide: shelflift jobs show ${id}`]),
    ...(invalid === 0
      ? []
      : [`${counted(invalid, 'row is', 'rows are')} invalid. To mend: shelflift jobs mend ${id}`]),
  ];
  return [
    `Job ${id} has already imported this file.`,
    ...(left.length === 0 ? ['To import it again, add --force.'] : left),
    // It was killed, or lost its power, before it wrote them.
    ...(files['results'] === undefined && prunedAt === undefined
      ? [`Its results were not written. To write them: shelflift jobs results ${id}`]
      : []),
  ].join(' ');
}

/** Adds the exit code of the job's state, and the command to go on. */
export async function withExit(
  summary: JobOutcome['summary'],
  job: JobRecord,
  ledger: Ledger,
  error?: ShelfliftError,
): Promise<JobOutcome> {
  const exitCode = exitCodeOf(summary);
  const silent: number[] = [ExitCode.ok, ExitCode.rows, ExitCode.limit, ExitCode.interrupted];
  if (!silent.includes(exitCode)) summary.error ??= errorOf(summary);
  const remedy = [error?.remedy, await howToGoOn(summary, job, ledger)]
    .filter((part) => part !== undefined)
    .join(' ');
  return {
    summary,
    exitCode,
    ...(remedy === '' ? {} : { remedy }),
    ...(error === undefined ? {} : { cause: error }),
  };
}

/**
 * The error for results that could not be written. `jobs resume` and `jobs results` write them later.
 *
 * @throws `failure` itself, if it is neither a ShelfliftError nor the system's
 */
export async function resultsUnwritten(
  job: JobRecord,
  { ledger, emit }: Pick<JobDeps, 'ledger' | 'emit'>,
  failure: unknown,
): Promise<ShelfliftError> {
  const code = systemCode(failure);
  if (!(failure instanceof ShelfliftError) && code === undefined) throw failure;
  const cause =
    failure instanceof ShelfliftError
      ? failure
      : new ShelfliftError('cannot_write', (failure as Error).message);
  const message = `The results could not be written: ${cause.message}`;
  emit({ type: 'note', message });
  // Those of an earlier run are out of date. The store may be on the same full disk.
  const { results, rejects, ...others } = job.files;
  if (results !== undefined || rejects !== undefined)
    await ledger.jobs.update(job.id, { files: others }).catch(() => undefined);
  const where = cause.code === 'disk_full' ? '' : ' --out-dir FOLDER';
  return new ShelfliftError(cause.code, message, {
    cause,
    remedy: `What was sent is recorded. To write the results: shelflift jobs results ${job.id}${where}`,
  });
}

/** Adds missing results to an outcome, whose exit code then says so. */
export function withoutResults(outcome: JobOutcome, unwritten: ShelfliftError): JobOutcome {
  const code = unwritten.code === 'cannot_write' ? ExitCode.rows : ExitCode.parked;
  const remedy = [outcome.remedy, unwritten.remedy].filter((part) => part !== undefined).join(' ');
  return { ...outcome, exitCode: gravestOf([outcome.exitCode, code]), remedy, unwritten };
}

async function howToGoOn(
  summary: JobOutcome['summary'],
  job: JobRecord,
  ledger: Ledger,
): Promise<string | undefined> {
  const { state, rows } = summary;
  // A person has decided about a held row: nobody would know that it waits.
  if (state === 'done' && rows.pending > 0)
    return `${counted(rows.pending, 'row is', 'rows are')} ready to send: shelflift jobs resume ${job.id}`;
  const { undoes, not_taken_back: left = 0, unsent_elsewhere: unsent } = summary;
  if (state === 'done' && left > 0)
    return `${counted(left, 'row')} of job ${undoes} may be on the server, and ${left === 1 ? 'is' : 'are'} not taken back. To decide: shelflift jobs show ${undoes}`;
  if (state === 'done' && unsent !== undefined)
    return `${counted(unsent.rows, 'row was', 'rows were')} left to job ${unsent.jobs[0]}, which has not sent ${unsent.rows === 1 ? 'it' : 'them'}, or had no answer. To see why: shelflift jobs show ${unsent.jobs[0]}`;
  if (state === 'done' || state === 'already_applied') return undefined;
  const runner = await ledger.lanes.runner(job.id);
  if (runner !== undefined)
    return `It runs on ${runner.host}, pid ${runner.pid}. To watch it: shelflift jobs show ${job.id} --follow`;
  if (state === 'cancelled')
    return rows.pending === 0
      ? undefined
      : `The job was cancelled. To send the remaining rows after all: shelflift jobs apply ${job.id}`;
  // Of a job that has sent nothing, one invalid row stops everything.
  const isStopped = state === 'planned' || (rows.invalid > 0 && !job.request.skipInvalid);
  if (job.firstSentAt === undefined && (job.dryRun || isStopped)) return nextOfPlan(job, summary, ledger);
  const { flags } = state === 'parked_refused' ? await answersNeeded(job, ledger) : { flags: '' };
  return `To go on: shelflift jobs resume ${job.id}${flags}`;
}
