/**
 * The record of the outcome of each row: the ports that import, jobs and the worker read and write.
 *
 * There are two implementations, on SQLite and on PostgreSQL. The guarantees are documented here.
 */
import type { Message } from '../messages/params.ts';
import type { Clock } from '../base/clock.ts';
import { ShelfliftError } from '../base/errors.ts';
import type { KeyValues } from './key-values.ts';
import type { KnownRows } from './known-rows.ts';
import type { Consents, JobError, JobLearned, JobPlan, JobRequest, JobSource } from './job-parts.ts';
import type { Processes } from './process-identity.ts';
import type { RunRecords } from './run-records.ts';
import type { RowCode } from '../messages/row-codes.ts';
import type { RowName } from './row-name.ts';
import type { JobState, RowAction, RowState } from './states.ts';
import type { StoreOutageOptions } from './store-away.ts';
import { message } from '../messages/message.ts';

/** The command that made a job; src/import/plan/planners.ts handles the differences. */
export type JobKind = 'import' | 'set' | 'undo';

export interface JobRecord {
  /** Short, lower-case, unique in the store. */
  id: string;
  kind: JobKind;
  mode: 'create' | 'update' | 'upsert';
  state: JobState;
  /** True for a dry run that nobody has applied. */
  dryRun: boolean;
  /** The API that has the items: its normalised base address, or the target's name. */
  apiUrl: string;
  source: JobSource;
  request: JobRequest;
  plan: JobPlan;
  learned: JobLearned;
  consents: Consents;
  /** Collection reference (name or id as written; '' for the job's default) → collection id. */
  collections: Record<string, string>;
  /** Equal for imports with the same content, template, options, address and collections. Set by the plan. */
  fingerprint?: string;
  /** ms since the epoch. */
  createdAt: number;
  updatedAt: number;
  /** When the first intent was committed; undefined if nothing was ever sent. */
  firstSentAt?: number;
  /** Since when other imports count the job's planned rows as sent (known-rows.ts). */
  ownedAt?: number;
  /** The ordinal up to which its rows have hashes, `HASHED_WHOLE` if all have (known-rows.ts); absent if none has. */
  hashedTo?: number;
  /** When the before-images of the job were pruned, ms since the epoch. */
  prunedAt?: number;
  /** Number of rows in the file. */
  sheetRows: number;
  /** Why the job stopped; absent if it ended. */
  error?: JobError;
  /** Written files, with the hash of their content. */
  files: Record<string, { path: string; sha256: string }>;
}

export type NewJob = Omit<
  JobRecord,
  | 'createdAt'
  | 'updatedAt'
  | 'state'
  | 'files'
  | 'firstSentAt'
  | 'ownedAt'
  | 'hashedTo'
  | 'learned'
  | 'consents'
>;
export type JobPatch = Partial<
  Pick<
    JobRecord,
    | 'state'
    | 'dryRun'
    | 'collections'
    | 'fingerprint'
    | 'sheetRows'
    | 'files'
    | 'request'
    | 'plan'
    | 'consents'
    | 'prunedAt'
    | 'source'
  >
> & {
  /** Only what is new: the store adds it to what other processes have learned of the job. */
  learned?: JobLearned;
  error?: JobError | null;
  /** Reopens a cancelled job, so that it is sent after all (`jobs apply`). Otherwise, its state and error stay. */
  reopen?: true;
};

/** One problem of a row. The results file shows the first in `_error`. */
export interface StoredIssue {
  /** Stable code. */
  code: RowCode;
  /** The problem as a message: `textOf(issue.said, 'de')` gives it in German. */
  said?: Message;
  /** The problem in English; stored only if there is no message. */
  message: string;
  /** Header of the column, or its letter if it has none. */
  column?: string;
  /** Letter of the column. */
  letter?: string;
  /** Field that the column is for. */
  field?: string;
  /** The text of the cell, cut. */
  found?: string;
  /** Likely readings of the cell (mapping/issue.ts). */
  offers?: readonly object[];
  /** The conversion that an amount in another currency needs, by codes. */
  rate?: {
    /** Currency code of the amount, in upper case. */
    from: string;
    /** Currency code of the items; several are joined by "or". */
    to: string;
  };
  /** The item that the message is about, if it is not the item of the row. */
  itemId?: string;
  /** The row of an earlier job that was sent in place of this one. */
  sentAs?: RowName;
  /** The row of an earlier job that a person left out, and this one with it. Nobody waits for it to be sent. */
  leftAs?: RowName;
  /** The first items that the row may refer to. */
  candidates?: readonly StoredCandidate[];
}

