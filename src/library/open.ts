/** The entrance. */
import type { OpenOptions, Shelf } from './shelf.ts';

/**
 * Opens a shelf. Nothing is sent yet.
 *
 * @throws UsageError `bad_option`, `unknown_option`; those of the address and key; those of openLedger
 * @example
 * await using shelf = await open({ apiUrl, key, store: 'ledger.db' });
 * const { rows } = await shelf.import({ file: 'toys.csv' }, { collection: 'Main' });
 */
export async function open(options: OpenOptions): Promise<Shelf> {
  // Loaded here, because a program that imports shelflift may not need a shelf in this run.
  const { openShelf } = await import('./shelf.ts');
  return openShelf(options);
}
