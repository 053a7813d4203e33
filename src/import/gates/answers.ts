/**
 * Answers that depend on what the jobs of the store have sent, such as whether a change was made before. They are given
 * before the lane is held, and hold until a job sends something: another job may have had the lane meanwhile, and jobs
 * with other keys may send at any time.
 */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';

interface AnswersDeps {
  ledger: { items: Pick<Ledger['items'], 'intents'> };
  /** @throws PlanChangedError if an answer is no longer the same */
  askAgain: () => Promise<void>;
}

export class Answers {
  readonly #deps: AnswersDeps;
  readonly #apiUrl: string;
  #accounted: number;

  /** @param accounted number of intents that all jobs of the target had committed when the answers were given */
  constructor({ apiUrl }: Pick<JobRecord, 'apiUrl'>, accounted: number, deps: AnswersDeps) {
    this.#deps = deps;
    this.#apiUrl = apiUrl;
    this.#accounted = accounted;
  }

  /** Number of intents that the answers account for. */
  get accounted(): number {
    return this.#accounted;
  }

  /** Asks again if something was sent since. @throws PlanChangedError */
  async confirm(): Promise<void> {
    // Read before the questions: intents that are committed later are found the next time.
    const { committed } = await this.#deps.ledger.items.intents(this.#apiUrl);
    if (committed === this.#accounted) return;
    await this.#deps.askAgain();
    this.#accounted = committed;
  }
}
