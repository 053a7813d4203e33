/**
 * Finds the items of a file's rows by the key of `--match`: either one by one, or in the whole list once it is proven
 * complete.
 */
import { FieldWatch } from '../../api/field-watch.ts';
import type { Item } from '../../api/schemas.ts';
import { momentOf, msSince } from '../../base/clock.ts';
import type { ItemLookup } from '../../ledger/job-parts.ts';
import type { Intents, JobRecord, Ledger } from '../../ledger/ledger.ts';
import { everyItem, untilProven } from '../../listing/every-item.ts';
import { itemKey, keyRule, keySpelledOtherwise, type RewrittenKey, shownKey } from '../changes/match-key.ts';
import { RewrittenKeys } from '../changes/rewritten.ts';
import { createsWith } from '../items/creates-by-key.ts';
import { itemsById } from '../items/current-items.ts';
import { asLastChanged } from '../items/own-changes.ts';
import type { JobDeps } from '../job/deps.ts';
import { fieldsOfCreate } from '../engine/input.ts';
import { createdWith, updateOf } from '../engine/operation.ts';
import { fieldChanges } from '../engine/field-changes.ts';
import { untilAccounted } from '../engine/absence.ts';
import { type KeysRead, NO_INTENTS, type Reading } from '../engine/reading.ts';
import { isUndone } from '../engine/undone.ts';
import { lastUpdates } from '../history/last-updates.ts';
import { isArchived } from './restored-status.ts';

export interface FoundItems {
  /** Items by key. A key that is missing here certainly has no item. */
  items: Map<string, Item[]>;
  reading: ItemLookup;
  keysRead?: KeysRead;
  /** Key → an item that has it in custom fields whose names differ by case, and these names. */
  spelledOtherwise: Map<string, { item: Item; match: string[] }>;
  /** Key → items that rows of this store created with it, and that have another key now. */
  changed: Map<string, Item[]>;
  /** Keys that this store has sent, and that the server stored in another form. */
  rewritten: RewrittenKey[];
  /** Key → the item's key that a spreadsheet program may have turned into it: `1` → `00001`, `12-Nov` → `12-11`. */
  withZeros: Map<string, string>;
}

export const NOTHING_FOUND: FoundItems = {
  items: new Map(),
  reading: { way: 'pages', items: 0, requests: 0 },
  spelledOtherwise: new Map(),
  changed: new Map(),
  rewritten: [],
  withZeros: new Map(),
};

export interface ListObserver {
  /** A reading begins or starts over. */
  begin: () => void;
  /** @returns true if a row will be made from the item */
  observe: (item: Item, key: string) => boolean;
}

/**
 * @param fields names of the fields that the rows set
 * @param observer sees every item of the list; the list is then read in any case
 * @throws ListMovedError
 */
export async function findByKey(
  job: JobRecord,
  keys: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  deps: JobDeps,
  fields: Iterable<string>,
  observer?: ListObserver,
): Promise<FoundItems> {
  const { client, ledger, clock, signal, emit, readings } = deps;
  const rule = keyRule(job);
  if (observer === undefined && rule.match.length === 1 && rule.match[0] === 'id') {
    const found = await itemsById(deps, keys.keys(), { fields });
    const items = new Map([...found.items].map(([id, item]) => [id, [item]]));
    return { ...NOTHING_FOUND, items, reading: found.reading };
  }
  if (observer === undefined && keys.size === 0) return NOTHING_FOUND;
  const madeByPrograms = new RewrittenKeys(keys);
  let found = nothingFound();
  const take = (item: Item, reading: Reading) => {
    const key = itemKey(item, rule);
    if (observer?.observe(item, key) === true) readings?.note(item, reading);
    if (isUndone(item)) {
      found.keepsMark = true;
      return;
    }
    const otherwise = keySpelledOtherwise(item, rule);
    if (otherwise !== undefined && keys.has(otherwise.key))
      found.spelledOtherwise.set(otherwise.key, { item, match: otherwise.match });
    for (const made of madeByPrograms.of(key)) found.withZeros.set(made, key);
    if (!keys.has(key)) {
      found.others.push(item.id.toLowerCase());
      return;
    }
    readings?.note(item, reading);
    append(found.items, key, item);
  };
  let intents = NO_INTENTS;
  const read = async (shown: (items: readonly Item[]) => void) => {
    observer?.begin();
    found = nothingFound();
    const at = momentOf(clock);
    const current = await asLastChanged(deps);
    intents = await ledger.items.intents(job.apiUrl);
    const isSettled = !(await isKeyUnderWay(job, keys, intents, ledger));
    // Only the whole list shows which items have a key other than the id.
    const list = await everyItem({
      client,
      clock,
      signal,
      // A key that is left out would look like a key that nobody has.
      watch: new FieldWatch('each', rule.match),
      onItems: async (page, askedAt) => {
        shown(page);
        for (const item of await current(page)) take(item, { at: askedAt, intents, isListed: true });
      },
      onRead: (done, total) => emit({ type: 'checking', done, total }),
    });
    const tookMs = msSince(at, clock);
    return { list, keysRead: { at, tookMs, committed: intents.committed, isSettled } };
  };
  const { list, keysRead } = await untilProven(() =>
    untilAccounted(job.apiUrl, null, deps, read, {
      take: (item, at) => take(item, { at, intents }),
      fields: rule.match,
    }),
  );
  const { items, others, spelledOtherwise, withZeros, keepsMark } = found;
  const undone = await undoneHere(keepsMark ? [] : [...items.values()].flat(), job, ledger);
  for (const [key, all] of undone.size === 0 ? [] : items) {
    const left = all.filter(({ id }) => !undone.has(id.toLowerCase()));
    if (left.length > 0) items.set(key, left);
    else items.delete(key);
  }
  const absent = new Set([...keys.keys()].filter((key) => !items.has(key) && !spelledOtherwise.has(key)));
  const { kept, ...made } = await madeWith(absent, others, job, deps);
  for (const [key, found] of kept) items.set(key, found);
  return { items, reading: { way: 'pages', ...list }, keysRead, spelledOtherwise, ...made, withZeros };
}

