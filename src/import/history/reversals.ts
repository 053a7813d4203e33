/**
 * Whether what a row did is still in effect: it is, unless a row of an undo that is in effect itself has taken it back.
 * A row of an undo names the row that it takes back, so this holds for undos of undos, stopped or not.
 */
import type { JobRecord, Ledger, RevertingRow } from '../../ledger/ledger.ts';
import { type RowName, rowNameText } from '../../ledger/row-name.ts';
import { effectOf, hasEffect } from './effects.ts';

export class Reversals {
  readonly #ledger: Pick<Ledger, 'rows'>;
  readonly #jobs: ReadonlyMap<string, JobRecord>;
  /** Jobs of which an undo has taken back something: the rows of all others are in effect. */
  readonly #touched: ReadonlySet<string>;

  /** @param jobs all of the store */
  constructor(jobs: readonly JobRecord[], ledger: Pick<Ledger, 'rows'>) {
    this.#ledger = ledger;
    this.#jobs = new Map(jobs.map((job) => [job.id, job]));
    this.#touched = new Set(
      jobs.flatMap(({ firstSentAt, options }) => (firstSentAt === undefined ? [] : (options.undoes ?? []))),
    );
  }

  isTouched(jobId: string): boolean {
    return this.#touched.has(jobId);
  }

  /**
   * Those of the rows that are taken back, as texts (rowNameText), each with the id of the undo.
   *
   * @param field only what the rows did to this field counts
   */
  async takenBack(rows: readonly RowName[], field?: string): Promise<ReadonlyMap<string, string>> {
    const touched = rows.filter(({ job }) => this.#touched.has(job));
    if (touched.length === 0) return new Map();
    const reverting = (await this.#ledger.rows.reverting(touched)).filter(({ job, row }) => {
      if (!hasEffect(row)) return false;
      const undo = this.#jobs.get(job);
      // An undo leaves fields that somebody has changed since.
      return !(
        field !== undefined &&
        undo !== undefined &&
        effectOf(undo, row).left.some((each) => each.field === field)
      );
    });
    const nameOf = ({ job, row }: RevertingRow) => ({ job, ordinal: row.ordinal });
    const undone = await this.takenBack(reverting.map(nameOf), field);
    return new Map(
      reverting
        .filter((each) => !undone.has(rowNameText(nameOf(each))))
        .map(({ job, reverts }) => [rowNameText(reverts), job]),
    );
  }
}