/** The values that a person needs to tell items apart, as they were when the issue arose. Keys are those of the API. */
export interface StoredCandidate {
  /** UUID of the item. */
  id: string;
  /** Name of the item. */
  name: string;
  /** Status of the item. */
  status: string;
  /** In major units of its currency. */
  estimated_value: number | null;
  /** Currency code, in lower case. */
  currency: string;
  /** ISO 8601. */
  created_at: string;
}

export interface NewRow {
  /** 1-based position in the job, in file order; the copies of a row follow each other. */
  ordinal: number;
  /** Row number as a spreadsheet program shows it. */
  sheetRow: number;
  sheet?: string;
  /** 0 for the first item of a row; 1, 2, … for the others of its quantity. */
  copy: number;
  /** `unchanged` if the item was read when the row was made; `held` if an earlier job already sent the row. */
  state: 'planned' | 'invalid' | 'skipped' | 'unchanged' | 'held';
  action: RowAction;
  /** JSON text: the request of the row (import/engine/input.ts); null for a row that a plan added. */
  input: string | null;
  /** JSON text: the update that is sent (import/engine/operation.ts); null before the plan, and for a create. */
  operation: string | null;
  /** Collection as written; null for the job's default. */
  collection: string | null;
  /** Item id of an update, if the row names one. */
  itemId: string | null;
  /** JSON text: the texts of the source cells. */
  source: string | null;
  /** The type of each source cell, unless all are texts (sheets/cell-kinds.ts). */
  kinds?: string;
  /** Undo: the row that this one takes back. */
  reverts?: RowName;
  issues: StoredIssue[];
  /** Notes on approximate readings, for the results. */
  notes?: Message[];
}

export interface LedgerRow extends Omit<NewRow, 'state'> {
  state: RowState;
  requestId: string | null;
  /**
   * Greatest created_at or updated_at that any answer had shown before the intent, ms since the epoch; null before the
   * intent.
   */
  mark: number | null;
  /** Number of the intent among all intents of the target; null before the intent. */
  sequence: number | null;
  /** Number of committed intents. */
  attempts: number;
  /** How long the server may still apply the request after its answer was lost, ms; null before the intent. */
  quietMs: number | null;
}

/** A change of a row. Only the given keys are changed. */
export interface RowMove {
  ordinal: number;
  to: RowState;
  /** Move the row only from this state, because another process may have moved it meanwhile. */
  from?: RowState;
  /**
   * Move the row only if it has this number of attempts, because it may have been released and sent again since it was
   * read.
   */
  attempts?: number;
  action?: RowAction;
  operation?: string;
  itemId?: string | null;
  requestId?: string | null;
  issues?: StoredIssue[];
  /** With `done`, for a create: when the server created the item (created_at), ms since the epoch. */
  mark?: number | null;
  /**
   * With `sending`, for an update: the number of intents that the reading of its item accounts for (`intents`,
   * `openUpdates`). The row is not moved if another row has committed a later intent for the item.
   */
  accounted?: number;
  /** Lower-case ids of other items to which the same rule applies, because the row is sent based on their readings. */
  reliesOn?: readonly string[];
  /** With `sending` and `unknown`: how long the server may still apply the request once its answer is lost, ms. */
  quietMs?: number;
}

export interface MoveOptions {
  /** Id of the job that makes the moves. A job may move another job's rows only in some ways (states.ts). */
  by?: string;
  /** Checked in the same transaction: without the lease, nothing is committed. */
  lease?: Lease;
  /**
   * Claims the fingerprint in the same transaction as the intents: if two imports race, a unique constraint lets only
   * one send.
   */
  claim?: { fingerprint: string; force: boolean };
}

export interface MoveResult {
  /** Ordinals of rows that became `unknown` because another row owns the item of their move. */
  contested: number[];
  /** Ordinals of rows that were not moved: `from` or `attempts` no longer held. */
  missed: number[];
  /**
   * Ordinals of rows that were not moved because another row has committed a later intent to the item than `accounted`.
   */
  stale: number[];
}

/** Another process now holds the lane, and settles the requests that this one has in flight. */
export class LeaseLostError extends ShelfliftError {
  constructor() {
    super('lease_lost', message('lease_lost', {}));
  }
}

/** Somebody has cancelled the job: no more of its rows are sent. */
export class JobCancelledError extends ShelfliftError {
  constructor(jobId: string) {
    super('job_cancelled', message('job_cancelled_elsewhere', { job: jobId }));
  }
}

