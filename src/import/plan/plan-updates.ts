/**
 * Plans an update or upsert: finds each row's item, and keeps only what changes.
 */
import type { Item } from '../../api/schemas.ts';
import { everyItem, untilProven } from '../../listing/every-item.ts';
import type {
  JobRecord,
  LedgerRow,
  MoveOptions,
  RowMove,
  RowQuery,
  StoredIssue,
} from '../../ledger/ledger.ts';
import { CLEAR } from '../../mapping/mapping.ts';
import { itemsById } from './current-items.ts';
import type { ImportDeps } from '../deps.ts';
import { difference } from './difference.ts';
import { seenChanges } from '../settle/server-changes.ts';
import { customField, itemKey, keyOfValues, type KeyRule } from './match-key.ts';
import { PlanIssues } from './plan-issues.ts';
import { decodeWishes, type Wishes, wishesOfCreate } from './wishes.ts';
import { isUndone } from '../undo/undone.ts';
import { rowPages } from '../results/row-pages.ts';
import type { ItemLookup, KeysRead } from '../../ledger/job-options.ts';

/** Collections that tell the team at a resume. */
export const COLLECTIONS_KEPT = 20;

/** A row's key, '' where all its key cells are blank. */
type KeyOf = (wishes: Wishes) => string;

/** What the plan has seen of the API, kept with the job; nothing where the rows were planned as they were staged. */
export interface PlanFacts {
  /** Ids of a few collections that the items concerned lie in. */
  teamCollections?: string[];
  reading?: ItemLookup;
  /** When the list was read by which keys were looked up; null where that says nothing of what other jobs made. */
  keysRead?: KeysRead | null;
}

/** Rows as they were staged: wishes that no item was found for yet. */
const STAGED: Omit<RowQuery, 'limit'> = { states: ['planned'], actions: ['update'] };
/** Rows that become new items. */
const CREATES: Omit<RowQuery, 'limit'> = { states: ['planned'], actions: ['create'] };

export async function planUpdates(job: JobRecord, deps: ImportDeps): Promise<PlanFacts> {
  const match = matchOf(job);
  const keyChanges = await seenChanges(deps.ledger, job.apiUrl);
  job.options = { ...job.options, keyChanges };
  const keyOf = keyReader(keyRule(job));

  const keys = await readKeys(job, deps, keyOf, match);
  if (keys.size === 0 && job.kind === 'set') return {};
  const issues = new PlanIssues();
  await settleRepeated(job, deps, keyOf, keys, match, issues);
  // Made of an earlier reading, before a kill.
  const planned = await keysOfCreates(job, deps);
  const { items, reading, keysRead = null } = await findItems(job, match, new Set(keys.keys()), deps);
  await eachRow(
    job,
    deps,
    STAGED,
    (row, wishes) => {
      const key = keyOf(wishes);
      if (key === '') return blankKey(job, row, wishes, match);
      return planRow(job, row, wishes, items.get(key) ?? [], match);
    },
    issues,
  );
  issues.tell(deps.emit);
  return {
    teamCollections: teamCollections([...items.values()].flat()),
    reading,
    keysRead: planned.size === 0 ? keysRead : null,
  };
}

/** Keys of planned creates, as far as they have one. */
export async function keysOfCreates(job: JobRecord, deps: ImportDeps): Promise<Set<string>> {
  const keys = new Set<string>();
  if (!createsByKey(job)) return keys;
  const keyOf = keyReader(keyRule(job));
  await eachRow(job, deps, CREATES, (_, wishes) => {
    const key = keyOf(wishes);
    if (key !== '') keys.add(key);
    return undefined;
  });
  return keys;
}

/** Whether the job creates what it finds no item for by a key; an id is the server's to give. */
export function createsByKey(job: JobRecord): boolean {
  return job.mode === 'upsert' && !matchOf(job).includes('id');
}

/** What became of creates whose key an item has by now. */
export interface PlannedAgain {
  updates: number;
  unchanged: number;
  invalid: number;
}

/**
 * Looks the keys of planned creates up again: a row whose key an item has by now is planned as any row that has one.
 *
 * @throws ListMovedError
 */
export async function planCreatesAgain(
  job: JobRecord,
  keys: ReadonlySet<string>,
  deps: ImportDeps,
  options: MoveOptions,
): Promise<{ again: PlannedAgain; keysRead: KeysRead | null }> {
  const match = matchOf(job);
  const keyOf = keyReader(keyRule(job));
  const { items, keysRead = null } = await findItems(job, match, keys, deps);
  const again: PlannedAgain = { updates: 0, unchanged: 0, invalid: 0 };
  const issues = new PlanIssues();
  const visit = (row: LedgerRow, wishes: Wishes): RowMove | undefined => {
    const found = items.get(keyOf(wishes));
    if (found === undefined) return undefined;
    const move = planRow(job, row, wishes, found, match);
    if (move.to === 'planned') again.updates += 1;
    else if (move.to === 'unchanged') again.unchanged += 1;
    else again.invalid += 1;
    return { issues: [], ...move, action: 'update' };
  };
  await eachRow(job, deps, CREATES, visit, issues, options);
  issues.tell(deps.emit);
  return { again, keysRead };
}

