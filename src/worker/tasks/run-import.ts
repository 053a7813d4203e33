/** Imports a submitted or dropped file, or resumes its job where an earlier run stopped. */
import { defined } from '../../base/defined.ts';
import { dirname, parse } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { stateOf } from '../../import/job/state-words.ts';
import { ExitCode } from '../../base/exit-code.ts';
import type { JobDeps } from '../../import/job/deps.ts';
import type { ImportRequest, RunOptions } from '../../import/job/options.ts';
import { importFile, resumeJob } from '../../import/run.ts';
import { factsOf } from '../../import/results/facts.ts';
import { exitCodeOf, type JobOutcome, type JobSummary } from '../../import/results/summary.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { adviceOf, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { ImportTask } from '../config/import-options.ts';
import { isAway } from '../outage.ts';
import { isOfStore } from '../store-outage.ts';
import { templatePath } from './template-path.ts';
import { endOf, PLAN_FULL_MS, type RunEnd, type RunError, runError, withName } from './end.ts';

export interface FileRequest extends ImportRequest {
  /** The run's id. */
  jobId: string;
  /** The path in messages, in place of the path of the copy. */
  knownAs: string;
  /**
   * For a dropped file: the run fails if a greater share of rows needs correction. Dropping the same content again
   * resumes its parked job.
   */
  alertShare?: number;
  /** The remedy for the file's invalid rows, if it was not dropped into a folder. */
  correction?: Message;
}

/** @param options options of every import, from the worker's command line; options of `request` take precedence */
export async function runImport(request: FileRequest, deps: JobDeps, options: RunOptions): Promise<RunEnd> {
  const { ledger, signal } = deps;
  const run: RunOptions = { ...options, ...request.run };
  if (request.skipInvalid === true) run.skipInvalid = true;
  try {
    const outcome = (await isThere(ledger, request.jobId))
      ? await resumeJob(request.jobId, deps, run)
      : await importFile({ ...request, run }, deps);
    const { job, state } = outcome.summary;
    if (job === request.jobId || request.alertShare === undefined || !isParked(state))
      return inWordsOf(request, endOfOutcome(outcome, request, signal));
    await takeFile(job, request, ledger);
    return { ...inWordsOf(request, endOfOutcome(await resumeJob(job, deps, run), request, signal)), job };
  } catch (thrown) {
    return inWordsOf(request, endOf(thrown, signal.aborted));
  }
}

/** True if the job stopped by itself, as opposed to a job that a person has paused or ended. */
function isParked(state: JobSummary['state']): boolean {
  return state.startsWith('parked_') || state === 'interrupted';
}

/** Writes the results of the earlier job beside the file that resumed it. */
async function takeFile(jobId: string, { file, outDir }: ImportRequest, ledger: Ledger): Promise<void> {
  const { request } = await ledger.jobs.find(jobId);
  const where = { outDir: outDir ?? dirname(file), outName: parse(file).name };
  await ledger.jobs.update(jobId, { request: { ...request, ...where } });
}

function inWordsOf(request: { file: string; knownAs: string }, end: RunEnd): RunEnd {
  if (end.error === undefined) return end;
  const { file, knownAs } = request;
  return { ...end, error: withName(end.error, file, knownAs) };
}

/** The `import` options of a watched folder or a schedule as a request. */
export function requestOf(task: ImportTask, configFolder: string): Omit<ImportRequest, 'file' | 'jobId'> {
  const { default: defaults, template, maxChanges, maxRefused, onDrift, yes, allRows, ...options } = task;
  return {
    ...defined({ ...options, defaults }),
    ...(template === undefined ? {} : { template: templatePath(template, configFolder) }),
    // A file often comes again with a few more rows, and there is nobody to ask which ones to import.
    run: { ...defined({ maxChanges, maxRefused, onDrift, yes, allRows }), asAdvised: true },
  };
}

