import { ShelfliftError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { isStoreAway } from '../../ledger/store-away.ts';

/** Ctrl-C, SIGTERM, or a caller's signal: not a defect, and never a reason to discard a job. */
export class InterruptedError extends ShelfliftError {
  /** The job that can be resumed, if there is one. */
  readonly job: string | undefined;

  constructor(cause: unknown, job?: string) {
    super('interrupted', message('interrupted', {}), {
      cause,
      actions: job === undefined ? [] : [{ do: 'resume', job, label: message('to_go_on', {}) }],
    });
    this.job = job;
  }
}

/** Turns whatever a stopped run threw (a stream's AbortError, the signal's reason …) into one error. */
export function interruptedOr(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted || error instanceof InterruptedError) return error;
  // A stopped run waits for no store: whether it would have come back says nothing.
  const known = error instanceof ShelfliftError && error.code !== 'aborted' && !isStoreAway(error);
  return known ? error : new InterruptedError(error);
}
