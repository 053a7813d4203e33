/**
 * Sends an e-mail when a schedule or a watched folder begins to fail, and one when it works again.
 *
 * The store keeps notices until they are sent, because the mail server may be down for the same reason. If a failure
 * ends before its notice is sent, one e-mail reports both.
 *
 * One reason is mailed at most once a day, however many schedules fail for it. Further failures are named in the next
 * mail about that reason, unless they have ended by then. A file that was not imported does not end so: it is named as
 * soon as a mail may be sent. Something that fails for another reason is mailed again.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { everyValue } from '../../ledger/key-values.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { Say } from '../../messages/texts.ts';
import type { ReadConfig } from '../config/read-config.ts';
import { sendMail } from '../delivery/email.ts';
import { sayIn } from './language.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';

const SPACE = 'failing';
/** Reason → time of the last mail about it. */
const REASONS = 'mailed';
const DAY_MS = 86_400_000;
/** Of how many files of a folder the store keeps the names, and how many a mail names. */
const KEPT_FILES = 100;
const NAMED_FILES = 10;

const LEFT_ROWS_OUT: ReadonlySet<string> = new Set(['rows_not_imported', 'left_out_by_layout']);

/** A subject that fails, or that works again before anybody was notified. */
interface Notice {
  /** When the failure began, ms since the epoch. */
  at: number;
  message: string;
  /** Notices of the same reason are one mail; a one-off message has none. */
  reason?: string;
  /** Whether somebody was notified of the failure. */
  told: boolean;
  worksAgain: boolean;
  /** Whether somebody was notified of an earlier failure, since it last worked. */
  toldBefore?: boolean;
  /** Why the subject has failed since it last worked; absent in notices of earlier versions. */
  causes?: readonly string[];
  /** Files of a watched folder that failed, and that have not been imported since: the folder works, they are missing. */
  files?: readonly string[];
  /** The subject of a one-off message, which unlike a failure does not end. */
  about?: string;
  /** Whether the one-off message says only that rows were left out. */
  leftRowsOut?: boolean;
}

/** What is to be said of a subject. */
export interface Told {
  message: string;
  reason: string;
  /** Kinds of failures: one that the subject has not had since it last worked is news. */
  causes: readonly string[];
  /** The file of a watched folder whose import has ended. */
  file?: string | undefined;
}

interface NotifierDeps {
  ledger: Pick<Ledger, 'values'>;
  config: ReadConfig;
  /** Without smtp nobody is notified. */
  context: ConnectionContext;
  clock: Clock;
}

