import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace, TOYS } from './run-shelflift.ts';

test('--sandbox works without a server, a key or a configuration, and keeps the items that were sent', async () => {
  const place = newPlace();
  place.file('toys.csv', TOYS);
  const imported = await place.call(['import', 'toys.csv', '--collection', 'Main', '--sandbox', '--json']);
  expect(imported).toMatchObject({ code: 0 });
  expect(JSON.parse(imported.stdout)).toMatchObject({ state: 'done', rows: { read: 3, created: 3 } });

  // Its address has another port now; the job is known all the same.
  const again = await place.call(['import', 'toys.csv', '--collection', 'Main', '--sandbox', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ state: 'already_applied', rows: { skipped: 3 } });

  const exported = await place.call(['export', 'items', '--out', '-', '--sandbox', '--collection', 'Main']);
  expect(exported.stdout.trim().split('\n')).toHaveLength(4);
  const sales = await place.call(['export', 'sales', '--sandbox']);
  expect(sales.stdout).toContain('gross_cents');
  const jobs = await place.call(['jobs', 'list', '--sandbox']);
  expect(jobs.stdout).toContain('toys.csv');
});

test('a worker of the sandbox imports a submitted file, even if the address of the sandbox has changed since', async () => {
  const place = newPlace();
  place.file('toys.csv', TOYS);
  await place.call(['jobs', 'submit', 'import', 'toys.csv', '--collection', 'Main', '--sandbox']);
  const { stdout } = await place.call(['worker', '--once', '--sandbox', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ runs: [{ state: 'done', rows: 3 }] });
});

test('imports into the sandbox do not count as imports into the real API, whichever store they used', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', TOYS);
  const argv = ['import', 'toys.csv', '--collection', 'Main', '--json'];
  const tried = await place.call([...argv, '--sandbox']);
  expect(tried.code).toBe(0);
  expect(tried.stderr).toContain('SHELFLIFT_API_URL, SHELFLIFT_API_KEY are not used');
  expect(tried.stderr.match(/not used/g)).toHaveLength(1);
  expect(api.control.items()).toHaveLength(0);
  expect((await place.call(['jobs', 'list', '--json'])).stdout).toContain('"jobs":[]');

  const store = ['--store', 'one.db'];
  expect(JSON.parse((await place.call([...argv, ...store, '--sandbox', '--force'])).stdout)).toMatchObject({
    state: 'done',
  });
  const real = await place.call([...argv, ...store]);
  expect(JSON.parse(real.stdout)).toMatchObject({ state: 'done', rows: { created: 3 } });
  expect(api.control.items()).toHaveLength(3);
});

test('the command that continues a sandbox job has --sandbox', async () => {
  const place = newPlace();
  place.file('toys.csv', TOYS);
  const planned = await place.call(['import', 'toys.csv', '--collection', 'Main', '--sandbox', '--dry-run']);
  const line = /shelflift jobs apply .*/.exec(planned.stdout)?.[0];
  expect(line).toMatch(/ --sandbox$/);
  const applied = await place.call([...(line ?? '').split(' ').slice(1), '--json']);
  expect(JSON.parse(applied.stdout)).toMatchObject({ state: 'done', rows: { created: 3 } });
});

test('a second process waits for the sandbox, and prints a message about it', async () => {
  const place = newPlace();
  // One sandbox that holds the very file, until it is told to stop.
  const data = join(place.folder, '.state/shelflift/sandbox/data.db');
  expect((await place.call(['export', 'sales', '--sandbox'])).code).toBe(0);
  expect(existsSync(data)).toBe(true);
  const holder = place.start(['sandbox', '--data', data, '--port', '0']);
  await once(holder.stdout ?? holder, 'data');
  const waiting = place.start(['export', 'sales', '--sandbox']);
  const waited = ended(waiting);
  await once(waiting.stderr ?? waiting, 'data');
  holder.kill('SIGINT');
  const result = await waited;
  expect(result.stderr).toContain('waiting for another shelflift');
  expect(result).toMatchObject({ code: 0 });
});

