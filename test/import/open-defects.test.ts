/**
 * Defects that were seen and are not mended yet: each test says what should hold, and fails. Whoever mends one moves its
 * test to those of its subject.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it as test, expect } from 'vitest';
import { undoJob } from '../../src/import/run.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { toys } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

const it = test.fails;
const RUN = { quietPeriodMs: QUIET_MS, yes: true };
const live = (at: OpenImport) => at.items().filter(({ status }) => status !== 'archived');
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
