import { describe, expect, it } from 'vitest';
import { Concurrency } from '../../src/api/concurrency.ts';

function answer(concurrency: Concurrency, count: number, latencyMs = 50, budgetLeft = true): void {
  for (let left = count; left > 0; left -= 1) concurrency.answered(latencyMs, budgetLeft);
}

describe('the number of requests in flight', () => {
  it('begins at 4, or at the maximum if that is lower', () => {
    expect(new Concurrency().limit).toBe(4);
    expect(new Concurrency(2.9).limit).toBe(2);
    expect(new Concurrency(0).limit).toBe(1);
  });

  it('grows by one after as many answers as requests were in flight', () => {
    const concurrency = new Concurrency();
    answer(concurrency, 3);
    expect(concurrency.limit).toBe(4);
    answer(concurrency, 1);
    expect(concurrency.limit).toBe(5);
    answer(concurrency, 4);
    expect(concurrency.limit).toBe(5);
    answer(concurrency, 1);
    expect(concurrency.limit).toBe(6);
  });

  it('counts only answers that left budget unused', () => {
    const concurrency = new Concurrency();
    answer(concurrency, 100, 50, false);
    answer(concurrency, 3);
    expect(concurrency.limit).toBe(4);
  });

  it('stays at 16 for the first 200 requests, and then grows by an eighth', () => {
    const concurrency = new Concurrency();
    answer(concurrency, 199);
    expect(concurrency.limit).toBe(16);
    answer(concurrency, 15);
    expect(concurrency.limit).toBe(18);
    answer(concurrency, 18);
    expect(concurrency.limit).toBe(20);
  });

  it('stays at 16 until 200 requests are answered', () => {
    const concurrency = new Concurrency();
    answer(concurrency, 184, 50, false);
    answer(concurrency, 15);
    // From 4: 4 + 5 + 6 answers.
    expect(concurrency.limit).toBe(7);
    const large = new Concurrency();
    answer(large, 114);
    expect(large.limit).toBe(16);
    answer(large, 70, 50, false);
    answer(large, 15);
    expect(large.limit).toBe(16);
    answer(large, 1);
    expect(large.limit).toBe(18);
  });

  it('never exceeds 64, or the maximum', () => {
    const concurrency = new Concurrency(1000);
    answer(concurrency, 3000);
    expect(concurrency.limit).toBe(64);
    const capped = new Concurrency(20);
    answer(capped, 3000);
    expect(capped.limit).toBe(20);
  });

  it('stays at 16 while answers take under 5 ms', () => {
    const fast = new Concurrency();
    answer(fast, 3000, 4.9);
    expect(fast.limit).toBe(16);
    const slow = new Concurrency();
    answer(slow, 3000, 5);
    expect(slow.limit).toBe(64);
  });
});

describe('the round trip', () => {
  it('is the mean of the answers, in which the newest counts a tenth', () => {
    const concurrency = new Concurrency();
    expect(concurrency.latencyMs).toBe(0);
    concurrency.answered(100, false);
    expect(concurrency.latencyMs).toBe(100);
    concurrency.answered(200, false);
    expect(concurrency.latencyMs).toBe(110);
  });

  it('has no fastest before the 20th answer', () => {
    const concurrency = new Concurrency();
    answer(concurrency, 19, 50);
    expect(concurrency.fastestMs).toBe(0);
    answer(concurrency, 1, 50);
    expect(concurrency.fastestMs).toBe(50);
  });

  it('has a fastest that rises by a thousandth with each answer, so that a slower network is noticed', () => {
    const concurrency = new Concurrency();
    answer(concurrency, 20, 10);
    answer(concurrency, 2, 100);
    expect(concurrency.fastestMs).toBeCloseTo(10 * 1.001 ** 2, 9);
    answer(concurrency, 1, 5);
    expect(concurrency.fastestMs).toBe(5);
  });

  it('has a fastest no slower than the mean', () => {
    const concurrency = new Concurrency();
    answer(concurrency, 300, 10);
    // The mean falls at once, and the fastest with it.
    answer(concurrency, 1, 1);
    expect(concurrency.fastestMs).toBe(1);
    expect(concurrency.latencyMs).toBeCloseTo(9.1, 9);
  });
});
