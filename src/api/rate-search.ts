/**
 * Finds the rate of a server that advertises no budget, from its 429s alone (design §5).
 *
 * Requests are unlimited until the first 429, which shows what the server admits. From then on they are spread evenly,
 * which suits every kind of limiter. The rate climbs until the next 429, slowly at first and faster the longer none
 * comes (the limit may have risen), and starts again below the rate that failed: slightly below after a long climb, and
 * further the more of its time a climb has cost.
 *
 * Requests that a late timer or a busy process held up are sent as soon as possible, as long as the last second holds
 * no more than the rate allows. Without this, a busy process used 88 % of 100 requests per second; without the bound,
 * catching up caused 429s.
 */
import { type SpentGroup, SpentUnits } from './spent-units.ts';

/** Maximum share of requests that the search may spend on 429s; the goal is under 1 %. */
const LIMITED_SHARE = 0.005;
/** A climb lasts at least this many times the pause that may end it, so that pauses stay a small share. */
const PAUSES_A_CLIMB = 80;
/** The next climb starts this far below the rate that failed. */
const DECREASE = 0.98;
/** The lowest start, unless the limit has fallen: a single short climb may be chance. */
const LARGEST_DECREASE = 0.8;
/** An average over less time shows only how the last second was spread. */
const SHORTEST_AVERAGE_MS = 500;
/**
 * The part of a pause that counts as the cost of a climb. After a slow start of 100 a second with fixed windows, a
 * quarter used 77 % and an eighth 85 %; an eighth left buckets more 429s.
 */
const PAUSE_PART = 1 / 6;
/** By how much the rate has risen at the full length of a climb; half of the rise is even. */
const RISE = 0.04;
const SLOWEST_RATE = 1 / 3600;
const SECOND_MS = 1000;
/** Requests sent a second apart may arrive this much closer. */
const JITTER_MS = 5;
/** By how much a second may exceed the rate to make up for the previous one. */
const CATCH_UP = 1.01;
/** Delays of up to this much are made up for. */
const SAVED_SECONDS = 0.25;
/** Requests sent within this time are counted together. */
const GROUP_MS = 1;

/** A request as the search counts it. */
export interface Counted {
  readonly sequence: number;
  /** When it was sent, ms. */
  readonly at: number;
  readonly group: SpentGroup;
}

/** A 429, and the 429s that follow until a request is admitted again. */
interface Event {
  /** The request that started last before the 429 came. */
  sequence: number;
  /** When the limited request was sent, and when its 429 came. */
  sentAt: number;
  at: number;
  limited: number;
  /** True if the server said how long to wait. */
  advised: boolean;
  /** The last pause, and the sum of all pauses. */
  pauseMs: number;
  waitedMs: number;
  /** Requests admitted within the second before `sentAt`. */
  lastSecond: number;
}

export class RateSearch {
  #rate = Number.POSITIVE_INFINITY;
  #base = Number.POSITIVE_INFINITY;
  #tokens = 1;
  #tokensAt = 0;
  /** Requests that the server may have seen within the last two seconds. */
  readonly #recent = new SpentUnits();
  #fastestMs = 0;
  #latencyMs = 0;
  /** When the climb began, and requests admitted in it. */
  #climbStart: number | undefined;
  #admitted = 0;
  /** Length of the climb in requests. */
  #climb = 1 / LIMITED_SHARE;
  #event: Event | undefined;
  #probing = false;

