import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';

const names = (place: WorkerPlace, folder: string) =>
  existsSync(join(place.folder, folder)) ? readdirSync(join(place.folder, folder)).sort() : [];

test('a new schedule has missed no runs; later each missed time is handled by its policy', async () => {
  const made: Record<string, string[]> = {};
  for (const policy of ['once', 'all', 'skip']) {
    await using place = await openWorker(EXPORT(`catchUp: ${policy}`));
    expect((await place.once({ now: TUESDAY })).runs).toEqual([]);
    // Away from Tuesday 07:00 to Friday 07:00: three times were missed.
    await place.once({ now: TUESDAY + 3 * DAY });
    made[policy] = names(place, 'out').filter((name) => name.endsWith('.csv'));
    // And nothing is made up for twice.
    expect((await place.once({ now: TUESDAY + 3 * DAY + 60_000 })).runs).toEqual([]);
  }
  expect(made).toEqual({
    once: ['items-2026-06-19.csv'],
    all: ['items-2026-06-17.csv', 'items-2026-06-18.csv', 'items-2026-06-19.csv'],
    skip: [],
  });
});

test('limit and age restrict the runs that are caught up on, and retention keeps the newest files', async () => {
  await using place = await openWorker(
    EXPORT('catchUp: { policy: all, limit: 3, age: 4d }\n    retention: { keep: 2 }'),
  );
  await place.once({ now: TUESDAY });
  const { runs } = await place.once({ now: TUESDAY + 30 * DAY });
  // Deliveries need no turn of the key: they end in any order.
  expect(runs.map(({ id }) => id).toSorted()).toEqual([
    'accounting@2026-07-14T04:00:00.000Z',
    'accounting@2026-07-15T04:00:00.000Z',
    'accounting@2026-07-16T04:00:00.000Z',
  ]);
  expect(names(place, 'out')).toEqual([
    'items-2026-07-15.csv',
    'items-2026-07-15.csv.manifest.json',
    'items-2026-07-16.csv',
    'items-2026-07-16.csv.manifest.json',
  ]);
});

test('a failed delivery is retried automatically, without a second export', async () => {
  await using place = await openWorker(`${EXPORT()}\nretries: { backoff: 1ms }\n`);
  await place.once({ now: TUESDAY });
  // A file where the folder should be.
  writeFileSync(join(place.folder, 'out'), '');
  const failed = await place.once({ now: TUESDAY + DAY });
  expect(failed.exitCode).toBe(6);
  expect(failed.runs[0]).toMatchObject({ state: 'parked_poison', error: { code: 'delivery_failed' } });
  expect(failed.runs[0]?.deliveries?.[0]).toMatchObject({ done: false, tries: 5 });
  const lists = place.sandbox.control.counts().requests;
  expect(lists).toBeLessThan(10);
});

test('a run fails at once with a permanent error, and is parked with a temporary error after five tries', async () => {
  await using place = await openWorker(`
schedules:
  nowhere:
    profile: main
    cron: "0 6 * * *"
    timeZone: UTC
    task: { export: items, out: a.csv, collection: Nope }
  stable:
    profile: main
    cron: "0 6 * * *"
    timeZone: UTC
    task: { export: items, out: b.csv }
retries: { backoff: 1ms }
`);
  await place.once({ now: TUESDAY });
  const { secret } = place.sandbox.control.addKey(['collections:read']);
  const { runs, exitCode } = await place.once({ now: TUESDAY + DAY, environment: { THE_KEY: secret } });
  expect(exitCode).toBe(5);
  expect(runs.find(({ id }) => id.startsWith('nowhere'))).toMatchObject({
    state: 'failed',
    tries: 0,
    exitCode: 2,
  });
  expect(runs.find(({ id }) => id.startsWith('stable'))).toMatchObject({
    state: 'parked_poison',
    tries: 5,
    error: { code: expect.any(String) as string },
  });
});

test('with header-row: 0, the columns of a watched folder’s files are identified by letter', async () => {
  await using place = await openWorker(
    'hotFolders:\n  - { path: ./drop, profile: main, import: { collection: Main, header-row: 0, map: { name: A, release_year: C } } }\n',
  );
  const drop = place.dropper('drop');
  drop('toys.csv', 'Robot,Acme,1985\nBear,Kenner,1986\n');
  drop('toys.csv.ready', '');
  expect(await place.once()).toMatchObject({ exitCode: 0, runs: [{ state: 'done', rows: 2 }] });
  const items = place.sandbox.control.items();
  expect(items.map(({ name, release_year: year }) => [name, year])).toEqual(
    expect.arrayContaining([
      ['Robot', 1985],
      ['Bear', 1986],
    ]),
  );
});
