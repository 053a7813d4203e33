/**
 * The record of what happened to each row: the ports that import, jobs and the worker read and write.
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
  /** Since when the job's planned rows count as sent for other imports (known-rows.ts). */
  ownedAt?: number;
  /** The ordinal up to which its rows have hashes, `HASHED_WHOLE` for all (known-rows.ts); absent before the first. */
  hashedTo?: number;
  /** When the before-images of the job were pruned, ms since the epoch. */
  prunedAt?: number;
  /** Number of rows in the file. */
  sheetRows: number;
  /** Why the job stopped, unless it ended. */
  error?: JobError;
  /** Files written for people, with the hash of their content. */
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
    | 'learned'
    | 'consents'
    | 'prunedAt'
    | 'source'
  >
> & {
  error?: JobError | null;
  /** Sends a cancelled job after all (`jobs apply`). Without this, its state and error stay as they are. */
  reopen?: true;
};

/** One problem of a row. The results file shows the first in `_error`. */
export interface StoredIssue {
  /** Stable, for programs. */
  code: RowCode;
  /** For people, as data: `textOf(issue.said, 'de')` gives it in German. */
  said?: Message;
  /** The same in English; stored only where it is not data. */
  message: string;
  /** Header of the column, or its letter if it has none. */
  column?: string;
  /** Letter of the column. */
  letter?: string;
  /** Field that the column is for. */
  field?: string;
  /** The text of the cell, cut. */
  found?: string;
  /** Likely readings of it (mapping/issue.ts). */
  offers?: readonly object[];
  /** The conversion that an amount in another currency needs, by codes. */
  rate?: {
    /** Currency code of the amount, in upper case. */
    from: string;
    /** Currency code of the items; several are joined by "or". */
    to: string;
  };
  /** The item that the message is about, if it is not the row's own. */
  itemId?: string;
  /** The row of an earlier job that answers for this one, because it was sent before. */
  sentAs?: RowName;
  /** The first items that may be the row's. */
  candidates?: readonly StoredCandidate[];
}

/**
 * The values that a person needs to tell items apart, from the time when the issue arose. Keys are those of the API.
 */
export interface StoredCandidate {
  /** UUID of the item. */
  id: string;
  /** Its name. */
  name: string;
  /** Its status. */
  status: string;
  /** In major units of its currency. */
  estimated_value: number | null;
  /** Currency code, in lower case. */
  currency: string;
  /** ISO 8601. */
  created_at: string;
}

export interface NewRow {
  /** 1-based position in the job, in file order; copies follow each other. */
  ordinal: number;
  /** Row number as a spreadsheet program shows it. */
  sheetRow: number;
  sheet?: string;
  /** 0 for the first item of a row; 1, 2, … for the others of its quantity. */
  copy: number;
  /** `unchanged` if the item was read when the row was made; `held` if an earlier job has sent the row. */
  state: 'planned' | 'invalid' | 'skipped' | 'unchanged' | 'held';
  action: RowAction;
  /** JSON text: what the row asks for (import/engine/input.ts); null for a row that a plan has added. */
  input: string | null;
  /** JSON text: the update that is sent (import/engine/operation.ts); null before the plan, and for a create. */
  operation: string | null;
  /** Collection as written; null for the job's default. */
  collection: string | null;
  /** Item id of an update, if the row names one. */
  itemId: string | null;
  /** JSON text: the texts of the source cells. */
  source: string | null;
  /** What kind each source cell is of, if not all are texts (sheets/cell-kinds.ts). */
  kinds?: string;
  /** Undo: the row whose effect this one takes back. */
  reverts?: RowName;
  issues: StoredIssue[];
  /** How values were read that the cells do not say exactly: for people, in the results. */
  notes?: Message[];
}

export interface LedgerRow extends Omit<NewRow, 'state'> {
  state: RowState;
  requestId: string | null;
  /** Greatest created_at or updated_at that any answer had shown before the intent, ms since the epoch; null before. */
  mark: number | null;
  /** Number of the intent among all intents of the target; null before. */
  sequence: number | null;
  /** Number of committed intents. */
  attempts: number;
  /** How long the server may still apply the request after its answer was lost, ms; null before. */
  quietMs: number | null;
}

