/** The import as a library function: opens a ledger, runs the job, closes the ledger. */
import type { ApiClient } from '../api/client.ts';
import { RequestMeter } from '../api/meter.ts';
import { systemClock } from '../clock.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { ImportDeps } from './deps.ts';
import type { ImportEvent } from './events.ts';
import type { ImportRequest, RunOptions } from './options.ts';
import { resumeJob } from './jobs.ts';
import { importFile } from './run.ts';
import type { JobOutcome } from './summary.ts';

/** What every job needs beside its own options. */
export interface JobContext {
  client: ApiClient;
  /**
   * Where the ledger is: an SQLite file, made when it is not there, or `postgres://…`. Keep it: it is what makes a
   * job resumable.
   */
  store: string;
  /** Ends the job as Ctrl-C would: what is under way is finished and recorded. */
  signal?: AbortSignal;
  /** Told how the job goes; nothing is printed. */
  onEvent?: (event: ImportEvent) => void;
}

/**
 * Imports a spreadsheet, each row exactly once.
 *
 * @returns the job's summary, in counts of rows, with the exit code that the command line would end with;
 *   limits, outages and a refused key are states of the job, not exceptions
 * @throws SheetError, UsageError for a file, template or option that cannot be used: nothing was sent then
 */
export function importItems(options: ImportRequest & JobContext): Promise<JobOutcome> {
  const { client, store, signal, onEvent, ...request } = options;
  return withDeps({ client, store, ...optional(signal, onEvent) }, (deps) => importFile(request, deps));
}

/**
 * Goes on with a job where it was: after a kill, an outage, a full plan.
 *
 * @param options.job id, unique beginning of one, or `last`
 */
export function resumeImport(options: { job: string; run?: RunOptions } & JobContext): Promise<JobOutcome> {
  const { job, run, ...context } = options;
  return withDeps(context, (deps) => resumeJob(job, deps, run));
}

async function withDeps<T>(context: JobContext, work: (deps: ImportDeps) => Promise<T>): Promise<T> {
  const meter = new RequestMeter();
  const unsubscribe = context.client.subscribe(meter.onRequest);
  try {
    await using ledger = await openLedger(context.store);
    return await work({
      client: context.client,
      ledger,
      meter,
      clock: systemClock,
      signal: context.signal ?? new AbortController().signal,
      emit: context.onEvent ?? (() => undefined),
    });
  } finally {
    unsubscribe();
  }
}

function optional(signal: JobContext['signal'], onEvent: JobContext['onEvent']): Partial<JobContext> {
  return { ...(signal === undefined ? {} : { signal }), ...(onEvent === undefined ? {} : { onEvent }) };
}
