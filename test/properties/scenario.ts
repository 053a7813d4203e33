/** What may happen to jobs and people, for fast-check: everything at random, and everything again from the same seed. */
import * as fc from '../support/fast-check.ts';
import { FAULTS, type Fault } from './model-client.ts';
import type { Rewrite, ServerHabits } from './model-server.ts';
import type { Stop } from './simulated-process.ts';
import type { OnDrift } from '../../src/ledger/job-parts.ts';

/** Fields of a create; few different ones, so that rows are often equal, or equal once they are stored. */
export interface Content {
  name: string;
  brand?: string;
  tags?: string[];
  estimated_value?: number;
}

/** A row of a file, which stands for so many items (default: 1). */
export type Row = Content & { copies?: number };

/** Fields that jobs and people change. */
export interface Edit {
  status?: 'keep' | 'sell' | 'trade' | 'sold' | 'archived';
  brand?: string;
  /** Custom fields. */
  place?: string;
  note?: string;
  /** Added to those of the item. */
  tag?: string;
  /** Of a `set`: made of the value that the item has. */
  value?: { sign: '*=' | '+=' | '-='; by: number };
}

/** A row of an upsert: one of the items that are there, by its place in the list, or a new one. */
export interface Keyed {
  key: { old: number } | { fresh: number };
  set: Edit;
  /** So many items shall have the key (default: 1). */
  copies?: number;
  /** Its status is a word that nobody knows, until a person says what it means. */
  bad?: true;
}

/** A row that changes one of the items that are there from the start, counted from the newest. */
export interface Change {
  item: number;
  set: Edit;
}

/** A moment, or just before the request of this number (counted from 1) reaches the server. */
export type When = { ms: number } | { read: number } | { write: number };

export type Command =
  | { do: 'create'; rows: Row[]; stamp: boolean; dryRun: boolean }
  /**
   * One of the scenario's files: the same one is often given twice. `missing`: items of the collection that it lacks are
   * archived; at most so many percent of all.
   */
  | { do: 'upsert'; file: number; dryRun: boolean; creates?: true; missing?: { most?: number } }
  | { do: 'update'; rows: Change[]; dryRun: boolean; byKey?: true }
  | { do: 'set'; items: number[]; set: Edit; dryRun: boolean }
  /** A file has a key and what to set in each row; `also` is set in all of them. */
  | { do: 'setFrom'; rows: Change[]; also: Edit; dryRun: boolean }
  /**
   * Creates of things that there is one of each: often of a file that has grown, or lost rows. `bad`: rows whose status
   * is a word that nobody knows.
   */
  | { do: 'things'; things: number[]; onlyNew: boolean; bad?: number[] }
  /** Rows of the newest export, edited; and rows that a person has added. */
  | { do: 'exported'; rows: Change[]; added: number; mode: 'update' | 'upsert' | undefined; dryRun: boolean }
  /**
   * What a job has written about its rows; of the lines of this place, a person has edited some cells, and replaced the
   * word that nobody knows. `rewrites`: a program has written amounts in its own form.
   */
  | {
      do: 'returned';
      which: 'results' | 'rejects';
      job: number;
      edits: Change[];
      rewrites: boolean;
      dryRun: boolean;
    }
  /** Jobs are counted in the order in which they were begun. Rows as a spreadsheet program counts; default: all. */
  | { do: 'undo'; job: number; rows?: number[] }
  | { do: 'resume' | 'apply' | 'cancel'; job: number }
  /** A person looks at the first row that waits for one, and says what is so; or what is to become of it. */
  | { do: 'resolve'; job: number; as: 'truth' | 'skip' | 'mine' | 'theirs' }
  /** Bad rows are mended: all by what their word means, or each by itself; or left out. `back`: as they were before. */
  | { do: 'mend'; job: number; how: 'word' | 'cell' | 'omit' | 'back' };

export type CommandOf<Do extends Command['do']> = Extract<Command, { do: Do }>;

/** A person, or a timer, that gives one command, and goes on with its job as long as it does not end. */
export interface Terminal {
  command: Command;
  at: When;
  key: 1 | 2;
  host: 'one' | 'two';
  /** One list of stops for each of its processes in turn; later ones go undisturbed. */
  stops: Stop[][];
  afterKill: 'resume' | 'again' | 'leave';
  recheckMs: number;
  onDrift: OnDrift;
  /** Rows that were sent before are sent again. */
  allRows: boolean;
  waitForLimit: boolean;
  /** Nobody is there to agree to what would be asked. */
  asks?: true;
  /** `--max-changes`. */
  mostChanges?: number;
  /** Nothing is sent while a row is invalid. */
  wholeOnly?: true;
  /** Works with a store of its own. */
  store?: 'second';
}

