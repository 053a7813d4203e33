/**
 * Our own cap (`--max-rate`, or while another program uses the key): an even stream of at most `rate` requests per
 * second.
 */

/** Limit on the saved-up time, s: it makes up for late timers. */
const SAVED_SECONDS = 0.05;

export class RateCap {
  #rate: number;
  #tokens = 1;
  #at = 0;

  /** @param rate requests a second; infinite for no cap */
  constructor(rate: number) {
    this.#rate = rate;
  }

  setRate(rate: number, now: number): void {
    if (this.#rate === Number.POSITIVE_INFINITY) {
      this.#tokens = 1;
      this.#at = now;
    } else this.#refill(now);
    this.#rate = rate;
  }

  available(now: number): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    this.#refill(now);
    return Math.max(0, Math.floor(this.#tokens + 1e-9));
  }

  nextAt(now: number): number | undefined {
    if (this.available(now) >= 1) return undefined;
    return now + ((1 - this.#tokens) / this.#rate) * 1000;
  }

  started(): void {
    this.#tokens -= 1;
  }

  unused(): void {
    this.#tokens += 1;
  }

  #refill(now: number): void {
    if (now <= this.#at) return;
    const most = Math.max(1, this.#rate * SAVED_SECONDS);
    this.#tokens = Math.min(most, this.#tokens + ((now - this.#at) / 1000) * this.#rate);
    this.#at = now;
  }
}
