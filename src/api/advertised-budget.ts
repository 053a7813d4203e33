/**
 * The budget of one window as the server advertises it, with a prediction of when spent units become available again.
 *
 * One model covers every kind of limiter: each unit of the limit is either available or spent, and a unit that we spent
 * stays spent for one window after the server saw the request.
 * - Sliding window: this is its rule.
 * - Token bucket: the refill is the same number of units in the same time.
 * - Fixed window: units come back at the border, at most one window after they were spent. If they come back earlier,
 *   the next answer shows it. Missing units that we did not spend were spent by another program (competition.ts). Each
 *   answer corrects the model (design §5, "believe the server"): at once if less is left than expected; if more is
 *   left, only when that cannot be due to two requests that overtook each other. So the model needs no phases or
 *   clocks, and a second that a header rounds up costs only the first look.
 *
 * Units that only the model considers available again are spent with caution: `#trust` limits how many may be in flight
 * before an answer has confirmed one. It doubles each round trip and falls to one when an answer disagrees.
 *
 * All times are monotonic, in ms, of the moment a request was sent. Requests travel about equally long, so the server
 * sees the same intervals. If an answer takes longer than the fastest one, its request may have travelled longer by the
 * difference; the current fastest counts, because the first answers of a connection are the slowest.
 */
import { Competition } from './competition.ts';
import type { RateLimitReading } from './rate-limit-headers.ts';
import { type SpentGroup, SpentUnits } from './spent-units.ts';
import { WindowBorder } from './window-border.ts';
import { WindowLength } from './window-length.ts';

/** A request in flight. */
export interface Spending {
  readonly sequence: number;
  readonly at: number;
  /** Units that the model considered back when it was sent. */
  readonly gains: number;
  /** Other requests in flight when it was sent. */
  readonly beside: number;
  readonly group: SpentGroup | undefined;
  /**
   * The time at which the newest request that was known to be admitted when this one was sent had been sent; −∞ if none
   * was.
   */
  readonly spentAt: number;
}

/** When an answer came, and the fastest recent round trip, in ms: the server saw the request in between. */
export interface Answer {
  readonly at: number;
  readonly fastestMs: number;
}

const MAX_TRUST = 64;
/** Groups span this share of a window, which delays requests by less than the 2 % allowed. */
const GROUPS_A_WINDOW = 2000;
const FIRST_MARGIN_MS = 3;
/** The largest margin for jitter, as a share of a window; at most 2 % may be lost in total. */
const LARGEST_MARGIN_SHARE = 0.01;
/**
 * Requests sent together arrive in any order. With a limit this small, the order alone can make most units seem to be
 * missing.
 */
const LARGEST_BURST = 16;
/** If more than this share of the limit comes back at once, it is the border of a fixed window. */
const BORDER_SHARE = 0.25;

export class AdvertisedBudget {
  #limit: number;
  #fastestMs: number;
  readonly #window = new WindowLength();
  readonly #border = new WindowBorder();
  /** When the newest request known to be admitted was sent. */
  #spentAt = Number.NEGATIVE_INFINITY;
  /** The last request that found the whole budget available. */
  #wholeSequence = 0;
  /** The request that shows whether a window began as predicted. */
  #borderProbe = 0;
  /** Available units are `#supply` − `#sequence`. */
  #supply = 0;
  #sequence: number;
  /** Units that we spent. */
  readonly #spent = new SpentUnits();
  readonly #others = new Competition();
  /** Units that the model has ever considered available again, and the number of these that answers have confirmed. */
  #gains = 0;
  #confirmedGains = 0;
  #trust = 1;
  /** Requests up to these were sent before the model was last lowered or raised. */
  #lowered = 0;
  #raised = 0;
  readonly #error = new MeanError();
  #newest = 0;
  #marginMs = FIRST_MARGIN_MS;
  #lookAt: number | undefined;
  /** 429s in the current burst. */
  #burst = 0;
  /** The budget was used up since it was last whole. */
  #exhausted = false;

  /**
   * @param reading with `remaining`
   * @param sequence number of the request that started last
   */
  constructor(
    spending: Spending,
    reading: RateLimitReading,
    answer: Answer,
    sequence: number,
    inFlight: number,
  ) {
    this.#sequence = sequence;
    this.#limit = 0;
    this.#fastestMs = answer.fastestMs;
    this.#restart(spending, reading, answer, inFlight);
  }

