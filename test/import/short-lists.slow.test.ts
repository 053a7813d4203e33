/** Lists that leave out the optional fields of an item: an absent field is not known to be empty. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { setItems } from '../../src/import/run.ts';
import type { SetRequest } from '../../src/import/set/stage-set.ts';
import type { Storing } from '../../src/sandbox/settings.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/base/clock.ts';
import { csv } from '../support/csv.ts';
import { hastyClock } from '../support/hasty-clock.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';
import { unknowingProxy } from '../support/unknowing-proxy.ts';

const SKU = 'custom_fields.sku';
const UPSERT: Partial<ImportRequest> = { mode: 'upsert', match: [SKU] };

function toys(it: OpenImport): Promise<string> {
  const rows = ['A', 'B', 'C'].map((name) => [name, `S-${name}`, 'x;y', 'Siku']);
  return it.file('toys.csv', csv(['name', SKU, 'tags', 'brand'], rows));
}

async function change(it: OpenImport, assignment: string, where: string): Promise<number> {
  const request = { changes: [assignment], where, outDir: it.folder, run: { quietPeriodMs: QUIET_MS } };
  return (await it.run((deps) => setItems(request, deps))).exitCode;
}

/** 30 old items with a sku, behind more than a page of newer items without any custom field. */
function insertOld(it: OpenImport): string[][] {
  const old = Array.from({ length: 30 }, (_, index) => ({ name: `Old ${index}`, sku: `S${index}` }));
  it.sandbox.control.insertItems(old.map(({ name, sku }) => ({ name, custom_fields: { sku } })));
  it.sandbox.control.insertItems(Array.from({ length: 130 }, (_, index) => ({ name: `New ${index}` })));
  return old.map(({ name, sku }) => [name, sku, 'Siku']);
}

const itemsRead = (it: OpenImport) => it.sandbox.control.counts().byOperation.getItem?.['200'] ?? 0;

describe.each<Storing>([{ shortLists: true }, { shortLists: true, omitEmpty: true }])(
  'a list that leaves out the fields of a few old items: %o',
  (storing) => {
    it('hides none of their keys', async () => {
      await using it = await openImport({ storing });
      const file = await it.file('old.csv', csv(['name', SKU, 'brand'], insertOld(it)));
      const { exitCode, summary } = await it.import({ file, ...UPSERT });
      expect({ exitCode, rows: summary.rows }).toMatchObject({
        exitCode: 0,
        rows: { updated: 30, created: 0 },
      });
      expect(it.items()).toHaveLength(160);
    });

    it('archives none of them as missing', async () => {
      await using it = await openImport({ storing });
      const [first = [], ...rows] = insertOld(it);
      const file = await it.file('old.csv', csv(['name', SKU, 'brand'], rows));
      await it.import({ file, ...UPSERT, missing: 'archive', run: { yes: true } });
      const archived = it.items().filter(({ status }) => status === 'archived');
      expect(archived.map(({ name }) => name)).toEqual([first[0]]);
      expect(it.items()).toHaveLength(160);
    });

    it('does not hide them from a condition', async () => {
      await using it = await openImport({ storing });
      insertOld(it);
      expect(await change(it, 'brand=Siku', 'custom_fields.sku=S3')).toBe(0);
      expect(it.items().flatMap(({ name, brand }) => (brand === null ? [] : [name]))).toEqual(['Old 3']);
    });
  },
);

it('a list that leaves out empty fields is read item by item only until it shows the key', async () => {
  await using it = await openImport({ storing: { omitEmpty: true } });
  it.sandbox.control.insertItems(Array.from({ length: 130 }, (_, index) => ({ name: `New ${index}` })));
  const file = await it.file('new.csv', csv(['name', SKU], [['A', 'S-A']]));
  expect((await it.import({ file, ...UPSERT })).summary.rows).toMatchObject({ created: 1 });
  const before = itemsRead(it);
  expect(before).toBeGreaterThanOrEqual(130);
  expect((await it.import({ file, ...UPSERT })).summary.rows).toMatchObject({ unchanged: 1 });
  expect(itemsRead(it) - before).toBeLessThan(20);
});

it('a key that no item has is looked for item by item, each once, and only by readings that need it', async () => {
  await using it = await openImport({ storing: { sparseLists: true } });
  it.sandbox.control.insertItems(Array.from({ length: 330 }, (_, index) => ({ name: `New ${index}` })));
  await it.run(async (deps) => {
    const read = async (change: Partial<SetRequest>) => {
      const before = itemsRead(it);
      await setItems({ outDir: it.folder, dryRun: true, changes: ['status=keep'], ...change }, deps);
      return itemsRead(it) - before;
    };
    expect(await read({ where: 'packaging=loose' })).toBeLessThan(330 + 20);
    expect(await read({ where: 'packaging=loose' })).toBe(330);
    expect(await read({ where: 'name=X' })).toBeLessThan(20);
  });
});

