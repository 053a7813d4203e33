/** Judges a stored row with the corrections of its job, without the file. */
import type { JobRecord, Ledger, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import { message } from '../../messages/message.ts';
import { isDecided } from '../engine/operation.ts';
import { issueOf } from '../engine/stored-issue.ts';
import type { Message } from '../../messages/params.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import type { RowPlace } from '../../mapping/issue-reasons.ts';
import { compileMapping } from '../../mapping/compile.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import type { MappedRow } from '../../mapping/mapping.ts';
import { ACCEPTABLE, type Correction } from '../../mapping/template/change.ts';
import type { Cell } from '../../sheets/cell.ts';
import { cellOf } from '../../sheets/cell-kinds.ts';
import { shapeProblems } from '../../sheets/raw-row.ts';
import { summaryProblem } from '../../sheets/summary-rows.ts';
import { withOperands } from '../changes/table-change.ts';
import {
  correctedTemplate,
  CorrectedCells,
  findJudging,
  isHeldByPlan,
  isResolved,
  type JudgedTable,
  type Judging,
  readJudging,
  tableOf,
} from '../job/judging.ts';
import {
  isAmbiguous,
  type Judged,
  judgeRow,
  leftOutBecause,
  type Meaning,
  type ReadTable,
  storedCells,
} from '../stage/judge-row.ts';

/** The table with its template after all corrections. */
export type CorrectedTable = JudgedTable & ReadTable;

/** The current result of checking a source row; all copies of the row share it. */
export interface Validation {
  row: Judged;
  /** Number of items that the row stands for. */
  copies: number;
  isAmbiguous: boolean;
}

/** A person's decisions about a row. */
interface Decision {
  isLeftOut?: boolean;
  /** The row is an item, although it looks like a total. */
  isItem?: boolean;
  /** The item that a person chose among several. */
  chosen?: string;
}

/** @returns undefined for a job that cannot be mended */
export async function findJudge(job: JobRecord, ledger: Ledger): Promise<Judge | undefined> {
  const judging = await findJudging(job.id, ledger);
  return judging && new Judge(job, judging);
}

/** @throws UsageError `cannot_mend` */
export async function readJudge(job: JobRecord, ledger: Ledger): Promise<Judge> {
  return new Judge(job, await readJudging(job, ledger));
}

export class Judge {
  /** With the corrections in effect. */
  readonly judging: Judging;
  readonly tables: readonly CorrectedTable[];
  readonly #meaning: Meaning;
  readonly #corrections: CorrectedCells;
  /** True once a row has received a note. */
  noted = false;
  readonly #decisions = new Map<string, Decision>();
  #acceptsAll = false;
  readonly #omittedReasons: Extract<Correction, { type: 'omitReason' }>[] = [];

  /**
   * @throws UsageError if the corrections leave no usable mapping, such as none with a name
   */
  constructor({ mode, request }: Pick<JobRecord, 'mode' | 'request'>, judging: Judging) {
    const { tagsMode, decimal, change, steps } = judging;
    this.judging = judging;
    this.#meaning = { mode, tagsMode, change };
    this.tables = judging.tables.map((table) => {
      const template = correctedTemplate(table, steps);
      const { headers, letters, format } = table;
      const compiled = compileMapping({
        headers,
        letters,
        format,
        map: {},
        defaults: {},
        mode,
        match: request.match,
        template,
        explicit: true,
        ...(decimal === undefined ? {} : { decimal }),
      });
      return { ...table, template, mapping: withOperands(compiled, change) };
    });
    this.#corrections = new CorrectedCells(judging);
    for (const each of steps.flatMap(({ changes }) => changes)) this.#note(each);
  }

  /** The table whose columns are shown for all tables. */
  get first(): CorrectedTable {
    const [first] = this.tables;
    if (first === undefined) throw new Error('A job that was read from a file has no table.');
    return first;
  }

  /** Corrected cells: place among the stored cells → text. */
  corrected(row: LedgerRow): ReadonlyMap<number, string> | undefined {
    return this.#corrections.of(row);
  }

  /** Call this for all rows in order: columns may depend on earlier rows. */
  judge(row: LedgerRow): Validation {
    const table = tableOf(this.tables, row);
    if (table === undefined) throw new Error(`Row ${row.sheetRow} belongs to no table of its job.`);
    const cells = storedCells(row, table.order);
    const problems = problemsOf(row, cells);
    const corrected = this.corrected(row);
    for (const [place, text] of corrected ?? [])
      cells[table.order[place] ?? -1] = cellOf(text, this.#corrections.kindOf(row, place));
    const decision = this.#decisions.get(this.#corrections.keyOf(row)) ?? {};
    const isItem = this.#acceptsAll || decision.isItem === true;
    const left = problems.filter(({ code }) => !isItem || code !== ACCEPTABLE);
    const notes = [
      ...(left.length < problems.length ? [message('taken_as_item', {})] : []),
      ...correctionNotes(row, corrected, table),
    ];
    const { row: judged, mapped } = judgeRow(cells, left, table, this.#meaning, (read) => {
      if (decision.chosen !== undefined) read.chosen = decision.chosen;
      if (notes.length > 0) read.notes = [...notes, ...(read.notes ?? [])];
      if (decision.isLeftOut === true) return issueOf('skipped_by_rule', message('left_out_by_person', {}));
      return this.#reasonToOmit(read);
    });
    this.noted ||= judged.notes !== undefined;
    const copies = judged.state === 'planned' ? mapped.copies : 1;
    return { row: judged, copies, isAmbiguous: isAmbiguous(mapped) };
  }

  /** After the last row: true if ambiguous numbers are now read differently. */
  resolveDecimals(): boolean {
    return this.tables.map(({ mapping }) => mapping.resolveDecimals()).includes(true);
  }

  #note(change: Correction): void {
    if (change.type === 'omitReason') this.#omittedReasons.push(change);
    else if (change.type === 'acceptReason') this.#acceptsAll = true;
    else if (change.type === 'omit') this.#decide(change, { isLeftOut: true });
    else if (change.type === 'accept') this.#decide(change, { isItem: true, isLeftOut: false });
    else if (change.type === 'item') this.#decide(change, { chosen: change.item });
  }

  #decide({ row, sheet }: RowPlace, decision: Decision): void {
    const key = this.#corrections.keyOf({ sheetRow: row, sheet });
    this.#decisions.set(key, { ...this.#decisions.get(key), ...decision });
  }

  #reasonToOmit({ issues }: MappedRow): StoredIssue | undefined {
    const found = this.#omittedReasons
      .flatMap(({ code, column }) =>
        issues.filter((issue) => issue.code === code && (column === undefined || issue.column === column)),
      )
      .at(0);
    return found && leftOutBecause(found);
  }
}

