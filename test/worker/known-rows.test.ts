/** A file that comes again with a few rows more, dropped into a watched folder. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { submitImport } from '../../src/worker/submit.ts';
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

test('an import whose items were created while it was queued is held, as after a restored backup', async () => {
  await using place = await openWorker('');
  const { sandbox, folder, ledger } = place;
  place.dropper('.')('toys.csv', toys(2));
  await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  await using queue = await openQueue(ledger);
  const request = { file: join(folder, 'toys.csv'), collection: 'Main' };
  const spool = new Spool(join(folder, 'spool'));
  await submitImport(request, { ledger, queue, spool, laneId: client.laneId });
  sandbox.control.insertItems([0, 1].map((index) => ({ name: `Toy ${index}`, brand: 'Kenner' })));
  const { runs } = await place.once();
  expect(runs).toMatchObject([{ state: 'failed', exitCode: 3, error: { code: 'store_behind' } }]);
  expect(sandbox.control.items()).toHaveLength(2);
});

test('a file that gains a column of codes creates no item again, and its new rows are created', async () => {
  await using place = await openWorker(
    'hotFolders:\n  - { path: ./drop, profile: main, import: { collection: Main } }\n',
  );
  const drop = place.dropper('drop');
  const names = ['Robot', 'Car', 'Boat', 'Bear', 'Kite'];
  const list = (count: number) =>
    csv(
      ['name', 'sku'],
      names.slice(0, count).map((name, index) => [name, `A-${index}`]),
    );
  const plain = csv(
    ['name'],
    names.slice(0, 3).map((name) => [name]),
  );
  const made: [number, number][] = [];
  for (const content of [plain, list(3), list(4), list(5)]) {
    drop('toys.csv', content);
    drop('toys.csv.ready', '');
    const { exitCode } = await place.once();
    made.push([exitCode, place.sandbox.control.items().length]);
  }
  expect(made).toEqual([
    [0, 3],
    [3, 3],
    [3, 4],
    [3, 5],
  ]);
});
