/** A database that restarts, a disk that is full, a file that is locked for a while: the worker goes on when they do. */
import type { Clock } from '../clock.ts';
import { ShelfliftError, UsageError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';

/** A store that fails is looked at again after a second, then two, four … */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** `--once` is started again by others: it waits for a store no longer than this. */
const ONCE_PATIENCE_MS = 30_000;
/** What is no known failure may be a defect of ours, which no wait mends. */
const DEFECTS_BORNE = 10;

export class StoreOutage {
  readonly #clock: Clock;
  readonly #once: boolean;
  readonly #tell: (message: string) => void;
  /** Of the store since it last worked: how often it failed, and since when (monotonic ms). */
  #failures = 0;
  #failingSince = 0;

  constructor(clock: Clock, once: boolean, tell: (message: string) => void) {
    this.#clock = clock;
    this.#once = once;
    this.#tell = tell;
  }

  worked(): void {
    if (this.#failures === 0) return;
    const seconds = Math.round((this.#clock.monotonic() - this.#failingSince) / 1000);
    this.#failures = 0;
    this.#tell(`the store works again, after ${seconds} s`);
  }

  /**
   * @returns how long to wait, ms
   * @throws the error, where waiting does not help
   */
  failed(error: unknown): number {
    if (this.#failures === 0) this.#failingSince = this.#clock.monotonic();
    this.#failures += 1;
    const passing = !(error instanceof UsageError);
    const tooLong = this.#once && this.#clock.monotonic() - this.#failingSince >= ONCE_PATIENCE_MS;
    const known = error instanceof ShelfliftError && error.exitCode !== ExitCode.defect;
    if (!passing || tooLong || (!known && this.#failures > DEFECTS_BORNE)) throw error;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (this.#failures - 1), LONGEST_WAIT_MS);
    this.#tell(`the store failed (looking again in ${wait / 1000} s): ${(error as Error).message}`);
    return wait;
  }
}

/** What fails in the store is of no run, folder or delivery: it is waited for, and counts as nobody's try. */
export function isOfStore(error: unknown): boolean {
  return error instanceof ShelfliftError && /^(store|lease)_/.test(error.code);
}
