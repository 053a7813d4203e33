/** `why` and `diff` as typed: what they print, for people and for programs. */
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from './run-shelflift.ts';

it('why names the file, row, cell, job and request behind each field, even without the API', async () => {
  await using sandbox = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  place.file('toys.csv', 'Name,Brand,Shelf\nRobot,Acme,A3\n');
  await place.call(['import', 'toys.csv', '--collection', 'Main', '--keep-unknown', '--quiet']);
  await place.call(['set', 'brand=Bolt', '--where', 'name=Robot', '--quiet', '--yes']);
  const id = sandbox.control.items()[0]?.id ?? '';
  const { code, stdout } = await place.call(['why', id]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /name +Robot +created by row 2 of toys\.csv \(job \S+\), column Name: Robot, request \S+/,
  );
  expect(stdout).toMatch(/brand +Bolt +set by "set brand=Bolt, where 'name=Robot'" \(job /);
  expect(stdout).toContain('brand: Acme → Bolt');

  // The first characters do, and neither address nor key is needed.
  const alone = { SHELFLIFT_API_URL: '', SHELFLIFT_API_KEY: '' };
  const offline = await place.call(['why', id.slice(0, 8), '--json'], alone);
  const told = JSON.parse(offline.stdout) as { fields: { field: string; origin: string; by: object }[] };
  expect(told).toMatchObject({ item: id, name: 'Robot', read: false, exists: null });
  expect(told.fields.find(({ field }) => field === 'custom_fields.Shelf')).toMatchObject({
    value: 'A3',
    origin: 'set',
    by: {
      kind: 'import',
      row: 2,
      column: 'Shelf',
      cell: 'A3',
      request_id: expect.stringMatching(/./) as string,
    },
  });
  const unknown = await place.call(['why', '00000000-0000-4000-8000-000000000000', '--json']);
  expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([2, { error: { code: 'unknown_item' } }]);

  // A service that does not answer is no reason for none.
  await sandbox.close();
  const down = await place.call(['why', id, '--json']);
  expect([down.code, JSON.parse(down.stdout)]).toMatchObject([0, { read: false, exists: null }]);
  expect(down.stdout).toContain('not_read');
});

it('diff prints counts and changes, and always ends with exit code 0', async () => {
  const place = newPlace();
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  const head = 'id,name,status,updated_at';
  place.file(
    'a.csv',
    `${head}\r\n${id(1)},Robot,keep,2026-01-01T00:00:00Z\r\n${id(2)},Car,keep,2026-01-01T00:00:00Z\r\n`,
  );
  place.file(
    'b.csv',
    `${head}\r\n${id(1)},Robot,sold,2026-02-01T00:00:00Z\r\n${id(3)},Bear,keep,2026-01-01T00:00:00Z\r\n`,
  );
  const text = await place.call(['diff', 'a.csv', 'b.csv']);
  expect([text.code, text.stderr]).toEqual([0, '']);
  expect(text.stdout).toContain('added 1, gone 1, changed 1, unchanged 0');
  expect(text.stdout).toMatch(/2 +00000000 +Robot +status +keep → sold/);
  const json = await place.call(['diff', 'a.csv', 'b.csv', '--json', '--by', 'name']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    added: 1,
    gone: 1,
    changed: 1,
    unchanged: 0,
    by: ['name'],
  });
  const same = await place.call(['diff', 'a.csv', 'a.csv', '--json', '--out', 'd.html']);
  expect(JSON.parse(same.stdout)).toMatchObject({ added: 0, gone: 0, changed: 0, unchanged: 2 });
  const missing = await place.call(['diff', 'a.csv', 'none.csv', '--json']);
  expect([missing.code, JSON.parse(missing.stdout)]).toMatchObject([2, { error: { code: 'no_such_file' } }]);
});
