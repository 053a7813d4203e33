/**
 * Reads a marked workbook that a person has corrected: its differences from the rows of the job are the corrections.
 * The file is compared and not imported, so rows that were sent stay as they were sent.
 */
import { sameJson } from '../../base/equal-json.ts';
import { UsageError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { type Correction, findColumn } from '../../mapping/template/change.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { kindsOf } from '../../sheets/cell-kinds.ts';
import { fileKind, readFileHead } from '../../sheets/file-kind.ts';
import { openTables } from '../../sheets/open-table.ts';
import type { OpenOptions, SheetTable } from '../../sheets/table.ts';
import { namedJob } from '../history/named-job.ts';
import type { JobDeps } from '../job/deps.ts';
import { CorrectedCells, type JudgedTable, type Judging, readJudging, tableOf } from '../job/judging.ts';
import { type ImportRequest, RecipeOptions } from '../job/options.ts';
import { rowPages } from '../job/row-pages.ts';
import { readingOptions, recipeOf } from '../stage/staged-options.ts';

/** The job stores the list of corrections, so its length is limited. */
export const MAX_RETURNED_CELLS = 5000;
/** Limit on the pairs of rows that are compared to find deleted rows. */
const MAX_COMPARED = 1_000_000;

/** The content of a returned workbook. */
export interface Returned {
  /** Corrections for the next step. */
  changes: Correction[];
  /** Number of rows that differ in the file but were already sent: they stay as they were sent. */
  sent: number;
}

/**
 * The job that the file belongs to, if this store has it for this target and it was not undone. Otherwise, the workbook
 * is imported like any other file.
 */
export async function jobOfFile(
  file: string,
  { ledger, client }: Pick<JobDeps, 'ledger' | 'client'>,
): Promise<JobRecord | undefined> {
  if (!(await isWorkbook(file))) return undefined;
  const { jobOfWorkbook } = await import('../../sheets/xlsx/mark-workbook.ts');
  const id = await jobOfWorkbook(file).catch(() => undefined);
  if (id === undefined) return undefined;
  const named = await namedJob(id, { ledger, client });
  return named?.isUndone === false ? named.job : undefined;
}

/** True if the file is a workbook. Problems of the file are reported when its table is read. */
export async function isWorkbook(file: string): Promise<boolean> {
  try {
    return fileKind(file, await readFileHead(file), false) === 'zip';
  } catch {
    return false;
  }
}

/**
 * The job that an import of this file continues. @throws UsageError `bad_choice` for options that differ from those of
 * the job
 */
export async function continuedJob(
  request: ImportRequest,
  deps: Pick<JobDeps, 'ledger' | 'client'>,
): Promise<JobRecord | undefined> {
  const { given, jobId, force, run, isStdin, file } = request;
  // The file is not a returned workbook if the caller has chosen the job's id, or asked to send all rows again.
  if (given !== undefined || jobId !== undefined || isStdin === true) return undefined;
  if (force === true || run?.allRows === true) return undefined;
  const job = await jobOfFile(file, deps);
  if (job === undefined) return undefined;
  const recorded: Record<string, unknown> = job.request.recipe ?? {};
  const asked = Object.entries(recipeOf(request));
  const readAs = Object.entries(readingOptions(request));
  const before: Record<string, unknown> = job.request.readAs ?? {};
  const others = [
    ...asked.filter(([name, value]) => name !== 'skipInvalid' && !sameJson(value, recorded[name])),
    ...readAs.filter(([name, value]) => !sameJson(value, before[name])),
  ].map(([name]) => name);
  if (others.length === 0) return job;
  throw new UsageError(
    'bad_choice',
    message('returned_has_options', { job: job.id, options: [...new Set(others)] }),
    { actions: [byHand('leave_options_out', {})] },
  );
}

/**
 * Compares a returned workbook with the rows of its job.
 *
 * @throws UsageError `cannot_mend` if its columns differ, or if rows were added or moved. Nothing was changed then
 */
export async function readReturned(
  job: JobRecord,
  file: string,
  ledger: Ledger,
  open: Pick<OpenOptions, 'password' | 'signal'>,
): Promise<Returned> {
  const judging = await readJudging(job, ledger);
  const tables = await openAsJob(job, judging, file, ledger, open);
  const comparison = new Comparison(job, judging);
  const rows = storedRows(job, judging, ledger);
  for (const table of tables) await comparison.add(table, rows);
  return comparison.result();
}

/** Opens the tables as they were opened for the job. */
async function openAsJob(
  job: JobRecord,
  { tables }: Judging,
  file: string,
  ledger: Ledger,
  open: Pick<OpenOptions, 'password' | 'signal'>,
): Promise<SheetTable[]> {
  const [row] = await ledger.rows.list(job.id, { limit: 1 });
  const { headerRow } = RecipeOptions.parse(job.request.recipe ?? {});
  const isHeaderless = tables.every(({ headers }) => headers.every((header) => header === ''));
  const sheet = tables.length > 1 ? 'all' : row?.sheet;
  const opened = await openTables(file, {
    ...open,
    ...(sheet === undefined ? {} : { sheet }),
    ...(headerRow === undefined ? (isHeaderless ? { headerRow: 0 } : {}) : { headerRow }),
  });
  const isSame = (table: SheetTable) => {
    const before = tableOf(tables, table);
    return sameJson(before?.headers, table.headers) && sameJson(before?.letters, table.letters);
  };
  if (opened.length !== tables.length || !opened.every(isSame))
    throw differs(job, message('returned_other_columns', {}));
  return opened;
}

async function* storedRows(
  { id }: JobRecord,
  { rows: staged }: Judging,
  ledger: Ledger,
): AsyncGenerator<LedgerRow, void> {
  for await (const rows of rowPages(ledger, id, {}, 5000))
    for (const row of rows) if (row.copy === 0 && row.ordinal <= staged) yield row;
}

interface ReadRow {
  number: number;
  cells: Cell[];
}

/** Rows of one table that differ at the same place. */
interface Different {
  table: JudgedTable;
  stored: LedgerRow[];
  returned: ReadRow[];
}

class Comparison {
  readonly #job: JobRecord;
  readonly #corrected: CorrectedCells;
  readonly #judging: Judging;
  readonly #changes: Correction[] = [];
  #sent = 0;
  #waiting: LedgerRow | undefined;

  constructor(job: JobRecord, judging: Judging) {
    this.#job = job;
    this.#judging = judging;
    this.#corrected = new CorrectedCells(judging);
  }

  async add(table: SheetTable, rows: AsyncGenerator<LedgerRow, void>): Promise<void> {
    const judged = tableOf(this.#judging.tables, table);
    if (judged === undefined) return;
    const different: Different = { table: judged, stored: [], returned: [] };
    const next = async () => {
      const row = this.#waiting ?? (await rows.next()).value ?? undefined;
      this.#waiting = row;
      if (row === undefined || tableOf(this.#judging.tables, row) !== judged) return undefined;
      this.#waiting = undefined;
      return row;
    };
    let stored = await next();
    for await (const batch of table.batches)
      for (const row of batch) {
        for (; stored !== undefined && stored.sheetRow < row.number; stored = await next())
          this.#differ(different.stored, stored);
        const before = stored?.sheetRow === row.number ? stored : undefined;
        if (before !== undefined) stored = await next();
        if (before !== undefined && contentOf(before) === textsOf(row, judged)) continue;
        if (before !== undefined) this.#differ(different.stored, before);
        this.#differ(different.returned, row);
      }
    for (; stored !== undefined; stored = await next()) this.#differ(different.stored, stored);
    for (const [before, now] of this.#pairs(different)) this.#note(judged, before, now);
  }

  result(): Returned {
    return { changes: this.#changes, sent: this.#sent };
  }

  #differ<T>(list: T[], row: T): void {
    list.push(row);
    if (list.length > MAX_RETURNED_CELLS) throw this.#tooMany();
  }

  #tooMany(): UsageError {
    return differs(this.#job, message('returned_too_different', { most: MAX_RETURNED_CELLS }));
  }

  /** Pairs stored and returned rows in order. A stored row without a returned row was deleted. */
  #pairs({ table, stored, returned }: Different): [LedgerRow, ReadRow | undefined][] {
    const places = new Map(stored.map((row, index) => [contentOf(row), index]));
    const pairs: [LedgerRow, ReadRow | undefined][] = [];
    let at = 0;
    let open: ReadRow[] = [];
    const close = (end: number) => {
      const gap = stored.slice(at, end);
      if (gap.length < open.length) throw this.#added(open.map(({ number }) => number));
      if (gap.length * open.length > MAX_COMPARED) throw this.#moved(open);
      pairs.push(...likest(gap, open, table));
    };
    for (const row of returned) {
      const place = places.get(textsOf(row, table));
      if (place === undefined) {
        open.push(row);
        continue;
      }
      if (place < at) throw this.#moved([row]);
      close(place);
      at = place + 1;
      open = [];
    }
    close(stored.length);
    return pairs;
  }

  #added(rows: readonly number[]): UsageError {
    return differs(this.#job, message('returned_has_more', { rows: rows.slice(0, 5).map(String) }));
  }

  #moved([row]: readonly ReadRow[]): UsageError {
    return differs(this.#job, message('returned_was_sorted', { row: row?.number ?? 0 }));
  }

  #note(table: JudgedTable, before: LedgerRow, now: ReadRow | undefined): void {
    const { sheetRow: row, attempts, state } = before;
    const place = { row, ...(before.sheet === undefined ? {} : { sheet: before.sheet }) };
    const changes =
      now === undefined
        ? state === 'skipped'
          ? []
          : [{ type: 'omit', ...place } as const]
        : this.#cells(table, before, now).map((cell): Correction => ({ type: 'cell', ...place, ...cell }));
    if (changes.length === 0) return;
    if (attempts > 0) {
      this.#sent += 1;
      return;
    }
    this.#changes.push(...changes);
    if (this.#changes.length > MAX_RETURNED_CELLS) throw this.#tooMany();
  }

  /** Cells that differ from the file and that no correction explains. */
  #cells(table: JudgedTable, before: LedgerRow, { cells }: ReadRow) {
    const source = cellsOf(before);
    const corrected = this.#corrected.of(before);
    return table.order.flatMap((index, position) => {
      const cell = cells[index] ?? null;
      const text = cellText(cell);
      const column = [table.headers[index] ?? '', table.letters[index] ?? ''].find(
        (name) => findColumn(table, name) === index,
      );
      // A formula without a cached result has no value to compare.
      if (column === undefined || (typeof cell === 'object' && cell?.kind === 'error')) return [];
      if (isSameText(text, source[position] ?? '') || text === corrected?.get(position)) return [];
      const kind = kindsOf([cell]);
      return [{ column, text, ...(isKind(kind) ? { kind } : {}) }];
    });
  }
}

/**
 * Pairs rows in their order so that as many cells as possible are the same; the remaining rows of the job were deleted.
 */
function likest(
  stored: readonly LedgerRow[],
  returned: readonly ReadRow[],
  { order }: JudgedTable,
): [LedgerRow, ReadRow | undefined][] {
  if (stored.length === returned.length) return stored.map((row, index) => [row, returned[index]]);
  const sources = stored.map(cellsOf);
  const texts = returned.map(({ cells }) => order.map((index) => cellText(cells[index] ?? null)));
  const best = [[0, ...texts.map(() => Number.NEGATIVE_INFINITY)]];
  for (const [i, source] of sources.entries()) {
    const before = best[i] ?? [];
    best.push(
      before.map((left, j) =>
        Math.max(left, (before[j - 1] ?? Number.NEGATIVE_INFINITY) + alike(source, texts[j - 1])),
      ),
    );
  }
  const pairs: [LedgerRow, ReadRow | undefined][] = [];
  let j = returned.length;
  for (let i = stored.length; i > 0; i -= 1) {
    const row = stored[i - 1];
    const isDeleted = j === 0 || best[i]?.[j] === best[i - 1]?.[j];
    if (row !== undefined) pairs.push([row, isDeleted ? undefined : returned[j - 1]]);
    if (!isDeleted) j -= 1;
  }
  return pairs.reverse();
}

function alike(source: readonly string[], texts: readonly string[] = []): number {
  return texts.filter((text, index) => text !== '' && text === source[index]).length;
}

function isKind(kind: string | undefined): kind is 'n' | 'b' | 'd' | 'm' {
  return kind === 'n' || kind === 'b' || kind === 'd' || kind === 'm';
}

function isSameText(a: string, b: string): boolean {
  return a === b || a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
}

function contentOf(row: LedgerRow): string {
  return JSON.stringify(cellsOf(row)).replaceAll(String.raw`\r\n`, String.raw`\n`);
}

function textsOf({ cells }: ReadRow, { order }: JudgedTable): string {
  const texts = order.map((index) => cellText(cells[index] ?? null));
  return JSON.stringify(texts).replaceAll(String.raw`\r\n`, String.raw`\n`);
}

function differs(job: JobRecord, why: Message): UsageError {
  return new UsageError('cannot_mend', message('returned_differs', { job: job.id, why }), {
    actions: [byHand('correct_rejects_file', {})],
  });
}
