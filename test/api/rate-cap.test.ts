import { describe, expect, it } from 'vitest';
import { RateCap } from '../../src/api/rate-cap.ts';

describe('a rate cap', () => {
  it('allows any number of requests at an infinite rate', () => {
    const cap = new RateCap(Number.POSITIVE_INFINITY);
    for (let request = 0; request < 5; request += 1) cap.started();
    expect(cap.available(10)).toBe(Number.POSITIVE_INFINITY);
    expect(cap.nextAt(10)).toBeUndefined();
  });

  it('allows one request at first, and then one each time the rate has earned one', () => {
    const cap = new RateCap(10);
    expect(cap.available(0)).toBe(1);
    expect(cap.nextAt(0)).toBeUndefined();
    cap.started();
    expect(cap.available(0)).toBe(0);
    expect(cap.nextAt(0)).toBe(100);
    expect(cap.nextAt(40)).toBe(100);
    expect(cap.available(99)).toBe(0);
    expect(cap.available(100)).toBe(1);
  });

  it('has a request available at the time it announces, despite rounding', () => {
    for (const rate of [0.3, 3, 7, 11, 13, 29]) {
      const cap = new RateCap(rate);
      let now = 0.1;
      for (let request = 0; request < 50; request += 1) {
        cap.started();
        now = cap.nextAt(now) ?? now;
        expect(cap.available(now)).toBe(1);
      }
    }
  });

  it('saves up the requests of 50 ms, and at least one', () => {
    expect(new RateCap(100).available(10_000)).toBe(5);
    expect(new RateCap(10).available(10_000)).toBe(1);
    expect(new RateCap(0.001).available(10_000)).toBe(1);
  });

  it('returns a request that was never sent', () => {
    const cap = new RateCap(10);
    cap.started();
    cap.unused();
    expect(cap.available(0)).toBe(1);
  });

  it('stays at zero while more requests are out than it allowed', () => {
    const cap = new RateCap(10);
    cap.started();
    cap.started();
    expect(cap.available(0)).toBe(0);
    expect(cap.nextAt(0)).toBe(200);
  });

  it('loses nothing if a time is earlier than the last one', () => {
    const cap = new RateCap(10);
    cap.available(1000);
    expect(cap.available(500)).toBe(1);
    cap.started();
    expect(cap.available(1000)).toBe(0);
  });

  it('begins with one request when a finite rate replaces an infinite one', () => {
    const cap = new RateCap(Number.POSITIVE_INFINITY);
    for (let request = 0; request < 5; request += 1) cap.started();
    cap.setRate(100, 10_000);
    expect(cap.available(10_000)).toBe(1);
    cap.started();
    expect(cap.nextAt(10_000)).toBe(10_010);
  });

  it('keeps what the old rate had earned when the rate changes', () => {
    const cap = new RateCap(10);
    cap.started();
    cap.setRate(1000, 50);
    expect(cap.nextAt(50)).toBe(50.5);
  });

  it('allows any number again once the rate is infinite', () => {
    const cap = new RateCap(10);
    cap.started();
    cap.setRate(Number.POSITIVE_INFINITY, 0);
    expect(cap.available(0)).toBe(Number.POSITIVE_INFINITY);
  });
});
