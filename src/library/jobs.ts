/** The jobs of a store: reading, continuing, correcting and undoing them. */
import type { JobDeps } from '../import/job/deps.ts';
import type { RunOptions } from '../import/job/options.ts';
import { Results } from './results.ts';
import { resolve as absolute } from 'node:path';
import type { JobKind, JobRecord } from '../ledger/ledger.ts';
import type { RowState } from '../ledger/states.ts';
import type { ChangeRow } from '../import/review/change-rows.ts';
import type { Resolution } from '../import/jobs/resolve-row.ts';
import type { JobRow } from '../import/correction/job-rows.ts';
import type { Pruned } from '../import/jobs/prune-jobs.ts';
import type { RowTotals } from '../import/job/row-totals.ts';
import type { ResultFiles } from '../import/results/results.ts';
import type { JobOutcome } from '../import/results/summary.ts';
import { UsageError } from '../base/errors.ts';
import { z } from 'zod';
import { Correction as CorrectionSchema } from '../mapping/template/change.ts';
import { wholeNumber } from '../base/option.ts';
import { ROW_STATES } from '../ledger/states.ts';
import { callWrong, checked, optionIs, unknownOption } from './check.ts';
import type { Correction } from './correction.ts';
import type { ShelfEvent } from './events.ts';
import { jobDeps, type ShelfContext } from './job-deps.ts';
import { JOB_STATES, type JobResult, type JobState, type ParkReason, resultOf, stateOf } from './result.ts';
import { Given } from './given.ts';
import type { SendOptions, UndoOptions } from './options.ts';
import type { Run } from './run.ts';
import type { JobAction } from '../messages/params.ts';
import { message } from '../messages/message.ts';
import { expecting } from '../base/schema-words.ts';
import { defined } from '../base/defined.ts';

/** A job in a list. */
export interface ListedJob {
  /** Its id. */
  job: string;
  /** Its state. */
  state: JobState;
  /** Why it is parked; absent in other states. */
  reason?: ParkReason;
  /** True for a plan that nobody has applied. */
  dryRun: boolean;
  /** The kind of job. */
  kind: JobKind;
  /** The mode of its rows. */
  mode: 'create' | 'update' | 'upsert';
  /** Path of its file, or the name of its rows. */
  file: string;
  /** The API that has the items. */
  apiUrl: string;
  /** When it was created. */
  createdAt: Date;
  /** When it last changed. */
  updatedAt: Date;
  /** Rows by outcome. */
  rows: RowTotals;
}

/** Filters for a list of jobs. */
export interface JobQuery {
  /** One state or several. Default: all. */
  state?: JobState | readonly JobState[] | undefined;
}

/** Filters for the rows of a job. */
export interface RowQuery {
  /** Only rows in these states. */
  states?: readonly RowState[] | undefined;
  /** Only rows with this problem, in the column with this letter if one is given. */
  reason?:
    | {
        /** Code of the problem, such as `not_a_year`. */
        code: string;
        /** Letter of the column. Default: any. */
        column?: string;
      }
    | undefined;
  /** Only rows with a corrected cell. */
  corrected?: true | undefined;
}

/** Corrections of a job that has not been sent yet. */
export interface MendRequest extends SendOptions {
  /** One step, which `undo` undoes as a whole. */
  changes?: readonly Correction[] | undefined;
  /** The number of latest steps to undo first. */
  undo?: number | undefined;
}

/**
 * The jobs of the shelf's store. A job is named by its id, its unique first characters, or `last`: the newest job that
 * is not a plan. All methods throw UsageError `no_such_job` and `ambiguous_job`.
 */
