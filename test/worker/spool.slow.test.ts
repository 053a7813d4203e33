import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { newPlace, type Place } from '../cli/run-shelflift.ts';
import { overriding } from '../support/overriding.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { DAY, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';

test('a file is read from the store unchanged, or refused with a known error', async () => {
  await using place = await openWorker('');
  const file = join(place.folder, 'toys.csv');
  // Two pieces.
  const text = `name\n${'Robot\n'.repeat(200_000)}`;
  writeFileSync(file, text);
  await new Spool(join(place.folder, 'here'), place.ledger.values).put('one', file);
  const there = new Spool(join(place.folder, 'there'), place.ledger.values);
  const fetched = (await there.fetch('one', 'toys.csv')) ?? '';
  expect(readFileSync(fetched, 'utf8')).toBe(text);
  // A copy of this machine that is another one is fetched anew.
  writeFileSync(fetched, 'name\n');
  expect(readFileSync((await there.fetch('one', 'toys.csv')) ?? '', 'utf8')).toBe(text);

  const [piece] = await place.ledger.values.list('spool:one:toys.csv', { limit: 1 });
  await place.ledger.values.put('spool:one:toys.csv', [{ key: piece?.key ?? '', value: 'bmFtZQo=' }]);
  await there.release('one');
  await expect(there.fetch('one', 'toys.csv')).rejects.toMatchObject({
    code: 'spool_damaged',
    message: expect.stringContaining('toys.csv') as string,
  });
});

test('a file that is submitted twice at once is stored once, and complete', async () => {
  await using place = await openWorker('');
  const spool = new Spool(join(place.folder, 'spool'), place.ledger.values);
  const files = ['a', 'b'].map((name) => join(place.folder, name, 'items.csv'));
  for (const file of files) {
    place.dropper(file.slice(place.folder.length, -'items.csv'.length))('items.csv', file.repeat(40_000));
  }
  await Promise.all(files.map((file) => spool.put('one', file)));
  const fetched = readFileSync((await spool.fetch('one', 'items.csv')) ?? '', 'utf8');
  expect(files.map((file) => readFileSync(file, 'utf8'))).toContain(fetched);
});

test('a worker that was suspended does not replace the file that another worker has made since', async () => {
  await using place = await openWorker('');
  const spool = new Spool(join(place.folder, 'spool'), place.ledger.values);
  const made = async (content: string) => {
    const file = join(await spool.folderOfTry('one'), 'items.csv');
    writeFileSync(file, content);
    return file;
  };
  const early = await made('before it was suspended');
  const name = await spool.put('one', await made('by another worker'));
  await spool.put('one', early);
  await spool.release('one');
  expect(readFileSync((await spool.fetch('one', name)) ?? '', 'utf8')).toBe('by another worker');
});

test('two databases with schedules of one name keep their files apart on one machine', async () => {
  await using place = await openWorker('');
  const folders = ['one', 'two'].map((database) => {
    const ledger = overriding(place.ledger, { location: `postgres://localhost/${database}` });
    return Spool.of(ledger, place.folder).folder('items@2026-06-17');
  });
  expect(new Set(folders).size).toBe(2);
});

test('a file that was damaged while it waited for delivery is not delivered', async () => {
  await using place = await openWorker(EXPORT());
  await place.once({ now: TUESDAY });
  writeFileSync(join(place.folder, 'out'), 'in the way');
  const stop = new AbortController();
  await place.once({
    now: TUESDAY + DAY,
    once: false,
    signal: stop.signal,
    emit: ({ type }) => type === 'delivery_failed' && stop.abort(),
  });
  const [run] = await new Runs(place.ledger).list();
  expect(run?.state).toBe('delivering');
  const folder = join(place.folder, 'spool', run?.id.replaceAll(':', '-') ?? '');
  const kept = run?.artefact?.files.map((name) => join(folder, name)) ?? [];
  expect(kept.every((file) => existsSync(file))).toBe(true);
  writeFileSync(kept[0] ?? '', '');
  const { exitCode, runs } = await place.once({ now: TUESDAY + DAY });
  expect(exitCode).toBe(2);
  expect(runs).toMatchObject([{ state: 'failed', error: { code: 'spool_damaged' } }]);
});

/** A file is submitted, and its source is gone; `through` carries the store on, and says where it is. */
async function submitted(through: (place: Place, store: string) => Promise<string>): Promise<void> {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', 'Toy\nRobot\n');
  const template = place.file('mine.yaml', 'name: mine\ncolumns: { name: { from: [Toy] } }\n');
  const store = join(place.folder, 'first.db');
  const words = ['jobs', 'submit', 'import', 'toys.csv', '--collection', 'Main', '--template', template];
  expect(await place.call([...words, '--store', store])).toMatchObject({ code: 0 });
  for (const name of ['toys.csv', 'mine.yaml']) rmSync(join(place.folder, name));
  const other = await through(place, store);
  const { code, stdout } = await place.call([
    'worker',
    '--once',
    '--json',
    '--store',
    other,
    '--api-url',
    api.url,
  ]);
  expect([code, JSON.parse(stdout)], stdout).toMatchObject([0, { runs: [{ state: 'done', rows: 1 }] }]);
  expect(api.control.items()).toHaveLength(1);
}

async function carry(place: Place, argv: string[]): Promise<void> {
  const { code, stdout, stderr } = await place.call([...argv, '--json']);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ waiting_files: 2 });
}

test('a backup of a store contains the files that wait to be imported', () =>
  submitted(async (place, store) => {
    const backup = join(place.folder, 'backup.db');
    await carry(place, ['store', 'backup', backup, '--store', store]);
    for (const path of [store, `${store}.spool`]) rmSync(path, { recursive: true });
    return backup;
  }));

describe.skipIf(POSTGRES.length === 0)('on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));

  test('a store is copied to a server, to another server, and back to a file, with the files that wait to be imported', () =>
    submitted(async (place, store) => {
      const [there, elsewhere] = [await server.newDatabase(), await server.newDatabase()];
      const back = join(place.folder, 'back.db');
      await carry(place, ['store', 'copy', '--from', store, '--to', there]);
      await carry(place, ['store', 'copy', '--from', there, '--to', elsewhere]);
      await carry(place, ['store', 'backup', back, '--store', elsewhere]);
      await using ledger = await openLedger(back);
      expect(await ledger.values.spaces('spool:')).toEqual([]);
      return back;
    }));
});
