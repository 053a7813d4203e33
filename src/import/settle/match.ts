/**
 * Matches items to lost creates: the pure half of settling (design §4, settling, 4 to 6).
 *
 * Five steps, each on what the one before left over on both sides:
 *   1. the stamp: whoever has it is the row's;
 *   2. the key of `--match`, for rows that have one: the user has said what identifies an item;
 *   3. equal content after the changes that this server makes;
 *   4. one-to-one similarity after every change that servers are known to make;
 *   5. doubts, which never assign an item: what is left may be the row's, unless a fact excludes it.
 *
 * One step beyond design §4.7: an item that equals the row in every field is assigned even if no create was
 * acknowledged yet. The premise that nobody else creates an equal item meanwhile supports that as well as any other
 * match. Without it, a kill during the very first create would always need a person.
 */
import { type Item, type ItemCreate, WRITABLE_FIELDS } from '../../api/schemas.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import type { RowCode } from '../../messages/row-codes.ts';
import {
  CLOCK_SLACK_MS,
  contentKey,
  isNotMadeOf,
  mayBeMadeOf,
  mayBeOpaqueOf,
  normalisedFields,
  opaquePart,
  wasEdited,
} from '../job/server-normalisation.ts';
import { mayBeStoredAs } from '../engine/equality.ts';
import { itemKey } from '../changes/match-key.ts';
import type { ServerNormalisation } from '../../ledger/job-parts.ts';

/** A create whose answer was lost. */
export interface LostCreate {
  body: ItemCreate;
  /** Order of its intent among the showings of ids. */
  sequence: number;
  /** Greatest time shown before its intent, ms since the epoch; null if no answer had shown an item. */
  mark: number | null;
  /** Custom field and value of `--stamp`. */
  stamp?: { field: string; value: string };
  /** Fields of `--match`, and the row's key, if it has one. */
  key?: { match: readonly string[]; value: string };
  /**
   * State of another job's row; absent for the settling job's own rows. An unknown row of another job gets an item
   * first: then a row of this job is missing, and free to be sent again. One in flight only counts as a possible owner.
   */
  ofOtherJob?: 'unknown' | 'sending';
}

/** An item that no row owns. */
export interface Candidate {
  item: Item;
  /** Number of intents before its id was first shown. */
  seenAt: number;
  /** A job has changed it, and what it was before is not kept any more: it may be anybody's. */
  forgotten?: boolean;
}

export interface Matches<T extends LostCreate> {
  found: { lost: T; item: Item }[];
  held: { lost: T; code: RowCode; why: string; items: Item[] }[];
  /** Rows without any matching item; `others` are items that no fact excludes: they may have been edited since. */
  missing: { lost: T; others: Item[] }[];
}

const IDENTIFYING: ReadonlySet<string> = new Set(['name', 'collection_id']);

type Candidacy = 'no' | 'yes' | 'ruled_out_by_time_only' | 'forgotten';

/**
 * @param timesCount false if the server's clock may have jumped back since the intents: then an equal item that seems
 *   too old is a doubt, too
 */
export function matchCreates<T extends LostCreate>(
  lost: T[],
  candidates: Candidate[],
  known: ServerNormalisation,
  timesCount = true,
): Matches<T> {
  const normalisation: Seen = { ...known, timesCount };
  const result: Matches<T> = { found: [], held: [], missing: [] };
  const free = new Map(candidates.map((candidate) => [candidate.item.id.toLowerCase(), candidate]));
  const unstamped = byStamp(lost, free, normalisation, result);
  const [certain, open] = partition(unstamped, (row) => isStampKept(row, known));
  // A server that drops the stamps makes rows equal that differ in nothing else.
  const unseen = { ...normalisation, opaque: withStamps(normalisation.opaque, open) };
  const left = byContent(byKey(open, free, unseen, result), free, unseen, result);
  doubts([...certain, ...byNormalisedFields(left, free, unseen, result)], free, unseen, result);
  return result;
}