export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #values: Ledger['values'];
  readonly #onError: (message: string) => void;
  readonly #say: Say;
  /** Subject → why its e-mail could not be sent; reported once. */
  readonly #unsent = new Map<string, string>();
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: NotifierDeps, onError: (message: string) => void) {
    this.#deps = deps;
    this.#values = deps.ledger.values;
    this.#onError = onError;
    this.#say = sayIn(deps.config.notify?.language);
  }

  /** Keeps a notice, and sends it if possible. */
  tell(
    subject: string,
    failed: boolean,
    { message: text, reason, causes, file }: Told,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#inTurn(async () => {
      const known = noticeOf(await this.#values.get(SPACE, subject));
      if (known === undefined && !failed) return;
      const began = { at: this.#deps.clock.now(), message: text, reason: keyOf(reason), told: false };
      const others = (known?.files ?? []).filter((each) => each !== file);
      const files = (failed && file !== undefined ? [...others, file] : others).slice(-KEPT_FILES);
      const had = known?.causes ?? causes;
      const isOther = file !== undefined || known?.worksAgain === true;
      const isNews =
        failed && (causes.some((each) => !had.includes(each)) || (known?.told === true && isOther));
      const toldBefore = known?.told === true || known?.toldBefore === true;
      const notice = known === undefined || isNews ? { ...began, toldBefore } : known;
      const all = [...new Set([...had, ...(failed ? causes : [])])];
      await this.#send(subject, { ...notice, causes: all, files, worksAgain: !failed }, signal);
    });
  }

  /** Reports something that is not a failure, once. @param id of the subject */
  report(id: string, about: string, what: Message, signal: AbortSignal): Promise<void> {
    const at = this.#deps.clock.now();
    const notice = {
      at,
      message: `${about}: ${this.#say(what)}`,
      told: false,
      worksAgain: false,
      // The full path of a file would be too long for the subject line.
      about: basename(about),
      leftRowsOut: LEFT_ROWS_OUT.has(what.code),
    };
    return this.#inTurn(() => this.#send(id, notice, signal));
  }

  /** Sends the notices that could not be sent before. */
  sendAgain(signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      for await (const { key, value } of everyValue(this.#values, SPACE)) {
        // An earlier mail may have reported it, too.
        const notice = noticeOf(await this.#values.get(SPACE, key)) ?? noticeOf(value);
        if (notice !== undefined && isOpen(notice)) await this.#send(key, notice, signal);
      }
    });
  }

  /** One at a time, so that this worker sends no notice twice. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#deps.config.notify?.email === undefined) return Promise.resolve();
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #send(subject: string, notice: Notice, signal: AbortSignal): Promise<void> {
    await this.#put(subject, notice);
    if (!isOpen(notice)) return;
    const { clock, config, context } = this.#deps;
    if (!notice.told && (await this.#wasMailed(notice))) {
      if (!notice.worksAgain) return;
      if (notice.toldBefore === true) await this.#send(subject, { ...notice, told: true }, signal);
      else if ((notice.files ?? []).length === 0) await this.#values.remove(SPACE, [subject]);
      return;
    }
    const also = notice.told || notice.about !== undefined ? [] : await this.#alike(subject, notice);
    const { about } = notice;
    const named = about === undefined ? subjectOf(subject) : message('verbatim', { text: about });
    const { files = [] } = notice;
    const missing = { files: files.slice(-NAMED_FILES), more: files.length > NAMED_FILES };
    const missed = files.length === 0 ? '' : `${this.#say(message('not_imported_so_far', missing))}\n`;
    const works = `${this.#say(message('it_works_again', { subject: named }))}\n${missed}`;
    const failed = about === undefined ? `${this.#say(named)}: ${notice.message}\n` : `${notice.message}\n`;
    const more = files.length > 1 ? missed : '';
    const alike = message('same_reason', { others: also.map(([other]) => subjectOf(other)) });
    const others = also.length === 0 ? '' : `\n${this.#say(alike)}\n`;
    const text = notice.told
      ? works
      : notice.worksAgain
        ? `${this.#say(message('since_then', { time: notice.at, notice: failed }))}${works}`
        : `${failed}${more}${others}`;
    const headline = headlineOf(notice);
    try {
      const to = config.notify?.email ?? [];
      const key = `${subject} ${headline} ${notice.at}`;
      const mail = { to, subject: this.#say(message(headline, { subject: named })), text, key };
      const { refused } = await sendMail(context, mail, signal);
      // The others have it: it is not sent again.
      if (refused.length > 0) this.#onError(`The mail server refused to notify ${refused.join(', ')}.`);
    } catch (error) {
      const why = (error as Error).message;
      if (this.#unsent.get(subject) !== why)
        this.#onError(`The notification about ${subject} could not be sent. It is tried again: ${why}`);
      this.#unsent.set(subject, why);
      return;
    }
    this.#unsent.delete(subject);
    if (!notice.told && notice.reason !== undefined) await this.#noteMailed(notice.reason, clock.now());
    for (const [other, each] of also) await this.#put(other, { ...each, told: true });
    if (notice.worksAgain || about !== undefined) await this.#values.remove(SPACE, [subject]);
    else await this.#put(subject, { ...notice, told: true });
  }

  async #put(subject: string, notice: Notice): Promise<void> {
    await this.#values.put(SPACE, [{ key: subject, value: JSON.stringify(notice) }]);
  }

  async #wasMailed({ reason }: Notice): Promise<boolean> {
    if (reason === undefined) return false;
    const at = await this.#values.get(REASONS, reason);
    return at !== undefined && isWithinDay(Number(at), this.#deps.clock.now());
  }

  async #noteMailed(reason: string, now: number): Promise<void> {
    await this.#values.put(REASONS, [{ key: reason, value: String(now) }]);
    const old: string[] = [];
    for await (const { key, value } of everyValue(this.#values, REASONS))
      if (!isWithinDay(Number(value), now)) old.push(key);
    if (old.length > 0) await this.#values.remove(REASONS, old);
  }

  /** Other subjects that fail for the same reason and have not been reported. */
  async #alike(subject: string, { reason, worksAgain }: Notice): Promise<[string, Notice][]> {
    if (reason === undefined || worksAgain) return [];
    const alike: [string, Notice][] = [];
    for await (const { key, value } of everyValue(this.#values, SPACE)) {
      const other = noticeOf(value);
      if (other?.reason === reason && !other.told && !other.worksAgain && key !== subject)
        alike.push([key, other]);
    }
    return alike;
  }
}

function headlineOf({ about, leftRowsOut = true, told, worksAgain }: Notice) {
  if (about !== undefined) return leftRowsOut ? 'mail_left_rows_out' : 'mail_asks_to_check';
  if (told) return 'mail_works_again';
  return worksAgain ? 'mail_failed_works_again' : 'mail_fails';
}

/** The key of a notice begins with its subject. */
function subjectOf(key: string): Message {
  const [kind = '', ...rest] = key.split(' ');
  const name = rest.join(' ');
  if (kind === 'schedule') return message('schedule_named', { name });
  return kind === 'folder' || kind === 'watching'
    ? message('folder_named', { path: name })
    : message('verbatim', { text: key });
}

/** The reason as a key, without its numbers: sizes, waits and ports differ each time. */
function keyOf(reason: string): string {
  return createHash('sha256').update(reason.replaceAll(/\d+/g, '#')).digest('hex').slice(0, 16);
}

/** False also for a time that is still to come: a clock that was ahead must not silence what happens until then. */
function isWithinDay(at: number, now: number): boolean {
  return Math.abs(now - at) < DAY_MS;
}

/** True if somebody still has to be notified. */
function isOpen({ told, worksAgain }: Notice): boolean {
  return !told || worksAgain;
}

function noticeOf(text: string | undefined): Notice | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Notice);
}
