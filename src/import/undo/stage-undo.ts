/** `jobs undo`: a job with a row for each item that another job wrote. It is planned and sent like any update. */
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import type { JobRecord, Ledger, LedgerRow, NewRow } from '../../ledger/ledger.ts';
import type { RowName } from '../../ledger/row-name.ts';
import { effectOf, hasEffect, isLeftUpdate } from '../history/effects.ts';
import type { JobDeps } from '../job/deps.ts';
import { newItemsJob, newUpdate, writeJob } from '../job/new-job.ts';
import { keptOf, type RunOptions, type UndoOptions } from '../job/options.ts';
import { createBody } from '../engine/operation.ts';
import { checkFolder } from '../job/check-folder.ts';
import { rowPages } from '../job/row-pages.ts';
import { refuseIfRunning } from '../job/runs-elsewhere.ts';
import { rowTotals } from '../job/row-totals.ts';
import { type UndoPatch, undoInput } from '../engine/input.ts';
import { isUnplanned } from './plan-undo.ts';

export interface UndoRequest extends z.infer<typeof UndoOptions> {
  run?: RunOptions;
  /** Do not write results and deletions. Default: as for the undone job. */
  noFiles?: boolean;
}

/** No workbook format has longer sheets. */
const WHOLE_SHEET = { from: 1, to: 1_048_576 };

/** @throws UsageError `cannot_undo` for a job that has sent nothing or whose before-images were pruned */
export async function findUndoable(
  reference: string,
  { ledger }: Pick<JobDeps, 'ledger'>,
): Promise<JobRecord> {
  const job = await ledger.jobs.find(reference);
  const { prunedAt } = job;
  if (job.firstSentAt === undefined) {
    // After a run that changed nothing, `last` probably means the job before it.
    const sent = (await ledger.jobs.list()).find((each) => each.firstSentAt !== undefined);
    const actions = sent === undefined ? [] : [undoOf(sent)];
    throw new UsageError('cannot_undo', message('nothing_to_undo', { job: job.id }, ...actions));
  }
  if (prunedAt !== undefined) {
    const when = new Date(prunedAt).toISOString().slice(0, 10);
    throw new UsageError('cannot_undo', message('before_images_pruned', { job: job.id, at: when }));
  }
  await refuseIfRunning(job, ledger);
  return job;
}

function undoOf({ id: job, source: { file } }: JobRecord): Action {
  return { do: 'undo', job, label: message('to_undo_newest', { file }) };
}

/** Adds a row for each item that the job wrote to a new job. */
export async function stageUndo(job: JobRecord, deps: JobDeps, request: UndoRequest): Promise<JobRecord> {
  const { ledger, client } = deps;
  const outDir = resolve(request.outDir ?? job.request.outDir);
  await checkFolder(outDir);
  const undo = newItemsJob(
    {
      kind: 'undo',
      dryRun: request.dryRun,
      apiUrl: client.target,
      source: {
        file: undoFile(job),
        format: 'none',
        headers: ['id', 'taken_back'],
        letters: ['A', 'B'],
        sha256: job.id,
      },
    },
    {
      skipInvalid: false,
      noSettle: job.request.noSettle,
      outDir,
      ...((request.noFiles ?? job.request.noFiles === true) ? { noFiles: true } : {}),
      mappingHash: '',
      text: requestText(job, request),
      undoes: job.id,
      ...((request.rows ?? request.sheet) === undefined ? {} : { undoesPart: true }),
      ...(deps.confirm === undefined || request.dryRun === true ? {} : { asks: true }),
      ...keptOf(request.run),
    },
  );
  return writeJob(undo, ledger, async () => {
    const chosenRows = request.rows ?? (request.sheet === undefined ? undefined : [WHOLE_SHEET]);
    const ranges = chosenRows?.map((range) => ({ ...range, written: false }));
    const sheetOf = new Map<number, string>();
    const sheetRows = await stageRows(job, undo.id, ledger, ({ sheetRow, sheet = '' }) => {
      if (ranges === undefined) return true;
      if (request.sheet !== undefined && sheet !== request.sheet) return false;
      const chosen = ranges.filter(({ from, to }) => from <= sheetRow && sheetRow <= to);
      for (const range of chosen) range.written = true;
      if (chosen.length === 0) return false;
      const other = sheetOf.get(sheetRow) ?? sheet;
      if (other !== sheet) throw severalSheets(sheetRow, [other, sheet]);
      sheetOf.set(sheetRow, sheet);
      return true;
    });
    const idle = ranges?.filter(({ written }) => !written) ?? [];
    if (idle.length > 0) throw noSuchRows(job, idle);
    return { sheetRows };
  });
}

