/**
 * The last stage: files with the outcome of each row.
 *
 * `NAME.results.csv` has every row. `NAME.rejects.csv` has only the rows to correct, and can be imported as it is. Held
 * rows are not among the rejects: their items may exist, and importing the rows would duplicate them.
 */
import { sameJson } from '../../base/equal-json.ts';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { english, message } from '../../messages/message.ts';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Writable } from 'node:stream';
import type { JobRecord, Ledger, LedgerRow, RowCounts } from '../../ledger/ledger.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { placeOf } from '../../ledger/row-name.ts';
import { shortName } from '../../base/short-name.ts';
import { JOB_COLUMN, SHEET_COLUMN, sheetCell } from '../../sheets/own-headers.ts';
import type { TableWriter, TableWriterOptions } from '../../sheets/table-writer.ts';
import { createTableWriter } from '../../sheets/write-table.ts';
import type { JobDeps } from '../job/deps.ts';
import type { Emit } from '../job/events.ts';
import { keptPath, type OutputPath, outputPath, removeStale } from './output-path.ts';
import { ARCHIVE, isMissingRow } from '../job/missing-rows.ts';
import { filledCells } from '../job/filled-cells.ts';
import { CorrectedCells, findJudging, type Judging, sheetsOf } from '../job/judging.ts';
import { fieldsOfCreate } from '../engine/input.ts';
import { rowPages } from '../job/row-pages.ts';
import { itemKey } from '../changes/match-key.ts';

/** Bytes. File systems allow 255, and .results.kept-… and the temporary name must also fit. */
const MAX_NAME = 180;

const OUR_COLUMNS = [
  '_row',
  '_state',
  '_action',
  '_item_id',
  '_error_code',
  '_error_column',
  '_error',
  '_request_id',
  JOB_COLUMN,
  SHEET_COLUMN,
];
/** Notes on approximate readings and on corrections. */
const NOTES_COLUMN = '_notes';

/** Paths of the written files; `rejects` only if there are any. */
export interface ResultFiles {
  /** Every row with its outcome. */
  results?: string;
  /** The rows to correct; can be imported as it is. */
  rejects?: string;
  /** Undo: the items to delete by hand. */
  toDelete?: string;
  /** The plan for review (`--plan`). */
  plan?: string;
}

interface Target {
  kind: 'results' | 'rejects';
  writer: TableWriter;
  place: OutputPath;
}

/**
 * Writes both files beside the source or into the job's folder; output-path.ts handles existing files.
 *
 * The lane is no longer held, so a process that continues the job may have written its own files meanwhile. The files
 * are therefore written again until they agree with the store, or until another process runs the job and writes them.
 * They are compared before they replace others, too: a process that is killed or cut off in between leaves newer files.
 *
 * @param which `rejects` writes no results file (a dry run has no results)
 */
export async function writeResults(
  job: JobRecord,
  ledger: Ledger,
  emit: Emit,
  which: 'both' | 'rejects' = 'both',
): Promise<ResultFiles> {
  // Of pruned rows only the outcomes are left: the files that were written before have more.
  if (job.request.noFiles === true || job.prunedAt !== undefined) return {};
  for (;;) {
    const counts = await ledger.rows.counts(job.id);
    const isTrue = async () => sameJson(await ledger.rows.counts(job.id), counts);
    const files = await writeOnce(job, ledger, emit, { counts, isTrue }, which);
    if ((await isTrue()) || (await ledger.lanes.runner(job.id)) !== undefined) return files;
  }
}

