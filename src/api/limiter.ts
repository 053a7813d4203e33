/**
 * The request limiter of one key: every request takes a permit here before it is sent.
 *
 * Bottleneck is the gate; the pacer decides how far it opens. Bottleneck runs at most about 435 jobs per second with
 * any options (measured), so each job carries a batch of permits as its `weight`. Permits wait in `#stash` until
 * callers take them, and requests in flight are counted here, not in Bottleneck.
 */
import Bottleneck from 'bottleneck';
import type { Clock } from '../base/clock.ts';
import { AbortedError } from './errors.ts';
import type { Pacer } from './pacer.ts';
import type { RateLimitReading } from './rate-limit-headers.ts';
import { message } from '../messages/message.ts';

/**
 * Look-ups of lost answers go before reads, and reads before writes, so that an import does not starve a scan. A
 * `recheck` (reading an item again just before it is written) goes last: a checked row is sent before the next one is
 * read.
 */
export type RequestPriority = 'settle' | 'read' | 'write' | 'recheck';
const PRIORITY: Record<RequestPriority, number> = { settle: 0, read: 1, write: 2, recheck: 3 };

/** The right to send one request. Give it back with `answered` or, if nothing was sent, with `unused`. */
export interface Permit {
  answered(outcome: { limited: boolean; reading: RateLimitReading; lost: boolean }): void;
  unused(): void;
}

export interface LimiterEvents {
  /** The server asked all requests to wait. */
  onPause?: (until: Date) => void;
}

interface Waiter {
  priority: number;
  grant: (permit: Permit) => void;
}

/** Most permits per Bottleneck job: 435 jobs per second then carry 27,000 requests. */
const LARGEST_BATCH = 64;

export class Limiter {
  readonly #pacer: Pacer;
  readonly #clock: Clock;
  readonly #events: LimiterEvents;
  // No minTime and no refresh: they would impose Bottleneck's windows instead of the server's.
  readonly #gate = new Bottleneck({ reservoir: 0 });
  readonly #waiters: Waiter[] = [];
  #stash = 0;
  #asked = false;
  #busy = 0;
  #cancelTimer: (() => void) | undefined;
  #announcedPause = 0;

  constructor(pacer: Pacer, clock: Clock, events: LimiterEvents = {}) {
    this.#pacer = pacer;
    this.#clock = clock;
    this.#events = events;
  }

  /** Waits for a permit. @throws AbortedError (`applied: 'no'`) when the signal ends the wait. */
  acquire(priority: RequestPriority, signal?: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        const index = this.#waiters.indexOf(waiter);
        if (index >= 0) this.#waiters.splice(index, 1);
        reject(new AbortedError('aborted', message('request_stopped_early', {}), { applied: 'no' }));
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
      const index = this.#waiters.findIndex((each) => each.priority > waiter.priority);
      this.#waiters.splice(index < 0 ? this.#waiters.length : index, 0, waiter);
      this.#pump();
    });
  }

  /** How many requests may be in flight now. Callers run about this many workers. */
  get concurrency(): number {
    return this.#pacer.concurrency;
  }

  /** End of the pause that the server asked for, ms since the epoch; in the past if there is none. */
  get pausedUntil(): number {
    return this.#clock.now() + this.#pacer.pausedUntil - this.#clock.monotonic();
  }

  /** Requests per second that are known to be admitted; undefined if unknown. */
  get knownRate(): number | undefined {
    return this.#pacer.knownRate;
  }

  /** Requests a second, inferred from 429s alone; undefined if answers carry the budget or no 429 came. */
  get foundRate(): number | undefined {
    return this.#pacer.foundRate;
  }

  /** Starts the search for a silent server's rate at `rate`, unless it is already known. */
  beginAt(rate: number): void {
    this.#pacer.beginAt(rate);
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    await this.#gate.disconnect();
  }

  #pump(): void {
    // Monotonic: setting the wall clock back an hour must not stop the requests for an hour.
    const now = this.#clock.monotonic();
    if (now < this.#pacer.pausedUntil) this.#stash = 0;
    // The pacer is asked again, because it may have learned something since Bottleneck released the permits.
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
    // Fetched ahead while requests are in flight, even if nobody waits yet. Otherwise all workers come to an empty stash
    // together, wait for the gate and then for the disk, and nothing is sent meanwhile.
    const isPrefetched = this.#busy > 0 && this.#pacer.available(now) >= 1;
    if (this.#waiters.length > 0 || isPrefetched) this.#ask(now);
  }

  /** Requests the next batch of permits from the gate, no larger than the pacer allows. */
  #ask(now: number): void {
    if (this.#asked) return;
    const available = this.#pacer.available(now);
    if (available >= 1) {
      // Fetched in advance, so that Bottleneck's own pace is never the limit.
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
    // Set, not added to: the gate always holds exactly what the pacer has just allowed.
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
    this.#events.onPause?.(new Date(this.pausedUntil));
  }
}
