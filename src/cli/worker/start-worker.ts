/** Opens what a worker needs, runs it, and closes it again. */
import { systemClock } from '../../base/clock.ts';
import { ExitCode } from '../../base/exit-code.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RunOptions } from '../../import/job/options.ts';
import { openEventLog, openLogFile } from '../../base/log.ts';
import type { WorkerEvent } from '../../worker/events.ts';
import type { StoreOutage as Outage } from '../../worker/store-outage.ts';
import type { WorkerEnd } from '../../worker/worker-end.ts';
import { giveMemoryBack } from '../give-memory-back.ts';
import type { Action } from '../../messages/params.ts';
import { commandOf } from '../show/actions.ts';
import { Reporter } from '../show/reporter.ts';
import { clientSettings, withLedger } from '../session.ts';
import { stopSignal } from '../stop-signal.ts';
import type { FlagsOf } from '../flags.ts';
import { openTarget } from '../../account/target.ts';
import { configFileOf, configOf, needConfig, spoolOf } from './worker-session.ts';
import { say as sayIn } from '../show/say.ts';
import type { Message } from '../../messages/params.ts';
import { message } from '../../messages/message.ts';
import { wrongValue } from '../read-options.ts';

/** After the grace period, calls that hang (a share, a database) are abandoned: a kill is always safe. */
const LEAVE_AFTER_GRACE_MS = 2_000;
/** How long to wait for an unreachable store at the start. */
const STORE_PATIENCE_MS = 60_000;
/** … and later: then runs go back to the queue, and the worker keeps trying. */
const STORE_OUTAGE_MS = 30_000;
/** A worker whose scheduler has not run for this long counts as stuck. */
const STILL_MS = 60_000;

interface Wishes {
  once: boolean;
  graceMs: number;
  run: RunOptions;
}

/**
 * Without a configuration it only imports files that were submitted, for a target that the command line names.
 *
 * @throws UsageError `config_unreadable` without either: it would wait for ever, and run no schedule
 */
