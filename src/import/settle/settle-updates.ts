/**
 * Settles updates whose answers were lost. A PATCH sets absolute values and may be repeated, unless it would overwrite
 * somebody else's later change.
 */
import { momentOf } from '../../base/clock.ts';
import { FieldsUnknownError, NotFoundError } from '../../api/errors.ts';
import { saidOf } from '../../base/errors.ts';
import type { Item } from '../../api/schemas.ts';
import type { LedgerRow, RowMove } from '../../ledger/ledger.ts';
import { changeSet, fieldChanges } from '../engine/field-changes.ts';
import { driftOf, wantedOn } from '../changes/drift.ts';
import { updateOutcome } from '../changes/update-outcome.ts';
import { updateOf, updateText } from '../engine/operation.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { message } from '../../messages/message.ts';
import { mayHaveEffect } from '../history/effects.ts';
import { commit, MAX_ATTEMPTS, noteLosses, type SettleContext } from './settle-context.ts';
import { rowPages } from '../job/row-pages.ts';

/** @param quietUntil monotonic ms until which the server may still apply the sent requests */
export async function settleUpdates(context: SettleContext, quietUntil: number): Promise<void> {
  const unknown = { states: ['unknown'], actions: ['update'] } as const;
  for await (const rows of rowPages(context.ledger, context.job.id, unknown)) {
    const wait = quietUntil - context.clock.monotonic();
    context.emit({ type: 'settling', unknown: rows.length, waitMs: Math.max(0, wait) });
    if (wait > 0) await context.clock.sleep(wait, context.signal);
    for (const row of rows) {
      const move: RowMove = { ...(await settleUpdate(context, row)), from: 'unknown' };
      await noteLosses(context, context.job.id, move.issues);
      await commit(context, context.job.id, [move]);
    }
  }
}

async function settleUpdate(context: SettleContext, row: LedgerRow): Promise<RowMove> {
  const update = updateOf(row);
  let item: Item;
  try {
    const intents = await context.readings.intents();
    const answer = await context.client.getItem(row.itemId ?? '', {
      priority: 'settle',
      fields: Object.keys(update.set),
      signal: context.signal,
    });
    item = answer.value;
    context.readings.note(item, { at: momentOf(context.clock, answer.tookMs), intents });
  } catch (error) {
    if (error instanceof FieldsUnknownError) {
      const issues = [issueOf('fields_unknown', saidOf(error))];
      return { ordinal: row.ordinal, to: 'held', issues };
    }
    // Gone: sent again, it is refused with the server's own message.
    if (error instanceof NotFoundError) return { ordinal: row.ordinal, to: 'planned' };
    throw error;
  }
  const wanted = wantedOn(update, item, 'to');
  const changes = wanted.filter(({ isAlready }) => !isAlready);
  const lost = wanted.filter(({ isAlready, is }) => isAlready && is !== 'made');
  const open = changes.filter(({ is }) => is !== 'made');
  if (open.length === 0) {
    const later = await setSince(context, row);
    const theirs = changes.filter(({ field }) => later.has(field));
    if (theirs.length === 0) return updateOutcome(row, item);
    if (theirs.some((change) => change.isComputed)) {
      const issue = issueOf('drifted', message('changed_by_other_job', {}));
      return { ordinal: row.ordinal, to: 'held', issues: [issue] };
    }
    // The other row has found another value, or it would not have set this one: an undo of ours must not take it back.
    const own = changes.filter((change) => !theirs.includes(change));
    if (own.length === 0) return { ordinal: row.ordinal, to: 'unchanged', issues: [] };
    const operation = updateText({ ...update, ...changeSet(own, item) });
    return { operation, ...updateOutcome({ ...row, operation }, item) };
  }
  // A request is applied whole: somebody has changed a part of it since, and an undo takes back the rest.
  const applied = changes.some(({ is }) => is === 'made') ? ({ applied: true } as const) : {};
  const drift = driftOf({ ...update, ...applied }, [...open, ...lost], item, context.onDrift);
  if (drift !== undefined) {
    const said = message('changed_after_lost_answer', { drift: saidOf(drift) });
    const to = context.onDrift === 'skip' ? 'skipped' : 'held';
    const move: RowMove = { ordinal: row.ordinal, to, issues: [issueOf('drifted', said)] };
    return 'applied' in applied ? { ...move, operation: updateText({ ...update, ...applied }) } : move;
  }
  if (row.attempts >= MAX_ATTEMPTS) {
    const issue = issueOf('keeps_failing', message('never_answered', { times: row.attempts }));
    return { ordinal: row.ordinal, to: 'held', issues: [issue] };
  }
  // Based on the item as it is now, to keep what others have put into custom_fields meanwhile.
  const again = [...changes, ...lost].map((change) =>
    change.is === 'changed' ? { ...change, from: change.now } : change,
  );
  const operation = updateText({ ...update, ...changeSet(again, item) });
  return { ordinal: row.ordinal, to: 'planned', issues: [], operation };
}

/** The fields that later requests to the item have set, or may have set. */
async function setSince(
  { ledger, job }: SettleContext,
  { itemId, ordinal }: LedgerRow,
): Promise<ReadonlySet<string>> {
  const sent = await ledger.items.sentUpdates(job.apiUrl, itemId === null ? [] : [itemId]);
  const own = sent.findIndex((each) => each.job === job.id && each.ordinal === ordinal);
  const later = sent.slice(0, own).filter((each) => mayHaveEffect({ ...each, action: 'update' }));
  return new Set(later.flatMap((each) => fieldChanges(updateOf(each)).map(({ field }) => field)));
}
