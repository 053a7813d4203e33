/** A worker within this process: a real sandbox, a real store, folders of its own, and a clock that can be ahead. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { commandOf } from '../../src/cli/show/actions.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import type { EmitWorker } from '../../src/worker/events.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { runWorker } from '../../src/worker/worker.ts';
import type { WorkerEnd } from '../../src/worker/worker-end.ts';

export interface WorkerPlace extends AsyncDisposable {
  folder: string;
  sandbox: Sandbox;
  ledger: Ledger;
  /** Writes files into a folder below. */
  dropper(folder: string): (name: string, text: string) => void;
  /** Runs a worker; its clock begins at `now`. */
  once(setting?: WorkerSetting): Promise<WorkerEnd>;
}

export interface WorkerSetting {
  now?: number;
  clock?: Clock;
  ledger?: Ledger;
  spool?: Spool;
  signal?: AbortSignal;
  graceMs?: number;
  once?: boolean;
  emit?: EmitWorker;
  environment?: Record<string, string>;
}

/**
 * @param yaml the configuration but for its profile `main`, which is the sandbox's
 * @param store its location; default a new SQLite file
 */
export async function openWorker(
  yaml: string,
  options: SandboxOptions = {},
  store?: string,
): Promise<WorkerPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-worker-'));
  const sandbox = await startSandbox(options);
  const location = store ?? join(folder, 'ledger.db');
  const ledger = await openLedger(location);
  const file = join(folder, 'shelflift.yaml');
  writeFileSync(file, `profiles:\n  main: { apiUrl: "${sandbox.url}", keyEnv: THE_KEY }\n${yaml}`);
  return {
    folder,
    sandbox,
    ledger,
    dropper: (name) => {
      mkdirSync(join(folder, name), { recursive: true });
      return (child, text) => writeFileSync(join(folder, name, child), text);
    },
    once: async ({ now, emit, environment, ...setting } = {}) => {
      // Now: the caller may change the file as soon as the worker runs.
      const config = readWorkerConfig(file);
      await using queue = await openQueue(setting.ledger ?? ledger);
      return await runWorker({
        config,
        ledger,
        queue,
        spool: new Spool(join(folder, 'spool')),
        clock: now === undefined ? systemClock : ahead(now),
        environment: { THE_KEY: sandbox.key, ...environment },
        client: { timeoutMs: 10_000 },
        run: { quietPeriodMs: 60, waitMs: 5000 },
        once: true,
        signal: new AbortController().signal,
        // Ends as soon as nothing runs any more.
        graceMs: 60_000,
        emit: emit ?? (() => undefined),
        command: (action) => commandOf(action, {}),
        ...setting,
      });
    },
    async [Symbol.asyncDispose]() {
      await ledger.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs as the system's clock does, from another time on. */
function ahead(now: number): Clock {
  const shift = now - Date.now();
  return { ...systemClock, now: () => Date.now() + shift };
}
