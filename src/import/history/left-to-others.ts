/** Rows that a job has left to earlier jobs, because they were sent before or were about to be. */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import type { RowName } from '../../ledger/row-name.ts';
import { rowPages } from '../job/row-pages.ts';

/**
 * Those of the rows that are not on the server, as far as the store knows: neither sent nor under way.
 *
 * @param jobs all of the store: one that has sent nothing may have been discarded since
 */
export async function unsentOf(
  names: readonly RowName[],
  jobs: readonly JobRecord[],
  ledger: Ledger,
): Promise<RowName[]> {
  const unsent: RowName[] = [];
  for (const [job, these] of Map.groupBy(names, (name) => name.job)) {
    if (!jobs.some(({ id }) => id === job)) {
      unsent.push(...these);
      continue;
    }
    const ordinals = [...new Set(these.map(({ ordinal }) => ordinal))];
    const query = { states: ['done', 'sending', 'unknown'], ordinals, limit: ordinals.length } as const;
    const sent = new Set((await ledger.rows.list(job, query)).map(({ ordinal }) => ordinal));
    unsent.push(...these.filter(({ ordinal }) => !sent.has(ordinal)));
  }
  return unsent;
}

/** How many rows a job has left to jobs which have not sent them and do not run; and the ids of those jobs. */
export async function unsentElsewhere(
  { id }: JobRecord,
  ledger: Ledger,
): Promise<{ rows: number; jobs: string[] }> {
  const byJob = new Map<string, number>();
  const jobs = await ledger.jobs.list();
  for await (const rows of rowPages(ledger, id, { states: ['skipped'], actions: ['create'] })) {
    const names = rows.flatMap(({ issues }) => issues[0]?.sentAs ?? []);
    for (const { job } of await unsentOf(names, jobs, ledger)) byJob.set(job, (byJob.get(job) ?? 0) + 1);
  }
  for (const job of byJob.keys()) if ((await ledger.lanes.runner(job)) !== undefined) byJob.delete(job);
  return { rows: [...byJob.values()].reduce((sum, rows) => sum + rows, 0), jobs: [...byJob.keys()] };
}