function isStampKept({ stamp }: LostCreate, { kept }: ServerNormalisation): boolean {
  return stamp !== undefined && kept[CUSTOM_PREFIX + stamp.field] !== undefined;
}

/** Opaque fields, and those of the rows' stamps. */
export function withStamps(opaque: readonly string[], rows: readonly LostCreate[]): string[] {
  return [
    ...new Set([
      ...opaque,
      ...rows.flatMap(({ stamp }) => (stamp === undefined ? [] : [CUSTOM_PREFIX + stamp.field])),
    ]),
  ];
}

/** A stamp that the server changes tells nothing of what an item was made of. */
function withoutStamps(normalisation: Seen, rows: readonly LostCreate[]): Seen {
  const stamps = new Set(withStamps([], rows));
  return { ...normalisation, opaque: normalisation.opaque.filter((field) => !stamps.has(field)) };
}

/** An item with a row's stamp is the row's, whatever has become of it. */
function byStamp<T extends LostCreate>(
  lost: T[],
  free: Map<string, Candidate>,
  normalisation: Seen,
  result: Matches<T>,
): T[] {
  const items = new Map<string, Candidate[]>();
  for (const field of new Set(lost.flatMap(({ stamp }) => stamp?.field ?? []))) {
    for (const candidate of free.values()) {
      const value = candidate.item.custom_fields?.[field];
      if (typeof value === 'string') append(items, `${field}=${value}`, candidate);
    }
  }
  return lost.filter((row) => {
    const { stamp } = row;
    const stamped = stamp === undefined ? [] : (items.get(`${stamp.field}=${stamp.value}`) ?? []);
    const fitting = stamped.filter((each) => candidacy(row, each, normalisation) !== 'no');
    const [item, second] = fitting;
    if (item === undefined) return true;
    if (second === undefined) {
      free.delete(item.item.id.toLowerCase());
      result.found.push({ lost: row, item: item.item });
    } else hold([row], 'too_many_matches', `${fitting.length} items have its stamp`, fitting, result);
    return false;
  });
}

/**
 * An item with a row's key belongs to the row, even if the server or somebody has changed some of it since. One that
 * has only the key in common is a doubt: somebody may have given that key to something else.
 */
function byKey<T extends LostCreate>(
  lost: T[],
  free: Map<string, Candidate>,
  normalisation: Seen,
  result: Matches<T>,
): T[] {
  const left = lost.filter((each) => each.key === undefined);
  const keyed = lost.filter((each) => !left.includes(each));
  for (const rows of groupBy(keyed, ({ key }) => JSON.stringify(key?.match)).values()) {
    const match = rows[0]?.key?.match ?? [];
    const items = groupBy([...free.values()], ({ item }) =>
      itemKey(item, { match, changes: normalisation.changes }),
    );
    for (const [value, group] of groupBy(rows, ({ key }) => key?.value ?? '')) {
      const fitting = (items.get(value) ?? []).filter((each) =>
        group.some((row) => candidacy(row, each, normalisation) !== 'no'),
      );
      if (fitting.length > group.length) {
        const why = `${fitting.length} items have its ${match.join(' + ')}`;
        hold(group, 'too_many_matches', why, fitting, result);
        continue;
      }
      for (const [row, candidate] of pairs(takers(group), fitting, normalisation)) {
        if (candidate === undefined) left.push(row);
        else if (
          candidacy(row, candidate, normalisation) === 'yes' &&
          !isExcluded(row, candidate.item, normalisation) &&
          hasMuchOf(candidate.item, row, normalisation)
        ) {
          free.delete(candidate.item.id.toLowerCase());
          result.found.push({ lost: row, item: candidate.item });
        } else {
          const why = `an item has its ${match.join(' + ')}, and differs from it in other fields`;
          hold([row], 'doubtful_match', why, [candidate], result);
        }
      }
    }
  }
  return left;
}

