/**
 * A value from the caller's own code or data, which may never arrive: a run that is stopped does not wait for it.
 *
 * @throws the signal's reason
 */
export async function orStopped<T>(given: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([stopped.promise, given]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
