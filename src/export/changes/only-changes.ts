/**
 * The rows of `--changed-since-last NAME`: rows that the last export of that name lacked or had with other values, and
 * rows it had that are no longer selected. The column `_change` tells them apart:
 *
 *   created  came into the list since the last export of the name (in the first one: every row)
 *   changed  has other values now, or came into the selection since
 *   left     no longer passes the filters (the row as it is now), or no longer exists (only its id)
 *
 * With `--became STATUS`, only rows that came into the selection. The first run writes no rows, and items that came
 * before it are never reported.
 *
 * The whole list is read each time. "Newest first" may mean created or changed (contract §4), so a changed item may
 * be on any page, and items that left the selection are not at the head of the list. So the contract never makes it
 * safe to stop early, and the manifest says so.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/equal-json.ts';
import type { Item } from '../../api/schemas.ts';
import { FileChunks } from '../keep/chunk-store.ts';
import { PageSpool } from '../keep/page-spool.ts';
import type { Rows } from '../read/read-rows.ts';
import { BECAME_AFTER, BECAME_BY, CHANGE_COLUMN, type Row } from '../row.ts';
import { RowTally } from '../write/row-tally.ts';
import { type ChangeState, leftOut, type ProposedChanges } from './change-state.ts';

type Change = 'created' | 'changed' | 'left';

export const READ_WHOLE =
  'The whole list was read: the API does not say whether "newest first" means created or changed, so a changed item can be on any page.';

const STARTING_POINT =
  'This export sets the starting point: from now on, the file has what came to the status since the file before it.';

/** Summary for the manifest. */
export interface ChangesSummary {
  name: string;
  /** When the last export of the name began to read; null for the first. */
  since: string | null;
  /** With `--became`: the status. */
  became?: string;
  created: number;
  changed: number;
  left: number;
  unchanged: number;
  /**
   * Number of items that were wanted before, but not seen in a list that changed while it was read: they are reported
   * as left once a stable list lacks them.
   */
  notSeen: number;
  explanation: string;
}

export interface Changes extends AsyncDisposable {
  /** Only changed rows, with `_change`; closes its source. */
  rows: Rows;
  summary: ChangesSummary;
  /**
   * Adds the changes that the file reports to the state of the name (ChangeState.propose); undefined if the file only
   * sets a starting point, which counts even if the file does not arrive.
   */
  propose(): Promise<ProposedChanges | undefined>;
}

/**
 * Decides which earlier files are the team's, if only the list can tell.
 *
 * @returns false if nothing shows that they are
 * @throws UsageError `changes_of_other_team`
 */
export async function decideTeam(
  state: ChangeState,
  rows: Rows,
  became: string | undefined,
): Promise<boolean> {
  const ids = new Set(rows.left.map(({ id }) => id.toLowerCase()));
  let since = Number.POSITIVE_INFINITY;
  for await (const batch of rows.batches())
    for (const { id, updated_at: changed } of batch as Item[]) {
      ids.add(id.toLowerCase());
      // A layout may have left an item out of a file of all changes.
      const at = became === undefined ? since : Date.parse(changed);
      if (at < since) since = at;
    }
  return state.decide((id) => ids.has(id), since);
}

/**
 * @param about `latest`: latest time on the list when the reading began, ms; `became`: only rows that changed to this
 *   status since; this is the selection
 */
