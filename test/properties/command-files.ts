/** What commands are given: the files that a scenario's commands read, and what these say, for a judge to compare. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportRequest } from '../../src/import/job/options.ts';
import type { Fields, Given } from '../history/history.ts';
import { csv } from '../support/csv.ts';
import { KEY } from './judge.ts';
import { COLLECTIONS, type ModelServer } from './model-server.ts';
import type { Command, CommandOf, Content, Edit, Keyed, Row, Scenario } from './scenario.ts';

/** A status that nobody knows, and what it turns out to mean. */
export const BAD_WORD = 'C7';
export const MEANING = 'sell';
/** Where the rows of a file begin. */
export const FIRST_ROW = 2;

export class CommandFiles {
  readonly #scenario: Scenario;
  readonly #server: ModelServer;
  readonly #folder: string;

  constructor(scenario: Scenario, server: ModelServer, folder: string) {
    this.#scenario = scenario;
    this.#server = server;
    this.#folder = folder;
  }

  /** The id of an item that is there from the start, counted from the newest of them. */
  itemAt(place: number): string | undefined {
    return this.#server.items[this.#scenario.before - 1 - place]?.item.id;
  }

  freshKey(number: number): string {
    return this.#scenario.oddKeys === true ? `N${number} & the rest of it` : `N${number}`;
  }

  /** Rows of an upsert's file. */
  keyed(file: number): readonly Keyed[] {
    return this.#scenario.files[file] ?? [];
  }

  /** How many items of a key a command wants. */
  copiesOf(command: Command | undefined, key: unknown): number {
    const rows = command?.do === 'upsert' ? this.keyed(command.file) : [];
    return rows.find((row) => this.#keyAndName(row.key)[0] === key)?.copies ?? 1;
  }

  /** @param name of the file, without its ending @param store that the command works with */
  creates(name: string, { rows }: CommandOf<'create'>): FileOfImport {
    const copies = rows.some((row) => row.copies !== undefined);
    return this.#fileOf(name, [
      ['name', 'brand', 'tags', 'estimated_value', ...(copies ? ['quantity'] : [])],
      ...rows.map(({ name, brand = '', tags = [], estimated_value: value, copies: count = 1 }) => [
        name,
        brand,
        tags.join('; '),
        value === undefined ? '' : String(value),
        ...(copies ? [String(count)] : []),
      ]),
    ]);
  }

  things({ things, bad = [] }: CommandOf<'things'>): FileOfImport {
    return this.#fileOf('things', [
      ['name', 'brand', 'estimated_value', 'status', 'collection'],
      ...things.map((number) => {
        const { name, brand = '', estimated_value: value } = thing(number);
        const status = bad.includes(number) ? BAD_WORD : MEANING;
        return [name, brand, String(value), status, collectionOf(number).name];
      }),
    ]);
  }

  upsert(name: string, { file }: CommandOf<'upsert'>, store: string): FileOfImport {
    const rows = this.keyed(file);
    const copies = rows.some((row) => row.copies !== undefined);
    return this.#fileOf(name, [
      [`custom_fields.${KEY}`, 'name', ...EDITED, ...(copies ? ['quantity'] : [])],
      ...rows.map(({ key, set, copies: count = 1, bad }) => [
        ...this.#keyAndName(key, store),
        ...cells(bad === true ? { ...set, status: BAD_WORD } : set),
        ...(copies ? [String(count)] : []),
      ]),
    ]);
  }

  updates(name: string, { rows, byKey }: CommandOf<'update'>): FileOfImport {
    return this.#fileOf(
      name,
      byKey === true
        ? [
            [`custom_fields.${KEY}`, 'name', ...EDITED],
            ...rows.map(({ item, set }) => [...this.#keyAndName({ old: item }), ...cells(set)]),
          ]
        : [['id', ...EDITED], ...rows.map(({ item, set }) => [this.itemAt(item) ?? '', ...cells(set)])],
    );
  }

  /** The ids that a `set` is for. */
  ids(name: string, { items }: CommandOf<'set'>): string {
    return this.#write(name, [['id'], ...items.map((item) => [this.itemAt(item) ?? ''])]);
  }

  /** The file of a `set --from`, and what it sets. */
  setFrom(name: string, { rows, also }: CommandOf<'setFrom'>): { from: string; changes: string[] } {
    const signs = new Set(rows.map(({ set }) => set.value?.sign ?? ''));
    const from = this.#write(name, [
      ['SKU', 'Place', 'Tag', 'Amount'],
      ...rows.map(({ item, set: { place = '', tag = '', value } }) => [
        this.#keyAndName({ old: item })[0] ?? '',
        place,
        tag,
        value === undefined ? '' : String(value.by),
      ]),
    ]);
    const has = (field: 'place' | 'tag') => rows.some(({ set }) => set[field] !== undefined);
    return {
      from,
      changes: [
        ...(has('place') ? ['custom_fields.place=@Place'] : []),
        ...(has('tag') ? ['tags+=@Tag'] : []),
        ...[...signs].filter((sign) => sign !== '').map((sign) => `estimated_value${sign}@Amount`),
        ...assignments(also),
      ],
    };
  }

  /** The rows of a job as they are once nothing is bad, with each copy; undefined for a command without a file. */
  given(command: Command | undefined, store: string): Given[] | undefined {
    switch (command?.do) {
      case 'create':
        return command.rows.flatMap((row) => {
          const { copies = 1, ...fields } = row;
          return times(copies, (): Given => ({ kind: 'create', fields }));
        });
      case 'things':
        return command.things.map((number) => ({
          kind: 'create',
          fields: { ...thing(number), status: MEANING, collection_id: collectionOf(number).id },
          once: true,
        }));
      case 'upsert':
        return this.keyed(command.file).flatMap(({ key, set, copies = 1 }) =>
          times(copies, () => ({
            ...this.#keyedRow(key, set, store),
            kind: command.creates === true ? ('create' as const) : ('either' as const),
          })),
        );
      case 'update':
        return command.rows.map(({ item, set }) =>
          command.byKey === true
            ? { ...this.#keyedRow({ old: item }, set), kind: 'update' }
            : this.change(this.itemAt(item), set),
        );
      case 'set':
        return command.items
          .filter((item) => this.itemAt(item) !== undefined)
          .map((item) => this.change(this.itemAt(item), command.set));
      case 'setFrom':
        return command.rows.map(({ item, set }) => {
          const change = this.change(undefined, { ...command.also, ...set });
          const { key } = this.#keyedRow({ old: item }, set);
          return { ...change, ...(key === undefined ? {} : { key }) };
        });
      default:
        return undefined;
    }
  }

  /** The rows of a file that are bad, as a spreadsheet program counts. */
  badRows(command: Command | undefined): number[] {
    const bad =
      command?.do === 'things'
        ? command.things.map((number) => command.bad?.includes(number) === true)
        : command?.do === 'upsert'
          ? this.keyed(command.file).map((row) => row.bad === true)
          : [];
    return bad.flatMap((isBad, index) => (isBad ? [index + FIRST_ROW] : []));
  }

  #keyedRow(
    key: Keyed['key'],
    set: Edit,
    store?: string,
  ): Pick<Given, 'fields' | 'key'> & { stored: Fields } {
    const [value = '', name = ''] = this.#keyAndName(key, store);
    const fields = { name, ...asSent(set, value) };
    const stored: Fields = { ...this.#server.asStored(fields) };
    const kept = this.#server.asStored({ custom_fields: { [KEY]: value } }).custom_fields?.[KEY];
    return { fields, stored, key: { field: `custom_fields.${KEY}`, value: String(kept) } };
  }

  /** A row that changes an item. */
  change(item: string | undefined, set: Edit): Given {
    const fields = asSent(set);
    return {
      kind: 'update',
      fields,
      stored: { ...this.#server.asStored(fields) },
      ...(item === undefined ? {} : { item }),
      ...(set.value === undefined ? {} : { value: set.value }),
      ...(set.tag === undefined ? {} : { tags: { add: [set.tag], remove: [] } }),
    };
  }

  /** What another store makes of a key is another thing. */
  #keyAndName(key: Keyed['key'], store = 'first'): string[] {
    const own = store === 'first' ? '' : ` of the ${store}`;
    if ('fresh' in key) return [this.freshKey(key.fresh), `New ${key.fresh}${own}`];
    const number = this.#scenario.before - key.old;
    return [`S${number}`, `Old ${number}${number > 0 ? '' : own}`];
  }

  #fileOf(name: string, lines: readonly string[][]): FileOfImport {
    const [headers = []] = lines;
    const map = Object.fromEntries(headers.map((header) => [header, header]));
    return { file: this.#write(name, lines), map };
  }

  #write(name: string, [headers = [], ...rows]: readonly string[][]): string {
    const path = join(this.#folder, `${name}.csv`);
    writeFileSync(path, csv(headers, rows));
    return path;
  }
}

