/** Judges a stored row as the corrections of its job say, without its file. */
import type { Cell } from '../../sheets/cell.ts';
import type { JobRecord, LedgerRow, NewRow, StoredIssue } from '../../ledger/ledger.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { compileMapping } from '../../mapping/compile.ts';
import type { MappedRow, Mapping, RowFiller } from '../../mapping/mapping.ts';
import { ACCEPTABLE, type MendChange } from '../../mapping/template/change.ts';
import type { Template } from '../../mapping/template/template.ts';
import { withOperands } from '../changes/table-change.ts';
import {
  correctedTemplate,
  Corrections,
  type JudgedTable,
  type Judging,
  type MendStep,
} from '../job/judging.ts';
import { summaryProblem } from '../../sheets/summary-rows.ts';
import { judgeRow, mapFilled, shapeProblems, storedCells } from '../stage/judge-row.ts';
import { isHeldByPlan, KEPT_BY_HAND, SKIPPED_BY_HAND } from '../job/judging.ts';

export interface MendedTable extends JudgedTable {
  /** The template after all corrections. */
  mended: Template;
  mapping: Mapping;
}

/** What a source row is now: the same for all copies of it. */
export interface Verdict {
  row: Pick<NewRow, 'state' | 'action' | 'input' | 'operation' | 'collection' | 'issues' | 'notes'>;
  /** Items that it stands for. */
  copies: number;
  isAmbiguous: boolean;
}

type Rowed = Pick<LedgerRow, 'sheet' | 'sheetRow'>;

export class Judge {
  readonly tables: readonly MendedTable[];
  readonly #job: Pick<JobRecord, 'mode'>;
  readonly #tagsMode: Judging['tagsMode'];
  readonly #change: Judging['change'];
  readonly #corrections: Corrections;
  #fillers: ReadonlyMap<MendedTable, RowFiller> = new Map();
  /** True once a row has a note. */
  noted = false;
  readonly #omitted = new Set<string>();
  /** Rows that are items, although they look like totals. */
  readonly #accepted = new Set<string>();
  #acceptsAll = false;
  /** The item that a person has chosen for a row. */
  readonly #chosen = new Map<string, string>();
  readonly #omittedReasons: Extract<MendChange, { type: 'omitReason' }>[] = [];

  /** @throws UsageError if the corrections leave no usable mapping, such as none with a name */
  constructor(job: Pick<JobRecord, 'mode' | 'request'>, judging: Judging, steps: readonly MendStep[]) {
    const changes = steps.flatMap((step) => step.changes);
    this.#job = job;
    this.#tagsMode = judging.tagsMode;
    this.#change = judging.change;
    const { decimal, change: changed } = judging;
    this.tables = judging.tables.map((table) => {
      const mended = correctedTemplate(table, steps);
      const { headers, letters, format } = table;
      const compiled = compileMapping({
        headers,
        letters,
        format,
        map: {},
        defaults: {},
        mode: job.mode,
        match: job.request.match,
        template: mended,
        explicit: true,
        ...(decimal === undefined ? {} : { decimal }),
      });
      const mapping = withOperands(compiled, changed);
      return { ...table, mended, mapping };
    });
    this.#corrections = new Corrections({ tables: this.tables, steps });
    for (const change of changes) this.#note(change);
  }

  /** What has been corrected: place among the stored cells → text. */
  corrected(row: Rowed): ReadonlyMap<number, string> | undefined {
    return this.#corrections.of(row);
  }

  tableOf({ sheet }: Pick<LedgerRow, 'sheet'>): MendedTable | undefined {
    return this.tables.length === 1 ? this.tables[0] : this.tables.find((table) => table.sheet === sheet);
  }

