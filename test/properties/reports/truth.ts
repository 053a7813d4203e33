/** What reports of given states of the server must show. It shares no code with the sources. */
import type { Item } from '../../../src/api/schemas.ts';
import type { Line } from './files.ts';
import { meanOf, shareOf, shown, unitsOf } from './money.ts';

/** Items by id. */
export type State = ReadonlyMap<string, Item>;

/** The states of a server by time. */
export class Truth {
  readonly #log: { at: number; state: State }[] = [];

  record(at: number, items: readonly Item[]): void {
    this.#log.push({ at, state: new Map(items.map((item) => [item.id, item])) });
  }

  at(time: number): State {
    return this.#log.findLast(({ at }) => at <= time)?.state ?? new Map();
  }

  /** All states from one time to another. */
  between(from: number, to: number): State[] {
    return [this.at(from), ...this.#log.filter(({ at }) => at > from && at <= to).map(({ state }) => state)];
  }
}

export const isOwned = ({ status }: Item) => status !== 'sold' && status !== 'archived';
const amountOf = ({ estimated_value: value, currency }: Item) =>
  value === null || value === undefined ? null : (unitsOf(value, currency) ?? null);

interface Sum {
  items: number;
  known: number;
  sum: bigint;
}

function sumOf(items: readonly Item[]): Sum {
  const amounts = items.map(amountOf).filter((amount) => amount !== null);
  return { items: items.length, known: amounts.length, sum: amounts.reduce((a, b) => a + b, 0n) };
}

/** Unknown if there are items, and none has a value. */
const total = ({ items, known, sum }: Sum) => (items > 0 && known === 0 ? null : sum);

type Names = (id: string) => string;

const DIMENSIONS: Record<string, (item: Item, nameOf: Names) => string> = {
  'By status': ({ status }) => status,
  'By collection': ({ collection_id: id }, nameOf) => nameOf(id),
  'By brand': ({ brand }) => brand ?? '',
  'By decade': ({ release_year: year }) => (typeof year === 'number' ? `${Math.floor(year / 10)}0s` : ''),
};

/** The sections of totals. */
export function totalsOf(items: readonly Item[], nameOf: Names): [title: string, lines: Line[]][] {
  return Object.entries(DIMENSIONS).map(([title, keyOf]) => [
    title,
    [...Map.groupBy(items, ({ currency }) => currency)].flatMap(([currency, own]) => {
      const all = sumOf(own);
      return [['Total', own] as const, ...Map.groupBy(own, (item) => keyOf(item, nameOf))].map(
        ([key, group]) => {
          const { items: count, known, sum } = sumOf(group);
          const isKnown = known > 0;
          return lineOf(currency, [
            key,
            count,
            isKnown ? sum : null,
            isKnown ? shareOf(sum, all.sum, currency) : null,
            isKnown ? meanOf(sum, known, currency) : null,
            known,
            count - known,
          ]);
        },
      );
    }),
  ]);
}

export type Figure = [label: string, currency: string, value: string];

/** The figures at the top. */
export function figuresOf(items: readonly Item[], label: string): Figure[] {
  const owned = items.filter(isOwned);
  const { items: count, known } = sumOf(owned);
  return [
    ['Items owned', '', shown(count, '')],
    ['Value unknown', '', shown(count - known, '')],
    ...[...Map.groupBy(owned, (item) => item.currency)].map(
      ([currency, own]): Figure => [label, currency, shown(total(sumOf(own)), currency)],
    ),
  ];
}

type Kind =
  | 'added'
  | 'returned'
  | 'sold'
  | 'archived'
  | 'no longer listed'
  | 'moved in'
  | 'moved out'
  | 'was in another currency'
  | 'now in another currency'
  | 'revalued'
  | 'status changed';

interface Movement {
  kind: Kind;
  /** Where it counts. */
  where: Item;
  before: Item | undefined;
  now: Item | undefined;
  items: number;
  /** null: unknown. */
  amount: bigint | null;
}

const negative = (amount: bigint | null) => (amount === null ? null : -amount);

/** @param counts whether an item is in the inventory */
export function movementsOf(opening: State, closing: State, counts: (item: Item) => boolean): Movement[] {
  const found: Movement[] = [];
  for (const id of new Set([...opening.keys(), ...closing.keys()])) {
    const [before, now] = [opening.get(id), closing.get(id)];
    const had = before !== undefined && counts(before);
    const has = now !== undefined && counts(now);
    const add = (kind: Kind, where: Item, items: number, amount: bigint | null) =>
      found.push({ kind, where, before, now, items, amount });
    const leaving = (item: Item) => (item.status === 'sold' ? 'sold' : 'archived');
    if (before === undefined && now !== undefined) {
      add('added', now, 1, amountOf(now));
      if (!has) add(leaving(now), now, -1, negative(amountOf(now)));
    } else if (had && !has)
      add(now === undefined ? 'no longer listed' : leaving(now), before, -1, negative(amountOf(before)));
    else if (!had && has) add('returned', now, 1, amountOf(now));
    else if (had && has && before.currency !== now.currency) {
      add('now in another currency', before, -1, negative(amountOf(before)));
      add('was in another currency', now, 1, amountOf(now));
    } else if (had && has) {
      const [old, own] = [amountOf(before), amountOf(now)];
      if (before.collection_id !== now.collection_id) {
        add('moved out', before, -1, negative(old));
        add('moved in', now, 1, old);
      }
      if (old !== own) add('revalued', now, 0, (own ?? 0n) - (old ?? 0n));
      else if (before.status !== now.status) add('status changed', now, 0, own === null ? null : 0n);
    }
  }
  return found;
}

const STEPS: { kinds: Kind[]; isRare?: true }[] = [
  { kinds: ['added'] },
  { kinds: ['returned'], isRare: true },
  { kinds: ['sold'] },
  { kinds: ['archived'] },
  { kinds: ['no longer listed'], isRare: true },
  { kinds: ['moved in', 'moved out'], isRare: true },
  { kinds: ['was in another currency', 'now in another currency'], isRare: true },
  { kinds: ['revalued'] },
];

/** The tables of a month, by their files. */
export function monthOf(opening: State | undefined, closing: State, nameOf: Names): Map<string, Line[]> {
  const tables = new Map<string, Line[]>();
  const owned = [...closing.values()].filter(isOwned);
  const itemLine = (item: Item) => {
    const { id, name, status, currency, collection_id: collection } = item;
    return lineOf(currency, [name, nameOf(collection), status, amountOf(item), id]);
  };
  tables.set('inventory.csv', owned.map(itemLine));
  tables.set('listings.csv', owned.filter(({ status }) => status !== 'keep').map(itemLine));
  if (opening === undefined) return tables;
  const movements = movementsOf(opening, closing, isOwned);
  const lines = movements.map(({ kind, where, before, now, amount }) => {
    const valueOf = (item: Item | undefined) =>
      item !== undefined && item.currency === where.currency ? amountOf(item) : null;
    const { name, id } = now ?? before ?? where;
    const statuses = [before?.status, now?.status];
    return lineOf(where.currency, [
      name,
      kind,
      nameOf(where.collection_id),
      ...statuses,
      valueOf(before),
      valueOf(now),
      amount,
      id,
    ]);
  });
  tables.set('movements.csv', lines);
  tables.set(
    'items-sold.csv',
    lines.filter((_, at) => movements[at]?.kind === 'sold'),
  );
  const steps = STEPS.filter(
    ({ kinds, isRare }) => isRare !== true || movements.some(({ kind }) => kinds.includes(kind)),
  );
  const places = Map.groupBy(
    [...[...opening.values()].filter(isOwned), ...movements.map(({ where }) => where), ...owned],
    ({ currency, collection_id: collection }) => `${currency} ${collection}`,
  );
  const rollOf = (isAmount: boolean) =>
    [...places.values()].flatMap(([place]) => {
      if (place === undefined) return [];
      const isHere = (item: Item) =>
        item.currency === place.currency && item.collection_id === place.collection_id;
      const end = (state: State) => {
        const sum = sumOf([...state.values()].filter((item) => isOwned(item) && isHere(item)));
        return isAmount ? total(sum) : sum.items;
      };
      const own = movements.filter(({ where }) => isHere(where));
      const shownSteps = steps
        .filter(({ kinds }) => isAmount || !kinds.includes('revalued'))
        .map(({ kinds }) => {
          const some = own.filter(({ kind }) => kinds.includes(kind));
          return isAmount
            ? some.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
            : some.reduce((sum, { items }) => sum + items, 0);
        });
      return lineOf(place.currency, [nameOf(place.collection_id), end(opening), ...shownSteps, end(closing)]);
    });
  tables.set('roll-forward.csv', rollOf(true));
  tables.set('roll-forward-items.csv', rollOf(false));
  return tables;
}

/** The bridge from the last report to this one. */
export function bridgeOf(before: readonly Item[], now: readonly Item[]): Line[] {
  const byId = (items: readonly Item[]) => new Map(items.map((item) => [item.id, item]));
  const movements = movementsOf(byId(before), byId(now), () => true);
  const currencies = new Set([...before, ...now].map(({ currency }) => currency));
  return [...currencies].flatMap((currency) => {
    const of = (kind: Kind) =>
      movements.filter((each) => each.kind === kind && each.where.currency === currency);
    const amount = (kind: Kind) => of(kind).reduce((sum, each) => sum + (each.amount ?? 0n), 0n);
    const here = (items: readonly Item[]) => sumOf(items.filter((item) => item.currency === currency));
    const [then, end] = [here(before), here(now)];
    const count = (kind: Kind, sign: 1 | -1) => of(kind).length * sign;
    const lines: [string, number | null, bigint | null][] = [
      ['Then', then.items, total(then)],
      ['New items', count('added', 1), amount('added')],
      ['No longer in the list', count('no longer listed', -1), amount('no longer listed')],
      ...(of('was in another currency').length === 0
        ? []
        : [
            [
              'Were in another currency',
              count('was in another currency', 1),
              amount('was in another currency'),
            ] as [string, number, bigint],
          ]),
      ...(of('now in another currency').length === 0
        ? []
        : [
            [
              'Now in another currency',
              count('now in another currency', -1),
              amount('now in another currency'),
            ] as [string, number, bigint],
          ]),
      ['Value changed (items that stayed)', null, amount('revalued')],
      ['Now', end.items, total(end)],
      ['Items whose value changed', of('revalued').length, null],
      ['Items whose status changed (value unchanged)', of('status changed').length, null],
    ];
    return lines.map((cells) => lineOf(currency, cells));
  });
}

function lineOf(currency: string, cells: readonly (string | number | bigint | null | undefined)[]): Line {
  return { currency, cells: cells.map((cell) => shown(cell, currency)) };
}
