import type { Item } from '../../src/api/schemas.ts';
import { parseExactJson } from '../../src/base/exact-json.ts';
import * as fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { CLEAR } from '../../src/mapping/mapping.ts';
import { isUnchanged, sameAsText } from '../../src/import/engine/equality.ts';
import { castLike, shownForm, textForm } from '../../src/mapping/text-form.ts';
import { type Cell } from '../../src/sheets/cell.ts';
import { codesOf, COLLECTION_ID, compile } from './helpers.ts';

describe('text forms', () => {
  test.each([
    ['name', null, ''],
    ['brand', undefined, ''],
    ['estimated_value', 1e21, '1000000000000000000000'],
    ['estimated_value', 0.1, '0.1'],
    ['tags', [], ''],
    ['tags', ['a', 'b, c'], 'a; b, c'],
    ['tags', ['a;b'], '["a;b"]'],
    ['tags', ['a|b', 'c'], '["a|b","c"]'],
    ['tags', [' a'], '[" a"]'],
    ['tags', ['', 'a'], '["","a"]'],
    ['tags', ['a', 'a'], '["a","a"]'],
    ['tags', ['[a]'], '[a]'],
    ['tags', ['["a"]'], '["[\\"a\\"]"]'],
    ['custom_fields.x', '5', '5'],
    ['custom_fields.x', 5, '5'],
    ['custom_fields.x', true, 'true'],
    ['custom_fields.x', {}, '{}'],
    ['custom_fields.x', [1, 'a'], '[1,"a"]'],
    ['custom_fields.x', null, ''],
  ])('of %s is %j', (field, value, text) => {
    expect(textForm(field, value)).toBe(text);
  });

  test('are compared with a cell both as it is and, unless this was done before, without the escape of an export', () => {
    expect(sameAsText('name', '=1+1', { value: "'=1+1", text: "'=1+1" })).toBe(true);
    expect(sameAsText('name', '=1+1', { value: "'=1+1", text: "'=1+1", exact: true })).toBe(false);
    expect(sameAsText('custom_fields.x', 1.234, { value: '1,234', text: '1,234', exact: true })).toBe(true);
    expect(sameAsText('custom_fields.x', 1.234, { value: '1,234', text: '1,234' })).toBe(false);
    expect(sameAsText('name', "'=1+1", { value: "'=1+1", text: "'=1+1" })).toBe(true);
  });
});

test('a new value keeps the type of the current value if the text allows it', () => {
  expect(castLike(5, '6')).toBe(6);
  expect(castLike(1.5, '2,5')).toBe(2.5);
  expect(castLike(1.5, '2,500')).toBe('2,500');
  expect(castLike(1.5, '2,500', '2,500', 'point')).toBe(2500);
  expect(castLike(1.5, '2.500', '2.500', 'comma')).toBe(2500);
  expect(castLike(1.5, '1.234,50')).toBe(1234.5);
  expect(castLike(1.5, '1.234.567.890.123.456')).toBe('1.234.567.890.123.456');
  expect(castLike(5, '6 kg')).toBe('6 kg');
  expect(castLike('5', '6', 6)).toBe('6');
  expect(castLike(true, 'FALSE')).toBe(false);
  expect(castLike(true, 'no')).toBe('no');
  expect(castLike({ a: 1 }, '{"a":2}')).toEqual({ a: 2 });
  expect(castLike({ a: 1 }, '{')).toBe('{');
  expect(castLike({ a: 1 }, '{"a":9007199254740993}')).toBe('{"a":9007199254740993}');
  expect(castLike(undefined, '6', 6)).toBe(6);
});

