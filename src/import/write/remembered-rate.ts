/**
 * The rate that a silent server was found to admit, kept for the key, so that the next run need not search again
 * (design §5). Where answers tell the budget nothing is kept: they tell it again.
 */
import type { ApiClient } from '../../api/client.ts';
import type { Ledger } from '../../ledger/ledger.ts';

const SPACE = 'rate';
/** A limit is a matter of the plan: after a month it is searched for anew. */
const KEPT_MS = 30 * 24 * 3_600_000;

interface KeptRate {
  /** Requests a second. */
  rate: number;
  /** ms since the epoch. */
  at: number;
}

/** Lets the client's search begin where an earlier run's ended. */
export async function recallRate(client: ApiClient, ledger: Ledger, now: number): Promise<void> {
  const text = await ledger.values.get(SPACE, client.laneId);
  if (text === undefined) return;
  const kept = JSON.parse(text) as KeptRate;
  if (Math.abs(now - kept.at) < KEPT_MS) client.lane.beginAt(kept.rate);
}

/** Keeps what was found, where something was. Never in the way of a job's end: a full disk keeps nothing. */
export async function rememberRate(client: ApiClient, ledger: Ledger, now: number): Promise<void> {
  const rate = client.lane.foundRate;
  if (rate === undefined) return;
  const kept: KeptRate = { rate, at: now };
  await ledger.values
    .put(SPACE, [{ key: client.laneId, value: JSON.stringify(kept) }])
    .catch(() => undefined);
}
