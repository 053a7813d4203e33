/** Lets a person decide the outcome of a row that could not be looked up with certainty. */
import type { ApiClient } from '../../api/client.ts';
import type { Item } from '../../api/schemas.ts';
import { NotFoundError } from '../../api/errors.ts';
import { defined } from '../../base/defined.ts';
import { saidOf, UsageError } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import { ExitCode } from '../../base/exit-code.ts';
import { message } from '../../messages/message.ts';
import { issueOf } from '../engine/stored-issue.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { JobRecord, Ledger, LedgerRow, RowMove, StoredIssue } from '../../ledger/ledger.ts';
import { retryThroughOutage } from '../job/circuit.ts';
import type { JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { checkAddress } from './check-team.ts';
import { alreadySo, wantedOn } from '../changes/drift.ts';
import { difference } from '../changes/difference.ts';
import { changeSet } from '../engine/field-changes.ts';
import { fieldsOf, patchOf } from '../engine/input.ts';
import {
  confirmed,
  createContent,
  createdWith,
  type Expectation,
  isArchiving,
  type Update,
  updateOf,
  updateText,
  wasApplied,
} from '../engine/operation.ts';
import { checkCurrency } from '../gates/other-currency.ts';
import { stateOfRest } from '../history/reversals.ts';
import { isUnplanned } from '../undo/plan-undo.ts';
import { isHeldByPlan, judgeOnceMore, readJudging } from '../job/judging.ts';
import { recordJobState } from '../job/job-state-after-error.ts';
import { refuseIfRunning } from '../job/runs-elsewhere.ts';
import { nextOfPlan } from '../results/outcome.ts';
import { type JobOutcome, summarise } from '../results/summary.ts';
import { writeResults } from '../results/results.ts';
import { rowPages } from '../job/row-pages.ts';
import { JOB_KINDS } from '../job/job-kinds.ts';

/**
 * `created`: the row created this item. `retry`: there is no item, send the row. `theirs`: changes that somebody has
 * made to the item stay, and the rest of the row is sent. `mine`: the item gets the row's values. `skip`: leave the row
 * out.
 */
export type Resolution =
  | {
      as: 'created';
      /** UUID of the item. */
      itemId: string;
    }
  | { as: 'retry' }
  | { as: 'theirs' }
  | { as: 'mine' }
  | { as: 'skip' };

export interface ResolveDeps
  extends Pick<JobDeps, 'ledger' | 'meter' | 'emit'>,
    Partial<Pick<JobDeps, 'clock' | 'signal'>>,
    Pick<RunOptions, 'waitMs'> {
  /** Reads the item for `created`, `theirs` and `mine`; the other resolutions do not need the API. */
  client?: ApiClient;
}

/** @throws UsageError `bad_resolution` */
export function parseResolution(text: string): Resolution {
  if (text === 'retry' || text === 'skip' || text === 'theirs' || text === 'mine') return { as: text };
  const itemId = /^created:(.+)$/.exec(text)?.[1]?.trim() ?? '';
  if (isUuid(itemId)) return { as: 'created', itemId: itemId.toLowerCase() };
  throw new UsageError('bad_resolution', message('not_a_resolution', { found: text }));
}

/**
 * Resolves held or unknown rows, either all of them or none; nothing is sent. `jobs resume` sends a row to retry.
 *
 * @param numbers rows as a spreadsheet program shows them; only one row for `created`
 * @throws UsageError `no_such_row` if no held or unknown row has this number; `bad_resolution` for an item that does
 *   not exist or belongs to another row, and if another process has moved the row meanwhile; nothing was changed
 * @throws OtherTargetError `unauthorized` if the item would be read at an address other than the job's
 */
export async function resolveRow(
  reference: string,
  numbers: number | readonly number[],
  resolution: Resolution,
  deps: ResolveDeps,
  sheet?: string,
): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const job = await ledger.jobs.find(reference);
  await refuseIfRunning(job, ledger);
  const sheetRows = [...new Set([numbers].flat())];
  const rows = await openRows(job, ledger, sheetRows, sheet);
  const which = { rows: sheetRows.map(String) };
  let named: Item | undefined;
  if (resolution.as === 'created') {
    if (sheetRows.length > 1) throw new UsageError('bad_resolution', message('one_row_an_item', {}));
    if (rows.some(({ action }) => action === 'update'))
      throw new UsageError('bad_resolution', message('row_changes_item', which));
    named = await itemToName(job, resolution.itemId, deps);
  }
  const isOfPlan = rows.some(({ issues }) => isHeldByPlan(issues));
  if ((resolution.as === 'theirs' || resolution.as === 'mine') && isOfPlan)
    throw new UsageError('bad_resolution', message('row_waits_for_plan', which));
  if (resolution.as === 'retry' && isOfPlan) {
    // Its items are looked up again, with those of all rows that were never sent.
    await readJudging(job, ledger);
    await judgeOnceMore(job.id, ledger);
  }
  const moves: RowMove[] = [];
  for (const each of rows) moves.push(await moveOf(each, resolution, job, deps));
  const { contested, missed } = await ledger.rows.move(job.id, moves);
  if (missed.length > 0) {
    const show: Action = { do: 'show', job: job.id, label: message('to_see_what_it_is', {}) };
    throw new UsageError('bad_resolution', message('row_was_moved', { ...which, job: job.id }, show));
  }
  if (contested.length > 0) {
    const item = resolution.as === 'created' ? resolution.itemId : '';
    const resume: Action = { do: 'resume', job: job.id, label: message('to_look_them_up', {}) };
    throw new UsageError('bad_resolution', message('item_was_taken', { item }, resume));
  }
  const [row] = rows;
  const wrong =
    named === undefined || row === undefined
      ? undefined
      : await checkCurrency({ ledger, job }, createContent(job, row, undefined), named);
  const { planned, unknown } = await ledger.rows.counts(job.id);
  const isOpen = planned + unknown > 0;
  const rest = await stateOfRest(job, ledger);
  // As after the answer to a create: a resume first compares the other rows with this item.
  if (isOpen && wrong !== undefined && rest === 'paused')
    await recordJobState(job.id, ledger, 'parked_refused', wrong);
  else if (isOpen && job.state === 'done') await ledger.jobs.update(job.id, { state: rest });
  const settled = await ledger.jobs.find(job.id);
  // The files show the new state of the row.
  const files = await writeResults(settled, ledger, deps.emit);
  const summary = await summarise(settled, ledger, { requests: meter.totals, files });
  const go = settled.dryRun || settled.state === 'cancelled' ? 'apply' : 'resume';
  const sendRest: Action = { do: go, job: job.id, label: message('to_send_rest', {}) };
  // Its invalid rows may keep a job that has sent nothing from sending this row.
  const isStopped = wrong === undefined && settled.state === 'planned' && !settled.dryRun;
  const next = isStopped ? await nextOfPlan(settled, summary, ledger) : { said: [], actions: [sendRest] };
  const actions: Action[] = isOpen ? [...(wrong?.actions ?? next.actions)] : [];
  // The undo did not know the item.
  if (resolution.as === 'created' && rest === 'cancelled')
    actions.push({ do: 'undo', job: job.id, label: message('to_take_back', {}) });
  return { summary, exitCode: wrong === undefined ? ExitCode.ok : ExitCode.rows, said: next.said, actions };
}

