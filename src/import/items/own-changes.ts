/**
 * A list may show an item as it was before this store changed it. Such an item is read by its id: otherwise a row would
 * count as unchanged, or be compared with values that no longer exist, and an undo would restore them.
 */
import { FieldsUnknownError, NotFoundError } from '../../api/errors.ts';
import type { Item } from '../../api/schemas.ts';
import { ageOf } from '../../base/clock.ts';
import type { SentUpdate } from '../../ledger/ledger.ts';
import { learnedLag } from '../engine/absence.ts';
import { fieldChanges, fieldOf } from '../engine/field-changes.ts';
import { updateOf } from '../engine/operation.ts';
import { threeWay } from '../engine/three-way.ts';
import { NEW_MS } from '../../listing/new-items.ts';
import type { JobDeps } from '../job/deps.ts';

type Current = (listed: readonly Item[]) => Promise<Item[]>;

/**
 * Call this before the list is read.
 *
 * @returns replaces the items of a page that show an older state; a server of several that lags may know no newer one
 */
export async function asLastChanged(
  deps: Pick<JobDeps, 'client' | 'ledger' | 'clock' | 'signal'>,
): Promise<Current> {
  const { client, ledger, clock, signal } = deps;
  const apiUrl = client.target;
  const lag = Math.max(NEW_MS, await learnedLag(apiUrl, { ledger }));
  // The time of a killed job is that of its start.
  const running = await ledger.jobs.list(undefined, { apiUrl, states: ['running', 'interrupted'] });
  const ended = await ledger.jobs.list(undefined, { apiUrl, updatedSince: ageOf(0, clock).least - lag });
  const recent = new Set([...running, ...ended].map(({ id }) => id));
  if (recent.size === 0) return (listed) => Promise.resolve([...listed]);

  return async (listed) => {
    const ids = listed.map(({ id }) => id.toLowerCase());
    const sent = new Map<string, SentUpdate[]>();
    for (const update of ids.length === 0 ? [] : await ledger.items.sentUpdates(apiUrl, ids)) {
      if (update.state !== 'done' || update.operation === null || !recent.has(update.job)) continue;
      sent.set(update.itemId, [...(sent.get(update.itemId) ?? []), update]);
    }
    const older = listed.filter((item) => isOlder(item, sent.get(item.id.toLowerCase()) ?? []));
    const now = new Map(await Promise.all(older.map(async (item) => [item, await readAgain(item)] as const)));
    return listed.map((item) => now.get(item) ?? item);
  };

  async function readAgain(item: Item): Promise<Item> {
    try {
      return (await client.getItem(item.id, { signal })).value;
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof FieldsUnknownError) return item;
      throw error;
    }
  }
}

/**
 * Whether the item still has a value that was there before an update, and not all values of the last one. A value that
 * is neither was set by somebody else, or is how the server stores it.
 *
 * @param updates newest first
 */
function isOlder(item: Item, updates: readonly SentUpdate[]): boolean {
  const [last] = updates;
  if (last === undefined || statesOf(last, item).every((is) => is === 'made')) return false;
  return updates.some((update) => statesOf(update, item).includes('open'));
}

function statesOf(update: SentUpdate, item: Item) {
  return fieldChanges(updateOf(update))
    .filter(({ field }) => fieldOf(item, field.replace(/\..*/u, '')) !== undefined)
    .map((change) => threeWay(change, item, 'to').is);
}