/** Another person. */
export type Person = { at: When } & (
  | { what: 'create'; content: Content; key: number | undefined }
  | { what: 'edit'; item: number; set: Edit }
  | { what: 'remove'; item: number }
  | { what: 'export' }
  /** Takes one of the items that undos have archived out of the archive. */
  | { what: 'restore'; item: number }
  /** Gives two items each other's keys. */
  | { what: 'swap'; items: [number, number] }
);

export interface Scenario {
  terminals: Terminal[];
  /** Rows of the files to upsert. */
  files: [Keyed[], Keyed[]];
  /** New items have keys that servers like to rewrite. */
  oddKeys?: true;
  people: Person[];
  /** Items of other people that are there from the start. */
  before: number;
  /** Time between them, ms. */
  oldEveryMs: number;
  /** Which of them (counted from 1, the oldest) are equal to the first creates. */
  equals: number[];
  server: ServerHabits;
  writeFaults: Fault[];
  readFaults: Fault[];
  /** ms from a death to the next start. */
  restartMs: number;
  /** Room in the plan for so many more items than there are, for two minutes. */
  room: number | undefined;
  /** Requests of a key in flight at once. */
  concurrency: number;
  latencyMs: number;
  /** The clock on our wall jumps at a moment. */
  jump: { at: number; byMs: number } | undefined;
  /** A backup is made of the first store, and at a later moment (ms) all processes die, and it takes the store's place. */
  restored?: { backup: When; at: number };
}

const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });
export const seldom = fc.oneof(
  { weight: 5, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

const odd: fc.Arbitrary<Content> = fc.record(
  {
    name: fc.constantFrom('Robot', 'Robot ', 'Cafe\u0301', 'Caf\u00e9', 'Bear'),
    brand: fc.constantFrom('Acme', 'Steiff'),
    tags: fc.constantFrom(['b', 'a'], ['a', 'b']),
    estimated_value: fc.constantFrom(1.004, 1, 12.5, 12.504),
  },
  { requiredKeys: ['name'] },
);
const plain: fc.Arbitrary<Content> = fc
  .integer({ min: 1, max: 8 })
  .map((number) => ({ name: `Toy ${number}`, brand: 'Halloway', estimated_value: number + 0.5 }));
export const content = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: odd });

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constantFrom<Edit>({ status: 'sold' }, { brand: 'Ours' }, { place: 'Shelf 1' }, { place: 'Shelf 2' }),
  fc.constantFrom<Edit>({ status: 'sell', brand: 'Ours' }, { status: 'sold', place: 'Shelf 1' }),
);
export const edited: fc.Arbitrary<Edit> = fc.constantFrom<Edit>(
  { status: 'archived' },
  { brand: 'Other' },
  { status: 'archived', brand: 'Other' },
  { place: 'Attic' },
  { note: 'Broken' },
);

/** Changes of which two on one item are both to be seen afterwards, whichever comes first. */
export const part: fc.Arbitrary<Edit> = fc.constantFrom<Edit>(
  { place: 'Shelf 1' },
  { note: 'Sold' },
  { tag: 'a' },
  { tag: 'b' },
  { value: { sign: '*=', by: 1.5 } },
  { value: { sign: '+=', by: 8 } },
  { status: 'sold', place: 'Shelf 2' },
);

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
    fc.record({ step: fc.integer({ min: 20, max: 90 }) }),
    fc.record({ step: fc.integer({ min: 1, max: 300 }) }),
    fc.record({ ms: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ ms: fc.integer({ min: 1, max: 60_000 }) }),
  ),
  what: fc.oneof(
    { weight: 2, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 600_000 }) },
  ),
  asleep: fc.boolean(),
});

/** Often while the first rows are planned and sent, and their lost answers looked up. */
export const when: fc.Arbitrary<When> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ ms: fc.nat({ max: 3_000 }) }) },
  { weight: 2, arbitrary: fc.record({ ms: fc.nat({ max: 15_000 }) }) },
  { weight: 1, arbitrary: fc.record({ ms: fc.nat({ max: 300_000 }) }) },
  { weight: 2, arbitrary: fc.record({ read: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 3, arbitrary: fc.record({ write: fc.integer({ min: 1, max: 25 }) }) },
);

/** The newest; and those on either side of where the list's first page ends. */
const item = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 98, max: 103 }) },
);

