/** How an undo marks the items that it archives, because the API has no delete. */
import type { Item } from '../../api/schemas.ts';

/** The custom field that marks an item as archived by an undo. */
export const UNDONE = 'shelflift_undone';

/** True if an undo has archived the item, and nobody has taken it out of the archive since. */
export function isUndone({ status, custom_fields: custom }: Pick<Item, 'status' | 'custom_fields'>): boolean {
  return status === 'archived' && custom?.[UNDONE] !== undefined;
}
