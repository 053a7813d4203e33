/** What may happen to an import, for fast-check: everything at random, and everything again from the same seed. */
import * as fc from '../support/fast-check.ts';
import { FAULTS, type Fault } from './model-client.ts';
import type { ServerHabits } from './model-server.ts';
import type { Stop } from './simulated-process.ts';

/** Fields of a create; few different ones, so that rows are often equal, or equal once they are stored. */
export interface Content {
  name: string;
  brand?: string;
  tags?: string[];
  estimated_value?: number;
}

/** A row that changes one of the items that are there from the start. */
export interface Change {
  item: number;
  set: { status?: 'sell' | 'trade' | 'sold'; brand?: string };
}

/** Another person, at a moment. */
export type Foreign = { at: number } & (
  | { what: 'create'; content: Content }
  | { what: 'edit'; item: number; set: { status?: 'archived'; brand?: string } }
);

export interface Scenario {
  creates: Content[];
  changes: Change[];
  /** Items of other people that are there from the start. */
  before: number;
  /** Time between them, ms. */
  oldEveryMs: number;
  /** Which of them (counted from 1, the oldest) are equal to the first creates. */
  equals: number[];
  server: ServerHabits;
  writeFaults: Fault[];
  readFaults: Fault[];
  /** One list of stops for each run in turn; later runs go undisturbed. */
  stops: Stop[][];
  /** ms from a death to the next start. */
  restartMs: number;
  others: Foreign[];
  /** Room in the plan for so many more items than there are, until a job has parked. */
  room: number | undefined;
  waitForLimit: boolean;
  stamp: boolean;
  concurrency: number;
  latencyMs: number;
  /** The clock on our wall jumps at a moment. */
  jump: { at: number; byMs: number } | undefined;
  /** A second process on the same store. */
  rival: { job: 'same' | 'own'; host: 'same' | 'other'; lane: 'same' | 'own'; startsAt: number } | undefined;
}

const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

const odd: fc.Arbitrary<Content> = fc.record(
  {
    name: fc.constantFrom('Robot', 'Robot ', ' Robot', 'Cafe\u0301', 'Caf\u00e9', 'Bear'),
    brand: fc.constantFrom('Acme', 'Steiff'),
    tags: fc.constantFrom(['b', 'a'], ['a', 'b']),
    estimated_value: fc.constantFrom(1.004, 1, 12.5, 12.504),
  },
  { requiredKeys: ['name'] },
);
const plain: fc.Arbitrary<Content> = fc
  .integer({ min: 1, max: 8 })
  .map((number) => ({ name: `Toy ${number}`, brand: 'Halloway', estimated_value: number + 0.5 }));
const content = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: odd });

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constant('ok' as const) },
    { weight: 3, arbitrary: fc.constantFrom(...FAULTS) },
  ),
  applied: fc.constantFrom('no', 'yes', 'late'),
  lateness: fc.nat({ max: 100 }).map((percent) => percent / 100),
});

const stop: fc.Arbitrary<Stop> = fc.record({
  at: fc.oneof(
    fc.record({ step: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ step: fc.integer({ min: 1, max: 250 }) }),
    fc.record({ ms: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ ms: fc.integer({ min: 1, max: 60_000 }) }),
  ),
  what: fc.oneof(
    { weight: 2, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 600_000 }) },
  ),
});

/** Often while the first answers are lost and looked up. */
const moment = fc.oneof(fc.nat({ max: 15_000 }), fc.nat({ max: 200_000 }));

const foreign: fc.Arbitrary<Foreign> = fc.oneof(
  fc.record({
    at: moment,
    what: fc.constant('create' as const),
    // Often like one of ours, never equal in every field: that nobody makes such a one is the premise.
    content: content.map((like) => ({ ...like, brand: 'Other' })),
  }),
  fc.record({
    at: moment,
    what: fc.constant('edit' as const),
    // The first five are those that the job changes.
    item: fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 40 })),
    set: fc.constantFrom(
      { status: 'archived' as const },
      { brand: 'Other' },
      { status: 'archived' as const, brand: 'Other' },
    ),
  }),
);

const anything: fc.Arbitrary<Scenario> = fc.record({
  creates: fc.array(content, { minLength: 1, maxLength: 14 }),
  changes: fc.uniqueArray(
    fc.record({
      item: fc.nat({ max: 4 }),
      set: fc.constantFrom(
        { status: 'sold' as const },
        { brand: 'Ours' },
        { status: 'sell' as const, brand: 'Ours' },
      ),
    }),
    { maxLength: 4, selector: (change) => change.item },
  ),
  before: fc.oneof(fc.constantFrom(5, 30), fc.integer({ min: 5, max: 230 })),
  // One page of the list shows all that is as new as the first create (two minutes).
  oldEveryMs: fc.constantFrom(2_000, 600_000),
  equals: fc.oneof(
    { weight: 1, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.integer({ min: 6, max: 30 }), { maxLength: 3 }) },
  ),
  server: fc.record({
    trims: fc.boolean(),
    rounds: fc.boolean(),
    sortsTags: fc.boolean(),
    normalises: fc.boolean(),
    order: fc.constantFrom('created', 'updated'),
    ties: fc.constantFrom('later', 'earlier'),
    offsetMs: fc.constantFrom(0, 0, -2 * 86_400_000, 3 * 86_400_000),
    resolutionMs: fc.constantFrom(1, 1000),
    jump: rarely(
      fc.record({
        // Often while the first creates are under way.
        at: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 100_000 })),
        byMs: fc.constantFrom(-3_600_000, -300_000, -121_000, 86_400_000),
      }),
    ),
  }),
  writeFaults: fc.array(fault, { maxLength: 16 }),
  readFaults: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Fault[]>([]) },
    { weight: 1, arbitrary: fc.array(fault, { maxLength: 6 }) },
  ),
  stops: fc.array(fc.array(stop, { minLength: 1, maxLength: 2 }), { maxLength: 4 }),
  restartMs: fc.constantFrom(0, 500, 20_000, 3_600_000),
  others: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Foreign[]>([]) },
    { weight: 1, arbitrary: fc.array(foreign, { maxLength: 6 }) },
  ),
  room: rarely(fc.nat({ max: 10 })),
  waitForLimit: fc.boolean(),
  stamp: fc.boolean(),
  concurrency: fc.integer({ min: 1, max: 8 }),
  latencyMs: fc.constantFrom(1, 20, 400),
  jump: rarely(
    fc.record({
      at: fc.integer({ min: 0, max: 100_000 }),
      byMs: fc.constantFrom(-3_600_000, 86_400_000),
    }),
  ),
  rival: rarely(
    fc.record({
      job: fc.constantFrom('same', 'own'),
      host: fc.constantFrom('same', 'other'),
      lane: fc.constantFrom('same', 'own'),
      startsAt: fc.integer({ min: 0, max: 60_000 }),
    }),
  ),
});

/** One host is stopped for minutes while it sends, and another takes its job over meanwhile. */
const takeover: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    stop: fc.record({
      at: fc.record({ step: fc.integer({ min: 25, max: 90 }) }),
      what: fc.integer({ min: 61_000, max: 900_000 }),
    }),
    startsAt: fc.integer({ min: 0, max: 5_000 }),
  })
  .map(({ base, stop, startsAt }) => ({
    ...base,
    jump: undefined,
    stops: [[stop]],
    rival: { job: 'same', host: 'other', lane: 'same', startsAt },
  }));

export const scenario: fc.Arbitrary<Scenario> = fc.oneof(
  { weight: 3, arbitrary: anything },
  { weight: 1, arbitrary: takeover },
);
