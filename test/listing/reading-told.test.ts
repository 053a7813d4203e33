/** What a reading of the items says of itself, and what it keeps for one that continues it. */
import { describe, expect, it } from 'vitest';
import { english } from '../../src/messages/message.ts';
import type { Checkpoint } from '../../src/listing/checkpoint.ts';
import type { Listed } from '../../src/listing/completeness-counter.ts';
import type { ListPage } from '../../src/listing/list-counter.ts';
import { readItems, type ReadItemsOptions } from '../../src/listing/read-items.ts';

const NEWEST = Date.UTC(2026, 0, 2);

/** Item 1 is the oldest. */
function item(number: number, ms = NEWEST - 1_000_000 + number * 1000): Listed {
  const at = new Date(ms).toISOString();
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    created_at: at,
    updated_at: at,
  };
}
const items = (count: number) => Array.from({ length: count }, (_, index) => item(count - index));

function opened(list: () => readonly Listed[], options: Partial<ReadItemsOptions<Listed>> = {}) {
  const told = { counts: [] as number[], passes: [] as number[], resets: 0, most: 0, requests: 0 };
  const ids: string[] = [];
  const checkpoints: Checkpoint[] = [];
  let active = 0;
  const read = async () => {
    const reading = await readItems<Listed>({
      load: async (page, perPage): Promise<ListPage<Listed>> => {
        told.requests += 1;
        active += 1;
        told.most = Math.max(told.most, active);
        const all = list();
        await new Promise((resolve) => setImmediate(resolve));
        active -= 1;
        return {
          data: all.slice((page - 1) * perPage, page * perPage),
          hasMore: page * perPage < all.length,
        };
      },
      sink: {
        add: async (fresh, _page, checkpoint) => {
          ids.push(...fresh.map(({ id }) => id));
          if (checkpoint !== undefined) checkpoints.push(checkpoint());
        },
        reset: async () => {
          told.resets += 1;
          ids.length = 0;
        },
      },
      concurrency: () => 3,
      onCount: (count) => told.counts.push(count),
      onPass: (pass) => told.passes.push(pass),
      ...options,
    });
    return { ...reading, explanation: english(reading.explanation) };
  };
  return { told, ids, checkpoints, read };
}

