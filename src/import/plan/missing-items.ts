/**
 * `--missing archive`: archives items of a collection that are missing from a complete file.
 *
 * The plan alone decides which items are missing, from a list that was proven complete: items that somebody adds later
 * are never archived. Nothing is archived while it is uncertain which items the file's rows are.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { isOwned } from '../../api/item-words.ts';
import type { Item } from '../../api/schemas.ts';
import { jsonOrNot } from '../../base/json-or-not.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { MissingItems } from '../../ledger/job-parts.ts';
import type { JobRecord, LedgerRow, NewRow } from '../../ledger/ledger.ts';
import { findPlace } from '../../mapping/columns/find-column.ts';
import { columnOptions } from '../../mapping/template/template.ts';
import { textForm } from '../../mapping/text-form.ts';
import { fieldOf } from '../engine/field-changes.ts';
import { expectations } from '../changes/match-key.ts';
import type { JobDeps } from '../job/deps.ts';
import { warningOf } from '../job/events.ts';
import type { ListObserver } from './find-by-key.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { findJudging } from '../job/judging.ts';
import { newUpdate } from '../job/new-job.ts';
import { itemShown, updateText } from '../engine/operation.ts';
import { isMissingRow } from '../job/missing-rows.ts';
import { rowPages } from '../job/row-pages.ts';

/** With more missing items than this, the file cannot be the whole collection. */
const MAX_MISSING = 100_000;
const BATCH = 500;

/** Collects the missing items while the list is read. */
export class MissingFinder implements ListObserver {
  readonly #collection: string;
  readonly #keys: ReadonlySet<string>;
  found: Item[] = [];
  /** Number of items of the collection that count. */
  of = 0;

  /** @param keys the keys of the file's rows */
  constructor(collection: string, keys: ReadonlySet<string>) {
    this.#collection = collection.toLowerCase();
    this.#keys = keys;
  }

  begin(): void {
    this.found = [];
    this.of = 0;
  }

