import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { startHalfOpenProxy } from '../support/half-open-proxy.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { DROP } from './example-config.ts';
import { random } from '../support/seed.ts';

const server = usePostgres(POSTGRES.at(-1));
const CONFIG = (url: string) => `profiles:\n  main: { apiUrl: "${url}", keyEnv: SHELFLIFT_API_KEY }\n${DROP}`;

const MAX_KILLS = 40;
/** At the folder, between two kills: ten seconds at least. */
const MAX_LOOKS = 2_000;

test('a worker that is killed at any moment neither loses, duplicates nor truncates a file in its folder', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'ledger.db' });
  place.file('shelflift.yaml', CONFIG(api.url));
  const drop = join(place.folder, 'drop');
  mkdirSync(drop);
  const stems = Array.from({ length: 16 }, (_, index) => `toys-${String(index).padStart(2, '0')}`);
  for (const [index, stem] of stems.entries()) {
    writeFileSync(join(drop, `${stem}.csv`), `name\n${stem} robot\n${stem} bear\n`);
    if (index % 2 === 0) writeFileSync(join(drop, `${stem}.csv.ready`), '');
  }
  for (const name of ['processing', 'done', 'failed']) mkdirSync(join(drop, name));
  const there = (folder: string) => readdirSync(join(drop, folder));
  const left = () => [...there('.'), ...there('processing')].length > 3;
  let kills = 0;
  for (; left() && kills < MAX_KILLS; kills += 1) {
    const worker = place.start(['worker', '--quiet-period', '300ms']);
    const gone = once(worker, 'exit');
    const hasEnded = () => worker.exitCode !== null || worker.signalCode !== null;
    // What it prints must not fill a pipe that nobody reads.
    for (const stream of [worker.stdout, worker.stderr]) stream?.resume();
    // A file takes a tenth of a second: it is killed at any of its steps, some steps further. One that changes nothing
    // for long is killed, too: this loop ends whatever the worker does.
    let last = '';
    let looks = MAX_LOOKS;
    for (let steps = random() * 10; steps > 0 && left() && !hasEnded() && looks > 0; looks -= 1) {
      const now = ['processing', 'done', '.'].map((name) => there(name).join()).join(' ');
      if (now !== last) steps -= 1;
      last = now;
      await systemClock.sleep(5);
    }
    await systemClock.sleep(random() * 60);
    worker.kill('SIGKILL');
    await gone;
  }
  const { code, stderr } = await place.call(['worker', '--once', '--quiet-period', '300ms', '--json']);
  expect(code, stderr).toBe(0);
  expect(there('done').sort()).toEqual(
    stems.flatMap((stem) => [`${stem}.csv`, `${stem}.results.csv`]).sort(),
  );
  expect([there('processing'), there('failed'), there('.').sort()]).toEqual([
    [],
    [],
    ['done', 'failed', 'processing'],
  ]);
  expect(
    api.control
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(stems.flatMap((stem) => [`${stem} bear`, `${stem} robot`]).sort());
  console.log(`watched folder: ${kills} kills for ${stems.length} files`);
});

test.skipIf(POSTGRES.length === 0)(
  'a worker whose PostgreSQL no longer answers stops within its grace period',
  async () => {
    await using api = await startSandbox({ rateLimit: '10/1s' });
    const store = new URL(await server.newDatabase());
    await using proxy = await startHalfOpenProxy(`http://${store.host}`);
    store.port = String(proxy.port);
    const place = newPlace({ SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: store.href });
    place.file('shelflift.yaml', CONFIG(api.url));
    place.file('toys.csv', `name\n${Array.from({ length: 200 }, (_, index) => `Toy ${index}`).join('\n')}\n`);
    const submitted = await place.call(['jobs', 'submit', 'import', 'toys.csv', '--collection', 'Main']);
    expect(submitted.code, submitted.stderr).toBe(0);
    const worker = place.start(['worker', '--grace', '2s']);
    const gone = once(worker, 'exit');
    while (api.control.items().length < 5) await systemClock.sleep(20);
    proxy.stall('both');
    worker.kill('SIGTERM');
    expect((await gone)[0]).toBe(130);
  },
);