/** A change of a row. Only the keys given are changed. */
export interface RowMove {
  ordinal: number;
  to: RowState;
  /** Move the row only from this state: another process may have moved it meanwhile. */
  from?: RowState;
  /** Move the row only if it has this many attempts: it may have been freed and sent again since it was read. */
  attempts?: number;
  action?: RowAction;
  operation?: string;
  itemId?: string | null;
  requestId?: string | null;
  issues?: StoredIssue[];
  /** With `done`, of a create: when the server made the item (created_at), ms since the epoch. */
  mark?: number | null;
  /**
   * With `sending`, for an update: the intents that the reading of its item accounts for (`intents`, `openUpdates`). The
   * row is not moved if another row has committed a later intent for the item.
   */
  accounted?: number;
  /** Lower-case ids of other items, of which the same must hold: the reading of them is why this row is sent. */
  reliesOn?: readonly string[];
  /** With `sending` and `unknown`: how long the server may still apply the request once its answer is lost, ms. */
  quietMs?: number;
}

export interface MoveOptions {
  /** Id of the job that makes the moves. A job may make only some moves of another job's rows (states.ts). */
  by?: string;
  /** Checked in the same transaction: without the lease nothing is committed. */
  lease?: Lease;
  /**
   * Claims the fingerprint in the same transaction as the intents: of two racing imports, a unique constraint lets
   * one send.
   */
  claim?: { fingerprint: string; force: boolean };
}

export interface MoveResult {
  /** Ordinals of moves that made their rows `unknown`, because another row owns the item they named. */
  contested: number[];
  /** Ordinals of rows that were not moved: `from` or `attempts` no longer held. */
  missed: number[];
  /** Ordinals of rows that were not moved: `accounted` leaves out what another row has sent to the item. */
  stale: number[];
}

/** Another process holds the lane now and settles whatever this one has in flight. */
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
  /** How many of `done` are creates, and updates. */
  created: number;
  updated: number;
  /** How many of `planned` are updates. */
  plannedUpdates: number;
};

export interface RowQuery {
  states?: readonly RowState[];
  actions?: readonly RowAction[];
  /** Only rows with these numbers in the file. */
  sheetRows?: readonly number[];
  /** Only these rows. */
  ordinals?: readonly number[];
  /** Only rows that were freed to be sent again, or left, although an earlier request for them was never answered. */
  resent?: true;
  /** Only rows with problems. */
  withIssues?: true;
  /** Only rows to whose items another job has committed an update after this intent. */
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

/** A holder whose lane was taken over. */
export interface LastHolder {
  job: string;
  /** False if it only was silent for too long: what it sent may still be under way. */
  certainlyGone: boolean;
}

/** A lane held by this process. A commit of moves fails once the lease is lost. */
export interface Lease {
  readonly token: string;
  /** Whom this lease was taken from: the `sending` rows of its job are unknown now. */
  readonly lastHolder?: LastHolder;
  /**
   * False once the last heartbeat is so old that another host may take the lane: nothing may be sent before
   * `renew`. Synchronous, so that it can be checked right before a socket write.
   */
  isFresh(): boolean;
  /** Writes a heartbeat. @throws LeaseLostError if another process has taken the lane */
  renew(): Promise<void>;
  /** Never throws: a lease that cannot be released ends with its process. */
  release(): Promise<void>;
}

/** Clock, process table and disk, replaced in tests; and what to do in an outage. */
export interface LedgerOptions extends StoreOutageOptions {
  clock?: Clock;
  processes?: Processes;
  /** SQLite: puts the file's content on the disk. */
  flush?: (descriptor: number) => Promise<void>;
}

/** Jobs of the store. `staging` ones, whose file is still being read, are visible only to `finishStaging`. */
export interface Jobs {
  /** Starts a job in state `staging`. */
  create(job: NewJob): Promise<void>;
  /** Makes a staged job visible as `planned`, durably. @throws ShelfliftError `lease_lost` */
  finishStaging(jobId: string, patch: JobPatch): Promise<void>;
  /**
   * Removes a job and its rows. One that has sent something stays: another process may have applied it meanwhile.
   *
   * @param evenIfCancelled a job whose cancel was answered stays listed otherwise
   */
  discard(jobId: string, evenIfCancelled?: boolean): Promise<void>;
  /** Returns the state of the job afterwards. `cancelled` wins over every other state: see `reopen`. */
  update(jobId: string, patch: JobPatch): Promise<JobState>;

