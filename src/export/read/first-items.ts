/** The first items of an export, before it is made, so that a person can check the selection. */
import type { Item } from '../../api/schemas.ts';
import { matches, resolveQuery } from '../query.ts';
import { checkRequest, type ExportRequest } from '../request.ts';
import { ExportSource, type SourceOptions } from './source.ts';

/** Maximum number of pages to search for matching items: a filter may match none of a million items. */
const MAX_PAGES = 5;
const PAGE = 100;

export interface FirstItems {
  items: Item[];
  /** Number of items that were checked. */
  seen: number;
  /** False if all items were checked, and no more match. */
  more: boolean;
}

/**
 * @param most items to find
 * @throws UsageError as exportItems, ApiError if the API fails
 */
export async function firstItems(
  request: ExportRequest,
  deps: SourceOptions,
  most: number,
): Promise<FirstItems> {
  const checked = await checkRequest(request);
  await using source = new ExportSource(deps);
  const query = await resolveQuery(checked, source);
  const load = checked.resource === 'listings' ? source.listings : source.items;
  const items: Item[] = [];
  let seen = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, hasMore } = await load(page, PAGE);
    seen += data.length;
    items.push(...data.filter((item) => matches(query, item)));
    if (!hasMore) return { items: items.slice(0, most), seen, more: items.length > most };
    if (items.length >= most) break;
  }
  return { items: items.slice(0, most), seen, more: true };
}
