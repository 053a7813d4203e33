/** Items and reports for tests, made without a server. */
import * as fc from '../support/fast-check.ts';
import { ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES, type Item } from '../../src/api/schemas.ts';
import { Inventory } from '../../src/reports/inventory.ts';
import type { Report, Section } from '../../src/reports/model.ts';

export const MAIN = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
export const COLLECTIONS: ReadonlyMap<string, string> = new Map([
  [MAIN, 'Main'],
  [OTHER, 'Main'],
]);

let made = 0;

export function itemOf(fields: Partial<Item> = {}): Item {
  made += 1;
  return {
    object: 'item',
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    name: `Toy ${made}`,
    status: 'keep',
    collection_id: MAIN,
    currency: 'usd',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

/** An amount as JSON may hold it: up to 15 digits, of which up to 6 behind the point. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 14n }), fc.nat(6))
  .map(([units, scale]) => Number(`${units}e-${scale}`));

/** Any items: unknown currencies and values, several currencies, any brand. */
export const anyItem: fc.Arbitrary<Item> = fc
  .record({
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    brand: fc.option(fc.oneof(fc.constantFrom('Acme', 'acme', ' ', '', 'total'), fc.string())),
    release_year: fc.option(fc.integer({ min: 1968, max: 2100 })),
    condition: fc.option(fc.constantFrom(...ITEM_CONDITIONS, 'chewed')),
    packaging: fc.option(fc.constantFrom(...ITEM_PACKAGINGS)),
    status: fc.constantFrom(...ITEM_STATUSES),
    collection_id: fc.constantFrom(MAIN, OTHER, MAIN.toUpperCase(), '33333333-3333-4333-8333-333333333333'),
    currency: fc.constantFrom('usd', 'USD', 'jpy', 'kwd', 'zzz', '', 'gold', 'é'),
    estimated_value: fc.option(amount),
  })
  .map((fields) => itemOf(fields));

export function inventoryOf(items: readonly Item[], currency?: string): Inventory {
  const inventory = new Inventory(COLLECTIONS, currency);
  for (const item of items) inventory.add(item);
  return inventory;
}

export function reportOf(sections: Section[], more: Partial<Report> = {}): Report {
  return {
    name: 'inventory',
    title: 'Inventory',
    at: '2026-07-01T12:00:00.000Z',
    facts: [['Read from', 'https://api.example']],
    warnings: [],
    figures: [],
    sections,
    ...more,
  };
}

export function inventoryReport(items: readonly Item[]): Report {
  const inventory = inventoryOf(items);
  return reportOf(inventory.sections(undefined, true), { figures: inventory.figures });
}

export function sectionOf(sections: readonly Section[], id: string): Section {
  const section = sections.find((each) => each.id === id);
  if (section === undefined) throw new Error(`no section ${id}`);
  return section;
}
