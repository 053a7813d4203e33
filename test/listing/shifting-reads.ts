/** Reads a list that changes, and may interrupt the reading; for the fast tests and the slow ones. */
import * as fc from '../support/fast-check.ts';
import { expect } from 'vitest';
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

/** Keeps the items, and fails on a second version of an id. */
export class Kept implements ItemSink<ModelItem> {
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
  /** Ids that existed when the reading began and when it ended, and were not read. */
  lost: string[];
}

/** Ends a reading that was to be interrupted. */
class Interrupted extends Error {}

/**
 * @param interruptAt numbers of requests after which a reading is interrupted and resumed from what was kept
 * @param near a guess of the number of entries
 */
export async function read(
  list: ShiftingList,
  perPage: number,
  concurrency: number,
  interruptAt: readonly number[] = [],
  near?: number,
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
      near,
    };
    const { checkpoint } = kept;
    // What is kept passes through JSON, as in the store.
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
export const event: fc.Arbitrary<ListEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<ListEvent>({ kind: 'create' }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), at: share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: share }) },
  { weight: 4, arbitrary: fc.constant<ListEvent>({ kind: 'tick' }) },
);

/**
 * A few events, far apart. The hardest case is a removal that one creation makes up for, between reading one page and
 * the next, in a list that does not change otherwise.
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

/** A reading is complete, or reports that it moved and how many items it misses at most. */
export async function checkReadings(readings: number): Promise<void> {
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
        // 0: all times can be read. Otherwise a removal may hide behind a create, and only the bound is checked.
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
          if (reading.missingAtMost !== null) expect(lost.length).toBeLessThanOrEqual(reading.missingAtMost);
        }
      },
    ),
    { numRuns: readings },
  );
  expect(stable).toBeGreaterThan(readings / 8);
  // A few hundred readings may hold none that moved.
  if (readings >= 2000) expect(moved).toBeGreaterThan(readings / 200);
}
