/**
 * The stage of an import that reads the whole file, maps and checks each row, and writes all of them into the ledger.
 * The source file is not needed afterwards.
 */
import { english, inOneLine, message } from '../../messages/message.ts';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { JobRequest } from '../../ledger/job-parts.ts';
import type { JobRecord, NewJob } from '../../ledger/ledger.ts';
import { piecesOf } from '../../mapping/casts/quantity.ts';
import { isQuantityHeader } from '../../mapping/columns/columns.ts';
import { nameOf } from '../../mapping/template/explicit-template.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { sheetFit } from '../../mapping/infer/fit-sheet.ts';
import { loadTemplate, NO_TEMPLATE } from '../../mapping/template/load-template.ts';
import type { Template } from '../../mapping/template/template.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { openTables } from '../../sheets/open-table.ts';
import { SAMPLE_ROWS } from '../../mapping/infer/infer-columns.ts';
import { FirstCells } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { loadCollections } from '../../api/load-collections.ts';
import { checkCollection, noCollection } from '../items/collections.ts';
import { newJobId } from '../job/job-id.ts';
import { writeJob } from '../job/new-job.ts';
import type { TableChange } from '../engine/input.ts';
import { writeJudging } from '../job/judging.ts';
import type { ImportRequest } from '../job/options.ts';
import { checkFolder } from '../job/check-folder.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import { noteOf, warningOf } from '../job/events.ts';
import type { OpenOptions } from '../../sheets/table.ts';
import { confirmMapping, inferMapping, isHeaderless } from './infer-mapping.ts';
import { fitRecipe } from './fit-recipe.ts';
import { withReadingOfJob } from './rejects-reading.ts';
import { planOf, SourceTables } from './source-tables.ts';
import { requestOf } from './staged-options.ts';
import { Stager } from './stager.ts';
import { asExport } from './own-export.ts';
import { isDupesFile } from '../similar/write-duplicates.ts';

/** Turns an import into a `set --from`. */
export interface FileChange {
  change: TableChange;
  /** The other parts of the command that the job keeps. */
  request: Partial<JobRequest>;
  /** @throws UsageError if a table lacks a column that the command names */
  check: (table: SheetTable) => void;
}

/**
 * Reads the file into a new job in state `planned`.
 *
 * @throws SheetError, UsageError: then there is no job
 */
export async function stageFile(given: ImportRequest, deps: JobDeps, set?: FileChange): Promise<JobRecord> {
  const file = resolve(given.file);
  const { given: rows } = given;
  const own = await templateOf(given);
  const open = { ...openOptions(given, deps), fit: sheetFit(own) };
  let [table, ...others] = rows === undefined ? await openTables(file, open) : [rows.table];
  if (table === undefined) throw new UsageError('no_rows', message('no_table', { file }));
  const kind = set === undefined ? 'import' : 'set';
  const { request: read, kept } = await withReadingOfJob(given, table, kind, deps);
  const asked = await templateOf(read);
  let sample = new FirstCells(table, SAMPLE_ROWS);
  try {
    if (rows === undefined && (await isHeaderless(read, table, sample, asked, deps))) {
      await sample.close();
      [table = table, ...others] = await openTables(file, {
        ...open,
        ...(open.sheet === undefined && table.sheet !== undefined ? { sheet: table.sheet } : {}),
        headerRow: 0,
      });
      sample = new FirstCells(table, SAMPLE_ROWS);
      deps.emit(noteOf(message('first_row_is_data', {})));
    }
    const isDupes = isDupesFile(table.headers);
    const isPlain = set === undefined && asked === undefined && read.recipe === undefined && !isDupes;
    const request = isPlain ? await asExport(read, table, sample, deps) : read;
    for (const each of [table, ...others]) set?.check(each);
    await agreeOnEncoding([table, ...others], request, deps);
    // A list of duplicates that somebody filled in: it names existing items, and must never create any.
    const known =
      request.recipe !== undefined && typeof asked === 'object'
        ? await fitRecipe(asked, request, table, sample, deps)
        : (asked ?? (isDupes ? await loadTemplate('dupes') : undefined));
    const isKnown = known !== undefined || table.format === 'fields';
    const inferred = isKnown ? undefined : await inferMapping(request, table, sample, deps);
    const cells = await sample.cells();
    let sourceTables = new SourceTables(request, known ?? inferred?.template, table, set?.change, cells);
    if (request.collection !== undefined)
      deps.collections = await checkCollection(request.collection, deps.client, deps.signal);
    tellOpened(table, request.knownAs ?? table.file, sourceTables, deps);
    for (const note of inferred?.notes ?? []) deps.emit(noteOf(note));
    const confirmed = inferred && (await confirmMapping(inferred, request, table, deps));
    const counted = inferred && (await askForCopies(request, sourceTables, table, cells, deps));
    if (confirmed !== inferred?.template || counted !== undefined)
      sourceTables = new SourceTables(counted ?? request, confirmed, table, undefined, cells);
    return await stageTables(counted ?? request, deps, sourceTables, [table, ...others], kept, set);
  } finally {
    await sample.close();
  }
}

