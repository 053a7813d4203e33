/** Writes the rows of a file into the ledger, each mapped and checked, and collects what is wrong with them. */
import { counted } from '../../counted.ts';
import type { NewRow, StoredIssue } from '../../ledger/ledger.ts';
import type { RowAction } from '../../ledger/states.ts';
import { IssueGroups } from '../../mapping/group-issues.ts';
import { isResultsFile } from '../../mapping/headers.ts';
import { cellText } from '../../sheets/cell.ts';
import type { SheetRow, SheetTable } from '../../sheets/table.ts';
import { rowPages } from '../job/row-pages.ts';
import type { JobDeps } from '../job/deps.ts';
import { EqualRows } from './equal-rows.ts';
import { judgeRow } from './judge-row.ts';
import type { SourceTable, SourceTables } from './source-tables.ts';

/** States in a results file that a later import must not send again: done, or for another job to finish. */
const STATES_NOT_TO_SEND: ReadonlySet<string> = new Set([
  'created',
  'updated',
  'unchanged',
  'skipped',
  'pending',
  'held',
]);
const AMBIGUOUS = 'ambiguous_number';
/** Issues of a row as a whole: they remain when its numbers become clear. */
const SHAPE_PROBLEMS: ReadonlySet<string> = new Set([
  'too_many_cells',
  'unclosed_quote',
  'bad_encoding',
  'merge_conflict',
]);

export class Stager {
  /** Rows of the file so far; a row with a quantity counts once. */
  sheetRows = 0;
  readonly #deps: JobDeps;
  readonly #tables: SourceTables;
  readonly #groups = new IssueGroups();
  readonly #equal = new EqualRows();
  #ordinal = 0;
  #alreadySent = 0;
  /** Rows that a rule of the template skips, and why the first of them is. */
  #skipped = { rows: 0, reason: '' };
  /** True if a row must be mapped again; if not, a pass over the job's rows is saved. */
  #sawAmbiguous = false;

  constructor(sourceTables: SourceTables, deps: JobDeps) {
    this.#tables = sourceTables;
    this.#deps = deps;
  }

  /** Stages all rows of a table, batch by batch. */
  async read(jobId: string, table: SheetTable): Promise<void> {
    const reading = this.#tables.open(table, this.#ordinal);
    for (const note of table.notes) this.#deps.emit({ type: 'note', message: note });
    const results = isResultsFile(table.headers) ? table.headers.indexOf('_state') : -1;
    for await (const batch of table.batches) {
      this.#deps.signal.throwIfAborted();
      const rows: NewRow[] = [];
      for (const row of batch) this.#stageRow(row, reading, results, rows);
      await this.#deps.ledger.rows.stage(jobId, rows);
      this.#deps.emit({ type: 'staging', rows: this.sheetRows });
    }
    const { skipped } = table;
    const left = [
      skipped.blank > 0 ? `${skipped.blank} blank` : '',
      skipped.repeatedHeader > 0 ? `${skipped.repeatedHeader} repeated header` : '',
      skipped.totals > 0 ? `${skipped.totals} totals` : '',
    ].filter((part) => part !== '');
    if (left.length > 0)
      this.#deps.emit({ type: 'note', message: `Skipped rows without data: ${left.join(', ')}.` });
  }

