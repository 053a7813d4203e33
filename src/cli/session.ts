/** Opens what a command needs, passes it on, and always closes it again. */
import type { ApiClient, RequestRecord } from '../api/client.ts';
import type { RequestMeter } from '../api/meter.ts';
import { systemClock } from '../clock.ts';
import type { OutageWaits } from '../api/outage.ts';
import type { JobDeps } from '../import/job/deps.ts';
import { interruptedOr } from '../import/job/interrupted.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { GlobalFlags } from './flags.ts';
import type { Reporter } from './show/reporter.ts';
import { storeOf } from './settings.ts';
import { stopSignal } from './stop-signal.ts';
import { openTarget } from './target.ts';

export interface Session {
  meter: RequestMeter;
  reporter: Reporter;
}

export interface ClientSession extends Session {
  client: ApiClient;
  signal: AbortSignal;
  /** How long a command that only reads waits for the API. */
  patience: OutageWaits;
}

/** With a client and a ledger. */
export function withImport<T>(
  flags: GlobalFlags,
  work: (deps: JobDeps, reporter: Reporter) => Promise<T>,
): Promise<T> {
  return withClient(flags, ({ client, meter, signal, reporter }) =>
    withLedger(flags, (ledger) =>
      work(
        {
          client,
          ledger,
          meter,
          signal,
          clock: systemClock,
          emit: (event) => reporter.onEvent(event),
          ...(mayAsk(flags) ? asking(reporter) : {}),
        },
        reporter,
      ),
    ),
  );
}

/** Questions are for people at a terminal; scripts get the guard's error instead. */
function mayAsk(flags: GlobalFlags): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && flags.json !== true;
}

function asking(reporter: Reporter): Required<Pick<JobDeps, 'confirm' | 'choose'>> {
  const ask = async (question: string) => {
    reporter.end();
    const { openAsker } = await import('./ask.ts');
    using asker = openAsker();
    return (await asker.ask(question)).trim().toLowerCase();
  };
  return {
    confirm: async (question) => /^y(es)?$/.test(await ask(`${question} [y/N]`)),
    choose: async (question, answers) => {
      const lines = answers.map(({ key, says }) => `\n  ${key}  ${says}`).join('');
      return ask(`${question}${lines}\n[${answers.map(({ key }) => key).join('/')}]`);
    },
  };
}

/** With a client alone. */
export async function withClient<T>(
  flags: GlobalFlags,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const { createClient } = await import('../api/client.ts');
  const { waitsOf } = await import('../api/outage.ts');
  const patience = waitsOf((await readGlobal(flags)).waitMs);
  const { meter, reporter } = await newSession(flags);
  try {
    using stop = stopSignal((text) => reporter.say(text));
    await using target = await openTarget(flags, process.env, {
      say: (text) => reporter.say(text),
      signal: stop.signal,
    });
    using log = await openLog(flags);
    await using client = createClient({
      ...target.client,
      ...(await clientSettings(flags)),
      onRequest: (record: RequestRecord) => {
        meter.onRequest(record);
        reporter.onRequest(record);
        log?.request(record);
      },
      onPause: (until) => {
        reporter.onEvent({ type: 'limited', until });
        log?.pause(until);
      },
    });
    try {
      return await work({ client, meter, signal: stop.signal, reporter, patience });
    } catch (error) {
      // An aborted request reports the interruption in its own words; give it the one code for that.
      throw interruptedOr(error, stop.signal);
    }
  } finally {
    reporter.end();
  }
}

/** For a command that opens its own connections. */
export async function withReporter<T>(
  flags: GlobalFlags,
  work: (around: {
    say: (text: string) => void;
    signal: AbortSignal;
    onRequest: (record: RequestRecord) => void;
  }) => Promise<T>,
): Promise<T> {
  const { reporter } = await newSession(flags);
  try {
    using stop = stopSignal((text) => reporter.say(text));
    using log = await openLog(flags);
    return await work({
      say: (text) => reporter.say(text),
      signal: stop.signal,
      onRequest: (record) => {
        reporter.onRequest(record);
        log?.request(record);
      },
    });
  } finally {
    reporter.end();
  }
}

/** With a ledger only, for commands that send no requests. */
export async function withLedger<T>(
  flags: GlobalFlags,
  work: (ledger: Ledger, session: Session) => Promise<T>,
  options: {
    /** How the store is opened; by default once. */
    opening?: (open: () => Promise<Ledger>) => Promise<Ledger>;
    /** How long to wait for an unreachable store, ms; by default --wait. */
    outageMs?: number;
  } = {},
): Promise<T> {
  const { openLedger } = await import('../ledger/open-ledger.ts');
  const session = await newSession(flags);
  const { opening = (open) => open(), outageMs = (await readGlobal(flags)).waitMs } = options;
  const open = () =>
    openLedger(storeOf(flags, process.env), {
      ...(outageMs === undefined ? {} : { outageMs }),
      onOutage: (message) => session.reporter.warn(message),
    });
  await using ledger = await opening(open);
  try {
    return await work(ledger, session);
  } finally {
    session.reporter.end();
  }
}

/** --timeout, --max-rate and --max-concurrency. @throws UsageError `bad_number`, `bad_duration` */
export async function clientSettings(flags: GlobalFlags) {
  const { timeoutMs = 30_000, maxRate, maxConcurrency } = await readGlobal(flags);
  return {
    timeoutMs,
    ...(maxRate === undefined ? {} : { maxRate }),
    ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
  };
}

async function readGlobal(flags: GlobalFlags) {
  const [{ readOptions }, { GlobalOptions }] = await Promise.all([
    import('./read-options.ts'),
    import('./options.ts'),
  ]);
  return readOptions(GlobalOptions, flags);
}

async function newSession(flags: GlobalFlags): Promise<Session> {
  const { Reporter } = await import('./show/reporter.ts');
  const { RequestMeter } = await import('../api/meter.ts');
  return { meter: new RequestMeter(), reporter: new Reporter(flags) };
}

async function openLog(flags: GlobalFlags) {
  if (flags['log-file'] === undefined) return undefined;
  const { openRequestLog } = await import('../log.ts');
  return openRequestLog(flags['log-file']);
}
