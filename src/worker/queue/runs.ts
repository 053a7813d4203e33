/** The runs of a store: waiting, in progress and ended. Queues only refer to them. */
import { ShelfliftError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { type Ledger, LeaseLostError } from '../../ledger/ledger.ts';
import type { RunRecord } from '../../ledger/run-records.ts';
import { FINAL_STATES, isFinal, OPEN_STATES, type Run, type RunState } from './run.ts';

const PAGE = 500;
const CANCEL_LOOK_MS = 2_000;

export interface RunFilter {
  /** Maximum number of runs. Default: all. */
  limit?: number;
  states?: readonly RunState[];
  /** Only runs created at this time or later, ms since the epoch. */
  since?: number;
}

export class Runs {
  readonly #records: Ledger['runs'];
  /** Each run as this process last read or wrote it. */
  readonly #stored = new WeakMap<Run, string>();

  constructor(ledger: Pick<Ledger, 'runs'>) {
    this.#records = ledger.runs;
  }

  /**
   * Adds a run without an entry in a queue (`Queue.enqueue` adds both). Returns false if a run with that id exists: only
   * one of several workers gets true. The run is on disk once its queue entry is.
   *
   * @param insert adds the record, with what belongs to it
   */
  async add(run: Run, insert = (record: RunRecord) => this.#records.add(record, 'soon')): Promise<boolean> {
    const record = recordOf(run);
    const added = await insert(record);
    if (added) this.#stored.set(run, record.text);
    return added;
  }

  async get(id: string): Promise<Run | undefined> {
    const text = await this.#records.get(id);
    return text === undefined ? undefined : this.#read(text);
  }

  /** Whether the run may still deliver a file: runs are removed only after they have ended. */
  async isOpen(id: string): Promise<boolean> {
    const run = await this.get(id);
    return run !== undefined && !isFinal(run);
  }

  /**
   * Saves a run by compare-and-set. A worker that was suspended until another one took its run over must not bring back
   * a run that has ended, because it would be delivered twice.
   *
   * @param instead as `get`, `add` or the last `save` left it; another run with that id if it starts over
   * @throws LeaseLostError if somebody else has written the run since
   */
  async save(run: Run, instead: Run = run): Promise<void> {
    const record = recordOf(run);
    const before = this.#stored.get(instead);
    // `running` only informs; everything else must survive a power cut, as the name under which a file is archived next.
    const durable = run.state === 'running' && run.ending === undefined ? 'soon' : 'now';
    if (before === undefined || !(await this.#records.replace(before, record, durable)))
      throw new LeaseLostError();
    this.#stored.set(run, record.text);
  }

  /** Newest first, loaded page by page. */
  async *each(filter: RunFilter = {}): AsyncGenerator<Run, void> {
    const { limit: most = Number.POSITIVE_INFINITY, ...query } = filter;
    let left = most;
    for (let after: RunRecord | undefined; left > 0; ) {
      const limit = Math.min(left, PAGE);
      const page = await this.#records.list({ ...query, limit, ...(after === undefined ? {} : { after }) });
      for (const { text } of page) yield this.#read(text);
      after = page.at(-1);
      if (page.length < limit) return;
      left -= limit;
    }
  }

  /** The runs of `each`, at once. */
  list(filter: RunFilter = {}): Promise<Run[]> {
    return Array.fromAsync(this.each(filter));
  }

  async counts(): Promise<Record<RunState, number>> {
    const found = await this.#records.counts();
    const states = [...OPEN_STATES, ...FINAL_STATES];
    return Object.fromEntries(states.map((state) => [state, found.get(state) ?? 0])) as Record<
      RunState,
      number
    >;
  }

  /** The newest run of each of the schedules, in one query. */
  async newest(schedules: readonly string[]): Promise<Map<string, Run>> {
    const texts = await this.#records.newest(schedules);
    return new Map([...texts].map(([schedule, text]) => [schedule, this.#read(text)]));
  }

  /** When each of the schedules last succeeded, ms since the epoch. */
  lastSuccess(schedules: readonly string[]): Promise<Map<string, number>> {
    return this.#records.lastEnded(schedules, 'done');
  }

  /** The given ids for which there are runs. */
  existing(ids: readonly string[]): Promise<Set<string>> {
    return this.#records.existing(ids);
  }

  /** Removes runs that ended before this time, in small steps. */
  async prune(endedBefore: number): Promise<number> {
    for (let pruned = 0; ; ) {
      const removed = await this.#records.prune(endedBefore, PAGE);
      pruned += removed;
      if (removed < PAGE) return pruned;
    }
  }

  #read(text: string): Run {
    const run = JSON.parse(text) as Run;
    this.#stored.set(run, text);
    return run;
  }
}

function recordOf(run: Run): RunRecord {
  const { id, state, createdAt, endedAt, work } = run;
  return {
    id,
    state,
    schedule: work.kind === 'schedule' ? work.schedule : null,
    createdAt: Math.floor(createdAt),
    // A run that is resumed has not ended.
    endedAt: isFinal(run) ? Math.floor(endedAt ?? createdAt) : null,
    text: JSON.stringify(run),
  };
}

/** Aborts soon after somebody has cancelled the run. If a read of the run fails, the next read follows as usual. */
export function watchCancelled(runId: string, runs: Runs): { signal: AbortSignal } & Disposable {
  const found = new AbortController();
  const timer = setInterval(() => {
    void runs
      .get(runId)
      .then((run) => {
        if (run?.state === 'cancelled')
          found.abort(new ShelfliftError('interrupted', message('run_was_cancelled', {})));
      })
      .catch(() => undefined);
  }, CANCEL_LOOK_MS);
  return { signal: found.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
