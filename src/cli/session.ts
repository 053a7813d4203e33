/** Opens what a command needs, hands it over, and closes it again, whatever happens. */
import { RequestMeter } from '../api/meter.ts';
import { type ApiClient, createClient, type RequestRecord } from '../api/client.ts';
import { systemClock } from '../clock.ts';
import { UsageError } from '../errors.ts';
import type { ImportDeps } from '../import/deps.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openSqliteLedger } from '../ledger/sqlite/sqlite-ledger.ts';
import { apiUrlOf, type GlobalFlags, keyOf, storeOf, timeoutOf } from './globals.ts';
import type { Reporter } from './reporter.ts';

export interface Session {
  meter: RequestMeter;
  signal: AbortSignal;
}

export interface ClientSession extends Session {
  client: ApiClient;
}

/** With a client and a ledger. */
export async function withImport<T>(
  flags: GlobalFlags,
  reporter: Reporter,
  work: (deps: ImportDeps) => Promise<T>,
): Promise<T> {
  return withClient(flags, reporter, ({ client, meter, signal }) =>
    withLedger(flags, (ledger) =>
      work({ client, ledger, meter, signal, clock: systemClock, emit: (event) => reporter.onEvent(event) }),
    ),
  );
}

/** With a client alone. */
export async function withClient<T>(
  flags: GlobalFlags,
  reporter: Reporter,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const meter = new RequestMeter();
  const onRequest = (record: RequestRecord) => {
    meter.onRequest(record);
    reporter.onRequest(record);
  };
  await using client = createClient({
    apiUrl: apiUrlOf(flags, process.env),
    key: keyOf(process.env),
    timeoutMs: timeoutOf(flags),
    ...positive(flags, 'max-rate', 'maxRate'),
    ...positive(flags, 'max-concurrency', 'maxConcurrency'),
    onRequest,
    onPause: (until) => reporter.onEvent({ type: 'limited', until }),
  });
  using stop = stopSignal(reporter);
  return await work({ client, meter, signal: stop.signal });
}

/** With a ledger alone: for commands that ask the API nothing. */
export async function withLedger<T>(flags: GlobalFlags, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  await using ledger = openSqliteLedger(storeOf(flags, process.env));
  return await work(ledger);
}

function positive<K extends 'maxRate' | 'maxConcurrency'>(
  flags: GlobalFlags,
  flag: 'max-rate' | 'max-concurrency',
  key: K,
): Partial<Record<K, number>> {
  const value = flags[flag];
  if (value === undefined) return {};
  if (!Number.isFinite(value) || value <= 0) {
    throw new UsageError('bad_number', `--${flag} is ${value}, expected a number above 0`);
  }
  return { [key]: value } as Partial<Record<K, number>>;
}

/** Ctrl-C once: stop sending, finish what is under way. Twice: leave at once, and it is still safe. */
export function stopSignal(reporter: Reporter): { signal: AbortSignal; [Symbol.dispose](): void } {
  const controller = new AbortController();
  let asked = 0;
  const onSignal = () => {
    asked += 1;
    if (asked > 1) process.exit(130);
    reporter.say(
      'Stopping: what is under way is finished first. Once more leaves at once; that is safe too.',
    );
    controller.abort(new Error('stopped by a signal'));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
