import { describe, expect, it } from 'vitest';
import { ListCounter, type ListPage } from '../../src/listing/list-counter.ts';

interface Seen {
  page: number;
  perPage: number;
}

/** A list of so many entries; `length` is asked before each page. */
function counting(length: () => number, near?: number, saysMore?: (all: boolean, full: boolean) => boolean) {
  const seen: Seen[] = [];
  const counter = new ListCounter<number>(async (page, perPage): Promise<ListPage<number>> => {
    seen.push({ page, perPage });
    const count = length();
    const data = Array.from(
      { length: Math.max(0, Math.min(perPage, count - (page - 1) * perPage)) },
      (_, at) => at,
    );
    const more = page * perPage < count;
    return { data, hasMore: saysMore?.(more, data.length === perPage) ?? more };
  });
  if (near !== undefined) counter.lookNear(near);
  let visited = 0;
  const count = () =>
    counter.count(async () => {
      visited += 1;
    });
  return { counter, count, seen, visited: () => visited };
}

describe('a list that stands still is counted', () => {
  it.each([
    [0, 1, [1]],
    [7, 1, [1]],
    [101, 2, [2]],
    [200, 2, [2]],
    [250, 2, [2, 3]],
    [301, 2, [2, 3, 7, 5, 4]],
    // The stride grows fourfold, and then the gap is halved.
    [2000, 2, [2, 3, 7, 23, 15, 19, 21, 20]],
    [2000, 20, [20]],
    [2000, 19, [19, 20]],
    [2000, 21, [21, 10, 15, 18, 19, 20]],
    [0, 9, [9, 4, 2, 1]],
  ])('%i entries from page %i, by the pages %j', async (length, near, pages) => {
    const { counter, count, seen, visited } = counting(() => length, near);
    expect(await count()).toBe(length);
    expect(seen.map(({ page }) => page)).toEqual(pages);
    expect(visited()).toBe(pages.length);
    expect(counter.lastPage).toBe(pages.at(-1));
    // The next count begins where this one ended.
    expect(await count()).toBe(length);
    expect(seen).toHaveLength(pages.length + 1);
  });

  it('from the second page, and from no page before the first', async () => {
    const first = counting(() => 150);
    expect([await first.count(), first.seen.length]).toEqual([150, 1]);
    expect(counting(() => 1, -5).counter.lastPage).toBe(1);
  });
});

describe('a list whose server', () => {
  it('reports more on each full page is counted with pages of 99 entries', async () => {
    const { counter, count, seen } = counting(
      () => 600,
      2,
      (_, full) => full,
    );
    expect(await count()).toBe(600);
    const other = seen.filter(({ perPage }) => perPage === 99);
    // Near the end that the first search found.
    expect(other[0]?.page).toBe(Math.ceil((6 * 100) / 99));
    expect(other.length).toBeLessThan(4);
    expect(counter.lastPage).toBe(6);
  });

  it('reports more on each full page, and has a multiple of both sizes, with pages of 97', async () => {
    const { count, seen } = counting(
      () => 9900,
      99,
      (_, full) => full,
    );
    expect(await count()).toBe(9900);
    expect(new Set(seen.map(({ perPage }) => perPage))).toEqual(new Set([100, 99, 97]));
  });

  it('always reports more is not counted, in few requests', async () => {
    const { count, seen } = counting(
      () => 250,
      2,
      () => true,
    );
    expect(await count()).toBeUndefined();
    expect(seen.length).toBeLessThan(40);
  });

  it('has no end is not counted', async () => {
    const { count, seen } = counting(() => Number.POSITIVE_INFINITY);
    expect(await count()).toBeUndefined();
    expect(seen).toHaveLength(3 * 64);
  });
});

it('a list that changes at a page border is counted once it stands still', async () => {
  // Page 3 has entries or has none, each time as it is asked again.
  const lengths = [301, 200, 200, 200, 205];
  const { count } = counting(() => lengths.shift() ?? 205, 3);
  expect(await count()).toBe(205);
});

it.each([[[300, 100, 100, 300, 300]], [[100, 300, 300, 100, 100]], [[1000, 100, 1000, 100, 1000, 1000]]])(
  'a list of the lengths %j, one for each page that is read, is counted',
  async (lengths) => {
    const left = [...lengths];
    const last = lengths.at(-1) ?? 0;
    const { count } = counting(() => left.shift() ?? last, 3);
    expect(await count()).toBe(last);
  },
);