describe('a reading', () => {
  it('of one page says so', async () => {
    const { told, read } = opened(() => items(3));
    expect(await read()).toEqual({
      consistency: 'stable',
      passes: 1,
      distinct: 3,
      counts: { before: 3, after: 3 },
      createdMeanwhile: 0,
      removedAtLeast: 0,
      missingAtMost: 0,
      latest: NEWEST - 1_000_000 + 3000,
      explanation: 'The whole list came in one response.',
    });
    expect(told).toMatchObject({ counts: [3], passes: [1], requests: 1 });
    expect((await opened(() => []).read()).latest).toBeNull();
  });

  it('of several says what it counted, with a few pages at a time', async () => {
    const { told, ids, checkpoints, read } = opened(() => items(1050));
    expect(await read()).toMatchObject({
      consistency: 'stable',
      latest: NEWEST + 50_000,
      missingAtMost: 0,
      explanation:
        '1,050 distinct items were read, and the list then had 1,050 entries: the reading is complete.',
    });
    expect(told).toMatchObject({ counts: [1050], passes: [1], most: 3, resets: 0 });
    expect(ids).toEqual(items(1050).map(({ id }) => id));
    expect(checkpoints.map(({ nextPage }) => nextPage)).toEqual([2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    for (const each of checkpoints)
      expect(each).toMatchObject({
        head: { latest: NEWEST + 50_000, bounded: true },
        before: 1050,
        since: NEWEST + 50_000,
        anchored: true,
      });
    expect(checkpoints[0]?.head.ids).toHaveLength(100);
  });

  it('of a list without readable times keeps no latest time', async () => {
    const list = items(250).map((each) => ({ ...each, created_at: '', updated_at: '' }));
    const { checkpoints, read } = opened(() => list);
    expect(await read()).toMatchObject({ consistency: 'stable', latest: null });
    expect(checkpoints[0]).toMatchObject({ head: { latest: null, bounded: false }, since: null });
  });

  it('continues another one at its next page', async () => {
    const [checkpoint] = opened(() => []).checkpoints;
    expect(checkpoint).toBeUndefined();
    const first = opened(() => items(1000));
    await first.read();
    const from = first.checkpoints[5] as Checkpoint;
    const { told, ids, read } = opened(() => items(1000), {
      resume: {
        checkpoint: from,
        read: (async function* () {
          yield items(1000).slice(0, 500);
        })(),
      },
    });
    expect(await read()).toMatchObject({ consistency: 'stable', distinct: 1000, latest: NEWEST });
    expect(from.nextPage).toBe(6);
    expect(ids).toEqual(
      items(1000)
        .slice(500)
        .map(({ id }) => id),
    );
    expect(told).toMatchObject({ counts: [1000], passes: [1] });
    expect(told.requests).toBeLessThan(10);
  });

  it('of a list without an end that could be found reads all, and promises nothing', async () => {
    const { told, ids, read } = opened(() => [], {
      load: async (page, size) => ({ data: items(250).slice((page - 1) * size, page * size), hasMore: true }),
    });
    expect(await read()).toMatchObject({
      consistency: 'moved',
      passes: 1,
      distinct: 250,
      counts: { before: null, after: null },
      missingAtMost: null,
      latest: null,
      explanation:
        'The list could not be counted because its last page could not be found. The number of missing items is unknown.',
    });
    expect([ids.length, told.resets]).toEqual([250, 0]);
  });

  it('says what it misses if an item is removed, after as many attempts as it may have', async () => {
    let requests = 0;
    // Removed after the first count, from what was not read yet.
    const shrinking = () => {
      requests += 1;
      return items(1000).filter((_, index) => index !== 700 || requests < 9);
    };
    const once = opened(shrinking, { attempts: 1, near: 1000, concurrency: () => 1 });
    const reading = await once.read();
    expect(reading).toMatchObject({
      consistency: 'moved',
      removedAtLeast: 1,
      distinct: 999,
      missingAtMost: 1,
    });
    expect(reading.explanation).toBe(
      'At least 1 item was removed outside the API while the list was read: 1 of the 1,000 items there at the beginning was not read.',
    );
    requests = 0;
    const twice = opened(shrinking, { near: 1000, concurrency: () => 1 });
    expect(await twice.read()).toMatchObject({ consistency: 'stable', passes: 2, distinct: 999 });
    expect(twice.told).toMatchObject({ resets: 1, passes: [1, 2], counts: [1000, 999] });
  });

  it('promises nothing if something comes with each request', async () => {
    let requests = 0;
    const { read } = opened(
      () => {
        requests += 1;
        return Array.from({ length: 250 + requests }, (_, index) => item(250 + requests - index));
      },
      { attempts: 1 },
    );
    const reading = await read();
    expect(reading).toMatchObject({ consistency: 'moved', missingAtMost: null });
    expect(reading.explanation).toBe(
      'New items kept arriving during the first count: the number of missing items is unknown.',
    );
  });

  it('is repeated as often as it turns out to be outdated', async () => {
    const answers = [true, true, true, false];
    const { told, ids, read } = opened(() => items(3), { isOutdated: async () => answers.shift() ?? false });
    expect(await read()).toMatchObject({ consistency: 'stable', passes: 4 });
    expect([told.resets, ids.length, answers.length]).toEqual([3, 3, 0]);
  });

  it('ends with the error of a page, and asks for no page after it', async () => {
    let asked = 0;
    const { read } = opened(() => [], {
      near: 5000,
      load: async (page, size) => {
        asked = Math.max(asked, page === 50 ? 0 : page);
        await new Promise((resolve) => setImmediate(resolve));
        if (page === 7) throw new Error('no page 7');
        return { data: items(5000).slice((page - 1) * size, page * size), hasMore: page * size < 5000 };
      },
    });
    await expect(read()).rejects.toThrow('no page 7');
    expect(asked).toBeLessThan(15);
  });
});
