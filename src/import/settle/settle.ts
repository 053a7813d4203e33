/**
 * Settles creates whose answer never came: certain, or held (DESIGN §4).
 *
 * Called while nothing of this job is in flight. Waits the quiet period, reads the list, gives items that can
 * only be ours to their rows, waits and reads again, and only then lets a row be sent a second time. Whatever
 * is in doubt is held for a person, with the candidates' ids.
 */
import type { Item } from '../../api/schemas.ts';
import type { LedgerRow, RowMove } from '../../ledger/ledger.ts';
import { contentKey, learn } from './content.ts';
import { type LostCreate, matchCreates, type Matches } from './match.ts';
import { itemKey } from '../plan/match-key.ts';
import type { JobOptions } from '../options.ts';
import { createBody, stampOf } from '../write/payload.ts';
import { type ScanResult, scanItems } from './scan.ts';
import { commit, keepLearned, MOST_ATTEMPTS, type WriteContext } from '../write/write-context.ts';

/**
 * How far the second look goes where the server's clock is not seen to have run on: 5,000 items, the whole of most
 * collections. To the end of any list it would be 2 % of the requests that made the list, for a clock that jumps
 * back just before an answer is lost.
 */
const DEEP_PAGES = 50;

interface Unknown extends LostCreate {
  jobId: string;
  row: LedgerRow;
}

/**
 * @param quietUntil monotonic ms before which the server may still apply what was sent
 * @param quietMs between the first look and the second
 */
export async function settleCreates(
  context: WriteContext,
  quietUntil: number,
  quietMs: number,
): Promise<void> {
  let unknowns = await loadUnknowns(context);
  if (unknowns.length === 0) return;
  if (context.noSettle) {
    await hold(
      context,
      unknowns.map((lost) => ({
        lost,
        code: 'not_settled',
        why: 'the answer was lost, and --no-settle was given',
        items: [],
      })),
    );
    return;
  }
  const first = await look(context, unknowns, quietUntil, 'newest');
  unknowns = first.missing;
  if (unknowns.length === 0) return;
  const { serverTime, clock, job } = context;
  const clockRanOn = unknowns.every((each) => each.jobId === job.id && serverTime.isProven(each.row.ordinal));
  // A server may commit late: absence counts only when it is seen twice, a quiet period apart. And what a clock
  // that jumped back has made old stands behind the newest items: the second look goes there, unless it did not.
  const second = await look(context, unknowns, clock.monotonic() + quietMs, clockRanOn ? 'newest' : 'deep');
  await release(context, second.missing, second.newer);
}

/** Items that no row owns although they equal a row that was sent twice: doubles, reported with their ids. */
export async function findDoubles(context: WriteContext): Promise<string[]> {
  const resent = new Set(context.learned.resent);
  if (resent.size === 0) return [];
  const keys = new Set<string>();
  let oldestMark: number | null = Number.POSITIVE_INFINITY;
  for (const ordinal of resent) {
    const [row] = await context.ledger.rows(context.job.id, { after: ordinal - 1, limit: 1 });
    if (row === undefined) continue;
    keys.add(contentKey(createBody(context.job, row, context.stamp), context.learned));
    oldestMark = row.mark === null || oldestMark === null ? null : Math.min(oldestMark, row.mark);
  }
  const scan = await readList(context, context.learned.timesOrder === 'yes' ? oldestMark : null);
  return [...scan.unowned.values()]
    .filter((item) => keys.has(contentKey(item, context.learned)))
    .map((item) => item.id);
}

async function look(
  context: WriteContext,
  unknowns: Unknown[],
  notBefore: number,
  /** `newest`: as far as times tell; `deep`: DEEP_PAGES at least, and times alone rule nothing out. */
  what: 'newest' | 'deep',
): Promise<Matches<Unknown>> {
  await waitUntil(context, notBefore, unknowns.length);
  const scan = await readList(context, timesOf(context, unknowns) ?? null, what === 'deep' ? DEEP_PAGES : 1);
  if (!scan.still) {
    const why = 'the list of items did not hold still through five passes';
    await hold(
      context,
      unknowns.map((lost) => ({ lost, code: 'list_never_still', why, items: [] })),
    );
    return { found: [], held: [], missing: [], newer: [] };
  }
  const seen = await context.ledger.seenAt(context.job.apiUrl, [...scan.unowned.keys()]);
  const candidates = [...scan.unowned].map(([id, item]) => ({
    item,
    seenAt: seen.get(id) ?? Number.POSITIVE_INFINITY,
  }));
  const matches = matchCreates(unknowns, candidates, context.learned, what === 'newest');
  for (const { lost, item } of matches.found) {
    await commit(context, lost.jobId, [
      {
        ordinal: lost.row.ordinal,
        from: 'unknown',
        to: 'done',
        itemId: item.id.toLowerCase(),
        issues: [],
      },
    ]);
    if (!context.learned.acknowledged)
      await keepLearned(context, learn(context.learned, lost.body, item, lost.mark));
  }
  await hold(context, matches.held);
  return matches;
}

