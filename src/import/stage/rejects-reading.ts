/**
 * Reads a results or rejects file as its job reads its rows, with every correction made since. Otherwise, a row that
 * somebody corrected by hand would silently lose the corrections for all rows.
 */
import { basename } from 'node:path';
import { sameJson } from '../../base/equal-json.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { columnOptions, type Template } from '../../mapping/template/template.ts';
import type { JobRequest } from '../../ledger/job-parts.ts';
import { cellText } from '../../sheets/cell.ts';
import { UsageError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import { isResultsFile, JOB_COLUMN } from '../../sheets/own-headers.ts';
import { peekRows } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import type { JobDeps } from '../job/deps.ts';
import { noteOf, warningOf } from '../job/events.ts';
import { correctedTemplate, findJudging } from '../job/judging.ts';
import { type ImportRequest, RecipeOptions } from '../job/options.ts';
import { checkColumns, type Writer } from './rejects-columns.ts';
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
  const { writers, unknown } = await writersOf(table, kind, ledger);
  const [writer] = writers;
  const readAs = readingOptions(request);
  if (unknown.length > 0 && isOpening(readAs))
    emit(warningOf(message('reading_not_known', { jobs: unknown.slice(0, JOBS_NAMED) })));
  if (writer === undefined) return asGiven;
  const template = unknown.length === 0 ? commonReading(writers) : undefined;
  if (template === undefined) {
    const isPlain = writers.every(
      ({ job, judging }) => isOpening(job.request.readAs) && judging.steps.length === 0,
    );
    if (isPlain || !isOpening(readAs)) return asGiven;
    throw readDifferently(table, writers);
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
  const isRepeated = Object.keys(readAs).length === 0 || sameJson(readAs, writer.job.request.readAs ?? {});
  if (!isRepeated && (given !== undefined || recipe !== undefined)) return asGiven;
  const added = { map, defaults, rates, decimal, keepUnknown, dropUnknown };
  const own = isRepeated ? rest : { ...rest, ...added };
  const recorded = Recorded.parse(writer.job.request.recipe ?? {});
  const isAsked = Object.entries(own).filter(([, value]) => value !== undefined);
  const reading = { ...recorded, ...(Object.fromEntries(isAsked) as unknown as ImportRequest), template };
  checkColumns(table, writers, reading);
  emit(noteOf(message('read_as_job', { job: writer.job.id })));
  for (const { job } of writers) await warnOfRest(job, { ledger, emit });
  return { request: reading, kept: writers.flatMap(({ job }) => job.plan.kept ?? []) };
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
function commonReading(writers: readonly Writer[]): Template | undefined {
  const templates = writers.flatMap(({ judging: { tables, steps } }) =>
    tables.map((each) => correctedTemplate(each, steps)),
  );
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

function readDifferently({ file }: SheetTable, writers: readonly Writer[]): UsageError {
  const jobs = writers.map(({ job }) => job.id);
  const mend = { do: 'mend', job: jobs[0] ?? '', label: message('to_correct_in_job', {}) } as const;
  const action = byHand('to_say_how_it_is_read', {});
  const said = message('read_differently', { file: basename(file), jobs }, action, mend);
  return new UsageError('read_differently', said, { position: { file } });
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

/**
 * The jobs that the first rows of a results or rejects file name.
 *
 * @returns none if one of them is of another kind; `unknown`: ids of those whose reading the store does not have
 */
async function writersOf(
  table: SheetTable,
  kind: JobRecord['kind'],
  ledger: Ledger,
): Promise<{ writers: Writer[]; unknown: string[] }> {
  const none = { writers: [], unknown: [] };
  const at = table.headers.indexOf(JOB_COLUMN);
  if (at === -1 || !isResultsFile(table.headers)) return none;
  const { rows } = await peekRows(table, ROWS_READ);
  const texts = rows.map(({ cells }) => cellText(cells[at] ?? null).trim());
  const ids = [...new Set(texts.filter((id) => id !== ''))];
  const jobs = ids.length === 0 ? [] : await ledger.jobs.list(ids.length, { ids });
  if (jobs.some((job) => job.kind !== kind)) return none;
  const writers: Writer[] = [];
  for (const job of jobs) {
    const judging = await findJudging(job.id, ledger);
    if (judging !== undefined) writers.push({ job, judging });
  }
  return { writers, unknown: ids.filter((id) => !writers.some(({ job }) => job.id === id)) };
}
