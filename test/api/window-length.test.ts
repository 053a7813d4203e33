import { describe, expect, it } from 'vitest';
import { WindowLength } from '../../src/api/window-length.ts';

/** A length that a reset of whole milliseconds suggests. */
function guessed(ms: number): WindowLength {
  const length = new WindowLength();
  length.read({ resetMs: ms, resetResolutionMs: 1 }, false);
  return length;
}

function restoredAt(length: WindowLength, ...times: number[]): void {
  for (const at of times) length.restored(at);
}

describe('the length of a window', () => {
  it('is a second until the server shows more', () => {
    const length = new WindowLength();
    expect(length.ms).toBe(1000);
    length.read({ remaining: 3 }, true);
    expect(length.ms).toBe(1000);
  });

  it('comes from a policy, and then from the next one', () => {
    const length = guessed(5000);
    length.read({ windowMs: 60_000, resetMs: 70_000 }, false);
    expect(length.ms).toBe(60_000);
    length.read({ windowMs: 30_000 }, false);
    expect(length.ms).toBe(30_000);
    length.read({}, false);
    expect(length.ms).toBe(30_000);
  });

  it('is the longest reset that the server shows', () => {
    const length = guessed(300);
    length.read({ resetMs: 700, resetResolutionMs: 1 }, false);
    length.read({ resetMs: 500, resetResolutionMs: 1 }, false);
    expect(length.ms).toBe(700);
  });

  it('is a whole number of seconds, one at least, if resets count seconds', () => {
    for (const resetResolutionMs of [1000, undefined]) {
      for (const [resetMs, expected] of [
        [0, 1000],
        [999, 1000],
        [3000, 3000],
        [3999, 3000],
      ] as const) {
        const length = new WindowLength();
        length.read(
          { resetMs, resetErrorMs: 0, ...(resetResolutionMs === undefined ? {} : { resetResolutionMs }) },
          false,
        );
        expect(length.ms).toBe(expected);
      }
    }
  });

  it('excludes the possible error of a reset', () => {
    const length = new WindowLength();
    length.read({ resetMs: 5400, resetErrorMs: 500, resetResolutionMs: 1000 }, false);
    expect(length.ms).toBe(4000);
  });

  it('is at most the reset of a whole budget', () => {
    const length = guessed(300);
    length.read({ resetMs: 400, resetResolutionMs: 1 }, true);
    length.read({ resetMs: 900, resetResolutionMs: 1 }, false);
    expect(length.ms).toBe(400);
  });

  it('shrinks if the whole budget is back three times within much less than it', () => {
    const length = guessed(4000);
    restoredAt(length, 1000, 2000);
    expect(length.ms).toBe(4000);
    restoredAt(length, 3000);
    expect(length.ms).toBe(2000);
    // The third time is the first one of the next count.
    restoredAt(length, 4000);
    expect(length.ms).toBe(2000);
    restoredAt(length, 4500);
    expect(length.ms).toBe(1500);
  });

  it('shrinks to the mean of all windows but two', () => {
    const length = guessed(4000);
    restoredAt(length, 0, 3500, 7000);
    expect(length.ms).toBe(4000);
    restoredAt(length, 7100);
    expect(length.ms).toBe(4000);
    restoredAt(length, 7200);
    expect(length.ms).toBe(2400);
  });

  it('does not shrink if the whole budget is back a fifth sooner, because that is noticed late', () => {
    const length = guessed(2000);
    restoredAt(length, 0, 800, 1600);
    expect(length.ms).toBe(2000);
  });

  it('shrinks to the reset, doubled as long as it may be the window', () => {
    for (const [resetMs, expected] of [
      [500, 2000],
      [600, 1200],
      [5000, 2000],
      [0, 2000],
    ] as const) {
      const length = guessed(4000);
      restoredAt(length, 0, 1000);
      length.restored(2000, resetMs);
      expect(length.ms).toBe(expected);
    }
  });

  it('is measured again after 16 whole budgets, because the limiter may have changed', () => {
    const length = guessed(4000);
    restoredAt(length, ...Array.from({ length: 16 }, (_, window) => window * 4000));
    restoredAt(length, 61_000);
    expect(length.ms).toBe(4000);
    restoredAt(length, 62_000);
    expect(length.ms).toBe(2000);
  });

  it('is no longer than the time between two returns of many units while another program competes', () => {
    const length = guessed(4000);
    length.border(10_000);
    expect(length.ms).toBe(4000);
    length.border(12_800);
    expect(length.ms).toBe(4000);
    length.border(15_000);
    expect(length.ms).toBe(2200);
    length.restored(15_900);
    length.border(16_900);
    expect(length.ms).toBe(1000);
  });

  it('doubles if units are late twice without one on time in between', () => {
    const length = guessed(300);
    length.early();
    length.confirmed();
    length.early();
    expect(length.ms).toBe(300);
    length.early();
    expect(length.ms).toBe(600);
    length.early();
    expect(length.ms).toBe(600);
    length.early();
    expect(length.ms).toBe(1200);
  });

  it('doubles if it is certainly longer, up to an hour', () => {
    const length = guessed(1_000_000);
    length.longer();
    expect(length.ms).toBe(2_000_000);
    length.longer();
    expect(length.ms).toBe(3_600_000);
  });

  it('forgets late units and the count of whole budgets when it doubles', () => {
    const length = guessed(1000);
    length.early();
    restoredAt(length, 0, 100);
    length.longer();
    length.early();
    restoredAt(length, 200);
    expect(length.ms).toBe(2000);
  });

  it('shrinks by 15 % when units of another program are back early', () => {
    const length = guessed(1000);
    length.shrink();
    expect(length.ms).toBe(850);
  });

  it('is unknown under another limit, unless its policy is known', () => {
    const length = guessed(4000);
    length.read({ windowMs: 9000, resetMs: 4000 }, true);
    length.early();
    restoredAt(length, 0, 100);
    length.forget();
    expect(length.ms).toBe(1000);
    length.read({ resetMs: 3000, resetResolutionMs: 1 }, false);
    expect(length.ms).toBe(3000);
    length.early();
    restoredAt(length, 200);
    expect(length.ms).toBe(3000);
    length.forget(7000);
    expect(length.ms).toBe(7000);
  });
});