  /**
   * By id, unique prefix, or `last`: the newest that is not a dry run. If the process of that one was killed while it
   * still read its file, `last` names nothing rather than an older job.
   * @throws UsageError `no_such_job`, `ambiguous_job`
   */
  find(reference: string): Promise<JobRecord>;
  /** Newest first. @param limit at most so many; default all */
  list(limit?: number, filter?: JobFilter): Promise<JobRecord[]>;

  /** The job that may send this import, if one has begun to. */
  claimant(fingerprint: string): Promise<string | undefined>;
  /** Ends a job's claim on its import: another job may send it. */
  unclaim(jobId: string): Promise<void>;
  /** The job that wrote a file with this content for people; undefined if shelflift did not write it, or it was changed. */
  fileWriter(sha256: string): Promise<string | undefined>;
  noteFile(sha256: string, jobId: string): Promise<void>;
}

/** Rows of jobs. */
export interface Rows {
  /**
   * Adds rows of a job in state `staging`, or that its plan finds, in one transaction; replaces those never sent. Throws if
   * one was sent: nothing is staged then.
   * @throws ShelfliftError `lease_lost`
   */
  stage(jobId: string, rows: NewRow[]): Promise<void>;
  counts(jobId: string): Promise<RowCounts>;
  /** The same for many jobs, in one query; without jobs that have no rows. */
  countsOf(jobIds: readonly string[]): Promise<Map<string, RowCounts>>;
  /** The last intent of the job; undefined if nothing was sent. */
  lastIntent(jobId: string): Promise<(Pick<LedgerRow, 'mark'> & { sequence: number }) | undefined>;
  /** In ordinal order. */
  list(jobId: string, query: RowQuery): Promise<LedgerRow[]>;
  /** The rows of undos that take back one of these, whatever has become of them. */
  reverting(of: readonly RowName[]): Promise<RevertingRow[]>;
  /** Distinct collection references of rows that may still be sent (planned, sending, unknown, held); null for the default. */
  collectionReferences(jobId: string): Promise<(string | null)[]>;

