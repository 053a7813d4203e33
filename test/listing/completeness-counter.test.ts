import { describe, expect, it } from 'vitest';
import {
  ageSince,
  CompletenessCounter,
  headOf,
  isOlder,
  isUntouched,
  latestOf,
  type Listed,
  touchedAt,
} from '../../src/listing/completeness-counter.ts';

const T0 = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(T0 + ms).toISOString();
/** An item of this number, created and changed at these times. */
const item = (number: number, created: number | string, updated = created): Listed => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  created_at: typeof created === 'string' ? created : at(created),
  updated_at: typeof updated === 'string' ? updated : at(updated),
});

describe('the head of a list', () => {
  it('has the latest of both times, of all items that tell one', () => {
    expect(latestOf([])).toBeUndefined();
    expect(latestOf([item(1, '?')])).toBeUndefined();
    expect(latestOf([item(1, 5), item(2, 3, 9), item(3, '?')])).toBe(T0 + 9);
    expect(touchedAt(item(1, 3, 9))).toBe(T0 + 9);
    expect(touchedAt(item(1, 3, '?'))).toBeUndefined();
  });

  it.each([
    ['it shows something older', [item(1, 5), item(2, 4)], false, true],
    ['it is the whole list', [item(1, 5), item(2, 5)], true, true],
    ['all of it has one time', [item(1, 5), item(2, 5)], false, false],
    ['it shows no time', [item(1, '?')], true, false],
  ])('has all that share its latest time if %s', (_, items, whole, bounded) => {
    expect(headOf(items, whole)).toMatchObject({ bounded, ids: new Set(items.map(({ id }) => id)) });
  });

  const head = { ids: new Set([item(1, 0).id]), latest: T0 + 5, bounded: true };
  it.each([
    ['older than its latest time', item(2, 4), head, 'old'],
    ['of its latest time', item(2, 5), head, 'new'],
    ['of its latest time, of which it may have missed some', item(2, 5), { ...head, bounded: false }, 'old'],
    ['later', item(2, 6), { ...head, bounded: false }, 'new'],
    ['on it', item(1, 6), head, 'old'],
    ['without a time', item(2, '?'), head, 'unknown'],
    ['changed before it was created', item(2, 6, 5), head, 'unknown'],
    ['later than no time', item(2, 6), { ...head, latest: undefined }, 'unknown'],
  ])('makes an item %s %4$s', (_, each, of, age) => expect(ageSince(of, each)).toBe(age));

  it('tells what came before and what has not changed', () => {
    expect([isOlder(item(1, 3, 5), T0 + 5), isOlder(item(1, 3, 4), T0 + 5)]).toEqual([false, true]);
    expect(isOlder(item(1, '?'), T0 + 5)).toBe(false);
    expect([isUntouched(item(1, 5), T0 + 5), isUntouched(item(1, 3, 6), T0 + 5)]).toEqual([true, false]);
    expect([isUntouched(item(1, '?'), T0), isUntouched(item(1, 5), undefined)]).toEqual([true, true]);
  });
});

describe('a completeness counter', () => {
  const open = (before: number) =>
    new CompletenessCounter({ ids: new Set(), latest: T0 + 5, bounded: true }, before);

  it('counts each item once, and decides by the count', () => {
    const counter = open(3);
    expect(counter.take([item(1, 1), item(1, 1), item(2, 2)])).toEqual([item(1, 1), item(2, 2)]);
    expect(counter.take([item(2, 2)])).toEqual([]);
    expect([counter.judge(3), counter.missing, counter.distinct]).toEqual(['gap', 1, 2]);
    counter.take([item(3, 3)]);
    expect([counter.judge(3), counter.missing, counter.newer]).toEqual(['complete', 0, 0]);
    expect(counter.counts).toEqual({ before: 3, after: 3 });
  });

  it('knows what came since the first count, and that it must be in the list', () => {
    const counter = open(2);
    counter.take([item(1, 1), item(2, 2), item(3, 8)]);
    expect([counter.newer, counter.judge(3), counter.missing]).toEqual([1, 'complete', 0]);
    expect(counter.counts).toEqual({ before: 2, after: 3 });
  });

  it('sees a removal by a smaller count, by new items that are not counted, and by more than there is', () => {
    const fewer = open(3);
    expect([fewer.judge(5), fewer.judge(4), fewer.removedAtLeast]).toEqual(['gap', 'removed', 1]);
    // It stays seen.
    expect([fewer.judge(9), fewer.removedAtLeast]).toEqual(['removed', 1]);
    const hidden = open(3);
    hidden.take([item(1, 1), item(4, 8), item(5, 8)]);
    expect([hidden.judge(4), hidden.removedAtLeast]).toEqual(['removed', 1]);
    expect(hidden.missing).toBe(2);
    const more = open(2);
    more.take([item(1, 1), item(2, 2), item(3, 3)]);
    expect([more.judge(2), more.removedAtLeast, more.missing]).toEqual(['removed', 1, 0]);
  });

  it('counts items of unknown age as missing others, and never more than there were', () => {
    const counter = open(2);
    counter.take([item(1, 1), item(3, '?')]);
    expect([counter.judge(3), counter.missing]).toEqual(['gap', 1]);
    counter.take([item(4, 9, 8), item(5, '?'), item(6, '?')]);
    expect(counter.missing).toBe(1);
    expect(open(2).missing).toBe(2);
  });
});
