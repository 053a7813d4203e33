/**
 * Compares the rows that a job would create with those that other jobs have created or may create.
 *
 * Equal rows are counted: if two of three equal rows were sent, the third is new. So each earlier row accounts for only
 * one row, and a bit per row of an earlier job records which are used up.
 */
import type { JobRecord, LedgerRow } from '../../ledger/ledger.ts';
import type { RowState } from '../../ledger/states.ts';
import { placeOf } from '../../ledger/row-name.ts';
import { fold } from '../../mapping/fold.ts';
import type { RowCode } from '../../messages/row-codes.ts';
import { withoutKey } from '../items/creates-by-key.ts';
import type { JobDeps } from '../job/deps.ts';
import { rowPages } from '../job/row-pages.ts';
import { type ComparedRow, ComparedRows } from './compared-rows.ts';
import { type EarlierRow, EarlierRows } from './earlier-rows.ts';
import { fillHashes, isCompared } from './hashed-jobs.ts';
import { rowsLeftTo } from './left-to-job.ts';
import { Lines } from './lines.ts';
import { Reversals } from './reversals.ts';
import {
  type Identifier,
  identifyingFields,
  nameOfRow,
  type Resemblance,
  resemblance,
} from './row-hashes.ts';
import { noteShared } from './shared-codes.ts';
import { type Bits, type Candidates, firstOf, isSame, isUsed, newUses, use, type Uses } from './uses.ts';

/** A row that was `sent` before, or `changed` since; new rows have no finding. */
export type Finding =
  | { row: LedgerRow; as: 'sent'; earlier: EarlierRow }
  | {
      row: LedgerRow;
      as: 'changed';
      earlier: EarlierRow;
      /** Undefined if it is the same line of a results or rejects file. */
      identifier: Identifier | undefined;
      /** The earlier row has another code, of which a spreadsheet program may have made this one. */
      isRewritten?: true;
    };

const TAKEN_OUT: ReadonlySet<RowCode> = new Set(['already_sent', 'sent_before', 'row_changed']);

export class Comparison {
  readonly #job: JobRecord;
  readonly #deps: JobDeps;
  readonly #rows: ComparedRows;
  readonly #earlier: EarlierRows;
  readonly #resembles: Resemblance;
  readonly #lines: Lines;
  readonly #leftToIt: ReadonlyMap<number, ReadonlySet<string>>;

  private constructor(
    job: JobRecord,
    deps: JobDeps,
    rows: ComparedRows,
    earlier: EarlierRows,
    resembles: Resemblance,
    lines: Lines,
    leftToIt: ReadonlyMap<number, ReadonlySet<string>>,
  ) {
    this.#job = job;
    this.#deps = deps;
    this.#rows = rows;
    this.#earlier = earlier;
    this.#resembles = resembles;
    this.#lines = lines;
    this.#leftToIt = leftToIt;
  }

  /** Prepares a comparison; undefined if there is no earlier job. */
  static async open(job: JobRecord, deps: JobDeps): Promise<Comparison | undefined> {
    const { ledger } = deps;
    const files = await ledger.known.columns(job.apiUrl);
    if (files.length === 0) return undefined;
    for (const each of await ledger.jobs.list(undefined, { apiUrl: job.apiUrl, unhashed: true }))
      if (isCompared(each, job)) await fillHashes(each, deps);
    const identifying = await identifyingFields(job, ledger);
    const reversals = await Reversals.open(ledger);
    const resembles = await resemblance(job, ledger, (each) => isCompared(each, job));
    const lines = new Lines(ledger);
    await lines.readOthers(job);
    const rows = new ComparedRows(job, files, identifying, resembles, lines);
    const earlier = new EarlierRows(job, deps, reversals, lines);
    return new Comparison(job, deps, rows, earlier, resembles, lines, await rowsLeftTo(job, ledger));
  }

  /** The jobs whose rows were found, by id. */
  get earlier(): ReadonlyMap<string, JobRecord> {
    return this.#earlier.jobs;
  }

