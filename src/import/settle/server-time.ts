/**
 * Checks that the server's clock ran on while an answer was lost.
 *
 * Times tell new items from old ones only if that clock does not jump back (design §4, settling, 5). Each acknowledged
 * create shows it at one instant of the local monotonic clock. Two such readings with the same difference, one before
 * an intent and one after the server can no longer apply it, prove that an item of that intent is no older than its
 * mark. This proves nothing about other processes, because a monotonic clock ends with its process. It also proves
 * nothing if the machine may have slept between two readings, or its wall clock was set, because the monotonic clock
 * may have stopped.
 */
import { type Clock, DRIFT_MS } from '../../base/clock.ts';

/** Half of the slack for times (CLOCK_SLACK_MS), so that a steady clock stays within it. */
const STEADY_MS = 60_000;

export class ServerTime {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The wall clock less the monotonic one at the last reading, ms. */
  #wallAhead: number;
  /** Monotonic ms of the first reading. */
  #first = Number.POSITIVE_INFINITY;
  /** Monotonic ms before the request of the last reading. */
  #last = Number.NEGATIVE_INFINITY;
  /** The greatest difference (server − local) so far, ms. */
  #ahead = Number.NEGATIVE_INFINITY;
  /** True if the server's clock may have jumped back. */
  #jumpedBack = false;
  /** Requests whose answers were lost, by the row's ordinal. */
  readonly #lost = new Map<number, { sentAt: number; quietAt: number }>();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
    this.#wallAhead = clock.now() - clock.monotonic();
  }

  /**
   * Records an acknowledged create.
   *
   * @param createdAt ms on the server's clock; NaN is ignored
   * @param sentAt monotonic ms before the request
   * @param answeredAt monotonic ms after its answer
   */
  shown(createdAt: number, sentAt: number, answeredAt: number): void {
    if (Number.isNaN(createdAt)) return;
    const wallAhead = this.#clock.now() - this.#clock.monotonic();
    if (Math.abs(wallAhead - this.#wallAhead) > DRIFT_MS) this.#jumpedBack = true;
    this.#wallAhead = wallAhead;
    if (createdAt - answeredAt < this.#ahead - STEADY_MS) this.#jumpedBack = true;
    this.#ahead = Math.max(this.#ahead, createdAt - sentAt);
    this.#first = Math.min(this.#first, answeredAt);
    this.#last = Math.max(this.#last, sentAt);
  }

  /**
   * Records a failed create. `isProven` is called only for creates whose answers were lost.
   *
   * @param sentAt monotonic ms before its request
   * @param quietAt monotonic ms after which the server can no longer apply it
   */
  lost(ordinal: number, sentAt: number, quietAt: number): void {
    this.#lost.set(ordinal, { sentAt, quietAt });
  }

  /** True if the clock kept running from this row's request until the server could no longer apply it. */
  isProven(ordinal: number): boolean {
    const lost = this.#lost.get(ordinal);
    if (lost === undefined || this.#jumpedBack) return false;
    return this.#first <= lost.sentAt && this.#last >= lost.quietAt;
  }
}
