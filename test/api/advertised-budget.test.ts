import { describe, expect, it } from 'vitest';
import { AdvertisedBudget, type Spending } from '../../src/api/advertised-budget.ts';
import type { RateLimitReading } from '../../src/api/rate-limit-headers.ts';

const WINDOW = { windowMs: 1000 };
/** The jitter that is allowed for at first. */
const MARGIN = 3;

/** The requests of one key, whose answers take 10 ms, as do the fastest. */
class Requests {
  readonly #reading: RateLimitReading;
  #sequence = 0;
  #budget: AdvertisedBudget | undefined;
  inFlight = 0;

  /** @param reading what all answers have in common */
  constructor(reading: RateLimitReading) {
    this.#reading = reading;
  }

  get budget(): AdvertisedBudget {
    if (this.#budget === undefined) throw new Error('no answer yet');
    return this.#budget;
  }

  send(now: number): Spending {
    this.#sequence += 1;
    const beside = this.inFlight;
    this.inFlight += 1;
    return (
      this.#budget?.started(this.#sequence, now, beside) ?? {
        sequence: this.#sequence,
        at: now,
        gains: 0,
        beside,
        group: undefined,
        spentAt: Number.NEGATIVE_INFINITY,
      }
    );
  }

  answer(
    spending: Spending,
    remaining: number | undefined,
    {
      now = spending.at + 10,
      fastestMs = 10,
      ...more
    }: RateLimitReading & { now?: number; fastestMs?: number } = {},
  ): void {
    this.inFlight -= 1;
    const reading = { ...this.#reading, ...(remaining === undefined ? {} : { remaining }), ...more };
    const answer = { at: now, fastestMs };
    if (this.#budget === undefined)
      this.#budget = new AdvertisedBudget(spending, reading, answer, this.#sequence, this.inFlight);
    else this.#budget.answered(spending, reading, answer, this.inFlight);
  }

  /** Sends a request and gets its answer. */
  pass(
    now: number,
    remaining: number,
    more: RateLimitReading & { now?: number; fastestMs?: number } = {},
  ): void {
    this.answer(this.send(now), remaining, more);
  }

  limit(spending: Spending, until: number, reading: RateLimitReading = {}): void {
    this.inFlight -= 1;
    this.budget.limited(spending, { ...this.#reading, ...reading }, until);
  }

  available(now: number): number {
    return this.budget.available(now, this.inFlight);
  }

  nextAt(now: number): number | undefined {
    return this.budget.nextAt(now, this.inFlight);
  }
}

/** Three requests a second, all of them spent: at 0, 100, and 200. */
function spent(reading: RateLimitReading = { limit: 3, ...WINDOW }): Requests {
  const requests = new Requests(reading);
  for (const [index, remaining] of [2, 1, 0].entries()) requests.pass(index * 100, remaining);
  return requests;
}

describe('a budget', () => {
  it('is what the first answer leaves, without the requests in flight', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    const [first] = [0, 1, 2].map((now) => requests.send(now));
    requests.answer(first as Spending, 9);
    expect(requests.available(20)).toBe(7);
    expect(requests.nextAt(20)).toBeUndefined();
    expect(requests.budget.rate).toBe(10);
  });

  it('has a limit of one more than what is left, until the server shows more', () => {
    const requests = new Requests(WINDOW);
    requests.pass(0, 4);
    expect(requests.budget.rate).toBe(5);
    requests.pass(100, 7);
    expect(requests.budget.rate).toBe(8);
    requests.pass(200, 6);
    expect(requests.budget.rate).toBe(8);
  });

  it('becomes smaller by each request, and larger by one that was never sent', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    requests.pass(0, 9);
    const spending = requests.send(20);
    expect(requests.available(20)).toBe(8);
    requests.budget.unused(spending);
    expect(requests.available(20)).toBe(9);
    // Its unit is not due later either.
    expect(requests.available(1100)).toBe(10);
  });

  it('is back a window after it was spent, each unit at its time', () => {
    const requests = spent();
    expect(requests.nextAt(300)).toBe(1000 + MARGIN);
    expect(requests.available(1000 + MARGIN - 0.1)).toBe(0);
    expect(requests.available(1000 + MARGIN)).toBe(1);
    requests.pass(1000 + MARGIN, 0);
    expect(requests.nextAt(1050)).toBe(1100 + MARGIN);
    requests.pass(1100 + MARGIN, 0);
    expect(requests.nextAt(1150)).toBe(1200 + MARGIN);
  });

  it('is back later if an answer took longer than the fastest, because the server may have seen it later', () => {
    const requests = new Requests({ limit: 2, ...WINDOW });
    requests.pass(0, 1, { now: 50 });
    requests.pass(100, 0, { now: 170 });
    expect(requests.nextAt(300)).toBe(1040 + MARGIN);
    requests.pass(1040 + MARGIN, 0);
    expect(requests.nextAt(1100)).toBe(1160 + MARGIN);
  });

  it('is announced to a request in flight only by the units that are due', () => {
    const requests = spent({ limit: 3, resetMs: 500, resetResolutionMs: 1, ...WINDOW });
    expect(requests.nextAt(300)).toBe(700 + MARGIN);
    requests.send(300);
    expect(requests.nextAt(300)).toBe(1000 + MARGIN);
  });

  it('is never due if nothing was spent', () => {
    const requests = new Requests({ limit: 1, ...WINDOW });
    const spending = requests.send(0);
    requests.answer(spending, 0);
    // Everything that is due is taken.
    expect(requests.available(1000 + MARGIN)).toBe(1);
    requests.budget.unused(requests.send(1010));
    expect(requests.nextAt(1010)).toBeUndefined();
  });

  it('counts a unit as spent whose answer has no budget, or none came', () => {
    const requests = spent();
    expect(requests.available(1300)).toBe(1);
    requests.answer(requests.send(1300), undefined);
    expect(requests.available(1310)).toBe(2);
    expect(requests.available(2300 + MARGIN)).toBe(3);
  });
});

describe('trust in units that only the model considers back', () => {
  it('allows one at first, and one more for each answer that confirms one', () => {
    const requests = spent({ limit: 20, ...WINDOW });
    for (let sent = 3; sent < 20; sent += 1) requests.pass(200, 19 - sent);
    expect(requests.available(1300)).toBe(1);
    const first = requests.send(1300);
    expect(requests.available(1300)).toBe(0);
    requests.answer(first, 19);
    // All 20 are confirmed by this answer.
    expect(requests.available(1310)).toBe(19);
  });

  it('grows with each answer that confirms units, up to 64', () => {
    const requests = new Requests({ limit: 200, ...WINDOW });
    requests.pass(0, 199);
    let now = 0;
    const trusted: number[] = [];
    for (let window = 1; window <= 3; window += 1) {
      for (let sent = window === 1 ? 1 : 0; sent < 200; sent += 1) {
        requests.pass(now, 199 - sent);
      }
      now += 2000;
      trusted.push(requests.available(now));
    }
    expect(trusted).toEqual([1, 2, 3]);
  });

  it('is one after an answer that disagrees', () => {
    const requests = spent();
    expect(requests.available(1300)).toBe(1);
    // The server has none left, though three were due.
    requests.pass(1300, 0);
    expect(requests.available(1310)).toBe(0);
  });
});

describe('an answer', () => {
  it('raises the budget by what it has more', () => {
    const requests = spent();
    requests.pass(300, 2);
    expect(requests.available(310)).toBe(2);
  });

  it('raises nothing that requests in flight explain', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    requests.pass(0, 9);
    const [first, second] = [requests.send(20), requests.send(20)];
    // It was counted before the first.
    requests.answer(second, 8);
    expect(requests.available(30)).toBe(7);
    requests.answer(first, 7);
    expect(requests.available(30)).toBe(7);
  });

  it('lowers the budget at once to what it has left', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    requests.pass(0, 9);
    requests.pass(20, 5);
    expect(requests.available(30)).toBe(5);
    // All that are missing are due a window later, and one of them may be tried.
    expect(requests.available(999 + MARGIN)).toBe(5);
    expect(requests.available(1020 + MARGIN)).toBe(6);
  });

  it('lowers the budget once; requests that were sent before do not lower it again', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    requests.pass(0, 9);
    const [first, second] = [requests.send(20), requests.send(20)];
    requests.answer(first, 4);
    expect(requests.available(30)).toBe(4);
    requests.answer(second, 9);
    expect(requests.available(30)).toBe(4);
  });

