/**
 * A pacer against the sandbox's own limiters and headers, on simulated time: hours of traffic in milliseconds.
 */
import { type PacerOptions, Pacer } from '../../src/api/pacer.ts';
import { dateOf, readRateLimit } from '../../src/api/rate-limit-headers.ts';
import { ServerClock } from '../../src/api/server-clock.ts';
import { createLimiter } from '../../src/sandbox/limits/create-limiter.ts';
import { rateHeaders } from '../../src/sandbox/limits/rate-headers.ts';
import type { HeaderStyle, LimiterKind, RateLimit } from '../../src/sandbox/settings.ts';

export interface Simulation {
  limiter: LimiterKind;
  headers: HeaderStyle;
  rate: RateLimit;
  /** Round trip, ms. */
  latencyMs: number;
  /** Each way takes up to this much longer, at random. Default 1. */
  jitterMs?: number;
  /** Ends after this many ms. */
  durationMs: number;
  /** Or after this many answers of 2xx. */
  stopAfter?: number;
  /** What is counted begins here; default after two windows. */
  measureFromMs?: number;
  /** New limits, each a fresh limiter, from `at` on. */
  changes?: { at: number; rate: RateLimit }[];
  /** Another program: one request at each of these moments, whatever it is told. */
  others?: (now: number) => number | undefined;
  /** The server's clock less ours, ms. Default 0. */
  clockOffsetMs?: number;
  /** Rewrites the headers. */
  rewrite?: (headers: Record<string, string>, admitted: boolean) => Record<string, string>;
  /** When the first request leaves. Seconds and windows need not fit together. Default 12,345.678. */
  startMs?: number;
  pacer?: PacerOptions;
  seed?: number;
}

export interface Outcome {
  admitted: number;
  limited: number;
  /** Of all requests counted. */
  limitedShare: number;
  /** Admitted over limit × windows. */
  share: number;
  /** Of the whole run. */
  total: { admitted: number; limited: number; ms: number };
  othersAdmitted: number;
  othersLimited: number;
  /** Admitted in each window from the start. */
  windows: number[];
  pacer: Pacer;
  mostInFlight: number;
}

type Happening = { at: number; order: number; run: () => void };

export function simulate(options: Simulation): Outcome {
  const { latencyMs, durationMs } = options;
  const jitterMs = options.jitterMs ?? 1;
  const startMs = options.startMs ?? 12_345.678;
  const end = startMs + durationMs;
  const measureFrom = startMs + (options.measureFromMs ?? 2 * options.rate.windowMs);
  let rate = options.rate;
  let limiter = createLimiter(options.limiter, rate);
  const pacer = new Pacer(options.pacer);
  const serverClock = new ServerClock();
  const random = generator(options.seed ?? 1);
  const queue = new Heap();
  const wall = 1_780_000_000_000 + (options.clockOffsetMs ?? 0);
  const outcome = { admitted: 0, limited: 0, othersAdmitted: 0, othersLimited: 0 };
  const total = { admitted: 0, limited: 0, ms: 0 };
  const windows: number[] = [];
  let now = startMs;
  let inFlight = 0;
  let mostInFlight = 0;
  let wakeAt = Number.POSITIVE_INFINITY;
  let stopped = false;

  const send = () => {
    const start = pacer.started(now);
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    queue.add(now + latencyMs / 2 + random() * jitterMs, () => {
      const arrivedAt = now;
      const admission = limiter.take(arrivedAt);
      const admitted = admission.admitted;
      total[admitted ? 'admitted' : 'limited'] += 1;
      if (arrivedAt >= measureFrom && arrivedAt < end) outcome[admitted ? 'admitted' : 'limited'] += 1;
      if (admitted) {
        const index = Math.floor((arrivedAt - startMs) / options.rate.windowMs);
        windows[index] = (windows[index] ?? 0) + 1;
      }
      const flat = rateHeaders(options.headers, rate, admission, wall + arrivedAt);
      let headers: Record<string, string> = { date: new Date(wall + arrivedAt).toUTCString() };
      for (let index = 0; index < flat.length; index += 2)
        headers[(flat[index] ?? '').toLowerCase()] = flat[index + 1] ?? '';
      headers = options.rewrite?.(headers, admitted) ?? headers;
      queue.add(now + latencyMs / 2 + random() * jitterMs, () => {
        inFlight -= 1;
        const ourWall = 1_780_000_000_000 + now;
        const reading = readRateLimit(headers, ourWall, serverClock.observe(dateOf(headers), start.at, now));
        pacer.answered({ start, limited: !admitted, reading, now });
        if (total.admitted >= (options.stopAfter ?? Number.POSITIVE_INFINITY)) stopped = true;
      });
    });
  };

  for (const change of options.changes ?? []) {
    queue.add(startMs + change.at, () => {
      rate = change.rate;
      limiter = createLimiter(options.limiter, rate);
    });
  }
  const scheduleOther = () => {
    const next = options.others?.(now - startMs);
    if (next === undefined) return;
    queue.add(startMs + next, () => {
      const { admitted } = limiter.take(now);
      if (now >= measureFrom) outcome[admitted ? 'othersAdmitted' : 'othersLimited'] += 1;
      scheduleOther();
    });
  };
  scheduleOther();

  // oxlint-disable-next-line no-unmodified-loop-condition -- set by what happens
  while (!stopped) {
    while (inFlight < pacer.concurrency && pacer.available(now) >= 1) send();
    if (inFlight < pacer.concurrency) {
      const at = pacer.nextAt(now);
      // A timer of Node: whole milliseconds, and up to one late.
      const mine = at === undefined ? wakeAt : Math.max(Math.ceil(at - now), 1) + now + random();
      if (mine < wakeAt) {
        wakeAt = mine;
        queue.add(mine, () => {
          if (wakeAt === mine) wakeAt = Number.POSITIVE_INFINITY;
        });
      }
    }
    const next = queue.take();
    if (next === undefined) throw new Error(`nothing will ever happen again at ${now - startMs} ms`);
    if (next.at >= end) break;
    now = next.at;
    next.run();
  }
  total.ms = now - startMs;
  const sent = outcome.admitted + outcome.limited;
  const windowsMeasured = (end - measureFrom) / options.rate.windowMs;
  return {
    ...outcome,
    limitedShare: sent === 0 ? 0 : outcome.limited / sent,
    share: outcome.admitted / (windowsMeasured * options.rate.limit),
    total,
    windows,
    pacer,
    mostInFlight,
  };
}

/** mulberry32: the same seed, the same run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What happens next, by time, then by the order in which it was planned. */
class Heap {
  readonly #items: Happening[] = [];
  #order = 0;

  add(at: number, run: () => void): void {
    const item = { at, order: (this.#order += 1), run };
    const items = this.#items;
    let index = items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent] as Happening;
      if (!before(item, above)) break;
      items[index] = above;
      index = parent;
    }
    items[index] = item;
  }

  take(): Happening | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && before(items[child + 1] as Happening, items[child] as Happening))
        child += 1;
      if (!before(items[child] as Happening, last)) break;
      items[index] = items[child] as Happening;
      index = child;
    }
    items[index] = last;
    return first;
  }
}

function before(a: Happening, b: Happening): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
