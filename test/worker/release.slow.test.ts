/** Runs that nothing would execute any more: their profile has another name, or their time is that of a wrong clock. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { manualRun } from '../../src/worker/schedule/schedules.ts';
import { DAY, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';

const SCHEDULE = { cron: '0 6 * * *', timeZone: 'Europe/Berlin', profile: 'main' };

function edit(own: WorkerPlace, change: (yaml: string) => string) {
  const file = join(own.folder, 'shelflift.yaml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

async function runNow(own: WorkerPlace) {
  await using queue = await openQueue(own.ledger);
  await queue.enqueue(manualRun('accounting', SCHEDULE, TUESDAY), new Runs(own.ledger));
}

test('a run that waits while its profile is renamed is executed with the new name', async () => {
  await using own = await openWorker(EXPORT());
  await own.once({ now: TUESDAY });
  await runNow(own);
  edit(own, (yaml) => yaml.replace('  main:', '  shop:').replace('profile: main', 'profile: shop'));
  expect(await own.once({ now: TUESDAY })).toMatchObject({ exitCode: 0, runs: [{ state: 'done' }] });
  expect((await own.once({ now: TUESDAY })).runs).toEqual([]);
});

test('a run that waits while its schedule gets another profile is executed with the key of that profile', async () => {
  await using own = await openWorker(EXPORT());
  await own.once({ now: TUESDAY });
  await runNow(own);
  const { secret } = own.sandbox.control.addKey(['items:read', 'collections:read']);
  const second = `  second: { apiUrl: "${own.sandbox.url}", keyEnv: OTHER_KEY }`;
  edit(own, (yaml) =>
    yaml.replace('\nschedules:', `${second}\nschedules:`).replace('profile: main', 'profile: second'),
  );
  const used = new Set<string>();
  const { exitCode, runs } = await own.once({
    now: TUESDAY,
    environment: { OTHER_KEY: secret },
    emit: (event) => {
      if (event.type === 'request') used.add(event.profile);
    },
  });
  expect([exitCode, runs.length, [...used]]).toEqual([0, 1, ['second']]);
});

test('a run whose next try was set by a clock that was months ahead is executed once the clock is right', async () => {
  await using own = await openWorker(`${EXPORT()}retries: { backoff: 1h }\n`);
  await own.once({ now: TUESDAY });
  const stop = new AbortController();
  await own.once({
    now: TUESDAY + 300 * DAY,
    environment: { THE_KEY: 'sk_team_refused0123456789' },
    once: false,
    signal: stop.signal,
    emit: ({ type }) => type === 'ended' && stop.abort(),
  });
  const ahead = (await new Runs(own.ledger).list()).map(({ id, state }) => [id, state]);
  expect(ahead).toEqual([[expect.stringContaining('accounting@2027'), 'queued']]);
  const found = new AbortController();
  const ended: string[] = [];
  await own.once({
    now: TUESDAY + DAY,
    once: false,
    signal: found.signal,
    emit: (event) => {
      if (event.type === 'ended') ended.push(`${event.run.id} ${event.run.state}`);
      if (event.type === 'looked' && ended.length > 0) found.abort();
    },
  });
  expect(ended.join()).toContain(`${ahead[0]?.[0] ?? ''} d`);
}, 60_000);
