/** Exports and reports from lists that leave out optional fields, few of whose items have a value. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { exportItems, type ExportItemsOptions } from '../../src/export/export.ts';
import { readManifest } from '../../src/export/verify/verify.ts';
import type { Storing } from '../../src/sandbox/settings.ts';
import { unknowingProxy } from '../support/unknowing-proxy.ts';
import { patientClock, type Setup, setUp } from './support.ts';

const SHORT: Storing[] = [{ shortLists: true }, { shortLists: true, omitEmpty: true }];

/** @param filled places of items with a value, a sku and a brand */
async function withItems(count: number, filled: readonly number[], storing: Storing): Promise<Setup> {
  const setup = await setUp({ storing });
  setup.sandbox.control.insertItems(
    Array.from({ length: count }, (_, index) => ({
      name: `Toy ${index}`,
      status: index % 2 === 0 ? ('keep' as const) : ('sell' as const),
      ...(filled.includes(index)
        ? { estimated_value: index, custom_fields: { sku: `S${index}` }, brand: 'Siku' }
        : {}),
    })),
  );
  return setup;
}

async function exported({ client, path }: Setup, options: Partial<ExportItemsOptions> = {}) {
  const notes: string[] = [];
  const { file } = await exportItems({
    client,
    out: path('items.csv'),
    onEvent: (event) => {
      if (event.type === 'note') notes.push(event.message);
    },
    ...options,
  });
  return { text: await readFile(file, 'utf8'), manifest: await readManifest(file), notes };
}

const itemsRead = ({ sandbox }: Setup) => sandbox.control.counts().byOperation.getItem?.['200'] ?? 0;

describe.each(SHORT)('a list that leaves out the fields of a few items: %o', (storing) => {
  it('is exported with their values', async () => {
    const setup = await withItems(95, [7, 24, 41, 58, 75], storing);
    const { text } = await exported(setup);
    for (const index of [7, 24, 41, 58, 75]) expect(text).toContain(`S${index}`);
    expect(text.split('\n')[0]).toContain('custom_fields.sku');
  });

  it('is exported with the listings that have them', async () => {
    const setup = await withItems(95, [7, 41, 75], storing);
    const { text } = await exported(setup, { resource: 'listings' });
    for (const index of [7, 41, 75]) expect(text).toContain(`S${index}`);
  });

  it('is filtered by their values', async () => {
    const setup = await withItems(95, [7, 24], storing);
    const { manifest } = await exported(setup, { where: 'estimated_value>=1' });
    expect(manifest.rows).toBe(2);
  });
});

it.each<Storing>([{ omitEmpty: true }, { sparseLists: true }])(
  'an export says which fields its list may have left out, after it has looked up 100 items: %o',
  async (storing) => {
    const setup = await withItems(400, [], storing);
    const { manifest, notes } = await exported(setup);
    const doubt = expect.stringMatching(/no value of brand, .*100 items from all parts/) as string;
    expect(notes).toEqual([doubt]);
    expect(manifest.explanation).toEqual(doubt);
    expect(itemsRead(setup)).toBeLessThanOrEqual(110);
  },
);

it('an export reads no item by id twice', async () => {
  for (const resource of ['items', 'listings'] as const) {
    const setup = await withItems(400, [0, 399, 398, 200, 199], { shortLists: true });
    await exported(setup, { resource });
    expect(itemsRead(setup)).toBe(resource === 'items' ? 400 : 200);
  }
});

it('an export asks again for an item that the server does not know by its id, and says what may be missing', async () => {
  const setup = await withItems(30, [3], { shortLists: true });
  const id = setup.sandbox.control.items().find(({ name }) => name === 'Toy 3')?.id ?? '';
  for (const times of [2, 1_000]) {
    const { apiUrl } = await unknowingProxy(setup.sandbox.url, id, times);
    await using client = createClient({ apiUrl, key: setup.sandbox.key });
    // Another item shows that the list leaves out fields.
    const written = setup.sandbox.control.items()[0]?.id ?? '';
    await client.updateItem(written, { brand: `B${times}` });
    const { text, manifest, notes } = await exported({ ...setup, client }, { clock: patientClock() });
    const isShown = times === 2;
    expect(text.includes('S3')).toBe(isShown);
    const doubt = expect.stringMatching(/leaves out .*brand.*1 item .*could not be read by its id/) as string;
    expect(notes).toEqual(isShown ? [] : [doubt]);
    if (!isShown) expect(manifest.explanation).toEqual(doubt);
  }
});

it('an export of a list that shows all fields, or leaves out empty ones only, looks up no item', async () => {
  for (const [storing, filled] of [[{}, []] as const, [{ omitEmpty: true }, [399]] as const]) {
    const setup = await withItems(400, filled, storing);
    setup.sandbox.control.insertItems([
      { name: 'All', series: 'S', release_year: 1999, condition: 'damaged', packaging: 'loose', tags: ['x'] },
    ]);
    expect((await exported(setup)).notes).toEqual([]);
    expect(itemsRead(setup)).toBe(0);
  }
});
