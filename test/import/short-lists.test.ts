/** Lists that leave out the optional fields of an item: an absent field is not known to be empty. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { setItems } from '../../src/import/run.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

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

it('a list is read item by item once one of its items shows that it leaves out fields', async () => {
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