/** Another job of this store has started the same import. */
export class AlreadyClaimedError extends ShelfliftError {
  readonly jobId: string;
  constructor(jobId: string) {
    super('already_claimed', message('already_claimed', { job: jobId }));
    this.jobId = jobId;
  }
}

export type RowCounts = Record<RowState, number> & {
  /** Numbers of creates and of updates among `done`. */
  created: number;
  updated: number;
  /** Number of updates among `planned`. */
  plannedUpdates: number;
};

export interface RowQuery {
  states?: readonly RowState[];
  actions?: readonly RowAction[];
  /** Only rows with these numbers in the file. */
  sheetRows?: readonly number[];
  /** Only these rows. */
  ordinals?: readonly number[];
  /**
   * Only rows that were released to be sent again, or left out, although an earlier request for them was never
   * answered.
   */
  resent?: true;
  /** Only rows with problems. */
  withIssues?: true;
  /** Only rows whose items have an update by another job that was committed after this intent. */
  overtakenSince?: number;
  /** Rows after this ordinal. Default 0. */
  after?: number;
  limit: number;
}

/** A row of an undo. */
export interface RevertingRow {
  /** Id of the undo. */
  job: string;
  row: LedgerRow;
  reverts: RowName;
}

/** The process that holds a lane. */
export interface LaneHolder {
  host: string;
  pid: number;
  /** ms since the epoch. */
  since: number;
  job: string;
}

export interface LastHolder {
  job: string;
  /** False if the holder was only silent for too long: its requests may still be in progress. */
  certainlyGone: boolean;
}

/** A lane held by this process. A commit of moves fails once the lease is lost. */
export interface Lease {
  readonly token: string;
  /** The holder that this lease was taken from: the outcome of its job's `sending` rows is now unknown. */
  readonly lastHolder?: LastHolder;
  /**
   * False once the last heartbeat is so old that another host may take the lane: then call `renew` before sending.
   * Synchronous, so that it can be checked right before a socket write.
   */
  isFresh(): boolean;
  /** Writes a heartbeat. @throws LeaseLostError if another process has taken the lane */
  renew(): Promise<void>;
  /** Never throws: a lease that cannot be released expires with its process. */
  release(): Promise<void>;
}

/** The clock, process table and disk, which tests replace, and the behaviour in an outage. */
export interface LedgerOptions extends StoreOutageOptions {
  clock?: Clock;
  processes?: Processes;
  /** SQLite: flushes the file's content to the disk. */
  flush?: (descriptor: number) => Promise<void>;
}

/** Jobs of the store. Jobs in state `staging`, whose file is still being read, are visible only to `finishStaging`. */
export interface Jobs {
  /** Starts a job in state `staging`. */
  create(job: NewJob): Promise<void>;
  /** Makes a staged job visible as `planned`, durably. @throws ShelfliftError `lease_lost` */
  finishStaging(jobId: string, patch: JobPatch): Promise<void>;
  /**
   * Removes a job and its rows, unless it has sent something: another process may have applied it meanwhile.
   *
   * @param evenIfCancelled also removes a cancelled job; otherwise it stays listed
   */
  discard(jobId: string, evenIfCancelled?: boolean): Promise<void>;
  /** Returns the state of the job afterwards. `cancelled` overrides every other state, except with `reopen`. */
  update(jobId: string, patch: JobPatch): Promise<JobState>;

  /**
   * By id, unique prefix, or `last`: the newest job that is not a dry run. If its process was killed while it was
   * reading its file, `last` matches no job rather than an older one.
   *
   * @throws UsageError `no_such_job`, `ambiguous_job`
   */
  find(reference: string): Promise<JobRecord>;
  /** Newest first. @param limit maximum number; default: all */
  list(limit?: number, filter?: JobFilter): Promise<JobRecord[]>;

  /** The job that has claimed this import, if any. */
  claimant(fingerprint: string): Promise<string | undefined>;
  /** Ends a job's claim on its import: another job may send it. */
  unclaim(jobId: string): Promise<void>;
  /**
   * The job that wrote a file with this content; undefined if shelflift did not write the file, or if it was changed.
   */
  fileWriter(sha256: string): Promise<string | undefined>;
  noteFile(sha256: string, jobId: string): Promise<void>;
}

