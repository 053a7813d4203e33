/** What the library's functions about jobs take, and how it becomes what the stages take. */
import type { ApiClient } from '../../api/client.ts';
import { RequestMeter } from '../../api/meter.ts';
import { systemClock } from '../../clock.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import type { ImportDeps } from '../deps.ts';
import type { ImportEvent } from '../events.ts';
import type { RunOptions } from '../options.ts';

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

/** Opens the ledger, does the work with everything of the options that is not of the context, and closes it. */
export async function withJobContext<Options extends JobContext, T>(
  options: Options,
  work: (deps: ImportDeps, request: Omit<Options, keyof JobContext>) => Promise<T>,
): Promise<T> {
  const { client, store, signal = new AbortController().signal, onEvent, ...request } = options;
  const meter = new RequestMeter();
  const emit = onEvent ?? (() => undefined);
  const { run, waitMs = run?.waitMs } = request as RunOptions & { run?: RunOptions };
  await using ledger = await openLedger(store, {
    ...(waitMs === undefined ? {} : { outageMs: waitMs }),
    onOutage: (message) => emit({ type: 'warning', message }),
  });
  return await work(
    { client: client.withListener(meter.onRequest), ledger, meter, clock: systemClock, signal, emit },
    request,
  );
}
