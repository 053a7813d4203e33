/** An import of a submitted or dropped file: begun, or gone on with where an earlier run of it stopped. */
import type { ApiClient } from '../../api/client.ts';
import { RequestMeter } from '../../api/meter.ts';
import type { Clock } from '../../clock.ts';
import { UsageError } from '../../errors.ts';
import { ExitCode } from '../../exit-code.ts';
import type { ImportEvent } from '../../import/events.ts';
import { resumeJob } from '../../import/jobs/jobs.ts';
import type { ImportRequest, RunOptions } from '../../import/options.ts';
import { importFile } from '../../import/run.ts';
import type { JobOutcome } from '../../import/results/summary.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ImportTask } from '../config/task-options.ts';
import { isOutage } from '../outage.ts';
import { isOfStore } from '../store-failure.ts';
import { templatePath } from './template-path.ts';
import { endOf, PLAN_FULL_MS, type RunEnd } from './end.ts';

export interface ImportSurroundings {
  client: ApiClient;
  ledger: Ledger;
  clock: Clock;
  signal: AbortSignal;
  /** Options of the run that the command line gave the worker, such as the quiet period. */
  run: RunOptions;
  emit: (event: ImportEvent) => void;
}

/**
 * @param request.jobId the run's id
 * @param request.knownAs what messages call the file, whose copy nobody knows
 */
export async function runImport(
  request: ImportRequest & { jobId: string; knownAs: string },
  around: ImportSurroundings,
): Promise<RunEnd> {
  const { client, ledger, clock, signal, emit } = around;
  const meter = new RequestMeter();
  const unsubscribe = client.subscribe(meter.onRequest);
  const deps = { client, ledger, clock, signal, emit, meter };
  const run: RunOptions = { ...around.run, ...request.run };
  if (request.skipInvalid === true) run.skipInvalid = true;
  try {
    const outcome = (await isThere(ledger, request.jobId))
      ? await resumeJob(request.jobId, deps, run)
      : await importFile({ ...request, run }, deps);
    return endOfOutcome(outcome, signal);
  } catch (thrown) {
    const end = endOf(thrown, signal.aborted);
    if (end.error === undefined) return end;
    const error = { ...end.error, message: renamed(end.error.message, request) };
    if (error.remedy !== undefined) error.remedy = renamed(error.remedy, request);
    return { ...end, error };
  } finally {
    unsubscribe();
  }
}

function renamed(text: string, { file, knownAs }: { file: string; knownAs: string }): string {
  return text.replaceAll(file, () => knownAs);
}

/** What a watched folder says of its imports, as a request. */
export function requestOf(task: ImportTask, configFolder: string): Omit<ImportRequest, 'file' | 'jobId'> {
  const { default: defaults, template, maxChanges, maxRefused, onDrift, yes, ...options } = task;
  const given = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    ...given({ ...options, defaults }),
    ...(template === undefined ? {} : { template: templatePath(template, configFolder) }),
    run: given({ maxChanges, maxRefused, onDrift, yes }),
  };
}

/** True where an earlier run had read the file whole: the job is in the ledger then. */
async function isThere(ledger: Ledger, id: string): Promise<boolean> {
  try {
    return (await ledger.findJob(id)).id === id;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return false;
  }
}

function endOfOutcome({ summary, exitCode, remedy, cause }: JobOutcome, signal: AbortSignal): RunEnd {
  const { error, rows, state } = summary;
  const files = Object.values(summary.files);
  const told = { rows: rows.read, files, ...(error === undefined ? {} : { error }) };
  if (exitCode === ExitCode.interrupted || (signal.aborted && state !== 'done'))
    return { kind: 'later', exitCode: ExitCode.interrupted, afterMs: 0 };
  if (state === 'already_applied') {
    const message = `this content was imported before, by job ${summary.job}`;
    return { kind: 'done', exitCode, rows: rows.read, files: [], error: { code: state, message } };
  }
  if (state === 'done' || exitCode === ExitCode.ok) return { kind: 'done', exitCode, ...told };
  const because = {
    ...(error ?? { code: state, message: `the job is ${state.replaceAll('_', ' ')}` }),
    ...(remedy === undefined ? {} : { remedy }),
  };
  if (exitCode === ExitCode.limit) return { kind: 'later', exitCode, afterMs: PLAN_FULL_MS, error: because };
  if (exitCode === ExitCode.usage || exitCode === ExitCode.rows)
    return { kind: 'failed', exitCode, rows: rows.read, files, error: because };
  const kind = isOutage(cause) || isOfStore(cause) ? 'away' : 'error';
  return { kind, exitCode, rows: rows.read, files, error: because };
}
