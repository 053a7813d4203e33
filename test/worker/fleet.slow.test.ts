import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/open-import.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { fleet } from './fleet.ts';

/** A delivery that was made and not yet noted when its worker was killed is made once more: the same file. */
function expectDelivered(result: Awaited<ReturnType<typeof fleet>>, folder: string): void {
  const done = result.runs.filter(({ work, state }) => work.kind === 'schedule' && state === 'done');
  expect(done.length).toBeGreaterThan(0);
  const files = existsSync(join(folder, 'out')) ? readdirSync(join(folder, 'out')) : [];
  for (const run of done) {
    expect(
      run.deliveries?.every((each) => each.done),
      run.id,
    ).toBe(true);
    for (const file of run.files ?? []) expect(files).toContain(file.slice(file.lastIndexOf('/') + 1));
  }
  // Asked to stop, each ended by itself: whole, or with something parked.
  for (const code of result.codes) expect([0, 130]).toContain(code);
  expect(result.complaints.filter((line) => line.startsWith('error'))).toEqual([]);
  const twice = [...result.delivered.values()].filter((times) => times > 1).length;
  expect(twice).toBeLessThanOrEqual(result.kills);
}

test('embedded workers on one SQLite store are killed again and again: every row once, every fire once', async () => {
  const folder = await temporaryFolder();
  const result = await fleet({
    folder,
    store: join(folder, 'ledger.db'),
    teams: 3,
    workers: 1,
    rows: 120,
    cron: '*/5 * * * * *',
    trouble: 20_000,
    every: 4_000,
  });
  expect(result.rowsDone + result.held).toBe(360);
  expectDelivered(result, folder);
  console.log(
    `SQLite: ${result.kills} kills, ${result.fires} fires, ${result.rowsDone} rows done, ${result.held} held`,
  );
});

describe.skipIf(POSTGRES.length === 0)('on one PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1), { durable: true });

  test('20 teams, 3 workers killed at random, PostgreSQL restarted and crashed: every row once, every fire once', async () => {
    const folder = await temporaryFolder();
    const restart = async () => {
      await server.stop();
      await server.start();
    };
    const crash = async () => {
      await server.kill();
      await server.start();
    };
    const result = await fleet({
      folder,
      store: await server.newDatabase(),
      teams: 20,
      workers: 3,
      rows: 40,
      cron: '*/20 * * * * *',
      trouble: 30_000,
      every: 5_000,
      disasters: [restart, crash],
    });
    expect(result.rowsDone + result.held).toBe(800);
    expectDelivered(result, folder);
    console.log(
      `PostgreSQL: ${result.kills} kills, ${result.fires} fires, ${result.rowsDone} rows done, ${result.held} held`,
    );
  });
});
