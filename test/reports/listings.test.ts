import { expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { listingsReport } from '../../src/reports/listings.ts';
import { COLLECTIONS, itemOf, MAIN, sectionOf } from './support.ts';

const NOW = Date.parse('2026-07-01T00:00:00.000Z');

function daysAgo(days: number): string {
  return new Date(NOW - days * 86_400_000).toISOString();
}

function report(listings: Item[], forSale: Item[] | 'not compared' = listings) {
  return listingsReport({
    listings,
    forSale: forSale === 'not compared' ? undefined : new Map(forSale.map((item) => [item.id, item])),
    collections: COLLECTIONS,
    nowMs: NOW,
  });
}

test('ages of listings are counted in whole days, from creation and from the last change', () => {
  const ages = [0, 30, 31, 90, 91, 365, 366, 731, -5];
  const listings = ages.map((days) =>
    itemOf({ status: 'sell', estimated_value: 1, created_at: daysAgo(days), updated_at: daysAgo(0) }),
  );
  listings.push(itemOf({ status: 'sell', created_at: 'yesterday', updated_at: daysAgo(0) }));
  const { sections } = report(listings);
  const rows = (id: string) =>
    sectionOf(sections, id).blocks.flatMap((block) => block.rows.map((row) => [row.key, row.values[1]]));
  expect(rows('age_since_created')).toEqual([
    ['0-30', 3],
    ['31-90', 2],
    ['91-180', 1],
    ['181-365', 1],
    ['366-730', 1],
    ['731+', 1],
    ['', 1],
  ]);
  expect(rows('age_since_updated')).toEqual([['0-30', 10]]);
});

test('disagreements between status and listing are shown in both directions', () => {
  const fine = itemOf({ status: 'sell' });
  const kept = itemOf({ name: 'Kept', status: 'keep' });
  const hidden = itemOf({ name: 'Hidden', status: 'trade' });
  const late = itemOf({ name: 'Late', status: 'sell' });
  const { sections, figures } = report([fine, kept, late], [fine, hidden]);
  const section = sectionOf(sections, 'disagreements');
  expect(section.blocks.flatMap((block) => block.rows.map((row) => [row.values[0], row.values[3]]))).toEqual([
    ['Kept', 'listed, but its status is keep'],
    ['Late', 'listed, but not among the items for sale or trade'],
    ['Hidden', 'not listed, but its status is trade'],
  ]);
  expect(figures.at(-1)).toMatchObject({ label: 'Disagreements', value: 3 });
});

test('a listings report for a key without items:read says that nothing was compared', () => {
  const { sections, figures } = report([itemOf({ status: 'keep' })], 'not compared');
  expect(sectionOf(sections, 'disagreements')).toMatchObject({
    blocks: [],
    empty: expect.stringContaining('items:read'),
  });
  expect(figures.map(({ label }) => label)).not.toContain('Disagreements');
});

test('listings are ordered by the time of their last change, oldest first', () => {
  const listings = [5, 50, 20].map((days) =>
    itemOf({ name: `${days}`, status: 'sell', collection_id: MAIN, updated_at: daysAgo(days) }),
  );
  const { rows } = sectionOf(report(listings).sections, 'oldest').blocks[0] ?? { rows: [] };
  expect(rows.map((row) => [row.values[0], row.values[4]])).toEqual([
    ['50', 50],
    ['20', 20],
    ['5', 5],
  ]);
});
