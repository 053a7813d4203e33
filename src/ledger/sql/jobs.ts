/** Jobs. */
import type { Clock } from '../../base/clock.ts';
import { OF_JOBS } from '../key-values.ts';
import { LEASE_EXPIRY_MS } from '../lease-freshness.ts';
import type { JobFilter, JobPatch, JobRecord, Jobs, NewJob } from '../ledger.ts';
import type { Processes } from '../process-identity.ts';
import { Staging, stagingLost } from '../staging.ts';
import type { JobState } from '../states.ts';
import {
  asStored,
  asWanted,
  JOB_COLUMNS,
  meant,
  newest,
  newRecord,
  noSuchJob,
  patched,
  type StoredJob,
  toJobRecord,
  UNHASHED,
} from '../stored-job.ts';
import type { SqlLanes } from './lanes.ts';
import type { Session } from './session.ts';

/** The process that reads the file of a job in state `staging`. */
interface Owner {
  owner_pid: number;
  owner_started: string;
  owner_machine: string | null;
  /** ms since the last heartbeat. */
  silence: number;
}

export class SqlJobs implements Jobs {
  readonly #db: Session;
  readonly #table: string;
  readonly #from: string;
  readonly #owner: string;
  readonly #targets = new Set<string>();
  readonly #clock: Clock;
  readonly #processes: Processes;
  readonly #staging: Staging;
  readonly #lanes: SqlLanes;

  constructor(db: Session, lanes: SqlLanes, clock: Clock, processes: Processes) {
    this.#db = db;
    this.#lanes = lanes;
    this.#clock = clock;
    this.#processes = processes;
    this.#staging = new Staging(clock);
    this.#table = `${db.schema}.jobs`;
    this.#from = `FROM ${this.#table} j JOIN ${db.schema}.targets t ON t.number = j.target`;
    this.#owner = `j.owner_pid, j.owner_started, j.owner_machine, ${db.now} - coalesce(j.owner_beat, j.created_at) AS silence`;
  }

