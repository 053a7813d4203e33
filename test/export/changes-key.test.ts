/** Exports of changes after the API key has been replaced by one of the same team, or of another. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Scope } from '../../src/api/schemas.ts';
import { exportItems } from '../../src/export/export.ts';
import { readManifest } from '../../src/export/verify/verify.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { clientOf, setUp } from './support.ts';

const READ: Scope[] = ['items:read'];
const ALL: Scope[] = ['items:read', 'collections:read'];

async function place() {
  const setup = await setUp();
  const ledger = openSqliteLedger(':memory:');
  const { control } = setup.sandbox;
  const out = setup.path('sold.csv');
  return {
    control,
    keyOf: (scopes: Scope[], team?: number) => control.addKey(scopes, team).secret,
    sell: (name: string, team?: number) => control.insertItems([{ name, status: 'sold' }], team),
    /** Names in the next file of sold items. */
    sold: async (key: string) => {
      const client = clientOf(setup.sandbox, key);
      const { values } = ledger;
      await exportItems({ client, values, out, changedSinceLast: 'sold', became: 'sold' });
      return parse<{ name: string }>(await readFile(out), { columns: true }).map(({ name }) => name);
    },
    warnings: async () => (await readManifest(out))?.warnings ?? [],
    [Symbol.asyncDispose]: () => ledger.close(),
  };
}

test.each([
  ['neither may list collections', READ, READ],
  ['only the first may list collections', ALL, READ],
  ['only the second may list collections', READ, ALL],
  ['both may list collections', ALL, ALL],
])('items that were sold around a change of keys are in the next file: %s', async (_, before, after) => {
  await using at = await place();
  const first = at.keyOf(before);
  expect(await at.sold(first)).toEqual([]);
  at.sell('A');
  expect(await at.sold(first)).toEqual(['A']);
  at.sell('B');
  const second = at.keyOf(after);
  expect(await at.sold(second)).toEqual(['B']);
  expect(await at.warnings()).toEqual([]);
  at.sell('C');
  expect(await at.sold(first)).toEqual(['C']);
  expect(await at.sold(second)).toEqual([]);
});

test('if no earlier file has an item, the file says that it takes both keys for keys of one team', async () => {
  await using at = await place();
  expect(await at.sold(at.keyOf(READ))).toEqual([]);
  at.sell('A');
  expect(await at.sold(at.keyOf(READ))).toEqual(['A']);
  expect(await at.warnings()).toEqual([expect.stringContaining('another API key')]);
});

test('another team whose key may not list collections needs a name of its own', async () => {
  await using at = await place();
  const ours = at.keyOf(READ);
  at.sell('A');
  expect(await at.sold(ours)).toEqual([]);
  const team = at.control.addTeam();
  at.sell('Theirs', team.id);
  await expect(at.sold(at.keyOf(READ, team.id))).rejects.toMatchObject({
    code: 'changes_of_other_team',
    exitCode: 2,
  });
  at.sell('B');
  expect(await at.sold(ours)).toEqual(['B']);
});
