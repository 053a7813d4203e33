import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Big } from 'big.js';
import * as fc from '../support/fast-check.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import type { KeyValues } from '../../src/ledger/key-values.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { changeSections, compare } from '../../src/reports/changes.ts';
import {
  openSnapshot,
  saveSnapshot,
  type SnapshotItem,
  type SnapshotOwner,
} from '../../src/reports/snapshot.ts';
import { anyItem, inventoryOf, itemOf, MAIN, sectionOf } from './support.ts';

function openValues(): KeyValues {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-test-'));
  const ledger = openSqliteLedger(join(folder, 'ledger.db'));
  onTestFinished(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return ledger.values;
}

const OWNER = { target: 'https://api.example', selection: 'all', collections: [MAIN] };
const THEN = '2026-06-01T00:00:00.000Z';

async function sections(before: readonly Item[], now: readonly Item[]) {
  const { snapshot } = inventoryOf(before);
  const kept = {
    at: THEN,
    count: snapshot.length,
    async *pieces() {
      for (let from = 0; from < snapshot.length; from += 10) yield snapshot.slice(from, from + 10);
    },
  };
  return changeSections(await compare(kept, inventoryOf(now).snapshot), true);
}

async function keptItems(values: KeyValues, owner: SnapshotOwner): Promise<SnapshotItem[] | undefined> {
  const snapshot = await openSnapshot(values, owner);
  return snapshot === undefined ? undefined : (await Array.fromAsync(snapshot.pieces())).flat();
}

test('the bridge leads from the old value to the new one, whatever changed', async () => {
  const pair = fc
    .record({ item: anyItem, what: fc.constantFrom('stays', 'gone', 'new', 'revalued'), other: anyItem })
    .map(({ item, what, other }): [Item[], Item[]] => {
      if (what === 'gone') return [[item], []];
      if (what === 'new') return [[], [item]];
      return [[item], [what === 'stays' ? item : { ...other, id: item.id }]];
    });
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { maxLength: 30 }), async (pairs) => {
      const before = pairs.flatMap(([old]) => old);
      const now = pairs.flatMap(([, fresh]) => fresh);
      for (const { currency, rows } of sectionOf(await sections(before, now), 'changes').blocks) {
        const of = (key: string, index: number) =>
          new Big(rows.find((row) => row.key === key)?.values[index] ?? 0);
        const value = (key: string) => of(key, 2);
        const count = (key: string) => of(key, 1);
        expect(
          ['new', 'gone', 'from_currency', 'to_currency', 'revalued']
            .reduce((sum, step) => sum.plus(value(step)), value('then'))
            .eq(value('now')),
        ).toBe(true);
        expect(
          ['new', 'gone', 'from_currency', 'to_currency']
            .reduce((sum, step) => sum.plus(count(step)), count('then'))
            .eq(count('now')),
        ).toBe(true);
        expect(Number(count('now'))).toBe(
          now.filter((item) => item.currency.toLowerCase() === currency).length,
        );
      }
    }),
  );
});

test('each changed item is listed with its old values', async () => {
  const stays = itemOf({ name: 'Stays', estimated_value: 5 });
  const sold = itemOf({ name: 'Sold', status: 'sell', estimated_value: 7 });
  const dearer = itemOf({ name: 'Dearer', estimated_value: null });
  const gone = itemOf({ name: 'Gone', estimated_value: 3.5 });
  const added = itemOf({ name: 'New', estimated_value: 1 });
  const found = await sections(
    [stays, sold, dearer, gone],
    [stays, { ...sold, status: 'sold' }, { ...dearer, estimated_value: 9 }, added],
  );
  const rows = sectionOf(found, 'changed_items').blocks.flatMap((block) => block.rows);
  expect(
    rows.map((row) => row.values.map((value) => (value instanceof Big ? value.toFixed() : value))),
  ).toEqual([
    ['value changed', 'Dearer', 'keep', 'keep', null, '9', '9'],
    ['no longer in the list', 'Gone', 'keep', null, '3.5', null, '-3.5'],
    ['new', 'New', null, 'keep', null, '1', '1'],
    ['status changed', 'Sold', 'sell', 'sold', '7', '7', '0'],
  ]);
});

