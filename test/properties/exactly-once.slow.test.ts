import { it } from 'vitest';
import { holdsFor } from './holds-for.ts';
import { SCENARIOS } from '../support/scenarios.ts';

it(
  'each row of each job results in one item, or is held with a cause, whatever happens (half of the scenarios)',
  () => holdsFor(SCENARIOS / 2),
  3_600_000,
);
