import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { AbortedError } from '../../src/api/errors.ts';
import { Lane } from '../../src/api/lane.ts';
import { Pacer } from '../../src/api/pacer.ts';

const FINE = { limited: false, reading: {}, lost: false };

function openLane(options: { maxConcurrency?: number } = {}, onPause?: (until: number) => void) {
  const lane = new Lane(new Pacer(options), systemClock, onPause === undefined ? {} : { onPause });
  return Object.assign(lane, { [Symbol.asyncDispose]: () => lane.close() });
}

describe('a lane', () => {
  it('serves settling before reads, and reads before writes', async () => {
    await using lane = openLane({ maxConcurrency: 1 });
    const held = await lane.acquire('write');
    const order: string[] = [];
    const waiting = (['write', 'read', 'settle', 'write'] as const).map(async (priority) => {
      const permit = await lane.acquire(priority);
      order.push(priority);
      permit.answered(FINE);
    });
    held.answered(FINE);
    await Promise.all(waiting);
    expect(order).toEqual(['settle', 'read', 'write', 'write']);
  });

  it('lets a waiting request be stopped, which was then never sent', async () => {
    await using lane = openLane({ maxConcurrency: 1 });
    const held = await lane.acquire('write');
    const stop = new AbortController();
    const waiting = lane.acquire('write', stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted', applied: 'no' });
    await expect(lane.acquire('write', stop.signal)).rejects.toBeInstanceOf(AbortedError);
    held.answered(FINE);
    (await lane.acquire('write')).answered(FINE);
  });

  it('gives an unused permit to the next, and counts each permit once', async () => {
    await using lane = openLane({ maxConcurrency: 1 });
    const first = await lane.acquire('write');
    first.unused();
    first.answered(FINE);
    first.unused();
    const second = await lane.acquire('write');
    let third = false;
    const waiting = lane.acquire('write').then((permit) => {
      third = true;
      return permit;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(third).toBe(false);
    second.answered(FINE);
    (await waiting).answered(FINE);
  });

  it('holds everything back from a 429 on, permits fetched ahead among them, and goes on after it', async () => {
    const pauses: number[] = [];
    await using lane = openLane({}, (until) => pauses.push(until));
    const first = await lane.acquire('write');
    first.answered({ limited: true, reading: { retryAfterMs: 150 }, lost: false });
    const from = performance.now();
    (await lane.acquire('settle')).answered(FINE);
    expect(performance.now() - from).toBeGreaterThan(140);
    expect(pauses).toHaveLength(1);
    expect(Math.abs((pauses[0] ?? 0) - Date.now())).toBeLessThan(5000);
  });

  it('hands out thousands of permits that end at once', async () => {
    await using lane = openLane();
    let left = 5000;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (left > 0) {
          left -= 1;
          (await lane.acquire('write')).answered(FINE);
        }
      }),
    );
    expect(left).toBe(0);
  });
});
