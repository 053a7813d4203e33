/** Parks a job with many refusals, which would waste the key's budget. */
import { ShelfliftError } from '../../errors.ts';
import { counted } from '../../counted.ts';

const IN_A_ROW = 100;
const SHARE = 0.2;
const SHARE_OF_AT_LEAST = 100;

export class RefusalGuard {
  readonly #most: number | undefined;
  #inARow = 0;
  #refused = 0;
  #answered = 0;

  /** @param most refusals in this run before it parks; by default 100 in a row, or 20 % of at least 100 */
  constructor(most: number | undefined) {
    this.#most = most;
  }

  accepted(): void {
    this.#inARow = 0;
    this.#answered += 1;
  }

  /** Returns the error to park with, if it is time. */
  refused(): ShelfliftError | undefined {
    this.#inARow += 1;
    this.#refused += 1;
    this.#answered += 1;
    const tooMany =
      this.#most === undefined
        ? this.#inARow >= IN_A_ROW ||
          (this.#answered >= SHARE_OF_AT_LEAST && this.#refused > this.#answered * SHARE)
        : this.#refused >= this.#most;
    if (!tooMany) return undefined;
    return new TooManyRefusedError(
      `the API refused ${this.#refused} of ${counted(this.#answered, 'row')}: the job is parked`,
    );
  }
}

class TooManyRefusedError extends ShelfliftError {
  constructor(message: string) {
    super('too_many_refused', message, {
      remedy:
        'Look at _error in the results file; then resume the job (--max-refused N allows more), or cancel it.',
    });
  }
}
