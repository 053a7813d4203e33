/**
 * The parts of a job that are stored as JSON with it, by who writes them: the command that makes it, whoever plans it, the
 * writer, and the gates. Each is replaced as a whole, so that none of them overwrites what another has written meanwhile.
 */
import { z } from 'zod';
import { LIKELY_NOTES, type Message } from '../messages/params.ts';
import { messageSchema } from '../messages/schema.ts';
import { AmountSource } from '../base/money.ts';

/** What to do with a planned update if somebody has changed its item since the plan was made. */
const OnDrift = z.enum(['hold', 'skip', 'overwrite']);
export type OnDrift = z.infer<typeof OnDrift>;

/** How a plan read the items that it compares with, in requests, and what the alternative would have cost. */
const ItemLookup = z.strictObject({
  /** `each`: one request per item. `pages`: the list, and one request for each item that the list did not show. */
  way: z.enum(['each', 'pages']),
  items: z.number(),
  requests: z.number(),
  /** Estimated requests of the alternative; absent if the length of the list is unknown. */
  otherwise: z.number().exactOptional(),
});
export type ItemLookup = z.infer<typeof ItemLookup>;

/** What a plan found for `--missing archive`: items of the collection that the file no longer has. */
const MissingItems = z.strictObject({
  /** Items of the collection with a key, and with the status keep, sell or trade. */
  of: z.number(),
  /** How many of them the file does not have. */
  items: z.number(),
  /** The rows of the job that archive them come after this ordinal. */
  after: z.number().exactOptional(),
  /** Why none of them may be archived, if so: a clause. */
  unsafe: messageSchema().exactOptional(),
});
export type MissingItems = z.infer<typeof MissingItems>;
/** Why a job stopped; `said`, if present, is the message as data. */
export const JobError = z.strictObject({
  code: z.string(),
  message: z.string(),
  said: messageSchema().exactOptional(),
});
export type JobError = z.infer<typeof JobError>;

/** Rows to create that look like items that already exist. */
const SimilarRows = z.strictObject({
  rows: z.number(),
  /** The items that most rows look like. */
  items: z.array(z.strictObject({ id: z.string(), name: z.string(), rows: z.number() })),
});
export type SimilarRows = z.infer<typeof SimilarRows>;

/** One way in which a server changes a value as it stores it; finer ones first. */
export const StoreChange = z.enum([
  'trim',
  'spaces',
  'nfc',
  'nfkc',
  'case_of_tags',
  'tag_order',
  'round2',
  'round2_half_up',
  'round2_exact',
  'round0',
  'empty_as_null',
]);
export type StoreChange = z.infer<typeof StoreChange>;

/** How the server stores values, as acknowledged creates have shown it. Kept with the job for a resume. */
const ServerNormalisation = z.strictObject({
  /** False until a create was acknowledged: until then nothing can be matched with certainty. */
  acknowledged: z.boolean(),
  changes: z.array(StoreChange),
  /** Values that the server gives to fields that were not sent, by field. */
  defaults: z.record(z.string(), z.unknown()),
  /** Fields that the server stores in a way we cannot predict; here and below, custom fields one by one. */
  opaque: z.array(z.string()),
  /** Those among them of which an answer showed something that does not even resemble what was sent. */
  unlike: z.array(z.string()),
  /** Fields that the server was seen to keep as sent, and how long a text it kept whole (at least). */
  kept: z.record(z.string(), z.number()),
  /** The greatest difference of updated_at and created_at in an answer to a create, ms: beyond it, an item was edited. */
  touchedMs: z.number(),
  /** `yes` once a create came back no older than its own mark; `no` once one came back older by two minutes. */
  timesOrder: z.enum(['unknown', 'yes', 'no']),
});
export type ServerNormalisation = z.infer<typeof ServerNormalisation>;

/** The consent of a person, by question: ranges of ordinals of rows, such as `1-3,7`. */
export const Consents = z.record(z.string(), z.string()).readonly();
export type Consents = z.infer<typeof Consents>;

export const JobSource = z.strictObject({
  /** Absolute path. Not read again after staging. */
  file: z.string(),
  format: z.enum(['csv', 'xlsx', 'xls', 'ods', 'html', 'rows', 'fields', 'none']),
  headers: z.array(z.string()),
  /** Column letters of the headers. */
  letters: z.array(z.string()),
  delimiter: z.string().exactOptional(),
  sha256: z.string(),
  /** The rows came on standard input: `file` is a name for messages and results. */
  isStdin: z.literal(true).exactOptional(),
});
export type JobSource = z.infer<typeof JobSource>;

