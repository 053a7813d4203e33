import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { Schedules } from '../../src/worker/schedule/schedules.ts';
import { overriding } from '../support/overriding.ts';
import { DAY, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';

const DAILY = { cron: '0 6 * * *', timeZone: 'Europe/Berlin' };
const ONCE = { policy: 'once', limit: 100, ageMs: Number.POSITIVE_INFINITY } as const;

test('resuming a paused schedule does not catch up on missed runs, and resuming an active schedule loses no run', async () => {
  await using place = await openWorker('');
  const schedules = new Schedules(place.ledger);
  const look = async (now: number) => {
    const fires: number[] = [];
    await schedules.look('a', DAILY, ONCE, now, async ({ fire }) => void fires.push(fire));
    return fires;
  };
  expect(await look(TUESDAY)).toEqual([]);
  // A fire is due when somebody resumes what was never paused.
  await schedules.setPaused('a', DAILY, false, TUESDAY + DAY);
  expect(await look(TUESDAY + DAY)).toEqual([TUESDAY + DAY - 3_600_000]);

  await schedules.setPaused('a', DAILY, true, TUESDAY + DAY);
  expect(await look(TUESDAY + 3 * DAY)).toEqual([]);
  await schedules.setPaused('a', DAILY, false, TUESDAY + 3 * DAY);
  expect(await look(TUESDAY + 3 * DAY)).toEqual([]);
  expect(await look(TUESDAY + 4 * DAY)).toEqual([TUESDAY + 4 * DAY - 3_600_000]);
});

test('any number of new schedules are recorded in one change of the store', async () => {
  const schedule = (index: number) =>
    `  s${index}: { profile: main, cron: "${index} 6 * * *", timeZone: Europe/Berlin, task: { export: items, out: a.csv } }`;
  await using place = await openWorker(
    `schedules:\n${Array.from({ length: 30 }, (_, index) => schedule(index)).join('\n')}\n`,
  );
  const { values } = place.ledger;
  const changes: string[] = [];
  const noting = overriding(values, {
    putIfAbsent: (...given) => {
      changes.push('putIfAbsent');
      return values.putIfAbsent(...given);
    },
    putMissing: (...given) => {
      changes.push('putMissing');
      return values.putMissing(...given);
    },
  });
  await place.once({ now: TUESDAY, ledger: overriding(place.ledger, { values: noting }) });
  expect(changes).toEqual(['putMissing']);
  expect(await Array.fromAsync(new Schedules(place.ledger).all())).toHaveLength(30);
  await place.once({ now: TUESDAY + 1, ledger: overriding(place.ledger, { values: noting }) });
  expect(changes).toHaveLength(1);
});

test('a worker whose clock is years ahead blocks no schedule, and nothing runs twice when the clock is corrected', async () => {
  await using place = await openWorker(EXPORT());
  await place.once({ now: TUESDAY });
  const ahead = await place.once({ now: TUESDAY + 1000 * DAY });
  const [first, second, third] = [
    await place.once({ now: TUESDAY + DAY }),
    await place.once({ now: TUESDAY + 2 * DAY }),
    await place.once({ now: TUESDAY + 1000 * DAY }),
  ].map(({ runs }) => runs.map(({ id }) => id));
  expect(ahead.runs).toHaveLength(1);
  // The first look after it only takes note of the time that it is.
  expect([first, second]).toEqual([[], ['accounting@2026-06-18T04:00:00.000Z']]);
  expect(third).toEqual([]);
});

test('a schedule that becomes due while a worker reads the states of all schedules runs before the rest is read', async () => {
  const names = Array.from({ length: 400 }, (_, index) => `s${String(index).padStart(3, '0')}`);
  const schedule = (name: string) =>
    `  ${name}: { profile: main, cron: "0 ${name === 's000' ? 8 : 9} * * *", timeZone: Europe/Berlin, task: { export: items, out: "${name}.csv" } }`;
  await using place = await openWorker(`schedules:\n${names.map(schedule).join('\n')}\n`);
  await place.once({ now: TUESDAY });
  let [now, monotonic, looks, queuedAt] = [TUESDAY, 0, 0, 0];
  const stop = new AbortController();
  await place.once({
    once: false,
    signal: stop.signal,
    graceMs: 1000,
    clock: {
      ...systemClock,
      now: () => now,
      // A look ends after a few schedules.
      monotonic: () => (monotonic += 20),
      after: (_, work) => systemClock.after(1, work),
    },
    emit: (event) => {
      if (event.type === 'queued') queuedAt = looks;
      if (event.type === 'looked') looks += 1;
      if (looks === 3) now = TUESDAY + 3_600_000;
      if (queuedAt > 0 || looks > 60) stop.abort();
    },
  });
  expect(queuedAt).toBeGreaterThan(0);
});
