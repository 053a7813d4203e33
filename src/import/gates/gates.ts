/**
 * All that a person must confirm before rows are sent: the API has no delete. One list of gates, one loop, one place for
 * the answers.
 */
import { basename } from 'node:path';
import { sameJson } from '../../equal-json.ts';
import { UsageError } from '../../errors.ts';
import { AlreadyClaimedError, type JobRecord, type Ledger, type RowCounts } from '../../ledger/ledger.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { repeatedChange } from '../history/repeats.ts';
import { itemExists } from '../items/item-exists.ts';
import { confirmWithUser, DeclinedError, type JobDeps, UnwantedError } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { type Gate, isAgreed, withConsent } from './gate.ts';
import { type Operations, operationsOf } from './operations.ts';
import { textOf } from './texts.ts';

/** What the gates are about. */
interface Plan<Deps = JobDeps> {
  job: JobRecord;
  counts: RowCounts;
  operations: Operations;
  deps: Deps;
  run: RunOptions;
  /** `undo`: ordinals that were added since somebody looked at the plan. */
  grown: readonly number[];
}

/** In the order in which they are asked. */
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
 * Makes sure that a person wants what is about to be sent, and keeps the answers with the job. `--yes` and other flags
 * answer for what this run sends.
 *
 * @throws UsageError of the first gate that nobody agreed to; AlreadyClaimedError if another job is in the middle of the
 *   same relative change
 */
export async function passGates(
  job: JobRecord,
  deps: JobDeps,
  run: RunOptions,
  grown: readonly number[] = [],
): Promise<void> {
  const plan = await planOf(job, deps, run, grown);
  const agreed = job.consents;
  let consents = agreed;
  for (const ask of GATES) {
    for (const gate of await ask(plan)) {
      if (isAgreed(agreed, gate)) continue;
      if (gate.isAnswered !== true) await confirmGate(gate, plan);
      consents = withConsent(consents, gate);
    }
  }
  await keep(consents, plan);
}

