/** Waits while the store is restarting, locked, or out of disk space. */
import type { Clock } from '../base/clock.ts';
import { ShelfliftError, UsageError } from '../base/errors.ts';
import { ExitCode } from '../base/exit-code.ts';

/** The first wait; it doubles with each failure. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
/** Unknown errors may be bugs in shelflift, which waiting does not fix. */
const DEFECTS_BORNE = 10;

export class StoreOutage {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #tell: (message: string) => void;
  /** Failures since the store last worked, and the time of the first one (monotonic ms). */
  #failures = 0;
  #failingSince = 0;

  /** @param patienceMs how long to wait for the store to work again; for ever: infinite */
  constructor(clock: Clock, patienceMs: number, tell: (message: string) => void) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#tell = tell;
  }

  worked(): void {
    if (this.#failures === 0) return;
    const seconds = Math.round((this.#clock.monotonic() - this.#failingSince) / 1000);
    this.#failures = 0;
    this.#tell(`the store works again, after ${seconds} s`);
  }

  /**
   * @returns ms to wait
   * @throws the error if waiting does not help
   */
  failed(error: unknown): number {
    if (this.#failures === 0) this.#failingSince = this.#clock.monotonic();
    this.#failures += 1;
    const passing = !(error instanceof UsageError);
    const tooLong = this.#clock.monotonic() - this.#failingSince >= this.#patienceMs;
    const known = error instanceof ShelfliftError && error.exitCode !== ExitCode.defect;
    if (!passing || tooLong || (!known && this.#failures > DEFECTS_BORNE)) throw error;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (this.#failures - 1), MAX_WAIT_MS);
    this.#tell(`the store failed (looking again in ${wait / 1000} s): ${(error as Error).message}`);
    return wait;
  }
}

/** True for errors of the store. They are waited out, and do not count as tries of a run, folder or delivery. */
export function isOfStore(error: unknown): boolean {
  return error instanceof ShelfliftError && /^(store|lease)_/.test(error.code);
}