test('a row is unchanged if its text or value is equal, or if there is nothing to clear', () => {
  const of = (value: unknown, text: string) => ({ value, text });
  expect(isUnchanged('estimated_value', 12.5, of(12.5, '12,50 €'))).toBe(true);
  expect(isUnchanged('estimated_value', 12.5, of(12.6, '12.6'))).toBe(false);
  expect(isUnchanged('name', 'Falcon', of('Falcon', ' Falcon '))).toBe(true);
  expect(isUnchanged('tags', ['a', 'b'], of(['a', 'b'], 'a;b'))).toBe(true);
  expect(isUnchanged('tags', ['a', 'b'], of(['b', 'a'], 'b;a'))).toBe(false);
  expect(isUnchanged('custom_fields.x', 5, of('5.0', '5.0'))).toBe(true);
  expect(isUnchanged('custom_fields.x', { a: 1, b: 2 }, of('{"b":2,"a":1}', '{"b":2,"a":1}'))).toBe(true);
  expect(isUnchanged('brand', null, of(CLEAR, '<clear>'))).toBe(true);
  expect(isUnchanged('brand', 'Acme', of(CLEAR, '<clear>'))).toBe(false);
  expect(isUnchanged('tags', [], of(CLEAR, '<clear>'))).toBe(true);
  expect(isUnchanged('custom_fields.x', null, of(CLEAR, '<clear>'))).toBe(false);
  expect(isUnchanged('name', '<clear>', of(CLEAR, '<clear>'))).toBe(true);
});

describe('exports are read without a change', () => {
  const fields = [
    'name',
    'brand',
    'series',
    'release_year',
    'condition',
    'packaging',
    'status',
    'tags',
    'estimated_value',
  ] as const;
  const headers = [
    'object',
    'id',
    ...fields,
    'collection_id',
    'currency',
    'custom_fields.a',
    'custom_fields.b',
    'created_at',
    'updated_at',
  ];
  // What a file can hold: CSV and XLSX readers drop NUL and half surrogates before mapping sees them.
  const wild = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '=1+1',
      "'quoted",
      '-5',
      "'",
      "''",
      '@x',
      ' edge ',
      '<clear>',
      'n/a',
      '1.234',
      '{}',
      '[',
      '["a"]',
      'true',
      '5',
      '007',
      '1.23E+12',
      'MOC',
      '\tx',
      '+',
    ),
  );
  const item = fc.record({
    name: fc.oneof(wild, fc.constant('x'.repeat(300))).filter((name) => name !== ''),
    brand: fc.option(wild),
    series: fc.option(wild),
    // Reads may show what writes no longer accept: any integer, any word.
    release_year: fc.option(fc.integer({ min: 1900, max: 2200 })),
    condition: fc.option(fc.constantFrom('mint_on_card', 'damaged', 'C7', 'MOC')),
    packaging: fc.option(fc.constantFrom('loose', 'shrink wrap')),
    status: fc.constantFrom('keep', 'sold'),
    tags: fc.array(wild),
    estimated_value: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
    'custom_fields.a': fc.option(
      fc.oneof(wild, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.jsonValue()),
    ),
    'custom_fields.b': wild,
  });
  type Values = Record<string, unknown>;

  function check(values: Values, cells: Cell[], format: 'csv' | 'xlsx'): void {
    const mapping = compile(headers, { mode: 'update', match: ['id'], format });
    expect(mapping.ownExport).toBe(true);
    const row = mapping.mapRow(cells);
    expect(codesOf(row)).toEqual([]);
    for (const [field, mapped] of Object.entries(row.fields)) {
      expect([field, sameAsText(field, values[field], mapped)]).toEqual([field, true]);
    }
    for (const [key, mapped] of Object.entries(row.customFields)) {
      expect([key, sameAsText(`custom_fields.${key}`, values[`custom_fields.${key}`], mapped)]).toEqual([
        key,
        true,
      ]);
    }
  }

  test('from CSV', () => {
    fc.assert(
      fc.property(item, (values: Values) => {
        const cells = headers.map((header): Cell => {
          const value = header === 'id' || header === 'collection_id' ? COLLECTION_ID : values[header];
          return textForm(header, value);
        });
        check(values, cells, 'csv');
      }),
      { numRuns: 1000 },
    );
  });

  test('from XLSX', () => {
    fc.assert(
      fc.property(item, (values: Values) => {
        const cells = headers.map((header): Cell => {
          const value = header === 'id' || header === 'collection_id' ? COLLECTION_ID : values[header];
          return typeof value === 'number' || typeof value === 'boolean' ? value : textForm(header, value);
        });
        check(values, cells, 'xlsx');
      }),
      { numRuns: 1000 },
    );
  });

  test('a value that cannot be read is an issue of that value in an update, and of the row in a create', () => {
    const cells = headers.map((header) =>
      header === 'id' || header === 'collection_id'
        ? COLLECTION_ID
        : header === 'name'
          ? 'x'
          : header === 'condition'
            ? 'C7'
            : '',
    );
    const update = compile(headers, { mode: 'update', match: ['id'] }).mapRow(cells);
    expect(update.issues).toEqual([]);
    expect(update.fields.condition).toMatchObject({
      value: undefined,
      text: 'C7',
      issue: { code: 'unknown_word' },
    });
    expect(isUnchanged('condition', 'C7', update.fields.condition!)).toBe(true);
    expect(isUnchanged('condition', 'damaged', update.fields.condition!)).toBe(false);
    expect(codesOf(compile(headers).mapRow(cells))).toEqual(['unknown_word']);
    const upsert = compile(headers, { mode: 'upsert', match: ['id'] });
    expect(codesOf(upsert.asCreate(upsert.mapRow(cells)))).toEqual(['unknown_word']);
  });
});

