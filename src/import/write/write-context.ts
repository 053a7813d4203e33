import type { LastHolder } from '../../ledger/ledger.ts';
import type { Answers } from '../gates/answers.ts';
import type { SettleContext } from '../settle/settle-context.ts';

/** The objects that the write stage shares while this process holds the lane of a key. */
export interface WriteContext extends SettleContext {
  /** Holders that the lanes were taken over from: the outcome of their jobs' `sending` rows is now unknown. */
  lastHolders: readonly LastHolder[];
  /** Checks that the items to create still do not exist: before the first row is sent, and after a pause. */
  confirmPlan: () => Promise<void>;
  /** Absent if no rows are sent. */
  answers?: Answers;
  /**
   * The item of an update is read again before the update if the last reading is older than this, ms; Infinity for
   * never.
   */
  recheckMs: number;
  /** Ends open requests that are not answered soon after the run was stopped. */
  lastCall: AbortSignal;
}
