/**
 * Finds the rate of a server that advertises no budget, from its 429s alone (design §5).
 *
 * Requests are unlimited until the first 429. From then on they are spread evenly, which suits every kind of limiter.
 * The requests admitted between the ends of two pauses show what the server allows. After each 429 the rate falls below
 * the one that failed and climbs again, slowly at first and faster the longer no 429 comes (the limit may have risen).
 * The climb is long enough to keep 429s and pauses a small share.
 */

/** Share of requests that the search may have answered 429; the goal is under 1 %. */
const LIMITED_SHARE = 0.005;
/**
 * A climb lasts at least this many times the pause that may end it. With 28, a server that asks for pauses of a second
 * was used to 92 %; with 60 to 96.7 %; with 100 to 97.1 %.
 */
const PAUSES_A_CLIMB = 80;
const SHORTEST_CLIMB = 40;
/** A burst of 429s after a sudden change must not make the next climb last for ever. */
const LONGEST_CLIMB_SECONDS = 6;
const LONGEST_CLIMB_AT_LEAST = 60;
/** 256 times the previous rate is enough: beyond that, something else limits the speed. */
const MOST_CLIMBS_BEYOND = 4;
const FIRST_CLIMB_SPEED = 1.5;
/** Below what the first cycle showed. */
const FIRST_DECREASE = 0.97;
const DECREASE = 0.94;
/** A climb that lasted this much of its length showed the limit well: the next one begins right below, and is gentler. */
const STEADY_PART = 0.4;
const STEADY_DECREASE = 0.98;
/** By how much the rate rises over a climb: evenly, and besides more and more. */
const STEEP = { even: 0.07, growing: 0.05 };
const GENTLE = { even: 0.015, growing: 0.015 };
/** The rate falls no further at once, unless a cycle shows far less. */
const LARGEST_DECREASE = 0.9;
/** How far above the estimate of one cycle the rate may stay. */
const ABOVE_ESTIMATE = 1.1;
/** This many requests admitted just before a pause are a rate; fewer may be chance. */
const ENOUGH_OF_LATE = 20;
const SHORTEST_OF_LATE_MS = 1000;
const SLOWEST_RATE = 1 / 3600;
/** The most that is saved up, so that late timers lose nothing; at least one request. */
const SAVED_SECONDS = 0.02;

export class RateSearch {
  #rate = Number.POSITIVE_INFINITY;
  #base = Number.POSITIVE_INFINITY;
  #tokens = 1;
  #tokensAt = 0;
  #cycleStart: number | undefined;
  #admitted = 0;
  readonly #recent = new RecentCount();
  #limitedInEvent = 0;
  #eventSequence = 0;
  #eventAt = 0;
  #pauseMs = 0;
  #probing = false;
  #climb = SHORTEST_CLIMB;
  /** The climb before showed the limit well. */
  #steady = false;

