import * as fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { Listed } from '../../src/listing/completeness-counter.ts';
import type { Checkpoint } from '../../src/listing/checkpoint.ts';
import type { ListPage } from '../../src/listing/list-counter.ts';
import {
  type ItemSink,
  readItems,
  type ReadItemsOptions,
  type ListReading,
} from '../../src/listing/read-items.ts';
import { type ListEvent, type ModelItem, ShiftingList } from './shifting-list.ts';

/** Keeps what it is given, and fails on a second version of one id. */
class Kept implements ItemSink<ModelItem> {
  readonly items = new Map<string, ModelItem>();
  checkpoint: Checkpoint | undefined;
  resets = 0;

  async add(
    items: readonly ModelItem[],
    _page: ListPage<ModelItem>,
    checkpoint?: () => Checkpoint,
  ): Promise<void> {
    for (const item of items) {
      expect(this.items.has(item.id)).toBe(false);
      this.items.set(item.id, item);
    }
    this.checkpoint = checkpoint?.();
  }

  async reset(): Promise<void> {
    this.items.clear();
    this.checkpoint = undefined;
    this.resets += 1;
  }
}

interface Outcome {
  reading: ListReading;
  kept: Kept;
  /** Ids that stood at the start of the reading and at its end and were not read. */
  lost: string[];
}

/** The run that is to be interrupted was. */
class Interrupted extends Error {}

/** @param interruptAt requests after which a run ends in the middle, and the next goes on with what was kept */
async function read(
  list: ShiftingList,
  perPage: number,
  concurrency: number,
  interruptAt: readonly number[] = [],
): Promise<Outcome> {
  const before = list.ids;
  const kept = new Kept();
  for (const requests of [...interruptAt, Number.POSITIVE_INFINITY]) {
    let left = requests;
    const load: typeof list.load = async (page, size) => {
      if (left <= 0) throw new Interrupted();
      left -= 1;
      return list.load(page, size);
    };
    const options: ReadItemsOptions<ModelItem> = {
      load,
      sink: kept,
      perPage,
      concurrency: () => concurrency,
    };
    const { checkpoint } = kept;
    // What is kept goes through JSON, as it does in the store.
    if (checkpoint !== undefined) {
      options.resume = {
        checkpoint: JSON.parse(JSON.stringify(checkpoint)) as Checkpoint,
        read: recall(kept),
      };
    } else kept.items.clear();
    try {
      const reading = await readItems(options);
      const after = list.ids;
      const lost = [...before].filter((id) => after.has(id) && !kept.items.has(id));
      expect(reading.distinct).toBe(kept.items.size);
      for (const item of kept.items.values()) expect(list.existed(item)).toBe(true);
      return { reading, kept, lost };
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
  }
  throw new Error('the last run is never interrupted');
}

async function* recall(kept: Kept): AsyncGenerator<Listed[], void> {
  yield [...kept.items.values()];
}

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const event: fc.Arbitrary<ListEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<ListEvent>({ kind: 'create' }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), at: share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: share }) },
  { weight: 4, arbitrary: fc.constant<ListEvent>({ kind: 'tick' }) },
);

/**
 * A few events, far apart: what hides is a removal that one creation makes up for, between the reading of the one
 * page and of the next, in a list that stands still otherwise.
 */
const sparse: fc.Arbitrary<ListEvent[]> = fc
  .array(
    fc.record({
      wait: fc.nat({ max: 14 }),
      event: fc.oneof(
        fc.constant<ListEvent>({ kind: 'create' }),
        fc.record({ kind: fc.constant('remove' as const), at: share }),
        fc.record({ kind: fc.constant('edit' as const), at: share }),
      ),
    }),
    { minLength: 2, maxLength: 5 },
  )
  .map((steps) =>
    steps.flatMap(({ wait, event: one }) => [
      ...Array.from({ length: wait }, (): ListEvent => ({ kind: 'tick' })),
      one,
    ]),
  );

describe('a list that shifts while it is read', () => {
  test('is read whole, or is said to have moved, with a true bound', async () => {
    let stable = 0;
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          sort: fc.constantFrom('created_at' as const, 'updated_at' as const),
          count: fc.integer({ min: 0, max: 60 }),
          sameTime: fc.boolean(),
          perPage: fc.integer({ min: 4, max: 8 }),
          concurrency: fc.integer({ min: 1, max: 6 }),
          play: fc.oneof(
            fc.record({
              events: fc.array(event, { maxLength: 60 }),
              repeats: fc.constantFrom(1, 3, 20),
              perRequest: fc.integer({ min: 1, max: 3 }),
            }),
            fc.record({ events: sparse, repeats: fc.constant(1), perRequest: fc.constant(1) }),
          ),
          interruptAt: fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 3 }),
          // 0: all times can be read; else a removal may hide behind a create, and only the bound is held.
          unreadable: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 3),
          seed: fc.nat(),
        }),
        async ({ sort, count, sameTime, perPage, concurrency, play, interruptAt, unreadable, seed }) => {
          const { events, repeats, perRequest } = play;
          const list = new ShiftingList(sort, count, sameTime, seed);
          if (unreadable > 0) list.unreadable = (id) => Number(id.slice('item-'.length)) % unreadable === 0;
          list.play(Array.from({ length: repeats }, () => events).flat(), perRequest);
          const { reading, lost } = await read(list, perPage, concurrency, interruptAt);
          if (reading.consistency === 'stable') {
            stable += 1;
            if (unreadable === 0) expect(lost).toEqual([]);
          } else {
            moved += 1;
            if (reading.missingAtMost !== null)
              expect(lost.length).toBeLessThanOrEqual(reading.missingAtMost);
          }
        },
      ),
      { numRuns: 2000 },
    );
    expect(stable).toBeGreaterThan(300);
    expect(moved).toBeGreaterThan(10);
  });

  test('is stable under inflow and edits alone, once they end or slow down', async () => {
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
    ['all items but the newest', (id: string) => id === 'item-250'],
    ['all items but an old one', (id: string) => id === 'item-1'],
  ])('that stands still is stable where the times of %s can be read', async (_what, unreadable) => {
    const list = new ShiftingList('created_at', 250, false, 1);
    list.unreadable = unreadable;
    const { reading, kept } = await read(list, 100, 4);
    expect(reading).toMatchObject({ consistency: 'stable', passes: 1, distinct: 250, missingAtMost: 0 });
    expect(kept.items.size).toBe(250);
  });

  test('that stands still is stable where the server set its clock back before it stored a change', async () => {
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

  test('that stands still is read once, with few requests beside its pages', async () => {
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

  test('is not read again from the beginning after an interruption', async () => {
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

  test('of one page is a single request', async () => {
    const list = new ShiftingList('created_at', 7, false, 1);
    const { reading } = await read(list, 100, 4);
    expect(reading).toMatchObject({ consistency: 'stable', passes: 1, distinct: 7 });
    expect(list.requests).toBe(1);
  });

  test('from which one item is removed once is read again, and then stable', async () => {
    const list = new ShiftingList('created_at', 40, false, 1);
    const quiet: ListEvent[] = Array.from({ length: 20 }, () => ({ kind: 'tick' }));
    list.play([...quiet, { kind: 'remove', at: 0.5 }], 1);
    const { reading, kept, lost } = await read(list, 5, 1);
    expect([reading.consistency, lost, kept.resets]).toEqual(['stable', [], 1]);
    expect(reading.passes).toBe(2);
    expect(kept.items.size).toBe(39);
  });
});

test('a server that says has_more of every full page is counted by pages of another size', async () => {
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
