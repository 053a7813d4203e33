/** The ledger on PostgreSQL: for many machines. */
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
import { parsePostgresLocation } from './location.ts';
import { migrate, storedVersion } from './migrate.ts';
import { PostgresRows } from './rows.ts';
import { byHand, message } from '../../messages/message.ts';

/**
 * The parts of a store that the queue needs besides the ledger's port: the entries of the queue are in the same schema.
 */
export interface PostgresLedger extends Ledger {
  readonly database: Database;
  readonly lanes: SqlLanes;
  readonly runs: SqlRunRecords;
}

/**
 * @param location `postgres://user:password@host:port/database`, with `?schema=` (default shelflift), `?reconnect=`
 *   (how many seconds a statement waits for a lost server; default `outageMs`), and the driver's own parameters
 * @throws UsageError `bad_store_url`, `store_unauthorized`, `store_no_database`, `store_no_rights`, `store_not_ours`,
 *   `store_newer`, `store_encoding`; ShelfliftError `store_unreachable`
 */
export async function openPostgresLedger(
  location: string,
  options: LedgerOptions = {},
): Promise<PostgresLedger> {
  const { clock = systemClock, processes = systemProcesses } = options;
  const db = new Database(parsePostgresLocation(location), options);
  try {
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  const lanes = new SqlLanes(db, clock, processes);
  const jobs = new SqlJobs(db, lanes, clock, processes);
  const close = async () => {
    jobs.close();
    lanes.close();
    await db.close();
  };
  return {
    location: db.location.shown,
    database: db,
    jobs,
    rows: new PostgresRows(db, jobs, clock),
    items: new SqlKnownItems(db, jobs),
    lanes,
    known: new SqlKnownRows(db),
    runs: new SqlRunRecords(db),
    values: new SqlKeyValues(db),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const NO_FSYNC = message('fsync_off', {}, byHand('turn_fsync_on', {}));

/** @throws the errors of openPostgresLedger, and UsageError `store_no_rights` if the role may only read */
export async function inspectPostgresStore(location: string): Promise<StoreInspection> {
  const database = new Database(parsePostgresLocation(location));
  try {
    await migrate(database);
    const { schema } = database;
    // Writes what is already there, to find a missing right here and not in the middle of an import.
    await database.once({ text: `UPDATE ${schema}.store SET version = version` });
    const [found] = await database.repeatable<{ server: string; fsync: string; jobs: number }>({
      text: `SELECT current_setting('server_version') AS server, current_setting('fsync') AS fsync, (SELECT count(*) FROM ${schema}.jobs) AS jobs`,
    });
    return {
      server: `PostgreSQL ${found?.server ?? ''}`,
      version: (await storedVersion(database)) ?? 0,
      jobs: found?.jobs ?? 0,
      ...(found?.fsync === 'off' ? { warning: NO_FSYNC } : {}),
    };
  } finally {
    await database.close();
  }
}
