/** Totals by one property of the items: count, value, share and average, with a block for each currency. */
import type { Item } from '../api/schemas.ts';
import type { Block, Chart, Column, Row, Section, Value } from './model.ts';
import { shareOf, Tallies, Tally } from '../export/tally.ts';
import { byText } from '../base/by-text.ts';

/** A property by which items are grouped. */
export interface Dimension {
  /** Name of the property: `by_status`, measure `status`. */
  name: string;
  title: string;
  /** Label for items without the property. */
  missing: string;
  /** null if the item does not have the property. */
  keyOf: (item: Item) => string | null;
  /** How to show a key; default: as it is. */
  labelOf?: (key: string) => string;
  /** Order of known keys; others follow, by value. */
  order?: (a: string, b: string) => number;
  chart: Chart['kind'];
}

const VALUE_COLUMNS: readonly Column[] = [
  { key: 'items', title: 'Items', kind: 'count' },
  { key: 'value', title: 'Value', kind: 'money' },
  { key: 'share', title: 'Share', kind: 'share', formula: { share: 'value' } },
  { key: 'average', title: 'Average', kind: 'money', formula: { mean: 'value', by: 'items_with_value' } },
  { key: 'items_with_value', title: 'Valued', kind: 'count' },
  { key: 'items_without_value', title: 'Value unknown', kind: 'count' },
];

/** The cells of VALUE_COLUMNS for one tally. */
function valuesOf(tally: Tally, total: Tally, currency: string): Value[] {
  const known = tally.known > 0;
  return [
    tally.items,
    // No known value is different from a value of 0.
    known ? tally.sum : null,
    known ? shareOf(tally.sum, total.sum) : null,
    tally.mean(currency),
    tally.known,
    tally.unknown,
  ];
}

/** Adds items up by several dimensions at once. */
export class Totals {
  readonly #dimensions: readonly Dimension[];
  readonly #groups: Tallies[];
  readonly #currencies = new Map<string, Tally>();

  constructor(dimensions: readonly Dimension[]) {
    this.#dimensions = dimensions;
    this.#groups = dimensions.map(() => new Tallies());
  }

  add(item: Item, currency: string): void {
    for (const tally of this.#talliesOf(item, currency)) tally.add(item.estimated_value);
  }

  /** Adds items that are equal in all dimensions. */
  take(like: { status: string; collection_id: string }, currency: string, items: Tally): void {
    for (const tally of this.#talliesOf(like as Item, currency)) tally.take(items);
  }

  #talliesOf(item: Item, currency: string): Tally[] {
    let total = this.#currencies.get(currency);
    if (total === undefined) {
      total = new Tally();
      this.#currencies.set(currency, total);
    }
    return [
      total,
      ...this.#dimensions.map(({ keyOf }, index) =>
        (this.#groups[index] as Tallies).at(currency, keyOf(item)),
      ),
    ];
  }

  /** Currency → its total; the currency with the most items comes first. */
  get currencies(): [currency: string, total: Tally][] {
    return [...this.#currencies].sort(([a, x], [b, y]) => y.items - x.items || byText(a, b));
  }

  /** Status → the items of one currency that have it. */
  byStatus(currency: string): [status: string, tally: Tally][] {
    const index = this.#dimensions.findIndex(({ name }) => name === 'status');
    return [...(this.#groups[index]?.of(currency) ?? [])].map(([status, tally]) => [status ?? '', tally]);
  }

  /** A section for each dimension. */
  sections(): Section[] {
    return this.#dimensions.map((dimension, index) => ({
      id: `by_${dimension.name}`,
      title: dimension.title,
      notes: [],
      columns: [
        {
          key: dimension.name,
          title: dimension.title.replace(/^By /, '').replace(/^./, upper),
          kind: 'text',
        },
        ...VALUE_COLUMNS,
      ],
      blocks: this.currencies.map(([currency, total]) =>
        this.#block(dimension, this.#groups[index]?.of(currency) ?? new Map(), currency, total),
      ),
      empty: 'There are no items.',
    }));
  }

  #block(
    dimension: Dimension,
    groups: ReadonlyMap<string | null, Tally>,
    currency: string,
    total: Tally,
  ): Block {
    const { order, labelOf = (key) => key } = dimension;
    const rows = [...groups]
      .sort(([a, x], [b, y]) => {
        if (a === null || b === null) return a === null ? 1 : -1;
        return order?.(a, b) || y.sum.cmp(x.sum) || y.items - x.items || byText(a, b);
      })
      .map(
        ([key, tally]): Row => ({
          key: key ?? '',
          values: [key === null ? dimension.missing : labelOf(key), ...valuesOf(tally, total, currency)],
        }),
      );
    return {
      currency,
      rows,
      total: { key: 'total', values: ['Total', ...valuesOf(total, total, currency)] },
      chart: {
        kind: dimension.chart,
        title: `Value ${dimension.title.replace(/^By/, 'by')}`,
        label: dimension.name,
        series: ['value'],
      },
    };
  }
}

/** Sorts keys in the order of a list; other keys come after. */
export function inOrderOf(list: readonly string[]): (a: string, b: string) => number {
  const place = (key: string) => (list.includes(key) ? list.indexOf(key) : list.length);
  return (a, b) => place(a) - place(b);
}

function upper(letter: string): string {
  return letter.toUpperCase();
}
