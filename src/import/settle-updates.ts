/**
 * Settles updates whose answer never came. A PATCH sets absolute values and may be repeated, but not blindly:
 * what somebody else changed in the meantime must not be overwritten.
 */
import { NotFoundError } from '../api/errors.ts';
import type { Item, ItemUpdate } from '../api/schemas.ts';
import type { LedgerRow, RowMove } from '../ledger/ledger.ts';
import { alikeValue, sameValue } from './content.ts';
import { updatePayload } from './payload.ts';
import { commit, MOST_ATTEMPTS, type WriteContext } from './write-context.ts';
import { rowPages } from './row-pages.ts';

/** @param quietUntil monotonic ms before which the server may still apply what was sent */
export async function settleUpdates(context: WriteContext, quietUntil: number): Promise<void> {
  const unknown = { states: ['unknown'], actions: ['update'] } as const;
  for await (const rows of rowPages(context.ledger, context.job.id, unknown)) {
    const wait = quietUntil - context.clock.monotonic();
    if (wait > 0) {
      context.emit({ type: 'settling', unknown: rows.length, waitMs: wait });
      await context.clock.sleep(wait, context.signal);
    }
    for (const row of rows) {
      await commit(context, context.job.id, [await settleUpdate(context, row)]);
    }
  }
}

async function settleUpdate(context: WriteContext, row: LedgerRow): Promise<RowMove> {
  const { set, before } = updatePayload(row);
  let item: Item;
  try {
    const answer = await context.client.getItem(row.itemId ?? '', {
      priority: 'settle',
      signal: context.signal,
    });
    item = answer.value;
  } catch (error) {
    // Gone: sent again it is refused in the server's own words.
    if (error instanceof NotFoundError) return { ordinal: row.ordinal, to: 'planned' };
    throw error;
  }
  const fields = Object.keys(set) as (keyof ItemUpdate)[];
  let resend = false;
  let drifted = false;
  for (const field of fields) {
    if (sameValue(field, set[field], item[field])) continue;
    if (sameValue(field, before[field], item[field])) resend = true;
    // A server that trims, rounds or sorts has stored what was sent in its own way.
    else if (!alikeValue(field, set[field], item[field])) drifted = true;
  }
  if (!drifted && resend && row.attempts >= MOST_ATTEMPTS) {
    const message = `it was sent ${row.attempts} times and never answered`;
    return { ordinal: row.ordinal, to: 'held', issues: [{ code: 'keeps_failing', message }] };
  }
  if (!drifted) return { ordinal: row.ordinal, to: resend ? 'planned' : 'done', issues: [] };
  const message = 'the answer was lost, and somebody has changed the item since the plan was made';
  return { ordinal: row.ordinal, to: 'held', issues: [{ code: 'drifted', message }] };
}
