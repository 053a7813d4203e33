import * as fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { readPasses } from '../../src/listing/read-passes.ts';
import { type Flicker, FlickeringList } from './flickering-list.ts';

const READINGS = 100_000;

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const flicker: fc.Arbitrary<Flicker> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Flicker>({ kind: 'wait' }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('leave' as const), at: share }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('return' as const), at: share }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), at: share }) },
  { weight: 1, arbitrary: fc.constant<Flicker>({ kind: 'create' }) },
);

/** The same again and again: what hides an entry in one pass hides it in the next one, too. */
const rhythm = fc
  .record({ round: fc.array(flicker, { minLength: 1, maxLength: 8 }), times: fc.integer({ min: 1, max: 8 }) })
  .map(({ round, times }) => Array.from({ length: times }, () => round).flat());

test(`every stable reading contains all permanent entries, in ${READINGS} readings of entries that leave and return`, async () => {
  let stable = 0;
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('created_at' as const, 'updated_at' as const),
      fc.integer({ min: 0, max: 14 }),
      fc.integer({ min: 2, max: 5 }),
      fc.oneof(rhythm, fc.array(flicker, { maxLength: 6 })),
      async (sort, count, perPage, events) => {
        const list = new FlickeringList(sort, count);
        list.play(events);
        const { ids, reading } = await readPasses({
          load: list.load,
          sink: { add: async () => {} },
          perPage,
        });
        if (reading.consistency === 'moved') moved += 1;
        else {
          stable += 1;
          expect([...list.stood.difference(ids)]).toEqual([]);
        }
      },
    ),
    { numRuns: READINGS },
  );
  expect(stable).toBeGreaterThan(READINGS / 10);
  expect(moved).toBeGreaterThan(READINGS / 10);
});
