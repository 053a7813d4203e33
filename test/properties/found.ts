/** Scenarios that went against the promise once, as small as fast-check made them, each with its cause. */
import type { ServerHabits } from './model-server.ts';
import type { Scenario, Terminal } from './scenario.ts';

/** A scenario as fast-check prints it, without what is as in most. */
interface Found extends Pick<Scenario, 'files'>, Partial<Omit<Scenario, 'files' | 'terminals' | 'server'>> {
  terminals: (Pick<Terminal, 'command'> & Partial<Terminal>)[];
  server?: Partial<ServerHabits>;
}

const TERMINAL: Omit<Terminal, 'command'> = {
  at: { ms: 0 },
  key: 1,
  host: 'one',
  stops: [],
  afterKill: 'resume',
  recheckMs: 60000,
  onDrift: 'hold',
  allRows: false,
  waitForLimit: false,
};

const SERVER: ServerHabits = {
  trims: false,
  rounds: false,
  sortsTags: false,
  normalises: false,
  order: 'created',
  ties: 'later',
  offsetMs: 0,
  resolutionMs: 1,
  jump: undefined,
};

function found({ terminals, server, ...rest }: Found): Scenario {
  return {
    people: [],
    before: 5,
    oldEveryMs: 2000,
    equals: [],
    writeFaults: [],
    readFaults: [],
    restartMs: 0,
    room: undefined,
    concurrency: 1,
    latencyMs: 1,
    jump: undefined,
    ...rest,
    terminals: terminals.map((terminal) => ({ ...TERMINAL, ...terminal })),
    server: { ...SERVER, ...server },
  };
}

