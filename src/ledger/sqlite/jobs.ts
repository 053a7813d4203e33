/** Jobs in SQLite. */
import type { Clock } from '../../base/clock.ts';
import { OF_JOBS } from '../key-values.ts';
import { LEASE_EXPIRY_MS } from '../lease-freshness.ts';
import type { JobPatch, JobRecord, Jobs, NewJob, JobFilter } from '../ledger.ts';
import { machineOf, type Processes } from '../process-identity.ts';
import type { JobState } from '../states.ts';
import { Staging, stagingLost } from '../staging.ts';
import {
  JOB_COLUMNS,
  meant,
  newest,
  newRecord,
  patched,
  type StoredJob,
  toJobRecord,
  noSuchJob,
  asStored,
  asWanted,
  UNHASHED,
} from '../stored-job.ts';
import type { Database } from './database.ts';
import type { SqliteLanes } from './lanes.ts';

const FROM = 'FROM jobs j JOIN targets t ON t.number = j.target';
const SELECT = `SELECT ${JOB_COLUMNS} ${FROM}`;

/** The process that reads the file of a job in state `staging`. */
interface Owner {
  number: number;
  owner_pid: number;
  owner_started: string;
  /** Null if an older shelflift wrote it; so is the beat. */
  owner_machine: string | null;
  owner_beat: number | null;
  created_at: number;
}

const OWNER = 'j.owner_pid, j.owner_started, j.owner_machine, j.owner_beat, j.created_at';

export class SqliteJobs implements Jobs {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #processes: Processes;
  readonly #staging: Staging;
  readonly #lanes: SqliteLanes;

  constructor(db: Database, lanes: SqliteLanes, clock: Clock, processes: Processes) {
    this.#db = db;
    this.#lanes = lanes;
    this.#clock = clock;
    this.#processes = processes;
    this.#staging = new Staging(clock);
  }

