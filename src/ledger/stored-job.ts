/**
 * A job as both databases store it: a few columns to search by, and the rest of the record as JSON text. It is not
 * stored as jsonb, which rejects NUL, which a cell may contain, and reorders keys.
 */
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { byHand, message } from '../messages/message.ts';
import { storedReader } from '../base/stored-json.ts';
import { Consents, JobError, JobLearned, JobPlan, JobRequest, JobSource, withLearned } from './job-parts.ts';
import { HASHED_WHOLE } from './known-rows.ts';
import type { JobFilter, JobPatch, JobRecord, NewJob } from './ledger.ts';
import { LIST_JOBS, USE_STORE } from './store-actions.ts';
import type { JobState } from './states.ts';

export interface StoredJob {
  number: number;
  id: string;
  kind: string;
  state: string;
  dry_run: number;
  created_at: number;
  updated_at: number;
  first_sent_at: number | null;
  owned_at: number | null;
  hashed_to: number;
  api_url: string;
  record: string;
}

/** Fields of the record that have no column of their own. */
export const readBody = storedReader('job', () =>
  z.strictObject({
    mode: z.enum(['create', 'update', 'upsert']),
    source: JobSource,
    request: JobRequest,
    plan: JobPlan,
    learned: JobLearned,
    consents: Consents,
    prunedAt: z.number().exactOptional(),
    collections: z.record(z.string(), z.string()),
    sheetRows: z.number(),
    files: z.record(z.string(), z.strictObject({ path: z.string(), sha256: z.string() })),
    fingerprint: z.string().exactOptional(),
    error: JobError.exactOptional(),
  }),
);

/** Columns of a StoredJob, from `jobs j JOIN targets t`. */
export const JOB_COLUMNS = `j.number, j.id, j.kind, j.state, j.dry_run, j.created_at, j.updated_at,
  j.first_sent_at, j.owned_at, j.hashed_to, t.api_url, j.record`;

export function toJobRecord(row: StoredJob): JobRecord {
  const record: JobRecord = {
    ...readBody(row.record),
    id: row.id,
    kind: row.kind as JobRecord['kind'],
    state: row.state as JobState,
    dryRun: row.dry_run === 1,
    apiUrl: row.api_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  if (row.first_sent_at !== null) record.firstSentAt = row.first_sent_at;
  if (row.owned_at !== null) record.ownedAt = row.owned_at;
  if (row.hashed_to > 0) record.hashedTo = row.hashed_to;
  return record;
}

/** The column `record` of a new job. */
export function newRecord(job: NewJob): string {
  const { id: _id, kind: _kind, dryRun: _dryRun, apiUrl: _apiUrl, ...rest } = job;
  return JSON.stringify({ ...rest, learned: {}, consents: {}, files: {} });
}

export function patched(
  row: Pick<StoredJob, 'state' | 'dry_run' | 'record'>,
  patch: JobPatch,
): { state: string; dryRun: number; record: string } {
  const body = readBody(row.record);
  const { state, dryRun, error, reopen, learned, ...rest } = patch;
  Object.assign(body, rest);
  if (learned !== undefined) body.learned = withLearned(body.learned, learned);
  const stays = row.state === 'cancelled' && reopen !== true;
  if (error === null) delete body.error;
  else if (error !== undefined && !stays) body.error = error;
  return {
    state: stays ? row.state : (state ?? row.state),
    dryRun: (dryRun ?? row.dry_run === 1) ? 1 : 0,
    record: JSON.stringify(body),
  };
}

/**
 * The job that a reference refers to, among the jobs whose ids begin with it.
 *
 * @throws UsageError `no_such_job`, `ambiguous_job`
 */
export function meant(reference: string, candidates: readonly StoredJob[]): StoredJob {
  const exact = candidates.find((row) => row.id === reference);
  if (exact !== undefined) return exact;
  const [only, second] = candidates;
  if (only === undefined || reference === '') throw noSuchJob(reference);
  if (second !== undefined) {
    const said = message('ambiguous_job', { reference, ids: candidates.map(({ id }) => id) });
    throw new UsageError('ambiguous_job', said, { actions: [byHand('give_more_of_id', {})] });
  }
  return only;
}

/** Also thrown for a job that another process has just discarded. */
export function noSuchJob(reference: string): UsageError {
  return new UsageError('no_such_job', message('no_such_job', { job: reference }), { actions: [LIST_JOBS] });
}

/**
 * The job that `last` refers to.
 *
 * @param rows newest first: the newest staged job that is not a dry run, and every younger job still in `staging`
 * @param beingRead whether the process that reads the file of such a job may still run
 * @throws UsageError `no_such_job`
 */
export function newest<Row extends StoredJob>(
  rows: readonly Row[],
  beingRead: (row: Row) => boolean,
): StoredJob {
  for (const row of rows) {
    if (row.state !== 'staging') return row;
    // Still being read: not a job yet, so the one before it is the newest.
    if (beingRead(row)) continue;
    const { source } = readBody(row.record);
    const said = message('stopped_while_reading', { file: source.file });
    throw new UsageError('no_such_job', said, {
      actions: [byHand('import_again_or_older', {}), LIST_JOBS],
    });
  }
  throw new UsageError('no_such_job', message('no_job_yet', {}), {
    actions: [
      { ...LIST_JOBS, label: message('to_name_dry_run', {}) },
      byHand('import_again_if_stopped', {}),
      USE_STORE,
    ],
  });
}

/** The stored states of jobs that are shown in one of these states: it shows only later that a process was killed. */
export function asStored(states: readonly JobState[]): JobState[] {
  return states.includes('interrupted') ? [...states, 'running'] : [...states];
}

/** The listed jobs that are shown in one of the states, and have the hash if the query requires one. */
export function asWanted(jobs: readonly JobRecord[], { states, sha256 }: JobFilter): JobRecord[] {
  return jobs.filter(
    ({ state, source }) =>
      (states?.includes(state) ?? true) && (sha256 === undefined || source.sha256 === sha256),
  );
}

/** SQL: whether rows of job `j` count as sent and some of them may have no hashes (known-rows.ts). */
export const UNHASHED = `(coalesce(j.owned_at, j.first_sent_at) IS NOT NULL AND j.hashed_to < ${HASHED_WHOLE})`;