export function matchOf(job: JobRecord): string[] {
  const { match } = job.options;
  return match.length === 0 ? ['id'] : match;
}

/** The same from the plan to the last row. */
export function keyRule(job: JobRecord): KeyRule {
  const { keyChanges = [] } = job.options;
  return { match: matchOf(job), changes: keyChanges };
}

interface KeyUse {
  rows: number;
  /** True as long as all rows of the key say the same. */
  same: boolean;
  says: string;
  /** Row of the file, and ordinal, of the first. */
  sheetRow: number;
  ordinal: number;
}

async function readKeys(
  job: JobRecord,
  deps: ImportDeps,
  keyOf: KeyOf,
  match: string[],
): Promise<Map<string, KeyUse>> {
  const keys = new Map<string, KeyUse>();
  await eachRow(job, deps, STAGED, (row, wishes) => {
    const key = keyOf(wishes);
    if (key === '') return undefined;
    const says = whatIsSaid(job, row, wishes, match);
    const known = keys.get(key);
    if (known === undefined) {
      keys.set(key, { rows: 1, same: true, says, sheetRow: row.sheetRow, ordinal: row.ordinal });
    } else {
      known.rows += 1;
      known.same &&= known.says === says;
    }
    return undefined;
  });
  return keys;
}

/** Equal for rows that ask the same of their item, however they spell its key, its status or its collection. */
function whatIsSaid(job: JobRecord, row: LedgerRow, wishes: Wishes, match: string[]): string {
  const { fields, customFields, tags } = withoutKey(wishes, match);
  const said = Object.entries(fields).map(([field, { value, text, issue }]) => [
    field,
    issue === undefined && value !== CLEAR ? { value } : { text },
  ]);
  // Of custom fields the texts: what type they get is the item's to say.
  const custom = Object.entries(customFields).map(([key, { text }]) => [key, text]);
  return JSON.stringify([said, custom, tags, job.collections[row.collection ?? ''] ?? row.collection]);
}

/**
 * A key that stands in several rows: those that disagree are invalid, those that agree are one change.
 *
 * All of it in one transaction, before anything else is planned: after a kill half way, the rows that are left
 * would otherwise look as if they stood alone.
 */
async function settleRepeated(
  job: JobRecord,
  deps: ImportDeps,
  keyOf: KeyOf,
  keys: Map<string, KeyUse>,
  match: string[],
  issues: PlanIssues,
): Promise<void> {
  const moves: RowMove[] = [];
  await eachRow(job, deps, STAGED, (row, wishes) => {
    const use = keys.get(keyOf(wishes));
    if (use === undefined || use.rows === 1) return undefined;
    if (use.same && use.ordinal !== row.ordinal)
      moves.push({ ordinal: row.ordinal, from: 'planned', to: 'unchanged' });
    if (use.same) return undefined;
    const message = `${match.join(' + ')} stands in ${use.rows} rows (the first is row ${use.sheetRow}) that disagree`;
    const issue: StoredIssue = { code: 'duplicate_key', message, column: match.join(' + ') };
    issues.add(row.sheetRow, issue);
    moves.push(invalid(row, issue));
    return undefined;
  });
  if (moves.length > 0) await deps.ledger.rows.move(job.id, moves);
}

/** A few of the collections that the items lie in: with another team's key none of them is there. */
export function teamCollections(items: Iterable<Item>): string[] {
  const ids = new Set<string>();
  for (const item of items) {
    ids.add(item.collection_id.toLowerCase());
    if (ids.size === COLLECTIONS_KEPT) break;
  }
  return [...ids];
}

function planRow(job: JobRecord, row: LedgerRow, wishes: Wishes, items: Item[], match: string[]): RowMove {
  const [item, second] = items;
  if (second !== undefined) {
    const ids = items.slice(0, 5).map((each) => each.id);
    const message = `${match.join(' + ')} fits ${items.length} items: ${ids.join(', ')}`;
    return invalid(row, { code: 'ambiguous_match', message, column: match.join(' + ') });
  }
  if (item === undefined) {
    // An id is the server's to give: a row that names one that is not there cannot become an item with it.
    if (job.mode === 'upsert' && !match.includes('id')) return asCreate(job, row, wishes);
    const message = match.includes('id')
      ? `there is no item ${wishes.id ?? ''}`
      : `no item has this ${match.join(' + ')}`;
    return invalid(row, { code: 'no_such_item', message, column: match.join(' + ') });
  }
  const collectionId = row.collection === null ? undefined : job.collections[row.collection];
  const planned = difference(withoutKey(wishes, match), item, collectionId);
  if ('issues' in planned)
    return { ordinal: row.ordinal, from: 'planned', to: 'invalid', issues: planned.issues };
  const itemId = item.id.toLowerCase();
  const to = Object.keys(planned.payload.set).length === 0 ? 'unchanged' : 'planned';
  return { ordinal: row.ordinal, from: 'planned', to, itemId, payload: JSON.stringify(planned.payload) };
}

