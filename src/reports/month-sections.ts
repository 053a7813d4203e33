/** The tables of a month: the roll-forward by currency and collection, and the items behind it. Pure. */
import { Big } from 'big.js';
import { isOwned } from '../api/item-words.ts';
import type { ReadItem } from '../export/keep/readings.ts';
import { valueOf } from '../export/tally.ts';
import type { ReportManifest } from '../export/verify/manifest.ts';
import { byCollection } from './dimensions.ts';
import type { Block, Column, Row, Section, Value } from './model.ts';
import {
  type Comparison,
  type Movement,
  type MovementKind,
  type RollForward,
  sumKnown,
  thenAndNow,
} from './roll-forward.ts';
import { machineText } from './value-text.ts';
import { byText } from '../base/by-text.ts';

interface Step {
  key: string;
  title: string;
  kinds: readonly MovementKind[];
  /** Shown only if there are any. */
  rare?: true;
}

/** The steps from the opening to the closing value; items that leave are negative. */
const STEPS: readonly Step[] = [
  { key: 'added', title: 'Added', kinds: ['added'] },
  { key: 'returned', title: 'Returned', kinds: ['returned'], rare: true },
  { key: 'sold', title: 'Sold', kinds: ['sold'] },
  { key: 'archived', title: 'Archived', kinds: ['archived'] },
  { key: 'gone', title: 'No longer listed', kinds: ['gone'], rare: true },
  { key: 'moved', title: 'Moved', kinds: ['moved_in', 'moved_out'], rare: true },
  { key: 'currency_changed', title: 'Currency changed', kinds: ['from_currency', 'to_currency'], rare: true },
  { key: 'revalued', title: 'Revalued', kinds: ['revalued'] },
];

const NOTES = [
  'Opening + added + sold + archived + revalued and all other columns = closing, exactly; what leaves is negative. Only owned items count: keep, sell and trade.',
  'A sold or archived item leaves with its value in the opening inventory. An item that came in the month and was sold or archived in it is in both columns.',
];

/** The words of a movement in a table. */
const WORDS: Record<MovementKind, string> = {
  added: 'added',
  returned: 'returned',
  sold: 'sold',
  archived: 'archived',
  gone: 'no longer listed',
  moved_in: 'moved in',
  moved_out: 'moved out',
  from_currency: 'was in another currency',
  to_currency: 'now in another currency',
  revalued: 'revalued',
  status: 'status changed',
};

/** Two sections with amounts and numbers of items, with a row for each collection. */
export function rollForwardSections(
  { currencies, collections, movements }: Comparison,
  names: ReadonlyMap<string, string>,
): Section[] {
  const nameOf = namer(names);
  const happened = new Set(movements.map(({ kind }) => kind));
  const shown = STEPS.filter(({ rare, kinds }) => rare !== true || kinds.some((kind) => happened.has(kind)));
  const section = (id: string, title: string, kind: 'money' | 'count', steps: readonly Step[]): Section => {
    const columns: Column[] = [
      { key: 'collection', title: 'Collection', kind: 'text' },
      { key: 'opening', title: 'Opening', kind },
      ...steps.map((step): Column => ({ key: step.key, title: step.title, kind })),
      { key: 'closing', title: 'Closing', kind },
    ];
    const valuesOf = (flow: RollForward): Value[] => {
      const of = (kinds: readonly MovementKind[]): Value =>
        kind === 'money'
          ? kinds.reduce((sum, each) => sum.plus(flow.step(each).amount), new Big(0))
          : kinds.reduce((sum, each) => sum + flow.step(each).items, 0);
      const end = (tally: RollForward['opening']): Value =>
        kind === 'money' ? sumKnown(tally) : tally.items;
      return [end(flow.opening), ...steps.map(({ kinds }) => of(kinds)), end(flow.closing)];
    };
    const blocks = [...currencies].map(([currency, all]): Block => {
      const rows = [...(collections.get(currency) ?? [])]
        .map(([id, flow]): Row => ({ key: id, values: [nameOf(id), ...valuesOf(flow)] }))
        .sort((a, b) => byText(String(a.values[0]), String(b.values[0])));
      return { currency, rows, total: { key: 'total', values: ['Total', ...valuesOf(all)] } };
    });
    return { id, title, notes: NOTES, columns, blocks, empty: 'There were no items, and there are none.' };
  };
  return [
    section('roll_forward', 'From opening to closing, values', 'money', shown),
    section(
      'roll_forward_items',
      'From opening to closing, items',
      'count',
      shown.filter(({ key }) => key !== 'revalued'),
    ),
  ];
}

