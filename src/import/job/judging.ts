/**
 * How the rows of a staged job are judged: stored when the file is read, and changed when the job is mended, so that
 * rows can be judged again without the file.
 */
import { z } from 'zod';
import { sameJson } from '../../base/equal-json.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import type { JobRecord, Ledger, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import { JobSource } from '../../ledger/job-parts.ts';
import { OF_JOBS } from '../../ledger/key-values.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { placeOf, type RowPlace } from '../../ledger/row-name.ts';
import { changeTemplate, findColumn, Correction } from '../../mapping/template/change.ts';
import { columnOptions, Template } from '../../mapping/template/template.ts';
import { TableChange } from '../engine/input.ts';
import { storedParser } from '../../base/stored-json.ts';

/** A column that names a group in its first row and is blank below. */
const GroupColumn = z.strictObject({
  /** Index of the column in the table. */
  index: z.number(),
  rows: z.number(),
  blank: z.number(),
});
export type GroupColumn = z.infer<typeof GroupColumn>;

/** A table of the file as it was read. */
const JudgedTable = z.strictObject({
  sheet: z.string().exactOptional(),
  headers: z.array(z.string()),
  letters: z.array(z.string()),
  format: JobSource.shape.format.exclude(['none']),
  /** For each source cell of a row in the ledger, its column in this table; -1 if the table has no such column. */
  order: z.array(z.number()),
  /** All decisions that were made when the file was read (explicit-template.ts). */
  template: Template,
  /** Columns that look like group columns; absent if there are none. */
  groups: z.array(GroupColumn).exactOptional(),
});
export type JudgedTable = z.infer<typeof JudgedTable>;

/** One correction, or several that were made at once; undone together. */
const CorrectionStep = z.strictObject({
  number: z.number(),
  /** ISO date and time. */
  at: z.string(),
  changes: z.array(Correction),
  /** Made by a rule, not by a person. */
  byRule: z.literal(true).exactOptional(),
});
export type CorrectionStep = z.infer<typeof CorrectionStep>;

const Judging = z.strictObject({
  /** How often the rows were judged. */
  revision: z.number(),
  /** True from before the first row is judged again until all rows are judged and planned. */
  pending: z.boolean(),
  /** Rows of the job when it was staged; rows after these are copies that a corrected quantity added. */
  rows: z.number(),
  /** `--decimal`, for defaults; columns have their own decimal marks. */
  decimal: z.enum(['point', 'comma']).exactOptional(),
  /** What a tags column does to the tags that an item has. */
  tagsMode: z.enum(['set', 'add', 'remove']),
  /** `set --from`: the changes of the command besides the columns. */
  change: TableChange.exactOptional(),
  tables: z.array(JudgedTable),
  steps: z.array(CorrectionStep),
});
export type Judging = z.infer<typeof Judging>;

/** The template of a table after all corrections. @throws UsageError if they contradict it */
export function correctedTemplate(table: JudgedTable, steps: readonly CorrectionStep[]): Template {
  const changes = steps.flatMap((step) => step.changes);
  return changes.reduce((template, change) => changeTemplate(template, table, change), table.template);
}

interface TablesAndSteps {
  tables: readonly JudgedTable[];
  steps: readonly CorrectionStep[];
}

type DecimalMark = 'point' | 'comma';
const NO_MARKS: ReadonlyMap<number, DecimalMark> = new Map();

export class CorrectedCells {
  readonly #tables: readonly JudgedTable[];
  readonly #cells = new Map<string, Map<number, string>>();
  /** Types of corrected cells that are not texts, by the row's key and the column's index. */
  readonly #kinds = new Map<string, string>();

  readonly #steps: readonly CorrectionStep[];
  readonly #marks = new Map<JudgedTable, ReadonlyMap<number, DecimalMark>>();

  readonly #hasOneReading: boolean;

