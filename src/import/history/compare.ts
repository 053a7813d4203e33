/**
 * Compares the rows that a job would create with those that other jobs have created or may create.
 *
 * Equal rows are counted: if two of three equal rows were sent, the third is new. So each earlier row accounts for only
 * one row, and a bit per row of an earlier job records which are used up.
 */
import type { FileColumns, KnownRow } from '../../ledger/known-rows.ts';
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { type RowName, rowNameText } from '../../ledger/row-name.ts';
import type { RowState } from '../../ledger/states.ts';
import type { JobDeps } from '../job/deps.ts';
import type { RowCode } from '../../messages/row-codes.ts';
import type { KeptCodes } from '../changes/rewritten.ts';
import { fold } from '../../mapping/fold.ts';
import { withoutKey } from '../items/creates-by-key.ts';
import { rowPages } from '../job/row-pages.ts';
import { fillHashes, isCompared } from './hashed-jobs.ts';
import { backAgain } from './back-again.ts';
import { Lines, type Standing } from './lines.ts';
import { type Reversal, Reversals } from './reversals.ts';
import {
  cellsHash,
  type Columns,
  columnsOf,
  hashesBefore,
  type Identifier,
  identifiersOf,
  identifyingFields,
  nameOfRow,
  type Resemblance,
  resemblance,
  narrowedTo,
  payloadHash,
  valuesHash,
} from './row-hashes.ts';
import { noteShared } from './shared-codes.ts';

/** A row of an earlier job, which an undo may have taken back. */
export interface EarlierRow extends KnownRow {
  /** Id of an undo that may have taken the row back: its outcome is uncertain. */
  perhapsUndoneBy?: string;
  /** Id of the undo after which somebody took the item out of the archive. */
  backAfter?: string;
  /** It was taken back, but a spreadsheet program seems to have rewritten its code. */
  isTakenBack?: true;
  /** Only its values are the same: they stand in columns of other names. */
  hasOtherColumns?: true;
}

/** A row that was `sent` before, or `changed` since; new rows have no finding. */
export type Finding =
  | { row: LedgerRow; as: 'sent'; earlier: EarlierRow }
  | {
      row: LedgerRow;
      as: 'changed';
      earlier: EarlierRow;
      identifier: Identifier;
      /** The earlier row has another code, of which a spreadsheet program may have made this one. */
      isRewritten?: true;
    };

const TAKEN_OUT: ReadonlySet<RowCode> = new Set(['already_sent', 'sent_before', 'row_changed']);

export class Comparison {
  /** The jobs whose rows were found, by id. */
  readonly earlier = new Map<string, JobRecord>();
  readonly #job: JobRecord;
  readonly #deps: JobDeps;
  /** The names of all columns of this file, and the earlier jobs whose files have the same ones. */
  readonly #own: string;
  readonly #alike = new Set<string>();
  /** For each earlier file, its columns if this file has all of them. */
  readonly #columns: readonly Columns[];
  readonly #identifying: ReadonlyMap<string, KeptCodes>;
  readonly #resembles: Resemblance;
  readonly #reversals: Reversals;
  readonly #lines: Lines;
  /** Ordinals of the rows that other imports have left to this job: they are its own, whatever was sent since. */
  readonly #leftToIt: ReadonlySet<number>;
  /** The items that undos have archived and somebody has restored: read once, when a decision first depends on it. */
  #back: { ids: ReadonlySet<string> | undefined } | undefined;

