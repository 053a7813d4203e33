import { ShelfliftError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { isStoreAway } from '../../ledger/store-away.ts';

/** Ctrl-C, SIGTERM, or a caller's signal. It is not a defect, and never a reason to discard a job. */
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

/** Turns the error of a stopped run (a stream's AbortError, the signal's reason …) into one kind of error. */
export function interruptedOr(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted || error instanceof InterruptedError) return error;
  // A stopped run does not wait for the store, so an outage of the store only means that it was stopped.
  const known = error instanceof ShelfliftError && error.code !== 'aborted' && !isStoreAway(error);
  return known ? error : new InterruptedError(error);
}
