/** Lists that show an older state of their items than the items' own addresses. */
import { expect, it } from 'vitest';
import { setItems, undoJob } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS, type RunSetting } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const run = { quietPeriodMs: QUIET_MS, yes: true };

/** Lists show from now on what they show now. */
async function stopLists(open: OpenImport): Promise<RunSetting> {
  const old = await open.run(({ client }) => client.listItems({ perPage: 100 }));
  return { wrap: (client) => overriding(client, { listItems: () => Promise.resolve(old) }) };
}

function set(open: OpenImport, change: string, where: string, setting: RunSetting) {
  return open.run((deps) => setItems({ changes: [change], where, outDir: open.folder, run }, deps), setting);
}

it.each([
  ['estimated_value+=7', { estimated_value: 13 }, 3, {}],
  ['tags+=checked', { tags: ['theirs'] }, 0, { tags: ['theirs', 'checked'] }],
  ['custom_fields.shelf=A1', { custom_fields: { box: 9 } }, 0, { custom_fields: { box: 9, shelf: 'A1' } }],
])('%s is not based on a list that lacks an edit', async (change, edit, code, after) => {
  await using open = await openImport();
  const [id = ''] = open.sandbox.control.insertItems([{ name: 'A', estimated_value: 12 }]);
  const setting = await stopLists(open);
  await open.run(({ client }) => client.updateItem(id, edit));
  const { exitCode } = await set(open, change, 'name=A', setting);
  expect([exitCode, open.items()[0]]).toMatchObject([code, { ...edit, ...after }]);
});

it('an upsert is compared with what this store has sent, even if the list does not show it yet', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems([{ name: 'A', estimated_value: 5, custom_fields: { SKU: 'A1' } }]);
  const setting = await stopLists(open);
  const value = () => open.items()[0]?.estimated_value;
  const upsert = async (price: number) => {
    const file = await open.file(`${price}.csv`, csv(['name', 'SKU', 'Price'], [['A', 'A1', String(price)]]));
    return open.import({ file, mode: 'upsert', match: ['custom_fields.SKU'], run }, setting);
  };
  await upsert(10);
  expect([(await upsert(5)).exitCode, value()]).toEqual([0, 5]);
  await upsert(10);
  const { summary } = await upsert(20);
  await open.run((deps) => undoJob(summary.job, deps, { run }), setting);
  expect(value()).toBe(10);
});

it('items are chosen by what this store has sent', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems(['A', 'B'].map((name) => ({ name, brand: 'Old' })));
  const setting = await stopLists(open);
  await set(open, 'brand=New', 'name=A', setting);
  await set(open, 'status=sold', 'brand=New', setting);
  await set(open, 'series=Rest', 'brand=Old', setting);
  expect(open.items().map(({ name, status, series }) => [name, status, series])).toEqual([
    ['B', 'keep', 'Rest'],
    ['A', 'sold', null],
  ]);
  expect((await set(open, 'status=keep', 'name=A', setting)).summary.rows).toMatchObject({ updated: 1 });
});

it('a list that shows what this store has sent costs no further requests', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems(Array.from({ length: 30 }, (_, n) => ({ name: `T ${n}`, brand: 'Old' })));
  await set(open, 'brand=New', 'brand=Old', {});
  await set(open, 'series=S', 'brand=New', {});
  expect(open.sandbox.control.counts().byOperation.getItem).toBeUndefined();
});
