import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace, type Place } from '../cli/run-shelflift.ts';
import { toys } from '../support/csv.ts';
import { type BadInput, check, checkWords, oneObject } from './check.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const IMPORT = ['import', 'toys.csv', '--collection', 'Main'];
const CONDITIONS = `--import=${pathToFileURL(join(import.meta.dirname, 'store-conditions.ts')).href}`;

function importToys(at: Place, ...more: string[]): string[] {
  at.file('toys.csv', toys(3, `Toy ${Math.random()}`));
  return [...IMPORT, ...more];
}

/** A store of ours, closed again. */
async function newStore({ folder }: Place): Promise<string> {
  const path = join(folder, 'l.db');
  await openSqliteLedger(path).close();
  return path;
}

/** Holds a store's write lock until the test's end. */
const holders: DatabaseSync[] = [];
afterAll(() => {
  for (const holder of holders) holder.close();
});

const STORES: BadInput[] = [
  {
    name: 'a store that is a spreadsheet',
    make: (at) => importToys(at, '--store', 'toys.csv'),
    exit: 2,
    code: 'store_not_ours',
    says: ['toys.csv', /not a store that shelflift created/, /--store/],
  },
  {
    name: 'a store that is a database of another program',
    make: (at) => {
      const other = new DatabaseSync(join(at.folder, 'photos.db'));
      other.exec('CREATE TABLE photos (name TEXT)');
      other.close();
      return importToys(at, '--store', 'photos.db');
    },
    exit: 2,
    code: 'store_not_ours',
    says: ['photos.db', /another program/, /--store/],
  },
  {
    name: 'a store that is newer',
    real: true,
    make: async (at) => {
      const store = new DatabaseSync(await newStore(at));
      store.exec('PRAGMA user_version = 999');
      store.close();
      return importToys(at);
    },
    exit: 2,
    code: 'store_newer',
    says: ['l.db', /newer version of shelflift/, /999/],
  },
  {
    name: 'a store that is locked',
    real: true,
    make: async (at) => {
      const holder = new DatabaseSync(await newStore(at));
      holder.exec('BEGIN IMMEDIATE');
      holders.push(holder);
      return importToys(at, '--wait', '200ms');
    },
    exit: 6,
    code: 'store_locked',
    says: ['l.db', /locked by another program/, /[Ww]ait until the other program/],
  },
  {
    name: 'a store with damaged pages, listed',
    make: async (at) => {
      const path = await newStore(at);
      const bytes = readFileSync(path);
      // All but the first page.
      writeFileSync(path, bytes.fill(0xaa, 4096));
      return ['jobs', 'list', '--store', path, '--json'];
    },
    exit: 2,
    code: 'store_damaged',
    says: ['l.db', /is damaged/, /store check/, /\.recover/],
  },
  {
    name: 'a store with damaged pages, checked',
    make: async (at) => {
      const path = await newStore(at);
      const bytes = readFileSync(path);
      // All but the first page.
      writeFileSync(path, bytes.fill(0xaa, 4096));
      return ['store', 'check', '--store', path, '--json'];
    },
    exit: 2,
    code: 'store_damaged',
    says: ['l.db', /is damaged/, /store check/, /\.recover/],
  },
  {
    name: 'a store on a read-only file system',
    real: true,
    environment: { NODE_OPTIONS: CONDITIONS, STORE_READ_ONLY: '1' },
    make: async (at) => {
      await newStore(at);
      return importToys(at);
    },
    exit: 2,
    code: 'store_unwritable',
    says: ['l.db', /cannot be opened for writing/, /permissions/],
  },
  {
    name: 'a store in a folder that is a file',
    make: (at) => importToys(at, '--store', 'toys.csv/l.db'),
    exit: 2,
    code: 'store_unwritable',
    says: ['toys.csv/l.db', /cannot be opened for writing/, /Check the folder/],
  },
  {
    name: 'a store that is a folder',
    make: (at) => importToys(at, '--store', '.'),
    exit: 2,
    code: 'store_unwritable',
    says: [/cannot be opened for writing/],
  },
  {
    name: 'a PostgreSQL store whose server is unreachable',
    make: (at) => importToys(at, '--store', 'postgres://me:pass-word@127.0.0.1:1/toys'),
    exit: 6,
    code: 'store_unreachable',
    says: ['postgres://me@127.0.0.1:1/toys', /cannot be reached.*ECONNREFUSED/, /Start the server/],
    secrets: ['pass-word'],
  },
  {
    name: 'jobs of a store that does not exist yet',
    make: () => ['jobs', 'resume', 'last'],
    exit: 2,
    code: 'no_such_job',
    says: [/no job in this store yet/],
  },
];

it.each(STORES)('$name', async (bad) => {
  const { at } = await check({ asksNothing: true, ...bad }, sandbox);
  // Whatever it was taken for, it is as it was.
  if (bad.name.endsWith('spreadsheet'))
    expect(readFileSync(join(at.folder, 'toys.csv'), 'utf8')).toMatch(/^name,/);
});

