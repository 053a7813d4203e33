import type { Writable } from 'node:stream';
import type { ApiClient } from '../../api/client.ts';
import type { Collection } from '../../api/schemas.ts';
import type { RequestMeter } from '../../api/meter.ts';
import type { Clock } from '../../base/clock.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { UsageError } from '../../base/errors.ts';
import { english, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { Consents } from '../../ledger/job-parts.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FilePassword } from '../../sheets/table.ts';
import type { Emit } from './events.ts';
import type { Readings } from '../engine/reading.ts';

/** The dependencies of a job's stages. Nothing in src/import reads the environment. */
export interface JobDeps {
  client: ApiClient;
  ledger: Ledger;
  /** Counts the client's requests: its `onRequest` is registered with the client. */
  meter: RequestMeter;
  clock: Clock;
  signal: AbortSignal;
  emit: Emit;
  /** The items and keys that this run has read; run.ts sets a new one for each run. */
  readings?: Readings;
  /** Repeats a read for as long as this run waits for the API; run.ts sets it. Default: an outage ends the read. */
  patiently?: <T>(read: () => Promise<T>) => Promise<T>;
  /** The collections that this run has just listed. */
  collections?: Collection[] | undefined;
  /**
   * Asks a yes-or-no question, given as English text and as a message; absent without a terminal: questions then
   * require `yes`.
   */
  confirm?: (question: string, said?: Message) => Promise<boolean>;
  /** Receives the results in place of a file. The stream is not ended. */
  resultsTo?: Writable;
  /** If nobody answers, a new job whose rows were sent before is kept as a plan that a later `apply` can answer. */
  keepsQuestions?: true;
  /** A person will answer questions next: a job whose blank cells may be filled in is not sent until then. */
  asksNext?: true;
  /** Returns the password of a protected workbook; if absent, such a file is refused. */
  filePassword?: FilePassword;
  /** Offers several answers and returns the key of the chosen answer, or any other text if none was chosen. */
  choose?: (
    question: Message | string,
    answers: readonly { key: string; says: Message | string }[],
  ) => Promise<string>;
}

/** True if the user says yes; false without a terminal. */
export async function confirmWithUser(
  { confirm }: Pick<JobDeps, 'confirm'>,
  question: Message | string,
): Promise<boolean> {
  if (typeof question === 'string') return (await confirm?.(question)) ?? false;
  return (await confirm?.(english(question), question)) ?? false;
}

/** Nobody has answered a question that comes before the first row. */
export class UnansweredError extends UsageError {
  /** What a person who says yes to it agrees to; absent if only an option answers it, or if the plan has to change. */
  readonly consent: Consents | undefined;

  constructor(code: ErrorCode, said: Message, consent?: Consents) {
    super(code, said);
    this.consent = consent;
  }
}

/**
 * The command repeats work that was done before: a new job is not kept (`keepsQuestions`), an existing one stays
 * unchanged.
 */
export class UnwantedError extends UnansweredError {}

/** The plan is no longer the one that was shown and confirmed. */
export class PlanChangedError extends Error {}

/** A person has answered no, so a new job is not kept. */
export class DeclinedError extends UsageError {
  readonly guard: UsageError;

  constructor(guard: UsageError) {
    const look: Action = { do: 'setOption', option: 'dry-run', label: message('to_look_first', {}) };
    super(guard.code, guard.said, { actions: [look] });
    this.guard = guard;
  }
}
