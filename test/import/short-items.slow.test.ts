/** Answers about single items that leave out optional fields which the list shows: an absent field is not known to be empty. */
import { expect, it } from 'vitest';
import type { ItemUpdate } from '../../src/api/schemas.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const SKU = 'custom_fields.sku';
const RUN = { quietPeriodMs: QUIET_MS, yes: true };

async function open(): Promise<OpenImport> {
  const at = await openImport({ storing: { shortItems: true } });
  const rows = ['A', 'B', 'C'].map((name) => [name, `S-${name}`, 'x;y', 'Siku']);
  const { exitCode } = await at.import({
    file: await at.file('toys.csv', csv(['name', SKU, 'tags', 'brand'], rows)),
  });
  expect(exitCode).toBe(0);
  return at;
}

const change = (at: OpenImport, changes: string[], where = 'brand=Siku') =>
  at.run((deps) => setItems({ changes, where, outDir: at.folder, run: RUN }, deps));

/** All values that the server has stored, by name. */
const stored = (at: OpenImport) =>
  Object.fromEntries(
    at.items().map(({ name, brand, tags, custom_fields }) => [name, { brand, tags, custom_fields }]),
  );

async function undo(at: OpenImport, { summary }: JobOutcome): Promise<void> {
  expect((await at.run((deps) => undoJob(summary.job, deps, { run: RUN }))).exitCode).toBe(0);
}

it('a change keeps the tags and custom fields that only the list shows, and its undo restores them', async () => {
  await using at = await open();
  const before = stored(at);
  for (const assignments of [['tags+=new'], ['custom_fields.shelf=A1'], ['brand=Corgi', 'tags+=z']]) {
    const changed = await change(at, assignments);
    expect(changed.exitCode).toBe(0);
    for (const [name, { tags, custom_fields }] of Object.entries(stored(at))) {
      expect(tags).toEqual(expect.arrayContaining(['x', 'y']));
      expect(custom_fields).toMatchObject({ sku: `S-${name}` });
    }
    await undo(at, changed);
    expect(stored(at)).toEqual(before);
  }
});

it.each<Partial<ImportRequest>>([
  { mode: 'update', match: [SKU] },
  { mode: 'upsert', match: [SKU] },
])('an import in $mode mode finds its items, keeps their other fields, and is undone', async (mode) => {
  await using at = await open();
  const before = stored(at);
  const rows = ['A', 'B', 'C'].map((name) => [`S-${name}`, name, 'n', 'Corgi']);
  const file = await at.file('notes.csv', csv([SKU, 'name', 'custom_fields.note', 'brand'], rows));
  const imported = await at.import({ file, ...mode });
  expect(imported).toMatchObject({ exitCode: 0, summary: { rows: { updated: 3 } } });
  expect(stored(at)['A']).toEqual({
    brand: 'Corgi',
    tags: ['x', 'y'],
    custom_fields: { sku: 'S-A', note: 'n' },
  });
  expect((await at.import({ file, ...mode })).summary.rows).toMatchObject({ unchanged: 3 });
  await undo(at, imported);
  expect(stored(at)).toEqual(before);
});

it('lost answers of a create and of an update are settled', async () => {
  await using at = await open();
  at.sandbox.control.failNext('dropAfterCommit', 'updateItem');
  expect((await change(at, ['tags+=new'])).summary.rows).toMatchObject({ updated: 3, held: 0 });
  at.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const file = await at.file('more.csv', csv(['name', SKU, 'tags'], [['D', 'S-D', 'q']]));
  expect((await at.import({ file })).summary.rows).toMatchObject({ created: 1, held: 0 });
  expect(stored(at)['A']?.tags).toEqual(['x', 'y', 'new']);
  expect(at.names()).toEqual(['A', 'B', 'C', 'D']);
});

