import type { Ledger } from '../../ledger/ledger.ts';
import type { Emit } from '../events.ts';

export interface StageDeps {
  ledger: Ledger;
  apiUrl: string;
  signal: AbortSignal;
  emit: Emit;
  /** Asks a person; absent where there is none to ask. */
  confirm?: (question: string) => Promise<boolean>;
}
