/** The rows of earlier jobs that equal rows of a job in something, and whether undos have taken them back. */
import type { KnownRow } from '../../ledger/known-rows.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { type RowName, rowNameText } from '../../ledger/row-name.ts';
import type { JobDeps } from '../job/deps.ts';
import { backAgain } from './back-again.ts';
import { type ComparedRow, hashesOf } from './compared-rows.ts';
import { isCompared } from './hashed-jobs.ts';
import type { Lines } from './lines.ts';
import type { Reversal, Reversals } from './reversals.ts';
import { columnsOf } from './row-hashes.ts';

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

export class EarlierRows {
  /** The jobs whose rows were found, by id. */
  readonly jobs = new Map<string, JobRecord>();
  /** Those whose files have the same columns. */
  readonly alike = new Set<string>();
  readonly #job: JobRecord;
  readonly #deps: JobDeps;
  readonly #reversals: Reversals;
  readonly #lines: Lines;
  /** The items that undos have archived and somebody has restored: read once, when a decision first depends on it. */
  #back: { ids: ReadonlySet<string> | undefined } | undefined;

  constructor(job: JobRecord, deps: JobDeps, reversals: Reversals, lines: Lines) {
    this.#job = job;
    this.#deps = deps;
    this.#reversals = reversals;
    this.#lines = lines;
  }

  /**
   * Equal rows that were sent and that no undo has certainly taken back.
   *
   * @param pages all rows that are compared
   */
  async find(
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
    const own = columnsOf(this.#job).names.join('\n');
    const all = await ledger.known.find(this.#job.apiUrl, hashesOf(asked), this.#job.id);
    const ids = new Set(all.map(({ jobId }) => jobId)).difference(new Set(this.jobs.keys()));
    for (const job of ids.size === 0 ? [] : await ledger.jobs.list(undefined, { ids: [...ids] }))
      if (isCompared(job, this.#job)) {
        this.jobs.set(job.id, job);
        await this.#lines.readEarlier(job);
        if (columnsOf(job).names.join('\n') === own) this.alike.add(job.id);
      }
    const found = all.filter(({ jobId }) => this.jobs.has(jobId));
    return { found, takenBack: await this.#reversals.takenBack(found.map(nameOf)) };
  }
}

function nameOf({ jobId, ordinal }: KnownRow): RowName {
  return { job: jobId, ordinal };
}

/** True if an undo has taken the row back by archiving its item. */
function isArchived(reversal: Reversal): reversal is Reversal & { archived: string } {
  return reversal.isCertain && reversal.archived !== undefined;
}