  it('does not lower the budget if its request was sent before it was raised', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    requests.pass(0, 3);
    const [first, second] = [requests.send(20), requests.send(20)];
    requests.answer(first, 9);
    expect(requests.available(30)).toBe(8);
    requests.answer(second, 1);
    expect(requests.available(30)).toBe(8);
  });

  it('lowers the budget by the mean of many answers that were each possible', () => {
    const requests = new Requests({ limit: 100, ...WINDOW });
    requests.pass(0, 99);
    const inFlight = [requests.send(10), requests.send(10)];
    // Another unit is missing each time, which the other request in flight may have taken.
    let left = 98;
    for (let time = 0; time < 7; time += 1) {
      requests.answer(inFlight.shift() as Spending, left - 1);
      left -= 1;
      inFlight.push(requests.send(10));
    }
    expect(requests.available(20)).toBe(89);
  });

  it('with another limit starts over', () => {
    const requests = spent();
    requests.pass(300, 6, { limit: 7, now: 330 });
    expect(requests.available(340)).toBe(6);
    expect(requests.budget.rate).toBe(7);
    expect(requests.available(1310)).toBe(6);
    expect(requests.available(1320 + MARGIN)).toBe(7);
  });

  it('with another limit counts the requests in flight as spent, and their answers no longer', () => {
    const requests = new Requests({ limit: 3, ...WINDOW });
    requests.pass(0, 2);
    const [first, second] = [requests.send(10), requests.send(10)];
    requests.answer(first, 6, { limit: 7 });
    expect(requests.available(30)).toBe(5);
    requests.answer(second, 1);
    expect(requests.available(30)).toBe(5);
    expect(requests.budget.rate).toBe(7);
  });
});

