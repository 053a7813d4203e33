/**
 * An undo of an undo restores items. If another job has sent their rows again since the first undo, they are not
 * restored, because each would then exist twice.
 */
import type { JobRecord } from '../../ledger/ledger.ts';
import { isDecided } from '../engine/operation.ts';
import type { JobDeps } from '../job/deps.ts';
import { decideRows } from '../job/row-pages.ts';
import { Comparison } from './compare.ts';
import { knownIssue } from './known-rows.ts';
import { underLock } from './own-rows.ts';
import { isRestoring, undosIn } from './reversals.ts';

/**
 * Holds the rows of such an undo that would duplicate an item, until a person releases them. Called again inside the
 * lane: from then on, an import that owns no rows yet finds that the undo is under way, and holds its own.
 */
export async function holdMadeAgain(job: JobRecord, deps: JobDeps): Promise<void> {
  if (job.request.undoes === undefined) return;
  const undos = new Map((await undosIn(deps.ledger)).map((each) => [each.id, each]));
  if (isRestoring(job, undos)) await underLock(job, deps, () => holdAgain(job, undos, deps));
}

async function holdAgain(
  job: JobRecord,
  undos: ReadonlyMap<string, JobRecord>,
  deps: JobDeps,
): Promise<void> {
  const { ledger } = deps;
  const { origin, since } = originOf(job, undos);
  // Without it, the same file would be another try of the job, which the claim of the job keeps from being sent.
  const { fingerprint: _, ...made } = await ledger.jobs.find(origin);
  const comparison = await Comparison.open(made, deps);
  const again = await comparison?.sentSince(since);
  if (comparison === undefined || again === undefined || again.size === 0) return;
  await decideRows(job.id, ledger, { states: ['planned'] }, (row) => {
    const found = again.get(row.itemId ?? '');
    if (found === undefined || isDecided(row)) return undefined;
    return { to: 'held', issues: [knownIssue(found, false, 'held', comparison)] };
  });
}

/** The job whose rows are restored, and when its first undo began, ms since the epoch. */
function originOf(job: JobRecord, undos: ReadonlyMap<string, JobRecord>): { origin: string; since: number } {
  let first = job;
  for (;;) {
    const { undoes = '' } = first.request;
    const undone = undos.get(undoes);
    if (undone === undefined) return { origin: undoes, since: first.firstSentAt ?? first.createdAt };
    first = undone;
  }
}
