import { expect, test } from 'vitest';
import { readPasses } from '../../src/listing/read-passes.ts';
import { english } from '../../src/messages/message.ts';
import { type Flicker, FlickeringList } from './flickering-list.ts';

async function read(list: FlickeringList, perPage: number) {
  return readPasses({ load: list.load, sink: { add: async () => {} }, perPage });
}

test.each([
  ['stands still on one page', [['a', 'b']], 4, 'stable', 1, 'The whole list came in one response.'],
  [
    'stands still on two',
    [['a', 'b', 'c']],
    2,
    'stable',
    2,
    'The last two of 2 passes showed the same 3 entries.',
  ],
  [
    'loses an entry',
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c'],
    ],
    2,
    'moved',
    2,
    'The list changed while it was read: 4 entries were seen in 2 passes, 3 of them in the last one.',
  ],
  [
    'gains one each time',
    [
      ['a', 'b', 'c'],
      ['a', 'b', 'c', 'd'],
    ],
    2,
    'stable',
    3,
    'The last two of 3 passes showed the same 4 entries.',
  ],
  [
    'shows an entry twice',
    [['a', 'b', 'b']],
    2,
    'moved',
    5,
    'The list changed while it was read: 5 passes showed 2 entries.',
  ],
] as const)(
  'a list that %s is told so, and each entry is passed on once',
  async (_, shown, perPage, consistency, passes, explanation) => {
    let pass = 0;
    const numbers: number[] = [];
    const kept: string[][] = [];
    const { ids, reading } = await readPasses({
      load: async (page, size) => {
        if (page === 1) pass += 1;
        const all = shown[Math.min(pass, shown.length) - 1] ?? [];
        const data = all.slice((page - 1) * size, page * size).map((id) => ({
          id,
          created_at: '2026-01-01T00:00:00Z',
          updated_at: id === 'c' ? '2026-01-03T00:00:00Z' : '2026-01-02T00:00:00Z',
        }));
        return { data, hasMore: page * size < all.length };
      },
      sink: { add: async (items) => void kept.push(items.map(({ id }) => id)) },
      perPage,
      onPass: (number) => numbers.push(number),
    });
    expect({ ...reading, explanation: english(reading.explanation) }).toMatchObject({
      consistency,
      passes,
      explanation,
      // The latest time of the first page.
      latest: Date.UTC(2026, 0, 2),
      missingAtMost: consistency === 'stable' ? 0 : null,
    });
    expect(numbers).toEqual(Array.from({ length: passes }, (_each, index) => index + 1));
    expect(kept.flat().sort()).toEqual([...ids].sort());
    expect(kept.every((page) => page.length > 0)).toBe(true);
  },
);

test('a list of 101 entries that loses an entry after page 1 does not count as complete', async () => {
  const list = new FlickeringList('created_at', 101);
  list.play([{ kind: 'leave', at: 0.99 }]);
  const { ids, reading } = await read(list, 100);
  expect(reading.consistency).toBe('moved');
  expect(reading.explanation.code).toBe('entries_gone_in_last_pass');
  expect(list.stood.isSubsetOf(ids)).toBe(true);
});

test('an entry that leaves in each pass and returns before the next hides no other entry', async () => {
  const list = new FlickeringList('created_at', 8);
  // While page 2 is read, entry-6 of page 1 is away, and entry-3 has slid to page 1.
  const round: Flicker[] = [
    { kind: 'leave', at: 0.8 },
    { kind: 'return', at: 0 },
  ];
  list.play([...round, ...round, ...round, ...round, ...round]);
  const { ids, reading } = await read(list, 4);
  expect({ stable: reading.consistency === 'stable', all: list.stood.isSubsetOf(ids) }).not.toEqual({
    stable: true,
    all: false,
  });
});

test('a list that does not change is stable after one response, or two passes', async () => {
  for (const [count, passes] of [
    [0, 1],
    [4, 1],
    [5, 2],
    [8, 2],
  ] as const) {
    const { ids, reading } = await read(new FlickeringList('updated_at', count), 4);
    expect(reading).toMatchObject({ consistency: 'stable', passes, distinct: count });
    expect(ids.size).toBe(count);
  }
});

test('a list in which one entry was edited is stable after another pass', async () => {
  const list = new FlickeringList('created_at', 10);
  list.play([{ kind: 'wait' }, { kind: 'wait' }, { kind: 'edit', at: 0.5 }]);
  expect((await read(list, 4)).reading).toMatchObject({ consistency: 'stable', passes: 3 });
});
