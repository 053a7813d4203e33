/**
 * The listings: the items for sale or trade, their value and age, and disagreements between status and listing. Pure.
 */
import { Big } from 'big.js';
import type { Item } from '../api/schemas.ts';
import { BY_STATUS, byCollection, byFields } from './dimensions.ts';
import { valueFigures } from './inventory.ts';
import type { Block, Column, Figure, Row, Section, Value } from './model.ts';
import { Tallies, type Tally, valueOf, withRoundedValue } from '../export/tally.ts';
import { Totals } from './totals.ts';

const DAY_MS = 86_400_000;

/** Upper bounds in days; the last has none. */
const AGES: readonly { key: string; title: string; days: number }[] = [
  { key: '0-30', title: 'up to 30 days', days: 30 },
  { key: '31-90', title: '31 to 90 days', days: 90 },
  { key: '91-180', title: '91 to 180 days', days: 180 },
  { key: '181-365', title: '181 days to a year', days: 365 },
  { key: '366-730', title: 'one to two years', days: 730 },
  { key: '731+', title: 'longer than two years', days: Number.POSITIVE_INFINITY },
];

/** How many listings to show, oldest first. */
const OLDEST = 50;

export interface ListingsData {
  /** The listings of the server. */
  listings: readonly Item[];
  /** Items of status sell or trade; undefined if the key is not allowed to read items. */
  forSale: ReadonlyMap<string, Item> | undefined;
  /** Id in lower case → name. */
  collections: ReadonlyMap<string, string>;
  /** Fields to group by besides the fixed ones. */
  by?: readonly string[];
  /** The time for which ages are computed, ms since the epoch. */
  nowMs: number;
}

export function listingsReport(data: ListingsData): { figures: Figure[]; sections: Section[] } {
  const fixed = [BY_STATUS, byCollection(data.collections)];
  const totals = new Totals([...fixed, ...byFields(data.by ?? [], fixed, data.collections)]);
  const created = new Tallies();
  const updated = new Tallies();
  for (const item of data.listings.map(withRoundedValue)) {
    const currency = item.currency.toLowerCase();
    const value = item.estimated_value;
    totals.add(item, currency);
    created.at(currency, ageGroup(item.created_at, data.nowMs)).add(value);
    updated.at(currency, ageGroup(item.updated_at, data.nowMs)).add(value);
  }
  const currencies = totals.currencies.map(([currency]) => currency);
  return {
    figures: [
      ...valueFigures(totals).map((figure) =>
        figure.key === 'items' ? { ...figure, label: 'Listed' } : figure,
      ),
      ...disagreementFigure(data),
    ],
    sections: [
      ...totals.sections(),
      ages('created', 'Age since created', created, currencies),
      ages('updated', 'Age since last change', updated, currencies),
      oldest(data, currencies),
      disagreements(data),
    ],
  };
}

/** null if a time cannot be read. */
function ageOf(time: string, now: number): number | null {
  const ms = Date.parse(time);
  // The server's clock may be ahead of ours: items made "in the future" are new.
  return Number.isNaN(ms) ? null : Math.max(0, Math.floor((now - ms) / DAY_MS));
}

function ageGroup(time: string, now: number): string | null {
  const days = ageOf(time, now);
  return days === null ? null : (AGES.find((age) => days <= age.days)?.key ?? null);
}

function ages(name: string, title: string, tallies: Tallies, currencies: readonly string[]): Section {
  const groups = [...AGES, { key: null, title: '(time unknown)' }];
  return {
    id: `age_since_${name}`,
    title,
    notes: ['In whole days of 24 hours, up to the time of the report.'],
    columns: [
      { key: 'age', title: 'Age', kind: 'text' },
      { key: 'items', title: 'Items', kind: 'count' },
      { key: 'items_without_value', title: 'Value unknown', kind: 'count' },
      { key: 'value', title: 'Value', kind: 'money' },
    ],
    blocks: currencies.map((currency): Block => {
      const found = tallies.of(currency);
      const all = [...found.values()];
      const count = (of: (tally: Tally) => number) => all.reduce((sum, tally) => sum + of(tally), 0);
      const sum = all.reduce((whole, tally) => whole.plus(tally.sum), new Big(0));
      const known = count((tally) => tally.known) > 0;
      return {
        currency,
        total: {
          key: 'total',
          values: [
            'Total',
            count((tally) => tally.items),
            count((tally) => tally.unknown),
            known ? sum : null,
          ],
        },
        rows: groups.flatMap(({ key, title: label }): Row[] => {
          const tally = found.get(key);
          if (tally === undefined) return [];
          const value = tally.known === 0 ? null : tally.sum;
          return [{ key: key ?? '', values: [label, tally.items, tally.unknown, value] }];
        }),
        chart: { kind: 'bars', title: `${title}: items`, label: 'age', series: ['items'] },
      };
    }),
    empty: 'Nothing is listed.',
  };
}

