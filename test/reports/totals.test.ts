import { Big } from 'big.js';
import * as fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { minorDigits } from '../../src/base/minor-digits.ts';
import { foldRows } from '../../src/reports/fold-rows.ts';
import type { Block, Column, Row, Section } from '../../src/reports/model.ts';
import { machineText } from '../../src/reports/value-text.ts';
import { plainNumber } from '../../src/sheets/cell.ts';
import { anyItem, inventoryOf, itemOf, sectionOf } from './support.ts';

const SCALE = 6;

/** The decimal that a number is written as, in millionths, by its digits alone. */
function millionths(value: number): bigint {
  const [whole = '', fraction = ''] = plainNumber(value).split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

/** Millionths rounded half up to the currency's digits. */
function rounded(amount: bigint, currency: string): bigint {
  const unit = 10n ** BigInt(SCALE - (minorDigits(currency) ?? SCALE));
  return ((amount + unit / 2n) / unit) * unit;
}

/** Millionths in plain digits, with those of the currency; trimmed where the code is unknown. */
function written(sum: bigint, currency: string): string {
  const digits = minorDigits(currency);
  const unit = 10n ** BigInt(SCALE - (digits ?? SCALE));
  const units = String(sum / unit).padStart((digits ?? SCALE) + 1, '0');
  const point = units.length - (digits ?? SCALE);
  const text = point === units.length ? units : `${units.slice(0, point)}.${units.slice(point)}`;
  return digits === undefined ? text.replace(/\.?0+$/, '') : text;
}

/** Each property and how a straightforward count would name its groups. */
const KEYS: Record<string, (item: Item) => string> = {
  by_status: (item) => item.status,
  by_collection: (item) => item.collection_id.toLowerCase(),
  by_brand: (item) => ((item.brand ?? '').trim() === '' ? '' : (item.brand ?? '')),
  by_decade: (item) => (item.release_year ? `${String(item.release_year).slice(0, 3)}0` : ''),
  by_condition: (item) => item.condition ?? '',
  by_packaging: (item) => item.packaging ?? '',
};

function recount(items: readonly Item[]) {
  const values = items.flatMap(({ estimated_value: value, currency }) =>
    typeof value === 'number' ? [rounded(millionths(value), currency)] : [],
  );
  return { items: items.length, known: values.length, sum: values.reduce((all, value) => all + value, 0n) };
}

function read(row: Row, columns: readonly Column[], currency: string) {
  return Object.fromEntries(
    columns.map(({ key, kind }, index) => [key, machineText(row.values[index] ?? null, kind, currency)]),
  );
}

function expected(items: readonly Item[], currency: string) {
  const { known, sum } = recount(items);
  return {
    items: String(items.length),
    items_with_value: String(known),
    items_without_value: String(items.length - known),
    value: known === 0 ? '' : written(sum, currency),
  };
}

test('totals of any items are the sums of their lines, recounted in integers, by currency and by each property', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 60 }), (items) => {
      const sections = inventoryOf(items).sections(undefined, true);
      const currencies = Map.groupBy(items, (item) => item.currency.toLowerCase());
      for (const [id, keyOf] of Object.entries(KEYS)) {
        const { blocks, columns } = sectionOf(sections, id);
        expect(new Set(blocks.map((block) => block.currency))).toEqual(new Set(currencies.keys()));
        for (const { currency = '', rows, total } of blocks) {
          const own = currencies.get(currency) ?? [];
          expect(read(total as Row, columns, currency)).toMatchObject(expected(own, currency));
          const groups = Map.groupBy(own, keyOf);
          expect(new Set(rows.map((row) => row.key))).toEqual(new Set(groups.keys()));
          expect(rows).toHaveLength(groups.size);
          for (const row of rows)
            expect(read(row, columns, currency)).toMatchObject(expected(groups.get(row.key) ?? [], currency));
        }
      }
    }),
  );
});

test('the headline figures count owned items, and show sold and archived items separately', () => {
  const items = [
    itemOf({ status: 'keep', estimated_value: 10 }),
    itemOf({ status: 'sell', estimated_value: 5.5 }),
    itemOf({ status: 'trade', estimated_value: null }),
    itemOf({ status: 'sold', estimated_value: 1000 }),
    itemOf({ status: 'archived', estimated_value: 7 }),
    itemOf({ status: 'archived', estimated_value: 80, currency: 'jpy' }),
  ];
  const figures = inventoryOf(items).figures.map(({ label, value, currency, detail }) =>
    [label, String(value), currency, detail].filter((part) => part !== undefined).join(' | '),
  );
  expect(figures).toEqual([
    'Items owned | 3 | keep, sell or trade',
    'Value | 15.5 | usd | 2 items with a value',
    'Value unknown | 1 | items, not in any sum',
    'Sold | 1 | not among the items owned',
    'Archived | 2 | not among the items owned',
  ]);
});

