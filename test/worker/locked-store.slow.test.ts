import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { toyNames, toys } from '../support/csv.ts';
import { DROP } from './example-config.ts';
import { openWorker } from './open-worker.ts';

test('a run that finds a locked store is retried: every row is sent once, and no file is moved to failed/', async () => {
  await using place = await openWorker(DROP);
  place.dropper('drop')('toys.csv', toys(80));
  const store = join(place.folder, 'ledger.db');
  await using ledger = await openLedger(store, { outageMs: 300 });
  let holder: DatabaseSync | undefined;
  let refusals = 0;
  const { exitCode, runs } = await place.once({
    ledger,
    emit: (event) => {
      if (event.type === 'request' && place.sandbox.control.items().length >= 6 && holder === undefined) {
        holder = new DatabaseSync(store, { timeout: 5000 });
        holder.exec('BEGIN IMMEDIATE');
      }
      // The store refuses the run, and later also the note that it is put back.
      if (event.type === 'warning' && event.message.includes('locked')) refusals += 1;
      if (refusals === 3 && holder?.isOpen === true) holder.close();
    },
  });
  expect(refusals).toBeGreaterThanOrEqual(3);
  expect([exitCode, runs.map(({ state }) => state)]).toEqual([0, ['done']]);
  expect(readdirSync(join(place.folder, 'drop/done'))).toContain('toys.csv');
  expect(existsSync(join(place.folder, 'drop/failed/toys.csv'))).toBe(false);
  expect(
    place.sandbox.control
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(toyNames(80));
  expect(await new Runs(place.ledger).list()).toMatchObject([{ state: 'done', tries: 0 }]);
});
