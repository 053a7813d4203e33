/**
 * Matches items to lost creates: the pure half of settling (design §4, settling, 4 to 6).
 *
 * Five steps, each on the rows and items that the previous step has left:
 * 1. the stamp: an item with a row's stamp is the row's;
 * 2. the key of `--match`, for rows that have one, because the user has said that it identifies an item;
 * 3. equal content after the changes that this server makes;
 * 4. one-to-one similarity after every change that servers are known to make;
 * 5. doubts, which never assign an item: a remaining item may be the row's, unless a fact excludes it.
 *
 * This goes one step beyond design §4.7: an item that equals the row in every field is assigned even if no create was
 * acknowledged yet. The premise that nobody else creates an equal item meanwhile supports this as well as any other
 * match. Otherwise, a kill during the very first create would always need a person.
 */
import { type Item, type ItemCreate, WRITABLE_FIELDS, type WritableField } from '../../api/schemas.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
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
  /** Position of its intent in the order of observed ids. */
  sequence: number;
  /** Latest time shown before its intent, ms since the epoch; null if no answer had shown an item. */
  mark: number | null;
  /** Custom field and value of `--stamp`. */
  stamp?: { field: string; value: string };
  key?: { match: readonly string[]; value: string };
  /**
   * State of another job's row; absent for the settling job's own rows. An unknown row of another job gets an item
   * first; a row of this job is then missing, and can be sent again. A row in flight only counts as a possible owner.
   */
  ofOtherJob?: 'unknown' | 'sending';
}

/** An item that no row owns. */
export interface Candidate {
  item: Item;
  /** Number of intents committed before its id was first shown. */
  seenAt: number;
  /** A job has changed the item and its earlier content is no longer stored: it may belong to anybody. */
  forgotten?: boolean;
}

export interface Matches<T extends LostCreate> {
  found: { lost: T; item: Item }[];
  held: { lost: T; code: RowCode; why: Message; items: Item[] }[];
  /** Rows without any matching item; `others` are items that no fact excludes: somebody may have edited them since. */
  missing: { lost: T; others: Item[] }[];
}

/** Fields that tell items apart: two items rarely share two of them. */
const IDENTIFYING: ReadonlySet<string> = new Set(['name', 'collection_id']);

/**
 * What times and ids show about a row and an item. `no`: the item existed before the intent. `old`: it seems so, by a
 * clock that may have jumped. `forgotten`: its earlier content is no longer known. `yes`: nothing speaks against it.
 */
type Eligibility = 'no' | 'old' | 'forgotten' | 'yes';

/**
 * @param timesCount false if the server's clock may have jumped back since the intents: then an equal item that seems
 *   too old is also a doubt
 */
export function matchCreates<T extends LostCreate>(
  lost: T[],
  candidates: readonly Candidate[],
  known: ServerNormalisation,
  timesCount = true,
): Matches<T> {
  return new Matching<T>(candidates, known, timesCount).run(lost);
}

/** Opaque fields, and the fields of the rows' stamps. */
export function withStamps(opaque: readonly string[], rows: readonly LostCreate[]): string[] {
  return [...new Set([...opaque, ...stampFields(rows).map((field) => CUSTOM_PREFIX + field)])];
}

function stampFields(rows: readonly LostCreate[]): string[] {
  return [...new Set(rows.flatMap(({ stamp }) => stamp?.field ?? []))];
}

/** Each step takes rows, and returns those that it has neither matched nor held. */
class Matching<T extends LostCreate> {
  readonly #result: Matches<T> = { found: [], held: [], missing: [] };
  readonly #free: Set<Candidate>;
  readonly #timesCount: boolean;
  /** Whether it is still unknown that the server keeps this stamp. */
  readonly #isUntried: (stamp: LostCreate['stamp']) => boolean;
  #known: ServerNormalisation;

  constructor(candidates: readonly Candidate[], known: ServerNormalisation, timesCount: boolean) {
    this.#free = new Set(candidates);
    this.#timesCount = timesCount;
    this.#known = known;
    this.#isUntried = (stamp) => stamp !== undefined && !known.opaque.includes(CUSTOM_PREFIX + stamp.field);
  }

