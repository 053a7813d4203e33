/** Opens what a worker needs, runs it, and closes it again. */
import { systemClock } from '../clock.ts';
import type { RunOptions } from '../import/options.ts';
import type { WorkerEvent } from '../worker/events.ts';
import type { WorkerEnd } from '../worker/worker.ts';
import type { WorkerFlags } from './commands/worker.ts';
import { Reporter } from './reporter.ts';
import { pacingOf, withLedger } from './session.ts';
import { timeoutOf } from './settings.ts';
import { stopSignal } from './stop-signal.ts';
import { openTarget } from './target.ts';
import { configOf, spoolOf } from './worker-session.ts';

interface Wishes {
  once: boolean;
  graceMs: number;
  run: RunOptions;
}

/** Without a configuration it serves what was submitted for the key of the environment or --profile. */
export async function startWorker(flags: WorkerFlags, wishes: Wishes): Promise<WorkerEnd> {
  const [{ runWorker }, { StoreQueue }, { workerLog }] = await Promise.all([
    import('../worker/worker.ts'),
    import('../worker/queue/store-queue.ts'),
    import('./worker-log.ts'),
  ]);
  const read = await configOf(flags);
  const reporter = new Reporter(flags);
  using stop = stopSignal((text) => reporter.say(text));
  const around = { say: (text: string) => reporter.say(text), signal: stop.signal };
  await using target = read === undefined ? await openTarget(flags, process.env, around) : undefined;
  const { WorkerConfig } = await import('../worker/config/schema.ts');
  const config = read ?? { ...WorkerConfig.parse({}), folder: process.cwd() };
  const log = workerLog((line) => flags.quiet !== true && process.stderr.write(line), flags.verbose === true);
  return withLedger(flags, async (ledger) => {
    const emit = (event: WorkerEvent) => log(event);
    await using queue = new StoreQueue(ledger);
    return await runWorker({
      config,
      ledger,
      queue,
      spool: await spoolOf(ledger),
      clock: systemClock,
      environment: process.env,
      client: { timeoutMs: timeoutOf(flags), ...pacingOf(flags) },
      ...(target === undefined ? {} : { own: target.client }),
      ...wishes,
      signal: stop.signal,
      emit,
    });
  });
}