/** What finds the item is not news to it: ` af-1 ` for `AF-1` is the same key, and no change. */
function withoutKey(wishes: Wishes, match: string[]): Wishes {
  const kept = <T>(record: Record<string, T>, prefix: string) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !match.includes(`${prefix}${key}`)));
  return {
    ...wishes,
    fields: kept(wishes.fields, ''),
    customFields: kept(wishes.customFields, 'custom_fields.'),
  };
}

function blankKey(job: JobRecord, row: LedgerRow, wishes: Wishes, match: string[]): RowMove {
  if (job.mode === 'upsert') return asCreate(job, row, wishes);
  const message = `${match.join(' + ')} is blank: there is no telling which item is meant`;
  return invalid(row, { code: 'blank_key', message, column: match.join(' + ') });
}

function asCreate(job: JobRecord, row: LedgerRow, wishes: Wishes): RowMove {
  const create = wishes.create;
  if (create === undefined || create.issues.length > 0) {
    return { ordinal: row.ordinal, from: 'planned', to: 'invalid', issues: create?.issues ?? [] };
  }
  if (job.collections[row.collection ?? ''] === undefined) {
    return invalid(row, {
      code: 'required',
      message: 'no item matches, and a new one needs a collection: give --collection',
    });
  }
  return {
    ordinal: row.ordinal,
    from: 'planned',
    to: 'planned',
    action: 'create',
  };
}

function invalid(row: LedgerRow, issue: StoredIssue): RowMove {
  return { ordinal: row.ordinal, from: 'planned', to: 'invalid', issues: [issue] };
}

/** Items by key, of those keys: what is not in the result is certainly not there. */
async function findItems(
  job: JobRecord,
  match: string[],
  keys: ReadonlySet<string>,
  deps: ImportDeps,
): Promise<{ items: Map<string, Item[]>; reading: ItemLookup; keysRead?: KeysRead | null }> {
  const { client, ledger, clock, signal, emit } = deps;
  if (match.length === 1 && match[0] === 'id') {
    const found = await itemsById(deps, keys);
    return { items: new Map([...found.items].map(([id, item]) => [id, [item]])), reading: found.reading };
  }
  if (keys.size === 0) return { items: new Map(), reading: { way: 'pages', items: 0, requests: 0 } };
  const rule = keyRule(job);
  return untilProven(async () => {
    const at = clock.now();
    const { committed, underWay } = await ledger.items.intents(job.apiUrl);
    const items = new Map<string, Item[]>();
    // A key of another field than the id is found by looking through the list alone.
    const read = await everyItem({
      client,
      clock,
      signal,
      onItems: (page, askedAt) => {
        for (const item of page) {
          const key = itemKey(item, rule);
          if (!keys.has(key) || isUndone(item)) continue;
          deps.readTimes?.note(item.id, askedAt);
          const known = items.get(key);
          if (known === undefined) items.set(key, [item]);
          else known.push(item);
        }
      },
      onRead: (done, total) => emit({ type: 'checking', done, total }),
    });
    // What another job has under way may come to be after it was looked for.
    const keysRead = underWay ? null : { at, intents: committed };
    return { items, reading: { way: 'pages' as const, ...read }, keysRead };
  });
}

/**
 * Runs over planned rows in order and commits what each becomes.
 *
 * @param issues takes what is wrong with those that become invalid
 */
async function eachRow(
  job: JobRecord,
  deps: ImportDeps,
  which: Omit<RowQuery, 'limit'>,
  visit: (row: LedgerRow, wishes: Wishes) => RowMove | undefined,
  issues?: PlanIssues,
  options?: MoveOptions,
): Promise<void> {
  for await (const rows of rowPages(deps.ledger, job.id, which)) {
    const moves: RowMove[] = [];
    for (const row of rows) {
      // Planned already, before a kill: its payload is no longer a wish.
      if (row.itemId !== null) continue;
      const move = visit(
        row,
        row.action === 'create' ? wishesOfCreate(row.payload) : decodeWishes(row.payload ?? '{}'),
      );
      if (move === undefined) continue;
      moves.push(move);
      for (const issue of move.to === 'invalid' ? (move.issues ?? []) : []) issues?.add(row.sheetRow, issue);
    }
    if (moves.length > 0) await deps.ledger.rows.move(job.id, moves, options);
  }
}

function keyReader(rule: KeyRule): KeyOf {
  return (wishes) =>
    keyOfValues(rule, (field) => {
      if (field === 'id') return wishes.id;
      const custom = customField(field);
      const wish =
        custom === undefined ? wishes.fields[field as keyof Wishes['fields']] : wishes.customFields[custom];
      if (wish === undefined || wish.value === CLEAR) return undefined;
      return custom === undefined ? wish.value : wish.text;
    });
}
