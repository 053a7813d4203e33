/**
 * The budget of one window as the server tells it, and when what was spent comes back.
 *
 * One picture serves all kinds of limiter: each unit of the limit is either *here* or *away*, and a unit that we
 * spent is away for one window from the moment the server saw the request.
 *  - sliding window: that is its very rule;
 *  - token bucket: the refill is the same number of units in the same time;
 *  - fixed window: units come back at the border at the latest one window after they were spent. Where they come
 *    earlier, the next answer shows it.
 * Units that are missing although we did not spend them are *foreign*: another program uses the same key. They come
 * back a window later too, but where they were found to be spent again each time, they are expected later and
 * later (`#patience`): answers show soon enough that the other program has stopped.
 * Each answer corrects the picture (DESIGN §5, "believe the server"): less than we thought at once, more than we
 * thought when it cannot be a matter of two requests that overtook each other. So phases and clocks are never
 * needed; a second that a header rounds up costs nothing but the first look.
 *
 * Units that came back by our reckoning alone are spent with caution: `#trust` says how many may be under way
 * before an answer has confirmed one. It doubles each round trip and falls to one when an answer says otherwise.
 *
 * All times are in ms of a clock that never jumps, of the moment a request *left*: as every request travels about
 * as long, the server sees the same distances.
 */
import { type AwayGroup, AwayUnits } from './away-units.ts';
import { RateCap } from './rate-cap.ts';
import type { RateLimitReading } from './rate-limit-headers.ts';

/** What is remembered of a request under way. */
export interface Spending {
  readonly sequence: number;
  /** When it left, ms. */
  readonly at: number;
  /** Units that had come back by reckoning when it left. */
  readonly gains: number;
  /** Other requests under way when it left. */
  readonly beside: number;
  readonly group: AwayGroup | undefined;
}

const MOST_TRUST = 64;
const DEFAULT_WINDOW_MS = 1000;
/** A window that nobody told is not guessed longer than this. */
const LONGEST_GUESS_MS = 3_600_000;
/** Groups are this share of a window wide: what that delays is within the goal's 2 %. */
const GROUPS_A_WINDOW = 2000;
const FIRST_MARGIN_MS = 3;
/** The margin for jitter may take this share of a window, of the 2 % that may be lost. */
const LARGEST_MARGIN_SHARE = 0.01;
/** Windows after which foreign units are expected back, at most. */
const MOST_PATIENCE = 32;
/** Windows after which half of what is known of another program is forgotten. */
const WINDOWS_TO_FORGET = 4;
/** A request of ours that is counted later than we thought looks like a unit that was taken. */
const TAKEN_BY_CHANCE = 3;
/** What becomes of a guessed window with each unit that is back before it. */
const SHRINKING = 0.9;
/** A guess that was too long by less than this is not mended: when a budget came back is seen a round trip late. */
const SHORTER_WINDOW_SHARE = 0.7;
/** More of the limit than this coming back at once is the border of a fixed window. */
const BORDER_SHARE = 0.25;

export class ToldBudget {
  #limit: number;
  #policyWindowMs: number | undefined;
  #windowMs = 0;
  /** Units here are `#supply` − `#sequence`. */
  #supply = 0;
  #sequence: number;
  /** What we spent. */
  readonly #away = new AwayUnits();
  readonly #foreign = new AwayUnits();
  #patience = 1;
  /**
   * The last units of a window are spent one by one, so that each answer says exactly what is left: as many as were
   * answered 429 of late. Beside another program, what is under way together meets a budget that is gone.
   */
  #reserve = 0;
  /** Units that another program took although they were certainly here: half of them forgotten every few windows. */
  #taken = 0;
  #forgottenAt = 0;
  /**
   * While another program competes, ours goes evenly at what it leaves: a burst at each window's beginning would
   * take everything before the other has had a turn.
   */
  readonly #even = new RateCap(Number.POSITIVE_INFINITY);
  /** Foreign units that were reckoned to be back since the picture was last corrected. */
  #foreignGains = 0;
  /** Units that came back by our reckoning, ever; and how many of them an answer has confirmed. */
  #gains = 0;
  #confirmedGains = 0;
  #trust = 1;
  /** Requests up to these left before the picture was corrected downwards, or upwards. */
  #lowered = 0;
  #raised = 0;
  #errors = 0;
  #errorCount = 0;
  #errorSpan = 0;
  #newest = 0;
  #marginMs = FIRST_MARGIN_MS;
  #lookAt: number | undefined;
  #exhausted = false;
  /** The guess was doubled for the burst of 429s that is coming in. */
  #guessDoubled = false;
  #freshAt: number | undefined;

