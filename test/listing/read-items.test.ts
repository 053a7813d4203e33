import * as fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { Listed } from '../../src/listing/completeness-counter.ts';
import { readItems } from '../../src/listing/read-items.ts';
import { type ListEvent, type ModelItem, ShiftingList } from './shifting-list.ts';
import { checkReadings, event, Kept, read } from './shifting-reads.ts';

describe('a list that changes while it is read', () => {
  test('is read completely, or the result says how many items are missing', () => checkReadings(200));

  test('is stable once creates and edits end or slow down, if no item is removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('created_at' as const, 'updated_at' as const),
        fc.array(
          event.filter(({ kind }) => kind !== 'remove'),
          { maxLength: 60 },
        ),
        fc.integer({ min: 1, max: 6 }),
        // Also where no time can be read, or not each (0: all can).
        fc.constantFrom(0, 0, 1, 3),
        fc.nat(),
        async (sort, events, concurrency, unreadable, seed) => {
          const list = new ShiftingList(sort, 40, false, seed);
          if (unreadable > 0) list.unreadable = (id) => Number(id.slice('item-'.length)) % unreadable === 0;
          list.play(events, 1);
          const { reading, kept, lost } = await read(list, 5, concurrency);
          expect([reading.consistency, lost]).toEqual(['stable', []]);
          expect(reading.removedAtLeast).toBe(0);
          expect(kept.resets).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['no item', () => true],
    ['all items except the newest', (id: string) => id === 'item-250'],
    ['all items except an old one', (id: string) => id === 'item-1'],
  ])('is stable if nothing changes and the times of %s are valid', async (_what, unreadable) => {
    const list = new ShiftingList('created_at', 250, false, 1);
    list.unreadable = unreadable;
    const { reading, kept } = await read(list, 100, 4);
    expect(reading).toMatchObject({ consistency: 'stable', passes: 1, distinct: 250, missingAtMost: 0 });
    expect(kept.items.size).toBe(250);
  });

  test('is stable if nothing changes, even if the server once set its clock back', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const items = Array.from({ length: 250 }, (_, index) => ({
      id: `22222222-2222-4222-8222-${String(index).padStart(12, '0')}`,
      created_at: at(250 - index),
      updated_at: at(250 - index),
    }));
    // The newest item stands where the time of its change puts it: behind all others.
    const [newest, ...others] = items as [Listed, ...Listed[]];
    const list = [...others, { ...newest, updated_at: at(0) }];
    const reading = await readItems<Listed>({
      load: async (page, size) => ({
        data: list.slice((page - 1) * size, page * size),
        hasMore: page * size < list.length,
      }),
      sink: { add: async () => {}, reset: async () => {} },
      concurrency: () => 1,
    });
    expect(reading).toMatchObject({ consistency: 'stable', distinct: 250 });
  });

  test('is read only once if nothing changes, with few additional requests', async () => {
    const list = new ShiftingList('created_at', 2000, false, 1);
    const { reading, kept } = await read(list, 100, 4);
    expect(reading).toMatchObject({
      consistency: 'stable',
      passes: 1,
      distinct: 2000,
      counts: { before: 2000, after: 2000 },
    });
    expect([...kept.items.keys()].length).toBe(2000);
    expect(list.requests).toBeLessThan(20 + 16);
  });

  test.each([
    [2000, 20 + 5],
    [1850, 20 + 6],
    [1, 20 + 16],
    [2_000_000, 20 + 24],
  ])('is read to its end even if it had %i items at the previous reading', async (near, requests) => {
    const list = new ShiftingList('created_at', 2000, false, 1);
    const { reading, lost } = await read(list, 100, 4, [], near);
    expect(reading).toMatchObject({
      consistency: 'stable',
      passes: 1,
      counts: { before: 2000, after: 2000 },
    });
    expect(lost).toEqual([]);
    expect(list.requests).toBeLessThanOrEqual(requests);
  });

  test('is not read from the beginning again after an interruption', async () => {
    const list = new ShiftingList('created_at', 2000, false, 1);
    const { reading, kept } = await read(list, 100, 4, [14]);
    expect(reading).toMatchObject({
      consistency: 'stable',
      distinct: 2000,
      counts: { before: 2000, after: 2000 },
    });
    expect(kept.items.size).toBe(2000);
    expect(list.requests).toBeLessThan(20 + 20);
  });

  test('needs one request if it fits on one page', async () => {
    const list = new ShiftingList('created_at', 7, false, 1);
    const { reading } = await read(list, 100, 4);
    expect(reading).toMatchObject({ consistency: 'stable', passes: 1, distinct: 7 });
    expect(list.requests).toBe(1);
  });

  test('is read again after one item was removed, and is then stable', async () => {
    const list = new ShiftingList('created_at', 40, false, 1);
    const quiet: ListEvent[] = Array.from({ length: 20 }, () => ({ kind: 'tick' }));
    list.play([...quiet, { kind: 'remove', at: 0.5 }], 1);
    const { reading, kept, lost } = await read(list, 5, 1);
    expect([reading.consistency, lost, kept.resets]).toEqual(['stable', [], 1]);
    expect(reading.passes).toBe(2);
    expect(kept.items.size).toBe(39);
  });
});

test('the list of a server that reports has_more on every full page is counted with another page size', async () => {
  const items = Array.from({ length: 300 }, (_, index) => ({
    id: `item-${index}`,
    created_at: new Date(1_000_000 - index).toISOString(),
    updated_at: new Date(1_000_000 - index).toISOString(),
    version: 1,
  }));
  const kept = new Kept();
  const reading = await readItems<ModelItem>({
    load: async (page, perPage) => {
      const data = items.slice((page - 1) * perPage, page * perPage);
      return { data, hasMore: data.length === perPage };
    },
    sink: kept,
    concurrency: () => 4,
  });
  expect(reading).toMatchObject({ consistency: 'stable', distinct: 300, passes: 1 });
});