it('if the disk is full while a file is read, the job is parked before anything is sent', async () => {
  await check(
    {
      name: 'a disk that is full while a file is read',
      real: true,
      environment: { NODE_OPTIONS: CONDITIONS, STORE_ROOM_PAGES: '60' },
      make: (at) => {
        at.file('toys.csv', toys(3000, 'Full'));
        return IMPORT;
      },
      exit: 6,
      code: 'disk_full',
      says: [/disk .* is full/, /Free some space/],
      asksNothing: true,
    },
    sandbox,
  );
});

it('if the disk fills up during sending, the job is parked, and a resume with free space sends every row once', async () => {
  const at = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'l.db',
  });
  at.file('toys.csv', toys(400, 'Filling'));
  const planned = await at.call([...IMPORT, '--dry-run', '--json']);
  const { job } = oneObject(planned.stdout) as { job: string };
  const full = { environment: { NODE_OPTIONS: CONDITIONS, STORE_ROOM_PAGES: '6' } };
  const run = await at.run(['jobs', 'apply', job, '--json'], full);
  checkWords({ exit: 6, says: [/disk .* is full/, /Free some space/, /jobs resume/] }, run, [sandbox.key]);
  expect(oneObject(run.stdout)).toMatchObject({ state: 'parked_disk', error: { code: 'disk_full' } });
  // Once more, as a person reads it: how many rows are not sent yet.
  const again = await at.run(['jobs', 'resume', job, '--quiet-period', '200ms'], full);
  expect([again.code, again.stdout]).toEqual([6, expect.stringMatching(/parked: the disk is full/)]);
  const { rows } = oneObject((await at.call(['jobs', 'show', job, '--json'])).stdout) as {
    rows: { created: number; pending: number };
  };
  expect(rows.pending).toBeGreaterThan(0);
  expect(again.stdout).toContain(`400 read = ${rows.created} created + ${rows.pending} pending`);
  expect(`${again.stdout}${again.stderr}`).not.toMatch(/rows (?:are|were) sent|was sent is recorded/);
  const rest = await at.run(['jobs', 'resume', 'last', '--json', '--quiet-period', '200ms']);
  expect(rest.code, rest.stderr).toBe(0);
  const names = sandbox.control.items().filter(({ name }) => name.startsWith('Filling'));
  expect([names.length, new Set(names.map(({ name }) => name)).size]).toEqual([400, 400]);
});

const OUT: BadInput[] = [
  {
    name: 'results to a folder that is a file',
    make: (at) => importToys(at, '--out-dir', 'toys.csv'),
    exit: 2,
    code: 'out_dir_unwritable',
    says: ['toys.csv', /Nothing was sent/, /--out-dir/],
  },
  {
    name: 'a log file that cannot be written',
    make: (at) => importToys(at, '--log-file', '/proc/shelflift.log'),
    exit: 2,
    code: 'log_file_unwritable',
    says: ['/proc/shelflift.log'],
  },
  {
    name: 'a log file that is the input',
    real: true,
    make: (at) => importToys(at, '--log-file', 'toys.csv'),
    exit: 2,
    code: 'output_is_input',
    says: ['toys.csv', /--log-file/],
  },
];

it.each(OUT)('$name', async (bad) => {
  await check({ asksNothing: true, ...bad }, sandbox);
});

it('two concurrent imports of the same file into one store send every row once', async () => {
  const at = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'l.db',
  });
  at.file('toys.csv', toys(60, 'Twice'));
  at.file('others.csv', toys(60, 'Others'));
  const runs = await Promise.all([
    at.run([...IMPORT, '--json']),
    at.run([...IMPORT, '--json']),
    at.run(['import', 'others.csv', '--collection', 'Main', '--json']),
  ]);
  for (const run of runs) {
    checkWords({ exit: run.code === 3 ? 3 : 0, says: [] }, run, [sandbox.key]);
    oneObject(run.stdout);
  }
  expect(runs[2].code, runs[2].stderr).toBe(0);
  expect(runs.slice(0, 2).some(({ code }) => code === 0)).toBe(true);
  for (const prefix of ['Twice', 'Others']) {
    const names = sandbox.control.items().filter(({ name }) => name.startsWith(prefix));
    expect([names.length, new Set(names.map(({ name }) => name)).size]).toEqual([60, 60]);
  }
});

it('a job id that does not exist, or that matches two jobs, is refused', async () => {
  const at = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'l.db',
  });
  const ids: string[] = [];
  for (const name of ['One', 'Two']) {
    at.file('toys.csv', toys(2, name));
    const run = await at.call([...IMPORT, '--dry-run', '--json']);
    ids.push((oneObject(run.stdout) as { job: string }).job);
  }
  for (const verb of ['show', 'resume', 'apply', 'cancel', 'results']) {
    const missing = await at.call(['jobs', verb, '990101-nothing', '--json']);
    checkWords({ exit: 2, says: ['"990101-nothing"', /jobs list/] }, missing, [sandbox.key]);
    expect(oneObject(missing.stdout)).toMatchObject({ error: { code: 'no_such_job' } });
  }
  const [day = ''] = (ids[0] ?? '').split('-');
  const two = await at.run(['jobs', 'show', day, '--json']);
  checkWords({ exit: 2, says: [`The ids of 2 jobs begin with "${day}"`, ids[0] ?? '', ids[1] ?? ''] }, two, [
    sandbox.key,
  ]);
  expect(oneObject(two.stdout)).toMatchObject({ error: { code: 'ambiguous_job' } });
});
