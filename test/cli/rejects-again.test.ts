/** A rejects file comes back: it is read as its job reads its rows, with every correction since. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { csv } from '../support/csv.ts';
import { newPlace } from './run-shelflift.ts';

const HEADERS = ['Name', 'Maker', 'Condition', 'Value', 'Notes', 'Photo'];
const TOYS = [
  ['Robot', 'Acme', 'Z7', '4,50', 'from Ann', 'a.jpg'],
  ['Car', 'Acme', 'Z7', 'cheap', 'red', 'b.jpg'],
  ['Bear', 'Steiff', 'Z7', '1.250,75', '', ''],
];

async function sentWithOneReject(steps: string[][]) {
  const api = await startSandbox();
  const at = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  at.file('toys.csv', csv(HEADERS, TOYS));
  expect((await at.call(['import', 'toys.csv', '--collection', 'Main'])).code).toBe(3);
  for (const step of steps) expect((await at.call(['jobs', 'mend', 'last', ...step])).code).toBe(3);
  const sent = await at.call(['jobs', 'apply', 'last', '--skip-invalid', '--yes']);
  expect(sent).toMatchObject({ code: 3, stdout: expect.stringContaining('2 created') });
  const rejects = join(at.folder, 'toys.rejects.csv');
  return {
    api,
    at,
    rejects: () => readFileSync(rejects, 'utf8'),
    correct: (from: string, to: string) =>
      writeFileSync(rejects, readFileSync(rejects, 'utf8').replace(from, to)),
    item: async (name: string) => {
      const out = join(at.folder, `${name}.ndjson`);
      await at.call(['export', 'items', '--out', out, '--where', `name="${name}"`, '--overwrite']);
      return JSON.parse(readFileSync(out, 'utf8').trim() || '{}') as Record<string, unknown>;
    },
  };
}

const WORDS = ['--word', 'condition:Z7=loose_good'];

it('an import that sent nothing does not advise importing the rejects alone; if they are, the other rows are named', async () => {
  await using api = await startSandbox();
  const at = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  at.file(
    'toys.csv',
    csv(
      ['Name', 'Value'],
      [
        ['Robot', '5'],
        ['Car', 'cheap'],
        ['Bear', '6'],
      ],
    ),
  );
  const stopped = await at.call(['import', 'toys.csv', '--collection', 'Main']);
  expect(stopped.code).toBe(3);
  const advice = stopped.stdout.slice(stopped.stdout.indexOf('Nothing was sent.'));
  expect(advice).not.toContain('toys.rejects.csv or');
  expect(advice).toContain('toys.rejects.csv, in the source, and import again.');
  const rejects = join(at.folder, 'toys.rejects.csv');
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('cheap', '7'));
  const part = await at.call(['import', 'toys.rejects.csv']);
  expect(part.stderr).toMatch(/2 rows of job \d{6}-\w+ have not been sent, and are not sent with this file/);
  const rest = await at.call([
    'jobs',
    'apply',
    /job (\d{6}-\w+)/.exec(stopped.stdout)?.[1] ?? '',
    '--skip-invalid',
    '--yes',
  ]);
  expect(rest.stdout).toContain('2 created');
  expect(api.control.items()).toHaveLength(3);
});

it('importing a rejects file uses its corrected cells, and the corrections and kept columns of its job', async () => {
  const it = await sentWithOneReject([WORDS, ['--row', '3', '--set', 'Name=Car 2']]);
  await using _ = it.api;
  expect(it.rejects()).toContain('Car 2,Acme,Z7,cheap,red,b.jpg');
  it.correct('cheap', '"1.006,50"');
  const again = await it.at.call(['import', 'toys.rejects.csv']);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('1 created') });
  expect(again.stderr).toMatch(/read with the settings and corrections of job \d{6}-\w+/);
  const [sent, returned] = [await it.item('Robot'), await it.item('Car 2')];
  expect(returned).toMatchObject({
    brand: 'Acme',
    condition: 'loose_good',
    estimated_value: 1006.5,
    custom_fields: { Notes: 'red', Photo: 'b.jpg' },
  });
  expect(returned['collection_id']).toBe(sent['collection_id']);
});

it('a rejects file imported with the same options is read like its source, and with new options by these', async () => {
  const it = await sentWithOneReject([WORDS]);
  await using _ = it.api;
  it.correct('cheap', '"6,50"');
  const repeated = await it.at.call([
    'import',
    'toys.rejects.csv',
    '--collection',
    'Main',
    '--dry-run',
    '--json',
  ]);
  expect(JSON.parse(repeated.stdout)).toMatchObject({ plan: { create: 1, invalid: 0 } });
  const other = await it.at.call([
    'import',
    'toys.rejects.csv',
    '--default',
    'brand=X',
    '--map',
    'brand=Photo',
  ]);
  expect(other.code).toBe(0);
  expect(await it.item('Car')).toMatchObject({ brand: 'b.jpg', condition: 'loose_good' });
});

it('importing a rejects file keeps its columns even if the store does not know the job', async () => {
  const it = await sentWithOneReject([WORDS]);
  await using _ = it.api;
  it.correct('cheap', '"6,50"');
  it.correct('Z7', 'loose good');
  it.correct(/\d{6}-[a-z0-9]+/.exec(it.rejects())?.[0] ?? '', '200101-aaaaaa');
  const plain = await it.at.call(['import', 'toys.rejects.csv', '--collection', 'Main', '--dry-run']);
  expect(plain.stderr).toContain('does not know how job 200101-aaaaaa read the rows');
  const again = await it.at.call([
    'import',
    'toys.rejects.csv',
    '--collection',
    'Main',
    '--decimal',
    'comma',
  ]);
  expect(again.code).toBe(0);
  expect(again.stderr).not.toContain('read the rows');
  expect(await it.item('Car')).toMatchObject({ custom_fields: { Notes: 'red', Photo: 'b.jpg' } });
});

it('a rejects file with other columns than its job is refused until the columns are named', async () => {
  const it = await sentWithOneReject([WORDS]);
  await using _ = it.api;
  it.correct('cheap', '6');
  const lines = it.rejects().trim().split('\n');
  const [head = '', row = ''] = lines;
  const without = (column: number) =>
    [head, row].map((line) => line.split(',').toSpliced(column, 1).join(',')).join('\n');
  const call = (text: string, ...flags: string[]) => {
    it.at.file('toys.rejects.csv', text);
    return it.at.call(['import', 'toys.rejects.csv', '--dry-run', '--yes', ...flags]);
  };
  for (const [column, field, name] of [
    [1, 'brand', 'column B "Maker"'],
    [4, 'custom_fields.Notes', 'column E "Notes"'],
  ] as const) {
    const refused = await call(without(column));
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`reads ${field} from ${name}`),
    });
  }
  const longer = `Series,${head}\nBlue,${row}`;
  expect(await call(longer)).toMatchObject({ code: 2, stderr: expect.stringContaining('"Series"') });
  for (const [flags, columns] of [
    [['--map', 'series=Series'], 'Series → series'],
    [['--keep-unknown'], 'Series → custom_fields.Series'],
    [['--drop-unknown'], 'Series (not known)'],
  ] as const) {
    const read = await call(longer, ...flags);
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('create 1') });
    expect(read.stderr).toContain(columns);
    expect(read.stderr).toContain('with the settings and corrections of job');
  }
});

it('the column of currencies of a rejects file cannot be deleted: amounts would change their currency', async () => {
  const api = await startSandbox();
  await using _ = api;
  const at = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  const rows = [
    ['A', '10', 'USD'],
    ['B', '99.06', 'EUR'],
  ];
  at.file('coins.csv', csv(['Name', 'Value', 'Currency'], rows));
  await at.call(['import', 'coins.csv', '--collection', 'Main', '--skip-invalid', '--yes']);
  const rejects = readFileSync(join(at.folder, 'coins.rejects.csv'), 'utf8').trim().split('\n');
  const cut = rejects.map((line) => line.split(',').toSpliced(2, 1).join(',')).join('\n');
  at.file('coins.rejects.csv', cut);
  const again = await at.call(['import', 'coins.rejects.csv', '--yes']);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('column C "Currency"') });
});

it('rejects of several jobs in one file are read as the jobs read them, or refused if they differ', async () => {
  const api = await startSandbox();
  await using _ = api;
  const at = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  at.file('cents.yaml', 'name: cents\ncolumns:\n  estimated_value: { from: Price, cents: true }\n');
  const cents = ['--template', 'cents.yaml'];
  const rejects = async (name: string, price: string, ...read: string[]) => {
    at.file(`${name}.csv`, `Name,Price,Year\n${name},${price},new\n`);
    const sent = await at.call(['import', `${name}.csv`, '--collection', 'Main', ...read]);
    expect(sent.code).toBe(3);
    return readFileSync(join(at.folder, `${name}.rejects.csv`), 'utf8').replace('new', '1990');
  };
  const both = (one: string, other: string) => {
    at.file('both.csv', one + other.slice(other.indexOf('\n') + 1));
    return at.call(['import', 'both.csv', '--yes']);
  };
  const car = await rejects('Car', '1300', ...cents);
  const boat = await rejects('Boat', '1300');
  const refused = await both(car, boat);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('in different ways') });
  // Their decimal marks were decided differently, which the file decides again.
  const bear = await rejects('Bear', '"1.300,00"', ...cents);
  expect(await both(car, bear)).toMatchObject({ code: 0, stdout: expect.stringContaining('2 created') });
  expect(api.control.items().map((item) => item.estimated_value)).toEqual([13, 13]);
});
