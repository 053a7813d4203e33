import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { refusingPort } from '../support/refusing-port.ts';
import { scheduleYaml } from '../worker/example-config.ts';
import { newPlace, TOYS } from './run-shelflift.ts';

test('a worker writes its actions, and each request, to its --log-file', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_KEY: api.key });
  place.file('shelflift.yaml', scheduleYaml(api.url).replace(/hotFolders[\s\S]*/, ''));
  await place.call(['schedule', 'run', 'accounting']);
  const { code } = await place.call(['worker', '--once', '--quiet', '--log-file', 'worker.jsonl']);
  expect(code).toBe(0);
  const text = readFileSync(join(place.folder, 'worker.jsonl'), 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; path?: string });
  expect(lines.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(['worker started', 'begun', 'request', 'delivered', 'ended']),
  );
  expect(lines.find(({ msg }) => msg === 'request')?.path).toMatch(/^\/(items|collections)/);
  expect(text).not.toContain(api.key);
});

test.each([
  ['jobs', 'submit', 'import', 'toys.csv', '--collection', 'Main'],
  ['schedule', 'run', 'accounting'],
  ['schedule', 'list'],
  ['jobs', 'list'],
  ['worker', '--once'],
])(
  'after an unreachable store, no job can be resumed, and the advice is to run %s %s again',
  async (...words) => {
    const store = `postgres://x@127.0.0.1:${await refusingPort()}/x`;
    const place = newPlace({ SHELFLIFT_STORE: store, SHELFLIFT_API_KEY: 'key' });
    place.file('shelflift.yaml', scheduleYaml('https://inventory.example.com'));
    place.file('toys.csv', TOYS);
    const { code, stderr } = await place.call([...words, '--wait', '1ms']);
    expect([code, stderr]).toEqual([6, expect.stringContaining('Then run this command again.')]);
    expect(stderr).not.toContain('jobs resume');
  },
);

test('worker --once names the folder that it cannot watch', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_KEY: api.key });
  place.file('shelflift.yaml', scheduleYaml(api.url).replace('./drop', './in-the-way/drop'));
  place.file('in-the-way', '');
  const { code, stderr } = await place.call(['worker', '--once', '--quiet']);
  expect([code, stderr]).toEqual([6, expect.stringContaining(`error: ${place.folder}/in-the-way/drop: `)]);
});

test('all times in text output have the same format', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('shelflift.yaml', scheduleYaml(api.url).replace(/hotFolders[\s\S]*/, ''));
  place.file('toys.csv', TOYS);
  await place.call(['import', 'toys.csv', '--collection', 'Main']);
  await place.call(['schedule', 'run', 'accounting']);
  await place.call(['worker', '--once', '--quiet']);
  for (const words of [
    ['jobs', 'list'],
    ['schedule', 'list'],
    ['worker', '--check'],
  ]) {
    const { stdout } = await place.call(words);
    // Without the ids of runs, which hold their fire time.
    const times = stdout.replaceAll(/\S+@\S+/g, '').match(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*( \S+)?/g) ?? [];
    expect(times.length).toBeGreaterThan(0);
    // With their zone: of the schedule, or Z.
    for (const time of times)
      expect(time).toMatch(/^\S+ \d\d:\d\d Europe\/Berlin$|^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
  }
});
