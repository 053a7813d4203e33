/**
 * The rows of a results or rejects file, compared with the rows of the job that wrote the file. Texts that a spreadsheet
 * program has rewritten since are restored. A row that must not be sent again may have been edited, and the edit must not
 * be lost silently.
 */
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { JobKind, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import { rowNameText } from '../../ledger/row-name.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { compileMapping } from '../../mapping/compile.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { fold } from '../../mapping/fold.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import type { MappedRow, MappedValue, Mapping } from '../../mapping/mapping.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { cellOf } from '../../sheets/cell-kinds.ts';
import { isResultsFile, JOB_COLUMN, SHEET_COLUMN, sheetNamed } from '../../sheets/own-headers.ts';
import type { SheetRow } from '../../sheets/table.ts';
import { sameJson } from '../../base/equal-json.ts';
import { itemKey } from '../changes/match-key.ts';
import { hasOtherMark, isRewritten, RewrittenCells } from '../changes/rewritten.ts';
import { withOperands } from '../changes/table-change.ts';
import { sameMapped } from '../engine/equality.ts';
import { fieldsOfCreate } from '../engine/input.ts';
import { STATES_NOT_TO_SEND } from '../history/lines.ts';
import { type NamedJob, namedJob } from '../history/named-job.ts';
import type { JobDeps } from '../job/deps.ts';
import { CorrectedCells, findJudging, sheetsOf } from '../job/judging.ts';
import { ARCHIVE } from '../job/missing-rows.ts';
import { rowPages } from '../job/row-pages.ts';
import type { SourceTable, SourceTables } from './source-tables.ts';

export interface SentRow {
  /** State of the row in the file. */
  state: string;
  job: string;
  /** The row in its job; undefined if this store does not have the row, so that it cannot be compared. */
  earlier?: LedgerRow;
  isEdited: boolean;
}

interface KnownJob extends NamedJob {
  corrected: CorrectedCells;
  /** Those that the job has read, if there are several. */
  sheets: readonly string[];
  /** For each column of the file, its index among the stored cells of a row; -1 if the job did not read the column. */
  places: readonly number[];
  /** The last row that was found: files are usually in the order of their jobs. */
  last: number;
}

export class SentRows {
  readonly #reading: SourceTable;
  readonly #as: Pick<SourceTables, 'mode' | 'match' | 'change'>;
  readonly #deps: JobDeps;
  readonly #jobs = new Map<string, KnownJob | undefined>();
  /** A separate mapping: its observations of decimal marks and currencies must not affect the rows to send. */
  readonly #mapping: Mapping;
  readonly rewritten = new RewrittenCells();

  private constructor(
    reading: SourceTable,
    as: Pick<SourceTables, 'mode' | 'match' | 'change'>,
    deps: JobDeps,
  ) {
    this.#reading = reading;
    this.#as = as;
    this.#deps = deps;
    this.#mapping = withOperands(compileMapping(reading.options), as.change);
  }

  /** Undefined for any other file. */
  static of(
    reading: SourceTable,
    as: Pick<SourceTables, 'mode' | 'match' | 'change'>,
    deps: JobDeps,
  ): SentRows | undefined {
    return isResultsFile(reading.headers) ? new SentRows(reading, as, deps) : undefined;
  }

  /**
   * @returns the rows that must not be sent again
   * @throws UsageError `no_sheet_column` if rows of several sheets with the same number cannot be told apart
   */
  async find(rows: readonly SheetRow[]): Promise<ReadonlyMap<SheetRow, SentRow>> {
    const found = new Map<SheetRow, SentRow>();
    for (const [id, these] of Map.groupBy(rows, (row) => this.#text(row, JOB_COLUMN))) {
      const known = await this.#job(id);
      const earlier =
        known === undefined ? new Map<SheetRow, LedgerRow>() : await this.#earlier(known, these);
      const names = [...earlier.values()].map(({ ordinal }) => ({ job: id, ordinal }));
      const undone = await known?.reversals.takenBack(names);
      for (const row of these.filter((each) => this.#isNamed(each))) {
        const stored = earlier.get(row);
        // The row of a missing item is not a row of the file.
        const isItem = this.#text(row, '_action') === ARCHIVE;
        const isUndone =
          known?.isUndone === true ||
          (stored !== undefined && undone?.has(rowNameText({ job: id, ordinal: stored.ordinal })) === true);
        if (!isItem && (isUndone || (known !== undefined && this.#isOtherCommand(known)))) {
          if (known !== undefined && stored !== undefined) this.#takeAsOneItem(known, stored, row);
          continue;
        }
        found.set(row, {
          state: this.#text(row, '_state'),
          job: id,
          isEdited:
            !isItem && known !== undefined && stored !== undefined && !this.#isSame(known, stored, row),
          ...(stored === undefined ? {} : { earlier: stored }),
        });
      }
    }
    return found;
  }

  #isNamed(row: SheetRow): boolean {
    return STATES_NOT_TO_SEND.has(this.#text(row, '_state')) || this.#text(row, '_action') === ARCHIVE;
  }

  /** Changing the items that a file lists is a different command from creating them. */
  #isOtherCommand({ job }: KnownJob): boolean {
    const kind: JobKind = this.#as.change === undefined ? 'import' : 'set';
    return kind !== job.kind || this.#as.mode !== job.mode;
  }

  /**
   * Each copy of a row has a line of its own with the quantity of the row, so the line stands for one item. An upsert
   * counts lines with the same key as one row.
   */
  #takeAsOneItem({ job, places }: KnownJob, earlier: LedgerRow, row: SheetRow): void {
    const { mode, match } = this.#as;
    const column = this.#reading.mapping.columns.findIndex(({ target }) => target === 'quantity');
    if (column < 0 || cellText(row.cells[column] ?? null) !== cellsOf(earlier)[places[column] ?? -1]) return;
    const rule = { match, changes: job.plan.keyChanges ?? [] };
    if (mode === 'create' || (mode === 'upsert' && itemKey(fieldsOfCreate(earlier), rule) === ''))
      row.cells = row.cells.with(column, '1');
  }

  async #job(id: string): Promise<KnownJob | undefined> {
    if (this.#jobs.has(id)) return this.#jobs.get(id);
    const named = id === '' ? undefined : await namedJob(id, this.#deps);
    const judging = named && (await findJudging(id, this.#deps.ledger));
    const sheets = sheetsOf(judging);
    if (sheets.length > 0 && !this.#reading.headers.includes(SHEET_COLUMN))
      throw new UsageError('no_sheet_column', message('no_sheet_column', { job: id, sheets: sheets.length }));
    const known = named && {
      ...named,
      corrected: new CorrectedCells(judging ?? { tables: [], steps: [] }),
      sheets,
      places: placesOf(this.#reading.headers, named.job.source.headers),
      last: 0,
    };
    this.#jobs.set(id, known);
    return known;
  }

  /**
   * The rows in the job: if several have the same number, the equal row, or else the row with the item. Restores the
   * cells of the file's rows.
   */
  async #earlier(known: KnownJob, rows: readonly SheetRow[]): Promise<ReadonlyMap<SheetRow, LedgerRow>> {
    const { ledger } = this.#deps;
    const { id } = known.job;
    const found = new Map<SheetRow, LedgerRow>();
    const next = await ledger.rows.list(id, { after: known.last, limit: 2 * rows.length });
    const near = Map.groupBy(next, ({ sheetRow }) => sheetRow);
    for (const row of rows) {
      const same = this.#ofSheet(known, near, row).find((each) => this.#isSame(known, each, row));
      if (same === undefined) continue;
      this.#restore(known, same, row);
      found.set(row, same);
      known.last = Math.max(known.last, same.ordinal);
    }
    const left = rows.filter((row) => !found.has(row));
    if (left.length === 0) return found;
    const sheetRows = [...new Set(left.map((row) => this.#number(row)))].filter(Number.isInteger);
    const all: LedgerRow[] = [];
    for await (const page of rowPages(ledger, id, { sheetRows })) all.push(...page);
    const numbered = Map.groupBy(all, ({ sheetRow }) => sheetRow);
    for (const row of left) {
      const candidates = this.#ofSheet(known, numbered, row);
      const item = this.#text(row, '_item_id').toLowerCase();
      const same = candidates.find((each) => this.#isSame(known, each, row));
      const earlier = same ?? candidates.find(({ itemId }) => itemId === item) ?? candidates[0];
      if (earlier === undefined) continue;
      found.set(row, earlier);
      // Rows of several sheets have the same number: this may be another one.
      const isCertain = earlier === same || candidates.every(({ sheet }) => sheet === earlier.sheet);
      if (isCertain) this.#restore(known, earlier, row);
    }
    return found;
  }

  /** The rows with the number of a row, and of its sheet if the file names one of them. */
  #ofSheet({ sheets }: KnownJob, numbered: ReadonlyMap<number, LedgerRow[]>, row: SheetRow): LedgerRow[] {
    const rows = numbered.get(this.#number(row)) ?? [];
    const sheet = sheetNamed(this.#text(row, SHEET_COLUMN), sheets);
    return sheet === undefined ? rows : rows.filter((each) => each.sheet === sheet);
  }

  #restore(known: KnownJob, earlier: LedgerRow, row: SheetRow): void {
    row.cells = this.#restored(known, earlier, row, (field, from, to) => {
      this.rewritten.add([{ field, from, to: cut(to) }]);
    });
  }

  /** The cells of a row as the job had them, unless somebody has edited them. */
  #restored(
    { corrected, places }: KnownJob,
    earlier: LedgerRow,
    { cells }: SheetRow,
    tell?: (header: string, from: string, to: string) => void,
  ): Cell[] {
    const texts = corrected.texts(earlier);
    return cells.map((cell, column) => {
      const [place = -1, header = ''] = [places[column], this.#reading.headers[column]];
      const [from, to] = [texts[place], cellText(cell)];
      if (this.#isOwn(column) || from === undefined) return cell;
      const isCorrected = corrected.of(earlier)?.has(place) === true;
      const kind = isCorrected ? corrected.kindOf(earlier, place) : earlier.kinds?.[place];
      const clear = (text: string) => corrected.unmistakable(earlier, place, text);
      const written = corrected.written(earlier, place, from);
      // A number is no text with a decimal mark of its own.
      if (to === written)
        return from === '' ? cell : cellOf((kind ?? 't') === 't' ? clear(from) : from, kind);
      const edited = typeof cell === 'string' ? clear(cell) : cell;
      // A cell that was wrong is there to be corrected.
      if (earlier.issues.some((issue) => isColumnOf(issue, header))) return edited;
      if (hasOtherMark(written, to, corrected.markOf(earlier, place))) return { kind: 'error', text: to };
      if (!isRewritten(from, to) || (earlier.kinds?.[place] ?? 't') !== 't') return edited;
      tell?.(header, from, to);
      return from;
    });
  }

  #isSame(known: KnownJob, earlier: LedgerRow, row: SheetRow): boolean {
    const { corrected, places } = known;
    const source = cellsOf(earlier);
    const isAsRead = places.every(
      (place, column) =>
        this.#isOwn(column) ||
        cellText(row.cells[column] ?? null) === corrected.written(earlier, place, source[place] ?? ''),
    );
    if (earlier.source === null || isAsRead) return true;
    const now = this.#mapping.mapRow(this.#restored(known, earlier, row));
    return [new Map<number, string>(), corrected.of(earlier)].some((corrections) => {
      if (corrections === undefined) return false;
      const before = places.map((place, column): Cell => {
        if (this.#isOwn(column)) return row.cells[column] ?? null;
        const text = corrections.get(place);
        if (text !== undefined) return cellOf(text, corrected.kindOf(earlier, place));
        return place < 0 ? null : cellOf(source[place] ?? '', earlier.kinds?.[place]);
      });
      return sameRow(this.#mapping.mapRow(before), now);
    });
  }

  #isOwn(column: number): boolean {
    return this.#reading.headers[column]?.startsWith('_') === true;
  }

  #number(row: SheetRow): number {
    return Number(this.#text(row, '_row'));
  }

  #text({ cells }: SheetRow, header: string): string {
    return cellText(cells[this.#reading.headers.indexOf(header)] ?? null).trim();
  }
}

/** True if two readings of a row set the same values. */
function sameRow(a: MappedRow, b: MappedRow): boolean {
  const [one, other] = [valuesOf(a), valuesOf(b)];
  const restOf = ({ collection, id, copies, operands = {}, skip, issues }: MappedRow) => [
    { collection, id, copies, isSkipped: skip !== undefined },
    Object.entries(operands).map(([field, { operand }]) => [field, Number(operand)]),
    issues.map(({ code, column, found }) => ({ code, column, found })),
  ];
  return (
    sameJson(restOf(a), restOf(b)) &&
    one.size === other.size &&
    [...one].every(([field, value]) => {
      const now = other.get(field);
      return now !== undefined && sameMapped(field, value, now);
    })
  );
}

function valuesOf({ fields, customFields }: MappedRow): ReadonlyMap<string, MappedValue> {
  const custom = Object.entries(customFields).map(([key, value]) => [CUSTOM_PREFIX + key, value] as const);
  return new Map([...Object.entries(fields), ...custom]);
}

/**
 * The columns of a file among those of the job that wrote it; of two columns with the same name, the second one is
 * matched to the second.
 */
function placesOf(headers: readonly string[], before: readonly string[]): number[] {
  const left: (string | undefined)[] = [...before];
  return headers.map((header) => {
    const place = left.indexOf(header);
    if (place >= 0) left[place] = undefined;
    return place;
  });
}

/** True if an issue is about a column, which it may name by its custom field. */
function isColumnOf({ column = '' }: StoredIssue, header: string): boolean {
  return column === header || fold(column.replace(CUSTOM_PREFIX, '')) === fold(header);
}
