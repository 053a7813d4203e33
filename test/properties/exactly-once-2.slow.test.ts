import { it } from 'vitest';
import { holdsFor } from './holds-for.ts';

// A file of its own, for the machine's other core.
it(
  'each row of each job is one item, or held with its cause, whatever happens (500 more)',
  () => holdsFor(500, 2_115_755_641),
  3_600_000,
);