test('a total is the sum of the lines as they are shown', () => {
  const items = [
    itemOf({ brand: 'Acme', estimated_value: 1.2345, currency: 'kwd' }),
    itemOf({ brand: 'Bolt', estimated_value: 1.0005, currency: 'kwd' }),
  ];
  const { blocks, columns } = sectionOf(inventoryOf(items).sections(undefined, true), 'by_brand');
  const [block] = blocks;
  expect(
    [...(block?.rows ?? []), block?.total as Row].map((row) => read(row, columns, 'kwd')['value']),
  ).toEqual(['1.235', '1.001', '2.236']);
});

test('an average is the exact quotient, rounded once, and a share refers to its own currency', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { minLength: 1, maxLength: 40 }), (items) => {
      const { blocks, columns } = sectionOf(inventoryOf(items).sections(undefined, true), 'by_status');
      for (const { currency = '', total, rows } of blocks) {
        const digits = minorDigits(currency);
        const { known, sum } = recount(items.filter((item) => item.currency.toLowerCase() === currency));
        const { average } = read(total as Row, columns, currency);
        if (known === 0) expect(average).toBe('');
        else if (digits !== undefined) {
          // |average · count − sum| is at most half a unit for each item.
          const off = new Big(average ?? '')
            .times(known)
            .minus(new Big(`${sum}e-${SCALE}`))
            .abs();
          expect(off.times(2).lte(new Big(`1e-${digits}`).times(known))).toBe(true);
        }
        const shares = rows.map((row) => Number(read(row, columns, currency)['share'] || 0));
        if (sum > 0n) expect(shares.reduce((all, share) => all + share, 0)).toBeCloseTo(1, 4);
      }
    }),
    { numRuns: 50 },
  );
});

test('folded rows still add up to the total', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 60 }), fc.integer({ min: 2, max: 8 }), (items, most) => {
      const { blocks, columns } = sectionOf(inventoryOf(items).sections(undefined, true), 'by_brand');
      for (const block of blocks) {
        const { rows, rest } = foldRows(block, columns, most);
        const all = [...rows, ...(rest === undefined ? [] : [rest])];
        expect(rows.length).toBeLessThanOrEqual(most);
        for (const key of ['items', 'items_with_value', 'items_without_value', 'value']) {
          const index = columns.findIndex((column) => column.key === key);
          const sum = all.reduce<Big>((so, row) => so.plus(row.values[index] ?? 0), new Big(0));
          expect(sum.eq(block.total?.values[index] ?? 0)).toBe(true);
        }
      }
    }),
    { numRuns: 50 },
  );
});

function cells(section: Section, currency: string): string[][] {
  const block = section.blocks.find((each) => each.currency === currency) as Block;
  return block.rows.map((row) =>
    row.values.map((value, index) => machineText(value, section.columns[index]?.kind ?? 'text', currency)),
  );
}

test('sums are exact, unlike sums of floats', () => {
  const items = [0.1, 0.2, 0.3, null, 1e15, 0.005].map((estimated_value) => itemOf({ estimated_value }));
  expect(cells(sectionOf(inventoryOf(items).sections(undefined, true), 'by_status'), 'usd')).toEqual([
    ['keep', '6', '1000000000000000.61', '1', '200000000000000.12', '5', '1'],
  ]);
});

test('unknown values are counted separately, 0 is a value, and yen have no decimals', () => {
  const items = [
    itemOf({ status: 'sell', estimated_value: null, currency: 'jpy' }),
    itemOf({ status: 'keep', estimated_value: 0, currency: 'jpy' }),
    itemOf({ status: 'keep', estimated_value: 100.5, currency: 'JPY' }),
  ];
  expect(cells(sectionOf(inventoryOf(items).sections(undefined, true), 'by_status'), 'jpy')).toEqual([
    ['keep', '2', '101', '1', '51', '2', '0'],
    ['sell', '1', '', '', '', '0', '1'],
  ]);
});

test('collections of the same name stay separate, and an unknown collection is shown by its id', () => {
  const unknown = '33333333-3333-4333-8333-333333333333';
  const items = [
    itemOf({ estimated_value: 3 }),
    itemOf({ collection_id: '22222222-2222-4222-8222-222222222222', estimated_value: 2 }),
    itemOf({ collection_id: unknown, estimated_value: 1 }),
  ];
  const section = sectionOf(inventoryOf(items).sections(undefined, true), 'by_collection');
  expect(cells(section, 'usd').map(([label]) => label)).toEqual([
    'Main (11111111)',
    'Main (22222222)',
    unknown,
  ]);
});

test('the most valuable items have the greatest values in each currency, in order', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 90 }), (items) => {
      const { blocks } = sectionOf(inventoryOf(items).sections(undefined, true), 'most_valuable');
      for (const [currency, own] of Map.groupBy(items, (item) => item.currency.toLowerCase())) {
        const values = own
          .flatMap(({ estimated_value: value }) => (typeof value === 'number' ? [value] : []))
          .sort((a, b) => b - a)
          .slice(0, 25);
        const shown = blocks.find((block) => block.currency === currency)?.rows ?? [];
        expect(shown.map((row) => Number(row.values.at(-1)))).toEqual(values);
      }
    }),
    { numRuns: 50 },
  );
});
