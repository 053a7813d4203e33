/** Files of ours that come back as a person has edited them: exports, and what a job has written about its rows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Item } from '../../src/api/schemas.ts';
import type { Fields, Given } from '../history/history.ts';
import { csv } from '../support/csv.ts';
import { BAD_WORD, type CommandFiles, customOf, FIRST_ROW, MEANING } from './command-files.ts';
import { KEY } from './judge.ts';
import { COLLECTION, type ModelServer } from './model-server.ts';
import type { Command, CommandOf, Edit } from './scenario.ts';

const HEADERS = ['id', 'name', 'brand', 'status', 'tags', 'estimated_value', 'collection_id'];
const CUSTOM = [KEY, 'place', 'note'];
/** Rows in these states are not sent again (docs/mend.md). */
const SENT = new Set(['created', 'updated', 'unchanged', 'skipped', 'pending', 'held']);
/** It is not known whether what these ask for is done. */
const OPEN = new Set(['pending', 'held']);

/** All items at a moment, and what the person has changed in the file since. */
interface Export {
  at: number;
  items: ReadonlyMap<string, Item>;
  edits: Map<string, Edit>;
}

/** The job that has written a file. */
export interface Writer {
  given: readonly Given[];
  /** An undo of it has begun. */
  isUndone: boolean;
}

interface Returned {
  file: string;
  given: Given[];
}

export class ReturnedFiles {
  readonly #files: CommandFiles;
  readonly #server: ModelServer;
  readonly #folder: string;
  /** Who gives a command again, gives the same file. */
  readonly #returned = new Map<Command, Returned>();
  #export: Export | undefined;

  constructor(files: CommandFiles, server: ModelServer, folder: string) {
    this.#files = files;
    this.#server = server;
    this.#folder = folder;
  }

  given(command: Command | undefined): Given[] | undefined {
    return command === undefined ? undefined : this.#returned.get(command)?.given;
  }

  fileOf(command: Command): string | undefined {
    return this.#returned.get(command)?.file;
  }

  /** Somebody exports all items; later commands edit this file. @param at ms */
  export(at: number): Export {
    const there = this.#server.items.filter(({ removed }) => !removed);
    this.#export = { at, items: new Map(there.map(({ item }) => [item.id, item])), edits: new Map() };
    return this.#export;
  }

