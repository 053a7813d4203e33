import { it } from 'vitest';
import { holdsFor } from './holds-for.ts';

it(
  'each row of each job is one item, or held with its cause, whatever happens (5,000 scenarios)',
  () => holdsFor(5000, 0),
  3_600_000,
);
