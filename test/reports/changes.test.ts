import { Big } from 'big.js';
import * as fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { changeSections } from '../../src/reports/changes.ts';
import { compare } from '../../src/reports/roll-forward.ts';
import { anyItem, inventoryOf, itemOf, sectionOf } from './support.ts';

const THEN = '2026-06-01T00:00:00.000Z';

async function sections(before: readonly Item[], now: readonly Item[]) {
  const kept = inventoryOf(before).reading.reading({
    startedAt: THEN,
    at: THEN,
    team: { laneId: '', collections: null },
  });
  return changeSections(await compare(kept, inventoryOf(now).reading.items), true);
}

test('the changes in a report add up from the old value to the new one, whatever has changed', async () => {
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

test('the changes in a report begin and end with a blank if no value is known, and with 0 if there are no items', async () => {
  const unvalued = itemOf({ estimated_value: null });
  const valuesOf = async (before: Item[], now: Item[]) => {
    const [block] = sectionOf(await sections(before, now), 'changes').blocks;
    return ['then', 'now'].map((key) => String(block?.rows.find((row) => row.key === key)?.values[2]));
  };
  expect(await valuesOf([unvalued], [{ ...unvalued, estimated_value: 5 }])).toEqual(['null', '5']);
  expect(await valuesOf([], [unvalued])).toEqual(['0', 'null']);
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

test('an item whose currency changed counts as neither removed nor new', async () => {
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
