/** Frees runs that would wait for nobody, or for a time that a wrong clock has set. */
import { LeaseLostError } from '../../ledger/ledger.ts';
import type { ReadConfig } from '../config/read-config.ts';
import { deliveryQueue, profileQueue, type Queue } from './queue.ts';
import { OPEN_STATES, type Run } from './run.ts';
import type { Runs } from './runs.ts';

/** No run waits longer than this for its next try, unless `retries.backoff` is longer. Clocks may differ by as much. */
const HOUR_MS = 3_600_000;

/**
 * Repeating it changes nothing. A run whose schedule has another profile by now waits in the queue of that one: the old
 * profile may be gone, and then no worker serves its queue.
 */
export async function releaseRuns(
  runs: Runs,
  queue: Pick<Queue, 'add'>,
  {
    config,
    now,
    signal,
  }: {
    config: Pick<ReadConfig, 'schedules' | 'profiles' | 'retries'>;
    now: number;
    signal: AbortSignal;
  },
): Promise<void> {
  const latest = now + HOUR_MS + Math.max(HOUR_MS, config.retries.backoff);
  const served = new Set(Object.keys(config.profiles).map(profileQueue));
  for await (const run of runs.each({ states: OPEN_STATES })) {
    if (signal.aborted) return;
    const isDelivering = run.state === 'delivering';
    const own = isDelivering ? undefined : ownQueue(run, config);
    // From a queue that is served, the run moves at its turn.
    const queued = own === undefined || served.has(run.queue) ? run.queue : own;
    const before = run.notBefore;
    if (before > latest && !(await isBroughtForward(run, now, runs))) continue;
    const entry = { ...run, queue: isDelivering ? deliveryQueue(run.id) : queued };
    if (queued !== run.queue) await queue.add(entry);
    else if (run.notBefore !== before) await queue.add(entry, before);
  }
}

/** The queue of a schedule's run, as the configuration has it. */
export function ownQueue(
  { work }: Pick<Run, 'work'>,
  { schedules }: Pick<ReadConfig, 'schedules'>,
): string | undefined {
  const schedule = work.kind === 'schedule' ? schedules[work.schedule] : undefined;
  return schedule === undefined ? undefined : profileQueue(schedule.profile);
}

/** @returns false if another worker has the run in hand */
async function isBroughtForward(run: Run, now: number, runs: Runs): Promise<boolean> {
  for (const each of [run, ...(run.deliveries ?? [])]) {
    if (each.awaySince !== undefined) each.awaySince = Math.min(each.awaySince, now);
    if (each.notBefore !== undefined) each.notBefore = Math.min(each.notBefore, now);
  }
  if (run.failingSince !== undefined) run.failingSince = Math.min(run.failingSince, now);
  try {
    await runs.save(run);
    return true;
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
}