describe('a reset', () => {
  it('is a reason to look with one request when nothing else is due', () => {
    const requests = spent({ limit: 3, resetMs: 500, resetResolutionMs: 1, ...WINDOW });
    expect(requests.available(699 + MARGIN)).toBe(0);
    expect(requests.available(700 + MARGIN)).toBe(1);
    requests.pass(700 + MARGIN, 0, { resetMs: 100 });
    expect(requests.nextAt(750)).toBe(803 + MARGIN);
  });

  it('counts from when the server may have seen the newest request', () => {
    const requests = new Requests({ limit: 2, resetResolutionMs: 1, ...WINDOW });
    requests.pass(0, 1, { resetMs: 400 });
    const [first, second] = [requests.send(100), requests.send(101)];
    requests.answer(second, 0, { resetMs: 300, now: 141 });
    requests.answer(first, 0, { resetMs: 50, now: 141 });
    expect(requests.nextAt(200)).toBe(431 + MARGIN);
  });

  it('counts from the first request under a limit', () => {
    const requests = new Requests({ limit: 1, resetMs: 400, resetResolutionMs: 1, ...WINDOW });
    requests.pass(10, 0);
    expect(requests.nextAt(50)).toBe(410);
    expect(requests.available(410)).toBe(1);
  });

  it('is used for one look only', () => {
    const requests = new Requests({ limit: 1, resetMs: 400, resetResolutionMs: 1, ...WINDOW });
    requests.pass(10, 0);
    expect(requests.available(500)).toBe(1);
    requests.budget.silent(requests.send(500));
    requests.inFlight = 0;
    expect(requests.available(600)).toBe(0);
    expect(requests.nextAt(600)).toBe(1500 + MARGIN);
  });

  it('is not looked at while a request is in flight', () => {
    const requests = spent({ limit: 3, resetMs: 500, resetResolutionMs: 1, ...WINDOW });
    requests.send(300);
    expect(requests.available(750)).toBe(0);
  });
});

