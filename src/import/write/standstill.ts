/** Which errors make a job stand still, to be resumed, and in which state. */
import { ApiError } from '../../api/errors.ts';
import type { ShelfliftError } from '../../errors.ts';
import { JobCancelledError, LeaseLostError } from '../../ledger/ledger.ts';
import type { JobState } from '../../ledger/states.ts';
import { InterruptedError } from '../interrupted.ts';

/** The state a job is left in; undefined where the command was wrong and resuming alone would not help. */
export function stateAfter(error: ShelfliftError): JobState | undefined {
  if (error instanceof InterruptedError || error instanceof LeaseLostError) return 'interrupted';
  if (error instanceof JobCancelledError) return 'cancelled';
  switch (error.code) {
    case 'store_unreachable':
    case 'store_locked':
      return 'parked_unreachable';
    case 'disk_full':
      return 'parked_disk';
    case 'list_moved':
      return 'parked_unreachable';
    case 'too_many_refused':
      return 'parked_refused';
    case 'unauthorized':
    case 'missing_scope':
      return 'parked_unauthorised';
    case 'aborted':
      return 'interrupted';
    case 'not_found':
    case 'invalid_request':
      // For a read of a list: the address is not that of this API.
      return undefined;
    default:
      return error instanceof ApiError ? 'parked_unreachable' : undefined;
  }
}
