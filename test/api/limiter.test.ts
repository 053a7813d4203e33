import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { AbortedError } from '../../src/api/errors.ts';
import { Limiter } from '../../src/api/limiter.ts';
import { Pacer } from '../../src/api/pacer.ts';

const FINE = { limited: false, reading: {}, lost: false };

function openLimiter(
  options: { maxConcurrency?: number } = {},
  onPause?: (until: Date) => void,
  clock: Clock = systemClock,
) {
  const limiter = new Limiter(new Pacer(options), clock, onPause === undefined ? {} : { onPause });
  return Object.assign(limiter, { [Symbol.asyncDispose]: () => limiter.close() });
}

/** A clock that goes only when it is told to; a million ms since the epoch, and 0 since the start. */
function handClock(): Clock & { advance(ms: number): Promise<void> } {
  let passed = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => 1_000_000 + passed,
    monotonic: () => passed,
    begun: { now: 1_000_000, monotonic: 0 },
    slept: () => 0,
    sleep: () => Promise.reject(new Error('nobody sleeps here')),
    after: (ms, callback) => {
      const timer = { at: passed + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      passed += ms;
      for (const timer of timers) {
        if (timer.at > passed) continue;
        timers.delete(timer);
        timer.callback();
      }
      // Bottleneck answers in later turns of the event loop.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('a limiter', () => {
  it('serves look-ups of lost answers before reads, and reads before writes', async () => {
    await using limiter = openLimiter({ maxConcurrency: 1 });
    const held = await limiter.acquire('write');
    const order: string[] = [];
    const waiting = (['write', 'read', 'settle', 'write'] as const).map(async (priority) => {
      const permit = await limiter.acquire(priority);
      order.push(priority);
      permit.answered(FINE);
    });
    held.answered(FINE);
    await Promise.all(waiting);
    expect(order).toEqual(['settle', 'read', 'write', 'write']);
  });

  it('fetches further permits before the last permit is used', async () => {
    await using limiter = openLimiter({ maxConcurrency: 2 });
    // Answered only once the next has its permit: somebody is always in flight, and nobody waits for an answer.
    let open = await limiter.acquire('write');
    let waits = 0;
    for (let request = 0; request < 200; request += 1) {
      let isGranted = false;
      const next = limiter.acquire('write').then((permit) => {
        isGranted = true;
        return permit;
      });
      await Promise.resolve();
      if (!isGranted) waits += 1;
      const before = open;
      open = await next;
      before.answered(FINE);
      // Bottleneck's timers and this one share an event loop.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    open.answered(FINE);
    expect(waits).toBe(0);
  });

  it('never sends a waiting request that is stopped', async () => {
    await using limiter = openLimiter({ maxConcurrency: 1 });
    const held = await limiter.acquire('write');
    const stop = new AbortController();
    const waiting = limiter.acquire('write', stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted', applied: 'no' });
    await expect(limiter.acquire('write', stop.signal)).rejects.toBeInstanceOf(AbortedError);
    held.answered(FINE);
    (await limiter.acquire('write')).answered(FINE);
  });

  it('passes an unused permit to the next request, and counts each permit once', async () => {
    await using limiter = openLimiter({ maxConcurrency: 1 });
    const first = await limiter.acquire('write');
    first.unused();
    first.answered(FINE);
    first.unused();
    const second = await limiter.acquire('write');
    let third = false;
    const waiting = limiter.acquire('write').then((permit) => {
      third = true;
      return permit;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(third).toBe(false);
    second.answered(FINE);
    (await waiting).answered(FINE);
  });

  it('holds back all requests after a 429, even with permits fetched ahead, and then continues', async () => {
    const pauses: number[] = [];
    const clock = handClock();
    await using limiter = openLimiter({}, (until) => pauses.push(until.getTime()), clock);
    const first = await limiter.acquire('write');
    first.answered({ limited: true, reading: { retryAfterMs: 150 }, lost: false });
    let granted = false;
    const waiting = limiter.acquire('settle').then((permit) => {
      granted = true;
      return permit;
    });
    for (const ms of [1, 148]) {
      await clock.advance(ms);
      expect(granted).toBe(false);
    }
    await clock.advance(1);
    (await waiting).answered(FINE);
    expect(pauses).toEqual([1_000_150]);
  });

  it('issues thousands of permits that are returned at once', async () => {
    await using limiter = openLimiter();
    let left = 5000;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (left > 0) {
          left -= 1;
          (await limiter.acquire('write')).answered(FINE);
        }
      }),
    );
    expect(left).toBe(0);
  });
});
