/**
 * Which earlier rows a line of a results or rejects file may be.
 *
 * Such a line stands for the row that it names (`_job`, `_row`, `_sheet`); that row may be a line of an earlier file
 * itself. The other rows of these jobs are other items, however equal they are, and so is a row that answers for one of
 * them, or for a line that stands for it (`sentAs`, `leftAs`): none of them shows that this line was sent. That shows
 * only the row itself, sent after all; another line that stands for it; a row that answers for one of these; and rows of
 * files that have nothing to do with these jobs. If a person has said that all rows of such a job are new
 * (`--all-rows`), that is true of its lines, too: rows that others had sent by then show nothing.
 *
 * The copies of a quantity are one row. As long as one of them is refused or invalid, and no other line stands for it, a
 * line that was refused or invalid is that one.
 */
import type { KnownRow } from '../../ledger/known-rows.ts';
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { placeOf, rowNameText } from '../../ledger/row-name.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { isResultsFile, JOB_COLUMN, SHEET_COLUMN, sheetNamed, sheetOf } from '../../sheets/own-headers.ts';
import { findJudging, sheetsOf } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';
import { payloadHash } from './row-hashes.ts';

/** States in a results file that a later import must not send again: done, or still in another job. */
export const STATES_NOT_TO_SEND: ReadonlySet<string> = new Set([
  'created',
  'updated',
  'unchanged',
  'skipped',
  'pending',
  'held',
]);

/** A row of a file, with all of its copies. */
interface FileRow {
  job: string;
  /** Its number, and its sheet if the file has several. */
  place: string;
  /** The row that answers for it was left out, not sent: its line may still become a new row. */
  isLeft?: true;
}

/** A row that is compared. */
export interface Standing {
  /** By job, the row that it is there: its own, and those that it stands for. */
  as: ReadonlyMap<string, string>;
  /** It says that it was refused or invalid. */
  isOpen: boolean;
}

/** What is known of a job with such lines, or of one that they name. */
interface KnownJob {
  /** For each of its rows that is such a line, the row that it names. */
  named: Map<string, FileRow>;
  /** The number of refused and invalid copies of its rows. */
  open: Map<string, number>;
  /** Rows that others owned before this time, ms since the epoch, are other rows; undefined without `--all-rows`. */
  newSince: number | undefined;
}

/** A row as it is stored, or as a line names it. */
interface Named {
  sheetRow: number;
  sheet?: string | null | undefined;
}

export class Lines {
  readonly #ledger: Ledger;
  readonly #jobs = new Map<string, KnownJob>();
  /** The sheets of a job, if rows of several were read, by its id. */
  readonly #sheets = new Map<string, readonly string[]>();
  /** Ids of jobs whose rows are told apart by their sheets. */
  readonly #ofSheets = new Set<string>();
  /** The rows of these jobs for which a row of another job answers, by its name. */
  readonly #answered = new Map<string, FileRow[]>();
  /** When earlier jobs began to own their rows, ms since the epoch. */
  readonly #owned = new Map<string, number>();
  /** Hashes of the rows that the lines read last name, by row: as they are now, corrected or sent after all. */
  #contents = new Map<string, string[]>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Reads for which lines of other files rows answer: these may stand for rows of this job, or for the same rows. */
  async readOthers(job: JobRecord): Promise<void> {
    const { id, apiUrl, createdAt, source } = job;
    await this.#readSheets(job);
    // The lines of a file name jobs that are older than it.
    const since = isResultsFile(source.headers) ? {} : { since: createdAt };
    for (const other of await this.#ledger.jobs.list(undefined, { apiUrl, ...since })) {
      if (other.id === id || other.ownedAt === undefined || !isResultsFile(other.source.headers)) continue;
      const { skipped, held } = await this.#ledger.rows.counts(other.id);
      if (skipped + held > 0) await this.#readJob(other.id);
    }
  }

  get isEmpty(): boolean {
    return this.#jobs.size === 0;
  }

