import { german } from '../../src/messages/german.ts';
import { saidOf } from '../../src/base/errors.ts';
import { english, message } from '../../src/messages/message.ts';
import * as fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { ItemCreate } from '../../src/api/schemas.ts';
import { CLEAR } from '../../src/mapping/mapping.ts';
import { createFields } from '../../src/mapping/payload.ts';
import { explicitTemplate } from '../../src/mapping/template/explicit-template.ts';
import { asTexts, cellOf } from '../../src/sheets/cell-kinds.ts';
import { type Cell, NO_RESULT } from '../../src/sheets/cell.ts';
import { codesOf, COLLECTION_ID, compile, mapOne, valuesOf } from './helpers.ts';

describe('a row', () => {
  test('has the fields that its cells fill', () => {
    const row = mapOne({
      Name: '\u00a0 Falcon ',
      Brand: '',
      Series: '007',
      Year: '1999.0',
      Condition: 'MOC',
      Packaging: 'n/a',
      Status: 'For Sale',
      Tags: 'a; b',
      Value: '€ 12,50',
      Collection: 2019,
    });
    expect(row).toMatchObject({ copies: 1, issues: [], collection: '2019', customFields: {} });
    expect(valuesOf(row)).toEqual({
      name: 'Falcon',
      series: '007',
      release_year: 1999,
      condition: 'mint_on_card',
      status: 'sell',
      tags: ['a', 'b'],
      estimated_value: 12.5,
    });
    expect(row.fields.name?.text).toBe('\u00a0 Falcon ');
  });

  test('reports all of its problems', () => {
    const row = mapOne({ Name: ' ', Year: "'87", Condition: 'Z7', Value: '-1', Notes: 'x' });
    expect(codesOf(row).sort()).toEqual(['negative', 'required', 'two_digit_year', 'unknown_word']);
    expect(row.issues.find((issue) => issue.code === 'unknown_word')).toEqual({
      code: 'unknown_word',
      said: message('cell_problem', {
        field: 'condition',
        what: message('word_not_known', { text: 'Z7' }),
      }),
      message: 'condition "Z7" is not known',
      field: 'condition',
      header: 'Condition',
      column: 'C',
      found: 'Z7',
      expected: message('want_one_of', {
        words: ['mint_on_card', 'loose_mint', 'loose_good', 'loose_fair', 'damaged'],
      }),
    });
  });

  test('does not use placeholders as brand or series, but may use them as a name', () => {
    expect(valuesOf(mapOne({ name: '?', brand: 'n/a', series: '-' }))).toEqual({ name: '?' });
    expect(valuesOf(mapOne({ name: 'x', brand: '?', series: 'Unknown' }))).toEqual({
      name: 'x',
      series: 'Unknown',
    });
  });

  test('reads cells of other types in text fields as their text', () => {
    const row = mapOne(
      { name: 4006381333931, brand: true, series: { kind: 'date', date: '1999-05-01' } },
      { format: 'xlsx' },
    );
    expect(valuesOf(row)).toEqual({ name: '4006381333931', brand: 'true', series: '1999-05-01' });
  });

  test('keeps a date cell in a custom field as ISO text, even after the row is read back from the ledger', () => {
    const bought: Cell[] = [
      { kind: 'date', date: '2020-05-01', time: '10:00:00' },
      { kind: 'date', date: '2020-05-01' },
      '2020-05-01 10:00:00',
    ];
    const { texts, kinds } = asTexts(bought);
    expect(texts).toEqual(['2020-05-01T10:00:00', '2020-05-01', '2020-05-01 10:00:00']);
    for (const [index, cell] of bought.entries()) {
      expect(cellOf(texts[index] ?? '', kinds?.[index])).toEqual(cell);
      const row = mapOne({ name: 'x', 'custom_fields.bought': cell }, { format: 'xlsx' });
      expect(row.customFields['bought']?.value).toBe(texts[index]);
    }
  });

  test('reads money as an amount with its currency, and as a plain number in other columns', () => {
    const cells: Cell[] = [-0.5, 1234.5, 1e21].map((amount) => ({
      kind: 'money',
      amount,
      currency: 'Fr. x',
    }));
    const { texts, kinds } = asTexts(cells);
    expect(texts).toEqual(['-0.5 Fr. x', '1234.5 Fr. x', '1000000000000000000000 Fr. x']);
    expect(texts.map((text, index) => cellOf(text, kinds?.[index]))).toEqual(cells);
    const price: Cell = { kind: 'money', amount: 1.234, currency: '€' };
    const row = { name: 'x', series: price, estimated_value: price, 'custom_fields.paid': price };
    const read = mapOne(row, { format: 'xlsx' });
    expect(valuesOf(read)).toMatchObject({ name: 'x', series: '1.234', estimated_value: 1.234 });
    expect([read.copies, read.customFields['paid']?.value, read.issues]).toEqual([1, 1.234, []]);
    expect(read.fields.estimated_value?.text).toBe('1.234 €');
    for (const wrong of [
      { ...price, currency: 'pcs' },
      { ...price, amount: -1 },
    ]) {
      const { issues } = mapOne({ name: 'x', estimated_value: wrong }, { format: 'xlsx' });
      expect(issues).toMatchObject([{ field: 'estimated_value' }]);
    }
  });

  test('reports error cells as issues', () => {
    expect(codesOf(mapOne({ name: 'x', brand: { kind: 'error', text: '#N/A' } }))).toEqual(['cell_error']);
    const [issue] = mapOne({ name: 'x', brand: { kind: 'error', text: NO_RESULT } }).issues;
    expect(german(saidOf(issue ?? { message: '' }))).toContain('kein Ergebnis');
  });

  test('fills missing values with defaults, in creates only', () => {
    const template = {
      name: 't',
      defaults: { status: 'trade', brand: 'Acme' },
      constants: { series: 'One' },
    };
    const defaults = { status: 'sell', collection: 'Main', 'custom_fields.source': 'list' };
    const row = mapOne({ name: 'x', brand: '', series_note: '' }, { template, defaults });
    expect(valuesOf(row)).toEqual({ name: 'x', series: 'One', status: 'sell', brand: 'Acme' });
    expect(row).toMatchObject({ collection: 'Main', customFields: { source: { value: 'list' } } });
    const update = mapOne({ id: COLLECTION_ID, name: 'x' }, { mode: 'update', match: ['id'], template });
    expect(valuesOf(update)).toEqual({ name: 'x', series: 'One' });
  });

  test('becomes several copies with a quantity column', () => {
    const options = { map: { quantity: 'Qty' } };
    expect(mapOne({ name: 'x', Qty: '3' }, options).copies).toBe(3);
    expect(mapOne({ name: 'x', Qty: '' }, options).copies).toBe(1);
    expect(codesOf(mapOne({ name: 'x', Qty: '0' }, options))).toEqual(['bad_quantity']);
  });
});

