/**
 * Learned changes that the servers of a store make to values (content.ts), from all jobs: keys of `--match` are
 * compared with them before a job has sent anything.
 */
import { z } from 'zod';
import type { Ledger } from '../../ledger/ledger.ts';
import { StoreChange } from '../../ledger/job-parts.ts';
import { storedReader } from '../../base/stored-json.ts';

export const CHANGES = 'server-changes';
export const readChanges = storedReader('server changes', () => z.array(StoreChange));

export async function seenChanges(ledger: Ledger, apiUrl: string): Promise<StoreChange[]> {
  const text = await ledger.values.get(CHANGES, apiUrl);
  return text === undefined ? [] : readChanges(text);
}

/** Adds the server changes that a job has seen, as of the time of the write. */
export async function noteChanges(
  ledger: Ledger,
  apiUrl: string,
  changes: () => readonly StoreChange[],
): Promise<void> {
  const known = await seenChanges(ledger, apiUrl);
  const all = [...new Set([...known, ...changes()])];
  if (all.length === known.length) return;
  await ledger.values.put(CHANGES, [{ key: apiUrl, value: JSON.stringify(all) }]);
}