  /** The newest export with the edits of all commands so far, and rows that the person has added. @returns its path */
  exported(name: string, command: CommandOf<'exported'>, now: number): string {
    const known = this.#returned.get(command);
    if (known !== undefined) return known.file;
    const { at, items, edits } = this.#export ?? this.export(now);
    const given: Given[] = [];
    const lines: string[][] = [];
    for (const { item: place, set } of command.rows) {
      const item = items.get(this.#files.itemAt(place) ?? '');
      if (item === undefined) continue;
      const edit = { ...edits.get(item.id), ...set };
      edits.set(item.id, edit);
      given.push({ ...this.#files.change(item.id, edit), asOf: at });
      lines.push(exportedLine(item, edit));
    }
    for (let number = 1; number <= command.added; number += 1) {
      const fields = { name: `Added ${number}`, brand: 'Halloway' };
      given.push({ kind: 'create', fields, once: true });
      lines.push(['', fields.name, fields.brand, '', '', '', COLLECTION, ...CUSTOM.map(() => ''), '']);
    }
    const headers = [...HEADERS, ...CUSTOM.map((field) => `custom_fields.${field}`), 'updated_at'];
    return this.#write(name, command, headers, lines, given);
  }

  /** @param path of the file that a job has written @returns that of the edited one */
  edited(name: string, command: CommandOf<'returned'>, path: string, writer: Writer): string {
    const [headers = [], ...lines] = parse(readFileSync(path), { bom: true });
    const given: Given[] = [];
    for (const [place, cells] of lines.entries()) {
      const line = Object.fromEntries(headers.map((header, at) => [header, cells[at] ?? '']));
      const own = writer.given[command.which === 'results' ? place : Number(line['_row']) - FIRST_ROW];
      const edit = command.edits.find(({ item }) => item === place)?.set;
      const cellsNow =
        edit === undefined
          ? {}
          : { ...(line['status'] === BAD_WORD ? { status: MEANING } : {}), ...cellsOf(edit) };
      const changed = Object.entries(cellsNow).filter(
        ([header, text]) => header in line && line[header] !== text,
      );
      for (const [header, text] of changed) cells[headers.indexOf(header)] = text;
      const amount = headers.indexOf('estimated_value');
      if (command.rewrites && cells[amount] !== undefined && cells[amount] !== '')
        cells[amount] = Number(cells[amount]).toFixed(2);
      given.push(this.#rowOf(line, fieldsOf(changed), own, writer.isUndone));
    }
    return this.#write(name, command, headers, lines, given);
  }

  #rowOf(line: Fields, fields: Fields, own: Given | undefined, isUndone: boolean): Given {
    const edited = Object.keys(fields).length > 0 ? { edited: true as const } : {};
    const stored: Fields = { ...this.#server.asStored(fields) };
    const item = line['_item_id'] === '' ? {} : { item: String(line['_item_id']) };
    const state = String(line['_state']);
    const asks = !isUndone && SENT.has(state) ? { asks: true as const } : {};
    if (own === undefined || (asks.asks === true && !OPEN.has(state)))
      return { kind: 'update', fields, stored, ...edited, ...asks, ...item };
    const { once, ...row } = own;
    const all = merged(own.fields, fields);
    // With other values, it is another thing.
    const isSame = JSON.stringify(all) === JSON.stringify(own.fields);
    return {
      ...row,
      ...(once === true ? {} : edited),
      ...(once === true && isSame ? { once } : {}),
      ...asks,
      ...(asks.asks === true ? item : {}),
      fields: all,
      stored: merged(own.stored ?? { ...this.#server.asStored(own.fields) }, stored),
    };
  }

  #write(name: string, command: Command, headers: string[], lines: string[][], given: Given[]): string {
    const file = join(this.#folder, `${name}.csv`);
    writeFileSync(file, csv(headers, lines));
    this.#returned.set(command, { file, given });
    return file;
  }
}

function exportedLine(item: Item, edit: Edit): string[] {
  const { custom_fields: custom, tags, estimated_value: value } = item;
  const { status = item.status, brand = item.brand, tag } = edit;
  const texts = { ...custom, ...customOf(edit) } as Record<string, string | undefined>;
  return [
    item.id,
    item.name,
    brand ?? '',
    status,
    [...new Set([...(tags ?? []), ...(tag === undefined ? [] : [tag])])].join('; '),
    value === null || value === undefined ? '' : String(value),
    item.collection_id,
    ...CUSTOM.map((field) => texts[field] ?? ''),
    item.updated_at,
  ];
}

/** Cells by header. */
function cellsOf({ status, brand, place }: Edit): Record<string, string> {
  return {
    ...(status === undefined ? {} : { status }),
    ...(brand === undefined ? {} : { brand }),
    ...(place === undefined ? {} : { 'custom_fields.place': place }),
  };
}

function fieldsOf(cells: readonly [header: string, text: string][]): Fields {
  const custom = cells.filter(([header]) => header.startsWith('custom_fields.'));
  return {
    ...Object.fromEntries(cells.filter((cell) => !custom.includes(cell))),
    ...(custom.length === 0
      ? {}
      : {
          custom_fields: Object.fromEntries(
            custom.map(([header, text]) => [header.slice('custom_fields.'.length), text]),
          ),
        }),
  };
}

function merged(one: Fields, other: Fields): Fields {
  const custom = {
    ...(one['custom_fields'] as object | undefined),
    ...(other['custom_fields'] as object | undefined),
  };
  return { ...one, ...other, ...(Object.keys(custom).length === 0 ? {} : { custom_fields: custom }) };
}