it('tags are looked up in the whole list if its first page has none', async () => {
  await using at = await open();
  at.sandbox.control.insertItems(Array.from({ length: 100 }, (_, index) => ({ name: `Plain ${index}` })));
  const id = at.items().find(({ name }) => name === 'B')?.id ?? '';
  const idsFrom = await at.file('ids.csv', csv(['id'], [[id]]));
  const { exitCode } = await at.run((deps) =>
    setItems({ changes: ['tags+=new'], idsFrom, outDir: at.folder, run: RUN }, deps),
  );
  expect([exitCode, stored(at)['B']?.tags]).toEqual([0, ['x', 'y', 'new']]);
});

it.each([
  ['series=New', 'New'],
  ['series=<clear>', null],
])(
  '%s of an item that only a later page of the list shows whole is made, and undone',
  async (assignment, made) => {
    await using at = await openImport({ storing: { shortItems: true } });
    const [id = ''] = at.sandbox.control.insertItems([{ name: 'B', series: 'Old' }]);
    at.sandbox.control.insertItems(Array.from({ length: 100 }, (_, index) => ({ name: `Plain ${index}` })));
    const idsFrom = await at.file('ids.csv', csv(['id'], [[id]]));
    const changed = await at.run((deps) =>
      setItems({ changes: [assignment], idsFrom, outDir: at.folder, run: RUN }, deps),
    );
    const series = () => at.items().find(({ name }) => name === 'B')?.series;
    expect([changed.summary.rows, series()]).toMatchObject([{ updated: 1 }, made]);
    await undo(at, changed);
    expect(series()).toBe('Old');
  },
);

it('a held row that a person sends keeps the values that only a later page of the list shows', async () => {
  await using at = await openImport({ storing: { shortItems: true } });
  const toys = (series: string) => at.file('toys.csv', csv(['name', SKU, 'series'], [['B', 'S-B', series]]));
  await at.import({ file: await toys('Old') });
  at.sandbox.control.insertItems(Array.from({ length: 100 }, (_, index) => ({ name: `Plain ${index}` })));
  const { summary } = await at.import({ file: await toys('New') });
  expect(summary.rows).toMatchObject({ held: 1 });
  await at.run((deps) => resolveRow(summary.job, 2, { as: 'mine' }, deps));
  const sent = await at.resume(summary.job);
  const series = () => at.items().find(({ name }) => name === 'B')?.series;
  expect([sent.summary.rows, series()]).toMatchObject([{ updated: 1 }, 'New']);
  await undo(at, sent);
  expect(series()).toBe('Old');
});

it('a list that shows the last change late is read again before rows are held', async () => {
  await using at = await open();
  at.sandbox.control.setListLag(1_500);
  const ids = await at.file(
    'ids.csv',
    csv(
      ['id'],
      at.items().map(({ id }) => [id]),
    ),
  );
  const byId = (changes: string[]) =>
    at.run((deps) => setItems({ changes, idsFrom: ids, outDir: at.folder, run: RUN }, deps));
  expect((await byId(['tags+=new'])).summary.rows).toMatchObject({ updated: 3, held: 0 });
  expect((await byId(['tags+=newer'])).summary.rows).toMatchObject({ updated: 3, held: 0 });
  expect(at.items().map(({ tags }) => tags)).toEqual(
    Array.from({ length: 3 }, () => ['x', 'y', 'new', 'newer']),
  );
});

it('items that the list does not show yet are chosen by the fields that only the list has', async () => {
  await using at = await open();
  at.sandbox.control.setListLag(1_500);
  expect((await change(at, ['tags+=new'])).summary.rows).toMatchObject({ updated: 3 });
  expect(at.items().map(({ tags }) => tags)).toEqual(Array.from({ length: 3 }, () => ['x', 'y', 'new']));
});

