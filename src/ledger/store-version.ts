/** The version of the tables. A store of another version is refused, because 0.1.0 is the first release. */
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import { storeActions } from './store-actions.ts';

/** Increase it with each change of the tables. */
export const STORE_VERSION = 27;

/**
 * @param version of an existing store
 * @throws UsageError `store_newer`, `store_older`
 */
export function checkVersion(version: number, store: string): void {
  if (version > STORE_VERSION)
    throw new UsageError('store_newer', message('store_newer', { store, version }), {
      actions: storeActions('store_newer'),
    });
  if (version < STORE_VERSION)
    throw new UsageError('store_older', message('store_older', { store, version }), {
      actions: storeActions('store_older'),
    });
}
