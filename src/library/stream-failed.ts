import { ShelfliftError } from '../base/errors.ts';
import { message } from '../messages/message.ts';

/**
 * The error for a stream or iterator of the caller that threw; the thrown value is its cause.
 *
 * @param name name that the caller gave the source
 */
export function streamFailed(name: string, cause: unknown): ShelfliftError {
  if (cause instanceof ShelfliftError) return cause;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new ShelfliftError('stream_failed', message('stream_failed', { name, detail }), { cause });
}
