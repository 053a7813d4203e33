/** The worker's runs, as the store keeps them: a text, and what lists and counts go by. */
import type { Durability } from './key-values.ts';

export interface RunRecord {
  id: string;
  /** As worker/queue/run.ts has them. */
  state: string;
  /** The schedule that it is a run of; null for an import. */
  schedule: string | null;
  /** ms since the epoch, as `endedAt`, which is null for a run that has not ended. */
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
  /** The run before the first one of this page, in the order of the list. */
  after?: Pick<RunRecord, 'id' | 'createdAt'>;
}

export interface RunRecords {
  /** Adds a run unless there is one with this id. Of many processes, one gets true. */
  add(run: RunRecord, durable?: Durability): Promise<boolean>;
  /** The text of a run. */
  get(id: string): Promise<string | undefined>;
  /** Replaces a run if its text is still `from`; else returns false. */
  replace(from: string, run: RunRecord, durable?: Durability): Promise<boolean>;
  /** Newest first. */
  list(query: RunQuery): Promise<RunRecord[]>;
  /** The newest run of each schedule that has run: the one with the greatest id, because ids sort by fire time. */
  newest(schedules: readonly string[]): Promise<Map<string, string>>;
  /** How many runs are in each state that occurs. */
  counts(): Promise<Map<string, number>>;
  /** When a run of each schedule last ended in this state, ms since the epoch; without those that have none. */
  lastEnded(schedules: readonly string[], state: string): Promise<Map<string, number>>;
  /** Those of the ids that there are runs of. */
  existing(ids: readonly string[]): Promise<Set<string>>;
  /** Removes runs that ended before this time, the oldest first. @returns how many, at most `limit` */
  prune(endedBefore: number, limit: number): Promise<number>;
}

export const RUN_COLUMNS = `id, state, schedule, created_at AS "createdAt", ended_at AS "endedAt", record AS text`;
