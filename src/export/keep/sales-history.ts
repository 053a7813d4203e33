/** Readings of the sales summary, kept in the store by exports and reports: the API gives only current totals. */
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { SalesSummary } from '../../api/schemas.ts';
import type { KeyValue, KeyValues } from '../../ledger/key-values.ts';
import { sameMark, TeamMark } from '../read/team.ts';
import type { SalesReading } from '../row.ts';

const PAGE = 500;

const StoredReading = z.object({
  team: TeamMark,
  reading: SalesSummary.extend({ reported_at: z.string() }),
});

/** The owner of these readings: the client's target and the team. */
export interface SalesOwner {
  target: string;
  team: TeamMark;
}

export async function keepReading(
  values: KeyValues,
  owner: SalesOwner,
  reading: SalesReading,
): Promise<void> {
  // The time comes first, so that readings sort by it; two readings in the same millisecond stay separate.
  const key = `${reading.reported_at}/${randomUUID()}`;
  const value = JSON.stringify({ team: owner.team, reading });
  await values.put(spaceOf(owner), [{ key, value }]);
}

/** All readings of this team in the store, oldest first. */
export async function keptReadings(values: KeyValues, owner: SalesOwner): Promise<SalesReading[]> {
  const readings: SalesReading[] = [];
  for (let after: string | undefined; ; ) {
    const page: KeyValue[] = await values.list(spaceOf(owner), {
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const { value } of page) {
      const kept = StoredReading.parse(JSON.parse(value));
      if (sameMark(kept.team, owner.team) === true) readings.push(kept.reading);
    }
    after = page.at(-1)?.key;
    if (after === undefined || page.length < PAGE) return readings;
  }
}

function spaceOf({ target }: SalesOwner): string {
  return `report:sales:${createHash('sha256').update(target).digest('hex').slice(0, 16)}`;
}
