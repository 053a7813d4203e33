/**
 * The changes between two inventories: additions, removals, moves and value changes, by currency and collection. Pure.
 */
import { Big } from 'big.js';
import type { ReadItem, Reading } from '../export/keep/readings.ts';
import { Tally, valueOf } from '../export/tally.ts';

/** In the order in which they are shown. */
export const MOVEMENTS = [
  'added',
  'returned',
  'sold',
  'archived',
  'gone',
  'moved_in',
  'moved_out',
  'from_currency',
  'to_currency',
  'revalued',
  'status',
] as const;
export type MovementKind = (typeof MOVEMENTS)[number];

/** A change of one item. */
export interface Movement {
  kind: MovementKind;
  currency: string;
  collection: string;
  before: ReadItem | undefined;
  now: ReadItem | undefined;
  /** Change in the number of items: 1, 0 or -1. */
  items: number;
  /** Increase of the inventory's value; null if it is unknown. */
  amount: Big | null;
}

/** Items and value of the changes of one kind. */
interface Step {
  items: number;
  amount: Big;
  /** Number of changes. */
  movements: number;
}

/** From opening to closing: opening + the amounts of all steps = closing, exactly, and likewise for the items. */
export class RollForward {
  readonly opening = new Tally();
  readonly closing = new Tally();
  readonly #steps = new Map<MovementKind, Step>();

  add({ kind, items, amount }: Movement): void {
    const step = this.step(kind);
    this.#steps.set(kind, {
      items: step.items + items,
      amount: step.amount.plus(amount ?? 0),
      movements: step.movements + 1,
    });
  }

  step(kind: MovementKind): Step {
    return this.#steps.get(kind) ?? { items: 0, amount: new Big(0), movements: 0 };
  }
}

/** The comparison of two readings. */
export interface Comparison {
  /** When the earlier one was read. */
  at: string;
  /** By currency, beginning with the currency that has the most items at the end. */
  currencies: ReadonlyMap<string, RollForward>;
  /** By currency, and then by collection. */
  collections: ReadonlyMap<string, ReadonlyMap<string, RollForward>>;
  movements: readonly Movement[];
}

/**
 * Compares with an earlier reading, of which only a piece is in memory at a time. A sold or archived item is deducted
 * at its value in the earlier reading; a new item that is already sold or archived counts as an addition and a removal.
 *
 * @param now all items of the later reading
 * @param counts whether items of a status are in the inventory; default: all
 * @returns undefined if the earlier reading was stored without items or is incomplete: missing items would look new
 */
export async function compare(
  before: Reading,
  now: readonly ReadItem[],
  counts: (status: string) => boolean = () => true,
): Promise<Comparison | undefined> {
  if (before.pieces === undefined) return undefined;
  const flows = new Map<string, { all: RollForward; collections: Map<string, RollForward> }>();
  const of = ([, , , currency, , collection]: ReadItem): RollForward[] => {
    const flow = flows.get(currency) ?? { all: new RollForward(), collections: new Map() };
    flows.set(currency, flow);
    const own = flow.collections.get(collection) ?? new RollForward();
    flow.collections.set(collection, own);
    return [flow.all, own];
  };
  const movements: Movement[] = [];
  const move = (
    kind: MovementKind,
    where: ReadItem,
    what: Pick<Movement, 'before' | 'now' | 'items' | 'amount'>,
  ) => {
    const movement = { kind, currency: where[3], collection: where[5], ...what };
    movements.push(movement);
    for (const flow of of(where)) flow.add(movement);
  };
  const enter = (kind: MovementKind, before: ReadItem | undefined, item: ReadItem) =>
    move(kind, item, { before, now: item, items: 1, amount: valued(item) });
  const leave = (kind: MovementKind, item: ReadItem, after: ReadItem | undefined) =>
    move(kind, item, { before: item, now: after, items: -1, amount: lost(item) });

  const rest = new Map(now.map((item) => [item[0], item]));
  let count = 0;
  for await (const piece of before.pieces()) {
    count += piece.length;
    for (const old of piece) {
      const item = rest.get(old[0]);
      rest.delete(old[0]);
      const was = counts(old[2]);
      if (was) for (const flow of of(old)) flow.opening.add(old[4]);
      const is = item !== undefined && counts(item[2]);
      if (was && !is) leave(item === undefined ? 'gone' : leaving(item), old, item);
      else if (!was && is) enter('returned', old, item);
      else if (was && is) stay(old, item, { enter, leave, move });
    }
  }
  if (count !== before.items) return undefined;
  for (const item of rest.values()) {
    enter('added', undefined, item);
    if (!counts(item[2]))
      move(leaving(item), item, { before: undefined, now: item, items: -1, amount: lost(item) });
  }
  for (const item of now) if (counts(item[2])) for (const flow of of(item)) flow.closing.add(item[4]);

  const inOrder = [...flows].sort(
    ([a, x], [b, y]) => y.all.closing.items - x.all.closing.items || (a < b ? -1 : 1),
  );
  return {
    at: before.at,
    currencies: new Map(inOrder.map(([currency, { all }]) => [currency, all])),
    collections: new Map(inOrder.map(([currency, { collections }]) => [currency, collections])),
    movements,
  };
}

type Move = (
  kind: MovementKind,
  where: ReadItem,
  what: Pick<Movement, 'before' | 'now' | 'items' | 'amount'>,
) => void;

function stay(
  before: ReadItem,
  now: ReadItem,
  {
    enter,
    leave,
    move,
  }: {
    enter: (kind: MovementKind, before: ReadItem | undefined, item: ReadItem) => void;
    leave: (kind: MovementKind, item: ReadItem, after: ReadItem | undefined) => void;
    move: Move;
  },
): void {
  if (before[3] !== now[3]) {
    leave('to_currency', before, now);
    enter('from_currency', before, now);
    return;
  }
  const [old, own] = [valued(before), valued(now)];
  if (before[5] !== now[5]) {
    leave('moved_out', before, now);
    move('moved_in', now, { before, now, items: 1, amount: old });
  }
  // A value that became known or unknown changes the sum of the known ones.
  const amount = old === null && own === null ? null : (own ?? new Big(0)).minus(old ?? 0);
  if (before[4] !== now[4]) move('revalued', now, { before, now, items: 0, amount });
  else if (before[2] !== now[2]) move('status', now, { before, now, items: 0, amount });
}

/** The value of an inventory; null if it has items, but none with a value. */
export function sumKnown({ items, known, sum }: Pick<Tally, 'items' | 'known' | 'sum'>): Big | null {
  return items > 0 && known === 0 ? null : sum;
}

/** The values of a movement then and now; null if they are unknown or in another currency. */
export function thenAndNow({ currency, before, now }: Movement): [then: Big | null, now: Big | null] {
  const shown = (item: ReadItem | undefined) => (item?.[3] === currency ? valued(item) : null);
  return [shown(before), shown(now)];
}

function leaving([, , status]: ReadItem): 'sold' | 'archived' {
  return status === 'sold' ? 'sold' : 'archived';
}

function valued(item: ReadItem): Big | null {
  return valueOf(item[4]) ?? null;
}

function lost(item: ReadItem): Big | null {
  return valued(item)?.neg() ?? null;
}
