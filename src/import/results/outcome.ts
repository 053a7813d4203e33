/** The outcome of a command about a job: its summary, exit code and next steps. */
import { saidOf, ShelfliftError } from '../../base/errors.ts';
import { ExitCode, mostSevere } from '../../base/exit-code.ts';
import { unitOf } from '../../base/counted.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { message } from '../../messages/message.ts';
import type { Action, ActionOptions, Message } from '../../messages/params.ts';
import { systemCode } from '../../sheets/file-error.ts';
import type { JobDeps } from '../job/deps.ts';
import { findJudging } from '../job/judging.ts';
import type { RunOptions } from '../job/options.ts';
import { answersNeeded } from '../gates/gates.ts';
import { noteOf } from '../job/events.ts';
import { sendAction, withOptions } from '../job/send-action.ts';
import { namedSince } from './not-taken-back.ts';
import { leavesNameless, sendsRest } from '../gates/sends-rest.ts';
import { writeResults } from './results.ts';
import { undecidedOf } from './undecided.ts';
import { planReport } from '../review/plan-report.ts';
import {
  alreadyApplied,
  errorOf,
  exitCodeOf,
  exitCodeOfRows,
  type JobOutcome,
  type JobSummary,
  type Next,
  planTotals,
  summarise,
} from './summary.ts';
import { JOB_KINDS } from '../job/job-kinds.ts';

/** The summary of a job, which does not change. */
export async function showJob(
  reference: string,
  deps: Pick<JobDeps, 'ledger' | 'meter'>,
): Promise<JobOutcome> {
  const job = await deps.ledger.jobs.find(reference);
  const summary = await summarise(job, deps.ledger, { requests: deps.meter.totals });
  const { held, invalid } = summary.rows;
  const undecided = held + invalid === 0 ? undefined : await undecidedOf(job, deps.ledger);
  return withExit({ ...summary, ...(undecided === undefined ? {} : { undecided }) }, job, deps.ledger);
}

/**
 * The outcome of a dry run or a correction: the plan, and the rows to correct. Its exit code is that of the job which sends
 * the plan, as far as rows need a person; a question that sending asks does not change it.
 *
 * @param known `earlier`: the job that imported the same file; `isAnswered`: false if `apply` will ask about rows that
 *   were sent before; `over`: what happened
 */
export async function reportPlan(
  job: JobRecord,
  deps: JobDeps,
  run: RunOptions,
  {
    earlier,
    isAnswered,
    over = message('dry_run_over', {}),
  }: { earlier?: string; isAnswered?: boolean; over?: Message } = {},
): Promise<JobOutcome> {
  const files = await writeResults(job, deps.ledger, deps.emit, 'rejects');
  const summary = await summarise(job, deps.ledger, { requests: deps.meter.totals, files });
  summary.plan = await planTotals(job, deps.ledger);
  summary.changes = await planReport(job, deps.ledger, deps.client.limiter.knownRate, run);
  if (earlier === undefined) {
    const { said, actions } = await nextOfPlan(job, summary, deps.ledger, isAnswered);
    return { summary, exitCode: exitCodeOfRows(summary), said: [over, ...said], actions };
  }
  const { exitCode, said, actions } = await answerOfEarlier(earlier, job, deps);
  const isWell = exitCode === ExitCode.ok;
  return {
    summary,
    exitCode: isWell ? exitCodeOfRows(summary) : ExitCode.rows,
    said: [over, ...said],
    actions,
  };
}

/**
 * The next actions for rows that are not sent, after an import or dry run, and for `mend` and `show`.
 *
 * @param isAnswered as in reportPlan
 */
export async function nextOfPlan(
  job: JobRecord,
  summary: JobSummary,
  ledger: Ledger,
  isAnswered = true,
): Promise<Next> {
  return inTurn(await sendOrCorrect(job, summary, ledger, isAnswered), await toDecide(summary, job, ledger));
}

