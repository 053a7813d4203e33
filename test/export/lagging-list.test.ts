/** An export right after an import: the list may not show the new items yet, and no count of it can tell. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportResource, type ExportSummary } from '../../src/export/export.ts';
import { readManifest } from '../../src/export/verify/verify.ts';
import { systemClock } from '../../src/base/clock.ts';
import { toys } from '../support/csv.ts';
import { hastyClock, NO_LONGER_NEW_MS } from '../support/hasty-clock.ts';
import { type OpenImport, openImport, type RunSetting } from '../support/open-import.ts';

/** Longer than any test lasts. */
const LAG_MS = 3_600_000;

async function exported(
  it: OpenImport,
  clock = systemClock,
  setting: RunSetting = {},
): Promise<ExportSummary> {
  const out = join(it.folder, 'items.csv');
  return it.run(
    ({ client, ledger }) =>
      exportResource(
        { resource: 'items', out },
        { client, clock, values: ledger.values, knownItems: ledger.items },
      ),
    setting,
  );
}

it('an export is not complete, and says why, if the list lacks new items that the store knows', async () => {
  await using it = await openImport({ listLagMs: LAG_MS, seed: 7, seedItems: 120 });
  await it.import({ file: await it.file('toys.csv', toys(3)), collection: 'Trains' });
  const summary = await exported(it);
  expect(summary).toMatchObject({ rows: 120, consistency: 'moved' });
  const explanation = expect.stringMatching(/lags behind.* 3 items/) as string;
  expect(await readManifest(summary.file)).toMatchObject({ consistency: 'moved', explanation });
});

it('an export is complete if only removed items are missing from the list, and it looks up each of them once', async () => {
  await using it = await openImport({ seed: 7, seedItems: 120 });
  await it.import({ file: await it.file('toys.csv', toys(3)), collection: 'Trains' });
  for (const { id } of it.items().slice(0, 3)) it.sandbox.control.removeItem(id);
  it.sandbox.control.resetCounts();
  const clock = hastyClock(NO_LONGER_NEW_MS);
  expect(await exported(it, clock)).toMatchObject({ rows: 120, consistency: 'stable' });
  expect(it.sandbox.control.counts().byOperation.getItem).toEqual({ '404': 3 });
});

it('an export is not complete if the server knows neither by list nor by id an item that is still new', async () => {
  await using it = await openImport({ seed: 7, seedItems: 120 });
  await it.import({ file: await it.file('toys.csv', toys(3)), collection: 'Trains' });
  it.sandbox.control.removeItem(it.items()[0]?.id ?? '');
  const summary = await exported(it);
  expect(summary).toMatchObject({ rows: 122, consistency: 'moved' });
  const explanation = expect.stringMatching(/1 item .* so new that the server may show it late/) as string;
  expect(await readManifest(summary.file)).toMatchObject({ consistency: 'moved', explanation });
});

it('an export is complete while another team of the same address and store imports, and asks for none of its items', async () => {
  await using it = await openImport({ seed: 7, seedItems: 120 });
  const { id } = it.sandbox.control.addTeam();
  const other = { client: { key: it.sandbox.control.addKey(undefined, id).secret } };
  await it.import({ file: await it.file('toys.csv', toys(1)), collection: 'Trains' });
  await it.import({ file: await it.file('other.csv', toys(12)) }, other);
  it.sandbox.control.resetCounts();
  expect(await exported(it)).toMatchObject({ rows: 121, consistency: 'stable' });
  expect(it.sandbox.control.counts().byOperation.getItem).toBeUndefined();
  // More new items of the other team than an export looks up do not hide its own.
  it.sandbox.control.removeItem(it.items()[0]?.id ?? '');
  const own = await exported(it);
  expect(own).toMatchObject({ rows: 120, consistency: 'moved' });
  const explanation = expect.stringMatching(/did not show 1 item /) as string;
  expect(await readManifest(own.file)).toMatchObject({ explanation });
});
