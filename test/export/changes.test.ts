import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import * as fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { itemFingerprint } from '../../src/export/changes/only-changes.ts';
import { type ExportItemsOptions, exportItems } from '../../src/export/export.ts';
import { Manifest } from '../../src/export/verify/manifest.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { overriding } from '../support/overriding.ts';
import { clientOf, type Setup, setUp } from './support.ts';

type Options = Partial<ExportItemsOptions>;

async function changes(
  setup: Setup,
  values: Options['values'],
  more: Options = {},
): Promise<Record<string, string>> {
  const file = setup.path('changes.csv');
  await exportItems({
    client: setup.client,
    out: file,
    changedSinceLast: 'weekly',
    ...(values === undefined ? {} : { values }),
    ...more,
  });
  const rows = parse<Record<string, string>>(await readFile(file), { columns: true });
  return Object.fromEntries(rows.map((row) => [row['name'] || (row['id'] ?? ''), row['_change'] ?? '']));
}

async function update(setup: Setup, id: string, fields: Record<string, unknown>): Promise<void> {
  await setup.client.updateItem(id, fields);
}

describe('an export of changes', () => {
  test('refuses a name that was used with other filters', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    setup.sandbox.control.insertItems([
      { name: 'A', status: 'sell' },
      { name: 'B', status: 'sold' },
    ]);
    expect(await changes(setup, values, { status: 'sell' })).toEqual({ A: 'created' });
    await expect(changes(setup, values, { status: 'sold' })).rejects.toMatchObject({
      code: 'other_selection',
      message: expect.stringContaining('contained status sell; this one asks for status sold') as string,
    });
    expect(await changes(setup, values, { status: 'sell' })).toEqual({});
    const template = { name: 'own', columns: ['id', 'name'], where: 'status=sell' };
    await expect(changes(setup, values, { status: 'sell', template })).rejects.toMatchObject({
      code: 'other_selection',
      message: expect.stringContaining('this one asks for status sell and status=sell') as string,
    });
    const { where: _, ...columns } = template;
    expect(await changes(setup, values, { status: 'sell', template: columns })).toEqual({});
  });

  test('reports each created, changed and removed item once', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    const [a = '', b = '', c = '', d = ''] = setup.sandbox.control.insertItems([
      { name: 'A', status: 'sell' },
      { name: 'B', status: 'sell' },
      { name: 'C', status: 'sell' },
      { name: 'D', status: 'keep', created_at: '2020-01-01T00:00:00Z', updated_at: '2020-01-01T00:00:00Z' },
    ]);
    const status = 'sell';
    expect(await changes(setup, values, { status })).toEqual({ A: 'created', B: 'created', C: 'created' });
    expect(await changes(setup, values, { status })).toEqual({});

    await update(setup, a, { brand: 'Acme' });
    await update(setup, b, { status: 'sold' });
    await update(setup, d, { status: 'sell' });
    setup.sandbox.control.removeItem(c);
    setup.sandbox.control.insertItems([{ name: 'E', status: 'sell' }]);
    expect(await changes(setup, values, { status })).toEqual({
      A: 'changed',
      B: 'left',
      [c]: 'left',
      D: 'changed',
      E: 'created',
    });
    const manifest = Manifest.parse(
      JSON.parse(await readFile(setup.path('changes.csv.manifest.json'), 'utf8')),
    );
    expect(manifest).toMatchObject({
      rows: 5,
      changes: { name: 'weekly', created: 1, changed: 2, left: 2, unchanged: 0, notSeen: 0 },
    });
    expect(manifest.changes?.explanation).toContain('The whole list was read');
    expect(await changes(setup, values, { status })).toEqual({});
    // Another name, and another resource of the same name, remember for themselves.
    expect(Object.keys(await changes(setup, values, { status, changedSinceLast: 'other' }))).toHaveLength(3);
    expect(Object.keys(await changes(setup, values, { resource: 'listings' }))).toHaveLength(3);
  });

  test('updates its state only once the file is in place', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    setup.sandbox.control.insertItems([{ name: 'A' }]);
    const manifest = setup.path('changes.csv.manifest.json');
    // The manifest cannot be put in place.
    const { mkdir } = await import('node:fs/promises');
    await mkdir(manifest);
    await writeFile(`${manifest}/keep`, '');
    await expect(changes(setup, values)).rejects.toMatchObject({ code: 'cannot_write' });
    await rm(manifest, { recursive: true });
    expect(await changes(setup, values)).toEqual({ A: 'created' });
    expect(await changes(setup, values)).toEqual({});
    // One generation is kept.
    expect(await values.spaces('export-changes:')).toHaveLength(1);
  });

  test('writes its file once if it runs twice at the same time; the second run fails', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    const [a = ''] = setup.sandbox.control.insertItems([{ name: 'A' }]);
    await changes(setup, values);
    await update(setup, a, { brand: 'Acme' });
    // Neither goes on before both have read the state: on a busy machine one could end before the other begins.
    let readers = 0;
    let goOn = () => {};
    const bothRead = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const together = overriding(values, {
      list: async (...which) => {
        const found = await values.list(...which);
        readers += 1;
        if (readers === 2) goOn();
        await bothRead;
        return found;
      },
    });
    const both = await Promise.allSettled([changes(setup, together), changes(setup, together)]);
    expect(both.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'changes_moved', exitCode: 6 } },
    ]);
    expect(await readFile(setup.path('changes.csv'), 'utf8')).toMatch(/Acme.*changed\r\n$/);
    expect(await changes(setup, values)).toEqual({});
    expect(await values.spaces('export-changes:')).toHaveLength(1);
  });

  test.each(['before', 'after'] as const)(
    'fails if it reads the state before another one has placed its file, and would write %s that one ends',
    async (when) => {
      const setup = await setUp();
      await using ledger = openSqliteLedger(':memory:');
      const { values } = ledger;
      const [a = ''] = setup.sandbox.control.insertItems([{ name: 'A', status: 'sell' }, { name: 'B' }]);
      const sold = { became: 'sold' } as const;
      await changes(setup, values, sold);
      await update(setup, a, { status: 'sold' });
      const out = setup.path('second.csv');
      const [hasRead, firstEnded] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const late = overriding(values, {
        list: async (...which) => {
          const found = await values.list(...which);
          hasRead.resolve(undefined);
          if (when === 'after') await firstEnded.promise;
          return found;
        },
      });
      let second: Promise<unknown> | undefined;
      const first = overriding(values, {
        replace: async (...which) => {
          const isReplaced = await values.replace(...which);
          if (second !== undefined) return isReplaced;
          second = changes(setup, late, { ...sold, out }).catch((error: unknown) => error);
          await (when === 'after' ? hasRead.promise : second);
          return isReplaced;
        },
      });
      expect(await changes(setup, first, sold)).toEqual({ A: 'created' });
      firstEnded.resolve(undefined);
      expect(await second).toMatchObject({ code: 'changes_moved', exitCode: 6 });
      expect(existsSync(out)).toBe(false);
      expect(await changes(setup, values, sold)).toEqual({});
    },
  );

  test('keeps separate states for two teams that use one name at the same address', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    const { control } = setup.sandbox;
    control.insertItems([{ name: 'A' }]);
    const team = control.addTeam();
    control.insertItems([{ name: 'B' }], team.id);
    const client = clientOf(setup.sandbox, control.addKey(undefined, team.id).secret);
    expect(await changes(setup, values)).toEqual({ A: 'created' });
    expect(await changes(setup, values, { client })).toEqual({ B: 'created' });
    expect(await changes(setup, values)).toEqual({});
    // Another key of the same team goes on where the first one was.
    const second = clientOf(setup.sandbox, control.addKey().secret);
    expect(await changes(setup, values, { client: second })).toEqual({});
  });

  test('treats a collection the same by name and by id', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    setup.sandbox.control.insertItems([{ name: 'A' }]);
    const [item] = setup.sandbox.control.items();
    expect(await changes(setup, values, { collection: 'Main' })).toEqual({ A: 'created' });
    expect(await changes(setup, values, { collection: 'main' })).toEqual({});
    expect(await changes(setup, values, { collection: item?.collection_id ?? '' })).toEqual({});
  });

  test('does not reuse pages that are older than the last report', async () => {
    const setup = await setUp({ seed: 3, seedItems: 250 });
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    await changes(setup, values);
    const [item] = setup.sandbox.control.items();
    const id = item?.id ?? '';
    await update(setup, id, { name: 'old' });
    const stop = new AbortController();
    const onEvent: Options['onEvent'] = (event) => event.type === 'read' && event.seen >= 200 && stop.abort();
    await expect(changes(setup, values, { signal: stop.signal, onEvent })).rejects.toMatchObject({
      code: 'aborted',
    });
    const [space = ''] = await values.spaces('export-pages:');
    const pages = await values.list(space, { limit: 9 });
    expect(pages.map(({ key }) => key)).toContain('state');

    // As where the process that kept them was on another host, and may still run.
    await values.remove(space);
    await update(setup, id, { name: 'new' });
    expect(await changes(setup, values)).toEqual({ new: 'changed' });
    await values.put(space, pages);
    expect(await changes(setup, values)).toEqual({});
    expect(await values.spaces('export-pages:')).toEqual([]);
  });

  test('can be NDJSON, XLSX or follow a layout, but needs a store and cannot go to a stream', async () => {
    const setup = await setUp({ seed: 1, seedItems: 30 });
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    const common = { client: setup.client, values };
    await exportItems({ ...common, out: setup.path('a.ndjson'), changedSinceLast: 'a' });
    expect((await readFile(setup.path('a.ndjson'), 'utf8')).match(/"_change":"created"/g)).toHaveLength(30);
    const summary = await exportItems({
      ...common,
      out: setup.path('a.csv'),
      changedSinceLast: 'b',
      template: 'price-guide',
    });
    expect(await readFile(setup.path('a.csv'), 'utf8')).toMatch(/^Reference,.*,_change\r\n/);
    expect(summary.rows).toBeGreaterThan(10);
    const stream = process.stdout;
    await expect(exportItems({ ...common, out: '-', stream, changedSinceLast: 'a' })).rejects.toMatchObject({
      code: 'changes_need_file',
    });
    await expect(
      exportItems({ client: setup.client, out: setup.path('b.csv'), changedSinceLast: 'a' }),
    ).rejects.toMatchObject({ code: 'changes_need_store' });
  });

  test('gives files that result in the current items if applied in order, whatever happened in between', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const { control } = setup.sandbox;
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('create' as const),
        status: fc.constantFrom('sell' as const, 'keep' as const),
      }),
      fc.record({ kind: fc.constantFrom('sell', 'keep', 'remove'), at: fc.nat({ max: 30 }) }),
    );
    const held = new Map<string, string>();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 8 }), async (acts) => {
        round += 1;
        for (const each of acts) {
          if (each.kind === 'create') control.insertItems([{ name: `T${round}`, status: each.status }]);
          else {
            const items = control.items();
            const id = items['at' in each ? each.at % Math.max(1, items.length) : 0]?.id;
            if (id === undefined) continue;
            if (each.kind === 'remove') control.removeItem(id);
            else await update(setup, id, { status: each.kind });
          }
        }
        const out = setup.path('a.ndjson');
        await exportItems({
          client: setup.client,
          values: ledger.values,
          out,
          status: 'sell',
          changedSinceLast: 'sum',
        });
        const lines = (await readFile(out, 'utf8')).split('\n').filter((line) => line !== '');
        for (const line of lines) {
          const { _change, ...item } = JSON.parse(line) as Item<{ _change: string }>;
          if (_change === 'left') expect(held.delete(item.id)).toBe(true);
          else {
            expect(held.has(item.id)).toBe(_change === 'changed' && held.has(item.id));
            held.set(item.id, JSON.stringify(item));
          }
        }
        const expected = control.items().filter(({ status }) => status === 'sell');
        expect(held).toEqual(new Map(expected.map((item) => [item.id, JSON.stringify(item)])));
      }),
      { numRuns: 25 },
    );
  });
});