/**
 * Rows of one key with the items that have it: each item with a row of its content, if there is one; the others in the
 * order of the rows. Two jobs may have sent one key with different contents, and only one of the two arrived.
 */
function pairs<T extends LostCreate>(
  rows: readonly T[],
  items: readonly Candidate[],
  normalisation: ServerNormalisation,
): [T, Candidate | undefined][] {
  const taken = new Map<T, Candidate>();
  for (const item of items) {
    const content = contentKey(item.item, normalisation);
    const row = rows.find((each) => !taken.has(each) && contentKey(each.body, normalisation) === content);
    if (row !== undefined) taken.set(row, item);
  }
  const left = items.filter((item) => ![...taken.values()].includes(item));
  return rows.map((row) => [row, taken.get(row) ?? left.shift()]);
}

/** True if collection and name agree, or all but two of the sent fields, at least one of them outside the key. */
function hasMuchOf(item: Item, row: LostCreate, normalisation: ServerNormalisation): boolean {
  const mine = normalisedFields(row.body, normalisation);
  const theirs = normalisedFields(item, normalisation);
  const differing = WRITABLE_FIELDS.filter((_, index) => mine[index] !== theirs[index]);
  if (!differing.some((field) => IDENTIFYING.has(field))) return true;
  const sent = WRITABLE_FIELDS.filter((field) => row.body[field] !== undefined);
  const agreeing = sent.filter((field) => !differing.includes(field));
  const key =
    row.key?.match.map((field) => (field.startsWith(CUSTOM_PREFIX) ? 'custom_fields' : field)) ?? [];
  const isMore = agreeing.some((field) => field !== 'collection_id' && !key.includes(field));
  return isMore && sent.length - agreeing.length <= 2;
}

function byContent<T extends LostCreate>(
  lost: T[],
  free: Map<string, Candidate>,
  normalisation: Seen,
  result: Matches<T>,
): T[] {
  const left: T[] = [];
  const itemsOf = groupBy([...free.values()], ({ item }) => contentKey(item, normalisation));
  for (const [key, group] of groupBy(lost, ({ body }) => contentKey(body, normalisation))) {
    // If the server changes names unpredictably, nothing that is equal besides makes a match certain.
    if (normalisation.opaque.some((field) => IDENTIFYING.has(field))) left.push(...takers(group));
    else left.push(...byOpaquePart(group, itemsOf.get(key) ?? [], free, normalisation, result));
  }
  return left;
}

/**
 * Rows that are equal but for opaque fields are no copies of each other: each item goes to those rows alone which it may
 * have been made of.
 */
function byOpaquePart<T extends LostCreate>(
  group: T[],
  equal: readonly Candidate[],
  free: Map<string, Candidate>,
  normalisation: Seen,
  result: Matches<T>,
): T[] {
  const told = withoutStamps(normalisation, group);
  const variants = [...groupBy(group, ({ body }) => opaquePart(body, told)).values()];
  const [only, second] = variants;
  const mayBe = (row: T | undefined, { item }: Candidate) =>
    row !== undefined && mayBeOpaqueOf(item, row.body, told);
  if (only !== undefined && second === undefined) {
    const fitting = equal.filter((each) => mayBe(only[0], each));
    return byCount(only, fitting, free, normalisation, result);
  }
  const fits = new Map(variants.map((rows): [T[], Candidate[]] => [rows, []]));
  const unclear = new Map<T[], Candidate[]>();
  for (const candidate of equal) {
    const fitting = variants.filter(([row]) => mayBe(row, candidate));
    const [one, other] = fitting;
    if (one !== undefined && other === undefined) fits.get(one)?.push(candidate);
    else for (const rows of fitting.length === 0 ? variants : fitting) append(unclear, rows, candidate);
  }
  return variants.flatMap((rows) => {
    const left = byCount(rows, fits.get(rows) ?? [], free, normalisation, result);
    const others = unclear
      .get(rows)
      ?.filter((each) => left.some((row) => candidacy(row, each, normalisation) !== 'no'));
    if (others === undefined || others.length === 0) return left;
    hold(
      left,
      'doubtful_match',
      'an item may be this row, or one that differs in a field which the server changes',
      others,
      result,
    );
    return [];
  });
}

