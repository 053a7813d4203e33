/**
 * What the jobs of a store did to one item: every row that names it, and for each field the row that set its value.
 * Pure: `explain-item.ts` gathers the rows.
 *
 * The result names what the store cannot know: fields that no job wrote, values that somebody else has changed,
 * requests without an answer, and rows whose values were pruned.
 */
import type { Message } from '../../messages/params.ts';
import type { Item } from '../../api/resources.ts';
import { WRITABLE_FIELDS } from '../../api/schemas.ts';
import type { ItemRow, JobKind, JobRecord, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import { rowNameText } from '../../ledger/row-name.ts';
import type { RowAction, RowState } from '../../ledger/states.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { findColumn } from '../../mapping/template/change.ts';
import { columnOptions } from '../../mapping/template/template.ts';
import { define, type FieldChange, fieldOf } from '../engine/field-changes.ts';
import { alikeField } from '../engine/equality.ts';
import { effectOf } from './effects.ts';
import type { Reversal } from './reversals.ts';
import { correctedTemplate, CorrectedCells, type Judging, tableOf } from '../job/judging.ts';
import { updateOf } from '../engine/operation.ts';

/** A change of a field, and whether others had changed it before. */
export interface StoryChange extends FieldChange {
  /** The value that this store had last set; present only if others had changed it before this row. */
  lastSet?: unknown;
}

/** The cell that a field was read from. */
export interface StoryCell {
  /** The header, or the letter of the column if the header is ambiguous. */
  column: string;
  /** The text, with corrections. */
  text: string;
}

/** A row of a job that names the item. */
export interface StoryEntry {
  /** Id of the job. */
  job: string;
  /** Kind of the job. */
  kind: JobKind;
  /** Absolute path of the file that the rows came from; absent for `set` without a file, and for `undo`. */
  file?: string;
  /** Worksheet, if the file has several. */
  sheet?: string;
  /** Row of the file as a spreadsheet program shows it; otherwise the number of the row in its job. */
  row: number;
  /** `set` and `undo`: the request as it was typed. */
  request?: string;
  /** Undo: the job that it takes back. */
  undoes?: string;
  /** The newest job that took this row back, unless that job was undone itself. */
  undoneBy?: string;
  /** When the job began to send or, if it has sent nothing, when it was created. Rows have no times. */
  at: Date;
  /** Action of the row. */
  action: RowAction;
  /** State of the row. */
  state: RowState;
  /**
   * `perhaps`: the request may have been applied, or the item may be from this row; `none`: the row did not change the
   * item.
   */
  effect: 'created' | 'changed' | 'perhaps' | 'none';
  /** X-Request-Id of the last answer; null without an answer, for example if the item was found by a look-up. */
  requestId: string | null;
  /** How often the row was sent. */
  attempts: number;
  /** The changes that the row made or, if `perhaps`, may have made; a create has `from` undefined. */
  changes: StoryChange[];
  /**
   * The changes that the row did not make, because it is planned, held, skipped or refused, or because the server kept
   * a custom field.
   */
  left: FieldChange[];
  /** For rows of a file: the cell that each changed field was read from, with corrections, by field. */
  cells: Record<string, StoryCell>;
  /** Notes on cells that were read approximately or corrected. */
  notes: Message[];
  /** Problems of the row. */
  issues: StoredIssue[];
  /** When the row's values were pruned: its changes are no longer known. */
  prunedAt?: Date;
}

/** The origin of a field's current value. */
export interface FieldOrigin {
  /** A field of the contract, or `custom_fields.NAME`. */
  field: string;
  /** The current or last known value; undefined for an absent custom field, and if the value is not known. */
  value: unknown;
  /**
   * `set`: by the row `by`; `perhaps`: by the row `by`, whose request was not answered; `elsewhere`: not by this store,
   * which last set it with the row `by`; `pruned`: perhaps by the row `by`, whose values were pruned; `not_sent`: the
   * row `by` created the item without it, and nothing has set it since; `unknown`: no job of this store wrote it.
   */
  origin: 'set' | 'perhaps' | 'elsewhere' | 'pruned' | 'not_sent' | 'unknown';
  /** The row that `origin` refers to. */
  by?: StoryEntry;
  /** The value that `by` set, if the current value differs. */
  was?: unknown;
}

/** Every row that names an item, and the origin of each of its fields. */
export interface ItemStory {
  /** Id of the item. */
  item: string;
  /** Undefined if neither the API nor the store knows it. */
  name: string | undefined;
  /** The item as the API returned it; undefined if it was not read, null if it does not exist. */
  current: Item | null | undefined;
  /** Contract order, then custom fields by name. */
  fields: FieldOrigin[];
  /** In the order in which the rows were sent. */
  story: StoryEntry[];
}

/**
 * @param rows all rows that name the item, by job and ordinal
 * @param current the item now; null if it does not exist, undefined if it was not read
 * @param judgings how the rows of import jobs were read, by job, unless pruned
 * @param takenBack rows that an undo has taken back, by their names (history/reversals.ts)
 */
export function itemStory(
  item: string,
  rows: readonly ItemRow[],
  current: Item | null | undefined,
  judgings: ReadonlyMap<string, Judging>,
  takenBack: ReadonlyMap<string, Reversal>,
): ItemStory {
  const story = inOrder(rows).map(({ job, row }) => ({
    ...toEntry(job, row, judgings.get(job.id)),
    ...undoneBy(takenBack.get(rowNameText({ job: job.id, ordinal: row.ordinal }))),
  }));
  noteOthers(story);
  const fields = fieldNames(story, current ?? undefined).map((field) => originOf(field, story, current));
  const named = fields.find(({ field }) => field === 'name')?.value;
  return {
    item,
    name: typeof named === 'string' ? named : nameWhenPlanned(rows),
    current,
    fields,
    story,
  };
}

/** Sent rows in the order of their intents; a row that was never sent comes after the rows that earlier jobs sent. */
function inOrder(rows: readonly ItemRow[]): ItemRow[] {
  const greatest = new Map<string, number>();
  const placed = rows.map((each, index) => {
    const { apiUrl } = each.job;
    const last = Math.max(greatest.get(apiUrl) ?? 0, each.row.sequence ?? 0);
    greatest.set(apiUrl, last);
    return { each, index, at: each.row.sequence ?? last };
  });
  return placed.sort((a, b) => a.at - b.at || a.index - b.index).map(({ each }) => each);
}

function toEntry(job: JobRecord, row: LedgerRow, judging: Judging | undefined): StoryEntry {
  const { text: request, undoes } = job.request;
  const { prunedAt } = job;
  const { kind: effect, ...changes } = effectOf(job, row);
  const isPruned = (row.action === 'create' ? row.input : row.operation) === null && effect !== 'none';
  return {
    job: job.id,
    kind: job.kind,
    ...(job.source.format === 'none' ? {} : { file: job.source.file }),
    ...(row.sheet === undefined ? {} : { sheet: row.sheet }),
    row: row.sheetRow,
    ...(request === undefined ? {} : { request }),
    ...(undoes === undefined ? {} : { undoes }),
    at: new Date(job.firstSentAt ?? job.createdAt),
    action: row.action,
    state: row.state,
    effect,
    requestId: row.requestId,
    attempts: row.attempts,
    ...changes,
    cells: judging === undefined ? {} : cellsOf(row, changes.changes, judging),
    notes: row.notes ?? [],
    issues: row.issues,
    ...(isPruned ? { prunedAt: new Date(prunedAt ?? job.updatedAt) } : {}),
  };
}

function cellsOf(
  row: LedgerRow,
  changes: readonly FieldChange[],
  judging: Judging,
): Record<string, StoryCell> {
  const cells: Record<string, StoryCell> = {};
  const corrections = new CorrectedCells(judging);
  const table = tableOf(judging.tables, row);
  if (table === undefined || row.source === null) return cells;
  const template = correctedTemplate(table, judging.steps);
  const texts = corrections.texts(row);
  for (const { field } of changes) {
    const { from, column } = columnOptions(template, field === 'collection_id' ? 'collection' : field);
    const name = [from].flat()[0] ?? column;
    const index = name === undefined ? undefined : findColumn(table, String(name));
    const text = index === undefined ? undefined : texts[table.order.indexOf(index)];
    if (text !== undefined) define(cells, field, { column: String(name), text });
  }
  return cells;
}

function undoneBy(reversal: Reversal | undefined): Pick<StoryEntry, 'undoneBy'> {
  return reversal?.isCertain === true ? { undoneBy: reversal.undo } : {};
}

function isWritten({ effect }: StoryEntry): boolean {
  return effect === 'created' || effect === 'changed';
}

/** Finds values that others had changed before a later row of this store changed them again. */
function noteOthers(story: readonly StoryEntry[]): void {
  const last = new Map<string, unknown>();
  for (const entry of story) {
    // A row that was pruned or not answered may have changed any field.
    if (entry.prunedAt !== undefined || entry.effect === 'perhaps') last.clear();
    if (!isWritten(entry)) continue;
    for (const change of entry.changes) {
      const { field, from, to } = change;
      if (last.has(field) && !alikeField(field, last.get(field), from)) change.lastSet = last.get(field);
      last.set(field, to);
    }
  }
}

function fieldNames(story: readonly StoryEntry[], current: Item | undefined): string[] {
  const custom = new Set<string>();
  const written = new Set<string>();
  for (const { field } of story.flatMap(({ changes }) => changes))
    (field.startsWith(CUSTOM_PREFIX) ? custom : written).add(field);
  for (const key of Object.keys(current?.custom_fields ?? {})) custom.add(`${CUSTOM_PREFIX}${key}`);
  // Without rows and without the item nothing is known of any field.
  const fixed = WRITABLE_FIELDS.filter(
    (field) =>
      field !== 'custom_fields' && (written.has(field) || current !== undefined || story.some(isCreate)),
  );
  return [...fixed, ...[...custom].sort()];
}

function isCreate({ effect }: StoryEntry): boolean {
  return effect === 'created';
}

function originOf(
  field: string,
  story: readonly StoryEntry[],
  current: Item | null | undefined,
): FieldOrigin {
  const touching = (entry: StoryEntry) => entry.changes.find((change) => change.field === field);
  const at = story.findLastIndex((entry) => isWritten(entry) && touching(entry) !== undefined);
  const last = story[at];
  const later = story.slice(at + 1);
  const pruned = later.findLast(({ prunedAt }) => prunedAt !== undefined);
  const perhaps = later.findLast((entry) => entry.effect === 'perhaps' && touching(entry) !== undefined);
  const set = last === undefined ? undefined : touching(last)?.to;
  const isRead = current !== undefined && current !== null;
  const value = isRead ? fieldOf(current, field) : set;
  const is = (wanted: unknown) => alikeField(field, wanted, value);

  if (perhaps !== undefined && (!isRead || (is(touching(perhaps)?.to) && !(last !== undefined && is(set)))))
    return { field, value: isRead ? value : undefined, origin: 'perhaps', by: perhaps };
  if (last !== undefined && isRead && is(set)) return { field, value, origin: 'set', by: last };
  if (pruned !== undefined) {
    // A create that was pruned says nothing of later changes, but it is where all fields began.
    return { field, value: isRead ? value : undefined, origin: 'pruned', by: pruned };
  }
  if (last !== undefined) {
    if (!isRead) return { field, value, origin: 'set', by: last };
    return { field, value, origin: 'elsewhere', by: last, was: set };
  }
  const created = story.findLast(isCreate);
  if (created !== undefined) return { field, value, origin: 'not_sent', by: created };
  return { field, value, origin: 'unknown' };
}

function nameWhenPlanned(rows: readonly ItemRow[]): string | undefined {
  for (const { row } of rows.toReversed()) {
    const { item } = updateOf(row);
    if (item !== undefined) return item.name;
  }
  return undefined;
}
