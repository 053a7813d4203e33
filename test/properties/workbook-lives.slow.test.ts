import { expect, it } from 'vitest';
import * as fc from '../support/fast-check.ts';
import { SCENARIOS } from '../support/scenarios.ts';
import { life, play } from './workbooks/life.ts';

it('each row of a workbook results in one item with the values that it means, or something is said', async () => {
  const sums = { created: 0, clean: 0 };
  const numRuns = Math.ceil(SCENARIOS / 100);
  await fc.assert(
    fc.asyncProperty(life, async (each) => {
      const { violations, created, clean } = await play(each);
      expect(violations).toEqual([]);
      sums.created += created;
      sums.clean += clean;
    }),
    // Also where it fails: looking for a smaller scenario ends in time for the report.
    { numRuns, interruptAfterTimeLimit: 60_000 + numRuns * 2500, markInterruptAsFailure: true },
  );
  // Whoever refuses everything keeps the promise, too.
  expect(sums.created).toBeGreaterThan(numRuns / 2);
  expect(sums.clean).toBeGreaterThan(numRuns / 20);
}, 3_600_000);
