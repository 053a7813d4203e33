/** The ledger on one SQLite file: the default of a single machine. */
import { systemClock } from '../../base/clock.ts';
import type { Ledger, LedgerOptions, StoreInspection } from '../ledger.ts';
import { systemProcesses } from '../process-identity.ts';
import { SqlJobs } from '../sql/jobs.ts';
import { SqlKeyValues } from '../sql/key-values.ts';
import { SqlKnownItems } from '../sql/known-items.ts';
import { SqlKnownRows } from '../sql/known-rows.ts';
import { SqlLanes } from '../sql/lanes.ts';
import { SqlRunRecords } from '../sql/run-records.ts';
import { Database } from './database.ts';
import { SqliteRows } from './rows.ts';

/**
 * node:sqlite is synchronous: a method waits only while another program has locked the store; `move` also waits for the
 * disk.
 *
 * @param path file of the store; it is created, with its folder, if it does not exist
 * @throws UsageError `store_not_ours`, `store_newer`, `store_unwritable`, `store_damaged`; ShelfliftError
 *   `store_locked`
 */
export function openSqliteLedger(
  path: string,
  { clock = systemClock, processes = systemProcesses, ...outage }: LedgerOptions = {},
): Ledger {
  const db = new Database(path, { clock, ...outage });
  const lanes = new SqlLanes(db, clock, processes);
  const jobs = new SqlJobs(db, lanes, clock, processes);
  const close = async () => {
    jobs.close();
    lanes.close();
    await db.close();
  };
  return {
    location: path,
    jobs,
    rows: new SqliteRows(db, jobs, clock),
    items: new SqlKnownItems(db, jobs),
    lanes,
    known: new SqlKnownRows(db),
    runs: new SqlRunRecords(db),
    values: new SqlKeyValues(db),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Longer than a commit of another command takes. */
const LOCKED_MS = 5_000;

/** @throws the errors of openSqliteLedger */
export async function inspectSqliteStore(path: string): Promise<StoreInspection> {
  const database = new Database(path);
  try {
    // Even an empty transaction needs the right and the lock to write.
    await database.patiently(() => database.transaction(() => undefined), LOCKED_MS);
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
      user_version: number;
    };
    const { jobs } = database.prepare('SELECT count(*) AS jobs FROM jobs').get() as { jobs: number };
    return { version, jobs };
  } finally {
    await database.close();
  }
}