describe('a 429', () => {
  it('leaves nothing until the server allows the next request', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    requests.pass(0, 9);
    requests.limit(requests.send(20), 500);
    expect(requests.available(30)).toBe(0);
    expect(requests.nextAt(30)).toBe(500 + MARGIN);
    expect(requests.available(500 + MARGIN)).toBe(1);
  });

  it('with another limit starts over under it', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    requests.pass(0, 9);
    requests.limit(requests.send(20), 500, { limit: 4, windowMs: 2000 });
    expect(requests.budget.rate).toBe(2);
    requests.pass(503, 3, { limit: 4, windowMs: 2000 });
    expect(requests.available(520)).toBe(3);
  });

  it('leaves more margin for jitter the more often it comes, a hundredth of a window at most', () => {
    const requests = spent();
    const margins: number[] = [];
    let now = 1300;
    for (let time = 0; time < 5; time += 1) {
      requests.available(now);
      requests.limit(requests.send(now), now + 100);
      margins.push((requests.nextAt(now) as number) - now - 100);
      now += 3000;
    }
    expect(margins).toEqual([4.5, 6.75, 10, 10, 10]);
  });

  it('and a second one in a burst show that the window is longer', () => {
    const requests = spent({ limit: 3, resetMs: 1000, resetResolutionMs: 1 });
    requests.available(1300);
    const burst = [1300, 1301, 1302].map((now) => requests.send(now));
    requests.limit(burst[0] as Spending, 1400);
    expect(requests.budget.rate).toBe(3);
    requests.limit(burst[1] as Spending, 1400);
    expect(requests.budget.rate).toBe(1.5);
    requests.limit(burst[2] as Spending, 1400);
    expect(requests.budget.rate).toBe(1.5);
  });

  it('shows nothing about the window before units were expected back', () => {
    const requests = new Requests({ limit: 10, resetMs: 1000, resetResolutionMs: 1 });
    requests.pass(0, 9);
    const burst = [20, 20].map((now) => requests.send(now));
    for (const each of burst) requests.limit(each, 500);
    expect(requests.budget.rate).toBe(10);
    expect(requests.nextAt(30)).toBe(500 + MARGIN);
  });
});

describe('units that are not back when expected', () => {
  it('show that the window is longer if most of a large budget is missing', () => {
    const requests = new Requests({ limit: 20, resetMs: 1000, resetResolutionMs: 1 });
    for (let sent = 0; sent < 20; sent += 1) requests.pass(0, 19 - sent);
    requests.available(1100);
    requests.pass(1100, 0, { resetMs: 100 });
    expect(requests.budget.rate).toBe(10);
  });

  it('show nothing if fewer than half are missing', () => {
    const requests = new Requests({ limit: 20, resetMs: 1000, resetResolutionMs: 1 });
    for (let sent = 0; sent < 20; sent += 1) requests.pass(0, 19 - sent);
    requests.available(1100);
    requests.pass(1100, 9, { resetMs: 100 });
    expect(requests.budget.rate).toBe(20);
  });

  it('show it for a small budget only the second time', () => {
    const requests = spent({ limit: 3, resetMs: 1000, resetResolutionMs: 1 });
    requests.available(1300);
    requests.pass(1300, 0, { resetMs: 100 });
    expect(requests.budget.rate).toBe(3);
    requests.available(3000);
    requests.pass(3000, 0, { resetMs: 100 });
    expect(requests.budget.rate).toBe(1.5);
  });
});

/** Ten requests a second, of which the server counts more than were sent: another program uses the key. */
function shared(): Requests {
  const requests = new Requests({ limit: 10, ...WINDOW });
  requests.pass(0, 9);
  requests.pass(100, 2);
  return requests;
}

describe('another program', () => {
  it('leaves us an even stream of what it does not use', () => {
    const requests = shared();
    expect(requests.available(110)).toBe(1);
    requests.pass(110, 1);
    expect(requests.available(120)).toBe(0);
    expect(requests.nextAt(120)).toBeGreaterThan(120);
  });

  it('is not detected by three missing units', () => {
    const requests = new Requests({ limit: 10, ...WINDOW });
    requests.pass(0, 9);
    requests.pass(100, 5);
    expect(requests.available(110)).toBe(5);
  });

  it('makes us spend the last units one at a time after a 429', () => {
    const requests = shared();
    for (let time = 0; time < 3; time += 1) requests.limit(requests.send(120), 200);
    // Three units are reserved, and only one at a time may be spent of them.
    requests.pass(300, 2);
    expect(requests.available(5000)).toBeGreaterThan(0);
  });
});
