/**
 * Whether the effect of a row still holds: it does, unless a row of an undo that is in effect itself has taken it back.
 * Each row of an undo names the row that it takes back, so this also covers undos of undos, and stopped undos.
 */
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { type RowName, rowNameText } from '../../ledger/row-name.ts';
import { createdWith, updateOf } from '../engine/operation.ts';
import { effectOf, hasEffect, mayHaveEffect } from './effects.ts';

/** A row that an undo takes back. */
export interface Reversal {
  /** Id of the undo, or of the undo that got no answer if the outcome is uncertain. */
  undo: string;
  /** False if a request of an undo got no answer: the row may still be in effect. */
  isCertain: boolean;
  /** The item that the undo archived: somebody may have restored it. Absent if no item was archived. */
  archived?: string;
}

export class Reversals {
  readonly #ledger: Pick<Ledger, 'rows'>;
  readonly #undos: ReadonlyMap<string, JobRecord>;
  /** Jobs that an undo has taken back, or will, in part or in full: the rows of all other jobs are in effect. */
  readonly #touched: ReadonlySet<string>;

  private constructor(undos: readonly JobRecord[], ledger: Pick<Ledger, 'rows'>) {
    this.#ledger = ledger;
    this.#undos = new Map(undos.map((job) => [job.id, job]));
    const touching = undos.filter((job) => hasBegun(job) || isUnderWay(job));
    this.#touched = new Set(touching.flatMap(({ request }) => request.undoes ?? []));
  }

  static async open(ledger: Pick<Ledger, 'jobs' | 'rows'>): Promise<Reversals> {
    return new Reversals(await undosIn(ledger), ledger);
  }

  /** Differs once an undo has begun, gone on or ended: what is in effect changes only by these. */
  get version(): string {
    const begun = [...this.#undos.values()].filter((job) => hasBegun(job) || isUnderWay(job));
    return begun.map(({ id, state, updatedAt }) => `${id} ${state} ${updatedAt}`).join();
  }

  isTouched(jobId: string): boolean {
    return this.#touched.has(jobId);
  }

  isUndo(jobId: string): boolean {
    return this.#undos.has(jobId);
  }

  /** The undo of the whole job, if one has begun and was not undone itself. */
  undoOf(jobId: string): JobRecord | undefined {
    return undoOfWhole(jobId, [...this.#undos.values()]);
  }

  /**
   * The rows that are taken back, or may be, by their names (rowNameText).
   *
   * @param field only the effect of the rows on this field counts
   */
  async takenBack(rows: readonly RowName[], field?: string): Promise<ReadonlyMap<string, Reversal>> {
    const touched = rows.filter(({ job }) => this.#touched.has(job));
    const found = new Map<string, Reversal>();
    if (touched.length === 0) return found;
    const reverting = (await this.#ledger.rows.reverting(touched))
      .filter(({ job, row }) => this.#mayTakeBack(job, row, field))
      .map(({ job, row, reverts }) => ({ name: { job, ordinal: row.ordinal }, row, reverts }));
    const undone = await this.takenBack(
      reverting.map(({ name }) => name),
      field,
    );
    const created = await this.#createdOf(reverting);
    for (const { name, row, reverts } of reverting) {
      const itself = undone.get(rowNameText(name));
      if (itself?.isCertain === true) continue;
      const text = rowNameText(reverts);
      const isCertain = (hasEffect(row) || isGone(row)) && itself === undefined;
      if (found.get(text)?.isCertain === true) continue;
      const archived = row.itemId !== null && !isGone(row) && created(row, text) ? row.itemId : undefined;
      found.set(text, {
        undo: itself?.undo ?? name.job,
        isCertain,
        ...(archived === undefined ? {} : { archived }),
      });
    }
    return found;
  }

  /**
   * Whether a row of an undo takes back a create, and so archives its item. If the undo was pruned, only the rows that
   * it took back still show this.
   */
  async #createdOf(
    reverting: readonly { row: LedgerRow; reverts: RowName }[],
  ): Promise<(row: LedgerRow, reverted: string) => boolean> {
    const pruned = reverting.filter(({ row }) => row.operation === null).map(({ reverts }) => reverts);
    const creates = new Set<string>();
    for (const [job, names] of Map.groupBy(pruned, (name) => name.job)) {
      const ordinals = names.map(({ ordinal }) => ordinal);
      const query = { ordinals, actions: ['create'], limit: ordinals.length } as const;
      for (const { ordinal } of await this.#ledger.rows.list(job, query))
        creates.add(rowNameText({ job, ordinal }));
    }
    return (row, reverted) => createdWith(updateOf(row)) !== undefined || creates.has(reverted);
  }

  /** Also false for a row of an undo that left a field unchanged because somebody else had changed it. */
  #mayTakeBack(undo: string, row: LedgerRow, field: string | undefined): boolean {
    const job = this.#undos.get(undo);
    if (job !== undefined && isGone(row)) return hasBegun(job) && !isRestoring(job, this.#undos);
    // The row is taken back when the undo continues.
    if (row.state === 'planned' && job !== undefined && isUnderWay(job)) return true;
    if (!mayHaveEffect(row)) return false;
    if (field === undefined || job === undefined) return true;
    return !effectOf(job, row).left.some((each) => each.field === field);
  }
}

/** True for an undo of an undo: it restores items, but cannot restore a deleted one. */
export function isRestoring(
  { request: { undoes = '' } }: JobRecord,
  undos: ReadonlyMap<string, JobRecord>,
): boolean {
  const undone = undos.get(undoes);
  return undone !== undefined && !isRestoring(undone, undos);
}

/**
 * The state of a job that had ended and again has rows to send. A job that was undone sends them only when it is
 * applied.
 */
export async function stateOfRest({ id }: JobRecord, ledger: Ledger): Promise<'paused' | 'cancelled'> {
  return undoOfWhole(id, await undosIn(ledger)) === undefined ? 'paused' : 'cancelled';
}

/** Jobs that undo rows of the job, or were planned to, in any state. */
export async function undosOf(jobId: string, ledger: Pick<Ledger, 'jobs'>): Promise<JobRecord[]> {
  return (await undosIn(ledger)).filter(({ request }) => request.undoes === jobId);
}

/** The undos of the store. */
export function undosIn({ jobs }: Pick<Ledger, 'jobs'>): Promise<JobRecord[]> {
  return jobs.list(undefined, { kind: 'undo' });
}

function undoOfWhole(jobId: string, undos: readonly JobRecord[]): JobRecord | undefined {
  return undos.find(
    (each) =>
      each.request.undoes === jobId &&
      each.request.undoesPart !== true &&
      hasBegun(each) &&
      undoOfWhole(each.id, undos) === undefined,
  );
}

/** True for an undo that was applied, even if it sent nothing because all of its items were gone. */
function hasBegun({ firstSentAt, state, dryRun }: JobRecord): boolean {
  return firstSentAt !== undefined || (state === 'done' && !dryRun);
}

/** True for an undo that sends rows or will be resumed, even if it has not sent its first one. */
function isUnderWay({ firstSentAt, state }: JobRecord): boolean {
  const hasLane = state === 'running' || state.startsWith('parked_') || state === 'interrupted';
  return (firstSentAt !== undefined || hasLane) && state !== 'done' && state !== 'cancelled';
}

/** True for a row of an undo whose item was deleted, so that there is nothing to take back. */
function isGone({ state, issues }: LedgerRow): boolean {
  return (state === 'skipped' || state === 'refused') && issues.some(({ code }) => code === 'no_such_item');
}