test('--sandbox, --profile and --api-url cannot be used together', async () => {
  const place = newPlace();
  const run = await place.call(['doctor', '--sandbox', '--api-url', 'https://inventory.example.com']);
  expect(run.code).toBe(2);
  expect(run.stdout + run.stderr).toContain('The options sandbox and api-url name different APIs');
});

test('every suggested command has the target of the call, and none names a job that was discarded', async () => {
  const place = newPlace();
  const rows = ['Acme,Robot,1902', ',Rocket,1990', ',Car,1991', 'Steiff,Bear,1992', ',Fox,1993'];
  place.file('toys.csv', `brand,name,release_year\n${rows.join('\n')}\n`);
  const lost = await place.call(['import', 'toys.csv', '--sandbox', '--dry-run']);
  expect(lost.code).toBe(2);
  expect(lost.stderr).toContain('Choose a collection: Main, Trains');
  expect(lost.stderr).not.toContain('1902');
  expect(lost.stderr).not.toContain('jobs mend');
  const planned = await place.call(['import', 'toys.csv', '--sandbox', '--dry-run', '--collection', 'Main']);
  const lines = planned.stderr.match(/shelflift jobs mend .*/g) ?? [];
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toMatch(/^shelflift jobs mend \d{6}-\w+ --sandbox --option /);
    const mended = await place.call(
      line
        .replace(/ {3}#.*/, '')
        .split(' ')
        .slice(1),
    );
    expect(mended.code, mended.stderr).not.toBe(2);
  }
});

test('an export whose layout leaves rows out ends with exit code 3, and counts them', async () => {
  const place = newPlace();
  place.file(
    'cards.csv',
    'name,status,value,condition,custom_fields.cardmarket_id\nA,sell,5,damaged,1\nB,keep,5,damaged,2\n',
  );
  await place.call(['import', 'cards.csv', '--sandbox', '--collection', 'Main', '--yes', '--quiet']);
  const command = [
    'export',
    'items',
    '--out',
    'stock.csv',
    '--template',
    'cardmarket',
    '--sandbox',
    '--json',
  ];
  const { code, stdout, stderr } = await place.call(command);
  expect(stderr).toContain('price is in EUR, not in USD');
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { rows: 0, left_out: 1 }]);
});

test('a custom field in --where that no item has is an error if it is misspelt', async () => {
  const place = newPlace();
  place.file('toys.csv', 'name,status,custom_fields.shelf\nRobot,sell,A\n');
  await place.call(['import', 'toys.csv', '--sandbox', '--collection', 'Main']);
  for (const expression of ['custom_fields.Shelf!=A', 'custom_fields.shlef blank', 'custom_fields.year!=3']) {
    const where = ['--sandbox', '--where', expression];
    for (const command of [
      ['export', 'items', '--out', 'x.csv'],
      ['report', 'inventory', '--out', 'x.html'],
      ['report', 'listings', '--out', 'x.html'],
      ['set', 'status=sold', '--yes'],
      ['dupes'],
    ]) {
      const { code, stderr } = await place.call([...command, ...where]);
      expect([command, code]).toEqual([command, 2]);
      expect(stderr).toContain(`No item has ${/custom_fields\.\w+/.exec(expression)?.[0]}.`);
    }
  }
  const first = ['set', 'custom_fields.checked=yes', '--where', 'custom_fields.checked blank'];
  const { code, stderr } = await place.call([...first, '--sandbox', '--yes']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('No item has custom_fields.checked.')]);
});

test('a sandbox that another process keeps in use is reported after ten seconds, with the remedy', async () => {
  const place = newPlace();
  const data = join(place.folder, '.state/shelflift/sandbox/data.db');
  mkdirSync(dirname(data), { recursive: true });
  await using holder = await startSandbox({ dataFile: data });
  expect(holder.port).toBeGreaterThan(0);
  const run = await place.run(['export', 'sales', '--sandbox', '--json']);
  expect(run.code).toBe(2);
  expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'sandbox_in_use' } });
  expect(run.stderr).toContain('Only one command at a time can use the sandbox');
});