  create(job: NewJob): Promise<void> {
    return this.#staging.begin(
      job.id,
      (token) => this.#db.patiently(() => this.#insert(job, token)),
      (token) =>
        this.#db.patiently(() =>
          this.#db.relaxed(() =>
            this.#db
              .prepare(`UPDATE jobs SET owner_beat = ? WHERE owner_token = ? AND state = 'staging'`)
              .run(this.#clock.now(), token),
          ),
        ),
    );
  }

  #insert(job: NewJob, token: string): void {
    const { id, kind, dryRun, apiUrl } = job;
    const me = this.#processes.current();
    const now = this.#clock.now();
    this.#db.transaction(() => {
      this.#removeAbandoned(id);
      this.#db
        .prepare(
          `INSERT INTO jobs (id, target, kind, state, dry_run, created_at, updated_at, owner_pid, owner_started,
             owner_machine, owner_beat, owner_token, record)
           VALUES (?, ?, ?, 'staging', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          id,
          this.target(apiUrl),
          kind,
          dryRun ? 1 : 0,
          now,
          now,
          me.pid,
          me.started,
          machineOf(me),
          now,
          token,
          newRecord(job),
        );
    });
  }

  /** As `numbers`, for a job whose file this process reads. @throws ShelfliftError `lease_lost` */
  stagedNumbers(id: string): { job: number; target: number } {
    const token = this.#staging.token(id);
    if (token !== undefined && !this.#isStagedBy(id, token)) throw stagingLost(id);
    return this.numbers(id);
  }

  #isStagedBy(id: string, token: string): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM jobs WHERE id = ? AND owner_token = ?').get(id, token) !== undefined
    );
  }

  async finishStaging(id: string, patch: JobPatch): Promise<void> {
    await this.#db.patiently(() =>
      this.#db.transaction(() => {
        this.stagedNumbers(id);
        this.#write(id, { ...patch, state: 'planned' });
      }),
    );
    this.#staging.end(id);
  }

  close(): void {
    this.#staging.close();
  }

  update(id: string, patch: JobPatch): Promise<JobState> {
    return this.#db.patiently(() => this.#db.transaction(() => this.#write(id, patch)));
  }

  #write(id: string, patch: JobPatch): JobState {
    const row = this.#row(id);
    const { state, dryRun, record } = patched(row, patch);
    this.#db
      .prepare(
        `UPDATE jobs SET state = ?, dry_run = ?, updated_at = ?, record = ?,
           owned_at = CASE WHEN ? THEN NULL ELSE owned_at END WHERE number = ?`,
      )
      .run(state, dryRun, this.#clock.now(), record, patch.reopen === true ? 1 : 0, row.number);
    return state as JobState;
  }

  async discard(id: string, evenIfCancelled = false): Promise<void> {
    const token = this.#staging.token(id);
    this.#staging.end(id);
    await this.#db.patiently(() =>
      this.#db.transaction(() => {
        // Started again by another process: the job is that one's.
        if (token !== undefined && !this.#isStagedBy(id, token)) return;
        const row = this.#find(id);
        // Another process has already discarded it, or has sent it.
        if (row === undefined || row.first_sent_at !== null) return;
        // A cancel was answered: the job stays listed.
        if (row.state === 'cancelled' && !evenIfCancelled) return;
        this.#db
          .prepare(
            'DELETE FROM row_hashes WHERE job = ?1 AND (SELECT hashed_to FROM jobs WHERE number = ?1) > 0',
          )
          .run(row.number);
        this.#remove(row.number);
      }),
    );
  }

  find(reference: string): Promise<JobRecord> {
    return this.#db.patiently(() => {
      if (reference === 'last') return this.#shown(this.#last());
      const rows = this.#db
        .prepare(
          `${SELECT} WHERE j.state <> 'staging' AND (j.id = ? OR substr(j.id, 1, ?) = ?) ORDER BY j.number`,
        )
        .all(reference, reference.length, reference) as unknown as StoredJob[];
      return this.#shown(meant(reference, rows));
    });
  }

  list(limit?: number, filter: JobFilter = {}): Promise<JobRecord[]> {
    return this.#db.patiently(() => {
      const rows = this.#db
        .prepare(
          `${SELECT} WHERE j.state <> 'staging' AND j.created_at >= ?1
             AND (?2 IS NULL OR j.state IN (SELECT value FROM json_each(?2)))
             AND (?4 IS NULL OR j.id IN (SELECT value FROM json_each(?4)))
             AND (?5 IS NULL OR j.kind = ?5) AND (?6 IS NULL OR t.api_url = ?6)
             AND (?7 IS NULL OR instr(j.record, ?7) > 0) AND (?8 = 0 OR ${UNHASHED})
           ORDER BY j.number DESC LIMIT ?3`,
        )
        .all(
          filter.since ?? 0,
          filter.states === undefined ? null : JSON.stringify(asStored(filter.states)),
          // SQLite takes a negative limit for none.
          limit ?? -1,
          filter.ids === undefined ? null : JSON.stringify(filter.ids),
          filter.kind ?? null,
          filter.apiUrl ?? null,
          filter.sha256 ?? null,
          filter.unhashed === true ? 1 : 0,
        ) as unknown as StoredJob[];
      return asWanted(
        rows.map((row) => this.#shown(row)),
        filter,
      );
    });
  }

  /** The record of a job whose process was killed says `running`: nothing could write to it any more. */
  #shown(row: StoredJob): JobRecord {
    const job = toJobRecord(row);
    return job.state === 'running' && !this.#lanes.isRunning(job.id) ? { ...job, state: 'interrupted' } : job;
  }

  claimant(fingerprint: string): Promise<string | undefined> {
    return this.#db.patiently(() => this.claimantOf(fingerprint));
  }

  async unclaim(id: string): Promise<void> {
    await this.#db.patiently(() =>
      this.#db.transaction(() =>
        this.#db.prepare('DELETE FROM claims WHERE job = (SELECT number FROM jobs WHERE id = ?)').run(id),
      ),
    );
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

  /** As `claimant`, within a transaction. */
  claimantOf(fingerprint: string): string | undefined {
    const row = this.#db
      .prepare('SELECT j.id FROM claims c JOIN jobs j ON j.number = c.job WHERE c.fingerprint = ?')
      .get(fingerprint) as { id: string } | undefined;
    return row?.id;
  }

  /** The record of a job, as it is on disk. @throws UsageError `no_such_job` */
  stored(id: string): JobRecord {
    return toJobRecord(this.#row(id));
  }

  /** The numbers of the job and of its target, which rows refer to. */
  numbers(id: string): { job: number; target: number } {
    const row = this.#db.prepare('SELECT number AS job, target FROM jobs WHERE id = ?').get(id) as
      | { job: number; target: number }
      | undefined;
    if (row === undefined) throw noSuchJob(id);
    return row;
  }

  /** The number of an address, which is added on first use. */
  target(apiUrl: string): number {
    this.#db.prepare('INSERT OR IGNORE INTO targets (api_url) VALUES (?)').run(apiUrl);
    const row = this.#db.prepare('SELECT number FROM targets WHERE api_url = ?').get(apiUrl) as {
      number: number;
    };
    return row.number;
  }

  #row(id: string): StoredJob {
    const row = this.#find(id);
    if (row === undefined) throw noSuchJob(id);
    return row;
  }

  #find(id: string): StoredJob | undefined {
    return this.#db.prepare(`${SELECT} WHERE j.id = ?`).get(id) as StoredJob | undefined;
  }

  #last(): StoredJob {
    const rows = this.#db
      .prepare(
        `SELECT ${JOB_COLUMNS}, ${OWNER} ${FROM} WHERE j.dry_run = 0
           AND j.number >= coalesce((SELECT max(number) FROM jobs WHERE dry_run = 0 AND state <> 'staging'), 0)
         ORDER BY j.number DESC`,
      )
      .all() as unknown as (StoredJob & Owner)[];
    return newest(rows, (row) => this.#mayStillRead(row));
  }

  /** Removes what dead processes left while they read files, and the job that is started again under the same id. */
  #removeAbandoned(again: string): void {
    const rows = this.#db
      .prepare(`SELECT j.number, j.id, ${OWNER} FROM jobs j WHERE j.state = 'staging'`)
      .all() as unknown as (Owner & { id: string })[];
    for (const row of rows) if (row.id === again || !this.#mayStillRead(row)) this.#remove(row.number);
  }

  /** Whether the process that reads a job's file may still run. Pids are comparable only on one machine. */
  #mayStillRead(row: Owner): boolean {
    const me = this.#processes.current();
    if (row.owner_machine !== machineOf(me))
      return this.#clock.now() - (row.owner_beat ?? row.created_at) < LEASE_EXPIRY_MS;
    return this.#processes.mayStillRun({ host: me.host, pid: row.owner_pid, started: row.owner_started });
  }

  #remove(number: number): void {
    this.#db
      .prepare('DELETE FROM key_values WHERE space = ? AND key = (SELECT id FROM jobs WHERE number = ?)')
      .run(OF_JOBS, number);
    this.#db.prepare('DELETE FROM rows WHERE job = ?').run(number);
    this.#db.prepare('DELETE FROM jobs WHERE number = ?').run(number);
  }
}
