/** What every stage needs from outside. Nothing here is read from the environment. */
import type { ApiClient } from '../api/client.ts';
import type { RequestMeter } from '../api/meter.ts';
import type { Clock } from '../clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Emit } from './events.ts';
import type { ReadTimes } from './plan/read-times.ts';

export interface ImportDeps {
  client: ApiClient;
  ledger: Ledger;
  /** Counts the client's requests: its `onRequest` was given to the client. */
  meter: RequestMeter;
  clock: Clock;
  signal: AbortSignal;
  emit: Emit;
  /** When this run has read the current values of items; absent where it has read none that it may send on. */
  readTimes?: ReadTimes;
  /** Asks a person; absent where there is none to ask: then a guard needs `yes`. */
  confirm?: (question: string) => Promise<boolean>;
  /** Lets a person choose one of several answers, by its key; any other key where none was chosen. */
  choose?: (question: string, answers: readonly { key: string; says: string }[]) => Promise<string>;
}