type FileOfImport = Pick<ImportRequest, 'file' | 'map'>;

/** What a file or a `set` changes, as `set` is told. */
export function assignments(set: Edit): string[] {
  const { status, brand, tag, value } = set;
  return [
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(brand === undefined ? [] : [`brand=${brand}`]),
    ...(tag === undefined ? [] : [`tags+=${tag}`]),
    ...(value === undefined ? [] : [`estimated_value${value.sign}${value.by}`]),
    ...Object.entries(customOf(set)).map(([name, text]) => `custom_fields.${name}=${text}`),
  ];
}

export function customOf({ place, note }: Edit): Record<string, string> {
  return { ...(place === undefined ? {} : { place }), ...(note === undefined ? {} : { note }) };
}

/** Without what is of the file alone. */
export function contentOf(row: Row): Content {
  const content = { ...row };
  delete content.copies;
  return content;
}

/** As a file or a `set` says it. */
function asSent(set: Edit, key?: string): Fields {
  const { status, brand } = set;
  return {
    ...(status === undefined ? {} : { status }),
    ...(brand === undefined ? {} : { brand }),
    custom_fields: { ...(key === undefined ? {} : { [KEY]: key }), ...customOf(set) },
  };
}

function thing(number: number): Content {
  return { name: `Thing ${number + 1}`, brand: 'Halloway', estimated_value: 10 };
}

function collectionOf(number: number): (typeof COLLECTIONS)[number] {
  return COLLECTIONS[number % 2 === 0 ? 0 : 1];
}

const EDITED = ['status', 'brand', 'custom_fields.place'];

function cells({ status, brand, place }: Omit<Edit, 'status'> & { status?: string }): string[] {
  return [status ?? '', brand ?? '', place ?? ''];
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