/** The oldest mark, ms, where times tell new items from old ones; undefined where they do not. */
function timesOf({ learned }: WriteContext, unknowns: readonly Unknown[]): number | undefined {
  const marks = unknowns.flatMap(({ mark }) => (mark === null ? [] : [mark]));
  return learned.timesOrder === 'yes' && marks.length === unknowns.length ? Math.min(...marks) : undefined;
}

function readList(context: WriteContext, until: number | null, leastPages = 1): Promise<ScanResult> {
  return scanItems({
    client: context.client,
    sightings: context.sightings,
    owned: (ids) => context.ledger.ownedItems(context.job.apiUrl, ids),
    until,
    leastPages,
    signal: context.signal,
  });
}

/** After both scans nothing fits: certainly not there, free to be sent again. */
async function release(context: WriteContext, missing: Unknown[], newer: Item[]): Promise<void> {
  if (missing.length === 0) return;
  if (!context.learned.acknowledged && newer.length > 0) {
    const why = 'no create was acknowledged yet, and other items appeared meanwhile';
    await hold(
      context,
      missing.map((lost) => ({ lost, code: 'unproven_absence', why, items: newer })),
    );
    return;
  }
  const weary = missing.filter((each) => each.row.attempts >= MOST_ATTEMPTS);
  await hold(
    context,
    weary.map((lost) => ({
      lost,
      code: 'keeps_failing' as const,
      why: `it was sent ${lost.row.attempts} times and never answered`,
      items: [],
    })),
  );
  const free = missing.filter((each) => !weary.includes(each));
  const ours = free.filter((each) => each.jobId === context.job.id).map((each) => each.row.ordinal);
  const resent = [...new Set([...context.learned.resent, ...ours])];
  // Noted before the rows are free: a crash in between must not forget that doubles are to be looked for.
  await keepLearned(context, { ...context.learned, resent });
  for (const each of free)
    await commit(context, each.jobId, [{ ordinal: each.row.ordinal, from: 'unknown', to: 'planned' }]);
}

async function loadUnknowns(context: WriteContext): Promise<Unknown[]> {
  const all = await context.ledger.unknownCreates(context.job.apiUrl);
  const result: Unknown[] = [];
  for (const { jobId, row, collectionId } of all) {
    if (collectionId === undefined) continue;
    const job = jobId === context.job.id ? context.job : await context.ledger.findJob(jobId);
    const field = typeof job.options['stamp'] === 'string' ? job.options['stamp'] : undefined;
    const unknown: Unknown = {
      jobId,
      row,
      body: createBody(job, row, field),
      sequence: row.sequence ?? 0,
      mark: row.mark,
    };
    if (field !== undefined) unknown.stamp = { field, value: stampOf(jobId, row.ordinal) };
    const { match } = job.options as unknown as JobOptions;
    // Keys belong to upserts: the rows of a create have none, and may be equal.
    const value = job.mode === 'upsert' ? itemKey(unknown.body, match) : '';
    if (value !== '') unknown.key = { match, value };
    result.push(unknown);
  }
  // Other jobs' rows count where they have the same content as one of ours; otherwise they are theirs to settle.
  const keys = new Map(result.map((each) => [each, contentKey(each.body, context.learned)]));
  const ours = new Set(result.filter((each) => each.jobId === context.job.id).map((each) => keys.get(each)));
  return result.filter((each) => ours.has(keys.get(each)));
}

async function hold(context: WriteContext, held: Matches<Unknown>['held']): Promise<void> {
  for (const { lost, code, why, items } of held) {
    const ids = items.slice(0, 5).map((item) => item.id);
    const candidates =
      ids.length === 0 ? '' : ` (candidates: ${ids.join(', ')}${items.length > 5 ? ', …' : ''})`;
    const message = `it may or may not have been created: ${why}${candidates}`;
    const move: RowMove = {
      ordinal: lost.row.ordinal,
      from: 'unknown',
      to: 'held',
      issues: [{ code, message }],
    };
    await commit(context, lost.jobId, [move]);
  }
}

async function waitUntil(context: WriteContext, until: number, unknown: number): Promise<void> {
  const wait = until - context.clock.monotonic();
  if (wait <= 0) return;
  context.emit({ type: 'settling', unknown, waitMs: wait });
  await context.clock.sleep(wait, context.signal);
}
