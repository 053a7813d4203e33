import { expect, it } from 'vitest';
import { MissingScopeError } from '../../src/api/errors.ts';
import type { Item } from '../../src/api/schemas.ts';
import type { LoadPage } from '../../src/listing/list-counter.ts';
import { readListings } from '../../src/listing/read-listings.ts';
import { message } from '../../src/messages/message.ts';

const AT = '2026-01-01T00:00:00Z';
const item = (number: number): Item => ({
  object: 'item',
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  name: 'Toy',
  status: 'sell',
  collection_id: 'x',
  currency: 'usd',
  created_at: AT,
  updated_at: AT,
});
const items = (count: number, from = 1) => Array.from({ length: count }, (_, index) => item(from + index));
const NONE = { count: 0, ids: [] };

function pagesOf(list: (page: number) => readonly Item[], sizes?: number[]): LoadPage<Item> {
  return async (page, perPage) => {
    sizes?.push(perPage);
    const all = list(page);
    return { data: all.slice((page - 1) * perPage, page * perPage), hasMore: page * perPage < all.length };
  };
}

function opened(
  listings: (page: number) => readonly Item[],
  forSale: Record<string, Item[]>,
  perPage?: number,
) {
  const kept: string[] = [];
  const sizes: number[] = [];
  const sink = {
    add: async (fresh: readonly Item[]) => void kept.push(...fresh.map(({ id }) => id)),
    reset: async () => void kept.splice(0),
  };
  const options = { load: pagesOf(listings), sink, ...(perPage === undefined ? {} : { perPage }) };
  return { kept, sizes, options, itemsOf: (status: string) => pagesOf(() => forSale[status] ?? [], sizes) };
}

it('listings are compared with the items of both statuses, and the first 100 of each difference are named', async () => {
  const { options, itemsOf, kept } = opened(() => items(152), { sell: items(2), trade: items(150, 202) });
  const { comparison, reading } = await readListings(options, itemsOf);
  expect(kept).toHaveLength(152);
  expect(reading).toMatchObject({ consistency: 'stable', distinct: 152 });
  expect(comparison).toEqual({
    compared: true,
    notListed: { count: 150, ids: items(100, 202).map(({ id }) => id) },
    notForSale: { count: 150, ids: items(100, 3).map(({ id }) => id) },
  });
});

it('the pages of the items have the size of those of the listings', async () => {
  const { options, itemsOf, sizes } = opened(() => items(3), { sell: items(3) }, 50);
  expect((await readListings(options, itemsOf)).comparison).toEqual({
    compared: true,
    notListed: NONE,
    notForSale: NONE,
  });
  expect(new Set(sizes)).toEqual(new Set([50]));
});

it('nothing is compared if the key may not read items; any other error is one', async () => {
  const { options } = opened(() => items(2), {});
  const refusing = (error: Error) => () => async () => {
    throw error;
  };
  const missing = new MissingScopeError('missing_scope', message('missing_scope', { request: 'x' }), {
    applied: 'no',
  });
  expect((await readListings(options, refusing(missing))).comparison).toEqual({
    compared: false,
    notListed: NONE,
    notForSale: NONE,
  });
  await expect(readListings(options, refusing(new Error('else')))).rejects.toThrow('else');
});

it('listings are read again if the list turns out to leave out fields', async () => {
  const { options, itemsOf, kept } = opened(() => items(2), { sell: items(2) });
  const answers = [true, false];
  const reading = await readListings(
    { ...options, isOutdated: async () => answers.shift() ?? false },
    itemsOf,
  );
  expect(reading.comparison.compared).toBe(true);
  expect([kept.length, answers.length]).toEqual([2, 0]);
});

it('a list that never stands still is looked through once more for items that it seems to lack', async () => {
  let reads = 0;
  // Another entry comes with each reading, so two of them never show the same.
  const growing = (page: number) => {
    if (page === 1) reads += 1;
    return items(2 + reads);
  };
  const late = opened(growing, { sell: items(5) }, 2);
  const found = await readListings({ ...late.options, mostPasses: 2 }, late.itemsOf);
  expect(found.reading).toMatchObject({ consistency: 'moved', passes: 3, distinct: 5 });
  expect(found.comparison).toEqual({ compared: true, notListed: NONE, notForSale: NONE });
  reads = 0;
  const nothing = opened(growing, { sell: items(4) }, 2);
  const shown = await readListings({ ...nothing.options, mostPasses: 2 }, nothing.itemsOf);
  expect(shown.reading).toMatchObject({ consistency: 'moved', passes: 2, distinct: 4 });
});

it('an item that a list lacks which stands still is not looked for again', async () => {
  const { options, itemsOf } = opened(() => items(2), { sell: items(3) });
  const { comparison, reading } = await readListings(options, itemsOf);
  expect(comparison.notListed).toEqual({ count: 1, ids: [item(3).id] });
  expect(reading.passes).toBe(1);
});
