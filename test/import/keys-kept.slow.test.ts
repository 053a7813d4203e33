/** Keys of an upsert on a server that does not keep them as they were sent, and on one where a person has changed them. */
import { describe, expect, it } from 'vitest';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { KEPT_MS, pruneJobs } from '../../src/import/jobs/prune-jobs.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import type { Storing } from '../../src/sandbox/settings.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const SKU = 'custom_fields.sku';

async function send(
  it: OpenImport,
  keys: readonly string[],
  over: Partial<ImportRequest> = {},
  brand = 'Acme',
): Promise<JobOutcome> {
  const rows = keys.map((key, index) => [`Toy ${index}`, brand, key]);
  const file = await it.file('toys.csv', csv(['name', 'brand', SKU], rows));
  return it.import({ file, mode: 'upsert', match: [SKU], ...over });
}

const twelve = (key: (index: number) => string) => Array.from({ length: 12 }, (_, index) => key(index));

describe.each<[string, Storing, string[]]>([
  ['escapes it', { escapeTexts: true }, twelve((index) => `A&B-${index}`)],
  ['cuts it', { cutCustomFields: true }, twelve((index) => `S${index}-LONG-KEY`)],
  ['drops it', { dropCustomFields: true }, twelve((index) => `S${index}`)],
])('a server that receives the key of an upsert and then %s', (_, storing, keys) => {
  it('gets the first row alone, and the job is parked', async () => {
    await using it = await openImport({ storing });
    const { summary, exitCode } = await send(it, keys);
    expect([exitCode, summary.state, summary.error?.code]).toEqual([3, 'parked_refused', 'key_not_kept']);
    expect(summary.rows).toMatchObject({ created: 1, pending: 11 });
  });

  it('gets no further row until a person confirms, and then gets all rows', async () => {
    await using it = await openImport({ storing });
    const { summary } = await send(it, keys);
    for (let time = 1; time <= 2; time += 1) {
      const asked = await it.resume(summary.job);
      expect([asked.exitCode, asked.summary.error?.code]).toEqual([3, 'key_not_kept']);
      expect(asked.summary).toMatchObject({ state: 'parked_refused', rows: { created: 1, pending: 11 } });
    }
    expect(it.items()).toHaveLength(1);
    const all = await it.resume(summary.job, { yes: true });
    expect([all.summary.state, all.summary.rows]).toMatchObject(['done', { created: 12, pending: 0 }]);
    expect(new Set(it.names()).size).toBe(12);
  });

  it('shows it to a job that waits for its turn, which then creates nothing until a person confirms', async () => {
    await using it = await openImport({ storing });
    let first: JobOutcome | undefined;
    const { lanes } = it.ledger;
    const acquire: typeof lanes.acquire = async (lane, ...others) => {
      if (!lane.startsWith('rows of')) first ??= await send(it, keys);
      return lanes.acquire(lane, ...others);
    };
    const ledger = overriding(it.ledger, { lanes: overriding(lanes, { acquire }) });
    const rows = keys.map((key, index) => [`Robot ${index}`, key.replace(/\d/u, '9$&')]);
    const file = await it.file('robots.csv', csv(['name', SKU], rows));
    const late = await it.import({ file, mode: 'upsert', match: [SKU] }, { ledger });
    expect([late.exitCode, late.summary.error?.code]).toEqual([3, 'key_not_kept']);
    expect(late.summary.rows).toMatchObject({ created: 0, pending: 12 });
    expect(it.names()).toHaveLength(1);
    const all = await it.resume(late.summary.job, { yes: true });
    expect([all.summary.state, all.summary.rows]).toMatchObject(['done', { created: 12, pending: 0 }]);
  });

  it('never creates two items for one row, however often the file is sent', async () => {
    await using it = await openImport({ storing });
    await send(it, keys);
    for (let time = 2; time <= 3; time += 1) {
      const { exitCode, summary } = await send(it, keys);
      expect([exitCode, summary.error?.code, summary.rows.created]).toEqual([3, 'key_not_kept', 0]);
    }
    expect(it.names()).toHaveLength(1);
    const all = await send(it, keys, { run: { yes: true } });
    expect([all.exitCode, all.summary.rows]).toMatchObject([0, { created: 11, unchanged: 1 }]);
    expect(new Set(it.names()).size).toBe(12);
  });

  it('shows it to rows that also look like an item', async () => {
    await using it = await openImport({ storing });
    await send(it, keys);
    it.sandbox.control.insertItems(keys.map((_key, index) => ({ name: `Toy ${index}`, brand: 'Acme' })));
    const run = { similar: 'create' as const };
    const { exitCode, summary } = await send(it, keys, { checkSimilar: true, run });
    expect([exitCode, summary.error?.code, summary.rows.created]).toEqual([3, 'key_not_kept', 0]);
  });

  it('does not keep an upsert from finding the items of rows that were sent without a key', async () => {
    await using it = await openImport({ storing });
    await send(it, keys, { mode: 'create', match: [] });
    expect(it.items()).toHaveLength(12);
    const same = await send(it, keys);
    expect([same.exitCode, same.summary.rows]).toMatchObject([0, { unchanged: 12, created: 0 }]);
    const other = await send(it, keys, {}, 'Else');
    expect([other.exitCode, other.summary.rows]).toMatchObject([0, { updated: 12, created: 0 }]);
    expect(it.items().map(({ brand }) => brand)).toEqual(keys.map(() => 'Else'));
  });
});

