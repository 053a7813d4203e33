/** `--first N` on changes: a few of each kind go ahead, and a person is told what to look at. */
import { describe, expect, it } from 'vitest';
import { setItems } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

it('a canary sends rows of every kind of change first and shows them; the resume sends the rest', async () => {
  await using it = await openImport();
  const seeds = Array.from({ length: 30 }, (_, index) => ({
    name: `T ${index}`,
    status: index < 28 ? ('keep' as const) : ('sell' as const),
  }));
  const ids = it.sandbox.control.insertItems(seeds);
  const rows = ids.map((id, index) => [id, `T ${index}`, 'sold', index === 27 ? 'New' : '']);
  const file = await it.file(
    'u.csv',
    csv(['id', 'name', 'status', 'brand'], [...rows, ['', 'Created', 'keep', '']]),
  );
  const first = await it.import({ file, mode: 'upsert', run: { first: 5 } });
  expect(first.exitCode).toBe(0);
  expect(first.summary).toMatchObject({ state: 'paused', rows: { updated: 4, created: 1, pending: 26 } });
  expect(first.summary.canary?.map(({ row, action, state }) => [row, action, state])).toEqual([
    [2, 'update', 'done'],
    [3, 'update', 'done'],
    [29, 'update', 'done'],
    [30, 'update', 'done'],
    [32, 'create', 'done'],
  ]);
  expect(first.summary.canary?.[2]?.changes).toEqual([
    { field: 'status', from: 'keep', to: 'sold' },
    { field: 'brand', from: null, to: 'New' },
  ]);
  const { summary } = await it.resume('last');
  expect(summary).toMatchObject({ state: 'done', rows: { updated: 30, created: 1, pending: 0 } });
});

it('a canary of many changes needs no --yes, but the other changes do', async () => {
  await using it = await openImport();
  const ids = it.sandbox.control.insertItems(
    Array.from({ length: 6 }, (_, index) => ({ name: `T ${index}` })),
  );
  const file = await it.file(
    'u.csv',
    csv(
      ['id', 'status'],
      ids.map((id) => [id, 'sold']),
    ),
  );
  const first = await it.import({ file, mode: 'update', run: { first: 2, maxChanges: 3 } });
  expect(first.summary).toMatchObject({ state: 'paused', rows: { updated: 2, pending: 4 } });
  const rest = await it.resume('last', { maxChanges: 3 });
  expect(rest).toMatchObject({
    exitCode: 2,
    summary: {
      error: {
        code: 'too_many_changes',
        message: '6 items would be changed, more than 3. The remaining rows were not sent.',
      },
      rows: { pending: 4 },
    },
  });
  const agreed = await it.resume('last', { maxChanges: 3, yes: true });
  expect(agreed.summary.rows).toMatchObject({ updated: 6 });
});

describe('the questions about the rest count what the job has sent before', () => {
  it.each([
    { header: 'status', value: 'sold', options: { maxChanges: 1 }, code: 'too_many_changes', first: 1 },
    { header: 'brand', value: '<clear>', options: {}, code: 'field_emptied', first: 9 },
  ])('$code', async ({ header, value, options, code, first }) => {
    await using it = await openImport();
    const seeds = Array.from({ length: first + 1 }, (_, index) => ({ name: `T ${index}`, brand: 'B' }));
    const ids = it.sandbox.control.insertItems(seeds);
    const rows = ids.map((id) => [id, value]);
    const file = await it.file('u.csv', csv(['id', header], rows));
    const begun = await it.import({ file, mode: 'update', run: { first, ...options } });
    expect(begun.summary.rows).toMatchObject({ updated: first, pending: 1 });
    const rest = await it.resume('last', options);
    expect([rest.exitCode, rest.summary.error?.code, rest.summary.rows.updated]).toEqual([2, code, first]);
    const agreed = await it.resume('last', { ...options, yes: true });
    expect([agreed.exitCode, agreed.summary.rows.updated]).toEqual([0, first + 1]);
  });

  it('nearly all items', async () => {
    await using it = await openImport();
    it.sandbox.control.insertItems(Array.from({ length: 60 }, (_, index) => ({ name: `T ${index}` })));
    const begun = await it.run((deps) =>
      setItems({ outDir: it.folder, changes: ['tags+=x'], where: ['name!=zzzz'], run: { first: 20 } }, deps),
    );
    expect(begun.summary.rows).toMatchObject({ updated: 20, pending: 40 });
    const rest = await it.resume('last');
    expect([rest.exitCode, rest.summary.error?.code]).toEqual([2, 'too_many_changes']);
    expect(rest.summary.rows).toMatchObject({ updated: 20, pending: 40 });
  });
});

it('a canary asks about the rows that it sends, not about rows in their place that were sent before', async () => {
  await using it = await openImport();
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => [`Toy ${from + index}`]);
  await it.import({ file: await it.file('first.csv', csv(['name'], rows(0, 4))) });
  // Somebody has renamed them, so that they look like no row.
  await it.run(async ({ client }) => {
    for (const [n, { id }] of it.items().entries()) await client.updateItem(id, { name: `Other ${n}` });
  });
  it.sandbox.control.insertItems(rows(4, 8).map(([name = '']) => ({ name })));
  const file = await it.file('more.csv', csv(['name'], rows(0, 8)));
  const { summary } = await it.import({ file, checkSimilar: true, dryRun: true });
  const asked = await it.apply(summary.job, { first: 2, onlyNew: true });
  expect([asked.exitCode, asked.summary.error?.code]).toEqual([2, 'similar_items']);
  expect(asked.summary.rows).toMatchObject({ created: 0, skipped: 4, pending: 4 });
  const sent = await it.apply(summary.job, { first: 2, yes: true });
  expect(sent.summary.rows).toMatchObject({ created: 2, skipped: 4, pending: 2 });
  const rest = await it.resume(summary.job);
  expect([rest.exitCode, rest.summary.error?.code]).toEqual([2, 'similar_items']);
});
