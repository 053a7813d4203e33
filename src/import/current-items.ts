/** Reads the items that a plan compares with, in the cheaper of two ways. */
import type { ApiClient } from '../api/client.ts';
import { NotFoundError } from '../api/errors.ts';
import { type Item, PER_PAGE_MAX } from '../api/schemas.ts';

/** Below this many ids a request each is certainly no dearer than pages of the list. */
const FEW = 20;
const AT_ONCE = 8;

/**
 * Items by id; ids that the API does not know are absent from the result.
 *
 * Reads pages of 100 as long as fewer pages were read than ids are still missing, then asks for the rest one
 * by one: at most twice the requests of the better of the two ways, without knowing the list's length.
 */
export async function itemsById(
  client: ApiClient,
  ids: Iterable<string>,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Map<string, Item>> {
  const missing = new Set([...ids].map((id) => id.toLowerCase()));
  const total = missing.size;
  const found = new Map<string, Item>();
  const take = (items: Item[]) => {
    for (const item of items) {
      const id = item.id.toLowerCase();
      if (missing.delete(id)) found.set(id, item);
    }
    onProgress(total - missing.size, total);
  };
  if (total > FEW) {
    for (let page = 1; page <= missing.size; page += 1) {
      const { value } = await client.listItems({ page, perPage: PER_PAGE_MAX, signal });
      take(value.data);
      if (!value.pagination.has_more || value.data.length === 0) break;
    }
  }
  // Also what the list did not show: pages shift while they are read, and only a 404 says "not there".
  const rest = [...missing];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
        try {
          const { value } = await client.getItem(id, { signal });
          take([value]);
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error;
        }
      }
    }),
  );
  return found;
}

/** Every item of the list; the head is read again until a page is known, so that items added meanwhile are in. */
export async function allItems(
  client: ApiClient,
  signal: AbortSignal,
  onItem: (item: Item) => void,
): Promise<void> {
  const seen = new Set<string>();
  const take = (items: Item[]): number => {
    let fresh = 0;
    for (const item of items) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      fresh += 1;
      onItem(item);
    }
    return fresh;
  };
  for await (const item of client.items({ signal })) take([item]);
  for (let page = 1; ; page += 1) {
    const { value } = await client.listItems({ page, signal });
    if (take(value.data) === 0 || !value.pagination.has_more) return;
  }
}
