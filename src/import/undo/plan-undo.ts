/**
 * Plans an undo: each field that the job changed gets its previous value back, unless somebody has changed it since, or
 * another undo has taken the change back: then nothing of it is left, even if the field has the same value again.
 * Items that the job created are archived, with a custom field that says why, because the API has no delete.
 */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { type RowName, rowNameText } from '../../ledger/row-name.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { message } from '../../messages/message.ts';
import { mayBeLate } from '../engine/absence.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { changeSet, type FieldChange, fieldOf } from '../engine/field-changes.ts';
import { type Drifted, type ThreeWayChange, threeWay } from '../engine/three-way.ts';
import { isRestoring, Reversals, undosIn } from '../history/reversals.ts';
import { itemsById, type PlanFacts, unknownFieldsOf } from '../items/current-items.ts';
import type { JobDeps } from '../job/deps.ts';
import { type CreatedItem, itemShown, type Update, updateText } from '../engine/operation.ts';
import { teamCollections } from '../items/collections.ts';
import { type Decision, decideRows, rowPages } from '../job/row-pages.ts';
import { alreadySo, changedSinceCreated, undoDrift } from '../changes/drift.ts';
import { type UndoPatch, undoPatchOf } from '../engine/input.ts';
import { UNDONE } from '../engine/undone.ts';
import type { OnDrift } from '../../ledger/job-parts.ts';

export async function planUndo(job: JobRecord, deps: JobDeps): Promise<PlanFacts> {
  const { onDrift = 'hold' } = job.request;
  const { committed: plannedAfter } = await deps.ledger.items.intents(job.apiUrl);
  const planned = { states: ['planned'] } as const;
  const ids: string[] = [];
  const fields = new Set<string>();
  for await (const rows of rowPages(deps.ledger, job.id, planned))
    for (const patch of rows.filter(isUnplanned).map(undoPatchOf)) {
      ids.push(patch.itemId);
      for (const field of undoneFields(patch)) fields.add(field);
    }
  const { items, reading } = await itemsById(deps, ids, { fields });
  const missing = new Set(ids.filter((id) => !items.has(id)));
  const late = await mayBeLate(missing, job.apiUrl, deps);
  const undos = new Map((await undosIn(deps.ledger)).map((each) => [each.id, each]));
  const takenBack = await changesTakenBack(job, deps.ledger);
  // A deleted item leaves nothing to take back, and it cannot be restored.
  const gone = isRestoring(job, undos) ? 'held' : 'skipped';
  await decideRows(job.id, deps.ledger, planned, (row) =>
    isUnplanned(row) ? planRow(row, items, onDrift, { late, gone, takenBack }) : undefined,
  );
  return { teamCollections: teamCollections(items.values()), reading, plannedAfter };
}

/** Changes of updates that other undos have certainly taken back, by the undo's row and the field. */
async function changesTakenBack({ id }: JobRecord, ledger: Ledger): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const reversals = await Reversals.open(ledger);
  for await (const rows of rowPages(ledger, id, { states: ['planned'] })) {
    const byField = new Map<string, { row: LedgerRow; reverts: RowName }[]>();
    for (const row of rows.filter(isUnplanned)) {
      const { reverts } = row;
      const patch = undoPatchOf(row);
      if (reverts === undefined || 'body' in patch || !reversals.isTouched(reverts.job)) continue;
      for (const { field } of patch.changes)
        byField.set(field, [...(byField.get(field) ?? []), { row, reverts }]);
    }
    for (const [field, changes] of byField) {
      const names = changes.map(({ reverts }) => reverts);
      const back = await reversals.takenBack(names, field);
      for (const { row, reverts } of changes) {
        const reversal = back.get(rowNameText(reverts));
        if (reversal?.isCertain === true && reversal.undo !== id) found.add(changeName(row, field));
      }
    }
  }
  return found;
}

function changeName({ ordinal }: LedgerRow, field: string): string {
  return `${ordinal} ${field}`;
}

function undoneFields(patch: UndoPatch): string[] {
  if ('body' in patch) return Object.keys(patch.body);
  return patch.changes.map(({ field }) => field);
}

