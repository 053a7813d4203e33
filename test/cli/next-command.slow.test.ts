/** The command that `jobs show` names next is one that works. */
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { csv, toys } from '../support/csv.ts';
import { beginImport, newPlace, type Place } from './run-shelflift.ts';

async function open(latencyMs = 0) {
  const api = await startSandbox({ latencyMs });
  const at = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  return { api, at, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

/** The first twelve have a year and a series; the others could be those of a file. */
const OLD = Array.from({ length: 12 }, () => ({ series: 'S', release_year: 1990 }));

/** The first command in the last paragraph of what `jobs show` prints. */
async function nextOf(at: Place): Promise<string[]> {
  const { stdout } = await at.call(['jobs', 'show', 'last']);
  const [, command = ''] = stdout.split('\n\n').at(-1)?.split('shelflift ') ?? [];
  return command.replace(/\. .*/s, '').trim().split(' ');
}

test.each([
  ['changes nearly all items', ['set', 'brand=Lego', '--status', 'keep'], ['--yes']],
  ['empties a field', ['set', 'series=<clear>', '--where', 'release_year=1990'], ['--yes']],
  ['creates items similar to others', ['import', 'toys.csv', '--check-similar'], ['--similar', 'skip']],
  [
    'archives too many items',
    ['import', 'toys.csv', '--mode', 'upsert', '--match', 'name', '--missing', 'archive'],
    ['--max-missing'],
  ],
])('the next command for a plan that %s contains the flag that confirms it', async (_, command, flags) => {
  await using it = await open();
  const { api, at } = it;
  api.control.insertItems(
    Array.from({ length: 60 }, (__, index) => ({ name: `Toy ${index}`, brand: 'B', ...OLD[index] })),
  );
  at.file(
    'toys.csv',
    csv(
      ['name', 'brand'],
      [
        ['Toy 20', 'B'],
        ['Toy 21', 'B'],
      ],
    ),
  );
  const collection = command[0] === 'import' ? ['--collection', 'Main'] : [];
  const refused = await at.call([...command, ...collection, '--json']);
  expect(refused.code, refused.stderr).toBe(2);
  const next = await nextOf(at);
  expect(next).toEqual(expect.arrayContaining(flags));
  const sent = await at.call([...next, '--json']);
  expect(sent.code, sent.stderr).toBe(0);
  expect(JSON.parse(sent.stdout)).toMatchObject({ state: 'done' });
});

test('the next command for a running job watches the job instead of resuming it', async () => {
  await using it = await open(40);
  it.at.file('toys.csv', toys(60));
  const { run } = await beginImport(it.at, it.api, ['import', 'toys.csv', '--collection', 'Main', '--json']);
  const next = await nextOf(it.at);
  expect(next.slice(0, 2)).toEqual(['jobs', 'show']);
  expect(next.at(-1)).toBe('--follow');
  it.api.control.setLatency(0);
  const followed = await it.at.call(next);
  expect(followed.stdout).toContain('60 created');
  expect((await run).code).toBe(0);
});

test('jobs apply last sends rows that were mended', async () => {
  await using it = await open();
  const { at } = it;
  at.file(
    'toys.csv',
    csv(
      ['name', 'year'],
      [
        ['A', '1990'],
        ['B', 'soon'],
        ['C', 'later'],
      ],
    ),
  );
  await at.call(['import', 'toys.csv', '--collection', 'Main', '--skip-invalid']);
  const mended = await at.call(['jobs', 'mend', 'last', '--row', '3', '--set', 'year=1991']);
  expect(mended.stdout).toContain('ready to send');
  const sent = await at.call(['jobs', 'apply', 'last', '--json']);
  expect(JSON.parse(sent.stdout)).toMatchObject({ state: 'done', rows: { created: 2, invalid: 1 } });
});

test('--row accepts several row numbers', async () => {
  await using it = await open();
  const { at } = it;
  at.file(
    'toys.csv',
    csv(
      ['name', 'year'],
      [
        ['A', 'soon'],
        ['B', 'soon'],
        ['C', 'soon'],
        ['D', '1990'],
      ],
    ),
  );
  await at.call(['import', 'toys.csv', '--collection', 'Main', '--map', 'release_year=year']);
  await at.call(['jobs', 'mend', 'last', '--row', '2-3', '--set', 'year=1991']);
  const omitted = await at.call(['jobs', 'mend', 'last', '--row', '4', '--omit', '--json']);
  expect(JSON.parse(omitted.stdout)).toMatchObject({ rows: { pending: 3, invalid: 0, skipped: 1 } });
  for (const row of ['four', '0', '3-2', '1-99999']) {
    const wrong = await at.call(['jobs', 'resolve', 'last', '--row', row, '--as', 'skip']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/--row is .*; expected (?:rows such as 3,7-9|at most 10000 rows)\./),
    ]);
  }
});
