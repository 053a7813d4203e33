/**
 * Tells items that do not exist from items that a list does not show yet.
 *
 * Nothing is concluded from a reading that lacks an item which this store knows to exist: each create that any job had
 * acknowledged within the last hour. Such an item is read by its id. If the server does not know the id, a new item may
 * still appear (`mayAppearFor`), and the reading is repeated; an older item was removed and is forgotten, unless it
 * belongs to another team, whose key still sees it. If the item exists, the list lags. A look-up by key then uses the
 * item as read by its id. A look-up for the items of lost answers, whose ids nobody knows, reads the list again until it
 * shows the item.
 *
 * An item that is older than an hour is forgotten once a list has shown it, or after waiting ten minutes for it,
 * because the list may hide it.
 */
import type { ApiClient } from '../../api/client.ts';
import { FieldsUnknownError, NotFoundError } from '../../api/errors.ts';
import { loadCollections } from '../../api/load-collections.ts';
import type { Item } from '../../api/schemas.ts';
import { ageOf, type Clock, type Moment, momentOf } from '../../base/clock.ts';
import { KEPT_MS, LAGS, mayAppearFor, PAUSE_MS } from '../../listing/new-items.ts';
import { english, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import { ShelfliftError } from '../../base/errors.ts';
import type { Acknowledged, Ledger } from '../../ledger/ledger.ts';

export interface AbsenceDeps {
  client: Pick<ApiClient, 'getItem' | 'listItems' | 'collections'>;
  ledger: Pick<Ledger, 'items' | 'values'>;
  clock: Clock;
  signal: AbortSignal;
  emit: (event: { type: 'note'; message: string; said: Message }) => void;
}

/** Longest wait for a list that lags; after it, nothing is concluded from the list. */
const MAX_LAG_MS = 600_000;
/** If a list lacks more items than this, they are not read one by one. */
const MAX_TAKEN = 100;

/** Key space in the store: the newest item of an address that its list did not show for ten minutes. */
const HIDDEN = 'list-hidden';

export class ListLagsError extends ShelfliftError {
  constructor(items: number) {
    const later: Action = { do: 'byHand', label: message('try_when_list_shows', {}) };
    super('list_lags', message('list_still_lags', { items }, later));
  }
}

/**
 * Repeats a reading until it shows all items that are known to exist.
 *
 * @param since only items that the server created at this time or later (ms, its clock); null for a whole list
 * @param read must pass on all items that it reads
 * @param taken `take` receives the few items that the list lacks, as read by their ids; then the list is not read again.
 *   An item of which the answer lacks a field of `fields` is waited for: the caller decides by them
 * @throws ListLagsError after ten minutes
 */
export async function untilAccounted<T>(
  apiUrl: string,
  since: number | null,
  deps: AbsenceDeps,
  read: (shown: (items: readonly Item[]) => void) => Promise<T>,
  taken?: { take: (item: Item, at: Moment) => void; fields: Iterable<string> },
): Promise<T> {
  const { ledger, clock, signal } = deps;
  const begun = clock.monotonic();
  let late: Acknowledged[] = [];
  /** When this reading first lacked each item, monotonic ms; other processes go on to create some. */
  const lackedAt = new Map<string, number>();
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    // Loaded before the list, because items acknowledged later need not be in it.
    const known = await ledger.items.acknowledged(apiUrl, since);
    const hadOpen = await hasOpenCreates();
    const lacking = new Map(known.map((each) => [each.itemId, each]));
    let newestTime = Number.NEGATIVE_INFINITY;
    const result = await read((items) => {
      for (const { id, created_at: made, updated_at: edited } of items) {
        lacking.delete(id.toLowerCase());
        for (const time of [Date.parse(made), Date.parse(edited)]) if (time > newestTime) newestTime = time;
      }
    });
    for (const id of lacking.keys()) if (!lackedAt.has(id)) lackedAt.set(id, clock.monotonic());
    const takes = taken !== undefined && lacking.size <= MAX_TAKEN;
    const there: Late[] = [];
    for await (const each of thoseThere([...lacking.values()], lackedAt, apiUrl, deps, taken?.fields)) {
      there.push(each);
      if (!takes || each.read === undefined) break;
    }
    const [newest] = there;
    const isWhole = newest === undefined || (takes && there.every((each) => each.read !== undefined));
    if (isWhole) {
      const hasWaited = newest !== undefined && (await watch(newest, newestTime, apiUrl, deps));
      // The list may also lack an item that a create with a lost answer has made; another job may settle it meanwhile.
      if (hasWaited && (hadOpen || (await hasOpenCreates()))) continue;
      for (const { read: answer } of there) if (answer !== undefined) taken?.take(answer.item, answer.at);
      const shown = late.find(({ itemId }) => !lacking.has(itemId));
      if (newest === undefined && shown !== undefined) await learnLag(apiUrl, shown, deps);
      // Items that the list lacks are kept: the wall clock alone may have jumped an hour ahead.
      if (since === null) await forgetOld(known.filter(({ itemId }) => !lacking.has(itemId)));
      return result;
    }
    if (clock.monotonic() - begun >= MAX_LAG_MS) {
      // After this wait, an old item is hidden rather than late.
      await forgetOld([...lacking.values()]);
      throw new ListLagsError(lacking.size);
    }
    const isFirst = late.length === 0;
    late = [...lacking.values()];
    if (isFirst && newest.read !== undefined) tell(late.length, deps);
    else if (isFirst) tellUnknown(late, await learnedLag(apiUrl, deps), deps);
    await clock.sleep(pauseMs, signal);
  }

  async function hasOpenCreates(): Promise<boolean> {
    return (await ledger.items.openCreates(apiUrl)).length > 0;
  }

  async function forgetOld(items: readonly Acknowledged[]): Promise<void> {
    const before = clock.now() - KEPT_MS;
    const ids = items.filter(({ at }) => at < before).map(({ itemId }) => itemId);
    if (ids.length > 0) await ledger.items.forgetAcknowledged(apiUrl, ids);
  }
}

