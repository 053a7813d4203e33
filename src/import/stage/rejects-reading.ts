/**
 * Reads a results or rejects file as its job reads its rows, with every correction made since. Otherwise, a row that
 * somebody corrected by hand would silently lose the corrections for all rows.
 */
import { basename } from 'node:path';
import { sameJson } from '../../base/equal-json.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { fold } from '../../mapping/fold.ts';
import { columnOptions, type Template } from '../../mapping/template/template.ts';
import type { JobRequest } from '../../ledger/job-parts.ts';
import { cellText } from '../../sheets/cell.ts';
import { UsageError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { chooseColumns } from '../../mapping/columns/columns.ts';
import { placeOf } from '../../mapping/template/explicit-template.ts';
import { findColumns, mapField } from '../../mapping/columns/find-column.ts';
import { isResultsFile, JOB_COLUMN } from '../../sheets/own-headers.ts';
import { peekRows } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import type { JobDeps } from '../job/deps.ts';
import { noteOf, warningOf } from '../job/events.ts';
import { correctedTemplate, findJudging, type JudgedTable, type Judging } from '../job/judging.ts';
import { type ImportRequest, RecipeOptions } from '../job/options.ts';
import { readingOptions } from './staged-options.ts';

const ROWS_READ = 1000;
/** As many jobs a message names. */
const JOBS_NAMED = 5;

const OPENING: ReadonlySet<string> = new Set(['sheet', 'delimiter', 'encoding', 'header-row']);

/** Options that do not apply: how the source file was opened, and answers about its own invalid rows. */
const Recorded = RecipeOptions.omit({
  sheet: true,
  headerRow: true,
  delimiter: true,
  encoding: true,
  skipInvalid: true,
});

export interface Reading {
  request: ImportRequest;
  /** Columns that the job keeps as custom fields, and that were not reported yet. */
  kept: readonly string[];
}

/**
 * The request with the reading of the jobs that wrote the file. Given options override those of the jobs; a template or
 * recipe overrides all of them.
 *
 * @returns the unchanged request if the store knows no job that the file names
 * @throws UsageError `read_differently` if options or corrections, which differ among jobs or sheets, would be forgotten
 */
export async function withReadingOfJob(
  request: ImportRequest,
  table: SheetTable,
  kind: JobRecord['kind'],
  { ledger, emit }: Pick<JobDeps, 'ledger' | 'emit'>,
): Promise<Reading> {
  const asGiven = { request, kept: [] };
  const { jobs: found, ids } = await writersOf(table, ledger);
  if (found.some((each) => each.kind !== kind)) return asGiven;
  const readAs = readingOptions(request);
  const jobs: JobRecord[] = [];
  const judgings: Judging[] = [];
  for (const each of found) {
    const judging = await findJudging(each.id, ledger);
    if (judging === undefined) continue;
    jobs.push(each);
    judgings.push(judging);
  }
  const unknown = ids.filter((id) => !jobs.some((each) => each.id === id));
  if (unknown.length > 0 && isOpening(readAs))
    emit(warningOf(message('reading_not_known', { jobs: unknown.slice(0, JOBS_NAMED) })));
  const [job] = jobs;
  if (job === undefined) return asGiven;
  const templates = judgings.flatMap(({ tables, steps }) =>
    tables.map((each) => correctedTemplate(each, steps)),
  );
  const template = unknown.length === 0 ? commonReading(templates) : undefined;
  if (template === undefined) {
    const isPlain =
      jobs.every((each) => isOpening(each.request.readAs)) &&
      judgings.every(({ steps }) => steps.length === 0);
    if (isPlain || !isOpening(readAs)) return asGiven;
    const { file } = table;
    const action = byHand('to_say_how_it_is_read', {});
    const mend = { do: 'mend', job: job.id, label: message('to_correct_in_job', {}) } as const;
    const said = message(
      'read_differently',
      { file: basename(file), jobs: jobs.map(({ id }) => id) },
      action,
      mend,
    );
    throw new UsageError('read_differently', said, { position: { file } });
  }
  const {
    template: given,
    recipe,
    map,
    defaults,
    rates,
    decimal,
    keepUnknown,
    dropUnknown,
    ...rest
  } = request;
  const isRepeated = Object.keys(readAs).length === 0 || sameJson(readAs, job.request.readAs ?? {});
  if (!isRepeated && (given !== undefined || recipe !== undefined)) return asGiven;
  const added = { map, defaults, rates, decimal, keepUnknown, dropUnknown };
  const own = isRepeated ? rest : { ...rest, ...added };
  const recorded = Recorded.parse(job.request.recipe ?? {});
  const isAsked = Object.entries(own).filter(([, value]) => value !== undefined);
  const reading = { ...recorded, ...(Object.fromEntries(isAsked) as unknown as ImportRequest), template };
  checkColumns(
    table,
    job,
    judgings.flatMap(({ tables }) => tables),
    reading,
  );
  emit(noteOf(message('read_as_job', { job: job.id })));
  for (const each of jobs) await warnOfRest(each, { ledger, emit });
  return { request: reading, kept: jobs.flatMap(({ plan }) => plan.kept ?? []) };
}

/** True if the options say at most how a file is opened. */
function isOpening(readAs: JobRequest['readAs'] = {}): boolean {
  return Object.keys(readAs).every((option) => OPENING.has(option));
}

/**
 * The reading that the templates have in common; a decimal mark that differs is decided again by the file.
 *
 * @returns undefined if they differ otherwise
 */
function commonReading(templates: readonly Template[]): Template | undefined {
  const [first] = templates;
  const markOf = (template: Template | undefined, target: string) => columnOptions(template, target).decimal;
  const differ = (target: string) => templates.some((each) => markOf(each, target) !== markOf(first, target));
  const [common, ...others] = templates.map(({ columns, ...template }): Template => {
    const left = Object.keys(columns).map((target) => {
      const { decimal: _, ...rest } = columnOptions({ ...template, columns }, target);
      return [target, differ(target) ? rest : columns[target]];
    });
    return { ...template, columns: Object.fromEntries(left) as Template['columns'] };
  });
  return others.every((each) => sameJson(each, common)) ? common : undefined;
}

/** A rejects file lacks the valid rows of its job, which has sent nothing while it stopped at the invalid ones. */
async function warnOfRest(
  { id, state }: JobRecord,
  { ledger, emit }: Pick<JobDeps, 'ledger' | 'emit'>,
): Promise<void> {
  if (state === 'cancelled' || state === 'running') return;
  const { planned: rows } = await ledger.rows.counts(id);
  if (rows > 0) emit(warningOf(message('rest_not_sent', { job: id, rows })));
}

/** The jobs that the first rows of a results or rejects file name: their ids, and those that the store has. */
async function writersOf(table: SheetTable, ledger: Ledger): Promise<{ jobs: JobRecord[]; ids: string[] }> {
  const at = table.headers.indexOf(JOB_COLUMN);
  if (at === -1 || !isResultsFile(table.headers)) return { jobs: [], ids: [] };
  const { rows } = await peekRows(table, ROWS_READ);
  const texts = rows.map(({ cells }) => cellText(cells[at] ?? null).trim());
  const ids = [...new Set(texts.filter((id) => id !== ''))];
  return { jobs: ids.length === 0 ? [] : await ledger.jobs.list(ids.length, { ids }), ids };
}

/**
 * Refuses columns that somebody added or deleted: the rows would lose their values without a word. For another mode,
 * such as an update of the created items, a person may choose the columns.
 *
 * @throws UsageError `missing_column`, `unknown_column`
 */
function checkColumns(
  table: SheetTable,
  { id: job, mode, request: { match } }: JobRecord,
  tables: readonly JudgedTable[],
  reading: ImportRequest & { template: Template },
): void {
  const { map = {}, keepUnknown, dropUnknown, template } = reading;
  const { file } = table;
  const folded = table.headers.map(fold);
  for (const each of (reading.mode ?? mode) === mode ? tables : []) {
    const { uses } = chooseColumns({ ...each, map: {}, defaults: {}, mode, match, template, explicit: true });
    const headers = each.headers.map(fold);
    for (const [at, { target, header, letter }] of uses.entries()) {
      if (target === undefined || map[target] !== undefined) continue;
      // A column is found by its place if its header is blank or belongs to several.
      const isThere =
        placeOf(each, at).from === undefined
          ? sameJson(folded.slice(0, at + 1), headers.slice(0, at + 1))
          : folded.includes(fold(header));
      if (isThere) continue;
      throw new UsageError(
        'missing_column',
        message(
          'rejects_column_missing',
          { job, file: basename(file), field: target, header, letter },
          mapField(target, 'COLUMN'),
          byHand('to_put_column_back', {}),
        ),
        { position: { file } },
      );
    }
  }
  if (keepUnknown !== undefined || dropUnknown === true) return;
  const known = new Set(tables.flatMap(({ headers }) => headers.map(fold)));
  const mapped = new Set(Object.values(map).flatMap((name) => findColumns(table, name)));
  const extra = table.headers.filter(
    (header, index) =>
      header !== '' && !header.startsWith('_') && !known.has(fold(header)) && !mapped.has(index),
  );
  const [header] = extra;
  if (header === undefined) return;
  const columns = extra.length;
  throw new UsageError(
    'unknown_column',
    message(
      'rejects_column_added',
      { job, file: basename(file), columns: extra.map(cut) },
      mapField('FIELD', header),
      { do: 'setOption', option: 'keep-unknown', label: message('to_keep', { columns }) },
      { do: 'setOption', option: 'drop-unknown', label: message('to_leave_out', { columns }) },
      byHand('to_delete_columns', { columns }),
    ),
    { position: { file } },
  );
}