/** The item must exist, and belong to no other row, before anything is written. */
async function itemToName(job: JobRecord, itemId: string, deps: ResolveDeps): Promise<Item> {
  const { ledger } = deps;
  if ((await ledger.items.owned(job.apiUrl, [itemId])).has(itemId)) {
    const byHand: Action = { do: 'byHand', label: message('look_up_item', {}) };
    throw new UsageError('bad_resolution', message('item_has_a_row', { item: itemId }, byHand));
  }
  try {
    return await readItem(itemId, job, deps);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw noItem(itemId, 'retry', message('if_row_made_none', {}));
  }
}

async function moveOf(
  row: LedgerRow,
  resolution: Resolution,
  job: JobRecord,
  deps: ResolveDeps,
): Promise<RowMove> {
  const { ordinal, attempts } = row;
  // A process that resumes the job at this moment may have sent the row since.
  const asRead = { ordinal, from: row.state, attempts };
  switch (resolution.as) {
    case 'theirs':
      return { ...asRead, ...(await asTheirs(row, job, deps)) };
    case 'mine':
      // An undo that did not find the item looks again.
      if (JOB_KINDS[job.kind].takesBack && isUnplanned(row)) return { ...asRead, to: 'planned', issues: [] };
      if (row.action === 'create' || row.operation === null)
        return { ...asRead, ...(await asUpdate(row, job, deps)) };
      // A person has decided: changes to the item since the plan are overwritten. Whether a lost request was applied is
      // still looked up first: an undo has to know.
      return {
        ...asRead,
        to: row.state === 'unknown' ? 'unknown' : 'planned',
        issues: [],
        operation: updateText(confirmed(withoutTold(row))),
      };
    case 'created':
      return { ...asRead, to: 'done', itemId: resolution.itemId, issues: [] };
    case 'retry':
      // If the item exists, sending the row means sending its values.
      if (row.action === 'update' && !isHeldByPlan(row.issues)) return moveOf(row, { as: 'mine' }, job, deps);
      refuseUnreadable(row);
      // A person has decided: the resume does not ask again.
      return { ...asRead, to: 'planned', issues: row.issues.filter(({ code }) => code === 'store_behind') };
    default:
      // The server has applied a part: the row was not skipped, and an undo takes it back.
      if (wasApplied(row)) return { ...asRead, to: 'done', issues: [] };
      return {
        ...asRead,
        ...leave(row),
        issues: [
          issueOf('skipped_by_rule', message('skipped_by_person', {})),
          // No other row of this store accounts for the item that another store has made.
          ...row.issues.filter(({ code }) => code === 'store_behind'),
        ],
      };
  }
}

