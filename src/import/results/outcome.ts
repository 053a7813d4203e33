/** How a command about a job ends: its summary, its exit code, and what a person can do next. */
import { ShelfliftError } from '../../errors.ts';
import { ExitCode, gravestOf } from '../../exit-code.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { systemCode } from '../../sheets/file-error.ts';
import type { JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { writeResults } from './results.ts';
import { planReport } from '../review/plan-report.ts';
import { alreadyApplied, errorOf, exitCodeOf, type JobOutcome, planTotals, summarise } from './summary.ts';

/** Tells a job's summary without doing anything. */
export async function showJob(
  reference: string,
  deps: Pick<JobDeps, 'ledger' | 'meter'>,
): Promise<JobOutcome> {
  const job = await deps.ledger.jobs.find(reference);
  const summary = await summarise(job, deps.ledger, { requests: deps.meter.totals });
  return withExit(summary, job);
}

/** A dry run: the plan, and the rows to mend. */
export async function reportPlan(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<JobOutcome> {
  const files = await writeResults(job, deps.ledger, deps.emit, 'rejects');
  const summary = await summarise(job, deps.ledger, { requests: deps.meter.totals, files });
  summary.plan = await planTotals(job, deps.ledger);
  summary.changes = await planReport(job, deps.ledger, deps.client.lane.knownRate, run);
  await warnOfEarlier(job, deps);
  return {
    summary,
    exitCode: summary.rows.invalid > 0 ? ExitCode.rows : ExitCode.ok,
    remedy: `This was a dry run: nothing was sent. ${nextOfPlan(job, summary)}`,
  };
}

/** What a person can do with a plan: of one without a good row nothing can be sent. */
function nextOfPlan(job: JobRecord, { rows, files }: JobOutcome['summary']): string {
  const { skipInvalid } = job.options;
  const apply = `shelflift jobs apply ${job.id}`;
  if (rows.pending === 0 && rows.invalid === 0) return 'There is nothing to send.';
  const mend = `mend the rows in ${files.rejects ?? 'the rejects file'} or in the source`;
  if (rows.pending === 0) return `Nothing of it can be sent: ${mend}, and try again.`;
  return rows.invalid === 0 || skipInvalid
    ? `To send exactly this: ${apply}`
    : `To send only the good rows: ${apply} --skip-invalid; or ${mend} first, and try again.`;
}

/** What a real import would meet: the same file was sent before. */
async function warnOfEarlier({ fingerprint, mode }: JobRecord, { ledger, emit }: JobDeps): Promise<void> {
  const claimant =
    mode === 'create' && fingerprint !== undefined ? await ledger.jobs.claimant(fingerprint) : undefined;
  if (claimant !== undefined)
    emit({
      type: 'warning',
      message: `this file was imported before, by job ${claimant}: an import would send nothing`,
    });
}

/** The same file was sent before (design §2, Jobs): its own job answers, and nothing is sent. */
export async function answerOfEarlier(earlierId: string, job: JobRecord, deps: JobDeps): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const earlier = await ledger.jobs.find(earlierId);
  const rows = (await summarise(job, ledger, { requests: meter.totals })).rows.read;
  if (job.firstSentAt === undefined) await ledger.jobs.discard(job.id);
  const summary = await summarise(earlier, ledger, { requests: meter.totals });
  if (earlier.state === 'done' && summary.rows.pending === 0) {
    return {
      summary: alreadyApplied(earlier, rows, job.sheetRows, meter.totals),
      exitCode: ExitCode.ok,
      remedy: `This file was imported before, by job ${earlier.id}. --force imports it again.`,
    };
  }
  const code = exitCodeOf(summary);
  const goOn =
    earlier.state === 'cancelled'
      ? `which was cancelled with rows left. To send them after all: shelflift jobs apply ${earlier.id}`
      : `which has rows left. Go on with: shelflift jobs resume ${earlier.id}`;
  return {
    summary:
      code === ExitCode.ok || code === ExitCode.rows ? summary : { ...summary, error: errorOf(summary) },
    exitCode: code === ExitCode.ok ? ExitCode.rows : code,
    remedy: `This file is job ${earlier.id} already, ${goOn}`,
  };
}

/** The exit code of the job's state, with the command that goes on from there. */
export function withExit(summary: JobOutcome['summary'], job: JobRecord, error?: ShelfliftError): JobOutcome {
  const exitCode = exitCodeOf(summary);
  const silent: number[] = [ExitCode.ok, ExitCode.rows, ExitCode.limit, ExitCode.interrupted];
  if (!silent.includes(exitCode)) summary.error ??= errorOf(summary);
  const remedy = [error?.remedy, howToGoOn(summary, job)].filter((part) => part !== undefined).join(' ');
  return {
    summary,
    exitCode,
    ...(remedy === '' ? {} : { remedy }),
    ...(error === undefined ? {} : { cause: error }),
  };
}

/**
 * The rows are sent and recorded; only their report is missing. `jobs resume` and `jobs results` write it.
 *
 * @throws what is neither an error of ours nor the system's
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
  // Those of an earlier run of the job do not stand for these. The store may be on the same disk.
  const { results, rejects, ...others } = job.files;
  if (results !== undefined || rejects !== undefined)
    await ledger.jobs.update(job.id, { files: others }).catch(() => undefined);
  const where = cause.code === 'disk_full' ? '' : ' --out-dir FOLDER';
  return new ShelfliftError(cause.code, message, {
    cause,
    remedy: `Its rows are recorded. To write the results: shelflift jobs results ${job.id}${where}`,
  });
}

/** A job whose results are missing has not ended well, whatever became of its rows. */
export function withoutResults(outcome: JobOutcome, unwritten: ShelfliftError): JobOutcome {
  const code = unwritten.code === 'cannot_write' ? ExitCode.rows : ExitCode.parked;
  const remedy = [outcome.remedy, unwritten.remedy].filter((part) => part !== undefined).join(' ');
  return { ...outcome, exitCode: gravestOf([outcome.exitCode, code]), remedy, unwritten };
}

function howToGoOn({ state, rows }: JobOutcome['summary'], job: JobRecord): string | undefined {
  if (state === 'done' || state === 'already_applied') return undefined;
  if (state !== 'cancelled') return `To go on: shelflift jobs resume ${job.id}`;
  return rows.pending === 0
    ? undefined
    : `It was cancelled. To send what is left after all: shelflift jobs apply ${job.id}`;
}
