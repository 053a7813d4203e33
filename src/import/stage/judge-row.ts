/** Judges a row: when its file is read, and again when its job is corrected. */
import { saidOf } from '../../base/errors.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { english, message } from '../../messages/message.ts';
import type { JobRecord, NewRow, StoredIssue } from '../../ledger/ledger.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { type Cell } from '../../sheets/cell.ts';
import { shapeProblems } from '../../sheets/raw-row.ts';
import { cellOf } from '../../sheets/cell-kinds.ts';
import { type RowIssue, wholeProblem } from '../../mapping/issue.ts';
import type { MappedRow, Mapping, RowFiller } from '../../mapping/mapping.ts';
import type { Template } from '../../mapping/template/template.ts';
import { createInput, rowInput, type TableChange, tableRowInput, type TagsMode } from '../engine/input.ts';

export interface Meaning {
  mode: JobRecord['mode'];
  tagsMode: TagsMode;
  /** `set --from`: the changes of the command besides the columns. */
  change?: TableChange | undefined;
}

export interface ReadTable {
  /** Name of its worksheet, if the rows come from several. */
  sheet?: string | undefined;
  headers: string[];
  letters: string[];
  /** The decisions about its columns. */
  template: Template | undefined;
  mapping: Mapping;
  /** For each stored cell of a row, the index of its column; -1 if this table does not have the column. */
  order: number[];
  /** Fills blank cells from the rows above, if a column requires it. */
  fill?: RowFiller | undefined;
}

/** Call this before the first row of each pass, because blank cells are filled in from rows of the same pass. */
export function beginPass(tables: Iterable<ReadTable>): void {
  for (const table of tables) table.fill = table.mapping.filler();
}

/** The result of checking a row of the file; all of its copies share it. */
export type Judged = Pick<NewRow, 'state' | 'action' | 'input' | 'collection' | 'issues' | 'notes'>;

const AMBIGUOUS = 'ambiguous_number';

/** True for a row whose result may change once the whole file has shown its decimal marks. */
export function isAmbiguous({ issues }: { issues: readonly Pick<RowIssue, 'code'>[] }): boolean {
  return issues.some(({ code }) => code === AMBIGUOUS);
}

/**
 * Judges a row: planned with its input, invalid with its issues, or skipped by a rule. The input of a create lacks its
 * collection, which the plan resolves.
 *
 * @param problems problems of the row as a whole
 * @param decide a person's decision about the row
 */
export function judgeRow(
  cells: Cell[],
  problems: readonly RowIssue[],
  { mapping, fill }: ReadTable,
  { mode, tagsMode, change }: Meaning,
  decide?: (mapped: MappedRow) => StoredIssue | undefined,
): { row: Judged; mapped: MappedRow } {
  const filled = fill?.(cells);
  const mapped = mapping.mapRow(filled?.cells ?? cells);
  if (filled !== undefined && filled.notes.length > 0)
    mapped.notes = [...filled.notes, ...(mapped.notes ?? [])];
  // A row that could not be read has no cells, which are no problem of their own.
  if (problems.length > 0 && cells.every((cell) => cell === null)) mapped.issues = [...problems];
  else mapped.issues.push(...problems);
  const leftOut = decide?.(mapped) ?? ruleOf(mapped);
  const row: Judged = {
    state: 'planned',
    action: mode === 'update' ? 'update' : 'create',
    input: null,
    collection: mapped.collection ?? change?.collection ?? null,
    issues: [],
  };
  if (mapped.notes !== undefined) row.notes = mapped.notes;
  if (leftOut !== undefined) {
    row.state = 'skipped';
    // If the rule is undone, the row still has its problems.
    row.issues = [leftOut, ...shapeProblems(mapped)];
  } else if (mapped.issues.length > 0) {
    row.state = 'invalid';
    row.issues = mapped.issues.map(storedIssue);
  } else {
    if (mode !== 'create') row.action = 'update';
    row.input = inputOf(mapped, mapping, { mode, tagsMode, change });
  }
  return { row, mapped };
}

/** The input of a row, whether or not all of its cells can be read. */
export function inputOf(mapped: MappedRow, mapping: Mapping, { mode, tagsMode, change }: Meaning): string {
  if (mode === 'create') return createInput(mapped);
  if (change !== undefined) return tableRowInput(mapped, tagsMode, change);
  return rowInput(mapped, tagsMode, mode === 'upsert' ? (each) => mapping.asCreate(each) : undefined);
}

function ruleOf({ skip }: MappedRow): StoredIssue | undefined {
  return skip === undefined ? undefined : issueOf('skipped_by_rule', skip);
}

type RowOfFile = Pick<NewRow, 'ordinal' | 'sheetRow' | 'copy' | 'source'> & {
  sheet?: string | undefined;
  kinds?: string | undefined;
};

/** Made as one literal, because spreading took a fiftieth of a dry run. */
export function judgedRow(
  { ordinal, sheetRow, sheet, copy, source, kinds }: RowOfFile,
  { state, action, input, collection, issues, notes }: Judged,
): NewRow {
  const row: NewRow = {
    ordinal,
    sheetRow,
    copy,
    state,
    action,
    input,
    operation: null,
    collection,
    itemId: null,
    source,
    issues,
  };
  if (sheet !== undefined) row.sheet = sheet;
  if (kinds !== undefined) row.kinds = kinds;
  if (notes !== undefined) row.notes = notes;
  return row;
}

export function storedIssue({
  code,
  said,
  message,
  expected,
  header,
  column,
  field,
  found,
  offers,
  rate,
}: RowIssue): StoredIssue {
  const where = header === undefined || header === '' ? column : header;
  const whole = said && wholeProblem(said, expected);
  return {
    code,
    ...(whole === undefined ? { message } : { said: whole, message: english(whole) }),
    ...(where === undefined ? {} : { column: where }),
    ...(column === undefined ? {} : { letter: column }),
    ...(field === undefined ? {} : { field }),
    ...(found === undefined ? {} : { found }),
    ...(offers === undefined ? {} : { offers }),
    ...(rate === undefined ? {} : { rate }),
  };
}

/** The issue of a row that a person left out because of a problem. */
export function leftOutBecause(problem: Pick<StoredIssue, 'said' | 'message'>): StoredIssue {
  return issueOf('skipped_by_rule', message('left_out_because', { why: saidOf(problem) }));
}

/** The cells of a stored row in the columns of its table. */
export function storedCells(row: Pick<NewRow, 'source' | 'kinds'>, order: readonly number[]): Cell[] {
  const texts = cellsOf(row);
  const cells: Cell[] = [];
  for (const [place, column] of order.entries())
    if (column >= 0) cells[column] = cellOf(texts[place] ?? '', row.kinds?.[place]);
  return cells;
}
