/**
 * Before a plan that was made earlier is sent: items that somebody has changed since are held, never
 * overwritten in silence. Compared by the fields concerned, not by updated_at alone.
 */
import type { WritableField } from '../api/schemas.ts';
import type { JobRecord, RowMove } from '../ledger/ledger.ts';
import { sameValue } from './content.ts';
import { itemsById } from './current-items.ts';
import type { ImportDeps } from './deps.ts';
import { updatePayload } from './payload.ts';
import { rowPages } from './row-pages.ts';

export async function holdDrifted(job: JobRecord, deps: ImportDeps): Promise<void> {
  const updates = { states: ['planned'], actions: ['update'] } as const;
  const ids: string[] = [];
  for await (const rows of rowPages(deps.ledger, job.id, updates)) {
    ids.push(...rows.flatMap((row) => (row.itemId === null ? [] : [row.itemId])));
  }
  // Once for the whole job: a list that is paged through for some ids shows the others as well.
  const items = await itemsById(deps.client, ids, deps.signal, (done, total) =>
    deps.emit({ type: 'checking', done, total }),
  );
  for await (const rows of rowPages(deps.ledger, job.id, updates)) {
    const moves: RowMove[] = [];
    for (const row of rows) {
      const item = items.get(row.itemId ?? '');
      // Gone: the write is refused in the server's own words.
      if (item === undefined) continue;
      const { set, before, confirmed } = updatePayload(row);
      if (confirmed === true) continue;
      const fields = Object.keys(set) as WritableField[];
      const drifted = fields.filter(
        (field) =>
          !sameValue(field, before[field], item[field]) && !sameValue(field, set[field], item[field]),
      );
      if (drifted.length > 0) {
        const message = drifted
          .map(
            (field) =>
              `${field} was ${text(before[field])} when planned, is ${text(item[field])} now, planned ${text(set[field])}`,
          )
          .join('; ');
        moves.push({ ordinal: row.ordinal, to: 'held', issues: [{ code: 'drifted', message }] });
      } else if (fields.every((field) => sameValue(field, set[field], item[field]))) {
        moves.push({ ordinal: row.ordinal, to: 'unchanged' });
      }
    }
    if (moves.length > 0) await deps.ledger.move(job.id, moves);
  }
}

function text(value: unknown): string {
  return value === undefined ? 'blank' : JSON.stringify(value);
}
