/** Jobs in SQLite: a few columns to search by, the rest of the record as JSON. */
import { UsageError } from '../../errors.ts';
import type { JobPatch, JobRecord, NewJob } from '../ledger.ts';
import type { Processes } from '../process-identity.ts';
import type { JobState } from '../states.ts';
import type { Database } from './database.ts';

interface JobRow {
  number: number;
  id: string;
  state: string;
  dry_run: number;
  created_at: number;
  updated_at: number;
  first_sent_at: number | null;
  api_url: string;
  record: string;
}

/** Fields of the record that have no column of their own. */
type Body = Pick<JobRecord, 'mode' | 'source' | 'options' | 'collections' | 'sheetRows' | 'files'> &
  Partial<Pick<JobRecord, 'fingerprint' | 'error'>>;

const SELECT = `SELECT j.number, j.id, j.state, j.dry_run, j.created_at, j.updated_at, j.first_sent_at, t.api_url,
  j.kind, j.record FROM jobs j JOIN targets t ON t.number = j.target`;
const SELECT_OWNED = SELECT.replace('j.record', 'j.record, j.owner_pid, j.owner_started');

export class Jobs {
  readonly #db: Database;
  readonly #processes: Processes;

  constructor(db: Database, processes: Processes) {
    this.#db = db;
    this.#processes = processes;
  }

  create(job: NewJob, now: number): void {
    const { id, kind, dryRun, apiUrl, ...rest } = job;
    const me = this.#processes.current();
    this.#db.transaction(() => {
      this.#removeAbandoned();
      this.#db
        .prepare(
          `INSERT INTO jobs (id, target, kind, state, dry_run, created_at, updated_at, owner_pid, owner_started, record)
           VALUES (?, ?, ?, 'staging', ?, ?, ?, ?, ?, ?)`,
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
          JSON.stringify({ ...rest, files: {} }),
        );
    });
  }

  update(id: string, patch: JobPatch, now: number): void {
    this.#db.transaction(() => {
      const row = this.#row(id);
      const body = JSON.parse(row.record) as Body;
      const { state, dryRun, error, ...rest } = patch;
      Object.assign(body, rest);
      if (error === null) delete body.error;
      else if (error !== undefined) body.error = error;
      this.#db
        .prepare('UPDATE jobs SET state = ?, dry_run = ?, updated_at = ?, record = ? WHERE number = ?')
        .run(
          state ?? row.state,
          (dryRun ?? row.dry_run === 1) ? 1 : 0,
          now,
          JSON.stringify(body),
          row.number,
        );
    });
  }

  discard(id: string): void {
    this.#db.transaction(() => {
      const row = this.#row(id);
      if (row.first_sent_at !== null) throw new Error(`job ${id} has sent something and cannot be discarded`);
      this.#remove(row.number);
    });
  }

  find(reference: string): JobRecord {
    if (reference === 'last') return toRecord(this.#last());
    const rows = this.#db
      .prepare(
        `${SELECT} WHERE j.state <> 'staging' AND (j.id = ? OR substr(j.id, 1, ?) = ?) ORDER BY j.number`,
      )
      .all(reference, reference.length, reference) as unknown as JobRow[];
    const exact = rows.find((row) => row.id === reference);
    if (exact !== undefined) return toRecord(exact);
    const [only, second] = rows;
    if (only === undefined || reference === '') {
      throw new UsageError('no_such_job', `there is no job "${reference}" in this store`, {
        remedy: 'shelflift jobs list shows the jobs there are.',
      });
    }
    if (second !== undefined) {
      throw new UsageError(
        'ambiguous_job',
        `"${reference}" fits ${rows.length} jobs: ${rows.map((row) => row.id).join(', ')}`,
        {
          remedy: 'Write more letters of the id.',
        },
      );
    }
    return toRecord(only);
  }

  list(): JobRecord[] {
    const rows = this.#db
      .prepare(`${SELECT} WHERE j.state <> 'staging' ORDER BY j.number DESC`)
      .all() as unknown as JobRow[];
    return rows.map(toRecord);
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

  #row(id: string): JobRow {
    const row = this.#db.prepare(`${SELECT} WHERE j.id = ?`).get(id) as JobRow | undefined;
    if (row === undefined) throw new Error(`no job ${id}`);
    return row;
  }

  #last(): JobRow {
    const rows = this.#db
      .prepare(
        `${SELECT_OWNED} WHERE j.dry_run = 0
           AND j.number >= coalesce((SELECT max(number) FROM jobs WHERE dry_run = 0 AND state <> 'staging'), 0)
         ORDER BY j.number DESC`,
      )
      .all() as unknown as (JobRow & { owner_pid: number; owner_started: string })[];
    const { host } = this.#processes.current();
    for (const row of rows) {
      if (row.state !== 'staging') return row;
      // Read at this moment: it is no job yet, and the newest job is the one before it.
      if (this.#processes.mayStillRun({ host, pid: row.owner_pid, started: row.owner_started })) continue;
      const { source } = JSON.parse(row.record) as Body;
      throw new UsageError(
        'no_such_job',
        `the last import (${source.file}) was stopped while its file was still being read: nothing was sent, and no job was made`,
        {
          remedy:
            'Import the file again. shelflift jobs list shows the jobs there are; name an older one by its id.',
        },
      );
    }
    throw new UsageError('no_such_job', 'there is no job in this store yet', {
      remedy:
        'A job exists once its file is read whole. If an import was stopped before that, import the file again. ' +
        'If it was kept in another store, name it with --store.',
    });
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

function toRecord(row: JobRow & { kind?: string }): JobRecord {
  const body = JSON.parse(row.record) as Body;
  const record: JobRecord = {
    ...body,
    id: row.id,
    kind: (row.kind ?? 'import') as JobRecord['kind'],
    state: row.state as JobState,
    dryRun: row.dry_run === 1,
    apiUrl: row.api_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  if (row.first_sent_at !== null) record.firstSentAt = row.first_sent_at;
  return record;
}
