/** Shows other processes which workers are running: each holds a lane of its own while it serves. */
import { newJobId } from '../../import/job/job-id.ts';
import type { Ledger, Lease } from '../../ledger/ledger.ts';

const PREFIX = 'worker-';

/**
 * Announces a worker until the lease is released or its process ends. Undefined in the unlikely case that the name is
 * taken.
 */
export async function announceWorker({ lanes }: Pick<Ledger, 'lanes'>): Promise<Lease | undefined> {
  const name = PREFIX + newJobId();
  const lease = await lanes.acquire(`serving:${name}`, name);
  return 'token' in lease ? lease : undefined;
}

/** Whether any worker of this store runs. */
export async function hasWorker({ lanes }: Pick<Ledger, 'lanes'>): Promise<boolean> {
  return (await lanes.holders()).some(({ job }) => job.startsWith(PREFIX));
}