describe('updates', () => {
  const update = { mode: 'update', match: ['id'] } as const;

  test('leave blank fields alone, and <clear> empties a field that may be null', () => {
    const row = mapOne(
      {
        id: COLLECTION_ID,
        name: '',
        brand: '<clear>',
        tags: '<clear>',
        status: '<clear>',
        'custom_fields.a': ' <clear> ',
      },
      { ...update, match: ['id'] },
    );
    expect(row.id).toBe(COLLECTION_ID);
    expect(valuesOf(row)).toEqual({ brand: CLEAR, tags: CLEAR });
    expect(row.customFields['a']?.value).toBe(CLEAR);
    expect(codesOf(row)).toEqual(['not_clearable']);
  });

  test('clear blank fields if the template says so', () => {
    const template = { name: 't', columns: { brand: { from: 'brand', blank: 'clear' as const } } };
    expect(
      valuesOf(mapOne({ id: COLLECTION_ID, brand: '', series: '' }, { ...update, match: ['id'], template })),
    ).toEqual({ brand: CLEAR });
    expect(valuesOf(mapOne({ name: 'x', brand: '' }, { template }))).toEqual({ name: 'x' });
  });

  test('a create treats <clear> as blank', () => {
    expect(valuesOf(mapOne({ name: 'x', brand: '<clear>', status: '<clear>' }))).toEqual({ name: 'x' });
  });

  test('a malformed id is an issue; a blank id counts as missing', () => {
    expect(codesOf(mapOne({ id: '12', status: 'sold' }, { ...update, match: ['id'] }))).toEqual([
      'not_an_id',
    ]);
    expect(mapOne({ id: '', status: 'sold' }, { ...update, match: ['id'] }).id).toBeUndefined();
  });

  test('an upsert turns a row without a match into a create (asCreate)', () => {
    const mapping = compile(['id', 'name', 'brand'], {
      mode: 'upsert',
      match: ['id'],
      defaults: { status: 'sell' },
    });
    const row = mapping.asCreate(mapping.mapRow(['', 'x', '<clear>']));
    expect(valuesOf(row)).toEqual({ name: 'x', status: 'sell' });
    expect(codesOf(mapping.asCreate(mapping.mapRow(['', '', ''])))).toEqual(['required']);
  });
});

