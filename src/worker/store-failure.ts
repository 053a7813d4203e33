import { ShelfliftError } from '../errors.ts';

/** What fails in the store is of no run, folder or delivery: it is waited for, and counts as nobody's try. */
export function isOfStore(error: unknown): boolean {
  return error instanceof ShelfliftError && /^(store|lease)_/.test(error.code);
}
