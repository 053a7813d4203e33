import type { JobRecord } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';

const POLL_MS = 100;

/**
 * Cancels a job that has not ended. A process that started it at the same moment sends no further row; its open
 * requests are awaited.
 *
 * @param longestMs maximum wait, ms; default: until the process has left the job
 */
export async function stopJob(
  { id, state }: Pick<JobRecord, 'id' | 'state'>,
  { ledger, clock, signal }: Pick<JobDeps, 'ledger' | 'clock'> & Partial<Pick<JobDeps, 'signal'>>,
  longestMs = Number.POSITIVE_INFINITY,
): Promise<JobRecord> {
  if (state !== 'done' && state !== 'cancelled') await ledger.jobs.update(id, { state: 'cancelled' });
  const end = clock.monotonic() + longestMs;
  while ((await ledger.lanes.runner(id)) !== undefined && clock.monotonic() < end)
    await clock.sleep(POLL_MS, signal);
  return ledger.jobs.find(id);
}