export async function startWorker(flags: FlagsOf<'worker'>, wishes: Wishes): Promise<WorkerEnd> {
  const [
    { runWorker },
    { StoreOutage },
    { openQueue },
    { openTextLog, workerLog },
    { Metrics },
    { startHealthServer },
    { ConfigReader },
  ] = await Promise.all([
    import('../../worker/worker.ts'),
    import('../../worker/store-outage.ts'),
    import('../../worker/queue/open-queue.ts'),
    import('./worker-log.ts'),
    import('../../worker/health/metrics.ts'),
    import('../../worker/health/server.ts'),
    import('../../worker/config/reread-config.ts'),
  ]);
  const isNamed = flags.profile !== undefined || flags['api-url'] !== undefined || flags.sandbox === true;
  const read = isNamed ? await configOf(flags) : await needConfig(flags);
  const reporter = new Reporter(flags);
  const say = (text: string) => reporter.say(text);
  const file = wishes.once ? undefined : configFileOf(flags);
  const reader =
    file === undefined || read === undefined
      ? undefined
      : new ConfigReader(file, {
          config: read,
          environment: process.env,
          clock: systemClock,
          tell: (said) => say(sayIn(said)),
        });
  using stop = stopSignal(say, () => {
    say(sayIn(message(reader === undefined ? 'hangup_goes_on' : 'hangup_reads_again', {})));
    reader?.ask();
  });
  // graphile-worker prints stacks if it stops while its database is unreachable; the log has reported that.
  // oxlint-disable-next-line no-console -- silences the library, prints nothing
  console.trace = () => undefined;
  stop.signal.addEventListener('abort', () => {
    const leave = () => process.exit(ExitCode.interrupted);
    setTimeout(leave, wishes.graceMs + LEAVE_AFTER_GRACE_MS).unref();
  });
  const around = { say: (note: Message) => reporter.say(sayIn(note)), signal: stop.signal };
  await using target = read === undefined ? await openTarget(flags, process.env, around) : undefined;
  const { WorkerConfig } = await import('../../worker/config/schema.ts');
  const config = read ?? { ...WorkerConfig.parse({}), folder: process.cwd() };
  if (!wishes.once) giveMemoryBack();
  using logFile = flags['log-file'] === undefined ? undefined : openLogFile(flags['log-file']);
  const write = (line: string) => void (flags.quiet !== true && process.stderr.write(line));
  // Lines for a person at a terminal; JSON for whatever collects them otherwise.
  const shown = workerLog(
    process.stderr.isTTY ? openTextLog(write) : openEventLog(write),
    flags.verbose === true,
  );
  const kept =
    logFile === undefined
      ? undefined
      : workerLog(
          openEventLog((line) => logFile.write(line)),
          true,
        );
  const log = (event: WorkerEvent) => {
    shown(event);
    kept?.(event);
  };
  const warn = (text: string) => log({ type: 'warning', message: text });
  const opening = <T>(open: () => Promise<T>, forMs = STORE_PATIENCE_MS) =>
    wishes.once ? open() : patiently(open, stop.signal, new StoreOutage(systemClock, forMs, warn));
  const serve = async (ledger: Ledger) => {
    const metrics = new Metrics(ledger);
    let lookedAt = systemClock.monotonic();
    const emit = (event: WorkerEvent) => {
      if (event.type === 'looked') lookedAt = systemClock.monotonic();
      log(event);
      metrics.onEvent(event);
    };
    const address = healthAddress(flags.health) ?? config.health;
    await using health =
      address === undefined
        ? undefined
        : await startHealthServer(address, ledger, metrics, {
            alive: () => systemClock.monotonic() - lookedAt < STILL_MS,
            stopping: () => stop.signal.aborted,
          });
    if (health !== undefined)
      say(sayIn(message('health_at', { addresses: `${health.url}/healthz, /readyz, /metrics` })));
    const shared = {
      ledger,
      spool: await spoolOf(ledger),
      clock: systemClock,
      environment: process.env,
      client: await clientSettings(flags),
      ...(target === undefined ? {} : { own: target.client }),
      ...(reader === undefined ? {} : { nextConfig: () => reader.next() }),
      ...wishes,
      signal: stop.signal,
      emit,
      command: (action: Exclude<Action, { do: 'byHand' | 'setOption' }>) =>
        commandOf(withConfig(action, flags.config), flags),
    };
    for (let current = config; ; ) {
      // The store was reached: from here on the worker waits for it as long as it takes.
      await using queue = await opening(() => openQueue(ledger, warn), Number.POSITIVE_INFINITY);
      const end = await runWorker({ ...shared, config: current, queue });
      if (end.nextConfig === undefined || stop.signal.aborted) return end;
      say(sayIn(message('config_changed', {})));
      current = end.nextConfig;
    }
  };
  return await withLedger(flags, serve, { opening, outageMs: STORE_OUTAGE_MS });
}

/** Schedules are those of the worker's configuration. */
function withConfig<T extends Action>(action: T, config: string | undefined): T {
  if (config === undefined || action.do !== 'run' || !action.command.startsWith('schedule ')) return action;
  return { ...action, options: { ...action.options, config } };
}

/** Waits for a store that is restarting, as a running worker would. */
async function patiently<T>(open: () => Promise<T>, signal: AbortSignal, outage: Outage): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (signal.aborted) throw error;
      await systemClock.sleep(outage.failed(error), signal).catch(() => undefined);
    }
  }
}

/** `9464`, `:9464`, `0.0.0.0:9464`, `[::1]:9464`; without a host, loopback. @throws UsageError `bad_number` */
function healthAddress(given: string | undefined): { host: string; port: number } | undefined {
  if (given === undefined) return undefined;
  const [, host = '', port = ''] = /^(?:(.*):)?(\d+)$/.exec(given) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw wrongValue('--health', given, message('host_and_port', {}), 'bad_number');
  return { host: host.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1', port: Number(port) };
}