/**
 * Leaves a row out. An update without an answer may have been applied, so its undo reads the item, and other jobs know
 * of it.
 */
function leave(row: LedgerRow): Pick<RowMove, 'to' | 'operation'> {
  if (row.action === 'create' || row.attempts === 0) return { to: 'skipped' };
  return { to: 'skipped', operation: updateText({ ...updateOf(row), applied: 'perhaps' }) };
}

/**
 * Conditions other than values that no longer hold, and that the person has seen: the key, the selection, or another
 * duplicate.
 */
function toldOf(row: LedgerRow): Expectation | undefined {
  const { expect = [] } = updateOf(row);
  const named = expect.filter(({ is }) => is === 'key' || is === 'selected' || is === 'copy');
  return named.find((each) => 'field' in each && row.issues.some(({ column }) => column === each.field));
}

/** The update of a row without these conditions. Later changes hold the row. */
function withoutTold(row: LedgerRow): Update {
  const { expect = [], ...update } = updateOf(row);
  const shown = toldOf(row);
  return { ...update, expect: expect.filter(({ is }) => is !== shown?.is) };
}

/** Keeps the fields that somebody has changed, and sends the others. */
async function asTheirs(
  row: LedgerRow,
  job: JobRecord,
  deps: ResolveDeps,
): Promise<Omit<RowMove, 'ordinal'>> {
  if (row.action === 'create' || row.operation === null) {
    const itemId = knownItem(row);
    // No other row of this store accounts for an item that another store has made: later files must know that the row
    // was left.
    const madeElsewhere = row.issues.filter(({ code }) => code === 'store_behind');
    if (madeElsewhere.length > 0)
      return {
        to: 'skipped',
        issues: [issueOf('skipped_by_rule', message('skipped_by_person', {}), { itemId }), ...madeElsewhere],
      };
    const issue = issueOf('already_sent', message('kept_by_person', {}), { itemId, ...sentAsOf(row) });
    return { to: 'skipped', issues: [issue] };
  }
  if (wasApplied(row)) return { to: 'done', issues: [] };
  const issues: StoredIssue[] = [issueOf('skipped_by_rule', message('kept_by_person', {}))];
  const update = updateOf(row);
  // Archiving concerns the item as a whole; after a lost answer or with an older export, it is unknown who changed
  // which field.
  const isWhole =
    createdWith(update) !== undefined || isArchiving(update) || update.isOlder === true || row.attempts > 0;
  if (isWhole || !row.issues.some(({ code }) => code === 'drifted')) return { ...leave(row), issues };
  const item = await itemOf(row.itemId ?? '', Object.keys(update.set), job, deps);
  const wanted = wantedOn(update, item);
  const rest = wanted.filter(({ is }) => is === 'open');
  const shown = toldOf(row)?.is;
  if (rest.length === 0 || shown === 'selected' || shown === 'copy') return { to: 'skipped', issues };
  const { set, before } = changeSet(rest, item);
  const made = wanted.filter(({ is }) => is === 'made');
  const rebased = { ...update, set, before, ...alreadySo(made), decided: true } as const;
  return { to: 'planned', issues: [], operation: updateText(rebased) };
}

/** Turns a row that would create an item into a change of the item that an earlier row created. */
async function asUpdate(
  row: LedgerRow,
  job: JobRecord,
  deps: ResolveDeps,
): Promise<Omit<RowMove, 'ordinal'>> {
  const itemId = knownItem(row);
  refuseUnreadable(row);
  const collection = row.collection === null ? undefined : job.collections[row.collection];
  if (row.collection !== null && collection === undefined)
    throw cannotSend(row, message('row_unknown_collection', {}));
  const patch = patchOf(row);
  const planned = difference(patch, await itemOf(itemId, fieldsOf(patch), job, deps), collection);
  if (!('update' in planned)) throw cannotSend(row, whyNot(planned.issues));
  if (planned.to === 'unchanged')
    return {
      to: 'skipped',
      issues: [issueOf('already_sent', message('item_has_all', {}), { itemId, ...sentAsOf(row) })],
    };
  const operation = updateText({ ...planned.update, decided: true, ...sentAsOf(row) });
  return { to: 'planned', action: 'update', itemId, issues: [], operation };
}

