/** The inventory: the items, their value, changes since the last report, and gaps in the data. Pure. */
import { Big } from 'big.js';
import { isOwned, ITEM_STATUSES } from '../api/item-words.ts';
import type { Item } from '../api/schemas.ts';
import { changeSections } from './changes.ts';
import {
  BY_BRAND,
  BY_CONDITION,
  BY_DECADE,
  BY_PACKAGING,
  BY_STATUS,
  byCollection,
  byFields,
} from './dimensions.ts';
import type { Figure, Report, Section } from './model.ts';
import { Quality } from './quality.ts';
import { type Reading, ReadingTaker } from '../export/keep/readings.ts';
import { noted } from './about.ts';
import type { Comparison } from './roll-forward.ts';
import { Tally, withRoundedValue } from '../export/tally.ts';
import { TopItems } from './top-items.ts';
import { inOrderOf, Totals } from './totals.ts';
import { counted } from '../base/counted.ts';

/** Takes the items of a selection one by one; each item counts only in the totals of its own currency. */
export class Inventory {
  /** The reading of the items, to keep in the store. */
  readonly reading = new ReadingTaker(true);
  readonly #currency: string | undefined;
  readonly #collections: ReadonlyMap<string, string>;
  readonly #totals: Totals;
  readonly #top = new TopItems();
  readonly #quality = new Quality();
  #others = 0;

  /**
   * @param collections id in lower case → name
   * @param currency lower-case, if only items in one currency are wanted
   * @param by fields to group by besides the fixed ones
   */
  constructor(
    collections: ReadonlyMap<string, string>,
    currency: string | undefined,
    by: readonly string[] = [],
  ) {
    this.#collections = collections;
    this.#currency = currency;
    const fixed = [BY_STATUS, byCollection(collections), BY_BRAND, BY_DECADE, BY_CONDITION, BY_PACKAGING];
    this.#totals = new Totals([...fixed, ...byFields(by, fixed, collections)]);
  }

  add(read: Item): void {
    const item = withRoundedValue(read);
    const currency = item.currency.toLowerCase();
    if (this.#currency !== undefined && currency !== this.#currency) {
      this.#others += 1;
      return;
    }
    this.#totals.add(item, currency);
    this.#top.add(read, currency);
    this.#quality.add(read);
    this.reading.take(item);
  }

  /** Number of items in other currencies than the requested one. */
  get others(): number {
    return this.#others;
  }

  get figures(): Figure[] {
    return inventoryFigures(this.#totals);
  }

  /**
   * @param comparison with the last report
   * @param complete false if the list changed while it was read
   */
  sections(comparison: Comparison | undefined, complete: boolean): Section[] {
    const currencies = this.#totals.currencies.map(([currency]) => currency);
    return [
      ...this.#totals.sections(),
      this.#top.section(currencies, (id) => this.#collections.get(id) ?? id),
      ...changeSections(comparison, complete),
      ...this.#quality.sections(),
    ];
  }
}

/** The inventory of an earlier reading, which has only collections and statuses. */
export function inventoryOf(
  { groups }: Pick<Reading, 'groups'>,
  names: ReadonlyMap<string, string>,
): Pick<Report, 'figures' | 'sections'> {
  const totals = new Totals([BY_STATUS, byCollection(names)]);
  for (const { currency, collection, status, items, known, sum } of groups) {
    const tally = new Tally();
    tally.take({ items, known, sum: new Big(sum) });
    totals.take({ collection_id: collection, status }, currency, tally);
  }
  return { figures: inventoryFigures(totals), sections: noted(totals.sections()) };
}

/** Number and value of the owned items by currency, with the numbers of sold and archived items. */
function inventoryFigures(totals: Totals): Figure[] {
  const others = new Map<string, number>();
  for (const [currency] of totals.currencies)
    for (const [status, { items }] of totals.byStatus(currency))
      if (!isOwned({ status })) others.set(status, (others.get(status) ?? 0) + items);
  return [
    ...valueFigures(totals, (status) => isOwned({ status })).map((figure) =>
      figure.key === 'items' ? { ...figure, label: 'Items owned', detail: 'keep, sell or trade' } : figure,
    ),
    ...[...others]
      .sort(([a], [b]) => inOrderOf(ITEM_STATUSES)(a, b))
      .map(
        ([status, value]): Figure => ({
          key: status,
          label: status.replace(/^./, (letter) => letter.toUpperCase()),
          value,
          kind: 'count',
          detail: 'not among the items owned',
        }),
      ),
  ];
}

/**
 * The number of items, and their value by currency.
 *
 * @param counts whether a status counts; default: all do
 */
export function valueFigures(totals: Totals, counts: (status: string) => boolean = () => true): Figure[] {
  let items = 0;
  let unknown = 0;
  const values: Figure[] = [];
  for (const [currency] of totals.currencies) {
    const tallies = totals.byStatus(currency).filter(([status]) => counts(status));
    const known = tallies.reduce((sum, [, tally]) => sum + tally.known, 0);
    const own = tallies.reduce((sum, [, tally]) => sum + tally.items, 0);
    items += own;
    unknown += own - known;
    if (own === 0) continue;
    values.push({
      key: 'value',
      label: 'Value',
      value: known === 0 ? null : tallies.reduce((sum, [, tally]) => sum.plus(tally.sum), new Big(0)),
      kind: 'money',
      currency,
      detail: `${counted(known, 'item')} with a value`,
    });
  }
  return [
    { key: 'items', label: 'Items', value: items, kind: 'count' },
    ...values,
    {
      key: 'value_unknown',
      label: 'Value unknown',
      value: unknown,
      kind: 'count',
      ...(items === 0 ? {} : { detail: unknown === 0 ? 'every item has a value' : 'items, not in any sum' }),
    },
  ];
}
