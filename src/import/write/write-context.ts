import type { LastHolder } from '../../ledger/ledger.ts';
import type { SettleContext } from '../settle/settle-context.ts';

/** The objects that the write stage shares while this process holds the lane of a key. */
export interface WriteContext extends SettleContext {
  /** Holders that the lanes were taken over from: the `sending` rows of their jobs are unknown now. */
  lastHolders: readonly LastHolder[];
  /** Checks that the items to create still do not exist: before the first row leaves, and after a pause. */
  confirmPlan: () => Promise<void>;
  /** An update is preceded by a read of its item if the last read is older than this, ms; Infinity for never. */
  recheckMs: number;
  /** Ends the requests under way that are not answered soon after the run was stopped. */
  lastCall: AbortSignal;
}
