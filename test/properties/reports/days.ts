/** Days of a collection: what people do with it, and the files that they make of it. */
import type { Item, ItemStatus } from '../../../src/api/schemas.ts';
import * as fc from '../../support/fast-check.ts';

const STATUSES = ['keep', 'sell', 'trade', 'sold', 'archived'] as const satisfies ItemStatus[];
const CURRENCIES = ['usd', 'usd', 'eur', 'jpy', 'kwd', 'gold'];

const value = fc.oneof(
  fc.constantFrom(null, null, 0, 0.004, 10.005, 2.5, 1.2345),
  fc.nat(200_000).map((cents) => cents / 100),
);
const itemSpec = fc.record({
  name: fc.constantFrom('Robot', 'robot', "O'Neil", '007', 'Bär'),
  brand: fc.constantFrom('Acme', 'Siku', null),
  release_year: fc.constantFrom(1979, 1984, null),
  status: fc.constantFrom(...STATUSES),
  currency: fc.constantFrom(...CURRENCIES),
  estimated_value: value,
  collection: fc.nat(2),
});
export type ItemSpec = typeof itemSpec extends fc.Arbitrary<infer T> ? T : never;
const items = fc.array(itemSpec, { minLength: 1, maxLength: 5 });

/** A number stands for the collection in that place. */
export interface Selection {
  status?: string;
  currency?: string;
  became?: string;
  collection?: number;
  where?: string[];
}
/** Selections of reports. */
export const FILTERS = {
  '': {},
  forSale: { status: 'sell,trade' },
  usd: { currency: 'usd' },
  books: { collection: 1 },
  dear: { where: ['estimated_value>=10'] },
} satisfies Record<string, Selection>;
export type Filter = keyof typeof FILTERS;
export const CHOOSES: Record<Filter, (item: Item, books: string) => boolean> = {
  '': () => true,
  forSale: ({ status }) => status === 'sell' || status === 'trade',
  usd: ({ currency }) => currency === 'usd',
  books: ({ collection_id: id }, books) => id === books,
  dear: ({ estimated_value: amount }) => (amount ?? 0) >= 10,
};
/** Names of files of changes. */
export const NAMES = {
  all: {},
  selling: { status: 'sell' },
  sold: { became: 'sold' },
  'sold books': { became: 'sold', collection: 1 },
} satisfies Record<string, Selection>;

const store = fc.constantFrom(0, 0, 0, 1);
const format = fc.constantFrom('csv', 'html', 'xlsx');
const filter = fc.constantFrom<Filter>('', '', '', 'forSale', 'usd', 'books', 'dear');
const back = fc.nat(40);
/** After how many writes to the store the command dies. */
const dies = fc.option(fc.nat(9), { freq: 7 });
/** Who makes the file: a person, or a worker that delivers it or gives up. */
const maker = fc.constantFrom('person', 'person', 'delivered', 'given up');
const how = fc.constantFrom(
  'value',
  'status',
  'name',
  'move',
  'currency',
  'sale',
  'sale',
  'remove',
  'archive',
);
const name = fc.constantFrom<keyof typeof NAMES>('all', 'selling', 'sold', 'sold', 'sold books');

function kind<const W extends string, F extends object>(
  weight: number,
  what: W,
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
): { weight: number; arbitrary: fc.Arbitrary<F & { what: W }> } {
  return { weight, arbitrary: fc.record(fields).map((made) => ({ ...made, what })) };
}

const act = fc.oneof(
  kind(8, 'edit', { item: fc.nat(30), how, as: itemSpec }),
  kind(2, 'add', { items }),
  kind(1, 'import', { store, values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
  kind(1, 'undo', { store }),
  kind(4, 'inventory', { store, filter, format, maker, dies }),
  kind(1, 'listings', { store, format }),
  kind(1, 'past', { store, filter, format, back }),
  kind(5, 'month', { store, back: fc.constantFrom(1, 1, 1, 2, 3), dies }),
  kind(2, 'sales', { store }),
  kind(1, 'period', { store, back, isMonth: fc.boolean() }),
  kind(6, 'changes', { store, name, since: fc.option(fc.nat(20)), isJson: fc.boolean(), maker, dies }),
  kind(1, 'prune', { store, days: fc.constantFrom(1, 10, 40) }),
  kind(1, 'backup', { store }),
  kind(1, 'restore', { store }),
);
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
export type ActOf<W extends Act['what']> = Extract<Act, { what: W }>;

/** What somebody does at the turn of each month. */
const CLOSES: Act[] = [
  { what: 'month', store: 0, back: 1, dies: null },
  { what: 'changes', store: 0, name: 'sold', since: null, isJson: false, maker: 'person', dies: null },
];
const acts = fc.array(act, { minLength: 1, maxLength: 6 });
const hours = fc.integer({ min: -30, max: 30 });
const closes = acts.map((some) => [...some, ...CLOSES]);
/** Hours after the day before, or from the turn of a month. */
const day = fc.oneof(
  fc.record({ to: fc.constant('later'), hours: fc.oneof(hours.map(Math.abs), fc.nat(500)), acts }),
  fc.record({ to: fc.constant('turn'), hours, acts }),
  fc.record({ to: fc.constant('turn'), hours: fc.nat(22), acts: closes }),
);

export const life = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles'),
  storing: fc.constantFrom({}, {}, { omitEmpty: true }, { sparseLists: true }),
  items,
  days: fc.array(day, { minLength: 3, maxLength: 10 }),
});
export type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;
