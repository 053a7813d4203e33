/**
 * Readings of the inventory, kept in the store, because the API has only the current state. Every reading has its
 * figures. The items of some readings are kept too, because only they show the additions, removals and value changes
 * between two readings.
 *
 * A reading is one entry (`at/TIME`), written after its items (`rows/ID/…`), so after a kill the whole reading is
 * missing.
 */
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import type { Item } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { RowSink } from './kept-rows.ts';
import { sameMark, TeamMark } from '../read/team.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { Tally, withRoundedValue } from '../tally.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Items in one entry of the store: a piece of about 80 kB. */
const ITEMS_AN_ENTRY = 2000;
/** Of how many reports that nobody has received the items are kept. */
const UNDELIVERED = 10;
const DAY_MS = 86_400_000;
/** A reading farther than this from an instant is not used for it. */
export const NEAR_MS = DAY_MS;
/** Maximum offset of any time zone from UTC. */
const ZONES_MS = 14 * 3_600_000;
const SPACES = 'readings:';
const READINGS = 'at/';
const MONTHS = 'month/';

/** The stored values of an item. */
export type ReadItem = [
  id: string,
  name: string,
  status: string,
  /** Lower-case. */
  currency: string,
  estimatedValue: number | null,
  /** Id in lower case. */
  collection: string,
];

const Group = z.object({
  /** Lower-case. */
  currency: z.string(),
  /** Id in lower case. */
  collection: z.string(),
  status: z.string(),
  items: z.int(),
  /** Number of items with a value, and their exact sum in plain digits. */
  known: z.int(),
  sum: z.string(),
});
/** The items of one currency, collection and status. */
export type Group = z.infer<typeof Group>;

const Entry = z.object({
  /** ISO 8601: when the reading began and ended. */
  startedAt: z.string(),
  at: z.string(),
  items: z.int(),
  groups: z.array(Group),
  team: TeamMark,
  /** Id and number of pieces of its stored items; null if the items were not stored. */
  rows: z.object({ id: z.string(), pieces: z.int() }).nullable(),
  /** Whether a report has shown this reading; the next report is then compared with it. */
  reported: z.boolean(),
});
type Entry = z.infer<typeof Entry>;

/** A reading with its items, some thousands at a time. */
export interface Reading extends Omit<Entry, 'rows' | 'reported'> {
  /** The items, each id once; undefined if they were not stored. */
  pieces: (() => AsyncIterable<readonly ReadItem[]>) | undefined;
}

/** Where the store has a reading. */
export interface ReadingPlace {
  space: string;
  key: string;
}

/** The owner of readings: the same address, team and selection. */
export interface ReadingOwner {
  /** The client's target. */
  target: string;
  /** The selection in a fixed form; it becomes part of a name in the store. */
  selection: string;
  team: TeamMark;
}

/** The selection of readings of the whole account. */
export const EVERYTHING = '{}';

/** Receives the items of a reading as they are read. */
export class ReadingTaker implements RowSink {
  readonly items: ReadItem[] = [];
  #count = 0;
  readonly #groups = new Map<
    string,
    { currency: string; collection: string; status: string; tally: Tally }
  >();
  readonly #keepsItems: boolean;

  constructor(keepsItems: boolean) {
    this.#keepsItems = keepsItems;
  }

  async add(items: readonly Item[]): Promise<void> {
    for (const item of items) this.take(withRoundedValue(item));
  }

