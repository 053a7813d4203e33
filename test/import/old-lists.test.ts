/** Lists, and single items, that show an older state than this store has sent. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { hastyClock } from '../support/hasty-clock.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
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

/** @returns a setting in which lists show what they show now, and so do items, as often as it says */
async function stopReadings(open: OpenImport): Promise<(readings: number) => RunSetting> {
  const old = await open.run(({ client }) => client.listItems({ perPage: 100 }));
  return (readings) => {
    let left = readings;
    const wrap: RunSetting['wrap'] = (client) =>
      overriding(client, {
        listItems: () => Promise.resolve(old),
        getItem: async (id, options) => {
          const now = await client.getItem(id, options);
          const before = old.value.data.find((item) => item.id === id);
          left -= 1;
          return left < 0 || before === undefined ? now : { ...now, value: before };
        },
      });
    return { wrap, clock: hastyClock() };
  };
}

describe('an item whose id shows it as it was before this store changed it', () => {
  const opened = async () => {
    const open = await openImport();
    open.sandbox.control.insertItems([{ name: 'A', estimated_value: 10 }]);
    const setting = await stopReadings(open);
    // A later time in the answer than that of the item, to the millisecond.
    await systemClock.sleep(2);
    const raised = await set(open, 'estimated_value+=1', 'name=A', setting(0));
    const value = () => open.items()[0]?.estimated_value;
    expect(value()).toBe(11);
    return { open, setting, raised, value };
  };

  it('is read again before a relative change', async () => {
    const { open, setting, value } = await opened();
    await using _ = open;
    for (const readings of [1, 2, 3, 4, 5, 6]) {
      const { exitCode } = await set(open, 'estimated_value+=2', 'name=A', setting(readings));
      expect([exitCode, value()]).toEqual([0, 11 + 2 * readings]);
    }
  });

  it('is read again before an undo', async () => {
    const { open, setting, raised, value } = await opened();
    await using _ = open;
    await open.run((deps) => undoJob(raised.summary.job, deps, { run }), setting(6));
    expect(value()).toBe(10);
  });

  it('is held if no reading shows the change, until a person decides', async () => {
    const { open, setting, value } = await opened();
    await using _ = open;
    const { exitCode, summary } = await set(open, 'estimated_value+=2', 'name=A', setting(1_000));
    expect([exitCode, summary.rows.held, value()]).toEqual([3, 1, 11]);
    await open.run((deps) => resolveRow(summary.job, 1, { as: 'mine' }, deps), setting(1_000));
    expect((await open.resume(summary.job, {}, setting(1_000))).exitCode).toBe(0);
  });

  it('is not waited for if somebody has set the earlier value since', async () => {
    const { open, setting, value } = await opened();
    await using _ = open;
    await open.run(({ client }) => client.updateItem(open.items()[0]?.id ?? '', { estimated_value: 10 }));
    open.sandbox.control.resetCounts();
    await set(open, 'estimated_value+=2', 'name=A', setting(0));
    expect(value()).toBe(12);
    expect(open.sandbox.control.counts().byOperation.getItem?.['200']).toBeLessThan(5);
  });
});
