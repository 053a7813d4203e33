/**
 * Detects that a resumed job, or an import that waited in the worker's queue, has continued in another store: in a
 * copy, or in the store from which a backup was restored. The rows that the other store has sent are unknown here, and
 * would be sent again.
 *
 * The server shows it: it has items that no row of this store owns, created since this store last sent a row of the job
 * (or since the job was made or its import was queued), and equal to rows that are still to be sent. Such rows are
 * held, and the job is parked once.
 */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { JobRecord, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import type { ServerNormalisation } from '../../ledger/job-parts.ts';
import { createsByKey, itemKey, keyRule } from '../changes/match-key.ts';
import { candidatesOf } from '../items/candidates.ts';
import { CLOCK_SLACK_MS, contentKey, mayBeOpaqueOf } from '../job/server-normalisation.ts';
import { USUAL_CHANGES } from '../engine/equality.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { createBody, createContent, stampOf } from '../engine/operation.ts';
import { hasSent } from '../job/has-sent.ts';
import { learn } from '../job/learn.ts';
import { rowPages } from '../job/row-pages.ts';
import { scanItems } from './scan.ts';
import { commit, type SettleContext } from './settle-context.ts';

export class StoreBehindError extends ShelfliftError {
  constructor(job: JobRecord, rows: number) {
    const goOn = byHand('go_on_in_newest_store', {});
    super('store_behind', message('store_is_behind', { rows, ...hasSent(job) }, goOn));
  }
}

/**
 * Called once per resume, and for a new job that was queued, after lost answers are settled and before the first create.
 *
 * @throws StoreBehindError if rows were held
 */
export async function checkStoreBehind(context: SettleContext): Promise<void> {
  const { job } = context;
  const isLookedUp = (body: ItemCreate) => createsByKey(job) && itemKey(body, keyRule(job)) !== '';
  const rows = await holdMadeElsewhere(context, isLookedUp);
  if (rows > 0) throw new StoreBehindError(job, rows);
}

/**
 * Holds rows that another store seems to have sent.
 *
 * @param isLookedUp whether a row's key is looked up before it is sent
 * @returns the number of held rows
 */
export async function holdMadeElsewhere(
  context: SettleContext,
  isLookedUp: (body: ItemCreate) => boolean = () => false,
): Promise<number> {
  const { ledger, job, normalisation, stamp } = context;
  const unsent = { states: ['planned'], actions: ['create'] } as const;
  if ((await ledger.rows.list(job.id, { ...unsent, limit: 1 })).length === 0) return 0;
  const made = new Unowned(await madeSince(context), normalisation, stamp);
  const held: RowMove[] = [];
  for await (const rows of made.size === 0 ? [] : rowPages(ledger, job.id, unsent)) {
    for (const row of rows) {
      const body = createBody(job, row, stamp);
      // Skips rows that a person decided about, or that are looked up by their keys. A row that was sent here in vain
      // may have been sent by the other store.
      const isKnown = row.issues.some(({ code }) => code === 'store_behind');
      if (isKnown || isLookedUp(body)) continue;
      const item = made.take(body, stampOf(job.id, row.ordinal));
      if (item !== undefined) held.push(holdFor(row, item));
    }
  }
  if (held.length > 0) await learn(ledger, job, { isSentElsewhere: true });
  await commit(context, job.id, held);
  return held.length;
}

/** Items that the job may have created elsewhere, except items that rows of this store may have created. */
async function madeSince(context: SettleContext): Promise<Item[]> {
  const { ledger, job, normalisation } = context;
  const last = await ledger.rows.lastIntent(job.id);
  // By our own clock if nothing was sent: items that a person made just before do not indicate another store.
  const { queuedAt = job.createdAt } = job.request;
  const since = last === undefined ? queuedAt + CLOCK_SLACK_MS : last.mark;
  const { unowned } = await scanItems(context, { until: normalisation.timesOrder === 'no' ? null : since });
  const ids = [...unowned.keys()];
  // Again: another job may have had its answers during the scan.
  const owned = await ledger.items.owned(job.apiUrl, ids);
  const seen = await ledger.items.seenAt(job.apiUrl, ids);
  const found = [...unowned].flatMap(([id, item]) => {
    const isBefore = since !== null && Date.parse(item.created_at) < since - CLOCK_SLACK_MS;
    const isSeen = last !== undefined && (seen.get(id) ?? last.sequence) < last.sequence;
    return owned.has(id) || isBefore || isSeen ? [] : [item];
  });
  if (found.length === 0) return [];
  const made = new Unowned(found, normalisation, undefined);
  const open = [
    ...(await ledger.items.openCreates(job.apiUrl)),
    ...(await ledger.items.heldCreates(job.apiUrl)),
  ];
  for (const { jobId, row } of open) {
    const theirs = await ledger.jobs.find(jobId);
    made.take(createContent(theirs, row, theirs.request.stamp), '');
  }
  return made.items();
}

/** Items that no row owns, by the content that they may have been created from. */
class Unowned {
  readonly #byContent: Map<string, Item[]>;
  readonly #byStamp = new Map<unknown, Item>();
  readonly #known: ServerNormalisation;

  constructor(items: readonly Item[], seen: ServerNormalisation, stamp: string | undefined) {
    // This store may not know how the server changes values.
    const known = { ...seen, changes: [...new Set([...seen.changes, ...USUAL_CHANGES])] };
    this.#known = known;
    this.#byContent = Map.groupBy(items, (item) => contentKey(item, known));
    for (const item of stamp === undefined ? [] : items)
      this.#byStamp.set(item.custom_fields?.[stamp ?? ''], item);
  }

  get size(): number {
    return this.items().length;
  }

  items(): Item[] {
    return [...this.#byContent.values()].flat();
  }

  /** Takes the item with the stamp, or else one with equal content; each item is returned only once. */
  take(body: Partial<ItemCreate>, stamp: string): Item | undefined {
    const equal = this.#byContent.get(contentKey(body, this.#known)) ?? [];
    const item = this.#byStamp.get(stamp) ?? equal.find((each) => mayBeOpaqueOf(each, body, this.#known));
    if (item === undefined) return undefined;
    const alike = this.#byContent.get(contentKey(item, this.#known)) ?? [];
    alike.splice(alike.indexOf(item), 1);
    return item;
  }
}

function holdFor({ ordinal }: LedgerRow, item: Item): RowMove {
  const itemId = item.id.toLowerCase();
  const said = message('made_after_last_row', { item: itemId });
  const issue = issueOf('store_behind', said, { itemId, ...candidatesOf([item]) });
  return { ordinal, from: 'planned', to: 'held', issues: [issue] };
}
