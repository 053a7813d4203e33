/** Mending as a person types it: from invalid rows to a job that sends all of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { csv } from '../support/csv.ts';
import { newPlace } from './run-shelflift.ts';

it('mend shows reasons, corrects by options, lists corrections in the results, and saves a template', async () => {
  await using api = await startSandbox();
  const at = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  const toys = [
    ['Robot', 'Z7', '5'],
    ['Car', 'Z7', 'cheap'],
    ['Bear', 'Z8', '7'],
  ];
  at.file('toys.csv', csv(['Name', 'Condition', 'Value'], toys));
  const first = await at.call(['import', 'toys.csv', '--collection', 'Main']);
  expect(first.code).toBe(3);
  expect(first.stderr).toContain('3 rows: condition has 2 unknown words (column B Condition)');
  expect(first.stderr).toContain('"Z7" 2×, "Z8" 1×');
  expect(first.stdout).toMatch(/To correct the rows: shelflift jobs mend \d{6}-\w+\./);

  const words = ['--word', 'condition:Z7=loose_good', '--word', 'condition:Z8=damaged'];
  const mended = await at.call(['jobs', 'mend', 'last', ...words, '--json']);
  expect(mended.code).toBe(3);
  expect(mended.stderr).toMatch(/^last: job \d{6}-\w+ of .*toys\.csv$/m);
  expect(JSON.parse(mended.stdout)).toMatchObject({
    state: 'planned',
    rows: { read: 3, invalid: 1, pending: 2 },
    plan: { create: 2, invalid: 1 },
    issues: [
      { code: 'not_a_number', field: 'estimated_value', column: 'C', rows: 1, first_rows: [{ row: 3 }] },
    ],
    mended: [
      {
        step: 1,
        changes: ['condition: Z7 → loose_good', 'condition: Z8 → damaged'],
        said: [
          { code: 'change_word', params: { field: 'condition', word: 'Z7', meaning: 'loose_good' } },
          { code: 'change_word', params: { field: 'condition', word: 'Z8', meaning: 'damaged' } },
        ],
      },
    ],
  });
  const wrong = await at.call(['jobs', 'mend', 'last', '--row', '3', '--set', 'Price=6']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no column "Price"') });
  const cell = await at.call([
    'jobs',
    'mend',
    'last',
    '--row',
    '3',
    '--set',
    'Value=6',
    '--save-template',
    'my.yaml',
  ]);
  expect(cell).toMatchObject({ code: 0, stdout: expect.stringContaining('correction 2: row 3, Value: "6"') });
  expect(cell.stdout).toMatch(/To send the 3 rows: shelflift jobs apply/);
  expect((await at.call(['jobs', 'apply', 'last'])).code).toBe(0);
  const results = readFileSync(join(at.folder, 'toys.results.csv'), 'utf8');
  expect(results.split('\n')[0]).toMatch(/_request_id,_job,_notes\r?$/);
  expect(results).toContain('Car,Z7,cheap,3,created');
  expect(results).toContain('Value corrected from ""cheap"" to ""6""');
  expect((await at.call(['jobs', 'show', 'last'])).stdout).toContain(
    'correction 1: condition: Z7 → loose_good',
  );

  at.file('more.csv', csv(['Name', 'Condition', 'Value'], [['Duck', 'Z8', '1']]));
  const again = await at.call([
    'import',
    'more.csv',
    '--template',
    'my.yaml',
    '--collection',
    'Main',
    '--json',
  ]);
  expect(JSON.parse(again.stdout)).toMatchObject({ rows: { created: 1 } });
});
