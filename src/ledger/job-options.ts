/** What a job keeps of its request and of its plan: stored as JSON with the job, parsed where the ledger reads it. */
import type { AmountSource } from '../money.ts';

export interface JobOptions {
  match: string[];
  /** Collection of rows that name none, as written. */
  collection?: string;
  /** True if no row can name a collection: a job without `collection` is then an error of the command. */
  noCollectionColumn: boolean;
  skipInvalid: boolean;
  force: boolean;
  /** The file is a shelflift export, which holds the items' ids. */
  ownExport: boolean;
  /** Name of the custom field, without `custom_fields.`. */
  stamp?: string;
  noSettle: boolean;
  outDir: string;
  /** Base name of the results files, if it is not the source file's name without its extension. */
  outName?: string;
  /** Hash of everything that decides how cells become fields: part of the fingerprint. */
  mappingHash: string;
  /** Index of the column that says how many items a row stands for. */
  quantityColumn?: number | undefined;
  /** Places of the columns whose blank cells are filled in from above. */
  filledColumns?: number[] | undefined;
  /** Columns that are kept as custom fields although nobody said so, until that is told or agreed. */
  kept?: string[] | undefined;
  /** Items go to a collection that everybody can see, or one of which that is not known. */
  intoPublic?: boolean;
  /** Rows have notes: the results have a column for them. */
  noted?: boolean;
  /** Rows that equal an earlier one of the file, as last warned of; absent if none. */
  equalRows?: number;
  /** Ids of the collections that contain the items of an update: a resume compares them to detect another team's key. */
  teamCollections?: string[];
  reading?: ItemLookup;
  /** Column of amounts that show a currency, which is compared with the currency of the items. */
  amounts?: AmountSource | undefined;
  learned?: ServerNormalisation;
  /** Ids of possible duplicates: items that equal a row which was sent twice. */
  doubles?: string[];
  /** What the server was known to change when the plan was made: `--match` compares keys by it. */
  keyChanges?: StoreChange[];
  /** Compare the rows to create with the items that already exist. */
  checkSimilar?: boolean;
  /** Undefined if the last plan found none. */
  similar?: SimilarRows | undefined;
  /** `--missing archive`; what the plan found. */
  missing?: MissingItems | undefined;
  /** `set` and `undo`: the request, as written on the command line. */
  request?: string;
  /** `undo`: the job that is undone. */
  undoes?: string;
  /** `undo`: only some rows of that job. */
  undoesPart?: true;
  /** `undo`: what to do with fields that somebody has changed since that job. */
  onDrift?: OnDrift;
  /** When the before-images of the job were pruned, ms since the epoch. */
  prunedAt?: number;
  /** What to do with rows that were sent before, if the request says. */
  onlyNew?: boolean;
  allRows?: boolean;
  /** The flags that say how the file is read, for commands that people paste; each begins with a space. */
  readAs?: string;
  /** Version of the function of a program that mapped the rows. */
  mapVersion?: string;
  /** What a recipe keeps of the request (RecipeOptions). */
  recipe?: object;
  agreed?: Consents;
}

/** What a person has agreed to, by question: ranges of ordinals of rows, such as `1-3,7`. */
export type Consents = Readonly<Record<string, string>>;

/** What to do with a planned update if somebody has changed its item since the plan was made. */
export type OnDrift = 'hold' | 'skip' | 'overwrite';

/** How a plan read the items that it compares with, in requests, and what the alternative would have cost. */
export interface ItemLookup {
  /** `each`: one request per item. `pages`: the list, and one request for each item that the list did not show. */
  way: 'each' | 'pages';
  items: number;
  requests: number;
  /** Estimated requests of the alternative; absent if the length of the list is unknown. */
  otherwise?: number;
}

/** The items of a collection that a file no longer has (`--missing archive`). */
export interface MissingItems {
  /** `--max-missing` of the import. */
  most?: string;
  /** Items of the collection with a key, and with the status keep, sell or trade. */
  of?: number;
  /** How many of them the file does not have. */
  items?: number;
  /** The rows of the job that archive them come after this ordinal. */
  after?: number;
  /** Why none of them may be archived, if so: a clause. */
  unsafe?: string;
}

/** Rows to create that look like items that already exist. */
export interface SimilarRows {
  rows: number;
  /** The items that most rows look like. */
  items: { id: string; name: string; rows: number }[];
}

/** One way in which a server changes a value as it stores it. */
export type StoreChange =
  | 'trim'
  | 'spaces'
  | 'nfc'
  | 'nfkc'
  | 'case_of_tags'
  | 'tag_order'
  | 'round2'
  | 'round2_half_up'
  | 'round2_exact'
  | 'round0'
  | 'empty_as_null';

/** How the server stores values, as acknowledged creates have shown it. Kept with the job for a resume. */
export interface ServerNormalisation {
  /** False until a create was acknowledged: until then nothing can be matched with certainty. */
  acknowledged: boolean;
  changes: StoreChange[];
  /** Values that the server gives to fields that were not sent, by field. */
  defaults: Record<string, unknown>;
  /** Fields that the server stores in a way we cannot predict; here and below, custom fields one by one. */
  opaque: string[];
  /** Those among them of which an answer showed something that does not even resemble what was sent. */
  unlike: string[];
  /** Fields that the server was seen to keep as sent, and how long a text it kept whole (at least). */
  kept: Record<string, number>;
  /** The greatest difference of updated_at and created_at in an answer to a create, ms: beyond it, an item was edited. */
  touchedMs: number;
  /** `yes` once a create came back no older than its own mark; `no` once one came back older by two minutes. */
  timesOrder: 'unknown' | 'yes' | 'no';
}

const DEFAULTS: JobOptions = {
  match: [],
  noCollectionColumn: false,
  skipInvalid: false,
  force: false,
  ownExport: false,
  noSettle: false,
  outDir: '',
  mappingHash: '',
};

/** Options as stored, by this version or an older one that did not know all of them. */
export function parseJobOptions(stored: Partial<JobOptions>): JobOptions {
  return { ...DEFAULTS, ...stored };
}
