import { it } from 'vitest';
import { seed } from '../support/seed.ts';
import { holdsFor } from './holds-for.ts';
import { SCENARIOS } from '../support/scenarios.ts';

// A file of its own, for the machine's other core.
it(
  'each row of each job results in one item, or is held with a cause, whatever happens (5,000 more)',
  () => holdsFor(SCENARIOS / 2, seed + 1),
  3_600_000,
);
