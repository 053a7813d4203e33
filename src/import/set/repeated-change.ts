/** A relative change that is given again would raise twice what was meant to be raised once. */
import { UsageError } from '../../errors.ts';
import { AlreadyClaimedError, type JobRecord, type Jobs } from '../../ledger/ledger.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';

const SOON_MS = 24 * 3_600_000;

/** The same relative change was made a short while ago; the new job is not kept. */
export class RepeatedChangeError extends UsageError {}

/**
 * Makes sure that a relative change is meant once more.
 *
 * @throws AlreadyClaimedError if another job is in the middle of it; RepeatedChangeError if it was not confirmed
 */
export async function checkRepeatedChange(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<void> {
  if (job.options.repeatKey === undefined || job.firstSentAt !== undefined) return;
  const earlier = await earlierChange(job, deps.ledger.jobs);
  if (earlier === undefined) return;
  if (earlier.state !== 'done' && earlier.state !== 'cancelled') throw new AlreadyClaimedError(earlier.id);
  if (run.yes === true || deps.clock.now() - earlier.updatedAt > SOON_MS) return;
  const what = `Job ${earlier.id} made the same change of the same items less than 24 hours ago`;
  if (await confirmWithUser(deps, `${what}. Make it a second time?`)) return;
  throw new RepeatedChangeError('repeated_change', `${what}. Nothing was sent.`, {
    remedy: `To make it a second time, add --yes. To take the first one back: shelflift jobs undo ${earlier.id}`,
  });
}

/** The newest job that has sent rows of the same change; one that was undone does not count. */
async function earlierChange(job: JobRecord, jobs: Jobs): Promise<JobRecord | undefined> {
  const undone = new Set<string>();
  // The newest comes first: an undo is seen before the job that it undoes.
  for (const each of await jobs.list()) {
    const { kind, firstSentAt, apiUrl, options } = each;
    if (kind === 'undo' && firstSentAt !== undefined && options.undoesPart !== true)
      undone.add(options.undoes ?? '');
    if (each.id === job.id || apiUrl !== job.apiUrl || firstSentAt === undefined) continue;
    if (options.repeatKey === job.options.repeatKey && !undone.has(each.id)) return each;
  }
  return undefined;
}
