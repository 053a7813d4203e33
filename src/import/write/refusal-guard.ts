/** Parks a job with many refusals, which would waste the key's budget. */
import { ShelfliftError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';

const IN_A_ROW = 100;
const SHARE = 0.2;
const SHARE_OF_AT_LEAST = 100;

export class RefusalGuard {
  readonly #most: number | undefined;
  readonly #jobId: string;
  #inARow = 0;
  #refused = 0;
  #answered = 0;

  /**
   * @param most number of refusals in this run after which the job parks; by default 100 in a row, or 20 % of at least
   *   100
   */
  constructor(most: number | undefined, jobId: string) {
    this.#most = most;
    this.#jobId = jobId;
  }

  accepted(): void {
    this.#inARow = 0;
    this.#answered += 1;
  }

  /** Returns the error to park with, if there were too many refusals. */
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
    const job = this.#jobId;
    const said = message(
      'many_refused',
      { refused: this.#refused, rows: this.#answered },
      { do: 'byHand', label: message('see_error_column', {}) },
      { do: 'resume', job, options: { 'max-refused': 'N' }, label: message('to_allow_more_refusals', {}) },
      { do: 'cancel', job, label: message('to_send_no_more', {}) },
    );
    return new ShelfliftError('too_many_refused', said);
  }
}
