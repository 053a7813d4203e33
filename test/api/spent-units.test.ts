import { describe, expect, it } from 'vitest';
import { SpentUnits } from '../../src/api/spent-units.ts';

const NEVER = Number.NEGATIVE_INFINITY;

describe('spent units', () => {
  it('are none at first', () => {
    const spent = new SpentUnits();
    expect(spent.units).toBe(0);
    expect(spent.oldest).toBeUndefined();
    expect(spent.takeOldest(3)).toBe(0);
    spent.dropOldest();
    expect(spent.units).toBe(0);
  });

  it('share a group if they were sent within its width', () => {
    const spent = new SpentUnits();
    const first = spent.add(100, 2, 10);
    expect(spent.add(109, 3, 10)).toBe(first);
    expect(first).toEqual({ firstAt: 100, at: 109, answeredAt: NEVER, units: 5 });
    const second = spent.add(110, 1, 10);
    expect(second).toEqual({ firstAt: 110, at: 110, answeredAt: NEVER, units: 1 });
    expect(spent.units).toBe(6);
    expect(spent.oldest).toBe(first);
  });

  it('keep the latest times of their group', () => {
    const spent = new SpentUnits();
    const group = spent.add(100, 1, 10, 150);
    spent.add(99, 1, 10, 140);
    expect(group).toEqual({ firstAt: 100, at: 100, answeredAt: 150, units: 2 });
    spent.add(105, 1, 10, 160);
    expect(group).toEqual({ firstAt: 100, at: 105, answeredAt: 160, units: 3 });
  });

  it('do not share a group whose units are all cancelled', () => {
    const spent = new SpentUnits();
    const empty = spent.add(100, 1, 10);
    spent.cancel(empty);
    const next = spent.add(101, 1, 10);
    expect(next).not.toBe(empty);
    expect(next.firstAt).toBe(101);
  });

  it('are counted between two times, including the first', () => {
    const spent = new SpentUnits();
    for (const [at, units] of [
      [100, 1],
      [110, 2],
      [120, 4],
    ] as const)
      spent.add(at, units, 1);
    expect(spent.unitsBetween(100, 120)).toBe(3);
    expect(spent.unitsBetween(101, 121)).toBe(6);
    expect(spent.unitsBetween(0, 99)).toBe(0);
  });

  it('are cancelled one at a time, and none of a group that is back', () => {
    const spent = new SpentUnits();
    const group = spent.add(100, 2, 10);
    spent.cancel(group);
    expect([spent.units, group.units]).toEqual([1, 1]);
    spent.cancel(group);
    spent.cancel(group);
    spent.cancel(undefined);
    expect([spent.units, group.units]).toEqual([0, 0]);
  });

  it('are taken from the oldest group on', () => {
    const spent = new SpentUnits();
    const first = spent.add(100, 2, 1);
    const second = spent.add(200, 3, 1);
    expect(spent.takeOldest(1)).toBe(1);
    expect(spent.oldest).toBe(first);
    expect(spent.takeOldest(2)).toBe(2);
    expect(spent.oldest).toBe(second);
    expect([first.units, second.units, spent.units]).toEqual([0, 2, 2]);
    expect(spent.takeOldest(9)).toBe(2);
    expect(spent.units).toBe(0);
    expect(spent.oldest).toBeUndefined();
  });

  it('are dropped with their oldest group, which can then no longer be cancelled', () => {
    const spent = new SpentUnits();
    const first = spent.add(100, 2, 1);
    const second = spent.add(200, 3, 1);
    spent.dropOldest();
    spent.cancel(first);
    expect(spent.units).toBe(3);
    expect(spent.oldest).toBe(second);
  });

  it('are none after a restart, and can then no longer be cancelled', () => {
    const spent = new SpentUnits();
    const group = spent.add(100, 2, 1);
    spent.clear();
    spent.cancel(group);
    expect(spent.units).toBe(0);
    expect(spent.oldest).toBeUndefined();
  });
});
