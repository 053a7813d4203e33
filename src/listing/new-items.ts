/** How long after its creation an item may be missing from a list, or its id unknown. */
import type { FieldWatch } from '../api/field-watch.ts';
import type { Item } from '../api/schemas.ts';
import { ageOf, type Clock } from '../base/clock.ts';

/** Key space in the store: the longest observed lag of an address's list, ms. */
export const LAGS = 'list-lag';

/**
 * Every reading must show the creates that were acknowledged within this time: one server of several may lag behind
 * another. The time is limited because a list may never show some items (for example, archived ones).
 */
export const KEPT_MS = 3_600_000;

/**
 * The API has no delete, so an item that was acknowledged within this time and whose id is unknown is more likely late
 * than deleted. No quick answer shortens this time: another server of the same address may be slow.
 */
export const NEW_MS = 60_000;

/** Pauses between two readings that lack a new item; each is twice the one before. */
export const PAUSE_MS = { first: 250, longest: 15_000 };

/**
 * How much longer an item may appear whose id the server does not know, ms; 0 if it is gone.
 *
 * @param item `at`: when the server acknowledged it, ms on our wall clock
 * @param lagMs the longest observed lag of the address
 * @param waitedMs how long the caller has lacked the item; it counts if the wall clock was set back
 */
export function mayAppearFor(
  { at }: { at: number },
  lagMs: number,
  clock: Pick<Clock, 'now' | 'monotonic' | 'slept' | 'begun'>,
  waitedMs = 0,
): number {
  return Math.max(0, Math.max(lagMs, NEW_MS) - Math.max(ageOf(at, clock).least, waitedMs));
}

/**
 * Loads a page again while it has a new item without the fields that the list leaves out, because the server does not
 * know the item by its id yet. An older one was probably deleted since the list showed it.
 */
export async function withNewItems<P>(
  load: () => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
  watch: FieldWatch,
  clock: Clock,
  signal: AbortSignal,
): Promise<P> {
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
    const page = await load();
    const now = clock.monotonic();
    // An item that is dated ahead is waited for once, and not again for each reading of its page.
    const isNew = ({ id, created_at: at }: Item) =>
      mayAppearFor({ at: Date.parse(at) }, 0, clock, now - watch.unreadSince(id, now)) > 0;
    if (!watch.unreadOf(itemsOf(page)).some(isNew)) return page;
    await clock.sleep(pauseMs, signal);
  }
}
