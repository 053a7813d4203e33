/** Stages the items whose ids a file lists: a table with an id column, or a bare list with one id per line. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { counted } from '../../counted.ts';
import { SheetError, UsageError } from '../../errors.ts';
import type { JobSource, NewRow, StoredIssue } from '../../ledger/ledger.ts';
import { CastProblem, cut } from '../../mapping/casts/cast.ts';
import { castId } from '../../mapping/casts/id.ts';
import { fold } from '../../mapping/fold.ts';
import { shellWord } from '../../shell-word.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { openTable } from '../../sheets/open-table.ts';
import type { SheetRow, SheetTable } from '../../sheets/table.ts';
import type { JobDeps } from '../job/deps.ts';
import { ACTION_HEADER, isDupesFile } from '../similar/write-duplicates.ts';
import { PlanIssues } from '../job/plan-issues.ts';
import { changeInput } from '../engine/input.ts';
import type { Assignments } from './assignments.ts';

export interface IdList {
  source: JobSource;
  sheet?: string;
  /** Index of the column that holds the ids. */
  column: number;
  /** Index of the action column in a file that `dupes` wrote. */
  action?: number;
  rows: AsyncIterable<Pick<SheetRow, 'number' | 'cells'>[]>;
}

/** @throws SheetError for a file that is no table, UsageError `no_match_column` for one without ids */
export async function openIds(
  file: string,
  { signal, filePassword }: Pick<JobDeps, 'signal' | 'filePassword'>,
): Promise<IdList> {
  const options = { signal, ...(filePassword === undefined ? {} : { password: filePassword }) };
  const table = await openTable(file, options).catch((error: unknown) => oneId(file, error));
  if ('rows' in table) return table;
  const { headers, letters, format, delimiter } = table;
  const bare = headers.some(isId);
  const names = headers.map(fold);
  const named = bare
    ? headers.findIndex(isId)
    : ['id', 'itemid'].map((name) => names.indexOf(name)).find((index) => index >= 0);
  const column = named ?? (headers.length === 1 ? 0 : undefined);
  if (column === undefined) {
    throw new UsageError(
      'no_match_column',
      `no column of ${table.file} is headed id: the columns are ${headers.join(', ')}`,
      {
        position: { file: table.file, row: table.headerRow },
        remedy: 'Give the column of item ids the header id; shelflift export items writes such a file.',
      },
    );
  }
  const source: JobSource = {
    file: table.file,
    format,
    headers: bare ? headers.map((_, index) => (index === column ? 'id' : (letters[index] ?? ''))) : headers,
    letters,
    sha256: await hashFile(table.file),
    ...(delimiter === undefined ? {} : { delimiter }),
  };
  const rows = bare ? afterHeader(table) : table.batches;
  return {
    source,
    column,
    rows,
    ...(isDupesFile(headers) ? { action: headers.indexOf(ACTION_HEADER) } : {}),
    ...(table.sheet === undefined ? {} : { sheet: table.sheet }),
  };
}

/** What was taken for a header is the first id. */
async function* afterHeader({
  headerRow,
  headers,
  batches,
}: Pick<SheetTable, 'headerRow' | 'headers' | 'batches'>): IdList['rows'] {
  yield [{ number: headerRow, cells: headers }];
  yield* batches;
}

/** A list of one id looks like a header without rows. */
async function oneId(file: string, error: unknown): Promise<IdList> {
  const text = error instanceof SheetError && error.code === 'no_rows' ? await readFile(file, 'utf8') : '';
  if (!isId(text)) throw error;
  const source: JobSource = {
    file: resolve(file),
    format: 'csv',
    headers: ['id'],
    letters: ['A'],
    sha256: await hashFile(file),
  };
  return {
    source,
    column: 0,
    rows: afterHeader({ headerRow: 1, headers: [text.trim()], batches: noBatches() }),
  };
}

async function* noBatches(): AsyncGenerator<never> {}

/**
 * Adds a row for each id, all with the same patch.
 *
 * @returns the number of rows
 * @throws UsageError `bad_choice` for a list of duplicates without a marked row: it lists every copy
 */
export async function stageIds(
  jobId: string,
  { source, column, action, rows, sheet }: IdList,
  { patch, collection = null }: { patch: Assignments['patch']; collection?: string | null },
  deps: Pick<JobDeps, 'ledger' | 'signal' | 'emit'>,
): Promise<number> {
  let ordinal = 0;
  let marked = 0;
  const problems = new PlanIssues();
  const rowOf = (number: number, cells: readonly Cell[]): NewRow => {
    ordinal += 1;
    const texts = cells.map(cellText);
    const text = (texts[column] ?? '').trim();
    const id = text === '' ? undefined : castId(text);
    const mark = action === undefined ? 'archive' : fold(texts[action] ?? '');
    const kept = mark === '' || mark === 'keep';
    if (mark === 'archive') marked += 1;
    const issue = kept
      ? undefined
      : mark !== 'archive'
        ? notAnAction(texts[action ?? 0] ?? '')
        : id instanceof CastProblem
          ? notAnId(id)
          : undefined;
    if (issue !== undefined) problems.add({ row: number }, issue, cut(text));
    return {
      ordinal,
      sheetRow: number,
      copy: 0,
      state: kept ? 'skipped' : issue === undefined ? 'planned' : 'invalid',
      action: 'update',
      input: changeInput(typeof id === 'string' ? { ...patch, id } : patch),
      operation: null,
      collection,
      itemId: null,
      source: JSON.stringify(texts),
      issues: kept ? [KEPT] : issue === undefined ? [] : [issue],
      ...(sheet === undefined ? {} : { sheet }),
    };
  };
  for await (const batch of rows) {
    deps.signal.throwIfAborted();
    await deps.ledger.rows.stage(
      jobId,
      batch.map((row) => rowOf(row.number, row.cells)),
    );
    deps.emit({ type: 'staging', rows: ordinal });
  }
  problems.tell(deps.emit);
  if (action === undefined) return ordinal;
  if (marked === 0) throw unmarkedDuplicates(source.file);
  deps.emit({
    type: 'note',
    message: `${source.file} is a list of duplicates. Only rows with the action "archive" are changed: ${marked} of ${counted(ordinal, 'row')}.`,
  });
  return ordinal;
}

const KEPT: StoredIssue = {
  code: 'skipped_by_rule',
  message: 'The action column says keep, or nothing.',
  column: ACTION_HEADER,
};

function unmarkedDuplicates(file: string): UsageError {
  const out = `shelflift dupes --suggest --out ${shellWord(file)}`;
  return new UsageError(
    'bad_choice',
    `${file} lists every copy of each duplicate, and no row has the action "archive". Nothing was changed.`,
    {
      position: { file },
      remedy: `Fill in the action column with keep or archive (${out} suggests it), then run: shelflift import ${shellWord(file)}. To change every copy, give a file that has only the id column.`,
    },
  );
}

function notAnAction(text: string): StoredIssue {
  return {
    code: 'unknown_word',
    message: `"${cut(text)}" is not known: expected keep or archive`,
    column: ACTION_HEADER,
  };
}

function notAnId({ code, message, expected }: CastProblem): StoredIssue {
  return { code, message: `id ${message}: expected ${expected}`, column: 'id' };
}

function isId(text: string): boolean {
  return !(castId(text.trim()) instanceof CastProblem);
}
