/** The runs of a store, waiting, under way and ended. Queues only point at them. */
import { ShelfliftError } from '../../errors.ts';
import { type Ledger, LeaseLostError } from '../../ledger/ledger.ts';
import { idOfFire, isFinal, type Run } from './run.ts';

const SPACE = 'runs';
const PAGE = 500;
/** Most callers want the newest run of a schedule. */
const FIRST_PAGE = 4;
const CANCEL_LOOK_MS = 2_000;

export class Runs {
  readonly #values: Ledger['values'];
  /** Each run as this process last read or wrote it. */
  readonly #stored = new WeakMap<Run, string>();

  constructor(ledger: Pick<Ledger, 'values'>) {
    this.#values = ledger.values;
  }

  /** Returns false if a run with that id exists: only one of several workers gets true. On disk once its queue entry is. */
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
   * Saves a run by compare-and-set. A worker that was suspended until another one took its run over must not bring
   * back a run that has ended, or it would be delivered twice.
   *
   * @param instead as `get`, `add` or the last `save` left it; another run with that id if it starts over
   * @throws LeaseLostError if somebody else has written the run since
   */
  async save(run: Run, instead: Run = run): Promise<void> {
    const text = JSON.stringify(run);
    const before = this.#stored.get(instead);
    // `running` only informs; everything else must survive a power cut.
    const durable = run.state === 'running' ? 'soon' : 'now';
    if (before === undefined || !(await this.#values.replace(SPACE, run.id, before, text, durable)))
      throw new LeaseLostError();
    this.#stored.set(run, text);
  }

  /** The runs of one schedule, newest fire first, loaded page by page. */
  async *ofSchedule(schedule: string): AsyncGenerator<Run, void> {
    const prefix = idOfFire(schedule, '');
    for (let after: string | undefined; ; ) {
      const limit = after === undefined ? FIRST_PAGE : PAGE;
      const from = after === undefined ? {} : { after };
      const page = await this.#values.list(SPACE, { prefix, limit, descending: true, ...from });
      for (const { value } of page) {
        const run = JSON.parse(value) as Run;
        // The name of another schedule may have the same beginning.
        if (run.work.kind === 'schedule' && run.work.schedule === schedule) yield run;
      }
      after = page.at(-1)?.key;
      if (page.length < limit) return;
    }
  }

  /** All runs, newest first. */
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

  /** Removes runs that ended before this time. */
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

/** Aborts soon after somebody has cancelled the run. If a look fails, the next one follows. */
export function watchCancelled(runId: string, runs: Runs): { signal: AbortSignal } & Disposable {
  const found = new AbortController();
  const timer = setInterval(() => {
    void runs
      .get(runId)
      .then((run) => {
        if (run?.state === 'cancelled')
          found.abort(new ShelfliftError('interrupted', 'The run was cancelled.'));
      })
      .catch(() => undefined);
  }, CANCEL_LOOK_MS);
  return { signal: found.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
