/**
 * Before a plan that was made earlier is sent: items that somebody has changed since are held, never
 * overwritten in silence. Compared by the fields concerned, each custom field by itself, and not by updated_at.
 */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import { changeSet, fieldChanges, fieldOf, sameField } from '../changes/field-changes.ts';
import { type Drifted, driftIssue } from '../changes/three-way.ts';
import { itemsById } from './current-items.ts';
import type { ImportDeps } from '../deps.ts';
import type { OnDrift } from '../options.ts';
import { updatePayload } from '../write/payload.ts';
import { rowPages } from '../results/row-pages.ts';
import { counted } from '../../counted.ts';

/** Items that are told with their three values; the results file has all of them. */
const TOLD = 10;

/** @param onDrift what becomes of a drifted row: held (default), skipped, or sent all the same */
export async function checkDrift(job: JobRecord, deps: ImportDeps, onDrift: OnDrift = 'hold'): Promise<void> {
  const updates = { states: ['planned'], actions: ['update'] } as const;
  const ids: string[] = [];
  for await (const rows of rowPages(deps.ledger, job.id, updates)) {
    ids.push(...rows.flatMap((row) => (row.itemId === null ? [] : [row.itemId])));
  }
  // Once for the whole job: a list that is paged through for some ids shows the others as well.
  const { items } = await itemsById(deps, ids);
  let drifted = 0;
  for await (const rows of rowPages(deps.ledger, job.id, updates)) {
    const moves: RowMove[] = [];
    for (const row of rows) {
      const item = items.get(row.itemId ?? '');
      // Gone: the write is refused in the server's own words.
      if (item === undefined) continue;
      const move = driftMove(row, item, onDrift);
      if (move === undefined) continue;
      moves.push(move);
      const [issue] = move.issues ?? [];
      if (issue === undefined) continue;
      drifted += 1;
      if (drifted <= TOLD)
        deps.emit({
          type: 'drifted',
          row: row.sheetRow,
          itemId: item.id,
          name: item.name,
          message: issue.message,
        });
    }
    // Only what is still planned: without the lane another process may have begun with these rows meanwhile.
    const unlessBegun = moves.map((move): RowMove => ({ ...move, from: 'planned' }));
    if (moves.length > 0) await deps.ledger.move(job.id, unlessBegun);
  }
  if (drifted > TOLD) {
    const message = `${counted(drifted - TOLD, 'more item was', 'more items were')} changed by somebody since the plan was made; the results file names ${drifted - TOLD === 1 ? 'it' : 'them'}`;
    deps.emit({ type: 'note', message });
  }
}

/** What a planned update becomes in view of the item as it is; undefined where it stays as it is planned. */
export function driftMove(row: LedgerRow, item: Item, onDrift: OnDrift): RowMove | undefined {
  const payload = updatePayload(row);
  const { ordinal } = row;
  // Those that somebody has made already are none of ours, and an undo must not take them back.
  const left: Drifted[] = fieldChanges(payload)
    .map((change) => ({ ...change, now: fieldOf(item, change.field) }))
    .filter(({ field, now, to }) => !sameField(field, to, now));
  const drifted = left.filter(({ field, from, now }) => !sameField(field, from, now));
  if (drifted.length > 0 && payload.confirmed !== true && onDrift !== 'overwrite') {
    return { ordinal, to: onDrift === 'hold' ? 'held' : 'skipped', issues: [driftIssue(drifted)] };
  }
  if (left.length === 0) {
    return payload.left === undefined
      ? { ordinal, to: 'unchanged' }
      : { ordinal, to: 'held', issues: [payload.left.issue] };
  }
  // What others have put into custom_fields meanwhile stays, and the before-image is that of the item as it is.
  const now = left.map((change) => ({ ...change, from: change.now }));
  const { set, before } = changeSet(now, item);
  const text = JSON.stringify({ ...payload, set, before });
  return text === row.payload ? undefined : { ordinal, to: 'planned', payload: text };
}
