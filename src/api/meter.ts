/** Counts the requests of one run, for the summary's `requests` and `tookMs`. */
import type { RequestRecord } from './client.ts';

export interface RequestTotals {
  /** Requests sent, including those answered 429. */
  sent: number;
  /** Answered 429. */
  limited: number;
  /** From the first request to the last answer, whole ms; 0 when nothing was sent. */
  tookMs: number;
}

export class RequestMeter {
  #sent = 0;
  #limited = 0;
  #firstAt: number | undefined;
  #lastAt = 0;

  /** Pass it to the client as `onRequest`. */
  readonly onRequest = (record: RequestRecord): void => {
    const now = performance.now();
    this.#firstAt ??= now - record.tookMs;
    this.#lastAt = now;
    this.#sent += 1;
    if (record.status === 429) this.#limited += 1;
  };

  get totals(): RequestTotals {
    const tookMs = this.#firstAt === undefined ? 0 : Math.round(this.#lastAt - this.#firstAt);
    return { sent: this.#sent, limited: this.#limited, tookMs };
  }
}