test('a fingerprint covers every value and ignores the order of keys', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
      fc.string(),
      (fields, name) => {
        const item = { id: 'x', name, custom_fields: fields } as unknown as Item;
        const turned = {
          custom_fields: Object.fromEntries(Object.entries(fields).toReversed()),
          name,
          id: 'x',
        };
        expect(itemFingerprint(turned as unknown as Item)).toBe(itemFingerprint(item));
        expect(itemFingerprint({ ...item, name: `${name}.` })).not.toBe(itemFingerprint(item));
      },
    ),
  );
});

describe('an export of newly sold items', () => {
  test('is empty at first, and then contains each newly sold item once', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const [a = '', b = '', c = ''] = setup.sandbox.control.insertItems([
      { name: 'A', status: 'sold' },
      { name: 'B', status: 'sell' },
      { name: 'C', status: 'keep' },
    ]);
    const notes: string[] = [];
    const onEvent: Options['onEvent'] = (event) => void (event.type === 'note' && notes.push(event.message));
    const sold = async () =>
      Object.keys(await changes(setup, ledger.values, { became: 'sold', onEvent })).sort();
    expect(await sold()).toEqual([]);
    const manifest = JSON.parse(await readFile(setup.path('changes.csv.manifest.json'), 'utf8')) as Manifest;
    expect(manifest).toMatchObject({ rows: 0, changes: { since: null, unchanged: 1 } });
    await update(setup, b, { status: 'sold' });
    setup.sandbox.control.insertItems([{ name: 'D', status: 'sold' }]);
    expect(await sold()).toEqual(['B', 'D']);
    // Other edits, and items that are no longer sold, are no sales.
    await update(setup, a, { brand: 'Acme' });
    await update(setup, b, { status: 'keep' });
    expect(await sold()).toEqual([]);
    await update(setup, b, { status: 'sold' });
    await update(setup, c, { status: 'sold' });
    expect(await sold()).toEqual(['B', 'C']);
    expect(notes).toEqual([
      'This is the first export under the name "weekly": it sets the starting point and has no rows. The next export contains the items that have changed to the status "sold" since then.',
    ]);
  });

  test('keeps its starting point even if its file is not delivered', async () => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    const { values } = ledger;
    const [, b = ''] = setup.sandbox.control.insertItems([{ name: 'A', status: 'sold' }, { name: 'B' }]);
    const sold = async (run: string, more: Options = {}) =>
      Object.keys(await changes(setup, values, { became: 'sold', run, ...more } as Options));
    expect(await sold('first')).toEqual([]);
    await update(setup, b, { status: 'sold' });
    expect(await sold('second')).toEqual(['B']);
    await expect(sold('third')).rejects.toMatchObject({ code: 'changes_undelivered' });
    // The run of the second file has ended without a delivery, so the third has its rows again.
    expect(await sold('third', { isOpenRun: async () => false })).toEqual(['B']);
  });

  test.each([
    { became: 'sold', status: 'sell' },
    { became: 'sold', changedSinceLast: undefined },
    { became: 'sol' },
  ])('refuses %o before anything is read', async (request) => {
    const setup = await setUp();
    await using ledger = openSqliteLedger(':memory:');
    await expect(changes(setup, ledger.values, request as Options)).rejects.toMatchObject({ exitCode: 2 });
    expect(setup.sandbox.control.counts().byOperation).toEqual({});
  });
});

