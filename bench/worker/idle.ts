/** What a worker costs that has nothing to do. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import type { KeyValues } from '../../src/ledger/key-values.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { FolderSpool } from '../../src/worker/queue/spool.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { runWorker } from '../../src/worker/worker.ts';

const TEAMS = 20;
const SECONDS = 15;

/** @returns share of one processor, and calls of the store a minute */
export async function idle(): Promise<{ processor: number; queriesPerMinute: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-bench-'));
  const file = join(folder, 'shelflift.yaml');
  const each = (line: (index: number) => string) =>
    Array.from({ length: TEAMS }, (_, index) => line(index)).join('\n');
  await writeFile(
    file,
    `profiles:\n${each((index) => `  team${index}: { apiUrl: "http://127.0.0.1:9", keyEnv: KEY_${index} }`)}
schedules:\n${each((index) => `  export${index}: { profile: team${index}, cron: "0 6 1 1 *", timeZone: UTC, task: { export: items, out: a.csv } }`)}\n`,
  );
  const counted = { queries: 0 };
  try {
    await using store = openSqliteLedger(join(folder, 'ledger.db'));
    const ledger = counting(store, counted);
    await using queue = new StoreQueue(ledger);
    const stop = new AbortController();
    let processor = 0;
    const timer = systemClock.after(2000, () => {
      counted.queries = 0;
      const before = process.cpuUsage();
      systemClock.after(SECONDS * 1000, () => {
        const { user, system } = process.cpuUsage(before);
        processor = (user + system) / 1e6 / SECONDS;
        stop.abort();
      });
    });
    await runWorker({
      config: readWorkerConfig(file),
      ledger,
      queue,
      spool: new FolderSpool(join(folder, 'spool')),
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
    timer();
    return { processor, queriesPerMinute: (counted.queries / SECONDS) * 60 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same store, each of whose calls is counted. */
function counting(ledger: Ledger, counted: { queries: number }): Ledger {
  const count = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, key) {
        const value: unknown = Reflect.get(from, key);
        if (key === 'values') return count(value as KeyValues);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          counted.queries += 1;
          return (value as (...all: unknown[]) => unknown).apply(from, given);
        };
      },
    });
  return count(ledger);
}
