/**
 * Decides how many requests may start now. Pure bookkeeping; times are arguments.
 *
 * Two modes, chosen by what the server sends (design §5):
 * - *advertised* (advertised-budget.ts): answers carry the remaining budget; requests in flight are deducted;
 * - *silent* (rate-search.ts): the rate is found from 429s alone. In both modes, a 429 stops all requests for as long
 *   as the server asks.
 */
import { Concurrency } from './concurrency.ts';
import { RateCap } from './rate-cap.ts';
import type { RateLimitReading } from './rate-limit-headers.ts';
import { type Counted, RateSearch } from './rate-search.ts';
import { type Spending, AdvertisedBudget } from './advertised-budget.ts';

export interface PacerOptions {
  /** Maximum requests per second, even if the server allows more. Default: no maximum. */
  maxRate?: number;
  /** Maximum requests in flight. Default 64, the ceiling of design §5. */
  maxConcurrency?: number;
}

/** A request in flight, as the pacer records it. */
export interface Start extends Spending {
  /** The request as the search counts it. */
  readonly counted: Counted;
}

/** The facts about an answer that the pacer needs. */
export interface AnswerFacts {
  start: Start;
  limited: boolean;
  reading: RateLimitReading;
  now: number;
  /** No answer came (reset, timeout), so it is unknown whether the server counted the request. */
  lost?: boolean;
}

/** The least wait after successive 429s without a success, doubled each time, even if the server asks for less. */
const MIN_WAIT_MS = 25;
const MAX_LEAST_WAIT_MS = 60_000;
/** Answers without a budget before the server counts as silent again. */
const SILENT_AFTER = 50;

export class Pacer {
  readonly #cap: RateCap;
  readonly #concurrency: Concurrency;
  readonly #search: RateSearch;
  readonly #maxRate: number;
  #advertised: AdvertisedBudget | undefined;
  #sequence = 0;
  #inFlight = 0;
  #pausedUntil = 0;
  #limitedAtSequence = 0;
  #leastWaitMs = MIN_WAIT_MS;
  #silentAnswers = 0;

  constructor(options: PacerOptions = {}) {
    this.#maxRate = options.maxRate ?? Number.POSITIVE_INFINITY;
    this.#cap = new RateCap(this.#maxRate);
    this.#concurrency = new Concurrency(options.maxConcurrency);
    this.#search = new RateSearch();
  }

  /** How many requests may be in flight now. */
  get concurrency(): number {
    return this.#concurrency.limit;
  }

  /** When the server's pause ends, on the caller's clock; 0 without a pause. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Requests a second known to be allowed; undefined if unknown. */
  get knownRate(): number | undefined {
    const rate = Math.min(this.#advertised?.rate ?? this.#search.rate, this.#maxRate);
    return Number.isFinite(rate) ? rate : undefined;
  }

  /** Requests a second, inferred from 429s alone; undefined if answers carry the budget or no 429 came. */
  get foundRate(): number | undefined {
    return this.#advertised === undefined && this.#search.met429 ? this.#search.rate : undefined;
  }

  /** Starts the search at `rate` requests a second, unless the rate is already known. */
  beginAt(rate: number): void {
    this.#search.beginAt(rate);
  }

  /** How many more requests may start at `now`. */
  available(now: number): number {
    if (now < this.#pausedUntil) return 0;
    const server =
      this.#advertised === undefined
        ? this.#search.available(now, this.#inFlight)
        : this.#advertised.available(now, this.#inFlight);
    return Math.min(server, this.#cap.available(now));
  }

  /** When to ask again if time will change `available`; undefined if only an answer can. */
  nextAt(now: number): number | undefined {
    if (now < this.#pausedUntil) return this.#pausedUntil;
    const server =
      this.#advertised === undefined
        ? this.#search.nextAt(now)
        : this.#advertised.nextAt(now, this.#inFlight);
    const cap = this.#cap.nextAt(now);
    if (server !== undefined || cap !== undefined) return Math.max(server ?? 0, cap ?? 0, now);
    // No answer is due and no time is known: look again soon instead of never.
    return this.#inFlight === 0 ? now + 50 : undefined;
  }

  /** Records the start of a request. Pass the result back with its answer. */
  started(now: number): Start {
    this.#sequence += 1;
    const beside = this.#inFlight;
    this.#inFlight += 1;
    this.#cap.started();
    const counted = this.#search.started(this.#sequence, now);
    const spending = this.#advertised?.started(this.#sequence, now, beside) ?? {
      sequence: this.#sequence,
      at: now,
      gains: 0,
      beside,
      group: undefined,
      spentAt: Number.NEGATIVE_INFINITY,
    };
    return { ...spending, counted };
  }

  /** The request was never sent. */
  unused(start: Start): void {
    this.#inFlight -= 1;
    this.#cap.unused();
    this.#search.unused(start.counted);
    this.#advertised?.unused(start);
  }

  answered(facts: AnswerFacts): void {
    const { start, reading, now } = facts;
    this.#inFlight -= 1;
    if (facts.lost === true) {
      this.#advertised?.silent(start);
      return;
    }
    const latencyMs = now - start.at;
    this.#search.answered(start.counted, now, Math.min(latencyMs, this.#concurrency.fastestMs));
    if (facts.limited) {
      this.#onLimited(facts);
      return;
    }
    this.#leastWaitMs = MIN_WAIT_MS;
    this.#read(start, reading, latencyMs);
    if (this.#advertised === undefined) this.#search.admitted(start.counted);
    this.#concurrency.answered(
      latencyMs,
      this.#inFlight + 1 >= this.#concurrency.limit && this.available(now) >= 1,
    );
  }

  #read(start: Start, reading: RateLimitReading, latencyMs: number): void {
    if (reading.remaining === undefined) {
      if (this.#advertised === undefined) return;
      this.#silentAnswers += 1;
      if (this.#silentAnswers >= SILENT_AFTER) this.#advertised = undefined;
      else this.#advertised.silent(start);
      return;
    }
    this.#silentAnswers = 0;
    const answer = { at: start.at + latencyMs, fastestMs: Math.min(latencyMs, this.#concurrency.fastestMs) };
    if (this.#advertised === undefined)
      this.#advertised = new AdvertisedBudget(start, reading, answer, this.#sequence, this.#inFlight);
    else this.#advertised.answered(start, reading, answer, this.#inFlight);
  }

  #onLimited(facts: AnswerFacts): void {
    const { start, reading, now } = facts;
    const advisedMs = reading.retryAfterMs ?? reading.resetMs;
    // Several 429s in one burst are one event.
    const again = start.sequence > this.#limitedAtSequence;
    let waitMs: number;
    if (this.#advertised === undefined) {
      waitMs = this.#search.limited(
        start.counted,
        this.#sequence,
        now,
        advisedMs,
        this.#concurrency.latencyMs,
      );
    } else {
      waitMs = Math.max(advisedMs ?? 0, this.#leastWaitMs);
      if (again) this.#leastWaitMs = Math.min(this.#leastWaitMs * 2, MAX_LEAST_WAIT_MS);
    }
    if (again) this.#limitedAtSequence = this.#sequence;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs);
    if (this.#advertised !== undefined) this.#advertised.limited(start, reading, this.#pausedUntil);
  }
}
