/**
 * When a list that is numbered by page, and that shifts while it is read, has been read completely (design §7).
 * Pure.
 *
 * Let t0 be the moment of the first count, N0 that count, and R the distinct ids read after t0. At a later count of
 * N items at time t, let c items have been created since t0 and d removed (by hand: the API removes nothing).
 *
 *   N = N0 + c - d                                                                                      (1)
 *
 * If nothing was removed (d = 0), everything that was read is still in the list. So R is a subset of the list, and
 * |R| = N makes the two equal, whatever the sort key, ties, inflow or order of reading. If |R| < N, exactly N - |R|
 * items are missing.
 *
 * Items known to be new reveal removals. Let k items of R have been created after t0. Since c >= k, N < N0 + k
 * shows by (1) that something was removed. So does a count below an earlier one, and so does |R| > N. A removal
 * that none of these reveals does no harm if |R| = N. Let G items of R be gone, x old ones (there at t0) and u new
 * ones be removed without having been read, and let s new and m old ones be in the list unread. Then d = G + x + u
 * and c - k = s + u. "Not revealed" means d <= c - k, so G + x <= s. |R| = N means that as many are missing as are
 * gone: s + m = G. Together, m + x <= 0: every item that was there at t0 was read, and only some that are younger
 * than t0 were not.
 *
 * In every case, N0 + k - |R| old items were not read: there were N0, and |R| - k of them were read. That bounds
 * what an incomplete reading misses.
 *
 * An item counts as new (in k) by its created_at, compared with what the head of the list showed just before t0, so
 * only the server's own clock matters. A new item is not on that head, and was created no earlier than the latest
 * time on it (created_at or updated_at, so that it holds for either sort key). The head is read far enough to show
 * something older than that latest time, so that it has everything that shares it. Only if ten pages show a single
 * time (a block of items made at once) must a new item have a later time. An item made in the same tick as that
 * block, but after t0, then counts as old and can hide one removal. first-count.ts makes t0 a moment. So k is
 * exact, as long as the server gives later items later times. Items whose times cannot be read are told apart by
 * the head alone (first-count.ts) and never count in k, so as many removals may hide behind creates. The same goes
 * for items that were changed before they were created: the server's clock was set back, and their times prove
 * nothing.
 *
 * None of this depends on how long it takes, or on one process. When a reading is interrupted, what it read is kept
 * together with its head and N0 (Checkpoint), and the next one continues from the same t0. R then holds ids of
 * both, all read after t0, in versions that really existed, so (1) and what follows hold for their union. A
 * checkpoint may name a page too early (it is read again, and counts nothing twice) or too late (what it skips is a
 * gap, and gaps are looked for). It must not name a head or a count taken after anything that is kept with it. An
 * earlier count above N0 is lost with the interrupted run; the argument does not use it. The list must be the same:
 * kept-export.ts uses a checkpoint only for the same API and the same team.
 */

import { UuidSet } from './uuid-set.ts';

export interface Listed {
  id: string;
  created_at: string;
  updated_at: string;
}

/** The head of the list just before the first count. */
export interface Head {
  ids: ReadonlySet<string>;
  /** Latest time on it, ms; undefined if none can be read. */
  latest: number | undefined;
  /**
   * True if the head contains everything that shares `latest`: it shows an item that is older by both times, or is the
   * whole list.
   */
  bounded: boolean;
}

/** @param whole true if the list ends with these items */
export function headOf(items: readonly Listed[], whole: boolean): Head {
  const latest = latestOf(items);
  return {
    ids: new Set(items.map((item) => item.id)),
    latest,
    bounded: latest !== undefined && (whole || items.some((item) => isOlder(item, latest))),
  };
}

/** Latest time of any of the items, ms; undefined if none can be read. */
export function latestOf(items: readonly Listed[]): number | undefined {
  let latest: number | undefined;
  for (const item of items) {
    const time = touchedAt(item);
    if (time !== undefined) latest = Math.max(latest ?? time, time);
  }
  return latest;
}

/** Whether the item was created after the head was read (see above); unknown if times cannot be read. */
export function ageSince(head: Head, item: Listed): 'new' | 'old' | 'unknown' {
  const { latest, bounded, ids } = head;
  const created = Date.parse(item.created_at);
  // Decides nearly all items.
  if (latest !== undefined && (created < latest || (created === latest && !bounded))) return 'old';
  if (ids.has(item.id)) return 'old';
  const isDated = created <= Date.parse(item.updated_at);
  return latest === undefined || !isDated ? 'unknown' : 'new';
}

/** The later of the two times, ms; undefined if one cannot be read. */
export function touchedAt(item: Listed): number | undefined {
  const time = Math.max(Date.parse(item.created_at), Date.parse(item.updated_at));
  return Number.isNaN(time) ? undefined : time;
}

/** True if the item is known to have been created and last changed before `time` (ms). */
export function isOlder(item: Listed, time: number): boolean {
  const touched = touchedAt(item);
  return touched !== undefined && touched < time;
}

/** True if the item is not known to have been created or changed after `time` (ms). */
export function isUntouched(item: Listed, time: number | undefined): boolean {
  const touched = touchedAt(item);
  return touched === undefined || time === undefined || touched <= time;
}

/**
 * complete: everything was read. gap: something was not read, and no removal was seen. removed: something was
 * removed since t0.
 */
export type Completeness = 'complete' | 'gap' | 'removed';

/** Counts the entries that were read of one list since t0. */
export class CompletenessCounter {
  readonly #head: Head;
  readonly #before: number;
  readonly #ids: UuidSet;
  #newer = 0;
  /** Number of ids read that may be new: their times, or all times on the head, cannot be read. */
  #undated = 0;
  #latestCount: number;
  #removed = 0;

  /** @param before N0, counted after `head` was read and before anything passed to `take` */
  constructor(head: Head, before: number) {
    this.#head = head;
    this.#before = before;
    this.#latestCount = before;
    this.#ids = new UuidSet(before);
  }

  /** Takes the items of one page; returns those that were not read before. */
  take<T extends Listed>(items: readonly T[]): T[] {
    return items.filter((item) => {
      if (!this.#ids.add(item.id)) return false;
      const age = ageSince(this.#head, item);
      if (age === 'new') this.#newer += 1;
      else if (age === 'unknown') this.#undated += 1;
      return true;
    });
  }

  /** Judges a count that was taken after everything passed to `take` had been read. */
  judge(count: number): Completeness {
    const removed = Math.max(
      this.#latestCount - count,
      this.#before + this.#newer - count,
      this.#ids.size - count,
    );
    this.#removed = Math.max(this.#removed, removed);
    this.#latestCount = count;
    if (this.#removed > 0) return 'removed';
    return this.#ids.size === count ? 'complete' : 'gap';
  }

  /** N0 and the latest count. */
  get counts(): { before: number; after: number } {
    return { before: this.#before, after: this.#latestCount };
  }

  get distinct(): number {
    return this.#ids.size;
  }

  /** Number of ids read of items that were created after t0. */
  get newer(): number {
    return this.#newer;
  }

  /** Lower bound of the items removed since t0. */
  get removedAtLeast(): number {
    return this.#removed;
  }

  /** Number of items that existed at t0 and were not read; an upper bound if times cannot be read. */
  get missing(): number {
    const missing = this.#before + this.#newer + this.#undated - this.#ids.size;
    return Math.min(this.#before, Math.max(0, missing));
  }
}
