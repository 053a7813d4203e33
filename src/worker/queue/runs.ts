/** The runs of a store: what is to be done, is under way, and was done. Truth on every database. */
import { type Ledger, LeaseLostError } from '../../ledger/ledger.ts';
import { idOfFire, isFinal, type Run } from './run.ts';

const SPACE = 'runs';
const PAGE = 500;
/** The newest run of a schedule is what is asked for most. */
const FIRST_PAGE = 4;

export class Runs {
  readonly #values: Ledger['values'];
  /** What the store holds of each run, as far as we know. */
  readonly #stored = new WeakMap<Run, string>();

  constructor(ledger: Pick<Ledger, 'values'>) {
    this.#values = ledger.values;
  }

  /** False where a run of that id is there already: of many workers one gets true. On disk with its queue's entry. */
  async add(run: Run): Promise<boolean> {
    const text = JSON.stringify(run);
    const added = await this.#values.putIfAbsent(SPACE, run.id, text, 'soon');
    if (added) this.#stored.set(run, text);
    return added;
  }

  async get(id: string): Promise<Run | undefined> {
    const text = await this.#values.get(SPACE, id);
    if (text === undefined) return undefined;
    const run = JSON.parse(text) as Run;
    this.#stored.set(run, text);
    return run;
  }

  /**
   * Only whoever holds the run's turn writes it, and who ends it by hand: a worker that stood still until another one had taken its turn
   * over must not bring back what that one has ended, or it would be delivered twice.
   *
   * @param instead as `get`, `add` or the last `save` left it; another run of that id where it begins anew
   * @throws LeaseLostError where it was written by somebody else since
   */
  async save(run: Run, instead: Run = run): Promise<void> {
    const text = JSON.stringify(run);
    const before = this.#stored.get(instead);
    // That it runs is told to those who look; what it has done is what must not be forgotten.
    const durable = run.state === 'running' ? 'soon' : 'now';
    if (before === undefined || !(await this.#values.replace(SPACE, run.id, before, text, durable)))
      throw new LeaseLostError();
    this.#stored.set(run, text);
  }

  /** Those of one schedule, the newest fire first; read as they are asked for. */
  async *ofSchedule(schedule: string): AsyncGenerator<Run, void> {
    const prefix = idOfFire(schedule, '');
    for (let after: string | undefined; ; ) {
      const limit = after === undefined ? FIRST_PAGE : PAGE;
      const from = after === undefined ? {} : { after };
      const page = await this.#values.list(SPACE, { prefix, limit, descending: true, ...from });
      for (const { value } of page) {
        const run = JSON.parse(value) as Run;
        // Another one's name may begin so.
        if (run.work.kind === 'schedule' && run.work.schedule === schedule) yield run;
      }
      after = page.at(-1)?.key;
      if (page.length < limit) return;
    }
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