  /** @param item with its value as displayed */
  take(item: Item): void {
    const { id, name, status, estimated_value: value = null } = item;
    const currency = item.currency.toLowerCase();
    const collection = item.collection_id.toLowerCase();
    const key = `${currency}\n${collection}\n${status}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { currency, collection, status, tally: new Tally() };
      this.#groups.set(key, group);
    }
    group.tally.add(value);
    this.#count += 1;
    if (this.#keepsItems) this.items.push([id, name, status, currency, value, collection]);
  }

  async reset(): Promise<void> {
    this.items.length = 0;
    this.#groups.clear();
    this.#count = 0;
  }

  /** The reading so far. */
  reading(about: Pick<Reading, 'startedAt' | 'at' | 'team'>): Reading {
    return {
      ...about,
      items: this.#count,
      groups: [...this.#groups.values()].map(({ currency, collection, status, tally }) => ({
        currency,
        collection,
        status,
        items: tally.items,
        known: tally.known,
        sum: tally.sum.toFixed(),
      })),
      pieces: this.#keepsItems ? () => piecesOf(this.items) : undefined,
    };
  }
}

/** True near the turn of a month in any time zone: the items are then stored for the month's report. */
export function isNearTurn(ms: number): boolean {
  const turnOf = (month: number) => {
    const date = new Date(ms);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + month, 1);
  };
  return [turnOf(0), turnOf(1)].some((turn) => Math.abs(ms - turn) <= NEAR_MS + ZONES_MS);
}

/** Distance of a reading from an instant, ms: 0 if it was in progress then. */
export function distanceOf({ startedAt, at }: Pick<Reading, 'startedAt' | 'at'>, instant: number): number {
  const [from, to] = [Date.parse(startedAt), Date.parse(at)];
  return instant < from ? from - instant : Math.max(0, instant - to);
}

/** The reading nearest to an instant; undefined if none is near. */
export function nearestTo<T>(
  readings: readonly T[],
  instant: number,
  timesOf: (reading: T) => Pick<Reading, 'startedAt' | 'at'>,
): T | undefined {
  let found: T | undefined;
  let least = NEAR_MS;
  for (const reading of readings) {
    const distance = distanceOf(timesOf(reading), instant);
    if (distance > least || (found !== undefined && distance === least)) continue;
    found = reading;
    least = distance;
  }
  return found;
}

/**
 * All items of a reading.
 *
 * @throws UsageError `no_reading` if items are missing, because a prune has deleted them meanwhile or was killed
 */
export async function* itemsOf({ pieces, items, at }: Reading): AsyncGenerator<ReadItem, void> {
  let count = 0;
  for await (const piece of pieces?.() ?? []) {
    count += piece.length;
    yield* piece;
  }
  if (count !== items) throw new UsageError('no_reading', message('reading_incomplete', { at }));
}

/** The readings of one owner in the store. */
export class Readings {
  readonly #values: KeyValues;
  readonly #space: string;

  private constructor(values: KeyValues, space: string) {
    this.#values = values;
    this.#space = space;
  }

  /** A store may have several teams at one address. Readings that nothing shows to be this team's are another's. */
  static async open(values: KeyValues, owner: ReadingOwner): Promise<Readings> {
    const name = `${SPACES}${createHash('sha256').update(`${owner.target}\n${owner.selection}`).digest('hex').slice(0, 16)}:`;
    for (const space of await values.spaces(name)) {
      const [last] = await values.list(space, { prefix: READINGS, descending: true, limit: 1 });
      if (last === undefined) continue;
      const { team } = Entry.parse(JSON.parse(last.value));
      if (sameMark(team, owner.team) === true) return new Readings(values, space);
    }
    return new Readings(values, `${name}${randomUUID()}`);
  }

  /** Oldest first. */
  async all(): Promise<Reading[]> {
    const found: Reading[] = [];
    for await (const { entry } of entriesOf(this.#values, this.#space)) found.push(this.#readingOf(entry));
    return found;
  }

  /** The last reading that a report has shown, with its items. */
  async lastReported(): Promise<Reading | undefined> {
    const last = (await Array.fromAsync(entriesOf(this.#values, this.#space))).findLast(isToCompare);
    return last && this.#readingOf(last.entry);
  }

  /**
   * Stores a reading, and deletes items that are no longer needed.
   *
   * @param reported whether a report shows it; if that is yet to be delivered, call markReported afterwards
   */
  async keep(reading: Reading, reported: boolean): Promise<ReadingPlace> {
    const { pieces, ...about } = reading;
    const rows = pieces === undefined ? null : { id: randomUUID(), pieces: 0 };
    if (rows !== null && pieces !== undefined) {
      for await (const piece of pieces()) {
        const value = (await compress(JSON.stringify(piece))).toString('base64');
        // Written to disk together with the reading.
        await this.#values.put(this.#space, [{ key: pieceKey(rows.id, rows.pieces), value }], 'soon');
        rows.pieces += 1;
      }
    }
    const entry: Entry = { ...about, rows, reported };
    // Two readings may end in the same millisecond.
    const key = `${READINGS}${reading.at}/${randomUUID()}`;
    await this.#values.put(this.#space, [{ key, value: JSON.stringify(entry) }]);
    // At other times only readings for reports have items.
    if (reported || (rows !== null && !isNearTurn(Date.parse(reading.at))))
      await forgetItems(this.#values, this.#space);
    return { space: this.#space, key };
  }

  /**
   * The reading with which the report of the month that ended at this instant closed, or with which that of the next
   * month began, so that both have the same.
   */
  async endOfMonth(end: number): Promise<Reading | undefined> {
    const at = await this.#values.get(this.#space, MONTHS + new Date(end).toISOString());
    if (at === undefined) return undefined;
    for await (const { entry } of entriesOf(this.#values, this.#space))
      if (entry.at === at) return this.#readingOf(entry);
    return undefined;
  }

  /** @param at end of the reading */
  async setEndOfMonth(end: number, at: string): Promise<void> {
    await this.#values.put(this.#space, [{ key: MONTHS + new Date(end).toISOString(), value: at }]);
  }

  #readingOf({ rows, reported: _reported, ...about }: Entry): Reading {
    const values = this.#values;
    const space = this.#space;
    if (rows === null) return { ...about, pieces: undefined };
    return {
      ...about,
      async *pieces() {
        for await (const { value } of entries(values, space, pieceKey(rows.id)))
          yield JSON.parse((await decompress(Buffer.from(value, 'base64'))).toString()) as ReadItem[];
      },
    };
  }
}

/** Records that somebody has the report that shows a reading. */
export async function markReported(values: KeyValues, { space, key }: ReadingPlace): Promise<void> {
  for (;;) {
    const text = await values.get(space, key);
    // Pruned meanwhile.
    if (text === undefined) return;
    const entry: Entry = { ...Entry.parse(JSON.parse(text)), reported: true };
    if (await values.replace(space, key, text, JSON.stringify(entry))) break;
  }
  await forgetItems(values, space);
}

/**
 * The items of the last reported reading, of some later ones whose report may yet be delivered, of readings near the
 * turn of a month, and of those with which a reported month began or closed are kept.
 */
async function forgetItems(values: KeyValues, space: string): Promise<void> {
  const months = await endsOfMonths(values, space);
  const found: { key: string; value: string; entry: Entry; rows: NonNullable<Entry['rows']> }[] = [];
  for await (const each of entriesOf(values, space)) {
    const { rows } = each.entry;
    if (rows !== null) found.push({ ...each, rows });
  }
  const last = found.findLastIndex(isToCompare);
  for (const [index, { key, value, entry, rows }] of found.entries()) {
    if (index === last || (index > last && index >= found.length - UNDELIVERED)) continue;
    if (months.has(entry.at) || isNearTurn(Date.parse(entry.at))) continue;
    const without = JSON.stringify({ ...entry, rows: null } satisfies Entry);
    if (await values.replace(space, key, value, without)) await values.remove(space, pieceKeys(rows));
  }
}

/** When the readings ended with which the reports of months began or closed. */
async function endsOfMonths(values: KeyValues, space: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const { value } of entries(values, space, MONTHS)) found.add(value);
  return found;
}

/**
 * Deletes readings except the last one of each selection, the one with which the next report is compared, and those
 * with which a reported month began or closed, and remains of readings that were killed.
 *
 * @param before ms since the epoch
 * @returns the number of deleted readings
 */
export async function pruneReadings(values: KeyValues, before: number, dryRun: boolean): Promise<number> {
  let pruned = 0;
  for (const space of await values.spaces(SPACES)) {
    const kept = await Array.fromAsync(entriesOf(values, space));
    const needed = new Set([kept.at(-1), kept.findLast(isToCompare)]);
    const months = await endsOfMonths(values, space);
    const old = kept.filter(
      (each) => !needed.has(each) && !months.has(each.entry.at) && Date.parse(each.entry.at) < before,
    );
    pruned += old.length;
    if (dryRun) continue;
    const gone = new Set(old.map(({ key }) => key));
    const used = new Set(kept.flatMap(({ key, entry }) => (gone.has(key) ? [] : [entry.rows?.id])));
    const keys: string[] = [];
    for await (const { key, at } of entries(values, space, '')) {
      const [, rows] = /^rows\/([^/]+)\//.exec(key) ?? [];
      // A reading that is being stored right now has pieces but no entry yet.
      if (gone.has(key) || (rows !== undefined && !used.has(rows) && at < before)) keys.push(key);
    }
    if (keys.length > 0) await values.remove(space, keys);
  }
  return pruned;
}

function pieceKey(rows: string, number?: number): string {
  return `rows/${rows}/${number === undefined ? '' : String(number).padStart(6, '0')}`;
}

function pieceKeys({ id, pieces }: { id: string; pieces: number }): string[] {
  return Array.from({ length: pieces }, (_, number) => pieceKey(id, number));
}

/** Whether the next report can be compared with a reading. */
function isToCompare({ entry: { reported, rows } }: { entry: Entry }): boolean {
  return reported && rows !== null;
}

async function* entriesOf(values: KeyValues, space: string) {
  for await (const { key, value } of entries(values, space, READINGS))
    yield { key, value, entry: Entry.parse(JSON.parse(value)) };
}

async function* piecesOf(items: readonly ReadItem[]) {
  for (let from = 0; from < items.length; from += ITEMS_AN_ENTRY)
    yield items.slice(from, from + ITEMS_AN_ENTRY);
}

/** Reads few entries at a time, because pieces are long. */
async function* entries(values: KeyValues, space: string, prefix: string) {
  for (let after = ''; ; ) {
    const page = await values.list(space, { prefix, after, limit: 10 });
    yield* page;
    after = page.at(-1)?.key ?? '';
    if (page.length < 10) return;
  }
}
