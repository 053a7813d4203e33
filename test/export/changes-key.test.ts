/** Exports of changes after the API key has been replaced by one of the same team, or of another. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Scope } from '../../src/api/schemas.ts';
import { exportItems } from '../../src/export/export.ts';
import { readManifest } from '../../src/export/verify/verify.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { clientOf, setUp } from './support.ts';

const READ: Scope[] = ['items:read'];
const ALL: Scope[] = ['items:read', 'collections:read'];

async function place(options: SandboxOptions = {}) {
  const setup = await setUp(options);
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
    /** Changes and names in the next file of changes. */
    changes: async (key: string) => {
      const client = clientOf(setup.sandbox, key);
      const { values } = ledger;
      await exportItems({ client, values, out, changedSinceLast: 'all' });
      return parse<{ name: string; _change: string }>(await readFile(out), { columns: true }).map(
        (row) => `${row._change} ${row.name}`,
      );
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

test('a name that another team has taken up empty goes on for the first team, and for the other one', async () => {
  await using at = await place();
  const team = at.control.addTeam();
  const [ours, theirs] = [at.keyOf(READ), at.keyOf(READ, team.id)];
  expect(await at.sold(ours)).toEqual([]);
  at.sell('Theirs 1', team.id);
  expect(await at.sold(theirs)).toEqual(['Theirs 1']);
  at.sell('Ours 1');
  expect(await at.sold(ours)).toEqual(['Ours 1']);
  expect(await at.warnings()).toEqual([]);
  at.sell('Theirs 2', team.id);
  at.sell('Ours 2');
  expect(await at.sold(theirs)).toEqual(['Theirs 2']);
  expect(await at.warnings()).toEqual([]);
  expect(await at.sold(ours)).toEqual(['Ours 2']);
});

test('no file of changes names items of another team that has taken up its name', async () => {
  await using at = await place();
  const team = at.control.addTeam();
  const [ours, theirs] = [at.keyOf(READ), at.keyOf(READ, team.id)];
  expect(await at.changes(ours)).toEqual([]);
  at.sell('Theirs', team.id);
  expect(await at.changes(theirs)).toEqual(['created Theirs']);
  at.sell('Ours');
  expect(await at.changes(ours)).toEqual(['created Ours']);
  expect(await at.changes(theirs)).toEqual([]);
  expect(await at.changes(ours)).toEqual([]);
});

test.each(['sold', 'changes'] as const)(
  'keys of one team that are used by turns have each item in one file, also if the first file was empty: %s',
  async (files) => {
    await using at = await place();
    const keys = [at.keyOf(READ), at.keyOf(READ), at.keyOf(READ)];
    const names: string[] = [];
    const next = async (index: number) => names.push(...(await at[files](keys[index] ?? '')));
    await next(0);
    await next(1);
    at.sell('A');
    await next(2);
    for (const [sale, index] of [0, 1, 0, 2, 1].entries()) {
      await next(index);
      at.sell(`B${sale}`);
      await next(index);
    }
    const expected = ['A', 'B0', 'B1', 'B2', 'B3', 'B4'];
    expect(names).toEqual(files === 'sold' ? expected : expected.map((name) => `created ${name}`));
  },
);

test('a team of its own is recognised by items that were sold before the name began', async () => {
  const day = 86_400_000;
  let now = Date.now() - 3 * day;
  await using at = await place({ now: () => now });
  const team = at.control.addTeam();
  const [ours, theirs] = [at.keyOf(READ), at.keyOf(READ, team.id)];
  at.sell('Sold days ago', team.id);
  now += 3 * day;
  expect(await at.sold(ours)).toEqual([]);
  await expect(at.sold(theirs)).rejects.toMatchObject({ code: 'changes_of_other_team' });
  at.sell('Ours');
  expect(await at.sold(ours)).toEqual(['Ours']);
});
