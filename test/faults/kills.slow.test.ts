import { expect, it } from 'vitest';
import { killOften } from '../support/kill-often.ts';

/** Together 15 % of the answers. */
const faults = {
  dropAfterCommit: 0.05,
  dropBefore: 0.03,
  cutBody: 0.03,
  error500: 0.02,
  html502: 0.02,
  operations: ['createItem' as const],
};

it('an import that is killed ten times, while answers are lost and its list changes, creates each row once', async () => {
  const sandbox = { latencyMs: 10, order: 'updated' as const, faults, faultSeed: 3 };
  const { created, held } = await killOften({ rows: 1000, kills: 10, spread: 80, sandbox });
  expect({ created, held }).toEqual({ created: 1000, held: 0 });
});

it('an import that is killed 25 times, while 15% of the answers are lost, creates each row once', async () => {
  const sandbox = { latencyMs: 40, faults, faultSeed: 5 };
  const { created, held, kills } = await killOften({ rows: 1000, kills: 25, spread: 60, sandbox });
  expect(kills).toBe(25);
  expect(created + held).toBe(1000);
  // Whoever is killed with the same row in flight five times leaves it to a person.
  expect(held).toBeLessThan(10);
}, 900_000);
