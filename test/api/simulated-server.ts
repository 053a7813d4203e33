/**
 * A pacer against the sandbox's own limiters and headers, on simulated time: hours of traffic in milliseconds.
 */
import { type PacerOptions, Pacer, type Start } from '../../src/api/pacer.ts';
import { dateOf, readRateLimit } from '../../src/api/rate-limit-headers.ts';
import { ServerClock } from '../../src/api/server-clock.ts';
import { createLimiter, type Limiter } from '../../src/sandbox/limits/limiter.ts';
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
  /** Until then each way takes up to so much longer: connections are opened, code is loaded. */
  slowStart?: { untilMs: number; byMs: number };
  /** Every so often on average our process stands still, for up to so long: its timers and answers come late. */
  stalls?: { everyMs: number; upToMs: number };
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

/** Our clock on the wall at 0. */
const WALL = 1_780_000_000_000;

type Happening = { at: number; order: number; run: () => void };

export function simulate(options: Simulation): Outcome {
  return simulateLanes(options, { lanes: 1, workMs: 0 })[0] as Outcome;
}

/** What several keys share that are served by one process. */
export interface SharedProcess {
  /** Keys, each with a limiter of its own. */
  lanes: number;
  /** What it takes the process to send a request, and again to take its answer: one after another. */
  workMs: number;
}

/** The same for several keys whose requests wait for each other in one process. */
export function simulateLanes(options: Simulation, { lanes: count, workMs }: SharedProcess): Outcome[] {
  const { durationMs } = options;
  const startMs = options.startMs ?? 12_345.678;
  const time: Time = {
    now: startMs,
    queue: new Heap(),
    random: generator(options.seed ?? 1),
    stopped: false,
  };
  let busyUntil = startMs;
  const work = (run: () => void) => {
    if (workMs === 0 && time.now >= busyUntil) {
      run();
      return;
    }
    busyUntil = Math.max(busyUntil, time.now) + workMs;
    time.queue.add(busyUntil, run);
  };
  const { stalls } = options;
  const stall = ({ everyMs, upToMs }: NonNullable<Simulation['stalls']>) => {
    busyUntil = Math.max(busyUntil, time.now) + time.random() * upToMs;
    // What waits for the process goes on then.
    time.queue.add(busyUntil, () => undefined);
    time.queue.add(busyUntil + 2 * time.random() * everyMs, () => stall({ everyMs, upToMs }));
  };
  if (stalls !== undefined) time.queue.add(startMs, () => stall(stalls));
  const lanes = Array.from({ length: count }, () => new SimulatedLane(options, startMs, time, work));
  // oxlint-disable-next-line no-unmodified-loop-condition -- set by what happens
  while (!time.stopped) {
    if (stalls === undefined || time.now >= busyUntil) for (const lane of lanes) lane.sendWhatMayLeave();
    const next = time.queue.take();
    if (next === undefined) throw new Error(`nothing will ever happen again at ${time.now - startMs} ms`);
    if (next.at >= startMs + durationMs) break;
    time.now = next.at;
    next.run();
  }
  return lanes.map((lane) => lane.outcome());
}

interface Time {
  now: number;
  queue: Heap;
  random: () => number;
  stopped: boolean;
}

/** One key: its pacer, and the limiter that the server keeps for it. */
class SimulatedLane {
  readonly #options: Simulation;
  readonly #startMs: number;
  readonly #measureFrom: number;
  readonly #time: Time;
  readonly #work: (run: () => void) => void;
  readonly #pacer: Pacer;
  readonly #serverClock = new ServerClock();
  readonly #counts = { admitted: 0, limited: 0, othersAdmitted: 0, othersLimited: 0 };
  readonly #total = { admitted: 0, limited: 0, ms: 0 };
  readonly #windows: number[] = [];
  #rate: RateLimit;
  #limiter: Limiter;
  #inFlight = 0;
  #mostInFlight = 0;
  #wakeAt = Number.POSITIVE_INFINITY;

  constructor(options: Simulation, startMs: number, time: Time, work: (run: () => void) => void) {
    this.#options = options;
    this.#startMs = startMs;
    this.#measureFrom = startMs + (options.measureFromMs ?? 2 * options.rate.windowMs);
    this.#time = time;
    this.#work = work;
    this.#pacer = new Pacer(options.pacer);
    this.#rate = options.rate;
    this.#limiter = createLimiter(options.limiter, options.rate);
    for (const change of options.changes ?? []) {
      time.queue.add(startMs + change.at, () => {
        this.#rate = change.rate;
        this.#limiter = createLimiter(options.limiter, change.rate);
      });
    }
    this.#scheduleOther();
  }

