/** The object that every command about a job ends with (design §2, JSON). */
import type { RequestTotals } from '../../api/meter.ts';
import { defined } from '../../base/defined.ts';
import type { ShelfliftError } from '../../base/errors.ts';
import { english, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import { ExitCode } from '../../base/exit-code.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import type { JobState } from '../../ledger/states.ts';
import { describeChange } from '../../mapping/template/change.ts';
import { NOT_KEPT } from '../changes/not-kept.ts';
import { unsentElsewhere } from '../history/applied.ts';
import { isSelection } from '../job/job-kinds.ts';
import { findJudging } from '../job/judging.ts';
import { nextTryAt } from '../job/limit-wait.ts';
import { stateOf } from '../job/state-words.ts';
import { issuesWithActions, type RowsIssue } from './issues.ts';
import { notTakenBack } from './not-taken-back.ts';
import type { ResultFiles } from './results.ts';
import type { Undecided } from './undecided.ts';
import { type ChangeRow, toChangeRow } from '../review/change-rows.ts';
import type { PlanReport } from '../review/plan-report.ts';
import { planCounts } from '../review/plan-view.ts';
import { rowPages } from '../job/row-pages.ts';
import { type RowTotals, rowTotals } from '../job/row-totals.ts';

const CANARY_SHOWN = 20;
const ALREADY_SHOWN = 20;

/** The work of a job, in numbers of rows. */
export interface JobReport {
  /** Id of the job. */
  job: string;
  /**
   * For an undo: the job that it takes back. Each row of the undo is an item, and `updated` counts the items taken
   * back.
   */
  undoes?: string;
  /** Rows by outcome. */
  rows: RowTotals;
  /** Rows of the source: a row with a quantity counts once. */
  sheetRows: number;
  /** Requests of this run. */
  requests: {
    /** All requests, including repetitions. */
    sent: number;
    /** Requests answered "rate limit exceeded". */
    limited: number;
    /** Repetitions. */
    retried: number;
  };
  /** From this run's first request to its last answer, ms. */
  tookMs: number;
  /** Paths of the written files. */
  files: ResultFiles;
  /** `archive` is present only with --missing, `held` only if there are such rows. */
  plan?: {
    /** Rows that create an item. */
    create: number;
    /** Rows that change an item. */
    update: number;
    /** Items missing from the file. */
    archive?: number;
    /** Rows without changes. */
    unchanged: number;
    /** Rows that a rule or a person leaves out. */
    skipped: number;
    /** Rows that cannot be sent because of a problem. */
    invalid: number;
    /** Rows that wait for a person. */
    held?: number;
  };
  /** After `--first`: the rows that were sent, for review; at most 20. */
  canary?: ChangeRow[];
  /** For a dry run: the plan in numbers. */
  changes?: PlanReport;
  /** Problems of invalid rows by reason, most rows first. Absent if no row is invalid. */
  issues?: RowsIssue[];
  /** Rows that wait for a person (`jobs show`). Absent if there are no such rows. */
  undecided?: Undecided;
  /** `set --from`: items that already had the requested values, the first 20 by name. Absent if there are no such items. */
  already?: {
    /** Number of items. */
    items: number;
    /** The first 20 items. */
    first: {
      /** Row of the source, as a spreadsheet program counts. */
      row: number;
      /** UUID of the item. */
      itemId: string;
      /** Name of the item. */
      name: string;
    }[];
  };
  /** `--missing archive`: items of the collection that the file does not have, or why none is archived. */
  missing?: {
    /** Number of items of the collection that count. */
    of: number;
    /** Number of these items that are missing from the file. */
    archive: number;
    /** Why no item is archived, as a clause. */
    unsafe?: string;
    /** The reason as data. */
    why?: {
      /** Stable code. */
      code: string;
      /** Parameters of the text. */
      params: Readonly<Record<string, unknown>>;
    };
  };
  /** The corrections of the job (`jobs mend`), oldest first; Absent if there are no corrections. */
  mended?: {
    /** Number of the step, from 1. */
    step: number;
    /** When it was made. */
    at: Date;
    /** A line for each change, in English. */
    changes: string[];
    /** The same lines as data. */
    said: Message[];
    /** A rule of shelflift made it, not a person. */
    byRule?: true;
  }[];
  /** Readings that are only likely, of the file or by column (`jobs mend` undoes each). Absent if there are none. */
  likely?: {
    /** Stable code. */
    code: string;
    /** Parameters of the text: `column`, `header`, `cells`, `text` of the first cell, and `as`. */
    params: Readonly<Record<string, unknown>>;
    /** A sentence that may change. */
    message: string;
  }[];
  /** Number of skipped rows that `--on-drift skip` left out. Absent if 0. */
  drifted?: number;
  /**
   * For an undo: rows of its job that may be on the server, and that wait for a person or were given their items by a
   * person after the undo. They are not taken back. Absent if there are none.
   */
  notTakenBack?: number;
  /**
   * Skipped rows that are in earlier jobs which do not run, and which did not send them, got no answer, or were undone.
   * Absent if there are none.
   */
  unsentElsewhere?: {
    /** Number of rows. */
    rows: number;
    /** Ids of the jobs. */
    jobs: string[];
  };
  /** Ids of possible duplicates: items equal to a row that was sent twice. Absent if there are none. */
  doubles?: string[];
  /** Ids of items that were created with an amount of the file in the wrong currency. Absent if there are none. */
  wrongAmounts?: string[];
  /** Values that the server did not keep as they were sent, by field. Absent if there are none. */
  notKept?: {
    /** A field, or `custom_fields.NAME`. */
    field: string;
    /** Number of rows whose value was not kept. */
    rows: number;
    /** The first of these rows. */
    row: number;
    /** The value in the server's answer. */
    found: string;
  }[];
  /** Next try of a job that waits for room under the item limit (`--wait-for-limit`). */
  nextTry?: Date;
  /** Why the job stopped; absent if it ended. */
  error?: {
    /** Stable code. */
    code: string;
    /** A sentence that may change. */
    message: string;
    /** Stable code of the sentence, if it differs from `code`. */
    text?: string;
    /** Parameters of the sentence. */
    params?: Readonly<Record<string, unknown>>;
    /** Possible actions. */
    actions?: readonly Action[];
  };
}

/** The state of a job and the counts of its rows. */
export interface JobSummary extends JobReport {
  /** State of the job; `already_applied` for an import that another job made. */
  state: Exclude<JobState, 'staging'> | 'already_applied';
}

export interface RunFacts {
  requests: RequestTotals;
  retried?: number;
  files?: ResultFiles;
  canary?: readonly number[];
  error?: ShelfliftError;
}

/** Notes besides the counts, and the possible next actions, the likeliest first. */
export interface Next {
  said: readonly Message[];
  actions: readonly Action[];
}

/** A summary with its exit code and the next steps. */
export interface JobOutcome extends Next {
  summary: JobSummary;
  exitCode: ExitCode;
  /** The error that stopped this run, if any. */
  cause?: ShelfliftError;
  /** Why the results could not be written, if they could not. */
  unwritten?: ShelfliftError;
}

export async function summarise(job: JobRecord, ledger: Ledger, facts: RunFacts): Promise<JobSummary> {
  const counts = await ledger.rows.counts(job.id);
  const error = facts.error === undefined ? storedError(job) : errorJson(facts.error);
  const summary: JobSummary = {
    job: job.id,
    state: job.state === 'staging' ? 'planned' : job.state,
    ...(job.request.undoes === undefined ? {} : { undoes: job.request.undoes }),
    rows: rowTotals(counts),
    sheetRows: job.sheetRows,
    requests: { sent: facts.requests.sent, limited: facts.requests.limited, retried: facts.retried ?? 0 },
    tookMs: facts.requests.tookMs,
    files: facts.files === undefined ? filesOf(job) : { ...planOf(job), ...facts.files },
  };
  const drifted = job.mode === 'create' || counts.skipped === 0 ? 0 : await driftedRows(job, ledger);
  if (drifted > 0) summary.drifted = drifted;
  const open = await notTakenBack(job, ledger);
  if (open > 0) summary.notTakenBack = open;
  const isPlanOrEnd = job.state === 'done' || job.state === 'planned';
  if (isPlanOrEnd && counts.skipped > 0) {
    const unsent = await unsentElsewhere(job, ledger);
    if (unsent.rows > 0) summary.unsentElsewhere = unsent;
  }
  if (job.learned.doubles !== undefined) summary.doubles = job.learned.doubles;
  if (job.learned.wrongAmounts !== undefined) summary.wrongAmounts = job.learned.wrongAmounts;
  const lost = await notKept(job, ledger);
  if (lost.length > 0) summary.notKept = lost;
  if (facts.canary !== undefined && job.state === 'paused')
    summary.canary = await canaryRows(job, ledger, facts.canary);
  if (job.kind === 'set' && !isSelection(job) && counts.unchanged > 0)
    Object.assign(summary, await alreadySo(job, ledger));
  if (job.request.missing !== undefined) {
    const { of = 0, items = 0, unsafe } = job.plan.missing ?? {};
    summary.missing = { of, archive: items };
    if (unsafe !== undefined) {
      const { code, params } = unsafe;
      Object.assign(summary.missing, { unsafe: english(unsafe), why: { code, params } });
    }
  }
  const steps = (await findJudging(job.id, ledger))?.steps ?? [];
  if (steps.length > 0)
    summary.mended = steps.map(({ number, at, changes, byRule }) => {
      const said = changes.map(describeChange);
      return { step: number, at: new Date(at), changes: said.map(english), said, ...defined({ byRule }) };
    });
  const { likely: ofColumns = [], recognised: template } = job.plan;
  const isLeft = steps.some(({ changes }) => changes.some(({ type }) => type === 'template'));
  const ofFile = template === undefined || isLeft ? [] : [message('template_used', { template })];
  const likely = [...ofFile, ...ofColumns];
  if (likely.length > 0)
    summary.likely = likely.map((note) => ({ code: note.code, params: note.params, message: english(note) }));
  const nextTry = job.state === 'running' ? await nextTryAt(ledger, job.id) : undefined;
  if (nextTry !== undefined) summary.nextTry = new Date(nextTry);
  Object.assign(summary, await issuesWithActions(job.id, ledger));
  if (error !== undefined) summary.error = error;
  return summary;
}

async function driftedRows(job: JobRecord, ledger: Ledger): Promise<number> {
  let drifted = 0;
  for await (const rows of rowPages(ledger, job.id, { states: ['skipped'], actions: ['update'] })) {
    drifted += rows.filter((row) => row.issues.some((issue) => issue.code === 'drifted')).length;
  }
  return drifted;
}

/** The values that the server did not keep, by field. */
export async function notKept(job: JobRecord, ledger: Ledger): Promise<NonNullable<JobSummary['notKept']>> {
  if (job.learned.loses !== true) return [];
  const fields = new Map<string, NonNullable<JobSummary['notKept']>[number]>();
  const query = { states: ['done', 'held', 'skipped'], withIssues: true } as const;
  for await (const rows of rowPages(ledger, job.id, query))
    for (const { sheetRow, issues } of rows)
      for (const { code, column: field = '', found = '' } of issues)
        if (code === NOT_KEPT) {
          const known = fields.get(field) ?? { field, rows: 0, row: sheetRow, found };
          fields.set(field, { ...known, rows: known.rows + 1 });
        }
  return [...fields.values()];
}

async function alreadySo(job: JobRecord, ledger: Ledger): Promise<Pick<JobSummary, 'already'>> {
  let items = 0;
  const first: NonNullable<JobSummary['already']>['first'] = [];
  for await (const rows of rowPages(ledger, job.id, { states: ['unchanged'] })) {
    for (const row of rows) {
      // A repetition of another row has no item of its own.
      if (row.itemId === null) continue;
      items += 1;
      if (first.length < ALREADY_SHOWN)
        first.push({ row: row.sheetRow, itemId: row.itemId, name: toChangeRow(row).name });
    }
  }
  return items === 0 ? {} : { already: { items, first } };
}

async function canaryRows(job: JobRecord, ledger: Ledger, ordinals: readonly number[]): Promise<ChangeRow[]> {
  const query = { ordinals: ordinals.slice(0, CANARY_SHOWN), limit: CANARY_SHOWN };
  return (await ledger.rows.list(job.id, query)).map(toChangeRow);
}

/** Counts the rows that a dry run would send. */
export async function planTotals(job: JobRecord, ledger: Ledger): Promise<NonNullable<JobSummary['plan']>> {
  const { create, update, archive, unchanged, skipped, invalid, held } = await planCounts(job, ledger);
  return {
    create,
    update,
    ...(job.request.missing === undefined ? {} : { archive }),
    unchanged,
    skipped,
    invalid,
    ...(held === 0 ? {} : { held }),
  };
}

/**
 * The summary for a file that was applied before: its rows are skipped, except rows that its job could not send (design
 * §2, Jobs).
 *
 * @param summary the summary of the earlier job
 */
export function alreadyApplied({ rows, ...summary }: JobSummary): JobSummary {
  const { read, invalid, refused, held } = rows;
  const { job, sheetRows, requests, tookMs, files, issues, doubles, wrongAmounts, notKept } = summary;
  return {
    job,
    state: 'already_applied',
    rows: {
      read,
      created: 0,
      updated: 0,
      unchanged: 0,
      skipped: read - invalid - refused - held,
      invalid,
      refused,
      held,
      pending: 0,
    },
    sheetRows,
    requests,
    tookMs,
    files,
    ...(issues === undefined ? {} : { issues }),
    ...(doubles === undefined ? {} : { doubles }),
    ...(wrongAmounts === undefined ? {} : { wrongAmounts }),
    ...(notKept === undefined ? {} : { notKept }),
  };
}

/** 3 if rows of a job need a person, whether they were sent or are only planned (design §2); 0 otherwise. */
export function exitCodeOfRows(summary: JobSummary): ExitCode {
  const { rows, drifted = 0, notTakenBack: left = 0, unsentElsewhere: unsent, missing } = summary;
  const { doubles = [], wrongAmounts: amounts = [], notKept: lost = [] } = summary;
  const named = doubles.length + amounts.length + lost.length;
  const notDone = rows.invalid + rows.refused + rows.held + drifted + left + named + (unsent?.rows ?? 0);
  return notDone > 0 || missing?.unsafe !== undefined ? ExitCode.rows : ExitCode.ok;
}

/** The exit code of a job in this state (design §2): the most severe one that applies. */
export function exitCodeOf(summary: JobSummary): ExitCode {
  switch (summary.state) {
    case 'interrupted':
      return ExitCode.interrupted;
    case 'parked_unauthorised':
      return ExitCode.unauthorized;
    case 'parked_unreachable':
    case 'parked_disk':
      return ExitCode.parked;
    case 'parked_limit':
      return ExitCode.limit;
    case 'parked_refused':
    case 'cancelled':
      return ExitCode.rows;
    case 'planned':
    case 'already_applied':
    case 'running':
    case 'paused':
    case 'done':
      return exitCodeOfRows(summary);
    default:
      return ExitCode.defect;
  }
}

/** The error of every exit code except 0, 3, 4 and 130; made from the state if the job has none. */
export function errorOf(summary: JobSummary): NonNullable<JobSummary['error']> {
  const said = message('job_stopped', { state: stateOf(summary.state) });
  return summary.error ?? errorOfMessage(summary.state, said);
}

/** An error as `--json` shows it. */
export function errorJson({
  code,
  message: text,
  said,
  actions,
}: ShelfliftError): NonNullable<JobSummary['error']> {
  const error = said === undefined ? { code, message: text } : errorOfMessage(code, said);
  return actions.length === 0 ? error : { ...error, actions };
}

/** Undefined for a cancelled job: whatever stopped it before, its rows wait for nothing else. */
function storedError({ state, error }: JobRecord): JobSummary['error'] {
  if (error === undefined || state === 'cancelled') return undefined;
  const { code, message: text, said } = error;
  return said === undefined ? { code, message: text } : errorOfMessage(code, said);
}

function errorOfMessage(code: string, said: Message): NonNullable<JobSummary['error']> {
  const text: string = said.code;
  return { code, message: english(said), ...(text === code ? {} : { text }), params: said.params };
}

/** The plan file was written earlier, and stays listed. */
function planOf({ files }: JobRecord): ResultFiles {
  return files['plan'] === undefined ? {} : { plan: files['plan'].path };
}

function filesOf(job: JobRecord): ResultFiles {
  const { to_delete: toDelete, ...files } = job.files;
  const named = { ...files, ...(toDelete === undefined ? {} : { toDelete }) };
  return Object.fromEntries(Object.entries(named).map(([kind, { path }]) => [kind, path]));
}
