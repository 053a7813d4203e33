/** A row as both databases store it. */
import { english } from '../messages/message.ts';
import { CELL_NOTES, type Message } from '../messages/params.ts';
import { messageSchema } from '../messages/schema.ts';
import { z } from 'zod';
import { storedReader } from '../base/stored-json.ts';
import type { LedgerRow, MadeItem, RevertingRow, RowCounts, StoredIssue } from './ledger.ts';
import { parseRowName } from './row-name.ts';
import type { Session } from './sql/session.ts';
import { ROW_STATES, type RowState } from './states.ts';

export interface StoredRow {
  ordinal: number;
  state: string;
  action: string;
  sheet_row: number;
  sheet: string | null;
  copy: number;
  item_id: string | null;
  request_id: string | null;
  mark: number | null;
  sequence: number | null;
  attempts: number;
  quiet_ms: number | null;
  collection: string | null;
  issues: string | null;
  input: string | null;
  operation: string | null;
  source: string | null;
  kinds: string | null;
  notes: string | null;
  reverts: string | null;
}

/** Columns of a StoredRow. */
export const ROW_COLUMNS = `ordinal, state, action, sheet_row, sheet, copy, item_id, request_id, mark, sequence,
  attempts, quiet_ms, collection, issues, input, operation, source, kinds, notes, reverts`;

/** ROW_COLUMNS of a table named `r`. */
export const R_COLUMNS = ROW_COLUMNS.replaceAll(/\w+/g, 'r.$&');

/** @param texts converts free texts to and from their stored form */
export function toLedgerRow(row: StoredRow, { fromText }: Pick<Session, 'fromText'>): LedgerRow {
  const result: LedgerRow = {
    ordinal: row.ordinal,
    state: row.state as RowState,
    action: row.action as LedgerRow['action'],
    sheetRow: row.sheet_row,
    copy: row.copy,
    itemId: row.item_id,
    requestId: row.request_id,
    mark: row.mark,
    sequence: row.sequence,
    attempts: row.attempts,
    quietMs: row.quiet_ms,
    collection: row.collection === null ? null : fromText(row.collection),
    issues: issuesOf(row.issues),
    input: row.input,
    operation: row.operation,
    source: row.source,
  };
  if (row.sheet !== null) result.sheet = fromText(row.sheet);
  if (row.kinds !== null) result.kinds = row.kinds;
  if (row.notes !== null) result.notes = readNotes(row.notes);
  if (row.reverts !== null) result.reverts = parseRowName(row.reverts);
  return result;
}

export interface StoredMadeItem extends Omit<MadeItem, 'issues'> {
  issues: string | null;
}

export function toMadeItem({ issues, ...item }: StoredMadeItem): MadeItem {
  return { ...item, issues: issuesOf(issues) };
}

export const readTexts = storedReader('cells', () => z.array(z.string()));
export const readNotes = storedReader('notes', () => z.array(messageSchema(CELL_NOTES)));
export const readIssues = storedReader('issues', () =>
  z.array(
    z.looseObject({
      code: z.string(),
      said: messageSchema().optional(),
      message: z.string().optional(),
      offers: z.array(z.record(z.string(), z.unknown())).optional(),
      rate: z.strictObject({ from: z.string(), to: z.string() }).optional(),
      sentAs: z.strictObject({ job: z.string(), ordinal: z.number() }).optional(),
      leftAs: z.strictObject({ job: z.string(), ordinal: z.number() }).optional(),
      candidates: z
        .array(
          z.strictObject({
            id: z.string(),
            name: z.string(),
            status: z.string(),
            estimated_value: z.number().nullable(),
            currency: z.string(),
            created_at: z.string(),
          }),
        )
        .optional(),
    }),
  ),
);

/** The texts of a row's source cells; empty for a row that a plan added, and once they were pruned. */
export function cellsOf({ source }: Pick<LedgerRow, 'source'>): string[] {
  return source === null ? [] : readTexts(source);
}

function issuesOf(text: string | null): StoredIssue[] {
  if (text === null) return [];
  return readIssues(text).map(
    (issue) => ({ ...issue, message: issue.message ?? (issue.said && english(issue.said)) }) as StoredIssue,
  );
}

/** A row of an undo, with the row that it takes back. */
export function revertingRow(job: string, row: LedgerRow): RevertingRow[] {
  return row.reverts === undefined ? [] : [{ job, row, reverts: row.reverts }];
}

/** SQL: whether a row may be replaced or judged again. */
export const NEVER_SENT = `rows.attempts = 0
  AND rows.state IN ('planned', 'invalid', 'skipped', 'unchanged', 'held')`;

/** Somebody has sent rows that were to be judged again, so nothing was changed. */
export function wasSent(jobId: string): Error {
  return new Error(`Rows of job ${jobId} were sent meanwhile and cannot be staged or judged again.`);
}

/** The column `issues`; null for none. */
export function issuesText(issues: readonly StoredIssue[]): string | null {
  if (issues.length === 0) return null;
  return JSON.stringify(issues.map(({ message, ...issue }) => (issue.said ? issue : { message, ...issue })));
}

/** The column `notes`; null for none. */
export function notesText(notes: readonly Message[] | undefined): string | null {
  return notes === undefined || notes.length === 0 ? null : JSON.stringify(notes);
}

/** A group of rows of one job. */
export interface JobTally {
  id: string;
  state: string;
  action: string;
  count: number;
}

export function tallies(groups: readonly JobTally[]): Map<string, RowCounts> {
  const byJob = Map.groupBy(groups, ({ id }) => id);
  return new Map([...byJob].map(([id, each]) => [id, tally(each)]));
}

/** Totals of a job's rows, grouped by state and action. */
export function tally(groups: readonly { state: string; action: string; count: number }[]): RowCounts {
  const counts = Object.fromEntries(
    [...ROW_STATES, 'created', 'updated', 'plannedUpdates'].map((key) => [key, 0]),
  ) as RowCounts;
  for (const { state, action, count } of groups) {
    counts[state as RowState] += count;
    if (state === 'planned' && action === 'update') counts.plannedUpdates += count;
    if (state === 'done') counts[action === 'create' ? 'created' : 'updated'] += count;
  }
  return counts;
}
