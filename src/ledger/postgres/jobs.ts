/** Jobs in PostgreSQL. */
import type { JobPatch, JobRecord, NewJob } from '../ledger.ts';
import type { Clock } from '../../clock.ts';
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

interface Owner {
  owner_pid: number;
  owner_started: string;
  owner_machine: string | null;
  created_at: number;
}

/** A file that a process of another machine has been reading for so long is not being read any more. */
const LONGEST_READING_MS = 24 * 3_600_000;

export class Jobs {
  readonly #db: Database;
  readonly #from: string;
  readonly #targets = new Set<string>();
  readonly #clock: Clock;
  readonly #processes: Processes;

  constructor(db: Database, clock: Clock, processes: Processes) {
    this.#db = db;
    this.#clock = clock;
    this.#processes = processes;
    this.#from = `FROM ${db.schema}.jobs j JOIN ${db.schema}.targets t ON t.number = j.target`;
  }

  async create(job: NewJob): Promise<void> {
    const { schema } = this.#db;
    await this.#removeAbandoned();
    await this.ensureTarget(job.apiUrl);
    const now = this.#clock.now();
    const me = this.#processes.current();
    const rows = await this.#db.repeatable({
      // Sent again after a lost answer, it finds its own job.
      text: `INSERT INTO ${schema}.jobs AS j (id, target, kind, state, dry_run, created_at, updated_at, owner_pid,
               owner_started, owner_machine, record)
             SELECT $1, t.number, $3, 'staging', $4, $5, $5, $6, $7, $8, $9 FROM ${schema}.targets t WHERE t.api_url = $2
             ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at
               WHERE j.state = 'staging' AND j.created_at = excluded.created_at AND j.owner_pid = excluded.owner_pid
                 AND j.owner_started = excluded.owner_started
             RETURNING j.number`,
      values: [
        job.id,
        job.apiUrl,
        job.kind,
        job.dryRun ? 1 : 0,
        now,
        me.pid,
        me.started,
        me.machine ?? null,
        newRecord(job),
      ],
    });
    if (rows.length === 0) throw new Error(`there is a job ${job.id} already`);
  }

  async update(id: string, patch: JobPatch): Promise<JobState> {
    for (;;) {
      const row = await this.#row(id);
      const { state, dryRun, record } = patched(row, patch);
      const [written] = await this.#db.repeatable<{ state: JobState }>({
        // Whoever patched the record meanwhile is not undone; the same record again is the same patch.
        text: `UPDATE ${this.#db.schema}.jobs
               SET state = CASE WHEN $2 AND ($9 OR state <> 'cancelled') THEN $3 ELSE state END, dry_run = CASE WHEN $4 THEN $5 ELSE dry_run END,
                 updated_at = $6, record = $7
               WHERE number = $1 AND record IN ($7, $8) RETURNING state`,
        values: [
          row.number,
          patch.state !== undefined,
          state,
          patch.dryRun !== undefined,
          dryRun,
          this.#clock.now(),
          record,
          row.record,
          patch.reopen === true,
        ],
      });
      if (written !== undefined) return written.state;
    }
  }

  async discard(id: string): Promise<void> {
    const rows = await this.#db.repeatable<{ first_sent_at: number | null }>({
      text: `SELECT first_sent_at FROM ${this.#db.schema}.jobs WHERE id = $1`,
      values: [id],
    });
    const sent = () => new Error(`job ${id} has sent something and cannot be discarded`);
    if (rows[0] !== undefined && rows[0].first_sent_at !== null) throw sent();
    // Its rows go with it.
    await this.#db.repeatable({
      text: `WITH gone AS (
               DELETE FROM ${this.#db.schema}.jobs WHERE id = $1 AND first_sent_at IS NULL RETURNING number, hashed_to)
             DELETE FROM ${this.#db.schema}.row_hashes
             WHERE job IN (SELECT number FROM gone WHERE hashed_to > 0)`,
      values: [id],
    });
  }

  async find(reference: string): Promise<JobRecord> {
    if (reference === 'last') return toJobRecord(await this.#last());
    const rows = await this.#db.repeatable<StoredJob>({
      text: `SELECT ${JOB_COLUMNS} ${this.#from}
             WHERE j.state <> 'staging' AND (j.id = $1 OR starts_with(j.id, $1)) ORDER BY j.number`,
      values: [reference],
    });
    return toJobRecord(meant(reference, rows));
  }

  async list(limit?: number): Promise<JobRecord[]> {
    const rows = await this.#db.repeatable<StoredJob>({
      text: `SELECT ${JOB_COLUMNS} ${this.#from} WHERE j.state <> 'staging' ORDER BY j.number DESC LIMIT $1`,
      values: [limit ?? null],
    });
    return rows.map(toJobRecord);
  }

  /** Makes the line of an address when it is first met; it is never removed. */
  async ensureTarget(apiUrl: string): Promise<void> {
    if (this.#targets.has(apiUrl)) return;
    await this.#db.repeatable({
      text: `INSERT INTO ${this.#db.schema}.targets (api_url) VALUES ($1) ON CONFLICT DO NOTHING`,
      values: [apiUrl],
    });
    this.#targets.add(apiUrl);
  }

  async #row(id: string): Promise<StoredJob> {
    const [row] = await this.#db.repeatable<StoredJob>({
      text: `SELECT ${JOB_COLUMNS} ${this.#from} WHERE j.id = $1`,
      values: [id],
    });
    if (row === undefined) throw new Error(`no job ${id}`);
    return row;
  }

  async #last(): Promise<StoredJob> {
    const rows = await this.#db.repeatable<StoredJob & Owner>({
      text: `SELECT ${JOB_COLUMNS}, j.owner_pid, j.owner_started, j.owner_machine ${this.#from}
             WHERE j.dry_run = 0 AND j.number >= coalesce(
               (SELECT max(number) FROM ${this.#db.schema}.jobs WHERE dry_run = 0 AND state <> 'staging'), 0)
             ORDER BY j.number DESC`,
    });
    return newest(rows, (row) => this.#mayStillRead(row));
  }

  /** What a process left that died while it was still reading a file: nobody ever saw it. */
  async #removeAbandoned(): Promise<void> {
    const { schema } = this.#db;
    const rows = await this.#db.repeatable<Owner & { number: number }>({
      text: `SELECT number, owner_pid, owner_started, owner_machine, created_at FROM ${schema}.jobs WHERE state = 'staging'`,
    });
    const dead = rows.filter((row) => !this.#mayStillRead(row)).map(({ number }) => number);
    if (dead.length === 0) return;
    await this.#db.repeatable({
      text: `DELETE FROM ${schema}.jobs WHERE number = ANY ($1::bigint[]) AND state = 'staging'`,
      values: [dead],
    });
  }

  /** Whether the process that reads a job's file may still run: a pid says something on its own machine only. */
  #mayStillRead(row: Owner): boolean {
    const { machine, host } = this.#processes.current();
    if (machine === undefined || row.owner_machine !== machine)
      return this.#clock.now() - row.created_at < LONGEST_READING_MS;
    return this.#processes.mayStillRun({ host, pid: row.owner_pid, started: row.owner_started });
  }
}
