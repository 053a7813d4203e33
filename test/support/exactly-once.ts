/** The promise of design §1, checked: each row is one item, or is held with its cause. */
import { expect } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { fieldsOfCreate } from '../../src/import/engine/input.ts';
import type { Ledger, LedgerRow } from '../../src/ledger/ledger.ts';

/** Rows of a create job against the items on the server; `key` is what tells contents apart. */
export async function expectExactlyOnce(
  ledger: Ledger,
  jobId: string,
  items: readonly Item[],
): Promise<{ held: number; created: number }> {
  const rows = await ledger.rows.list(jobId, { limit: 100_000 });
  const done = rows.filter((row) => row.state === 'done');
  const held = rows.filter((row) => row.state === 'held');
  expect(rows.filter((row) => !['done', 'held'].includes(row.state)).map((row) => row.state)).toEqual([]);
  for (const row of held) expect(row.issues[0]?.message).toContain('may or may not');

  // Each done row has an item of its own, and it is the one that the row describes.
  const byId = new Map(items.map((item) => [item.id, item]));
  const owned = new Set<string>();
  for (const row of done) {
    const item = byId.get(row.itemId ?? '');
    expect(item, `row ${row.ordinal} is done, and its item is not there`).toBeDefined();
    expect(owned.has(row.itemId ?? '')).toBe(false);
    owned.add(row.itemId ?? '');
    expect(fold(item?.name)).toBe(fold(nameOf(row)));
  }
  // What nobody owns may only be the item of a held row: at most one each.
  const free = items.filter((item) => !owned.has(item.id)).map((item) => fold(item.name));
  const wanted = held.map((row) => fold(nameOf(row)));
  for (const name of free) {
    const index = wanted.indexOf(name);
    expect(index, `an item "${name}" belongs to no row`).toBeGreaterThanOrEqual(0);
    wanted.splice(index, 1);
  }
  return { held: held.length, created: done.length };
}

function nameOf(row: LedgerRow): string {
  return String(fieldsOfCreate(row)['name']);
}

function fold(name: string | undefined): string {
  return (name ?? '').normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
}
