import { describe, expect, it } from 'vitest';
import { Pacer, type Start } from '../../src/api/pacer.ts';
import type { RateLimitReading } from '../../src/api/rate-limit-headers.ts';

interface Options {
  reading?: RateLimitReading;
  limited?: boolean;
  lost?: boolean;
}

function answer(pacer: Pacer, start: Start, now: number, options: Options = {}): void {
  pacer.answered({ start, limited: false, reading: {}, now, ...options });
}

/** A request that is answered 5 ms later. */
function send(pacer: Pacer, now: number, options: Options = {}): void {
  answer(pacer, pacer.started(now), now + 5, options);
}

const TEN = { limit: 10, remaining: 9, resetMs: 1000 };

/** A pacer that knows its budget: 10 requests a second, of which one was sent at 0. */
function advertised(options: { maxRate?: number } = {}): Pacer {
  const pacer = new Pacer(options);
  send(pacer, 0, { reading: TEN });
  return pacer;
}

describe('the pause after a 429', () => {
  it('is as long as the server asks', () => {
    const pacer = new Pacer();
    expect(pacer.pausedUntil).toBe(0);
    send(pacer, 5, { limited: true, reading: { retryAfterMs: 86_400_000, resetMs: 7 } });
    expect(pacer.pausedUntil).toBe(86_400_010);
    expect(pacer.available(86_400_009)).toBe(0);
    expect(pacer.nextAt(11)).toBe(86_400_010);
    expect(pacer.available(86_400_010)).toBe(1);
  });

  it('lasts until the reset if nothing else is known', () => {
    const pacer = new Pacer();
    send(pacer, 5, { limited: true, reading: { resetMs: 700 } });
    expect(pacer.pausedUntil).toBe(710);
  });

  it('does not become shorter by another 429', () => {
    const pacer = new Pacer();
    const [first, second] = [pacer.started(0), pacer.started(0)];
    answer(pacer, first, 10, { limited: true, reading: { retryAfterMs: 1000 } });
    answer(pacer, second, 20, { limited: true, reading: { retryAfterMs: 100 } });
    expect(pacer.pausedUntil).toBe(1010);
  });

  it('is a round trip at least at a known rate of a silent server', () => {
    const pacer = new Pacer();
    pacer.beginAt(10);
    answer(pacer, pacer.started(0), 400);
    answer(pacer, pacer.started(400), 800, { limited: true });
    expect(pacer.pausedUntil).toBe(1200);
  });

  it('doubles from 25 ms on until a request is admitted, up to a minute', () => {
    const pacer = advertised();
    const waits: number[] = [];
    const limit = () => {
      const now = pacer.pausedUntil + 1000;
      send(pacer, now, { limited: true });
      waits.push(pacer.pausedUntil - now - 5);
    };
    for (let time = 0; time < 14; time += 1) limit();
    expect(waits).toEqual([
      25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000,
    ]);
    send(pacer, 1_000_000, { reading: TEN });
    limit();
    expect(waits.at(-1)).toBe(25);
  });

  it('is at least so long, even if the server asks for less', () => {
    const pacer = advertised();
    send(pacer, 10, { limited: true, reading: { retryAfterMs: 0 } });
    expect(pacer.pausedUntil).toBe(40);
    send(pacer, 50, { limited: true, reading: { retryAfterMs: 300 } });
    expect(pacer.pausedUntil).toBe(355);
  });

  it('doubles once for all 429s of one burst', () => {
    const pacer = advertised();
    const burst = [10, 11, 12].map((now) => pacer.started(now));
    for (const start of burst) answer(pacer, start, 20, { limited: true });
    // The least wait is 50 ms now, for the burst and for the next request.
    expect(pacer.pausedUntil).toBe(70);
    send(pacer, 100, { limited: true });
    expect(pacer.pausedUntil).toBe(155);
    send(pacer, 200, { limited: true });
    expect(pacer.pausedUntil).toBe(305);
  });

  it('doubles again for a request that was sent after the first 429 of a burst', () => {
    const pacer = advertised();
    const [first, second] = [pacer.started(10), pacer.started(10)];
    answer(pacer, first, 20, { limited: true });
    const later = pacer.started(50);
    answer(pacer, second, 60, { limited: true });
    expect(pacer.pausedUntil).toBe(110);
    answer(pacer, later, 70, { limited: true });
    expect(pacer.pausedUntil).toBe(120);
    send(pacer, 200, { limited: true });
    expect(pacer.pausedUntil).toBe(305);
  });
});