async function writeOnce(
  job: JobRecord,
  ledger: Ledger,
  emit: Emit,
  { counts, isTrue }: { counts: RowCounts; isTrue: () => Promise<boolean> },
  which: 'both' | 'rejects',
): Promise<ResultFiles> {
  const { outDir, outName } = job.request;
  const name = shortName(outName ?? basename(job.source.file, extname(job.source.file)), MAX_NAME);
  const targets: Target[] = [];
  const judging = await findJudging(job.id, ledger);
  const { line, ...form } = formOf(job, judging);
  const mode = await modeOf(job.source.file);
  const open = async (kind: 'results' | 'rejects') => {
    const place = await outputPath(job, outDir, `${name}.${kind}`, kind, ledger, emit);
    const writer = await createTableWriter({
      file: place.path,
      ...form,
      mode,
    });
    const target = { kind, writer, place };
    targets.push(target);
    return target;
  };
  const hasRejects = counts.invalid + counts.refused > 0;
  if (which === 'rejects' && !hasRejects) return {};

  const files: ResultFiles = {};
  const written: JobRecord['files'] = { ...job.files };
  try {
    const isToMend = toMend(job);
    const filled = filler(job, judging);
    const single = await singleCopies(job, ledger);
    const write = async ({ writer }: Target, chosen: readonly LedgerRow[]) => writer.write(chosen.map(line));
    const results = which === 'both' ? await open('results') : undefined;
    let rejects: Target | undefined;
    for await (const rows of rowPages(ledger, job.id)) {
      if (results !== undefined) await write(results, rows.map(single));
      const bad = hasRejects ? rows.map(filled).filter(isToMend) : [];
      // Only now is it known that a refused row is one to mend.
      if (bad.length > 0) await write((rejects ??= await open('rejects')), bad);
    }
    if (!(await isTrue())) {
      for (const { writer } of targets) await writer.abort();
      return {};
    }
    for (const { kind, writer, place } of targets) {
      const { sha256 } = await writer.finish();
      await ledger.jobs.noteFile(sha256, job.id);
      const path = await keptPath(place, emit);
      files[kind] = path;
      written[kind] = { path, sha256 };
    }
  } catch (error) {
    for (const { writer } of targets) await writer.abort();
    throw error;
  }
  if (isAllDone(counts)) {
    await removeStale(job, outDir, `${name}.rejects`, ledger, emit);
    delete written['rejects'];
  }
  await ledger.jobs.update(job.id, { files: written });
  return files;
}

/**
 * Writes the files of a job on request, even if its run writes none.
 *
 * @throws UsageError `job_pruned`
 */
export async function writeAgain(
  job: JobRecord,
  ledger: Ledger,
  emit: Emit,
  { outDir = job.request.outDir, which }: { outDir?: string | undefined; which?: 'both' | 'rejects' } = {},
): Promise<ResultFiles> {
  if (job.prunedAt !== undefined)
    throw new UsageError('job_pruned', message('files_pruned', { job: job.id }));
  const { noFiles: _, ...request } = job.request;
  return writeResults({ ...job, request: { ...request, outDir } }, ledger, emit, which);
}

/** Delivers the results at the end of a run: as files, or to the given stream. */
export async function deliverResults(
  job: JobRecord,
  { ledger, emit, resultsTo }: Pick<JobDeps, 'ledger' | 'emit' | 'resultsTo'>,
): Promise<ResultFiles> {
  if (resultsTo === undefined) return writeResults(job, ledger, emit);
  await streamResults(job, ledger, resultsTo);
  return {};
}

/** Writes a CSV of every row. @param stream is not ended */
export async function streamResults(job: JobRecord, ledger: Ledger, stream: Writable): Promise<void> {
  const { line, ...form } = formOf(job, await findJudging(job.id, ledger));
  try {
    const writer = await createTableWriter({ file: '-', stream, ...form });
    const single = await singleCopies(job, ledger);
    for await (const rows of rowPages(ledger, job.id))
      await writer.write(rows.map((row) => line(single(row))));
    await writer.finish();
  } catch (cause) {
    if (cause instanceof ShelfliftError) throw cause;
    throw new ShelfliftError(
      'stream_failed',
      message('results_stream_failed', { why: (cause as Error).message }),
      {
        cause,
      },
    );
  }
}

/** How both files are written, and a row of each. */
function formOf(
  job: JobRecord,
  judging: Judging | undefined,
): Pick<TableWriterOptions, 'format' | 'columns' | 'delimiter'> & { line: (row: LedgerRow) => string[] } {
  const withSheet = sheetsOf(judging).length > 0;
  const cells = new CorrectedCells(judging ?? { tables: [], steps: [] });
  const { headers, delimiter } = job.source;
  // The results of an imported results file have these columns once.
  const kept = headers.flatMap((header, index) =>
    OUR_COLUMNS.includes(header) || header === NOTES_COLUMN ? [] : [index],
  );
  const withNotes = job.plan.noted === true;
  const all = [
    ...kept.map((index) => headers[index] ?? ''),
    ...OUR_COLUMNS.filter((header) => withSheet || header !== SHEET_COLUMN),
    ...(withNotes ? [NOTES_COLUMN] : []),
  ];
  return {
    format: 'csv',
    // In the user's columns numbers are texts, and must stay numbers.
    columns: all.map((header, at) => ({ header, kind: at < kept.length ? 'number' : 'text' })),
    ...(delimiter === undefined ? {} : { delimiter }),
    line: (row) => [
      ...lineOf(row, kept, job, cells),
      ...(withSheet ? [row.sheet === undefined ? '' : sheetCell(row.sheet)] : []),
      ...(withNotes ? [notesOf(row)] : []),
    ],
  };
}