  run(lost: T[]): Matches<T> {
    const unstamped = this.#byStamp(lost);
    const certain = unstamped.filter((row) => this.#isStampKept(row));
    const open = unstamped.filter((row) => !this.#isStampKept(row));
    // A server that drops the stamps makes rows equal that differ in nothing else.
    this.#known = { ...this.#known, opaque: withStamps(this.#known.opaque, open) };
    this.#doubts([...certain, ...this.#byLook(this.#byContent(this.#byKey(open)))]);
    return this.#result;
  }

  /** An item with a row's stamp belongs to the row, even if it was changed since. */
  #byStamp(lost: readonly T[]): T[] {
    const fields = stampFields(lost);
    const stamped = [...this.#free].flatMap((each) =>
      fields.map((field) => ({ each, stamp: stampText(field, each.item.custom_fields?.[field]) })),
    );
    const items = Map.groupBy(stamped, ({ stamp }) => stamp);
    return lost.filter((row) => {
      const { stamp } = row;
      const found = stamp === undefined ? [] : (items.get(stampText(stamp.field, stamp.value)) ?? []);
      const fitting = found.map(({ each }) => each).filter((each) => this.#mayBe([row], each));
      const [item, second] = fitting;
      if (item === undefined) return true;
      if (second === undefined) this.#found(row, item);
      else
        this.#hold(
          [row],
          'too_many_matches',
          message('items_have_stamp', { items: fitting.length }),
          fitting,
        );
      return false;
    });
  }

  /**
   * An item with a row's key belongs to the row, even if the server or somebody has changed some of it since. An item
   * that shares only the key is a doubt: somebody may have given that key to another item.
   */
  #byKey(lost: readonly T[]): T[] {
    const left = lost.filter((each) => each.key === undefined);
    const keyed = lost.filter((each) => each.key !== undefined);
    for (const rows of Map.groupBy(keyed, ({ key }) => JSON.stringify(key?.match)).values()) {
      const match = rows[0]?.key?.match ?? [];
      const key = match.join(' + ');
      const rule = { match, changes: this.#known.changes };
      const items = Map.groupBy(this.#free, ({ item }) => itemKey(item, rule));
      for (const [value, group] of Map.groupBy(rows, ({ key }) => key?.value ?? '')) {
        const fitting = (items.get(value) ?? []).filter((each) => this.#mayBe(group, each));
        if (fitting.length > group.length) {
          const why = message('items_have_its_key', { items: fitting.length, key });
          this.#hold(group, 'too_many_matches', why, fitting);
          continue;
        }
        for (const [row, candidate] of this.#pairs(takers(group), fitting)) {
          if (candidate === undefined) left.push(row);
          else if (this.#isLikely(row, candidate)) this.#found(row, candidate);
          else {
            const why = message('has_key_and_differs', { key });
            this.#hold([row], 'doubtful_match', why, [candidate]);
          }
        }
      }
    }
    return left;
  }

  /**
   * Rows of one key with the items that have it: each item is paired with a row of equal content, if any, and the
   * others in the order of the rows. Two jobs may have sent the same key with different contents, of which only one
   * arrived.
   */
  #pairs(rows: readonly T[], items: readonly Candidate[]): [T, Candidate | undefined][] {
    const taken = new Map<T, Candidate>();
    const left = items.filter((each) => {
      const content = contentKey(each.item, this.#known);
      const row = rows.find((row) => !taken.has(row) && contentKey(row.body, this.#known) === content);
      if (row !== undefined) taken.set(row, each);
      return row === undefined;
    });
    return rows.map((row) => [row, taken.get(row) ?? left.shift()]);
  }

  #byContent(lost: readonly T[]): T[] {
    const items = Map.groupBy(this.#free, ({ item }) => contentKey(item, this.#known));
    // If the server changes names unpredictably, other equal fields do not make a match certain.
    const isVague = this.#known.opaque.some((field) => IDENTIFYING.has(field));
    return [...Map.groupBy(lost, ({ body }) => contentKey(body, this.#known))].flatMap(([key, group]) =>
      isVague ? takers(group) : this.#byOpaquePart(group, items.get(key) ?? []),
    );
  }

  /**
   * Rows that are equal except for opaque fields are not copies of each other: each item can belong only to the rows
   * that may have created it.
   */
  #byOpaquePart(group: readonly T[], equal: readonly Candidate[]): T[] {
    const known = this.#withoutStamps(group);
    const variants = [...Map.groupBy(group, ({ body }) => opaquePart(body, known)).values()];
    const fits = new Map<T[], Candidate[]>();
    const unclear = new Map<T[], Candidate[]>();
    for (const each of equal) {
      const fitting = variants.filter((rows) =>
        rows.some(({ body }) => mayBeOpaqueOf(each.item, body, known)),
      );
      const [one, other] = fitting;
      if (one !== undefined && other === undefined) append(fits, one, each);
      else if (variants.length > 1)
        for (const rows of one === undefined ? variants : fitting) append(unclear, rows, each);
    }
    return variants.flatMap((rows) => {
      const left = this.#byCount(rows, fits.get(rows) ?? []);
      const others = (unclear.get(rows) ?? []).filter((each) => this.#mayBe(left, each));
      if (others.length === 0) return left;
      const why = message('may_be_another_row', {});
      return this.#hold(left, 'doubtful_match', why, others);
    });
  }

  /** Equal rows, and the items that equal them: paired one to one, in the order of the intents. */
  #byCount(group: readonly T[], equal: readonly Candidate[]): T[] {
    const possible = equal.filter((each) => group.some((row) => this.#eligibility(row, each) === 'yes'));
    const doubtful = equal.filter((each) => !possible.includes(each) && this.#mayBe(group, each));
    if (possible.length > group.length) {
      for (const each of possible) this.#free.delete(each);
      const why = message('more_items_than_answers', { items: possible.length, answers: group.length });
      return this.#hold(group, 'too_many_matches', why, possible);
    }
    const [rows, unsure] = this.#withoutRivals(group, possible);
    for (const lost of unsure) this.#result.missing.push({ lost, others: possible.map(({ item }) => item) });
    possible.sort((a, b) => (a.item.created_at < b.item.created_at ? -1 : 1));
    // An item left over belongs to a row that another job has in flight.
    for (const [index, each] of possible.entries()) this.#found(rows[index], each);
    const rest = rows.slice(possible.length);
    if (rest.length === 0 || doubtful.length === 0) return rest;
    const why = message('equal_item_of_nobody', {});
    return this.#hold(rest, 'doubtful_match', why, doubtful);
  }

  /**
   * Splits a group into rows that may get an item, and rows that must wait for the answer of another job's row without
   * their stamp, which may have created the items: if the server keeps stamps, none of the items is theirs.
   */
  #withoutRivals(group: readonly T[], items: readonly Candidate[]): [sure: T[], unsure: T[]] {
    const rivals = group.filter(({ ofOtherJob }) => ofOtherJob === 'sending');
    const { yes = [], no = [] } = Object.groupBy(takers(group), ({ stamp }) =>
      items.length > 0 && this.#isUntried(stamp) && rivals.some((each) => each.stamp?.field !== stamp?.field)
        ? 'no'
        : 'yes',
    );
    return [yes, no];
  }

  /** Matches a row and an item that are equal after all known changes of servers, if there is only one of each. */
  #byLook(lost: readonly T[]): T[] {
    const look = (content: ItemCreate | Item) => normalisedFields(content, this.#known).join('\n');
    const items = Map.groupBy(this.#free, ({ item }) => look(item));
    return [...Map.groupBy(lost, ({ body }) => look(body))].flatMap(([key, group]) => {
      const [row, otherRow] = group;
      if (row === undefined || otherRow !== undefined || !this.#known.acknowledged) return group;
      const [each, otherItem] = (items.get(key) ?? []).filter((one) => this.#eligibility(row, one) === 'yes');
      if (each === undefined || otherItem !== undefined) return group;
      const mayBe = mayBeOpaqueOf(each.item, row.body, this.#withoutStamps(group));
      if (!mayBe || this.#isExcluded(row, each.item)) return group;
      this.#found(row, each);
      return [];
    });
  }

  /** Holds rows that may own a remaining item; rows for which facts exclude every item are missing. */
  #doubts(rows: readonly T[]): void {
    const looks = [...this.#free].map((each) => ({ each, theirs: normalisedFields(each.item, this.#known) }));
    for (const row of rows) {
      const mine = normalisedFields(row.body, this.#known);
      const alike: Candidate[] = [];
      const others: Item[] = [];
      for (const { each, theirs } of looks) {
        const eligibility = this.#eligibility(row, each);
        if (eligibility === 'no' || isStampOfAnother(row, each.item)) continue;
        const isExcluded = this.#isExcluded(row, each.item);
        if (isExcluded && this.#isStampKept(row)) continue;
        if (this.#isDoubt(eligibility, row, each.item, mine, theirs)) alike.push(each);
        else if (!isExcluded && (eligibility === 'yes' || !this.#known.acknowledged)) others.push(each.item);
      }
      if (alike.length === 0) this.#result.missing.push({ lost: row, others });
      else this.#hold([row], 'doubtful_match', message('looks_like_it', {}), alike);
    }
  }

  #isDoubt(
    eligibility: Eligibility,
    row: T,
    item: Item,
    mine: readonly string[],
    theirs: readonly string[],
  ): boolean {
    if (eligibility === 'forgotten') return true;
    // The times were in order but may have jumped since: a seemingly old item is a doubt only if the server may have made
    // it of the row.
    if (eligibility === 'old' && this.#known.timesOrder === 'yes')
      return mine.join('\n') === theirs.join('\n') || mayBeMadeOf(item, row.body, this.#known);
    const { differing, sent, agreeing } = compared(row, mine, theirs, this.#known.opaque);
    // With four fields or fewer, "all but two" would match almost everything.
    return !isOtherThing(differing) || (sent.length > 4 && sent.length - agreeing.length <= 2);
  }

  /** True if an item with the row's key also shares its collection and name, or all but two of the sent fields. */
  #isLikely(row: T, each: Candidate): boolean {
    if (this.#eligibility(row, each) !== 'yes' || this.#isExcluded(row, each.item)) return false;
    // Another store may have sent the same key with other values, and no answer has shown how this server stores any.
    if (!this.#known.acknowledged && !mayBeMadeOf(each.item, row.body, this.#known)) return false;
    const [mine, theirs] = [row.body, each.item].map((content) => normalisedFields(content, this.#known));
    const { differing, sent, agreeing } = compared(row, mine ?? [], theirs ?? []);
    if (!isOtherThing(differing)) return true;
    const key = row.key?.match.map((field) => (field.startsWith(CUSTOM_PREFIX) ? 'custom_fields' : field));
    const isMore = agreeing.some((field) => field !== 'collection_id' && key?.includes(field) !== true);
    return isMore && sent.length - agreeing.length <= 2;
  }

  #eligibility(lost: LostCreate, { item, seenAt, forgotten }: Candidate): Eligibility {
    if (seenAt < lost.sequence) return 'no';
    const created = Date.parse(item.created_at);
    if (lost.mark === null || Number.isNaN(created) || created >= lost.mark - CLOCK_SLACK_MS)
      return forgotten === true ? 'forgotten' : 'yes';
    return this.#known.timesOrder === 'yes' && this.#timesCount ? 'no' : 'old';
  }

  /** True if, by times and ids, the item may belong to one of the rows. */
  #mayBe(rows: readonly T[], each: Candidate): boolean {
    return rows.some((row) => this.#eligibility(row, each) !== 'no');
  }

  /**
   * True if the item is certainly not the row's: nobody has edited it, and the server does not store such a row in that
   * form.
   */
  #isExcluded({ body }: LostCreate, item: Item): boolean {
    const known = this.#known;
    return known.acknowledged && !wasEdited(item, known) && isNotMadeOf(item, body, known);
  }

  #isStampKept({ stamp }: LostCreate): boolean {
    return stamp !== undefined && this.#known.kept[CUSTOM_PREFIX + stamp.field] !== undefined;
  }

  /** A stamp that the server changes does not show which row created an item. */
  #withoutStamps(rows: readonly T[]): ServerNormalisation {
    const stamps = withStamps([], rows);
    return { ...this.#known, opaque: this.#known.opaque.filter((field) => !stamps.includes(field)) };
  }

  #found(row: T | undefined, each: Candidate): void {
    this.#free.delete(each);
    if (row !== undefined) this.#result.found.push({ lost: row, item: each.item });
  }

  /** Holds the rows; returns the rows that are left, which is none. */
  #hold(rows: readonly T[], code: RowCode, why: Message, candidates: readonly Candidate[]): [] {
    const items = candidates.map(({ item }) => item);
    for (const lost of rows) this.#result.held.push({ lost, code, why, items });
    return [];
  }
}

function stampText(field: string, value: unknown): string {
  return `${field}=${JSON.stringify(value)}`;
}

/** A stamp of another row shows that the item is not this row's. */
function isStampOfAnother({ stamp }: LostCreate, { custom_fields: custom }: Item): boolean {
  const value = stamp === undefined ? undefined : custom?.[stamp.field];
  return typeof value === 'string' && value !== '' && !mayBeStoredAs(stamp?.value, value);
}

/**
 * Fields in which a row and an item differ, with exceptions; and the fields that the row sent, with the equal ones
 * among them.
 */
function compared(
  { body }: LostCreate,
  mine: readonly string[],
  theirs: readonly string[],
  besides: readonly string[] = [],
): Record<'differing' | 'sent' | 'agreeing', WritableField[]> {
  const differing = WRITABLE_FIELDS.filter(
    (field, index) => mine[index] !== theirs[index] && !besides.includes(field),
  );
  const sent = WRITABLE_FIELDS.filter((field) => body[field] !== undefined);
  return { differing, sent, agreeing: sent.filter((field) => !differing.includes(field)) };
}

function isOtherThing(differing: readonly string[]): boolean {
  return differing.some((field) => IDENTIFYING.has(field));
}

/** The rows of a group that may get an item, in order. */
function takers<T extends LostCreate>(group: readonly T[]): T[] {
  const isOwn = ({ ofOtherJob }: T) => Number(ofOtherJob === undefined);
  return group
    .filter(({ ofOtherJob }) => ofOtherJob !== 'sending')
    .sort((a, b) => isOwn(a) - isOwn(b) || a.sequence - b.sequence);
}

function append<K, T>(groups: Map<K, T[]>, key: K, value: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}
