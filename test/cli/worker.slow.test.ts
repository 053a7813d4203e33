import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { toys } from '../support/csv.ts';
import { scheduleYaml } from '../worker/example-config.ts';
import { ended, newPlace, TOYS } from './run-shelflift.ts';

test('a worker that gets SIGTERM parks its run, and the next worker continues it: each row is sent once', async () => {
  await using api = await startSandbox({ rateLimit: '20/1s' });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', toys(80));
  const submitted = await place.call([
    'jobs',
    'submit',
    'import',
    'toys.csv',
    '--collection',
    'Main',
    '--json',
  ]);
  const { job, state } = JSON.parse(submitted.stdout) as { job: string; state: string };
  expect(state).toBe('queued');
  // What was submitted is a copy.
  place.file('toys.csv', 'name\nAnother\n');

  const child = place.start(['worker', '--api-url', api.url, '--grace', '1s', '--health', '0']);
  const run = ended(child);
  while (api.control.items().length < 5) await systemClock.sleep(20);
  child.kill('SIGTERM');
  const { code, stderr } = await run;
  expect(code).toBe(130);
  expect(stderr).not.toContain(api.key);
  expect(stderr).toContain('"msg":"stopping"');

  const [finished, followed] = await Promise.all([
    place.run(['worker', '--api-url', api.url, '--once', '--json']),
    place.run(['jobs', 'show', job, '--follow', '--json']),
  ]);
  expect(finished.code, finished.stderr).toBe(0);
  expect(JSON.parse(finished.stdout)).toMatchObject({
    runs: [{ run: job, state: 'done', tries: 0, rows: 80 }],
  });
  expect(JSON.parse(followed.stdout)).toMatchObject({ job, state: 'done', rows: { created: 80 } });
  expect(new Set(api.control.items().map(({ name }) => name)).size).toBe(80);
  expect(api.control.items()).toHaveLength(80);
  expect(readFileSync(`${place.folder}/toys.results.csv`, 'utf8').split('\n')).toHaveLength(82);
});

test('a submitted file that is cancelled before a worker starts it is never imported', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', TOYS);
  const json = async (argv: string[]) => {
    const { code, stdout } = await place.call([...argv, '--json']);
    return { code, ...(JSON.parse(stdout) as { job?: string }) };
  };
  const { job = '' } = await json(['jobs', 'submit', 'import', 'toys.csv', '--collection', 'Main']);
  const cancelled = { code: 0, job, state: 'cancelled', run: { state: 'cancelled' } };
  expect(await json(['jobs', 'cancel', job])).toMatchObject(cancelled);
  expect(await json(['jobs', 'cancel', job])).toMatchObject(cancelled);
  expect(await json(['worker', '--api-url', api.url, '--once'])).toEqual({ code: 0, runs: [] });
  expect(api.control.items()).toEqual([]);
});

test('worker --once --json prints the reason for exit code 2, like every command', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', TOYS);
  await place.call(['jobs', 'submit', 'import', 'toys.csv', '--collection', 'Nope']);
  const { code, stdout } = await place.call(['worker', '--api-url', api.url, '--once', '--json']);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    runs: [{ state: 'failed', exit_code: 2 }],
    error: { code: 'unknown_collection', message: expect.stringContaining('Nope') as string },
  });
});

test('a schedule can be run manually, listed, paused and resumed', async () => {
  await using api = await startSandbox({ seed: 7, seedItems: 12 });
  const place = newPlace({ SHELFLIFT_API_KEY: api.key });
  place.file('shelflift.yaml', scheduleYaml(api.url));
  const json = async (argv: string[]) =>
    JSON.parse((await place.call([...argv, '--json'])).stdout) as unknown;

  const queued = (await json(['schedule', 'run', 'accounting'])) as { run: string };
  const { code, stdout } = await place.call(['worker', '--once', '--json']);
  expect(code).toBe(0);
  const month = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    year: 'numeric',
    month: '2-digit',
  });
  const file = `items-${month.format(Date.now())}.xlsx`;
  expect(JSON.parse(stdout)).toMatchObject({
    runs: [{ run: queued.run, state: 'done', rows: 12, files: [`${place.folder}/out/${file}`] }],
  });
  expect(await json(['schedule', 'list'])).toMatchObject({
    schedules: [{ schedule: 'accounting', paused: false, last: { state: 'done', rows: 12 } }],
  });
  await json(['schedule', 'pause', 'accounting']);
  expect(await json(['schedule', 'list'])).toMatchObject({ schedules: [{ paused: true }] });
  await json(['schedule', 'resume', 'accounting']);
  expect(await json(['jobs', 'list'])).toMatchObject({
    runs: [{ state: 'done' }],
    schedules: [{ paused: false }],
  });
  expect((await place.call(['schedule', 'run', 'acounting'])).code).toBe(2);
});

test('--check shows the next run of each schedule, however distant, in its time zone and in UTC', async () => {
  const place = newPlace();
  place.file(
    'shelflift.yaml',
    scheduleYaml('https://inventory.example.com').replace('0 6 1 * *', '0 6 29 2 *'),
  );
  const { code, stdout } = await place.call(['worker', '--check']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /accounting +\d{4}-02-29 06:00 Europe\/Berlin \(GMT\+1\) +\d{4}-02-29T05:00:00Z +items-\d{4}-02\.xlsx/,
  );
});

test('the health check is served on loopback, and reports not ready once the worker is stopping', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  const child = place.start(['worker', '--api-url', api.url, '--health', '0']);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('worker started')) await once(child.stderr ?? child, 'data');
  const [, base = ''] = /health: (http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? [];
  const ask = async (path: string) => {
    const answer = await fetch(base + path);
    return [answer.status, await answer.text()] as const;
  };
  expect(await ask('/healthz')).toEqual([200, 'ok\n']);
  expect(await ask('/readyz')).toEqual([200, 'ready\n']);
  const [status, metrics] = await ask('/metrics');
  expect(status).toBe(200);
  for (const name of [
    'shelflift_runs',
    'shelflift_lane_wait_seconds',
    'shelflift_schedule_lag_seconds',
    'shelflift_requests_total',
    'shelflift_jobs',
    'shelflift_rows',
    'shelflift_schedule_last_success_timestamp_seconds',
  ])
    expect(metrics).toContain(`# TYPE ${name} `);
  expect(metrics).not.toContain(api.key);
  expect((await ask('/'))[0]).toBe(404);
  child.kill('SIGHUP');
  while (!said.includes('SIGHUP')) await once(child.stderr ?? child, 'data');
  expect(await ask('/healthz')).toEqual([200, 'ok\n']);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
});

test('worker submit refuses a missing file', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  const { code, stderr } = await place.call(['jobs', 'submit', 'import', 'none.csv', '--collection', 'Main']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('There is no file none.csv.')]);
});
