/** Everything that a person must confirm before rows are sent, because the API has no delete. */
import { basename } from 'node:path';
import { sameJson } from '../../base/equal-json.ts';
import { isUuid } from '../../base/uuid.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Action, ActionOptions } from '../../messages/params.ts';
import { AlreadyClaimedError, type JobRecord, type Ledger, type RowCounts } from '../../ledger/ledger.ts';
import type { Consents } from '../../ledger/job-parts.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { repeatedChange } from '../history/repeats.ts';
import { itemAmong } from '../items/item-among.ts';
import { rowPages } from '../job/row-pages.ts';
import { hasSent } from '../job/has-sent.ts';
import { rowTotals } from '../job/row-totals.ts';
import { isSelection } from '../job/job-kinds.ts';
import {
  confirmWithUser,
  DeclinedError,
  type JobDeps,
  PlanChangedError,
  UnansweredError,
  UnwantedError,
} from '../job/deps.ts';
import { warningOf } from '../job/events.ts';
import type { RunOptions } from '../job/options.ts';
import { sendAction } from '../job/send-action.ts';
import { type Gate, isAgreed, withConsent, withConsents } from './gate.ts';
import { type Operations, operationsOf } from './operations.ts';

interface Plan<Deps = JobDeps> {
  job: JobRecord;
  counts: RowCounts;
  operations: Operations;
  deps: Deps;
  run: RunOptions;
  isNew: boolean;
}

/** What the questions of a run are about, besides its options. */
interface Asked {
  /** Ordinals of the rows that the run sends, if they have been chosen (`--first`). */
  only?: readonly number[] | undefined;
  /** True for a job that this run has planned: nobody has looked at its plan. */
  isNew?: boolean;
}

/** In the order of the questions. */
const GATES: readonly ((plan: Plan) => Gate[] | Promise<Gate[]>)[] = [
  missingItems,
  repeatedChanges,
  undoneJob,
  manyChanges,
  emptiedFields,
  similarItems,
  keysNotKept,
  ownExport,
];

/**
 * Asks for confirmation of the changes that are about to be sent, and keeps the answers with the job. `--yes` and other
 * flags answer for the operations of this run.
 *
 * @throws UsageError of the first gate that nobody agreed to; AlreadyClaimedError if another job is in the middle of
 *   the same relative change
 */
export async function passGates(
  job: JobRecord,
  deps: JobDeps,
  run: RunOptions,
  asked: Asked = {},
): Promise<void> {
  const plan = await planOf(job, deps, run, asked);
  const agreed = job.consents;
  let consents = agreed;
  for (const ask of GATES) {
    const gates = await ask(plan);
    for (const gate of gates) {
      if (isAgreed(agreed, gate)) continue;
      if (gate.isAnswered !== true) await confirmGate(gate, gates, plan);
      consents = withConsent(consents, gate);
    }
  }
  await keep(consents, plan);
}

/**
 * Whether the answers hold that depend on what the jobs of the store have sent.
 *
 * @throws PlanChangedError if a question has come up: it is asked outside the lane
 */
export async function confirmGates(
  job: JobRecord,
  deps: JobDeps,
  run: RunOptions,
  asked: Asked,
): Promise<void> {
  if ((await repetitions(await planOf(job, deps, run, asked))).gates.length > 0)
    throw new PlanChangedError('another job has made the same change');
}

/** Keeps the consent of a person who has said yes to a question (`UnansweredError`), and to nothing else. */
export async function agree(
  jobId: string,
  consent: Consents,
  { ledger }: Pick<JobDeps, 'ledger'>,
): Promise<void> {
  const { consents } = await ledger.jobs.find(jobId);
  await ledger.jobs.update(jobId, { consents: withConsents(consents, consent) });
}

/** The same for keys that the server rewrites. */
export async function agreeToRewrittenKeys(job: JobRecord, deps: JobDeps): Promise<void> {
  const plan = await planOf(job, deps, {});
  await keep(keysNotKept(plan).reduce(withConsent, job.consents), plan);
}