const keyed: fc.Arbitrary<Keyed> = fc.record({
  key: fc.oneof(fc.record({ old: item }), fc.record({ fresh: fc.integer({ min: 1, max: 6 }) })),
  set: edit,
});
const file: fc.Arbitrary<Keyed[]> = fc.uniqueArray(keyed, {
  minLength: 1,
  maxLength: 7,
  selector: ({ key }) => JSON.stringify(key),
});

export const create: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('create'),
  rows: fc.array(content, { minLength: 1, maxLength: 8 }),
  stamp: seldom,
  dryRun: seldom,
});
export const upsert: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('upsert'),
  file: fc.constantFrom(0, 0, 1),
  dryRun: seldom,
});
export const update: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('update'),
  rows: fc.uniqueArray(fc.record({ item, set: edit }), {
    minLength: 1,
    maxLength: 5,
    selector: (change) => change.item,
  }),
  dryRun: seldom,
});
export const set: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('set'),
  items: fc.uniqueArray(item, { minLength: 1, maxLength: 5 }),
  set: edit,
  dryRun: seldom,
});
export const begun: fc.Arbitrary<Command> = fc.oneof(create, upsert, update, set);
const job = fc.nat({ max: 3 });
const about: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('undo'), job }),
  fc.record({ do: fc.constantFrom('resume', 'apply', 'cancel'), job }),
  fc.record({ do: fc.constant('resolve'), job, as: fc.constantFrom('truth', 'truth', 'skip') }),
);

export const terminalOf = (command: fc.Arbitrary<Command>): fc.Arbitrary<Terminal> =>
  fc.record({
    command,
    at: when,
    key: fc.constantFrom(1, 1, 2),
    host: fc.constantFrom('one', 'one', 'two'),
    stops: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Stop[][]>([]) },
      {
        weight: 1,
        arbitrary: fc.array(fc.array(stop, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      },
    ),
    afterKill: fc.constantFrom('resume', 'resume', 'again', 'leave'),
    recheckMs: fc.constantFrom(60_000, 5_000, 0),
    onDrift: fc.constantFrom('hold', 'hold', 'hold', 'skip', 'overwrite'),
    allRows: fc.boolean(),
    waitForLimit: fc.boolean(),
  });

/** Often like one of ours, never equal in every field: that nobody makes such a one is the premise. */
export const othersContent = content.map((like): Content => ({ ...like, brand: 'Other' }));

const person: fc.Arbitrary<Person> = fc.oneof(
  fc.record({
    at: when,
    what: fc.constant('create' as const),
    content: othersContent,
    key: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  }),
  fc.record({
    at: when,
    what: fc.constant('edit' as const),
    item: fc.oneof(item, fc.nat({ max: 40 })),
    set: edited,
  }),
  fc.record({ at: when, what: fc.constant('remove' as const), item: fc.nat({ max: 99 }) }),
);

export const anything: fc.Arbitrary<Scenario> = fc.record({
  terminals: fc
    .tuple(
      fc.array(terminalOf(begun), { minLength: 1, maxLength: 3 }),
      fc.array(terminalOf(about), { maxLength: 2 }),
    )
    .map(([first, then]) => [...first, ...then]),
  files: fc.tuple(file, file),
  people: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Person[]>([]) },
    { weight: 2, arbitrary: fc.array(person, { maxLength: 6 }) },
  ),
  before: fc.constantFrom(5, 30, 104, 130, 205),
  // One page of the list shows all that is as new as the first create (two minutes).
  oldEveryMs: fc.constantFrom(2_000, 600_000),
  equals: fc.oneof(
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
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
  restartMs: fc.constantFrom(0, 500, 20_000, 3_600_000),
  room: rarely(fc.nat({ max: 10 })),
  concurrency: fc.integer({ min: 1, max: 8 }),
  latencyMs: fc.constantFrom(1, 20, 400),
  jump: rarely(
    fc.record({
      at: fc.integer({ min: 0, max: 100_000 }),
      byMs: fc.constantFrom(-3_600_000, 86_400_000),
    }),
  ),
});