  /** The whole file may make ambiguous numbers clear: maps those rows again. */
  async resolveDecimals(jobId: string): Promise<void> {
    const changed = this.#tables.resolveDecimals();
    if (!this.#sawAmbiguous) return;
    for await (const page of rowPages(this.#deps.ledger, jobId, { states: ['invalid'] })) {
      const again: NewRow[] = [];
      for (const row of page) {
        if (!row.issues.some((issue) => issue.code === AMBIGUOUS)) continue;
        const reading = this.#tables.of(row.ordinal);
        if (reading === undefined) continue;
        const { mapping, order } = reading;
        const source = JSON.parse(row.source ?? '[]') as string[];
        const cells: string[] = [];
        for (const [place, column] of order.entries()) cells[column] = source[place] ?? '';
        const mapped = mapping.mapRow(cells);
        mapped.issues.push(...row.issues.filter((issue) => SHAPE_PROBLEMS.has(issue.code)));
        if (changed.has(reading)) {
          const judged: NewRow = { ...row, state: 'planned', issues: [] };
          judgeRow(judged, mapped, mapping, this.#tables);
          this.#compare(judged);
          again.push(judged);
        }
        for (const issue of mapped.issues) if (row.copy === 0) this.#groups.add(row.sheetRow, issue);
      }
      await this.#deps.ledger.rows.stage(jobId, again);
    }
  }

  /** Reports what was found, once everything is staged. */
  tell(): void {
    if (this.#ordinal > this.sheetRows) {
      const message = `${counted(this.sheetRows, 'row makes', 'rows make')} ${counted(this.#ordinal, 'item')} (quantity column).`;
      this.#deps.emit({ type: 'note', message });
    }
    const { emit } = this.#deps;
    for (const note of this.#tables.notes()) emit({ type: 'note', message: note });
    if (this.#alreadySent > 0) {
      const message = `${counted(this.#alreadySent, 'row was', 'rows were')} skipped: according to _state, ${this.#alreadySent === 1 ? 'it was sent, or belongs' : 'they were sent, or belong'} to a job.`;
      emit({ type: 'note', message });
    }
    const { rows, reason } = this.#skipped;
    if (rows > 0 && rows === this.sheetRows) {
      const message = `The template skips ${rows === 1 ? 'the one row' : `all ${rows} rows`} of the file (${reason}): nothing will be sent.`;
      emit({ type: 'warning', message });
    }
    const equal = this.#equal.note();
    if (equal !== undefined) emit({ type: 'warning', message: equal });
    if (this.#groups.total > 0) emit({ type: 'issues', groups: this.#groups.groups() });
  }

  #stageRow(row: SheetRow, reading: SourceTable, results: number, out: NewRow[]): void {
    const { table, mapping, order } = reading;
    this.sheetRows += 1;
    const cells = this.#tables.isFirst(reading) ? row.cells : order.map((index) => row.cells[index] ?? '');
    const texts = table.format === 'csv' ? cells : cells.map(cellText);
    const base = {
      sheetRow: row.number,
      copy: 0,
      source: JSON.stringify(texts),
      ...(table.sheet === undefined ? {} : { sheet: table.sheet }),
    };
    const state = results < 0 ? '' : cellText(row.cells[results] ?? null).trim();
    if (STATES_NOT_TO_SEND.has(state)) {
      this.#alreadySent += 1;
      const issues: StoredIssue[] = [{ code: 'already_sent', message: `its _state is "${state}"` }];
      out.push({ ...this.#blank(base), state: 'skipped', issues });
      return;
    }
    const mapped = mapping.mapRow(row.cells);
    if (row.problem !== undefined) mapped.issues.push(row.problem);
    if (mapped.skip !== undefined) {
      this.#skipped.reason ||= mapped.skip;
      this.#skipped.rows += 1;
    }
    const ambiguous = mapped.issues.some((issue) => issue.code === AMBIGUOUS);
    if (ambiguous) this.#sawAmbiguous = true;
    // Ambiguous numbers are counted once it is clear whether they remain ambiguous.
    if (!ambiguous) for (const issue of mapped.issues) this.#groups.add(row.number, issue, row.line);
    // Rows to map again reserve the ordinals of their copies; any other invalid row is one row.
    const copies = mapped.issues.length === 0 || ambiguous ? mapped.copies : 1;
    const first = this.#blank(base);
    judgeRow(first, mapped, mapping, this.#tables);
    this.#compare(first);
    out.push(first);
    for (let copy = 1; copy < copies; copy += 1) {
      this.#ordinal += 1;
      out.push({ ...first, ordinal: this.#ordinal, copy });
    }
  }

  /** Copies of a row are equal on purpose. */
  #compare(row: NewRow): void {
    if (this.#tables.mode === 'create' && row.copy === 0) this.#equal.add(row);
  }

  #blank(base: Pick<NewRow, 'sheetRow' | 'copy' | 'source' | 'sheet'>): NewRow {
    this.#ordinal += 1;
    const action: RowAction = this.#tables.mode === 'update' ? 'update' : 'create';
    return {
      ...base,
      ordinal: this.#ordinal,
      state: 'planned',
      action,
      payload: null,
      collection: null,
      itemId: null,
      issues: [],
    };
  }
}
