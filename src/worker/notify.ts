/**
 * Sends an e-mail when a schedule or a watched folder begins to fail, and one when it works again.
 *
 * The store keeps notices until they are sent, because the mail server may be down for the same reason. If a failure
 * ends before its notice is sent, one e-mail reports both.
 */
import type { Clock } from '../clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ReadConfig } from './config/read-config.ts';
import { sendMail } from './delivery/email.ts';
import type { Place } from './remote/place.ts';

const SPACE = 'failing';
const PAGE = 500;

/** A subject that fails, or that works again without anybody having been notified. */
interface Notice {
  /** When the failure began, ms since the epoch. */
  at: number;
  message: string;
  /** Whether somebody was notified of the failure. */
  told: boolean;
  worksAgain: boolean;
  /** A one-off message, not a failure that could end. */
  single?: boolean;
}

export class Notifier {
  readonly #values: Ledger['values'];
  readonly #config: ReadConfig;
  readonly #place: Place;
  readonly #clock: Clock;
  readonly #onError: (message: string) => void;
  /** Subject → why its e-mail could not be sent; reported once. */
  readonly #unsent = new Map<string, string>();
  #turn: Promise<void> = Promise.resolve();

  /** @param place.smtp undefined if nobody is to be notified */
  constructor(
    {
      ledger,
      config,
      place,
      clock,
    }: {
      ledger: Pick<Ledger, 'values'>;
      config: ReadConfig;
      place: Place;
      clock: Clock;
    },
    onError: (message: string) => void,
  ) {
    this.#values = ledger.values;
    this.#config = config;
    this.#place = place;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Keeps a notice, and sends it if possible. */
  tell(subject: string, failed: boolean, message: string, signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      const known = noticeOf(await this.#values.get(SPACE, subject));
      if (known === undefined && !failed) return;
      const began = { at: this.#clock.now(), message, told: false };
      await this.#send(subject, { ...(known ?? began), worksAgain: !failed }, signal);
    });
  }

  /** Reports something that is not a failure, once. @param about its id */
  report(about: string, message: string, signal: AbortSignal): Promise<void> {
    const at = this.#clock.now();
    const notice = { at, message, told: false, worksAgain: false, single: true };
    return this.#inTurn(() => this.#send(about, notice, signal));
  }

  /** Sends the notices that could not be sent before. */
  sendAgain(signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      for (const { key, value } of await this.#values.list(SPACE, { limit: PAGE })) {
        const notice = noticeOf(value);
        if (notice !== undefined && isOpen(notice)) await this.#send(key, notice, signal);
      }
    });
  }

  /** One at a time, so that this worker sends no notice twice. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#config.notify === undefined) return Promise.resolve();
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #send(subject: string, notice: Notice, signal: AbortSignal): Promise<void> {
    await this.#values.put(SPACE, [{ key: subject, value: JSON.stringify(notice) }]);
    if (!isOpen(notice)) return;
    const since = new Date(notice.at).toISOString();
    const works = `${subject}: it works again\n`;
    const failed = `${subject}: ${notice.message}\n`;
    const text = notice.told ? works : notice.worksAgain ? `since ${since} ${failed}${works}` : failed;
    const what =
      notice.single === true
        ? 'left rows out'
        : notice.told
          ? 'works again'
          : notice.worksAgain
            ? 'failed, and works again'
            : 'fails';
    try {
      const to = this.#config.notify?.email ?? [];
      const mail = { to, subject: `shelflift: ${subject} ${what}`, text, key: `${subject} ${what} ${since}` };
      await sendMail(this.#place, mail, signal);
    } catch (error) {
      const { message } = error as Error;
      if (this.#unsent.get(subject) !== message)
        this.#onError(`The notification about ${subject} could not be sent. It is tried again: ${message}`);
      this.#unsent.set(subject, message);
      return;
    }
    this.#unsent.delete(subject);
    if (notice.worksAgain || notice.single === true) await this.#values.remove(SPACE, [subject]);
    else await this.#values.put(SPACE, [{ key: subject, value: JSON.stringify({ ...notice, told: true }) }]);
  }
}

/** True if somebody still has to be notified. */
function isOpen({ told, worksAgain }: Notice): boolean {
  return !told || worksAgain;
}

function noticeOf(text: string | undefined): Notice | undefined {
  if (text === undefined) return undefined;
  // Earlier builds stored only the message, after it had been sent.
  return text.startsWith('{')
    ? (JSON.parse(text) as Notice)
    : { at: 0, message: text, told: true, worksAgain: false };
}