test('tags are restored from their text form', () => {
  const tag = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('a', 'B', 'é', '1', '_', '-', '.', ' ', ';'), maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(tag, { minLength: 1 }), (tags) => {
      const mapping = compile(['object', 'id', 'name', 'status', 'collection_id', 'tags'], {
        mode: 'update',
        match: ['id'],
      });
      const row = mapping.mapRow(['item', COLLECTION_ID, 'x', '', '', textForm('tags', tags)]);
      expect(row.fields.tags?.value).toEqual(tags);
    }),
  );
});

test.each([
  '12345678901234567890',
  '9007199254740993',
  '0.1000000000000000055',
  '1e400',
  '-9007199254740993',
])('%s stays text for a field with a number, because a digit would be lost', (text) => {
  expect(castLike(5, text)).toBe(text);
});

test.each([
  ['9007199254740992', 9007199254740992],
  ['-0012.50', -12.5],
  ['0.1', 0.1],
  ['1e21', 1e21],
  ['100000000000000000000', 1e20],
  ['3e-7', 3e-7],
  ['0.00', 0],
])('%s becomes a number for a field with a number', (text, number) => {
  expect(castLike(5, text)).toBe(number);
});

test.each([
  [['fair, boxed'], '"fair, boxed"'],
  [['fair', 'boxed'], 'fair; boxed'],
  [['fair, boxed', 'big'], '"fair, boxed"; big'],
  [['a, "b"', 'c; d'], '"a, \\"b\\""; "c; d"'],
  [[], ''],
])('%j is shown to people as %s', (tags, text) => {
  expect(shownForm('tags', tags)).toBe(text);
  expect(shownForm('custom_fields.tags', 'fair, boxed')).toBe('fair, boxed');
});

test('numbers in custom fields keep their digits in answers, and other numbers stay numbers', () => {
  const text =
    '{"object":"item","estimated_value":0.10000000000000001,"custom_fields":{"gtin":9007199254740993,"n":1e3}}';
  const item = parseExactJson(text) as Item;
  expect(item.estimated_value).toBe(0.1);
  expect(item.custom_fields?.['n']).toBe(1000);
  expect(textForm('custom_fields.gtin', item.custom_fields?.['gtin'])).toBe('9007199254740993');
  expect(JSON.stringify(item.custom_fields)).toBe('{"gtin":9007199254740993,"n":1000}');
});