/** Rows of jobs. */
export interface Rows {
  /**
   * Adds rows of a job in state `staging`, or rows that its plan adds, in one transaction; replaces rows that were
   * never sent. If one of them was sent, it throws, and nothing is staged.
   *
   * @throws ShelfliftError `lease_lost`
   */
  stage(jobId: string, rows: NewRow[]): Promise<void>;
  counts(jobId: string): Promise<RowCounts>;
  /** Counts for many jobs in one query; jobs without rows are missing. */
  countsOf(jobIds: readonly string[]): Promise<Map<string, RowCounts>>;
  /** The last intent of the job; undefined if nothing was sent. */
  lastIntent(jobId: string): Promise<(Pick<LedgerRow, 'mark'> & { sequence: number }) | undefined>;
  /** In ordinal order. */
  list(jobId: string, query: RowQuery): Promise<LedgerRow[]>;
  /** The rows of undos that take back one of these rows, in any state. */
  reverting(of: readonly RowName[]): Promise<RevertingRow[]>;
  /** Distinct collection references of rows that may still be sent (planned, sending, unknown, held); null for the default. */
  collectionReferences(jobId: string): Promise<(string | null)[]>;

  /**
   * Moves all rows or none, durably before it resolves. Moves that the state machine forbids throw, except those with a
   * `from` that no longer holds: their ordinals are returned as `missed`.
   *
   * A create that was sent and goes from unknown or held back to `planned` is marked as resent in the same commit
   * (RowQuery `resent`), and the job looks for duplicates of it at its end. The same applies to one that goes to
   * `skipped` because a person left it out.
   *
   * A `done` for an item that another create owns makes both rows `unknown` instead (design §4): the ordinals of these
   * moves are returned as `contested`.
   *
   * @throws LeaseLostError if another process has taken the lane
   * @throws JobCancelledError if rows were to be sent and the job was cancelled; nothing was moved
   * @throws AlreadyClaimedError if another job has claimed the fingerprint; nothing was moved
   */
  move(jobId: string, moves: RowMove[], options?: MoveOptions): Promise<MoveResult>;
  /**
   * Replaces the judgement of all rows or none; rows beyond the last ordinal are added. Only rows that were never sent
   * can be replaced: planned, invalid, skipped or unchanged rows without attempts. Throws for any other row. A power
   * cut may undo the change as a whole; the caller then judges again from the start.
   *
   * @throws LeaseLostError if another process has taken the lane
   */
  rejudge(jobId: string, rows: readonly NewRow[], lease: Lease): Promise<void>;
  /**
   * Deletes the source cells, inputs and operations (with their before-images) of a job's rows. The outcome of each row
   * stays, with its item. Rows that are planned, sending, unknown or held keep everything. Rows whose keys the server
   * keeps in another form keep their inputs, because only these identify their items. Relative changes keep their
   * operations, so that a repeated one is still recognised. Works in small steps, with pauses for other writers.
   *
   * @returns approximate number of deleted bytes
   */
  forget(jobId: string): Promise<number>;
  /**
   * Makes every `sending` row that the last holder left `unknown`. Returns their number.
   *
   * @param longerMs added to the rows' quiet periods: how long a holder that may still run waits for answers
   */
  takeOver(jobId: string, longerMs?: number): Promise<number>;
}

/** Facts about the items of an address, shared by all its jobs. */
export interface KnownItems {
  /** The given ids that create rows own. */
  owned(apiUrl: string, itemIds: string[]): Promise<Set<string>>;
  /**
   * Create rows that may have created an item without an owner: unknown and sending rows, in the order of their
   * intents.
   */
  openCreates(apiUrl: string): Promise<OpenCreate[]>;
  /**
   * Items of acknowledged creates, unless forgotten, newest first.
   *
   * @param since only items that the server created at this time or later (ms); null for all
   */
  acknowledged(apiUrl: string, since: number | null): Promise<Acknowledged[]>;
  forgetAcknowledged(apiUrl: string, itemIds: readonly string[]): Promise<void>;
  /** The create rows that own these items. */
  creates(apiUrl: string, itemIds: readonly string[]): Promise<MadeItem[]>;
  /**
   * The given ids that jobs of other teams created: the key sees none of the collections of these jobs.
   *
   * @param seen ids of all collections of the key's team
   */
  ofOtherTeams(apiUrl: string, itemIds: readonly string[], seen: readonly string[]): Promise<Set<string>>;
  /** Sent create rows that a person must decide about or has left out: their items may exist. */
  heldCreates(apiUrl: string): Promise<{ jobId: string; row: LedgerRow }[]>;
  /** Updates of these items that were sent by any job; newest intent first. */
  sentUpdates(apiUrl: string, itemIds: string[]): Promise<SentUpdate[]>;
  /**
   * Every row that names an item, and held creates that may have created it; by job, oldest first, and by ordinal.
   *
   * @param apiUrl undefined for all addresses
   * @param itemId lower-case id, or its first characters, which match all ids that begin with them
   */
  rowsOf(apiUrl: string | undefined, itemId: string): Promise<ItemRow[]>;
  /** Records ids that an answer showed; only the first showing counts. */
  noteSeen(apiUrl: string, itemIds: string[]): Promise<void>;
  /**
   * Forgets the ids that answers showed for an address that has no planned, sending, unknown or held rows: only such
   * rows still need to tell new items from older ones. @returns the number, at most `limit`
   */
  forgetSeen(limit: number): Promise<number>;
  /**
   * For each shown id: the number of intents before it was first shown. A number below an intent's sequence means that
   * it was shown before the intent.
   */
  seenAt(apiUrl: string, itemIds: string[]): Promise<Map<string, number>>;
  intents(apiUrl: string): Promise<Intents>;
  /** The total number of committed intents, and the updates of these items that are in flight or unanswered. */
  openUpdates(apiUrl: string, itemIds: readonly string[]): Promise<{ committed: number; open: OpenUpdate[] }>;
}

