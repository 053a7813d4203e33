/**
 * Rows of our own export whose items have changed since the export. If such a row differs from its item, a person's
 * edit cannot be told from an outdated value, so the row is held (`--on-drift`). An exception are rows that an earlier
 * import of the same row explains: then every current value of the item is the exported one, or the one that this
 * import set. A cell that still has a value which such an import replaced may be from another copy of the export, so
 * its row is held.
 */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, Ledger, StoredIssue } from '../../ledger/ledger.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { driftIssue, wantedOn } from '../changes/drift.ts';
import { sameField } from '../engine/equality.ts';
import { type FieldChange, fieldChanges, isEmptied } from '../engine/field-changes.ts';
import type { RowPatch } from '../engine/input.ts';
import { type Update, updateOf } from '../engine/operation.ts';
import { shown } from '../engine/three-way.ts';
import { mayHaveEffect } from '../history/effects.ts';
import type { RowKeys } from '../changes/match-key.ts';

export class SinceExport {
  readonly #keys: RowKeys;
  readonly #exported = new Map<string, string>();
  /** Item → its fields that an earlier import of the same row explains. */
  readonly #accounted = new Map<string, Set<string>>();
  /** Item → all changes by earlier imports of the same row. */
  readonly #earlier = new Map<string, FieldChange[]>();

  constructor(keys: RowKeys) {
    this.#keys = keys;
  }

  note(patch: RowPatch): void {
    if (patch.exported !== undefined) this.#exported.set(this.#keys.of(patch), patch.exported);
  }

  /** Looks up the values that this store has sent to items that have changed. */
  async read(found: ReadonlyMap<string, Item[]>, { apiUrl }: JobRecord, ledger: Ledger): Promise<void> {
    const changed = new Map<string, { item: Item; exported: string }>();
    for (const [key, exported] of this.#exported)
      for (const item of found.get(key) ?? [])
        if (!isSameTime(exported, item.updated_at)) changed.set(item.id.toLowerCase(), { item, exported });
    if (changed.size === 0) return;
    for (const sent of await ledger.items.sentUpdates(apiUrl, [...changed.keys()])) {
      const { item, exported } = changed.get(sent.itemId) ?? {};
      const update = updateOf(sent);
      if (item === undefined || update.exported !== exported) continue;
      if (!mayHaveEffect({ ...sent, action: 'update' })) continue;
      const earlier = this.#earlier.get(sent.itemId) ?? [];
      this.#earlier.set(sent.itemId, [...earlier, ...fieldChanges(update)]);
      const wanted = wantedOn(update, item, 'to');
      // Values that replaced newer ones are not an edit of the exported ones.
      const isExplained = update.isOlder !== true && wanted.every(({ is }) => is !== 'changed');
      if (!this.#accounted.has(sent.itemId) && isExplained)
        this.#accounted.set(sent.itemId, new Set(wanted.map(({ field }) => field)));
    }
  }

  /** Why the update of a row may put older values back; undefined if it cannot. */
  issue({ exported }: RowPatch, update: Update, item: Item): StoredIssue | undefined {
    if (exported === undefined) return undefined;
    // A computed value starts from the item as it is.
    const changes = fieldChanges(update).filter(({ field }) => update.relative?.[field] === undefined);
    if (changes.length === 0) return undefined;
    if (isSameTime(exported, item.updated_at)) return undefined;
    const id = item.id.toLowerCase();
    const accounted = this.#accounted.get(id);
    const earlier = this.#earlier.get(id) ?? [];
    const isLost = ({ field, from, to }: FieldChange) =>
      (accounted?.has(field) !== true && !isEmptied(from)) ||
      earlier.some((each) => each.field === field && sameField(field, each.from, to));
    if (accounted !== undefined && !changes.some(isLost)) return undefined;
    const means = message('changed_since_export', { exported, changed: item.updated_at });
    return driftIssue(changes.map(differing), changes[0]?.field, means);
  }
}

/** How a row differs from its item. */
export function differing({ field, from, to }: FieldChange): Message {
  return message('differs_from_file', { field, now: shown(field, from), row: shown(field, to) });
}

/** Compared to the second if the cell has no finer time; a spreadsheet's date cell is in UTC. */
function isSameTime(exported: string, at: string): boolean {
  const of = (text: string) => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  const unit = exported.includes('.') ? 1 : 1000;
  return Math.floor(of(exported) / unit) === Math.floor(of(at) / unit);
}
