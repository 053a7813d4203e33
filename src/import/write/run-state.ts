import type { WriteContext } from './write-context.ts';

/** The state of a run that its workers share: unknown rows, the quiet period, the failure. */
export class RunState {
  /** Number of the job's rows whose answers were lost. */
  unknown = 0;
  /** Requests for rows whose earlier request was not applied. */
  retried = 0;
  readonly #context: WriteContext;
  #failure: unknown;
  #quietUntil = 0;
  #quietMs = 0;

  constructor(context: WriteContext) {
    this.#context = context;
  }

  /** The first failure, which ends the run. */
  get failure(): unknown {
    return this.#failure;
  }

  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** True if nothing more may be sent. */
  get stopped(): boolean {
    return this.#context.signal.aborted || this.#failure !== undefined;
  }

  /** Forbids settling for this many ms from now. */
  keepQuiet(ms: number): void {
    this.#quietUntil = Math.max(this.#quietUntil, this.#context.clock.monotonic() + ms);
    this.#quietMs = Math.max(this.#quietMs, ms);
  }

  /** Monotonic ms until which nothing may be settled. */
  get quietUntil(): number {
    return this.#quietUntil;
  }

  /** Returns the longest quiet period since the last settling, ms, and resets it. */
  takeQuietMs(): number {
    const ms = this.#quietMs;
    this.#quietMs = 0;
    return ms;
  }
}
