import { it } from 'vitest';
import { holdsFor } from './holds-for.ts';

// What several jobs and people do to rows is checked over hours of simulated time and every order of misfortunes.
it(
  'each row of each job is one item, or held with its cause, whatever happens',
  () => holdsFor(200),
  600_000,
);
