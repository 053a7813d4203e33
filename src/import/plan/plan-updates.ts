/** Plans an update or upsert: finds the item of each row, and keeps only the changes. */
import { issueOf } from '../engine/stored-issue.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { noteOf, warningOf } from '../job/events.ts';
import type { Item } from '../../api/schemas.ts';
import type {
  JobRecord,
  LedgerRow,
  MoveOptions,
  RowMove,
  RowQuery,
  StoredIssue,
} from '../../ledger/ledger.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { difference } from '../changes/difference.ts';
import { driftIssue } from '../changes/drift.ts';
import { CurrenciesChanged } from '../changes/relative.ts';
import { RewrittenCells } from '../changes/rewritten.ts';
import { PlanNotes } from '../changes/plan-notes.ts';
import { fieldChanges, isEmptied } from '../engine/field-changes.ts';
import { fieldsOf, patchOf, type RowPatch } from '../engine/input.ts';
import { teamCollections } from '../items/collections.ts';
import { keysOfCreates, PLANNED_CREATES } from '../items/creates-by-key.ts';
import { candidatesOf } from '../items/candidates.ts';
import { MissingFinder, NOT_MISSING, planMissing } from './missing-items.ts';
import type { OnDrift } from '../../ledger/job-parts.ts';
import { placeOf } from '../../ledger/row-name.ts';
import { type PlanFacts, unknownFieldsOf } from '../items/current-items.ts';
import type { JobDeps } from '../job/deps.ts';
import { isDecided, type Update, updateText } from '../engine/operation.ts';
import { isMissingRow } from '../job/missing-rows.ts';
import { PlanIssues } from '../job/plan-issues.ts';
import { type Decision, decideRows, rowPages } from '../job/row-pages.ts';
import { seenChanges } from '../job/server-changes.ts';
import { AmountCheck } from './check-currency.ts';
import { Copies } from './copies.ts';
import {
  createsByKey,
  expectations,
  keyRule,
  mayBeRewritten,
  RowKeys,
  shownKey,
} from '../changes/match-key.ts';
import { KeptCopies } from '../similar/kept-copies.ts';
import { type FoundItems, findByKey, type ListObserver, NOTHING_FOUND } from './find-by-key.ts';
import { hasCopies, RepeatedKeys } from './repeated-keys.ts';
import { isArchived, saysStatus, statusesBefore, withStatus } from './restored-status.ts';
import { differing, SinceExport } from './since-export.ts';

const STAGED: Omit<RowQuery, 'limit'> = { states: ['planned'], actions: ['update'] };

/** Plans the staged rows; may be called again after a kill. */
export async function planUpdates(job: JobRecord, deps: JobDeps): Promise<PlanFacts> {
  job.plan = { ...job.plan, keyChanges: await seenChanges(deps.ledger, job.apiUrl) };
  return new UpdatePlanner(job, deps, await AmountCheck.open(job, deps)).plan();
}

/**
 * Looks keys up again. A planned create whose key now has an item becomes an update of that item. A missing item is not
 * archived if it now has a key of the file.
 *
 * @param keys of planned creates
 * @param archives the planned rows that archive missing items
 * @throws ListMovedError
 */
export async function planKeysAgain(
  job: JobRecord,
  { keys, archives }: { keys: ReadonlyMap<string, number>; archives: readonly LedgerRow[] },
  deps: JobDeps,
  options: AgainOptions,
): Promise<PlannedAgain> {
  return new UpdatePlanner(job, deps, await AmountCheck.open(job, deps), options).keysAgain(keys, archives);
}

interface AgainOptions extends MoveOptions {
  /** What happens to rows whose items have newer values. */
  onDrift: OnDrift;
}

/** The outcome for rows whose keys were looked up again. */
export interface PlannedAgain {
  /** Creates whose key now has an item. */
  updates: number;
  unchanged: number;
  invalid: number;
  /** Rows held because there are now more items than the row's quantity, or an item with other values. */
  held: number;
  skipped: number;
  /** Creates with keys that the server may not keep, as the answers to other jobs have shown since. */
  rewritten: number;
  /** Missing items that now have a key of the file. */
  there: number;
}

