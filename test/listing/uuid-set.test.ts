import { randomUUID } from 'node:crypto';
import * as fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { UuidSet } from '../../src/listing/uuid-set.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

test('a UuidSet contains the same ids as a Set of the ids in lower case', () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.uuid().map((text) => text.toUpperCase()),
    fc.string({ maxLength: 3 }),
    // One character off: no UUID any more, and kept as it is.
    fc
      .tuple(fc.uuid(), fc.nat(35), fc.constantFrom('g', '-', ' ', '０', 'ａ', '\u0130'))
      .map(([uuid, at, character]) => uuid.slice(0, at) + character + uuid.slice(at + 1)),
    fc.constantFrom('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001', 'item-1'),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 60 }), fc.array(id, { maxLength: 10 }), (added, others) => {
      const ours = new UuidSet();
      const theirs = new Set<string>();
      const asKept = (text: string) => (UUID.test(text) ? text.toLowerCase() : text);
      for (const each of added) {
        expect(ours.add(each)).toBe(!theirs.has(asKept(each)));
        theirs.add(asKept(each));
      }
      expect(ours.size).toBe(theirs.size);
      for (const each of [...added, ...others]) {
        expect(ours.add(each)).toBe(!theirs.has(asKept(each)));
        theirs.add(asKept(each));
      }
    }),
  );
});

test.each([0, 30_000, 1e12])(
  'a UuidSet made for %i ids accepts 45,000, including similar ones',
  (expected) => {
    const ids = [
      ...Array.from({ length: 20_000 }, () => randomUUID() as string),
      ...Array.from(
        { length: 20_000 },
        (_, number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`,
      ),
      ...Array.from(
        { length: 5000 },
        (_, number) => `${String(number).padStart(8, '0')}-0000-0000-0000-000000000000`,
      ),
    ];
    const set = new UuidSet(expected);
    for (const id of ids) set.add(id);
    expect(set.size).toBe(new Set(ids).size);
    expect(ids.every((id) => !set.add(id))).toBe(true);
    expect(set.add('018f0000-0000-7000-8000-000000020001')).toBe(true);
  },
);

test('two ids are the same only if they differ in nothing but case', () => {
  const id = 'abcdef01-2345-6789-abcd-ef0123456789';
  const set = new UuidSet();
  expect(set.add(id)).toBe(true);
  expect(set.add(id.toUpperCase())).toBe(false);
  for (let at = 0; at < id.length; at += 1)
    for (const other of ['c', '8', 'g', '-', ' '])
      if (id[at] !== other) expect(set.add(id.slice(0, at) + other + id.slice(at + 1)), `${at}`).toBe(true);
  expect(set.add(`${id}0`)).toBe(true);
  // No UUIDs: their case counts.
  for (const each of ['item-a', 'item-A', `${id}G`, `${id}g`, `g${id.slice(1)}`.toUpperCase()])
    expect(set.add(each)).toBe(true);
  const { size } = set;
  for (const each of [id, 'item-a', 'item-A']) expect(set.add(each)).toBe(false);
  expect(set.size).toBe(size);
});

test('ids with zeros in three of four words are kept while the set grows', () => {
  const digits = (number: number) => number.toString(16).padStart(8, '0');
  const ids = Array.from({ length: 30_000 }, (_, number) => {
    const words = ['', '', '', '']
      .map((_each, word) => digits(word === number % 4 ? number + 1 : 0))
      .join('');
    return words.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  });
  const set = new UuidSet();
  expect(ids.every((id) => set.add(id))).toBe(true);
  expect(ids.some((id) => set.add(id))).toBe(false);
  const nothing = '00000000-0000-0000-0000-000000000000';
  expect([set.add(nothing), set.add(nothing), set.size]).toEqual([true, false, 30_001]);
});