  /**
   * @param reading carries `remaining`
   * @param sequence of the request that started last
   */
  constructor(spending: Spending, reading: RateLimitReading, sequence: number, inFlight: number) {
    this.#sequence = sequence;
    this.#limit = 0;
    this.#restart(spending, reading, inFlight);
  }

  /** Requests a second that the limit admits in the long run, as far as its window is known. */
  get rate(): number {
    return (this.#limit * 1000) / this.#window;
  }

  get #window(): number {
    return this.#policyWindowMs ?? (this.#windowMs === 0 ? DEFAULT_WINDOW_MS : this.#windowMs);
  }

  get #here(): number {
    return this.#supply - this.#sequence;
  }

  /** How many may start. @param inFlight requests under way */
  available(now: number, inFlight: number): number {
    this.#collect(now, inFlight);
    const confirmed = this.#here - (this.#gains - this.#confirmedGains);
    this.#even.setRate(this.#competes ? this.#leftToUs : Number.POSITIVE_INFINITY, now);
    const even = this.#even.available(now);
    if (this.#here <= this.#reserve) return inFlight === 0 ? Math.max(0, Math.min(1, this.#here, even)) : 0;
    return Math.max(
      0,
      Math.min(this.#here - this.#reserve, even, Math.max(confirmed + this.#trust, inFlight === 0 ? 1 : 0)),
    );
  }

  /** When to look again, where nothing is available for want of time; undefined where only an answer helps. */
  nextAt(now: number, inFlight: number): number | undefined {
    if (this.#here >= 1) return this.#even.nextAt(now);
    const back = this.#nextBackAt;
    if (inFlight > 0 || this.#lookAt === undefined) return back;
    return Math.min(back ?? this.#lookAt, this.#lookAt);
  }

  /** @param beside other requests under way */
  started(sequence: number, now: number, beside: number): Spending {
    this.#sequence = sequence;
    this.#even.started();
    if (this.#here < 1) this.#exhausted = true;
    return { sequence, at: now, gains: this.#gains, beside, group: this.#away.add(now, 1, this.#groupWidth) };
  }

  /** The request never left. */
  unused(spending: Spending): void {
    this.#even.unused();
    this.#supply += 1;
    this.#away.cancel(spending.group);
  }

  /** The answer says nothing of a budget, or never came: it counts as spent, and as no news. */
  silent(spending: Spending): void {
    this.#confirm(spending);
  }

  /**
   * @param delayMs by how much the answer took longer than the fastest: perhaps on the way to the server
   */
  answered(spending: Spending, reading: RateLimitReading, delayMs: number, inFlight: number): void {
    const { remaining } = reading;
    const { group } = spending;
    if (group !== undefined) group.at = Math.max(group.at, spending.at + delayMs);
    if (remaining === undefined) {
      this.silent(spending);
      return;
    }
    if (reading.limit !== undefined && reading.limit !== this.#limit) {
      if (spending.sequence > this.#lowered) this.#restart(spending, reading, inFlight);
      return;
    }
    this.#limit = Math.max(this.#limit, remaining + 1);
    this.#forget(spending.at);
    this.#learnWindow(spending, reading, remaining);
    this.#correct(spending, remaining, inFlight);
    this.#balance(spending.at);
    if (spending.sequence < this.#newest) return;
    this.#newest = spending.sequence;
    this.#lookAt =
      reading.resetMs === undefined ? undefined : spending.at + delayMs + reading.resetMs + this.#marginMs;
  }

  /** A 429: nothing is here, whatever we thought. @param until when the server says to go on */
  limited(spending: Spending, reading: RateLimitReading, until: number): void {
    const first = spending.sequence > this.#lowered;
    this.#away.cancel(spending.group);
    if (spending.gains <= this.#confirmedGains) this.#taken += 1;
    if (this.#competes) this.#reserve = Math.min(this.#reserve + 1, this.#limit >> 1);
    if (reading.limit !== undefined && reading.limit !== this.#limit) {
      this.#limit = reading.limit;
      this.#policyWindowMs = reading.windowMs;
      this.#windowMs = 0;
    }
    if (this.#foreignGains > 0 && this.#competes) this.#waitLonger();
    else if (this.#gains > 0) this.#early(first);
    this.#supply = this.#sequence;
    this.#lowered = this.#sequence;
    this.#newest = this.#sequence;
    this.#confirmedGains = this.#gains;
    this.#trust = 1;
    this.#startErrors();
    this.#exhausted = true;
    this.#lookAt = until + this.#marginMs;
    this.#balance(until - this.#window);
  }

  /** Begins anew from one answer: the first, or the first under another limit. */
  #restart(spending: Spending, reading: RateLimitReading, inFlight: number): void {
    const remaining = reading.remaining ?? 0;
    this.#limit = reading.limit ?? Math.max(this.#limit, remaining + 1);
    this.#policyWindowMs = undefined;
    this.#windowMs = 0;
    this.#away.clear();
    this.#foreign.clear();
    this.#patience = 1;
    this.#foreignGains = 0;
    this.#confirmedGains = this.#gains;
    this.#trust = 1;
    this.#startErrors();
    this.#exhausted = false;
    this.#freshAt = undefined;
    // Of what is under way nothing has been counted, for all we know.
    this.#supply = remaining + this.#sequence - inFlight;
    this.#lowered = this.#sequence;
    this.#raised = this.#sequence;
    this.#learnWindow(spending, reading, remaining);
    this.#balance(spending.at);
    this.#lookAt = reading.resetMs === undefined ? undefined : spending.at + reading.resetMs;
  }

  /**
   * The window's length: a policy's word; else the longest reset that was seen, as a fresh window is told whole;
   * less, where a whole budget came back sooner than that after it had been spent.
   */
  #learnWindow(spending: Spending, reading: RateLimitReading, remaining: number): void {
    if (reading.windowMs !== undefined) this.#policyWindowMs = reading.windowMs;
    const { resetMs } = reading;
    if (resetMs !== undefined && this.#freshAt === undefined) {
      const resolution = reading.resetResolutionMs ?? 1000;
      const least = resetMs - (reading.resetErrorMs ?? 0);
      const whole = resolution >= 1000 ? Math.max(1000, Math.floor(least / 1000) * 1000) : least;
      this.#windowMs = Math.max(this.#windowMs, whole);
    }
    if (remaining < this.#limit - 1) return;
    if (this.#exhausted) this.#freshWindow(spending.at, resetMs);
    this.#freshAt ??= spending.at;
  }

  /** The whole budget is back: where that is much sooner than a window after the last time, the window is shorter. */
  #freshWindow(at: number, resetMs?: number): void {
    const sinceFresh = at - (this.#freshAt ?? Number.NEGATIVE_INFINITY);
    if (sinceFresh < this.#windowMs * SHORTER_WINDOW_SHARE)
      this.#windowMs = resetMs !== undefined && resetMs <= sinceFresh ? resetMs : sinceFresh;
    this.#freshAt = at;
    this.#exhausted = false;
  }

  /**
   * Requests under way together reach the server in any order, so that one answer fits a range of pictures: from
   * "all that ever left came before me" to "none of those beside me did". Outside of the range the picture is
   * wrong and is put right at once. Within it only the mean of many answers tells, as it does not depend on the
   * order, and it is believed only where it says less (believing more brought 2 % of 429s at a sliding window).
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
      if (unconfirmed > 0) this.#trust = Math.min(MOST_TRUST, this.#trust + 1);
      this.#errors += remaining - (this.#supply - (this.#gains - spending.gains) - spending.sequence);
      this.#errorCount += 1;
      // As many as were ever under way meanwhile, twice over: the end of a burst alone is no fair sample.
      this.#errorSpan = Math.max(this.#errorSpan, inFlight);
      if (this.#errorCount < 2 * this.#errorSpan + 4) return;
      const mean = this.#errors / this.#errorCount;
      this.#startErrors();
      if (mean <= -1) this.#supply += Math.ceil(mean);
    }
  }

  get #competes(): boolean {
    return this.#taken > TAKEN_BY_CHANCE;
  }

  /** Requests a second that the other program leaves; a tenth of the limit at least. */
  get #leftToUs(): number {
    return (Math.max(this.#limit - this.#foreign.units, this.#limit / 10) * 1000) / this.#window;
  }

  #forget(now: number): void {
    if (now - this.#forgottenAt < WINDOWS_TO_FORGET * this.#window) return;
    this.#forgottenAt = now;
    this.#taken /= 2;
    this.#reserve >>= 1;
  }

  #widenMargin(): void {
    this.#marginMs = Math.min(this.#marginMs * 1.5, this.#window * LARGEST_MARGIN_SHARE);
  }

  /**
   * A 429 although units were reckoned to be back: one is jitter, several of one burst mean that a window that
   * was guessed (a bucket tells the time to the next unit only) is longer.
   */
  #early(first: boolean): void {
    if (first) this.#widenMargin();
    else if (!this.#guessDoubled) {
      this.#windowMs = Math.min(this.#windowMs * 2, LONGEST_GUESS_MS);
    }
    this.#guessDoubled = !first;
  }

  #raise(units: number, at: number): void {
    this.#supply += units;
    this.#patience = Math.max(1, this.#patience / 2);
    this.#foreignGains = 0;
    this.#startErrors();
    this.#raised = this.#sequence;
    if (!this.#competes) return;
    if (units > this.#limit * BORDER_SHARE) {
      // A new window: what is missing in it was spent in it, not when we last saw it spent.
      this.#freshWindow(at);
      this.#away.clear();
      this.#foreign.clear();
      this.#balance(at);
    } else if (this.#policyWindowMs === undefined) {
      // 429s that were the other program's doing had made the guess longer.
      this.#windowMs *= SHRINKING;
    }
  }

  #lower(units: number, unconfirmed: number): void {
    this.#supply -= units;
    this.#startErrors();
    this.#lowered = this.#sequence;
    if (unconfirmed === 0) this.#taken += units;
    if (this.#foreignGains > 0 && this.#competes) {
      this.#waitLonger();
      return;
    }
    if (unconfirmed === 0) return;
    this.#trust = Math.max(1, this.#trust >> 1);
    // What was to be back is not: a little of it was early, most of it means that the window is longer.
    if (units * 2 <= unconfirmed || units === 1) this.#widenMargin();
    else if (this.#windowMs > 0) this.#windowMs = Math.min(this.#windowMs * 2, LONGEST_GUESS_MS);
  }

  #startErrors(): void {
    this.#errors = 0;
    this.#errorCount = 0;
    this.#errorSpan = 0;
  }

  #waitLonger(): void {
    this.#patience = Math.min(MOST_PATIENCE, this.#patience * 2);
    this.#foreignGains = 0;
    this.#trust = 1;
  }

  /** Here and away make the limit: what is missing comes back a window later, what is too much came back. */
  #balance(at: number): void {
    const excess = this.#here + this.#away.units + this.#foreign.units - this.#limit;
    if (excess < 0) this.#foreign.add(at, -excess, this.#groupWidth);
    else if (excess > 0) {
      const foreign = this.#foreign.takeOldest(excess);
      this.#supply -= excess - foreign - this.#away.takeOldest(excess - foreign);
    }
  }

  get #groupWidth(): number {
    return this.#window / GROUPS_A_WINDOW;
  }

  #backAt(group: AwayGroup, windows = 1): number {
    return group.at + this.#window * windows + this.#marginMs;
  }

  /** When the next units are reckoned to be back. */
  get #nextBackAt(): number | undefined {
    const own = this.#away.oldest;
    const foreign = this.#foreign.oldest;
    const at = Math.min(
      own === undefined ? Number.POSITIVE_INFINITY : this.#backAt(own),
      foreign === undefined ? Number.POSITIVE_INFINITY : this.#backAt(foreign, this.#patience),
    );
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  }

  #confirm(spending: Spending): void {
    this.#confirmedGains = Math.max(this.#confirmedGains, Math.min(spending.gains, this.#gains));
  }

  #collect(now: number, inFlight: number): void {
    for (let due = this.#away.oldest; due !== undefined && now >= this.#backAt(due); due = this.#away.oldest)
      this.#gain(this.#away.takeOldest(Math.max(1, due.units)));
    for (
      let due = this.#foreign.oldest;
      due !== undefined && now >= this.#backAt(due, this.#patience);
      due = this.#foreign.oldest
    ) {
      const units = this.#foreign.takeOldest(Math.max(1, due.units));
      this.#foreignGains += units;
      this.#gain(units);
    }
    if (this.#here >= 1 || inFlight > 0 || this.#lookAt === undefined || now < this.#lookAt) return;
    // A told reset has passed and by our reckoning nothing is back: one request looks.
    this.#lookAt = undefined;
    if (this.#foreign.takeOldest(1) === 0) this.#away.takeOldest(1);
    this.#gain(1 - this.#here);
  }

  #gain(units: number): void {
    this.#supply += units;
    this.#gains += units;
  }
}
