/** What may happen to files that come again each month, to rows that are mended, and to stores that others are beside. */
import * as fc from '../support/fast-check.ts';
import type { Short } from './model-server.ts';
import {
  anything,
  begun,
  beside,
  type Change,
  type Command,
  create,
  edit,
  edited,
  edits,
  type Edit,
  type Keyed,
  later,
  othersContent,
  part,
  type Person,
  type Scenario,
  seldom,
  set,
  type Terminal,
  terminalOf,
  twice,
  undone,
  update,
  upsert,
  upTo,
  type When,
  when,
} from './scenario.ts';

/** Longer than any job takes. */
const NEXT_MS = 3_600_000;

const calm: Partial<Scenario> = { writeFaults: [], readFaults: [], room: undefined, jump: undefined };

/** One after the other, each when those before it have ended. */
function inTurn(
  like: Terminal,
  steps: readonly (Partial<Terminal> & Pick<Terminal, 'command'>)[],
): Terminal[] {
  return steps.map((step, index) => ({
    ...like,
    at: { ms: index * NEXT_MS },
    host: 'one',
    stops: [],
    afterKill: 'leave',
    onDrift: 'hold',
    allRows: false,
    ...step,
  }));
}

const stopAtWrite = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });

function killedAt(write: number | undefined): Pick<Terminal, 'stops'> {
  return { stops: write === undefined ? [] : [[{ at: { write }, what: 'kill' }]] };
}

const upsertOf = (file: number, more: { dryRun?: boolean; missing?: { most?: number } } = {}): Command => ({
  do: 'upsert',
  file,
  dryRun: false,
  ...more,
});

/** Rows stand for several items, and next month for more, or fewer. */
export const stock: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    jobs: fc.tuple(terminalOf(upsert), terminalOf(upsert), terminalOf(create)),
    rows: fc.uniqueArray(
      fc.record({
        key: fc.oneof(
          fc.record({ fresh: fc.integer({ min: 1, max: 4 }) }),
          fc.record({ old: fc.nat({ max: 4 }) }),
        ),
        set: edit,
        copies: fc.integer({ min: 1, max: 3 }),
        next: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 1, maxLength: 4, selector: ({ key }) => JSON.stringify(key) },
    ),
    copies: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 8, maxLength: 8 }),
    last: fc.option(
      fc.oneof(
        fc.record({ do: fc.constantFrom('resume' as const, 'undo' as const), job: fc.nat({ max: 1 }) }),
        fc.record({
          do: fc.constant('resolve' as const),
          job: fc.nat({ max: 1 }),
          as: fc.constant('truth' as const),
        }),
        fc.constant(upsertOf(1)),
      ),
      { nil: undefined },
    ),
    people: fc.array(
      fc.record({
        at: when,
        what: fc.constant('create' as const),
        content: othersContent,
        key: fc.integer({ min: 1, max: 4 }),
      }),
      { maxLength: 1 },
    ),
    ms: fc.constantFrom(0, 500, 30_000, NEXT_MS, NEXT_MS),
    begins: fc.constantFrom('upsert' as const, 'upsert' as const, 'create' as const),
    isCalm: fc.boolean(),
  })
  .map(({ base, jobs: [first, second, creates], rows, copies, last, people, ms, begins, isCalm }) => {
    const file = (count: 'copies' | 'next') =>
      rows.map(({ key, set, ...counts }): Keyed => ({ key, set, copies: counts[count] }));
    const { command } = creates;
    const made: Terminal[] =
      begins === 'create' && command.do === 'create'
        ? [
            {
              ...creates,
              at: { ms: 0 },
              command: {
                ...command,
                rows: command.rows.map((row, index) => ({ ...row, copies: copies[index] ?? 1 })),
              },
            },
          ]
        : [{ ...first, command: upsertOf(0), at: { ms: 0 } }];
    return {
      ...base,
      room: undefined,
      ...(isCalm ? calm : {}),
      people,
      files: [file('copies'), file('next')],
      terminals: [
        ...made,
        { ...second, command: upsertOf(begins === 'create' ? 0 : 1), at: { ms } },
        ...(last === undefined ? [] : [{ ...first, command: last, at: { ms: ms + NEXT_MS }, stops: [] }]),
      ],
    };
  });

