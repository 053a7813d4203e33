import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Retention } from '../../src/worker/delivery/retention.ts';
import { openWorker } from './open-worker.ts';

/** Delivers as two workers do that know nothing of each other. */
async function deliver(retention: Retention, file: string, fire: number, keep: number): Promise<void> {
  await retention.expect(file, fire);
  writeFileSync(file, '');
  await retention.keepNewest(file, fire, keep);
}

test('concurrent deliveries keep the newest files, and retention still knows every file that is left', async () => {
  await using place = await openWorker('');
  place.dropper('out');
  const file = (fire: number) => join(place.folder, 'out', `${String(fire).padStart(2, '0')}.csv`);
  const retention = () => new Retention(place.ledger.values, 'accounting folder ./out');
  const fires = Array.from({ length: 12 }, (_, index) => index);
  await Promise.all(fires.map((fire) => deliver(retention(), file(fire), fire, 3)));
  expect(readdirSync(join(place.folder, 'out'))).toEqual(['09.csv', '10.csv', '11.csv']);
  // One that is late: it is older than those that are there.
  await deliver(retention(), file(5), 5, 3);
  await deliver(retention(), file(12), 12, 3);
  expect(readdirSync(join(place.folder, 'out'))).toEqual(['10.csv', '11.csv', '12.csv']);
});

test('retention does not remove a file whose name is being delivered again', async () => {
  await using place = await openWorker('');
  place.dropper('out');
  const [old, newer] = ['monday.csv', 'tuesday.csv'].map((name) => join(place.folder, 'out', name));
  const one = new Retention(place.ledger.values, 'accounting');
  const other = new Retention(place.ledger.values, 'accounting');
  await deliver(one, old ?? '', 1, 1);
  await other.expect(old ?? '', 8);
  writeFileSync(old ?? '', 'the next week');
  await deliver(one, newer ?? '', 2, 1);
  expect([existsSync(old ?? ''), existsSync(newer ?? '')]).toEqual([true, true]);
  await other.keepNewest(old ?? '', 8, 1);
  expect([existsSync(old ?? ''), existsSync(newer ?? '')]).toEqual([true, false]);
});
