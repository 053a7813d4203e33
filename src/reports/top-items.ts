/** The most valuable items in each currency, without keeping all items. */
import type { Item } from '../api/schemas.ts';
import type { Section } from './model.ts';
import { valueOf } from '../export/tally.ts';

/** Number of items in each currency. */
export const MOST_VALUABLE = 25;

interface Valued {
  item: Item;
  value: number;
}

export class TopItems {
  readonly #tops = new Map<string, Valued[]>();

  add(item: Item, currency: string): void {
    const value = item.estimated_value;
    if (typeof value !== 'number') return;
    const top = this.#tops.get(currency) ?? [];
    this.#tops.set(currency, top);
    const least = top.at(-1);
    if (top.length === MOST_VALUABLE && least !== undefined && !before({ item, value }, least)) return;
    const place = top.findIndex((other) => before({ item, value }, other));
    top.splice(place === -1 ? top.length : place, 0, { item, value });
    if (top.length > MOST_VALUABLE) top.pop();
  }

  /**
   * @param currencies in the order of the report
   * @param collectionOf returns the display name of a collection id
   */
  section(currencies: readonly string[], collectionOf: (id: string) => string): Section {
    return {
      id: 'most_valuable',
      title: 'Most valuable items',
      notes: [`The top ${MOST_VALUABLE} in each currency, whatever their status.`],
      columns: [
        { key: 'name', title: 'Name', kind: 'text' },
        { key: 'brand', title: 'Brand', kind: 'text' },
        { key: 'release_year', title: 'Year', kind: 'plain' },
        { key: 'condition', title: 'Condition', kind: 'text' },
        { key: 'collection', title: 'Collection', kind: 'text' },
        { key: 'status', title: 'Status', kind: 'text' },
        { key: 'value', title: 'Value', kind: 'money' },
      ],
      blocks: currencies.flatMap((currency) => {
        const rows = (this.#tops.get(currency) ?? []).map(({ item, value }) => ({
          key: item.id,
          values: [
            item.name,
            item.brand ?? null,
            item.release_year ?? null,
            item.condition?.replaceAll('_', ' ') ?? null,
            collectionOf(item.collection_id.toLowerCase()),
            item.status,
            valueOf(value) ?? null,
          ],
        }));
        return rows.length === 0 ? [] : [{ currency, rows }];
      }),
      empty: 'No item has a value.',
    };
  }
}

/** By value, then by id, so that the list does not depend on the order of items. */
function before(a: Valued, b: Valued): boolean {
  return a.value > b.value || (a.value === b.value && a.item.id < b.item.id);
}
