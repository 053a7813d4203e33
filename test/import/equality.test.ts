/** When values are the same, and what that says of a change: what imports, undos and lost answers build on. */
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import {
  alikeField,
  isMangled,
  isUnchanged,
  mayBeStoredAs,
  sameField,
  sameMapped,
  sameStored,
  storedForm,
} from '../../src/import/engine/equality.ts';
import { changeSet, fieldChanges, fieldOf, isEmptied } from '../../src/import/engine/field-changes.ts';
import { changedTags, shown, threeWay } from '../../src/import/engine/three-way.ts';
import { CLEAR, type MappedValue } from '../../src/mapping/mapping.ts';

const COLLECTION = '00000000-0000-4000-8000-00000000000c';
const ITEM: Item = {
  object: 'item',
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Bear',
  status: 'keep',
  collection_id: COLLECTION,
  currency: 'usd',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};
const item = (fields: Partial<Item>): Item => ({ ...ITEM, ...fields });
const cell = (value: unknown, text = String(value)): MappedValue => ({ value, text });
const PROBLEM: MappedValue = {
  value: undefined,
  text: 'soon',
  issue: { code: 'not_a_number', message: 'It is not a number.' },
};

describe('values of a field', () => {
  it.each([
    ['collection_id', COLLECTION.toUpperCase(), COLLECTION, true],
    ['collection_id', null, COLLECTION, false],
    ['custom_fields.sku', null, undefined, false],
    ['custom_fields.sku', 5, '5', false],
    ['custom_fields.sku', 5, 5, true],
    ['tags', ['a', 'b'], ['b', 'a'], false],
    ['tags', ['A'], ['a'], false],
    ['brand', '', null, false],
    ['brand', 'Acme', 'acme', false],
    ['estimated_value', 12.504, 12.5, false],
  ])('of %s, %j and %j are the same: %s', (field, a, b, same) => {
    expect(sameField(field, a, b)).toBe(same);
    expect(sameField(field, b, a)).toBe(same);
  });

  it.each([
    ['brand', ' Ａcme  toys', 'Acme toys', true],
    ['brand', '', null, true],
    ['brand', 'Acme', 'acme', false],
    ['tags', ['b', 'a ', 'b'], ['a', 'b'], true],
    ['tags', ['A'], ['a'], false],
    ['estimated_value', 12.504, 12.5, true],
    ['estimated_value', 12.506, 12.5, false],
    ['custom_fields.sku', ' x', 'x', true],
    ['custom_fields', { sku: ' x', n: 1 }, { n: 1, sku: 'x' }, true],
    ['custom_fields', { sku: 'x' }, { sku: 'y' }, false],
  ])('of %s, %j is %j after what servers usually do: %s', (field, sent, stored, alike) => {
    expect(alikeField(field, sent, stored)).toBe(alike);
  });

  it.each([
    ['name', ' a  b ', ['trim'], 'a  b'],
    ['name', ' a \t b', ['spaces'], ' a b'],
    ['name', 'e\u0301 Ａ', ['nfc'], 'é Ａ'],
    ['name', 'e\u0301 Ａ', ['nfkc', 'nfc'], 'é A'],
    ['name', '', ['trim'], ''],
    ['name', ' ', ['trim', 'empty_as_null'], null],
    ['name', 'x', ['empty_as_null'], 'x'],
    ['tags', ['B', ' a'], ['case_of_tags'], ['b', ' a']],
    ['tags', ['b', 'c', 'a', 'b'], ['tag_order'], ['a', 'b', 'c']],
    ['tags', [7, 'A'], ['case_of_tags', 'trim'], [7, 'a']],
    ['estimated_value', 12.6, ['round0'], 13],
    ['estimated_value', 1.005, ['round2'], 1],
    ['estimated_value', 1.005, ['round2_half_up'], 1.01],
    ['estimated_value', 1662.495, ['round2_exact'], 1662.49],
    ['estimated_value', 1.005, ['trim'], 1.005],
    ['custom_fields', { a: ' x ', n: 1.005 }, ['trim', 'round2'], { a: 'x', n: 1.005 }],
    ['custom_fields', null, ['trim'], null],
    ['custom_fields.n', 1.005, ['round2'], 1.005],
    ['collection_id', 'ABC', ['trim'], 'abc'],
    ['collection_id', null, ['trim'], null],
    ['packaging', { a: ' x' }, ['trim'], { a: ' x' }],
  ] as const)('of %s, %j is stored by a server that makes %j as %j', (field, value, changes, stored) => {
    expect(storedForm(field, value, changes)).toEqual(stored);
  });

  it('of two tags differ only in case for a server that ignores it', () => {
    expect(sameStored('tags', ['A'], ['a'], ['case_of_tags'])).toBe(true);
    expect(sameStored('tags', ['A'], ['b'], ['case_of_tags'])).toBe(false);
  });
});

