/**
 * Decides how many requests may start now. Pure bookkeeping on times that are handed in.
 *
 * Two regimes, chosen by what the server says:
 *  - *told*: answers carry a remaining budget. What the newest answer says remains, less what left after it,
 *    may start. When its window ends, a few requests go first; once the server has shown that its window
 *    comes back whole, the next windows start at full width.
 *  - *silent*: no answer tells a budget. Everything goes until a 429; from then on a rate is held, found by
 *    additive increase and multiplicative decrease.
 * In both a 429 stops the whole lane for as long as the server says (DESIGN §5).
 */
import type { RateLimitReading } from './rate-limit-headers.ts';

export interface PacerOptions {
  /** Most requests a second, whatever the server would admit. Default: no cap of ours. */
  maxRate?: number;
  /** Most requests in flight. Default 64, the ceiling of DESIGN §5. */
  maxConcurrency?: number;
}

/** What the pacer wants to know of an answer. */
export interface AnswerFacts {
  /** From `started`. */
  sequence: number;
  limited: boolean;
  reading: RateLimitReading;
  /** Round trip in ms. */
  latencyMs: number;
  now: number;
  /** No answer came (reset, timeout): only the bookkeeping of what is in flight changes. */
  lost?: boolean;
}

const START_CONCURRENCY = 4;
/** Below this latency, or in the first creates of a job, more in flight buys nothing and risks much. */
const FAST_ANSWER_MS = 5;
const CONCURRENCY_WHEN_FAST = 16;
/** Probes into a window whose width is not proven yet. */
const PROBES = 2;
/** After a 429 that says nothing, wait this long, doubled at each that follows without a success between. */
const BLIND_WAIT_MS = 1000;
const BLIND_WAIT_MAX_MS = 60_000;
const DECREASE = 0.8;
/** Additive increase: this share of the rate, each second without a 429. */
const INCREASE_PER_SECOND = 0.02;

export class Pacer {
  readonly #maxRate: number;
  readonly #maxConcurrency: number;
  #sequence = 0;
  #inFlight = 0;
  /** What a caller may hold in flight now. */
  #concurrency = START_CONCURRENCY;
  #answersSinceGrowth = 0;
  #latencyMs = 0;
  #pausedUntil = 0;
  #blindWaitMs = BLIND_WAIT_MS;

  // told
  #told: { sequence: number; remaining: number; resetAt: number | undefined } | undefined;
  #limit: number | undefined;
  #windowComesBackWhole = false;
  #probingSince: number | undefined;

  // silent, and --max-rate
  #rate = Number.POSITIVE_INFINITY;
  #rateChangedAt = 0;
  #tokens = 1;
  #tokensAt = 0;
  #admitted: number[] = [];

  constructor(options: PacerOptions = {}) {
    this.#maxRate = options.maxRate ?? Number.POSITIVE_INFINITY;
    this.#maxConcurrency = Math.min(options.maxConcurrency ?? 64, 64);
    this.#concurrency = Math.min(START_CONCURRENCY, this.#maxConcurrency);
  }

  /** How many may be in flight at once, now. */
  get concurrency(): number {
    return this.#concurrency;
  }

