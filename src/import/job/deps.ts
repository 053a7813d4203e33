import type { ApiClient } from '../../api/client.ts';
import type { RequestMeter } from '../../api/meter.ts';
import type { Clock } from '../../clock.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Emit } from './events.ts';
import type { ReadTimes } from './read-times.ts';

/** What the stages of a job need from outside. Nothing in src/import reads the environment. */
export interface JobDeps {
  client: ApiClient;
  ledger: Ledger;
  /** Counts the client's requests: its `onRequest` is registered with the client. */
  meter: RequestMeter;
  clock: Clock;
  signal: AbortSignal;
  emit: Emit;
  /** When this run last read the current values of items: set by run.ts, new for each run. */
  readTimes?: ReadTimes;
  /** Asks a yes-or-no question; absent without a terminal: guards then require `yes`. */
  confirm?: (question: string) => Promise<boolean>;
  /** Offers several answers and returns the key of one, or any other text if none was chosen. */
  choose?: (question: string, answers: readonly { key: string; says: string }[]) => Promise<string>;
}

/** True if the user says yes; false without a terminal. */
export async function confirmWithUser(
  { confirm }: Pick<JobDeps, 'confirm'>,
  question: string,
): Promise<boolean> {
  return (await confirm?.(question)) ?? false;
}