/** A file is all that a collection has: what it lacks is archived. */
export const absent: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    first: terminalOf(upsert),
    before: fc.constantFrom(5, 8, 30),
    gone: fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: 3 }),
    goneNext: fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: 3 }),
    set: fc.array(edit, { minLength: 4, maxLength: 4 }),
    fresh: fc.nat({ max: 2 }),
    bad: seldom,
    most: fc.constantFrom(undefined, 30, 100, 100, 100),
    people: fc.array(
      fc.oneof(
        fc.record({
          at: when,
          what: fc.constant('create' as const),
          content: othersContent,
          key: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
        }),
        fc.record({ at: when, what: fc.constant('edit' as const), item: fc.nat({ max: 7 }), set: edited }),
        fc.record({
          at: when,
          what: fc.constant('swap' as const),
          items: fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })),
        }),
        fc.record({ at: when, what: fc.constant('remove' as const), item: fc.nat({ max: 7 }) }),
      ),
      { maxLength: 3 },
    ),
    wholeOnly: fc.boolean(),
    planned: fc.boolean(),
    stopAt: stopAtWrite,
    further: fc.uniqueArray(fc.constantFrom('mend', 'apply', 'resume', 'again', 'undo'), { maxLength: 4 }),
    isCalm: fc.boolean(),
  })
  .map(
    ({
      base,
      first,
      before,
      gone,
      goneNext,
      set,
      fresh,
      bad,
      most,
      people,
      planned,
      stopAt,
      further,
      ...more
    }) => {
      const rows = (gone: readonly number[]): Keyed[] => [
        ...upTo(before)
          .filter((old) => !gone.includes(old))
          .map((old): Keyed => ({ key: { old }, set: set[old % set.length] ?? {} })),
        ...upTo(fresh).map((number): Keyed => ({ key: { fresh: number + 1 }, set: set[number] ?? {} })),
      ];
      const [row, ...others] = rows(gone);
      const file =
        row === undefined ? others : [bad ? { ...row, bad: true as const, set: BAD } : row, ...others];
      const missing = most === undefined ? {} : { most };
      const commands: Record<(typeof further)[number], Command> = {
        mend: { do: 'mend', job: 0, how: 'word' },
        apply: { do: 'apply', job: 0 },
        resume: { do: 'resume', job: 0 },
        again: upsertOf(1, { missing }),
        undo: { do: 'undo', job: 0 },
      };
      const steps = inTurn(first, [
        { command: upsertOf(0, { dryRun: planned, missing }), ...killedAt(stopAt) },
        ...(planned ? [{ command: commands.apply, ...killedAt(stopAt) }] : []),
        ...further.map((name) => ({ command: commands[name] })),
      ]).map((step) => ({ ...step, ...(more.wholeOnly ? { wholeOnly: true as const } : {}) }));
      return {
        ...base,
        before,
        equals: [],
        room: undefined,
        ...(more.isCalm ? calm : {}),
        people,
        files: [file, rows(goneNext)],
        terminals: steps,
      };
    },
  );

/** What is sent once a bad row's word is known. */
const BAD: Edit = { status: 'sell' };

