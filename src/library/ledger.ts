/** The store as a program sees it: a handle to open, share and close. */
import type { Ledger as OpenLedger } from '../ledger/ledger.ts';
import { UsageError } from '../base/errors.ts';
import { english, message } from '../messages/message.ts';
import { defined } from '../base/defined.ts';

/**
 * An open store, with the outcome of each row of every job. Open it yourself to share it between several shelves and a
 * worker; otherwise pass its location to `open`.
 *
 * @example
 * await using ledger = await openLedger('postgres://shelflift@db/toys');
 * await using shelf = await open({ apiUrl, key, store: ledger });
 */
export interface Ledger extends AsyncDisposable {
  /** Closes the store. Call it after everything that uses it has ended. */
  close(): Promise<void>;
}

/** The engine's store behind each handle; the handle hides it from programs. */
const opened = new WeakMap<Ledger, { ledger: OpenLedger; location: string }>();

/** Options of openLedger. */
export interface LedgerOptions {
  /**
   * How long to wait for a store that is locked or unreachable, ms. Default: 10 minutes, but at most 30,000 while
   * opening it.
   */
  waitMs?: number;
  /** Called with a sentence when the store cannot be reached for longer than a moment. */
  onOutage?: (message: string) => void;
}

/**
 * Opens a store.
 *
 * @param location path of an SQLite file, which is created if it does not exist; `postgres://…`; or `:memory:`, which
 *   ends with the process, so that its jobs cannot be resumed
 * @throws UsageError `store_not_ours`, `store_newer`, `store_unwritable`, `store_damaged`, `store_unreachable`;
 *   ShelfliftError `store_locked`
 */
export async function openLedger(location: string, options: LedgerOptions = {}): Promise<Ledger> {
  if (typeof location !== 'string' || location === '')
    throw new UsageError(
      'bad_option',
      message('call_wrong', {
        of: 'openLedger',
        problem: message('expected', { expected: message('a_store', {}) }),
      }),
    );
  const { openLedger: openStore } = await import('../ledger/open-ledger.ts');
  const { waitMs, onOutage } = options;
  const ledger = await openStore(location, {
    ...defined({ outageMs: waitMs }),
    ...(onOutage === undefined ? {} : { onOutage: (said) => onOutage(english(said)) }),
  });
  const handle: Ledger = {
    close: () => ledger.close(),
    [Symbol.asyncDispose]: () => ledger.close(),
  };
  opened.set(handle, { ledger, location });
  return handle;
}

/**
 * The engine's store behind a handle, and its location, with the password.
 *
 * @throws UsageError `bad_option` for anything that openLedger did not return
 */
export function unwrapLedger(ledger: Ledger): { ledger: OpenLedger; location: string } {
  const found = opened.get(ledger);
  if (found === undefined) throw new UsageError('bad_option', message('not_a_ledger', {}));
  return found;
}
