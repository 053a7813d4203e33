/**
 * The server's clock, inferred from Date headers: each has whole seconds only, and further answers narrow the time
 * down.
 *
 * Used only for limits given as a point in time (an epoch in RateLimit-Reset, a date in Retry-After). It is based on
 * the monotonic clock, so that setting this machine's time does not matter.
 */

/** The server's time at one moment lies between these two, ms since the epoch. */
export interface ServerTime {
  readonly earliest: number;
  readonly latest: number;
}

/** A Date header gives the current whole second. */
const RESOLUTION_MS = 1000;

export class ServerClock {
  /** The server's time minus our monotonic time lies between these values. */
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  /**
   * @param date the time in the Date header, ms since the epoch; undefined if there is none
   * @param sentAt when the request left, and `receivedAt` when its answer came, on the monotonic clock
   * @returns the server's time at `receivedAt`; undefined before the first Date header
   */
  observe(date: number | undefined, sentAt: number, receivedAt: number): ServerTime | undefined {
    if (date !== undefined) {
      const least = date - receivedAt;
      const most = date + RESOLUTION_MS - sentAt;
      // If two answers contradict each other, the server's clock was set, and the newer one counts.
      const agrees = least <= this.#most && most >= this.#least;
      this.#least = agrees ? Math.max(this.#least, least) : least;
      this.#most = agrees ? Math.min(this.#most, most) : most;
    }
    if (this.#most === Number.POSITIVE_INFINITY) return undefined;
    return { earliest: receivedAt + this.#least, latest: receivedAt + this.#most };
  }
}