  /** Until when the server has told everybody to wait; 0 when it has not. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Requests a second that are known to be admitted; undefined while nothing is known. */
  get knownRate(): number | undefined {
    const rate = Math.min(this.#rate, this.#maxRate);
    return Number.isFinite(rate) ? rate : undefined;
  }

  /** Budget for requests that may start at `now`, beyond those already started. */
  available(now: number): number {
    if (now < this.#pausedUntil) return 0;
    return Math.max(0, Math.floor(Math.min(this.#toldBudget(now), this.#rateBudget(now))));
  }

  /** When to ask again, where `available` is 0 for want of time rather than of answers. */
  nextAt(now: number): number | undefined {
    if (now < this.#pausedUntil) return this.#pausedUntil;
    const told = this.#toldBudget(now);
    if (told < 1) {
      const resetAt = this.#told?.resetAt;
      // Nothing in flight and no reset told: look again in a second, rather than never.
      return resetAt !== undefined && resetAt > now ? resetAt : now + (this.#inFlight === 0 ? 50 : 1000);
    }
    const rate = Math.min(this.#rate, this.#maxRate);
    if (this.#rateBudget(now) < 1) return now + Math.max(1, ((1 - this.#tokens) / rate) * 1000);
    return undefined;
  }

  /** A request starts. Returns the sequence number to give back with its answer. */
  started(now: number): number {
    this.#refill(now);
    if (Number.isFinite(Math.min(this.#rate, this.#maxRate))) this.#tokens -= 1;
    this.#inFlight += 1;
    this.#sequence += 1;
    return this.#sequence;
  }

  answered(facts: AnswerFacts): void {
    this.#inFlight -= 1;
    if (facts.lost) return;
    if (facts.limited) {
      this.#onLimited(facts);
      return;
    }
    this.#blindWaitMs = BLIND_WAIT_MS;
    this.#noteAdmitted(facts.now);
    this.#readTold(facts);
    this.#grow(facts);
  }

  #toldBudget(now: number): number {
    const told = this.#told;
    if (told === undefined) return Number.POSITIVE_INFINITY;
    const left = told.remaining - (this.#sequence - told.sequence);
    if (told.resetAt === undefined || now < told.resetAt) return left;
    // The window that was told is over.
    if (this.#limit === undefined) return Math.max(left, PROBES - this.#inFlight);
    if (this.#windowComesBackWhole) return Math.max(left, this.#limit - this.#inFlight);
    this.#probingSince ??= this.#sequence;
    return Math.max(left, PROBES - this.#inFlight);
  }

  #readTold(facts: AnswerFacts): void {
    const { reading, sequence, now } = facts;
    if (reading.limit !== undefined && reading.limit > 0) this.#limit = reading.limit;
    if (reading.remaining === undefined) return;
    if (this.#told !== undefined && sequence < this.#told.sequence) return;
    const resetAt = reading.resetMs === undefined ? undefined : now + reading.resetMs;
    if (this.#probingSince !== undefined && sequence > this.#probingSince) {
      // A whole window is back when only our own probes are missing from it.
      const missing = (this.#limit ?? Number.POSITIVE_INFINITY) - reading.remaining;
      this.#windowComesBackWhole = missing <= this.#sequence - this.#probingSince + 1;
      this.#probingSince = undefined;
    }
    this.#told = { sequence, remaining: reading.remaining, resetAt };
  }

  #onLimited(facts: AnswerFacts): void {
    const { reading, now } = facts;
    const toldWait = reading.retryAfterMs ?? reading.resetMs;
    if (toldWait === undefined || toldWait === 0) {
      this.#pausedUntil = Math.max(this.#pausedUntil, now + this.#blindWaitMs);
      this.#blindWaitMs = Math.min(this.#blindWaitMs * 2, BLIND_WAIT_MAX_MS);
    } else this.#pausedUntil = Math.max(this.#pausedUntil, now + toldWait);
    this.#windowComesBackWhole = false;
    if (this.#told !== undefined) {
      this.#told = { sequence: this.#sequence, remaining: 0, resetAt: this.#pausedUntil };
      this.#probingSince = undefined;
      return;
    }
    // Several answers of one burst are one event: decrease once until the lane has gone on.
    if (this.#rateChangedAt > 0 && now < this.#rateChangedAt) return;
    const recent = this.#recentRate(now);
    this.#rate = Math.max(0.1, Math.min(this.#rate, recent) * DECREASE);
    this.#rateChangedAt = this.#pausedUntil;
    this.#tokens = 0;
    this.#tokensAt = this.#pausedUntil;
  }

  /** Grows by one a round trip, and only where answers take long enough for more to help. */
  #grow(facts: AnswerFacts): void {
    this.#latencyMs = this.#latencyMs === 0 ? facts.latencyMs : this.#latencyMs * 0.9 + facts.latencyMs * 0.1;
    const ceiling = Math.min(
      this.#maxConcurrency,
      this.#latencyMs < FAST_ANSWER_MS || this.#sequence < 200 ? CONCURRENCY_WHEN_FAST : 64,
    );
    this.#answersSinceGrowth += 1;
    if (this.#answersSinceGrowth < this.#concurrency) return;
    this.#answersSinceGrowth = 0;
    if (this.#concurrency < ceiling) this.#concurrency += 1;
    else if (this.#concurrency > ceiling) this.#concurrency = ceiling;
  }

  #rateBudget(now: number): number {
    this.#refill(now);
    return Number.isFinite(Math.min(this.#rate, this.#maxRate)) ? this.#tokens : Number.POSITIVE_INFINITY;
  }

  #refill(now: number): void {
    if (Number.isFinite(this.#rate) && now > this.#rateChangedAt) {
      this.#rate *= 1 + INCREASE_PER_SECOND * Math.min(1, (now - this.#rateChangedAt) / 1000);
      this.#rateChangedAt = now;
    }
    const rate = Math.min(this.#rate, this.#maxRate);
    if (!Number.isFinite(rate)) return;
    if (now > this.#tokensAt) {
      // A twentieth of a second's worth may be saved up, so that timers that fire late lose nothing.
      const most = Math.max(1, rate / 20);
      this.#tokens = Math.min(most, this.#tokens + ((now - this.#tokensAt) / 1000) * rate);
      this.#tokensAt = now;
    }
  }

  #noteAdmitted(now: number): void {
    if (this.#told !== undefined) return;
    this.#admitted.push(now);
    if (this.#admitted.length > 4096) this.#admitted.splice(0, 2048);
  }

  /** Requests admitted in the last second, as a rate. */
  #recentRate(now: number): number {
    const since = this.#admitted.filter((at) => at > now - 1000);
    return Math.max(1, since.length);
  }
}