export const FOUND: Record<string, Scenario> = {
  'a lane is taken from a holder that is silent, and lives: its requests are still under way': found({
    terminals: [
      {
        command: {
          do: 'create',
          rows: [
            { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
            { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
            { name: 'Toy 2', brand: 'Halloway', estimated_value: 2.5 },
          ],
          stamp: false,
          dryRun: false,
        },
        host: 'two',
        allRows: true,
      },
      {
        command: {
          do: 'create',
          rows: [
            { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
            { name: 'Toy 2', brand: 'Halloway', estimated_value: 2.5 },
          ],
          stamp: false,
          dryRun: false,
        },
        at: { ms: 3 },
        key: 2,
        allRows: true,
      },
      {
        command: {
          do: 'create',
          rows: [{ name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 }],
          stamp: false,
          dryRun: false,
        },
        stops: [[{ at: { ms: 1 }, what: 1000 }]],
      },
    ],
    files: [
      [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
      [{ key: { old: 0 }, set: { status: 'sold' } }],
    ],
    writeFaults: [
      { kind: 'ok', applied: 'yes', lateness: 0 },
      { kind: 'timeout', applied: 'no', lateness: 0 },
      { kind: 'timeout', applied: 'late', lateness: 0.69 },
      { kind: 'reset', applied: 'no', lateness: 0 },
      { kind: 'reset', applied: 'late', lateness: 0 },
    ],
    concurrency: 2,
    jump: { at: 7, byMs: 86400000 },
  }),
  'a dry run that fails has been applied meanwhile, and stays': found({
    terminals: [
      { command: { do: 'upsert', file: 0, dryRun: true }, afterKill: 'leave' },
      {
        command: { do: 'upsert', file: 0, dryRun: true },
        at: { ms: 3700000 },
        stops: [[{ at: { step: 20 }, what: 'kill' }]],
      },
      { command: { do: 'resume', job: 0 }, at: { ms: 3700000 } },
      { command: { do: 'apply', job: 0 }, stops: [[{ at: { ms: 1 }, what: 1000 }]] },
    ],
    files: [[{ key: { old: 0 }, set: { status: 'sold' } }], [{ key: { old: 0 }, set: { status: 'sold' } }]],
    readFaults: [
      { kind: 'ok', applied: 'no', lateness: 0 },
      { kind: 'ok', applied: 'no', lateness: 0 },
      { kind: 'cut', applied: 'no', lateness: 0 },
      { kind: 'timeout', applied: 'no', lateness: 0 },
    ],
  }),
  'two jobs lose a create of one key with different contents, and one of them was applied': found({
    terminals: [
      { command: { do: 'upsert', file: 0, dryRun: false }, host: 'two' },
      { command: { do: 'upsert', file: 0, dryRun: false }, at: { ms: 1000 }, key: 2 },
      { command: { do: 'upsert', file: 1, dryRun: false } },
    ],
    files: [
      [
        { key: { fresh: 1 }, set: { brand: 'Ours' } },
        { key: { fresh: 3 }, set: { status: 'sell', brand: 'Ours' } },
      ],
      [
        { key: { fresh: 1 }, set: { status: 'sold' } },
        { key: { old: 0 }, set: { status: 'sell', brand: 'Ours' } },
      ],
    ],
    people: [{ at: { read: 1 }, what: 'create', content: { name: 'Robot', brand: 'Other' }, key: 3 }],
    writeFaults: [
      { kind: 'ok', applied: 'yes', lateness: 0 },
      { kind: 'timeout', applied: 'no', lateness: 0 },
      { kind: 'timeout', applied: 'late', lateness: 0 },
    ],
    jump: { at: 9, byMs: 86400000 },
  }),
  'the wall clock is set back by as much as has passed since a killed process looked keys up': found({
    terminals: [
      { command: { do: 'upsert', file: 0, dryRun: false }, stops: [[{ at: { step: 42 }, what: 'kill' }]] },
    ],
    files: [
      [
        { key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } },
        { key: { old: 0 }, set: { status: 'sold' } },
      ],
      [{ key: { old: 0 }, set: { status: 'sell', brand: 'Ours' } }],
    ],
    people: [{ at: { ms: 1004 }, what: 'create', content: { name: 'Robot', brand: 'Other' }, key: 1 }],
    restartMs: 3600000,
    jump: { at: 1003, byMs: -3600000 },
  }),
  'a machine sleeps between the reading of an item and its change, and the monotonic clock stands still':
    found({
      terminals: [
        {
          command: { do: 'upsert', file: 0, dryRun: false },
          stops: [[{ at: { step: 56 }, what: 61000, asleep: true }]],
        },
        { command: { do: 'resume', job: 0 }, at: { ms: 5 }, host: 'two' },
      ],
      files: [
        [
          { key: { old: 1 }, set: { status: 'sell', brand: 'Ours' } },
          { key: { fresh: 1 }, set: { status: 'sold' } },
        ],
        [{ key: { old: 98 }, set: { status: 'sold' } }],
      ],
      people: [{ at: { ms: 4 }, what: 'edit', item: 1, set: { status: 'archived' } }],
    }),
  'two jobs lose the answers for one name in two Unicode forms, and only the item of the row that is held was made':
    found({
      terminals: [
        {
          command: {
            do: 'create',
            rows: [
              { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
              { name: 'Café', brand: 'Steiff', estimated_value: 1.004 },
            ],
            stamp: false,
            dryRun: false,
          },
          allRows: true,
        },
        {
          command: {
            do: 'create',
            rows: [{ name: 'Café', brand: 'Steiff', estimated_value: 1.004 }],
            stamp: false,
            dryRun: false,
          },
          at: { ms: 5 },
          key: 2,
          allRows: true,
        },
        {
          command: {
            do: 'create',
            rows: [
              { name: 'Robot', estimated_value: 12.5 },
              { name: 'Café', brand: 'Steiff', estimated_value: 1.004 },
            ],
            stamp: false,
            dryRun: false,
          },
          key: 2,
          stops: [[{ at: { write: 1 }, what: 'kill' }]],
        },
      ],
      files: [
        [{ key: { old: 0 }, set: { status: 'sold' } }],
        [{ key: { fresh: 1 }, set: { status: 'sold' } }],
      ],
      server: { rounds: true },
      writeFaults: [
        { kind: 'ok', applied: 'yes', lateness: 0 },
        { kind: 'timeout', applied: 'no', lateness: 0 },
        { kind: 'reset', applied: 'no', lateness: 0 },
        { kind: 'reset', applied: 'late', lateness: 0 },
      ],
    }),
  'a change whose answer is lost, and of which a person changes a part, and its undo': found({
    terminals: [
      {
        command: {
          do: 'set',
          items: [4, 1, 2, 103, 100],
          set: { status: 'sold', place: 'Shelf 1' },
          dryRun: false,
        },
        key: 2,
        recheckMs: 0,
        onDrift: 'skip',
        allRows: true,
        waitForLimit: true,
      },
      {
        command: { do: 'undo', job: 0 },
        at: { ms: 75 },
        stops: [
          [{ at: { ms: 43262 }, what: 'kill', asleep: true }],
          [{ at: { ms: 80 }, what: 'kill', asleep: true }],
          [{ at: { step: 245 }, what: 'kill', asleep: false }],
        ],
        recheckMs: 5000,
        waitForLimit: true,
      },
      {
        command: {
          do: 'create',
          rows: [
            { name: 'Toy 5', brand: 'Halloway', estimated_value: 5.5 },
            { name: 'Toy 2', brand: 'Halloway', estimated_value: 2.5 },
            { name: 'Toy 7', brand: 'Halloway', estimated_value: 7.5 },
            { name: 'Bear', brand: 'Steiff', estimated_value: 12.504 },
          ],
          stamp: false,
          dryRun: false,
        },
        at: { read: 3 },
        host: 'two',
        stops: [
          [{ at: { ms: 86 }, what: 'kill', asleep: true }],
          [
            { at: { ms: 139 }, what: 'kill', asleep: false },
            { at: { ms: 4738 }, what: 318487, asleep: true },
          ],
        ],
        afterKill: 'again',
        recheckMs: 5000,
        allRows: true,
        waitForLimit: true,
      },
    ],
    files: [
      [
        { key: { old: 101 }, set: { status: 'sold' } },
        { key: { fresh: 4 }, set: { status: 'sold', place: 'Shelf 1' } },
      ],
      [
        { key: { old: 2 }, set: { brand: 'Ours' } },
        { key: { old: 4 }, set: { place: 'Shelf 2' } },
        { key: { old: 98 }, set: { brand: 'Ours' } },
        { key: { fresh: 5 }, set: { place: 'Shelf 1' } },
        { key: { fresh: 6 }, set: { status: 'sold', place: 'Shelf 1' } },
        { key: { fresh: 2 }, set: { status: 'sold', place: 'Shelf 1' } },
        { key: { old: 3 }, set: { place: 'Shelf 1' } },
      ],
    ],
    people: [
      { at: { read: 24 }, what: 'edit', item: 17, set: { status: 'archived' } },
      {
        at: { ms: 6973 },
        what: 'create',
        content: { name: 'Toy 1', brand: 'Other', estimated_value: 1.5 },
        key: 2,
      },
      { at: { ms: 1403 }, what: 'edit', item: 2, set: { status: 'archived', brand: 'Other' } },
      { at: { write: 17 }, what: 'edit', item: 37, set: { brand: 'Other' } },
      {
        at: { ms: 485 },
        what: 'create',
        key: undefined,
        content: { name: 'Café', brand: 'Other', estimated_value: 12.504 },
      },
      { at: { ms: 235474 }, what: 'edit', item: 13, set: { note: 'Broken' } },
    ],
    equals: [10, 8, 21],
    server: {
      trims: true,
      sortsTags: true,
      normalises: true,
      order: 'updated',
      ties: 'earlier',
      offsetMs: 259200000,
      jump: { at: 817, byMs: 86400000 },
    },
    writeFaults: [
      { kind: 'ok', applied: 'no', lateness: 0.3 },
      { kind: 'ok', applied: 'no', lateness: 0.59 },
      { kind: 'limited', applied: 'late', lateness: 0.86 },
      { kind: 'html502', applied: 'yes', lateness: 0.13 },
      { kind: 'ok', applied: 'yes', lateness: 0.9 },
      { kind: 'reset', applied: 'late', lateness: 0 },
      { kind: 'ok', applied: 'yes', lateness: 0.33 },
      { kind: 'cut', applied: 'late', lateness: 0.21 },
      { kind: 'refused', applied: 'no', lateness: 0.53 },
    ],
    restartMs: 20000,
    room: 2,
    concurrency: 8,
  }),
  'two raises of one item, the answer of the first of which is lost': found({
    terminals: [
      {
        command: { do: 'set', items: [2, 3], set: { value: { sign: '+=', by: 8 } }, dryRun: false },
        at: { ms: 1977 },
        host: 'two',
        recheckMs: 0,
        onDrift: 'skip',
        allRows: true,
        waitForLimit: true,
      },
      {
        command: { do: 'set', items: [4, 2, 0, 1], set: { value: { sign: '+=', by: 8 } }, dryRun: false },
        at: { ms: 2799 },
        recheckMs: 5000,
      },
    ],
    files: [
      [
        { key: { old: 4 }, set: { status: 'sold', place: 'Shelf 1' } },
        { key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } },
        { key: { fresh: 5 }, set: { place: 'Shelf 2' } },
        { key: { fresh: 4 }, set: { status: 'sold', place: 'Shelf 1' } },
        { key: { old: 102 }, set: { status: 'sell', brand: 'Ours' } },
      ],
      [
        { key: { old: 100 }, set: { place: 'Shelf 2' } },
        { key: { old: 2 }, set: { brand: 'Ours' } },
        { key: { fresh: 4 }, set: { place: 'Shelf 1' } },
      ],
    ],
    people: [
      { at: { write: 1 }, what: 'edit', item: 3, set: { tag: 'theirs' } },
      { at: { write: 14 }, what: 'edit', item: 2, set: { tag: 'theirs' } },
      { at: { ms: 215682 }, what: 'edit', item: 4, set: { note: 'Broken' } },
    ],
    server: { trims: true, rounds: true, resolutionMs: 1000 },
    writeFaults: [
      { kind: 'refused', applied: 'no', lateness: 0.66 },
      { kind: 'error500', applied: 'no', lateness: 0.54 },
      { kind: 'ok', applied: 'no', lateness: 0.53 },
    ],
    readFaults: [
      { kind: 'ok', applied: 'no', lateness: 0.85 },
      { kind: 'ok', applied: 'late', lateness: 0.25 },
    ],
    room: 1,
    concurrency: 4,
    jump: { at: 9116, byMs: 86400000 },
  }),
  'a lost update that a person has resolved to send again counts for its undo': found({
    terminals: [
      {
        command: { do: 'update', rows: [{ item: 0, set: { status: 'sold' } }], dryRun: false },
        stops: [[{ at: { ms: 3201 }, what: 'kill', asleep: false }]],
        afterKill: 'again',
        recheckMs: 0,
      },
      { command: { do: 'undo', job: 0 }, at: { read: 7 } },
      {
        command: { do: 'resolve', job: 0, as: 'truth' },
        at: { write: 2 },
        stops: [[{ at: { step: 20 }, what: 'kill', asleep: false }]],
      },
    ],
    files: [
      [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
      [{ key: { fresh: 1 }, set: { status: 'sold' } }],
    ],
    latencyMs: 400,
  }),
  'a lost update is not the own one where another job has set the field since': found({
    terminals: [
      {
        command: {
          do: 'update',
          rows: [
            { item: 0, set: { status: 'sold' } },
            { item: 98, set: { status: 'sold' } },
          ],
          dryRun: false,
        },
        stops: [
          [{ at: { step: 93 }, what: 'kill', asleep: false }],
          [{ at: { ms: 1 }, what: 'kill', asleep: false }],
        ],
      },
      { command: { do: 'undo', job: 0 }, at: { write: 1 } },
      { command: { do: 'update', rows: [{ item: 0, set: { status: 'sold' } }], dryRun: false } },
    ],
    files: [
      [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
      [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
    ],
    writeFaults: [{ kind: 'refused', applied: 'no', lateness: 0 }],
  }),
  'a list lags, and the wall clock jumps a day ahead between upserts': found({
    terminals: [
      { command: { do: 'upsert', file: 0, dryRun: false } },
      { command: { do: 'upsert', file: 0, dryRun: false } },
      { command: { do: 'upsert', file: 0, dryRun: false } },
    ],
    files: [
      [
        { key: { fresh: 1 }, set: { status: 'sold' } },
        { key: { fresh: 3 }, set: { status: 'sold' } },
        { key: { fresh: 2 }, set: { status: 'sell', brand: 'Ours' } },
      ],
      [{ key: { old: 0 }, set: { status: 'sell', brand: 'Ours' } }],
    ],
    server: { lagMs: 5000 },
    jump: { at: 13, byMs: 86400000 },
  }),
  'a row is held while an equal upsert waits for the lane, and the server cuts its key': found({
    terminals: [
      {
        command: {
          do: 'create',
          rows: [
            { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
            { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
          ],
          stamp: false,
          dryRun: false,
        },
        stops: [[{ at: { step: 20 }, what: 1000, asleep: false }]],
        allRows: true,
      },
      {
        command: {
          do: 'create',
          rows: [{ name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 }],
          stamp: false,
          dryRun: false,
        },
        at: { ms: 677 },
        key: 2,
        stops: [[{ at: { ms: 1 }, what: 1000, asleep: false }]],
        allRows: true,
      },
      {
        command: { do: 'set', items: [0], set: { status: 'sold' }, dryRun: false },
        at: { write: 1 },
        stops: [[{ at: { ms: 1 }, what: 1000, asleep: false }]],
      },
      {
        command: { do: 'upsert', file: 1, dryRun: false },
        at: { ms: 1673 },
        key: 2,
        stops: [
          [{ at: { ms: 130 }, what: 'kill', asleep: false }],
          [{ at: { ms: 25569 }, what: 262371, asleep: true }],
        ],
        recheckMs: 5000,
        allRows: true,
        waitForLimit: true,
      },
      {
        command: { do: 'upsert', file: 1, dryRun: false },
        at: { ms: 312311 },
        key: 2,
        host: 'two',
        onDrift: 'skip',
      },
    ],
    files: [
      [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
      [
        { key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } },
        { key: { old: 98 }, set: { status: 'sell', brand: 'Ours' } },
      ],
    ],
    server: { rewrites: 'cuts' },
    writeFaults: [
      { kind: 'ok', applied: 'yes', lateness: 0 },
      { kind: 'timeout', applied: 'late', lateness: 0 },
      { kind: 'reset', applied: 'late', lateness: 0 },
      { kind: 'reset', applied: 'no', lateness: 0 },
      { kind: 'reset', applied: 'no', lateness: 0 },
    ],
    oddKeys: true,
  }),
  'a list lags, and the wall clock jumps a day ahead while an equal upsert waits': found({
    terminals: [
      { command: { do: 'upsert', file: 0, dryRun: false } },
      { command: { do: 'upsert', file: 0, dryRun: false }, host: 'two' },
    ],
    files: [
      [
        { key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } },
        { key: { fresh: 4 }, set: { status: 'sold' } },
        { key: { fresh: 2 }, set: { status: 'sell', brand: 'Ours' } },
      ],
      [{ key: { old: 0 }, set: { status: 'sell', brand: 'Ours' } }],
    ],
    server: { lagMs: 45000 },
    writeFaults: [{ kind: 'reset', applied: 'yes', lateness: 0 }],
    jump: { at: 25005, byMs: 86400000 },
  }),
  'a row is left to a cancelled job that has lost its answer, and nothing is wrong': found({
    terminals: [
      {
        command: { do: 'things', things: [0, 1], onlyNew: false, bad: [0] },
        stops: [[{ at: { write: 1 }, what: 'kill' }]],
        afterKill: 'leave',
        asks: true,
      },
      { command: { do: 'cancel', job: 0 }, at: { ms: 3600000 }, afterKill: 'leave', asks: true },
      { command: { do: 'resume', job: 0 }, at: { ms: 7200000 }, afterKill: 'leave', asks: true },
      { command: { do: 'apply', job: 2 }, at: { ms: 10800000 }, afterKill: 'leave', asks: true },
      {
        command: { do: 'things', things: [0, 1], onlyNew: true },
        at: { ms: 14400000 },
        afterKill: 'leave',
        asks: true,
      },
    ],
    files: [
      [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
      [{ key: { fresh: 1 }, set: { status: 'sold' } }],
    ],
  }),
  'a restored backup does not know what the server makes of names': found({
    terminals: [
      {
        command: {
          do: 'create',
          rows: [
            { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
            { name: 'Café' },
            { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
          ],
          stamp: false,
          dryRun: false,
        },
        afterKill: 'leave',
      },
      { command: { do: 'resume', job: 0 }, at: { ms: 3600500 } },
    ],
    files: [[], []],
    server: { normalises: true },
    restored: { backup: { write: 1 }, at: 500 },
  }),
  'a backup was made after a create of the row had been sent in vain, and another store sends it again':
    found({
      terminals: [
        {
          command: {
            do: 'create',
            rows: [{ name: 'Robot' }, { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 }],
            stamp: false,
            dryRun: false,
          },
          afterKill: 'leave',
        },
        { command: { do: 'resume', job: 0 }, at: { ms: 3602009 } },
      ],
      files: [
        [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
        [{ key: { fresh: 1 }, set: { status: 'sold' } }],
      ],
      writeFaults: [{ kind: 'limited', applied: 'no', lateness: 0 }],
      restored: { backup: { write: 1 }, at: 2009 },
    }),
  'the item of one copy is looked up for another, after a second job has changed it': found({
    terminals: [
      { command: { do: 'upsert', file: 0, dryRun: false } },
      {
        command: { do: 'upsert', file: 1, dryRun: false },
        stops: [[{ at: { ms: 1 }, what: 'kill', asleep: false }]],
      },
      { command: { do: 'undo', job: 1 }, at: { ms: 3600000 } },
    ],
    files: [
      [
        { key: { old: 0 }, set: { status: 'sold' }, copies: 1 },
        { key: { fresh: 1 }, set: { status: 'sold' }, copies: 1 },
      ],
      [
        { key: { old: 0 }, set: { status: 'sold' }, copies: 2 },
        { key: { fresh: 1 }, set: { status: 'sold' }, copies: 1 },
      ],
    ],
  }),
  'a lost row with a stamp, and one of another job that is equal but for it: one of the two was made': found({
    terminals: [
      {
        command: {
          do: 'create',
          rows: [{ name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 }],
          stamp: false,
          dryRun: false,
        },
        stops: [[{ at: { ms: 30 }, what: 'kill' }]],
        afterKill: 'leave',
        allRows: true,
      },
      {
        command: {
          do: 'create',
          rows: [
            { name: 'Toy 1', brand: 'Halloway', estimated_value: 1.5 },
            { name: 'Toy 2', brand: 'Halloway', estimated_value: 2.5 },
          ],
          stamp: true,
          dryRun: false,
        },
        at: { ms: 1000 },
        key: 2,
        allRows: true,
      },
    ],
    files: [
      [{ key: { fresh: 1 }, set: { status: 'sold' } }],
      [{ key: { fresh: 1 }, set: { status: 'sold' } }],
    ],
    oldEveryMs: 600000,
    server: {},
    writeFaults: [
      { kind: 'reset', applied: 'late', lateness: 0.5 },
      { kind: 'reset', applied: 'no', lateness: 0 },
      { kind: 'reset', applied: 'no', lateness: 0 },
    ],
  }),
  'an undo skips what somebody has changed, and takes back the rest of the row': found({
    terminals: [
      {
        command: {
          do: 'setFrom',
          rows: [{ item: 1, set: { tag: 'a' } }],
          also: { note: 'Sold' },
          dryRun: false,
        },
      },
      { command: { do: 'undo', job: 0 }, at: { ms: 10800000 }, onDrift: 'skip' },
    ],
    files: [
      [{ key: { old: 98 }, set: { status: 'sell', brand: 'Ours' } }],
      [{ key: { fresh: 1 }, set: { status: 'sold' } }],
    ],
    people: [{ at: { ms: 8 }, what: 'edit', item: 1, set: { tag: 'theirs' } }],
    server: {},
  }),
  'a person swaps keys between the reading of items and the undo that sends their custom fields whole': found(
    {
      terminals: [
        {
          command: {
            do: 'setFrom',
            rows: [
              { item: 1, set: { place: 'Shelf 1' } },
              { item: 0, set: { place: 'Shelf 1' } },
            ],
            also: {},
            dryRun: false,
          },
          at: { ms: 3600000 },
        },
        {
          command: { do: 'set', items: [0, 1, 2, 3], set: { place: 'Shelf 1' }, dryRun: false },
          stops: [[{ at: { ms: 1 }, what: 'kill', asleep: false }]],
          afterKill: 'leave',
        },
        {
          command: { do: 'undo', job: 1 },
          at: { ms: 10800000 },
          stops: [[{ at: { step: 1 }, what: 1000, asleep: false }]],
        },
      ],
      files: [
        [{ key: { old: 0 }, set: { status: 'sell', brand: 'Ours' } }],
        [{ key: { fresh: 1 }, set: { status: 'sold' } }],
      ],
      people: [{ at: { write: 3 }, what: 'swap', items: [0, 1] }],
      server: {},
    },
  ),
  'what an import of an export has overwritten is set again, and the export is imported once more': found({
    terminals: [
      {
        command: {
          do: 'exported',
          rows: [{ item: 0, set: { brand: 'Ours' } }],
          added: 0,
          mode: undefined,
          dryRun: false,
        },
        at: { ms: 3600000 },
        onDrift: 'overwrite',
      },
      {
        command: {
          do: 'exported',
          rows: [{ item: 0, set: { place: 'Shelf 1' } }],
          added: 0,
          mode: undefined,
          dryRun: false,
        },
        at: { ms: 10800000 },
      },
    ],
    files: [[{ key: { old: 0 }, set: { status: 'sold' } }], [{ key: { old: 0 }, set: { status: 'sold' } }]],
    people: [
      { at: { ms: 0 }, what: 'export' },
      { at: { ms: 600000 }, what: 'edit', item: 0, set: { brand: 'Other' } },
      { at: { ms: 7200000 }, what: 'edit', item: 0, set: { brand: 'Other' } },
    ],
  }),
  'a row is made once as it was edited, and once as it is in the results of a job that was taken back': found(
    {
      terminals: [
        { command: { do: 'things', things: [0, 1, 2, 3], onlyNew: false, bad: [0, 1, 3] }, asks: true },
        {
          command: {
            do: 'returned',
            which: 'rejects',
            job: 0,
            edits: [{ item: 2, set: {} }],
            rewrites: false,
            dryRun: false,
          },
          at: { ms: 3600000 },
          asks: true,
        },
        { command: { do: 'undo', job: 1 }, at: { ms: 7200000 }, asks: true },
        {
          command: {
            do: 'returned',
            which: 'results',
            job: 0,
            edits: [{ item: 3, set: { brand: 'Edited' } }],
            rewrites: false,
            dryRun: false,
          },
          at: { ms: 10800000 },
          asks: true,
        },
        {
          command: { do: 'returned', which: 'results', job: 1, edits: [], rewrites: false, dryRun: false },
          at: { ms: 14400000 },
          asks: true,
        },
      ],
      files: [[{ key: { old: 0 }, set: { status: 'sold' } }], [{ key: { old: 0 }, set: { status: 'sold' } }]],
    },
  ),
  'two stores create one key at one moment, and the one whose request never arrived finds the item of the other':
    found({
      terminals: [
        { command: { do: 'upsert', file: 0, dryRun: false } },
        { command: { do: 'upsert', file: 0, dryRun: false }, at: { read: 1 }, store: 'second' },
      ],
      files: [
        [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
        [{ key: { old: 98 }, set: { status: 'sold' } }],
      ],
      writeFaults: [{ kind: 'reset', applied: 'no', lateness: 0 }],
    }),
  'a job waits for late items in a list that lacks a lost one too, which another job settles meanwhile':
    found({
      terminals: [
        { command: { do: 'upsert', file: 0, dryRun: false }, key: 2, recheckMs: 0, waitForLimit: true },
        {
          command: { do: 'upsert', file: 0, dryRun: false },
          at: { ms: 3707 },
          host: 'two',
          afterKill: 'leave',
          recheckMs: 0,
          onDrift: 'overwrite',
          waitForLimit: true,
        },
      ],
      files: [
        [
          { key: { fresh: 4 }, set: { status: 'sold' } },
          { key: { fresh: 3 }, set: { status: 'sold' } },
        ],
        [{ key: { fresh: 4 }, set: { status: 'sold' } }],
      ],
      oldEveryMs: 600_000,
      equals: [20],
      server: { lagMs: 45_000 },
      writeFaults: [{ kind: 'cut', applied: 'yes', lateness: 0 }],
      latencyMs: 400,
      // The clock of the machine is set while the first job looks its create up, so its lane is taken over.
      jump: { at: 16_246, byMs: 86_400_000 },
    }),
  'two relative changes begin at one moment, and one of them may overwrite what others make of the values':
    found({
      terminals: [
        {
          command: {
            do: 'setFrom',
            rows: [{ item: 0, set: { value: { sign: '+=', by: 8 } } }],
            also: {},
            dryRun: false,
          },
          asks: true,
        },
        {
          command: {
            do: 'setFrom',
            rows: [{ item: 0, set: { place: 'Shelf 1', value: { sign: '+=', by: 8 } } }],
            also: {},
            dryRun: false,
          },
          onDrift: 'overwrite',
          asks: true,
        },
      ],
      files: [
        [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
        [{ key: { old: 0 }, set: { status: 'sell', brand: 'Ours' } }],
      ],
    }),
  // Seed 558694941: items were noted as looked up before they were.
  'the look-up of the first items of a list fails, and the list shows none of their keys': found({
    terminals: [{ command: { do: 'upsert', file: 0, dryRun: false } }, { command: { do: 'undo', job: 0 } }],
    files: [
      [
        { key: { old: 0 }, set: { status: 'sold' } },
        { key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } },
      ],
      [{ key: { fresh: 1 }, set: { status: 'sell', brand: 'Ours' } }],
    ],
    server: { short: 'all' },
    readFaults: [
      { kind: 'ok', applied: 'no', lateness: 0 },
      { kind: 'ok', applied: 'no', lateness: 0 },
      { kind: 'refused', applied: 'no', lateness: 0 },
    ],
    concurrency: 1,
    latencyMs: 1,
  }),
};