/**
 * The items that undos of this store have archived, and that no job has changed since: for a server of whose items none
 * has the mark of an undo, because it may drop it.
 */
async function undoneHere(
  items: readonly Item[],
  { apiUrl }: JobRecord,
  ledger: Ledger,
): Promise<Set<string>> {
  const last = await lastUpdates(items.filter(isArchived), apiUrl, ledger);
  return new Set([...last].filter(([, sent]) => createdWith(updateOf(sent)) !== undefined).map(([id]) => id));
}

function nothingFound() {
  const items: FoundItems['items'] = new Map();
  const spelledOtherwise: FoundItems['spelledOtherwise'] = new Map();
  const withZeros: FoundItems['withZeros'] = new Map();
  const others: string[] = [];
  return { items, spelledOtherwise, withZeros, others, keepsMark: false };
}

function append<V>(groups: Map<string, V[]>, key: string, value: V): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** True if an open or unanswered request may give an item one of the keys after the list was read. */
async function isKeyUnderWay(
  job: JobRecord,
  keys: { has(key: string): boolean },
  { open }: Intents,
  ledger: JobDeps['ledger'],
): Promise<boolean> {
  if (createsWith(keys, await ledger.items.openCreates(job.apiUrl), job).length > 0) return true;
  const updates = open.size === 0 ? [] : await ledger.items.sentUpdates(job.apiUrl, [...open.keys()]);
  const { match } = keyRule(job);
  return updates.some(
    (update) =>
      (update.state === 'sending' || update.state === 'unknown') &&
      fieldChanges(updateOf(update)).some(({ field }) => match.includes(field)),
  );
}

const PART = 500;

/**
 * The items that rows of this store created with keys that no item of the list has. `kept`: the server stored the key
 * in another form, so the item still belongs to the row. `changed`: somebody has changed the key since. Also returns
 * all keys that the server stored in another form.
 */
async function madeWith(
  absent: ReadonlySet<string>,
  others: readonly string[],
  job: JobRecord,
  deps: JobDeps,
): Promise<Record<'kept' | 'changed', Map<string, Item[]>> & Pick<FoundItems, 'rewritten'>> {
  const rule = keyRule(job);
  const rewritten: RewrittenKey[] = [];
  const made = new Map<string, { key: string; stored: string | undefined }>();
  for (let from = 0; absent.size > 0 && from < others.length; from += PART) {
    for (const row of await deps.ledger.items.creates(job.apiUrl, others.slice(from, from + PART))) {
      const key = row.input === null ? '' : itemKey(fieldsOfCreate(row), rule);
      const issue = row.issues.find(({ code }) => code === 'key_not_kept');
      const stored = issue?.found;
      if (stored !== undefined && issue?.column === rule.match.join(' + '))
        rewritten.push({ sent: key, stored });
      if (absent.has(key)) made.set(row.itemId, { key, stored });
    }
  }
  const found = { kept: new Map<string, Item[]>(), changed: new Map<string, Item[]>(), rewritten };
  if (made.size === 0) return found;
  const { items } = await itemsById(deps, made.keys());
  for (const [id, { key, stored }] of made) {
    const item = items.get(id);
    if (item === undefined || isUndone(item)) continue;
    const isAsMade = item.created_at === item.updated_at || shownKey(item, rule) === stored;
    const isKept = isAsMade || itemKey(item, rule) === key;
    const group = isKept ? found.kept : found.changed;
    append(group, key, item);
  }
  return found;
}
