/**
 * What a person sees of a staged job while correcting it: problems by reason, pages of rows, columns and corrections.
 */
import type { Message } from '../../messages/params.ts';
import { fieldsOfCreate } from '../engine/input.ts';
import { updateOf } from '../engine/operation.ts';
import { stringify } from 'yaml';
import type { Ledger, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import type { RowState } from '../../ledger/states.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import type { ColumnUse } from '../../mapping/mapping.ts';
import { findJudging, type CorrectionStep, tableOf } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';
import { type FillDownOffer, fillDownOffers } from '../stage/fill-down.ts';
import { findRows, ordinalFrom, type RowPlace } from './find-rows.ts';
import { findJudge, type Judge, readJudge } from './judge.ts';

/** Default number of rows on a page. */
const PAGE = 50;
/** Rows read at once when searching for rows with a given problem. */
const SCANNED = 500;

/** The columns whose blank cells can be filled from the row above; none for a job that cannot be corrected. */
export async function jobOffers(reference: string, ledger: Ledger): Promise<FillDownOffer[]> {
  const judge = await findJudge(await ledger.jobs.find(reference), ledger);
  return fillDownOffers(judge?.tables ?? []);
}

export interface JobRowQuery {
  states?: readonly RowState[];
  /** Rows with this problem. `column` is the letter of the column, `found` the text of the cell. */
  reason?: { code: string; column?: string; found?: string };
  /** Rows with a cell that contains this text, ignoring case. */
  text?: string;
  /** Rows with a corrected cell. */
  corrected?: true;
  /** Only these rows of the file, in any state; paging does not apply. */
  places?: readonly RowPlace[];
  /** Starts at this row of the file or the next one; overrides `after`. */
  from?: number;
  /** `next` of the previous page. */
  after?: number;
  /** Default 50. */
  limit?: number;
}

/** A row of a job as a page shows it. */
export interface JobRow {
  /** Position in the job, from 1. */
  ordinal: number;
  /** Row as a spreadsheet program shows it. */
  row: number;
  /** Worksheet, if the source has several. */
  sheet?: string;
  /** 0 for the first item of the row; 1, 2, … for the others of its quantity. */
  copy: number;
  /** State of the row. */
  state: RowState;
  /** Action of the row. */
  action: 'create' | 'update';
  /** The item that the row created or changes; null if unknown. */
  itemId: string | null;
  /** Texts as in the file, in the order of the table's columns. */
  cells: string[];
  /** Letter of a column → its corrected text. */
  corrected: Record<string, string>;
  /** The fields that are sent or were sent: those of a create, or `set` of an update. Empty if there are none. */
  fields: Record<string, unknown>;
  /** Problems of the row. */
  issues: StoredIssue[];
  /** How approximate cells were read. */
  notes: Message[];
  /** False once a request for the row was sent. */
  mendable: boolean;
}

/** A page of rows in the order of the file, and the start of the next page. */
export async function jobRows(
  reference: string,
  ledger: Ledger,
  query: JobRowQuery = {},
): Promise<{ rows: JobRow[]; next?: number }> {
  const job = await ledger.jobs.find(reference);
  const judge = await findJudge(job, ledger);
  const { states, reason, text, corrected, places, from, limit = PAGE } = query;
  const wanted = text?.toLowerCase();
  const { judging } =
    places === undefined && from === undefined ? {} : (judge ?? (await readJudge(job, ledger)));
  if (places !== undefined && judging !== undefined)
    return { rows: (await findRows(job.id, judging, places, ledger)).map((row) => shown(row, judge)) };
  const after =
    from === undefined || judging === undefined
      ? query.after
      : (await ordinalFrom(job.id, judging, from, ledger)) - 1;
  const isWanted = (row: LedgerRow) =>
    (reason === undefined || row.issues.some((issue) => isOf(issue, reason))) &&
    (corrected === undefined || judge?.corrected(row) !== undefined) &&
    (wanted === undefined || cellsOf(row).some((cell) => cell.toLowerCase().includes(wanted)));
  const narrowed = reason !== undefined || corrected !== undefined || text !== undefined;
  const rows: JobRow[] = [];
  const pages = rowPages(
    ledger,
    job.id,
    { ...(after === undefined ? {} : { after }), ...(states === undefined ? {} : { states }) },
    narrowed ? SCANNED : limit + 1,
  );
  for await (const page of pages) {
    for (const row of page.filter(isWanted)) {
      if (rows.length === limit) return { rows, next: rows.at(-1)?.ordinal ?? 0 };
      rows.push(shown(row, judge));
    }
  }
  return { rows };
}

function isOf(issue: StoredIssue, { code, column, found }: NonNullable<JobRowQuery['reason']>): boolean {
  const isSame = issue.code === code && (column === undefined || issue.letter === column);
  return isSame && (found === undefined || issue.found === found);
}

function shown(row: LedgerRow, judge: Judge | undefined): JobRow {
  const { ordinal, sheetRow, sheet, copy, state, action, itemId, issues, notes = [], attempts } = row;
  const table = judge && tableOf(judge.tables, row);
  const texts = cellsOf(row);
  const cells =
    table === undefined ? texts : table.headers.map((_, index) => texts[table.order.indexOf(index)] ?? '');
  const corrected = [...(judge?.corrected(row) ?? [])];
  return {
    ordinal,
    row: sheetRow,
    ...(sheet === undefined ? {} : { sheet }),
    copy,
    state,
    action,
    itemId,
    cells,
    corrected: Object.fromEntries(
      corrected.map(([place, text]) => [table?.letters[table.order[place] ?? -1] ?? '', text]),
    ),
    fields: fieldsOf(row),
    issues,
    notes,
    mendable: judge !== undefined && attempts === 0,
  };
}

function fieldsOf(row: LedgerRow): Record<string, unknown> {
  return row.action === 'update' ? { ...updateOf(row).set } : fieldsOfCreate(row);
}

export interface JobColumn extends ColumnUse {
  sheet?: string;
}

/** The columns of each table, and their current use. @throws UsageError `cannot_mend` */
export async function jobColumns(reference: string, ledger: Ledger): Promise<JobColumn[]> {
  const { tables } = await readJudge(await ledger.jobs.find(reference), ledger);
  return tables.flatMap(({ sheet, mapping }) =>
    mapping.columns.map((column) => ({ ...column, ...(sheet === undefined ? {} : { sheet }) })),
  );
}

/** The corrections of a job, oldest first; none for a job that cannot be mended. */
export async function correctionSteps(jobId: string, ledger: Ledger): Promise<CorrectionStep[]> {
  return (await findJudging(jobId, ledger))?.steps ?? [];
}

/**
 * The current reading of the job's first table, as a YAML template without corrections of single cells and rows.
 *
 * @throws UsageError `cannot_mend`
 */
export async function templateYaml(reference: string, ledger: Ledger, name: string): Promise<string> {
  const job = await ledger.jobs.find(reference);
  const { first } = await readJudge(job, ledger);
  const { mode, request } = job;
  const template = {
    ...first.template,
    name,
    ...(mode === 'create' ? {} : { mode, match: request.match.length < 2 ? request.match : [request.match] }),
  };
  return stringify(template, { lineWidth: 0 });
}
