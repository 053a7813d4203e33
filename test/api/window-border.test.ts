import { describe, expect, it } from 'vitest';
import { WindowBorder } from '../../src/api/window-border.ts';

const NEVER = Number.NEGATIVE_INFINITY;
/** A second, and the drift of two clocks during it. */
const WINDOW = 1000;
const NEXT = 1000.2;

/** A border that is predicted from 100 ms on. */
function proven(): WindowBorder {
  const border = new WindowBorder();
  border.whole(0, 100, WINDOW);
  return border;
}

describe('the border of a fixed window', () => {
  it('is unknown until a request finds the whole budget', () => {
    const border = new WindowBorder();
    border.passed(1000, WINDOW);
    expect(border.next(WINDOW)).toBeUndefined();
    border.whole(0, 100, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(100 + NEXT, 9);
  });

  it('is not predicted until a whole budget came back within a window, which only fixed windows do', () => {
    const border = new WindowBorder();
    border.whole(NEVER, 100, WINDOW);
    border.whole(115, 1100, WINDOW);
    expect(border.next(WINDOW)).toBeUndefined();
    border.whole(1115.1, 2100, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(2100 + NEXT, 9);
  });

  it('is predicted from the first whole budget if that came back within a window', () => {
    expect(proven().next(WINDOW)).toBeCloseTo(100 + NEXT, 9);
    expect(proven().next(3000)).toBeCloseTo(3100.6, 9);
  });

  it('is before the earliest answer, counted in whole windows', () => {
    const border = proven();
    border.whole(900, 1050, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(1050 + NEXT, 9);
    // This answer was late.
    border.whole(1950, 2130, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(1050 + 2 * NEXT, 9);
  });

  it('may be several windows after the last one', () => {
    const border = proven();
    border.whole(1000, 2150, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(100 + 3 * NEXT, 9);
    border.whole(NEVER, 4300, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(100 + 5 * NEXT, 9);
  });

  it('is one window later after each border between two units that were spent', () => {
    const border = proven();
    border.whole(2500, 2900, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(2900 + NEXT, 9);
  });

  it('is before an answer that is earlier than the known border', () => {
    const border = proven();
    border.whole(-1400, 50, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(50 + NEXT, 9);
  });

  it('is a window later once it has passed, or as many windows later as have passed', () => {
    const border = proven();
    border.passed(1000, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(100 + 2 * NEXT, 9);
    border.passed(100 + 4 * NEXT - 1, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(100 + 4 * NEXT, 9);
  });

  it('is not predicted for 8 windows after a wrong prediction, and twice as long after each further one', () => {
    const border = proven();
    let at = 1200;
    for (const rest of [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 4096]) {
      border.failed(at, WINDOW);
      at += rest * WINDOW;
      border.whole(at - 500, at - 1, WINDOW);
      expect(border.next(WINDOW)).toBeUndefined();
      // One border later is not enough: it must be proven again.
      border.whole(NEVER, at, WINDOW);
      expect(border.next(WINDOW)).toBeUndefined();
      border.whole(at + 900, at + 1000, WINDOW);
      expect(border.next(WINDOW)).toBeCloseTo(at + 1000 + NEXT, 9);
    }
  });

  it('is predicted soon again after 64 right predictions in a row', () => {
    for (const [right, rest] of [
      [63, 16],
      [64, 8],
    ] as const) {
      const border = proven();
      border.failed(0, WINDOW);
      for (let held = 0; held < right; held += 1) border.held();
      border.failed(100_000, WINDOW);
      border.whole(100_000 + rest * WINDOW - 500, 100_000 + rest * WINDOW - 1, WINDOW);
      expect(border.next(WINDOW)).toBeUndefined();
      border.whole(100_000 + rest * WINDOW - 500, 100_000 + rest * WINDOW, WINDOW);
      expect(border.next(WINDOW)).toBeDefined();
    }
  });

  it('counts right predictions only since the last wrong one', () => {
    const border = proven();
    for (let held = 0; held < 63; held += 1) border.held();
    border.failed(0, WINDOW);
    border.held();
    border.failed(100_000, WINDOW);
    border.whole(115_500, 115_999, WINDOW);
    expect(border.next(WINDOW)).toBeUndefined();
  });

  it('is unknown under another limit', () => {
    const border = proven();
    border.forget();
    expect(border.next(WINDOW)).toBeUndefined();
    border.whole(NEVER, 2150, WINDOW);
    expect(border.next(WINDOW)).toBeUndefined();
    border.whole(3000, 3150, WINDOW);
    expect(border.next(WINDOW)).toBeCloseTo(3150 + NEXT, 9);
  });

  it('was never predicted wrongly under another limit', () => {
    const border = proven();
    border.failed(0, WINDOW);
    border.forget();
    border.whole(1000, 1100, WINDOW);
    expect(border.next(WINDOW)).toBeDefined();
    border.failed(10_000, WINDOW);
    border.whole(17_900, 18_000, WINDOW);
    expect(border.next(WINDOW)).toBeDefined();
  });
});
