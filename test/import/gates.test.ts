/** What a person should look at before rows are sent, because nothing can be taken back. */
import { nextText } from '../../src/cli/show/output.ts';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { exportItems } from '../../src/export/export.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { csv, toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

test('an edited export of the same team changes the items whose ids it contains', async () => {
  await using it = await openImport({ seed: 7, seedItems: 5 });
  const out = `${it.folder}/items.csv`;
  await exportFrom(it.sandbox, out);
  const [before] = it.sandbox.control.items();
  const [header = '', ...lines] = (await it.read(out)).trimEnd().split('\r\n');
  const columns = header.split(',');
  const edited = lines.map((line) => line.replace(before?.name ?? '', 'Another name'));
  const blank = edited.map((line) => line.replace(/,(keep|sell|sold|wishlist|archived),/, ',,'));
  const added = columns.map((column) => ({ name: 'New', collection: 'Trains' })[column] ?? '').join(',');
  await it.file('items.csv', [header, ...blank, added].join('\r\n'));
  const { summary, exitCode } = await it.import({ file: out, collection: 'Trains', skipInvalid: true });
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 0, updated: 1, unchanged: 4, invalid: 1 }]);
  expect(it.sandbox.control.items().map(({ id, name, status }) => [id, name, status])).toContainEqual([
    before?.id,
    'Another name',
    before?.status,
  ]);
  const upserted = await it.import({ file: out, collection: 'Trains', mode: 'upsert' });
  expect([upserted.exitCode, upserted.summary.rows]).toMatchObject([0, { created: 1, unchanged: 5 }]);
});

test('a dry run of an edited export plans the same changes as the import', async () => {
  await using it = await openImport({ seed: 7, seedItems: 5 });
  const out = `${it.folder}/items.csv`;
  await exportFrom(it.sandbox, out);
  const { summary } = await it.import({ file: out, collection: 'Trains', dryRun: true });
  expect(summary.plan).toMatchObject({ create: 0, update: 0, unchanged: 5 });
});

test('importing an edited export with --mode create creates nothing without confirmation', async () => {
  await using it = await openImport({ seed: 7, seedItems: 5 });
  const out = `${it.folder}/items.csv`;
  await exportFrom(it.sandbox, out);
  const [header = '', ...rows] = (await it.read(out)).split('\r\n');
  const added = ['N1', 'N2', 'N3'].map((name) =>
    header
      .split(',')
      .map((column) => (column === 'name' ? name : ''))
      .join(','),
  );
  await writeFile(out, [header, ...added, ...rows].join('\r\n'));
  const { summary, exitCode } = await it.import({ file: out, mode: 'create', collection: 'Trains' });
  expect([exitCode, summary.error?.code]).toEqual([2, 'own_export']);
  expect(it.sandbox.control.items()).toHaveLength(5);
  const again = await it.import({ file: out, mode: 'create', collection: 'Trains', run: { yes: true } });
  expect([again.exitCode, again.summary.rows.created]).toEqual([0, 8]);
});

test('an export of another team’s items is imported like any other file, with --mode create', async () => {
  await using there = await openImport({ seed: 7, seedItems: 5 });
  await using it = await openImport({});
  const out = `${it.folder}/items.csv`;
  await exportFrom(there.sandbox, out);
  const theirs = there.sandbox.teams[0]?.collections.map(({ id }) => id) ?? [];
  const ours = it.sandbox.teams[0]?.collections[0]?.id ?? '';
  await writeFile(
    out,
    theirs.reduce((text, id) => text.replaceAll(id, ours), await it.read(out)),
  );
  await expect(it.import({ file: out, run: { yes: true } })).rejects.toMatchObject({
    code: 'foreign_export',
  });
  const { summary } = await it.import({ file: out, mode: 'create' });
  expect(summary.rows.created).toBe(5);
});

test('an export whose values a locale has formatted is refused, in every mode, also without its manifest', async () => {
  await using it = await openImport({ currency: 'eur' });
  const fields = { estimated_value: 14.875, custom_fields: { weight: 1250 } };
  it.sandbox.control.insertItems([{ name: 'A', currency: 'eur', ...fields }]);
  const refused = { code: 'own_export', exitCode: 2, actions: [] };
  const columns = ['id', 'custom_fields.weight'];
  for (const [name, asked] of [
    ['all.csv', {}],
    ['some.csv', { columns }],
  ] as const) {
    const out = `${it.folder}/${name}`;
    await exportFrom(it.sandbox, out, { locale: 'de-DE', ...asked });
    for (const mode of [undefined, 'update', 'create'] as const)
      await expect(it.import({ file: out, ...(mode && { mode }), dryRun: true })).rejects.toMatchObject(
        refused,
      );
  }
  await rm(`${it.folder}/all.csv.manifest.json`);
  await expect(it.import({ file: `${it.folder}/all.csv`, dryRun: true })).rejects.toMatchObject(refused);
  const plain = `${it.folder}/plain.csv`;
  await exportFrom(it.sandbox, plain, { decimal: 'comma' });
  expect((await it.import({ file: plain })).summary.rows).toMatchObject({ unchanged: 1, updated: 0 });
});