/** Several `set --from` and `set` of the same items, at one time or one after the other. */
export const fromFile: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    jobs: fc.array(
      fc.record({
        terminal: terminalOf(
          fc
            .record({
              columns: fc.uniqueArray(fc.constantFrom('place', 'tag', 'value'), {
                minLength: 1,
                maxLength: 3,
              }),
              sign: fc.constantFrom('+=' as const, '*=' as const, '-=' as const),
              rows: fc.array(
                fc.record({
                  item: fc.nat({ max: 5 }),
                  place: fc.constantFrom('Shelf 1', 'Shelf 2'),
                  tag: fc.constantFrom('a', 'b'),
                  by: fc.constantFrom(1.5, 2, 8),
                }),
                { minLength: 1, maxLength: 5 },
              ),
              also: fc.constantFrom<Edit>({}, {}, { status: 'sold' }, { note: 'Sold' }),
              twice: seldom,
              dryRun: seldom,
            })
            .map(({ columns, sign, rows, also, twice, dryRun }): Command => {
              const own = twice
                ? rows
                : rows.filter((row, at) => rows.findIndex((each) => each.item === row.item) === at);
              const changes = own.map(
                ({ item, place, tag, by }): Change => ({
                  item,
                  set: {
                    ...(columns.includes('place') ? { place } : {}),
                    ...(columns.includes('tag') ? { tag } : {}),
                    ...(columns.includes('value') ? { value: { sign, by } } : {}),
                  },
                }),
              );
              return { do: 'setFrom', rows: changes, also, dryRun };
            }),
        ),
        ms: fc.oneof(fc.nat({ max: 3_000 }), fc.constantFrom(NEXT_MS, 2 * NEXT_MS)),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    set: fc.option(
      terminalOf(
        fc.record({
          do: fc.constant('set' as const),
          items: fc.constant(upTo(4)),
          set: part,
          dryRun: fc.constant(false),
        }),
      ),
      { nil: undefined },
    ),
    last: fc.option(
      terminalOf(
        fc.oneof(
          fc.record({
            do: fc.constantFrom('resume' as const, 'undo' as const, 'apply' as const),
            job: fc.nat({ max: 2 }),
          }),
          fc.record({
            do: fc.constant('resolve' as const),
            job: fc.nat({ max: 2 }),
            as: fc.constantFrom('mine' as const, 'theirs' as const, 'truth' as const),
          }),
        ),
      ),
      { nil: undefined },
    ),
    people: fc.array(
      fc.oneof(
        fc.record({
          at: when,
          what: fc.constant('edit' as const),
          item: fc.nat({ max: 5 }),
          set: fc.constantFrom<Edit>({ note: 'Broken' }, { place: 'Attic' }, { tag: 'theirs' }),
        }),
        fc.record({
          at: when,
          what: fc.constant('swap' as const),
          items: fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 })),
        }),
      ),
      { maxLength: 4 },
    ),
    asks: fc.boolean(),
    isCalm: fc.boolean(),
  })
  .map(({ base, jobs, set, last, people, asks, isCalm }) => ({
    ...base,
    ...(isCalm ? calm : {}),
    people,
    terminals: [
      ...jobs.map(
        ({ terminal, ms }): Terminal => ({ ...terminal, at: { ms }, ...(isCalm ? { stops: [] } : {}) }),
      ),
      ...(set === undefined ? [] : [set]),
      ...(last === undefined ? [] : [{ ...last, at: { ms: 3 * NEXT_MS } }]),
    ].map((terminal) => (asks ? { ...terminal, asks } : terminal)),
  }));

/** A file with rows that are bad is sent, mended and sent again; then comes next month's, and some of it is taken back. */
export const months: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    count: fc.integer({ min: 2, max: 6 }),
    bad: fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 3 }),
    steps: fc.array(
      fc.record({
        command: fc.oneof(
          { weight: 4, arbitrary: fc.constant('mend' as const) },
          { weight: 3, arbitrary: fc.constantFrom('apply' as const, 'resume' as const) },
          { weight: 3, arbitrary: fc.constant('things' as const) },
          { weight: 1, arbitrary: fc.constantFrom('undo' as const, 'cancel' as const) },
        ),
        how: fc.constantFrom(
          'word' as const,
          'word' as const,
          'cell' as const,
          'omit' as const,
          'back' as const,
        ),
        job: fc.constantFrom(0, 0, 0, 1, 2),
        more: fc.constantFrom(0, 1, 2),
        /** The file is still as bad as it was. */
        asBad: fc.boolean(),
        onlyNew: fc.boolean(),
        stopAt: stopAtWrite,
      }),
      { minLength: 2, maxLength: 6 },
    ),
    stopAt: stopAtWrite,
    wholeOnly: fc.boolean(),
    isCalm: fc.boolean(),
  })
  .map(({ base, count, bad, steps, stopAt, wholeOnly, isCalm }) => {
    const [like] = base.terminals as [Terminal];
    const commandOf = ({ command, how, job, more, asBad, onlyNew }: (typeof steps)[number]): Command => {
      if (command === 'things')
        return { do: 'things', things: upTo(count + more), onlyNew, ...(asBad ? { bad } : {}) };
      return command === 'mend' ? { do: 'mend', job, how } : { do: command, job };
    };
    return {
      ...base,
      people: [],
      ...(isCalm ? calm : { room: undefined, jump: undefined }),
      terminals: inTurn({ ...like, asks: true }, [
        {
          command: { do: 'things', things: upTo(count), onlyNew: false, bad },
          ...killedAt(stopAt),
          ...(wholeOnly ? { wholeOnly } : {}),
        },
        ...steps.map((step) => ({ command: commandOf(step), ...killedAt(step.stopAt) })),
      ]),
    };
  });

const lastWord: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constantFrom('undo' as const, 'resume' as const, 'apply' as const),
    job: fc.nat({ max: 2 }),
  }),
  fc.record({
    do: fc.constant('resolve' as const),
    job: fc.nat({ max: 3 }),
    as: fc.constantFrom('mine' as const, 'theirs' as const),
  }),
);

