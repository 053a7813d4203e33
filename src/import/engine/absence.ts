/**
 * What a list of items does not show: absent, or not shown yet.
 *
 * Nothing is concluded from a reading that does not show every item which this store knows to be there: each create that
 * was acknowledged within the last hour, whichever job sent it. One that the list lacks is asked for by its id. If it
 * answers, the list lags, and is read again; an id that nobody knows any more was removed, and is forgotten. An older one
 * that the list still lacks after ten minutes is forgotten, too: the next run does not wait for it.
 */
import type { ApiClient } from '../../api/client.ts';
import { NotFoundError } from '../../api/errors.ts';
import type { Item } from '../../api/schemas.ts';
import type { Clock } from '../../clock.ts';
import { counted } from '../../counted.ts';
import { ShelfliftError } from '../../errors.ts';
import type { Acknowledged, Ledger } from '../../ledger/ledger.ts';

export interface AbsenceDeps {
  client: Pick<ApiClient, 'getItem'>;
  ledger: Pick<Ledger, 'items' | 'values'>;
  clock: Clock;
  signal: AbortSignal;
  emit: (event: { type: 'note'; message: string }) => void;
}

/** A list is waited for so long before nothing is concluded from it. */
const LONGEST_LAG_MS = 600_000;
/** Between two readings of a list that lags: doubled each time. */
const PAUSE_MS = { first: 250, longest: 15_000 };
/**
 * Every reading must show what was acknowledged within this time: one server of several may lag behind another. No
 * longer: a list may never show some items (archived ones, for example).
 */
const KEPT_MS = 3_600_000;

/** Key space in the store: the longest that the list of an address was seen to lag, ms. */
const LAGS = 'list-lag';

export class ListLagsError extends ShelfliftError {
  constructor(items: number) {
    super(
      'list_lags',
      `The list of items still does not show ${counted(items, 'item')} that shelflift has created, after ten minutes.`,
      { remedy: 'Run the command again later, when the list is up to date.' },
    );
  }
}

/**
 * Repeats a reading until it shows all that must be there.
 *
 * @param since only items that the server made at this time or later (ms, its clock); null for a whole list
 * @param read is to pass on all items that it gets
 * @throws ListLagsError after ten minutes
 */
export async function untilAccounted<T>(
  apiUrl: string,
  since: number | null,
  deps: AbsenceDeps,
  read: (shown: (items: readonly Item[]) => void) => Promise<T>,
): Promise<T> {
  const { ledger, clock, signal, emit } = deps;
  const begun = clock.monotonic();
  let witness: Acknowledged | undefined;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    // Loaded before the list: what is acknowledged meanwhile need not be on it.
    const lacking = new Map(
      (await ledger.items.acknowledged(apiUrl, since)).map((each) => [each.itemId, each]),
    );
    const result = await read((items) => {
      for (const { id } of items) lacking.delete(id.toLowerCase());
    });
    const there = await firstThere([...lacking.values()], apiUrl, deps);
    if (there === undefined) {
      if (witness !== undefined) await learnLag(apiUrl, clock.now() - witness.at, deps);
      if (since === null) await forgetOld();
      return result;
    }
    if (clock.monotonic() - begun >= LONGEST_LAG_MS) {
      // An old item is not late but hidden. Not before the wait: the wall clock alone may have jumped an hour ahead.
      await forgetOld();
      throw new ListLagsError(lacking.size);
    }
    if (witness === undefined) {
      const message = `The list of items does not show ${counted(lacking.size, 'item')} yet that shelflift has created. It is read again until it does, for ten minutes at most.`;
      emit({ type: 'note', message });
    }
    witness = there;
    await clock.sleep(pauseMs, signal);
  }

  function forgetOld(): Promise<void> {
    return ledger.items.forgetAcknowledged(apiUrl, { before: clock.now() - KEPT_MS });
  }
}

/** How long a new item may be missing from the list, as far as this store has seen, ms. */
export async function learnedLag(apiUrl: string, { ledger }: Pick<AbsenceDeps, 'ledger'>): Promise<number> {
  return Number((await ledger.values.get(LAGS, apiUrl)) ?? 0);
}

async function learnLag(apiUrl: string, ms: number, { ledger }: AbsenceDeps): Promise<void> {
  // An item is a little older than the answer that told of it.
  const seen = Math.round(Math.min(Math.max(0, ms) + 1_000, LONGEST_LAG_MS));
  const lag = Math.max(seen, await learnedLag(apiUrl, { ledger }));
  await ledger.values.put(LAGS, [{ key: apiUrl, value: String(lag) }]);
}

/** The first item that its id still finds; the others before it are gone, and are not asked for again. */
async function firstThere(
  lacking: readonly Acknowledged[],
  apiUrl: string,
  { client, ledger, signal }: AbsenceDeps,
): Promise<Acknowledged | undefined> {
  const gone: string[] = [];
  try {
    for (const each of lacking) {
      try {
        await client.getItem(each.itemId, { signal, priority: 'settle' });
        return each;
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        gone.push(each.itemId);
      }
    }
    return undefined;
  } finally {
    if (gone.length > 0) await ledger.items.forgetAcknowledged(apiUrl, { ids: gone });
  }
}