/** A dry run asks nothing: it keeps what flags have answered, and warns of a refusal that no person can answer. */
export async function rehearseGates(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<void> {
  const plan = await planOf(job, deps, run);
  const [refused] = missingItems(plan).filter(({ isAnswered }) => isAnswered !== true);
  // The plan has warned of its own reason already.
  if (refused !== undefined && job.plan.missing?.unsafe === undefined)
    deps.emit({ type: 'warning', message: refusalText(refused, job) });
  const answered = similarItems(plan).filter(({ isAnswered }) => isAnswered === true);
  await keep(answered.reduce(withConsent, job.consents), plan);
}

/**
 * What the command that sends a plan needs, as far as the plan itself tells: flags that answer, or what to do first where
 * no answer helps.
 */
export async function answersNeeded(
  job: JobRecord,
  ledger: Ledger,
): Promise<{ flags: string; first?: string }> {
  const plan = await planOf(job, { ledger }, {});
  const open = [missingItems, manyChanges, emptiedFields, similarItems, keysNotKept]
    .flatMap((ask) => ask(plan))
    .filter((gate) => gate.isAnswered !== true && !isAgreed(job.consents, gate))
    .map((gate) => textOf(gate, job));
  const first = open.find(({ flag }) => flag === undefined)?.remedy;
  const flags = [...new Set(open.map(({ flag }) => ` ${flag ?? ''}`))].join('');
  return { flags, ...(first === undefined ? {} : { first }) };
}

async function planOf<Deps extends Pick<JobDeps, 'ledger'>>(
  job: JobRecord,
  deps: Deps,
  run: RunOptions,
  grown: readonly number[] = [],
): Promise<Plan<Deps>> {
  const counts = await deps.ledger.rows.counts(job.id);
  return { job, counts, operations: await operationsOf(job, deps.ledger, run.first), deps, run, grown };
}

async function confirmGate(gate: Gate, { job, deps, run }: Plan): Promise<void> {
  const { question, remedy } = textOf(gate, job);
  if (question !== undefined && (run.yes === true || (await confirmWithUser(deps, question)))) return;
  // A change that was made already is not wanted, and nobody looks at its plan.
  const Refusal = gate.code === 'repeated_change' ? UnwantedError : UsageError;
  const refusal = new Refusal(gate.code, refusalText(gate, job), { remedy });
  throw question === undefined || deps.confirm === undefined ? refusal : new DeclinedError(refusal);
}

function refusalText(gate: Gate, job: JobRecord): string {
  const { what } = textOf(gate, job);
  return gate.code === 'missing_unsafe' ? `${what}.` : `${what}. Nothing was sent.`;
}

async function keep(consents: JobRecord['consents'], { job, deps }: Plan): Promise<void> {
  if (sameJson(consents, job.consents)) return;
  job.consents = consents;
  await deps.ledger.jobs.update(job.id, { consents });
}

const DEFAULT_MAX_MISSING = '10%';

/**
 * `--missing archive`. Agreeing to more is a flag, never an answer: `--yes` is given to commands that people did not read.
 *
 * @throws UsageError `bad_number` for --max-missing
 */
function missingItems({ job, counts, operations: { archives }, run }: Plan<unknown>): Gate[] {
  const { missing } = job.request;
  if (missing === undefined) return [];
  const { of = 0, items = 0, unsafe } = job.plan.missing ?? {};
  const most = (run.maxMissing ?? missing.most ?? DEFAULT_MAX_MISSING).trim();
  const isTooMany = mostMissing(most);
  // Rows may also have become invalid since the plan; what was sent already cannot be held back.
  const isInvalid = job.firstSentAt === undefined && counts.invalid > 0;
  const why = unsafe ?? (isInvalid ? 'rows are invalid or ambiguous' : undefined);
  if (why !== undefined) return [{ code: 'missing_unsafe', params: { why }, actions: [] }];
  if (archives.length === 0) return [];
  const params = { items, of, most };
  return [{ code: 'too_many_missing', params, actions: archives, isAnswered: !isTooMany(items, of) }];
}

/** `20%` or `150`, as a test of a number of items and of what they are part of. */
function mostMissing(text: string): (items: number, of: number) => boolean {
  const [, digits, sign] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text) ?? [];
  if (digits === undefined)
    throw new UsageError(
      'bad_number',
      `--max-missing is "${text}"; expected a share such as 20%, or a number.`,
    );
  const most = Number(digits);
  return sign === '%' ? (items, of) => items * 100 > most * of : (items) => items > most;
}

const SOON_MS = 24 * 3_600_000;

/** A relative change that is given again would raise twice what was meant to be raised once. */
async function repeatedChanges({ job, deps, operations }: Plan): Promise<Gate[]> {
  if (!operations.areRelative) return [];
  const { ledger, clock } = deps;
  const isRecent = ({ updatedAt }: JobRecord) => clock.now() - updatedAt <= SOON_MS;
  const repeated = await repeatedChange(job, isRecent, ledger);
  if (repeated === undefined) return [];
  const { earlier, rows, of } = repeated;
  const [newest] = earlier;
  const params = { job: newest.id, items: rows.length, of };
  const gate: Gate = { code: 'repeated_change', of: newest.id, params, actions: rows };
  const open = earlier.find(({ state }) => state !== 'done' && state !== 'cancelled');
  if (open !== undefined && job.firstSentAt === undefined && !isAgreed(job.consents, gate))
    throw new AlreadyClaimedError(open.id);
  return [gate];
}