  /** Before the first row of each pass. */
  begin(): void {
    this.#fillers = new Map(
      this.tables.flatMap((table) => {
        const fill = table.mapping.filler();
        return fill === undefined ? [] : [[table, fill]];
      }),
    );
  }

  /** Call it for all rows in order: columns may remember what they have seen. */
  judge(row: LedgerRow): Verdict {
    const table = this.tableOf(row);
    if (table === undefined) throw new Error(`Row ${row.sheetRow} belongs to no table of its job.`);
    const { mapping, order } = table;
    const cells = storedCells(row, order);
    const corrected = this.corrected(row);
    const problems = problemsOf(row, cells);
    for (const [place, text] of corrected ?? []) cells[order[place] ?? -1] = text;
    const mapped = mapFilled(mapping, this.#fillers.get(table), cells);
    const isAccepted = this.#acceptsAll || this.#accepted.has(this.#corrections.keyOf(row));
    const left = problems.filter(({ code }) => !isAccepted || code !== ACCEPTABLE);
    mapped.issues.push(...left);
    const chosen = this.#chosen.get(this.#corrections.keyOf(row));
    if (chosen !== undefined) mapped.chosen = chosen;
    const omitted = this.#whyOmitted(row, mapped);
    if (omitted !== undefined) mapped.skip = omitted;
    const notes = [
      ...(left.length < problems.length ? [ACCEPTED] : []),
      ...correctionNotes(row, corrected, table),
      ...(mapped.notes ?? []),
    ];
    if (notes.length > 0) {
      mapped.notes = notes;
      this.noted = true;
    }
    const judged: NewRow = {
      ordinal: row.ordinal,
      sheetRow: row.sheetRow,
      copy: row.copy,
      state: 'planned',
      action: this.#job.mode === 'update' ? 'update' : 'create',
      input: null,
      operation: null,
      collection: null,
      itemId: null,
      source: null,
      issues: [],
    };
    const meaning = { mode: this.#job.mode, tagsMode: this.#tagsMode, change: this.#change };
    judgeRow(judged, mapped, mapping, meaning);
    const { state, action, input, operation, collection, issues } = judged;
    return {
      row: {
        state,
        action,
        input,
        operation,
        collection,
        issues,
        ...(judged.notes === undefined ? {} : { notes: judged.notes }),
      },
      copies: state === 'planned' ? mapped.copies : 1,
      isAmbiguous: mapped.issues.some(({ code }) => code === 'ambiguous_number'),
    };
  }

  /** After the last row: true if ambiguous numbers were met that are judged otherwise now. */
  resolveDecimals(): boolean {
    return this.tables.map(({ mapping }) => mapping.resolveDecimals()).includes(true);
  }

  #note(change: MendChange): void {
    if (change.type === 'omitReason') this.#omittedReasons.push(change);
    if (change.type === 'acceptReason') this.#acceptsAll = true;
    if (change.type !== 'omit' && change.type !== 'item' && change.type !== 'accept') return;
    const row = this.#corrections.keyOf({ sheetRow: change.row, sheet: change.sheet });
    if (change.type === 'omit') this.#omitted.add(row);
    else if (change.type === 'item') this.#chosen.set(row, change.item);
    else {
      this.#accepted.add(row);
      this.#omitted.delete(row);
    }
  }

  #whyOmitted(row: Rowed, { issues }: MappedRow): string | undefined {
    if (this.#omitted.has(this.#corrections.keyOf(row))) return 'left out by a person';
    const found = this.#omittedReasons
      .flatMap(({ code, column }) =>
        issues.filter((issue) => issue.code === code && (column === undefined || issue.column === column)),
      )
      .at(0);
    return found === undefined ? undefined : `left out by a person, because ${found.message}`;
  }
}

/** The note of an accepted row: should that be taken back, it tells that the row had the problem. */
const ACCEPTED = 'taken as an item, although it looks like a figure about the table';

/** What is wrong with a stored row as a whole, accepted or not. */
function problemsOf(row: LedgerRow, cells: readonly Cell[]) {
  const wasAccepted = row.notes?.includes(ACCEPTED) === true;
  return wasAccepted ? [...shapeProblems(row), summaryProblem(cells)] : shapeProblems(row);
}

/** Whether a person may say that a row is an item. */
export function isAcceptable({ issues, notes }: Pick<LedgerRow, 'issues' | 'notes'>): boolean {
  return issues.some(({ code }) => code === ACCEPTABLE) || notes?.includes(ACCEPTED) === true;
}

function correctionNotes(
  row: LedgerRow,
  corrected: ReadonlyMap<number, string> | undefined,
  { headers, letters, order }: JudgedTable,
): string[] {
  if (corrected === undefined) return [];
  const source = cellsOf(row);
  return [...corrected].map(([place, text]) => {
    const was = source[place] ?? '';
    const index = order[place] ?? -1;
    return `${headers[index] || `column ${letters[index]}`} corrected from ${JSON.stringify(was)} to ${JSON.stringify(text)}`;
  });
}

/** Rows that were never sent, and that no person and no other job has decided about. */
export function isJudgedAgain({ state, attempts, issues }: LedgerRow): boolean {
  if (attempts > 0) return false;
  if (state === 'skipped') return issues.some(isRule);
  if (state === 'held') return isHeldByPlan(issues);
  return state === 'planned' || state === 'invalid' || state === 'unchanged';
}

function isRule({ code, message }: StoredIssue): boolean {
  return code === 'skipped_by_rule' && message !== SKIPPED_BY_HAND && message !== KEPT_BY_HAND;
}
