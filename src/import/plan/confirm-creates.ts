/**
 * Checks, before an upsert sends its creates, that their items still do not exist; and before it archives items missing
 * from the file, that they are still missing.
 *
 * The plan may be old, and other jobs may have sent rows since. The holder of the lane checks after lost answers are
 * settled, and again after each pause. From then on, no other job of this store creates items with these keys.
 */
import { message } from '../../messages/message.ts';
import type { JobRecord, Lease } from '../../ledger/ledger.ts';
import type { OnDrift } from '../../ledger/job-parts.ts';
import { type JobDeps, PlanChangedError } from '../job/deps.ts';
import { noteOf } from '../job/events.ts';
import { learnedLag } from '../engine/absence.ts';
import { plannedArchives } from '../job/missing-rows.ts';
import { createsByKey, keyRule } from '../changes/match-key.ts';
import { holdLostElsewhere } from '../history/rows-elsewhere.ts';
import { createsWith, keysOfCreates } from '../items/creates-by-key.ts';
import { planKeysAgain } from './plan-updates.ts';

interface ConfirmOptions {
  lease: Lease;
  /** Read the list again if it was read longer ago than this, ms. */
  recheckMs: number;
  /**
   * How long the server may still apply a request of another job that got no answer, unless its row says otherwise, ms.
   */
  quietMs: number;
  /** What happens to creates whose key has an item by now that differs from the row. */
  onDrift: OnDrift;
}

/** @throws PlanChangedError if rows became updates or invalid, or need an answer; ListMovedError */
export async function confirmPlan(job: JobRecord, deps: JobDeps, options: ConfirmOptions): Promise<void> {
  await confirmCreates(job, deps, options);
  if (createsByKey(job)) await holdLostElsewhere(job, deps);
}

/** Costs one reading of the list, or nothing if the last reading of this run is recent enough. */
async function confirmCreates(
  job: JobRecord,
  deps: JobDeps,
  { lease, recheckMs, quietMs, onDrift }: ConfirmOptions,
): Promise<void> {
  const { ledger, clock, signal, emit } = deps;
  const keys = await keysOfCreates(job, ledger);
  const archives = await plannedArchives(job, ledger);
  if (keys.size === 0 && archives.length === 0) {
    if (deps.readings !== undefined) deps.readings.keys = undefined;
    return;
  }
  const waitMs = await quietOfOthers(job, keys, quietMs, deps);
  if (waitMs > 0) {
    const key = keyRule(job).match.join(' + ');
    emit(noteOf(message('key_lost_by_other_job', { key, ms: waitMs })));
    await clock.sleep(waitMs, signal);
  } else if (await stillHolds(job, recheckMs, deps)) return;
  const again = await planKeysAgain(job, { keys, archives }, deps, { lease, onDrift });
  const { updates, unchanged, invalid, held, skipped, rewritten, there } = again;
  if (there > 0) emit(noteOf(message('archives_dropped', { items: there })));
  const rows = updates + unchanged + invalid + held + skipped;
  if (rows > 0)
    emit(noteOf(message('creates_have_items', { rows, unchanged, updates, invalid, held, skipped })));
  if (updates + invalid + rewritten > 0) throw new PlanChangedError('the plan changed');
}

async function stillHolds(
  job: JobRecord,
  recheckMs: number,
  { ledger, readings }: JobDeps,
): Promise<boolean> {
  if (readings?.keys?.isSettled !== true || readings.areKeysOld() || readings.ageOfKeys() >= recheckMs)
    return false;
  return (await ledger.items.intents(job.apiUrl)).committed === readings.keys.committed;
}

/** How long a create of another job with one of these keys may still be applied, ms; 0 if there is no such create. */
async function quietOfOthers(
  job: JobRecord,
  keys: ReadonlyMap<string, unknown>,
  quietMs: number,
  { ledger }: JobDeps,
): Promise<number> {
  const creates = (await ledger.items.openCreates(job.apiUrl)).filter(({ jobId }) => jobId !== job.id);
  const open = createsWith(keys, creates, job);
  if (open.length === 0) return 0;
  // Once it is applied, the list may still not show it.
  const lagMs = await learnedLag(job.apiUrl, { ledger });
  return lagMs + Math.max(...open.map(({ row }) => row.quietMs ?? quietMs));
}
