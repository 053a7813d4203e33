/** What changed between two readings of the inventory: a bridge from the old value to the new one. */
import { Big } from 'big.js';
import type { Row, Section, Value } from './model.ts';
import type { Snapshot, SnapshotItem } from './snapshot.ts';
import { Tally, valueOf } from './tally.ts';
import { timeText } from './value-text.ts';

/** How many changed items to list for each currency: those whose value changed most. */
const MOST_LISTED = 100;

interface Change {
  what: 'new' | 'gone' | 'from_currency' | 'to_currency' | 'revalued' | 'status';
  before: SnapshotItem | undefined;
  now: SnapshotItem | undefined;
  /** Difference of the known values; an unknown value counts as 0. */
  difference: Big;
}

/** One currency; an item whose currency changed leaves one bridge and enters another. */
class Bridge {
  readonly earlier = new Tally();
  readonly now = new Tally();
  readonly changes: Change[] = [];

  of(what: Change['what']): { items: number; difference: Big } {
    const some = this.changes.filter((change) => change.what === what);
    return {
      items: some.length,
      difference: some.reduce((sum, change) => sum.plus(change.difference), new Big(0)),
    };
  }
}

/** Two readings of one selection, compared. */
export interface Comparison {
  /** When the earlier one was read. */
  at: string;
  /** By currency, the one with the most items first, as in the totals. */
  bridges: ReadonlyMap<string, Bridge>;
}

/**
 * Compares with an earlier reading, of which only a piece is in memory at a time.
 *
 * @param now all items of the selection
 * @returns undefined if the earlier reading is incomplete: what it lacks would look new
 */
export async function compare(
  before: Snapshot,
  now: readonly SnapshotItem[],
): Promise<Comparison | undefined> {
  const bridges = new Map<string, Bridge>();
  const of = (currency: string): Bridge => {
    const bridge = bridges.get(currency) ?? new Bridge();
    bridges.set(currency, bridge);
    return bridge;
  };
  const added = new Map(now.map((item) => [item[0], item]));
  let count = 0;
  for await (const piece of before.pieces()) {
    count += piece.length;
    for (const old of piece) {
      const item = added.get(old[0]);
      added.delete(old[0]);
      of(old[3]).earlier.add(old[4]);
      if (item === undefined) leave(of(old[3]), old, 'gone');
      else stay(of, old, item);
    }
  }
  if (count !== before.count) return undefined;
  for (const item of now) of(item[3]).now.add(item[4]);
  for (const item of added.values()) enter(of(item[3]), item, 'new');
  return {
    at: before.at,
    bridges: new Map([...bridges].sort(([a, x], [b, y]) => y.now.items - x.now.items || (a < b ? -1 : 1))),
  };
}

function stay(of: (currency: string) => Bridge, before: SnapshotItem, now: SnapshotItem): void {
  const bridge = of(now[3]);
  if (before[3] !== now[3]) {
    enter(bridge, now, 'from_currency');
    leave(of(before[3]), before, 'to_currency');
  } else if (before[4] !== now[4]) {
    bridge.changes.push({ what: 'revalued', before, now, difference: known(now).minus(known(before)) });
  } else if (before[2] !== now[2]) {
    bridge.changes.push({ what: 'status', before, now, difference: new Big(0) });
  }
}

function enter(bridge: Bridge, now: SnapshotItem, what: 'new' | 'from_currency'): void {
  bridge.changes.push({ what, before: undefined, now, difference: known(now) });
}

function leave(bridge: Bridge, before: SnapshotItem, what: 'gone' | 'to_currency'): void {
  bridge.changes.push({ what, before, now: undefined, difference: new Big(0).minus(known(before)) });
}

/**
 * Two sections: the bridge, and the items behind it. None if there is nothing to compare with.
 *
 * @param complete false if the list changed while it was read: items that were not seen may still exist
 */
export function changeSections(comparison: Comparison | undefined, complete: boolean): Section[] {
  if (comparison === undefined) return [];
  const { at, bridges } = comparison;
  const notes = [`Compared with the report of ${timeText(at)}.`];
  if (!complete) notes.push('The list changed while it was read: items shown as gone may still exist.');
  return [
    {
      id: 'changes',
      title: 'Changes since the last report',
      notes: [...notes, 'Items without a value are counted but add nothing to the value.'],
      columns: [
        { key: 'step', title: 'Step', kind: 'text' },
        { key: 'items', title: 'Items', kind: 'count' },
        { key: 'value', title: 'Value', kind: 'money' },
      ],
      blocks: [...bridges].map(([currency, bridge]) => ({ currency, rows: steps(bridge) })),
      empty: 'There were no items then, and there are none now.',
    },
    {
      id: 'changed_items',
      title: 'What changed',
      notes: [`The ${MOST_LISTED} items in each currency whose value changed most.`],
      columns: [
        { key: 'what', title: 'What', kind: 'text' },
        { key: 'name', title: 'Name', kind: 'text' },
        { key: 'status_then', title: 'Status then', kind: 'text' },
        { key: 'status_now', title: 'Status now', kind: 'text' },
        { key: 'value_then', title: 'Value then', kind: 'money' },
        { key: 'value_now', title: 'Value now', kind: 'money' },
        { key: 'difference', title: 'Difference', kind: 'money' },
      ],
      blocks: [...bridges].flatMap(([currency, bridge]) => {
        const rows = listed(bridge);
        return rows.length === 0 ? [] : [{ currency, rows }];
      }),
      empty: 'Nothing changed.',
    },
  ];
}

function steps(bridge: Bridge): Row[] {
  const came = bridge.of('new');
  const left = bridge.of('gone');
  const from = bridge.of('from_currency');
  const to = bridge.of('to_currency');
  const revalued = bridge.of('revalued');
  const row = (key: string, title: string, items: Value, amount: Value): Row => ({
    key,
    values: [title, items, amount],
  });
  return [
    row('then', 'Then', bridge.earlier.items, bridge.earlier.sum),
    row('new', 'New items', came.items, came.difference),
    row('gone', 'No longer in the list', -left.items, left.difference),
    // Rare, so shown only if there are any.
    ...(from.items === 0
      ? []
      : [row('from_currency', 'Were in another currency', from.items, from.difference)]),
    ...(to.items === 0 ? [] : [row('to_currency', 'Now in another currency', -to.items, to.difference)]),
    row('revalued', 'Value changed (items that stayed)', null, revalued.difference),
    row('now', 'Now', bridge.now.items, bridge.now.sum),
    row('revalued_items', 'Items whose value changed', revalued.items, null),
    row('status_items', 'Items whose status changed (value unchanged)', bridge.of('status').items, null),
  ];
}

const WORDS: Record<Change['what'], string> = {
  new: 'new',
  gone: 'no longer in the list',
  from_currency: 'was in another currency',
  to_currency: 'now in another currency',
  revalued: 'value changed',
  status: 'status changed',
};

function listed(bridge: Bridge): Row[] {
  return bridge.changes
    .toSorted((a, b) => b.difference.abs().cmp(a.difference.abs()))
    .slice(0, MOST_LISTED)
    .map(({ what, before, now, difference }) => ({
      key: (now ?? before)?.[0] ?? '',
      values: [
        WORDS[what],
        (now ?? before)?.[1] ?? '',
        before?.[2] ?? null,
        now?.[2] ?? null,
        value(before) ?? null,
        value(now) ?? null,
        difference,
      ],
    }));
}

function value(item: SnapshotItem | undefined): Big | undefined {
  return valueOf(item?.[4]);
}

function known(item: SnapshotItem): Big {
  return value(item) ?? new Big(0);
}