/** Equal rows, and the items that equal them: one each, in the order of the intents. Returns the rows that are left. */
function byCount<T extends LostCreate>(
  group: T[],
  equal: readonly Candidate[],
  free: Map<string, Candidate>,
  normalisation: Seen,
  result: Matches<T>,
): T[] {
  const possible = equal.filter((each) => group.some((row) => candidacy(row, each, normalisation) === 'yes'));
  const doubtful = equal.filter(
    (each) => !possible.includes(each) && group.some((row) => candidacy(row, each, normalisation) !== 'no'),
  );
  if (possible.length > group.length) {
    const why = `${possible.length} items match ${group.length} lost answer${group.length === 1 ? '' : 's'}`;
    hold(group, 'too_many_matches', why, possible, result);
    for (const each of possible) free.delete(each.item.id.toLowerCase());
    return [];
  }
  const rows = takers(group);
  const items = [...possible].sort((a, b) => (a.item.created_at < b.item.created_at ? -1 : 1));
  for (const [index, candidate] of items.entries()) {
    const row = rows[index];
    free.delete(candidate.item.id.toLowerCase());
    // An item left over belongs to a row that another job has in flight.
    if (row !== undefined) result.found.push({ lost: row, item: candidate.item });
  }
  const rest = rows.slice(items.length);
  if (rest.length === 0 || doubtful.length === 0) return rest;
  hold(rest, 'doubtful_match', 'an equal item exists, and nothing shows whose it is', doubtful, result);
  return [];
}

function byNormalisedFields<T extends LostCreate>(
  lost: T[],
  free: Map<string, Candidate>,
  normalisation: Seen,
  result: Matches<T>,
): T[] {
  const look = (content: ItemCreate | Item) => normalisedFields(content, normalisation).join('\n');
  const items = groupBy([...free.values()], ({ item }) => look(item));
  return [...groupBy(lost, ({ body }) => look(body))].flatMap(([key, group]) => {
    const [only] = group;
    const alike = (items.get(key) ?? []).filter(
      (each) => only !== undefined && candidacy(only, each, normalisation) === 'yes',
    );
    const [item] = alike;
    const isPair = group.length === 1 && alike.length === 1 && normalisation.acknowledged;
    if (!isPair || only === undefined || item === undefined) return group;
    const mayBe = mayBeOpaqueOf(item.item, only.body, withoutStamps(normalisation, group));
    if (!mayBe || isExcluded(only, item.item, normalisation)) return group;
    free.delete(item.item.id.toLowerCase());
    result.found.push({ lost: only, item: item.item });
    return [];
  });
}

function doubts<T extends LostCreate>(
  rows: readonly T[],
  free: ReadonlyMap<string, Candidate>,
  normalisation: Seen,
  result: Matches<T>,
): void {
  const looks = new Map(
    [...free.values()].map((each) => [each, normalisedFields(each.item, normalisation)] as const),
  );
  for (const row of rows) {
    const mine = normalisedFields(row.body, normalisation);
    const alike: Item[] = [];
    const others: Item[] = [];
    for (const [candidate, theirs] of looks) {
      const possible = candidacy(row, candidate, normalisation);
      if (possible === 'no' || isStampOfAnother(row, candidate.item)) continue;
      const excluded = isExcluded(row, candidate.item, normalisation);
      if (excluded && isStampKept(row, normalisation)) continue;
      if (isDoubt(row, candidate.item, mine, theirs, normalisation, possible)) alike.push(candidate.item);
      else if (!excluded && (possible === 'yes' || !normalisation.acknowledged)) others.push(candidate.item);
    }
    if (alike.length === 0) result.missing.push({ lost: row, others });
    else {
      const why = 'an item looks like it, but not in every field';
      result.held.push({ lost: row, code: 'doubtful_match', why, items: alike });
    }
  }
}

