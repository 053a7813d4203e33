/** Jobs as library functions: import, resume, change, apply, undo. */
import type { FilePassword } from '../sheets/table.ts';
import type { ApiClient } from '../api/client.ts';
import { RequestMeter } from '../api/meter.ts';
import { systemClock } from '../clock.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { JobDeps } from './job/deps.ts';
import type { ImportEvent } from './job/events.ts';
import type { ImportRequest, RunOptions } from './job/options.ts';
import type { JobOutcome } from './results/summary.ts';
import { type ChangeRow, changeRows } from './review/change-rows.ts';
import { type Explained, explainItem as explain } from './review/explain-item.ts';
import { applyJob, importFile, resumeJob, setItems, undoJob } from './run.ts';
import type { SetRequest } from './set/stage-set.ts';
import type { UndoRequest } from './undo/stage-undo.ts';

/** What every job needs besides its own options. */
export interface JobContext {
  client: ApiClient;
  /**
   * Location of the ledger: an SQLite file, created if it does not exist, or `postgres://…`. Keep it: without it a job
   * cannot be resumed.
   */
  store: string;
  /** Ends the job as Ctrl-C would: requests in flight are finished and recorded. */
  signal?: AbortSignal;
  /** Receives the progress of the job; nothing is printed. */
  onEvent?: (event: ImportEvent) => void;
  /** Gives the password of a protected workbook; without it such a file is refused. */
  filePassword?: FilePassword;
}

/**
 * Imports a spreadsheet, each row exactly once.
 *
 * @returns the job's summary, in counts of rows, with the exit code that the command line would end with;
 *   limits, outages and a refused key are states of the job, not exceptions
 * @throws SheetError, UsageError for a file, template or option that cannot be used: nothing was sent
 */
export function importItems(options: ImportRequest & JobContext): Promise<JobOutcome> {
  return withDeps(options, (deps, request) => importFile(request, deps));
}

/**
 * Continues a job where it stopped: after a kill, an outage, a full plan.
 *
 * @param options.job id, unique beginning of one, or `last`
 */
export function resumeImport(options: { job: string; run?: RunOptions } & JobContext): Promise<JobOutcome> {
  return withDeps(options, (deps, { job, run }) => resumeJob(job, deps, run));
}

/**
 * Makes the same change to many items, where they differ from it: `changes: ['status=sold'], status: ['sell']`.
 *
 * @throws UsageError, SheetError for a request that cannot be used: nothing was sent
 */
export function changeItems(options: SetRequest & JobContext): Promise<JobOutcome> {
  return withDeps(options, (deps, request) => setItems(request, deps));
}

/**
 * Sends exactly what a dry run planned; items that somebody has changed since are held (`run.onDrift`).
 *
 * @param options.job id, unique beginning of one, or `last`
 */
export function applyPlan(options: { job: string; run?: RunOptions } & JobContext): Promise<JobOutcome> {
  return withDeps(options, (deps, { job, run }) => applyJob(job, deps, run));
}

/** Takes back what a job has written, unless somebody has changed it since; created items are archived. */
export function undoChanges(options: { job: string } & UndoRequest & JobContext): Promise<JobOutcome> {
  return withDeps(options, (deps, { job, ...request }) => undoJob(job, deps, request));
}

/** The rows of a job in batches, in the order of the file: what each item was, and what it becomes or became. */
export async function* jobChanges(options: {
  job: string;
  store: string;
}): AsyncGenerator<ChangeRow[], void> {
  await using ledger = await openLedger(options.store);
  yield* changeRows(await ledger.jobs.find(options.job), ledger);
}

/**
 * Explains an item: every row of a job that names it, and for each field the row that made it what it is, as far as the
 * store knows.
 *
 * @param options.item id, or at least its first 8 characters
 * @param options.client reads the item as it is now, for at most 5 s; without it, values are what the store set last
 * @throws UsageError `unknown_item`, `ambiguous_item`
 */
export async function explainItem(options: {
  item: string;
  store: string;
  client?: ApiClient;
}): Promise<Explained> {
  const { item, store, client } = options;
  await using ledger = await openLedger(store);
  return await explain(item, { ledger, ...(client === undefined ? {} : { client }) });
}

/** Opens the ledger for the work, and closes it. The work gets the options without the context. */
async function withDeps<Options extends JobContext, T>(
  options: Options,
  work: (deps: JobDeps, request: Omit<Options, keyof JobContext>) => Promise<T>,
): Promise<T> {
  const { client, store, signal = new AbortController().signal, onEvent, filePassword, ...request } = options;
  const asked = filePassword === undefined ? {} : { filePassword };
  const meter = new RequestMeter();
  const emit = onEvent ?? (() => undefined);
  const { run, waitMs = run?.waitMs } = request as RunOptions & { run?: RunOptions };
  await using ledger = await openLedger(store, {
    ...(waitMs === undefined ? {} : { outageMs: waitMs }),
    onOutage: (message) => emit({ type: 'warning', message }),
  });
  return await work(
    {
      client: client.withListener(meter.onRequest),
      ledger,
      meter,
      clock: systemClock,
      signal,
      emit,
      ...asked,
    },
    request,
  );
}
