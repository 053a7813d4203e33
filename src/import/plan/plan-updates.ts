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
import { teamCollections } from '../items/collections.ts';
import { itemsById, type PlanFacts } from '../items/current-items.ts';
import type { JobDeps } from '../job/deps.ts';
import { difference } from '../changes/difference.ts';
import { seenChanges } from '../job/server-changes.ts';
import { customField, itemKey, keyOfValues, type KeyRule } from '../changes/match-key.ts';
import { PlanIssues } from '../job/plan-issues.ts';
import { decodeRowPatch, type RowPatch, patchOfCreate } from '../changes/row-patch.ts';
import { isUndone } from '../undo/undone.ts';
import { rowPages } from '../job/row-pages.ts';
import type { ItemLookup, KeysRead } from '../../ledger/job-options.ts';

/** A row's key, '' where all its key cells are blank. */
type KeyOf = (patch: RowPatch) => string;

/** Rows as they were staged: patches without an item yet. */
const STAGED: Omit<RowQuery, 'limit'> = { states: ['planned'], actions: ['update'] };
/** Rows that become new items. */
const CREATES: Omit<RowQuery, 'limit'> = { states: ['planned'], actions: ['create'] };

export async function planUpdates(job: JobRecord, deps: JobDeps): Promise<PlanFacts> {
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
    (row, patch) => {
      const key = keyOf(patch);
      if (key === '') return blankKey(job, row, patch, match);
      return planRow(job, row, patch, items.get(key) ?? [], match);
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
export async function keysOfCreates(job: JobRecord, deps: JobDeps): Promise<Set<string>> {
  const keys = new Set<string>();
  if (!createsByKey(job)) return keys;
  const keyOf = keyReader(keyRule(job));
  await eachRow(job, deps, CREATES, (_, patch) => {
    const key = keyOf(patch);
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
  deps: JobDeps,
  options: MoveOptions,
): Promise<{ again: PlannedAgain; keysRead: KeysRead | null }> {
  const match = matchOf(job);
  const keyOf = keyReader(keyRule(job));
  const { items, keysRead = null } = await findItems(job, match, keys, deps);
  const again: PlannedAgain = { updates: 0, unchanged: 0, invalid: 0 };
  const issues = new PlanIssues();
  const visit = (row: LedgerRow, patch: RowPatch): RowMove | undefined => {
    const found = items.get(keyOf(patch));
    if (found === undefined) return undefined;
    const move = planRow(job, row, patch, found, match);
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
  deps: JobDeps,
  keyOf: KeyOf,
  match: string[],
): Promise<Map<string, KeyUse>> {
  const keys = new Map<string, KeyUse>();
  await eachRow(job, deps, STAGED, (row, patch) => {
    const key = keyOf(patch);
    if (key === '') return undefined;
    const says = whatIsSaid(job, row, patch, match);
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
function whatIsSaid(job: JobRecord, row: LedgerRow, patch: RowPatch, match: string[]): string {
  const { fields, customFields, tags } = withoutKey(patch, match);
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
  deps: JobDeps,
  keyOf: KeyOf,
  keys: Map<string, KeyUse>,
  match: string[],
  issues: PlanIssues,
): Promise<void> {
  const moves: RowMove[] = [];
  await eachRow(job, deps, STAGED, (row, patch) => {
    const use = keys.get(keyOf(patch));
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

function planRow(job: JobRecord, row: LedgerRow, patch: RowPatch, items: Item[], match: string[]): RowMove {
  const [item, second] = items;
  if (second !== undefined) {
    const ids = items.slice(0, 5).map((each) => each.id);
    const message = `${match.join(' + ')} fits ${items.length} items: ${ids.join(', ')}`;
    return invalid(row, { code: 'ambiguous_match', message, column: match.join(' + ') });
  }
  if (item === undefined) {
    // An id is the server's to give: a row that names one that is not there cannot become an item with it.
    if (job.mode === 'upsert' && !match.includes('id')) return asCreate(job, row, patch);
    const message = match.includes('id')
      ? `there is no item ${patch.id ?? ''}`
      : `no item has this ${match.join(' + ')}`;
    return invalid(row, { code: 'no_such_item', message, column: match.join(' + ') });
  }
  const collectionId = row.collection === null ? undefined : job.collections[row.collection];
  const planned = difference(withoutKey(patch, match), item, collectionId);
  if ('issues' in planned)
    return { ordinal: row.ordinal, from: 'planned', to: 'invalid', issues: planned.issues };
  const itemId = item.id.toLowerCase();
  const to = Object.keys(planned.payload.set).length === 0 ? 'unchanged' : 'planned';
  return { ordinal: row.ordinal, from: 'planned', to, itemId, payload: JSON.stringify(planned.payload) };
}

/** What finds the item is not news to it: ` af-1 ` for `AF-1` is the same key, and no change. */
function withoutKey(patch: RowPatch, match: string[]): RowPatch {
  const kept = <T>(record: Record<string, T>, prefix: string) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !match.includes(`${prefix}${key}`)));
  return {
    ...patch,
    fields: kept(patch.fields, ''),
    customFields: kept(patch.customFields, 'custom_fields.'),
  };
}

function blankKey(job: JobRecord, row: LedgerRow, patch: RowPatch, match: string[]): RowMove {
  if (job.mode === 'upsert') return asCreate(job, row, patch);
  const message = `${match.join(' + ')} is blank: there is no telling which item is meant`;
  return invalid(row, { code: 'blank_key', message, column: match.join(' + ') });
}

function asCreate(job: JobRecord, row: LedgerRow, patch: RowPatch): RowMove {
  const create = patch.create;
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
  deps: JobDeps,
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
  deps: JobDeps,
  which: Omit<RowQuery, 'limit'>,
  visit: (row: LedgerRow, patch: RowPatch) => RowMove | undefined,
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
        row.action === 'create' ? patchOfCreate(row.payload) : decodeRowPatch(row.payload ?? '{}'),
      );
      if (move === undefined) continue;
      moves.push(move);
      for (const issue of move.to === 'invalid' ? (move.issues ?? []) : []) issues?.add(row.sheetRow, issue);
    }
    if (moves.length > 0) await deps.ledger.rows.move(job.id, moves, options);
  }
}

function keyReader(rule: KeyRule): KeyOf {
  return (patch) =>
    keyOfValues(rule, (field) => {
      if (field === 'id') return patch.id;
      const custom = customField(field);
      const wish =
        custom === undefined ? patch.fields[field as keyof RowPatch['fields']] : patch.customFields[custom];
      if (wish === undefined || wish.value === CLEAR) return undefined;
      return custom === undefined ? wish.value : wish.text;
    });
}
