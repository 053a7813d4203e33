/** An import of a submitted or dropped file: begun, or gone on with where an earlier run of it stopped. */
import { dirname, parse } from 'node:path';
import type { ApiClient } from '../../api/client.ts';
import { RequestMeter } from '../../api/meter.ts';
import type { Clock } from '../../clock.ts';
import { UsageError } from '../../errors.ts';
import { counted } from '../../counted.ts';
import { ExitCode } from '../../exit-code.ts';
import type { ImportEvent } from '../../import/job/events.ts';
import { resumeJob } from '../../import/run.ts';
import type { ImportRequest, RunOptions } from '../../import/job/options.ts';
import { importFile } from '../../import/run.ts';
import { exitCodeOf, type JobOutcome, type JobSummary } from '../../import/results/summary.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ImportTask } from '../config/task-options.ts';
import { isAway } from '../outage.ts';
import { isOfStore } from '../store-outage.ts';
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

export interface FileRequest extends ImportRequest {
  /** The run's id. */
  jobId: string;
  /** What messages call the file, whose copy nobody knows. */
  knownAs: string;
  /**
   * Of a dropped file: with a greater share of rows to mend it has failed. And a job of the same content that was
   * parked goes on: whoever drops a file again means that.
   */
  alertShare?: number;
}

export async function runImport(request: FileRequest, around: ImportSurroundings): Promise<RunEnd> {
  const { ledger, clock, signal, emit } = around;
  const meter = new RequestMeter();
  const client = around.client.withListener(meter.onRequest);
  const deps = { client, ledger, clock, signal, emit, meter };
  const run: RunOptions = { ...around.run, ...request.run };
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

/** What goes on by itself once what it met is mended; one that a person has paused or ended is left to that person. */
function isParked(state: JobSummary['state']): boolean {
  return state.startsWith('parked_') || state === 'interrupted';
}

/** The results of the earlier job lie beside the file that made it go on. */
async function takeFile(jobId: string, { file, outDir }: ImportRequest, ledger: Ledger): Promise<void> {
  const { options } = await ledger.jobs.find(jobId);
  const where = { outDir: outDir ?? dirname(file), outName: parse(file).name };
  await ledger.jobs.update(jobId, { options: { ...options, ...where } });
}

function inWordsOf(request: { file: string; knownAs: string }, end: RunEnd): RunEnd {
  if (end.error === undefined) return end;
  const error = { ...end.error, message: renamed(end.error.message, request) };
  if (error.remedy !== undefined) error.remedy = renamed(error.remedy, request);
  return { ...end, error };
}

function renamed(text: string, { file, knownAs }: { file: string; knownAs: string }): string {
  return text.replaceAll(file, () => knownAs);
}

/** What a watched folder says of its imports, as a request. */
export function requestOf(task: ImportTask, configFolder: string): Omit<ImportRequest, 'file' | 'jobId'> {
  const { default: defaults, template, maxChanges, maxRefused, onDrift, yes, allRows, ...options } = task;
  const given = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    ...given({ ...options, defaults }),
    ...(template === undefined ? {} : { template: templatePath(template, configFolder) }),
    // The same file comes again with a few rows more: nobody is there to be asked which are meant.
    run: { ...given({ maxChanges, maxRefused, onDrift, yes, allRows }), asAdvised: true },
  };
}

/** True where an earlier run had read the file whole: the job is in the ledger then. */
export async function isThere(ledger: Ledger, id: string): Promise<boolean> {
  try {
    return (await ledger.jobs.find(id)).id === id;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return false;
  }
}

function endOfOutcome(
  { summary, exitCode, remedy, cause }: JobOutcome,
  { alertShare }: Pick<FileRequest, 'alertShare'>,
  signal: AbortSignal,
): RunEnd {
  const { error, rows, state } = summary;
  const files = Object.values(summary.files);
  const told = { rows: rows.read, files, ...(error === undefined ? {} : { error }) };
  if (exitCode === ExitCode.interrupted || (signal.aborted && state !== 'done'))
    return { kind: 'later', exitCode: ExitCode.interrupted, afterMs: 0 };
  if (state === 'already_applied') {
    const message = `this content was imported before, by job ${summary.job}`;
    return { kind: 'done', exitCode, rows: rows.read, files: [], error: { code: state, message } };
  }
  if (state === 'done' && alertShare !== undefined) return endOfDropped(summary, alertShare);
  if (state === 'done' || exitCode === ExitCode.ok) return { kind: 'done', exitCode, ...told };
  const because = {
    ...(error ?? { code: state, message: reason(summary) }),
    ...(remedy === undefined ? {} : { remedy }),
  };
  if (exitCode === ExitCode.limit) return { kind: 'later', exitCode, afterMs: PLAN_FULL_MS, error: because };
  if (exitCode === ExitCode.usage || exitCode === ExitCode.rows)
    return { kind: 'failed', exitCode, rows: rows.read, files, error: because };
  const kind = isAway(cause) || isOfStore(cause) ? 'away' : 'error';
  return { kind, exitCode, rows: rows.read, files, error: because };
}

/** Its results are written, or written again, when the file is put away. */
function endOfDropped(summary: JobSummary, alertShare: number): RunEnd {
  const { rows } = summary;
  const exitCode = exitCodeOf(summary);
  const done = { kind: 'done', exitCode, rows: rows.read, files: Object.values(summary.files) } as const;
  const mend = rows.invalid + rows.refused;
  if (mend + rows.held === 0) return done;
  const kinds = (['invalid', 'refused', 'held'] as const).filter((kind) => rows[kind] > 0);
  const parts = kinds.map((kind) => `${rows[kind]} ${kind}`).join(', ');
  const message = `${mend + rows.held} of ${counted(rows.read, 'row')} ${mend + rows.held === 1 ? 'was' : 'were'} not imported: ${parts}`;
  if (mend <= alertShare * rows.read) return { ...done, notice: message };
  const remedy = `Mend the rows in ${summary.files.rejects ?? 'the rejects file'}, and drop that file into the folder.`;
  return { ...done, kind: 'failed', error: { code: 'mostly_rejected', message, remedy } };
}

/** Why a job stands still that met no error. */
function reason({ state, rows }: JobSummary): string {
  if (state !== 'planned' || rows.invalid === 0) return `the job is ${state.replaceAll('_', ' ')}`;
  return `${counted(rows.invalid, 'row')} of ${rows.read} cannot be sent as written, and so nothing was sent`;
}
