/**
 * The budget of one window as the server tells it, and when what was spent comes back.
 *
 * One picture serves all kinds of limiter: each unit of the limit is either *here* or *away*, and a unit that we
 * spent is away for one window from the moment the server saw the request.
 *  - sliding window: that is its very rule;
 *  - token bucket: the refill is the same number of units in the same time;
 *  - fixed window: units come back at the border at the latest one window after they were spent. Where they come
 *    earlier, the next answer shows it.
 * Units that are missing although we did not spend them are another program's (competition.ts).
 * Each answer corrects the picture (design §5, "believe the server"): less than we thought at once, more than we
 * thought when it cannot be a matter of two requests that overtook each other. So phases and clocks are never
 * needed; a second that a header rounds up costs nothing but the first look.
 *
 * Units that came back by our reckoning alone are spent with caution: `#trust` says how many may be under way
 * before an answer has confirmed one. It doubles each round trip and falls to one when an answer says otherwise.
 *
 * All times are in ms of a clock that never jumps, of the moment a request *left*: as every request travels about
 * as long, the server sees the same distances. Where an answer takes longer than the fastest, its request may have
 * travelled longer by as much; the fastest of now counts, as the first answers of a connection are the slowest.
 */
import { Competition } from './competition.ts';
import type { RateLimitReading } from './rate-limit-headers.ts';
import { type SpentGroup, SpentUnits } from './spent-units.ts';
import { WindowBorder } from './window-border.ts';
import { WindowLength } from './window-length.ts';

/** What is remembered of a request under way. */
export interface Spending {
  readonly sequence: number;
  /** When it left, ms. */
  readonly at: number;
  /** Units that had come back by reckoning when it left. */
  readonly gains: number;
  /** Other requests under way when it left. */
  readonly beside: number;
  readonly group: SpentGroup | undefined;
  /** When the newest of the requests left that had been admitted by then; −∞ where none had. */
  readonly spentAt: number;
}

/** When an answer came, and the fastest round trip of late: between them, the server saw its request. ms */
export interface Answer {
  readonly at: number;
  readonly fastestMs: number;
}

const MOST_TRUST = 64;
/** Groups are this share of a window wide: what that delays is within the goal's 2 %. */
const GROUPS_A_WINDOW = 2000;
const FIRST_MARGIN_MS = 3;
/** The margin for jitter may take this share of a window, of the 2 % that may be lost. */
const LARGEST_MARGIN_SHARE = 0.01;
/** What leaves together comes in any order: of a limit this small, most may seem to be missing for that alone. */
const LARGEST_BURST = 16;
/** More of the limit than this coming back at once is the border of a fixed window. */
const BORDER_SHARE = 0.25;

export class AdvertisedBudget {
  #limit: number;
  #fastestMs: number;
  readonly #window = new WindowLength();
  readonly #border = new WindowBorder();
  /** When the newest request left that is known to have been admitted. */
  #spentAt = Number.NEGATIVE_INFINITY;
  /** The request that found the whole budget last. */
  #wholeSequence = 0;
  /** The request that tells whether a window began as predicted. */
  #borderProbe = 0;
  /** Units here are `#supply` − `#sequence`. */
  #supply = 0;
  #sequence: number;
  /** What we spent. */
  readonly #spent = new SpentUnits();
  readonly #others = new Competition();
  /** Units that came back by our reckoning, ever; and how many of them an answer has confirmed. */
  #gains = 0;
  #confirmedGains = 0;
  #trust = 1;
  /** Requests up to these left before the picture was corrected downwards, or upwards. */
  #lowered = 0;
  #raised = 0;
  readonly #error = new MeanError();
  #newest = 0;
  #marginMs = FIRST_MARGIN_MS;
  #lookAt: number | undefined;
  /** 429s of the burst that is coming in. */
  #burst = 0;
  /** All was spent since the whole budget was last seen. */
  #exhausted = false;

  /**
   * @param reading carries `remaining`
   * @param sequence of the request that started last
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

  /** Requests a second that the limit admits in the long run, as far as its window is known. */
  get rate(): number {
    return (this.#limit * 1000) / this.#window.ms;
  }

  get #here(): number {
    return this.#supply - this.#sequence;
  }