/** True if an earlier run has read the whole file: then its job is in the ledger. */
export async function isThere(ledger: Ledger, id: string): Promise<boolean> {
  try {
    return (await ledger.jobs.find(id)).id === id;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return false;
  }
}

function endOfOutcome(
  outcome: JobOutcome,
  { alertShare, correction }: Pick<FileRequest, 'alertShare' | 'correction'>,
  signal: AbortSignal,
): RunEnd {
  const { summary, exitCode, said, actions, cause } = outcome;
  const { error, rows, state } = summary;
  const files = Object.values(summary.files);
  const told = { rows: rows.read, files, ...(error === undefined ? {} : { error }) };
  if (exitCode === ExitCode.interrupted || (signal.aborted && state !== 'done'))
    return { kind: 'later', exitCode: ExitCode.interrupted, afterMs: 0 };
  if (state === 'already_applied') {
    const told = runError(state, message('imported_before', { job: summary.job }));
    return { kind: 'done', exitCode, rows: rows.read, files: [], error: told, job: summary.job };
  }
  if (state === 'done' && alertShare !== undefined) return endOfDropped(outcome, alertShare, correction);
  if (state === 'done' || exitCode === ExitCode.ok)
    return { kind: 'done', exitCode, ...told, ...defined({ notice: noticeOf(outcome) }) };
  const next: Action[] = [...said.map((label): Action => ({ do: 'byHand', label })), ...actions];
  const remedy = adviceOf(next);
  const because: RunError = {
    ...(error ?? runError(state, reason(summary))),
    ...(cause?.said === undefined ? {} : { said: cause.said }),
    ...(remedy === undefined ? {} : { actions: next, remedy }),
  };
  if (exitCode === ExitCode.limit) return { kind: 'later', exitCode, afterMs: PLAN_FULL_MS, error: because };
  if (exitCode === ExitCode.usage || exitCode === ExitCode.rows)
    return { kind: 'failed', exitCode, rows: rows.read, files, error: because };
  const kind = isAway(cause) || isOfStore(cause) ? 'away' : 'error';
  return { kind, exitCode, rows: rows.read, files, error: because };
}

/** The end of a dropped file; its results are written again when the file is archived. */
function endOfDropped(outcome: JobOutcome, alertShare: number, correction?: Message): RunEnd {
  const { summary } = outcome;
  const { rows, files } = summary;
  const notice = noticeOf(outcome);
  const exitCode = exitCodeOf(summary);
  const done = { kind: 'done', exitCode, rows: rows.read, files: Object.values(files) } as const;
  if (notice === undefined || rows.invalid + rows.refused <= alertShare * rows.read)
    return { ...done, ...defined({ notice }) };
  const label = correction ?? message('correct_rows_in', { file: files.rejects ?? '' });
  return { ...done, kind: 'failed', error: runError('mostly_rejected', notice, [{ do: 'byHand', label }]) };
}

const TO_LOOK_AT: ReadonlySet<string> = new Set([
  'items_doubled',
  'amount_in_wrong_currency',
  'values_not_kept',
  'none_missing_known',
]);

/** What a person must look at although the job is done; undefined unless its exit code is 3. */
function noticeOf({ summary, said }: JobOutcome): Message | undefined {
  if (exitCodeOf(summary) !== ExitCode.rows) return undefined;
  const { job, state, rows } = summary;
  const { read: of, invalid, refused, held } = rows;
  const without = invalid + refused + held;
  if (without > 0) return message('rows_not_imported', { rows: without, of, invalid, refused, held });
  const fact = factsOf(summary).find(({ code }) => TO_LOOK_AT.has(code));
  return fact ?? said[0] ?? message('job_stands', { job, state: stateOf(state) });
}

/** Why a job stopped without an error. */
function reason({ state, rows }: JobSummary): Message {
  return state !== 'planned' || rows.invalid === 0
    ? message('job_stopped', { state: stateOf(state) })
    : message('rows_not_sendable', { rows: rows.invalid, of: rows.read });
}
