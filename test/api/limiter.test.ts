import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { AbortedError } from '../../src/api/errors.ts';
import { Limiter, type Permit, type RequestPriority } from '../../src/api/limiter.ts';
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
function handClock(): Clock & { advance(ms: number): Promise<void>; due(): number[] } {
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
    due: () => [...timers].map(({ at }) => at),
    async advance(ms) {
      passed += ms;
      for (const timer of timers) {
        if (timer.at > passed) continue;
        timers.delete(timer);
        timer.callback();
      }
      // Bottleneck answers in later turns of the event loop, some after a timer of no time.
      for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

/** A limiter on a clock that stands still, and the order in which requests get their permits. */
function held(options: { maxConcurrency?: number } = {}) {
  const clock = handClock();
  const pauses: number[] = [];
  const limiter = openLimiter(options, (until) => pauses.push(until.getTime()), clock);
  const order: string[] = [];
  const permits = new Map<string, Permit>();
  return {
    clock,
    limiter,
    order,
    pauses,
    permits,
    ask(name: string, priority: RequestPriority = 'write', signal?: AbortSignal): void {
      limiter.acquire(priority, signal).then(
        (permit) => {
          order.push(name);
          permits.set(name, permit);
        },
        () => order.push(`${name} stopped`),
      );
    },
    async answer(name: string, retryAfterMs?: number): Promise<void> {
      const limited = retryAfterMs !== undefined;
      permits.get(name)?.answered({ limited, reading: limited ? { retryAfterMs } : {}, lost: false });
      await clock.advance(0);
    },
    [Symbol.asyncDispose]: () => limiter.close(),
  };
}

describe('a limiter on a clock that stands still', () => {
  it('serves the requests of one priority in their order', async () => {
    await using lane = held({ maxConcurrency: 1 });
    lane.ask('first');
    await lane.clock.advance(0);
    lane.ask('second');
    lane.ask('third');
    lane.ask('check', 'recheck');
    lane.ask('read', 'read');
    lane.ask('look-up', 'settle');
    await lane.clock.advance(0);
    expect(lane.order).toEqual(['first']);
    for (const name of ['first', 'look-up', 'read', 'second', 'third']) await lane.answer(name);
    expect(lane.order).toEqual(['first', 'look-up', 'read', 'second', 'third', 'check']);
  });

  it('issues as many permits as requests may be in flight', async () => {
    await using lane = held();
    for (let request = 0; request < 9; request += 1) lane.ask(`${request}`);
    await lane.clock.advance(0);
    expect(lane.limiter.concurrency).toBe(4);
    expect(lane.order).toHaveLength(4);
    await lane.answer('0');
    expect(lane.order).toHaveLength(5);
    lane.permits.get('1')?.unused();
    await lane.clock.advance(0);
    expect(lane.order).toHaveLength(6);
  });

  it('takes back each permit once', async () => {
    await using lane = held({ maxConcurrency: 1 });
    for (const name of ['first', 'second', 'third']) lane.ask(name);
    await lane.clock.advance(0);
    lane.permits.get('first')?.unused();
    lane.permits.get('first')?.unused();
    await lane.answer('first');
    expect(lane.order).toEqual(['first', 'second']);
    await lane.answer('second');
    await lane.answer('second', 1000);
    expect(lane.order).toEqual(['first', 'second', 'third']);
    expect(lane.pauses).toEqual([]);
  });

  it('keeps other requests when one is stopped', async () => {
    await using lane = held({ maxConcurrency: 1 });
    const stop = new AbortController();
    lane.ask('first', 'write', stop.signal);
    await lane.clock.advance(0);
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
    lane.ask('second', 'write', stop.signal);
    lane.ask('third');
    lane.ask('fourth');
    stop.abort();
    lane.ask('fifth', 'write', stop.signal);
    await lane.clock.advance(0);
    expect(lane.order).toEqual(['first', 'second stopped', 'fifth stopped']);
    for (const name of ['first', 'third', 'fourth']) await lane.answer(name);
    expect(lane.order.slice(3)).toEqual(['third', 'fourth']);
  });

  it('waits with one timer for the end of a pause, and announces it once', async () => {
    await using lane = held();
    for (const name of ['first', 'second']) lane.ask(name);
    await lane.clock.advance(0);
    await lane.answer('first', 150.5);
    await lane.answer('second', 150.5);
    for (const name of ['third', 'fourth']) lane.ask(name);
    await lane.clock.advance(50);
    expect(lane.clock.due()).toEqual([151]);
    expect(lane.limiter.pausedUntil).toBe(1_000_150.5);
    lane.ask('fifth');
    await lane.clock.advance(0);
    expect(lane.clock.due()).toEqual([151]);
    expect(lane.pauses).toEqual([1_000_150]);
    await lane.clock.advance(100);
    expect(lane.order).toEqual(['first', 'second']);
    await lane.clock.advance(1);
    // One request at a time after a pause.
    expect(lane.order).toEqual(['first', 'second', 'third']);
    await lane.answer('third', 1000);
    expect(lane.pauses).toEqual([1_000_150, 1_001_151]);
  });

  it('announces no pause for an answer that is not a 429', async () => {
    await using lane = held();
    lane.ask('first');
    await lane.clock.advance(0);
    lane.permits.get('first')?.answered({ limited: false, reading: { retryAfterMs: 500 }, lost: false });
    expect(lane.pauses).toEqual([]);
    expect(lane.limiter.pausedUntil).toBe(1_000_000);
  });

  it('gives permits that were fetched ahead back at a 429', async () => {
    await using lane = held();
    for (const name of ['first', 'second']) lane.ask(name);
    await lane.clock.advance(0);
    await lane.answer('first', 100);
    lane.ask('third');
    await lane.clock.advance(99);
    expect(lane.order).toEqual(['first', 'second']);
    await lane.clock.advance(1);
    expect(lane.order).toEqual(['first', 'second']);
    // The second one is still in flight, and after a pause there is one at a time.
    await lane.answer('second');
    expect(lane.order).toEqual(['first', 'second', 'third']);
  });

  it('waits a millisecond at least for the next request', async () => {
    await using lane = held();
    lane.limiter.beginAt(10_000);
    for (let request = 0; request < 3; request += 1) lane.ask(`${request}`);
    await lane.clock.advance(0);
    expect(lane.order).toEqual(['0']);
    expect(lane.clock.due()).toEqual([1]);
    await lane.clock.advance(1);
    expect(lane.order).toEqual(['0', '1', '2']);
  });

  it('does not count a permit that was not used', async () => {
    await using lane = held();
    lane.limiter.beginAt(1);
    for (const name of ['first', 'second']) lane.ask(name);
    await lane.clock.advance(0);
    expect(lane.order).toEqual(['first']);
    lane.permits.get('first')?.unused();
    await lane.clock.advance(0);
    expect(lane.order).toEqual(['first', 'second']);
  });

  it('shows the rate of its pacer', async () => {
    await using lane = held();
    lane.limiter.beginAt(7);
    expect(lane.limiter.knownRate).toBe(7);
    expect(lane.limiter.foundRate).toBeUndefined();
    lane.ask('first');
    await lane.clock.advance(0);
    await lane.answer('first', 10);
    expect(lane.limiter.foundRate).toBe(7);
  });

  it('sets no timer once it is closed', async () => {
    const lane = held();
    lane.limiter.beginAt(1);
    for (const name of ['first', 'second']) lane.ask(name);
    await lane.clock.advance(0);
    expect(lane.clock.due()).toEqual([1005]);
    await lane.limiter.close();
    expect(lane.clock.due()).toEqual([]);
  });
});

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
