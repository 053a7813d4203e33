/** Jobs in SQLite. */
import type { JobPatch, JobRecord, NewJob } from '../ledger.ts';
import type { Processes } from '../process-identity.ts';
import type { JobState } from '../states.ts';
import {
  JOB_COLUMNS,
  meant,
  newest,
  newRecord,
  patched,
  type StoredJob,
  toJobRecord,
} from '../stored-job.ts';
import type { Database } from './database.ts';

const FROM = 'FROM jobs j JOIN targets t ON t.number = j.target';
const SELECT = `SELECT ${JOB_COLUMNS} ${FROM}`;

export class Jobs {
  readonly #db: Database;
  readonly #processes: Processes;

  constructor(db: Database, processes: Processes) {
    this.#db = db;
    this.#processes = processes;
  }

  create(job: NewJob, now: number): void {
    const { id, kind, dryRun, apiUrl } = job;
    const me = this.#processes.current();
    this.#db.transaction(() => {
      this.#removeAbandoned();
      this.#db
        .prepare(
          `INSERT INTO jobs (id, target, kind, state, dry_run, created_at, updated_at, owner_pid, owner_started, record)
           VALUES (?, ?, ?, 'staging', ?, ?, ?, ?, ?, ?)`,
        )
        .run(id, this.target(apiUrl), kind, dryRun ? 1 : 0, now, now, me.pid, me.started, newRecord(job));
    });
  }

  update(id: string, patch: JobPatch, now: number): JobState {
    return this.#db.transaction(() => {
      const row = this.#row(id);
      const { state, dryRun, record } = patched(row, patch);
      this.#db
        .prepare('UPDATE jobs SET state = ?, dry_run = ?, updated_at = ?, record = ? WHERE number = ?')
        .run(state, dryRun, now, record, row.number);
      return state as JobState;
    });
  }

  discard(id: string): void {
    this.#db.transaction(() => {
      const row = this.#row(id);
      if (row.first_sent_at !== null) throw new Error(`job ${id} has sent something and cannot be discarded`);
      this.#db
        .prepare(
          'DELETE FROM row_hashes WHERE job = ?1 AND (SELECT hashed_to FROM jobs WHERE number = ?1) > 0',
        )
        .run(row.number);
      this.#remove(row.number);
    });
  }

  find(reference: string): JobRecord {
    if (reference === 'last') return toJobRecord(this.#last());
    const rows = this.#db
      .prepare(
        `${SELECT} WHERE j.state <> 'staging' AND (j.id = ? OR substr(j.id, 1, ?) = ?) ORDER BY j.number`,
      )
      .all(reference, reference.length, reference) as unknown as StoredJob[];
    return toJobRecord(meant(reference, rows));
  }

  list(limit?: number): JobRecord[] {
    const rows = this.#db
      .prepare(`${SELECT} WHERE j.state <> 'staging' ORDER BY j.number DESC LIMIT ?`)
      // SQLite takes a negative limit for none.
      .all(limit ?? -1) as unknown as StoredJob[];
    return rows.map(toJobRecord);
  }

  /** The job's row number, which rows refer to, and its target's. */
  numbers(id: string): { job: number; target: number } {
    const row = this.#db.prepare('SELECT number AS job, target FROM jobs WHERE id = ?').get(id) as
      | { job: number; target: number }
      | undefined;
    if (row === undefined) throw new Error(`no job ${id}`);
    return row;
  }

  /** The number of an address, made when it is first met. */
  target(apiUrl: string): number {
    this.#db.prepare('INSERT OR IGNORE INTO targets (api_url) VALUES (?)').run(apiUrl);
    const row = this.#db.prepare('SELECT number FROM targets WHERE api_url = ?').get(apiUrl) as {
      number: number;
    };
    return row.number;
  }

  #row(id: string): StoredJob {
    const row = this.#db.prepare(`${SELECT} WHERE j.id = ?`).get(id) as StoredJob | undefined;
    if (row === undefined) throw new Error(`no job ${id}`);
    return row;
  }

  #last(): StoredJob {
    const rows = this.#db
      .prepare(
        `SELECT ${JOB_COLUMNS}, j.owner_pid, j.owner_started ${FROM} WHERE j.dry_run = 0
           AND j.number >= coalesce((SELECT max(number) FROM jobs WHERE dry_run = 0 AND state <> 'staging'), 0)
         ORDER BY j.number DESC`,
      )
      .all() as unknown as (StoredJob & { owner_pid: number; owner_started: string })[];
    const { host } = this.#processes.current();
    return newest(rows, (row) =>
      this.#processes.mayStillRun({ host, pid: row.owner_pid, started: row.owner_started }),
    );
  }

  /** What a process left that died while it was still reading a file: nobody ever saw it. */
  #removeAbandoned(): void {
    const { host } = this.#processes.current();
    const rows = this.#db
      .prepare(`SELECT number, owner_pid AS pid, owner_started AS started FROM jobs WHERE state = 'staging'`)
      .all() as { number: number; pid: number; started: string }[];
    for (const row of rows) {
      if (!this.#processes.mayStillRun({ host, pid: row.pid, started: row.started }))
        this.#remove(row.number);
    }
  }

  #remove(number: number): void {
    this.#db.prepare('DELETE FROM rows WHERE job = ?').run(number);
    this.#db.prepare('DELETE FROM jobs WHERE number = ?').run(number);
  }
}
