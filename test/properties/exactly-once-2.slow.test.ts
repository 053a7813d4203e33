import { it } from 'vitest';
import { holdsFor } from './holds-for.ts';

// A file of its own, for the machine's other core.
it(
  'each row of each job is one item, or held with its cause, whatever happens (5,000 more)',
  () => holdsFor(5000, 1),
  3_600_000,
);
