/**
 * Decides which items of a list of duplicates stay, so that an item is archived only while its owner has another one.
 */
import { isOwned } from '../../api/item-words.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import type { JobRecord, LedgerRow } from '../../ledger/ledger.ts';
import { castId } from '../../mapping/casts/id.ts';
import { fold } from '../../mapping/fold.ts';
import type { Expectation, Update } from '../engine/operation.ts';
import { ACTION_HEADER, GROUP_HEADER, isDupesFile } from './write-duplicates.ts';

export class KeptCopies {
  readonly #headers: readonly string[];
  /** Group → ids. */
  readonly #kept = new Map<string, string[]>();

  private constructor(headers: readonly string[]) {
    this.#headers = headers;
  }

  /** Undefined for a job of any other file. */
  static of({ source }: Pick<JobRecord, 'source'>): KeptCopies | undefined {
    return isDupesFile(source.headers) ? new KeptCopies(source.headers) : undefined;
  }

  /** Call this for every row of the job. */
  note(row: LedgerRow): void {
    const { cell, group } = this.#read(row);
    const status = cell('status');
    // An item that was sold or archived when the list was made does not count as kept.
    if (group === undefined || fold(cell(ACTION_HEADER)) === 'archive') return;
    if (status !== '' && !isOwned({ status })) return;
    const id = castId(cell('id'));
    if (typeof id === 'string') this.#kept.set(group, [...(this.#kept.get(group) ?? []), id]);
  }

  /** The conditions that an update of the row places on the other items of its group. */
  expectations(row: LedgerRow, { set: { status } }: Pick<Update, 'set'>): Expectation[] {
    const { group = '' } = this.#read(row);
    const of = status === undefined || isOwned({ status }) ? [] : (this.#kept.get(group) ?? []);
    return of.length === 0 ? [] : [{ is: 'copy', field: GROUP_HEADER, of }];
  }

  #read(row: LedgerRow): { cell: (header: string) => string; group: string | undefined } {
    const cells = cellsOf(row);
    const cell = (header: string) => (cells[this.#headers.indexOf(header)] ?? '').trim();
    const number = cell(GROUP_HEADER);
    return { cell, group: number === '' ? undefined : JSON.stringify([row.sheet, number]) };
  }
}