test('an item is reported once as sold, although its brand takes it out of the selection for a while', async () => {
  const setup = await setUp();
  await using ledger = openSqliteLedger(':memory:');
  const [id = ''] = setup.sandbox.control.insertItems([{ name: 'A', brand: 'X', status: 'keep' }]);
  const sold = () => changes(setup, ledger.values, { became: 'sold', where: 'brand=X' });
  const next = async (fields: Record<string, unknown>) => {
    await update(setup, id, fields);
    return Object.keys(await sold());
  };
  await sold();
  expect(await next({ status: 'sold' })).toEqual(['A']);
  expect(await next({ brand: 'Y' })).toEqual([]);
  expect(await next({ brand: 'X' })).toEqual([]);
  await next({ status: 'keep', brand: 'Y' });
  expect(await next({ status: 'sold', brand: 'X' })).toEqual(['A']);
});

test('an export warns if a listed sale was undone, because no file takes its row back', async () => {
  const setup = await setUp();
  await using ledger = openSqliteLedger(':memory:');
  const [id = ''] = setup.sandbox.control.insertItems([{ name: 'A', status: 'keep' }]);
  const warnings: string[] = [];
  const sold = () => {
    warnings.length = 0;
    return changes(setup, ledger.values, {
      became: 'sold',
      onEvent: (event) => {
        if (event.type === 'warning') warnings.push(event.message);
      },
    });
  };
  await sold();
  await update(setup, id, { status: 'sold' });
  expect(Object.keys(await sold())).toEqual(['A']);
  expect(warnings).toEqual([]);
  await update(setup, id, { status: 'keep' });
  expect(await sold()).toEqual({});
  expect(warnings).toEqual([expect.stringContaining('no later file takes that back')]);
  await sold();
  expect(warnings).toEqual([]);
});

