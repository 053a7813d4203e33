import { ApiError } from '../../api/errors.ts';
import { message } from '../../messages/message.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { AlreadyClaimedError } from '../../ledger/ledger.ts';
import type { JobState } from '../../ledger/states.ts';
import type { Feed } from './feed.ts';
import { jobStateAfterError } from '../job/job-state-after-error.ts';
import type { WriteContext } from './write-context.ts';

export interface WriteEnd {
  state: JobState;
  /** Why the run stopped; absent if it ended. */
  error?: ShelfliftError;
  /** Requests for rows whose earlier request was not applied. */
  retried: number;
  /** Ids of possible duplicates: items equal to a row that was sent twice. */
  doubles: string[];
}

/**
 * The state that a run leaves its job in.
 *
 * @param failure the error that ended the run early, if any
 * @throws AlreadyClaimedError, and errors that are defects or wrong commands
 */
export async function stateAtEnd(
  context: Pick<WriteContext, 'job' | 'ledger' | 'signal'>,
  feed: Pick<Feed, 'createsStopped'>,
  failure: unknown,
): Promise<Pick<WriteEnd, 'state' | 'error'>> {
  // The job that owns the import answers; this one has sent nothing.
  if (failure instanceof AlreadyClaimedError) throw failure;
  if (failure !== undefined && !context.signal.aborted) {
    if (!(failure instanceof ShelfliftError)) throw failure;
    const state =
      jobStateAfterError(failure) ?? (failure instanceof ApiError ? 'parked_unreachable' : undefined);
    if (state === undefined) throw failure;
    return { state, error: failure };
  }
  if (context.signal.aborted) return { state: 'interrupted' };
  const { planned, sending, unknown } = await context.ledger.rows.counts(context.job.id);
  if (planned + sending + unknown === 0) return { state: 'done' };
  if (feed.createsStopped && planned > 0) {
    return {
      state: 'parked_limit',
      error: new ShelfliftError(
        'limit_reached',
        message('plan_is_full', { rows: planned }, { do: 'byHand', label: message('make_room_in_plan', {}) }),
      ),
    };
  }
  // No run leaves such a row behind: should one, a resume looks its item up.
  return { state: sending + unknown > 0 ? 'interrupted' : 'paused' };
}
