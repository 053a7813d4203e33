import type { WriteContext } from './write-context.ts';

/** How far a run has come, as all of its workers see it: what is unknown, how long to keep quiet, what has failed. */
export class RunState {
  /** Rows of the job whose answers were lost. */
  unknown = 0;
  /** Requests that were sent again for a row whose earlier request was not applied. */
  retried = 0;
  readonly #context: WriteContext;
  #failure: unknown;
  #quietUntil = 0;
  #quietMs = 0;

  constructor(context: WriteContext) {
    this.#context = context;
  }

  /** The first failure that ends the run; undefined as long as there is none. */
  get failure(): unknown {
    return this.#failure;
  }

  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Nothing more is to be sent. */
  get stopped(): boolean {
    return this.#context.signal.aborted || this.#failure !== undefined;
  }

  /** Nothing may be settled for so many ms from now. */
  keepQuiet(ms: number): void {
    this.#quietUntil = Math.max(this.#quietUntil, this.#context.clock.monotonic() + ms);
    this.#quietMs = Math.max(this.#quietMs, ms);
  }

  /** Monotonic ms before which nothing may be settled. */
  get quietUntil(): number {
    return this.#quietUntil;
  }

  /** The longest quiet period since the last settling, ms; begins anew. */
  takeQuietMs(): number {
    const ms = this.#quietMs;
    this.#quietMs = 0;
    return ms;
  }
}