test('an old sale that came into the selection by another change has no time before which it was unsold', async () => {
  const setup = await setUp();
  await using ledger = openSqliteLedger(':memory:');
  const [old = ''] = setup.sandbox.control.insertItems([
    { name: 'Old', brand: 'Y', status: 'sold', created_at: '2020-01-01T00:00:00Z' },
    { name: 'Other', brand: 'X', status: 'sold', created_at: '2021-01-01T00:00:00Z' },
  ]);
  const after = async (where = 'brand=X') => {
    await changes(setup, ledger.values, { became: 'sold', where, changedSinceLast: where });
    const rows = parse<Record<string, string>>(await readFile(setup.path('changes.csv')), { columns: true });
    return rows.map((row) => [row['name'], row['_became_after'] !== '']);
  };
  await after();
  await update(setup, old, { brand: 'X' });
  setup.sandbox.control.insertItems([{ name: 'New', brand: 'X', status: 'sold' }]);
  expect(Object.fromEntries(await after())).toEqual({ New: true, Old: false });
  // Every item with the status is in the selection, as with the layout of a journal.
  await update(setup, old, { status: 'keep' });
  await after('status=sold');
  await update(setup, old, { status: 'sold' });
  expect(await after('status=sold')).toEqual([['Old', true]]);
});