  constructor({ tables, steps }: TablesAndSteps) {
    this.#tables = tables;
    this.#steps = steps;
    const [first, ...others] = tables.map((table) => correctedTemplate(table, steps));
    this.#hasOneReading = others.every((each) => sameJson(each, first));
    for (const change of steps.flatMap(({ changes }) => changes)) {
      if (change.type !== 'cell') continue;
      const place = { sheetRow: change.row, sheet: change.sheet };
      const table = tableOf(this.#tables, place);
      const index = table === undefined ? undefined : findColumn(table, change.column);
      if (table === undefined || index === undefined) continue;
      const key = this.keyOf(place);
      const cells = this.#cells.get(key) ?? new Map<number, string>();
      const at = table.order.indexOf(index);
      this.#cells.set(key, cells.set(at, change.text));
      if (change.kind === undefined) this.#kinds.delete(`${key} ${at}`);
      else this.#kinds.set(`${key} ${at}`, change.kind);
    }
  }

  /** The type of a corrected cell; undefined for a text. */
  kindOf(row: RowPlace, place: number): string | undefined {
    return this.#kinds.get(`${this.keyOf(row)} ${place}`);
  }

  /** Index among the row's stored cells → text. */
  of(row: RowPlace): ReadonlyMap<number, string> | undefined {
    return this.#cells.get(this.keyOf(row));
  }

  /** The texts of a row's cells, with corrections. */
  texts(row: RowPlace & Pick<LedgerRow, 'source'>): string[] {
    const texts = cellsOf(row);
    for (const [place, text] of this.of(row) ?? []) texts[place] = text;
    return texts;
  }

  /**
   * A stored text as results files show it: a number has the decimal comma of the texts in its column, because a file
   * of texts has no numbers with a mark of their own.
   */
  written(row: RowPlace & Pick<LedgerRow, 'kinds'>, place: number, text: string): string {
    const mark = this.#amountMarkOf(row, place);
    if (mark === undefined) return text;
    const kind = this.of(row)?.get(place) === text ? this.kindOf(row, place) : row.kinds?.[place];
    const isNumber = kind === 'n' || kind === 'm';
    const marked = isNumber && mark === 'comma' ? text.replace(/^(-?\d+)\.(?=\d+(?: |$))/, '$1,') : text;
    return this.unmistakable(row, place, marked);
  }

  /**
   * A text as its sheet reads it, if sheets are read differently: 25.875 becomes 25.8750 or 25875. A results file has the
   * lines of all sheets, and its columns no common mark.
   */
  unmistakable(row: RowPlace, place: number, text: string): string {
    const mark = this.#hasOneReading ? undefined : this.#amountMarkOf(row, place);
    if (mark === undefined) return text;
    return text.replace(/(?<![\d.,])(\d{1,3})([.,])(\d{3})(?![\d.,])/, (_, before, found, after) =>
      (found === ',') === (mark === 'comma') ? `${before}${found}${after}0` : `${before}${after}`,
    );
  }

  /** Of a column of amounts. A sheet without a decimal mark has that of another one. */
  #amountMarkOf(row: RowPlace, place: number): DecimalMark | undefined {
    const tables = [tableOf(this.#tables, row), ...this.#tables];
    return tables.map((table) => this.#marksOf(table).get(place)).find((mark) => mark !== undefined);
  }

  /** The decimal mark of a column; of a column without amounts, that of the others. */
  markOf(row: RowPlace, place: number): DecimalMark {
    const marks = this.#marksOf(tableOf(this.#tables, row));
    return (
      this.#amountMarkOf(row, place) ?? (marks.values().some((mark) => mark === 'comma') ? 'comma' : 'point')
    );
  }

  /** The decimal marks that were given or decided, by the places of the stored cells. */
  #marksOf(table: JudgedTable | undefined): ReadonlyMap<number, DecimalMark> {
    if (table === undefined) return NO_MARKS;
    let marks = this.#marks.get(table);
    if (marks === undefined) {
      const template = correctedTemplate(table, this.#steps);
      marks = new Map(
        Object.keys(template.columns ?? {}).flatMap((target) => {
          const { decimal, from, column, join } = columnOptions(template, target);
          if (decimal === undefined) return [];
          const names = [from, column, join].flat(2).filter((name) => name !== undefined);
          const indexes = names.flatMap((name) => findColumn(table, String(name)) ?? []);
          return indexes.map((index): [number, DecimalMark] => [table.order.indexOf(index), decimal]);
        }),
      );
      this.#marks.set(table, marks);
    }
    return marks;
  }

  /** If there is only one sheet, its name is not part of the key. */
  keyOf(row: RowPlace): string {
    return this.#tables.length < 2 ? `${row.sheetRow}` : placeOf(row);
  }
}

/** The table that a row came from. */
export function tableOf<T extends Pick<RowPlace, 'sheet'>>(
  tables: readonly T[],
  { sheet }: Pick<RowPlace, 'sheet'>,
): T | undefined {
  return tables.length === 1 ? tables[0] : tables.find((table) => table.sheet === sheet);
}

/** @throws UsageError `cannot_mend` if the job has no judging data */
export async function readJudging(
  { id, kind, source }: Pick<JobRecord, 'id' | 'kind' | 'source'>,
  ledger: Ledger,
): Promise<Judging> {
  const found = await findJudging(id, ledger);
  if (found !== undefined) return found;
  const byHand: Action = { do: 'byHand', label: message('correct_in_source', {}) };
  throw new UsageError(
    'cannot_mend',
    source.format === 'none'
      ? message('job_without_columns', { job: id, isSet: kind === 'set' }, byHand)
      : message('job_pruned', { job: id }, byHand),
  );
}

export const readJudged = storedParser('reading', () => Judging);

export async function findJudging(jobId: string, ledger: Ledger): Promise<Judging | undefined> {
  const text = await ledger.values.get(OF_JOBS, jobId);
  return text === undefined ? undefined : readJudged(text);
}

/** The sheets whose rows were read, if there are several: their rows have the same numbers. */
export function sheetsOf(judging: Judging | undefined): string[] {
  const tables = judging?.tables ?? [];
  return tables.length < 2 ? [] : tables.flatMap(({ sheet }) => sheet ?? []);
}

export async function writeJudging(jobId: string, judging: Judging, ledger: Ledger): Promise<void> {
  await ledger.values.put(OF_JOBS, [{ key: jobId, value: JSON.stringify(judging) }]);
}

/** Marks the job, so that the process that continues it checks and plans its rows again. */
export async function judgeOnceMore(jobId: string, ledger: Ledger): Promise<void> {
  const judging = await findJudging(jobId, ledger);
  if (judging !== undefined) await writeJudging(jobId, { ...judging, pending: true }, ledger);
}

/** True for rows that the plan holds until the file or the collection changes: the job can plan them again. */
export function isHeldByPlan(issues: readonly StoredIssue[]): boolean {
  return issues.some(({ code }) => code === 'surplus_items' || code === 'key_changed');
}

/** True for a skipped row that a person left out, not a rule or another job. */
export function isLeftOut({ issues }: Pick<LedgerRow, 'issues'>): boolean {
  return issues.some(
    ({ said }) =>
      said?.code === 'skipped_by_person' ||
      said?.code === 'left_out_by_person' ||
      said?.code === 'left_out_of_quantity',
  );
}

/** True for a row that a person has resolved (`jobs resolve --as skip` or `theirs`): it is not judged again. */
export function isResolved({ said }: StoredIssue): boolean {
  return said?.code === 'skipped_by_person' || said?.code === 'kept_by_person';
}
