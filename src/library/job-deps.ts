/** What the verbs of jobs share: the engine's dependencies, and its outcome as the caller gets it. */
import type { ApiClient } from '../api/client.ts';
import { RequestMeter } from '../api/meter.ts';
import { systemClock } from '../base/clock.ts';
import type { ExitCode } from '../base/exit-code.ts';
import type { JobDeps } from '../import/job/deps.ts';
import { RunOptions as EngineRun, type RunOptions } from '../import/job/options.ts';
import type { JobOutcome, JobSummary } from '../import/results/summary.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';
import { InterruptedError } from '../import/job/interrupted.ts';
import type { ShelfEvent } from './events.ts';
import type { ReadOptions, SendOptions } from './options.ts';
import type { Run, RunContext } from './run.ts';
import type { z } from 'zod';

/**
 * How a job stands. Its keys are those of `--json`. A full plan, an outage and a refused key are states, not exceptions:
 * look at `state`, or at `exitCode`.
 */
export interface JobResult extends JobSummary {
  /** The exit code that the command line would end with: 0 if everything was done. */
  exitCode: ExitCode;
  /** What to know beside the counts; `textOf` gives the sentence. */
  said: readonly Message[];
  /** What can be done next, the most likely first; empty if nothing is left. */
  actions: readonly Action[];
}

export function resultOf({ summary, exitCode, said, actions }: JobOutcome): JobResult {
  return { ...summary, exitCode, said, actions };
}

/** The same of a run. @throws InterruptedError with the job's id if it was cancelled */
export function endOf(outcome: JobOutcome, signal: AbortSignal): JobResult {
  if (signal.aborted && outcome.summary.state === 'interrupted')
    throw new InterruptedError(signal.reason, outcome.summary.job);
  return resultOf(outcome);
}

export function jobDeps(
  shelf: { client: ApiClient; ledger: Ledger },
  { signal, emit }: RunContext<ShelfEvent>,
  {
    confirm,
    filePassword,
    resultsTo,
  }: Pick<SendOptions, 'confirm'> & Pick<ReadOptions, 'filePassword'> & Pick<JobDeps, 'resultsTo'> = {},
): JobDeps {
  const meter = new RequestMeter();
  return {
    client: shelf.client.withListener(meter.onRequest),
    ledger: shelf.ledger,
    meter,
    clock: systemClock,
    signal,
    emit,
    ...(confirm === undefined
      ? {}
      : { confirm: async (text, said) => confirm(said ?? message('verbatim', { text })) }),
    ...(filePassword === undefined ? {} : { filePassword }),
    ...(resultsTo === undefined ? {} : { resultsTo }),
  };
}

type OfRun = keyof RunOptions | 'signal' | 'confirm';

/** The options of a run, apart from all others. */
export function splitRun<Options extends RunOptions & Pick<SendOptions, 'signal' | 'confirm'>>(
  given: Options,
): {
  run: RunOptions;
  person: Pick<SendOptions, 'confirm'>;
  rest: Omit<Options, OfRun>;
} {
  const { signal: _, confirm, ...others } = given;
  const isOfRun = ([name]: [string, unknown]) => Object.hasOwn(EngineRun.shape, name);
  const entries = Object.entries(others);
  return {
    run: Object.fromEntries(entries.filter(isOfRun)),
    person: confirm === undefined ? {} : { confirm },
    rest: Object.fromEntries(entries.filter((entry) => !isOfRun(entry))) as Omit<Options, OfRun>,
  };
}

/** What the parts of a shelf share. */
export interface ShelfContext {
  client: ApiClient;
  ledger: Ledger;
  /** Starts a job. The work gets the options of the run, and all others. */
  job(
    of: string,
    schema: z.ZodObject,
    options: unknown,
    work: (deps: JobDeps, run: RunOptions, rest: object) => Promise<JobOutcome>,
  ): Run<JobResult, ShelfEvent>;
}
