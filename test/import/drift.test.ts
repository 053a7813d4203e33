/** Before an older plan is sent, the items are read once, however many rows there are. */
import { expect, test } from 'vitest';
import { csv } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

test('the drift check of 1,200 changes reads each page of the list once', async () => {
  await using it = await openImport({ seed: 7, seedItems: 1200 });
  const ids = it.items().map((item) => item.id);
  const file = await it.file(
    'changes.csv',
    csv(
      ['id', 'brand'],
      ids.map((id) => [id, 'Changed']),
    ),
  );
  const request = { file, mode: 'update' as const, match: ['id'], collection: 'Trains' };
  const { summary } = await it.import({ ...request, dryRun: true });
  expect(summary.plan).toMatchObject({ update: 1200 });

  it.sandbox.control.resetCounts();
  const applied = await it.apply(summary.job, { yes: true });
  expect(applied.summary).toMatchObject({ state: 'done', rows: { updated: 1200 } });
  const { byOperation } = it.sandbox.control.counts();
  // Twelve pages, and the head that is read before sending.
  expect(byOperation.listItems?.['200']).toBeLessThanOrEqual(13);
  expect(byOperation.getItem).toBeUndefined();
});
