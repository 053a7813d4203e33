/** The ledger on one SQLite file: the default of a single machine. */
import type {
  JobPatch,
  JobRecord,
  LaneHolder,
  Lease,
  Ledger,
  LedgerOptions,
  LedgerRow,
  MoveOptions,
  MoveResult,
  NewJob,
  NewRow,
  RowCounts,
  RowMove,
  RowQuery,
  StoredIssue,
} from '../ledger.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { KeyValues } from '../key-values.ts';
import type { KnownRows } from '../known-rows.ts';
import { systemProcesses } from '../process-identity.ts';
import type { JobState } from '../states.ts';
import { Database } from './database.ts';
import { SqliteKeyValues } from './key-values.ts';
import { Jobs } from './jobs.ts';
import { SqliteKnownRows } from './known-rows.ts';
import { Lanes } from './lanes.ts';
import { Rows } from './rows.ts';
import { checkMoveOfOther } from '../states.ts';

/**
 * @param path file of the store; made, with its folder, when it is not there
 * @throws UsageError `store_not_ours`, `store_newer`, `store_unwritable`, `store_damaged`; ShelfliftError `store_locked`
 */
export function openSqliteLedger(path: string, options: LedgerOptions = {}): Ledger {
  return new SqliteLedger(path, options);
}

/** node:sqlite is synchronous; a method waits only while another program has locked the store. */
class SqliteLedger implements Ledger {
  readonly values: KeyValues;
  readonly known: KnownRows;
  readonly #db: Database;
  readonly #jobs: Jobs;
  readonly #rows: Rows;
  readonly #lanes: Lanes;
  readonly #clock: Clock;

  constructor(path: string, { clock = systemClock, processes = systemProcesses, ...outage }: LedgerOptions) {
    this.#clock = clock;
    this.#db = new Database(path, outage);
    this.values = new SqliteKeyValues(this.#db);
    this.#jobs = new Jobs(this.#db, clock, processes);
    this.known = new SqliteKnownRows(this.#db, this.#jobs);
    this.#rows = new Rows(this.#db, this.#jobs);
    this.#lanes = new Lanes(this.#db, clock, processes);
  }

  get location(): string {
    return this.#db.path;
  }

  async createJob(job: NewJob): Promise<void> {
    await this.#jobs.create(job);
  }

  async stageRows(jobId: string, rows: NewRow[]): Promise<void> {
    await this.#db.patiently(() => this.#rows.stage(jobId, rows));
  }

  async finishStaging(jobId: string, patch: JobPatch): Promise<void> {
    await this.#db.patiently(() => this.#jobs.finishStaging(jobId, patch));
  }

  async discardJob(jobId: string): Promise<void> {
    await this.#jobs.discard(jobId);
  }

  async updateJob(jobId: string, patch: JobPatch): Promise<JobState> {
    return this.#db.patiently(() => this.#jobs.update(jobId, patch));
  }

  async findJob(reference: string): Promise<JobRecord> {
    return this.#db.patiently(() => this.#asItIs(this.#jobs.find(reference)));
  }

  async listJobs(limit?: number): Promise<JobRecord[]> {
    return this.#db.patiently(() => this.#jobs.list(limit).map((job) => this.#asItIs(job)));
  }

  async counts(jobId: string): Promise<RowCounts> {
    return this.#db.patiently(() => this.#rows.counts(jobId));
  }

  async rows(jobId: string, query: RowQuery): Promise<LedgerRow[]> {
    return this.#db.patiently(() => this.#rows.query(jobId, query));
  }

  async collectionReferences(jobId: string): Promise<(string | null)[]> {
    return this.#db.patiently(() => this.#rows.collectionReferences(jobId));
  }

  async invalidateCollection(jobId: string, reference: string | null, issue: StoredIssue): Promise<number> {
    return this.#db.patiently(() => this.#rows.invalidateCollection(jobId, reference, issue));
  }

  async move(jobId: string, moves: RowMove[], options: MoveOptions = {}): Promise<MoveResult> {
    if (options.by !== undefined && options.by !== jobId) moves.forEach(checkMoveOfOther);
    return this.#db.patiently(() => this.#rows.move(jobId, moves, options, this.#clock.now()));
  }

  async forgetRows(jobId: string): Promise<void> {
    await this.#db.patiently(() => this.#rows.forget(jobId));
  }

  async takeOver(jobId: string): Promise<number> {
    return this.#db.patiently(() => this.#rows.takeOver(jobId));
  }

  async ownedItems(apiUrl: string, itemIds: string[]): Promise<Set<string>> {
    return this.#db.patiently(() => this.#rows.owned(apiUrl, itemIds));
  }

  async openCreates(
    apiUrl: string,
  ): Promise<{ jobId: string; row: LedgerRow; collectionId: string | undefined }[]> {
    const collections = new Map<string, Record<string, string>>();
    return this.#db.patiently(() =>
      this.#rows.openCreates(apiUrl).map(({ jobId, row }) => {
        const known = collections.get(jobId) ?? this.#jobs.find(jobId).collections;
        collections.set(jobId, known);
        return { jobId, row, collectionId: known[row.collection ?? ''] };
      }),
    );
  }

  async noteSeen(apiUrl: string, itemIds: string[]): Promise<void> {
    await this.#db.patiently(() => this.#rows.noteSeen(apiUrl, itemIds));
  }

  async seenAt(apiUrl: string, itemIds: string[]): Promise<Map<string, number>> {
    return this.#db.patiently(() => this.#rows.seenAt(apiUrl, itemIds));
  }

  async intents(apiUrl: string): Promise<{ committed: number; underWay: boolean }> {
    return this.#rows.intents(apiUrl);
  }

  async claimant(fingerprint: string): Promise<string | undefined> {
    return this.#db.patiently(() => this.#rows.claimant(fingerprint));
  }

  async runner(jobId: string): Promise<LaneHolder | undefined> {
    return this.#db.patiently(() => this.#lanes.runner(jobId));
  }

  async holders(): Promise<LaneHolder[]> {
    return this.#db.patiently(() => this.#lanes.holders());
  }

  async acquireLane(lane: string, jobId: string): Promise<Lease | LaneHolder> {
    return this.#lanes.acquire(lane, jobId);
  }

  async fileWriter(sha256: string): Promise<string | undefined> {
    const row = await this.#db.patiently(() =>
      this.#db.prepare('SELECT job FROM written_files WHERE sha256 = ?').get(sha256),
    );
    return row?.['job'] as string | undefined;
  }

  async noteFile(sha256: string, jobId: string): Promise<void> {
    const sql =
      'INSERT INTO written_files (sha256, job) VALUES (?, ?) ON CONFLICT (sha256) DO UPDATE SET job = excluded.job';
    await this.#db.patiently(() => this.#db.transaction(() => this.#db.prepare(sql).run(sha256, jobId)));
  }

  /** A job whose process was killed says `running` on disk for ever: nobody could write otherwise. */
  #asItIs(job: JobRecord): JobRecord {
    return job.state === 'running' && this.#lanes.runner(job.id) === undefined
      ? { ...job, state: 'interrupted' }
      : job;
  }

  async close(): Promise<void> {
    this.#jobs.close();
    this.#lanes.close();
    this.#db.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
