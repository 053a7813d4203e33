/**
 * What happened, as three parties saw it: who asked and what came of it, the server's own log, and what the jobs claim
 * in the end. Plain data, so that its judge needs nothing of the code under test.
 */

/** Fields of an item, as they were given or sent. */
export type Fields = Readonly<Record<string, unknown>>;

/** A request that changes something. */
export interface Request {
  job: string;
  kind: 'create' | 'update';
  /** Of an update. */
  item?: string;
  body: Fields;
  /** A person said that what others have changed stays, and the rest is sent. */
  theirs?: true;
  /** The store that has sent it is gone, and a backup from before it is in its place. */
  forgotten?: true;
  /**
   * What whoever asked was told: `ok` with the item's id; `failed` if it was certainly not applied; `unknown` if the
   * answer was lost, or nobody was there any more to hear it.
   */
  end: { was: 'ok'; item: string } | { was: 'failed' } | { was: 'unknown' };
}

/** An entry of the server's log: this request made or changed this item. */
export interface Applied {
  /** Place of the request in the history. */
  request: number;
  item: string;
}

/** A row of a job's results file. */
export interface Claim {
  row: number;
  /** `created`, `updated`, `unchanged`, `skipped`, `invalid`, `refused`, `held`, `pending`. */
  state: string;
  /** '' if it names none. */
  item: string;
}

/** A row of a job's file. */
export interface Given {
  /** `either` where it depends on what is there. */
  kind: 'create' | 'update' | 'either';
  fields: Fields;
  /** The same as the server keeps them, if that is not `fields`. */
  stored?: Fields;
  /** The item, where the row names it by its id. */
  item?: string;
  /** estimated_value is made of the value that the item has. */
  value?: { sign: '*=' | '+=' | '-='; by: number };
  /** Tags that the item shall have, or no longer have, whichever others it has. */
  tags?: { add: readonly string[]; remove: readonly string[] };
  /** By which the row finds its item. */
  key?: { field: string; value: string };
  /** The row stands for one thing, which its name tells: it may be made only while it is not there. */
  once?: true;
  /** The row has the item as it was at this moment, ms: `fields` are what a person has changed since. */
  asOf?: number;
  /** A person has edited what a job had written about the row. */
  edited?: true;
  /** The row was sent before: only a person can say that `fields`, which were edited since, are sent as well. */
  asks?: true;
}

export interface JobHistory {
  id: string;
  /** Rows that it was given, in the order of its file; undefined for a job that was given none, as an undo. */
  given: readonly Given[] | undefined;
  /**
   * It also archives items that have a key, and none of its rows has that key: these are rows behind those given. They
   * are at most so many percent of all that have a key.
   */
  archivesMissing?: { most: number };
  /** Its results file. */
  claims: readonly Claim[];
  /** Its sums: rows by state, and `read`. */
  counts: Readonly<Record<string, number>>;
}

export interface History {
  requests: readonly Request[];
  applied: readonly Applied[];
  jobs: readonly JobHistory[];
}

/** When a request left, ms. */
export interface TimedRequest extends Request {
  at: number;
  /** Of an update: when the server last looked at the item for an answer that the sender had by then, ms. */
  shownAt?: number;
  /** A person said to overwrite what others have changed; or has agreed to whatever would be asked. */
  overwrites?: true;
  agreed?: true;
  /** A person was told this of the row, and has it sent as it is. */
  told?: string;
  /** Other values than those that are sent whole may have been read so long ago, ms. */
  recheckMs?: number;
  /** Items that the job may change without being asked. */
  mostChanges?: number;
}

/** Somebody made or changed an item. */
export interface Change {
  /** Place of the request in the history; absent where another person did it. */
  request?: number;
  item: string;
  /** ms. */
  at: number;
  /** The whole item; absent if this made it. */
  before?: Fields;
  after: Fields;
  /** It is gone from now on. */
  removed?: true;
}

/** A command that ended with an answer. */
export interface Ended {
  job: string;
  state: string;
  exitCode: number;
  /** When the command was given, and when it ended, ms. */
  begunAt: number;
  at: number;
  /** Rows of the job that are refused, held or invalid by then; and those pending. */
  open: number;
  pending: number;
  /** Items that it says may be there twice. */
  doubles: number;
}

/** When a job was begun, ms. */
export interface TimedJob extends JobHistory {
  begunAt: number;
  /** Of an undo: the job that it undoes, and the rows, if not all. */
  undoes?: string;
  undoesRows?: readonly number[];
  /** Newer values than those of its file are to be overwritten. */
  overwrites?: true;
  /** Rows that a person may have left out. */
  omitted?: readonly number[];
  /** When a person last mended rows of it, which are then planned anew, ms. */
  mendedAt?: number;
}

/** The same with its times, and with everything that anybody did. */
export interface TimedHistory extends History {
  requests: readonly TimedRequest[];
  /** In the order in which the server did it. */
  changes: readonly Change[];
  jobs: readonly TimedJob[];
  ends: readonly Ended[];
}
