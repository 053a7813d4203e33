/**
 * Defects that were seen and are not mended yet: each test says what should hold, and fails. Whoever mends one moves its
 * test to those of its subject.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it as test, expect } from 'vitest';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { undoJob } from '../../src/import/run.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { toys } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

const it = test.fails;
const RUN = { quietPeriodMs: QUIET_MS, yes: true };
const live = (at: OpenImport) => at.items().filter(({ status }) => status !== 'archived');
const UPSERT = {
  mode: 'upsert',
  match: ['custom_fields.sku'],
  map: { 'custom_fields.sku': 'SKU', estimated_value: 'Price' },
} satisfies Partial<ImportRequest>;
const priced = (count: number) =>
  `SKU,Name,Price\n${Array.from({ length: count }, (_, n) => `K-${n},Toy ${n},10\n`).join('')}`;

// Collections as the file has them.
it('an item that was archived as missing is not there when the file has it again', async () => {
  await using at = await openImport();
  const sync = async (count: number, more: Partial<ImportRequest>) =>
    at.import({ ...UPSERT, ...more, file: await at.file(`${count}.csv`, priced(count)) });
  await sync(30, {});
  await sync(28, { missing: 'archive' });
  const { exitCode } = await sync(30, { missing: 'archive' });
  expect(exitCode === 3 || live(at).length === 30).toBe(true);
});

// Stores and servers.
it('an undo in a store from before the last rows were sent says what it cannot take back', async () => {
  await using at = await openImport();
  const { summary } = await at.import({ file: await at.file('toys.csv', toys(10)), run: { first: 5 } });
  const backup = join(at.folder, 'backup.db');
  await at.ledger.close();
  await copyFile(at.store, backup);
  await using ledger = openSqliteLedger(at.store);
  await at.resume(summary.job, {}, { ledger });
  await using older = openSqliteLedger(backup);
  const { exitCode } = await at.run((deps) => undoJob(summary.job, deps, { run: RUN }), { ledger: older });
  expect(exitCode === 3 || live(at).length === 0).toBe(true);
});
