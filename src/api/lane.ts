/**
 * The lane of one key: every request takes a permit here before it leaves.
 *
 * Bottleneck is the gate and the pacer decides how far it opens. One Bottleneck job admits at most about 435 a
 * second whatever its options (measured), so a job carries a batch of permits by its `weight`; the permits are
 * kept in `#stash` until callers take them, and what is in flight is counted here, not in Bottleneck.
 */
import Bottleneck from 'bottleneck';
import type { Clock } from '../clock.ts';
import { AbortedError } from './errors.ts';
import type { Pacer } from './pacer.ts';
import type { RateLimitReading } from './rate-limit-headers.ts';

/**
 * Settling and probing go before reads, reads before writes: a scan must not starve behind an import. What is read
 * again before it is written (`recheck`) goes last: a row that was read is sent before the next one is read.
 */
export type LanePriority = 'settle' | 'read' | 'write' | 'recheck';
const PRIORITY: Record<LanePriority, number> = { settle: 0, read: 1, write: 2, recheck: 3 };

/** The right to send one request. Ends by `answered` or, when nothing was sent, by `unused`. */
export interface Permit {
  answered(outcome: { limited: boolean; reading: RateLimitReading; lost: boolean }): void;
  unused(): void;
}

export interface LaneEvents {
  /** The server told everybody to wait; `until` in ms since the epoch. */
  onPause?: (until: number) => void;
}

interface Waiter {
  priority: number;
  grant: (permit: Permit) => void;
}

/** Permits that one Bottleneck job carries at most: 435 jobs a second are 27,000 requests then. */
const LARGEST_BATCH = 64;

export class Lane {
  readonly #pacer: Pacer;
  readonly #clock: Clock;
  readonly #events: LaneEvents;
  // No minTime and no refresh of its own: both are windows of Bottleneck's, not the server's.
  readonly #gate = new Bottleneck({ reservoir: 0 });
  readonly #waiters: Waiter[] = [];
  #stash = 0;
  #asked = false;
  #busy = 0;
  #cancelTimer: (() => void) | undefined;
  #announcedPause = 0;

  constructor(pacer: Pacer, clock: Clock, events: LaneEvents = {}) {
    this.#pacer = pacer;
    this.#clock = clock;
    this.#events = events;
  }

  /** Waits for a permit. @throws AbortedError (`applied: 'no'`) when the signal ends the wait. */
  acquire(priority: LanePriority, signal?: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        const index = this.#waiters.indexOf(waiter);
        if (index >= 0) this.#waiters.splice(index, 1);
        reject(new AbortedError('aborted', 'stopped before the request was sent', { applied: 'no' }));
      };
      const waiter: Waiter = {
        priority: PRIORITY[priority],
        grant: (permit) => {
          signal?.removeEventListener('abort', stop);
          resolve(permit);
        },
      };
      if (signal?.aborted) {
        stop();
        return;
      }
      signal?.addEventListener('abort', stop, { once: true });
      const behind = this.#waiters.findIndex((each) => each.priority > waiter.priority);
      this.#waiters.splice(behind < 0 ? this.#waiters.length : behind, 0, waiter);
      this.#pump();
    });
  }

  /** How many requests may be in flight now; callers keep about this many workers. */
  get concurrency(): number {
    return this.#pacer.concurrency;
  }

  /** Until when the server made everybody wait, ms since the epoch; in the past where it does not. */
  get pausedUntil(): number {
    return this.#clock.now() + this.#pacer.pausedUntil - this.#clock.monotonic();
  }

  /** Requests a second known to be admitted, where known. */
  get knownRate(): number | undefined {
    return this.#pacer.knownRate;
  }

  /** Requests a second that were found from 429s alone; undefined where answers tell the budget, or no 429 came. */
  get foundRate(): number | undefined {
    return this.#pacer.foundRate;
  }

  /** Begins the search for a silent server's rate here, where nothing is known yet. */
  beginAt(rate: number): void {
    this.#pacer.beginAt(rate);
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    await this.#gate.disconnect();
  }

  #pump(): void {
    // The clock that never jumps: an hour back on the wall must not stop the lane for an hour.
    const now = this.#clock.monotonic();
    if (now < this.#pacer.pausedUntil) this.#stash = 0;
    // What Bottleneck let through is asked of the pacer once more: much may have been learned since.
    while (
      this.#stash > 0 &&
      this.#waiters.length > 0 &&
      this.#busy < this.#pacer.concurrency &&
      this.#pacer.available(now) >= 1
    ) {
      this.#stash -= 1;
      this.#busy += 1;
      this.#waiters.shift()?.grant(this.#permit());
    }
    if (this.#waiters.length > 0) this.#ask(now);
  }

  /** Asks the gate for the next batch of permits, no larger than what the pacer has. */
  #ask(now: number): void {
    if (this.#asked) return;
    const available = this.#pacer.available(now);
    if (available >= 1) {
      // Fetched ahead, so that Bottleneck's own pace is never the limit.
      if (this.#stash > LARGEST_BATCH / 2 || this.#stash >= available) return;
    } else {
      const at = this.#pacer.nextAt(now);
      this.#cancelTimer?.();
      this.#cancelTimer =
        at === undefined
          ? undefined
          : this.#clock.after(Math.max(1, Math.ceil(at - now)), () => this.#pump());
      return;
    }
    this.#asked = true;
    const weight = Math.min(available - this.#stash, LARGEST_BATCH);
    const priority = this.#waiters[0]?.priority ?? PRIORITY.write;
    // Set, not added to: what the gate holds is always exactly what the pacer has just said.
    void Promise.resolve(this.#gate.updateSettings({ reservoir: weight }))
      .then(() => this.#gate.schedule({ weight, priority }, () => Promise.resolve()))
      .then(() => {
        this.#asked = false;
        this.#stash += weight;
        this.#pump();
      });
  }

  #permit(): Permit {
    const start = this.#pacer.started(this.#clock.monotonic());
    let open = true;
    const end = (settle: () => void) => {
      if (!open) return;
      open = false;
      this.#busy -= 1;
      settle();
      this.#pump();
    };
    return {
      answered: ({ limited, reading, lost }) =>
        end(() => {
          this.#pacer.answered({ start, limited, reading, lost, now: this.#clock.monotonic() });
          if (limited) this.#announcePause();
        }),
      unused: () => end(() => this.#pacer.unused(start)),
    };
  }

  #announcePause(): void {
    if (this.#pacer.pausedUntil <= this.#announcedPause) return;
    this.#announcedPause = this.#pacer.pausedUntil;
    this.#events.onPause?.(this.pausedUntil);
  }
}
