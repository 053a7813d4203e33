/** What an import is asked to do, and what of it a job keeps. */
import type { AmountSource } from '../mapping/mapping.ts';
import type { Learned, StoreChange } from './settle/content.ts';
import type { KeysRead, Reading } from './plan/current-items.ts';
import type { Similar } from './similar/similar.ts';

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

/** What becomes of a planned update whose item somebody has changed since the plan was made. */
export type OnDrift = 'hold' | 'skip' | 'overwrite';

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

/** What the job keeps of its request, as JSON in the ledger. */
export interface JobOptions {
  match: string[];
  /** Collection of rows that name none, as written. */
  collection?: string;
  /** True where no row can name a collection: then none at all is an error of the command. */
  noCollectionColumn: boolean;
  skipInvalid: boolean;
  force: boolean;
  /** The file is an export of ours, with the items' ids. */
  ownExport: boolean;
  /** Name of the custom field, without `custom_fields.`. */
  stamp?: string;
  noSettle: boolean;
  outDir: string;
  /** What results are called after, where that is no longer the file's own name (without its ending). */
  outName?: string;
  /** Everything that decides how cells become fields, hashed: part of the fingerprint. */
  mappingHash: string;
  /** Index of the column that says how many items a row stands for. */
  quantityColumn?: number;
  /** True where the file is a CSV of ours, whose texts are escaped already. */
  escapedSource: boolean;
  /** Ids of collections in which the items of an update were found: they tell the team at a resume. */
  teamCollections?: string[];
  /** How the plan read the items that it compares with. */
  reading?: Reading;
  /** Upsert: when keys were last looked up; null where another job had rows under way then. */
  keysRead?: KeysRead | null;
  /** Column of amounts that show a currency, to be compared with that of the items. */
  amounts?: AmountSource;
  learned?: Learned;
  /** What the server was known to change when the plan was made: keys of `--match` are compared by it. */
  keyChanges?: StoreChange[];
  /** Rows to create are compared with the items that are there. */
  checkSimilar?: boolean;
  /** What of them looks like such an item. */
  similar?: Similar;
  /** `set` and `undo`: what was asked for, in the words of the command line. */
  request?: string;
  /** `undo`: the job that is taken back. */
  undoes?: string;
  /** `undo`: what becomes of fields that somebody has changed since the job did. */
  onDrift?: OnDrift;
  /** When the before-images of the job were pruned, ms since the epoch. */
  prunedAt?: number;
  /** What becomes of rows that were sent before, where that was said. */
  onlyNew?: boolean;
  allRows?: boolean;
  /** The flags that say how the file is read, for commands to paste; each begins with a space. */
  readAs?: string;
  /** A person has agreed to all of the job's changes, or they are few enough: a resume does not ask again. */
  changesAgreed?: boolean;
}
