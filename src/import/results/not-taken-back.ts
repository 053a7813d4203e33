/** Rows of an undone job that are on the server, or may be, and that the undo has left there. */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { hasEffect, isDoubtfulCreate, mayHaveEffect } from '../history/effects.ts';
import { rowPages } from '../job/row-pages.ts';

/** The number of such rows; 0 for a job that is not an undo. */
export async function notTakenBack(job: JobRecord, ledger: Ledger): Promise<number> {
  const { undoes: undone } = job.request;
  if (undone === undefined) return 0;
  let open = await namedSince(job, ledger);
  for await (const rows of rowPages(ledger, undone, { states: ['held', 'unknown', 'sending'] }))
    open += rows.filter((row) => (row.attempts > 0 || isDoubtfulCreate(row)) && !hasEffect(row)).length;
  const { learned } = await ledger.jobs.find(undone);
  // What only another store has sent is not marked as resent.
  const resent = learned.isSentElsewhere === true ? {} : ({ resent: true } as const);
  for await (const rows of rowPages(ledger, undone, { states: ['skipped'], ...resent }))
    open += rows.filter(isDoubtfulCreate).length;
  return open;
}

/**
 * The number of creates that were sent before the undo and that a person matched to their items after it: another undo
 * takes them back.
 */
export async function namedSince(undo: JobRecord, ledger: Ledger): Promise<number> {
  const { undoes: undone, undoesPart } = undo.request;
  // An undo of some rows leaves the others on purpose.
  if (undone === undefined || undoesPart === true) return 0;
  // An undo that had nothing to change has no intent.
  const { sequence: last = undo.plan.plannedAfter ?? Number.POSITIVE_INFINITY } =
    (await ledger.rows.lastIntent(undo.id)) ?? {};
  let named = 0;
  for await (const rows of rowPages(ledger, undone, { states: ['done'], actions: ['create'] })) {
    // Rows that were sent later (`jobs apply`) were meant to stay. A row without an intent was sent by another store.
    const sent = rows.filter(({ sequence }) => sequence === null || sequence <= last);
    const reverting = await ledger.rows.reverting(sent.map(({ ordinal }) => ({ job: undone, ordinal })));
    const reverted = reverting.filter(({ job, row }) => job === undo.id || mayHaveEffect(row));
    named += sent.length - new Set(reverted.map(({ reverts }) => reverts.ordinal)).size;
  }
  return named;
}
