/** A worker leaves to others what is not in its configuration. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Runs } from '../../src/worker/queue/runs.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { manualRun } from '../../src/worker/schedule/schedules.ts';
import { EXPORT } from './example-config.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';

const NEWER = { cron: '0 6 * * *', timeZone: 'UTC', profile: 'main' };

/** What somebody with a newer configuration has asked for. */
async function enqueue(place: WorkerPlace, name: string) {
  const run = manualRun(name, NEWER, Date.now());
  await using queue = new StoreQueue(place.ledger);
  await new Runs(place.ledger).add(run);
  await queue.add(run);
  return run;
}

const rename = (place: WorkerPlace, from: string, to: string) => {
  const yaml = `profiles:\n  main: { apiUrl: "${place.sandbox.url}", keyEnv: THE_KEY }\n${EXPORT()}`;
  writeFileSync(join(place.folder, 'shelflift.yaml'), yaml.replace(`${from}:`, `${to}:`));
};

test('a run of an unknown schedule waits for a worker that knows the schedule', async () => {
  await using place = await openWorker(EXPORT());
  const run = await enqueue(place, 'newer');
  const told: string[] = [];
  const end = await place.once({ emit: (event) => event.type === 'warning' && told.push(event.message) });
  expect(end).toMatchObject({ exitCode: 0, runs: [] });
  expect(told).toEqual([expect.stringContaining(`The run ${run.id} is left to other workers`)]);
  expect(await new Runs(place.ledger).get(run.id)).toMatchObject({ state: 'queued', tries: 0 });
  rename(place, 'accounting', 'newer');
  expect(await place.once()).toMatchObject({ exitCode: 0, runs: [{ id: run.id, state: 'done' }] });
});

test('a run of an unknown schedule keeps its file while it waits for its delivery', async () => {
  await using place = await openWorker(EXPORT());
  rename(place, 'accounting', 'newer');
  const run = await enqueue(place, 'newer');
  // The first delivery fails.
  writeFileSync(join(place.folder, 'out'), 'in the way');
  const stop = new AbortController();
  await place.once({
    once: false,
    signal: stop.signal,
    emit: ({ type }) => type === 'delivery_failed' && stop.abort(),
  });
  const runs = new Runs(place.ledger);
  const waiting = await runs.get(run.id);
  expect(waiting).toMatchObject({ state: 'delivering' });
  rename(place, 'accounting', 'older');
  await place.once();
  expect(await runs.get(run.id)).toMatchObject({ state: 'delivering' });
  for (const file of waiting?.artefact?.files ?? [])
    expect(existsSync(join(place.folder, 'spool', run.id.replaceAll(':', '-'), file))).toBe(true);
});
