/**
 * Waiting for room in the plan (`--wait-for-limit`), such that a person can end the wait.
 *
 * The moment of the next try stands in the store for as long as somebody waits for it: `jobs show` tells it, and
 * whoever removes it (`jobs resume`, from any terminal) makes the waiting process try at once.
 */
import type { Clock } from '../../clock.ts';
import type { Ledger } from '../../ledger/ledger.ts';

const SPACE = 'limit-wait';
/** How often the store is asked whether the wait was cut short, ms. */
const LOOK_MS = 2_000;

interface Waiter {
  ledger: Ledger;
  clock: Clock;
  signal: AbortSignal;
}

/** Resolves after `ms`, or soon after the wait was cut short; rejects with the signal's reason. */
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

/** When the job will look for room again, ms since the epoch; undefined when it waits for none. */
export async function nextTryAt(ledger: Ledger, jobId: string): Promise<number | undefined> {
  const text = await ledger.values.get(SPACE, jobId);
  return text === undefined ? undefined : Number(text);
}

/** Ends a wait, of this process or another, or one that a killed process left behind. */
export async function cutShort(ledger: Ledger, jobId: string): Promise<void> {
  await ledger.values.remove(SPACE, [jobId]);
}