async function sendOrCorrect(
  job: JobRecord,
  { rows, files }: JobSummary,
  ledger: Ledger,
  isAnswered = true,
): Promise<Next> {
  const { id: of, kind, sheetRows } = job;
  const { pending, invalid, unchanged } = rows;
  if (pending === 0 && invalid === 0) return { said: [message('nothing_to_send', {})], actions: [] };
  const { options: needed, first } = await answersNeeded(job, ledger);
  const send = (label: Message, options: ActionOptions = {}) =>
    sendAction(job, label, { ...needed, ...options });
  if (pending > 0 && (await sendsRest(job, ledger))) {
    const said =
      job.request.skipInvalid || invalid === 0 ? [] : [message('rows_without_name', { rows: invalid })];
    if (first !== undefined) return { said, actions: first };
    if (!isAnswered) {
      const onlyNew = send(message('to_send_new_rows', {}), { 'only-new': true });
      return { said, actions: [onlyNew, send(message('to_send_all_rows', {}), { 'all-rows': true })] };
    }
    if (needed['similar'] !== undefined) {
      const skip = send(message('to_skip_similar', {}));
      return { said, actions: [skip, send(message('to_create_similar', {}), { similar: 'create' })] };
    }
    const areItems = unitOf({ rows, sheetRows }) === 'item';
    const label = job.dryRun
      ? message('to_send_this', {})
      : message('to_send_rows', { rows: pending, areItems });
    return { said, actions: [send(label)] };
  }
  const isMendable = (await findJudging(job.id, ledger)) !== undefined;
  const mend: Action = { do: 'mend', job: of, label: message('to_correct_job', {}) };
  const where = { kind, ...(files.rejects === undefined ? {} : { file: files.rejects }) };
  // The rejects lack the valid rows, which have not been sent.
  const label = pending > 0 ? message('correct_source', where) : message('correct_rows', where);
  const byHand: Action = { do: 'byHand', label };
  const valid = isAnswered
    ? send(message('to_send_valid_rows', {}), { 'skip-invalid': true })
    : send(message('to_send_valid_new_rows', {}), { 'skip-invalid': true, 'only-new': true });
  return {
    said: [message('rows_need_correction', { rows: invalid, matching: unchanged })],
    actions: [...(isMendable ? [mend] : []), byHand, ...(pending === 0 ? [] : [valid])],
  };
}

/** The outcome for a file that was sent before (design §2, Jobs): the outcome of its job. Nothing is sent. */
export async function answerOfEarlier(earlierId: string, job: JobRecord, deps: JobDeps): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const earlier = await ledger.jobs.find(earlierId);
  if (job.firstSentAt === undefined && !job.dryRun) await ledger.jobs.discard(job.id);
  const summary = await summarise(earlier, ledger, { requests: meter.totals });
  if (earlier.state === 'done' && summary.rows.pending === 0) {
    const applied = alreadyApplied(summary);
    return { summary: applied, exitCode: exitCodeOf(applied), ...nextOfApplied(earlier, applied) };
  }
  const code = exitCodeOf(summary);
  const isCancelled = earlier.state === 'cancelled';
  const params = { job: earlier.id, isFile: JOB_KINDS[job.kind].bringsTable };
  return {
    summary:
      code === ExitCode.ok || code === ExitCode.rows ? summary : { ...summary, error: errorOf(summary) },
    exitCode: code === ExitCode.ok ? ExitCode.rows : code,
    said: [
      isCancelled ? message('belongs_to_cancelled_job', params) : message('belongs_to_open_job', params),
    ],
    actions: [
      isCancelled
        ? { do: 'apply', job: earlier.id, label: message('to_send_rest_after_all', {}) }
        : { do: 'resume', job: earlier.id, label: message('to_go_on', {}) },
    ],
  };
}

function nextOfApplied(earlier: JobRecord, { rows }: JobSummary): Next {
  const { id: job, files, prunedAt } = earlier;
  const { refused, held, invalid } = rows;
  const said: Message[] = [message('job_has_imported', { job })];
  const actions: Action[] = [];
  const add = (count: number, fact: Message, action: Action) => {
    if (count === 0) return;
    said.push(fact);
    actions.push(action);
  };
  const onlyNew: Action = { do: 'setOption', option: 'only-new', label: message('to_send_them_again', {}) };
  add(refused, message('rows_were_refused', { rows: refused }), onlyNew);
  const decide: Action = { do: 'show', job, label: message('to_decide', {}) };
  add(held, message('rows_are_held', { rows: held }), decide);
  const mend: Action = { do: 'mend', job, label: message('to_correct_job', {}) };
  add(invalid, message('rows_are_invalid', { rows: invalid }), mend);
  if (actions.length === 0)
    actions.push({ do: 'setOption', option: 'force', label: message('to_import_again', {}) });
  // It was killed, or lost its power, before it wrote them.
  const isUnwritten = files['results'] === undefined && prunedAt === undefined;
  add(isUnwritten ? 1 : 0, message('results_missing', {}), writeAction(job));
  return { said, actions };
}

function writeAction(job: string, options: ActionOptions = {}): Action {
  return { do: 'results', job, label: message('to_write_results', {}), ...withOptions(options) };
}

/** Adds the exit code of the job's state, and the command that continues the job. */
export async function withExit(
  summary: JobSummary,
  job: JobRecord,
  ledger: Ledger,
  error?: ShelfliftError,
): Promise<JobOutcome> {
  const exitCode = exitCodeOf(summary);
  const silent: number[] = [ExitCode.ok, ExitCode.rows, ExitCode.limit, ExitCode.interrupted];
  if (!silent.includes(exitCode)) summary.error ??= errorOf(summary);
  const go = await howToGoOn(summary, job, ledger);
  const { said, actions } = inTurn(go, await toDecide(summary, job, ledger));
  return {
    summary,
    exitCode,
    said,
    actions: [...(error?.actions ?? []), ...actions],
    ...(error === undefined ? {} : { cause: error }),
  };
}

/**
 * The error for results that could not be written. `jobs resume` and `jobs results` write them later.
 *
 * @throws `failure` itself, if it is neither a ShelfliftError nor an error of the system
 */