/** File mode: readable for everybody who may read the source; only for the owner if the source is gone. */
async function modeOf(source: string): Promise<number> {
  const found = await stat(source).catch(() => undefined);
  return 0o600 | ((found?.mode ?? 0) & 0o066);
}

/** True if no row is left to correct or wait for. */
function isAllDone({ invalid, refused, held, planned, sending, unknown }: RowCounts): boolean {
  return invalid + refused + held + planned + sending + unknown === 0;
}

/**
 * The invalid copies of a row are one line: once corrected, its quantity makes the copies again. Refused copies whose
 * key finds the other copies are one line, too. An archived missing item has no line: imported as a row, it would be
 * created again.
 */
function toMend(job: JobRecord): (row: LedgerRow) => boolean {
  let refused: string | undefined;
  return (row) => {
    if (row.state === 'invalid') return row.copy === 0;
    if (row.state !== 'refused' || isMissingRow(row)) return false;
    if (!findsOthers(row, job)) return true;
    const name = placeOf(row);
    const isFirst = refused !== name;
    refused = name;
    return isFirst;
  };
}

/**
 * In the results, each invalid copy has a line, which stands for one item when imported again. The lines of an upsert
 * with one key are one row, so they keep their quantity.
 */
async function singleCopies(
  { id, mode, plan: { quantityColumn } }: JobRecord,
  ledger: Ledger,
): Promise<(row: LedgerRow) => LedgerRow> {
  if (quantityColumn === undefined || mode !== 'create') return (row) => row;
  const several = new Set<string>();
  for await (const rows of rowPages(ledger, id, { states: ['invalid'] }))
    for (const row of rows) if (row.copy > 0) several.add(placeOf(row));
  return (row) =>
    row.state === 'invalid' && several.has(placeOf(row))
      ? { ...row, source: JSON.stringify(cellsOf(row).with(quantityColumn, '1')) }
      : row;
}

/** True if importing the row again counts its copies again. */
function findsOthers(row: LedgerRow, { mode, request, plan }: JobRecord): boolean {
  if (mode !== 'upsert') return false;
  const { keyChanges: changes = [] } = plan;
  return row.action === 'update' || itemKey(fieldsOfCreate(row), { match: request.match, changes }) !== '';
}

/**
 * Rejects are imported on their own, so their cells have the corrections, and blank cells are filled from the rows
 * above.
 */
function filler(
  { plan: { filledColumns = [] } }: JobRecord,
  judging: Judging | undefined,
): (row: LedgerRow) => LedgerRow {
  const corrections = new CorrectedCells(judging ?? { tables: [], steps: [] });
  const filled = filledCells(filledColumns, corrections, judging?.rows);
  return (row) => {
    const { cells, kinds } = filled(row);
    return { ...row, source: JSON.stringify(cells), ...(kinds === undefined ? {} : { kinds }) };
  };
}

function lineOf(row: LedgerRow, kept: number[], job: JobRecord, cells: CorrectedCells): string[] {
  const { quantityColumn } = job.plan;
  const source = cellsOf(row);
  // Each other refused copy has its own line, which stands for one item when imported again.
  if (row.state === 'refused' && quantityColumn !== undefined && !findsOthers(row, job))
    source[quantityColumn] = '1';
  const [issue, ...others] = row.issues;
  const more = others.map((each) => each.message);
  return [
    ...kept.map((index) => cells.written(row, index, source[index] ?? '')),
    String(row.sheetRow),
    stateWord(row),
    isMissingRow(row) ? ARCHIVE : row.action,
    row.itemId ?? issue?.itemId ?? '',
    issue?.code ?? '',
    issue?.column ?? '',
    issue === undefined ? '' : [issue.message, ...more].join('; '),
    row.requestId ?? '',
    job.id,
  ];
}

function notesOf({ notes = [] }: LedgerRow): string {
  return notes.map(english).join('; ');
}

function stateWord(row: LedgerRow): string {
  switch (row.state) {
    case 'done':
      return row.action === 'create' ? 'created' : 'updated';
    case 'planned':
    case 'sending':
    case 'unknown':
      return 'pending';
    default:
      return row.state;
  }
}
