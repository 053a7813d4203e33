import type { JobRecord, NewRow, StoredIssue } from '../../ledger/ledger.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { type Cell } from '../../sheets/cell.ts';
import type { RowProblem } from '../../sheets/raw-row.ts';
import { cellOf } from '../../sheets/cell-kinds.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import type { MappedRow, Mapping, RowFiller } from '../../mapping/mapping.ts';

import { createInput, rowInput, type TableChange, tableRowInput, type TagsMode } from '../engine/input.ts';

/** How to treat the rows of a job. */
export interface Meaning {
  mode: JobRecord['mode'];
  tagsMode: TagsMode;
  /** `set --from`: what the command changes beside the columns. */
  change?: TableChange | undefined;
}

/**
 * Sets the state of a staged row: planned with its input, invalid with its issues, or skipped by a rule. The input of
 * a create lacks its collection, which the plan resolves.
 */
export function judgeRow(
  row: NewRow,
  mapped: MappedRow,
  mapping: Mapping,
  { mode, tagsMode, change }: Meaning,
): void {
  row.collection = mapped.collection ?? change?.collection ?? null;
  if (mapped.notes !== undefined) row.notes = mapped.notes;
  if (mapped.skip !== undefined) {
    row.state = 'skipped';
    // Should the rule be taken back, the row still has them.
    row.issues = [{ code: 'skipped_by_rule', message: mapped.skip }, ...shapeProblems(mapped)];
  } else if (mapped.issues.length > 0) {
    row.state = 'invalid';
    row.issues = mapped.issues.map(storedIssue);
  } else if (mode === 'create') row.input = createInput(mapped);
  else if (change !== undefined) {
    row.action = 'update';
    row.input = tableRowInput(mapped, tagsMode, change);
  } else {
    const asCreate = mode === 'upsert' ? (each: MappedRow) => mapping.asCreate(each) : undefined;
    row.action = 'update';
    row.input = rowInput(mapped, tagsMode, asCreate);
  }
}

/** Maps a row whose blank cells are filled in from above, if its table asks for that. */
export function mapFilled(mapping: Mapping, fill: RowFiller | undefined, cells: Cell[]): MappedRow {
  if (fill === undefined) return mapping.mapRow(cells);
  const filled = fill(cells);
  const mapped = mapping.mapRow(filled.cells);
  if (filled.notes.length > 0) mapped.notes = [...filled.notes, ...(mapped.notes ?? [])];
  return mapped;
}

/** A problem as it is kept with its row. */
export function storedIssue({
  code,
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
  return {
    code,
    message: expected === undefined ? message : `${message}: expected ${expected}`,
    ...(where === undefined ? {} : { column: where }),
    ...(column === undefined ? {} : { letter: column }),
    ...(field === undefined ? {} : { field }),
    ...(found === undefined ? {} : { found }),
    ...(offers === undefined ? {} : { offers }),
    ...(rate === undefined ? {} : { rate }),
  };
}

/** Problems of a row as a whole: they remain however its cells are read. */
const SHAPE_PROBLEMS: ReadonlySet<string> = new Set([
  'too_many_cells',
  'unclosed_quote',
  'bad_encoding',
  'merge_conflict',
  'summary_row',
]);

export function shapeProblems({ issues }: { issues: readonly RowProblem[] }): RowProblem[] {
  return issues
    .filter(({ code }) => SHAPE_PROBLEMS.has(code))
    .map(({ code, message, found }) => ({ code, message, ...(found === undefined ? {} : { found }) }));
}

/** The cells of a stored row in the columns of its table. */
export function storedCells(row: Pick<NewRow, 'source' | 'kinds'>, order: readonly number[]): Cell[] {
  const texts = cellsOf(row);
  const cells: Cell[] = [];
  for (const [place, column] of order.entries())
    if (column >= 0) cells[column] = cellOf(texts[place] ?? '', row.kinds?.[place]);
  return cells;
}
