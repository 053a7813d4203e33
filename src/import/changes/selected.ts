/** Checks that an item still meets the expression by which a job selected it. */
import type { Item } from '../../api/schemas.ts';
import { COLLECTION_NAME, ItemValues } from '../../where/item-values.ts';
import { parseWhere, printAll, type Where } from '../../where/where.ts';
import type { WhereTest } from '../../where/where-test.ts';
import type { Expectation, SelectedItem } from '../engine/operation.ts';

/** The conditions on an item that passed the test; empty without an expression. */
export function expectSelected(where: readonly Where[], test: WhereTest, item: Item): Expectation[] {
  const [field] = where.flatMap(({ fields }) => fields);
  if (field === undefined) return [];
  const { collection_id: id } = item;
  const byName = where.some(({ fields }) => fields.includes(COLLECTION_NAME));
  const collection = byName ? { collection: { id, name: test.text(item, COLLECTION_NAME) } } : {};
  return [{ is: 'selected', where: printAll(where), field, ...collection }];
}

export function isSelected({ where, collection }: SelectedItem, item: Item): boolean {
  const id = item.collection_id.toLowerCase();
  if (collection !== undefined && collection.id.toLowerCase() !== id) return false;
  return parseWhere(where).matches(new ItemValues(new Map([[id, collection?.name ?? '']])).of(item));
}
