/**
 * Frees space in the store: rows of old jobs lose their cells and before-images, and old dry runs are removed. The
 * outcome of each row and its item stay forever, because exactly-once depends on them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import { OF_JOBS } from '../../ledger/key-values.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { fillHashes, isEarlier } from '../history/hashed-jobs.ts';

const DAY_MS = 86_400_000;
/** Number of shown ids that are forgotten at a time. */
const SEEN_PART = 5_000;
const PAUSE_MS = 20;
/** Before-images are kept at least this long, so that a job can be undone. */
export const KEPT_MS = 90 * DAY_MS;

export interface PruneOptions {
  /** Prunes jobs that have not changed for this long, ms. Default and minimum: 90 days. */
  olderThanMs?: number;
  /** Only report the data that would be pruned. */
  dryRun?: boolean;
  /** ms since the epoch. */
  now: number;
}

/** The data that was deleted. */
export interface Pruned {
  /** Ids of finished jobs that lost their before-images and cells; they can no longer be undone. */
  jobs: string[];
  /** Ids of dry runs that were never applied, and were removed. */
  dryRuns: string[];
  /** Approximate size of the deleted cells and payloads; 0 for a dry run. */
  bytes: number;
}

/** @throws UsageError `bad_duration` for less than 90 days */
export async function pruneJobs(ledger: Ledger, options: PruneOptions): Promise<Pruned> {
  const { olderThanMs = KEPT_MS, now, dryRun = false } = options;
  if (olderThanMs < KEPT_MS) {
    const hours = KEPT_MS / 3_600_000;
    const label = message('to_prune_later', {});
    const later: Action = { do: 'setOption', option: 'older-than', value: `${hours}h`, label };
    throw new UsageError('bad_duration', message('too_young_to_prune', { days: hours / 24, hours }, later));
  }
  const pruned: Pruned = { jobs: [], dryRuns: [], bytes: 0 };
  for (const job of await ledger.jobs.list()) {
    if (now - job.updatedAt < olderThanMs || (await ledger.lanes.runner(job.id)) !== undefined) continue;
    if (job.dryRun && job.firstSentAt === undefined) {
      if (!dryRun) await ledger.jobs.discard(job.id, true);
      pruned.dryRuns.push(job.id);
    } else if (isFinished(job)) {
      if (!dryRun) {
        // The hashes that recognise the rows later are computed from what is about to be removed.
        if (isEarlier(job)) await fillHashes(job, { ledger });
        pruned.bytes += await ledger.rows.forget(job.id);
        await ledger.values.remove(OF_JOBS, [job.id]);
        await ledger.jobs.update(job.id, { prunedAt: now });
      }
      pruned.jobs.push(job.id);
    }
  }
  if (!dryRun) {
    while ((await ledger.items.forgetSeen(SEEN_PART)) === SEEN_PART) await sleep(PAUSE_MS);
  }
  return pruned;
}

/** Rows that may still be sent need their cells and payloads. */
function isFinished(job: JobRecord): boolean {
  return job.prunedAt === undefined && (job.state === 'done' || job.state === 'cancelled');
}
