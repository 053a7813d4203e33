import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HalfOpenProxy, startHalfOpenProxy } from '../support/half-open-proxy.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { fleet } from './fleet.ts';

type Fleet = Awaited<ReturnType<typeof fleet>>;

/** A delivery that was made and not yet noted when its worker or the store failed is made once more: the same file. */
function expectDelivered(result: Fleet, folder: string): void {
  const exports = result.runs.filter(({ work }) => work.kind === 'schedule');
  expect(exports.length).toBe(result.fires);
  // One file for each fire, with its manifest, whole; and nothing half written beside them.
  const expected = exports.flatMap(({ id, deliveries, files = [] }) => {
    expect(deliveries, id).toMatchObject([{ done: true }]);
    expect(files, id).toHaveLength(1);
    const name = basename(files[0] ?? '');
    return [name, `${name}.manifest.json`];
  });
  expect(new Set(expected).size).toBe(expected.length);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(expected.sort());
  for (const { rows, files = [] } of exports)
    expect(readFileSync(files[0] ?? '', 'utf8').split('\r\n')).toHaveLength((rows ?? 0) + 2);
  const twice = [...result.delivered.values()].filter((times) => times > 1).length;
  expect(twice).toBeLessThanOrEqual(result.troubles);
  // Asked to stop, each ended by itself: whole, or with something parked.
  for (const code of result.codes) expect([0, 130]).toContain(code);
  // One that starts while the store is away ends after a minute, to be started again: nothing else ends one.
  const errors = result.complaints.filter((line) => /^(error|defect)(?!.* cannot be reached)/.test(line));
  expect(errors, result.complaints.join('\n')).toEqual([]);
}

function tell(what: string, { kills, fires, rowsDone, held, lanes }: Fleet): void {
  console.log(
    `${what}: ${kills} kills, ${fires} fires, ${rowsDone} rows done, ${held} held; ` +
      `${lanes.requests} requests, keys went from one process to another ${lanes.handovers} times`,
  );
}

const cut = (api: HalfOpenProxy) => void api.cut();
const halfOpen = (api: HalfOpenProxy) => api.stall('both');

test('embedded workers on one SQLite store are repeatedly killed and cut off: every row is sent once, every schedule runs once', async () => {
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
    disasters: [cut, halfOpen, cut],
  });
  expect(result.rowsDone + result.held).toBe(360);
  expectDelivered(result, folder);
  tell('SQLite', result);
});

describe.skipIf(POSTGRES.length === 0)('on one PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1), { durable: true });

  test('20 teams, 3 workers killed at random, PostgreSQL restarted twice and crashed, connections cut: every row is sent once, every schedule runs once, each key is used by one process at a time', async () => {
    const folder = await temporaryFolder();
    const store = new URL(await server.newDatabase());
    await using proxy = await startHalfOpenProxy(`http://${store.host}`);
    const throughProxy = new URL(store);
    throughProxy.port = String(proxy.port);
    const restart = async () => {
      await server.stop();
      await server.start();
    };
    const result = await fleet({
      folder,
      store: store.href,
      storeOfWorkers: throughProxy.href,
      teams: 20,
      workers: 3,
      rows: 60,
      cron: '*/20 * * * * *',
      trouble: 60_000,
      every: 5_000,
      disasters: [
        cut,
        () => proxy.cut(),
        restart,
        halfOpen,
        () =>
          server.run(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${store.pathname.slice(1)}'`,
          ),
        async () => {
          await server.kill();
          await server.start();
        },
        cut,
        () => proxy.stall('both'),
        restart,
      ],
    });
    expect(result.rowsDone + result.held).toBe(1200);
    expectDelivered(result, folder);
    // Keys do change hands, or nothing would be shown.
    expect(result.lanes.handovers).toBeGreaterThan(0);
    tell('PostgreSQL', result);
  });
});