  async create(job: NewJob): Promise<void> {
    await this.#staging.begin(
      job.id,
      (token) => this.#insert(job, token),
      (token) => {
        const text = `UPDATE ${this.#table} SET owner_beat = ${this.#db.now} WHERE owner_token = $1 AND state = 'staging'`;
        return this.#db.change({ text, values: [token] }, { durable: 'soon' });
      },
    );
  }

  async #insert(job: NewJob, token: string): Promise<void> {
    await this.#removeAbandoned(job.id, token);
    await this.ensureTarget(job.apiUrl);
    const me = this.#processes.current();
    const rows = await this.#db.change({
      // Repeated after a lost answer, it finds its own job.
      text: `INSERT INTO ${this.#table} AS j (id, target, kind, state, dry_run, created_at, updated_at, owner_pid,
          owner_started, owner_machine, owner_beat, owner_token, record)
        SELECT $1, t.number, $3, 'staging', $4, $5, $5, $6, $7, $8, ${this.#db.now}, $9, $10
        FROM ${this.#db.schema}.targets t WHERE t.api_url = $2
        ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at
          WHERE j.state = 'staging' AND j.owner_token = excluded.owner_token
        RETURNING number`,
      values: [
        job.id,
        job.apiUrl,
        job.kind,
        job.dryRun ? 1 : 0,
        this.#clock.now(),
        me.pid,
        me.started,
        this.#db.machineOf(me) ?? null,
        token,
        newRecord(job),
      ],
    });
    if (rows.length === 0) throw new Error(`There is already a job ${job.id}.`);
  }

  /** Token of a job whose rows this process may stage; undefined for any other job. */
  stagingToken(id: string): string | undefined {
    return this.#staging.token(id);
  }

  async finishStaging(id: string, patch: JobPatch): Promise<void> {
    await this.update(id, { ...patch, state: 'planned' });
    this.#staging.end(id);
  }

  close(): void {
    this.#staging.close();
  }

  async update(id: string, patch: JobPatch): Promise<JobState> {
    const token = this.#staging.token(id);
    for (;;) {
      const row = await this.#row(id);
      if (token !== undefined && row.owner_token !== token) throw stagingLost(id);
      const { state, dryRun, record } = patched(row, patch);
      const [written] = await this.#db.change<{ state: JobState }>({
        // Does not undo what another process has written since. Repeated, it finds its own patch and succeeds.
        text: `UPDATE ${this.#table} SET state = $2, dry_run = $3, updated_at = $4, record = $5,
            owned_at = CASE WHEN $6::boolean THEN NULL ELSE owned_at END
          WHERE number = $1 AND owner_token IS NOT DISTINCT FROM $7
            AND (state = $8 AND dry_run = $9 AND record = $10 OR state = $2 AND dry_run = $3 AND record = $5)
          RETURNING state`,
        values: [
          row.number,
          state,
          dryRun,
          this.#clock.now(),
          record,
          patch.reopen === true,
          row.owner_token,
          row.state,
          row.dry_run,
          row.record,
        ],
      });
      if (written !== undefined) return written.state;
    }
  }

  async discard(id: string, evenIfCancelled = false): Promise<void> {
    const { schema } = this.#db;
    const token = this.#staging.token(id) ?? null;
    this.#staging.end(id);
    await this.#db.together(function* () {
      // Its rows are deleted with it. A job that another process started again or has sent is left alone, and so is one
      // whose cancel was answered.
      const [gone] = yield {
        text: `DELETE FROM ${schema}.jobs WHERE id = $1 AND first_sent_at IS NULL
            AND (state <> 'cancelled' OR $3::boolean) AND ($2::text IS NULL OR owner_token = $2)
          RETURNING number, hashed_to`,
        values: [id, token, evenIfCancelled],
      };
      if (gone === undefined) return;
      yield* removeValues(schema, [id]);
      if (Number(gone['hashed_to']) > 0)
        yield { text: `DELETE FROM ${schema}.row_hashes WHERE job = $1`, values: [gone['number']] };
    });
  }

  async find(reference: string): Promise<JobRecord> {
    const [job] = await this.#shown([await this.#stored(reference)]);
    return job as JobRecord;
  }

  async #stored(reference: string): Promise<StoredJob> {
    if (reference === 'last') return this.#last();
    const rows = await this.#db.read<StoredJob>({
      text: `SELECT ${JOB_COLUMNS} ${this.#from} WHERE j.state <> 'staging'
          AND (j.id = $1 OR substr(j.id, 1, length($1::text)) = $1) ORDER BY j.number`,
      values: [reference],
    });
    return meant(reference, rows);
  }

  async list(limit?: number, filter: JobFilter = {}): Promise<JobRecord[]> {
    const rows = await this.#db.read<StoredJob>({
      text: `SELECT ${JOB_COLUMNS} ${this.#from} WHERE j.state <> 'staging' AND j.created_at >= $2 AND j.updated_at >= $9
          AND ($3::text[] IS NULL OR j.state = ANY ($3::text[])) AND ($4::text[] IS NULL OR j.id = ANY ($4::text[]))
          AND ($5::text IS NULL OR j.kind = $5) AND ($6::text IS NULL OR t.api_url = $6)
          AND ($7::text IS NULL OR strpos(j.record, $7) > 0) AND (NOT $8::boolean OR ${UNHASHED})
        ORDER BY j.number DESC LIMIT $1`,
      values: [
        limit ?? Number.MAX_SAFE_INTEGER,
        Math.floor(filter.since ?? 0),
        filter.states === undefined ? null : asStored(filter.states),
        filter.ids ?? null,
        filter.kind ?? null,
        filter.apiUrl ?? null,
        filter.sha256 ?? null,
        filter.unhashed === true,
        Math.floor(filter.updatedSince ?? 0),
      ],
    });
    return asWanted(await this.#shown(rows), filter);
  }

  /** The record of a job whose process was killed still says `running`, because the process could not change it. */
  async #shown(rows: readonly StoredJob[]): Promise<JobRecord[]> {
    const running = rows.filter((row) => row.state === 'running').map((row) => row.id);
    const runners = await this.#lanes.runners(running);
    return rows.map((row) => {
      const job = toJobRecord(row);
      return job.state === 'running' && !runners.has(job.id) ? { ...job, state: 'interrupted' } : job;
    });
  }

  async claimant(fingerprint: string): Promise<string | undefined> {
    const [row] = await this.#db.read<{ id: string }>({
      text: `SELECT j.id FROM ${this.#db.schema}.claims c JOIN ${this.#table} j ON j.number = c.job
        WHERE c.fingerprint = $1`,
      values: [fingerprint],
    });
    return row?.id;
  }

  async unclaim(id: string): Promise<void> {
    await this.#db.change({
      text: `DELETE FROM ${this.#db.schema}.claims WHERE job = (SELECT number FROM ${this.#table} WHERE id = $1)`,
      values: [id],
    });
  }

  async fileWriter(sha256: string): Promise<string | undefined> {
    const [row] = await this.#db.read<{ job: string }>({
      text: `SELECT job FROM ${this.#db.schema}.written_files WHERE sha256 = $1`,
      values: [sha256],
    });
    return row?.job;
  }

  async noteFile(sha256: string, jobId: string): Promise<void> {
    await this.#db.change({
      text: `INSERT INTO ${this.#db.schema}.written_files (sha256, job) VALUES ($1, $2)
        ON CONFLICT (sha256) DO UPDATE SET job = excluded.job`,
      values: [sha256, jobId],
    });
  }

  /** Adds an address on first use; it is never removed. */
  async ensureTarget(apiUrl: string): Promise<void> {
    if (this.#targets.has(apiUrl)) return;
    const text = `INSERT INTO ${this.#db.schema}.targets (api_url) VALUES ($1) ON CONFLICT DO NOTHING`;
    await this.#db.change({ text, values: [apiUrl] });
    this.#targets.add(apiUrl);
  }

  async #row(id: string): Promise<StoredJob & { owner_token: string | null }> {
    const [row] = await this.#db.read<StoredJob & { owner_token: string | null }>({
      text: `SELECT ${JOB_COLUMNS}, j.owner_token ${this.#from} WHERE j.id = $1`,
      values: [id],
    });
    if (row === undefined) throw noSuchJob(id);
    return row;
  }

  async #last(): Promise<StoredJob> {
    const rows = await this.#db.read<StoredJob & Owner>({
      text: `SELECT ${JOB_COLUMNS}, ${this.#owner} ${this.#from} WHERE j.dry_run = 0 AND j.number >= coalesce(
          (SELECT max(number) FROM ${this.#table} WHERE dry_run = 0 AND state <> 'staging'), 0)
        ORDER BY j.number DESC`,
    });
    return newest(rows, (row) => this.#mayStillRead(row));
  }

  /**
   * Removes jobs that dead processes left while they were reading files, and the job that is started again under the
   * same id.
   */
  async #removeAbandoned(again: string, token: string): Promise<void> {
    const { schema } = this.#db;
    const rows = await this.#db.read<Owner & { id: string; owner_token: string }>({
      text: `SELECT j.id, j.owner_token, ${this.#owner} FROM ${this.#table} j
        WHERE j.state = 'staging' AND j.owner_token IS DISTINCT FROM $1`,
      values: [token],
    });
    const dead = rows.filter((row) => row.id === again || !this.#mayStillRead(row));
    if (dead.length === 0) return;
    await this.#db.together(function* () {
      // By the token: a job that another process has started again meanwhile may have the same id, and even number.
      const gone = (yield {
        text: `DELETE FROM ${schema}.jobs WHERE owner_token = ANY ($1::text[]) AND state = 'staging' RETURNING id`,
        values: [dead.map((row) => row.owner_token)],
      }) as { id: string }[];
      yield* removeValues(
        schema,
        gone.map(({ id }) => id),
      );
    });
  }

  /** Whether the process that reads a job's file may still run. Pids are comparable only on one machine. */
  #mayStillRead(row: Owner): boolean {
    const me = this.#processes.current();
    const machine = this.#db.machineOf(me);
    if (machine === undefined || row.owner_machine !== machine) return row.silence < LEASE_EXPIRY_MS;
    return this.#processes.mayStillRun({ host: me.host, pid: row.owner_pid, started: row.owner_started });
  }
}

/** Deletes the values that belong to the jobs. */
function* removeValues(schema: string, ids: readonly string[]) {
  yield {
    text: `DELETE FROM ${schema}.key_values WHERE space = $1 AND key = ANY ($2::text[])`,
    values: [OF_JOBS, ids],
  };
}
