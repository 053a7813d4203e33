/** Opens the client and store that a command needs, passes them on, and always closes them. */
import type { ApiClient, RequestRecord } from '../api/client.ts';
import type { RequestMeter } from '../api/meter.ts';
import { systemClock } from '../base/clock.ts';
import type { OutageWaits } from '../api/outage.ts';
import type { JobDeps } from '../import/job/deps.ts';
import { interruptedOr } from '../import/job/interrupted.ts';
import { ShelfliftError } from '../base/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isStoreAway } from '../ledger/store-away.ts';
import { say } from './show/say.ts';
import type { Message } from '../messages/params.ts';
import { filePasswords } from '../sheets/file-password.ts';
import type { FilePassword } from '../sheets/table.ts';
import type { Asker } from './ask.ts';
import type { GlobalFlags } from './flags.ts';
import type { Reporter } from './show/reporter.ts';
import { storeOf } from '../account/store-of.ts';
import { stopSignal } from './stop-signal.ts';
import { openTarget } from '../account/target.ts';
import { byHand, message } from '../messages/message.ts';
import { defined } from '../base/defined.ts';

export interface Session {
  meter: RequestMeter;
  reporter: Reporter;
}

export interface ClientSession extends Session {
  client: ApiClient;
  signal: AbortSignal;
  /** How long a read-only command waits for the API. */
  patience: OutageWaits;
}

/** Flags of commands that ask questions. */
type AskingFlags = GlobalFlags & { ask?: boolean; 'no-ask'?: boolean };

/** Runs work with a client and a ledger, and with a dialogue if questions may be asked. */
export function withImport<T>(
  flags: AskingFlags,
  work: (deps: JobDeps, reporter: Reporter, dialogue?: Dialogue) => Promise<T>,
  /** True if standard input is the table, so that nobody can answer there. */
  isStdinTaken = false,
): Promise<T> {
  return withClient(flags, ({ client, meter, signal, reporter }) =>
    withLedger(
      flags,
      async (ledger) => {
        using dialogue = !isStdinTaken && mayAsk(flags) ? new Dialogue(reporter) : undefined;
        const deps: JobDeps = {
          client,
          ledger,
          meter,
          signal,
          clock: systemClock,
          emit: (event) => reporter.onEvent(event),
          filePassword: askingFilePassword(flags, isStdinTaken, () => reporter.end()),
          ...(dialogue === undefined ? {} : { confirm: dialogue.confirm, choose: dialogue.choose }),
        };
        return await work(deps, reporter, dialogue);
      },
      { hasJob: true, signal },
    ),
  );
}

/**
 * The password of protected workbooks, from the environment or from a person at a terminal.
 *
 * @param before called before the question, to end output on the same line
 */
export function askingFilePassword(
  flags: AskingFlags,
  isStdinTaken = false,
  before: () => void = () => undefined,
): FilePassword {
  if (isStdinTaken || !mayAsk(flags) || !process.stdin.isTTY) return filePasswords(process.env);
  return filePasswords(process.env, async (question) => {
    before();
    const { openAsker } = await import('./ask.ts');
    using asker = openAsker();
    // Awaited, because the asker closes when this function returns.
    return await asker.askSecret(say(question));
  });
}

/** Questions are for people at a terminal; scripts get an error instead, unless they provide the answers. */
function mayAsk(flags: AskingFlags): boolean {
  if (flags['no-ask'] === true || flags.json === true) return false;
  return flags.ask === true || (process.stdin.isTTY && process.stderr.isTTY);
}

/** Asks questions on stderr, and reads answers from the terminal or, with --ask, from the lines of standard input. */
export class Dialogue implements Disposable {
  readonly #reporter: Reporter;
  /** Kept only if stdin is not a terminal, where lines that were read ahead would be lost. */
  #asker: Asker | undefined;

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  say(text: string): void {
    this.#reporter.warn(text);
  }