test('a file with the ids of existing items in a column, under any name, creates no duplicates without confirmation', async () => {
  await using it = await openImport({ seed: 7, seedItems: 5 });
  const named = it.items().map(({ id, name }) => [id, name, '9']);
  const file = await it.file('part.csv', csv(['Reference', 'name', 'value'], named));
  await expect(it.import({ file, collection: 'Trains' })).rejects.toMatchObject({
    code: 'own_export',
    exitCode: 2,
    actions: [
      { option: 'mode', value: 'update', also: { map: 'id=Reference' } },
      { option: 'mode', value: 'create' },
    ],
  });
  expect(await it.ledger.jobs.list(9)).toEqual([]);
  const updated = await it.import({ file, collection: 'Trains', mode: 'update', map: { id: 'Reference' } });
  expect(updated.summary.rows).toMatchObject({ updated: 5 });
  const created = await it.import({ file, mode: 'create', collection: 'Trains' });
  expect(created.summary.rows).toMatchObject({ created: 5 });
});

test('a column with the ids of another program does not stop an import', async () => {
  await using it = await openImport({ seed: 7, seedItems: 5 });
  const rows = ['A', 'B', 'C'].map((name) => [randomUUID(), name]);
  const file = await it.file('theirs.csv', csv(['uuid', 'name'], rows));
  const { summary } = await it.import({ file, collection: 'Trains' });
  expect(summary.rows).toMatchObject({ created: 3 });
});

test('ids that the key may not look up do not stop an import', async () => {
  await using it = await openImport({ seed: 7, seedItems: 5 });
  const { secret } = it.sandbox.control.addKey(['items:write', 'collections:read']);
  const rows = ['A', 'B', 'C'].map((name) => [randomUUID(), name]);
  const file = await it.file('theirs.csv', csv(['uuid', 'name'], rows));
  const request = { file, collection: 'Trains', noSettle: true };
  const { summary } = await it.import(request, { client: { key: secret } });
  expect(summary.rows).toMatchObject({ created: 3 });
});

test('a plan file for review is not imported as a table of items', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(3));
  const plan = `${it.folder}/plan.xlsx`;
  const { summary } = await it.import({ file, collection: 'Main', dryRun: true, run: { plan } });
  await it.apply(summary.job);
  await expect(it.import({ file: plan, collection: 'Main' })).rejects.toMatchObject({
    code: 'own_export',
    exitCode: 2,
  });
  expect(it.items()).toHaveLength(3);
});

test('a confirmation covers only the rows that it was given for; shelflift asks again about others', async () => {
  await using it = await openImport({ seed: 7, seedItems: 5 });
  const out = `${it.folder}/items.csv`;
  await exportFrom(it.sandbox, out);
  const first = await it.import({
    file: out,
    mode: 'create',
    collection: 'Trains',
    run: { yes: true, first: 2 },
  });
  expect(first.summary.rows).toMatchObject({ created: 2, pending: 3 });
  const { id } = await it.ledger.jobs.find('last');
  const asked = await it.resume(id);
  expect([asked.exitCode, asked.summary.error?.code]).toEqual([2, 'own_export']);
  expect(it.items()).toHaveLength(7);
  expect((await it.resume(id, { yes: true })).summary.rows).toMatchObject({ created: 5 });
});

test('if no answer can lift a refusal, the plan is kept, even on a terminal', async () => {
  await using it = await openImport();
  it.sandbox.control.insertItems(
    ['A', 'B', 'C'].map((name) => ({ name, custom_fields: { sku: name.toLowerCase() } })),
  );
  const file = await it.file('list.csv', csv(['SKU', 'name'], [['a', 'A']]));
  const asked: string[] = [];
  const { exitCode, summary, ...next } = await it.import(
    {
      file,
      collection: 'Main',
      mode: 'upsert',
      map: { 'custom_fields.sku': 'SKU' },
      match: ['custom_fields.sku'],
      missing: 'archive',
    },
    { confirm: async (question) => asked.push(question) > 0 },
  );
  expect([exitCode, summary.error?.code, asked]).toEqual([2, 'too_many_missing', []]);
  expect(nextText(next, {})).toContain(`shelflift jobs apply ${summary.job} --max-missing 66.7%`);
  const applied = await it.apply(summary.job, { maxMissing: '66.7%' });
  expect(applied.summary.rows).toMatchObject({ updated: 2, unchanged: 1 });
});

test('--yes on a dry run does not confirm the later import', async () => {
  await using it = await openImport();
  it.sandbox.control.insertItems([{ name: 'Rover' }]);
  const file = await it.file('toys.csv', csv(['name'], [['rover']]));
  const dry = await it.import({ file, checkSimilar: true, dryRun: true, run: { yes: true } });
  const asked = await it.apply(dry.summary.job);
  expect([asked.exitCode, asked.summary.error?.code]).toEqual([2, 'similar_items']);
  expect((await it.apply(dry.summary.job, { yes: true })).summary.rows).toMatchObject({ created: 1 });
});

test('a job that sends nothing keeps the results file of a job that did', async () => {
  await using it = await openImport({});
  const file = await it.file('toys.csv', csv(['name', 'year'], [['Falcon', '1984']]));
  const first = await it.import({ file, collection: 'Main' });
  await writeFile(file, csv(['name', 'year'], [['Falcon', '98x']]));
  const notes: ImportEvent[] = [];
  const second = await it.import({ file, collection: 'Main' }, { onEvent: (event) => notes.push(event) });
  expect(second.exitCode).toBe(3);
  expect(second.summary.files.results).toBe(first.summary.files.results);
  expect(notes).toContainEqual(
    expect.objectContaining({ said: expect.objectContaining({ code: 'results_kept_aside' }) as object }),
  );
});

async function exportFrom(
  sandbox: Sandbox,
  out: string,
  look: Omit<Parameters<typeof exportItems>[0], 'client' | 'out'> = {},
): Promise<void> {
  await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  await exportItems({ client, out, ...look });
}