/** One host is stopped for minutes while it sends, and another takes its job over meanwhile. */
export const takeover: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    step: fc.integer({ min: 40, max: 140 }),
    what: fc.integer({ min: 61_000, max: 900_000 }),
    asleep: fc.boolean(),
    ms: fc.integer({ min: 1, max: 5_000 }),
  })
  .map(({ base, step, what, asleep, ms }) => {
    const [first, ...others] = base.terminals as [Terminal, ...Terminal[]];
    const stopped: Terminal = {
      ...first,
      at: { ms: 0 },
      host: 'one',
      stops: [[{ at: { step }, what, asleep }]],
    };
    const taking: Terminal = {
      ...first,
      command: { do: 'resume', job: 0 },
      at: { ms },
      host: 'two',
      stops: [],
      afterKill: 'resume',
    };
    return { ...base, jump: undefined, terminals: [stopped, taking, ...others.slice(0, 1)] };
  });

/** The same command is given twice: at one time, or after the first was killed, and the first goes on later. */
export const twice: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    command: fc.oneof(upsert, create),
    second: terminalOf(upsert),
    stops: fc.option(fc.integer({ min: 20, max: 120 }), { nil: undefined }),
    ms: fc.constantFrom(0, 100, 1_000, 30_000, 3_700_000),
    back: fc.constantFrom(0, 5_000, 4_000_000),
  })
  .map(({ base, command, second, stops, ms, back }) => {
    const [like, ...others] = base.terminals as [Terminal, ...Terminal[]];
    const killed: Stop[][] = stops === undefined ? [] : [[{ at: { step: stops }, what: 'kill' }]];
    const first: Terminal = { ...like, command, at: { ms: 0 }, stops: killed, afterKill: 'leave' };
    const again: Terminal = { ...second, command, at: { ms } };
    const goesOn: Terminal = { ...like, command: { do: 'resume', job: 0 }, at: { ms: ms + back }, stops: [] };
    return { ...base, terminals: [first, again, goesOn, ...others.slice(0, 1)] };
  });

/** A job waits for another, is planned, or sends: and is cancelled. */
export const cancelled: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    jobs: fc.tuple(terminalOf(begun), terminalOf(begun)),
    cancel: fc.array(terminalOf(fc.record({ do: fc.constant('cancel'), job: fc.nat({ max: 1 }) })), {
      minLength: 1,
      maxLength: 3,
    }),
    ms: fc.nat({ max: 200 }),
  })
  .map(({ base, jobs: [first, second], cancel, ms }) => ({
    ...base,
    terminals: [
      { ...first, at: { ms: 0 } },
      { ...second, at: { ms }, key: first.key, host: first.host, stops: [] },
      ...cancel.map((terminal): Terminal => ({ ...terminal, host: first.host, stops: [] })),
      ...base.terminals.slice(0, 1),
    ],
  }));

/** People edit the very items that a job changes, while it does. */
export const edits: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    first: terminalOf(fc.oneof(update, set, upsert)),
    people: fc.array(
      fc.record({
        at: when,
        what: fc.constant('edit' as const),
        item: fc.nat({ max: 4 }),
        set: edited,
      }),
      { minLength: 1, maxLength: 5 },
    ),
    writeFaults: fc.array(fault, { minLength: 4, maxLength: 16 }),
  })
  .map(({ base, first, people, writeFaults }) => ({
    ...base,
    concurrency: 1,
    people,
    writeFaults,
    terminals: [{ ...first, at: { ms: 0 } }, ...base.terminals.slice(1, 2)],
  }));

