import { expect, test } from 'vitest';
import { readPasses } from '../../src/listing/read-passes.ts';
import { type Flicker, FlickeringList } from './flickering-list.ts';

async function read(list: FlickeringList, perPage: number) {
  return readPasses({ load: list.load, sink: { add: async () => {} }, perPage });
}

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