  private constructor(
    job: JobRecord,
    deps: JobDeps,
    files: readonly FileColumns[],
    identifying: ReadonlyMap<string, KeptCodes>,
    resembles: Resemblance,
    reversals: Reversals,
    leftToIt: ReadonlySet<number>,
  ) {
    this.#job = job;
    this.#deps = deps;
    this.#identifying = identifying;
    this.#resembles = resembles;
    this.#reversals = reversals;
    this.#lines = new Lines(deps.ledger);
    this.#leftToIt = leftToIt;
    const own = columnsOf(job);
    this.#own = own.names.join('\n');
    const sets = new Map(
      files.map((each) => columnsOf(each).names).map((names) => [names.join('\n'), names]),
    );
    this.#columns = [...sets.values()]
      .map((names) => narrowedTo(names, own))
      .filter((columns) => columns !== undefined);
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
    return new Comparison(job, deps, files, identifying, resembles, reversals, await rowsLeftTo(job, ledger));
  }

  /** The findings among the planned rows, a page at a time. The caller may move the rows of a page. */
  async *findings(): AsyncGenerator<Finding[], void> {
    const uses = newUses();
    // Rows that a killed run or a dry run has already removed still use up an earlier row.
    const isCompared = withoutKey(this.#job);
    const pages = () =>
      this.#pages(
        ['planned', 'skipped', 'held'],
        (row) =>
          (row.state === 'planned' || row.issues.some(({ code }) => TAKEN_OUT.has(code))) &&
          !this.#leftToIt.has(row.ordinal) &&
          isCompared(row),
      );
    // Rows that are equal come first, wherever they stand: a name may be that of another row, too.
    if (this.#resembles.names) {
      const lines = new Map<string, number>();
      for await (const asked of pages()) {
        const known = await this.#byContent(await this.#known(asked, pages), asked, lines);
        for (const each of asked) this.#equal(each, known, uses.equal);
      }
    }
    const lines = new Map<string, number>();
    for await (const asked of pages()) {
      const known = await this.#byContent(await this.#known(asked, pages), asked, lines);
      if (known.size === 0) continue;
      const found = asked
        .flatMap((each) => this.#judge(each, known, uses) ?? [])
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
      const all = await this.#known(asked, pages);
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

  async *#pages(
    states: readonly RowState[],
    isWanted: (row: LedgerRow) => boolean = () => true,
  ): AsyncGenerator<ComparedRow[], void> {
    const { ledger, signal } = this.#deps;
    for await (const rows of rowPages(ledger, this.#job.id, { states, actions: ['create'] })) {
      signal.throwIfAborted();
      const wanted = rows.filter(isWanted);
      await this.#lines.read(this.#job, wanted);
      yield wanted.map((row) => this.#asked(row));
    }
  }

  /**
   * Equal rows that were sent and that no undo has certainly taken back.
   *
   * @param pages all rows that are compared
   */
  async #known(
    asked: readonly ComparedRow[],
    pages: () => AsyncIterable<ComparedRow[]>,
  ): Promise<EarlierRow[]> {
    const { found, takenBack } = await this.#found(asked);
    const isOpen = [...takenBack.values()].some(isArchived);
    if (isOpen) this.#back ??= { ids: await this.#readArchived(pages()) };
    const before = new Set(asked.flatMap(({ identifiers }) => identifiers.flatMap((each) => each.before)));
    // What is sent again must not lose the code that it had.
    const gone = (row: KnownRow): EarlierRow[] =>
      before.has(row.hash) ? [{ ...row, isTakenBack: true }] : [];
    return found.flatMap((row): EarlierRow[] => {
      // Rows that a person left out of a job count until the job is undone.
      const undo = row.state === 'skipped' ? this.#reversals.undoOf(row.jobId) : undefined;
      if (undo !== undefined) return row.attempts === 0 ? gone(row) : [{ ...row, perhapsUndoneBy: undo.id }];
      const reversal = takenBack.get(rowNameText(nameOf(row)));
      if (reversal === undefined) return [row];
      if (!reversal.isCertain) return [{ ...row, perhapsUndoneBy: reversal.undo }];
      if (!isArchived(reversal)) return gone(row);
      if (this.#back?.ids === undefined) return [{ ...row, perhapsUndoneBy: reversal.undo }];
      return this.#back.ids.has(reversal.archived) ? [{ ...row, backAfter: reversal.undo }] : gone(row);
    });
  }

  async #readArchived(pages: AsyncIterable<ComparedRow[]>): Promise<ReadonlySet<string> | undefined> {
    const ids = new Set<string>();
    for await (const asked of pages)
      for (const reversal of (await this.#found(asked)).takenBack.values())
        if (isArchived(reversal)) ids.add(reversal.archived);
    return backAgain(ids, this.#deps);
  }

  /** Rows of the compared jobs with these hashes that were sent, and the undos that took them back. */
  async #found(
    asked: readonly ComparedRow[],
  ): Promise<{ found: KnownRow[]; takenBack: ReadonlyMap<string, Reversal> }> {
    const { ledger } = this.#deps;
    const all = await ledger.known.find(this.#job.apiUrl, hashesOf(asked), this.#job.id);
    const ids = new Set(all.map(({ jobId }) => jobId)).difference(new Set(this.earlier.keys()));
    for (const job of ids.size === 0 ? [] : await ledger.jobs.list(undefined, { ids: [...ids] }))
      if (isCompared(job, this.#job)) {
        this.earlier.set(job.id, job);
        await this.#lines.readEarlier(job);
        if (columnsOf(job).names.join('\n') === this.#own) this.#alike.add(job.id);
      }
    const found = all.filter(({ jobId }) => this.earlier.has(jobId));
    return { found, takenBack: await this.#reversals.takenBack(found.map(nameOf)) };
  }

  #asked(row: LedgerRow): ComparedRow {
    // Cells first: if they and the payload point to different rows, the cells are more specific.
    const content = [...this.#columns.map((columns) => cellsHash(row, columns)), payloadHash(row)];
    return {
      row,
      standing: this.#lines.standing(this.#job, row),
      isUnsent: false,
      content: content.filter((each) => each !== undefined),
      values: this.#resembles.values ? valuesHash(row) : undefined,
      name: this.#resembles.names ? nameOfRow(row) : undefined,
      identifiers: identifiersOf(row).flatMap((identifier) => {
        const known = this.#identifying.get(identifier.field);
        if (known === undefined) return [];
        return [{ ...identifier, before: hashesBefore(identifier, known) }];
      }),
    };
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
    all.hasLines ??= this.#lines.count(all.rows).size > 0;
    if (standing.as.size === 1 && !all.hasLines) return all;
    const views = (all.views ??= new Map());
    const name = `${row.sheetRow} ${row.sheet ?? ''} ${isUnsent}`;
    let view = views.get(name);
    if (view === undefined) {
      const rows = all.rows.filter((each) => {
        const relation = this.#lines.relation(standing, each);
        return relation === undefined || (relation === 'same' && !isUnsent);
      });
      views.set(name, (view = { ...all, rows, next: 0 }));
    }
    return view;
  }

  #judge(asked: ComparedRow, known: ReadonlyMap<string, Candidates>, uses: Uses): Finding | undefined {
    const { row, values, name, identifiers } = asked;
    const there = (hash: string) => this.#there(asked, known, hash);
    const equal = this.#equal(asked, known, uses.taken);
    if (equal === 'used up') return undefined;
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
    const isFree = (earlier: EarlierRow) =>
      [uses.taken, uses.equal, uses.similar].every((each) => !isUsed(earlier, each));
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
        : firstOf(there(values), (each) => !this.#alike.has(each.jobId) && isFree(each));
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

/**
 * A job that was corrected or taken up again compares its rows once more. Without this, an import that had more equal
 * rows than the job, and sent only those, would seem to have sent the job's rows, too.
 */
async function rowsLeftTo(
  { id, apiUrl, createdAt, ownedAt, firstSentAt }: JobRecord,
  ledger: Ledger,
): Promise<Set<number>> {
  const left = new Set<number>();
  if ((ownedAt ?? firstSentAt) === undefined) return left;
  for (const other of await ledger.jobs.list(undefined, { apiUrl })) {
    if (other.id === id || other.mode === 'update' || (other.ownedAt ?? 0) < createdAt) continue;
    for await (const rows of rowPages(ledger, other.id, { states: ['skipped', 'held'], actions: ['create'] }))
      for (const { issues } of rows)
        for (const { sentAs } of issues) if (sentAs?.job === id) left.add(sentAs.ordinal);
  }
  return left;
}

function isSame(one: KnownRow, other: KnownRow): boolean {
  return one.jobId === other.jobId && one.ordinal === other.ordinal;
}

function nameOf({ jobId, ordinal }: KnownRow): RowName {
  return { job: jobId, ordinal };
}

/** True if an undo has taken the row back by archiving its item. */
function isArchived(reversal: Reversal): reversal is Reversal & { archived: string } {
  return reversal.isCertain && reversal.archived !== undefined;
}

function hashesOf(rows: readonly ComparedRow[]): string[] {
  const all = rows.flatMap(({ content, values, name, identifiers }) => [
    ...content,
    ...(values === undefined ? [] : [values]),
    ...(name === undefined ? [] : [name.hash]),
    ...identifiers.flatMap(({ hash, before }) => [hash, ...before]),
  ]);
  return [...new Set(all)];
}

/** Rows with the same content in the same collection. */
interface Candidates {
  rows: EarlierRow[];
  /** Index of the first row that may still be wanted. */
  next: number;
  /** True if different rows of one file have the code or name. */
  isShared?: boolean;
  /** True if some of them are lines of results or rejects files. */
  hasLines?: boolean;
  /** Those that a row may be, if it may not be all of them. */
  views?: Map<string, Candidates>;
}

/** @param isWanted what it has refused once, it always refuses */
function firstOf(
  candidates: Candidates | undefined,
  isWanted: (row: EarlierRow) => boolean,
): EarlierRow | undefined {
  if (candidates === undefined) return undefined;
  for (; candidates.next < candidates.rows.length; candidates.next += 1) {
    const row = candidates.rows[candidates.next];
    if (row !== undefined && isWanted(row)) return row;
  }
  return undefined;
}

/** The earlier rows that rows of this file have used up. */
interface Uses {
  /** By rows with the same content, so far. */
  taken: Map<string, Bits>;
  /** The same in the whole file; empty if names do not identify rows. */
  equal: Map<string, Bits>;
  /** By rows that are only similar: they take nothing from rows that are equal. */
  similar: Map<string, Bits>;
}

function newUses(): Uses {
  return { taken: new Map(), equal: new Map(), similar: new Map() };
}

function isUsed({ jobId, ordinal }: KnownRow, uses: ReadonlyMap<string, Bits>): boolean {
  return uses.get(jobId)?.has(ordinal) === true;
}

function use({ jobId, ordinal }: EarlierRow, taken: Map<string, Bits>): void {
  taken.set(jobId, (taken.get(jobId) ?? new Bits()).add(ordinal));
}

function placed(hash: string, job: JobRecord, collection: string | null): string {
  return `${hash} ${job.collections[collection ?? ''] ?? ''}`;
}

interface ComparedRow {
  row: LedgerRow;
  standing: Standing;
  /** It is a line of a row that was not sent. */
  isUnsent: boolean;
  /** Hashes of its content. */
  content: string[];
  /** Hash of its values in whatever columns. */
  values: string | undefined;
  /** Its name, if names identify rows. */
  name: Identifier | undefined;
  identifiers: (Identifier & { before: string[] })[];
}

/** A set of ordinals, 125 kB per million. */
class Bits {
  #bytes = new Uint8Array(1024);

  has(ordinal: number): boolean {
    return ((this.#bytes[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;
  }

  add(ordinal: number): this {
    const at = ordinal >> 3;
    if (at >= this.#bytes.length) {
      const longer = new Uint8Array(Math.max(at + 1, 2 * this.#bytes.length));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (1 << (ordinal & 7));
    return this;
  }
}
