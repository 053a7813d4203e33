/**
 * When a list that is numbered by page and shifts while it is read has been read whole (design §7). Pure.
 *
 * Let t0 be the moment of the first count, N0 that count, and R the distinct ids read after t0. At a later count,
 * N of them at time t, let c items have been created since t0 and d removed (by hand: the API removes nothing).
 *
 *   N = N0 + c - d                                                                                      (1)
 *
 * Nothing removed (d = 0): all that was read still stands, so R is a subset of the list, and |R| = N makes the
 * two equal, whatever the sort key, ties, inflow or order of reading. |R| < N: exactly N - |R| are missing.
 *
 * Removals are found by what is known to be new: of R, k items were created after t0. So N < N0 + k shows by (1)
 * that something was removed, as c >= k; and so do a count below an earlier one, and |R| > N. A removal that none of
 * these shows does no harm where |R| = N. Let G of R be gone, x old ones (there at t0) and u new ones be removed
 * without having been read, and let s new and m old ones stand unread. Then d = G + x + u and c - k = s + u, and
 * unseen means d <= c - k, so G + x <= s. |R| = N makes what is missing as many as what is gone: s + m = G. Together
 * m + x <= 0: every item that stood at t0 was read, and only some that are younger than t0 were not.
 *
 * Whatever happened, the old ones that were not read number N0 + k - |R|: N0 there were, and |R| - k were read.
 * That is the bound on what a reading that is not complete misses.
 *
 * An item is new (counted in k) by its created_at, against what the head of the list showed just before t0, on the
 * server's own clock only: it does not stand there, and was created no earlier than the latest time there (created_at
 * or updated_at, so that it holds for either sort key). The head is read far enough to show something older than
 * that latest time, so that everything that shares it is known. Only where ten pages show one time alone (a block of
 * items made at once) must a new item have a later time; then an item made in the same tick as that block, after
 * t0, is taken for an old one, which can hide as many removals. first-count.ts makes t0 a moment. So k is exact, as
 * far as the server gives later items later times. Items whose times cannot be read are told by what the head shows
 * alone (first-count.ts), and are never counted in k: then removals may hide behind as many creates. So are items
 * that were changed before they were created: the server's clock was set back, and their times tell nothing.
 *
 * None of this speaks of how long it takes, or of one process. Where a reading was interrupted, what it had read is
 * kept together with its head and N0 (Checkpoint), and the next one goes on with the same t0: R then holds ids of
 * both, all read after t0, in versions that really existed, and (1) and all that follows holds for their union. A
 * checkpoint may name a page too early (it is read again, and counts nothing twice) or too late (what it skips is a
 * gap, and gaps are looked for); it may not name a head or a count that was taken after anything it is kept with.
 * An earlier count that was above N0 is forgotten with the interrupted run; the argument above does not use it. What
 * has to be the same is the list: a checkpoint is used for the same API and the same team alone, which kept-export.ts
 * sees to.
 */

import { UuidSet } from './uuid-set.ts';

/** What the completeness needs of an item. */
export interface Listed {
  id: string;
  created_at: string;
  updated_at: string;
}

/** The head of the list as it stood just before the first count. */
export interface Head {
  ids: ReadonlySet<string>;
  /** Latest time on it, ms; undefined where none can be read. */
  latest: number | undefined;
  /** True where everything that shares `latest` is on it: it shows something older in both times, or the whole list. */
  bounded: boolean;
}

/** @param whole true where the list ends with these items */
export function headOf(items: readonly Listed[], whole: boolean): Head {
  const latest = latestOf(items);
  return {
    ids: new Set(items.map((item) => item.id)),
    latest,
    bounded: latest !== undefined && (whole || items.some((item) => isOlder(item, latest))),
  };
}

/** Latest time of any of the items, ms; undefined where none can be read. */
export function latestOf(items: readonly Listed[]): number | undefined {
  let latest: number | undefined;
  for (const item of items) {
    const time = touchedAt(item);
    if (time !== undefined) latest = Math.max(latest ?? time, time);
  }
  return latest;
}

/** Whether the item was created after the head was read, see above; unknown where times cannot be read. */
export function ageSince(head: Head, item: Listed): 'new' | 'old' | 'unknown' {
  const { latest, bounded, ids } = head;
  const created = Date.parse(item.created_at);
  // Nearly all items are told by this.
  if (latest !== undefined && (created < latest || (created === latest && !bounded))) return 'old';
  if (ids.has(item.id)) return 'old';
  const isDated = created <= Date.parse(item.updated_at);
  return latest === undefined || !isDated ? 'unknown' : 'new';
}

/** Later of the two times, ms; undefined where one cannot be read. */
export function touchedAt(item: Listed): number | undefined {
  const time = Math.max(Date.parse(item.created_at), Date.parse(item.updated_at));
  return Number.isNaN(time) ? undefined : time;
}

/** Created and changed before `time` (ms), and that can be read. */
export function isOlder(item: Listed, time: number): boolean {
  const touched = touchedAt(item);
  return touched !== undefined && touched < time;
}

/** Neither created nor changed after `time` (ms), as far as its times can be read. */
export function isUntouched(item: Listed, time: number | undefined): boolean {
  const touched = touchedAt(item);
  return touched === undefined || time === undefined || touched <= time;
}

/** complete: all is read. gap: some is not, and nothing was seen removed. removed: something was removed since t0. */
export type Verdict = 'complete' | 'gap' | 'removed';

/** Counts what is read of one list, from one t0 on. */
export class CompletenessCounter {
  readonly #head: Head;
  readonly #before: number;
  readonly #ids: UuidSet;
  #newer = 0;
  /** Of the ids read, those that may be new: their times, or all of the head's, cannot be read. */
  #undated = 0;
  #latestCount: number;
  #removed = 0;

  /** @param before N0, taken after `head` was read and before anything that `take` is given */
  constructor(head: Head, before: number) {
    this.#head = head;
    this.#before = before;
    this.#latestCount = before;
    this.#ids = new UuidSet(before);
  }

  /** Items of one page; gives back those that were not read before. */
  take<T extends Listed>(items: readonly T[]): T[] {
    return items.filter((item) => {
      if (!this.#ids.add(item.id)) return false;
      const age = ageSince(this.#head, item);
      if (age === 'new') this.#newer += 1;
      else if (age === 'unknown') this.#undated += 1;
      return true;
    });
  }

  /** Judges a count that was taken after everything that `take` was given. */
  judge(count: number): Verdict {
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

  /** Of the ids read, those of items created after t0. */
  get newer(): number {
    return this.#newer;
  }

  /** How many items were removed since t0, at least. */
  get removedAtLeast(): number {
    return this.#removed;
  }

  /** How many of the items that stood at t0 were not read; at most, where times cannot be read. */
  get missing(): number {
    const missing = this.#before + this.#newer + this.#undated - this.#ids.size;
    return Math.min(this.#before, Math.max(0, missing));
  }
}
