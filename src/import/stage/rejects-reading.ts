/**
 * Reads a results or rejects file as its job reads its rows, with every correction made since. Otherwise, a row that
 * somebody corrected by hand would silently lose the corrections for all rows.
 */
import { sameJson } from '../../base/equal-json.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { fold } from '../../mapping/fold.ts';
import type { Template } from '../../mapping/template/template.ts';
import { cellText } from '../../sheets/cell.ts';
import { message } from '../../messages/message.ts';
import { isResultsFile, JOB_COLUMN } from '../../sheets/own-headers.ts';
import { peekRows } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import type { JobDeps } from '../job/deps.ts';
import { noteOf } from '../job/events.ts';
import { commonTemplate, findJudging } from '../job/judging.ts';
import { type ImportRequest, RecipeOptions } from '../job/options.ts';
import { readingOptions } from './staged-options.ts';

const ROWS_READ = 1000;

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
 * The request with the reading of the job that wrote the file. Given options override those of the job; a template or
 * recipe overrides all of them.
 *
 * @returns the unchanged request if the file does not name a job that the store knows
 */
export async function withReadingOfJob(
  request: ImportRequest,
  table: SheetTable,
  kind: JobRecord['kind'],
  { ledger, emit }: Pick<JobDeps, 'ledger' | 'emit'>,
): Promise<Reading> {
  const asGiven = { request, kept: [] };
  const job = await writerOf(table, ledger);
  if (job?.kind !== kind) return asGiven;
  const template = await readingOf(job, table, ledger);
  if (template === undefined) return asGiven;
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
  const readAs = readingOptions(request);
  const isRepeated = Object.keys(readAs).length === 0 || sameJson(readAs, job.request.readAs ?? {});
  if (!isRepeated && (given !== undefined || recipe !== undefined)) return asGiven;
  const added = { map, defaults, rates, decimal, keepUnknown, dropUnknown };
  const own = isRepeated ? rest : { ...rest, ...added };
  const recorded = Recorded.parse(job.request.recipe ?? {});
  const isAsked = Object.entries(own).filter(([, value]) => value !== undefined);
  emit(noteOf(message('read_as_job', { job: job.id })));
  const reading = { ...recorded, template, ...(Object.fromEntries(isAsked) as unknown as ImportRequest) };
  return { request: reading, kept: job.plan.kept ?? [] };
}

/** Undefined if rows of several jobs were combined in the file. */
async function writerOf(table: SheetTable, ledger: Ledger): Promise<JobRecord | undefined> {
  const at = table.headers.indexOf(JOB_COLUMN);
  if (at === -1 || !isResultsFile(table.headers)) return undefined;
  const { rows } = await peekRows(table, ROWS_READ);
  const named = new Set(
    rows.map(({ cells }) => cellText(cells[at] ?? null).trim()).filter((id) => id !== ''),
  );
  const [id] = named;
  if (id === undefined || named.size > 1) return undefined;
  const [job] = await ledger.jobs.list(1, { ids: [id] });
  return job;
}

/** Undefined if the file has columns that the job does not know, or if its sheets are read differently. */
async function readingOf(job: JobRecord, table: SheetTable, ledger: Ledger): Promise<Template | undefined> {
  const judging = await findJudging(job.id, ledger);
  const template = judging && commonTemplate(judging);
  const known = new Set(job.source.headers.map(fold));
  const isKnown = table.headers.every((header) => header.startsWith('_') || known.has(fold(header)));
  return isKnown ? template : undefined;
}
