/** The state that an error leaves a job in, and how it is recorded. */
import { ApiError, UnauthorizedError } from '../../api/errors.ts';
import type { ShelfliftError } from '../../base/errors.ts';
import { JobCancelledError, LeaseLostError, type Ledger } from '../../ledger/ledger.ts';
import type { JobState } from '../../ledger/states.ts';
import { InterruptedError } from './interrupted.ts';

/** The run would reach a target other than the job's: the job stays unchanged, including its state. */
export class OtherTargetError extends UnauthorizedError {}

/** The state in which a job can be resumed; undefined if the command was wrong and a resume would not help. */
export function jobStateAfterError(error: ShelfliftError): JobState | undefined {
  if (error instanceof InterruptedError || error instanceof LeaseLostError) return 'interrupted';
  if (error instanceof JobCancelledError) return 'cancelled';
  switch (error.code) {
    case 'aborted':
      return 'interrupted';
    case 'store_unreachable':
    case 'store_locked':
    case 'list_moved':
    case 'list_lags':
      return 'parked_unreachable';
    case 'disk_full':
      return 'parked_disk';
    case 'too_many_refused':
    case 'key_not_kept':
    case 'other_currency':
    case 'store_behind':
      return 'parked_refused';
    case 'unauthorized':
    case 'missing_scope':
      return 'parked_unauthorised';
    case 'not_found':
    case 'invalid_request':
      // The answer to a read of a list: the address is not that of this API.
      return undefined;
    default:
      return error instanceof ApiError ? 'parked_unreachable' : undefined;
  }
}

/**
 * Records the state that a run leaves its job in, unless another run is responsible for the state.
 *
 * @returns the job's state
 */
export async function recordJobState(
  jobId: string,
  ledger: Ledger,
  state: JobState,
  error?: ShelfliftError,
): Promise<JobState> {
  // Another process has the lane and continues the job; a cancel is recorded already; and an attempt at another target
  // says nothing about the job.
  const isNotOurs = [LeaseLostError, JobCancelledError, OtherTargetError].some(
    (kind) => error instanceof kind,
  );
  if (isNotOurs) return state;
  const said = error?.said === undefined ? {} : { said: error.said };
  const recorded = error === undefined ? null : { code: error.code, message: error.message, ...said };
  try {
    return await ledger.jobs.update(jobId, { state, error: recorded });
  } catch (failure) {
    // A full disk cannot record that it is full. The rows are recorded, and a resume starts from them.
    if (state !== 'parked_disk') throw failure;
    return state;
  }
}
