import { describe, expect, it } from 'vitest';
import { Competition } from '../../src/api/competition.ts';

/** After four units that were missing for no reason of ours. */
function detected(): Competition {
  const others = new Competition();
  others.foundMissing(4);
  return others;
}

describe('another program with the same key', () => {
  it('is detected by the fourth missing unit, because three may be missing by chance', () => {
    const others = new Competition();
    expect(others.detected).toBe(false);
    others.foundMissing(1);
    others.foundMissing(2);
    expect(others.detected).toBe(false);
    others.foundMissing(1);
    expect(others.detected).toBe(true);
  });

  it('counts half as much every four windows', () => {
    const others = new Competition();
    others.foundMissing(8);
    others.age(3999, 1000);
    others.age(4000, 1000);
    expect(others.detected).toBe(true);
    others.age(7999, 1000);
    expect(others.detected).toBe(true);
    others.age(8000, 1000);
    expect(others.detected).toBe(false);
  });

  it('gets a unit reserved for each 429 while it is detected, at most half of the limit', () => {
    const others = new Competition();
    others.limited(10);
    expect(others.reserve).toBe(0);
    others.foundMissing(100);
    for (let limited = 0; limited < 3; limited += 1) others.limited(10);
    expect(others.reserve).toBe(3);
    for (let limited = 0; limited < 9; limited += 1) others.limited(11);
    expect(others.reserve).toBe(5);
    others.age(4000, 1000);
    expect(others.reserve).toBe(2);
  });

  it('leaves any number to us until it is detected', () => {
    const others = new Competition();
    expect(others.evenShare(0, 10, 1000)).toBe(Number.POSITIVE_INFINITY);
    expect(others.nextAt(0)).toBeUndefined();
  });

  it('leaves us an even stream of the units that it does not use', () => {
    const others = detected();
    others.units.add(0, 6, 1);
    // 4 of 10 units in 2 s.
    expect(others.evenShare(0, 10, 2000)).toBe(1);
    others.started();
    expect(others.evenShare(499, 10, 2000)).toBe(0);
    expect(others.nextAt(499)).toBe(500);
    expect(others.evenShare(500, 10, 2000)).toBe(1);
    others.started();
    others.unused();
    expect(others.evenShare(500, 10, 2000)).toBe(1);
  });

  it('leaves us a tenth of the limit, even if it uses everything', () => {
    const others = detected();
    others.units.add(0, 10, 1);
    others.evenShare(0, 10, 1000);
    others.started();
    expect(others.nextAt(0)).toBe(1000);
  });

  it('explains a shortage only if its units were expected back', () => {
    const others = detected();
    expect(others.explainsShortage()).toBe(false);
    others.gained();
    expect(others.explainsShortage()).toBe(true);
    // What was expected is corrected now.
    expect(others.explainsShortage()).toBe(false);
  });

  it('explains no shortage before it is detected', () => {
    const others = new Competition();
    others.gained();
    expect(others.explainsShortage()).toBe(false);
    expect(others.patience).toBe(1);
  });

  it('is expected back twice as late after each shortage, after 32 windows at most', () => {
    const others = detected();
    const patience = Array.from({ length: 7 }, () => {
      others.gained();
      others.explainsShortage();
      return others.patience;
    });
    expect(patience).toEqual([2, 4, 8, 16, 32, 32, 32]);
  });

  it('is expected back sooner if more units are left than expected, after one window at least', () => {
    const others = detected();
    for (const _ of [1, 2]) {
      others.gained();
      others.explainsShortage();
    }
    others.gained();
    others.foundMore();
    expect(others.patience).toBe(2);
    expect(others.explainsShortage()).toBe(false);
    others.foundMore();
    others.foundMore();
    expect(others.patience).toBe(1);
  });

  it('has spent nothing under a new limit', () => {
    const others = detected();
    others.units.add(0, 3, 1);
    others.gained();
    others.explainsShortage();
    others.gained();
    others.restart();
    expect(others.units.units).toBe(0);
    expect(others.patience).toBe(1);
    expect(others.explainsShortage()).toBe(false);
    expect(others.detected).toBe(true);
  });
});