  /** Requests per second that the limit allows in the long run, as far as its window is known. */
  get rate(): number {
    return (this.#limit * 1000) / this.#window.ms;
  }

  get #here(): number {
    return this.#supply - this.#sequence;
  }

  /** How many requests may start. @param inFlight number of requests in flight */
  available(now: number, inFlight: number): number {
    this.#collect(now, inFlight);
    const confirmed = this.#here - (this.#gains - this.#confirmedGains);
    const even = this.#others.evenShare(now, this.#limit, this.#window.ms);
    const { reserve } = this.#others;
    if (this.#here <= reserve) return inFlight === 0 ? Math.max(0, Math.min(1, this.#here, even)) : 0;
    const trusted = Math.max(confirmed + this.#trust, inFlight === 0 ? 1 : 0);
    return Math.max(0, Math.min(this.#here - reserve, even, trusted));
  }

  /** When to ask again if time will free units; undefined if only an answer can. */
  nextAt(now: number, inFlight: number): number | undefined {
    if (this.#here >= 1) return this.#others.nextAt(now);
    const back = this.#nextBackAt;
    if (inFlight > 0) return back;
    const never = Number.POSITIVE_INFINITY;
    const at = Math.min(back ?? never, this.#lookAt ?? never, this.#nextBorder ?? never);
    return at === never ? undefined : at;
  }

  /** @param beside other requests in flight */
  started(sequence: number, now: number, beside: number): Spending {
    this.#sequence = sequence;
    this.#others.started();
    if (this.#here < 1) this.#exhausted = true;
    const group = this.#spent.add(now, 1, this.#groupWidth);
    return { sequence, at: now, gains: this.#gains, beside, group, spentAt: this.#spentAt };
  }

  /** The request was not sent. */
  unused(spending: Spending): void {
    this.#others.unused();
    this.#supply += 1;
    this.#spent.cancel(spending.group);
  }

  /** The answer has no budget, or no answer came: the unit counts as spent, and nothing is learned. */
  silent(spending: Spending): void {
    this.#confirm(spending);
  }

  answered(spending: Spending, reading: RateLimitReading, answer: Answer, inFlight: number): void {
    const { remaining } = reading;
    const { group } = spending;
    this.#fastestMs = answer.fastestMs;
    if (group !== undefined) group.answeredAt = Math.max(group.answeredAt, answer.at);
    if (remaining === undefined) {
      this.silent(spending);
      return;
    }
    if (reading.limit !== undefined && reading.limit !== this.#limit) {
      if (spending.sequence > this.#lowered) this.#restart(spending, reading, answer, inFlight);
      return;
    }
    this.#limit = Math.max(this.#limit, remaining + 1);
    this.#others.age(spending.at, this.#window.ms);
    this.#learnWindow(spending, reading, remaining, answer);
    this.#correct(spending, remaining, inFlight);
    this.#balance(spending.at);
    if (spending.sequence < this.#newest) return;
    this.#newest = spending.sequence;
    this.#lookAt =
      reading.resetMs === undefined
        ? undefined
        : Math.max(spending.at, answer.at - answer.fastestMs) + reading.resetMs + this.#marginMs;
  }

  /** A 429: nothing is available. @param until when the server allows the next request */
  limited(spending: Spending, reading: RateLimitReading, until: number): void {
    const first = spending.sequence > this.#lowered;
    if (spending.sequence === this.#borderProbe) this.#border.failed(spending.at, this.#window.ms);
    this.#spent.cancel(spending.group);
    if (spending.gains <= this.#confirmedGains) this.#others.foundMissing(1);
    this.#others.limited(this.#limit);
    if (reading.limit !== undefined && reading.limit !== this.#limit) {
      this.#limit = reading.limit;
      this.#window.forget(reading.windowMs);
      this.#border.forget();
    }
    if (this.#others.explainsShortage()) this.#trust = 1;
    else if (this.#gains > 0) {
      // One is jitter; several in one burst mean that the window is longer.
      this.#burst = first ? 1 : this.#burst + 1;
      if (first) this.#widenMargin();
      else if (this.#burst === 2) this.#window.longer();
    }
    this.#supply = this.#sequence;
    this.#lowered = this.#sequence;
    this.#newest = this.#sequence;
    this.#confirmedGains = this.#gains;
    this.#trust = 1;
    this.#error.restart();
    this.#exhausted = true;
    this.#lookAt = until + this.#marginMs;
    this.#balance(until - this.#window.ms);
  }

  /** Starts over from one answer: the first, or the first under another limit. */
  #restart(spending: Spending, reading: RateLimitReading, answer: Answer, inFlight: number): void {
    const remaining = reading.remaining ?? 0;
    this.#limit = reading.limit ?? Math.max(this.#limit, remaining + 1);
    this.#window.forget();
    this.#border.forget();
    this.#spent.clear();
    this.#others.restart();
    this.#confirmedGains = this.#gains;
    this.#trust = 1;
    this.#error.restart();
    this.#exhausted = false;
    // Assume that the server has counted none of the requests in flight.
    this.#supply = remaining + this.#sequence - inFlight;
    this.#lowered = this.#sequence;
    this.#raised = this.#sequence;
    this.#learnWindow(spending, reading, remaining, answer);
    this.#balance(spending.at, answer.at);
    this.#lookAt = reading.resetMs === undefined ? undefined : spending.at + reading.resetMs;
  }

  #learnWindow(spending: Spending, reading: RateLimitReading, remaining: number, answer: Answer): void {
    const whole = remaining >= this.#limit - 1;
    this.#window.read(reading, whole);
    if (spending.sequence === this.#borderProbe && spending.beside === 0) {
      if (whole) this.#border.held();
      else this.#border.failed(spending.at, this.#window.ms);
    }
    if (whole) {
      this.#wholeSequence = spending.sequence;
      const sure = this.#exhausted ? spending.spentAt : Number.NEGATIVE_INFINITY;
      this.#border.whole(sure, answer.at, this.#window.ms);
      if (this.#exhausted) this.#window.restored(spending.at, reading.resetMs);
      this.#exhausted = false;
    }
    this.#spentAt = Math.max(this.#spentAt, spending.at);
  }

  /**
   * Requests in flight reach the server in any order, so one answer fits a range of states: from "every request was
   * counted before this one" to "no concurrent one was". Outside this range the model is wrong and is corrected at
   * once. Within it, only the mean of many answers is informative, because it does not depend on the order. It is used
   * only to lower the model: raising it caused 2 % of 429s with a sliding window.
   */
  #correct(spending: Spending, remaining: number, inFlight: number): void {
    const unconfirmed = Math.max(0, spending.gains - this.#confirmedGains);
    this.#confirm(spending);
    const least = this.#supply - (this.#gains - spending.gains) - this.#sequence;
    const most = this.#supply - spending.sequence + spending.beside;
    if (remaining > most) {
      if (spending.sequence > this.#lowered) this.#raise(remaining - most, spending.at);
    } else if (remaining < least) {
      if (spending.sequence > this.#raised) this.#lower(least - remaining, unconfirmed);
    } else {
      if (unconfirmed > 0) {
        this.#trust = Math.min(MAX_TRUST, this.#trust + 1);
        this.#window.confirmed();
      }
      const error = remaining - (this.#supply - (this.#gains - spending.gains) - spending.sequence);
      const mean = this.#error.add(error, inFlight);
      if (mean !== undefined && mean <= -1) this.#supply += Math.ceil(mean);
    }
  }

  #widenMargin(): void {
    this.#marginMs = Math.min(this.#marginMs * 1.5, this.#window.ms * LARGEST_MARGIN_SHARE);
  }

  #raise(units: number, at: number): void {
    this.#supply += units;
    this.#others.foundMore();
    this.#error.restart();
    this.#raised = this.#sequence;
    if (!this.#others.detected) return;
    if (units > this.#limit * BORDER_SHARE) {
      // A new window: units missing now were spent in it, not when they were last seen spent.
      this.#window.border(at);
      this.#exhausted = false;
      this.#spent.clear();
      this.#others.units.clear();
      this.#balance(at);
    } else this.#window.shrink();
  }

  #lower(units: number, unconfirmed: number): void {
    this.#supply -= units;
    this.#error.restart();
    this.#lowered = this.#sequence;
    if (unconfirmed === 0) this.#others.foundMissing(units);
    if (this.#others.explainsShortage()) this.#trust = 1;
    else if (unconfirmed > 0) {
      this.#trust = Math.max(1, this.#trust >> 1);
      // Units are back later than expected: a few are jitter, most of them may mean that the window is longer.
      this.#widenMargin();
      if (units * 2 > unconfirmed && units > 1) {
        if (this.#limit > LARGEST_BURST) this.#window.longer();
        else this.#window.early();
      }
    }
  }

  /**
   * Available and spent units add up to the limit: missing units return a window later, and surplus units count as
   * returned.
   */
  #balance(at: number, answeredAt?: number): void {
    const excess = this.#here + this.#spent.units + this.#others.units.units - this.#limit;
    if (excess < 0) this.#others.units.add(at, -excess, this.#groupWidth, answeredAt);
    else if (excess > 0) {
      const theirs = this.#others.units.takeOldest(excess);
      this.#supply -= excess - theirs - this.#spent.takeOldest(excess - theirs);
    }
  }

  get #groupWidth(): number {
    return this.#window.ms / GROUPS_A_WINDOW;
  }

  #backAt(group: SpentGroup, windows = 1): number {
    const seenAt = Math.max(group.at, group.answeredAt - this.#fastestMs);
    return seenAt + this.#window.ms * windows + this.#marginMs;
  }

  /** When the model expects the next units back. */
  get #nextBackAt(): number | undefined {
    const own = this.#spent.oldest;
    const theirs = this.#others.units.oldest;
    const at = Math.min(
      own === undefined ? Number.POSITIVE_INFINITY : this.#backAt(own),
      theirs === undefined ? Number.POSITIVE_INFINITY : this.#backAt(theirs, this.#others.patience),
    );
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  }

  /** When all spent units come back at once; undefined if no window border can be predicted. */
  get #nextBorder(): number | undefined {
    // If more was spent than one window allows, the next one has begun already.
    if (this.#others.detected || this.#sequence - this.#wholeSequence >= this.#limit) return undefined;
    const next = this.#border.next(this.#window.ms);
    return next === undefined ? undefined : next + this.#marginMs;
  }

  #confirm(spending: Spending): void {
    this.#confirmedGains = Math.max(this.#confirmedGains, Math.min(spending.gains, this.#gains));
  }

  #collect(now: number, inFlight: number): void {
    for (
      let due = this.#spent.oldest;
      due !== undefined && now >= this.#backAt(due);
      due = this.#spent.oldest
    )
      this.#gain(this.#spent.takeOldest(Math.max(1, due.units)));
    for (
      let due = this.#others.units.oldest;
      due !== undefined && now >= this.#backAt(due, this.#others.patience);
      due = this.#others.units.oldest
    ) {
      this.#others.gained();
      this.#gain(this.#others.units.takeOldest(Math.max(1, due.units)));
    }
    if (this.#here >= 1 || inFlight > 0) return;
    const border = this.#nextBorder;
    const atBorder = border !== undefined && now >= border;
    if (!atBorder && (this.#lookAt === undefined || now < this.#lookAt)) return;
    // The model expects nothing back, but a window has begun or an advertised reset has passed: probe with one request.
    if (atBorder) {
      this.#border.passed(now, this.#window.ms);
      this.#borderProbe = this.#sequence + 1;
    } else this.#lookAt = undefined;
    if (this.#others.units.takeOldest(1) === 0) this.#spent.takeOldest(1);
    this.#gain(1 - this.#here);
  }

  #gain(units: number): void {
    this.#supply += units;
    this.#gains += units;
  }
}

/**
 * The mean error of the model over many answers. One answer may be off by the number of requests in flight, because
 * they reach the server in any order, but the mean does not depend on the order.
 */
class MeanError {
  #sum = 0;
  #count = 0;
  /** Maximum requests in flight meanwhile. */
  #span = 0;

  restart(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#span = 0;
  }

  /**
   * @param error units that the server has beyond the model
   * @returns the mean once there are enough answers, after which it starts over
   */
  add(error: number, inFlight: number): number | undefined {
    this.#sum += error;
    this.#count += 1;
    this.#span = Math.max(this.#span, inFlight);
    // Twice as many answers as were ever in flight: the end of a burst alone is not a fair sample.
    if (this.#count < 2 * this.#span + 4) return undefined;
    const mean = this.#sum / this.#count;
    this.restart();
    return mean;
  }
}
