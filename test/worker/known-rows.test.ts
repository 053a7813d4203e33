/** A file that comes again with a few rows more, dropped into a watched folder. */
import { expect, test } from 'vitest';
import { csv } from '../support/csv.ts';
import { openWorker } from './open-worker.ts';

const toys = (count: number) =>
  csv(
    ['name', 'brand'],
    Array.from({ length: count }, (_, index) => [`Toy ${index}`, 'Kenner']),
  );

test.each([
  ['', 11],
  [', allRows: true', 19],
])('a watched folder (import: { collection: Main%s }) creates %i items in total', async (option, items) => {
  await using place = await openWorker(
    `hotFolders:\n  - { path: ./drop, profile: main, import: { collection: Main${option} } }\n`,
  );
  const drop = place.dropper('drop');
  for (const count of [8, 11]) {
    drop('toys.csv', toys(count));
    drop('toys.csv.ready', '');
    expect(await place.once()).toMatchObject({ exitCode: 0, runs: [{ state: 'done', rows: count }] });
  }
  expect(place.sandbox.control.items()).toHaveLength(items);
});
