import { it } from 'vitest';
import { holdsFor } from './holds-for.ts';
import { SCENARIOS } from '../support/scenarios.ts';

it(
  'each row of each job is one item, or held with its cause, whatever happens (half of the scenarios)',
  () => holdsFor(SCENARIOS / 2),
  3_600_000,
);