test('in NDJSON an unknown time before which an item was unsold is null, not an empty text', async () => {
  const setup = await setUp();
  await using ledger = openSqliteLedger(':memory:');
  const [old = ''] = setup.sandbox.control.insertItems([
    { name: 'Old', brand: 'Y', status: 'sold', created_at: '2020-01-01T00:00:00Z' },
    { name: 'Other', brand: 'X', status: 'sold', created_at: '2021-01-01T00:00:00Z' },
  ]);
  const out = setup.path('sold.ndjson');
  const more: Options = { values: ledger.values, became: 'sold', where: 'brand=X', changedSinceLast: 'x' };
  const sold = () => exportItems({ client: setup.client, out, ...more });
  await sold();
  await update(setup, old, { brand: 'X' });
  await sold();
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ name: 'Old', _became_after: null });
});

test('a change that a layout has left out is in the next file, once the layout takes it', async () => {
  const setup = await setUp();
  await using ledger = openSqliteLedger(':memory:');
  setup.sandbox.control.insertItems([{ name: 'A', brand: 'X' }, { name: 'B' }]);
  const names = async (required: boolean) => {
    const columns = ['id', 'name', { title: 'Brand', field: 'brand', ...(required ? { required } : {}) }];
    return Object.keys(await changes(setup, ledger.values, { template: { name: 'own', columns } }));
  };
  expect(await names(true)).toEqual(['A']);
  expect(await names(true)).toEqual([]);
  expect(await names(false)).toEqual(['B']);
  expect(await names(false)).toEqual([]);
});