/** A job changes so many items that it takes longer than `--recheck`, and reads pages again; people edit some of them. */
export const manyUpdates: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    first: terminalOf(
      fc.oneof(
        fc
          .record({ count: fc.integer({ min: 21, max: 60 }), set: edit })
          .map(({ count, set }): Command => ({ do: 'set', items: upTo(count), set, dryRun: false })),
        fc.array(edit, { minLength: 21, maxLength: 60 }).map(
          (edits): Command => ({
            do: 'update',
            rows: upTo(edits.length).map((index) => ({ item: index, set: edits[index] as Edit })),
            dryRun: false,
          }),
        ),
      ),
    ),
    people: fc.array(
      fc.record({
        at: fc.record({ write: fc.integer({ min: 1, max: 60 }) }),
        what: fc.constant('edit' as const),
        item: fc.nat({ max: 60 }),
        // Every field that the job may write.
        set: fc.constant<Edit>({ status: 'archived', brand: 'Other', place: 'Attic' }),
      }),
      { minLength: 4, maxLength: 10 },
    ),
    before: fc.constantFrom(104, 130, 205),
    latencyMs: fc.constantFrom(400, 2_000),
    concurrency: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ base, first, people, ...server }) => ({
    ...base,
    ...server,
    people,
    terminals: [
      { ...first, at: { ms: 0 }, recheckMs: 5_000, onDrift: 'hold' },
      ...base.terminals.slice(0, 1),
    ],
  }));

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** A job is taken back, after people have used what it made. */
export const undone: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    undo: fc.array(terminalOf(fc.constant({ do: 'undo', job: 0 })), { minLength: 1, maxLength: 2 }),
  })
  .map(({ base, undo }) => {
    const [first, ...others] = base.terminals as [Terminal, ...Terminal[]];
    return { ...base, terminals: [{ ...first, at: { ms: 0 } }, ...undo, ...others.slice(0, 1)] };
  });

/** Items are removed while an upsert reads a list of several pages: those behind them move up, over a page's border. */
export const removals: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    first: terminalOf(upsert),
    set: edit,
    removed: fc.array(
      fc.record({
        at: fc.record({ read: fc.integer({ min: 4, max: 10 }) }),
        what: fc.constant('remove' as const),
        item: fc.nat({ max: 199 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    isCalm: fc.boolean(),
  })
  .map(({ base, first, set, removed, isCalm }) => {
    const upserts: Terminal = { ...first, command: { do: 'upsert', file: 0, dryRun: false }, at: { ms: 0 } };
    const rows = [200, 201].map((old): Keyed => ({ key: { old }, set }));
    return {
      ...base,
      // The first page and the last are read more than once: what slides is on one between them.
      before: 310,
      room: undefined,
      concurrency: 1,
      people: removed,
      files: [rows, base.files[1]],
      readFaults: isCalm ? [] : base.readFaults,
      terminals: isCalm
        ? [{ ...upserts, stops: [], recheckMs: 60_000 }]
        : [upserts, ...base.terminals.slice(1, 2)],
    };
  });

const lost = (...kinds: Fault['kind'][]): fc.Arbitrary<Fault> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    applied: fc.constantFrom('no', 'late', 'late'),
    lateness: fc.nat({ max: 100 }).map((percent) => percent / 100),
  });

/**
 * Two jobs with equal rows, on two keys, lose their answers at one time: the first those of its last rows, to timeouts;
 * the second, whose requests come to an end sooner, to resets.
 */
export const equal: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    answered: fc.array(content, { minLength: 1, maxLength: 2 }),
    rows: fc.array(content, { minLength: 1, maxLength: 2 }),
    jobs: fc.tuple(terminalOf(create), terminalOf(create)),
    ms: fc.integer({ min: 0, max: 60_000 }),
    timeouts: fc.array(lost('timeout'), { minLength: 2, maxLength: 2 }),
    resets: fc.array(lost('reset', 'cut', 'html502'), { minLength: 2, maxLength: 6 }),
    dies: seldom,
  })
  .map(({ base, answered, rows, jobs: [first, second], ms, timeouts, resets, dies }) => {
    const job = (terminal: Terminal, rows: Content[]): Terminal => ({
      ...terminal,
      command: { do: 'create', rows, stamp: false, dryRun: false },
      stops: dies ? terminal.stops : [],
      allRows: true,
    });
    return {
      ...base,
      room: undefined,
      writeFaults: [
        ...answered.map((): Fault => ({ kind: 'ok', applied: 'yes', lateness: 0 })),
        ...timeouts.slice(0, rows.length),
        ...resets,
      ],
      terminals: [
        { ...job(first, [...answered, ...rows]), at: { ms: 0 }, key: 1 },
        { ...job(second, rows), at: { ms }, key: 2 },
        ...base.terminals.slice(0, 1),
      ],
    };
  });