describe('a rate that a person sets', () => {
  it('is never exceeded', () => {
    const pacer = new Pacer({ maxRate: 10 });
    let sent = 0;
    for (let now = 0; now < 10_000; now += 1) {
      while (pacer.available(now) >= 1) {
        send(pacer, now);
        sent += 1;
      }
    }
    expect(sent).toBe(100);
  });

  it('says when the next request may start', () => {
    const pacer = new Pacer({ maxRate: 10 });
    const start = pacer.started(0);
    expect(pacer.nextAt(0)).toBe(100);
    pacer.unused(start);
    expect(pacer.available(0)).toBe(1);
  });

  it('applies together with the budget of the server: the later time counts', () => {
    const pacer = advertised({ maxRate: 10 });
    expect(pacer.available(50)).toBe(0);
    expect(pacer.nextAt(50)).toBe(100);
    send(pacer, 100, { reading: { ...TEN, remaining: 0, resetMs: 895 } });
    expect(pacer.available(300)).toBe(0);
    expect(pacer.nextAt(300)).toBeGreaterThan(990);
    const slow = advertised({ maxRate: 0.1 });
    send(slow, 5, { reading: { ...TEN, remaining: 0, resetMs: 895 } });
    expect(slow.nextAt(300)).toBe(20_000);
  });

  it('is the known rate if the server allows more', () => {
    expect(advertised().knownRate).toBe(10);
    expect(advertised({ maxRate: 4 }).knownRate).toBe(4);
    expect(new Pacer({ maxRate: 4 }).knownRate).toBe(4);
  });
});

