/**
 * Settles creates whose answers were lost (design §4).
 *
 * Runs while no request of this job is in flight. It waits for the quiet period, reads the list, assigns items that can
 * belong only to its rows, waits, reads again, and only then releases a row to be sent again. Doubtful rows are held
 * for a person, with the ids of the candidates.
 */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import type { JobRecord, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import {
  contentKey,
  mayBeOpaqueOf,
  normalisedFields,
  opaquePart,
  wasEdited,
  withAcknowledged,
} from '../job/server-normalisation.ts';
import { type Candidate, type LostCreate, matchCreates, type Matches, withStamps } from './match.ts';
import { candidatesOf } from '../items/candidates.ts';
import { changeSet, fieldChanges, fieldOf } from '../engine/field-changes.ts';
import { learnedLag, ListLagsError, untilAccounted } from '../engine/absence.ts';
import { alikeField } from '../engine/equality.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { message } from '../../messages/message.ts';
import type { ShelfliftError } from '../../base/errors.ts';
import { checkCurrency } from '../gates/other-currency.ts';
import { itemKey } from '../changes/match-key.ts';
import { createdIssues, KeyNotKeptError, unaskedRewrite } from '../gates/keys-kept.ts';
import { rowPages } from '../job/row-pages.ts';
import type { OthersQuiet } from './others-quiet.ts';
import { createBody, stampOf, type Update, updateOf } from '../engine/operation.ts';
import { type ScanResult, scanItems } from './scan.ts';
import { commit, keepNormalisation, MAX_ATTEMPTS, noteLosses, type SettleContext } from './settle-context.ts';

/**
 * Depth of the second look unless the server's clock is proven to have kept running: 5,000 items, which covers most
 * collections. Reading a list to its end would cost 2 % of the requests that made it, only for the case that the clock
 * jumps back just before an answer is lost.
 */
const DEEP_PAGES = 50;

interface OpenCreate extends LostCreate {
  job: JobRecord;
  row: LedgerRow;
}

export interface Quiet {
  /** Monotonic ms until which the server may still apply requests of this job. */
  untilMs: number;
  /** Time between the first look and the second, ms. */
  lengthMs: number;
  others: OthersQuiet;
}

/** Maximum number of items in the message of a held row. */
const CANDIDATES_NAMED = 5;

/** How often to check other jobs' rows of the same content while waiting for them. */
const OTHERS_POLL_MS = 1_000;

export async function settleCreates(context: SettleContext, quiet: Quiet): Promise<void> {
  const { clock, job, serverTime } = context;
  const lost = (await loadOpen(context)).filter(isOurs);
  if (lost.length === 0) return;
  if (context.noSettle) {
    const why = message('not_to_be_looked_up', {});
    await hold(
      context,
      lost.map((each) => ({ lost: each, code: 'not_settled', why, items: [] })),
    );
    return;
  }
  // Rows that become unknown later (an answer may name another row's item) are settled next time.
  const asked = new Set(lost.map(({ row }) => row.ordinal));
  await keepQuiet(context, quiet, quiet.untilMs);
  const first = await look(context, asked, 'newest');
  if (first.length === 0) return;
  const clockRanOn = first.every(({ lost: { row } }) => serverTime.isProven(row.ordinal));
  for (;;) {
    // A server may commit late: absence counts only if it is seen twice, a quiet period apart. If the clock may have
    // jumped back, new items may look old and come after the newest ones: then the second look goes deeper.
    // The newest items may not be on the list yet: the first look may have shown how long that takes.
    const lengthMs = Math.max(quiet.lengthMs, await learnedLag(job.apiUrl, context));
    await keepQuiet(context, quiet, clock.monotonic() + lengthMs);
    const second = await look(context, asked, clockRanOn ? 'newest' : 'deep');
    if (second.length === 0) return;
    // Another job may have lost a request with this content during the look.
    const open = await loadOpen(context);
    const isQuiet = open.every((each) => isOurs(each) || quietEnd(quiet, each) <= clock.monotonic());
    if (isQuiet) return release(context, second);
  }

  function isOurs(each: OpenCreate): boolean {
    return each.job.id === job.id;
  }
}

/** Creates that were sent twice, or will be. */
export const RESENT = {
  resent: true,
  actions: ['create'],
  states: ['planned', 'sending', 'unknown', 'held', 'done', 'refused'],
} as const;

/** Ids of items that no row owns and that equal a row which was sent twice: possible duplicates. */
export async function findDoubles(context: SettleContext): Promise<string[]> {
  const { ledger, job, normalisation } = context;
  const bodies = new Map<string, ItemCreate[]>();
  let oldestMark: number | null = Number.POSITIVE_INFINITY;
  for await (const rows of rowPages(ledger, job.id, RESENT)) {
    for (const row of rows) {
      const body = createBody(job, row, context.stamp);
      const key = contentKey(body, normalisation);
      bodies.set(key, [...(bodies.get(key) ?? []), body]);
      oldestMark = row.mark === null || oldestMark === null ? null : Math.min(oldestMark, row.mark);
    }
  }
  if (bodies.size === 0) return [];
  const scan = await readList(context, normalisation.timesOrder === 'yes' ? oldestMark : null);
  return [...(await asMade(context, scan.unowned)).values()]
    .filter(({ item }) =>
      bodies.get(contentKey(item, normalisation))?.some((body) => mayBeOpaqueOf(item, body, normalisation)),
    )
    .map(({ item }) => item.id);
}

/** Rows of this job without an item, and items that might still belong to them. */
type Absence = Matches<OpenCreate>['missing'];

/** @param asked ordinals of this job's rows that may become held or missing; other rows can only be matched */
async function look(
  context: SettleContext,
  asked: ReadonlySet<number>,
  /** `newest`: as far as times require. `deep`: at least DEEP_PAGES; times alone do not exclude anything. */
  what: 'newest' | 'deep',
): Promise<Absence> {
  const { ledger, job } = context;
  const isAsked = (each: OpenCreate): boolean => each.job.id === job.id && asked.has(each.row.ordinal);
  const before = await loadOpen(context);
  const leastPages = what === 'deep' ? DEEP_PAGES : 1;
  const scan = await readList(context, timesOf(context, before) ?? null, leastPages).catch(asLagging);
  // Loaded again after the scan: an item may by now belong to a row that another job was sending.
  const open = await loadOpen(context);
  if (scan === undefined || !scan.still) {
    const [code, why] =
      scan === undefined
        ? (['list_lags', message('list_lagged', {})] as const)
        : (['list_never_still', message('list_kept_changing', {})] as const);
    await hold(
      context,
      open.filter(isAsked).map((lost) => ({ lost, code, why, items: [] })),
    );
    return [];
  }
  const ids = [...scan.unowned.keys()];
  const [owned, seen] = [
    await ledger.items.owned(job.apiUrl, ids),
    await ledger.items.seenAt(job.apiUrl, ids),
  ];
  const made = await asMade(context, scan.unowned);
  const candidates = [...made].flatMap(([id, each]) =>
    owned.has(id) ? [] : [{ ...each, seenAt: seen.get(id) ?? Number.POSITIVE_INFINITY }],
  );
  const matches = matchCreates(open, candidates, context.normalisation, what === 'newest');
  let parked: ShelfliftError | undefined;
  for (const { lost, item } of matches.found) {
    if (await isAlsoHeld(context, lost, item)) {
      const why = message('looks_like_held_row', {});
      matches.held.push({ lost, code: 'doubtful_match', why, items: [item] });
      continue;
    }
    const { ordinal, attempts } = lost.row;
    const itemId = item.id.toLowerCase();
    const { normalisation } = context;
    const learned = withAcknowledged(normalisation, lost.body, item, lost.mark);
    const issues = wasEdited(item, normalisation)
      ? []
      : createdIssues({ job: lost.job, stamp: lost.job.request.stamp }, lost.body, item, learned);
    await noteLosses(context, lost.job.id, issues);
    const currency = await checkCurrency({ ledger, job: lost.job }, lost.body, item);
    await commit(context, lost.job.id, [{ ordinal, from: 'unknown', attempts, to: 'done', itemId, issues }]);
    if (lost.job.id === job.id) {
      const rewritten = unaskedRewrite(job, { ordinal, issues });
      parked ??= rewritten === undefined ? currency : new KeyNotKeptError(rewritten);
    }
    if (normalisation.acknowledged) continue;
    // Somebody may have edited it since: only answers show how far apart the times of unedited items are.
    await keepNormalisation(context, { ...learned, touchedMs: normalisation.touchedMs });
  }
  // Another job's missing rows are left to that job.
  await hold(
    context,
    matches.held
      .filter(({ lost }) => isAsked(lost))
      // A person compares the items as they are now.
      .map((each) => ({
        ...each,
        items: each.items.map((item) => scan.unowned.get(item.id.toLowerCase()) ?? item),
      })),
  );
  if (parked !== undefined) throw parked;
  return matches.missing.filter(({ lost: each }) => isAsked(each));
}

/** True if the item only resembles its row, and resembles as much a row that waits for a person's decision. */
async function isAlsoHeld(
  { ledger, normalisation, job: { apiUrl } }: SettleContext,
  { body }: OpenCreate,
  item: Item,
): Promise<boolean> {
  const key = contentKey(item, normalisation);
  const isEqual = contentKey(body, normalisation) === key;
  if (isEqual && normalisation.opaque.length === 0) return false;
  const look = normalisedFields(item, normalisation).join('\n');
  const part = opaquePart(body, normalisation);
  const rows = await ledger.items.rowsOf(apiUrl, item.id.toLowerCase());
  return rows.some(({ job, row }) => {
    if (row.state !== 'held' || row.action !== 'create') return false;
    const other = createBody(job, row, job.request.stamp);
    if (isEqual && opaquePart(other, normalisation) === part) return false;
    const isAlike =
      contentKey(other, normalisation) === key || normalisedFields(other, normalisation).join('\n') === look;
    return isAlike && mayBeOpaqueOf(item, other, normalisation);
  });
}

/**
 * Items without the later changes of this store's jobs: such a change can make a created item differ from its row, or
 * make another item resemble one. Changes by other people stay.
 */
async function asMade(
  { ledger, job }: SettleContext,
  items: ReadonlyMap<string, Item>,
): Promise<Map<string, Pick<Candidate, 'item' | 'forgotten'>>> {
  const result = new Map([...items].map(([id, item]) => [id, { item, forgotten: false }]));
  for (const { itemId, operation } of await ledger.items.sentUpdates(job.apiUrl, [...items.keys()])) {
    const each = result.get(itemId);
    if (each === undefined) continue;
    if (operation === null) each.forgotten = true;
    else each.item = withoutUpdate(each.item, updateOf({ operation }));
  }
  return result;
}

function withoutUpdate(item: Item, update: Update): Item {
  const back = fieldChanges(update)
    .filter(({ field, to }) => alikeField(field, to, fieldOf(item, field)))
    .map(({ field, from, to }) => ({ field, from: to, to: from }));
  return { ...item, ...(changeSet(back, item).set as Partial<Item>) };
}

/** The oldest mark, ms since the epoch; undefined if times do not tell new items from old ones. */
function timesOf({ normalisation }: SettleContext, unknowns: readonly OpenCreate[]): number | undefined {
  const marks = unknowns.flatMap(({ mark }) => (mark === null ? [] : [mark]));
  return normalisation.timesOrder === 'yes' && marks.length === unknowns.length
    ? Math.min(...marks)
    : undefined;
}

function readList(context: SettleContext, until: number | null, leastPages = 1): Promise<ScanResult> {
  return untilAccounted(context.job.apiUrl, until, context, (shown) =>
    scanItems(context, { shown, until, leastPages }),
  );
}

function asLagging(error: unknown): undefined {
  if (!(error instanceof ListLagsError)) throw error;
}

/** Releases rows for which neither scan found an item. */
async function release(context: SettleContext, missing: Absence): Promise<void> {
  const doubtful = missing.filter(({ others }) => others.length > 0);
  const why = context.normalisation.acknowledged
    ? message('made_and_edited', {})
    : message('nothing_acknowledged', {});
  await hold(
    context,
    doubtful.map(({ lost, others }) => ({ lost, code: 'unproven_absence', why, items: others })),
  );
  const absent = missing.flatMap(({ lost, others }) => (others.length > 0 ? [] : [lost]));
  const exhausted = absent.filter((each) => each.row.attempts >= MAX_ATTEMPTS);
  await hold(
    context,
    exhausted.map((lost) => ({
      lost,
      code: 'keeps_failing' as const,
      why: message('never_answered', { times: lost.row.attempts }),
      items: [],
    })),
  );
  const free = absent.filter((each) => !exhausted.includes(each));
  await commit(
    context,
    context.job.id,
    free.map(({ row: { ordinal, attempts } }) => ({ ordinal, from: 'unknown', attempts, to: 'planned' })),
  );
}

/** This job's unknown creates, and open creates of other jobs that may have created the same items. */
async function loadOpen(context: SettleContext): Promise<OpenCreate[]> {
  const { ledger, job: own, normalisation } = context;
  const jobs = new Map([[own.id, own]]);
  const all: OpenCreate[] = [];
  for (const { jobId, row, collectionId } of await ledger.items.openCreates(own.apiUrl)) {
    if (collectionId === undefined || (jobId === own.id && row.state !== 'unknown')) continue;
    const job = jobs.get(jobId) ?? (await ledger.jobs.find(jobId));
    jobs.set(jobId, job);
    const field = job.request.stamp;
    const open: OpenCreate = {
      job,
      row,
      body: createBody(job, row, field),
      sequence: row.sequence ?? 0,
      mark: row.mark,
    };
    if (jobId !== own.id) open.ofOtherJob = row.state === 'sending' ? 'sending' : 'unknown';
    if (field !== undefined) open.stamp = { field, value: stampOf(jobId, row.ordinal) };
    const { match } = job.request;
    // Only upserts have keys; rows of a create job may be equal.
    const value = job.mode === 'upsert' ? itemKey(open.body, { match, changes: normalisation.changes }) : '';
    if (value !== '') open.key = { match, value };
    all.push(open);
  }
  // Whether the server keeps a stamp may not be known yet: rows that differ in it alone may have made each other's items.
  const known = { ...normalisation, opaque: withStamps(normalisation.opaque, all) };
  const content = (each: OpenCreate): string => contentKey(each.body, known);
  const key = (each: OpenCreate): string | undefined =>
    each.key === undefined ? undefined : JSON.stringify(each.key);
  const ours = all.filter(({ job }) => job.id === own.id);
  const contents = new Set(ours.map(content));
  const keys = new Set(ours.flatMap((each) => key(each) ?? []));
  return all.filter((each) => contents.has(content(each)) || keys.has(key(each) ?? ''));
}

/** Waits until the server can no longer apply any of the lost requests, of this job and of others. */
async function keepQuiet(context: SettleContext, quiet: Quiet, untilMs: number): Promise<void> {
  const { clock, job, signal, emit } = context;
  for (let toldMs = Number.NEGATIVE_INFINITY; ; ) {
    const open = await loadOpen(context);
    const others = open.filter((each) => each.job.id !== job.id);
    const endMs = Math.max(untilMs, ...others.map((each) => quietEnd(quiet, each)));
    const wait = Math.max(0, endMs - clock.monotonic());
    if (endMs > toldMs) emit({ type: 'settling', unknown: open.length - others.length, waitMs: wait });
    if (wait === 0) return;
    toldMs = Math.max(toldMs, endMs);
    // Another job may settle its rows sooner.
    await clock.sleep(others.length === 0 ? wait : Math.min(wait, OTHERS_POLL_MS), signal);
  }
}

function quietEnd(quiet: Quiet, { job, row }: OpenCreate): number {
  return quiet.others.endOf(job.id, row);
}

async function hold(context: SettleContext, held: Matches<OpenCreate>['held']): Promise<void> {
  for (const { lost, code, why, items } of held) {
    const candidates = items.slice(0, CANDIDATES_NAMED).map((item) => item.id);
    const said = message('perhaps_created', { why, candidates, more: items.length > CANDIDATES_NAMED });
    const move: RowMove = {
      ordinal: lost.row.ordinal,
      from: 'unknown',
      attempts: lost.row.attempts,
      to: 'held',
      issues: [issueOf(code, said, candidatesOf(items))],
    };
    await commit(context, lost.job.id, [move]);
  }
}
