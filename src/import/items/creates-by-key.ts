/**
 * The items that an upsert is about to create, and other rows of the store that may create them too, by the key of
 * `--match`.
 */
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { createsByKey, itemKey, keyRule, RowKeys } from '../changes/match-key.ts';
import { fieldsOfCreate, patchOf } from '../engine/input.ts';
import { rowPages } from '../job/row-pages.ts';

export const PLANNED_CREATES = { states: ['planned'], actions: ['create'] } as const;

/** The planned creates of an upsert that have a key, a page at a time. */
export async function* keyedCreates(
  job: JobRecord,
  ledger: Ledger,
): AsyncGenerator<{ row: LedgerRow; key: string }[], void> {
  if (!createsByKey(job)) return;
  const keys = new RowKeys(keyRule(job));
  for await (const rows of rowPages(ledger, job.id, PLANNED_CREATES))
    yield rows.map((row) => ({ row, key: keys.of(patchOf(row)) })).filter(({ key }) => key !== '');
}

/** The keys of these rows, and the number of rows with each key. */
export async function keysOfCreates(job: JobRecord, ledger: Ledger): Promise<Map<string, number>> {
  const keys = new Map<string, number>();
  for await (const creates of keyedCreates(job, ledger))
    for (const { key } of creates) keys.set(key, (keys.get(key) ?? 0) + 1);
  return keys;
}

/** Whether a create of the job can be recognised only by its content, because no key identifies its item. */
export function withoutKey(job: JobRecord): (row: LedgerRow) => boolean {
  if (job.mode === 'create') return () => true;
  const keys = new RowKeys(keyRule(job));
  return (row) => keys.of(patchOf(row)) === '';
}

/** Creates of any job that give an item one of the keys, as the job compares them. */
export function createsWith<T extends { row: LedgerRow }>(
  keys: { has(key: string): boolean },
  creates: readonly T[],
  job: JobRecord,
): (T & { key: string })[] {
  const rule = keyRule(job);
  return creates
    .map((each) => ({ ...each, key: itemKey(fieldsOfCreate(each.row), rule) }))
    .filter(({ key }) => keys.has(key));
}
