/** Rows of a file that share a key: they set the same values, or they disagree. */
import { message } from '../../messages/message.ts';
import { issueOf } from '../engine/stored-issue.ts';
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import { placeOf } from '../../ledger/row-name.ts';
import { CLEAR } from '../../mapping/mapping.ts';
import type { RowPatch } from '../engine/input.ts';
import type { Copies } from './copies.ts';
import { createsByKey, type RowKeys } from '../changes/match-key.ts';

interface KeyUse {
  key: string;
  /** The values that the first row with the key sets, as text. */
  says: string;
  /** True as long as the other rows set the same values. */
  same: boolean;
  /** Number in the file of the first row with the key. */
  sheetRow: number;
  row: string;
  copies: number;
  /** Number of these rows that are planned now; the others were sent. */
  waiting: number;
  /** Further rows with the key → their copies. */
  others?: Map<string, number>;
  /** All rows set the same values, in the same quantity. Known once all rows were noted. */
  agrees?: boolean;
}

export class RepeatedKeys {
  readonly #job: JobRecord;
  readonly #keys: RowKeys;
  /** By key; rows for which a person chose an item have separate entries. */
  readonly #uses = new Map<string, KeyUse>();

  constructor(job: JobRecord, keys: RowKeys) {
    this.#job = job;
    this.#keys = keys;
  }

  /**
   * Call this for each row, in the order of the file; rows without a key are ignored.
   *
   * @param isPlanned false for a row that was sent, or that a person has decided about
   */
  note(row: LedgerRow, patch: RowPatch, isPlanned: boolean): void {
    const key = this.#keys.of(patch);
    if (key === '') return;
    const says = patch.onceOnly === true ? String(row.ordinal) : this.#meaningOf(row, patch);
    const name = this.#nameOf(row);
    const known = this.#uses.get(useOf(key, patch));
    const waiting = isPlanned ? 1 : 0;
    if (known === undefined) {
      const { sheetRow } = row;
      this.#uses.set(useOf(key, patch), { key, same: true, says, sheetRow, row: name, copies: 1, waiting });
    } else if (known.row === name) {
      known.copies += 1;
      known.waiting += waiting;
    } else {
      known.others ??= new Map<string, number>();
      known.others.set(name, (known.others.get(name) ?? 0) + 1);
      known.same &&= known.says === says;
    }
  }

  keys(): Set<string> {
    return new Set([...this.#uses.values()].map(({ key }) => key));
  }

  /** Number of planned copies of this row, including itself. */
  copiesOf(patch: RowPatch): number {
    return this.#useOf(patch)?.waiting ?? 1;
  }

  /**
   * The result for a row, after all rows were noted: `repeats` if an earlier row makes the same change, an issue if
   * rows disagree, undefined if the row is planned on its own.
   *
   * @param found the items with the key
   * @param copies true if the file has quantities
   */
  judge(
    row: LedgerRow,
    patch: RowPatch,
    found: readonly Item[],
    copies: Copies | undefined,
  ): StoredIssue | 'repeats' | undefined {
    const use = this.#useOf(patch);
    if (use?.others === undefined) return undefined;
    use.agrees ??= use.same && [...use.others.values()].every((others) => others === use.copies);
    if (use.agrees) {
      const isFirst = use.row === this.#nameOf(row);
      return !isFirst && this.#isOneChange(use, patch, found, copies) ? 'repeats' : undefined;
    }
    // Several items have the key, so the rows may mean different items: each row reports itself as ambiguous.
    if (copies === undefined && patch.chosen === undefined && found.length > 1) return undefined;
    const { label } = this.#keys;
    const about = { key: label, rows: use.others.size + 1, first: use.sheetRow };
    const said = message(patch.onceOnly === true ? 'rows_of_key_may_add_up' : 'rows_of_key_disagree', about);
    return issueOf('duplicate_key', said, { column: label, ...this.#keys.asWritten(patch) });
  }

  /**
   * False if there is no item, or if one of several items would have to be chosen: then each of the rows reports it.
   */
  #isOneChange(
    { key, row, waiting }: KeyUse,
    { chosen }: RowPatch,
    found: readonly Item[],
    copies: Copies | undefined,
  ): boolean {
    if (copies !== undefined) return !copies.isSurplus(key, row, found, waiting);
    return found.length === 1 || (found.length === 0 ? createsByKey(this.#job) : chosen !== undefined);
  }

  /** Equal for rows that are copies of one another. Copies have separate items only in a job that creates items. */
  #nameOf(row: LedgerRow): string {
    return hasCopies(this.#job) ? placeOf(row) : String(row.ordinal);
  }

  /** Equal for rows that set the same values, however they spell the key, the status or the collection. */
  #meaningOf({ collection }: LedgerRow, patch: RowPatch): string {
    const { fields, customFields, tags } = this.#keys.besides(patch);
    const said = Object.entries(fields).map(([field, { value, text, issue }]) => [
      field,
      issue === undefined && value !== CLEAR ? { value } : { text },
    ]);
    // The texts of custom fields: the item decides which type they get.
    const custom = Object.entries(customFields).map(([key, { text }]) => [key, text]);
    const id = collection === null ? undefined : this.#job.collections[collection];
    return JSON.stringify([said, custom, tags, id ?? collection]);
  }

  #useOf(patch: RowPatch): KeyUse | undefined {
    return this.#uses.get(useOf(this.#keys.of(patch), patch));
  }
}

/** True if a row of the file may stand for several new items. */
export function hasCopies(job: JobRecord): boolean {
  return createsByKey(job) && job.plan.quantityColumn !== undefined;
}

/**
 * Rows that share a key are for the same item, unless a person chose items for them: then rows with the same choice
 * belong together.
 */
function useOf(key: string, { chosen }: RowPatch): string {
  return chosen === undefined ? key : `${chosen} ${key}`;
}
