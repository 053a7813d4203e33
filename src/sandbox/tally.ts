/** Counts the requests to the sandbox. */
import type { OperationName } from './settings.ts';

/** A request's outcome: its status, or what happened on the wire. */
export type Outcome = `${number}` | 'dropped' | 'cut' | 'stalled';

/** Requests to a sandbox. */
export interface RequestCounts {
  /** All requests under the API's prefix. */
  requests: number;
  /** Answers 429. */
  limited: number;
  /** Most requests received within one second (in steps of 50 ms). */
  peakPerSecond: number;
  /** By operation (`unknown` for anything else) and outcome. */
  byOperation: Partial<Record<OperationName | 'unknown', Partial<Record<Outcome, number>>>>;
}

const SLOT_MS = 50;
const SLOTS = 1000 / SLOT_MS;

export class Tally {
  #requests = 0;
  #limited = 0;
  #peak = 0;
  #byOperation: RequestCounts['byOperation'] = {};
  readonly #slots = Array.from<number>({ length: SLOTS }).fill(0);
  #slot = 0;
  #inLastSecond = 0;

  arrived(nowMs: number): void {
    this.#requests += 1;
    const slot = Math.floor(nowMs / SLOT_MS);
    for (let empty = Math.max(this.#slot + 1, slot - SLOTS + 1); empty <= slot; empty += 1) {
      this.#inLastSecond -= this.#slots[empty % SLOTS] ?? 0;
      this.#slots[empty % SLOTS] = 0;
    }
    this.#slot = slot;
    this.#slots[slot % SLOTS] = (this.#slots[slot % SLOTS] ?? 0) + 1;
    this.#inLastSecond += 1;
    if (this.#inLastSecond > this.#peak) this.#peak = this.#inLastSecond;
  }

  ended(operation: OperationName | undefined, outcome: Outcome): void {
    if (outcome === '429') this.#limited += 1;
    const outcomes = (this.#byOperation[operation ?? 'unknown'] ??= {});
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }

  counts(): RequestCounts {
    return {
      requests: this.#requests,
      limited: this.#limited,
      peakPerSecond: this.#peak,
      byOperation: structuredClone(this.#byOperation),
    };
  }

  /** Resets all counts. Requests in flight are counted when they end. */
  reset(): void {
    this.#requests = 0;
    this.#limited = 0;
    this.#peak = 0;
    this.#byOperation = {};
    this.#slots.fill(0);
    this.#inLastSecond = 0;
  }
}
