/** The ledger on PostgreSQL: for many machines. */
import { type Clock, systemClock } from '../../clock.ts';
import type { KeyValues } from '../key-values.ts';
import type { KnownRows } from '../known-rows.ts';
import type {
  JobPatch,
  JobRecord,
  LaneHolder,
  Lease,
  Ledger,
  LedgerRow,
  LedgerOptions,
  MoveOptions,
  MoveResult,
  NewJob,
  NewRow,
  RowCounts,
  RowMove,
  RowQuery,
  StoredIssue,
} from '../ledger.ts';
import { Database } from './database.ts';
import { Jobs } from './jobs.ts';
import { PostgresKeyValues } from './key-values.ts';
import { PostgresKnownRows } from './known-rows.ts';
import { Lanes } from './lanes.ts';
import { parsePostgresLocation } from './location.ts';
import { migrate } from './migrate.ts';
import { systemProcesses } from '../process-identity.ts';
import type { JobState } from '../states.ts';
import { Rows } from './rows.ts';
import { checkMoveOfOther } from '../states.ts';

/**
 * @param location `postgres://user:password@host:port/database`, with `?schema=` (default shelflift), `?reconnect=`
 *   (seconds that a statement waits for a server that went away; default `outageMs`), and the driver's own parameters
 * @throws UsageError `bad_store_url`, `store_unauthorised`, `store_no_database`, `store_no_rights`, `store_not_ours`,
 *   `store_newer`, `store_encoding`; ShelfliftError `store_unreachable`
 */
export async function openPostgresLedger(location: string, options: LedgerOptions = {}): Promise<Ledger> {
  const database = new Database(parsePostgresLocation(location), options);
  try {
    await migrate(database);
    return new PostgresLedger(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

class PostgresLedger implements Ledger {
  readonly values: KeyValues;
  readonly known: KnownRows;
  readonly #db: Database;
  readonly #jobs: Jobs;
  readonly #rows: Rows;
  readonly #lanes: Lanes;
  readonly #clock: Clock;

  constructor(db: Database, { clock = systemClock, processes = systemProcesses }: LedgerOptions) {
    this.#db = db;
    this.#clock = clock;
    this.values = new PostgresKeyValues(db);
    this.known = new PostgresKnownRows(db);
    this.#jobs = new Jobs(db, clock, processes);
    this.#rows = new Rows(db, this.#jobs);
    this.#lanes = new Lanes(db, clock, processes);
  }

  get location(): string {
    return this.#db.location.shown;
  }

  createJob(job: NewJob): Promise<void> {
    return this.#jobs.create(job);
  }

  stageRows(jobId: string, rows: NewRow[]): Promise<void> {
    return this.#rows.stage(jobId, rows);
  }

  finishStaging(jobId: string, patch: JobPatch): Promise<void> {
    return this.#jobs.finishStaging(jobId, patch);
  }

  discardJob(jobId: string): Promise<void> {
    return this.#jobs.discard(jobId);
  }

  updateJob(jobId: string, patch: JobPatch): Promise<JobState> {
    return this.#jobs.update(jobId, patch);
  }

  async findJob(reference: string): Promise<JobRecord> {
    const [job] = await this.#asTheyAre([await this.#jobs.find(reference)]);
    return job as JobRecord;
  }

  async listJobs(limit?: number): Promise<JobRecord[]> {
    return this.#asTheyAre(await this.#jobs.list(limit));
  }

  counts(jobId: string): Promise<RowCounts> {
    return this.#rows.counts(jobId);
  }

  rows(jobId: string, query: RowQuery): Promise<LedgerRow[]> {
    return this.#rows.query(jobId, query);
  }

  collectionReferences(jobId: string): Promise<(string | null)[]> {
    return this.#rows.collectionReferences(jobId);
  }

  invalidateCollection(jobId: string, reference: string | null, issue: StoredIssue): Promise<number> {
    return this.#rows.invalidateCollection(jobId, reference, issue);
  }

  async move(jobId: string, moves: RowMove[], options: MoveOptions = {}): Promise<MoveResult> {
    if (options.by !== undefined && options.by !== jobId) moves.forEach(checkMoveOfOther);
    return this.#rows.move(jobId, moves, options, this.#clock.now());
  }

  forgetRows(jobId: string): Promise<void> {
    return this.#rows.forget(jobId);
  }

  takeOver(jobId: string): Promise<number> {
    return this.#rows.takeOver(jobId);
  }

  ownedItems(apiUrl: string, itemIds: string[]): Promise<Set<string>> {
    return this.#rows.owned(apiUrl, itemIds);
  }

  async openCreates(
    apiUrl: string,
  ): Promise<{ jobId: string; row: LedgerRow; collectionId: string | undefined }[]> {
    const unknown = await this.#rows.openCreates(apiUrl);
    const collections = new Map<string, Record<string, string>>();
    for (const { jobId } of unknown) {
      if (!collections.has(jobId)) collections.set(jobId, (await this.#jobs.find(jobId)).collections);
    }
    return unknown.map(({ jobId, row }) => ({
      jobId,
      row,
      collectionId: collections.get(jobId)?.[row.collection ?? ''],
    }));
  }

  noteSeen(apiUrl: string, itemIds: string[]): Promise<void> {
    return this.#rows.noteSeen(apiUrl, itemIds);
  }

  seenAt(apiUrl: string, itemIds: string[]): Promise<Map<string, number>> {
    return this.#rows.seenAt(apiUrl, itemIds);
  }

  intents(apiUrl: string): Promise<{ committed: number; underWay: boolean }> {
    return this.#rows.intents(apiUrl);
  }

  claimant(fingerprint: string): Promise<string | undefined> {
    return this.#rows.claimant(fingerprint);
  }

  runner(jobId: string): Promise<LaneHolder | undefined> {
    return this.#lanes.runner(jobId);
  }

  holders(): Promise<LaneHolder[]> {
    return this.#lanes.holders();
  }

  acquireLane(lane: string, jobId: string): Promise<Lease | LaneHolder> {
    return this.#lanes.acquire(lane, jobId);
  }

  async fileWriter(sha256: string): Promise<string | undefined> {
    const [row] = await this.#db.repeatable<{ job: string }>({
      text: `SELECT job FROM ${this.#db.schema}.written_files WHERE sha256 = $1`,
      values: [sha256],
    });
    return row?.job;
  }

  async noteFile(sha256: string, jobId: string): Promise<void> {
    await this.#db.repeatable({
      text: `INSERT INTO ${this.#db.schema}.written_files (sha256, job) VALUES ($1, $2)
             ON CONFLICT (sha256) DO UPDATE SET job = excluded.job`,
      values: [sha256, jobId],
    });
  }

  /** A job whose process was killed says `running` on disk for ever: nobody could write otherwise. */
  async #asTheyAre(jobs: JobRecord[]): Promise<JobRecord[]> {
    const running = jobs.filter((job) => job.state === 'running').map((job) => job.id);
    const runners = await this.#lanes.runners(running);
    return jobs.map((job) =>
      job.state === 'running' && !runners.has(job.id) ? { ...job, state: 'interrupted' } : job,
    );
  }

  async close(): Promise<void> {
    this.#jobs.close();
    this.#lanes.close();
    await this.#db.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
