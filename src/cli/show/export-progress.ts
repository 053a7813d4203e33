/** The progress of an export in a line: pages, rows, rate, time left. */
import type { ExportEvent } from '../../export/read/source.ts';
import { message } from '../../messages/message.ts';
import { say } from './say.ts';

/** Until this time, the rate is a guess. */
const RATE_AFTER_MS = 1500;

export class ExportProgress {
  #entries: number | undefined;
  #pages = 0;
  #begin: { at: number; seen: number } | undefined;

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
        return say(message('rows_being_written', { rows: event.rows }));
      default:
        return undefined;
    }
  }

  #reading(rows: number, seen: number): string {
    const now = performance.now();
    // If a reading continues or begins again, its rate is measured from that point.
    if (this.#begin === undefined || seen < this.#begin.seen) this.#begin = { at: now, seen };
    const ms = now - this.#begin.at;
    const perMs = ms < RATE_AFTER_MS ? 0 : (seen - this.#begin.seen) / ms;
    const entries = this.#entries;
    const left = (entries ?? 0) - seen;
    return say(
      message('list_being_read', {
        seen,
        ...(entries === undefined ? {} : { entries, percent: percent(seen, entries) }),
        pages: this.#pages,
        ...(rows === seen ? {} : { selected: rows }),
        ...(perMs > 0 ? { perSecond: Math.round(perMs * 1000) } : {}),
        ...(perMs > 0 && left > 0 ? { left: left / perMs } : {}),
      }),
    );
  }
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.min(100, Math.floor((part / whole) * 100));
}