/** A dry run does not ask: it stores the answers that flags give, and warns of a refusal that no person can lift. */
export async function rehearseGates(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<void> {
  const plan = await planOf(job, deps, run);
  const [refused] = missingItems(plan).filter(({ isAnswered }) => isAnswered !== true);
  // The plan has already warned of the reason in `unsafe`.
  if (refused !== undefined && job.plan.missing?.unsafe === undefined) deps.emit(warningOf(refused.said));
  const answered = similarItems(plan).filter(({ isAnswered }) => isAnswered === true);
  await keep(answered.reduce(withConsent, job.consents), plan);
}

/**
 * What the command that sends a plan needs, as far as the plan itself shows: the options that answer the questions, or
 * the first step if no answer helps.
 */
export async function answersNeeded(
  job: JobRecord,
  ledger: Ledger,
): Promise<{ options: ActionOptions; first?: readonly Action[] }> {
  const plan = await planOf(job, { ledger }, {});
  const open = [missingItems, manyChanges, emptiedFields, similarItems, keysNotKept]
    .flatMap((ask) => ask(plan))
    .filter((gate) => gate.isAnswered !== true && !isAgreed(job.consents, gate));
  const first = open.find(({ agree }) => agree === undefined)?.said.actions;
  const options: ActionOptions = Object.assign({}, ...open.map(({ agree }) => agree));
  return { options, ...(first === undefined ? {} : { first }) };
}

async function planOf<Deps extends Pick<JobDeps, 'ledger'>>(
  job: JobRecord,
  deps: Deps,
  run: RunOptions,
  { only, isNew = false }: Asked = {},
): Promise<Plan<Deps>> {
  const counts = await deps.ledger.rows.counts(job.id);
  const operations = await operationsOf(job, deps.ledger, { first: run.first, only });
  return { job, counts, operations, deps, run, isNew };
}

/** @param asked the gate, and those that its answer covers too */
async function confirmGate(gate: Gate, asked: readonly Gate[], { deps, run }: Plan): Promise<void> {
  const { code, said, question } = gate;
  if (question !== undefined && (run.yes === true || (await confirmWithUser(deps, question)))) return;
  const covered = asked.filter((each) => each === gate || each.isAnswered === true);
  const consent = question === undefined ? undefined : covered.reduce<Consents>(withConsent, {});
  // If the change was already made, nobody needs to review the plan.
  const refusal = new (code === 'repeated_change' ? UnwantedError : UnansweredError)(code, said, consent);
  throw question === undefined || deps.confirm === undefined ? refusal : new DeclinedError(refusal);
}

const YES: ActionOptions = { yes: true };

/** The actions to review the plan, and to send it with the options that answer the question. */
function review(job: JobRecord, agree: ActionOptions = YES, go = message('to_send_it', {})): Action[] {
  const show: Action = {
    do: 'show',
    job: job.id,
    options: { changes: true },
    label: message('to_look_at_plan', {}),
  };
  return [show, sendAction(job, go, agree)];
}

async function keep(consents: JobRecord['consents'], { job, deps }: Plan): Promise<void> {
  if (sameJson(consents, job.consents)) return;
  job.consents = consents;
  await deps.ledger.jobs.update(job.id, { consents });
}

const DEFAULT_MAX_MISSING = '10%';

/**
 * `--missing archive`. Only a flag can allow more, not an answer, because people pass `--yes` to commands that they
 * have not read.
 *
 * @throws UsageError `bad_number` for --max-missing
 */
function missingItems({ job, counts, operations: { archives }, run }: Plan<unknown>): Gate[] {
  const { missing } = job.request;
  if (missing === undefined) return [];
  const { of = 0, items = 0, unsafe } = job.plan.missing ?? {};
  const most = (run.maxMissing ?? missing.most ?? DEFAULT_MAX_MISSING).trim();
  const isTooMany = mostMissing(most);
  // Rows may also have become invalid since the plan; the rows that were sent cannot be held back.
  const isInvalid = job.firstSentAt === undefined && counts.invalid > 0;
  const why = unsafe ?? (isInvalid ? message('rows_invalid', { rows: counts.invalid }) : undefined);
  if (why !== undefined) {
    const mend: Action = { do: 'mend', job: job.id, label: message('to_correct_job', {}) };
    const other: Action = { do: 'byHand', label: message('give_whole_file', {}) };
    return [
      {
        code: 'missing_unsafe',
        operations: [],
        said: message('missing_unsafe', { why, ...hasSent(job) }, mend, other),
      },
    ];
  }
  if (archives.length === 0) return [];
  // Rounded up, so that a limit of this share allows the items.
  const percent = `${Math.ceil((items * 1000) / Math.max(of, 1)) / 10}%`;
  const agree = { 'max-missing': percent };
  const actions = review(job, agree, message('to_archive_if_whole', {}));
  const said = message('too_many_missing', { items, of, percent, most, ...hasSent(job) }, ...actions);
  const isAnswered = !isTooMany(items, of);
  return [{ code: 'too_many_missing', operations: archives, said, agree, isAnswered }];
}

/** Turns `20%` or `150` into a test of a number of items and of their total. */
function mostMissing(text: string): (items: number, of: number) => boolean {
  const [, digits, sign] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text) ?? [];
  if (digits === undefined)
    throw new UsageError('bad_number', message('bad_share', { option: 'max-missing', found: text }));
  const most = Number(digits);
  return sign === '%' ? (items, of) => items * 100 > most * of : (items) => items > most;
}