/** The steps of each currency, for the manifest. */
export function stepsOf({ currencies }: Comparison): NonNullable<ReportManifest['steps']> {
  return [...currencies].flatMap(([currency, flow]) => [
    step(currency, 'opening', flow.opening.items, sumKnown(flow.opening)),
    ...STEPS.map(({ key, kinds }) =>
      step(
        currency,
        key,
        key === 'revalued' ? null : kinds.reduce((sum, kind) => sum + flow.step(kind).items, 0),
        kinds.reduce((sum, kind) => sum.plus(flow.step(kind).amount), new Big(0)),
      ),
    ),
    step(currency, 'closing', flow.closing.items, sumKnown(flow.closing)),
  ]);
}

function step(currency: string, name: string, items: number | null, value: Big | null) {
  return {
    currency,
    step: name,
    items,
    value: value === null ? null : machineText(value, 'money', currency),
  };
}

/** The tables with one item per row, by the names of their files. */
export function itemTables(
  items: readonly ReadItem[],
  comparison: Comparison | undefined,
  names: ReadonlyMap<string, string>,
): [file: string, section: Section][] {
  const nameOf = namer(names);
  const owned = items.filter(([, , status]) => isOwned({ status }));
  const found: [string, Section][] = [
    ['inventory.csv', itemsSection('inventory', 'Items owned at the end of the month', owned, nameOf)],
    [
      'listings.csv',
      itemsSection(
        'listings',
        'For sale or trade at the end of the month',
        owned.filter(([, , status]) => status === 'sell' || status === 'trade'),
        nameOf,
      ),
    ],
  ];
  if (comparison === undefined) return found;
  const { movements } = comparison;
  const sold = movements.filter(({ kind }) => kind === 'sold');
  return [
    ...found,
    ['items-sold.csv', movementsSection('items_sold', 'Items sold in the month', sold, nameOf)],
    [
      'movements.csv',
      movementsSection('movements', 'What came, left, moved and changed value', movements, nameOf),
    ],
  ];
}

function itemsSection(
  id: string,
  title: string,
  items: readonly ReadItem[],
  nameOf: (id: string) => string,
): Section {
  return {
    id,
    title,
    notes: [],
    columns: [
      { key: 'name', title: 'Name', kind: 'text' },
      { key: 'collection', title: 'Collection', kind: 'text' },
      { key: 'status', title: 'Status', kind: 'text' },
      { key: 'value', title: 'Value', kind: 'money' },
      { key: 'id', title: 'Id', kind: 'text' },
    ],
    blocks: byCurrency(
      items,
      ([, , , currency]) => currency,
      (own) => ({
        rows: own.map(([item, name, status, , value, collection]) => ({
          key: item,
          values: [name, nameOf(collection), status, valueOf(value) ?? null, item],
        })),
        total: {
          key: 'total',
          values: ['Total', null, null, sumOf(own.map(([, , , , value]) => valueOf(value) ?? null)), null],
        },
      }),
    ),
    empty: 'There are none.',
  };
}

function movementsSection(
  id: string,
  title: string,
  movements: readonly Movement[],
  nameOf: (id: string) => string,
): Section {
  return {
    id,
    title,
    notes: [],
    columns: [
      { key: 'name', title: 'Name', kind: 'text' },
      { key: 'what', title: 'What', kind: 'text' },
      { key: 'collection', title: 'Collection', kind: 'text' },
      { key: 'status_then', title: 'Status then', kind: 'text' },
      { key: 'status_now', title: 'Status now', kind: 'text' },
      { key: 'value_then', title: 'Value then', kind: 'money' },
      { key: 'value_now', title: 'Value now', kind: 'money' },
      { key: 'amount', title: 'Change of the inventory', kind: 'money' },
      { key: 'id', title: 'Id', kind: 'text' },
    ],
    blocks: byCurrency(
      movements,
      ({ currency }) => currency,
      (own) => ({
        rows: own.map((movement) => {
          const { kind, before, now, collection } = movement;
          const [item, name] = now ?? before ?? ['', ''];
          return {
            key: item,
            values: [
              name,
              WORDS[kind],
              nameOf(collection),
              before?.[2] ?? null,
              now?.[2] ?? null,
              ...thenAndNow(movement),
              movement.amount,
              item,
            ],
          };
        }),
        total: {
          key: 'total',
          values: ['Total', null, null, null, null, null, null, sumOf(own.map(({ amount }) => amount)), null],
        },
      }),
    ),
    empty: 'There are none.',
  };
}

function byCurrency<T>(
  all: readonly T[],
  currencyOf: (one: T) => string,
  block: (own: readonly T[]) => Pick<Block, 'rows' | 'total'>,
): Block[] {
  return [...Map.groupBy(all, currencyOf)]
    .sort(([a], [b]) => byText(a, b))
    .map(([currency, own]) => ({ currency, ...block(own) }));
}

/** null if no value is known. */
function sumOf(values: readonly Value[]): Big | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce<Big>((sum, value) => sum.plus(value), new Big(0));
}

function namer(names: ReadonlyMap<string, string>): (id: string) => string {
  const { labelOf } = byCollection(names);
  return (id) => labelOf?.(id) ?? id;
}