/** Somebody exports, edits the file and imports it, again and again; meanwhile jobs and people change the items. */
export const exported: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    steps: fc.array(
      fc.record({
        like: terminalOf(set),
        command: fc.oneof(
          {
            weight: 3,
            arbitrary: fc.record({
              do: fc.constant('exported' as const),
              rows: fc.uniqueArray(
                fc.record({
                  item: fc.nat({ max: 4 }),
                  set: fc.oneof(edit, fc.constantFrom<Edit>({}, { tag: 'a' }, { note: 'Sold' })),
                }),
                { minLength: 1, maxLength: 5, selector: ({ item }) => item },
              ),
              added: fc.constantFrom(0, 0, 1, 2),
              mode: fc.constantFrom(undefined, undefined, 'update' as const, 'upsert' as const),
              dryRun: seldom,
            }),
          },
          {
            weight: 1,
            arbitrary: fc.record({
              do: fc.constant('set' as const),
              items: fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }),
              set: fc.oneof(edit, part),
              dryRun: fc.constant(false),
            }),
          },
          { weight: 1, arbitrary: lastWord },
        ),
        ms: fc.oneof(
          { weight: 3, arbitrary: fc.constant(NEXT_MS) },
          { weight: 1, arbitrary: fc.nat({ max: 9_000 }) },
        ),
      }),
      { minLength: 2, maxLength: 5 },
    ),
    people: fc.array(
      fc
        .oneof(
          {
            weight: 4,
            arbitrary: fc.record({
              what: fc.constant('edit' as const),
              item: fc.nat({ max: 4 }),
              set: edited,
            }),
          },
          { weight: 2, arbitrary: fc.record({ what: fc.constant('export' as const) }) },
          {
            weight: 1,
            arbitrary: fc.record({ what: fc.constant('remove' as const), item: fc.nat({ max: 60 }) }),
          },
        )
        .chain((person) =>
          fc
            .oneof(
              when,
              fc.nat({ max: 3 }).map((steps): When => ({ ms: steps * NEXT_MS + 600_000 })),
            )
            .map((at): Person => ({ ...person, at })),
        ),
      { maxLength: 5 },
    ),
    isCalm: fc.boolean(),
  })
  .map(({ base, steps, people, isCalm }) => {
    let at = 0;
    return {
      ...base,
      ...(isCalm ? calm : { room: undefined, jump: undefined }),
      // What has changed is told by \`updated_at\`.
      server: { ...base.server, resolutionMs: 1, jump: undefined },
      equals: [],
      people: [{ what: 'export', at: { ms: 0 } }, ...people],
      terminals: steps.map(({ like, command, ms }): Terminal => {
        const begins = at;
        at += ms;
        return { ...like, command, at: { ms: begins }, allRows: false, ...(isCalm ? { stops: [] } : {}) };
      }),
    };
  });

/** The results or rejects of a job are edited and imported; and the results of that as well. */
export const returned: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    first: fc.oneof(
      terminalOf(fc.oneof(create, upsert, update)),
      terminalOf(
        fc
          .record({
            count: fc.integer({ min: 2, max: 6 }),
            bad: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 3 }),
          })
          .map(({ count, bad }): Command => ({ do: 'things', things: upTo(count), onlyNew: false, bad })),
      ),
    ),
    bad: fc.boolean(),
    stopAt: stopAtWrite,
    steps: fc.array(
      fc.record({
        command: fc.oneof(
          {
            weight: 4,
            arbitrary: fc.record({
              do: fc.constant('returned' as const),
              which: fc.constantFrom('results' as const, 'results' as const, 'rejects' as const),
              job: fc.constantFrom(0, 0, 0, 1, 2),
              edits: fc.uniqueArray(
                fc.record({
                  item: fc.nat({ max: 6 }),
                  set: fc.constantFrom<Edit>(
                    {},
                    { brand: 'Edited' },
                    { status: 'sold' },
                    { brand: 'Edited', place: 'Shelf 3' },
                  ),
                }),
                { maxLength: 4, selector: ({ item }) => item },
              ),
              rewrites: seldom,
              dryRun: seldom,
            }),
          },
          { weight: 2, arbitrary: lastWord },
          {
            weight: 1,
            arbitrary: fc.record({
              do: fc.constant('mend' as const),
              job: fc.nat({ max: 1 }),
              how: fc.constantFrom('word' as const, 'cell' as const),
            }),
          },
        ),
        stopAt: stopAtWrite,
      }),
      { minLength: 1, maxLength: 5 },
    ),
    people: fc.array(
      fc.record({ at: when, what: fc.constant('edit' as const), item: fc.nat({ max: 4 }), set: edited }),
      { maxLength: 2 },
    ),
    isCalm: fc.boolean(),
  })
  .map(({ base, first, bad, stopAt, steps, people, isCalm }) => {
    const [[row, ...rows], other] = base.files;
    return {
      ...base,
      ...(isCalm ? calm : { room: undefined, jump: undefined }),
      people,
      files: [row === undefined || !bad ? base.files[0] : [{ ...row, bad, set: BAD }, ...rows], other],
      terminals: inTurn({ ...first, asks: true }, [
        { command: first.command, ...killedAt(stopAt) },
        ...steps.map((step) => ({ command: step.command, ...killedAt(step.stopAt) })),
      ]),
    };
  });