/** People give items of their own the keys of creates whose answers are lost, and other upserts change those items. */
export const keysOfOthers: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    jobs: fc.tuple(terminalOf(upsert), terminalOf(upsert)),
    rows: fc.uniqueArray(fc.record({ fresh: fc.integer({ min: 1, max: 4 }), set: edit }), {
      minLength: 2,
      maxLength: 4,
      selector: ({ fresh }) => fresh,
    }),
    people: fc.array(
      fc.record({
        at: when,
        what: fc.constant('create' as const),
        content: othersContent,
        key: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    faults: fc.array(lost('timeout', 'reset', 'cut'), { minLength: 1, maxLength: 6 }),
    ms: fc.nat({ max: 60_000 }),
    dies: fc.boolean(),
  })
  .map(({ base, jobs: [first, second], rows, people, faults, ms, dies }) => {
    const command: Command = { do: 'upsert', file: 0, dryRun: false };
    // While a create is under way, and nobody goes on with it before the other job begins.
    const dead: Partial<Terminal> = {
      stops: [[{ at: { write: 3 }, what: 'kill' }]],
      host: second.host,
      afterKill: 'leave',
    };
    return {
      ...base,
      concurrency: dies ? 2 : base.concurrency,
      people,
      writeFaults: [{ kind: 'ok', applied: 'yes', lateness: 0 }, ...faults],
      files: [rows.map(({ fresh, set }): Keyed => ({ key: { fresh }, set })), base.files[1]],
      terminals: [
        { ...first, ...(dies ? dead : {}), command, at: { ms: 0 }, key: 1 },
        { ...second, command, at: { ms: dies ? Math.floor(ms / 6) : ms }, key: 2 },
        ...base.terminals.slice(0, 1),
      ],
    };
  });

/** Jobs on one or two keys change parts of the same items at one time, and people other parts. */
export const beside: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    jobs: fc.array(
      fc.record({
        terminal: terminalOf(
          fc.record({
            do: fc.constant('set'),
            items: fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 1, maxLength: 5 }),
            set: part,
            dryRun: fc.constant(false),
          }),
        ),
        ms: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 3_000 })),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    people: fc.array(
      fc.record({
        at: when,
        what: fc.constant('edit' as const),
        item: fc.nat({ max: 4 }),
        set: fc.constantFrom<Edit>({ note: 'Broken' }, { place: 'Attic' }, { tag: 'theirs' }),
      }),
      { maxLength: 6 },
    ),
    isCalm: fc.boolean(),
  })
  .map(({ base, jobs, people, isCalm }) => ({
    ...base,
    people,
    ...(isCalm ? { writeFaults: [], readFaults: [], jump: undefined } : {}),
    terminals: jobs.map(({ terminal, ms }) => ({
      ...terminal,
      at: { ms },
      ...(isCalm ? { stops: [] } : {}),
    })),
  }));