/** Adds what a job has written since its undo was staged: somebody may have resumed it meanwhile. */
export async function stageRest(job: JobRecord, undo: JobRecord, { ledger }: JobDeps): Promise<void> {
  const sheetRows = await stageRows(job, undo.id, ledger);
  if (sheetRows > undo.sheetRows) await ledger.jobs.update(undo.id, { sheetRows });
}

/** Whether there are rows that the undo has not planned yet, for example after a kill. */
export async function hasUnplannedRows(undo: Pick<JobRecord, 'id'>, ledger: Ledger): Promise<boolean> {
  for await (const rows of rowPages(ledger, undo.id, { states: ['planned'] }))
    if (rows.some(isUnplanned)) return true;
  return false;
}

/**
 * Adds a row for each row of the job that has changed its item, unless the undo already has one for it.
 *
 * @returns the number of the undo's rows, which is the ordinal of its last row
 */
async function stageRows(
  job: JobRecord,
  undoId: string,
  ledger: Ledger,
  isWanted: (row: LedgerRow) => boolean = () => true,
): Promise<number> {
  const last = rowTotals(await ledger.rows.counts(undoId)).read;
  let ordinal = last;
  for await (const page of rowPages(ledger, job.id, { states: ['done', 'held', 'skipped'] })) {
    const written = page.filter((row) => row.itemId !== null && (hasEffect(row) || isLeftUpdate(row)));
    const names = written.map((row): RowName => ({ job: job.id, ordinal: row.ordinal }));
    const there =
      last === 0 ? [] : (await ledger.rows.reverting(names)).filter((each) => each.job === undoId);
    const known = new Set(there.map(({ reverts }) => reverts.ordinal));
    const rows = written
      .filter((row) => !known.has(row.ordinal) && isWanted(row))
      .map((row) => undoRow((ordinal += 1), job, row));
    if (rows.length > 0) await ledger.rows.stage(undoId, rows);
  }
  return ordinal;
}

function requestText(job: JobRecord, { rows, sheet }: UndoRequest): string {
  const of = sheet === undefined ? '' : `, sheet ${sheet}`;
  return `undo ${job.id}${rows === undefined ? '' : `, rows ${rangesText(rows)}`}${of}`;
}

function rangesText(rows: NonNullable<UndoRequest['rows']>): string {
  return rows.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(',');
}

function noSuchRows(job: JobRecord, rows: NonNullable<UndoRequest['rows']>): UsageError {
  const label = message('to_see_rows', {});
  const show: Action = { do: 'show', job: job.id, options: { changes: true }, label };
  const said = message('rows_not_written', { job: job.id, rows: rangesText(rows) }, show);
  return new UsageError('cannot_undo', said);
}

function severalSheets(row: number, sheets: string[]): UsageError {
  const which: Action = {
    do: 'setOption',
    option: 'sheet',
    value: 'NAME',
    label: message('to_say_which_sheet', {}),
  };
  return new UsageError('cannot_undo', message('row_written_in_sheets', { row, sheets }, which));
}

function undoRow(ordinal: number, job: JobRecord, row: LedgerRow): NewRow {
  const patch = patchOf(job, row);
  const what = 'body' in patch ? 'created' : patch.changes.map(({ field }) => field).join(', ');
  return newUpdate({
    ordinal,
    sheetRow: row.sheetRow,
    copy: row.copy,
    input: undoInput(patch),
    source: JSON.stringify([patch.itemId, what]),
    reverts: { job: job.id, ordinal: row.ordinal },
    ...(row.sheet === undefined ? {} : { sheet: row.sheet }),
  });
}

/** The input that takes back a row. */
function patchOf(job: JobRecord, row: LedgerRow): UndoPatch {
  const { stamp } = job.request;
  const { server: learned } = job.learned;
  const itemId = row.itemId ?? '';
  if (row.action === 'create') {
    const body = createBody(job, row, stamp);
    const origin = `created by job ${job.id}, row ${row.sheetRow}`;
    return { itemId, origin, body, ...(learned === undefined ? {} : { learned }) };
  }
  const changes = effectOf(job, row).changes.map(({ field, from, to }) => ({ field, from: to, to: from }));
  return { itemId, changes };
}

/** Not a real file: the names of the undo's results begin with this name, next to the results of the job. */
function undoFile({ source: { file } }: JobRecord): string {
  return join(dirname(file), `${basename(file, extname(file))}.undo.csv`);
}