/**
 * Asks whether a column with numbers of pieces makes as many items, which only a person can know. Without an answer,
 * the numbers stay in a custom field.
 *
 * @returns the request with the column; undefined if nothing changes
 */
async function askForCopies(
  request: ImportRequest,
  { mode, first }: SourceTables,
  table: SheetTable,
  cells: readonly (readonly Cell[])[],
  deps: Pick<JobDeps, 'confirm'>,
): Promise<ImportRequest | undefined> {
  const { dryRun, map = {}, run } = request;
  if (dryRun === true || run?.yes === true || mode !== 'create' || map['quantity'] !== undefined)
    return undefined;
  for (const [index, { header, reason }] of first.columns.entries()) {
    if (reason.code !== 'kept' || !isQuantityHeader(header)) continue;
    const pieces = piecesOf(cells.map((row) => cellText(row[index] ?? null).trim()));
    if (pieces === undefined) continue;
    if (!(await confirmWithUser(deps, message('item_per_piece', { header, ...pieces })))) return undefined;
    return { ...request, map: { ...map, quantity: nameOf(table, index) } };
  }
  return undefined;
}

async function templateOf({ template }: ImportRequest): Promise<Template | undefined> {
  if (template === NO_TEMPLATE) return undefined;
  return typeof template === 'string' ? await loadTemplate(template) : template;
}

async function stageTables(
  request: ImportRequest,
  deps: JobDeps,
  sourceTables: SourceTables,
  tables: [SheetTable, ...SheetTable[]],
  keptByJob: readonly string[],
  set?: FileChange,
): Promise<JobRecord> {
  const [table] = tables;
  const { file } = table;
  const named = request.knownAs ?? file;
  const sha256 = request.given?.sha256 ?? (await hashFile(file));
  const jobId = request.jobId ?? newJobId();
  const source: JobRecord['source'] = {
    // Rows and streams have a name alone.
    file: request.given === undefined && request.isStdin !== true ? resolve(named) : named,
    format: table.format,
    headers: table.headers,
    letters: table.letters,
    sha256,
    ...(request.isStdin === true ? { isStdin: true } : {}),
    ...(table.delimiter === undefined ? {} : { delimiter: table.delimiter }),
  };
  const asked = { ...requestOf(request, sourceTables, table), ...set?.request };
  const { noCollectionColumn, ownExport } = planOf(sourceTables.all);
  // Checked before a row is judged; otherwise, corrections and choices made meanwhile would be lost.
  if (noCollectionColumn && isWithoutCollection(request, sourceTables))
    throw noCollection(await loadCollections(deps.client, deps.signal));
  await checkFolder(asked.outDir);
  const newJob: NewJob = {
    id: jobId,
    kind: set === undefined ? 'import' : 'set',
    mode: sourceTables.mode,
    dryRun: request.dryRun === true,
    apiUrl: deps.client.target,
    source,
    request: asked,
    plan: { noCollectionColumn, ownExport },
    collections: {},
    sheetRows: 0,
  };
  const stager = new Stager(sourceTables, deps);
  const job = await writeJob(newJob, deps.ledger, async () => {
    for (const each of tables) await stager.read(jobId, each);
    await stager.resolveDecimals(jobId);
    const plan = sourceTables.plan();
    const kept = [...new Set([...keptByJob, ...(plan.kept ?? [])])];
    await writeJudging(jobId, sourceTables.judging(stager.rows), deps.ledger);
    return {
      sheetRows: stager.sheetRows,
      // Known only after the last row.
      plan: {
        ...plan,
        ...(kept.length === 0 ? {} : { kept }),
        ...(stager.noted ? { noted: true } : {}),
        ...(stager.equalRows === 0 ? {} : { equalRows: stager.equalRows }),
      },
    };
  });
  tellOtherSheets(request, tables, deps);
  stager.tell(jobId);
  return job;
}

