/** Whether a code or a name that several rows of an earlier file have still identifies what they made. */
import type { KnownRow } from '../../ledger/known-rows.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { payloadHash } from './row-hashes.ts';

/** Earlier rows with the same hash. */
interface Hits {
  rows: readonly KnownRow[];
  /** True if different rows of one file have it: then it does not identify an item. */
  isShared?: boolean;
}

/** Equal rows of one file are copies of one thing, like the copies of a quantity: they do not share what identifies it. */
export async function noteShared(found: ReadonlySet<Hits>, ledger: Ledger): Promise<void> {
  const several = [...found].filter(({ rows }) => areSeveral(rows));
  const contents = new Map<string, ReadonlyMap<number, string | undefined>>();
  for (const [job, rows] of Map.groupBy(
    several.flatMap((hits) => hits.rows),
    ({ jobId }) => jobId,
  )) {
    const ordinals = [...new Set(rows.map(({ ordinal }) => ordinal))];
    const stored = await ledger.rows.list(job, { ordinals, limit: ordinals.length });
    contents.set(job, new Map(stored.map((row) => [row.ordinal, payloadHash(row)])));
  }
  for (const hits of several) {
    const ofJobs = Map.groupBy(hits.rows, ({ jobId }) => jobId);
    hits.isShared = [...ofJobs].some(([job, rows]) => {
      const distinct = new Set(rows.map(({ ordinal }) => contents.get(job)?.get(ordinal)));
      return areSeveral(rows) && (distinct.size > 1 || distinct.has(undefined));
    });
  }
}

/** True if they are several rows of one file. */
function areSeveral(hits: readonly KnownRow[]): boolean {
  const rows = new Map<string, number>();
  return hits.some(
    ({ jobId, sheetRow }) => (rows.get(jobId) ?? sheetRow) !== sheetRow || !rows.set(jobId, sheetRow),
  );
}