  /**
   * Moves rows, all or none, durably before it resolves. Moves that the state machine forbids throw, except
   * those with a `from` that no longer holds: their ordinals are returned as `missed`.
   *
   * A create that was sent and goes from unknown or held back to `planned` is noted as resent with the same commit
   * (RowQuery `resent`): the job looks for duplicates of it at its end. So is one that goes to `skipped`, which a person
   * has left.
   *
   * A `done` that names an item which another create owns makes both rows `unknown` instead (design §4): the
   * ordinals of these moves are returned as `contested`.
   * @throws LeaseLostError if another process has taken the lane
   * @throws JobCancelledError if rows were to be sent and the job was cancelled; nothing was moved
   * @throws AlreadyClaimedError if another job has claimed the fingerprint; nothing was moved
   */
  move(jobId: string, moves: RowMove[], options?: MoveOptions): Promise<MoveResult>;
  /**
   * Replaces what rows were judged to be, all or none; rows with an ordinal beyond the last are added. Only rows that were
   * never sent can be replaced: planned, invalid, skipped or unchanged, without attempts. Throws for any other.
   *
   * A power cut may undo it as a whole: the caller judges again from the start.
   * @throws LeaseLostError if another process has taken the lane
   */
  rejudge(jobId: string, rows: readonly NewRow[], lease: Lease): Promise<void>;
  /**
   * Deletes the source cells, inputs and operations (with their before-images) of a job's rows. The outcome of each row stays,
   * with its item. Rows that are planned, sending, unknown or held keep everything, and rows whose keys the server keeps in
   * another form keep their inputs: nothing else tells their items. In small steps, with pauses in which others write.
   *
   * @returns how many bytes they took, about
   */
  forget(jobId: string): Promise<number>;
  /**
   * Makes every `sending` row of the job `unknown`: what its last holder left. Returns how many.
   *
   * @param longerMs added to the rows' quiet periods: how long a holder that may not be gone still waits for answers
   */
  takeOver(jobId: string, longerMs?: number): Promise<number>;
}

/** The facts that all jobs of an address know about its items. */
export interface KnownItems {
  /** Those of the ids that create rows own. */
  owned(apiUrl: string, itemIds: string[]): Promise<Set<string>>;
  /** Create rows that may have made an item which no row owns yet: unknown and sending. In the order of their intents. */
  openCreates(apiUrl: string): Promise<OpenCreate[]>;
  /**
   * Items that acknowledged creates made, as far as they are not forgotten, the newest first.
   *
   * @param since only those that the server made at this time or later (ms); null for all
   */
  acknowledged(apiUrl: string, since: number | null): Promise<Acknowledged[]>;
  forgetAcknowledged(apiUrl: string, itemIds: readonly string[]): Promise<void>;
  /** The create rows that own these items. */
  creates(apiUrl: string, itemIds: readonly string[]): Promise<MadeItem[]>;
  /** Sent create rows that a person must decide on, or has left out: their items may exist. */
  heldCreates(apiUrl: string): Promise<{ jobId: string; row: LedgerRow }[]>;
  /** Updates of these items that were sent, in whichever job; the newest intent first. */
  sentUpdates(apiUrl: string, itemIds: string[]): Promise<SentUpdate[]>;
  /**
   * Every row that names an item, and held creates that may be it; by job, the oldest first, and by ordinal.
   *
   * @param apiUrl undefined: of every address
   * @param itemId lower-case id, or the beginning of one: then of all items whose ids begin so
   */
  rowsOf(apiUrl: string | undefined, itemId: string): Promise<ItemRow[]>;
  /** Remembers ids that an answer showed; the first showing counts. */
  noteSeen(apiUrl: string, itemIds: string[]): Promise<void>;
  /**
   * Forgets ids that answers showed, of addresses without a row that is planned, sending, unknown or held: only those may
   * still be told from items that were there before. @returns how many, at most `limit`
   */
  forgetSeen(limit: number): Promise<number>;
  /** For each id that was shown: the number of intents before its first showing. Less than an intent's sequence: shown before it. */
  seenAt(apiUrl: string, itemIds: string[]): Promise<Map<string, number>>;
  /** The intents of all jobs at this moment. */
  intents(apiUrl: string): Promise<Intents>;
  /** How many intents were committed in all, and those among them to these items that are in flight or unanswered. */
  openUpdates(apiUrl: string, itemIds: readonly string[]): Promise<{ committed: number; open: OpenUpdate[] }>;
}

/**
 * What is read from now on shows the effects of all committed intents but the open ones. An open request tells nothing of
 * other items: one that nobody will ever look up must not put the readings of all items in doubt.
 */
export interface Intents {
  /** How many were committed in all: two equal numbers mean that no job of this store has sent anything in between. */
  committed: number;
  /** Item → the first update of it that is in flight or unanswered. */
  open: ReadonlyMap<string, number>;
}

/** An update of whichever job that the server may still apply, or may have applied unseen. */
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

/** Which jobs to list. */
export interface JobFilter {
  states?: readonly JobState[];
  /** Only jobs created at this time or later, ms since the epoch. */
  since?: number;
  ids?: readonly string[];
  kind?: JobKind;
  apiUrl?: string;
  /** Only jobs whose source has this hash. */
  sha256?: string;
  /** Only jobs that have sent rows, or own them, and lack hashes of some (known-rows.ts). */
  unhashed?: true;
}

/** The lanes of keys: one job at a time sends with a key. */
export interface Lanes {
  /**
   * Takes the lane of a key, or returns who holds it. A lane whose holder is gone is taken over at once.
   *
   * @param takeOver a person says that the process which held the lane for this job is gone: only one that runs on this
   *   machine is left alone
   */
  acquire(lane: string, jobId: string, takeOver?: boolean): Promise<Lease | LaneHolder>;
  /** The process that holds a lane for this job and may still run, if any; with `takeOver`, that runs on this machine. */
  runner(jobId: string, takeOver?: boolean): Promise<LaneHolder | undefined>;
  /** Every lane that is held by a process that may still run. */
  holders(): Promise<LaneHolder[]>;
}

export interface Ledger {
  /** Where the store is, for messages: a path or a redacted URL. */
  readonly location: string;
  readonly jobs: Jobs;
  readonly rows: Rows;
  readonly items: KnownItems;
  readonly lanes: Lanes;
  /** Rows that were sent before, by hashes of their content. */
  readonly known: KnownRows;
  /** What the worker does, has done and will do. */
  readonly runs: RunRecords;
  /** Everything that is stored beside these. */
  readonly values: KeyValues;

  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The state of a store, for `doctor`. */
export interface StoreInspection {
  /** The database server, if there is one: `PostgreSQL 18.4`. */
  server?: string;
  /** Version of the store's tables. */
  version: number;
  jobs: number;
  /** A setting that breaks a promise, and what to do about it. */
  warning?: Message;
}