  /** How many may start. @param inFlight requests under way */
  available(now: number, inFlight: number): number {
    this.#collect(now, inFlight);
    const confirmed = this.#here - (this.#gains - this.#confirmedGains);
    const even = this.#others.evenly(now, this.#limit, this.#window.ms);
    const { reserve } = this.#others;
    if (this.#here <= reserve) return inFlight === 0 ? Math.max(0, Math.min(1, this.#here, even)) : 0;
    const trusted = Math.max(confirmed + this.#trust, inFlight === 0 ? 1 : 0);
    return Math.max(0, Math.min(this.#here - reserve, even, trusted));
  }

  /** When to look again, where nothing is available for want of time; undefined where only an answer helps. */
  nextAt(now: number, inFlight: number): number | undefined {
    if (this.#here >= 1) return this.#others.nextAt(now);
    const back = this.#nextBackAt;
    if (inFlight > 0) return back;
    const never = Number.POSITIVE_INFINITY;
    const at = Math.min(back ?? never, this.#lookAt ?? never, this.#nextBorder ?? never);
    return at === never ? undefined : at;
  }

  /** @param beside other requests under way */
  started(sequence: number, now: number, beside: number): Spending {
    this.#sequence = sequence;
    this.#others.started();
    if (this.#here < 1) this.#exhausted = true;
    const group = this.#spent.add(now, 1, this.#groupWidth);
    return { sequence, at: now, gains: this.#gains, beside, group, spentAt: this.#spentAt };
  }

  /** The request never left. */
  unused(spending: Spending): void {
    this.#others.unused();
    this.#supply += 1;
    this.#spent.cancel(spending.group);
  }

  /** The answer says nothing of a budget, or never came: it counts as spent, and as no news. */
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

  /** A 429: nothing is here, whatever we thought. @param until when the server says to go on */
  limited(spending: Spending, reading: RateLimitReading, until: number): void {
    const first = spending.sequence > this.#lowered;
    if (spending.sequence === this.#borderProbe) this.#border.failed(spending.at, this.#window.ms);
    this.#spent.cancel(spending.group);
    if (spending.gains <= this.#confirmedGains) this.#others.took(1);
    this.#others.limited(this.#limit);
    if (reading.limit !== undefined && reading.limit !== this.#limit) {
      this.#limit = reading.limit;
      this.#window.forget(reading.windowMs);
      this.#border.forget();
    }
    if (this.#others.blamed()) this.#trust = 1;
    else if (this.#gains > 0) {
      // One is jitter, several of one burst mean that the window is longer.
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

  /** Begins anew from one answer: the first, or the first under another limit. */
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
    // Of what is under way nothing has been counted, for all we know.
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
      if (unconfirmed > 0) {
        this.#trust = Math.min(MOST_TRUST, this.#trust + 1);
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
    this.#others.eased();
    this.#error.restart();
    this.#raised = this.#sequence;
    if (!this.#others.felt) return;
    if (units > this.#limit * BORDER_SHARE) {
      // A new window: what is missing in it was spent in it, not when we last saw it spent.
      this.#window.border(at);
      this.#exhausted = false;
      this.#spent.clear();
      this.#others.foreign.clear();
      this.#balance(at);
    } else this.#window.shrink();
  }

  #lower(units: number, unconfirmed: number): void {
    this.#supply -= units;
    this.#error.restart();
    this.#lowered = this.#sequence;
    if (unconfirmed === 0) this.#others.took(units);
    if (this.#others.blamed()) this.#trust = 1;
    else if (unconfirmed > 0) {
      this.#trust = Math.max(1, this.#trust >> 1);
      // What was to be back is not: a little of it was early, most of it may mean that the window is longer.
      this.#widenMargin();
      if (units * 2 > unconfirmed && units > 1) {
        if (this.#limit > LARGEST_BURST) this.#window.longer();
        else this.#window.early();
      }
    }
  }

  /** Here and away make the limit: what is missing comes back a window later, what is too much came back. */
  #balance(at: number, answeredAt?: number): void {
    const excess = this.#here + this.#spent.units + this.#others.foreign.units - this.#limit;
    if (excess < 0) this.#others.foreign.add(at, -excess, this.#groupWidth, answeredAt);
    else if (excess > 0) {
      const foreign = this.#others.foreign.takeOldest(excess);
      this.#supply -= excess - foreign - this.#spent.takeOldest(excess - foreign);
    }
  }

  get #groupWidth(): number {
    return this.#window.ms / GROUPS_A_WINDOW;
  }

  #backAt(group: SpentGroup, windows = 1): number {
    const seenAt = Math.max(group.at, group.answeredAt - this.#fastestMs);
    return seenAt + this.#window.ms * windows + this.#marginMs;
  }

  /** When the next units are reckoned to be back. */
  get #nextBackAt(): number | undefined {
    const own = this.#spent.oldest;
    const foreign = this.#others.foreign.oldest;
    const at = Math.min(
      own === undefined ? Number.POSITIVE_INFINITY : this.#backAt(own),
      foreign === undefined ? Number.POSITIVE_INFINITY : this.#backAt(foreign, this.#others.patience),
    );
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  }

  /** When all that was spent is back at once; undefined where no window's beginning can be predicted. */
  get #nextBorder(): number | undefined {
    // Where more was spent than a window has, the next one has begun already.
    if (this.#others.felt || this.#sequence - this.#wholeSequence >= this.#limit) return undefined;
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
      let due = this.#others.foreign.oldest;
      due !== undefined && now >= this.#backAt(due, this.#others.patience);
      due = this.#others.foreign.oldest
    ) {
      const units = this.#others.foreign.takeOldest(Math.max(1, due.units));
      this.#others.gained(units);
      this.#gain(units);
    }
    if (this.#here >= 1 || inFlight > 0) return;
    const border = this.#nextBorder;
    const atBorder = border !== undefined && now >= border;
    if (!atBorder && (this.#lookAt === undefined || now < this.#lookAt)) return;
    // By our reckoning nothing is back, but a window has begun, or a told reset has passed: one request looks.
    if (atBorder) {
      this.#border.passed(now, this.#window.ms);
      this.#borderProbe = this.#sequence + 1;
    } else this.#lookAt = undefined;
    if (this.#others.foreign.takeOldest(1) === 0) this.#spent.takeOldest(1);
    this.#gain(1 - this.#here);
  }

  #gain(units: number): void {
    this.#supply += units;
    this.#gains += units;
  }
}

/**
 * What many answers say together of a picture of the budget that each of them alone fits.
 *
 * Requests under way together reach the server in any order, so that one answer may be off by as many; the mean
 * does not depend on the order.
 */
class MeanError {
  #sum = 0;
  #count = 0;
  /** Most requests that were under way meanwhile. */
  #span = 0;

  restart(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#span = 0;
  }

  /**
   * @param error units that the server has more than the picture
   * @returns the mean, once there are enough answers for one, which then begins anew
   */
  add(error: number, inFlight: number): number | undefined {
    this.#sum += error;
    this.#count += 1;
    this.#span = Math.max(this.#span, inFlight);
    // As many as were ever under way meanwhile, twice over: the end of a burst alone is no fair sample.
    if (this.#count < 2 * this.#span + 4) return undefined;
    const mean = this.#sum / this.#count;
    this.restart();
    return mean;
  }
}
