import { expect, test } from 'vitest';
import { checkReadings } from './shifting-reads.ts';

const READINGS = 20_000;

test(`${READINGS} readings of changing lists are complete, or report how many items are missing`, async () => {
  await expect(checkReadings(READINGS)).resolves.toBeUndefined();
});