/** Repeating a relative change would raise values twice. */
async function repeatedChanges(plan: Plan): Promise<Gate[]> {
  const { gates, open } = await repetitions(plan);
  if (gates.length > 0 && open !== undefined && plan.job.firstSentAt === undefined)
    throw new AlreadyClaimedError(open.id);
  // One question for all earlier jobs.
  return gates.map((gate, index) => (index === 0 ? gate : { ...gate, isAnswered: true }));
}

/**
 * The question to which nobody has agreed, once for each earlier job: rows of some are sent before those of others. And
 * the job that is still making the change, if any.
 */
async function repetitions({ job, deps, operations }: Plan): Promise<{ gates: Gate[]; open?: JobRecord }> {
  const { areRelative, updates } = operations;
  const repeated = areRelative ? await repeatedChange(job, deps.ledger, updates) : undefined;
  if (repeated === undefined) return { gates: [] };
  const { earlier, rows, of } = repeated;
  const newest = earlier[0].job;
  const at = newest.firstSentAt ?? newest.createdAt;
  const params = { job: newest.id, at, others: earlier.length - 1, items: rows, of };
  const again: Action = { do: 'setOption', option: 'yes', label: message('to_make_twice', {}) };
  // A pruned job has no values to go back to.
  const undo: Action[] =
    newest.prunedAt === undefined
      ? [{ do: 'undo', job: newest.id, label: message('to_take_first_back', {}) }]
      : [];
  const open = earlier.find(({ job: { state } }) => state !== 'done' && state !== 'cancelled')?.job;
  const gates = earlier.map((each) => ({
    code: 'repeated_change' as const,
    of: each.job.id,
    operations: each.rows,
    said: message('repeated_change', { ...params, ...hasSent(job) }, again, ...undo),
    question: message('ask_repeated_change', params),
    agree: YES,
  }));
  return { gates: gates.filter((gate) => !isAgreed(job.consents, gate)), ...(open && { open }) };
}

/** Names the job that is undone, because `last` may not be the job that the user expects. */
async function undoneJob({ job, counts, operations, deps, isNew }: Plan): Promise<Gate[]> {
  const { undoes } = job.request;
  if (undoes === undefined) return [];
  // Who applies a plan agrees to the rows that it has: those that are added to it later are asked about.
  const isAnswered = isNew || job.consents['undo_grew'] === undefined;
  const rows = isAnswered
    ? Array.from({ length: rowTotals(counts).read }, (_, index) => index + 1)
    : operations.updates.filter(
        (ordinal) => !isAgreed(job.consents, { code: 'undo_grew', operations: [ordinal] }),
      );
  const grew = { job: undoes, rows: rows.length };
  const grown: Gate = {
    code: 'undo_grew',
    operations: rows,
    isAnswered,
    said: message('undo_grew', { ...grew, ...hasSent(job) }, ...review(job)),
    question: message('ask_undo_grew', grew),
    agree: YES,
  };
  const again = deps.confirm === undefined ? review(job) : [];
  const label = message('to_find_other_job', {});
  const confirmed = {
    code: 'not_confirmed',
    operations: operations.updates,
    said: message('not_confirmed', hasSent(job), ...again, { do: 'run', command: 'jobs list', label }),
    agree: YES,
  } as const;
  // A yes to it is a yes to the whole undo.
  if (!isAnswered && rows.length > 0) return [grown, { ...confirmed, isAnswered: true }];
  const agreed = isAnswered ? [grown] : [];
  if ((deps.confirm === undefined && job.request.asks !== true) || operations.updates.length === 0)
    return agreed;
  const { mode, source, createdAt, request } = await deps.ledger.jobs.find(undoes);
  const params = {
    changes: operations.updates.length,
    areCreates: mode === 'create',
    source: request.text ?? basename(source.file),
    at: createdAt,
  };
  return [...agreed, { ...confirmed, question: message('ask_undo', params) }];
}

const MAX_CHANGES = 500;
/** A selection of at least this many items needs confirmation if it is more than this share of the account. */
const MIN_SELECTED = 50;
const MAX_SHARE = 0.9;

