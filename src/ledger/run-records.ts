/** The worker's runs as the store has them: a text, and the fields for lists and counts. */
import type { Durability } from './key-values.ts';

export interface RunRecord {
  id: string;
  /** As in worker/queue/run.ts. */
  state: string;
  /** The schedule that started the run; null for an import. */
  schedule: string | null;
  /** ms since the epoch, like `endedAt`, which is null for a run that has not ended. */
  createdAt: number;
  endedAt: number | null;
  /** The whole run: JSON. */
  text: string;
}

export interface RunQuery {
  limit: number;
  /** Only runs in these states. */
  states?: readonly string[];
  /** Only runs created at this time or later, ms since the epoch. */
  since?: number;
  /** The last run of the previous page, in the order of the list. */
  after?: Pick<RunRecord, 'id' | 'createdAt'>;
}

export interface RunRecords {
  /** Adds a run unless there is one with this id. If several processes call this, only one gets true. */
  add(run: RunRecord, durable?: Durability): Promise<boolean>;
  /** The text of a run. */
  get(id: string): Promise<string | undefined>;
  /** Replaces a run if its text is still `from`; else returns false. */
  replace(from: string, run: RunRecord, durable?: Durability): Promise<boolean>;
  /** Newest first. */
  list(query: RunQuery): Promise<RunRecord[]>;
  /** The newest run of each schedule: the one with the greatest id, because ids sort by fire time. */
  newest(schedules: readonly string[]): Promise<Map<string, string>>;
  /** Number of runs in each state; states without runs are missing. */
  counts(): Promise<Map<string, number>>;
  /**
   * When a run of each schedule last ended in this state, ms since the epoch; schedules without such a run are missing.
   */
  lastEnded(schedules: readonly string[], state: string): Promise<Map<string, number>>;
  /** The given ids for which there are runs. */
  existing(ids: readonly string[]): Promise<Set<string>>;
  /** Removes runs that ended before this time, oldest first. @returns their number, at most `limit` */
  prune(endedBefore: number, limit: number): Promise<number>;
}

export const RUN_COLUMNS = `id, state, schedule, created_at AS "createdAt", ended_at AS "endedAt", record AS text`;
