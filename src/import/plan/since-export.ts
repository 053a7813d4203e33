/**
 * Rows of our own export whose items have changed since the export. If such a row differs from its item, a person's
 * edit cannot be told from an outdated value, so the row is held (`--on-drift`). An exception are rows that an earlier
 * import of the same row explains: then every current value of the item is the exported one, or the one that this
 * import set.
 */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, Ledger, StoredIssue } from '../../ledger/ledger.ts';
import { message } from '../../messages/message.ts';
import { driftIssue, wantedOn } from '../changes/drift.ts';
import { fieldChanges, isEmptied } from '../engine/field-changes.ts';
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
      if (item === undefined || update.exported !== exported || this.#accounted.has(sent.itemId)) continue;
      const wanted = wantedOn(update, item, 'to');
      if (mayHaveEffect({ ...sent, action: 'update' }) && wanted.every(({ is }) => is !== 'changed'))
        this.#accounted.set(sent.itemId, new Set(wanted.map(({ field }) => field)));
    }
  }

  /** Why the update of a row may put older values back; undefined if it cannot. */
  issue({ exported }: RowPatch, update: Update, item: Item): StoredIssue | undefined {
    // A computed value starts from the item as it is.
    if (exported === undefined || update.relative !== undefined) return undefined;
    if (isSameTime(exported, item.updated_at)) return undefined;
    const accounted = this.#accounted.get(item.id.toLowerCase());
    const isLost = (field: string, from: unknown) => accounted?.has(field) !== true && !isEmptied(from);
    const changes = fieldChanges(update);
    if (accounted !== undefined && !changes.some(({ field, from }) => isLost(field, from))) return undefined;
    const told = changes.map(({ field, from, to }) =>
      message('differs_from_export', { field, now: shown(field, from), row: shown(field, to) }),
    );
    const means = message('changed_since_export', { exported, changed: item.updated_at });
    return driftIssue(told, changes[0]?.field, means);
  }
}

/** Compared to the second if the cell has no finer time; a spreadsheet's date cell is in UTC. */
function isSameTime(exported: string, at: string): boolean {
  const of = (text: string) => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  const unit = exported.includes('.') ? 1 : 1000;
  return Math.floor(of(exported) / unit) === Math.floor(of(at) / unit);
}
