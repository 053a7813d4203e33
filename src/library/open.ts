/** The entry points. Each loads its modules when it is called, because a program may not call all of them. */
import type { OpenOptions, Shelf } from './shelf.ts';
import type { WorkerEnd, WorkerOptions } from './worker.ts';

/**
 * Opens a shelf. Nothing is sent yet.
 *
 * @throws UsageError `bad_option`, `unknown_option`; errors of the address and key; errors of openLedger
 * @example
 * await using shelf = await open({ apiUrl, key, store: 'ledger.db' });
 * const { rows } = await shelf.import({ file: 'toys.csv' }, { collection: 'Main' });
 */
export async function open(options: OpenOptions): Promise<Shelf> {
  const { openShelf } = await import('./shelf.ts');
  return openShelf(options);
}

/**
 * Runs a worker until the signal aborts or, with `once`, until nothing is due. The `health` server of the configuration
 * is not started.
 *
 * @throws UsageError for a configuration or option that cannot be used; errors of the store
 * @example
 * const stop = new AbortController();
 * process.once('SIGTERM', () => stop.abort());
 * await runWorker({ config: 'shelflift.yaml', store: 'ledger.db', environment: process.env, signal: stop.signal });
 */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const { runWorker: run } = await import('./worker.ts');
  return run(options);
}
