import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { csv, toyNames, toys } from '../support/csv.ts';
import { overriding } from '../support/overriding.ts';
import { openImport, type OpenImport } from '../support/open-import.ts';
import { PASSWORD, POSTGRES, usePostgres } from '../support/postgres.ts';

describe.skipIf(POSTGRES.length === 0)('an import on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1), { durable: true });

  /** Runs `disturb` once a quarter of the rows is there. */
  async function amid(it: OpenImport, rows: number, disturb: () => Promise<void>): Promise<void> {
    while (it.items().length < rows / 4) await systemClock.sleep(2);
    expect(it.items().length).toBeLessThan(rows);
    // Whatever a disturbance takes, the rest of the rows come after it.
    it.sandbox.control.setLatency(1_000);
    await disturb();
    it.sandbox.control.setLatency(5);
  }

  it('continues when the server is restarted, and when it crashes: no row is lost or duplicated', async () => {
    await using it = await openImport({ latencyMs: 5 });
    await using ledger = await openLedger(await server.newDatabase());
    const file = await it.file('toys.csv', toys(400));
    const disturbed = amid(it, 400, async () => {
      await server.stop();
      await server.start();
      await systemClock.sleep(50);
      await server.kill();
      await systemClock.sleep(300);
      await server.start();
    });
    const { summary } = await it.import({ file }, { ledger });
    await disturbed;
    expect(summary).toMatchObject({ state: 'done', rows: { read: 400, created: 400, held: 0, pending: 0 } });
    expect(it.names()).toEqual(toyNames(400));
  });

  it('archives items that a complete file lacks, even if the import is planned twice', async () => {
    await using it = await openImport();
    await using ledger = await openLedger(await server.newDatabase());
    it.sandbox.control.insertItems(
      Array.from({ length: 20 }, (_, index) => ({
        name: `T ${index}`,
        custom_fields: { sku: `S ${index}` },
      })),
    );
    const rows = Array.from({ length: 18 }, (_, index) => [`S ${index}`, `T ${index}`]);
    const file = await it.file('stock.csv', csv(['custom_fields.sku', 'name'], rows));
    let isDead = false;
    const dying = overriding(ledger, {
      jobs: overriding(ledger.jobs, {
        // Killed when all is planned, and not yet noted.
        update: (id, patch) => {
          isDead ||= patch.fingerprint !== undefined;
          return isDead ? Promise.reject(new Error('dead')) : ledger.jobs.update(id, patch);
        },
        discard: (id) => (isDead ? Promise.reject(new Error('dead')) : ledger.jobs.discard(id)),
      }),
    });
    const request = {
      file,
      mode: 'upsert' as const,
      match: ['custom_fields.sku'],
      missing: 'archive' as const,
      dryRun: true,
    };
    await expect(it.import(request, { ledger: dying })).rejects.toThrow('dead');
    const [job] = await ledger.jobs.list();
    const { summary, exitCode } = await it.apply(job?.id ?? '', {}, { ledger });
    expect([exitCode, summary.rows]).toMatchObject([0, { read: 20, updated: 2, unchanged: 18 }]);
    const gone = it.items().filter(({ status }) => status === 'archived');
    expect(gone.map(({ name }) => name).sort()).toEqual(['T 18', 'T 19']);
  });

  it('is parked if the server stays unreachable, and can be resumed: no row is lost or duplicated', async () => {
    const api = await openImport({ latencyMs: 5 });
    await using it = api;
    const store = `${await server.newDatabase()}?reconnect=0.2`;
    const place = newPlace({
      SHELFLIFT_API_URL: it.sandbox.url,
      SHELFLIFT_API_KEY: it.sandbox.key,
      SHELFLIFT_STORE: store,
    });
    place.file('toys.csv', toys(400));
    const disturbed = amid(it, 400, () => server.stop());
    // A process of its own: it ends, and so does its hold on the lane.
    const run = await place.run(['import', 'toys.csv', '--collection', 'Main', '--json', '--verbose']);
    await disturbed;
    expect(run.code, run.stderr).toBe(6);
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'store_unreachable' } });
    expect(run.stderr).toMatch(
      /Job \S+ is unchanged\.\n +When the store is back: shelflift jobs resume \d{6}-/,
    );
    expect(run.stdout + run.stderr).not.toContain(PASSWORD);
    const sent = it.items().length;
    expect(sent).toBeLessThan(400);

    await server.start();
    const rest = await place.call(['jobs', 'resume', 'last', '--json', '--quiet-period', '100ms']);
    expect(rest.code, rest.stderr).toBe(0);
    expect(JSON.parse(rest.stdout)).toMatchObject({ state: 'done', rows: { created: 400, held: 0 } });
    expect(it.names()).toEqual(toyNames(400));
  });
});