function tell(items: number, { emit }: AbsenceDeps): void {
  const said = message('list_lags_behind', { items });
  emit({ type: 'note', message: english(said), said });
}

function tellUnknown(
  lacking: readonly Acknowledged[],
  lag: number,
  { clock, emit }: Pick<AbsenceDeps, 'clock' | 'emit'>,
): void {
  const waits = lacking.map((each) => mayAppearFor(each, lag, clock)).filter((ms) => ms > 0);
  const said = message('new_items_unknown', { items: waits.length, ms: Math.max(0, ...waits) });
  emit({ type: 'note', message: english(said), said });
}

/**
 * Reads the head of the list until it shows an item that it lacked. Other late items cannot be read by their ids, so a
 * lost create has to be looked for as long as this takes. An item older than ten minutes counts as hidden, not late.
 * Its age is certain only if both the wall clock, which may have been set, and the server's clock say so, or if the
 * reading has waited that long.
 *
 * @param newestTime the latest time at which an item of the list was created or edited, ms on the server's clock
 * @returns true if it has waited: then the list may show more
 */
async function watch(late: Late, newestTime: number, apiUrl: string, deps: AbsenceDeps): Promise<boolean> {
  const { ledger, clock, signal } = deps;
  const { itemId, at } = late.known;
  const begun = clock.monotonic();
  const known = await learnedLag(apiUrl, deps);
  const ageByServer = newestTime - Date.parse(late.read?.item.created_at ?? '');
  const isOld = Math.min(ageByServer, ageOf(at, clock).least) >= MAX_LAG_MS;
  if (isOld || (await ledger.values.get(HIDDEN, apiUrl)) === itemId) return false;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    if (ageOf(at, clock).most < known) return pauseMs !== PAUSE_MS.first;
    if (clock.monotonic() - begun >= MAX_LAG_MS) {
      await ledger.values.put(HIDDEN, [{ key: apiUrl, value: itemId }]);
      return true;
    }
    if (pauseMs === PAUSE_MS.first) tell(1, deps);
    await clock.sleep(pauseMs, signal);
    if (await isListed(late, deps)) {
      await learnLag(apiUrl, late.known, deps);
      return true;
    }
  }
}

async function isListed({ known, read }: Late, { client, signal }: AbsenceDeps): Promise<boolean> {
  const made = Date.parse(read?.item.created_at ?? '');
  for (let page = 1; ; page += 1) {
    const { value } = await client.listItems({ page, signal, priority: 'settle' });
    if (value.data.some(({ id }) => id.toLowerCase() === known.itemId)) return true;
    const isPast = value.data.every(({ created_at: at }) => !(Date.parse(at) >= made));
    if (isPast || !value.pagination.has_more) return false;
  }
}

/** How long a new item may be missing from the list, as observed by this store, ms. */
export async function learnedLag(apiUrl: string, { ledger }: Pick<AbsenceDeps, 'ledger'>): Promise<number> {
  return Number((await ledger.values.get(LAGS, apiUrl)) ?? 0);
}

async function learnLag(
  apiUrl: string,
  { at }: Acknowledged,
  { ledger, clock }: Pick<AbsenceDeps, 'ledger' | 'clock'>,
): Promise<void> {
  const ms = ageOf(at, clock).most;
  // The item is slightly older than the answer that reported it.
  const seen = Math.round(Math.min(Math.max(0, ms) + 1_000, MAX_LAG_MS));
  const lag = Math.max(seen, await learnedLag(apiUrl, { ledger }));
  await ledger.values.put(LAGS, [{ key: apiUrl, value: String(lag) }]);
}

/** An item that exists although a list lacks it. */
interface Late {
  known: Acknowledged;
  /** Absent if its id was not found, as one server of several may lag behind another, or if some fields are unknown. */
  read?: { item: Item; at: Moment };
}

/**
 * The items that may exist according to their ids; the others are gone, and are not asked for again.
 *
 * @param lackedAt when the caller first lacked each item, monotonic ms
 */