/** True for a planned row that the plan has not processed yet. */
export function isUnplanned(row: LedgerRow): boolean {
  return row.operation === null;
}

function planRow(
  row: LedgerRow,
  items: Map<string, Item>,
  onDrift: OnDrift,
  {
    late,
    gone: whereGone,
    takenBack,
  }: { late: ReadonlySet<string>; gone: Decision['to']; takenBack: ReadonlySet<string> },
): Decision {
  const patch = undoPatchOf(row);
  const { itemId } = patch;
  const item = items.get(itemId);
  if (item === undefined && late.has(itemId)) {
    const said = message('item_may_be_late', { item: itemId });
    return { to: 'held', itemId, issues: [issueOf('no_such_item', said)] };
  }
  if (item === undefined) {
    const gone = issueOf('no_such_item', message('item_already_gone', { item: itemId }));
    return { to: whereGone, itemId, issues: [gone] };
  }
  const unknown = unknownFieldsOf(item);
  if (unknown !== undefined) return { to: 'held', itemId, issues: [unknown] };
  const { open, drifted, all, made } = standing(patch, item, (field) =>
    takenBack.has(changeName(row, field)),
  );
  const isIgnored = onDrift === 'overwrite' || drifted.length === 0;
  const sent = onDrift === 'overwrite' ? all : open;
  const update: Omit<Update, 'kind'> = {
    ...changeSet(fromNow(sent), item),
    ...alreadySo(made),
    item: itemShown(item),
  };
  if ('body' in patch) update.expect = [{ is: 'created', ...createdBy(patch) }];
  const issue = undoDrift(drifted);
  const to = onDrift === 'skip' ? 'skipped' : 'held';
  if (!isIgnored) update.left = { ...changeSet(fromNow(all), item), issue, to };
  const operation = updateText(update);
  if (sent.length > 0) return { to: 'planned', itemId, operation };
  if (isIgnored) return { to: 'unchanged', itemId, operation };
  return { to, itemId, operation, issues: [issue] };
}

interface Reversion {
  open: ThreeWayChange[];
  /** Fields left unchanged because somebody has changed them since. */
  drifted: Drifted[];
  /** All changes, if drift is ignored. */
  all: ThreeWayChange[];
  /** Changes that are already undone. */
  made: ThreeWayChange[];
}

/** @param isTakenBack whether another undo has taken a change back: what the item has now, it got since */
function standing(patch: UndoPatch, item: Item, isTakenBack: (field: string) => boolean): Reversion {
  const wanted = 'body' in patch ? archiving(patch, item) : patch.changes;
  const standings = wanted.map((change) => threeWay(change, item, 'from'));
  const all = standings.filter(({ is }) => is !== 'made');
  const made = standings.filter(({ is }) => is === 'made');
  const left = all.filter(({ field }) => !isTakenBack(field));
  const of = (wanted: ThreeWayChange['is']) => left.filter(({ is }) => is === wanted);
  // An item may be archived already, by an earlier undo or by this one before a kill.
  if (!('body' in patch) || all.length === 0) return { open: of('open'), drifted: of('changed'), all, made };
  const drifted = changedSinceCreated(createdBy(patch), item);
  // Somebody has changed the item since it was created: none of it is touched.
  return { open: drifted.length === 0 ? all : [], drifted, all, made };
}

function archiving({ origin }: Extract<UndoPatch, { body: unknown }>, item: Item): FieldChange[] {
  const field = CUSTOM_PREFIX + UNDONE;
  const to = `${origin}; taken back by jobs undo: may be deleted`;
  return [
    { field: 'status', from: item.status, to: 'archived' },
    { field, from: fieldOf(item, field), to },
  ];
}

function createdBy({ body, learned }: Extract<UndoPatch, { body: unknown }>): CreatedItem {
  return { body, ...(learned === undefined ? {} : { learned }) };
}

/** The before-image of an undo is the current item. */
function fromNow(changes: readonly ThreeWayChange[]): FieldChange[] {
  return changes.map((change) => ({ ...change, from: change.now }));
}
