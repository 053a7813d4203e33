/**
 * Waits for room under the item limit (`--wait-for-limit`) until somebody ends the wait.
 *
 * While a process waits, the store has the time of its next attempt. `jobs show` shows this time; deleting it (`jobs
 * resume`, from any terminal) makes the process try at once.
 */
import type { Clock } from '../../base/clock.ts';
import type { Ledger } from '../../ledger/ledger.ts';

const SPACE = 'limit-wait';
/** How often to check whether the wait was ended, ms. */
const LOOK_MS = 2_000;

interface Waiter {
  ledger: Ledger;
  clock: Clock;
  signal: AbortSignal;
}

/** Resolves after `ms`, or soon after somebody ends the wait. Rejects with the signal's reason. */
export async function waitForRoom(
  { ledger, clock, signal }: Waiter,
  jobId: string,
  ms: number,
): Promise<void> {
  const end = clock.monotonic() + ms;
  await ledger.values.put(SPACE, [{ key: jobId, value: String(clock.now() + ms) }]);
  try {
    for (let left = ms; left > 0; left = end - clock.monotonic()) {
      await clock.sleep(Math.min(left, LOOK_MS), signal);
      if ((await nextTryAt(ledger, jobId)) === undefined) return;
    }
  } finally {
    await cutShort(ledger, jobId);
  }
}

/** When the job will next look for room, ms since the epoch; undefined if it is not waiting. */
export async function nextTryAt(ledger: Ledger, jobId: string): Promise<number | undefined> {
  const text = await ledger.values.get(SPACE, jobId);
  return text === undefined ? undefined : Number(text);
}

/** Ends the wait of any process, even of a killed one. */
export async function cutShort(ledger: Ledger, jobId: string): Promise<void> {
  await ledger.values.remove(SPACE, [jobId]);
}