describe('amounts in a column', () => {
  test('use the decimal mark of other columns, unless these contain both marks', () => {
    const read = (paid: string[], value = '$1,000') => {
      const mapping = compile(['name', 'Value', 'Price Paid', 'Scale']);
      for (const each of paid) mapping.mapRow(['a', value, each, '1,5']);
      mapping.resolveDecimals();
      return valuesOf(mapping.mapRow(['a', value, '', '']))['estimated_value'];
    };
    expect(read(['12.50', '$3'])).toBe(1000);
    expect(read(['12,50 €'], '1,000')).toBe(1);
    expect(read(['12.50', '3,20'])).toBeUndefined();
    expect(read(['12', 'free'])).toBeUndefined();
  });

  test('are ambiguous until the whole column is read, and are then all read alike', () => {
    const mapping = compile(['name', 'value']);
    expect(codesOf(mapping.mapRow(['a', '12,50']))).toEqual([]);
    expect(codesOf(mapping.mapRow(['b', '1.234']))).toEqual(['ambiguous_number']);
    expect(mapping.resolveDecimals()).toBe(true);
    expect(valuesOf(mapping.mapRow(['b', '1.234']))).toEqual({ name: 'b', estimated_value: 1234 });
    expect(mapping.notes().map(english)).toEqual([
      'B (value) uses a decimal comma, as its unambiguous amounts show',
    ]);
  });

  test('are read at once with --decimal', () => {
    expect(valuesOf(mapOne({ name: 'a', value: '1.234' }, { decimal: 'comma' }))['estimated_value']).toBe(
      1234,
    );
  });

  test('are reported with their currencies', () => {
    const mapping = compile(['name', 'value']);
    for (const price of ['5 €', '6 €', '$7', '8']) mapping.mapRow(['a', price]);
    expect(mapping.notes().map(english)).toEqual([
      '3 values in B (value) have a currency (EUR 2×, $ 1×), which is not sent: the service sets the currency of an item',
    ]);
  });
});