/** A stamp that is another row's says whose the item is. */
function isStampOfAnother({ stamp }: LostCreate, { custom_fields: custom }: Item): boolean {
  const value = stamp === undefined ? undefined : custom?.[stamp.field];
  return typeof value === 'string' && value !== '' && !mayBeStoredAs(stamp?.value, value);
}

/** True if the item is certainly not the row's: nobody has edited it, and the server does not make it of such a row. */
function isExcluded({ body }: LostCreate, item: Item, normalisation: Seen): boolean {
  return (
    normalisation.acknowledged && !wasEdited(item, normalisation) && isNotMadeOf(item, body, normalisation)
  );
}

function isDoubt(
  row: LostCreate,
  item: Item,
  mine: string[],
  theirs: string[],
  normalisation: Seen,
  candidate: Candidacy,
): boolean {
  if (candidate === 'forgotten') return true;
  // The times were in order but may have jumped since: a seemingly old item is a doubt only if the server may have made
  // it of the row.
  return candidate === 'ruled_out_by_time_only' && normalisation.timesOrder === 'yes'
    ? mine.join('\n') === theirs.join('\n') || mayBeMadeOf(item, row.body, normalisation)
    : isLike(row, mine, theirs, normalisation);
}

/** True if collection and name agree, or all but two of the sent fields. */
function isLike(
  row: LostCreate,
  mine: string[],
  theirs: string[],
  normalisation: ServerNormalisation,
): boolean {
  const differing = WRITABLE_FIELDS.filter(
    (field, index) => mine[index] !== theirs[index] && !normalisation.opaque.includes(field),
  );
  if (!differing.includes('collection_id') && !differing.includes('name')) return true;
  const sent = WRITABLE_FIELDS.filter((field) => row.body[field] !== undefined);
  const sentAndDiffering = differing.filter((field) => row.body[field] !== undefined);
  // With four fields or fewer, "all but two" would match almost everything.
  return sent.length > 4 && sentAndDiffering.length <= 2;
}

/** What is known of the server, and whether its times count. */
type Seen = ServerNormalisation & { timesCount: boolean };

function candidacy(lost: LostCreate, candidate: Candidate, normalisation: Seen): Candidacy {
  if (candidate.seenAt < lost.sequence) return 'no';
  const fits = candidate.forgotten === true ? 'forgotten' : 'yes';
  if (lost.mark === null) return fits;
  const created = Date.parse(candidate.item.created_at);
  if (Number.isNaN(created) || created >= lost.mark - CLOCK_SLACK_MS) return fits;
  return normalisation.timesOrder === 'yes' && normalisation.timesCount ? 'no' : 'ruled_out_by_time_only';
}

/** The rows of a group that may get an item, in the order in which they get one. */
function takers<T extends LostCreate>(group: readonly T[]): T[] {
  return group
    .filter(({ ofOtherJob }) => ofOtherJob !== 'sending')
    .sort(
      (a, b) =>
        Number(a.ofOtherJob === undefined) - Number(b.ofOtherJob === undefined) || a.sequence - b.sequence,
    );
}

function hold<T extends LostCreate>(
  group: T[],
  code: RowCode,
  why: string,
  candidates: Candidate[],
  result: Matches<T>,
): void {
  for (const lost of group) result.held.push({ lost, code, why, items: candidates.map((each) => each.item) });
}

function partition<T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] {
  return [values.filter((each) => test(each)), values.filter((each) => !test(each))];
}

function groupBy<T>(values: T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) append(groups, key(value), value);
  return groups;
}

function append<K, T>(groups: Map<K, T[]>, key: K, value: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}
