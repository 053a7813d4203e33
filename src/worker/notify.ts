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
import type { Place } from './delivery/place.ts';

const SPACE = 'failing';
const PAGE = 500;

/** Of a subject that fails, or works again and nobody was told yet. */
interface Notice {
  /** When it began to fail, ms since the epoch. */
  at: number;
  message: string;
  /** Whether the failure was told. */
  told: boolean;
  worksAgain: boolean;
  /** Nothing failed that could work again: it is told, and that is all. */
  single?: boolean;
}

export class Notifier {
  readonly #values: Ledger['values'];
  readonly #config: ReadConfig;
  readonly #place: Place;
  readonly #clock: Clock;
  readonly #onError: (message: string) => void;
  /** Subjects whose mail could not be sent, and why: said once. */
  readonly #unsent = new Map<string, string>();
  #turn: Promise<void> = Promise.resolve();

  /** @param place.smtp undefined where nobody is told anything */
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

  /** Noted, and sent if it can be. */
  tell(subject: string, failed: boolean, message: string, signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      const known = noticeOf(await this.#values.get(SPACE, subject));
      if (known === undefined && !failed) return;
      const began = { at: this.#clock.now(), message, told: false };
      await this.#send(subject, { ...(known ?? began), worksAgain: !failed }, signal);
    });
  }

  /** What a person must know of something that did not fail; told once. @param about its id */
  report(about: string, message: string, signal: AbortSignal): Promise<void> {
    const at = this.#clock.now();
    const notice = { at, message, told: false, worksAgain: false, single: true };
    return this.#inTurn(() => this.#send(about, notice, signal));
  }

  /** Sends what could not be sent before. */
  sendAgain(signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      for (const { key, value } of await this.#values.list(SPACE, { limit: PAGE })) {
        const notice = noticeOf(value);
        if (notice !== undefined && isOpen(notice)) await this.#send(key, notice, signal);
      }
    });
  }

  /** One after the other: what is being sent is sent by nobody else of this worker. */
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
        this.#onError(`the notification about ${subject} could not be sent (it is tried again): ${message}`);
      this.#unsent.set(subject, message);
      return;
    }
    this.#unsent.delete(subject);
    if (notice.worksAgain || notice.single === true) await this.#values.remove(SPACE, [subject]);
    else await this.#values.put(SPACE, [{ key: subject, value: JSON.stringify({ ...notice, told: true }) }]);
  }
}

/** True where somebody is still to be told something. */
function isOpen({ told, worksAgain }: Notice): boolean {
  return !told || worksAgain;
}

function noticeOf(text: string | undefined): Notice | undefined {
  if (text === undefined) return undefined;
  // Stores of earlier builds keep the message alone, once it was told.
  return text.startsWith('{')
    ? (JSON.parse(text) as Notice)
    : { at: 0, message: text, told: true, worksAgain: false };
}