it('rows whose items are not in the list yet are held, and the others are sent', async () => {
  await using at = await openImport({ storing: { shortItems: true } });
  const old = new Date(Date.now() - 86_400_000).toISOString();
  const ids = at.sandbox.control.insertItems([
    { name: 'A', tags: ['x'], created_at: old, updated_at: old },
    { name: 'B', tags: ['x'], created_at: old, updated_at: old },
    { name: 'C', tags: ['x'] },
  ]);
  at.sandbox.control.setListLag(3_600_000);
  const idsFrom = await at.file(
    'ids.csv',
    csv(
      ['id'],
      ids.map((id) => [id]),
    ),
  );
  const { exitCode, summary } = await at.run((deps) =>
    setItems({ changes: ['tags+=new'], idsFrom, outDir: at.folder, run: RUN }, deps),
  );
  expect({ exitCode, rows: summary.rows }).toMatchObject({ exitCode: 3, rows: { updated: 2, held: 1 } });
  expect(Object.entries(stored(at)).map(([name, { tags }]) => [name, tags])).toEqual([
    ['C', ['x']],
    ['B', ['x', 'new']],
    ['A', ['x', 'new']],
  ]);
  const [held] = await at.ledger.rows.list(summary.job, { states: ['held'], after: 0, limit: 10 });
  expect(held?.issues).toMatchObject([{ code: 'fields_unknown' }]);

  at.sandbox.control.setListLag(0);
  await at.run((deps) => resolveRow(summary.job, held?.sheetRow ?? 0, { as: 'retry' }, deps));
  expect((await at.resume(summary.job)).exitCode).toBe(0);
  expect(at.items().map(({ tags }) => tags)).toEqual(Array.from({ length: 3 }, () => ['x', 'new']));
});

it.each<[string, ItemUpdate, number]>([
  ['tags+=new', { tags: ['theirs'] }, 0],
  ['series=new', { series: 'theirs' }, 3],
])(
  '%s keeps values that people enter in an unused field while the job runs',
  async (assignment, theirs, code) => {
    await using at = await openImport({ storing: { shortItems: true } });
    at.sandbox.control.insertItems([{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
    const read = new Set<string>();
    let turn: Promise<unknown> = Promise.resolve();
    const { exitCode } = await at.run(
      (deps) => {
        const run = { ...RUN, recheckMs: 0 };
        return setItems({ changes: [assignment], where: 'status=keep', outDir: at.folder, run }, deps);
      },
      {
        wrap: (client) =>
          overriding(client, {
            // One item after the other; a person edits each but the first right before it is read.
            getItem: (...args: Parameters<typeof client.getItem>) => {
              const own = turn.then(async () => {
                const [id] = args;
                if (read.size > 0 && !read.has(id))
                  await at.run((person) => person.client.updateItem(id, theirs));
                read.add(id);
                return client.getItem(...args);
              });
              turn = own.catch(() => undefined);
              return own;
            },
          }),
      },
    );
    const kept = at
      .items()
      .filter(({ tags, series }) => tags?.includes('theirs') === true || series === 'theirs');
    expect([exitCode, kept.length]).toEqual([code, 2]);
  },
);

it('a row is held if nothing shows its item with the tags that it sends', async () => {
  await using at = await openImport({ storing: { shortItems: true } });
  const [id = ''] = at.sandbox.control.insertItems([{ name: 'A', tags: ['theirs'] }]);
  at.sandbox.control.setListLag(3_600_000);
  const idsFrom = await at.file('ids.csv', csv(['id'], [[id]]));
  const { exitCode, summary } = await at.run((deps) =>
    setItems({ changes: ['tags+=new'], idsFrom, outDir: at.folder, run: RUN }, deps),
  );
  expect({ exitCode, rows: summary.rows }).toMatchObject({ exitCode: 3, rows: { held: 1 } });
  expect(at.items()[0]?.tags).toEqual(['theirs']);
});

it('a change of tags costs few more requests if answers leave out empty fields, and nobody has tags', async () => {
  await using at = await openImport({ storing: { omitEmpty: true } });
  at.sandbox.control.insertItems(
    Array.from({ length: 250 }, (_, n) => ({ name: `Plain ${n}`, brand: 'Siku' })),
  );
  const { exitCode } = await change(at, ['tags+=new']);
  const isTagged = at.items().every(({ tags }) => tags?.join() === 'new');
  expect([exitCode, isTagged]).toEqual([0, true]);
  expect(at.sandbox.control.counts().byOperation.listItems?.['200']).toBeLessThan(60);
});
