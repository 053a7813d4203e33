import { expect, it } from 'vitest';
import { killChanges } from '../support/kill-changes.ts';
import { csv } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';
import { undoJob } from '../../src/import/run.ts';
import type { FaultKind } from '../../src/sandbox/settings.ts';

it('an upsert and its undo that are killed twice change and create each item once', async () => {
  await killChanges({ mode: 'upsert', rows: 120, kills: 2, spread: 60, sandbox: { latencyMs: 10 } });
});

const KINDS: FaultKind[] = ['dropAfterCommit', 'dropBefore', 'cutBody', 'html502', 'lateCommit'];

it.concurrent.each(KINDS)('an upsert and its undo are correct if answers are lost by %s', async (kind) => {
  await using it = await openImport();
  const run = { quietPeriodMs: 150, waitMs: 120_000 };
  it.sandbox.control.insertItems(
    Array.from({ length: 12 }, (_, index) => ({
      name: `T ${index}`,
      custom_fields: { sku: `S-${index}`, n: 1 },
    })),
  );
  const before = it.items().map(({ id, status, brand }) => ({ id, status, brand }));
  it.sandbox.control.setFaults({ [kind]: 0.25, lateCommitMs: 50, operations: ['updateItem', 'createItem'] });
  const rows = Array.from({ length: 20 }, (_, index) => [`S-${index}`, `T ${index}`, 'sold', 'B']);
  const file = await it.file('u.csv', csv(['sku', 'name', 'status', 'brand'], rows));
  const { summary } = await it.import({ file, mode: 'upsert', match: ['custom_fields.sku'], run });
  expect(summary.rows).toMatchObject({ read: 20, updated: 12, created: 8 });
  expect(it.items().map((item) => [item.status, item.brand])).toEqual(
    Array.from({ length: 20 }, () => ['sold', 'B']),
  );
  const undone = await it.run((deps) => undoJob(summary.job, deps, { run }));
  expect(undone.summary.rows).toMatchObject({ read: 20, updated: 20, held: 0 });
  const left = it.items().filter((item) => item.status !== 'archived');
  expect(left.map(({ id, status, brand }) => ({ id, status, brand }))).toEqual(before);
});
