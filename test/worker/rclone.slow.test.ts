import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { environmentOf, rclone } from '../../src/worker/remote/rclone.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { DAY, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';
import { HAS_RCLONE, RCLONE_KINDS, rcloneServer } from './rclone-server.ts';

const DELIVERY = (target: string) => `
retries: { tries: 2, backoff: 1ms }
${EXPORT()
  .replace('[{ folder: ./out }]', `[{ rclone: "${target}" }]`)
  .replace('items-{{period.end:yyyy-MM-dd}}.csv', '{{period.end:yyyy}}/items.csv')}`;
const SOURCE = `
retries: { tries: 2, backoff: 1ms }
schedules:
  stock: { profile: main, cron: "0 6 * * *", timeZone: UTC, task: { import: { rclone: "cloud:out/stock.csv", collection: Main } } }
`;
const around = (config: string) => ({ RCLONE_CONFIG: config, PATH: '/usr/bin:/bin' });
const day = (count: number) => TUESDAY + count * DAY;

describe.skipIf(!HAS_RCLONE).each(RCLONE_KINDS)('rclone and its own %s server', (kind) => {
  test('uploads a file under another name and moves it, and replaces it with a later file of the same size', async () => {
    const { root, config } = await rcloneServer(kind);
    await using place = await openWorker(DELIVERY('cloud:accounts'));
    await place.once({ now: TUESDAY });
    const environment = around(config);
    const { runs } = await place.once({ now: day(1), environment });
    expect(runs[0]).toMatchObject({
      state: 'done',
      deliveries: [{ to: 'rclone cloud:accounts', done: true }],
    });
    const there = join(root, 'accounts/2026');
    expect(readdirSync(there).sort()).toEqual(['items.csv', 'items.csv.manifest.json']);
    const before = readFileSync(join(there, 'items.csv'), 'utf8');
    expect(before).toBe('id,name\r\n');
    // As long as the other one, and of the same time.
    const folder = await temporaryFolder();
    const file = join(folder, 'items.csv');
    writeFileSync(file, 'id,nome\r\n');
    const { deliverByRclone } = await import('../../src/worker/delivery/rclone.ts');
    const period = { start: 0, end: 0, timeZone: 'UTC' };
    await deliverByRclone(
      'cloud:accounts/2026',
      { name: 'items.csv', files: [file], key: 'x', schedule: 'a', period },
      { configFolder: folder, environment, smtp: undefined },
      new AbortController().signal,
    );
    expect(readFileSync(join(there, 'items.csv'), 'utf8')).toBe('id,nome\r\n');
    expect(readdirSync(there).sort()).toEqual(['items.csv', 'items.csv.manifest.json']);
  });

  test('reports a refused login as an error, and an unreachable server as an outage, which does not count as a try', async () => {
    const wrong = await rcloneServer(kind, 'wrong');
    await using place = await openWorker(DELIVERY('cloud:accounts'));
    await place.once({ now: TUESDAY });
    const refused = await place.once({ now: day(1), environment: around(wrong.config) });
    expect(refused).toMatchObject({
      exitCode: 6,
      runs: [{ state: 'parked_poison', deliveries: [{ tries: 2 }] }],
    });
    expect(refused.runs[0]?.error?.message).toMatch(
      /rclone exited with code 1: .*(401|unable to authenticate)/,
    );
    expect(JSON.stringify(refused)).not.toContain('hunter2');

    const server = await rcloneServer(kind);
    server.stop();
    const ask = rclone('lsf', [], ['cloud:'], {
      context: { environment: around(server.config) },
      signal: AbortSignal.timeout(60_000),
    });
    await expect(ask).rejects.toMatchObject({ code: 'remote_away' });
  });

  test('fetches and imports a file, and reports a missing one, or a folder, as an error', async () => {
    const { root, config } = await rcloneServer(kind);
    await using place = await openWorker(SOURCE);
    await place.once({ now: TUESDAY });
    const environment = around(config);
    const missing = await place.once({ now: day(1), environment });
    expect(missing.runs[0]).toMatchObject({ state: 'parked_poison', error: { code: 'remote_missing' } });
    mkdirSync(join(root, 'out'));
    writeFileSync(join(root, 'out/stock.csv'), 'name\nRobot\nBear\n');
    expect((await place.once({ now: day(2), environment })).runs[0]).toMatchObject({
      state: 'done',
      rows: 2,
    });
    expect((await place.once({ now: day(3), environment })).runs[0]).toMatchObject({
      error: { code: 'nothing_new' },
    });
    expect(place.sandbox.control.items()).toHaveLength(2);
  });
});

