/**
 * Remembers, per key, the rate that a server without rate-limit headers was found to admit, so that the next run does
 * not search again (design §5). Nothing is stored for servers whose answers state the budget.
 */
import { z } from 'zod';
import type { ApiClient } from '../../api/client.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { storedReader } from '../../base/stored-json.ts';

export const RATES = 'rate';
/** API plans change, so the search starts over after a month. */
const KEPT_MS = 30 * 24 * 3_600_000;

const KeptRate = z.strictObject({
  /** Requests per second. */
  rate: z.number(),
  /** ms since the epoch. */
  at: z.number(),
});
type KeptRate = z.infer<typeof KeptRate>;
export const readRate = storedReader('rate', () => KeptRate);

/** Starts the client's search at the rate that an earlier run found. */
export async function recallRate(client: ApiClient, ledger: Ledger, now: number): Promise<void> {
  const text = await ledger.values.get(RATES, client.laneId);
  if (text === undefined) return;
  const kept = readRate(text);
  if (Math.abs(now - kept.at) < KEPT_MS) client.limiter.beginAt(kept.rate);
}

/** Stores the rate, if one was found. Errors (a full disk) are ignored, because the job has ended. */
export async function rememberRate(client: ApiClient, ledger: Ledger, now: number): Promise<void> {
  const rate = client.limiter.foundRate;
  if (rate === undefined) return;
  const kept: KeptRate = { rate, at: now };
  await ledger.values
    .put(RATES, [{ key: client.laneId, value: JSON.stringify(kept) }])
    .catch(() => undefined);
}
