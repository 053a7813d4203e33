/**
 * When this run of a job last read the current values of items.
 *
 * Kept by the monotonic clock and not in the ledger: what an earlier process read is too old to base a write on, and
 * a wall clock that jumps must not make a reading look younger than it is.
 */
export class ReadTimes {
  readonly #times = new Map<string, number>();

  /** @param at monotonic ms at which the request was sent: what it showed is no older */
  note(itemId: string, at: number): void {
    this.#times.set(itemId.toLowerCase(), at);
  }

  /** Monotonic ms; undefined if this run has not read the item. */
  of(itemId: string): number | undefined {
    return this.#times.get(itemId.toLowerCase());
  }

  forget(itemId: string): void {
    this.#times.delete(itemId.toLowerCase());
  }
}