it('a key that the server rewrote is still recognised after the item was edited', async () => {
  await using it = await openImport({ storing: { escapeTexts: true } });
  await send(it, ['A&B']);
  const changed = await send(it, ['A&B'], {}, 'Else');
  expect(changed.summary.rows).toMatchObject({ updated: 1, created: 0 });
  const again = await send(it, ['A&B'], {}, 'Third');
  expect([again.exitCode, again.summary.rows]).toMatchObject([0, { updated: 1, created: 0 }]);
  expect(it.items()).toMatchObject([{ brand: 'Third' }]);
});

it('a key that the server rewrote is still recognised after its job was pruned', async () => {
  await using it = await openImport({ storing: { escapeTexts: true } });
  const keys = ['A&B', 'C&D'];
  const first = await send(it, keys);
  await it.resume(first.summary.job, { yes: true });
  const { jobs } = await pruneJobs(it.ledger, { now: Date.now() + 2 * KEPT_MS });
  expect(jobs).toHaveLength(1);
  const { exitCode, summary } = await send(it, keys, { run: { yes: true } }, 'Else');
  expect([exitCode, summary.rows]).toMatchObject([0, { updated: 2, created: 0 }]);
  expect(it.items().map(({ brand }) => brand)).toEqual(['Else', 'Else']);
});

it('if a row is held because its item may exist, rows of later files with the same key are held too', async () => {
  await using it = await openImport();
  await send(it, ['A']);
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const stop = new AbortController();
  const rows = [['Robot', 'B']];
  const file = await it.file('more.csv', csv(['name', SKU], rows));
  const request = { file, mode: 'upsert' as const, match: [SKU] };
  const { summary: first } = await it.import(
    { ...request, run: { quietPeriodMs: 60_000 } },
    { signal: stop.signal, onEvent: (event) => (event.type === 'settling' ? stop.abort() : undefined) },
  );
  const lost = it.items().find(({ name }) => name === 'Robot');
  await it.run(({ client }) => client.updateItem(lost?.id ?? '', { custom_fields: { sku: 'C' } }));
  expect((await it.resume(first.job)).summary.rows).toMatchObject({ held: 1 });
  const same = await it.file('same.csv', csv(['name', SKU], [...rows, ['Bear', 'D']]));
  const { summary, exitCode } = await it.import({ ...request, file: same });
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, held: 1 }]);
  expect(it.names()).toEqual(['Bear', 'Robot', 'Toy 0']);
});

it('a key that the server only normalises counts as the same key', async () => {
  await using it = await openImport({ storing: { collapseSpaces: true, trimNames: true } });
  const { exitCode } = await send(it, ['A', 'B'], { match: ['name'] });
  expect(exitCode).toBe(0);
});

it('a row is held if the key of its item has changed, because a new item might be a duplicate', async () => {
  await using it = await openImport();
  await send(it, ['A', 'B', 'C']);
  const [item] = it.items().filter(({ name }) => name === 'Toy 0');
  const edited = await it.file('edit.csv', csv(['id', SKU], [[item?.id ?? '', 'A-2']]));
  await it.import({ file: edited, mode: 'update' });
  const { summary, exitCode } = await send(it, ['A', 'B', 'C', 'D'], {}, 'Else');
  expect([exitCode, summary.rows]).toMatchObject([3, { held: 1, updated: 2, created: 1 }]);
  const [held] = await it.ledger.rows.list(summary.job, { states: ['held'], limit: 9 });
  expect(held?.issues[0]).toMatchObject({ code: 'key_changed', candidates: [{ id: item?.id }] });
  // Once the item has the key again, the row is its change.
  const back = await it.file('back.csv', csv(['id', SKU], [[item?.id ?? '', 'A']]));
  await it.import({ file: back, mode: 'update' });
  const after = await send(it, ['A', 'B', 'C', 'D'], {}, 'Third');
  expect([after.exitCode, after.summary.rows]).toMatchObject([0, { updated: 4 }]);
});

it('items that swapped their keys are found by their current keys', async () => {
  await using it = await openImport();
  await send(it, ['A', 'B']);
  const idOf = (name: string) => it.items().find((item) => item.name === name)?.id ?? '';
  const swap = csv(
    ['id', SKU],
    [
      [idOf('Toy 0'), 'B'],
      [idOf('Toy 1'), 'A'],
    ],
  );
  await it.import({ file: await it.file('swap.csv', swap), mode: 'update' });
  const { summary } = await send(it, ['A', 'B'], {}, 'Else');
  expect(summary.rows).toMatchObject({ updated: 2, held: 0, created: 0 });
  expect(it.items().find(({ id }) => id === idOf('Toy 0'))?.custom_fields).toEqual({ sku: 'A' });
});

it('a key whose create got no answer in another job is held if the server may have stored it in another form', async () => {
  await using it = await openImport({ storing: { cutCustomFields: true } });
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const stop = new AbortController();
  const file = await it.file('one.csv', csv(['name', SKU], [['Robot', 'S1-LONG-KEY']]));
  const request = { file, mode: 'upsert' as const, match: [SKU] };
  await it.import(
    { ...request, run: { quietPeriodMs: 2_000 } },
    { signal: stop.signal, onEvent: (event) => (event.type === 'settling' ? stop.abort() : undefined) },
  );
  const { exitCode, summary } = await it.import(request);
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 0, held: 1 }]);
  expect(it.names()).toEqual(['Robot']);
});
