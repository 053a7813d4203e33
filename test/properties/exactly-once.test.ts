import { it } from 'vitest';
import { seed } from '../support/seed.ts';
import { holdsFor } from './holds-for.ts';

// What an import does to rows is checked over hours of simulated time and every order of misfortunes.

it(
  `each row is one item, or held with its cause, whatever happens (200 scenarios of seed ${seed})`,
  () => holdsFor(200, seed),
  120_000,
);