describe('rows without issues satisfy the contract', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: fc.anyCodePoint, maxLength: 20 }),
    fc.constantFrom(
      '',
      ' ',
      'n/a',
      '<clear>',
      'MOC',
      'loose',
      'sold',
      'a; b',
      '["x"]',
      '[1]',
      '1.234',
      '12,50 €',
      '1e999',
      '-0',
      '1985?',
      '05/1999',
      '2101',
      '1967',
      '😀'.repeat(254),
      'x'.repeat(256),
    ),
    fc.integer({ min: 1900, max: 2200 }).map(String),
    fc.double({ noNaN: false }).map(String),
  );
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    { weight: 5, arbitrary: text },
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom<Cell>(
      { kind: 'date', date: '1999-05-01' },
      { kind: 'date', date: '', time: '10:00:00' },
      { kind: 'error', text: '#REF!' },
    ),
  );
  const headers = [
    'name',
    'brand',
    'series',
    'release_year',
    'condition',
    'packaging',
    'status',
    'tags',
    'estimated_value',
    'custom_fields.a',
    'Shelf',
  ];

  /** Mostly blank rows, as a row of eleven wild cells is nearly never good. */
  const row = fc.array(fc.tuple(fc.nat(headers.length - 1), cell), { maxLength: 4 }).map((filled) => {
    const cells: Cell[] = headers.map((_, index) => (index === 0 ? 'Falcon' : ''));
    for (const [index, value] of filled) cells[index] = value;
    return cells;
  });

  test.each(['csv', 'xlsx'] as const)('%s', (format) => {
    const plain = compile(headers, { format, keepUnknown: true });
    const withTemplate = compile(headers, {
      format,
      decimal: 'point',
      template: {
        name: 't',
        columns: {
          release_year: { approximate: 'read' },
          condition: {
            words: { loose: { condition: 'loose_good', packaging: 'loose' }, '?': { packaging: 'custom' } },
          },
          tags: { separators: [',', ';'] },
        },
        defaults: { name: 'Figure', status: 'keep' },
      },
    });
    let good = 0;
    fc.assert(
      fc.property(row, fc.boolean(), (cells, useTemplate) => {
        const row = (useTemplate ? withTemplate : plain).mapRow(cells);
        if (row.issues.length > 0) return;
        good += 1;
        const payload = { collection_id: COLLECTION_ID, ...createFields(row) };
        expect(ItemCreate.safeParse(payload).error?.issues).toBeUndefined();
        // What JSON cannot carry would reach the server as something else.
        expect(JSON.parse(JSON.stringify(payload))).toEqual(payload);
      }),
      { numRuns: 3000 },
    );
    expect(good).toBeGreaterThan(100);
  });

  test('values beyond the bounds of a field are refused by the schema, too', () => {
    const base = { collection_id: COLLECTION_ID, name: 'x' };
    const boundsOnly = (codes: string[]) =>
      codes.every((code) => ['too_long', 'out_of_range', 'negative'].includes(code));
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '😀', 'é'), minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1000, max: 9999 }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        (name, release_year, estimated_value) => {
          const fields = { name, release_year, estimated_value };
          for (const [field, value] of Object.entries(fields)) {
            const codes = codesOf(
              mapOne({ ...(field === 'name' ? {} : { name: 'x' }), [field]: value }, { format: 'xlsx' }),
            );
            expect(boundsOnly(codes)).toBe(true);
            expect(ItemCreate.safeParse({ ...base, [field]: value }).success).toBe(codes.length === 0);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('a row without issues is an item that the API accepts, whatever the template and the cells contain', () => {
  const headers = ['A', 'B', 'C', 'D', 'E'];
  const mapping = compile(headers, {
    template: {
      name: 't',
      guess: false,
      columns: {
        name: { join: ['A', 'B'], with: ' / ' },
        brand: { from: 'A', pattern: '(\\w+)?x', noMatch: 'keep', words: { '1': 'one' } },
        release_year: { from: 'B', pattern: '\\d{4}', noMatch: 'blank' },
        status: { column: 3, yes: 'sell', no: 'keep', unknownWords: 'blank' },
        packaging: { column: 'C', yes: 'in_package', words: { a: 'loose' } },
        estimated_value: { from: 'D', decimal: 'comma' },
        tags: {
          from: 'E',
          separators: [' '],
          words: { a: 'b' },
          unknownWords: 'keep',
          ticked: { C: 'ticked' },
        },
        quantity: 'B',
        'custom_fields.whole': { from: 'D', as: 'integer' },
        'custom_fields.money': { from: 'D', as: 'money' },
        'custom_fields.list': { from: 'E', as: 'list' },
        'custom_fields.answer': { from: 'C', as: 'yes_no', yes: 1 },
      },
      conditions: [{ when: { from: 'E', filled: true }, set: { series: 'filled', 'custom_fields.e': true } }],
      skip: [
        {
          all: [
            { from: 'A', blank: true },
            { from: 'B', isNot: ['1'] },
          ],
        },
      ],
    },
  });
  const cell = fc.oneof(
    fc.constantFrom(
      '',
      'x',
      'yes',
      'no',
      '1',
      '1985',
      '1.234,50',
      '$ 3',
      '-1',
      'a b',
      'ab x',
      'n/a',
      '(',
      '12',
    ),
    fc.string({ unit: fc.anyCodePoint, maxLength: 6 }),
    fc.string({ maxLength: 200 }),
  );
  let good = 0;
  fc.assert(
    fc.property(fc.array(cell, { minLength: 5, maxLength: 5 }), (cells) => {
      const row = mapping.mapRow(cells);
      if (row.skip !== undefined || row.issues.length > 0) return;
      good += 1;
      const payload = { collection_id: COLLECTION_ID, ...createFields(row) };
      expect(ItemCreate.safeParse(payload).error?.issues).toBeUndefined();
      expect(JSON.parse(JSON.stringify(payload))).toEqual(payload);
    }),
    { numRuns: 3000 },
  );
  expect(good).toBeGreaterThan(3);
});

test('any cells in any mode result in a row, and never in an exception', () => {
  const headers = ['id', 'name', 'tags', 'price', 'collection_id', 'custom_fields.constructor'];
  for (const mode of ['create', 'update', 'upsert'] as const) {
    const mapping = compile(headers, { mode, match: mode === 'create' ? [] : ['id'] });
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.anyCodePoint }), { maxLength: 7 }), (cells) => {
        expect(mapping.mapRow(cells).copies).toBe(1);
      }),
    );
  }
});

describe('numbers that a spreadsheet program has shortened', () => {
  const cells = { Name: 'Robot', Barcode: '4.00638E+12' };

  test('are kept, with a note, in a column that is not mapped to a field', () => {
    const mapping = compile(Object.keys(cells), { keepUnknown: 'unasked' });
    const row = mapping.mapRow(Object.values(cells));
    expect(codesOf(row)).toEqual([]);
    expect(row.customFields['Barcode']?.value).toBe('4.00638E+12');
    expect(mapping.notes().map(english)).toEqual([
      'B (Barcode): a spreadsheet program has shortened long numbers, which are kept as they are: "4.00638E+12"',
    ]);
  });

  test('are kept when the rows are checked again', () => {
    const options = { headers: Object.keys(cells), letters: ['A', 'B'], format: 'csv' as const };
    const more = { map: {}, defaults: {}, mode: 'create' as const, match: [], keepUnknown: true };
    const template = explicitTemplate({ ...options, ...more }, new Map());
    expect(codesOf(mapOne(cells, { template }))).toEqual([]);
  });

  test('are issues in a column that a person maps', () => {
    const map = { 'custom_fields.Barcode': 'Barcode' };
    expect(codesOf(mapOne(cells, { map }))).toEqual(['number_lost']);
  });
});