describe('a list that leaves out optional fields', () => {
  it('does not empty the custom fields and tags that a change leaves as they are', async () => {
    await using it = await openImport({ storing: { shortLists: true } });
    await it.import({ file: await toys(it) });
    expect(await change(it, 'custom_fields.shelf=A1', 'brand=Siku')).toBe(0);
    expect(await change(it, 'tags+=new', 'brand=Siku')).toBe(0);
    for (const { name, custom_fields, tags } of it.items()) {
      expect({ custom_fields, tags }).toEqual({
        custom_fields: { sku: `S-${name}`, shelf: 'A1' },
        tags: ['x', 'y', 'new'],
      });
    }
  });

  it('keeps the tags of items even if none of the items that were looked up has any', async () => {
    await using it = await openImport({ storing: { shortLists: true } });
    await it.import({ file: await toys(it) });
    it.sandbox.control.insertItems(Array.from({ length: 100 }, (_, index) => ({ name: `Plain ${index}` })));
    expect(await change(it, 'tags+=new', 'name=B')).toBe(0);
    expect(it.items().find(({ name }) => name === 'B')?.tags).toEqual(['x', 'y', 'new']);
  });

  it('hides no key from another store', async () => {
    await using it = await openImport({ storing: { shortLists: true } });
    const file = await toys(it);
    await it.import({ file });
    await using ledger = openSqliteLedger(join(it.folder, 'other.db'));
    const { summary } = await it.import({ file, ...UPSERT }, { ledger });
    expect(summary.rows).toMatchObject({ unchanged: 3, created: 0 });
    expect(it.names()).toEqual(['A', 'B', 'C']);
  });
});

it('a list is read item by item once an answer about an item shows that it leaves out fields', async () => {
  await using it = await openImport({ storing: { shortLists: true } });
  it.sandbox.control.insertItems([{ name: 'Plain' }]);
  await it.run(async ({ client }) => {
    expect((await client.listItems({ perPage: 1 })).value.data[0]?.tags).toBeUndefined();
    it.sandbox.control.insertItems([{ name: 'New', tags: ['x'] }]);
    expect((await client.listItems()).value.data.map(({ tags }) => tags)).toEqual([['x'], []]);
  });
});

it('a list that shows all fields costs no further request', async () => {
  await using it = await openImport();
  const file = await toys(it);
  await it.import({ file });
  await it.import({ file, ...UPSERT });
  expect(it.sandbox.control.counts().byOperation.getItem).toBeUndefined();
});

describe('a list without fields, and a server that does not know one of its items by its id', () => {
  const old = new Date(Date.now() - 86_400_000).toISOString();
  const upsert = async (
    it: OpenImport,
    created_at: string,
    times: number,
    clock = systemClock,
    items = 30,
  ) => {
    const ids = it.sandbox.control.insertItems(
      Array.from({ length: items }, (_, index) => ({
        name: `Old ${index}`,
        custom_fields: { sku: `S-${index}` },
        created_at,
        updated_at: created_at,
      })),
    );
    const { apiUrl, misses } = await unknowingProxy(it.sandbox.url, ids[17] ?? '', times);
    const file = await it.file('a.csv', csv([SKU, 'name'], [['S-17', 'Old 17']]));
    return { run: it.import({ file, ...UPSERT }, { client: { apiUrl }, clock }), misses };
  };

  it.each([
    ['new', new Date().toISOString()],
    ['old', old],
  ])('for a moment do not hide a key: %s item', async (_, createdAt) => {
    await using it = await openImport({ storing: { shortLists: true } });
    const { run, misses } = await upsert(it, createdAt, 2);
    expect((await run).summary.rows).toMatchObject({ created: 0, unchanged: 1 });
    expect(misses()).toBe(2);
    expect(it.items()).toHaveLength(30);
  });

  it('for good are no proof that nobody has the key', async () => {
    await using it = await openImport({ storing: { shortLists: true } });
    const { run } = await upsert(it, old, 1_000);
    expect((await run).summary).toMatchObject({
      error: { code: 'list_moved' },
      rows: { created: 0, pending: 1 },
    });
    expect(it.items()).toHaveLength(30);
  });

  it('for good, of an item dated a day ahead, are waited for once in each reading', async () => {
    await using it = await openImport({ storing: { shortLists: true } });
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    const clock = hastyClock();
    const { run } = await upsert(it, ahead, 1_000, clock, 250);
    expect((await run).summary.error?.code).toBe('list_moved');
    // Three readings, a minute each, however often each has read the item's page.
    expect(clock.monotonic() - performance.now()).toBeLessThan(200_000);
  });
});