  /** @throws UsageError `no_answer` if the answers have ended */
  async ask(question: string): Promise<string> {
    this.#reporter.end();
    if (process.stdin.isTTY) {
      // Open only while it asks: it takes Ctrl-C for itself.
      using asker = (await import('./ask.ts')).openAsker();
      return (await asker.ask(question)).trim();
    }
    this.#asker ??= (await import('./ask.ts')).openAsker();
    this.say(question);
    return (await this.#asker.ask(question)).trim();
  }

  readonly confirm = async (question: Message | string, asked?: Message): Promise<boolean> => {
    for (;;) {
      const answer = (
        await this.ask(`${said(asked ?? question)} ${say(message('yes_or_no_keys', {}))}`)
      ).toLowerCase();
      if (/^(?:y(?:es)?|ja?)$/.test(answer)) return true;
      if (/^(?:no?|nein)?$/.test(answer)) return false;
      this.say(say(message('answer_yes_or_no', {})));
    }
  };

  readonly choose = async (
    question: Message | string,
    answers: readonly { key: string; says: Message | string }[],
  ): Promise<string> => {
    const lines = answers.map(({ key, says }) => `\n  ${key}  ${said(says)}`).join('');
    const answer = await this.ask(`${said(question)}${lines}\n[${answers.map(({ key }) => key).join('/')}]`);
    return answer.toLowerCase();
  };

  [Symbol.dispose](): void {
    this.#asker?.[Symbol.dispose]();
  }
}

function said(text: Message | string): string {
  return typeof text === 'string' ? text : say(text);
}

/** Runs work with only a client. */
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
      say: (note) => reporter.say(say(note)),
      signal: stop.signal,
    });
    using log = await openLog(flags);
    await using client = createClient({
      ...target.client,
      ...(await clientSettings(flags)),
      limitedWaitMs: patience.limitedMs,
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
      // An aborted request throws an error of its own; report the interruption with its usual code instead.
      throw interruptedOr(error, stop.signal);
    }
  } finally {
    reporter.end();
  }
}

/** Runs work that opens its own connections. */
export async function withReporter<T>(
  flags: GlobalFlags,
  work: (around: {
    say: (note: Message | string) => void;
    signal: AbortSignal;
    onRequest: (record: RequestRecord) => void;
  }) => Promise<T>,
): Promise<T> {
  const { reporter } = await newSession(flags);
  try {
    using stop = stopSignal((text) => reporter.say(text));
    using log = await openLog(flags);
    return await work({
      say: (note) => reporter.say(said(note)),
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

/** Runs work with only a ledger, for commands that send no requests. */
export async function withLedger<T>(
  flags: GlobalFlags,
  work: (ledger: Ledger, session: Session) => Promise<T>,
  options: {
    /** How the store is opened; by default, once. */
    opening?: (open: () => Promise<Ledger>) => Promise<Ledger>;
    /** How long to wait for an unreachable store, ms; default: --wait. */
    outageMs?: number;
    /** True if there is a job to resume after an outage of the store. */
    hasJob?: boolean;
    /** Signal of the command: once it aborts, an outage of the store is not waited out. */
    signal?: AbortSignal;
  } = {},
): Promise<T> {
  const { openLedger } = await import('../ledger/open-ledger.ts');
  const session = await newSession(flags);
  const { opening = (open) => open(), outageMs = await waitOf(flags), hasJob = false, signal } = options;
  const open = () =>
    openLedger(storeOf(flags, process.env), {
      ...defined({ outageMs, signal }),
      onOutage: (said) => session.reporter.warn(say(said)),
    });
  await using ledger = await opening(open).catch((error: unknown) => {
    throw toRepeat(error);
  });
  try {
    return await work(ledger, session);
  } catch (error) {
    throw hasJob ? error : toRepeat(error);
  } finally {
    session.reporter.end();
  }
}

/** The error for an outage of the store without a job to resume. */
function toRepeat(error: unknown): unknown {
  if (!isStoreAway(error)) return error;
  const first = error.code === 'store_locked' ? 'wait_for_program' : 'start_database';
  return new ShelfliftError(error.code, error.said, {
    cause: error,
    actions: [byHand(first, {}), byHand('run_again', {})],
  });
}

/** --timeout, --max-rate and --max-concurrency. @throws UsageError `bad_number`, `bad_duration` */
export async function clientSettings(flags: GlobalFlags) {
  const { timeoutMs = 30_000, maxRate, maxConcurrency } = await readGlobal(flags);
  return {
    timeoutMs,
    ...defined({ maxRate, maxConcurrency }),
  };
}

/** Commands that concern only the store do not need the schemas, which take longer to load than the store. */
async function waitOf(flags: GlobalFlags): Promise<number | undefined> {
  return flags.wait === undefined ? undefined : (await readGlobal(flags)).waitMs;
}

async function readGlobal(flags: GlobalFlags) {
  const [{ readOptions }, { GlobalOptions }] = await Promise.all([
    import('./read-options.ts'),
    import('./options.ts'),
  ]);
  return readOptions(GlobalOptions, flags);
}

async function newReporter(flags: GlobalFlags): Promise<Reporter> {
  if (flags.progress === 'json') return new (await import('./show/json-progress.ts')).JsonProgress(flags);
  return new (await import('./show/reporter.ts')).Reporter(flags);
}

async function newSession(flags: GlobalFlags): Promise<Session> {
  const { RequestMeter } = await import('../api/meter.ts');
  return { meter: new RequestMeter(), reporter: await newReporter(flags) };
}

async function openLog(flags: GlobalFlags) {
  if (flags['log-file'] === undefined) return undefined;
  const { openRequestLog } = await import('../base/log.ts');
  return openRequestLog(flags['log-file']);
}
