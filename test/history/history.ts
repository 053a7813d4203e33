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
}

export interface JobHistory {
  id: string;
  /** Rows that it was given, in the order of its file; undefined for a job that was given none, as an undo. */
  given: readonly Given[] | undefined;
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