test.skipIf(!HAS_RCLONE)('a folder is not imported as a file: its files are not read', async () => {
  const { root, config } = await rcloneServer('webdav');
  mkdirSync(join(root, 'out/stock.csv'), { recursive: true });
  writeFileSync(join(root, 'out/stock.csv/a.csv'), 'name\nRobot\n');
  await using place = await openWorker(SOURCE);
  await place.once({ now: TUESDAY });
  const { runs } = await place.once({ now: day(1), environment: around(config) });
  expect(runs[0]?.error?.message).toBe('cloud:out/stock.csv is a folder, not a file.');
  expect(place.sandbox.control.items()).toEqual([]);
});

test.skipIf(!HAS_RCLONE)('an unknown rclone remote is reported, with the remedy', async () => {
  const ask = rclone('lsf', [], ['nowhere:'], {
    context: { environment: around('/dev/null') },
    signal: AbortSignal.timeout(60_000),
  });
  await expect(ask).rejects.toMatchObject({
    code: 'delivery_failed',
    message: expect.stringContaining("didn't find section in config file") as string,
    remedy: expect.stringContaining('rclone config') as string,
  });
});

test('without rclone the error says how to install it', async () => {
  const ask = rclone('lsf', [], ['cloud:'], {
    context: { environment: { PATH: '/nowhere' } },
    signal: new AbortController().signal,
  });
  await expect(ask).rejects.toMatchObject({
    code: 'program_missing',
    remedy: expect.stringContaining('apt-get install rclone') as string,
  });
});

test('rclone gets its operands unchanged after --, and only the environment that it needs', async () => {
  const folder = await temporaryFolder();
  // Tells what it was started with, in place of rclone.
  writeFileSync(join(folder, 'rclone'), '#!/bin/sh\nfor each; do echo "[$each]"; done\nenv\n');
  chmodSync(join(folder, 'rclone'), 0o755);
  const environment = {
    PATH: `${folder}:/usr/bin:/bin`,
    HOME: folder,
    RCLONE_CONFIG: '/etc/rclone.conf',
    HTTPS_PROXY: 'http://proxy:1',
    no_proxy: 'localhost',
    SHELFLIFT_API_KEY: 'the-key',
    THE_KEY: 'the-key',
    RCLONE_CONFIG_CLOUD_TYPE: 'local',
    RCLONE_VERBOSE: '3',
  };
  const said = await rclone('copyto', [], ['--version', '$(touch x)'], {
    context: { environment },
    signal: new AbortController().signal,
  });
  expect(said).toContain('[--]\n[--version]\n[$(touch x)]\n');
  expect(said).not.toMatch(/the-key|RCLONE_CONFIG_CLOUD|RCLONE_VERBOSE/);
  expect(Object.keys(environmentOf(environment)).sort()).toEqual([
    'HOME',
    'HTTPS_PROXY',
    'PATH',
    'RCLONE_CONFIG',
    'no_proxy',
  ]);
});

test.each([
  [':local:/etc', false],
  [':sftp,host=evil,pass=x:a', false],
  ['drive,client_secret=x:a', false],
  ['/etc/accounts', false],
  ['accounts', false],
  ['--config:x', false],
  ['drive:a\\u0000b', false],
  ['drive:', true],
  ['drive:accounts, 2026', true],
  ['My Drive-2:/a', true],
])('%s is valid as an rclone target: %s', async (target, right) => {
  const file = join(await temporaryFolder(), 'shelflift.yaml');
  const profile = 'profiles:\n  main: { apiUrl: "https://inventory.example.com", keyEnv: THE_KEY }\n';
  writeFileSync(file, `${profile}${DELIVERY(target)}`);
  if (right) expect(readWorkerConfig(file).schedules['accounting']?.deliver).toEqual([{ rclone: target }]);
  else expect(() => readWorkerConfig(file)).toThrow('expected a remote from rclone config');
});
