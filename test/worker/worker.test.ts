import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { DAY, DROP, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';

const names = (place: WorkerPlace, folder: string) =>
  existsSync(join(place.folder, folder)) ? readdirSync(join(place.folder, folder)).sort() : [];

test('a schedule seen for the first time has missed nothing; later each missed time is made up for by its policy', async () => {
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

test('limit and age bound what is made up for; retention keeps the newest files', async () => {
  await using place = await openWorker(
    EXPORT('catchUp: { policy: all, limit: 3, age: 4d }\n    retention: { keep: 2 }'),
  );
  await place.once({ now: TUESDAY });
  const { runs } = await place.once({ now: TUESDAY + 30 * DAY });
  expect(runs.map(({ id }) => id)).toEqual([
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

test('a delivery that fails is tried again by itself: the export is made once', async () => {
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

test('what cannot heal fails at once, what may is tried five times and parked with its error', async () => {
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

test('a file that is dropped is imported, and lies in done/ with its results; the same content again adds nothing', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('toys.csv', 'name,release_year\nRobot,1985\nBear,19999\n');
  drop('broken.xlsx', 'no workbook');
  drop('unfinished.csv.part', 'name\n');
  const { exitCode } = await place.once();
  expect(exitCode).toBe(3);
  expect(names(place, 'drop/done')).toEqual(['toys.csv', 'toys.rejects.csv', 'toys.results.csv']);
  expect(names(place, 'drop/failed')).toEqual(['broken.error.txt', 'broken.xlsx']);
  expect(names(place, 'drop/processing')).toEqual([]);
  expect(names(place, 'drop')).toContain('unfinished.csv.part');

  drop('toys.csv', 'name,release_year\nRobot,1985\nBear,19999\n');
  const again = await place.once();
  expect(again.runs[0]).toMatchObject({ state: 'done', error: { code: 'already_applied' } });
  expect(names(place, 'drop/done')).toEqual([
    'toys-2.csv',
    'toys.csv',
    'toys.rejects.csv',
    'toys.results.csv',
  ]);
  expect(place.sandbox.control.items().map(({ name }) => name)).toEqual(['Robot']);
});

test('a file that still grows is waited for, and one with a .ready mark is not', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('marked.csv', 'name\nMarked\n');
  drop('marked.csv.ready', '');
  drop('growing.csv', 'name\nFirst\n');
  const worker = place.once();
  await systemClock.sleep(1000);
  writeFileSync(join(place.folder, 'drop/growing.csv'), 'name\nFirst\nSecond\n');
  await worker;
  expect(
    place.sandbox.control
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['First', 'Marked', 'Second']);
  expect(names(place, 'drop').filter((name) => name.includes('ready'))).toEqual([]);
});

test('what a worker had claimed when it died is taken over, whether it was noted or not', async () => {
  await using place = await openWorker(DROP);
  for (const folder of ['drop/processing/261116-0000aaaa', 'drop/processing'])
    mkdirSync(join(place.folder, folder), { recursive: true });
  writeFileSync(join(place.folder, 'drop/processing/261116-0000aaaa/claimed.csv'), 'name\nClaimed\n');
  writeFileSync(join(place.folder, 'drop/processing/loose.csv'), 'name\nLoose\n');
  const { exitCode, runs } = await place.once();
  expect(exitCode).toBe(0);
  expect(runs.map(({ tries }) => tries)).toEqual([0, 0]);
  expect(
    place.sandbox.control
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Claimed', 'Loose']);
  expect(names(place, 'drop/done').filter((name) => !name.includes('results'))).toEqual([
    'claimed.csv',
    'loose.csv',
  ]);
});

test('files of a folder that is polled, as a network share is, are found', async () => {
  await using place = await openWorker(DROP.replace('profile: main', 'polling: true, profile: main'));
  const stop = new AbortController();
  const worker = place.once({ signal: stop.signal, graceMs: 2000, once: false });
  place.dropper('drop')('late.csv', 'name\nLate\n');
  const old = new Date(Date.now() - 60_000);
  utimesSync(join(place.folder, 'drop/late.csv'), old, old);
  while (place.sandbox.control.items().length === 0) await systemClock.sleep(20);
  stop.abort();
  expect((await worker).exitCode).toBe(0);
  expect(readFileSync(join(place.folder, 'drop/done/late.results.csv'), 'utf8')).toContain('Late');
});
