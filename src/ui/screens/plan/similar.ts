/** Rows of a plan that look like existing items, side by side with these items. */
import { NotFoundError } from '../../../api/errors.ts';
import type { Item } from '../../../api/schemas.ts';
import { fieldsOfCreate } from '../../../import/engine/input.ts';
import { rowPages } from '../../../import/job/row-pages.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { Workspace } from '../../jobs/workspace.ts';

export interface SimilarPair {
  row: number;
  /** Fields of the new item. */
  fields: Record<string, unknown>;
  /** The existing item. */
  item: Item;
}

const PAIRS_SHOWN = 12;

/** The first likely duplicates, compared with the current items. */
export async function similarPairs(
  { id, plan }: JobRecord,
  { ledger, client }: Workspace,
): Promise<SimilarPair[]> {
  const pairs: SimilarPair[] = [];
  if (plan.similar === undefined) return pairs;
  for await (const rows of rowPages(ledger, id, { states: ['planned'], actions: ['create'] })) {
    for (const row of rows) {
      const itemId = row.issues.find(({ code }) => code === 'similar')?.itemId;
      if (itemId === undefined) continue;
      try {
        const { value } = await client.getItem(itemId);
        pairs.push({ row: row.sheetRow, fields: fieldsOfCreate(row), item: value });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
      if (pairs.length === PAIRS_SHOWN) return pairs;
    }
  }
  return pairs;
}
