import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/open-import.ts';
import { type Kind, KINDS, openAdversary, outcomeOf } from './kinds.ts';

/** Kinds of outcomes without which the inputs would show little. */
const MIN_OUTCOMES: Record<Kind, number> = {
  csv: 2,
  xlsx: 5,
  xls: 5,
  ods: 5,
  yaml: 4,
  headers: 2,
  answers: 6,
  names: 6,
  forms: 6,
  cells: 1,
};

/** Played of each kind; long cells take longest. */
const COUNT: Partial<Record<Kind, number>> = { cells: 3 };

/** Inputs that were too much for a parser once, found among hundreds of thousands. */
const ONCE_TOO_MUCH: [Kind, number][] = [
  // A text of odd length at an odd address, which made Node abort.
  ['xls', 50_897],
];

it.each(ONCE_TOO_MUCH)('%s number %i is read, or refused with a known error', async (kind, number) => {
  const adversary = await openAdversary(kind, await temporaryFolder());
  expect(await outcomeOf(kind, adversary, number)).not.toBe('');
  await adversary.close?.();
});

// Thousands of each are read in the slow tests, and as many as FUZZ says.
describe('damaged input is read, or refused with a known error', () => {
  it.each(KINDS)('several files of the kind %s', async (kind) => {
    const adversary = await openAdversary(kind, await temporaryFolder());
    const outcomes = new Set<string>();
    const count = COUNT[kind] ?? 200;
    for (let number = 0; number < count; number += 1) outcomes.add(await outcomeOf(kind, adversary, number));
    await adversary.close?.();
    expect(outcomes).toContain(kind === 'names' ? 'done' : 'read');
    expect(outcomes.size).toBeGreaterThanOrEqual(MIN_OUTCOMES[kind]);
  });
});