/**
 * Readings from now on show the effects of all committed intents except the open ones. An open request affects only its
 * own item, so a request that nobody will ever look up does not make the readings of all items uncertain.
 */
export interface Intents {
  /** Total number of committed intents: if it has not changed, no job of this store has sent anything in between. */
  committed: number;
  /** Item → its first update that is in flight or unanswered. */
  open: ReadonlyMap<string, number>;
}

/** An update of any job that the server may still apply, or may have applied without an answer. */
export interface OpenUpdate extends Pick<LedgerRow, 'ordinal' | 'state' | 'sequence' | 'quietMs'> {
  jobId: string;
}

export interface Acknowledged {
  itemId: string;
  /** When the outcome was committed, ms since the epoch. */
  at: number;
}

export interface MadeItem {
  itemId: string;
  jobId: string;
  /** Null once the job's rows were pruned (`forget`). */
  input: string | null;
  issues: StoredIssue[];
}

export interface SentUpdate extends RowName {
  itemId: string;
  state: RowState;
  /** Null once the job's rows were pruned (`forget`). */
  operation: string | null;
}

export interface ItemRow {
  job: JobRecord;
  row: LedgerRow;
}

export interface OpenCreate {
  jobId: string;
  row: LedgerRow;
  collectionId: string | undefined;
}

export interface JobFilter {
  states?: readonly JobState[];
  /** Only jobs created at this time or later, ms since the epoch. */
  since?: number;
  /** Only jobs whose state or facts changed at this time or later, ms since the epoch. */
  updatedSince?: number;
  ids?: readonly string[];
  kind?: JobKind;
  apiUrl?: string;
  /** Only jobs whose source has this hash. */
  sha256?: string;
  /** Only jobs that have sent or own rows, some of which have no hashes yet (known-rows.ts). */
  unhashed?: true;
}

/** The lanes of keys: only one job at a time sends with a key. */
export interface Lanes {
  /**
   * Takes the lane of a key, or returns its holder. If the holder is gone, the lane is taken over at once.
   *
   * @param takeOver a person says that the process which held the lane for this job is gone: then only a process that
   *   runs on this machine keeps the lane
   */
  acquire(lane: string, jobId: string, takeOver?: boolean): Promise<Lease | LaneHolder>;
  /**
   * The process that holds a lane for this job and may still run, if any. With `takeOver`, only a process that runs on
   * this machine.
   */
  runner(jobId: string, takeOver?: boolean): Promise<LaneHolder | undefined>;
  /** Every lane whose holder may still run. */
  holders(): Promise<LaneHolder[]>;
}

export interface Ledger {
  readonly location: string;
  readonly jobs: Jobs;
  readonly rows: Rows;
  readonly items: KnownItems;
  readonly lanes: Lanes;
  /** Rows that were sent before, by hashes of their content. */
  readonly known: KnownRows;
  /** The runs of the worker: past, current and queued. */
  readonly runs: RunRecords;
  /** Other data of the store. */
  readonly values: KeyValues;

  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The state of a store, for `doctor`. */
export interface StoreInspection {
  /** The database server, if the store has one: `PostgreSQL 18.4`. */
  server?: string;
  /** Version of the store's tables. */
  version: number;
  jobs: number;
  /** A setting that breaks a guarantee, and the remedy. */
  warning?: Message;
}
