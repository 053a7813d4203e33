import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/open-import.ts';
import { FOUND } from './found.ts';
import { holdsFor } from './holds-for.ts';
import { Stage } from './run-scenario.ts';

// What several jobs and people do to rows is checked over hours of simulated time and every order of misfortunes.
it(
  'each row of each job results in one item, or is held with a cause, whatever happens',
  () => holdsFor(50),
  600_000,
);

it.each(Object.entries(FOUND))('the scenario %s, which failed in the past, passes', async (_, scenario) => {
  const stage = new Stage(await temporaryFolder());
  await stage.prepare();
  expect((await stage.play(scenario)).violations).toEqual([]);
});
