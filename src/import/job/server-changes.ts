/**
 * What the servers of a store were seen to change as they keep values (content.ts), whichever job has seen it: by it
 * the keys of `--match` are compared before a job has sent anything.
 */
import type { Ledger } from '../../ledger/ledger.ts';
import type { StoreChange } from '../../ledger/job-options.ts';

const SPACE = 'server-changes';

export async function seenChanges(ledger: Ledger, apiUrl: string): Promise<StoreChange[]> {
  const text = await ledger.values.get(SPACE, apiUrl);
  return text === undefined ? [] : (JSON.parse(text) as StoreChange[]);
}

/** Adds what a job has seen by the time of the write. */
export async function noteChanges(
  ledger: Ledger,
  apiUrl: string,
  changes: () => readonly StoreChange[],
): Promise<void> {
  const known = await seenChanges(ledger, apiUrl);
  const all = [...new Set([...known, ...changes()])];
  if (all.length === known.length) return;
  await ledger.values.put(SPACE, [{ key: apiUrl, value: JSON.stringify(all) }]);
}
