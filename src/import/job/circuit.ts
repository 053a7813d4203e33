/**
 * Notices that the API is down or failing, and waits for it to come back.
 *
 * A connection that cannot be made opens the circuit at once; five failures in a row without a success between do so
 * too. While it is open, only a cheap read is sent, at growing intervals.
 */
import type { ApiClient } from '../../api/client.ts';
import { ApiError, UnreachableError } from '../../api/errors.ts';
import { isOutage, type OutageWaits, ReadFailures, waitsOf } from '../../api/outage.ts';
import type { Clock } from '../../base/clock.ts';
import type { JobDeps } from './deps.ts';
import type { Emit } from './events.ts';
import type { RunOptions } from './options.ts';

export interface CircuitOptions extends OutageWaits {
  client: ApiClient;
  clock: Clock;
  emit: Emit;
  signal: AbortSignal;
}

const FAILURES_IN_A_ROW = 5;
const MAX_INTERVAL_MS = 15_000;

export class Circuit {
  readonly #options: CircuitOptions;
  #reached = false;
  #failures = 0;
  #failingSince: number | undefined;
  #intervalMs = 1000;
  #open = false;
  #last: ApiError | undefined;
  #recovering: Promise<void> | undefined;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** The API answered according to the contract. */
  succeeded(): void {
    this.#reached = true;
    this.#failures = 0;
    this.#failingSince = undefined;
    this.#intervalMs = 1000;
  }

  /** A read was answered. Writes may still fail, so the time for which they have been failing is kept. */
  readSucceeded(): void {
    this.#reached = true;
    this.#failures = 0;
  }

  /** There was no answer, or the answer does not match the contract. */
  failed(error: ApiError): void {
    this.#last = error;
    this.#failures += 1;
    this.#failingSince ??= this.#options.clock.monotonic();
    const refused = error instanceof UnreachableError && error.applied === 'no';
    // Failures that each took long (a server that never answers) must not outlast the wait by five timeouts.
    if (refused || this.#failures >= FAILURES_IN_A_ROW || this.#left <= 0) this.#open = true;
  }

  /** ms until the longest allowed wait is over. */
  get #left(): number {
    const { clock, outageMs, neverReachedMs } = this.#options;
    const since = this.#failingSince ?? clock.monotonic();
    return (this.#reached ? outageMs : neverReachedMs) - (clock.monotonic() - since);
  }

  /**
   * Waits until a cheap read is answered; concurrent callers share one read.
   *
   * @throws the last ApiError after the longest allowed wait; the signal's reason when stopped
   */
  recover(): Promise<void> {
    this.#recovering ??= this.#recover().finally(() => {
      this.#recovering = undefined;
    });
    return this.#recovering;
  }

  async #recover(): Promise<void> {
    const { client, clock, emit, signal } = this.#options;
    while (this.#open) {
      const since = this.#failingSince ?? clock.monotonic();
      const left = this.#left;
      if (left <= 0) throw this.#last ?? new Error('the circuit is open without an error');
      const wait = Math.min(this.#intervalMs, left);
      emit({
        type: 'unreachable',
        since: new Date(clock.now() - (clock.monotonic() - since)),
        message: this.#last?.message ?? '',
        said: this.#last?.said,
        nextTryMs: wait,
      });
      await clock.sleep(wait, signal);
      this.#intervalMs = Math.min(this.#intervalMs * 2, MAX_INTERVAL_MS);
      try {
        await client.listItems({ page: 1, perPage: 1, priority: 'settle', signal });
        // Reads work again; `failingSince` stays until a write succeeds too, so that a server that only
        // answers reads cannot hold the job for ever.
        this.#open = false;
        this.#failures = 0;
        this.#reached = true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (isOutage(error)) this.#last = error;
        // A key that may not read items was answered all the same: the API is there.
        else if (error.code === 'missing_scope') this.#open = false;
        else throw error;
      }
    }
  }
}

/**
 * Repeats a read until it is answered, for as long as the circuit allows.
 *
 * @param options.amongWrites writes are in progress: their failures keep counting even while reads are answered
 */
export async function withRecovery<T>(
  circuit: Circuit,
  read: () => Promise<T>,
  { amongWrites = false } = {},
): Promise<T> {
  const failures = new ReadFailures();
  for (;;) {
    try {
      const value = await read();
      if (!amongWrites) circuit.readSucceeded();
      return value;
    } catch (error) {
      if (!failures.mayPass(error)) throw error;
      circuit.failed(error);
      if (!circuit.isOpen) continue;
      await circuit.recover();
    }
  }
}

/** Repeats a read until a short outage has passed. @throws the last ApiError once the wait is over */
export function retryThroughOutage<T>(
  { client, clock, emit, signal }: Pick<JobDeps, 'client' | 'clock' | 'emit' | 'signal'>,
  run: Pick<RunOptions, 'waitMs'>,
  read: () => Promise<T>,
): Promise<T> {
  return withRecovery(new Circuit({ client, clock, emit, signal, ...waitsOf(run.waitMs) }), read);
}
