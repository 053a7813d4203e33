/** Items written by the real writers, read by the real readers and mapped: nothing has changed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from '../support/fast-check.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileMapping } from '../../src/mapping/compile.ts';
import { isUnchanged, sameAsText } from '../../src/import/engine/equality.ts';
import { textForm } from '../../src/mapping/text-form.ts';
import type { TableColumn } from '../../src/sheets/table-writer.ts';
import { createTableWriter } from '../../src/sheets/write-table.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import type { Cell } from '../../src/sheets/cell.ts';
import { codesOf, COLLECTION_ID } from './helpers.ts';

const kinds: Record<string, TableColumn['kind']> = {
  object: 'text',
  id: 'text',
  name: 'text',
  brand: 'text',
  release_year: 'number',
  condition: 'text',
  status: 'text',
  tags: 'text',
  collection_id: 'text',
  estimated_value: 'number',
  'custom_fields.a': 'json',
  'custom_fields.b': 'text',
};

// NUL in a file's head makes it binary to the reader; line breaks here are those of RFC 4180.
const wild = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.anyCodePoint }).map((text) => text.toWellFormed()),
    fc.constantFrom(
      '=1+1',
      "'quoted",
      '-5',
      "'",
      "''",
      ' edge ',
      '\u00a0',
      '<clear>',
      '1.234',
      '{}',
      '["a"]',
      'true',
      '5',
      '007',
      '1.23E+12',
      '\tx',
      '\r',
      'a\nb',
      'a\r\nb',
      'a"b',
      ';',
      '_x0041_',
      '#N/A',
    ),
  )
  .map((text) => text.replaceAll('\u0000', '').replace(/\r?\n|\r/g, '\r\n'));
const items = fc.sample(
  fc.record({
    object: fc.constant('item'),
    id: fc.uuid(),
    name: wild.filter((name) => name !== ''),
    brand: fc.option(wild),
    release_year: fc.option(fc.integer({ min: 1900, max: 2200 })),
    condition: fc.constantFrom(null, 'loose_mint', 'C7'),
    status: fc.constantFrom('keep', 'sold'),
    tags: fc.array(wild, { maxLength: 4 }),
    collection_id: fc.constant(COLLECTION_ID),
    estimated_value: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
    'custom_fields.a': fc.oneof(
      wild,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.jsonValue(),
    ),
    'custom_fields.b': wild,
  }),
  400,
) as Record<string, unknown>[];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shelflift-round-trip-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  { format: 'csv', name: 'items.csv' },
  { format: 'csv', name: 'comma.csv', decimal: 'comma', delimiter: ';' },
  { format: 'xlsx', name: 'items.xlsx' },
] as const)('$name can be written and read without a change', async ({ name, ...options }) => {
  const file = join(folder, name);
  const headers = Object.keys(kinds);
  const writer = await createTableWriter({
    file,
    ...options,
    columns: headers.map((header) => ({ header, kind: kinds[header] ?? 'text' })),
  });
  const cellOf = (header: string, value: unknown): Cell =>
    typeof value === 'number' || typeof value === 'boolean' ? value : textForm(header, value);
  await writer.write(items.map((item) => headers.map((header) => cellOf(header, item[header]))));
  await writer.finish();

  const table = await openTable(file, {});
  const decimal = 'decimal' in options ? { decimal: options.decimal } : {};
  const mapping = compileMapping({
    ...table,
    map: {},
    defaults: {},
    mode: 'update',
    match: ['id'],
    ...decimal,
  });
  expect(mapping.ownExport).toBe(true);
  let index = 0;
  for await (const batch of table.batches) {
    for (const { cells } of batch) {
      const item = items[index] ?? {};
      const row = mapping.mapRow(cells);
      expect(row.id).toBe(item['id']);
      expect(codesOf(row)).toEqual([]);
      for (const [field, mapped] of [
        ...Object.entries(row.fields),
        ...Object.entries(row.customFields).map(([key, value]) => [`custom_fields.${key}`, value] as const),
      ]) {
        expect([field, item[field], mapped.text, isUnchanged(field, item[field], mapped)]).toEqual([
          field,
          item[field],
          mapped.text,
          true,
        ]);
        if (!('decimal' in options)) expect(sameAsText(field, item[field], mapped)).toBe(true);
      }
      index += 1;
    }
  }
  expect(index).toBe(items.length);
});
