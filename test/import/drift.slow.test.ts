/** Before an older plan is sent, the items are read once, however many rows there are. */
import { describe, expect, it, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
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

test.each([
  ['hold', { held: 1, updated: 1 }, 'Theirs', 3],
  ['skip', { skipped: 1, updated: 1 }, 'Theirs', 3],
  ['overwrite', { updated: 2 }, 'Planned', 0],
] as const)('an update of a drifted item follows --on-drift %s', async (onDrift, rows, brand, code) => {
  await using it = await openImport();
  const [id = '', other = ''] = it.sandbox.control.insertItems([
    { name: 'a', brand: 'Old', custom_fields: { shelf: 'A' } },
    { name: 'b', brand: 'Old', custom_fields: { shelf: 'A' } },
  ]);
  const lines = [id, other].map((each) => [each, 'Planned', 'B']);
  const file = await it.file('u.csv', csv(['id', 'brand', 'custom_fields.shelf'], lines));
  const dry = await it.import({ file, mode: 'update', dryRun: true });
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  await somebody.updateItem(id, { brand: 'Theirs' });
  // A field beside those concerned is no drift, and is not lost although the map is sent whole.
  await somebody.updateItem(other, { custom_fields: { shelf: 'A', theirs: 1 } });
  const events: ImportEvent[] = [];
  const { summary, exitCode } = await it.apply(
    dry.summary.job,
    { onDrift },
    { onEvent: (event) => events.push(event) },
  );
  expect([exitCode, summary.rows]).toMatchObject([code, rows]);
  const item = (wanted: string) => it.items().find((each) => each.id === wanted);
  expect(item(id)?.brand).toBe(brand);
  expect(item(other)).toMatchObject({ brand: 'Planned', custom_fields: { shelf: 'B', theirs: 1 } });
  const told = events.filter((event) => event.type === 'drifted').map((event) => event.message);
  const threeWay = 'brand was "Old" when the plan was made and is now "Theirs" (planned: "Planned")';
  expect(told).toEqual(onDrift === 'overwrite' ? [] : [threeWay]);
  // What the undo brings back is what was there when it was overwritten.
  await it.run((deps) => undoJob(summary.job, deps));
  expect(item(id)?.brand).toBe('Theirs');
  expect(item(other)).toMatchObject({ brand: 'Old', custom_fields: { shelf: 'A', theirs: 1 } });
});

test.each(['import', 'set'])('an apply keeps the --on-drift of its plan (%s)', async (command) => {
  await using it = await openImport();
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', brand: 'Old', status: 'keep' }]);
  const file = await it.file('u.csv', csv(['id', 'brand'], [[id, 'Planned']]));
  const plan = async (onDrift: 'overwrite') => {
    const asked = { dryRun: true, run: { onDrift } };
    const dry =
      command === 'import'
        ? await it.import({ ...asked, file, mode: 'update' })
        : await it.run((deps) =>
            setItems({ ...asked, changes: ['brand=Planned'], where: ['name=a'], outDir: it.folder }, deps),
          );
    return dry.summary.job;
  };
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  const job = await plan('overwrite');
  await somebody.updateItem(id, { brand: 'Theirs' });
  expect((await it.apply(job)).summary.rows).toMatchObject({ updated: 1 });

  await somebody.updateItem(id, { brand: 'Old' });
  const other = await plan('overwrite');
  await somebody.updateItem(id, { brand: 'Theirs' });
  expect((await it.apply(other, { onDrift: 'hold' })).summary.rows).toMatchObject({ held: 1 });
});

describe('an update by SKU that is applied after two items swapped their SKUs', () => {
  it.each([
    ['hold', 'held'],
    ['skip', 'skipped'],
    // The values were never meant for the item that has the SKU no more.
    ['overwrite', 'held'],
  ] as const)('changes neither item, with --on-drift %s', async (onDrift, state) => {
    await using it = await openImport();
    const [one = '', two = ''] = it.sandbox.control.insertItems([
      { name: 'Robot', brand: 'Old', custom_fields: { sku: 'AF-1' } },
      { name: 'Bear', brand: 'Bears', custom_fields: { sku: 'AF-2' } },
    ]);
    const file = await it.file(
      'u.csv',
      csv(
        ['custom_fields.sku', 'brand'],
        [
          ['AF-1', 'Robots'],
          ['AF-2', 'Bears & co'],
        ],
      ),
    );
    const dry = await it.import({ file, mode: 'update', match: ['custom_fields.sku'], dryRun: true });
    await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    await somebody.updateItem(one, { custom_fields: { sku: 'AF-2' } });
    // The item that has the SKU by now has the wanted value, too: its row would look as if nothing were left to do.
    await somebody.updateItem(two, { brand: 'Bears & co', custom_fields: { sku: 'AF-1' } });
    const { summary, exitCode } = await it.apply(dry.summary.job, { onDrift });
    expect([exitCode, summary.rows]).toMatchObject([3, { updated: 0, unchanged: 0, [state]: 2 }]);
    expect(it.items().map(({ brand }) => brand)).toEqual(['Bears & co', 'Old']);
    const [row] = await it.ledger.rows.list(dry.summary.job, { limit: 1 });
    expect(row?.issues[0]).toMatchObject({
      code: 'drifted',
      column: 'custom_fields.sku',
      message:
        'custom_fields.sku was "AF-1" when the plan was made and is now "AF-2": the row may now refer to another item',
    });
  });

  it('still sends a row if its item’s SKU now differs only in case or spaces', async () => {
    await using it = await openImport();
    const [id = ''] = it.sandbox.control.insertItems([{ name: 'Robot', custom_fields: { sku: 'AF-1' } }]);
    const file = await it.file('u.csv', csv(['custom_fields.sku', 'brand'], [['AF-1', 'Robots']]));
    const dry = await it.import({ file, mode: 'update', match: ['custom_fields.sku'], dryRun: true });
    await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    await somebody.updateItem(id, { custom_fields: { sku: ' af-1' } });
    const { summary } = await it.apply(dry.summary.job);
    expect(summary.rows).toMatchObject({ updated: 1 });
  });
});

test('a raise is not applied if somebody has given the item the raised value meanwhile', async () => {
  await using it = await openImport();
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'Robot', estimated_value: 100 }]);
  const file = await it.file('ids.txt', id);
  const dry = await it.run((deps) =>
    setItems({ changes: ['estimated_value*=1.5'], idsFrom: file, dryRun: true }, deps),
  );
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  await somebody.updateItem(id, { estimated_value: 150 });
  const { summary, exitCode } = await it.apply(dry.summary.job);
  expect([exitCode, summary.rows]).toMatchObject([3, { held: 1, unchanged: 0 }]);
  expect(it.items()[0]?.estimated_value).toBe(150);
});
