/**
 * When the current values of items were last read, in this run of a job.
 *
 * Kept by the monotonic clock and not in the ledger: what an earlier process has read is too old to be sent on,
 * and a wall clock that jumps must not make a reading look younger than it is.
 */
export class ReadTimes {
  readonly #times = new Map<string, number>();

  /** @param at monotonic ms at which the request left: what it showed is no older */
  note(itemId: string, at: number): void {
    this.#times.set(itemId.toLowerCase(), at);
  }

  /** Monotonic ms; undefined where this run has not read the item. */
  of(itemId: string): number | undefined {
    return this.#times.get(itemId.toLowerCase());
  }

  forget(itemId: string): void {
    this.#times.delete(itemId.toLowerCase());
  }
}