/** Counts what the job has sent before: `--first` and a resume change as much as one run. */
function manyChanges({
  job,
  counts,
  operations: { updates },
  deps,
  run,
}: Plan<Pick<JobDeps, 'ledger' | 'confirm'>>): Gate[] {
  // An undo has already asked, with the number of its items.
  if (job.request.undoes !== undefined && deps.confirm !== undefined) return [];
  if (updates.length === 0) return [];
  const items = counts.updated + updates.length;
  const of = accountOf(job);
  const gate = (params: { items: number; most?: number; of?: number }, ...more: Action[]): Gate => ({
    code: 'too_many_changes',
    operations: updates,
    said: message('too_many_changes', { ...params, ...hasSent(job) }, ...review(job), ...more),
    question: message('ask_too_many_changes', params),
    agree: YES,
  });
  if (items >= MIN_SELECTED && job.sheetRows > of * MAX_SHARE) return [gate({ items: job.sheetRows, of })];
  const most = run.maxChanges ?? job.request.maxChanges ?? MAX_CHANGES;
  if (items <= Math.min(most, MAX_CHANGES)) return [];
  const label = message('to_change_more', {});
  const larger: Action = { do: 'setOption', option: 'max-changes', value: String(items), label };
  // A higher limit agrees, too.
  return [{ ...gate({ items, most }, larger), isAnswered: items <= most }];
}

/** Number of items that a selection chose from; infinite for a job that names its items. */
function accountOf(job: JobRecord): number {
  return (isSelection(job) && job.plan.reading?.items) || Number.POSITIVE_INFINITY;
}

/** Emptying a field in this many items is usually a mistake, such as a wrong column or an active filter. */
const BULK = 10;

function emptiedFields({ job, operations: { emptied, emptiedBefore } }: Plan<unknown>): Gate[] {
  const itemsOf = (field: string, operations: readonly number[]) =>
    operations.length + (emptiedBefore.get(field) ?? 0);
  return [...emptied]
    .filter(([field, operations]) => itemsOf(field, operations) >= BULK)
    .map(([field, operations]): Gate => {
      const params = { items: itemsOf(field, operations), field };
      const said = message('field_emptied', { ...params, ...hasSent(job) }, ...review(job));
      const question = message('ask_field_emptied', params);
      return { code: 'field_emptied', of: field, operations, said, question, agree: YES };
    });
}

/** `--check-similar`. */
function similarItems({ job, operations: { similar }, run }: Plan<unknown>): Gate[] {
  if (similar.length === 0) return [];
  const params = { rows: similar.length, item: job.plan.similar?.items[0]?.id ?? '' };
  const agree = { similar: 'skip' };
  const create = sendAction(job, message('to_create_similar', {}), { similar: 'create' });
  const actions = [...review(job, agree, message('to_skip_similar', {})), create];
  return [
    {
      code: 'similar_items',
      operations: similar,
      said: message('similar_items', { ...params, ...hasSent(job) }, ...actions),
      question: message('ask_similar_items', params),
      agree,
      isAnswered: run.similar === 'create',
    },
  ];
}

/**
 * The first create shows whether the server keeps the keys of all others; for creates of earlier jobs, rows with
 * similar keys do.
 */
function keysNotKept({ job, operations: { rewritten } }: Plan<unknown>): Gate[] {
  if (rewritten.length === 0) return [];
  const byHand: Action = { do: 'byHand', label: message('match_by_kept_field', {}) };
  const go = sendAction(job, message('to_go_on_anyway', {}), YES);
  return [
    {
      code: 'key_not_kept',
      operations: rewritten,
      said: message('keys_not_kept', hasSent(job), byHand, go),
      question: message('ask_keys_not_kept', {}),
      agree: YES,
    },
  ];
}

/** An export that is imported with --mode create into its own team. */
async function ownExport({ job, operations: { creates }, deps, run }: Plan): Promise<Gate[]> {
  if (!job.plan.ownExport || job.mode !== 'create' || job.request.force || creates.length === 0) return [];
  const update: Action = {
    do: 'setOption',
    option: 'mode',
    value: 'update',
    also: { match: 'id' },
    label: message('to_update_items', {}),
  };
  const create: Action = { do: 'setOption', option: 'yes', label: message('to_create_again', {}) };
  const gate = (item: string): Gate => ({
    code: 'own_export',
    operations: creates,
    said: message('own_export', { item, ...hasSent(job) }, update, create),
    question: message('ask_own_export', { item }),
    agree: YES,
  });
  // Whether the items exist costs requests.
  if (run.yes === true || isAgreed(job.consents, gate(''))) return [{ ...gate(''), isAnswered: true }];
  const idColumn = job.source.headers.indexOf('id');
  const ids: string[] = [];
  for await (const rows of rowPages(deps.ledger, job.id, { states: ['planned'], actions: ['create'] }))
    ids.push(...rows.map((row) => cellsOf(row)[idColumn] ?? '').filter(isUuid));
  const item = await itemAmong(ids, deps);
  return item === undefined ? [] : [gate(item)];
}
