/** A relative change that is given again would raise twice what was meant to be raised once. */
import { UsageError } from '../../errors.ts';
import { AlreadyClaimedError, type JobRecord } from '../../ledger/ledger.ts';
import { counted } from '../../counted.ts';
import { repeatedChange } from '../history/repeats.ts';
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
  const { ledger, clock } = deps;
  const { repeats: agreed = [] } = job.options;
  const isRecent = ({ id, updatedAt }: JobRecord) =>
    !agreed.includes(id) && clock.now() - updatedAt <= SOON_MS;
  const repeated = await repeatedChange(job, isRecent, ledger);
  if (repeated === undefined) return;
  const { earlier, items, of } = repeated;
  const [newest] = earlier;
  const open = earlier.find(({ state }) => state !== 'done' && state !== 'cancelled');
  if (open !== undefined && job.firstSentAt === undefined) throw new AlreadyClaimedError(open.id);
  const which = items === of ? 'the same items' : `${items} of ${counted(of, 'item')}`;
  const what = `Job ${newest.id} made the same change of ${which} less than 24 hours ago`;
  if (run.yes !== true && !(await confirmWithUser(deps, `${what}. Make it a second time?`)))
    throw new RepeatedChangeError('repeated_change', `${what}. Nothing was sent.`, {
      remedy: `To make it a second time, add --yes. To take the first one back: shelflift jobs undo ${newest.id}`,
    });
  // A resume does not ask again.
  job.options = { ...job.options, repeats: [...agreed, ...earlier.map(({ id }) => id)] };
  await ledger.jobs.update(job.id, { options: job.options });
}
