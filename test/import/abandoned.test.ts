/** Jobs that were cancelled: rows whose answers were lost stay open for ever, and put nothing that others read in doubt. */
import { expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { cancelJob } from '../../src/import/jobs/cancel-job.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { setItems } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS, type RunSetting } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const SKU = 'custom_fields.sku';

/** Stops a job while it waits for a lost answer, and cancels it. */
async function abandon(open: OpenImport, start: (setting: RunSetting) => Promise<JobOutcome>): Promise<void> {
  const stop = new AbortController();
  const { job } = (
    await start({
      signal: stop.signal,
      onEvent: (event) => (event.type === 'settling' ? stop.abort() : undefined),
    })
  ).summary;
  await open.run((deps) => cancelJob(job, deps));
  expect((await open.ledger.rows.counts(job)).unknown).toBe(1);
}

const set = (
  open: OpenImport,
  where: string,
  change: string,
  setting: RunSetting = {},
  quietPeriodMs = QUIET_MS,
) =>
  open.run(
    (deps) =>
      setItems({ outDir: open.folder, changes: [change], where, run: { quietPeriodMs, yes: true } }, deps),
    setting,
  );

it('after an update without an answer, later updates of other items cost no additional request', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems(['A', 'B', 'B', 'B'].map((brand) => ({ name: `T ${brand}`, brand })));
  open.sandbox.control.failNext('dropAfterCommit', 'updateItem');
  await abandon(open, (setting) => set(open, 'brand=A', 'series=X', setting, 5_000));
  expect((await set(open, 'brand=B', 'series=Y')).exitCode).toBe(0);
  const read = () => open.sandbox.control.counts().byOperation.getItem?.['200'] ?? 0;
  const before = read();
  const { exitCode, summary } = await set(open, 'brand=B', 'series=Z');
  expect([exitCode, summary.rows.updated, read() - before]).toEqual([0, 3, 0]);
});

it('a cancelled job no longer says what it had waited for', async () => {
  await using open = await openImport({ planLimit: 2 });
  const file = await open.file('toys.csv', 'name\nA\nB\nC\n');
  const parked = await open.import({ file });
  expect(parked.summary).toMatchObject({ state: 'parked_limit', error: { code: 'limit_reached' } });
  const { job } = parked.summary;
  const cancelled = await open.run((deps) => cancelJob(job, deps));
  const shown = await open.run((deps) => showJob(job, deps));
  const again = await open.import({ file });
  for (const { summary } of [cancelled, shown, again]) {
    expect(summary).toMatchObject({ job, state: 'cancelled' });
    expect(summary).not.toHaveProperty('error');
  }
  expect(again).toMatchObject({ exitCode: 3, actions: [{ do: 'apply', job }] });
});

it('after a create without an answer, an upsert of other keys does not read the list again', async () => {
  await using open = await openImport();
  let lists = 0;
  const counting = (client: ApiClient) =>
    overriding(client, {
      listItems: (...args) => {
        lists += 1;
        return client.listItems(...args);
      },
    });
  const upsert = async (sku: string) => {
    const file = await open.file(`${sku}.csv`, csv(['name', SKU], [[`Toy ${sku}`, sku]]));
    lists = 0;
    const { summary } = await open.import({ file, mode: 'upsert', match: [SKU] }, { wrap: counting });
    expect(summary.rows.created).toBe(1);
    return lists;
  };
  const alone = await upsert('S1');
  const file = await open.file('other.csv', csv(['name', SKU], [['Other', 'S2']]));
  open.sandbox.control.failNext('dropAfterCommit', 'createItem');
  await abandon(open, (setting) => open.import({ file, run: { quietPeriodMs: 5_000 } }, setting));
  expect(await upsert('S3')).toBe(alone);
});