/** The request of a job, which never changes. */
export const JobRequest = z.strictObject({
  match: z.array(z.string()),
  /** Collection of rows that name none, as written. */
  collection: z.string().exactOptional(),
  skipInvalid: z.boolean(),
  force: z.boolean(),
  /** Name of the custom field, without `custom_fields.`. */
  stamp: z.string().exactOptional(),
  noSettle: z.boolean(),
  outDir: z.string(),
  /** No files are written, unless somebody asks for them. */
  noFiles: z.literal(true).exactOptional(),
  /** Base name of the results files, if it is not the source file's name without its extension. */
  outName: z.string().exactOptional(),
  /** Hash of everything that decides how cells become fields: part of the fingerprint. */
  mappingHash: z.string(),
  /** Compare the rows to create with the items that already exist. */
  checkSimilar: z.boolean().exactOptional(),
  /** `--missing archive`. */
  missing: z
    .strictObject({
      /** `--max-missing` of the import. */
      most: z.string().exactOptional(),
    })
    .exactOptional(),
  /** `set` and `undo`: the request, as written on the command line. */
  text: z.string().exactOptional(),
  /** `undo`: the job that is undone. */
  undoes: z.string().exactOptional(),
  /** `undo`: only some rows of that job. */
  undoesPart: z.literal(true).exactOptional(),
  /** What to do with fields that somebody has changed since that job (`undo`), or with items since their export. */
  onDrift: OnDrift.exactOptional(),
  /** What to do with rows that were sent before, if the request says. */
  onlyNew: z.boolean().exactOptional(),
  allRows: z.boolean().exactOptional(),
  /** The options that say how the file is read, for actions that read it again. */
  readAs: z.record(z.string(), z.union([z.string(), z.literal(true), z.array(z.string())])).exactOptional(),
  /** Version of the function of a program that mapped the rows. */
  mapVersion: z.string().exactOptional(),
  /** What a recipe keeps of the request (RecipeOptions). */
  recipe: z.record(z.string(), z.unknown()).exactOptional(),
});
export type JobRequest = z.infer<typeof JobRequest>;

/**
 * Facts about the rows and their items when they are planned; they are collected again when the job is corrected or
 * planned again.
 */
export const JobPlan = z.strictObject({
  /** True if no row can name a collection: a job without `collection` is then an error of the command. */
  noCollectionColumn: z.boolean(),
  /** The file is a shelflift export, which holds the items' ids. */
  ownExport: z.boolean(),
  /** Index of the column that says how many items a row stands for. */
  quantityColumn: z.number().optional(),
  /** Places of the columns whose blank cells are filled in from above. */
  filledColumns: z.array(z.number()).optional(),
  /** Columns that are kept as custom fields although nobody said so, until that is told or agreed. */
  kept: z.array(z.string()).optional(),
  /** Items go to a collection that everybody can see, or one of which that is not known. */
  intoPublic: z.boolean().exactOptional(),
  /** What was read as is likely, by column. */
  likely: (z.array(messageSchema(LIKELY_NOTES)) as z.ZodType<Message[]>).optional(),
  /** Rows have notes: the results have a column for them. */
  noted: z.boolean().exactOptional(),
  /** Rows that equal an earlier one of the file, as last warned of; absent if none. */
  equalRows: z.number().exactOptional(),
  /** Ids of the collections that contain the items of an update: a resume compares them to detect another team's key. */
  teamCollections: z.array(z.string()).exactOptional(),
  reading: ItemLookup.exactOptional(),
  /** The intents of the store that the values which were found unchanged account for. */
  accounted: z.number().exactOptional(),
  /** Column of amounts that show a currency, which is compared with the currency of the items. */
  amounts: AmountSource.optional(),
  /** What the server was known to change: `--match` compares keys by it. */
  keyChanges: z.array(StoreChange).exactOptional(),
  /** Undefined if the last plan found none. */
  similar: SimilarRows.optional(),
  missing: MissingItems.exactOptional(),
});
export type JobPlan = z.infer<typeof JobPlan>;

/** Facts that the answers to a job's own requests have shown. */
export const JobLearned = z.strictObject({
  server: ServerNormalisation.exactOptional(),
  /** Ids of possible duplicates: items that equal a row which was sent twice. */
  doubles: z.array(z.string()).exactOptional(),
  /** Ids of items that were created with an amount in another currency than the file shows. */
  wrongAmounts: z.array(z.string()).exactOptional(),
  /** The server has not kept values of its rows: their issues say which. */
  loses: z.literal(true).exactOptional(),
});
export type JobLearned = z.infer<typeof JobLearned>;
