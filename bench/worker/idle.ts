/** What a worker costs that has nothing to do. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { runWorker } from '../../src/worker/worker.ts';
import { openStore, type Stores } from './stores.ts';

const TEAMS = 20;
const SECONDS = 10;
/** Before it is counted: schedules were looked at, and PostgreSQL has counted what came before (it does so after 10 s). */
const SETTLED_MS = 12_000;

/** @returns share of one processor, and calls of the store a minute (a server's own count, if there is one) */
export async function idle(stores: Stores): Promise<{ processor: number; queriesPerMinute: number }> {
  const file = join(stores.folder, 'shelflift.yaml');
  const each = (line: (index: number) => string) =>
    Array.from({ length: TEAMS }, (_, index) => line(index)).join('\n');
  await writeFile(
    file,
    `profiles:\n${each((index) => `  team${index}: { apiUrl: "http://127.0.0.1:9", keyEnv: KEY_${index} }`)}
schedules:\n${each((index) => `  export${index}: { profile: team${index}, cron: "0 6 1 1 *", timeZone: UTC, task: { export: items, out: a.csv } }`)}\n`,
  );
  const location = await stores.fresh();
  const calls = { count: 0 };
  await using store = await openStore(location, stores.folder, (ledger) => counting(ledger, calls));
  const counted = async () => (await stores.transactions(location)) ?? calls.count;
  const stop = new AbortController();
  const working = runWorker({
    config: readWorkerConfig(file),
    ledger: store.ledger,
    queue: store.queue,
    spool: store.spool,
    clock: systemClock,
    environment: Object.fromEntries(
      Array.from({ length: TEAMS }, (_, index) => [`KEY_${index}`, `key-${index}`]),
    ),
    client: { timeoutMs: 1000 },
    run: {},
    once: false,
    signal: stop.signal,
    graceMs: 1000,
    emit: () => undefined,
  });
  await sleep(SETTLED_MS);
  const before = await counted();
  const since = process.cpuUsage();
  await sleep(SECONDS * 1000);
  const { user, system } = process.cpuUsage(since);
  const after = await counted();
  stop.abort();
  await working;
  return { processor: (user + system) / 1e6 / SECONDS, queriesPerMinute: ((after - before) / SECONDS) * 60 };
}

/** The same store, each of whose calls is counted. */
function counting(ledger: Ledger, calls: { count: number }): Ledger {
  const count = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, key) {
        const value: unknown = Reflect.get(from, key);
        if (typeof value === 'object' && value !== null) return count(value);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          calls.count += 1;
          return (value as (...all: unknown[]) => unknown).apply(from, given);
        };
      },
    });
  return count(ledger);
}
