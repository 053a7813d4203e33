import { it } from 'vitest';
import { seed } from '../support/seed.ts';
import { holdsFor } from './holds-for.ts';

it(
  `each row is one item, or held with its cause, whatever happens (3,000 scenarios of seed ${seed})`,
  () => holdsFor(3000, seed),
  1_500_000,
);