test('an item whose currency changed is neither gone nor new', async () => {
  const moved = itemOf({ name: 'Moved', currency: 'usd', estimated_value: 5 });
  const found = await sections([moved], [{ ...moved, currency: 'eur', estimated_value: 4 }]);
  const steps = sectionOf(found, 'changes').blocks.map(({ currency, rows }) => [
    currency,
    ...rows.filter(({ values }) => Number(values[1]) !== 0).map(({ key, values }) => [key, values[1]]),
  ]);
  expect(steps).toEqual([
    ['eur', ['from_currency', 1], ['now', 1]],
    ['usd', ['then', 1], ['to_currency', -1]],
  ]);
  expect(
    sectionOf(found, 'changed_items').blocks.flatMap(({ rows }) => rows.map(({ values }) => values[0])),
  ).toEqual(['was in another currency', 'now in another currency']);
});

test('a snapshot is read back as saved, even in several entries, and replaces the last one', async () => {
  const values = openValues();
  expect(await openSnapshot(values, OWNER)).toBeUndefined();
  const many = Array.from(
    { length: 4500 },
    (_, index): SnapshotItem => [`id-${index}`, 'Toy\n"x"', 'keep', 'usd', index / 100],
  );
  await saveSnapshot(values, OWNER, THEN, many);
  expect(await openSnapshot(values, OWNER)).toMatchObject({ at: THEN, count: 4500 });
  expect(await keptItems(values, OWNER)).toEqual(many);

  await saveSnapshot(values, OWNER, '2026-07-01T00:00:00.000Z', many.slice(0, 1));
  expect(await keptItems(values, OWNER)).toHaveLength(1);
  const [space] = await values.spaces('report:inventory:');
  expect(await values.list(space ?? '', { limit: 10 })).toHaveLength(2);
});

test('a report killed while saving its snapshot leaves the last one intact', async () => {
  const values = openValues();
  await saveSnapshot(values, OWNER, THEN, [['a', 'A', 'keep', 'usd', 1]]);
  const dying: KeyValues = {
    ...bound(values),
    put: async (space, entries) => {
      if (entries.some(({ key }) => key === 'latest')) throw new Error('killed');
      await values.put(space, entries);
    },
  };
  await expect(saveSnapshot(dying, OWNER, 'later', [['b', 'B', 'keep', 'usd', 2]])).rejects.toThrow('killed');
  expect((await keptItems(values, OWNER))?.map(([id]) => id)).toEqual(['a']);
});

test('a snapshot that another report partly removed is ignored', async () => {
  const values = openValues();
  const many = Array.from({ length: 2500 }, (_, index): SnapshotItem => [`${index}`, 'A', 'keep', 'usd', 1]);
  await saveSnapshot(values, OWNER, THEN, many);
  const [space = ''] = await values.spaces('report:inventory:');
  const [first] = await values.list(space, { limit: 1 });
  await values.remove(space, [first?.key ?? '']);
  const rest = await openSnapshot(values, OWNER);
  expect(rest && (await compare(rest, []))).toBeUndefined();
  expect(rest).toBeDefined();
});

function bound(values: KeyValues): KeyValues {
  return {
    get: (...given) => values.get(...given),
    put: (...given) => values.put(...given),
    putIfAbsent: (...given) => values.putIfAbsent(...given),
    putMissing: (...given) => values.putMissing(...given),
    replace: (...given) => values.replace(...given),
    list: (...given) => values.list(...given),
    remove: (...given) => values.remove(...given),
    spaces: (...given) => values.spaces(...given),
  };
}

test('reports of another address, selection or team are never compared', async () => {
  const values = openValues();
  await saveSnapshot(values, OWNER, THEN, [['a', 'A', 'keep', 'usd', 1]]);
  const others = [
    { ...OWNER, target: 'https://other.example' },
    { ...OWNER, selection: 'keep' },
    { ...OWNER, collections: ['99999999-9999-4999-8999-999999999999'] },
    { ...OWNER, collections: [] },
  ];
  for (const owner of others) expect(await openSnapshot(values, owner)).toBeUndefined();
  const otherTeam = others[2] as typeof OWNER;
  await saveSnapshot(values, otherTeam, 'later', [['b', 'B', 'keep', 'usd', 2]]);
  expect((await keptItems(values, OWNER))?.map(([id]) => id)).toEqual(['a']);
  expect((await keptItems(values, otherTeam))?.map(([id]) => id)).toEqual(['b']);
  // A collection more is still the same team.
  const grown = { ...OWNER, collections: ['77777777-7777-4777-8777-777777777777', MAIN] };
  expect((await openSnapshot(values, grown))?.at).toBe(THEN);
});