describe('a text that a server may have stored as another', () => {
  it.each([
    [undefined, 'x', 0, true],
    [null, 'x', 0, true],
    ['x', undefined, 0, true],
    ['x', null, 0, true],
    [5, 5, 0, true],
    [5, 6, 0, false],
    [5, '5', 0, false],
    ['A &amp; b', 'a & B', 0, true],
    ['A “b”  c', 'a "b" c', 0, true],
    ['It’s', "it's", 0, true],
    ['A long name', 'A long', 0, true],
    ['A long name', 'A lon…', 0, true],
    ['A long name', 'A lon...', 0, true],
    ['A long name', 'long', 0, false],
    ['A long name', 'A long', 6, true],
    // A longer text was kept whole.
    ['A long name', 'A long', 7, false],
    ['A long name', 'a LONG name', 99, true],
  ])('%j as %j, if the longest that was kept has %i characters: %s', (sent, stored, longest, may) => {
    expect(mayBeStoredAs(sent, stored, longest)).toBe(may);
  });

  it.each([
    ['x', undefined, true],
    ['', undefined, false],
    [null, undefined, false],
    [undefined, undefined, false],
    [5, 6, false],
    ['x', 5, false],
    [5, 'x', false],
    ['x', 'x', false],
    ['a & b', 'a &amp; b', true],
    ['a "b" <c>', 'a &QUOT;b&quot; &lt;c&gt;', true],
    ["it's", 'it&#39;s', true],
    ['a long name', 'a long', true],
    ['a long name', 'name', false],
    ['a', 'b', false],
  ])('%j once more, as %j: %s', (sent, stored, mangled) => {
    expect(isMangled(sent, stored)).toBe(mangled);
  });
});

describe('two cells of a field', () => {
  it.each<[string, MappedValue, MappedValue, boolean]>([
    ['estimated_value', cell(undefined, 'soon'), PROBLEM, true],
    ['estimated_value', cell(5), PROBLEM, false],
    ['estimated_value', PROBLEM, cell(5), false],
    ['estimated_value', PROBLEM, { ...PROBLEM, text: 'later' }, false],
    ['estimated_value', cell(CLEAR, '0'), cell(0, '0.0'), false],
    ['brand', cell(CLEAR, '<clear>'), cell(CLEAR, '<CLEAR>'), true],
    ['brand', cell(CLEAR, '<clear>'), cell('Acme'), false],
    ['brand', cell('Acme'), cell(CLEAR, '<clear>'), false],
    ['estimated_value', cell(1, '1'), cell(1, '1.0'), true],
    ['estimated_value', cell(1, '1'), cell(2, '2'), false],
    ['custom_fields.n', cell('1'), cell(' 1.0 '), true],
    ['custom_fields.n', cell('01'), cell('1'), false],
    ['custom_fields.n', cell('1'), cell('x'), false],
    ['custom_fields.n', cell('x'), cell('1'), false],
    ['custom_fields.day', cell('2026-01-01'), cell('2026-01-01T00:00:00Z'), true],
    ['custom_fields.day', cell('2026-01-01'), cell('2026-01-02'), false],
    ['custom_fields.day', cell('2026-01-01'), cell('1 Jan 2026 00:00 UTC'), false],
    ['custom_fields.day', cell('1 Jan 2026 00:00 UTC'), cell('2026-01-01'), false],
  ])('%s: %j and %j mean the same: %s', (field, a, b, same) => {
    expect(sameMapped(field, a, b)).toBe(same);
  });

  it.each<[string, unknown, MappedValue, boolean]>([
    ['brand', undefined, cell(CLEAR, '<clear>'), true],
    ['brand', null, cell(CLEAR, '<clear>'), true],
    ['brand', 'Acme', cell(CLEAR, '<clear>'), false],
    ['tags', [], cell(CLEAR, '<clear>'), true],
    ['tags', ['a'], cell(CLEAR, '<clear>'), false],
    ['custom_fields.a', undefined, cell(CLEAR, '<clear>'), true],
    ['custom_fields.a', null, cell(CLEAR, '<clear>'), false],
    ['estimated_value', 5, PROBLEM, false],
    ['brand', undefined, { ...PROBLEM, text: '?' }, false],
  ])('%s: %j is left unchanged by %j: %s', (field, current, wish, same) => {
    expect(isUnchanged(field, current, wish)).toBe(same);
  });
});

