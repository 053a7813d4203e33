import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from './run-shelflift.ts';

test('export warns that CSV options have no effect on another format', async () => {
  await using api = await startSandbox({ seed: 3, seedItems: 5 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  const told = async (...more: string[]) => {
    const { code, stderr } = await place.call(['export', 'items', ...more]);
    expect(code).toBe(0);
    return /^warning: (.*)$/m.exec(stderr)?.[1];
  };
  expect(await told('--out', 'a.xlsx', '--locale', 'de-DE', '--bom')).toBe(
    '--bom and --locale apply only to CSV and have no effect on a.xlsx.',
  );
  expect(await told('--out', 'a.ndjson', '--decimal', ',')).toBe(
    '--decimal applies only to CSV and has no effect on a.ndjson.',
  );
  expect(await told('--out', 'a.csv', '--locale', 'de-DE', '--bom')).toBeUndefined();
  // A layout's texts are sorted by it.
  expect(await told('--out', 'b.xlsx', '--template', 'insurance', '--locale', 'de-DE')).toBeUndefined();
});

test('export ends with exit code 3 if the totals of its layout lack values that are texts', async () => {
  await using api = await startSandbox({ seed: 3, seedItems: 0 });
  api.control.insertItems(['12,50', '7.50'].map((paid) => ({ name: 'A', custom_fields: { paid } })));
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  place.file(
    'paid.yaml',
    'name: paid\ncolumns: [name, { title: Paid, field: custom_fields.paid, format: money, total: true }]\ntotals: Sum\n',
  );
  const command = ['export', 'items', '--out', 'a.csv', '--template', 'paid.yaml'];
  const { code, stdout, stderr } = await place.call(command);
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining('The totals lack 1 value that is not a number.'),
  ]);
  expect(stderr).toContain('The total of Paid lacks 1 row');
  const json = await place.call([...command, '--json']);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([3, { rows: 2, not_in_totals: 1 }]);
});

test('an export whose workbook cannot hold a text ends with 3', async () => {
  await using api = await startSandbox({ seed: 3, seedItems: 0 });
  api.control.insertItems([{ name: 'A', custom_fields: { notes: 'x'.repeat(40_000) } }]);
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  const { code, stdout } = await place.call(['export', 'items', '--out', 'a.xlsx']);
  expect([code, stdout]).toEqual([3, expect.stringContaining('1 cell was left blank')]);
  const json = await place.call(['export', 'items', '--out', 'a.xlsx', '--json']);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([3, { rows: 1, left_blank: 1 }]);
  expect((await place.call(['export', 'items', '--out', 'a.csv'])).code).toBe(0);
});
