/**
 * Items that `--missing archive` has archived and that the file of an upsert contains again get their previous status
 * back. Items that others archived stay archived.
 */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { isArchiving, type Update, updateOf } from '../engine/operation.ts';
import { lastUpdates } from '../history/last-updates.ts';

/** The status of each such item before it was archived, by id. Pruned changes do not show it. */
export async function statusesBefore(
  items: readonly Item[],
  { apiUrl, mode }: Pick<JobRecord, 'apiUrl' | 'mode'>,
  ledger: Ledger,
): Promise<ReadonlyMap<string, unknown>> {
  if (mode !== 'upsert') return new Map();
  // An undo says nothing: the change before the one that it has taken back is in effect again.
  const last = await lastUpdates(items.filter(isArchived), apiUrl, ledger, (sent, isUndo) => {
    const isOfStatus = sent.operation === null || updateOf(sent).set.status !== undefined;
    return isOfStatus && !isUndo;
  });
  const archiving = [...last].map(([id, sent]) => [id, updateOf(sent)] as const);
  return new Map(
    archiving.filter(([, update]) => isArchiving(update)).map(([id, { before }]) => [id, before['status']]),
  );
}

export function isArchived({ status }: Item): boolean {
  return status === 'archived';
}

/** Whether a row itself sets the status of its item. */
export function saysStatus({ set, already = [] }: Update): boolean {
  return set.status !== undefined || already.some(([field]) => field === 'status');
}

export function withStatus(update: Update, status: unknown): Update {
  return {
    ...update,
    set: { ...update.set, status: status as Item['status'] },
    before: { ...update.before, status: 'archived' },
  };
}