export async function onlyChanges(
  state: ChangeState,
  rows: Rows,
  about: {
    startedAt: string;
    latest: number | null;
    became: string | undefined;
    /** Whether the selection depends on more than the status. */
    isFiltered: boolean;
    /** Whether the layout has a row for an item. */
    takes?: ((item: Item) => boolean) | undefined;
    /** ISO 8601. */
    now: () => string;
  },
): Promise<Changes> {
  const isFirst = state.last.at === null;
  const { became } = about;
  const startsOnly = became !== undefined && isFirst;
  const spool = new PageSpool<Row>(new FileChunks());
  const tally = new RowTally();
  const counts = { created: 0, changed: 0, left: 0, unchanged: 0, notSeen: 0 };
  const next = new Map<string, string>();
  const seenToBecome = (item: Item) => {
    const id = item.id.toLowerCase();
    // The state knows no items beyond the filters: an old sale may have come into the selection.
    const wasSeen = !about.isFiltered || state.items.has(id) || changeOf(item, state) === 'created';
    const window = state.leftOutOf(id) ?? { after: wasSeen ? (state.last.at ?? '') : '', by: about.now() };
    return { [BECAME_AFTER]: window.after, [BECAME_BY]: window.by };
  };
  const keep = async (items: readonly Item[], change: (item: Item) => Change) => {
    const marked = items.map((item) => ({
      ...item,
      [CHANGE_COLUMN]: change(item),
      ...(became === undefined ? {} : asCells(seenToBecome(item))),
    }));
    for (const item of marked) {
      tally.add(item);
      // What has left the selection is nothing to receive.
      if (about.takes?.(item) !== false || item[CHANGE_COLUMN] === 'left') continue;
      // Nobody received a row that the layout leaves out: it is reported again. With a status, it has the time at
      // which it was seen.
      const id = item.id.toLowerCase();
      const before = became === undefined ? state.items.get(id) : leftOut(seenToBecome(item));
      if (before === undefined) next.delete(id);
      else next.set(id, before);
    }
    if (marked.length > 0) await spool.add(JSON.stringify({ data: marked }));
  };
  try {
    for await (const batch of rows.batches()) {
      const fresh = (batch as Item[]).filter((item) => {
        const fingerprint = itemFingerprint(item);
        const id = item.id.toLowerCase();
        next.set(id, fingerprint);
        if (became !== undefined) return !isFirst && !state.hasAlways(id);
        return state.items.get(id) !== fingerprint;
      });
      counts.unchanged += batch.length - fresh.length;
      await keep(fresh, (item) => {
        const change = changeOf(item, state);
        counts[change] += 1;
        return change;
      });
    }
    const left = new Set(rows.left.map(({ id }) => id.toLowerCase()));
    const gone = await missing(state, rows, { next, left, counts });
    if (became !== undefined) {
      // An item that has left the selection for a reason other than its status, or is not shown, has not become anything.
      const still = rows.left.filter(({ status }) => status === became).map(({ id }) => id.toLowerCase());
      for (const id of [...still, ...gone]) next.set(id, state.items.get(id) ?? '');
      counts.left = rows.left.length - still.length;
    } else {
      counts.left = rows.left.length + gone.length;
      await keep(rows.left, () => 'left');
      // Only the id is known of items that no longer exist.
      if (gone.length > 0)
        await spool.add(JSON.stringify({ data: gone.map((id) => ({ id, [CHANGE_COLUMN]: 'left' })) }));
      tally.rows += gone.length;
    }
  } catch (error) {
    await spool[Symbol.asyncDispose]();
    throw error;
  }
  return {
    rows: {
      ...rows,
      count: tally.rows,
      statuses: tally.statuses,
      values: tally.values,
      customFields: tally.customFields,
      async *batches() {
        for await (const { data } of spool.pages()) yield data;
      },
    },
    summary: {
      name: state.name,
      since: state.last.at,
      ...(became === undefined ? {} : { became }),
      ...counts,
      explanation: startsOnly ? STARTING_POINT : READ_WHOLE,
    },
    propose: () => {
      const read = { at: about.startedAt, latest: about.latest };
      return startsOnly ? state.begin(next, read) : state.propose(next, read);
    },
    [Symbol.asyncDispose]: () => spool[Symbol.asyncDispose](),
  };
}

/** An item that the state lacks was either created since, or came into the selection. */
function changeOf(item: Item, state: ChangeState): 'created' | 'changed' {
  if (state.hasAlways(item.id.toLowerCase())) return 'changed';
  const { latest } = state.last;
  if (latest === null) return 'created';
  const created = Date.parse(item.created_at);
  return Number.isNaN(created) || created >= latest ? 'created' : 'changed';
}

/**
 * Ids that were wanted before and not seen. If the list changed meanwhile, the reading may have missed
 * them, so they stay.
 */
async function missing(
  state: ChangeState,
  rows: Rows,
  {
    next,
    left,
    counts,
  }: { next: Map<string, string>; left: ReadonlySet<string>; counts: { notSeen: number } },
): Promise<string[]> {
  const unseen = [...state.items.keys()].filter((id) => !next.has(id) && !left.has(id));
  if (rows.reading.consistency === 'stable') return unseen;
  counts.notSeen = unseen.length;
  for (const id of unseen) next.set(id, state.items.get(id) ?? '');
  return [];
}

/** Twelve bytes (base64) that differ if any value of the item differs; the order of keys does not matter. */
export function itemFingerprint(item: Item): string {
  return createHash('sha256').update(canonicalJson(item)).digest('base64').slice(0, 16);
}

/** Null, not an empty text, if it is unknown after which reading: NDJSON has no blank cells. */
function asCells<T extends { [BECAME_AFTER]: string }>(seen: T) {
  return { ...seen, [BECAME_AFTER]: seen[BECAME_AFTER] === '' ? null : seen[BECAME_AFTER] };
}
