/** Expressions that choose items: each operator against a plain filter, and what a mistake says. */
import { Big } from 'big.js';
import { expect, test } from 'vitest';
import { english } from '../../src/messages/message.ts';
import type { Item } from '../../src/api/schemas.ts';
import { UsageError } from '../../src/base/errors.ts';
import { ItemValues } from '../../src/where/item-values.ts';
import { type Expression, type Operator, printExpression } from '../../src/where/expression.ts';
import { parseWhere, type Where } from '../../src/where/where.ts';
import { WhereTest } from '../../src/where/where-test.ts';
import { type WhereObject, whereTree } from '../../src/where/where-object.ts';
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
  ['Brand = "Tom and Jerry"', { brand: 'Tom and Jerry' }, true],
  ['brand=Hot Wheels', { brand: 'hot wheels' }, true],
  ['brand=Hot Wheels and status=keep', { brand: 'Hot Wheels' }, true],
  ['brand=Hot Wheels and status=sold', { brand: 'Hot Wheels' }, false],
  ['brand=A or brand=B and status=sold', { brand: 'A' }, true],
  ['(brand=A or brand=B) and status=sold', { brand: 'A' }, false],
  ['brand blank and condition blank', {}, true],
  ['brand in (Siku, Hot Wheels, "A, B")', { brand: 'a, b' }, true],
  ['brand in (Siku, Hot Wheels)', { brand: 'Hot Wheels' }, true],
  ['brand in (Siku)', { brand: 'Hot Wheels' }, false],
  ['release_year in (1999, 2000)', { release_year: 2000 }, true],
  ['custom_fields.n in (1, "2")', { custom_fields: { n: '1.0' } }, true],
  ['custom_fields.n in (1, "2")', { custom_fields: { n: '2.0' } }, false],
  ['custom_fields.sku=007', { custom_fields: { sku: 7 } }, true],
  ['custom_fields.sku="007"', { custom_fields: { sku: 7 } }, false],
  ['custom_fields.sku="007"', { custom_fields: { sku: '007' } }, true],
  ['custom_fields.shelf="1.1"', { custom_fields: { shelf: '1.10' } }, false],
  ['custom_fields.shelf="1.1"', { custom_fields: { shelf: 1.1 } }, true],
  ['name="Falcon"and status=keep', {}, true],
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
])('%s matches %o: %s', (expression, fields, expected) => {
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
  ['name>5', 'name cannot be compared'],
  ['estimated_value~5', 'not a text'],
  ['estimated_value>=lots', 'not a number'],
  ['created_at>=yesterday', 'not a date'],
  ['created_at>=2026-13-01', 'not a date'],
  ['created_at<2026-02-30', 'not a date'],
  ['custom_fields.bought>=2026-02-29T10:00', 'not a number'],
  ['brand=', "'brand blank'"],
  ['brand!=', "'brand not blank'"],
  ['brand!="Hasbro', 'at character 8: a quote is not closed. If it is one value, quote it: brand!="Hasbro"'],
  ["brand!='Hasbro", 'a quote is not closed'],
  ['brand!=“Hasbro”', 'brand!="Hasbro"'],
  ['brand!=Hasbro && status=sold', 'To join two conditions, write "and".'],
  ['brand!=Hasbro || status=sold', 'To join two conditions, write "or".'],
  ['brand!=Hasbro, Siku', 'quote it: brand!="Hasbro, Siku" For several values, write: in (A, B)'],
  ["brand!=Levi's", `brand!="Levi's"`],
  ['brand!="Hasbro" Toys', 'at character 17: "Toys" is not expected'],
  ['brand!=Hasbro status=sold', 'at character 21: a value without quotes cannot contain ='],
  ['brand!=Hasbro status blank', 'cannot contain status blank'],
  ['brand=Tom and Jerry', 'at character 15: "Jerry" is not a condition'],
  ['brand!=>Hasbro', '"!=>" is not an operator'],
  ['brand=~Hasbro', '"=~" is not an operator'],
  ['release_year=>1990', 'Write ">="'],
  ['brand<>Hasbro', 'Write "!="'],
  ['brand not in (Siku)', 'no field "brand not"'],
  ['not brand=Siku', 'no field "not brand"'],
  ['brand in (Siku', 'closing bracket is missing'],
  ['brand in (Siku,)', 'no value'],
  ['brand in ()', 'no value'],
  ['brand in (Siku Matchbox', 'closing bracket is missing'],
  ['tags in (a, b)', 'tags are a list'],
  ['status in (sold, sel)', 'Did you mean sell?'],
  ['custom_fields.shelf>"5"', 'cannot be compared with < or >'],
  ['custom_fields.a and b=5', 'is not a condition'],
  ['custom_fields.a, b=5', 'is not a condition'],
  ['custom_fields."a=5', 'is not a condition'],
  ['(brand=Hasbro', 'closing bracket'],
  ['brand=Car (red)', 'brand="Car (red)"'],
  ['brand=Siku or', 'nothing follows "or"'],
  ['brand=Siku and', 'nothing follows "and"'],
  ['brand==Siku', 'Write "="'],
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

test('a long hostile text is read or refused quickly', () => {
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

test('every operator chooses the same items as a plain filter, alone and combined', () => {
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

const names = fc.oneof(
  fc.constantFrom(
    'shelf',
    'my shelf',
    'a=b',
    'it"s',
    "it's",
    'x and y',
    'not',
    'Größe',
    'in (a)',
    ' a ',
    'n,1',
  ),
  fc.string({ minLength: 1, maxLength: 6 }),
);
const texts = fc.record({
  field: fc.oneof(
    fc.constantFrom('brand', 'name', 'series'),
    names.map((name) => `custom_fields.${name}`),
  ),
  operator: fc.constantFrom<Operator>('=', '!=', '~'),
  values: fc.tuple(
    fc.oneof(
      fc
        .constantFrom('Hot Wheels', 'Siku', '007', 'A & B', 'Yahoo!')
        .map((text) => ({ text, quoted: false })),
      fc.oneof(words, fc.string({ minLength: 1 })).map((text) => ({ text: `${text}.`, quoted: true })),
    ),
  ),
});
const leaves: fc.Arbitrary<Expression> = fc.oneof(
  texts,
  texts.map((test) => ({ ...test, operator: 'in' as const, values: [...test.values, ...test.values] })),
  texts.map((test) => ({ ...test, operator: 'not blank' as const, values: [] })),
  fc.constantFrom<Expression>(
    { field: 'tags', operator: 'has', values: [{ text: 'boxed', quoted: false }] },
    { field: 'estimated_value', operator: '>=', values: [{ text: '-5.50', quoted: false }] },
    { field: 'created_at', operator: '<', values: [{ text: '2026-01-31T12:00:00Z', quoted: false }] },
  ),
);
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    leaves,
    fc.array(tie('expression'), { minLength: 2, maxLength: 3 }).map((any) => ({ any })),
    fc.array(tie('expression'), { minLength: 2, maxLength: 3 }).map((all) => ({ all })),
  ),
}));

test('a printed expression parses to the same expression', () => {
  fc.assert(
    fc.property(expression, (given) => {
      expect(parseWhere(printExpression(given)).expression).toEqual(given);
    }),
    { numRuns: 2000 },
  );
});

/** Without what has no meaning of its own: spaces, the case, brackets, and quotes. */
const essence = (text: string) => text.toLowerCase().replaceAll(/[\s()"'“”]/gu, '');
const pieces = fc.oneof(
  fc.constantFrom('brand', 'custom_fields.Shelf', '=', '!=', '>=', '~', '==', ' ', '"', "'", '(', ')', ','),
  fc.constantFrom(
    ' and ',
    ' or ',
    ' in ',
    ' has ',
    ' blank',
    ' not ',
    '&&',
    '||',
    'Hasbro',
    '5',
    '=>',
    '“',
    '!',
  ),
  leaves.map(printExpression),
  expression.map(printExpression),
);

test('any text either parses completely as an expression or is an error', () => {
  let whole = 0;
  const spoiled = fc.tuple(expression, pieces, fc.nat(), fc.nat()).map(([given, piece, at, cut]) => {
    const text = printExpression(given);
    const place = at % (text.length + 1);
    return `${text.slice(0, place)}${piece}${text.slice(place + (cut % 4))}`;
  });
  fc.assert(
    fc.property(
      fc.oneof(
        spoiled,
        fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
      ),
      (text) => {
        let parsed: Where;
        try {
          parsed = parseWhere(text);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          return;
        }
        whole += 1;
        const printed = printExpression(parsed.expression);
        expect(essence(printed)).toBe(essence(text));
        expect(parseWhere(printed).expression).toEqual(parsed.expression);
      },
    ),
    { numRuns: 8000 },
  );
  expect(whole).toBeGreaterThan(50);
});

test('a custom field that no item has causes an error or a warning', () => {
  const told = (given: string, ...items: Partial<Item>[]) => {
    const where = new WhereTest([parseWhere(given)], values);
    for (const each of items) where.passes(itemOf(each));
    const warnings: string[] = [];
    where.check((said) => warnings.push(english(said)));
    return warnings;
  };
  const refused = (given: string, ...items: Partial<Item>[]) => {
    try {
      return told(given, ...items);
    } catch (error) {
      const { message, remedy } = error as UsageError;
      return `${message} ${remedy ?? ''}`;
    }
  };
  const shelved = { custom_fields: { shelf: 'A', Paid: 3 } };
  expect(refused('custom_fields.shlef=A', {}, shelved)).toBe(
    'No item has custom_fields.shlef. Did you mean custom_fields.shelf?',
  );
  expect(refused('custom_fields.Shelf!=A', {}, shelved)).toContain('Did you mean custom_fields.shelf?');
  expect(refused('custom_fields.paid blank', shelved)).toContain('Did you mean custom_fields.Paid?');
  expect(refused('custom_fields.year!=3', shelved)).toBe(
    "No item has custom_fields.year. There are Paid, shelf. For items without it, write 'custom_fields.year blank'.",
  );
  expect(refused('custom_fields.year!=3', {})).toContain('No item has custom fields.');
  expect(told('custom_fields.year!=3')).toEqual([]);
  expect(told('custom_fields.checked blank', shelved)).toEqual([
    'No item has custom_fields.checked. There are Paid, shelf.',
  ]);
  expect(told('custom_fields.shelf!=A', {}, shelved)).toEqual([]);
  expect(told('brand!=Hasbro', shelved)).toEqual([]);
});

test.each<[WhereObject, string]>([
  [{ brand: 'Hasbro' }, 'brand="Hasbro"'],
  [{ brand: 'A "b" or c', status: 'keep' }, 'brand="A ""b"" or c" and status="keep"'],
  [{ estimated_value: { gte: 20, lt: 50.5 } }, 'estimated_value>=20 and estimated_value<50.5'],
  [{ brand: ['Siku', 'Tom, Jerry'] }, 'brand in ("Siku", "Tom, Jerry")'],
  [{ series: null, brand: { not: null } }, 'series blank and brand not blank'],
  [{ tags: 'boxed', name: { contains: 'hot rod' } }, 'tags has "boxed" and name~"hot rod"'],
  [{ custom_fields: { 'my shelf or so': 'A3' } }, 'custom_fields."my shelf or so"="A3"'],
  [{ custom_fields: { bought: { gt: '2026-01-31' } } }, 'custom_fields.bought>2026-01-31'],
  [{ created_at: { lt: new Date(0) } }, 'created_at<1970-01-01T00:00:00.000Z'],
  [{ any: [{ brand: 'A' }, { brand: 'B', status: 'sold' }] }, 'brand="A" or (brand="B" and status="sold")'],
  [{ status: 'keep', any: [{ brand: 'A' }, { brand: 'B' }] }, 'status="keep" and (brand="A" or brand="B")'],
  [{ release_year: { blank: false } }, 'release_year not blank'],
])('conditions %j have the same tree as an expression', (object, expression) => {
  const tree = whereTree(object);
  expect(printExpression(tree)).toBe(expression);
  expect(parseWhere(expression).expression).toEqual(tree);
});

test.each<[unknown, string]>([
  [{}, 'no condition'],
  [{ brand: { is: 'A' } }, '"is" is unknown'],
  [{ brand: [] }, 'is empty'],
  [{ brand: { eq: Number.NaN } }, 'a string, a number, a boolean or a date'],
  [{ any: [] }, 'a list of objects'],
])('conditions %j are refused', (object, says) => {
  expect(() => whereTree(object as WhereObject)).toThrow(says);
});