  /** The findings among the planned rows, a page at a time. The caller may move the rows of a page. */
  async *findings(): AsyncGenerator<Finding[], void> {
    const uses = await this.#usedBefore();
    const isCompared = withoutKey(this.#job);
    const pages = () =>
      this.#pages(
        ['planned', 'skipped', 'held'],
        (row) =>
          (row.state === 'planned' || row.issues.some(({ code }) => TAKEN_OUT.has(code))) && isCompared(row),
      );
    // Rows that are equal come first, wherever they stand: a name may be that of another row, too.
    if (this.#resembles.names) {
      const lines = new Map<string, number>();
      for await (const asked of pages()) {
        const known = await this.#byContent(await this.#earlier.find(asked, pages), asked, lines);
        for (const each of asked) if (!isAnswered(each.row)) this.#equal(each, known, uses.equal);
      }
    }
    const lines = new Map<string, number>();
    for await (const asked of pages()) {
      const known = await this.#byContent(await this.#earlier.find(asked, pages), asked, lines);
      if (known.size === 0) continue;
      const found = asked
        .flatMap((each) => (isAnswered(each.row) ? [] : (this.#judge(each, known, uses) ?? [])))
        .filter(({ row }) => row.state === 'planned');
      if (found.length > 0) yield found;
    }
  }

  /**
   * For each item that the job has created: whether another job has sent its row again.
   *
   * @param since only jobs that have sent rows since then, ms since the epoch, count
   */
  async sentSince(since: number): Promise<ReadonlyMap<string, Finding>> {
    const uses = newUses();
    const again = new Map<string, Finding>();
    const lines = new Map<string, number>();
    const pages = () => this.#pages(['done']);
    for await (const asked of pages()) {
      const all = await this.#earlier.find(asked, pages);
      const known = await this.#byContent(
        all.filter(
          (each) =>
            each.isTakenBack === undefined &&
            (each.state !== 'skipped' || each.attempts > 0) &&
            (this.earlier.get(each.jobId)?.updatedAt ?? 0) >= since,
        ),
        asked,
        lines,
      );
      for (const each of asked) {
        const found = this.#judge(each, known, uses);
        if (found !== undefined && each.row.itemId !== null) again.set(each.row.itemId, found);
      }
    }
    return again;
  }

  /** Rows that an earlier comparison has taken out, before a kill or a correction, keep the rows that answer for them. */
  async #usedBefore(): Promise<Uses> {
    const uses = newUses();
    for await (const rows of rowPages(this.#deps.ledger, this.#job.id, { states: ['skipped', 'held'] }))
      for (const { code, sentAs, leftAs } of rows.flatMap(({ issues }) => issues)) {
        const name = sentAs ?? leftAs;
        if (name === undefined) continue;
        const earlier = { jobId: name.job, ordinal: name.ordinal };
        use(earlier, code === 'row_changed' ? uses.similar : uses.taken);
      }
    return uses;
  }

  async *#pages(
    states: readonly RowState[],
    isWanted: (row: LedgerRow) => boolean = () => true,
  ): AsyncGenerator<ComparedRow[], void> {
    const { ledger, signal } = this.#deps;
    for await (const rows of rowPages(ledger, this.#job.id, { states, actions: ['create'] })) {
      signal.throwIfAborted();
      const wanted = rows.filter(isWanted);
      await this.#lines.read(this.#job, wanted);
      yield wanted.map((row) => this.#rows.read(row));
    }
  }

  /**
   * By hash and collection; rows with an item come before rows that may still get one.
   *
   * @param lines the number of lines of this file so far that stand for rows which were not sent
   */
  async #byContent(
    rows: readonly EarlierRow[],
    asked: readonly ComparedRow[],
    lines: Map<string, number>,
  ): Promise<ReadonlyMap<string, Candidates>> {
    const known = new Map<string, Candidates>();
    for (const isDone of [true, false]) {
      for (const row of rows) {
        const job = this.earlier.get(row.jobId);
        const isThere = row.state === 'done' && row.perhapsUndoneBy === undefined && !row.isTakenBack;
        if (job === undefined || isThere !== isDone) continue;
        const key = placed(row.hash, job, row.collection);
        const same = known.get(key);
        if (same === undefined) known.set(key, { rows: [row], next: 0 });
        else same.rows.push(row);
      }
    }
    if (!this.#lines.isEmpty)
      for (const row of new Map(rows.map((each) => [`${each.jobId} ${each.ordinal}`, each])).values())
        for (const text of this.#lines.textsOf(row)) {
          const same = known.get(text);
          if (same === undefined) known.set(text, { rows: [row], next: 0 });
          else same.rows.push(row);
        }
    const coded = asked.flatMap(({ row: { collection }, name, identifiers }) =>
      [...identifiers, ...(name === undefined ? [] : [name])].flatMap(
        ({ hash }) => known.get(placed(hash, this.#job, collection)) ?? [],
      ),
    );
    await noteShared(new Set(coded), this.#deps.ledger);
    const earlier = this.#lines.count(rows);
    for (const each of asked) each.isUnsent = this.#lines.isUnsent(each.standing, this.#job, earlier, lines);
    return known;
  }

  /** The earlier rows with a hash that a row may be. */
  #there(
    { row, standing, isUnsent }: ComparedRow,
    known: ReadonlyMap<string, Candidates>,
    hash: string,
  ): Candidates | undefined {
    const all = known.get(placed(hash, this.#job, row.collection));
    if (all === undefined) return undefined;
    all.hasSeveral ??= !this.#lines.isEmpty && all.rows.some((each) => this.#lines.isSeveral(each));
    const leftBy = this.#leftToIt.get(row.ordinal);
    if (standing.as.size === 1 && !all.hasSeveral && leftBy === undefined) return all;
    const views = (all.views ??= new Map<string, Candidates>());
    const name = [placeOf(row), isUnsent, ...(leftBy ?? [])].join(' ');
    let view = views.get(name);
    if (view === undefined) {
      const rows = all.rows.filter((each) => {
        if (leftBy?.has(each.jobId) === true) return false;
        const relation = this.#lines.relation(standing, each);
        return relation === undefined || (relation === 'same' && !isUnsent);
      });
      view = { rows, next: 0 };
      if (all.isShared === true) view.isShared = true;
      views.set(name, view);
    }
    return view;
  }

  #judge(asked: ComparedRow, known: ReadonlyMap<string, Candidates>, uses: Uses): Finding | undefined {
    const { row, values, name, identifiers } = asked;
    const there = (hash: string) => this.#there(asked, known, hash);
    const equal = this.#equal(asked, known, uses.taken);
    const isFree = (earlier: EarlierRow) =>
      [uses.taken, uses.equal, uses.similar].every((each) => !isUsed(earlier, each));
    if (equal === 'used up') return this.#sameLine(asked, known, uses, isFree);
    if (equal !== undefined) {
      const hasCode = identifiers.some(({ hash }) => there(hash)?.rows.some((hit) => isSame(hit, equal)));
      const [code] = identifiers;
      if (hasCode || code === undefined) return { row, as: 'sent', earlier: equal };
      // A list without codes: the row may be another thing of that name.
      return { row, as: 'changed', earlier: equal, identifier: nameOfRow(row) ?? code };
    }
    for (const identifier of identifiers) {
      const { rows: hits = [], isShared } = there(identifier.hash) ?? {};
      const earlier = hits.findLast(({ state }) => state === 'done') ?? hits.at(-1);
      if (earlier !== undefined && isShared !== true) return { row, as: 'changed', earlier, identifier };
    }
    const sameLine = this.#sameLine(asked, known, uses, isFree);
    if (sameLine !== undefined) return sameLine;
    // Several codes may have become the same, so nobody knows which row this is.
    for (const identifier of identifiers)
      for (const hash of identifier.before) {
        const earlier = firstOf(there(hash), isFree);
        if (earlier !== undefined) return { row, as: 'changed', earlier, identifier, isRewritten: true };
      }
    // In the same columns, the same values in other places are other values.
    const moved =
      values === undefined
        ? undefined
        : firstOf(there(values), (each) => !this.#earlier.alike.has(each.jobId) && isFree(each));
    if (moved !== undefined) {
      use(moved, uses.similar);
      return { row, as: 'sent', earlier: { ...moved, hasOtherColumns: true } };
    }
    const named = name && there(name.hash);
    const same =
      named?.isShared === true
        ? undefined
        : named?.rows.find((each) => !this.#hasAny(identifiers, each.jobId) && isFree(each));
    if (name === undefined || same === undefined) return undefined;
    use(same, uses.similar);
    return { row, as: 'changed', earlier: same, identifier: name };
  }

  /** A line whose row was sent, itself or as another line, is no new row, whatever its values are now. */
  #sameLine(
    { row, standing, isUnsent }: ComparedRow,
    known: ReadonlyMap<string, Candidates>,
    uses: Uses,
    isFree: (earlier: EarlierRow) => boolean,
  ): Finding | undefined {
    if (isUnsent) return undefined;
    const earlier = [...standing.as]
      .flatMap(([job, place]) => known.get(`${job} ${place}`)?.rows ?? [])
      .find(
        (each) =>
          each.isTakenBack === undefined && this.#lines.relation(standing, each) === 'same' && isFree(each),
      );
    if (earlier === undefined) return undefined;
    use(earlier, uses.similar);
    return { row, as: 'changed', earlier, identifier: undefined };
  }

  /**
   * The earlier row with the same content, which it uses up.
   *
   * @returns `used up` if rows with this content were sent, but not so many: one more is new, whatever else it has
   */
  #equal(
    asked: ComparedRow,
    known: ReadonlyMap<string, Candidates>,
    taken: Map<string, Bits>,
  ): EarlierRow | 'used up' | undefined {
    const { content, identifiers } = asked;
    const there = (hash: string) => this.#there(asked, known, hash);
    const equal = content.map(there).filter((each) => each !== undefined);
    const firsts = equal
      .map((candidates) => firstOf(candidates, (each) => !isUsed(each, taken)))
      .filter((each) => each !== undefined);
    const coded = identifiers
      .map(({ hash }) => there(hash))
      .flatMap((hits) => (hits === undefined || hits.isShared === true ? [] : hits.rows));
    // A list without the codes has equal cells in all its columns, and yet only a code tells which row this is.
    const likely =
      coded.length === 0 ? firsts : firsts.filter((each) => coded.some((hit) => isSame(hit, each)));
    if (likely.length < firsts.length && likely.length === 0) return undefined;
    let best: EarlierRow | undefined;
    let most = 0;
    for (const each of likely) {
      const times = likely.filter((other) => isSame(other, each)).length;
      if (times > most) [best, most] = [each, times];
    }
    if (best !== undefined) use(best, taken);
    return best ?? (equal.length > 0 ? 'used up' : undefined);
  }

  /** True if an earlier file has a column of these identifiers: then another one there is another row. */
  #hasAny(identifiers: readonly Identifier[], jobId: string): boolean {
    const headers = this.earlier.get(jobId)?.source.headers.map(fold) ?? [];
    return identifiers.some(({ field }) => headers.includes(fold(field)));
  }
}

/** True if a row of another job answers for this one. */
function isAnswered({ state, issues }: LedgerRow): boolean {
  return state !== 'planned' && issues.some(({ sentAs, leftAs }) => (sentAs ?? leftAs) !== undefined);
}

function placed(hash: string, job: JobRecord, collection: string | null): string {
  return `${hash} ${job.collections[collection ?? ''] ?? ''}`;
}