describe('the known rate', () => {
  it('is unknown at first', () => {
    const pacer = new Pacer();
    expect(pacer.knownRate).toBeUndefined();
    expect(pacer.foundRate).toBeUndefined();
  });

  it('is remembered from an earlier run, and confirmed only by a 429', () => {
    const pacer = new Pacer();
    pacer.beginAt(7);
    pacer.beginAt(9000);
    expect(pacer.knownRate).toBe(7);
    expect(pacer.foundRate).toBeUndefined();
    send(pacer, 0, { limited: true, reading: { retryAfterMs: 10 } });
    expect(pacer.foundRate).toBe(7);
  });

  it('is not learned from a 429 to the first request, because others may have used the key', () => {
    const pacer = new Pacer();
    send(pacer, 0, { limited: true, reading: { retryAfterMs: 1000 } });
    send(pacer, 1005);
    expect(pacer.knownRate).toBeUndefined();
    expect(pacer.available(1010)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is not found from 429s if answers carry the budget', () => {
    const pacer = new Pacer();
    pacer.beginAt(7);
    send(pacer, 0, { limited: true, reading: { retryAfterMs: 10 } });
    send(pacer, 100, { reading: TEN });
    expect(pacer.knownRate).toBe(10);
    expect(pacer.foundRate).toBeUndefined();
  });
});

describe('requests in flight', () => {
  it('are 4 at first, or the maximum if that is lower', () => {
    expect(new Pacer().concurrency).toBe(4);
    expect(new Pacer({ maxConcurrency: 2 }).concurrency).toBe(2);
  });

  it('become more only if all that were allowed were in flight, and the budget allows more', () => {
    const rounds = (pacer: Pacer, inFlight: number) => {
      for (let round = 0; round < 8; round += 1) {
        const starts = Array.from({ length: inFlight }, () => pacer.started(round * 10));
        for (const start of starts) {
          answer(pacer, start, round * 10 + 5);
          // Another one takes its place, so that each answer finds the others in flight.
          pacer.started(round * 10 + 5);
        }
        for (const start of starts) pacer.unused(start);
      }
      return pacer.concurrency;
    };
    expect(rounds(new Pacer(), 4)).toBeGreaterThan(4);
    expect(rounds(new Pacer(), 3)).toBe(4);
    expect(rounds(new Pacer({ maxRate: 1 }), 4)).toBe(4);
  });

  it('increase if the budget allows just one more', () => {
    const pacer = new Pacer({ maxRate: 20 });
    const starts = [1, 2, 3, 4].map(() => pacer.started(0));
    for (let time = 0; time < 4; time += 1) {
      expect(pacer.concurrency).toBe(4);
      answer(pacer, starts[time] as Start, 200 + time * 50);
      starts.push(pacer.started(200 + time * 50));
    }
    expect(pacer.concurrency).toBe(5);
  });

  it('are numbered, and know how many were in flight before them', () => {
    const pacer = new Pacer();
    const first = pacer.started(7);
    const second = pacer.started(8);
    expect(first).toMatchObject({
      sequence: 1,
      at: 7,
      gains: 0,
      beside: 0,
      spentAt: Number.NEGATIVE_INFINITY,
    });
    expect(first.group).toBeUndefined();
    expect(second).toMatchObject({ sequence: 2, at: 8, beside: 1 });
    answer(pacer, first, 10);
    pacer.unused(second);
    expect(pacer.started(11)).toMatchObject({ sequence: 3, beside: 0 });
  });

  it('are fewer by one whose answer was lost', () => {
    const pacer = new Pacer();
    answer(pacer, pacer.started(0), 5, { lost: true, limited: true });
    expect(pacer.pausedUntil).toBe(0);
    expect(pacer.started(6).beside).toBe(0);
  });

  it('are looked at again soon if neither an answer nor a time will change anything', () => {
    const pacer = new Pacer();
    expect(pacer.nextAt(10)).toBe(60);
    pacer.started(10);
    expect(pacer.nextAt(10)).toBeUndefined();
  });
});

describe('a silent server', () => {
  it('has seen a request as much later as its answer took longer than the fastest', () => {
    const pacer = new Pacer();
    pacer.beginAt(1.9);
    for (let second = 0; second < 40; second += 2)
      answer(pacer, pacer.started(second * 1000), second * 1000 + 80);
    const slow = pacer.started(100_000);
    const fast = pacer.started(100_050);
    answer(pacer, slow, 100_100);
    answer(pacer, fast, 100_100);
    // The fastest is now 50 ms, so the server may have seen the slow one at 100,050.
    expect(pacer.nextAt(100_200)).toBe(101_055);
  });

  it('admits another request for one that was never sent', () => {
    const pacer = new Pacer();
    pacer.beginAt(1);
    pacer.unused(pacer.started(10_000));
    expect(pacer.available(10_000)).toBe(1);
  });
});

describe('the budget that a server advertises', () => {
  it('allows as many requests as are left', () => {
    const pacer = new Pacer();
    send(pacer, 0, { reading: { limit: 2, remaining: 1, resetMs: 60_000 } });
    expect(pacer.available(6)).toBe(1);
    const start = pacer.started(6);
    expect(start.spentAt).toBe(0);
    expect(pacer.available(7)).toBe(0);
    pacer.unused(start);
    expect(pacer.available(8)).toBe(1);
  });

  it('counts the requests in flight as spent when it is read for the first time', () => {
    const pacer = new Pacer();
    const starts = [0, 1, 2].map((now) => pacer.started(now));
    answer(pacer, starts[0] as Start, 5, { reading: TEN });
    expect(pacer.available(5)).toBe(7);
  });

  it('is back a window after the server may have seen the requests', () => {
    const pacer = new Pacer();
    send(pacer, 0, { reading: { limit: 2, remaining: 1, windowMs: 1000 } });
    send(pacer, 100, { reading: { limit: 2, remaining: 0, windowMs: 1000 } });
    expect(pacer.nextAt(200)).toBe(1008);
    expect(pacer.available(1008)).toBe(1);
    send(pacer, 1008, { reading: { limit: 2, remaining: 0, windowMs: 1000 } });
    expect(pacer.nextAt(1020)).toBe(1108);
  });

  it('is known better with each answer', () => {
    const pacer = new Pacer();
    send(pacer, 0, { reading: { ...TEN, resetMs: 4000 } });
    send(pacer, 10, { reading: { ...TEN, remaining: 8, resetMs: 3000 } });
    expect(pacer.knownRate).toBe(2.5);
  });

  it('counts a lost request as spent', () => {
    const pacer = advertised();
    const start = pacer.started(10);
    answer(pacer, start, 20, { lost: true });
    expect(pacer.available(30)).toBe(8);
  });

  it('gains trust by an answer that was lost', () => {
    const pacer = new Pacer();
    send(pacer, 0, { reading: { limit: 3, remaining: 0, resetMs: 1000 } });
    expect(pacer.available(1100)).toBe(1);
    const start = pacer.started(1100);
    expect(start.gains).toBeGreaterThan(0);
    answer(pacer, start, 1110, { lost: true });
    expect(pacer.available(1110)).toBe(2);
  });

  it('counts until 50 answers in a row lack it', () => {
    const pacer = advertised();
    pacer.beginAt(500);
    for (let time = 0; time < 49; time += 1) send(pacer, 10_000 + time * 1000);
    expect(pacer.knownRate).toBe(10);
    send(pacer, 100_000, { reading: TEN });
    for (let time = 0; time < 49; time += 1) send(pacer, 110_000 + time * 1000);
    expect(pacer.knownRate).toBe(10);
    send(pacer, 200_000);
    expect(pacer.knownRate).toBe(500);
    send(pacer, 201_000, { reading: { ...TEN, limit: 20 } });
    expect(pacer.knownRate).toBe(20);
  });

  it('gains trust by an answer that lacks it', () => {
    const pacer = new Pacer();
    send(pacer, 0, { reading: { limit: 3, remaining: 0, resetMs: 1000 } });
    expect(pacer.available(1100)).toBe(1);
    send(pacer, 1100);
    expect(pacer.available(1110)).toBe(2);
  });

  it('says nothing about the rate of a silent server', () => {
    const pacer = advertised();
    pacer.beginAt(4);
    for (let time = 0; time < 40; time += 1) send(pacer, 10, { reading: TEN });
    for (let time = 0; time < 50; time += 1) send(pacer, 20);
    // Only the last answer was one of a silent server.
    expect(pacer.knownRate).toBeCloseTo(4 * (1 + 0.02 / 200), 8);
  });

  it('is used up by a 429', () => {
    const pacer = advertised();
    expect(pacer.available(10)).toBe(9);
    send(pacer, 10, { limited: true, reading: { retryAfterMs: 100 } });
    expect(pacer.available(115)).toBe(0);
    expect(pacer.nextAt(115)).toBe(118);
  });
});
