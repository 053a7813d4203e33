/** A worker of a night, as a process with a clock of its own that may kill itself at an event: node month-worker.ts JSON */
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { runWorker } from '../../src/worker/worker.ts';

export interface Night {
  folder: string;
  key: string;
  /** ms that the clock is ahead. */
  shift: number;
  /** The event at which it is killed, of the schedule `month`. */
  dieAt?: 'page' | 'delivering' | 'delivered';
}

export async function runNight({ folder, key, shift, dieAt }: Night): Promise<void> {
  const ledger = await openLedger(join(folder, 'ledger.db'));
  try {
    await using queue = await openQueue(ledger);
    const { exitCode, runs } = await runWorker({
      config: readWorkerConfig(join(folder, 'shelflift.yaml')),
      ledger,
      queue,
      spool: new Spool(join(folder, 'spool')),
      clock: { ...systemClock, now: () => Date.now() + shift },
      environment: { THE_KEY: key },
      client: { timeoutMs: 10_000 },
      run: { quietPeriodMs: 60, waitMs: 5000 },
      once: true,
      signal: new AbortController().signal,
      graceMs: 60_000,
      emit: (event) => {
        if (!('run' in event) || event.run.work.kind !== 'schedule' || event.run.work.schedule !== 'month')
          return;
        const what = event.type === 'export' ? event.event.type : event.type;
        if (what === dieAt) process.kill(process.pid, 'SIGKILL');
      },
    });
    if (exitCode !== 0) throw new Error(JSON.stringify(runs));
  } finally {
    await ledger.close();
  }
}

const [, script, given] = process.argv;
if (script?.endsWith('month-worker.ts') === true) await runNight(JSON.parse(given ?? '') as Night);
