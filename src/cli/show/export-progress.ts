/** The progress of an export in a line: pages, rows, rate, time left. */
import type { ExportEvent } from '../../export/read/source.ts';
import { duration } from '../../base/words.ts';
import { count, counted } from '../../base/counted.ts';

/** Until this time, the rate is a guess. */
const RATE_AFTER_MS = 1500;

export class ExportProgress {
  readonly #now: () => number;
  #entries: number | undefined;
  #pages = 0;
  #begin: { at: number; seen: number } | undefined;

  /** @param now monotonic ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The text after an event; undefined if there is nothing new to show. */
  after(event: ExportEvent): string | undefined {
    switch (event.type) {
      case 'counted':
        this.#entries = event.entries;
        return undefined;
      case 'page':
        this.#pages = event.pages;
        return undefined;
      case 'read':
        return this.#reading(event.rows, event.seen);
      case 'written':
        return `writing: ${counted(event.rows, 'row')}`;
      default:
        return undefined;
    }
  }

  #reading(rows: number, seen: number): string {
    const now = this.#now();
    // If a reading continues or begins again, its rate is measured from that point.
    if (this.#begin === undefined || seen < this.#begin.seen) this.#begin = { at: now, seen };
    const ms = now - this.#begin.at;
    const perMs = ms < RATE_AFTER_MS ? 0 : (seen - this.#begin.seen) / ms;
    const parts = [
      this.#entries === undefined
        ? `reading: ${count(seen)}`
        : `reading: ${count(seen)} of ${count(this.#entries)} (${percent(seen, this.#entries)} %)`,
      counted(this.#pages, 'page'),
    ];
    if (rows !== seen) parts.push(`${counted(rows, 'row')} selected`);
    if (perMs > 0) parts.push(`${count(Math.round(perMs * 1000))}/s`);
    const left = (this.#entries ?? 0) - seen;
    if (perMs > 0 && left > 0) parts.push(`${duration(left / perMs)} left`);
    return parts.join(', ');
  }
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.min(100, Math.floor((part / whole) * 100));
}
