/** Shared by the methods of `shelf.jobs`: the engine's dependencies, and the options of a run. */
import type { ApiClient } from '../api/client.ts';
import { RequestMeter } from '../api/meter.ts';
import { systemClock } from '../base/clock.ts';
import type { JobDeps } from '../import/job/deps.ts';
import { RunOptions as EngineRun, type RunOptions } from '../import/job/options.ts';
import type { JobOutcome } from '../import/results/summary.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { message } from '../messages/message.ts';
import type { ShelfEvent } from './events.ts';
import type { ReadOptions, SendOptions } from './options.ts';
import { orStopped } from './or-stopped.ts';
import type { JobResult } from './result.ts';
import type { Run, RunContext } from './run.ts';
import type { z } from 'zod';
import { defined } from '../base/defined.ts';

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
    keepsQuestions: true,
    ...(confirm === undefined
      ? {}
      : {
          confirm: async (text, said) => orStopped(confirm(said ?? message('verbatim', { text })), signal),
        }),
    ...(filePassword === undefined
      ? {}
      : { filePassword: async (file, wrong) => orStopped(filePassword(file, wrong), signal) }),
    ...defined({ resultsTo }),
  };
}

type OfRun = keyof RunOptions | 'signal' | 'confirm';

/** Separates the options of a run from all others. */
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

/** State shared by the parts of a shelf. */
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