async function* thoseThere(
  lacking: readonly Acknowledged[],
  lackedAt: ReadonlyMap<string, number>,
  apiUrl: string,
  deps: AbsenceDeps,
  fields: Iterable<string> = [],
): AsyncGenerator<Late, void> {
  const { client, ledger, clock, signal } = deps;
  const gone: string[] = [];
  let theirs: ReadonlySet<string> | undefined;
  const lag = lacking.length === 0 ? 0 : await learnedLag(apiUrl, deps);
  try {
    for (const known of lacking) {
      if (theirs?.has(known.itemId) === true) continue;
      try {
        const { value, tookMs } = await client.getItem(known.itemId, {
          signal,
          priority: 'settle',
          fields: [...fields],
        });
        yield { known, read: { item: value, at: momentOf(clock, tookMs) } };
      } catch (error) {
        if (error instanceof FieldsUnknownError) {
          yield { known };
          continue;
        }
        if (!(error instanceof NotFoundError)) throw error;
        theirs ??= await ofOtherTeams();
        if (theirs.has(known.itemId)) continue;
        const now = clock.monotonic();
        const waitedMs = now - (lackedAt.get(known.itemId) ?? now);
        if (mayAppearFor(known, lag, clock, waitedMs) > 0) yield { known };
        else gone.push(known.itemId);
      }
    }
  } finally {
    if (gone.length > 0) await ledger.items.forgetAcknowledged(apiUrl, gone);
  }

  async function ofOtherTeams(): Promise<ReadonlySet<string>> {
    const seen = await loadCollections(client, signal);
    if (seen === undefined) return new Set();
    const ids = lacking.map(({ itemId }) => itemId);
    return ledger.items.ofOtherTeams(
      apiUrl,
      ids,
      seen.map(({ id }) => id),
    );
  }
}

interface KnownDeps extends Pick<AbsenceDeps, 'clock'> {
  ledger: AbsenceDeps['ledger'] & Pick<Ledger, 'jobs'>;
}

/** The unknown ids of items that this store created or changed so recently that one server may not know them yet. */
export async function mayBeLate(
  ids: ReadonlySet<string>,
  apiUrl: string,
  deps: KnownDeps,
): Promise<Set<string>> {
  const known = await acknowledgedAmong(ids, apiUrl, deps);
  const lag = known.length === 0 ? 0 : await learnedLag(apiUrl, deps);
  const late = known.filter((each) => mayAppearFor(each, lag, deps.clock) > 0);
  return new Set(late.map(({ itemId }) => itemId));
}

/**
 * Waits while the server may not show some items yet that this store has just created or changed, and returns their ids
 * before each further look. Does not wait for as long as lists have lagged before.
 *
 * @param missing lower-case ids that were not found; the caller removes an id once its item is found
 */
export async function* idsToAskAgain(
  missing: ReadonlySet<string>,
  apiUrl: string,
  deps: KnownDeps & Pick<AbsenceDeps, 'signal' | 'emit'>,
): AsyncGenerator<string[], void> {
  const { clock, signal } = deps;
  const begun = clock.monotonic();
  const known = await acknowledgedAmong(missing, apiUrl, deps);
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    const waitedMs = clock.monotonic() - begun;
    const late = known.filter(
      (each) => missing.has(each.itemId) && mayAppearFor(each, 0, clock, waitedMs) > 0,
    );
    if (late.length === 0) return;
    if (pauseMs === PAUSE_MS.first) tellUnknown(late, 0, deps);
    await clock.sleep(pauseMs, signal);
    yield late.map(({ itemId }) => itemId);
    const shown = late.find(({ itemId }) => !missing.has(itemId));
    if (shown !== undefined) await learnLag(apiUrl, shown, deps);
  }
}

/** The items among these ids that the server has acknowledged: creates and updates of any job. */
async function acknowledgedAmong(
  ids: ReadonlySet<string>,
  apiUrl: string,
  { ledger, clock }: KnownDeps,
): Promise<Acknowledged[]> {
  if (ids.size === 0) return [];
  const created = (await ledger.items.acknowledged(apiUrl, null)).filter(({ itemId }) => ids.has(itemId));
  const known = new Map(created.map((each) => [each.itemId, each]));
  const ends = new Map<string, number>();
  const others = [...ids].filter((id) => !known.has(id));
  for (const { itemId, job, state } of await ledger.items.sentUpdates(apiUrl, others)) {
    if (state !== 'done') continue;
    const at = ends.get(job) ?? (await endOf(job, { ledger, clock }));
    ends.set(job, at);
    if (at > (known.get(itemId)?.at ?? 0)) known.set(itemId, { itemId, at });
  }
  return [...known.values()];
}

/** No row of the job was acknowledged later; rows have no times of their own. */
async function endOf(id: string, { ledger, clock }: KnownDeps): Promise<number> {
  const job = await ledger.jobs.find(id);
  return job?.state === 'running' ? clock.now() : (job?.updatedAt ?? clock.now());
}