  sendWhatMayLeave(): void {
    const { now, queue, random } = this.#time;
    while (this.#inFlight < this.#pacer.concurrency && this.#pacer.available(now) >= 1) this.#send();
    if (this.#inFlight >= this.#pacer.concurrency) return;
    const at = this.#pacer.nextAt(now);
    // A timer of Node: whole milliseconds, and up to one late.
    const mine = at === undefined ? this.#wakeAt : Math.max(Math.ceil(at - now), 1) + now + random();
    if (mine >= this.#wakeAt) return;
    this.#wakeAt = mine;
    queue.add(mine, () => {
      if (this.#wakeAt === mine) this.#wakeAt = Number.POSITIVE_INFINITY;
    });
  }

  outcome(): Outcome {
    const { durationMs, rate } = this.#options;
    const { admitted, limited } = this.#counts;
    const windowsMeasured = (this.#startMs + durationMs - this.#measureFrom) / rate.windowMs;
    return {
      ...this.#counts,
      limitedShare: admitted + limited === 0 ? 0 : limited / (admitted + limited),
      share: admitted / (windowsMeasured * rate.limit),
      total: { ...this.#total, ms: this.#time.now - this.#startMs },
      windows: this.#windows,
      pacer: this.#pacer,
      mostInFlight: this.#mostInFlight,
    };
  }

  #send(): void {
    const start = this.#pacer.started(this.#time.now);
    this.#inFlight += 1;
    this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight);
    this.#work(() =>
      this.#travel(() => {
        const { admitted, headers } = this.#serve();
        this.#travel(() => this.#work(() => this.#answered(start, admitted, headers)));
      }),
    );
  }

  /** One way takes half of a round trip, and some. */
  #travel(arrive: () => void): void {
    const { latencyMs, jitterMs = 1, slowStart } = this.#options;
    const { now, queue, random } = this.#time;
    const slower = slowStart === undefined || now - this.#startMs > slowStart.untilMs ? 0 : slowStart.byMs;
    queue.add(now + latencyMs / 2 + random() * (jitterMs + slower), arrive);
  }

  #serve(): { admitted: boolean; headers: Record<string, string> } {
    const { rate, headers: style, durationMs, rewrite } = this.#options;
    const { now } = this.#time;
    const wall = WALL + (this.#options.clockOffsetMs ?? 0) + now;
    const admission = this.#limiter.take(now);
    const counted = admission.admitted ? 'admitted' : 'limited';
    this.#total[counted] += 1;
    if (now >= this.#measureFrom && now < this.#startMs + durationMs) this.#counts[counted] += 1;
    if (admission.admitted) {
      const index = Math.floor((now - this.#startMs) / rate.windowMs);
      this.#windows[index] = (this.#windows[index] ?? 0) + 1;
    }
    const flat = rateHeaders(style, this.#rate, admission, wall);
    const headers: Record<string, string> = { date: new Date(wall).toUTCString() };
    for (let index = 0; index < flat.length; index += 2)
      headers[(flat[index] ?? '').toLowerCase()] = flat[index + 1] ?? '';
    return {
      admitted: admission.admitted,
      headers: rewrite?.(headers, admission.admitted) ?? headers,
    };
  }

  #answered(start: Start, admitted: boolean, headers: Record<string, string>): void {
    const { now } = this.#time;
    this.#inFlight -= 1;
    const serverTime = this.#serverClock.observe(dateOf(headers), start.at, now);
    const reading = readRateLimit(headers, WALL + now, serverTime);
    this.#pacer.answered({ start, limited: !admitted, reading, now });
    if (this.#total.admitted >= (this.#options.stopAfter ?? Number.POSITIVE_INFINITY))
      this.#time.stopped = true;
  }

  #scheduleOther(): void {
    const { queue } = this.#time;
    const next = this.#options.others?.(this.#time.now - this.#startMs);
    if (next === undefined) return;
    queue.add(this.#startMs + next, () => {
      const { admitted } = this.#limiter.take(this.#time.now);
      if (this.#time.now >= this.#measureFrom)
        this.#counts[admitted ? 'othersAdmitted' : 'othersLimited'] += 1;
      this.#scheduleOther();
    });
  }
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