  /** Starts at a rate from an earlier run, unless this search knows better. @param rate requests a second */
  beginAt(rate: number): void {
    if (this.#rate !== Number.POSITIVE_INFINITY || this.#probing) return;
    this.#rate = rate;
    this.#base = rate;
    this.#admitted = 0;
  }

  /** A 429 came, so the rate was measured and not only remembered. */
  get met429(): boolean {
    return this.#eventSequence > 0 && this.#rate !== Number.POSITIVE_INFINITY;
  }

  /** Requests a second; infinite before the first 429. */
  get rate(): number {
    return this.#rate;
  }

  /** One request at a time, until the first one after a pause is answered. */
  get probing(): boolean {
    return this.#probing;
  }

  available(now: number, inFlight: number): number {
    if (this.#probing) return inFlight === 0 ? 1 : 0;
    this.#refill(now);
    return this.#rate === Number.POSITIVE_INFINITY
      ? Number.POSITIVE_INFINITY
      : Math.floor(this.#tokens + 1e-9);
  }

  nextAt(now: number): number | undefined {
    if (this.#probing || this.#rate === Number.POSITIVE_INFINITY) return undefined;
    this.#refill(now);
    return this.#tokens >= 1 ? undefined : now + ((1 - this.#tokens) / this.#rate) * 1000;
  }

  started(now: number): void {
    this.#cycleStart ??= now;
    this.#refill(now);
    this.#tokens -= 1;
  }

  unused(): void {
    this.#tokens += 1;
  }

  admitted(sequence: number, startedAt: number): void {
    this.#admitted += 1;
    this.#recent.add(startedAt);
    if (this.#probing && sequence > this.#eventSequence) {
      this.#resume(startedAt);
      return;
    }
    if (this.#rate === Number.POSITIVE_INFINITY || this.#probing) return;
    const part = this.#admitted / this.#climb;
    // Far past its end, the limit has probably changed: the rate doubles each half of a climb. Not at once, because a
    // fixed window that is exceeded slightly answers 429 only at its end.
    const beyond = Math.min(Math.max(0, part - 2), MOST_CLIMBS_BEYOND);
    const { even, growing } = this.#steady ? GENTLE : STEEP;
    this.#rate = this.#base * (1 + even * part + growing * Math.min(part, 1) ** 3) * 4 ** beyond;
  }

  /**
   * @param sequence of the limited request, `newest` of the one that started last
   * @returns ms to wait if the server gave no time
   */
  limited(
    sequence: number,
    newest: number,
    now: number,
    advisedMs: number | undefined,
    latencyMs: number,
  ): number {
    if (sequence <= this.#eventSequence) {
      this.#limitedInEvent += 1;
      return advisedMs ?? Math.max(0, this.#eventAt + this.#pauseMs - now);
    }
    if (this.#probing) {
      // The probe failed: the same event continues, with a longer pause.
      this.#limitedInEvent += 1;
      this.#pauseMs = advisedMs ?? Math.min(this.#pauseMs * 2, 60_000);
    } else {
      this.#limitedInEvent = 1;
      const blind =
        this.#rate === Number.POSITIVE_INFINITY ? 1000 : Math.max(30, latencyMs, 2000 / this.#rate);
      this.#pauseMs = advisedMs ?? Math.min(blind, 60_000);
    }
    this.#probing = true;
    this.#eventSequence = newest;
    this.#eventAt = now;
    return this.#pauseMs;
  }

  /** The first request after a pause was admitted: a cycle has ended. */
  #resume(at: number): void {
    const firstEstimate = this.#rate === Number.POSITIVE_INFINITY;
    const before = this.#rate;
    const seconds = Math.max(1, at - (this.#cycleStart ?? at)) / 1000;
    const given = this.#admitted - 1;
    if (firstEstimate) {
      // Servers round waits up to whole seconds, so the window is probably the whole number below.
      this.#rate = (FIRST_DECREASE * given) / Math.max(1, Math.floor(seconds));
    } else {
      this.#steady = given / this.#climb >= STEADY_PART;
      const estimate = (ABOVE_ESTIMATE * given) / seconds;
      const lower = Math.min((this.#steady ? STEADY_DECREASE : DECREASE) * this.#rate, estimate);
      // A short cycle is mostly pause and shows too little: it counts only if it shows far less.
      this.#rate = estimate < this.#rate / 3 ? estimate : Math.max(LARGEST_DECREASE * this.#rate, lower);
    }
    // A cycle that began slowly or ended within a window shows too little; the requests admitted just before its end
    // show more.
    const ofLate = this.#admittedOfLate(at);
    if (!firstEstimate && ofLate > 0)
      this.#rate = Math.min(this.#rate, Math.max(ofLate * ABOVE_ESTIMATE, before / 2));
    this.#rate = Math.max(SLOWEST_RATE, this.#rate, (firstEstimate ? DECREASE : LARGEST_DECREASE) * ofLate);
    this.#base = this.#rate;
    this.#climb = Math.max(
      SHORTEST_CLIMB,
      this.#limitedInEvent / LIMITED_SHARE,
      (PAUSES_A_CLIMB * (at - this.#eventAt) * this.#rate) / 1000,
    );
    // If the limit itself fell, the burst says nothing about what the next search will cost.
    if (!firstEstimate && this.#rate < before / 2) {
      this.#climb = Math.min(
        this.#climb,
        Math.max(LONGEST_CLIMB_AT_LEAST, LONGEST_CLIMB_SECONDS * this.#rate),
      );
    }
    // The first estimate may be far too low if the server started slowly, so it climbs sooner.
    if (firstEstimate) this.#climb /= FIRST_CLIMB_SPEED;
    this.#admitted = 1;
    this.#cycleStart = at;
    this.#tokens = 0;
    this.#tokensAt = at;
    this.#probing = false;
  }

  /** Requests a second admitted before the 429s, over as long as the pause that followed. */
  #admittedOfLate(at: number): number {
    const ms = Math.max(SHORTEST_OF_LATE_MS, at - this.#eventAt);
    const count = this.#recent.since(this.#eventAt - ms) ?? 0;
    return count < ENOUGH_OF_LATE ? 0 : (count * 1000) / ms;
  }

  #refill(now: number): void {
    if (this.#rate === Number.POSITIVE_INFINITY || now <= this.#tokensAt) return;
    const most = Math.max(1, this.#rate * SAVED_SECONDS);
    this.#tokens = Math.min(most, this.#tokens + ((now - this.#tokensAt) / 1000) * this.#rate);
    this.#tokensAt = now;
  }
}

/** Counts recently admitted requests in steps of time, so that a long run needs bounded memory. */

const STEP_MS = 50;
const MOST_STEPS = 2000;

class RecentCount {
  #steps: { at: number; count: number }[] = [];

  add(at: number): void {
    const last = this.#steps.at(-1);
    if (last !== undefined && at - last.at < STEP_MS) {
      last.count += 1;
      return;
    }
    this.#steps.push({ at, count: 1 });
    if (this.#steps.length > 2 * MOST_STEPS) this.#steps = this.#steps.slice(-MOST_STEPS);
  }

  /** Requests admitted since then; undefined if that is longer ago than is kept. */
  since(at: number): number | undefined {
    const first = this.#steps[0];
    if (first === undefined || (this.#steps.length >= MOST_STEPS && first.at > at)) return undefined;
    let count = 0;
    for (let index = this.#steps.length - 1; index >= 0; index -= 1) {
      const step = this.#steps[index];
      if (step === undefined || step.at < at) break;
      count += step.count;
    }
    return count;
  }
}