const ITEM_COLUMNS: readonly Column[] = [
  { key: 'name', title: 'Name', kind: 'text' },
  { key: 'collection', title: 'Collection', kind: 'text' },
  { key: 'status', title: 'Status', kind: 'text' },
];

function oldest(data: ListingsData, currencies: readonly string[]): Section {
  return {
    id: 'oldest',
    title: 'Longest listed without a change',
    notes: [`Up to ${OLDEST} listings in each currency, by time of last change.`],
    columns: [
      ...ITEM_COLUMNS,
      { key: 'updated_at', title: 'Last change', kind: 'time' },
      { key: 'days', title: 'Days', kind: 'days' },
      { key: 'value', title: 'Value', kind: 'money' },
    ],
    blocks: currencies.map((currency) => ({
      currency,
      rows: data.listings
        .filter((item) => item.currency.toLowerCase() === currency)
        .sort((a, b) => timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1))
        .slice(0, OLDEST)
        .map((item) => ({
          key: item.id,
          values: [
            ...itemValues(item, data),
            item.updated_at,
            ageOf(item.updated_at, data.nowMs),
            valueOf(item.estimated_value) ?? null,
          ],
        })),
    })),
    empty: 'Nothing is listed.',
  };
}

/** ms; unreadable times come last. */
function timeOf({ updated_at }: Item): number {
  const ms = Date.parse(updated_at);
  return Number.isNaN(ms) ? Number.MAX_SAFE_INTEGER : ms;
}

function itemValues(item: Item, { collections }: ListingsData): Value[] {
  const id = item.collection_id.toLowerCase();
  return [item.name, collections.get(id) ?? id, item.status];
}

interface Disagreement {
  item: Item;
  words: string;
}

/** The contract says that items for sale or trade are listed (§3); deviations are shown, not judged. */
function findDisagreements({ listings, forSale }: ListingsData): Disagreement[] {
  if (forSale === undefined) return [];
  const listed = new Map(listings.map((item) => [item.id, item]));
  const found: Disagreement[] = [];
  for (const item of listings) {
    const other = item.status !== 'sell' && item.status !== 'trade';
    if (other) found.push({ item, words: `listed, but its status is ${item.status}` });
    else if (!forSale.has(item.id))
      found.push({
        item,
        words: 'listed, but not among the items for sale or trade',
      });
  }
  for (const item of forSale.values())
    if (!listed.has(item.id)) found.push({ item, words: `not listed, but its status is ${item.status}` });
  return found;
}

function disagreementFigure(data: ListingsData): Figure[] {
  if (data.forSale === undefined) return [];
  const { length } = findDisagreements(data);
  return [
    {
      key: 'disagreements',
      label: 'Disagreements',
      value: length,
      kind: 'count',
      detail: length === 0 ? 'status and listing agree' : 'between status and listing',
    },
  ];
}

function disagreements(data: ListingsData): Section {
  const rows = findDisagreements(data).map(({ item, words }) => ({
    key: item.id,
    values: [...itemValues(item, data), words],
  }));
  return {
    id: 'disagreements',
    title: 'Status and listing disagree',
    notes: [
      'Items that changed between the two readings can appear here although nothing is wrong. Check again before you act.',
    ],
    columns: [...ITEM_COLUMNS, { key: 'disagreement', title: 'What disagrees', kind: 'text' }],
    blocks: rows.length === 0 ? [] : [{ currency: undefined, rows }],
    empty:
      data.forSale === undefined
        ? 'Not compared: the key has no permission to read items (items:read).'
        : 'Every item for sale or trade is listed, and nothing else is.',
  };
}