/** One command after the other, of which some are stopped: things are made, taken back, and made again; values raised. */
export const chains: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    count: fc.integer({ min: 2, max: 6 }),
    steps: fc.array(
      fc.record({
        command: fc.oneof(
          { weight: 3, arbitrary: fc.constant('things' as const) },
          { weight: 4, arbitrary: fc.constant('undo' as const) },
          { weight: 1, arbitrary: fc.constantFrom('raise' as const, 'resume' as const, 'cancel' as const) },
        ),
        back: fc.nat({ max: 3 }),
        rows: fc.option(fc.uniqueArray(fc.integer({ min: 2, max: 7 }), { minLength: 1, maxLength: 3 }), {
          nil: undefined,
          freq: 4,
        }),
        more: fc.constantFrom(0, 0, 0, 1, 2),
        onlyNew: fc.boolean(),
        stopAt: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
        sign: fc.constantFrom('*=' as const, '+=' as const),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    isCalm: fc.boolean(),
    restored: fc.array(fc.record({ after: fc.nat({ max: 6 }), item: fc.nat({ max: 7 }) }), { maxLength: 3 }),
  })
  .map(({ base, count, steps, isCalm, restored }) => {
    const [like] = base.terminals as [Terminal];
    const commandOf = (step: (typeof steps)[number], index: number): Command => {
      const { command, back, rows, more, onlyNew, sign } = step;
      const job = Math.max(0, index - 1 - back);
      if (command === 'things') return { do: 'things', things: upTo(count + more), onlyNew };
      if (command === 'raise')
        return { do: 'set', items: upTo(count), set: { value: { sign, by: 2 } }, dryRun: false };
      if (command !== 'undo') return { do: command, job };
      return { do: 'undo', job, ...(rows === undefined ? {} : { rows }) };
    };
    const first = { ...steps[0], command: 'things', more: 0, onlyNew: false } as (typeof steps)[number];
    return {
      ...base,
      room: undefined,
      people: restored.map(
        // Between two commands.
        ({ after, item }): Person => ({ at: { ms: after * 3_600_000 + 1_800_000 }, what: 'restore', item }),
      ),
      jump: undefined,
      ...(isCalm ? { writeFaults: [], readFaults: [] } : {}),
      terminals: [first, ...steps].map(
        (step, index): Terminal => ({
          ...like,
          command: commandOf(step, index),
          // Longer than any of them takes.
          at: { ms: index * 3_600_000 },
          host: 'one',
          stops: step.stopAt === undefined ? [] : [[{ at: { write: step.stopAt }, what: 'kill' }]],
          afterKill: 'leave',
          onDrift: 'hold',
          allRows: false,
          asks: true,
        }),
      ),
    };
  });

/**
 * Lists show new items late, and so may answers by id, while a file is imported again, and the answer to one of its first creates is lost. Others
 * after it are answered: a list that hides these shows that it lags.
 */
export const lagging: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    first: terminalOf(upsert),
    rows: fc.uniqueArray(fc.record({ fresh: fc.integer({ min: 1, max: 6 }), set: edit }), {
      minLength: 3,
      maxLength: 6,
      selector: ({ fresh }) => fresh,
    }),
    lagMs: fc.constantFrom(5_000, 45_000),
    lagsById: fc.boolean(),
    answered: fc.nat({ max: 1 }),
    lost: fc.constantFrom<Fault['kind'] | undefined>('reset', 'cut', undefined),
    applied: fc.constantFrom('no' as const, 'yes' as const),
    again: fc.array(fc.record({ terminal: terminalOf(upsert), ms: fc.nat({ max: 90_000 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ base, first, rows, lagMs, lagsById, answered, lost: kind, applied, again }) => {
    const ok: Fault = { kind: 'ok', applied: 'yes', lateness: 0 };
    const command: Command = { do: 'upsert', file: 0, dryRun: false };
    return {
      ...base,
      server: { ...base.server, lagMs, lagsById, jump: undefined },
      // Only our wall clock shows how old an item is that the server does not know.
      jump: lagsById ? undefined : base.jump,
      room: undefined,
      files: [rows.map(({ fresh, set }): Keyed => ({ key: { fresh }, set })), base.files[1]],
      writeFaults:
        kind === undefined ? [] : [...upTo(answered).map(() => ok), { kind, applied, lateness: 0 }],
      terminals: [
        { ...first, command, at: { ms: 0 }, stops: [] },
        ...again.map(({ terminal, ms }): Terminal => ({ ...terminal, command, at: { ms }, stops: [] })),
      ],
    };
  });

/** A file is created and upserted at one time, on one key or two. */
export const bothWays: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    jobs: fc.tuple(terminalOf(upsert), terminalOf(upsert)),
    rows: fc.uniqueArray(fc.record({ fresh: fc.integer({ min: 1, max: 6 }), set: edit }), {
      minLength: 1,
      maxLength: 5,
      selector: ({ fresh }) => fresh,
    }),
    ms: fc.oneof(fc.constant(0), fc.nat({ max: 2_000 })),
    isCalm: fc.boolean(),
  })
  .map(({ base, jobs: [first, second], rows, ms, isCalm }) => ({
    ...base,
    ...(isCalm ? { writeFaults: [], readFaults: [] } : {}),
    files: [rows.map(({ fresh, set }): Keyed => ({ key: { fresh }, set })), base.files[1]],
    room: undefined,
    terminals: [
      {
        ...first,
        command: { do: 'upsert', file: 0, dryRun: false, creates: true },
        at: { ms: 0 },
        allRows: false,
      },
      { ...second, command: { do: 'upsert', file: 0, dryRun: false }, at: { ms } },
    ],
  }));

/** The server rewrites what it stores, keys too. */
export const rewriting: fc.Arbitrary<Scenario> = fc
  .record({
    base: fc.oneof(twice, equal, keysOfOthers, anything),
    rewrites: fc.constantFrom<Rewrite>('cuts', 'escapes', 'adds', 'recases'),
    again: fc.array(fc.record({ terminal: terminalOf(upsert), ms: fc.nat({ max: 600_000 }) }), {
      maxLength: 2,
    }),
    oddKeys: fc.boolean(),
    isCalm: fc.boolean(),
  })
  .map(({ base, rewrites, again, oddKeys, isCalm }) => ({
    ...base,
    ...(oddKeys ? { oddKeys } : {}),
    // Until its first create is answered, nobody can know what the server makes of keys.
    people: base.people.filter((each) => each.what !== 'create' || each.key === undefined),
    server: { ...base.server, rewrites },
    ...(isCalm ? { writeFaults: [], readFaults: [], room: undefined } : {}),
    terminals: [
      ...base.terminals,
      ...again.map(({ terminal, ms }): Terminal => ({ ...terminal, at: { ms } })),
    ],
  }));

/** A plan that is made today and applied hours later: by then keys have moved, and what was new is there. */
export const later: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    job: terminalOf(
      fc.oneof(
        fc.constant<Command>({ do: 'upsert', file: 0, dryRun: true }),
        fc
          .uniqueArray(fc.record({ item: fc.nat({ max: 4 }), set: edit }), {
            minLength: 1,
            maxLength: 5,
            selector: (change) => change.item,
          })
          .map((rows): Command => ({ do: 'update', rows, dryRun: true, byKey: true })),
      ),
    ),
    beside: fc.option(terminalOf(upsert), { nil: undefined }),
    swaps: fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })), { maxLength: 3 }),
    people: fc.array(person, { maxLength: 3 }),
    /** Keys of new items that people make meanwhile. */
    made: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 }),
    at: fc.oneof(fc.constant<When>({ ms: 4_000_000 }), when),
    mostChanges: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    isCalm: fc.boolean(),
  })
  .map(({ base, job, beside: other, swaps, people, made, at, mostChanges, isCalm }) => {
    const asked: Partial<Terminal> = mostChanges === undefined ? {} : { asks: true, mostChanges };
    const first: Terminal = { ...job, ...asked, at: { ms: 0 }, stops: [], onDrift: 'hold' };
    return {
      ...base,
      ...(isCalm ? { writeFaults: [], readFaults: [], room: undefined } : {}),
      people: [
        ...people,
        ...swaps.map((items): Person => ({ at, what: 'swap', items })),
        ...made.map(
          (key): Person => ({ at, what: 'create', content: { name: `Their ${key}`, brand: 'Other' }, key }),
        ),
      ],
      terminals: [
        first,
        ...(other === undefined ? [] : [{ ...other, at: { ms: 3_600_000 }, onDrift: 'hold' as const }]),
        { ...first, command: { do: 'apply', job: 0 }, at: { ms: 7_200_000 }, stops: job.stops },
      ],
    };
  });

