/** Turns single rows into a few progress events a second. */
import type { Clock } from '../../base/clock.ts';
import type { Emit } from '../job/events.ts';

const INTERVAL_MS = 200;
const RATE_SPAN_MS = 5000;

export class ProgressMeter {
  readonly #clock: Clock;
  readonly #emit: Emit;
  #total = 0;
  #unit: 'row' | 'item' = 'row';
  #done = 0;
  #lastAt = 0;
  #samples: { at: number; done: number }[] = [];

  constructor(clock: Clock, emit: Emit) {
    this.#clock = clock;
    this.#emit = emit;
  }

  begin(total: number, unit: 'row' | 'item'): void {
    this.#total = total;
    this.#unit = unit;
  }

  /** Rows that settling or a look-up has ended: they are done, but do not count for the speed. */
  settled(rows: number): void {
    this.#done += rows;
    for (const sample of this.#samples) sample.done += rows;
  }

  advance(): void {
    const now = this.#clock.monotonic();
    // The first answer starts the clock: before it came settling, not sending.
    if (this.#samples.length === 0) this.#samples = [{ at: now, done: this.#done + 1 }];
    this.#done += 1;
    if (now - this.#lastAt < INTERVAL_MS) return;
    this.#lastAt = now;
    this.#tell(now);
  }

  end(): void {
    if (this.#done > 0) this.#tell(this.#clock.monotonic());
  }

  #tell(now: number): void {
    this.#samples.push({ at: now, done: this.#done });
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? now) < now - RATE_SPAN_MS)
      this.#samples.shift();
    const first = this.#samples[0] ?? { at: now, done: this.#done };
    const perSecond = now > first.at ? ((this.#done - first.done) / (now - first.at)) * 1000 : 0;
    // A row that two answers named is counted twice.
    const done = Math.min(this.#done, this.#total);
    const left = this.#total - done;
    // An estimate from less than two seconds would jump about.
    const leftMs = perSecond > 0 && now - first.at > 2000 ? (left * 1000) / perSecond : undefined;
    this.#emit({ type: 'sending', done, total: this.#total, unit: this.#unit, perSecond, leftMs });
  }
}
