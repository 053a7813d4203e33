/**
 * Plans an undo: each field that the job changed goes back to what it was, unless somebody has changed it since;
 * an item that it created is archived, with a custom field that says why, as the API has no delete.
 */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { changeSet, type FieldChange, fieldOf } from '../engine/field-changes.ts';
import { sameField } from '../engine/equality.ts';
import { type Drifted, type Standing, threeWay } from '../engine/three-way.ts';
import { itemsById, type PlanFacts } from '../items/current-items.ts';
import type { JobDeps } from '../job/deps.ts';
import { type CreatedItem, type Expectation, itemShown, updateText } from '../engine/operation.ts';
import { teamCollections } from '../items/collections.ts';
import { rowPages } from '../job/row-pages.ts';
import { changedSinceCreated, undoDrift } from '../changes/drift.ts';
import { type UndoPatch, undoPatchOf } from '../engine/input.ts';
import { UNDONE } from '../history/reversals.ts';
import type { OnDrift } from '../../ledger/job-parts.ts';

export async function planUndo(job: JobRecord, deps: JobDeps): Promise<PlanFacts> {
  const { onDrift = 'hold' } = job.request;
  const planned = { states: ['planned'] } as const;
  const ids: string[] = [];
  for await (const rows of rowPages(deps.ledger, job.id, planned))
    ids.push(...rows.filter(isUnplanned).map((row) => undoPatchOf(row).itemId));
  const { items, reading } = await itemsById(deps, ids);
  for await (const rows of rowPages(deps.ledger, job.id, planned)) {
    const moves = rows.filter(isUnplanned).map((row) => planRow(row, items, onDrift));
    if (moves.length > 0) await deps.ledger.rows.move(job.id, moves);
  }
  return { teamCollections: teamCollections(items.values()), reading };
}

/** True for a planned row that the plan has not seen yet. */
export function isUnplanned(row: LedgerRow): boolean {
  return row.operation === null;
}

function planRow(row: LedgerRow, items: Map<string, Item>, onDrift: OnDrift): RowMove {
  const patch = undoPatchOf(row);
  const item = items.get(patch.itemId);
  const { ordinal } = row;
  if (item === undefined) {
    const message = `item ${patch.itemId} no longer exists: there is nothing to take back`;
    return {
      ordinal,
      from: 'planned',
      to: 'skipped',
      itemId: patch.itemId,
      issues: [{ code: 'no_such_item', message }],
    };
  }
  const { changes, drifted, all } = 'changes' in patch ? revert(patch.changes, item) : archive(patch, item);
  const expect: Expectation[] = 'body' in patch ? [{ is: 'created', ...createdBy(patch) }] : [];
  const overwrite = onDrift === 'overwrite';
  const sent = overwrite ? all : changes;
  const update = {
    ...changeSet(fromNow(sent, item), item),
    item: itemShown(item),
    ...(expect.length === 0 ? {} : { expect }),
  };
  const move: Omit<RowMove, 'to'> = {
    ordinal,
    from: 'planned',
    itemId: patch.itemId,
    operation: updateText(update),
  };
  if (drifted.length === 0 || overwrite) return { ...move, to: sent.length === 0 ? 'unchanged' : 'planned' };
  const issue = undoDrift(drifted);
  if (onDrift === 'skip') {
    return sent.length === 0 ? { ...move, to: 'skipped', issues: [issue] } : { ...move, to: 'planned' };
  }
  const left = { ...changeSet(fromNow(all, item), item), issue };
  const held = { ...move, operation: updateText({ ...update, left }) };
  return sent.length === 0 ? { ...held, to: 'held', issues: [issue] } : { ...held, to: 'planned' };
}

interface Reverted {
  /** To make. */
  changes: FieldChange[];
  /** Left because somebody has changed these fields since. */
  drifted: Drifted[];
  /** To make if that is ignored. */
  all: FieldChange[];
}

function revert(wanted: readonly FieldChange[], item: Item): Reverted {
  const open = wanted.map((change) => threeWay(change, item, 'from')).filter(({ is }) => is !== 'made');
  const of = (standing: Standing['is']) => open.filter(({ is }) => is === standing);
  return { changes: of('open'), drifted: of('changed'), all: open };
}

function archive(patch: Extract<UndoPatch, { body: unknown }>, item: Item): Reverted {
  const changes: FieldChange[] = [
    { field: 'status', from: item.status, to: 'archived' },
    {
      field: CUSTOM_PREFIX + UNDONE,
      from: fieldOf(item, CUSTOM_PREFIX + UNDONE),
      to: `${patch.origin}; taken back by jobs undo: may be deleted`,
    },
  ].filter(({ field, from, to }) => !sameField(field, from, to));
  // Already archived by an earlier undo, or by this one before a kill.
  if (changes.length === 0) return { changes, drifted: [], all: changes };
  const drifted = changedSinceCreated(createdBy(patch), item);
  if (drifted.length === 0) return { changes, drifted, all: changes };
  // Somebody has changed the item since it was created: none of it is touched.
  return { changes: [], drifted, all: changes };
}

function createdBy({ body, learned }: Extract<UndoPatch, { body: unknown }>): CreatedItem {
  return { body, ...(learned === undefined ? {} : { learned }) };
}

/** The before-image of an undo is the item as it is now. */
function fromNow(changes: readonly FieldChange[], item: Item): FieldChange[] {
  return changes.map((change) => ({ ...change, from: fieldOf(item, change.field) }));
}