export interface Jobs {
  /** Newest first. */
  list(query?: JobQuery): AsyncIterable<ListedJob>;
  /** The state of a job, with its problems and its held rows. */
  get(job: string): Promise<JobResult>;
  /** The rows of a job in the order of its source: its cells, fields, state and problems. */
  rows(job: string, query?: RowQuery): AsyncIterable<JobRow>;
  /** The planned or made changes of each row to its item, field by field. */
  changes(job: string): AsyncIterable<ChangeRow>;
  /** Continues a job where it stopped: after a kill, an outage, or a full item limit. Its source is not needed. */
  resume(job: string, options?: SendOptions): Run<JobResult, ShelfEvent>;
  /**
   * Sends a plan exactly as it is; also continues a cancelled job.
   *
   * @throws UsageError `not_a_plan` if `last` is not a plan
   */
  apply(job: string, options?: SendOptions): Run<JobResult, ShelfEvent>;
  /**
   * Undoes the changes of a job, except fields that somebody has changed since; created items are archived.
   *
   * @throws UsageError `cannot_undo`
   */
  undo(job: string, options?: UndoOptions): Run<JobResult, ShelfEvent>;
  /**
   * Ends a job for good: no further row of it is sent, and sent rows stay.
   *
   * @throws UsageError `job_runs_elsewhere` if a process is sending it: stop that run with `stop`
   */
  cancel(job: string): Promise<JobResult>;
  /**
   * Decides on a held row: the row created this item; or it created no item, and `resume` sends it again; or it is left
   * out.
   *
   * @param row as a spreadsheet program counts
   * @throws UsageError `no_such_row`, `bad_resolution`
   */
  resolve(
    job: string,
    row: number,
    resolution: Resolution,
    place?: {
      /** Worksheet of the row, if several sheets have a row with this number. */
      sheet?: string;
    },
  ): Promise<JobResult>;
  /**
   * Corrects how the rows of a job are read, without its source; nothing is sent.
   *
   * @param request changes, or an action of a problem: `mend(job, issue.actions[0])`
   *
   * @throws UsageError `cannot_mend`, `bad_change`, `job_runs_elsewhere`
   */
  mend(job: string, request: MendRequest | JobAction): Run<JobResult, ShelfEvent>;
  /** Writes the results and rejects files again. @returns their paths */
  results(
    job: string,
    options?: {
      /** Folder of the files. Default: the folder of the job. */
      outDir?: string;
    },
  ): Promise<ResultFiles>;
  /**
   * Deletes the cells and before-images of jobs that have not changed for this long (ms). Default and minimum: 90 days.
   */
  prune(options?: {
    /** ms since the job last changed. Default and minimum: 90 days. */
    olderThanMs?: number;
    /** Only counts the jobs that would be pruned. */
    dryRun?: boolean;
  }): Promise<Pruned>;
}

const aState = <S extends string>(states: readonly S[]) => z.enum(states);
const ListQuery = z.object({
  state: z
    .union([aState(JOB_STATES), z.array(aState(JOB_STATES))], expecting('one_of', { words: JOB_STATES }))
    .exactOptional(),
});
const RowsQuery = z.object({
  states: z.array(aState(ROW_STATES)).exactOptional(),
  reason: z.object({ code: z.string(), column: z.string().exactOptional() }).exactOptional(),
  corrected: z.literal(true).exactOptional(),
});
const Mend = Given.Send.extend({
  action: z.custom<JobAction>(isMend, expecting('an_action_that_mends', {})).exactOptional(),
  changes: z.array(CorrectionSchema).exactOptional(),
  undo: wholeNumber(0).exactOptional(),
});
const Again = z.object({ outDir: z.string().min(1).exactOptional() });
const Prune = z.object({ olderThanMs: z.number().exactOptional(), dryRun: z.boolean().exactOptional() });
const RowPlace = z.object({ sheet: z.string().exactOptional() });