  /** @returns true if the item is missing */
  observe(item: Item, key: string): boolean {
    if (key === '' || !isOwned(item) || item.collection_id.toLowerCase() !== this.#collection) return false;
    this.of += 1;
    if (this.#keys.has(key)) return false;
    if (this.found.length <= MAX_MISSING) this.found.push(item);
    return true;
  }
}

/**
 * Adds a row for each missing item. If the job is planned again (after a kill, or once rows are mended), rows of items
 * that are no longer missing are left out.
 *
 * @param match fields of `--match`
 */
export async function planMissing(
  job: JobRecord,
  finder: MissingFinder,
  match: readonly string[],
  deps: Pick<JobDeps, 'ledger' | 'emit'>,
): Promise<MissingItems> {
  const { ledger, emit } = deps;
  const seen = await surveyRows(job, ledger);
  const unsafe = (await whyPartial(job)) ?? whyUnsafe(job, seen, finder, match);
  const missing =
    unsafe === undefined ? finder.found.filter(({ id }) => !seen.items.has(id.toLowerCase())) : [];
  const textsOf = await sourceTexts(job, match, ledger);
  const wanted = new Map(missing.map((item) => [item.id.toLowerCase(), item]));
  const rows: NewRow[] = [];
  let { ordinal: last, sheetRow: lastRow } = seen;
  for (const [itemId, item] of wanted) {
    const planned = seen.archives.get(itemId);
    if (planned !== undefined && (planned.attempts > 0 || isDecided(planned))) continue;
    const { ordinal, sheetRow, source } = planned ?? {
      ordinal: (last += 1),
      sheetRow: (lastRow += 1),
      source: textsOf(item),
    };
    rows.push(newUpdate({ ordinal, sheetRow, source, operation: archiving(item, match), itemId }));
  }
  for (const [id, row] of seen.archives) {
    if (wanted.has(id) || row.attempts > 0 || row.state !== 'planned') continue;
    rows.push({ ...row, state: 'skipped', issues: [IS_THERE] });
  }
  for (let from = 0; from < rows.length; from += BATCH)
    await ledger.rows.stage(job.id, rows.slice(from, from + BATCH));
  if (unsafe !== undefined) emit(warningOf(message('nothing_archived', { why: unsafe })));
  const first = Math.min(...[...seen.archives.values()].map((row) => row.ordinal), seen.ordinal + 1);
  return {
    of: finder.of,
    items: missing.length,
    after: first - 1,
    ...(unsafe === undefined ? {} : { unsafe }),
  };
}

/** Held, or left out by a person: only `not_missing` rows become active again. */
function isDecided({ state, issues }: LedgerRow): boolean {
  return state === 'held' || (state === 'skipped' && issues[0]?.message !== IS_THERE.message);
}

const IS_THERE = issueOf('not_missing', message('not_missing', {}));

/** The new state of a planned archiving once the file has the item's key. */
export const NOT_MISSING = { to: 'skipped' as const, issues: [IS_THERE] };

/** The operation that archives an item. */
function archiving(item: Item, match: readonly string[]): string {
  return updateText({
    set: { status: 'archived' },
    before: { status: item.status },
    item: itemShown(item),
    expect: expectations([...match, 'collection_id'], item, 'missing'),
  });
}

interface RowSurvey {
  ordinal: number;
  sheetRow: number;
  /** Archiving rows of an earlier plan, by item id. */
  archives: Map<string, LedgerRow>;
  /** Items of the file's rows. */
  items: Set<string>;
  invalid: number;
  held: number;
  skipped: number;
  /** Number of creates without a key. */
  blank: number;
}

async function surveyRows(job: JobRecord, ledger: JobDeps['ledger']): Promise<RowSurvey> {
  const seen: RowSurvey = {
    ordinal: 0,
    sheetRow: 0,
    archives: new Map(),
    items: new Set(),
    invalid: 0,
    held: 0,
    skipped: 0,
    blank: 0,
  };
  for await (const rows of rowPages(ledger, job.id)) {
    for (const row of rows) {
      seen.ordinal = row.ordinal;
      seen.sheetRow = Math.max(seen.sheetRow, row.sheetRow);
      if (isMissingRow(row)) {
        seen.archives.set(row.itemId ?? '', row);
        continue;
      }
      if (row.itemId !== null) seen.items.add(row.itemId);
      if (row.state === 'invalid') seen.invalid += 1;
      else if (row.state === 'held') seen.held += 1;
      else if (row.state === 'skipped') seen.skipped += 1;
      else if (row.action === 'create') seen.blank += 1;
    }
  }
  return seen;
}

function whyUnsafe(
  job: JobRecord,
  { invalid, held, skipped, blank }: RowSurvey,
  { found }: MissingFinder,
  match: readonly string[],
): Message | undefined {
  const [own, ...others] = [...new Set(Object.values(job.collections).map((id) => id.toLowerCase()))];
  if (own === undefined || others.length > 0) return message('other_collections_named', {});
  if (invalid > 0) return message('rows_invalid', { rows: invalid });
  if (held > 0) return message('rows_held', { rows: held });
  if (skipped > 0) return message('rows_skipped', { rows: skipped });
  if (match.includes('id') && blank > 0) return message('rows_without_id', { rows: blank });
  if (found.length > MAX_MISSING) return message('too_many_not_in_file', { items: MAX_MISSING });
  return undefined;
}

/** An export lacks the items that its manifest says it leaves out. The file is compared with the whole collection. */
async function whyPartial({ source, collections }: JobRecord): Promise<Message | undefined> {
  const text = await readFile(`${source.file}.manifest.json`, 'utf8').catch(() => '{}');
  const { success, data } = PartOfManifest.safeParse(jsonOrNot(text));
  if (!success || data.file !== basename(source.file)) return undefined;
  const { status, where, collection } = data.filters;
  const [own = ''] = Object.values(collections);
  const filters = [
    ...(status === undefined ? [] : [`status=${status.join(',')}`]),
    ...(where ?? []).map((each) => `where=${each}`),
    ...(collection === undefined || collection.toLowerCase() === own.toLowerCase() ? [] : ['collection']),
    ...(data.changes === undefined ? [] : ['changed-since-last']),
    ...(data.leftOut === undefined ? [] : ['layout']),
  ];
  const file = basename(source.file);
  if (filters.length > 0) return message('file_is_partial', { file, filters });
  return data.consistency === 'moved' ? message('file_may_lack_items', { file }) : undefined;
}

/** The part of an export's manifest that tells which items it lacks. */
const PartOfManifest = z.object({
  file: z.string(),
  filters: z.object({
    status: z.array(z.string()).optional(),
    collection: z.string().optional(),
    where: z.array(z.string()).optional(),
  }),
  consistency: z.string().optional(),
  changes: z.unknown().optional(),
  leftOut: z.number().optional(),
});

/** The cells of an archiving row in the results: the item's key and name, in the columns of the file. */
async function sourceTexts(
  job: JobRecord,
  match: readonly string[],
  ledger: JobDeps['ledger'],
): Promise<(item: Item) => string> {
  const [table] = (await findJudging(job.id, ledger))?.tables ?? [];
  const places = new Map<string, number>();
  for (const field of [...match, 'name']) {
    const { from, column } = columnOptions(table?.template, field);
    const index = table && findPlace(table, from, column);
    if (index !== undefined) places.set(field, table?.order.indexOf(index) ?? -1);
  }
  return (item) => {
    const texts = job.source.headers.map(() => '');
    for (const [field, place] of places) if (place >= 0) texts[place] = textForm(field, fieldOf(item, field));
    return JSON.stringify(texts);
  };
}
