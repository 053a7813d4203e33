/** What a person has ended is sent by nobody: not by the worker that has it, nor by the one that comes later. */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RequestMeter } from '../../src/api/meter.ts';
import { systemClock } from '../../src/base/clock.ts';
import { writeResults } from '../../src/import/results/results.ts';
import { cancelAnywhere } from '../../src/worker/cancel.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { manualRun } from '../../src/worker/schedule/schedules.ts';
import { profileQueue } from '../../src/worker/queue/queue.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { DROP, EXPORT } from './example-config.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';

const rows = (count: number) => `name\n${Array.from({ length: count }, (_, row) => `Toy ${row}\n`).join('')}`;
const cancel = ({ ledger }: WorkerPlace, id: string) =>
  cancelAnywhere(id, { ledger, meter: new RequestMeter(), clock: systemClock });

test('cancelling an import that waits for room under the item limit is final, and its file leaves processing/ with its results', async () => {
  await using place = await openWorker(DROP, { planLimit: 2 });
  place.dropper('drop')('toys.csv', rows(5));
  place.dropper('drop')('toys.csv.ready', '');
  const first = await place.once();
  expect(first).toMatchObject({ exitCode: 4, runs: [{ state: 'queued' }] });
  const id = first.runs[0]?.id ?? '';

  const { outcome, run } = await cancel(place, id);
  expect(outcome).toMatchObject({
    exitCode: 0,
    summary: { state: 'cancelled', rows: { created: 2, pending: 3 } },
  });
  expect(run).toMatchObject({ state: 'cancelled' });
  place.sandbox.control.setPlanLimit(100);
  expect((await place.once()).exitCode).toBe(0);
  expect(place.sandbox.control.items()).toHaveLength(2);
  expect(readdirSync(join(place.folder, 'drop/processing'))).toEqual([]);
  expect(readdirSync(join(place.folder, 'drop/failed')).sort()).toEqual([
    'toys.csv',
    'toys.error.txt',
    'toys.results.csv',
  ]);
  const told = readFileSync(join(place.folder, 'drop/failed/toys.error.txt'), 'utf8');
  expect(told).toContain('cancelled');
  const advice = (name: string) => {
    const note = readFileSync(join(place.folder, 'drop/failed', name), 'utf8');
    expect(note).toContain(`because its job was cancelled`);
    expect(note).toContain(`move the file back into ${join(place.folder, 'drop')}.`);
    expect(note).toContain(`send the rest of job ${id}.`);
  };
  advice('toys.error.txt');
  expect(await place.ledger.values.spaces('queue:')).toEqual([]);
  // Written again, its results go there, too.
  const results = await writeResults(await place.ledger.jobs.find(id), place.ledger, () => undefined);
  expect(results).toEqual({ results: join(place.folder, 'drop/failed/toys.results.csv') });

  const drop = async (content?: string) => {
    const [name = ''] = readdirSync(join(place.folder, 'drop/failed')).filter((each) =>
      /^toys(-\d)?\.csv$/.test(each),
    );
    const back = join(place.folder, 'drop/toys.csv');
    renameSync(join(place.folder, 'drop/failed', name), back);
    if (content !== undefined) writeFileSync(back, content);
    place.dropper('drop')('toys.csv.ready', '');
    return place.once();
  };
  expect(await drop()).toMatchObject({
    exitCode: 3,
    runs: [{ state: 'failed', error: { code: 'cancelled' } }],
  });
  advice('toys-2.error.txt');
  expect(await drop(`${rows(5)}Another\n`)).toMatchObject({ exitCode: 0, runs: [{ state: 'done' }] });
  expect(place.sandbox.control.items().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Toy 0', 'Toy 1', 'Toy 2', 'Toy 3', 'Toy 4', 'Another']),
  );
  expect(place.sandbox.control.items()).toHaveLength(6);
});

test('an import that a worker runs ends soon after it was cancelled', async () => {
  await using place = await openWorker(DROP, { rateLimit: '200/1s' });
  place.dropper('drop')('toys.csv', rows(2000));
  place.dropper('drop')('toys.csv.ready', '');
  let cancelled: ReturnType<typeof cancel> | undefined;
  const { runs } = await place.once({
    emit: (event) => {
      if (event.type === 'import' && event.event.type === 'sending')
        cancelled ??= cancel(place, event.run.id);
    },
  });
  expect(await cancelled).toMatchObject({ outcome: { exitCode: 0, summary: { state: 'cancelled' } } });
  expect(runs).toMatchObject([{ state: 'cancelled' }]);
  const sent = place.sandbox.control.items().length;
  expect(sent).toBeLessThan(2000);
  const told = readFileSync(join(place.folder, 'drop/failed/toys.results.csv'), 'utf8');
  expect(told.match(/,created,/g)).toHaveLength(sent);
  await place.once();
  expect(place.sandbox.control.items()).toHaveLength(sent);
});

test('a scheduled run that has not begun is cancelled', async () => {
  await using place = await openWorker(EXPORT());
  const queued = manualRun('accounting', { profile: 'main', cron: '0 6 * * *', timeZone: 'UTC' }, Date.now());
  await new Runs(place.ledger).add(queued);
  await using queue = new StoreQueue(place.ledger);
  await queue.add({ ...queued, queue: profileQueue('main') });
  expect(await cancel(place, queued.id)).toMatchObject({ run: { state: 'cancelled' } });
  const events: string[] = [];
  await place.once({ emit: ({ type }) => void events.push(type) });
  expect(events).not.toContain('begun');
  expect(existsSync(join(place.folder, 'out'))).toBe(false);
});
