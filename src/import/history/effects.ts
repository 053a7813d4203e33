/** The effect of a row on its item, with the values before and after: the basis for undo, `why` and later imports. */
import type { JobRecord, LedgerRow } from '../../ledger/ledger.ts';
import { isLeftOut } from '../job/judging.ts';
import { type FieldChange, fieldChanges } from '../engine/field-changes.ts';
import { createContent, mayBeApplied, updateOf, wasApplied } from '../engine/operation.ts';

export interface Effect {
  /**
   * `perhaps`: the request may have been applied, or the row may have made an item; `none`: the row did not change an
   * item.
   */
  kind: 'created' | 'changed' | 'perhaps' | 'none';
  /**
   * The changes that the row made or, if `perhaps`, may have made; a create has `from` undefined. Empty once pruned.
   */
  changes: FieldChange[];
  /**
   * The changes that the row did not make, because it is planned, held, skipped or refused, or because the server kept
   * a custom field.
   */
  left: FieldChange[];
}

export function effectOf(job: JobRecord, row: LedgerRow): Effect {
  const kind = kindOf(row);
  if (row.action === 'create') {
    if (kind === 'none' || row.input === null) return { kind, changes: [], left: [] };
    const set = createContent(job, row, job.request.stamp);
    return { kind, changes: fieldChanges({ set, before: {} }), left: [] };
  }
  const update = updateOf(row);
  const all = fieldChanges(update);
  if (kind === 'none') return { kind, changes: [], left: all };
  const kept = row.issues.filter(({ code }) => code === 'server_merges').map(({ column }) => column);
  const isKept = ({ field }: FieldChange) => kept.includes(field);
  const drifted = update.left === undefined ? [] : fieldChanges(update.left);
  return {
    kind,
    changes: all.filter((change) => !isKept(change)),
    left: [
      ...all.filter(isKept),
      ...drifted.filter(({ field }) => !all.some((each) => each.field === field)),
    ],
  };
}

/** True for a row that has certainly created or changed its item. */
export function hasEffect(row: Pick<LedgerRow, 'state' | 'action' | 'operation'>): boolean {
  return row.state === 'done' || ((row.state === 'held' || row.state === 'skipped') && wasApplied(row));
}

/** True for a row that has created or changed its item, or may have. */
export function mayHaveEffect(row: Pick<LedgerRow, 'state' | 'action' | 'operation'>): boolean {
  return row.state === 'sending' || row.state === 'unknown' || hasEffect(row) || isLeftUpdate(row);
}

/** True for an update that a person left out without knowing whether it was applied: only its item can tell. */
export function isLeftUpdate(row: Pick<LedgerRow, 'state' | 'action' | 'operation'>): boolean {
  return row.state === 'skipped' && mayBeApplied(row);
}

/**
 * True for a create that was sent, by this store or another, but may not have made an item: it waits, or a person has
 * left it out.
 */
export function isDoubtfulCreate(row: Pick<LedgerRow, 'state' | 'attempts' | 'issues' | 'action'>): boolean {
  if (row.action !== 'create' || (row.attempts === 0 && !isSentElsewhere(row))) return false;
  return row.state === 'held' || (row.state === 'skipped' && isLeftOut(row));
}

/** True for a row that another store seems to have sent: an identical item exists. */
function isSentElsewhere({ issues }: Pick<LedgerRow, 'issues'>): boolean {
  return issues.some(({ code }) => code === 'store_behind');
}

function kindOf(row: LedgerRow): Effect['kind'] {
  if (row.state === 'sending' || row.state === 'unknown') return 'perhaps';
  if (row.action === 'create') {
    if (row.state === 'done') return 'created';
    return isDoubtfulCreate(row) ? 'perhaps' : 'none';
  }
  if (isLeftUpdate(row)) return 'perhaps';
  if (!hasEffect(row)) return 'none';
  if (row.operation === null) return 'changed';
  return fieldChanges(updateOf(row)).length === 0 ? 'none' : 'changed';
}
