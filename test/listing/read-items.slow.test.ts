import { expect, test } from 'vitest';
import { SCENARIOS } from '../support/scenarios.ts';
import { checkReadings } from './shifting-reads.ts';

const READINGS = 2 * SCENARIOS;

test(`${READINGS} readings of changing lists are complete, or report how many items are missing`, async () => {
  await expect(checkReadings(READINGS)).resolves.toBeUndefined();
});