  /** Reads the jobs that these lines of a file name. */
  async read({ source: { headers } }: JobRecord, rows: readonly LedgerRow[]): Promise<void> {
    if (!isResultsFile(headers)) return;
    for (const row of rows) await this.#readJob(lineOf(row, headers)?.job);
    const lines = rows.flatMap((row) => this.#lineOf(row, headers) ?? []);
    const named = lines.flatMap((line) => [...this.#rowsOf(line)]).filter(({ job }) => this.#jobs.has(job));
    this.#contents = new Map();
    for (const [job, these] of Map.groupBy(named, (row) => row.job)) {
      const numbers = these.map(({ place }) => Number.parseInt(place, 10));
      const sheetRows = [...new Set(numbers)].filter(Number.isInteger);
      for await (const page of rowPages(this.#ledger, job, { sheetRows, actions: ['create'] }))
        for (const row of page) {
          const text = textOf(this.#at(job, row));
          const hash = payloadHash(row);
          if (hash !== undefined) this.#contents.set(text, [...(this.#contents.get(text) ?? []), hash]);
        }
    }
  }

  /** Hashes by which the named rows themselves are found, with the values that they have in their jobs. */
  contents({ as }: Standing): string[] {
    return [...as].flatMap(([job, place]) => this.#contents.get(textOf({ job, place })) ?? []);
  }

  /** Reads an earlier job, and, if its file has such lines, the jobs that they name. */
  async readEarlier(job: JobRecord): Promise<void> {
    const { id, source, ownedAt, firstSentAt = Number.POSITIVE_INFINITY } = job;
    this.#owned.set(id, ownedAt ?? firstSentAt);
    await this.#readSheets(job);
    if (isResultsFile(source.headers)) await this.#readJob(id);
  }

  standing({ id, source: { headers } }: JobRecord, row: LedgerRow): Standing {
    const line = isResultsFile(headers) ? this.#lineOf(row, headers) : undefined;
    const rows = [this.#at(id, row), ...this.#rowsOf(line)];
    return { as: new Map(rows.map(({ job, place }) => [job, place])), isOpen: line?.isOpen === true };
  }

  /** How an earlier row is related to a row: `other` means that it is another row of the same file. */
  relation({ as }: Standing, earlier: KnownRow): 'same' | 'other' | undefined {
    for (const { job, place } of this.#allRowsOf(earlier).flat()) {
      const same = as.get(job);
      if (same !== undefined) return same === place ? 'same' : 'other';
    }
    const owned = this.#owned.get(earlier.jobId) ?? Number.POSITIVE_INFINITY;
    return as.keys().some((job) => owned < (this.#jobs.get(job)?.newSince ?? 0)) ? 'other' : undefined;
  }

  /** True if an earlier row is other rows, too. */
  isSeveral(earlier: KnownRow): boolean {
    return this.#allRowsOf(earlier).flat().length > 1;
  }

  /** The rows that an earlier row is: itself, those that it stands for, and those for which it answers as sent. */
  textsOf(earlier: KnownRow): string[] {
    const chains = this.#allRowsOf(earlier).filter(([first]) => first?.isLeft !== true);
    return chains.flat().map(textOf);
  }

  /** The number of earlier rows that are lines, or that answer for lines, by the row that these stand for. */
  count(earlier: readonly KnownRow[]): Map<string, number> {
    const counts = new Map<string, number>();
    if (this.isEmpty) return counts;
    // Without the row itself, or for which it answers itself.
    for (const row of new Map(earlier.map((each) => [nameOf(each), each])).values())
      for (const rows of this.#allRowsOf(row)) for (const text of namesOf(rows).slice(1)) add(counts, text);
    return counts;
  }

  /**
   * True if a line is a copy that was not sent, and that no other line is.
   *
   * @param earlier the number of earlier lines, by the row that they stand for
   * @param own the same of the lines of this file so far, to which this one is added
   */
  isUnsent(
    { as, isOpen }: Standing,
    job: JobRecord,
    earlier: ReadonlyMap<string, number>,
    own: Map<string, number>,
  ): boolean {
    const named = [...as].flatMap(([id, place]) => (id === job.id ? [] : [{ job: id, place }]));
    const rows = named.filter((each) => this.#jobs.has(each.job));
    // Of a job of another store, nobody knows.
    if (!isOpen || rows.length === 0) return false;
    const counted = (text: string) => (earlier.get(text) ?? 0) + (own.get(text) ?? 0);
    const isLeft = rows.every((each) => {
      const open = this.#jobs.get(each.job)?.open.get(each.place) ?? 0;
      const by = named[named.indexOf(each) - 1];
      // The line of an invalid row may have become several copies: the others of them are no other lines.
      return open > counted(textOf(each)) - (by === undefined ? 0 : counted(byText(each, by)));
    });
    if (isLeft) for (const text of namesOf(named)) add(own, text);
    return isLeft;
  }

  /** An earlier row with the rows that it stands for, and each row for which it answers with those of that one. */
  #allRowsOf(earlier: KnownRow): FileRow[][] {
    const seen = new Set<string>();
    const firsts = [this.#at(earlier.jobId, earlier), ...(this.#answered.get(nameOf(earlier)) ?? [])];
    return firsts.flatMap((first) => {
      const rows = [...this.#rowsOf(first)];
      // Several lines of one row, or the line of a row that was sent itself.
      if (rows.some(({ job }) => seen.has(job))) return [];
      for (const { job } of rows) seen.add(job);
      return [rows];
    });
  }

  /** The row, the one that it stands for, and so on. */
  *#rowsOf(first: FileRow | undefined): Generator<FileRow, void> {
    const seen = new Set<string>();
    for (let row = first; row !== undefined && !seen.has(row.job); row = this.#named(row)) {
      seen.add(row.job);
      yield row;
    }
  }

  #named({ job, place }: FileRow): FileRow | undefined {
    return this.#jobs.get(job)?.named.get(place);
  }

  #at(job: string, { sheetRow, sheet }: Named): FileRow {
    return {
      job,
      place: this.#ofSheets.has(job) ? placeOf({ sheetRow, sheet: sheet ?? undefined }) : `${sheetRow}`,
    };
  }

  /** Undefined for a row that names none, because a person has added it, or that names no sheet of its job. */
  #lineOf(
    row: Pick<LedgerRow, 'source'>,
    headers: readonly string[],
  ): (FileRow & { isOpen: boolean }) | undefined {
    const line = lineOf(row, headers);
    if (line === undefined) return undefined;
    const sheets = this.#sheets.get(line.job) ?? [];
    const sheet = sheets.length > 0 ? sheetNamed(line.sheet, sheets) : sheetOf(line.sheet);
    // Of a job that was pruned, or of another store, only its lines show it.
    if (sheet !== undefined && sheet !== '') this.#ofSheets.add(line.job);
    else if (this.#ofSheets.has(line.job)) return undefined;
    return { ...this.#at(line.job, { ...line, sheet }), isOpen: line.isOpen };
  }

  async #readSheets({ id, source }: JobRecord): Promise<void> {
    if (this.#sheets.has(id)) return;
    const hasNone = source.format === 'csv' || source.format === 'none';
    const sheets = hasNone ? [] : sheetsOf(await findJudging(id, this.#ledger));
    this.#sheets.set(id, sheets);
    if (sheets.length > 0) this.#ofSheets.add(id);
  }

  async #readJob(id: string | undefined): Promise<void> {
    if (id === undefined || this.#jobs.has(id)) return;
    const [job] = await this.#ledger.jobs.list(1, { ids: [id] });
    if (job === undefined) return;
    await this.#readSheets(job);
    const { headers } = job.source;
    const newSince = job.plan.allRows === true ? job.ownedAt : undefined;
    const known: KnownJob = { named: new Map(), open: new Map(), newSince };
    this.#jobs.set(id, known);
    const isOwn = isResultsFile(headers);
    const query = isOwn ? {} : ({ states: ['refused', 'invalid', 'skipped', 'held'] } as const);
    for await (const rows of rowPages(this.#ledger, id, query))
      for (const row of rows) {
        const at = this.#at(id, row);
        if (isOwn) {
          await this.#readJob(lineOf(row, headers)?.job);
          const line = this.#lineOf(row, headers);
          if (line !== undefined) known.named.set(at.place, line);
        }
        if (row.state === 'refused' || row.state === 'invalid') add(known.open, at.place);
        for (const { sentAs, leftAs } of row.issues) {
          const by = sentAs ?? leftAs;
          if (by === undefined) continue;
          const name = rowNameText(by);
          const answered = leftAs === undefined ? at : { ...at, isLeft: true as const };
          this.#answered.set(name, [...(this.#answered.get(name) ?? []), answered]);
        }
      }
  }
}

/** Undefined for a row that names no job, because a person has added it. */
function lineOf(
  row: Pick<LedgerRow, 'source'>,
  headers: readonly string[],
): { job: string; sheetRow: number; sheet: string; isOpen: boolean } | undefined {
  const cells = cellsOf(row);
  const text = (header: string) => (cells[headers.indexOf(header)] ?? '').trim();
  const job = text(JOB_COLUMN);
  if (job === '') return undefined;
  return {
    job,
    sheetRow: Number(text('_row')),
    sheet: text(SHEET_COLUMN),
    isOpen: !STATES_NOT_TO_SEND.has(text('_state')),
  };
}

function nameOf({ jobId: job, ordinal }: KnownRow): string {
  return rowNameText({ job, ordinal });
}

function textOf({ job, place }: FileRow): string {
  return `${job} ${place}`;
}

/** What is counted of a line: the rows that it stands for, one after the other, and by which row it stands for each. */
function namesOf(rows: readonly FileRow[]): string[] {
  return rows.flatMap((row, index) => {
    const by = rows[index - 1];
    return by === undefined ? [textOf(row)] : [textOf(row), byText(row, by)];
  });
}

function byText(row: FileRow, by: FileRow): string {
  return `${textOf(row)} by ${textOf(by)}`;
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
