import type { Writable } from 'node:stream';
import type { ApiClient } from '../../api/client.ts';
import type { Collection } from '../../api/schemas.ts';
import type { RequestMeter } from '../../api/meter.ts';
import type { Clock } from '../../base/clock.ts';
import { UsageError } from '../../base/errors.ts';
import { english, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
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
  /** What this run has read of items and keys: set by run.ts, new for each run. */
  readings?: Readings;
  /** As this run has just listed them. */
  collections?: Collection[] | undefined;
  /** Asks a yes-or-no question, in English and as data; absent without a terminal: guards then require `yes`. */
  confirm?: (question: string, said?: Message) => Promise<boolean>;
  /** Where the results go in place of a file; it is not ended. */
  resultsTo?: Writable;
  /** A new job whose rows were sent before is kept when nobody answers, as a plan: `apply` answers later. */
  keepsQuestions?: true;
  /** A person answers questions next: a job whose blank cells may be filled in is not sent before. */
  asksNext?: true;
  /** Gives the password of a protected workbook; without it such a file is refused. */
  filePassword?: FilePassword;
  /** Offers several answers and returns the key of one, or any other text if none was chosen. */
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

/** A question before the first row that nobody has answered. */
export class UnansweredError extends UsageError {}

/**
 * The command repeats work that was done before: a new job is not kept (`keepsQuestions`), an existing one stays
 * unchanged.
 */
export class UnwantedError extends UnansweredError {}

/** The plan is no longer the one that was shown and confirmed. */
export class PlanChangedError extends Error {}

/** A person has answered no: a new job is not kept. */
export class DeclinedError extends UsageError {
  readonly guard: UsageError;

  constructor(guard: UsageError) {
    const look: Action = { do: 'setOption', option: 'dry-run', label: message('to_look_first', {}) };
    super(guard.code, guard.said, { actions: [look] });
    this.guard = guard;
  }
}
