/** A report is compared with the last one that somebody received. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Runs } from '../../src/worker/queue/runs.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { reviveRun } from '../../src/worker/revive.ts';
import { DAY, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';

const REPORT = (deliver: string) => `
retries: { tries: 2, backoff: 1ms }
schedules:
  inventory:
    profile: main
    cron: "0 6 * * *"
    timeZone: Europe/Berlin
    task: { report: inventory, out: "${deliver === '' ? 'out/' : ''}inventory-{{period.end:yyyy-MM-dd}}.csv" }
    ${deliver}
`;

/** A worker that makes a report each day, beginning on the second day. */
async function reporting(deliver: string) {
  const place = await openWorker(REPORT(deliver));
  const { control } = place.sandbox;
  const blocked = join(place.folder, 'other', 'books');
  const on = (day: number) => place.once({ now: TUESDAY + day * DAY });
  await on(0);
  return {
    place,
    on,
    add: (name: string) => void control.insertItems([{ name, estimated_value: 7 }]),
    block: () => {
      rmSync(blocked, { recursive: true, force: true });
      mkdirSync(join(place.folder, 'other'), { recursive: true });
      writeFileSync(blocked, 'in the way');
    },
    unblock: () => rmSync(blocked),
    /** The number of new items, as the report of that day has it. */
    fresh: (folder: string, day: number) => {
      const date = new Date(TUESDAY + day * DAY).toISOString().slice(0, 10);
      const text = readFileSync(join(place.folder, folder, `inventory-${date}.csv`), 'utf8');
      return Number(/^changes,new,usd,items,(\d+)/m.exec(text)?.[1]);
    },
  };
}

test('what changed in the time of a report that nobody received is in the next one', async () => {
  const { place, on, add, block, unblock, fresh } = await reporting('deliver: [{ folder: ./other/books }]');
  await using _ = place;
  add('A');
  await on(1);
  block();
  add('B');
  const second = await on(2);
  expect(second.runs).toMatchObject([{ state: 'parked_poison' }]);
  unblock();
  add('C');
  await on(3);
  expect(fresh('other/books', 3)).toBe(2);
  // The report of the second day arrives late: it changes nothing for those that follow.
  await using queue = await openQueue(place.ledger);
  const id = second.runs[0]?.id ?? '';
  await reviveRun(id, { ledger: place.ledger, queue, now: TUESDAY + 4 * DAY });
  add('D');
  await on(4);
  expect(await new Runs(place.ledger).get(id)).toMatchObject({ state: 'done' });
  expect([2, 4].map((day) => fresh('other/books', day))).toEqual([1, 1]);
});

test('a report that one of two targets received is the last one', async () => {
  const { place, on, add, block, fresh } = await reporting(
    'deliver: [{ folder: ./out }, { folder: ./other/books }]',
  );
  await using _ = place;
  add('A');
  await on(1);
  block();
  add('B');
  expect((await on(2)).runs).toMatchObject([{ state: 'parked_poison' }]);
  add('C');
  await on(3);
  expect([2, 3].map((day) => fresh('out', day))).toEqual([1, 1]);
});

test('a report without a delivery is the last one once its run has ended', async () => {
  const { place, on, add, fresh } = await reporting('');
  await using _ = place;
  add('A');
  await on(1);
  add('B');
  await on(2);
  add('C');
  await on(3);
  expect([2, 3].map((day) => fresh('out', day))).toEqual([1, 1]);
});
