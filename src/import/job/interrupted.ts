/** A run that was stopped from outside, wherever it stood. */
import { ShelfliftError } from '../../errors.ts';

/** Ctrl-C, SIGTERM, or a caller's signal: not a defect, and never a reason to throw a job away. */
export class InterruptedError extends ShelfliftError {
  constructor(cause: unknown) {
    super('interrupted', 'stopped before the end', { cause });
  }
}

/** What a stopped run threw (a stream's AbortError, the signal's reason …) as the one error that says so. */
export function interruptedOr(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted || error instanceof InterruptedError) return error;
  const known = error instanceof ShelfliftError && error.code !== 'aborted';
  return known ? error : new InterruptedError(error);
}
