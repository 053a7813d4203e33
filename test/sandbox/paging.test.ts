/** Pages: what is on them, in which order, and how they move when items come and change. */
import * as fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { ITEM_STATUSES, type ItemStatus } from '../../src/api/schemas.ts';
import { openDatabase, type SortColumn } from '../../src/sandbox/store/database.ts';
import { type ItemFilter, ItemStore } from '../../src/sandbox/store/items.ts';
import { call, collectionOf, names, sandboxFor } from './support.ts';

interface Kept {
  id: string;
  status: ItemStatus;
  created: number;
  updated: number;
  seq: number;
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('insert' as const),
      time: fc.nat(20),
      status: fc.constantFrom(...ITEM_STATUSES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('update' as const),
      time: fc.nat(30),
      status: fc.constantFrom(...ITEM_STATUSES),
      at: fc.nat(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('remove' as const), at: fc.nat() }) },
);

describe('the store compared with a model', () => {
  test.each<SortColumn>(['created', 'updated'])(
    'returns the same pages of every list as the model, sorted by %s',
    (sort) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (steps, perPage) => {
          const database = openDatabase(undefined, sort);
          const store = new ItemStore(database, sort);
          let kept: Kept[] = [];
          for (const [seq, one] of steps.entries()) {
            if (one.act === 'insert') {
              const { time, status } = one;
              const item = { id: `id-${seq}`, status, created: time, updated: time, seq };
              kept.push(item);
              store.insert({ ...item, team: 1, body: item.id });
            } else if (kept.length > 0) {
              const item = kept[one.at % kept.length] as Kept;
              if (one.act === 'remove') {
                expect(store.remove(1, item.id)).toBe(true);
                kept = kept.filter((other) => other !== item);
              } else {
                const before = store.get(1, item.id);
                if (before === undefined) throw new Error('An item is gone.');
                store.update(before, one.status, one.time, item.id);
                Object.assign(item, { status: one.status, updated: one.time });
              }
            }
          }
          const ordered = kept.toSorted((a, b) => b[sort] - a[sort] || b.seq - a.seq);
          const filters: [ItemFilter, (item: Kept) => boolean][] = [
            ['all', () => true],
            ['listed', ({ status }) => status === 'sell' || status === 'trade'],
            ...ITEM_STATUSES.map((status): [ItemFilter, (item: Kept) => boolean] => [
              status,
              (item) => item.status === status,
            ]),
          ];
          for (const [filter, fits] of filters) {
            const expected = ordered.filter(fits).map(({ id }) => id);
            expect(store.count(1, filter)).toBe(expected.length);
            for (let offset = 0; offset <= expected.length + perPage; offset += perPage) {
              expect(store.page(1, filter, offset, perPage)).toEqual(
                expected.slice(offset, offset + perPage),
              );
            }
          }
          expect(store.page(2, 'all', 0, 10)).toEqual([]);
          database.close();
        }),
        { numRuns: 60 },
      );
    },
  );

  test('keeps nothing of a failed bulk insert, not even in the counts', () => {
    const database = openDatabase(undefined, 'created');
    const store = new ItemStore(database, 'created');
    const item = { id: 'a', team: 1, status: 'keep', created: 1, updated: 1, body: '{}' } as const;
    store.insert(item);
    expect(() => store.insertAll([{ ...item, id: 'b' }, item])).toThrow(/UNIQUE/);
    expect(store.count(1)).toBe(1);
    expect(store.page(1, 'all', 0, 10)).toHaveLength(1);
    database.close();
  });
});

test('items that are created between two pages shift the next page', async () => {
  const sandbox = await sandboxFor();
  sandbox.control.insertItems(Array.from({ length: 6 }, (_, index) => ({ name: `old ${index}` })));
  expect(names(await call(sandbox, 'GET', '/items?per_page=3'))).toEqual(['old 5', 'old 4', 'old 3']);
  const body = { collection_id: collectionOf(sandbox), name: 'new' };
  await call(sandbox, 'POST', '/items', { body });
  const second = await call(sandbox, 'GET', '/items?per_page=3&page=2');
  expect(names(second)).toEqual(['old 3', 'old 2', 'old 1']);
  expect(second.json?.['pagination']).toEqual({ page: 2, per_page: 3, has_more: true });
  const third = await call(sandbox, 'GET', '/items?per_page=3&page=3');
  expect(names(third)).toEqual(['old 0']);
  expect(third.json?.['pagination']).toEqual({ page: 3, per_page: 3, has_more: false });
});

test('a full last page says that there are no more items', async () => {
  const sandbox = await sandboxFor();
  sandbox.control.insertItems([{}, {}, {}, {}]);
  const { json } = await call(sandbox, 'GET', '/items?per_page=2&page=2');
  expect(json?.['pagination']).toEqual({ page: 2, per_page: 2, has_more: false });
});

test.each([
  ['created', ['b', 'a']],
  ['updated', ['a', 'b']],
] as const)(
  'lists sorted by %s show the newest item first, after the older item was edited',
  async (order, expected) => {
    let now = 1_700_000_000_000;
    const sandbox = await sandboxFor({ order, now: () => (now += 1000) });
    const collection = collectionOf(sandbox);
    const first = await call(sandbox, 'POST', '/items', { body: { collection_id: collection, name: 'a' } });
    await call(sandbox, 'POST', '/items', { body: { collection_id: collection, name: 'b' } });
    const id = String(first.json?.['id']);
    const edited = await call(sandbox, 'PATCH', `/items/${id}`, { body: { status: 'sell' } });
    expect(edited.json?.['created_at']).toBe(first.json?.['created_at']);
    expect(String(edited.json?.['updated_at']) > String(first.json?.['updated_at'])).toBe(true);
    expect(names(await call(sandbox, 'GET', '/items'))).toEqual(expected);
  },
);

test('collections are paged, newest first', async () => {
  const sandbox = await sandboxFor();
  for (let index = 0; index < 4; index += 1) sandbox.control.addCollection(`Shelf ${index}`);
  expect(names(await call(sandbox, 'GET', '/collections?per_page=2'))).toEqual(['Shelf 3', 'Shelf 2']);
  const last = await call(sandbox, 'GET', '/collections?per_page=2&page=3');
  expect(names(last)).toEqual(['Main']);
  expect(last.json?.['pagination']).toEqual({ page: 3, per_page: 2, has_more: false });
});