export async function resultsUnwritten(
  job: JobRecord,
  { ledger, emit }: Pick<JobDeps, 'ledger' | 'emit'>,
  failure: unknown,
): Promise<ShelfliftError> {
  const code = systemCode(failure);
  if (!(failure instanceof ShelfliftError) && code === undefined) throw failure;
  const cause =
    failure instanceof ShelfliftError
      ? failure
      : new ShelfliftError('cannot_write', message('verbatim', { text: (failure as Error).message }));
  const said = message('results_unwritten', {
    why: saidOf(cause),
  });
  emit(noteOf(said));
  // Files of an earlier run are out of date. The store may be on the same full disk.
  const { results, rejects, ...others } = job.files;
  if (results !== undefined || rejects !== undefined)
    await ledger.jobs.update(job.id, { files: others }).catch(() => undefined);
  const where = cause.code === 'disk_full' ? {} : { 'out-dir': 'FOLDER' };
  return new ShelfliftError(cause.code, said, { cause, actions: [writeAction(job.id, where)] });
}

/** Adds missing results to an outcome; its exit code then says so. */
export function withoutResults(outcome: JobOutcome, unwritten: ShelfliftError): JobOutcome {
  const isHere = unwritten.code === 'cannot_write' || unwritten.code === 'stream_failed';
  const code = isHere ? ExitCode.rows : ExitCode.parked;
  return {
    ...outcome,
    exitCode: mostSevere([outcome.exitCode, code]),
    actions: [...outcome.actions, ...unwritten.actions],
    unwritten,
  };
}

async function howToGoOn(summary: JobSummary, job: JobRecord, ledger: Ledger): Promise<Next> {
  const { id } = job;
  const { state, rows } = summary;
  // A person has decided about a held row, which is now ready to be sent.
  if (state === 'done' && rows.pending > 0)
    return {
      said: [message('rows_are_ready', { rows: rows.pending })],
      actions: [{ do: 'resume', job: id, label: message('to_send_rest', {}) }],
    };
  const nameless = state === 'done' && !job.request.skipInvalid && (await leavesNameless(job, ledger));
  if (nameless !== false && nameless > 0)
    return {
      said: [message('rows_without_name', { rows: nameless })],
      actions: [{ do: 'mend', job: id, label: message('to_fill_names_in', {}) }],
    };
  if (state === 'done' || state === 'already_applied') return NOTHING;
  const runner = await ledger.lanes.runner(id);
  if (runner !== undefined) {
    const { host, pid } = runner;
    const label = message('to_watch', {});
    return {
      said: [message('job_runs_on', { host, pid })],
      actions: [{ do: 'show', job: id, options: { follow: true }, label }],
    };
  }
  if (state === 'cancelled')
    return rows.pending === 0
      ? NOTHING
      : {
          said: [message('job_was_cancelled', {})],
          actions: [{ do: 'apply', job: id, label: message('to_send_rest_after_all', {}) }],
        };
  // A job that has sent nothing may be held up by its invalid rows.
  const isStopped = state === 'planned' || !(await sendsRest(job, ledger));
  if (job.firstSentAt === undefined && (job.dryRun || isStopped)) return sendOrCorrect(job, summary, ledger);
  const { options } = state === 'parked_refused' ? await answersNeeded(job, ledger) : { options: {} };
  const label = message('to_go_on', {});
  return { said: [], actions: [{ do: 'resume', job: id, label, ...withOptions(options) }] };
}

/** The decisions that a plan, or a job that has ended, leaves to a person. */
async function toDecide(summary: JobSummary, job: JobRecord, ledger: Ledger): Promise<Next> {
  const { state, rows, undecided, undoes = '', notTakenBack: left = 0, unsentElsewhere: unsent } = summary;
  if (state !== 'done' && state !== 'planned') return NOTHING;
  const next: { said: Message[]; actions: Action[] } = { said: [], actions: [] };
  const add = (fact: Message, action: Action) => {
    next.said.push(fact);
    next.actions.push(action);
  };
  const show = (of: string, label: Message): Action => ({ do: 'show', job: of, label });
  if (left > 0) {
    const again: Action = { do: 'undo', job: undoes, label: message('to_take_back', {}) };
    const areNamed = (await namedSince(job, ledger)) === left;
    const fact = message('rows_not_taken_back', { rows: left, job: undoes });
    add(fact, areNamed ? again : show(undoes, message('to_decide', {})));
  }
  const [other] = unsent?.jobs ?? [];
  if (unsent !== undefined && other !== undefined)
    add(
      message('rows_left_to_job', { rows: unsent.rows, job: other }),
      show(other, message('to_see_why', {})),
    );
  // `undecided`, if present, lists these rows with their actions.
  if (rows.held > 0 && undecided === undefined)
    add(message('rows_are_held', { rows: rows.held }), show(job.id, message('to_decide', {})));
  return next;
}

function inTurn(one: Next, other: Next): Next {
  return { said: [...one.said, ...other.said], actions: [...one.actions, ...other.actions] };
}

const NOTHING: Next = { said: [], actions: [] };
