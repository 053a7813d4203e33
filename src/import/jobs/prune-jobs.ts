/**
 * Makes room in the store: rows of old jobs lose their cells and before-images, old dry runs go. What became of each
 * row, and whose item is whose, stays for ever: exactly-once rests on it.
 */
import { UsageError } from '../../errors.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { fillHashes, isEarlier } from '../known-rows/earlier-jobs.ts';

const DAY_MS = 86_400_000;
/** Before-images are kept at least so long, so that a job can be taken back. */
export const KEPT_MS = 90 * DAY_MS;

export interface PruneOptions {
  /** Jobs that have not moved for so long, ms. Default and least: 90 days. */
  olderThanMs?: number;
  /** Only say what would be pruned. */
  dryRun?: boolean;
  /** ms since the epoch. */
  now: number;
}

export interface Pruned {
  /** Ids of finished jobs whose before-images and cells went; they cannot be undone any more. */
  jobs: string[];
  /** Ids of dry runs that were never applied, and are gone. */
  dryRuns: string[];
}

/** @throws UsageError `bad_duration` for less than 90 days */
export async function pruneJobs(ledger: Ledger, options: PruneOptions): Promise<Pruned> {
  const { olderThanMs = KEPT_MS, now, dryRun = false } = options;
  if (olderThanMs < KEPT_MS) {
    throw new UsageError('bad_duration', 'before-images are kept for 90 days (2160h) at least', {
      remedy: 'Give 2160h or more.',
    });
  }
  const pruned: Pruned = { jobs: [], dryRuns: [] };
  for (const job of await ledger.jobs.list()) {
    if (now - job.updatedAt < olderThanMs || (await ledger.lanes.runner(job.id)) !== undefined) continue;
    if (job.dryRun && job.firstSentAt === undefined) {
      if (!dryRun) await ledger.jobs.discard(job.id);
      pruned.dryRuns.push(job.id);
    } else if (isFinished(job)) {
      if (!dryRun) {
        // What the rows are known by when they come again is made from what is forgotten.
        if (isEarlier(job)) await fillHashes(job, { ledger });
        await ledger.rows.forget(job.id);
        await ledger.jobs.update(job.id, { options: { ...job.options, prunedAt: now } });
      }
      pruned.jobs.push(job.id);
    }
  }
  return pruned;
}

/** Rows that may still be sent need what they hold. */
function isFinished(job: JobRecord): boolean {
  const { prunedAt } = job.options;
  return prunedAt === undefined && (job.state === 'done' || job.state === 'cancelled');
}
