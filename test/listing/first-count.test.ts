import { describe, expect, it } from 'vitest';
import type { Listed } from '../../src/listing/completeness-counter.ts';
import { firstCount } from '../../src/listing/first-count.ts';
import { ListCounter, type ListPage } from '../../src/listing/list-counter.ts';

const T0 = Date.UTC(2026, 0, 1);
const PER_PAGE = 3;

/** @param created second; NaN: its times cannot be read */
function item(number: number, created: number, changed = created): Listed {
  const at = (second: number) => (Number.isNaN(second) ? '' : new Date(T0 + second * 1000).toISOString());
  return { id: `item-${number}`, created_at: at(created), updated_at: at(changed) };
}
const items = (count: number, second = (number: number): number => number, changed = second) =>
  Array.from({ length: count }, (_, index) =>
    item(count - index, second(count - index), changed(count - index)),
  );

/** @param list gives the items as they are at a request, newest first */
async function counted(list: (request: number) => readonly Listed[]) {
  const asked: number[] = [];
  let rests = 0;
  const load = async (page: number, perPage: number): Promise<ListPage<Listed>> => {
    asked.push(page);
    const all = list(asked.length);
    return { data: all.slice((page - 1) * perPage, page * perPage), hasMore: page * perPage < all.length };
  };
  const page = (number: number) => load(number, PER_PAGE);
  const result = await firstCount(await page(1), page, new ListCounter(load, PER_PAGE), async () => {
    rests += 1;
  });
  return { result, asked, rests };
}

describe('the first count', () => {
  it('of a list that stands still has the head before it, and the page after it', async () => {
    const { result, asked, rests } = await counted(() => items(6));
    expect(result).toMatchObject({
      kind: 'counted',
      anchored: true,
      since: T0 + 6000,
      head: { latest: T0 + 6000, bounded: true, ids: new Set(['item-6', 'item-5', 'item-4']) },
      pages: [{ hasMore: true }],
    });
    expect(result.kind === 'counted' && result.completeness.counts.before).toBe(6);
    expect([asked, rests]).toEqual([[1, 2, 1], 0]);
  });

  it('of a list that fits on one page by then is that page', async () => {
    const { result } = await counted((request) => items(request < 3 ? 6 : 2));
    expect(result).toEqual({ kind: 'whole', page: { data: items(2), hasMore: false } });
  });

  it('looks for something older than the newest, in at most ten pages', async () => {
    const some = await counted(() => items(9, (number) => (number > 4 ? 10 : number)));
    expect(some.asked.slice(0, 2)).toEqual([1, 2]);
    expect(some.result).toMatchObject({ anchored: true, head: { bounded: true, latest: T0 + 10_000 } });
    expect(some.result.kind === 'counted' && some.result.pages).toHaveLength(2);

    const block = await counted(() => items(40, () => 10));
    expect(block.asked.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(block.result).toMatchObject({ anchored: true, head: { bounded: false } });
    // Nothing older bounds the second look, so its first page is enough.
    expect(block.result.kind === 'counted' && block.result.pages).toHaveLength(1);

    const whole = await counted(() => items(7, () => 10));
    expect(whole.asked.slice(0, 4)).toEqual([1, 2, 3, 2]);
    expect(whole.result).toMatchObject({ anchored: true, head: { bounded: true } });
    expect(whole.result.kind === 'counted' && whole.result.pages).toHaveLength(3);
  });

  it('looks as far back at the second look as the head went', async () => {
    // Between the looks, six items are edited: their page shows no time of the head.
    const { result, rests } = await counted((request) =>
      request < 3 ? items(12) : items(12, undefined, (number) => (number > 6 ? 20 : number)),
    );
    expect(result).toMatchObject({ kind: 'counted', anchored: true, since: T0 + 12_000 });
    expect(result.kind === 'counted' && result.pages.map(({ data }) => data[0]?.id)).toEqual([
      'item-12',
      'item-9',
      'item-6',
    ]);
    expect(rests).toBe(0);
  });

  it('is repeated if an item has been added meanwhile', async () => {
    const { result, asked, rests } = await counted((request) => items(request < 3 ? 6 : 7));
    expect(result).toMatchObject({ kind: 'counted', anchored: true, since: T0 + 7000 });
    expect(result.kind === 'counted' && result.completeness.counts.before).toBe(7);
    expect([asked, rests]).toEqual([[1, 2, 1, 1, 2, 3, 1], 1]);
  });

  it.each([
    ['the same', (request: number) => items(request < 99 ? 6 : 7, () => Number.NaN), 0],
    ['others', (request: number) => items(request < 3 ? 6 : 7, () => Number.NaN), 1],
  ])('without times is taken once if the first page shows %s', async (_, list, rested) => {
    const { result, rests } = await counted(list);
    expect(result).toMatchObject({ kind: 'counted', anchored: true, since: undefined });
    expect(rests).toBe(rested);
  });

  it('has no definite time if something comes each time', async () => {
    const { result, rests } = await counted((request) => items(6 + request));
    expect(result).toMatchObject({ kind: 'counted', anchored: false });
    expect(rests).toBe(29);
  });

  it('is none if the end cannot be found', async () => {
    const page = async (number: number) => ({ data: number > 2 ? [] : items(3), hasMore: true });
    const result = await firstCount(await page(1), page, new ListCounter(page, PER_PAGE));
    expect(result).toEqual({ kind: 'uncounted' });
  });
});
