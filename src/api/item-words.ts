/**
 * The contract's words for an item. Separate from the schemas, because these take longer to load than many commands.
 */

/** §2 Item.status, §3. */
export const ITEM_STATUSES = ['keep', 'sell', 'trade', 'sold', 'archived'] as const;
const NOT_OWNED: ReadonlySet<string> = new Set(['sold', 'archived']);

/** Whether the owner still has the item: it is neither sold nor archived. */
export function isOwned({ status }: { status: string }): boolean {
  return !NOT_OWNED.has(status);
}
/** §2 "Allowed values on write". null is also allowed. */
export const ITEM_CONDITIONS = ['mint_on_card', 'loose_mint', 'loose_good', 'loose_fair', 'damaged'] as const;
/** §2 "Allowed values on write". null is also allowed. */
export const ITEM_PACKAGINGS = ['in_package', 'opened', 'loose', 'custom'] as const;