/** True if no new item can have a collection, because the file has no collection column. */
function isWithoutCollection(
  { collection, defaults }: ImportRequest,
  { mode, template }: SourceTables,
): boolean {
  const sets = [defaults, template?.defaults, ...(template?.conditions ?? []).map(({ set }) => set)];
  const isSet = sets.some((set) => set?.['collection'] !== undefined || set?.['collection_id'] !== undefined);
  return mode === 'create' && collection === undefined && !isSet;
}

/**
 * Asks for confirmation if the file's encoding is uncertain. A dry run only reports the doubt.
 *
 * @throws UsageError `unsure_encoding` without confirmation
 */
async function agreeOnEncoding(
  tables: readonly SheetTable[],
  request: ImportRequest,
  deps: JobDeps,
): Promise<void> {
  // Sheets of one file have the same doubts: the first's stand for all.
  const doubts = tables.find((table) => table.doubts.length > 0)?.doubts ?? [];
  if (doubts.length === 0 || request.encoding !== undefined) return;
  if (request.dryRun === true || request.run?.yes === true) {
    for (const doubt of doubts) deps.emit(warningOf(doubt));
    return;
  }
  if (await confirmWithUser(deps, message('read_like_this', { doubts }))) return;
  const said = message(
    'unsure_encoding',
    { doubts },
    { do: 'setOption', option: 'dry-run', label: message('to_check_letters', {}) },
    { do: 'setOption', option: 'yes', label: message('if_letters_are_right', {}) },
    { do: 'setOption', option: 'encoding', value: 'ENCODING', label: message('if_letters_are_wrong', {}) },
  );
  throw new UsageError('unsure_encoding', said, { position: { file: resolve(request.file) } });
}

function tellOpened(table: SheetTable, file: string, tables: SourceTables, { emit }: JobDeps): void {
  const { first } = tables;
  const isUnasked = tables.all[0]?.keepsUnasked === true;
  emit({
    type: 'opened',
    file,
    detected: inOneLine(table.detected),
    detectedAs: table.detected,
    columns: first.columns.map(({ header, letter, target, reason }) => ({
      header: header === '' ? `(column ${letter})` : header,
      reason: english(reason),
      why: reason,
      ...(target === undefined ? {} : { target }),
      ...(isUnasked && reason.code === 'kept' ? { isUnasked } : {}),
    })),
  });
}

/** Only one sheet of a workbook is read: reports the others. */
function tellOtherSheets(request: ImportRequest, tables: SheetTable[], deps: JobDeps): void {
  const [table] = tables;
  if (request.sheet !== undefined || table?.sheet === undefined) return;
  const others = table.sheets.filter((name) => name !== table.sheet);
  if (others.length === 0) return;
  const label = message('to_read_other_sheets', {});
  deps.emit(
    noteOf(
      message(
        'other_sheets_not_read',
        { sheet: table.sheet, others },
        {
          do: 'setOption',
          option: 'sheet',
          value: 'all',
          label,
        },
      ),
    ),
  );
}

function openOptions(request: ImportRequest, { signal, filePassword }: JobDeps): OpenOptions {
  const options: OpenOptions = { signal };
  if (filePassword !== undefined) options.password = filePassword;
  if (request.sheet !== undefined) options.sheet = request.sheet;
  if (request.delimiter !== undefined) options.delimiter = request.delimiter;
  if (request.encoding !== undefined) options.encoding = request.encoding;
  if (request.decimal !== undefined) options.decimal = request.decimal;
  if (request.headerRow !== undefined) options.headerRow = request.headerRow;
  return options;
}