/** Names what an undo is about: `last` may be another job than the user thinks of. */
async function undoneJob({ job, operations, deps, grown }: Plan): Promise<Gate[]> {
  const { undoes } = job.request;
  if (undoes === undefined) return [];
  const more = operations.updates.filter((ordinal) => grown.includes(ordinal));
  if (more.length > 0) return [{ code: 'undo_grew', params: { undoes, rows: more.length }, actions: more }];
  if (deps.confirm === undefined || operations.updates.length === 0) return [];
  const { mode, source, createdAt, request } = await deps.ledger.jobs.find(undoes);
  const params = {
    changes: operations.updates.length,
    areCreates: mode === 'create',
    what: request.text ?? basename(source.file),
    at: createdAt,
  };
  return [{ code: 'not_confirmed', params, actions: operations.updates }];
}

const MOST_CHANGES = 500;
/** A selection of at least so many items asks if it takes more than this share of the account. */
const LEAST_SELECTED = 50;
const MOST_SHARE = 0.9;

function manyChanges({
  job,
  operations: { updates },
  deps,
  run,
}: Plan<Pick<JobDeps, 'ledger' | 'confirm'>>): Gate[] {
  // An undo was asked about already, with its number.
  if (job.request.undoes !== undefined && deps.confirm !== undefined) return [];
  const items = updates.length;
  const of = accountOf(job);
  if (items >= LEAST_SELECTED && job.sheetRows > of * MOST_SHARE)
    return [{ code: 'too_many_changes', params: { items: job.sheetRows, of }, actions: updates }];
  const { maxChanges: most = MOST_CHANGES } = run;
  if (items <= Math.min(most, MOST_CHANGES)) return [];
  // A higher limit agrees, too, and a resume has its own.
  return [{ code: 'too_many_changes', params: { items, most }, actions: updates, isAnswered: items <= most }];
}

/** How many items a selection chose from; any number for a file, which names its items. */
function accountOf({ source, request: { undoes }, plan: { reading } }: JobRecord): number {
  const isSelection = source.format === 'none' && undoes === undefined;
  return (isSelection && reading?.items) || Number.POSITIVE_INFINITY;
}

/** A field emptied in this many items is usually a mistake: a wrong column, or an active filter. */
const BULK = 10;

function emptiedFields({ operations: { emptied } }: Plan<unknown>): Gate[] {
  return [...emptied]
    .filter(([, actions]) => actions.length >= BULK)
    .map(([field, actions]): Gate => {
      return { code: 'field_emptied', of: field, params: { items: actions.length, field }, actions };
    });
}

/** `--check-similar`. */
function similarItems({ job, operations: { similar }, run }: Plan<unknown>): Gate[] {
  if (similar.length === 0) return [];
  const params = { rows: similar.length, item: job.plan.similar?.items[0]?.id ?? '' };
  return [{ code: 'similar_items', params, actions: similar, isAnswered: run.similar === 'create' }];
}

/** What the first create has shown of all others; or creates of earlier jobs, of those with keys like theirs. */
function keysNotKept({ job: { error }, operations: { creates, rewritten } }: Plan<unknown>): Gate[] {
  const actions = error?.code === 'key_not_kept' ? creates : rewritten;
  return actions.length === 0 ? [] : [{ code: 'key_not_kept', params: {}, actions }];
}

const IDS_TRIED = 3;

/** An export, imported with --mode create into the team it came from. */
async function ownExport({ job, operations: { creates }, deps, run }: Plan): Promise<Gate[]> {
  if (!job.plan.ownExport || job.mode !== 'create' || job.request.force || creates.length === 0) return [];
  const gate = (item: string): Gate => ({ code: 'own_export', params: { item }, actions: creates });
  // Whether the items exist costs requests.
  if (run.yes === true || isAgreed(job.consents, gate(''))) return [{ ...gate(''), isAnswered: true }];
  const idColumn = job.source.headers.indexOf('id');
  const rows = await deps.ledger.rows.list(job.id, { states: ['planned'], limit: IDS_TRIED });
  for (const row of rows) {
    const id = cellsOf(row)[idColumn] ?? '';
    if (id !== '' && (await itemExists(id, deps))) return [gate(id)];
  }
  return [];
}
