/** What an import is asked to do. */
import type { OnDrift } from '../../ledger/job-options.ts';

/** The request of `shelflift import`, as the library takes it. */
export interface ImportRequest {
  /** The job's id where it was given out before the file is read; else a new one. */
  jobId?: string;
  /** Path of the spreadsheet. */
  file: string;
  /** The path that a person knows it by, where `file` is a copy: the job and its messages name this one. */
  knownAs?: string;
  /** Shipped template's name, or a file. */
  template?: string;
  /** Field → header or column letter. */
  map?: Record<string, string>;
  /** Field → value as text. */
  defaults?: Record<string, string>;
  /** Default `create`. */
  mode?: 'create' | 'update' | 'upsert';
  /** Fields that find the item of a row; default `id`. Only with update and upsert. */
  match?: string[];
  /** Name or id of the collection for rows that name none. */
  collection?: string;
  sheet?: string;
  delimiter?: string;
  encoding?: string;
  decimal?: 'point' | 'comma';
  headerRow?: number;
  /** Columns nobody mapped become custom fields. */
  keepUnknown?: boolean;
  /** Only make the plan; `applyJob` sends it. */
  dryRun?: boolean;
  /** Send the good rows although others are invalid. */
  skipInvalid?: boolean;
  /** Import although the same file was applied before; all of its rows (`run.allRows`). */
  force?: boolean;
  /** Custom field (`custom_fields.NAME`) that marks each created item with its job and row. */
  stamp?: string;
  /** Mark rows that look like items already there; `run.similar` says what becomes of them. */
  checkSimilar?: boolean;
  /** Never look lost answers up: they are held. For keys without items:read. */
  noSettle?: boolean;
  /** Folder for results and rejects; beside the file otherwise. */
  outDir?: string;
  run?: RunOptions;
}

/** Options of one run, not of the job: a resume has its own. */
export interface RunOptions {
  /** Send this many rows, spread over the kinds of change, then pause. */
  first?: number;
  /** Write the plan to this file (.xlsx, .html) before anything is sent. */
  plan?: string;
  /** Park after this many refusals. */
  maxRefused?: number;
  /** More updates than this need `yes`. Default 500. */
  maxChanges?: number;
  /** What becomes of rows that look like items already there (`checkSimilar`). */
  similar?: 'skip' | 'create';
  /** Items that somebody has changed since the plan. Default `hold`. */
  onDrift?: OnDrift;
  /**
   * An update whose item was read longer ago than this is read again before it is sent, ms; so is the list by which
   * an upsert found no item. Default 60 s; 0 reads each item again, `Infinity` none.
   */
  recheckMs?: number;
  yes?: boolean;
  /** Leave out rows that any job of this store has sent before, or still will (`--mode create`). */
  onlyNew?: boolean;
  /** Create rows once more that were sent before. */
  allRows?: boolean;
  /**
   * Where neither is said: leave them out if the file continues an earlier one, else hold them. `yes` says so too;
   * without any of these, a run that cannot ask ends with `rows_sent_before`.
   */
  asAdvised?: boolean;
  /** Send the good rows although others are invalid. */
  skipInvalid?: boolean;
  /** Wait for room in the plan instead of parking. */
  waitForLimit?: boolean;
  /** Sets all three waits of design §2, ms. */
  waitMs?: number;
  /** How long after a failure the server may still apply what was sent, ms (design §4). */
  quietPeriodMs?: number;
}
