/**
 * Group commit: the intents and outcomes of all workers share transactions.
 *
 * One commit per move would cost six sevenths of the speed. With one flush per macrotask, and outcomes committed
 * together with the next intents, the ledger keeps up with 16 requests in flight (measured in bench/).
 */
import type { Clock } from '../../base/clock.ts';
import {
  JobCancelledError,
  type Ledger,
  type MoveOptions,
  type MoveResult,
  type RowMove,
} from '../../ledger/ledger.ts';

/**
 * `committed`: the request may be sent. `moved`: another process has moved the row. `stale`: another row has changed
 * the item since it was read.
 */
export type IntentOutcome = 'committed' | 'moved' | 'stale';

interface Waiting {
  ordinal: number;
  resolve: (outcome: IntentOutcome) => void;
  reject: (error: unknown) => void;
}

/** An outcome is committed after this delay if no intent comes first. */
const OUTCOME_DELAY_MS = 5;

export class Journal {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #jobId: string;
  readonly #options: MoveOptions;
  readonly #onContested: (ordinals: number[]) => void;
  #moves: RowMove[] = [];
  #waiting: Waiting[] = [];
  #immediate = false;
  #cancelTimer: (() => void) | undefined;
  #committing: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(
    ledger: Ledger,
    clock: Clock,
    jobId: string,
    options: MoveOptions,
    onContested: (ordinals: number[]) => void,
  ) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#jobId = jobId;
    this.#options = options;
    this.#onContested = onContested;
  }

  /** Resolves once the intent is on disk: only then may its request be sent. */
  intent(move: RowMove): Promise<IntentOutcome> {
    return new Promise((resolve, reject) => {
      this.#moves.push(move);
      this.#waiting.push({ ordinal: move.ordinal, resolve, reject });
      if (this.#immediate) return;
      this.#immediate = true;
      setImmediate(() => {
        this.#immediate = false;
        void this.#commit();
      });
    });
  }

  /** Committed with the next flush. If a crash loses it, settling finds the outcome again. */
  outcome(move: RowMove): void {
    this.#moves.push(move);
    this.#cancelTimer ??= this.#clock.after(OUTCOME_DELAY_MS, () => void this.#commit());
  }

  /** Commits everything so far. @throws what the ledger throws, such as `disk_full` and `lease_lost` */
  async flush(): Promise<void> {
    await this.#commit();
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  async #move(moves: RowMove[]): Promise<MoveResult> {
    if (this.#failure === undefined) {
      try {
        return await this.#record(moves);
      } catch (error) {
        // The first failure is final: nothing more is sent.
        this.#failure = error;
      }
    }
    // A cancelled job sends nothing, and what was answered is recorded all the same.
    const outcomes = moves.filter(({ to }) => to !== 'sending');
    if (this.#failure instanceof JobCancelledError && outcomes.length > 0) await this.#record(outcomes);
    throw this.#failure as Error;
  }

  async #record(moves: RowMove[]): Promise<MoveResult> {
    const result = await this.#ledger.rows.move(this.#jobId, moves, this.#options);
    if (result.contested.length > 0) this.#onContested(result.contested);
    return result;
  }

  #commit(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    // Commits are sequential: an outcome must never overtake its intent.
    this.#committing = this.#committing.then(async () => {
      const moves = this.#moves;
      const waiting = this.#waiting;
      this.#moves = [];
      this.#waiting = [];
      if (moves.length === 0) return;
      try {
        const { missed, stale } = await this.#move(moves);
        for (const { ordinal, resolve } of waiting)
          resolve(missed.includes(ordinal) ? 'moved' : stale.includes(ordinal) ? 'stale' : 'committed');
      } catch (error) {
        for (const each of waiting) each.reject(error);
      }
    });
    return this.#committing;
  }
}