export function jobsOf(context: ShelfContext): Jobs {
  const { ledger } = context;
  return {
    async *list(query) {
      const { state } = checked('jobs.list', ListQuery, query);
      const wanted = state === undefined ? undefined : [state].flat();
      const { rowTotals } = await import('../import/job/row-totals.ts');
      for (const job of await ledger.jobs.list()) {
        if (wanted?.includes(stateOf(job.state).state) === false) continue;
        yield listed(job, rowTotals(await ledger.rows.counts(job.id)));
      }
    },

    async get(job) {
      const { showJob } = await import('../import/results/outcome.ts');
      return resultOf(await showJob(named(job), quiet(context)));
    },

    async *rows(job, query) {
      const asked = checked('jobs.rows', RowsQuery, query) as Omit<RowQuery, 'reason'> & {
        reason?: { code: string; column?: string };
      };
      const { jobRows } = await import('../import/correction/job-rows.ts');
      const { states, reason, corrected } = asked;
      const wanted = {
        ...defined({ states, reason, corrected }),
      };
      for (let after: number | undefined = 0; after !== undefined; ) {
        const page: { rows: JobRow[]; next?: number } = await jobRows(named(job), ledger, {
          ...wanted,
          after,
          limit: 500,
        });
        yield* page.rows;
        after = page.next;
      }
    },

    async *changes(job) {
      const { changeRows } = await import('../import/review/change-rows.ts');
      for await (const rows of changeRows(await ledger.jobs.find(named(job)), ledger)) yield* rows;
    },

    resume: (job, options) =>
      context.job('jobs.resume', Given.Send, options, async (deps, run) =>
        (await import('../import/run.ts')).resumeJob(named(job), deps, run),
      ),

    apply: (job, options) =>
      context.job('jobs.apply', Given.Send, options, async (deps, run) =>
        (await import('../import/run.ts')).applyJob(named(job), deps, run),
      ),

    undo: (job, options) =>
      context.job('jobs.undo', Given.Undo, options, (deps, run, rest) => undo(job, deps, { ...rest, run })),

    async cancel(job) {
      const { cancelAnywhere } = await import('../worker/cancel.ts');
      const { outcome, run } = await cancelAnywhere(named(job), quiet(context));
      if (outcome !== undefined) return resultOf(outcome);
      const state = run === undefined ? {} : { state: run.state };
      throw new UsageError('no_such_job', message('run_without_job', { run: named(job), ...state }));
    },

    async resolve(job, row, resolution, place) {
      const { sheet } = checked('jobs.resolve', RowPlace, place);
      const { parseResolution, resolveRow } = await import('../import/jobs/resolve-row.ts');
      if (!Number.isInteger(row) || row < 1)
        throw optionIs('jobs.resolve', 'row', row, message('whole_number_from', { least: 1 }));
      const { as, itemId } = { itemId: '', ...resolution };
      const decided = parseResolution(as === 'created' ? `created:${itemId}` : as);
      return resultOf(
        await resolveRow(named(job), row, decided, { ...quiet(context), client: context.client }, sheet),
      );
    },

    mend: (job, request) =>
      context.job(
        'jobs.mend',
        Mend,
        'do' in request ? { action: request } : request,
        async (deps, run, rest) => {
          const { action, undo, ...given } = rest as {
            action?: JobAction;
            changes?: Correction[];
            undo?: number;
          };
          const changes = action === undefined ? given.changes : await changesOfAction(action);
          if (changes === undefined && undo === undefined)
            throw callWrong(
              'jobs.mend',
              message('expected', { expected: message('one_of', { words: ['changes', 'undo'] }) }),
            );
          const { correctAndReport } = await import('../import/correction/correct-job.ts');
          return correctAndReport(named(job), { ...defined({ changes, undo }), run }, deps);
        },
      ),

    async results(job, options) {
      const { outDir } = checked('jobs.results', Again, options);
      const { writeAgain } = await import('../import/results/results.ts');
      const found = await ledger.jobs.find(named(job));
      const folder = outDir === undefined ? {} : { outDir: absolute(outDir) };
      return writeAgain(found, ledger, () => undefined, folder);
    },

    async prune(options) {
      const { pruneJobs } = await import('../import/jobs/prune-jobs.ts');
      return pruneJobs(ledger, { now: Date.now(), ...checked('jobs.prune', Prune, options) });
    },
  };
}

function isMend(action: unknown): boolean {
  return (action as Partial<JobAction> | undefined)?.do === 'mend';
}

/** The corrections of an action. @throws UsageError `bad_pair`, `bad_option`, `unknown_option` */
async function changesOfAction({ options = {} }: JobAction): Promise<Correction[]> {
  const { changesOf, CorrectionOptions, givenIn, MEND_OPTIONS } = await import(
    '../import/correction/correction-options.ts'
  );
  for (const name of Object.keys(options))
    if (!MEND_OPTIONS.includes(name)) throw unknownOption('jobs.mend', name, MEND_OPTIONS);
  return changesOf(checked('jobs.mend', CorrectionOptions, givenIn(options)));
}

function listed(job: JobRecord, rows: RowTotals): ListedJob {
  return {
    job: job.id,
    ...stateOf(job.state),
    dryRun: job.dryRun,
    kind: job.kind,
    mode: job.mode,
    file: job.source.file,
    apiUrl: job.apiUrl,
    createdAt: new Date(job.createdAt),
    updatedAt: new Date(job.updatedAt),
    rows,
  };
}

/** Undoes a job. @param given checked options */
export async function undo(
  job: string,
  deps: JobDeps,
  given: { results?: object | string | false; run: RunOptions; dryRun?: boolean },
): Promise<JobOutcome> {
  const { results, ...request } = given;
  const { undoJob } = await import('../import/run.ts');
  using sink = new Results(results, deps.signal);
  return await undoJob(named(job), { ...deps, ...sink.deps }, { ...request, ...sink.request });
}

/** Checks a job reference from plain JavaScript. */
export function named(job: string): string {
  if (typeof job === 'string' && job !== '') return job;
  throw new UsageError('bad_option', message('expected_job', {}));
}

/** The context of methods that emit no events and send no rows. */
function quiet(context: ShelfContext) {
  return jobDeps(context, { signal: new AbortController().signal, emit: () => undefined });
}