class UpdatePlanner {
  readonly #job: JobRecord;
  readonly #deps: JobDeps;
  readonly #options: AgainOptions | undefined;
  readonly #keys: RowKeys;
  readonly #kept: KeptCopies | undefined;
  readonly #sinceExport: SinceExport;
  readonly #rewritten = new RewrittenCells();
  readonly #notes = new PlanNotes();
  readonly #amounts: AmountCheck | undefined;
  /** Rows of the file that are held because there are more items than their quantity. */
  readonly #held = new Set<string>();
  readonly #issues = new PlanIssues();
  readonly #fields = new Set<string>();
  #found: FoundItems = NOTHING_FOUND;
  #copies: Copies | undefined;
  readonly #currencies = new CurrenciesChanged();
  #statuses: ReadonlyMap<string, unknown> = new Map();
  /** Numbers of items of the file that were archived: how many are restored, and how many stay archived. */
  #archived = { back: 0, stay: 0 };

  constructor(job: JobRecord, deps: JobDeps, amounts: AmountCheck | undefined, options?: AgainOptions) {
    this.#amounts = amounts;
    this.#job = job;
    this.#deps = deps;
    this.#options = options;
    this.#keys = new RowKeys(keyRule(job));
    this.#kept = KeptCopies.of(job);
    this.#sinceExport = new SinceExport(this.#keys);
  }

