import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { Schedules } from '../../src/worker/schedule/schedules.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { independentList, SCHEDULES, YEAR, ZONES } from './minute-walk.ts';

test.each(ZONES)(
  'in a year of schedules in %s, checked by two workers now and then, each scheduled time is enqueued exactly once',
  async (timeZone) => {
    const expected = independentList(timeZone);
    await using ledger = openSqliteLedger(join(await temporaryFolder(), 'ledger.db'));
    const workers = [new Schedules(ledger), new Schedules(ledger)];
    const catchUp = { policy: 'all', limit: 1000, ageMs: Number.POSITIVE_INFINITY } as const;
    const daily = SCHEDULES.filter(({ cron }) => cron === '30 2 * * *' || cron.startsWith('15 1,2,3'));
    const enqueued = new Map<string, number[]>(daily.map(({ cron }) => [cron, []]));
    // Steps of 7 hours and a bit: never in step with any schedule, and over every change of the clock.
    for (let now = YEAR.from; now < YEAR.to + 8 * 3_600_000; now += 25_439_000) {
      for (const { cron } of daily) {
        await Promise.all(
          workers.map((each) =>
            each.look(cron, { cron, timeZone }, catchUp, now, async ({ fire }) => {
              // The id of a run is schedule and fire time; the store takes it once.
              if (await ledger.values.putIfAbsent('runs', `${cron}@${fire}`, ''))
                enqueued.get(cron)?.push(fire);
            }),
          ),
        );
      }
    }
    for (const { cron } of daily) {
      const wanted = expected.get(cron)?.filter((fire) => fire > YEAR.from) ?? [];
      const found = (enqueued.get(cron) ?? []).filter((fire) => fire < YEAR.to);
      expect(found, cron).toEqual(wanted);
    }
  },
);