describe('a change compared with the item', () => {
  it.each([
    // Planned from, to; now; sent before.
    ['a', 'b', 'a', undefined, 'open'],
    ['a', 'b', 'b', undefined, 'made'],
    ['a', 'b', 'c', undefined, 'changed'],
    ['a', 'b', ' b', undefined, 'changed'],
    ['a', 'b', ' b', 'to', 'made'],
    ['a', 'b', ' b', 'from', 'changed'],
    ['a', 'b', ' a', 'from', 'open'],
    ['a', 'b', ' a', undefined, 'changed'],
    ['a', 'b', ' a', 'to', 'changed'],
    // What servers do to it makes the new value the old one: nothing tells that it was sent.
    ['a', ' a', 'a', 'to', 'open'],
  ] as const)('%j → %j, of which the item has %j and a job sent %s, is %s', (from, to, now, sent, is) => {
    const change = threeWay({ field: 'brand', from, to }, item({ brand: now }), sent);
    expect(change).toEqual({ field: 'brand', from, to, now, is, isComputed: false });
  });

  it('that was computed from the old value is made only if it was sent', () => {
    const change = { field: 'estimated_value', from: 5, to: 10, isComputed: true };
    const after = item({ estimated_value: 10 });
    expect(threeWay(change, after)).toMatchObject({ is: 'changed', isComputed: true });
    expect(threeWay(change, after, 'from')).toMatchObject({ is: 'changed' });
    expect(threeWay(change, after, 'to')).toMatchObject({ is: 'made' });
    expect(threeWay(change, item({ estimated_value: 5 }))).toMatchObject({ is: 'open' });
  });

  it('that adds and removes tags keeps all other tags of the item', () => {
    const tags = { add: ['new', 'a'], remove: ['old'] };
    const change = { field: 'tags', from: ['old'], to: ['new'], tags };
    expect(threeWay(change, item({ tags: ['b', 'old', 'a'] }))).toMatchObject({
      to: ['b', 'a', 'new'],
      is: 'open',
    });
    expect(threeWay(change, item({ tags: ['a', 'new'] }))).toMatchObject({ is: 'made' });
    expect(changedTags(undefined, tags)).toEqual(['new', 'a']);
  });

  it('is shown in quotes, cut to the length of a line', () => {
    expect(shown('brand', null)).toBe('');
    expect(shown('brand', 'a "b"')).toBe('"a \\"b\\""');
    expect(shown('estimated_value', 12.5)).toBe('12.5');
    expect(shown('custom_fields.a', true)).toBe('true');
    expect(shown('brand', 'x'.repeat(80))).toBe(`"${'x'.repeat(80)}"`);
    expect(shown('brand', 'x'.repeat(81))).toBe(`"${'x'.repeat(79)}…"`);
    // A character of two code units is not cut in half.
    expect(shown('brand', `${'x'.repeat(78)}😀😀`)).toBe(`"${'x'.repeat(78)}\ufffd…"`);
  });
});

describe('the fields of an update', () => {
  it('are those that change, each custom field by itself', () => {
    const set = { name: 'b', custom_fields: { kept: 1, changed: 2, new: 3 } };
    const before = { name: 'a', custom_fields: { kept: 1, changed: 1, gone: 4 } };
    expect(fieldChanges({ set, before })).toEqual([
      { field: 'name', from: 'a', to: 'b' },
      { field: 'custom_fields.changed', from: 1, to: 2 },
      { field: 'custom_fields.gone', from: 4, to: undefined },
      { field: 'custom_fields.new', from: undefined, to: 3 },
    ]);
    expect(fieldChanges({ set: { custom_fields: { a: 1 } }, before: { custom_fields: null } })).toEqual([
      { field: 'custom_fields.a', from: undefined, to: 1 },
    ]);
  });

  it('are sent with all custom fields of the item', () => {
    const current = item({ brand: 'Acme', tags: ['a'], custom_fields: { old: 1, theirs: 2 } });
    const changes = [
      { field: 'brand', from: 'Acme', to: undefined },
      { field: 'tags', from: ['a'], to: undefined },
      { field: 'custom_fields.old', from: 1, to: undefined },
      { field: 'custom_fields.__proto__', from: undefined, to: 'x' },
    ];
    const { set, before } = changeSet(changes, current);
    expect(JSON.stringify(set)).toBe('{"brand":null,"tags":[],"custom_fields":{"theirs":2,"__proto__":"x"}}');
    expect(before).toStrictEqual({ brand: 'Acme', tags: ['a'], custom_fields: { old: 1, theirs: 2 } });
    // The item itself is not changed.
    expect(current.custom_fields).toEqual({ old: 1, theirs: 2 });
    // What was added can be changed and removed again, like any other.
    const custom = set.custom_fields as Record<string, unknown>;
    expect(Object.keys(custom)).toEqual(['theirs', '__proto__']);
    expect(Object.getOwnPropertyDescriptor(custom, '__proto__')).toEqual({
      value: 'x',
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });

  it('of an item are read by name; other properties of a map are not fields', () => {
    const bear = item({ custom_fields: { sku: 'x' } });
    expect(fieldOf(bear, 'name')).toBe('Bear');
    expect(fieldOf(bear, 'custom_fields.sku')).toBe('x');
    expect(fieldOf(bear, 'custom_fields.name')).toBeUndefined();
    expect(fieldOf(bear, 'custom_fields.toString')).toBeUndefined();
    expect(fieldOf(ITEM, 'custom_fields.sku')).toBeUndefined();
  });

  it.each([
    [undefined, true],
    [null, true],
    ['', true],
    [[], true],
    [['a'], false],
    [0, false],
    [false, false],
    [' ', false],
  ])('are emptied by %j: %s', (to, emptied) => expect(isEmptied(to)).toBe(emptied));
});