/** @throws UsageError `bad_resolution` for an edited row with cells that cannot be read */
function refuseUnreadable(row: LedgerRow): void {
  const [issue, ...problems] = row.issues;
  if (issue?.code === 'row_changed' && problems.length > 0) throw cannotSend(row, whyNot(problems));
}

function whyNot([issue]: readonly StoredIssue[]): Message {
  return issue === undefined ? message('verbatim', { text: '' }) : saidOf(issue);
}

function cannotSend({ sheetRow }: LedgerRow, why: Message): UsageError {
  return new UsageError('bad_resolution', message('row_not_sendable', { row: sheetRow, why }));
}

/** The row of an earlier job that still accounts for a row: if it is taken back, the row is not there either. */
function sentAsOf({ issues }: LedgerRow): Pick<StoredIssue, 'sentAs'> {
  return defined({ sentAs: issues.find(({ sentAs }) => sentAs !== undefined)?.sentAs });
}

/** @throws UsageError `bad_resolution` for a row without a known item */
function knownItem(row: LedgerRow): string {
  const itemId = row.issues.find((issue) => issue.itemId !== undefined)?.itemId;
  if (itemId !== undefined) return itemId;
  throw new UsageError('bad_resolution', message('item_not_known', { row: row.sheetRow }));
}

/**
 * @param fields names of the fields that are compared
 * @throws UsageError `bad_resolution` if it is gone
 */
async function itemOf(
  itemId: string,
  fields: readonly string[],
  job: JobRecord,
  deps: ResolveDeps,
): Promise<Item> {
  try {
    return await readItem(itemId, job, deps, fields);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw noItem(itemId, 'skip', message('to_leave_row', {}));
  }
}

/** Reads an item, through a short outage if the caller has a clock and a signal. */
async function readItem(
  itemId: string,
  job: JobRecord,
  { client, clock, signal, emit, waitMs }: ResolveDeps,
  fields?: readonly string[],
): Promise<Item> {
  if (client === undefined) throw new Error('an item cannot be read without a client');
  checkAddress(job, { client });
  const read = async () => (await client.getItem(itemId, defined({ fields, signal }))).value;
  if (clock === undefined || signal === undefined) return read();
  return retryThroughOutage({ client, clock, emit, signal }, defined({ waitMs }), read);
}

function noItem(item: string, value: string, label: Message): UsageError {
  const instead: Action = { do: 'setOption', option: 'as', value, label };
  return new UsageError('bad_resolution', message('no_item_to_resolve', { item }, instead));
}

/**
 * The first held or unknown row of each number; copies of a quantity are resolved one after another, but for those that
 * the plan holds because of each other.
 */
async function openRows(
  job: JobRecord,
  ledger: Ledger,
  sheetRows: readonly number[],
  sheet: string | undefined,
): Promise<LedgerRow[]> {
  const open = new Map<number, LedgerRow[]>();
  for await (const rows of rowPages(ledger, job.id, { states: ['held', 'unknown'] }))
    for (const row of rows)
      if (sheet === undefined || row.sheet === sheet)
        open.set(row.sheetRow, [...(open.get(row.sheetRow) ?? []), row]);
  return sheetRows.flatMap((number) => {
    const [first, ...others] = open.get(number) ?? [];
    if (first === undefined) throw noSuchRow(number, [...open.keys()], job);
    const sheets = [...new Set([first, ...others].map((row) => row.sheet ?? ''))];
    if (sheets.length > 1)
      throw new UsageError(
        'bad_resolution',
        message(
          'row_in_sheets',
          { row: number, sheets },
          { do: 'setOption', option: 'sheet', value: 'NAME', label: message('to_say_which_sheet', {}) },
        ),
      );
    return [first, ...(isHeldByPlan(first.issues) ? others.filter((row) => isHeldByPlan(row.issues)) : [])];
  });
}

function noSuchRow(number: number, open: readonly number[], job: JobRecord): UsageError {
  const rows = open.slice(0, 20).map(String);
  const label =
    open.length === 0
      ? message('no_row_to_decide', {})
      : message('rows_to_decide', { rows, more: open.length > rows.length });
  const said = message('no_such_row', { row: number, job: job.id }, { do: 'byHand', label });
  return new UsageError('no_such_row', said);
}
