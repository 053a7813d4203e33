import { describe, expect, it } from 'vitest';
import { type Counted, RateSearch } from '../../src/api/rate-search.ts';

const ANY = Number.POSITIVE_INFINITY;

/** A search, and the requests that it counts: each time is that of the sending. */
class Requests {
  readonly search = new RateSearch();
  #sequence = 0;

  constructor(rate?: number) {
    if (rate !== undefined) this.search.beginAt(rate);
  }

  send(now: number): Counted {
    this.#sequence += 1;
    return this.search.started(this.#sequence, now);
  }

  admit(request: Counted, now = request.at, fastestMs = 0): void {
    this.search.answered(request, now, fastestMs);
    this.search.admitted(request);
  }

  /** Sends requests that are admitted. */
  pass(...times: number[]): void {
    for (const at of times) this.admit(this.send(at));
  }

  /** @returns ms to wait */
  limit(request: Counted, advisedMs?: number, now = request.at, latencyMs = 0): number {
    return this.search.limited(request, this.#sequence, now, advisedMs, latencyMs);
  }

  available(now: number, inFlight = 0): number {
    return this.search.available(now, inFlight);
  }

  /** Sends all that may leave. */
  sendAll(now: number): number {
    const count = this.available(now);
    for (let left = count; left > 0; left -= 1) this.send(now);
    return count;
  }
}

const every = (ms: number, from: number, to: number) =>
  Array.from({ length: (to - from) / ms }, (_, index) => from + index * ms);

describe('before the first 429', () => {
  it('nothing holds requests back', () => {
    const { search } = new Requests();
    expect(search.available(0, 100)).toBe(ANY);
    expect(search.nextAt(0)).toBeUndefined();
    expect(search.rate).toBe(ANY);
    expect(search.met429).toBe(false);
  });

  it('a remembered rate counts, but not as measured', () => {
    const { search } = new Requests(7);
    search.beginAt(9000);
    expect(search.rate).toBe(7);
    expect(search.met429).toBe(false);
  });

  it('a remembered rate begins a climb of 200 requests', () => {
    const requests = new Requests();
    requests.pass(0, 0, 0);
    requests.search.beginAt(100);
    requests.pass(0);
    expect(requests.search.rate).toBeCloseTo(100 * (1 + 0.02 * (1 / 200 + 1 / 200 ** 4)), 9);
  });

  it('a remembered rate takes into account the requests that were sent before', () => {
    const requests = new Requests();
    requests.pass(50);
    requests.search.beginAt(10);
    expect(requests.available(60)).toBe(0);
    expect(requests.search.nextAt(60)).toBe(100);
  });
});

describe('a stream of requests at a rate', () => {
  it('is even', () => {
    const requests = new Requests(10);
    expect(requests.sendAll(0)).toBe(1);
    expect(requests.search.nextAt(0)).toBe(100);
    expect(requests.search.nextAt(40)).toBe(100);
    expect(requests.sendAll(99)).toBe(0);
    expect(requests.sendAll(100)).toBe(1);
    expect(requests.search.nextAt(100)).toBe(200);
  });

  it('has a request available at the time that it announces, despite rounding', () => {
    for (const rate of [0.3, 3, 7, 11, 13, 29]) {
      const requests = new Requests(rate);
      let now = 0;
      for (let request = 0; request < 50; request += 1) {
        requests.send(now);
        now = requests.search.nextAt(now) ?? now;
        expect(requests.available(now)).toBe(1);
        expect(requests.search.nextAt(now)).toBeUndefined();
      }
    }
  });

  it('makes up for a quarter of a second of delays, and for one request at least', () => {
    expect(new Requests(100).available(10_000)).toBe(25);
    expect(new Requests(2).available(10_000)).toBe(1);
    const requests = new Requests(100);
    requests.sendAll(10_000);
    expect(requests.available(10_100)).toBe(10);
  });

  it('loses nothing if a time is earlier than the last one', () => {
    const requests = new Requests(100);
    expect(requests.available(10_000)).toBe(25);
    expect(requests.available(9900)).toBe(25);
  });

  it('holds no more requests in a second than its rate and a hundredth', () => {
    const requests = new Requests(100);
    const sent = [10_000, 10_250, 10_500, 10_750, 10_990].map((now) => requests.sendAll(now));
    expect(sent).toEqual([25, 25, 25, 25, 1]);
    // The server may see requests up to 5 ms closer than they were sent.
    expect(requests.search.nextAt(10_990)).toBe(11_005);
    expect(requests.available(11_004.9)).toBe(0);
    expect(requests.sendAll(11_005)).toBe(24);
  });

  it('holds as many requests in a second as its rate, rounded up', () => {
    const requests = new Requests(10.5);
    const sent = every(50, 10_000, 11_000).map((now) => requests.sendAll(now));
    expect(sent.reduce((sum, each) => sum + each)).toBe(11);
  });

  it('counts a second from when the server may have seen a request', () => {
    const requests = new Requests(1);
    const request = requests.send(10_000);
    requests.search.answered(request, 10_080, 30);
    requests.search.answered(request, 10_070, 30);
    // The answer took 50 ms longer than the fastest.
    expect(requests.search.nextAt(10_990)).toBe(11_055);
    expect(requests.available(11_054)).toBe(0);
    expect(requests.available(11_055)).toBe(1);
  });

  it('waits for the later of its rate and its second', () => {
    const requests = new Requests(1);
    requests.send(10_000);
    requests.send(10_000);
    expect(requests.search.nextAt(10_000)).toBe(12_000);
  });

  it('allows a request again that was never sent', () => {
    const requests = new Requests(1);
    requests.search.unused(requests.send(10_000));
    expect(requests.available(10_000)).toBe(1);
    requests.search.unused(requests.send(10_000));
    expect(requests.available(10_001)).toBe(1);
  });

  it('stays at zero while more requests are out than it allowed', () => {
    const requests = new Requests(100);
    for (let sent = 0; sent < 30; sent += 1) requests.send(10_000);
    expect(requests.available(10_000)).toBe(0);
    expect(requests.search.nextAt(10_000)).toBe(10_060);
  });
});

describe('the first 429', () => {
  it('is followed by one request at a time, until one is admitted', () => {
    const requests = new Requests();
    requests.pass(...every(1, 0, 10));
    requests.limit(requests.send(10), 1000);
    expect([requests.available(1010), requests.available(1010, 1)]).toEqual([1, 0]);
    expect(requests.search.nextAt(1010)).toBeUndefined();
    expect(requests.search.met429).toBe(false);
    requests.pass(1010);
    expect(requests.search.met429).toBe(true);
    expect(requests.available(1010)).toBe(0);
    expect(requests.search.nextAt(1010)).toBeCloseTo(1010 + 1000 / 9.8, 9);
  });

  it('shows what the window admitted that its pause ended', () => {
    for (const [advisedMs, expected] of [
      // Ten requests in 10 ms: a window of a second at least.
      [1000, 10],
      [300, 10],
      [989, 10],
      [1989, 10],
      [1990, 5],
      [3100, 10 / 3],
    ] as const) {
      const requests = new Requests();
      requests.pass(...every(1, 0, 10));
      requests.limit(requests.send(10), advisedMs);
      requests.pass(10 + advisedMs);
      expect(requests.search.rate).toBeCloseTo(0.98 * expected, 9);
    }
  });

  it('shows what the last second admitted if requests went on for longer than the pause', () => {
    for (const [advisedMs, expected] of [
      [2999, 20],
      [3000, 45 / 6],
    ] as const) {
      const requests = new Requests();
      // Slow at first, then 20 in the last second.
      requests.pass(...every(80, 0, 2000), ...every(50, 2000, 3000));
      const limited = requests.send(3000);
      // More was sent until its answer came.
      for (const at of every(50, 3050, 3900)) requests.send(at);
      requests.limit(limited, advisedMs, 3900);
      requests.pass(3900 + advisedMs);
      expect(requests.search.rate).toBeCloseTo(0.98 * expected, 9);
    }
  });

  it('leaves out of the last second the requests whose 429 came later', () => {
    const requests = new Requests();
    requests.pass(...every(50, 0, 2900));
    const [early, limited, same, late] = [2950, 3000, 3000, 3050].map((at) => requests.send(at)) as [
      Counted,
      Counted,
      Counted,
      Counted,
    ];
    requests.limit(limited, 100, 3060);
    for (const each of [early, same, late]) requests.limit(each, 100, 3070);
    requests.pass(3200);
    // [2000, 3000) without 2900 and 2950.
    expect(requests.search.rate).toBeCloseTo(0.98 * 18, 9);
  });

  it('counts requests in flight that are admitted after it', () => {
    const requests = new Requests();
    requests.pass(0, 1, 2);
    const inFlight = requests.send(3);
    requests.limit(requests.send(4), 1000, 20);
    requests.admit(inFlight);
    expect(requests.available(1000, 0)).toBe(1);
    requests.pass(1020);
    expect(requests.search.rate).toBeCloseTo(0.98 * 4, 9);
  });

  it('shows nothing if it answers the first request, because others used the key up', () => {
    const requests = new Requests();
    requests.limit(requests.send(0), 100);
    requests.search.beginAt(5);
    requests.pass(150);
    expect(requests.search.rate).toBe(ANY);
    expect(requests.search.met429).toBe(false);
    expect(requests.available(151)).toBe(ANY);
    // The next one counts from the first admitted request, and without the limited one.
    requests.pass(300, 500);
    requests.limit(requests.send(900), 50);
    requests.pass(1000);
    expect(requests.search.rate).toBeCloseTo(0.98 * 3, 9);
  });
});

describe('the pause after a 429', () => {
  it('is as long as the server asks', () => {
    const requests = new Requests();
    expect(requests.limit(requests.send(0), 1234)).toBe(1234);
  });

  it('is a second if nothing is known', () => {
    const requests = new Requests();
    expect(requests.limit(requests.send(0))).toBe(1000);
  });

  it('is two requests long at a known rate, a round trip at least, and 30 ms', () => {
    for (const [rate, latencyMs, expected] of [
      [10, 0, 200],
      [10, 250, 250],
      [1000, 0, 30],
      [0.01, 0, 60_000],
    ] as const) {
      const requests = new Requests(rate);
      expect(requests.limit(requests.send(0), undefined, 10, latencyMs)).toBe(expected);
    }
  });

  it('doubles each time its probe is limited too, up to a minute', () => {
    const requests = new Requests();
    requests.pass(0);
    requests.limit(requests.send(1));
    const pauses = every(10_000, 10_000, 90_000).map((at) => requests.limit(requests.send(at)));
    expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(requests.limit(requests.send(100_000), 70)).toBe(70);
  });

  it('is the same for all 429s of one burst', () => {
    const requests = new Requests(10);
    const [first, second, third] = [0, 1, 2].map((at) => requests.send(at)) as [Counted, Counted, Counted];
    expect(requests.limit(second, undefined, 50)).toBe(200);
    expect(requests.limit(first, undefined, 80)).toBe(170);
    expect(requests.limit(third, undefined, 251)).toBe(0);
    expect(requests.limit(third, 33, 90)).toBe(33);
  });

  it('continues with the 429 of a probe, for all requests sent before that', () => {
    const requests = new Requests(10);
    requests.limit(requests.send(0));
    const [probe, beside] = [requests.send(300), requests.send(301)];
    expect(requests.limit(probe, undefined, 310)).toBe(400);
    expect(requests.limit(beside, undefined, 320)).toBe(390);
    // A request from before the probe's 429 shows nothing about the time after it.
    requests.admit(beside);
    expect(requests.available(710)).toBe(1);
    expect(requests.search.rate).toBe(10);
  });
});

/** A climb from 1,000 ms at 100 requests a second, without requests that would make it climb. */
function climbing(rate = 100): Requests {
  const requests = new Requests(rate);
  requests.pass(1000);
  expect(requests.search.rate).toBe(rate);
  return requests;
}

describe('the rate after a climb', () => {
  it('is lower by the share of its time that the climb has cost', () => {
    for (const [climbMs, advisedMs, expected] of [
      // 1,200 / 6 ms for the pause, and 10 ms for the 429 itself.
      [10_000, 1200, 10_000 / 10_210],
      [3000, 1200, 3000 / 3210],
      [1000, 1200, 1000 / 1210],
      // By a fiftieth at least, and by a fifth at most.
      [100_000, 1200, 0.98],
      [700, 1200, 0.8],
    ] as const) {
      const requests = climbing();
      requests.limit(requests.send(1000 + climbMs), advisedMs);
      requests.pass(1000 + climbMs + advisedMs);
      expect(requests.search.rate).toBeCloseTo(100 * expected, 9);
    }
  });

  it('is lower by the time of all its pauses, and by all its 429s', () => {
    const requests = climbing();
    const [first, second] = [requests.send(4000), requests.send(4000)];
    requests.limit(first, 600);
    requests.limit(second, 600);
    requests.limit(requests.send(4600), 600);
    requests.pass(5200);
    expect(requests.search.rate).toBeCloseTo((100 * 3000) / (3000 + 200 + 30), 9);
  });

  it('counts the pause of a probe as time waited', () => {
    const requests = climbing();
    expect(requests.limit(requests.send(2000))).toBe(30);
    expect(requests.limit(requests.send(2030))).toBe(60);
    requests.pass(2090);
    expect(requests.search.rate).toBeCloseTo((100 * 1000) / (1000 + 90 / 6 + 20), 9);
  });

  it('is the average if the climb was far shorter than its pause, because the limit has fallen', () => {
    for (const [climbMs, advisedMs, expected] of [
      [999, 6000, 1000 / 6999],
      [1000, 6000, 80],
      [60, 440, 2],
      [60, 439, 80],
    ] as const) {
      const requests = climbing();
      requests.limit(requests.send(1000), 0);
      requests.pass(2000);
      requests.limit(requests.send(2000 + climbMs), advisedMs);
      requests.pass(2000 + climbMs + advisedMs);
      // After the first of the two 429s: 80 a second.
      expect(requests.search.rate).toBeCloseTo(expected === 80 ? 64 : expected, 9);
    }
  });

  it('is the average of no first climb, which was a burst', () => {
    const requests = new Requests();
    requests.pass(...every(1, 0, 10));
    requests.limit(requests.send(10), 6000);
    requests.pass(6010);
    expect(requests.search.rate).toBeCloseTo((0.98 * 10) / 6, 9);
  });

  it('is one request an hour at least', () => {
    const requests = climbing();
    requests.limit(requests.send(1000), 0);
    requests.pass(2000);
    requests.limit(requests.send(2001), 86_400_000);
    requests.pass(86_402_001);
    expect(requests.search.rate).toBeCloseTo(1 / 3600, 12);
  });

  it('begins an even stream, without requests saved up', () => {
    const requests = climbing();
    requests.limit(requests.send(101_000), 1000);
    requests.pass(102_500);
    expect(requests.available(102_500)).toBe(0);
    expect(requests.search.nextAt(102_500)).toBeCloseTo(102_500 + 1000 / 98, 9);
  });
});

/** How long the climb is that a first request has begun, in requests. */
function climbOf(requests: Requests, now: number): number {
  const base = requests.search.rate;
  requests.pass(now);
  // Two requests, because the probe counts: rate = base × (1 + 0.02 × (part + part⁴)).
  return 2 / (50 * (requests.search.rate / base - 1));
}

describe('a climb', () => {
  it('takes 80 times as long as the pause that may end it', () => {
    const requests = climbing();
    requests.limit(requests.send(101_000), 1200);
    requests.pass(102_200);
    expect(climbOf(requests, 102_200)).toBeCloseTo((80 * 1200 * 98) / 1000, 2);
  });

  it('takes half as long if the last one ended early', () => {
    const requests = climbing();
    requests.limit(requests.send(2000), 1200);
    requests.pass(3200);
    expect(climbOf(requests, 3200)).toBeCloseTo((40 * 1200 * (100_000 / 1210)) / 1000, 2);
  });

  it('takes 200 requests for each 429 that may end it', () => {
    const requests = climbing();
    const limited = [1, 2, 3].map(() => requests.send(101_000));
    for (const each of limited) requests.limit(each, 0, 101_000, 100);
    requests.pass(102_000);
    expect(climbOf(requests, 102_000)).toBeCloseTo(600, 2);
  });

  it('expects two 429s and those of two round trips at most', () => {
    const requests = climbing();
    const limited = every(1, 0, 50).map(() => requests.send(201_000));
    for (const each of limited) requests.limit(each, 0, 201_000, 100);
    requests.pass(202_000);
    // 2 × 98 requests a second × 0.1 s.
    expect(climbOf(requests, 202_000)).toBeCloseTo(200 * (2 + 19.6), 0);
  });

  it('expects the pause of a known rate after a first one that nobody asked for', () => {
    const requests = new Requests();
    requests.pass(...every(1, 0, 10));
    requests.limit(requests.send(10), undefined, 10, 500);
    requests.pass(1010);
    // The round trip of 500 ms is longer than two requests.
    expect(climbOf(requests, 1010)).toBeCloseTo((80 * 500 * 9.8) / 1000, 2);
  });

  it('expects the pause that the server asked for the first time', () => {
    const requests = new Requests();
    requests.pass(...every(1, 0, 10));
    requests.limit(requests.send(10), 2500);
    requests.pass(2510);
    expect(climbOf(requests, 2510)).toBeCloseTo((80 * 2500 * ((0.98 * 10) / 2)) / 1000, 2);
  });

  it('rises by 4 % at its full length, and steeply after that', () => {
    const requests = new Requests(100);
    requests.pass(...every(5, 0, 1000));
    expect(requests.search.rate).toBeCloseTo(104, 9);
    requests.pass(...every(5, 1000, 2000));
    expect(requests.search.rate).toBeCloseTo(100 * (1 + 0.02 * (2 + 16)), 9);
  });

  it('does not rise while fewer requests are sent than it allows', () => {
    const requests = climbing();
    for (let sent = 0; sent < 11; sent += 1) requests.pass(1000);
    expect(requests.search.rate).toBe(100);
    // Of 25 requests saved up, fewer than half are left.
    requests.pass(1000);
    expect(requests.search.rate).toBeGreaterThan(100);
  });

  it('rises at a slow rate, at which no more than one request is saved up', () => {
    const requests = new Requests(2);
    const request = requests.send(10_000);
    requests.available(10_400);
    requests.admit(request, 10_400);
    expect(requests.search.rate).toBeGreaterThan(2);
  });

  it('does not rise by answers that come after the 429 which ended it', () => {
    const requests = new Requests(100);
    const inFlight = requests.send(0);
    requests.limit(requests.send(1), 100);
    requests.admit(inFlight, 10);
    expect(requests.search.rate).toBe(100);
  });

  it('counts from its first request', () => {
    const requests = new Requests();
    requests.pass(...every(1, 0, 10));
    requests.limit(requests.send(10), 1000);
    requests.pass(1010);
    requests.limit(requests.send(3010), 600);
    requests.pass(3610);
    // 2,000 ms at 9.8 a second, a pause of 600 ms, and one 429.
    expect(requests.search.rate).toBeCloseTo((9.8 * 2000) / (2000 + 100 + 1000 / 9.8), 9);
  });
});
