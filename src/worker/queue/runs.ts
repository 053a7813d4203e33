/** The runs of a store: what is to be done, is under way, and was done. Truth on every database. */
import type { Ledger } from '../../ledger/ledger.ts';
import { isFinal, type Run } from './run.ts';

const SPACE = 'runs';
const PAGE = 500;

export class Runs {
  readonly #values: Ledger['values'];

  constructor(ledger: Pick<Ledger, 'values'>) {
    this.#values = ledger.values;
  }

  /** False where a run of that id is there already: of many workers one gets true. */
  add(run: Run): Promise<boolean> {
    return this.#values.putIfAbsent(SPACE, run.id, JSON.stringify(run));
  }

  async get(id: string): Promise<Run | undefined> {
    const text = await this.#values.get(SPACE, id);
    return text === undefined ? undefined : (JSON.parse(text) as Run);
  }

  /** Only whoever holds the run's turn writes it. */
  async save(run: Run): Promise<void> {
    await this.#values.put(SPACE, [{ key: run.id, value: JSON.stringify(run) }]);
  }

  /** All of them, newest first. */
  async list(): Promise<Run[]> {
    const runs: Run[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#values.list(SPACE, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      runs.push(...page.map(({ value }) => JSON.parse(value) as Run));
      after = page.at(-1)?.key;
      if (page.length < PAGE) break;
    }
    return runs.sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Forgets ended runs older than this. */
  async prune(endedBefore: number): Promise<number> {
    const old = (await this.list()).filter((run) => isFinal(run) && (run.endedAt ?? 0) < endedBefore);
    if (old.length > 0)
      await this.#values.remove(
        SPACE,
        old.map(({ id }) => id),
      );
    return old.length;
  }
}
