/** Expressions that choose items: each operator against a plain filter, and what a mistake says. */
import { Big } from 'big.js';
import { expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { UsageError } from '../../src/errors.ts';
import { ItemValues } from '../../src/where/item-values.ts';
import { parseWhere } from '../../src/where/where.ts';
import { WhereTest } from '../../src/where/where-test.ts';
import * as fc from '../support/fast-check.ts';

const HOME = '11111111-1111-4111-8111-111111111111';
const values = new ItemValues(new Map([[HOME, 'Main Shelf']]));

function itemOf(fields: Partial<Item> = {}): Item {
  return {
    object: 'item',
    id: '22222222-2222-4222-8222-222222222222',
    name: 'Falcon',
    status: 'keep',
    collection_id: HOME,
    currency: 'usd',
    created_at: '2026-01-31T23:30:00Z',
    updated_at: '2026-02-01T00:00:00Z',
    ...fields,
  };
}

function holds(expression: string, fields: Partial<Item> = {}): boolean {
  return new WhereTest([parseWhere(expression)], values).passes(itemOf(fields));
}

test.each<[string, Partial<Item>, boolean]>([
  ['brand=Hasbro', { brand: ' HASBRO ' }, true],
  ['brand=Hasbro', { brand: null }, false],
  ['brand!=Hasbro', { brand: null }, true],
  ['Brand = Tom and Jerry', { brand: 'Tom and Jerry' }, true],
  ['brand="A (b) or c"', { brand: 'a (b) or c' }, true],
  ["brand='It''s'", { brand: "It's" }, true],
  ['name~hot ROD', { name: 'My Hot  Rod 5' }, true],
  ['name~cold', { name: 'Hot Rod' }, false],
  ['name=Cafe\u0301', { name: 'CAFÉ' }, true],
  ['estimated_value>=50', { estimated_value: 50 }, true],
  ['estimated_value>50', { estimated_value: 50 }, false],
  ['estimated_value<50', { estimated_value: null }, false],
  ['release_year<1990', { release_year: 1989 }, true],
  ['release_year=1990.0', { release_year: 1990 }, true],
  ['custom_fields.shelf=A3', { custom_fields: { shelf: 'a3' } }, true],
  ['custom_fields.count=5', { custom_fields: { count: '5.0' } }, true],
  ['custom_fields.count>=4.5', { custom_fields: { count: 5 } }, true],
  ['custom_fields.bought<2020-01-01', { custom_fields: { bought: '2019-12-31' } }, true],
  ['custom_fields.my shelf=A', { custom_fields: { 'my shelf': 'A' } }, true],
  ['custom_fields."a=b"=c', { custom_fields: { 'a=b': 'c' } }, true],
  ['custom_fields.__proto__ blank', {}, true],
  ['tags has Fair', { tags: ['boxed', 'fair'] }, true],
  ['tags has fai', { tags: ['fair'] }, false],
  ['tags blank', { tags: [] }, true],
  ['condition blank', { condition: null }, true],
  ['condition not blank', { condition: 'damaged' }, true],
  ['created_at>=2026-01-01', {}, true],
  ['created_at=2026-01-31', {}, true],
  ['created_at>2026-01-31', {}, false],
  ['updated_at>2026-01-31', {}, true],
  ['created_at<2026-01-31T23:45:00+00:00', {}, true],
  ['collection_name=main shelf', {}, true],
  ['status=sold or status=keep', {}, true],
  ['(brand=Matchbox or release_year>2005)', { release_year: 2006 }, true],
  ['( brand=Matchbox or ( release_year>2005 or tags has x ) )', { tags: ['x'] }, true],
])('%s of %o: %s', (expression, fields, expected) => {
  expect(holds(expression, fields)).toBe(expected);
});

test.each([
  ['colour=red', 'no field "colour"'],
  ['brnad=Hasbro', 'Did you mean brand?'],
  ['collection=Main', 'Did you mean collection_name?'],
  ['status=sel', 'Did you mean sell?'],
  ['condition=loose_god', 'Did you mean loose_good?'],
  ['tags=fair', "Write 'tags has fair'"],
  ['name has x', "'name~x'"],
  ['name>5', 'name has no order'],
  ['estimated_value~5', 'not a text'],
  ['estimated_value>=lots', 'not a number'],
  ['created_at>=yesterday', 'not a date'],
  ['created_at>=2026-13-01', 'not a date'],
  ['brand=', "'brand blank'"],
  ['brand!=', "'brand not blank'"],
  ['brand=Hasbro and release_year<1990', 'Give each test its own --where'],
  ['brand=Hasbro and condition blank', 'Give each test its own --where'],
  ['(brand=Hasbro', 'closing bracket'],
  ['brand=Car (red)', 'Quote a value'],
  ['brand=Siku or', 'nothing follows "or"'],
  ['brand=Siku and', 'nothing follows "and"'],
  ['brand==Siku', "Write 'brand=Siku'"],
  ['brand', 'expected a field, an operator and a value'],
  ['', 'it is empty'],
  ['   ', 'it is empty'],
  ['('.repeat(5000), 'nested too deeply'],
])('%s is refused: %s', (expression, problem) => {
  expect(() => parseWhere(expression)).toThrow(UsageError);
  try {
    parseWhere(expression);
  } catch (error) {
    const { message, remedy, code } = error as UsageError;
    expect(`${message} ${remedy ?? ''}`).toContain(problem);
    expect(code).toBe('bad_where');
  }
});

test('a long hostile text is refused or read in no time', () => {
  for (const text of [
    ' '.repeat(9000) + 'x',
    'brand=' + ' '.repeat(9000) + 'x)',
    'a'.repeat(9999),
    'brand=a or '.repeat(900) + 'brand=b',
  ])
    expect(() => {
      try {
        parseWhere(text);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
    }).not.toThrow();
});

const words = fc.constantFrom(
  'Hasbro',
  'hasbro ',
  'Kenner',
  'A (b)',
  'x or y',
  '"quoted"',
  "it's",
  'x and name=y',
);
const amounts = fc.option(fc.integer({ min: 0, max: 400 }).map((quarters) => quarters / 4));
const items = fc.record({
  brand: fc.option(words),
  estimated_value: amounts,
  tags: fc.array(words, { maxLength: 3 }),
  custom_fields: fc.record({ shelf: words, count: fc.integer({ min: 0, max: 9 }) }),
});
const plain = (text: string | null) =>
  (text ?? '').normalize('NFC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();

test('every operator chooses what a plain filter chooses, alone and joined', () => {
  fc.assert(
    fc.property(items, words, fc.integer({ min: 0, max: 400 }), (item, word, quarters) => {
      const amount = quarters / 4;
      const quoted = `"${word.replaceAll('"', '""')}"`;
      const value = item.estimated_value;
      const order = value === null ? undefined : new Big(value).cmp(amount);
      const expected: [string, boolean][] = [
        [`brand=${quoted}`, plain(item.brand) === plain(word)],
        [`brand!=${quoted}`, plain(item.brand) !== plain(word)],
        [`brand~${quoted}`, plain(item.brand).includes(plain(word))],
        ['brand blank', item.brand === null],
        ['brand not blank', item.brand !== null],
        [`tags has ${quoted}`, item.tags.some((tag) => plain(tag) === plain(word))],
        [`custom_fields.shelf=${quoted}`, plain(item.custom_fields.shelf) === plain(word)],
        [`custom_fields.count>=${amount}`, item.custom_fields.count >= amount],
        [`estimated_value=${amount}`, order === 0],
        [`estimated_value!=${amount}`, order !== 0],
        [`estimated_value<${amount}`, order === -1],
        [`estimated_value<=${amount}`, order !== undefined && order <= 0],
        [`estimated_value>${amount}`, order === 1],
        [`estimated_value>=${amount}`, order !== undefined && order >= 0],
      ];
      for (const [expression, wanted] of expected)
        expect([expression, holds(expression, item)]).toEqual([expression, wanted]);
      for (const [a, first] of expected) {
        const [b, second] = expected[(quarters + a.length) % expected.length] ?? [
          'brand blank',
          item.brand === null,
        ];
        expect(holds(`(${a} or ${b})`, item)).toBe(first || second);
        expect(new WhereTest([parseWhere(a), parseWhere(b)], values).passes(itemOf(item))).toBe(
          first && second,
        );
      }
    }),
  );
});

test('a custom field that no item has is named, with the one that is probably meant', () => {
  const told = (expression: string, ...items: Partial<Item>[]) => {
    const where = new WhereTest([parseWhere(expression)], values);
    for (const each of items) where.passes(itemOf(each));
    return where.unseen();
  };
  const shelved = { custom_fields: { shelf: 'A', Paid: 3 } };
  expect(told('custom_fields.shlef=A', {}, shelved)).toBe(
    'No item has custom_fields.shlef; the nearest is custom_fields.shelf.',
  );
  expect(told('custom_fields.paid=3', shelved)).toBe(
    'No item has custom_fields.paid; the nearest is custom_fields.Paid.',
  );
  expect(told('custom_fields.year=3', shelved)).toBe(
    'No item has custom_fields.year; there are Paid, shelf.',
  );
  expect(told('custom_fields.shelf=A', {}, shelved)).toBeUndefined();
  expect(told('brand=Hasbro', shelved)).toBeUndefined();
});