const setting: fc.Arbitrary<Edit> = fc.constantFrom<Edit>(
  { status: 'keep' },
  { status: 'sold' },
  { place: 'Shelf 1' },
  { place: 'Shelf 2' },
);

/** Lists show what items were some time ago, and each item's own address what it is. */
export const stale: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    rows: fc.uniqueArray(fc.record({ key: fc.record({ old: fc.nat({ max: 4 }) }), set: setting }), {
      minLength: 1,
      maxLength: 5,
      selector: ({ key }) => key.old,
    }),
    before: fc.constantFrom(5, 30),
    jobs: fc.array(
      fc.record({
        terminal: terminalOf(
          fc.oneof(
            fc.record({
              do: fc.constant('set' as const),
              // A list of one page is read rather than so many items one by one.
              items: fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 3, maxLength: 5 }),
              set: setting,
              dryRun: fc.constant(false),
            }),
            upsert,
          ),
        ),
        ms: fc.nat({ max: 40_000 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    people: fc.array(
      fc.record({
        at: fc.record({ ms: fc.nat({ max: 30_000 }) }),
        what: fc.constant('edit' as const),
        item: fc.nat({ max: 4 }),
        // No field that the jobs set: what no list shows yet, nobody can know of an unchanged row.
        set: fc.constantFrom<Edit>({ note: 'Broken' }, { tag: 'theirs' }),
      }),
      { maxLength: 4 },
    ),
    staleMs: fc.constantFrom(10_000, 45_000),
    isCalm: fc.boolean(),
  })
  .map(({ base, rows, before, jobs, people, staleMs, isCalm }) => ({
    ...base,
    before,
    files: [rows, base.files[1]],
    server: { ...base.server, staleMs, jump: undefined },
    people,
    jump: undefined,
    ...(isCalm ? { writeFaults: [], readFaults: [] } : {}),
    terminals: jobs.map(({ terminal, ms }) => ({
      ...terminal,
      at: { ms },
      ...(isCalm ? { stops: [] } : {}),
    })),
  }));
