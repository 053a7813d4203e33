import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { FieldWatch } from '../../src/api/field-watch.ts';
import { everyItem, ListMovedError, untilProven } from '../../src/listing/every-item.ts';
import { RetriedReads } from '../../src/listing/retry-reads.ts';
import { systemClock } from '../../src/base/clock.ts';
import { message } from '../../src/messages/message.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';

const FOREVER = new AbortController().signal;

describe('every item of the list', () => {
  it('comes once, with the time of its request, and is counted', async () => {
    await using sandbox = await startSandbox({ seed: 1, seedItems: 250 });
    await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
    const began = systemClock.monotonic();
    const told: [number, number][] = [];
    const ids: string[] = [];
    const times: number[] = [];
    const read = await everyItem({
      client,
      signal: FOREVER,
      watch: new FieldWatch('sample', []),
      retried: new RetriedReads({ clock: systemClock, patience: { neverReachedMs: 0, outageMs: 0 } }),
      onRead: (done, total) => told.push([done, total]),
      onItems: (items, askedAt) => {
        ids.push(...items.map(({ id }) => id));
        times.push(askedAt.monotonic);
        expect(askedAt.monotonic).toBeLessThanOrEqual(systemClock.monotonic());
      },
    });
    expect(read.items).toBe(250);
    expect([ids.length, new Set(ids).size]).toEqual([250, 250]);
    expect(told.map(([done]) => done)).toEqual([100, 200, 250]);
    expect(told.map(([, total]) => total)).toEqual([250, 250, 250]);
    expect(times.every((time) => time >= began)).toBe(true);
    // Three pages, the count before them, and a look at the head and a count after them.
    expect(read.requests).toBeGreaterThan(4);
    expect(read.requests).toBeLessThan(10);
  });

  it('is an error if an item goes meanwhile, and the other requests end', async () => {
    await using sandbox = await startSandbox({ seed: 1, seedItems: 250 });
    await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
    let reads = 0;
    const moved = untilProven(async () => {
      reads += 1;
      return everyItem({
        client,
        signal: FOREVER,
        watch: new FieldWatch('sample', []),
        onItems: (items) => void sandbox.control.removeItem(items.at(-1)?.id ?? ''),
      });
    });
    await expect(moved).rejects.toBeInstanceOf(ListMovedError);
    expect(reads).toBe(3);
  });
});

describe('reading a list until it is proven complete', () => {
  const moved = () => new ListMovedError(message('list_left_out_fields', {}));
  const failing = (times: number, error: Error) => {
    let reads = 0;
    return async () => {
      reads += 1;
      if (reads <= times) throw error;
      return reads;
    };
  };

  it('returns the first complete reading of three', async () => {
    expect(await untilProven(failing(0, moved()))).toBe(1);
    expect(await untilProven(failing(2, moved()))).toBe(3);
    await expect(untilProven(failing(3, moved()))).rejects.toBeInstanceOf(ListMovedError);
  });

  it('stops at any other error', async () => {
    const read = failing(1, new Error('else'));
    await expect(untilProven(read)).rejects.toThrow('else');
    expect(await read()).toBe(2);
  });
});