/** A backup takes the place of the store that has gone on since; a person goes on with the job. */
export const restored: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    first: terminalOf(fc.oneof(create, upsert, update)),
    backup: fc.integer({ min: 1, max: 8 }),
    at: fc.oneof(fc.integer({ min: 500, max: 20_000 }), fc.constant(NEXT_MS)),
    further: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant<Command>({ do: 'resume', job: 0 }) },
        { weight: 1, arbitrary: fc.constant<Command>({ do: 'resolve', job: 0, as: 'truth' }) },
        { weight: 1, arbitrary: fc.constant(upsertOf(1)) },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    isCalm: fc.boolean(),
  })
  .map(({ base, first, backup, at, further, isCalm }) => {
    const { command } = first;
    return {
      ...base,
      // Who has the same thing made as well is not told from a job that went on elsewhere.
      people: [],
      equals: [],
      room: undefined,
      server: { ...base.server, jump: undefined },
      jump: undefined,
      ...(isCalm ? calm : {}),
      restored: { backup: { write: backup }, at },
      terminals: [
        {
          ...first,
          command: 'dryRun' in command ? { ...command, dryRun: false } : command,
          at: { ms: 0 },
          host: 'one',
          stops: [],
          afterKill: 'leave',
        },
        ...further.map(
          (command, index): Terminal => ({
            ...first,
            command,
            at: { ms: at + (index + 1) * NEXT_MS },
            host: 'one',
            stops: [],
            onDrift: 'hold',
          }),
        ),
      ],
    };
  });

/** Two people of a team work with a store each. */
export const twoStores: fc.Arbitrary<Scenario> = fc
  .record({
    base: anything,
    own: fc.array(terminalOf(begun), { minLength: 1, maxLength: 2 }),
    theirs: fc.array(terminalOf(fc.oneof(upsert, update, begun)), { minLength: 1, maxLength: 2 }),
    last: fc.option(
      fc.record({ do: fc.constantFrom('undo' as const, 'resume' as const), job: fc.constant(0) }),
      {
        nil: undefined,
      },
    ),
    isSecond: fc.boolean(),
  })
  .map(({ base, own, theirs, last, isSecond }) => {
    const second = theirs.map(
      (terminal): Terminal => ({ ...terminal, store: 'second', command: apart(terminal.command) }),
    );
    const [like] = isSecond ? second : own;
    return {
      ...base,
      terminals: [
        ...own,
        ...second,
        ...(last === undefined || like === undefined
          ? []
          : [{ ...like, command: last, at: { ms: NEXT_MS }, stops: [] }]),
      ],
    };
  });

/** Nobody else makes an item that is equal in every field. */
function apart(command: Command): Command {
  if (command.do !== 'create') return command;
  return { ...command, rows: command.rows.map((row) => ({ ...row, name: `${row.name} of the second` })) };
}

/** Lists leave out fields of their items, of which jobs and people then change a part; some items have next to no fields. */
export const short: fc.Arbitrary<Scenario> = fc
  .record({
    base: fc.oneof(twice, edits, beside, later, undone, fromFile, exported, absent, anything),
    short: fc.constantFrom<Short>('all', 'all', 'containers', 'empty'),
    before: fc.constantFrom(5, 8, 30),
    plain: fc.nat({ max: 3 }),
    isCalm: fc.boolean(),
  })
  .map(({ base, short, before, plain, isCalm }) => ({
    ...base,
    before,
    ...(isCalm ? calm : {}),
    people: [
      ...base.people,
      ...upTo(plain).map(
        (number): Person => ({
          at: { ms: number * NEXT_MS },
          what: 'create',
          content: { name: `Plain ${number}` },
          key: undefined,
        }),
      ),
    ],
    server: { ...base.server, short },
  }));
