/**
 * Did the server's clock run on while an answer was lost?
 *
 * Times tell a new item from an old one only as long as that clock does not jump back (design §4, settling, 5).
 * Each acknowledged create shows it at an instant of our monotonic clock, which only measures what lies between.
 * Two such showings with the same difference, one before an intent and one after the server can no longer apply
 * it, prove that an item of that intent is no older than its mark. What happened in another process is never
 * proven: monotonic clocks do not outlive theirs.
 */

/** Half of the slack that times are given anyway, so that what is steady here is within it there. */
const STEADY_MS = 60_000;

export class ServerTime {
  /** Monotonic ms of the first showing. */
  #first = Number.POSITIVE_INFINITY;
  /** Monotonic ms before the last one's request. */
  #last = Number.NEGATIVE_INFINITY;
  /** The greatest difference shown, server − ours, ms. */
  #ahead = Number.NEGATIVE_INFINITY;
  #jumpedBack = false;
  /** Requests whose answers were lost, by the row's ordinal. */
  readonly #lost = new Map<number, { sentAt: number; quietAt: number }>();

  /**
   * An acknowledged create.
   *
   * @param createdAt ms on the server's clock; NaN says nothing
   * @param sentAt monotonic ms before the request
   * @param answeredAt monotonic ms after its answer
   */
  shown(createdAt: number, sentAt: number, answeredAt: number): void {
    if (Number.isNaN(createdAt)) return;
    if (createdAt - answeredAt < this.#ahead - STEADY_MS) this.#jumpedBack = true;
    this.#ahead = Math.max(this.#ahead, createdAt - sentAt);
    this.#first = Math.min(this.#first, answeredAt);
    this.#last = Math.max(this.#last, sentAt);
  }

  /**
   * A create that failed: only of those whose answer was lost is it asked.
   *
   * @param sentAt monotonic ms before its request
   * @param quietAt monotonic ms from which on the server does not apply it any more
   */
  lost(ordinal: number, sentAt: number, quietAt: number): void {
    this.#lost.set(ordinal, { sentAt, quietAt });
  }

  /** True where the clock ran on from this row's request until the server could not apply it any more. */
  isProven(ordinal: number): boolean {
    const lost = this.#lost.get(ordinal);
    if (lost === undefined || this.#jumpedBack) return false;
    return this.#first <= lost.sentAt && this.#last >= lost.quietAt;
  }
}