  async plan(): Promise<PlanFacts> {
    const repeated = new RepeatedKeys(this.#job, this.#keys);
    for await (const rows of rowPages(this.#deps.ledger, this.#job.id))
      for (const row of rows) {
        this.#kept?.note(row);
        const isPlanned = row.state === 'planned' && row.action === 'update' && row.operation === null;
        if (!isPlanned && !wasDecided(row)) continue;
        const patch = patchOf(row);
        repeated.note(row, patch, isPlanned);
        for (const field of fieldsOf(patch)) this.#fields.add(field);
        this.#sinceExport.note(patch);
      }
    const keys = repeated.keys();
    // Planned from an earlier reading, before a kill.
    const planned = await keysOfCreates(this.#job, this.#deps.ledger);
    const missing = this.#job.request.missing === undefined ? undefined : await this.#missingFinder();
    const { items, reading, keysRead } = await this.#findItems(keys, missing);
    const { withZeros } = this.#found;
    // A file that has both keys has lost no zeros.
    const inFile = withZeros.size === 0 ? undefined : await this.#fileKeys();
    for (const [bare, key] of withZeros) if (inFile?.has(key) === true) withZeros.delete(bare);
    await this.#planRepeated(repeated, items);
    await this.#eachRow(STAGED, (row, patch) => {
      const key = this.#keys.of(patch);
      if (key === '') return this.#withoutKey(row, patch);
      return this.#planRow(row, patch, items.get(key) ?? [], repeated.copiesOf(patch));
    });
    this.#currencies.check();
    this.#tell();
    this.#noteKeys(planned.size === 0 ? keysRead : undefined);
    return {
      teamCollections: teamCollections([...items.values()].flat()),
      reading,
      ...(missing === undefined
        ? {}
        : { missing: await planMissing(this.#job, missing, this.#keys.match, this.#deps) }),
    };
  }

  async #missingFinder(): Promise<MissingFinder> {
    return new MissingFinder(this.#job.collections[''] ?? '', await this.#fileKeys());
  }

  /** The keys of all rows of the file, whatever their states. */
  async #fileKeys(): Promise<Set<string>> {
    const keys = new Set<string>();
    for await (const rows of rowPages(this.#deps.ledger, this.#job.id)) {
      for (const row of rows) {
        if (row.input !== null) keys.add(this.#keys.of(patchOf(row)));
      }
    }
    keys.delete('');
    return keys;
  }

  async keysAgain(keys: ReadonlyMap<string, number>, archives: readonly LedgerRow[]): Promise<PlannedAgain> {
    const rowsOf = new Map(archives.map((row) => [row.itemId ?? '', row]));
    const inFile = archives.length === 0 ? keys : await this.#fileKeys();
    let there: LedgerRow[] = [];
    const { items, keysRead } = await this.#findItems(keys, {
      begin: () => {
        there = [];
      },
      observe: (item, key) => {
        const row = inFile.has(key) ? rowsOf.get(item.id.toLowerCase()) : undefined;
        if (row !== undefined) there.push(row);
        return false;
      },
    });
    // A row that is not planned again was not compared with this reading: its item is read once more.
    for (const item of [...items.values()].flat()) this.#deps.readings?.forget(item.id);
    const again: PlannedAgain = {
      updates: 0,
      unchanged: 0,
      invalid: 0,
      held: 0,
      skipped: 0,
      rewritten: 0,
      there: there.length,
    };
    const leave = there.map(({ ordinal }): RowMove => ({ ordinal, from: 'planned', ...NOT_MISSING }));
    if (leave.length > 0) await this.#deps.ledger.rows.move(this.#job.id, leave, this.#options);
    await this.#eachRow(PLANNED_CREATES, (row, patch) => {
      const key = this.#keys.of(patch);
      const found = items.get(key) ?? [];
      if (found.length === 0 && !this.#found.changed.has(key)) {
        const issues = this.#issuesOfNewKey(patch);
        if (issues.length === 0 || row.issues.some(({ code }) => code === 'key_not_kept')) return undefined;
        again.rewritten += 1;
        return { to: 'planned', issues };
      }
      const move = this.#planRow(row, patch, found, keys.get(key) ?? 1);
      // A copy that still has no item.
      if (move.action === 'create') return undefined;
      if (move.to === 'planned') again.updates += 1;
      else if (move.to === 'unchanged') again.unchanged += 1;
      else if (move.to === 'held') again.held += 1;
      else if (move.to === 'skipped') again.skipped += 1;
      else again.invalid += 1;
      return { issues: [], ...move, action: 'update' };
    });
    this.#tell();
    this.#noteKeys(keysRead);
    return again;
  }

  /**
   * Rows that share a key: if they disagree, all are invalid; if they agree, they are one change. If there is not
   * exactly one item to change, each row is invalid.
   *
   * They are planned in one transaction, before anything else: after a kill halfway, the remaining rows would look like
   * the only ones with their key.
   */
  async #planRepeated(repeated: RepeatedKeys, items: ReadonlyMap<string, Item[]>): Promise<void> {
    const moves: RowMove[] = [];
    await this.#eachRow(STAGED, (row, patch) => {
      const { ordinal } = row;
      const issue = repeated.judge(row, patch, items.get(this.#keys.of(patch)) ?? [], this.#copies);
      if (issue === 'repeats') moves.push({ ordinal, from: 'planned', to: 'unchanged' });
      else if (issue !== undefined) {
        this.#issues.add({ row: row.sheetRow, sheet: row.sheet }, issue);
        moves.push({ ordinal, from: 'planned', ...invalid(issue) });
      }
      return undefined;
    });
    if (moves.length > 0) await this.#deps.ledger.rows.move(this.#job.id, moves);
  }

  /** @param waiting rows with this key without an item: the copies of one row */
  #planRow(row: LedgerRow, patch: RowPatch, found: Item[], waiting: number): Decision {
    // A person's choice of an item says nothing about the other copies.
    if (this.#copies === undefined || (waiting === 1 && patch.chosen !== undefined))
      return this.#planAlone(row, patch, found);
    const match = this.#copies.next(this.#keys.of(patch), placeOf(row), found, waiting);
    if ('item' in match) return this.#planAlone(row, patch, match.item === undefined ? [] : [match.item]);
    this.#held.add(placeOf(row));
    const said = message('surplus_items', { ...this.#itemsWith(match.surplus), quantity: waiting });
    return { to: 'held', issues: [this.#keyIssue('surplus_items', said, match.surplus)] };
  }

  #planAlone(row: LedgerRow, patch: RowPatch, found: Item[]): Decision {
    const { chosen } = patch;
    const items = chosen === undefined ? found : found.filter(({ id }) => id.toLowerCase() === chosen);
    if (chosen !== undefined && items.length === 0) {
      const said = message('not_a_candidate', { key: this.#keys.label, item: chosen });
      return invalid(issueOf('not_a_candidate', said, { column: '_item_id', ...candidatesOf(found) }));
    }
    const [item, second] = items;
    if (second !== undefined)
      return invalid(
        this.#keyIssue('ambiguous_match', message('ambiguous_match', this.#itemsWith(items)), items, patch),
      );
    if (item === undefined) return this.#withoutItem(row, patch);
    const unknown = unknownFieldsOf(item);
    if (unknown !== undefined) return { to: 'held', itemId: item.id.toLowerCase(), issues: [unknown] };
    const compared =
      this.#amounts?.against(patch, item) ??
      difference(this.#keys.besides(patch), item, this.#collectionOf(row));
    if (!('update' in compared)) return compared;
    this.#currencies.note(item, patch, compared.update);
    this.#rewritten.add(compared.rewritten ?? []);
    const others = this.#kept?.expectations(row, compared.update) ?? [];
    const expect = [...expectations(this.#keys.match, item), ...others];
    const { to, update } = this.#asPresent(compared, item);
    this.#notes.add(item, update);
    if (expect.length > 0) update.expect = expect;
    if (patch.exported !== undefined) update.exported = patch.exported;
    const onDrift = this.#options?.onDrift ?? this.#job.request.onDrift ?? 'hold';
    const itemId = item.id.toLowerCase();
    const issue = to === 'unchanged' ? undefined : this.#newerValues(row, patch, update, item);
    const { unset: issues = [] } = update;
    if (issue === undefined) return { to, itemId, issues, operation: updateText(update) };
    const operation = updateText({ ...update, isOlder: true });
    if (onDrift === 'overwrite') return { to, itemId, issues, operation };
    return { to: onDrift === 'skip' ? 'skipped' : 'held', itemId, operation, issues: [issue] };
  }

  /** Why the update of a row may replace values that are newer than the row; undefined if it cannot. */
  #newerValues(row: LedgerRow, patch: RowPatch, update: Update, item: Item): StoredIssue | undefined {
    if (row.action !== 'create') return this.#sinceExport.issue(patch, update, item);
    const changes = fieldChanges(update).filter(({ from }) => !isEmptied(from));
    const means = message('no_item_when_planned', {});
    return changes.length === 0 ? undefined : driftIssue(changes.map(differing), changes[0]?.field, means);
  }

  /** The file has the item: it is restored if it was archived because an earlier file lacked it. */
  #asPresent(
    compared: { to: 'planned' | 'unchanged'; update: Update },
    item: Item,
  ): { to: 'planned' | 'unchanged'; update: Update } {
    if (!isArchived(item) || saysStatus(compared.update)) return compared;
    const status = this.#statuses.get(item.id.toLowerCase());
    this.#archived[status === undefined ? 'stay' : 'back'] += 1;
    return status === undefined ? compared : { to: 'planned', update: withStatus(compared.update, status) };
  }

  #withoutItem(row: LedgerRow, patch: RowPatch): Decision {
    const { label, match } = this.#keys;
    const key = this.#keys.of(patch);
    const otherwise = this.#found.spelledOtherwise.get(key);
    // A new item would duplicate an existing one.
    if (otherwise !== undefined) {
      const { item } = otherwise;
      const spelled = otherwise.match.filter((field) => !match.includes(field)).join(' and ');
      const about = { spelled, id: item.id, name: cut(item.name), match: otherwise.match.join(',') };
      return invalid(
        this.#keyIssue('key_spelled_otherwise', message('found_as_spelled', about), [item], patch),
      );
    }
    const withZeros = this.#found.withZeros.get(key);
    if (withZeros === undefined && createsByKey(this.#job)) return this.#asCreate(row, patch);
    const hint = withZeros === undefined ? {} : { withZeros };
    const said = match.includes('id')
      ? message('no_item_with_id', { id: patch.id ?? '' })
      : message('no_item_with_key', { key: label, text: this.#keys.asWritten(patch).found ?? '', ...hint });
    return invalid(this.#keyIssue('no_such_item', said, [], patch));
  }

  #withoutKey(row: LedgerRow, patch: RowPatch): Decision {
    if (this.#job.mode === 'upsert' && patch.chosen === undefined) return this.#asCreate(row, patch);
    return invalid(this.#keyIssue('blank_key', message('blank_key', { key: this.#keys.label })));
  }

  #asCreate(row: LedgerRow, patch: RowPatch): Decision {
    const { create } = patch;
    if (create === undefined || create.issues.length > 0)
      return { to: 'invalid', issues: create?.issues ?? [] };
    const changed = this.#found.changed.get(this.#keys.of(patch));
    // A new item would duplicate the existing one, under its old key.
    if (changed !== undefined) {
      const now = changed.map((item) => shownKey(item, this.#keys));
      const said = message('key_changed', { key: this.#keys.label, now, items: itemsShown(changed) });
      return { to: 'held', issues: [this.#keyIssue('key_changed', said, changed)] };
    }
    if (this.#job.collections[row.collection ?? ''] === undefined) {
      return invalid(issueOf('required', message('new_item_without_collection', {})));
    }
    return { to: 'planned', action: 'create', issues: this.#issuesOfNewKey(patch) };
  }

  /**
   * A person decides first whether to send a key that the server may rewrite, because no later import would find its
   * item.
   */
  #issuesOfNewKey(patch: RowPatch): StoredIssue[] {
    const key = this.#keys.of(patch);
    const like = key === '' ? undefined : this.#found.rewritten.find((each) => mayBeRewritten(key, each));
    if (like === undefined) return [];
    const said = message('key_may_not_be_kept', { key: this.#keys.label, ...like });
    return [this.#keyIssue('key_not_kept', said, [], patch)];
  }

  /** @param patch the row's patch, which has the key as it is written in the file */
  #keyIssue(
    code: StoredIssue['code'],
    said: Message,
    candidates: readonly Item[] = [],
    patch?: RowPatch,
  ): StoredIssue {
    const written = patch === undefined ? {} : this.#keys.asWritten(patch);
    const about = { column: this.#keys.label, ...written, ...candidatesOf(candidates) };
    return issueOf(code, said, about);
  }

  #itemsWith(items: readonly Item[]): { key: string; count: number; items: string[] } {
    return { key: this.#keys.label, count: items.length, items: itemsShown(items) };
  }

  #collectionOf({ collection }: LedgerRow): string | undefined {
    return collection === null ? undefined : this.#job.collections[collection];
  }

  async #findItems(keys: ReadonlySet<string> | ReadonlyMap<string, unknown>, observer?: ListObserver) {
    const found = await findByKey(this.#job, keys, this.#deps, this.#fields, observer);
    this.#found = found;
    this.#statuses = await statusesBefore([...found.items.values()].flat(), this.#job, this.#deps.ledger);
    await this.#sinceExport.read(found.items, this.#job, this.#deps.ledger);
    if (hasCopies(this.#job) && found.keysRead !== undefined) {
      const { ledger } = this.#deps;
      // If the answer for a copy is lost, an item that existed before is not taken for the copy's item.
      const ids = [...found.items.values()].flat().map(({ id }) => id.toLowerCase());
      await ledger.items.noteSeen(this.#job.apiUrl, ids);
      this.#copies = await Copies.open(this.#job, ledger);
    }
    return found;
  }

  #noteKeys(read: FoundItems['keysRead']): void {
    const { readings } = this.#deps;
    if (readings !== undefined) readings.keys = read;
  }

  #tell(): void {
    const { emit } = this.#deps;
    this.#issues.tell(emit);
    const { back, stay } = this.#archived;
    this.#rewritten.tell(emit);
    this.#notes.tell(emit);
    if (back > 0) emit(noteOf(message('items_come_back', { items: back })));
    // Where the file is the whole collection, its items are expected to be there.
    if (stay > 0 && this.#job.request.missing !== undefined)
      emit(warningOf(message('items_stay_archived', { items: stay })));
    if (this.#held.size === 0) return;
    const action = { do: 'show', job: this.#job.id, label: message('to_see_them', {}) } as const;
    emit(warningOf(message('held_for_quantity', { rows: this.#held.size, key: this.#keys.label }, action)));
  }

  /** Visits planned rows in order, commits the returned moves, and collects the issues of invalid rows. */
  async #eachRow(
    which: Omit<RowQuery, 'limit'>,
    visit: (row: LedgerRow, patch: RowPatch) => Decision | undefined,
  ): Promise<void> {
    await decideRows(
      this.#job.id,
      this.#deps.ledger,
      which,
      (row) => {
        // Planned before a kill: the row was not compared with later readings.
        if (row.operation !== null) {
          this.#deps.readings?.forget(row.itemId ?? '');
          return undefined;
        }
        const decision = visit(row, patchOf(row));
        if (decision?.to === 'invalid')
          for (const issue of decision.issues ?? [])
            this.#issues.add({ row: row.sheetRow, sheet: row.sheet }, issue);
        return decision;
      },
      this.#options,
    );
  }
}

/**
 * True for a row that was sent or that a person decided about: it stays as it is, and another row with its key repeats
 * it.
 */
function wasDecided(row: LedgerRow): boolean {
  if (row.input === null || isMissingRow(row)) return false;
  return isDecided(row) || (row.attempts > 0 && row.state !== 'refused');
}

function itemsShown(items: readonly Item[]): string[] {
  return items.slice(0, 5).map(({ id, name }) => `${id} (${cut(name)})`);
}

function invalid(issue: StoredIssue): Decision {
  return { to: 'invalid', issues: [issue] };
}
