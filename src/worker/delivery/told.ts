/**
 * What the file of a run tells counts as told once somebody has the file: the changes are then in no later file, and
 * the next report is compared with this one.
 */
import { finishChanges, takeUpChanges } from '../../export/changes/change-state.ts';
import { markReported } from '../../export/keep/readings.ts';
import { message } from '../../messages/message.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { addWarning, lackingTargets, type Run } from '../queue/run.ts';
import type { Runs } from '../queue/runs.ts';

/** False if a later run has reported the changes in this file, which must then be made again. */
export async function isCurrent(run: Run, values: KeyValues): Promise<boolean> {
  const { id, told } = run;
  // No later file has them if somebody has this one.
  if (told === undefined || lackingTargets(run) !== undefined) return true;
  return takeUpChanges(values, told, id);
}

/** Call this when a run has ended. Calling it again changes nothing. */
export async function finishTold(
  run: Run,
  { values, runs }: { values: KeyValues; runs: Runs },
): Promise<void> {
  const { told, shown, state } = run;
  const lacking = state === 'failed' ? undefined : lackingTargets(run);
  // Somebody has the file, unless nobody can deliver it to the others.
  const arrived = state === 'done' || lacking !== undefined;
  if (shown !== undefined && arrived) await markReported(values, shown);
  if (told === undefined) return;
  await finishChanges(values, told, arrived);
  // The notice of a parked run says so.
  if (state !== 'cancelled' || lacking === undefined || lacking.length === 0) return;
  addWarning(run, message('changes_only_in_this_file', { to: lacking }));
  await runs.save(run);
}
