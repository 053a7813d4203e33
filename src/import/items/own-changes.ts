/**
 * A list may show an item as it was before this store changed it. Such an item is read by its id: otherwise a row would
 * count as unchanged, or be compared with values that no longer exist, and an undo would restore them.
 *
 * One server of several may know no newer state by the id, either. `updated_at` tells that from an edit that somebody
 * has made since: the item is read again, for as long as a new item may be unknown.
 */
import { FieldsUnknownError, NotFoundError } from '../../api/errors.ts';
import type { Item } from '../../api/schemas.ts';
import { ageOf } from '../../base/clock.ts';
import type { SentUpdate } from '../../ledger/ledger.ts';
import { learnedLag } from '../engine/absence.ts';
import { fieldChanges, fieldOf } from '../engine/field-changes.ts';
import { updateOf } from '../engine/operation.ts';
import { threeWay } from '../engine/three-way.ts';
import { NEW_MS, PAUSE_MS } from '../../listing/new-items.ts';
import type { JobDeps } from '../job/deps.ts';

type Current = (read: readonly Item[]) => Promise<Item[]>;
type OwnDeps = Pick<JobDeps, 'client' | 'ledger' | 'clock' | 'signal'>;

/**
 * Call this before the items are read.
 *
 * @returns replaces items that show an older state than this store has sent lately
 */
export async function asLastChanged(deps: OwnDeps): Promise<Current> {
  const { client, ledger, clock } = deps;
  const apiUrl = client.target;
  const lag = Math.max(NEW_MS, await learnedLag(apiUrl, { ledger }));
  // The time of a killed job is that of its start.
  const running = await ledger.jobs.list(undefined, { apiUrl, states: ['running', 'interrupted'] });
  const ended = await ledger.jobs.list(undefined, { apiUrl, updatedSince: ageOf(0, clock).least - lag });
  const recent = new Set([...running, ...ended].map(({ id }) => id));
  if (recent.size === 0) return (read) => Promise.resolve([...read]);
  const own = new OwnChanges(deps, lag);
  return (read) => own.current(read, (job) => recent.has(job));
}

/** Compares items with the updates that this store has sent. */
export class OwnChanges {
  readonly #deps: OwnDeps;
  readonly #lagMs: number;
  /** Until when older states are read again, by the monotonic clock; undefined while none is known. */
  #until: number | undefined;
  /** Items that show an older state after all. */
  readonly #behind = new WeakSet<Item>();

  /** @param lagMs how long an item may be shown as it was before; it is waited for once if that is not enough */
  constructor(deps: OwnDeps, lagMs = NEW_MS) {
    this.#deps = deps;
    this.#lagMs = lagMs;
  }

  /**
   * The items, read again where they show an older state.
   *
   * @param isOf whether the updates of a job count
   */
  async current(read: readonly Item[], isOf: (job: string) => boolean = () => true): Promise<Item[]> {
    const { client, ledger } = this.#deps;
    const ids = read.map(({ id }) => id.toLowerCase());
    const sent = new Map<string, SentUpdate[]>();
    for (const update of ids.length === 0 ? [] : await ledger.items.sentUpdates(client.target, ids)) {
      if (update.state !== 'done' || update.operation === null || !isOf(update.job)) continue;
      sent.set(update.itemId, [...(sent.get(update.itemId) ?? []), update]);
    }
    return Promise.all(
      read.map(async (item) => {
        const updates = sent.get(item.id.toLowerCase()) ?? [];
        return isOlder(item, updates) ? await this.#readAgain(item, updates) : item;
      }),
    );
  }

  /** Whether `current` waited in vain for a newer state of the item. */
  isBehind(item: Item): boolean {
    return this.#behind.has(item);
  }

  async #readAgain(item: Item, updates: readonly SentUpdate[]): Promise<Item> {
    const { client, clock, signal } = this.#deps;
    for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
      let shown: Item;
      try {
        shown = (await client.getItem(item.id, { signal })).value;
      } catch (error) {
        if (error instanceof NotFoundError || error instanceof FieldsUnknownError) return item;
        throw error;
      }
      if (!lags(shown, updates)) return shown;
      this.#until ??= clock.monotonic() + this.#lagMs;
      if (clock.monotonic() >= this.#until) {
        this.#behind.add(shown);
        return shown;
      }
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** Whether the item is older than the answer to the last update; false if that did not tell its time. */
function lags(item: Item, updates: readonly SentUpdate[]): boolean {
  const [last] = updates;
  const answered = last === undefined ? undefined : updateOf(last).answered;
  return (
    answered !== undefined && Date.parse(item.updated_at) < Date.parse(answered) && isOlder(item, updates)
  );
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
