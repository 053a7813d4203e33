import { hostname } from 'node:os';
import { describe, expect, it, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { manualRun } from '../../src/worker/schedule/schedules.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { DROP, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';

/** @param store default an SQLite file */
async function yieldsToExport(store?: string): Promise<void> {
  await using place = await openWorker(`${DROP}${EXPORT()}`, { rateLimit: '20/1s' }, store);
  await place.once({ now: TUESDAY });
  const rows = Array.from({ length: 480 }, (_, index) => `Toy ${index}`).join('\n');
  place.dropper('drop')('many.csv', `name\n${rows}\n`);
  const order: string[] = [];
  await using queue = await openQueue(place.ledger);
  const now = TUESDAY + 3_600_000;
  const timetable = { cron: '0 6 * * *', timeZone: 'Europe/Berlin', profile: 'main' };
  // Asked for once the import sends, however long it takes to begin.
  let asked: Promise<unknown> | undefined;
  const { exitCode, runs } = await place.once({
    now,
    emit: (event) => {
      if (event.type === 'request' && place.sandbox.control.items().length >= 5)
        asked ??= queue.enqueue(manualRun('accounting', timetable, now), new Runs(place.ledger));
      if (event.type === 'yielded') order.push('yielded');
      if (event.type === 'ended' && event.run.state === 'done') order.push(event.run.work.kind);
    },
  });
  expect(await asked).toBe(true);
  expect(exitCode).toBe(0);
  expect(order).toEqual(['yielded', 'schedule', 'import']);
  expect(runs.find(({ work }) => work.kind === 'import')?.tries).toBe(0);
  expect(place.sandbox.control.items()).toHaveLength(480);
}

describe('a long import that gives way to an export of the same key continues without counting as a try', () => {
  it('on SQLite', () => yieldsToExport());

  describe.skipIf(POSTGRES.length === 0)('with graphile-worker as the queue', () => {
    const server = usePostgres(POSTGRES.at(-1));

    it('on PostgreSQL', async () => yieldsToExport(await server.newDatabase()));
  });
});

test('an import that prepares for long gives way only once it has sent rows, or it would begin again each time', async () => {
  const upsert = DROP.replace('Main', 'Trains').replace(
    'skipInvalid: true',
    'mode: upsert, match: [custom_fields.sku]',
  );
  await using place = await openWorker(`${upsert}${EXPORT()}`, {
    rateLimit: '2/1s',
    seed: 1,
    seedItems: 3_000,
  });
  await place.once({ now: TUESDAY });
  const rows = Array.from({ length: 40 }, (_, index) => `S${index},Toy ${index}`).join('\n');
  place.dropper('drop')('many.csv', `custom_fields.sku,name\n${rows}\n`);
  await using queue = await openQueue(place.ledger);
  const now = TUESDAY + 3_600_000;
  const timetable = { cron: '0 6 * * *', timeZone: 'Europe/Berlin', profile: 'main' };
  let asked: Promise<unknown> | undefined;
  const sentFirst: boolean[] = [];
  const { exitCode } = await place.once({
    now,
    emit: (event) => {
      if (event.type === 'begun' && event.run.work.kind === 'import')
        asked ??= queue.enqueue(manualRun('accounting', timetable, now), new Runs(place.ledger));
      if (event.type === 'yielded') sentFirst.push(place.sandbox.control.items().length > 3_000);
    },
  });
  expect([exitCode, sentFirst]).toEqual([0, [true]]);
  expect(place.sandbox.control.items()).toHaveLength(3_040);
});

test('a stopping worker parks its import without counting a try, and another worker continues it', async () => {
  await using place = await openWorker(DROP, { rateLimit: '20/1s' });
  const rows = Array.from({ length: 120 }, (_, index) => `Toy ${index}`).join('\n');
  place.dropper('drop')('many.csv', `name\n${rows}\n`);
  const stop = new AbortController();
  const first = place.once({ signal: stop.signal, graceMs: 500, once: false });
  while (place.sandbox.control.items().length < 5) await systemClock.sleep(20);
  stop.abort();
  expect((await first).exitCode).toBe(130);
  const [run] = await new Runs(place.ledger).list();
  expect(run).toMatchObject({ state: 'queued', tries: 0, queue: `host:${hostname()}:main` });
  expect((await place.once()).exitCode).toBe(0);
  expect(place.sandbox.control.items()).toHaveLength(120);
});
