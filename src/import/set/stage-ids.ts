/** Stages the items whose ids a file lists: a table with an id column, or a bare list with one id per line. */
import { message } from '../../messages/message.ts';
import { wholeProblem } from '../../mapping/issue.ts';
import { readFile } from 'node:fs/promises';
import { SheetError, UsageError } from '../../base/errors.ts';
import type { NewRow, StoredIssue } from '../../ledger/ledger.ts';
import type { JobSource } from '../../ledger/job-parts.ts';
import { CastProblem, cut } from '../../mapping/casts/cast.ts';
import { castId } from '../../mapping/casts/id.ts';
import { fold } from '../../mapping/fold.ts';
import { cellText } from '../../sheets/cell.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { openTable } from '../../sheets/open-table.ts';
import type { SheetRow, SheetTable } from '../../sheets/table.ts';
import type { JobDeps } from '../job/deps.ts';
import { noteOf } from '../job/events.ts';
import { ACTION_HEADER, isDupesFile } from '../similar/write-duplicates.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { newUpdate } from '../job/new-job.ts';
import { PlanIssues } from '../job/plan-issues.ts';
import { changeInput } from '../engine/input.ts';
import type { Assignments } from './assignments.ts';

export interface IdList {
  source: JobSource;
  table: SheetTable;
  /** Index of the id column. */
  column: number;
  /** Index of the action column in a file written by `dupes`. */
  action?: number;
}

/** @throws SheetError for a file that is not a table, UsageError `no_match_column` for a file without ids */
export async function openIds(
  file: string,
  { signal, filePassword }: Pick<JobDeps, 'signal' | 'filePassword'>,
): Promise<IdList> {
  const options = { signal, ...(filePassword === undefined ? {} : { password: filePassword }) };
  const asList = () => openTable(file, { ...options, headerRow: 0 });
  const table = await openTable(file, options).catch(async (error: unknown) => {
    // A list of one id looks like a header without rows.
    if (error instanceof SheetError && error.code === 'no_rows' && isId(await readFile(file, 'utf8')))
      return asList();
    throw error;
  });
  // What was taken for a header is the first id.
  const first = table.headers.findIndex(isId);
  if (first >= 0) return idList(await asList(), first);
  const names = table.headers.map(fold);
  const named = ['id', 'itemid'].map((name) => names.indexOf(name)).find((index) => index >= 0);
  const column = named ?? (names.length === 1 ? 0 : undefined);
  if (column !== undefined) return idList(table, column);
  throw new UsageError(
    'no_match_column',
    message(
      'no_id_column',
      { file: table.file, columns: table.headers },
      { do: 'byHand', label: message('head_id_column', {}) },
      { do: 'run', command: 'export items', label: message('to_write_ids', {}) },
    ),
    { position: { file: table.file, row: table.headerRow } },
  );
}

async function idList(table: SheetTable, column: number): Promise<IdList> {
  const { headers, letters, format, delimiter } = table;
  const source: JobSource = {
    file: table.file,
    format,
    headers: table.headerRow > 0 ? headers : headers.with(column, 'id'),
    letters,
    sha256: await hashFile(table.file),
    ...(delimiter === undefined ? {} : { delimiter }),
  };
  const action = isDupesFile(headers) ? { action: headers.indexOf(ACTION_HEADER) } : {};
  return { source, table, column, ...action };
}

/**
 * Adds a row for each id, all with the same patch.
 *
 * @returns the number of rows
 * @throws UsageError `bad_choice` for a list of duplicates without a marked row: it lists every copy
 */
export async function stageIds(
  jobId: string,
  { table, column, action }: IdList,
  { patch, collection = null }: { patch: Assignments['patch']; collection?: string | null },
  deps: Pick<JobDeps, 'ledger' | 'signal' | 'emit'>,
): Promise<number> {
  let ordinal = 0;
  let marked = 0;
  const problems = new PlanIssues();
  const rowOf = ({ number, cells }: SheetRow): NewRow => {
    ordinal += 1;
    const texts = cells.map(cellText);
    const text = (texts[column] ?? '').trim();
    const id = text === '' ? undefined : castId(text);
    const row = newUpdate({
      ordinal,
      sheetRow: number,
      input: changeInput(typeof id === 'string' ? { ...patch, id } : patch),
      collection,
      source: JSON.stringify(texts),
      ...(table.sheet === undefined ? {} : { sheet: table.sheet }),
    });
    const mark = action === undefined ? 'archive' : fold(texts[action] ?? '');
    if (mark === '' || mark === 'keep') return { ...row, state: 'skipped', issues: [KEPT] };
    const issue =
      mark !== 'archive'
        ? notAnAction(texts[action ?? 0] ?? '')
        : id instanceof CastProblem
          ? notAnId(id)
          : undefined;
    if (mark === 'archive') marked += 1;
    if (issue === undefined) return row;
    problems.add({ row: number }, issue, cut(text));
    return { ...row, state: 'invalid', issues: [issue] };
  };
  for await (const batch of table.batches) {
    deps.signal.throwIfAborted();
    await deps.ledger.rows.stage(jobId, batch.map(rowOf));
    deps.emit({ type: 'staging', rows: ordinal });
  }
  problems.tell(deps.emit);
  if (action === undefined) return ordinal;
  if (marked === 0) throw unmarkedDuplicates(table.file);
  deps.emit(noteOf(message('marked_duplicates', { file: table.file, marked, rows: ordinal })));
  return ordinal;
}

const KEPT = issueOf('skipped_by_rule', message('action_says_keep', {}), { column: ACTION_HEADER });

function unmarkedDuplicates(file: string): UsageError {
  const options = { suggest: true, out: file } as const;
  const said = message(
    'unmarked_duplicates',
    { file },
    { do: 'byHand', label: message('fill_in_actions', {}) },
    { do: 'run', command: 'dupes', options, label: message('to_suggest_actions', {}) },
    { do: 'run', command: 'import', args: [file], label: message('to_archive_marked', {}) },
    { do: 'byHand', label: message('leave_only_ids', {}) },
  );
  return new UsageError('bad_choice', said, { position: { file } });
}

function notAnAction(text: string): StoredIssue {
  return issueOf('unknown_word', message('action_not_known', { text: cut(text) }), {
    column: ACTION_HEADER,
  });
}

function notAnId({ code, what, expected }: CastProblem): StoredIssue {
  const said = wholeProblem(message('cell_problem', { field: 'id', what }), expected);
  return issueOf(code, said, { column: 'id' });
}

function isId(text: string): boolean {
  return !(castId(text.trim()) instanceof CastProblem);
}