/** All problems of a stored row, including those that a person accepted. */
function problemsOf(row: LedgerRow, cells: readonly Cell[]): RowIssue[] {
  const wasAccepted = row.notes?.some(isAcceptance) === true;
  return wasAccepted ? [...shapeProblems(row), summaryProblem(cells)] : shapeProblems(row);
}

/** The note of an accepted row: if the acceptance is undone, it shows that the row had a problem. */
function isAcceptance({ code }: Message): boolean {
  return code === 'taken_as_item';
}

/** Whether a person may accept a row that looks like a total or a statistic as an item. */
export function isAcceptable({ issues, notes }: Pick<LedgerRow, 'issues' | 'notes'>): boolean {
  return issues.some(({ code }) => code === ACCEPTABLE) || notes?.some(isAcceptance) === true;
}

function correctionNotes(
  row: LedgerRow,
  corrected: ReadonlyMap<number, string> | undefined,
  { headers, letters, order }: JudgedTable,
): Message[] {
  if (corrected === undefined) return [];
  const source = cellsOf(row);
  return [...corrected].map(([place, text]) => {
    const was = source[place] ?? '';
    const index = order[place] ?? -1;
    const column = headers[index] ?? '';
    const letter = letters[index] ?? '';
    return message('corrected', { column, ...(column === '' ? { letter } : {}), from: was, to: text });
  });
}

/** True for a row that was never sent, and that neither a person nor another job has decided. */
export function isJudgedAgain(row: LedgerRow): boolean {
  const { state, attempts, issues } = row;
  if (attempts > 0 || isDecided(row)) return false;
  if (state === 'skipped') return issues.some(isRule);
  if (state === 'held') return isHeldByPlan(issues);
  return state === 'planned' || state === 'invalid' || state === 'unchanged';
}

function isRule(issue: StoredIssue): boolean {
  return issue.code === 'skipped_by_rule' && !isResolved(issue);
}