  /** Starts at a rate from an earlier run, unless this search knows better. @param rate requests a second */
  beginAt(rate: number): void {
    if (this.#rate !== Number.POSITIVE_INFINITY || this.#probing) return;
    this.#rate = rate;
    this.#base = rate;
    this.#admitted = 0;
  }

  /** True if a 429 came, so that the rate is measured and not only remembered. */
  get met429(): boolean {
    return this.#event !== undefined && this.#rate !== Number.POSITIVE_INFINITY;
  }

  /** Requests a second; infinite before the first 429. */
  get rate(): number {
    return this.#rate;
  }

  available(now: number, inFlight: number): number {
    // One request at a time, until the first one after a pause is answered.
    if (this.#probing) return inFlight === 0 ? 1 : 0;
    if (this.#rate === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    this.#refill(now);
    this.#forget(now);
    return Math.max(0, Math.min(Math.floor(this.#tokens + 1e-9), this.#mostInSecond - this.#recent.units));
  }

  nextAt(now: number): number | undefined {
    if (this.available(now, 0) >= 1) return undefined;
    const tokenAt = now + (Math.max(0, 1 - this.#tokens) / this.#rate) * 1000;
    const { oldest, units } = this.#recent;
    return oldest === undefined || units < this.#mostInSecond
      ? tokenAt
      : Math.max(tokenAt, this.#leavesAt(oldest));
  }

  started(sequence: number, now: number): Counted {
    this.#climbStart ??= now;
    this.#refill(now);
    this.#tokens -= 1;
    // The second before that is kept, because the first 429 may come late.
    this.#forget(now - SECOND_MS);
    return { sequence, at: now, group: this.#recent.add(now, 1, GROUP_MS) };
  }

  /** The request was not sent. */
  unused({ group }: Counted): void {
    this.#tokens += 1;
    this.#recent.cancel(group);
  }

  /** An answer came: the server had seen the request by then. @param fastestMs the fastest recent round trip */
  answered({ group }: Counted, now: number, fastestMs: number): void {
    group.answeredAt = Math.max(group.answeredAt, now);
    this.#fastestMs = fastestMs;
  }

  admitted({ sequence, at }: Counted): void {
    if (this.#probing && sequence > (this.#event?.sequence ?? 0)) {
      this.#resume(at);
      return;
    }
    if (this.#rate === Number.POSITIVE_INFINITY || this.#probing) this.#admitted += 1;
    else if (this.#tokens < Math.max(1, this.#mostTokens / 2)) {
      // Not if fewer were wanted than the rate allows: that shows nothing.
      this.#admitted += 1;
      const part = this.#admitted / this.#climb;
      // The fourth power finds a limit that has risen, tenfold or more, within five climbs. Not at once, because a fixed
      // window that is exceeded slightly answers 429 only at its end.
      this.#rate = this.#base * (1 + (RISE / 2) * (part + part ** 4));
    }
  }

  /**
   * @param newest sequence of the request that started last
   * @returns ms to wait
   */
  limited(
    { sequence, at, group }: Counted,
    newest: number,
    now: number,
    advisedMs: number | undefined,
    latencyMs: number,
  ): number {
    this.#recent.cancel(group);
    const event = this.#event;
    if (event !== undefined && sequence <= event.sequence) {
      event.limited += 1;
      if (at < event.sentAt) event.lastSecond -= 1;
      return advisedMs ?? Math.max(0, event.at + event.pauseMs - now);
    }
    if (event !== undefined && this.#probing) {
      // The probe failed: the same event continues, with a longer pause.
      event.limited += 1;
      event.sequence = newest;
      event.at = now;
      event.pauseMs = advisedMs ?? Math.min(event.pauseMs * 2, 60_000);
      event.waitedMs += event.pauseMs;
      return event.pauseMs;
    }
    this.#latencyMs = latencyMs;
    this.#probing = true;
    const pauseMs = advisedMs ?? (this.#rate === Number.POSITIVE_INFINITY ? 1000 : this.#blindPauseMs);
    this.#event = {
      sequence: newest,
      sentAt: at,
      at: now,
      limited: 1,
      advised: advisedMs !== undefined,
      pauseMs,
      waitedMs: pauseMs,
      lastSecond: this.#recent.unitsBetween(at - SECOND_MS, at),
    };
    return pauseMs;
  }

  /** The first request after a pause was admitted: the next climb begins. */
  #resume(at: number): void {
    const event = this.#event as Event;
    const isFirst = this.#rate === Number.POSITIVE_INFINITY;
    const climbMs = event.sentAt - (this.#climbStart ?? event.sentAt);
    const failed = isFirst ? this.#firstEstimate(event, climbMs) : this.#rate;
    this.#probing = false;
    this.#climbStart = at;
    // Others used the key up before us, which shows nothing.
    if (failed === 0) return;
    const pauseCostMs = event.waitedMs * PAUSE_PART;
    const kept = isFirst ? 1 : climbMs / (climbMs + pauseCostMs + (event.limited * 1000) / failed);
    const cycleMs = climbMs + event.waitedMs;
    // A climb far shorter than its pause failed at once: the limit has fallen, and the average shows how far.
    const hasFallen = !isFirst && climbMs < pauseCostMs && cycleMs >= SHORTEST_AVERAGE_MS;
    this.#rate = hasFallen
      ? (this.#admitted * 1000) / cycleMs
      : failed * Math.min(DECREASE, Math.max(LARGEST_DECREASE, kept));
    this.#rate = Math.max(SLOWEST_RATE, this.#rate);
    this.#base = this.#rate;
    // The first pause was long because nothing was known, and the first burst large; the next ones will not be.
    const nextPauseMs = isFirst && !event.advised ? this.#blindPauseMs : event.waitedMs;
    const nextLimited = Math.min(event.limited, 2 + (2 * this.#rate * this.#latencyMs) / 1000);
    // A climb that ended early shows the limit less exactly, so the next one is steeper.
    const pauses = kept < DECREASE ? PAUSES_A_CLIMB / 2 : PAUSES_A_CLIMB;
    this.#climb = Math.max(nextLimited / LIMITED_SHARE, (pauses * nextPauseMs * this.#rate) / 1000);
    this.#admitted = 1;
    this.#tokens = 0;
    this.#tokensAt = at;
  }

  /**
   * Requests a second that the first 429 shows. A burst shorter than the pause lay in one window, which the pause ended;
   * servers round waits up to whole seconds. A longer burst, as of a slow start, shows most in its last second.
   */
  #firstEstimate({ waitedMs, lastSecond }: Event, burstMs: number): number {
    if (burstMs > waitedMs) return lastSecond;
    return this.#admitted / Math.max(1, Math.floor((burstMs + waitedMs) / 1000));
  }

  get #blindPauseMs(): number {
    return Math.min(60_000, Math.max(30, this.#latencyMs, 2000 / this.#rate));
  }

  get #mostInSecond(): number {
    return Math.max(Math.ceil(this.#rate), Math.floor(this.#rate * CATCH_UP));
  }

  get #mostTokens(): number {
    return Math.max(1, this.#rate * SAVED_SECONDS);
  }

  #refill(now: number): void {
    if (this.#rate === Number.POSITIVE_INFINITY || now <= this.#tokensAt) return;
    const tokens = this.#tokens + ((now - this.#tokensAt) / 1000) * this.#rate;
    this.#tokens = Math.min(tokens, this.#mostTokens);
    this.#tokensAt = now;
  }

  #forget(now: number): void {
    for (
      let { oldest } = this.#recent;
      oldest !== undefined && this.#leavesAt(oldest) <= now;
      { oldest } = this.#recent
    )
      this.#recent.dropOldest();
  }

  /** When a second has passed since the server saw the newest of these requests. */
  #leavesAt(group: SpentGroup): number {
    return Math.max(group.at, group.answeredAt - this.#fastestMs) + SECOND_MS + JITTER_MS;
  }
}
