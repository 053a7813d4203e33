/** Writes the rows of a file into the ledger, mapped and checked, and collects their problems. */
import { english, isMessage, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { NewRow, StoredIssue } from '../../ledger/ledger.ts';
import type { RowState } from '../../ledger/states.ts';
import { IssueReasons } from '../../mapping/issue-reasons.ts';
import { asTexts } from '../../sheets/cell-kinds.ts';
import { shapeProblems } from '../../sheets/raw-row.ts';
import type { SheetRow, SheetTable } from '../../sheets/table.ts';
import { tableOf } from '../job/judging.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { rowPages } from '../job/row-pages.ts';
import type { JobDeps } from '../job/deps.ts';
import { type ImportEvent, noteOf, warningOf } from '../job/events.ts';
import { EqualRows } from './equal-rows.ts';
import { beginPass, inputOf, isAmbiguous, judgedRow, judgeRow, storedCells } from './judge-row.ts';
import { type SentRow, SentRows } from './sent-rows.ts';
import type { SourceTable, SourceTables } from './source-tables.ts';

/** Maximum number of rows named in the warning. */
const EDITED_NAMED = 10;
/** States of earlier rows that make sending the row unnecessary, now or later. */
const ANSWERING: ReadonlySet<RowState> = new Set(['done', 'planned', 'sending', 'unknown', 'held']);

export class Stager {
  /** Rows of the file so far; a row with a quantity counts once. */
  sheetRows = 0;
  readonly #deps: JobDeps;
  readonly #tables: SourceTables;
  readonly #reasons = new IssueReasons();
  readonly #equal = new EqualRows();
  noted = false;
  /** Rows of the job so far, including the copies of each quantity. */
  rows = 0;
  #alreadySent = 0;
  /** Rows that were edited after they were sent, and the jobs of rows that cannot be compared. */
  readonly #edited: SheetRow['number'][] = [];
  #unknown = 0;
  readonly #unknownJobs = new Set<string>();
  /** Reason → number of rows that a rule of the template leaves out. */
  readonly #skipped = new Map<string, Skipped>();
  /** True if a row must be mapped again; otherwise the second pass is skipped. */
  #sawAmbiguous = false;

  constructor(sourceTables: SourceTables, deps: JobDeps) {
    this.#tables = sourceTables;
    this.#deps = deps;
  }

  /** Stages all rows of a table, batch by batch. */
  async read(jobId: string, table: SheetTable): Promise<void> {
    const reading = this.#tables.open(table);
    beginPass([reading]);
    for (const note of table.notes) this.#deps.emit(noteOf(note));
    const sentRows = SentRows.of(reading, this.#tables, this.#deps);
    for await (const batch of table.batches) {
      this.#deps.signal.throwIfAborted();
      const rows: NewRow[] = [];
      const sent = await sentRows?.find(batch);
      for (const row of batch) this.#stageRow(row, reading, sent?.get(row), rows);
      await this.#deps.ledger.rows.stage(jobId, rows);
      this.#deps.emit({ type: 'staging', rows: this.sheetRows });
    }
    sentRows?.rewritten.tell(this.#deps.emit);
    const { skipped } = table;
    const { blank, repeatedHeader: headers, totals, totalsNamed: named = [] } = skipped;
    if (blank + headers + totals > 0)
      this.#deps.emit(noteOf(message('skipped_without_data', { blank, headers, totals, named })));
  }

  /** Once the whole file has shown the meaning of ambiguous numbers, maps these rows again. */
  async resolveDecimals(jobId: string): Promise<void> {
    const changed = this.#tables.resolveDecimals();
    if (!this.#sawAmbiguous) return;
    const { all } = this.#tables;
    beginPass(all);
    // Cells may be filled in from any row above.
    const query = all.every(({ fill }) => fill === undefined) ? { states: ['invalid'] as const } : {};
    for await (const page of rowPages(this.#deps.ledger, jobId, query)) {
      const again: NewRow[] = [];
      for (const row of page) {
        const reading = tableOf(all, row);
        if (reading === undefined) continue;
        const cells = storedCells(row, reading.order);
        if (row.state !== 'invalid' || !isAmbiguous(row)) {
          reading.fill?.(cells);
          continue;
        }
        const { row: judged, mapped } = judgeRow(cells, shapeProblems(row), reading, this.#tables);
        if (changed.has(reading)) {
          const now = judgedRow(row, judged);
          this.#compare(now);
          again.push(now);
        }
        if (row.copy > 0) continue;
        for (const issue of mapped.issues) this.#reasons.add({ row: row.sheetRow, sheet: row.sheet }, issue);
      }
      await this.#deps.ledger.rows.stage(jobId, again);
    }
  }

  /** Rows that equal an earlier one; `tell` warns of them. */
  get equalRows(): number {
    return this.#equal.count;
  }

  /** Reports the findings after everything is staged. */
  tell(jobId: string): void {
    const { emit } = this.#deps;
    if (this.rows > this.sheetRows)
      emit(noteOf(message('rows_make_items', { rows: this.sheetRows, items: this.rows })));
    for (const note of this.#tables.notes(jobId)) emit(noteOf(note));
    if (this.#alreadySent > 0) emit(noteOf(message('rows_already_sent', { rows: this.#alreadySent })));
    this.#tellSent(jobId);
    const skips = skipsNote(this.#skipped, this.sheetRows);
    if (skips !== undefined) emit(skips);
    const equal = this.#equal.note();
    if (equal !== undefined) emit(warningOf(equal));
    if (!this.#reasons.isEmpty)
      emit({
        type: 'issues',
        reasons: this.#reasons.reasons(),
        job: jobId,
      });
  }

  #stageRow(row: SheetRow, reading: SourceTable, sent: SentRow | undefined, out: NewRow[]): void {
    const { table, order } = reading;
    this.sheetRows += 1;
    this.rows += 1;
    const cells = this.#tables.isFirst(reading) ? row.cells : order.map((index) => row.cells[index] ?? '');
    const { texts, kinds } = asTexts(cells);
    const place = {
      ordinal: this.rows,
      sheetRow: row.number,
      sheet: table.sheet,
      copy: 0,
      source: JSON.stringify(texts),
      kinds,
    };
    if (sent !== undefined && !sent.isEdited) {
      reading.fill?.(row.cells);
      this.#alreadySent += 1;
      if (sent.earlier === undefined) {
        this.#unknown += 1;
        if (sent.job !== '') this.#unknownJobs.add(sent.job);
      }
      out.push(
        judgedRow(place, {
          state: 'skipped',
          action: this.#tables.mode === 'update' ? 'update' : 'create',
          input: null,
          collection: null,
          issues: [issueOf('already_sent', message('already_sent', { state: sent.state }), asSent(sent))],
        }),
      );
      return;
    }
    reading.groups?.add(row.cells);
    const problems = row.problem === undefined ? [] : [row.problem];
    const { row: judged, mapped } = judgeRow(row.cells, problems, reading, this.#tables);
    if (sent !== undefined) {
      this.#edited.push(row.number);
      const said = message('row_edited', { row: sent.earlier?.sheetRow ?? 0, job: sent.job });
      out.push(
        judgedRow(place, {
          ...judged,
          state: 'held',
          action: this.#tables.mode === 'create' ? 'create' : 'update',
          input: inputOf(mapped, reading.mapping, this.#tables),
          issues: [issueOf('row_changed', said, asSent(sent)), ...judged.issues],
        }),
      );
      return;
    }
    if (isMessage(mapped.skip, 'tests_pass')) {
      const text = english(mapped.skip);
      const rows = (this.#skipped.get(text)?.rows ?? 0) + 1;
      this.#skipped.set(text, { reason: mapped.skip, rows });
    }
    // Ambiguous numbers are counted once it is clear whether they remain ambiguous.
    const ambiguous = isAmbiguous(mapped);
    if (ambiguous) this.#sawAmbiguous = true;
    else
      for (const issue of mapped.issues)
        this.#reasons.add({ row: row.number, sheet: table.sheet, line: row.line }, issue);
    if (judged.notes !== undefined) this.noted = true;
    const staged = judgedRow(place, judged);
    this.#compare(staged);
    out.push(staged);
    // Rows to map again reserve the ordinals of their copies; any other invalid row is one row.
    const copies = mapped.issues.length === 0 || ambiguous ? mapped.copies : 1;
    for (let copy = 1; copy < copies; copy += 1) {
      this.rows += 1;
      out.push({ ...staged, ordinal: this.rows, copy });
    }
  }

  #tellSent(job: string): void {
    const { emit } = this.#deps;
    const count = this.#edited.length;
    if (this.#unknown > 0)
      emit(warningOf(message('sent_rows_unknown', { rows: this.#unknown, jobs: [...this.#unknownJobs] })));
    if (count === 0) return;
    const rows = this.#edited.slice(0, EDITED_NAMED).map(String);
    const show = { do: 'show', job, label: message('to_decide_on_edited', {}) } as const;
    emit(warningOf(message('sent_rows_edited', { count, rows }, show)));
  }

  /** The copies of a row are equal on purpose. */
  #compare(row: NewRow): void {
    if (this.#tables.mode === 'create' && row.copy === 0) this.#equal.add(row);
  }
}

function asSent({ job, earlier }: SentRow): Pick<StoredIssue, 'sentAs' | 'itemId'> {
  if (earlier === undefined) return {};
  const { ordinal, state, itemId, issues } = earlier;
  // A row that was left to an earlier job still is.
  const sentAs = ANSWERING.has(state) ? { job, ordinal } : issues[0]?.sentAs;
  return {
    ...(sentAs === undefined ? {} : { sentAs }),
    ...(itemId === null ? {} : { itemId }),
  };
}

/** Maximum number of reasons in the note; the results file has all of them. */
const REASONS_SHOWN = 3;

interface Skipped {
  reason: Message;
  rows: number;
}

/** The note about rows that the rules of the template leave out: a warning if it is the whole file. */
function skipsNote(skipped: ReadonlyMap<string, Skipped>, all: number): ImportEvent | undefined {
  if (skipped.size === 0) return undefined;
  const reasons = [...skipped.values()].sort((a, b) => b.rows - a.rows);
  const rows = reasons.reduce((sum, each) => sum + each.rows, 0);
  const params = {
    rows,
    reasons: reasons.slice(0, REASONS_SHOWN).map((each) => message('reason_of_rows', each)),
    isMore: reasons.length > REASONS_SHOWN,
  };
  return rows === all
    ? warningOf(message('template_skips_all', params))
    : noteOf(message('template_skips', { ...params, of: all }));
}
