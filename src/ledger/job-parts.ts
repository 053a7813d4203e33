/**
 * The parts of a job that are stored as JSON with it, by their writer: the command that makes the job, its planner, the
 * writer, and the gates. Each part is replaced as a whole, so that no writer overwrites another's part.
 */
import { z } from 'zod';
import { LIKELY_NOTES, type Message } from '../messages/params.ts';
import { messageSchema } from '../messages/schema.ts';
import { sameJson } from '../base/equal-json.ts';
import { AmountSource } from '../base/money.ts';

/** What to do with a planned update if somebody has changed its item since the plan was made. */
const OnDrift = z.enum(['hold', 'skip', 'overwrite']);
export type OnDrift = z.infer<typeof OnDrift>;

/** How a plan read the items that it compares with: the way, the requests, and the cost of the alternative. */
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
  /** Number of these items that are missing from the file. */
  items: z.number(),
  /** The rows of the job that archive these items come after this ordinal. */
  after: z.number().exactOptional(),
  /** Why none of these items may be archived, if so: a clause. */
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

/** A change that a server makes to values when it stores them; finer changes first. */
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

/** How the server stores values, as observed in acknowledged creates. Stored with the job for a resume. */
const ServerNormalisation = z.strictObject({
  /** False until a create was acknowledged: until then, no match is certain. */
  acknowledged: z.boolean(),
  changes: z.array(StoreChange),
  /** Values that the server gives to fields that were not sent, by field. */
  defaults: z.record(z.string(), z.unknown()),
  /** Fields that the server stores in an unpredictable way; here and below, each custom field is listed by itself. */
  opaque: z.array(z.string()),
  /** Opaque fields for which an answer did not even resemble the sent value. */
  unlike: z.array(z.string()),
  /** Fields that the server keeps as sent, with the length of the longest text that it kept whole. */
  kept: z.record(z.string(), z.number()),
  /**
   * The greatest difference of updated_at and created_at in an answer to a create, ms. With a greater difference, an
   * item was edited.
   */
  touchedMs: z.number(),
  /** `yes` once a created item was no older than its own mark; `no` once one was older by two minutes. */
  timesOrder: z.enum(['unknown', 'yes', 'no']),
});
export type ServerNormalisation = z.infer<typeof ServerNormalisation>;

/** The consent of a person, by question: ranges of ordinals of rows, such as `1-3,7`. */
export const Consents = z.record(z.string(), z.string()).readonly();
export type Consents = z.infer<typeof Consents>;

export const JobSource = z.strictObject({
  /** Absolute path. It is not read again after staging. */
  file: z.string(),
  format: z.enum(['csv', 'xlsx', 'xls', 'ods', 'html', 'rows', 'fields', 'none']),
  headers: z.array(z.string()),
  /** Column letters of the headers. */
  letters: z.array(z.string()),
  delimiter: z.string().exactOptional(),
  sha256: z.string(),
  /** The rows came from standard input: `file` is a name for messages and results. */
  isStdin: z.literal(true).exactOptional(),
});
export type JobSource = z.infer<typeof JobSource>;

/** The request of a job. It never changes. */
export const JobRequest = z.strictObject({
  match: z.array(z.string()),
  /** Collection of rows that do not name one, as written. */
  collection: z.string().exactOptional(),
  skipInvalid: z.boolean(),
  force: z.boolean(),
  /** Name of the custom field, without `custom_fields.`. */
  stamp: z.string().exactOptional(),
  noSettle: z.boolean(),
  outDir: z.string(),
  /** Files are written only on request. */
  noFiles: z.literal(true).exactOptional(),
  /** When the import was queued, ms since the epoch, if it waited for a worker. */
  queuedAt: z.number().exactOptional(),
  /** Base name of the results files, if it differs from the source file's name without its extension. */
  outName: z.string().exactOptional(),
  /** Hash of everything that determines how cells become fields; part of the fingerprint. */
  mappingHash: z.string(),
  /** Compare the rows to create with the items that already exist. */
  checkSimilar: z.boolean().exactOptional(),
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
  undoesPart: z.literal(true).exactOptional(),
  /** The undo was made on a terminal, where a person confirms it: so does whoever continues it before that. */
  asks: z.literal(true).exactOptional(),
  /**
   * These three apply to the plan and to every run that sends it, unless that run sets its own. This one: what to do
   * with items that somebody has changed since the plan or their export, or with fields changed since the undone job.
   */
  onDrift: OnDrift.exactOptional(),
  maxChanges: z.number().exactOptional(),
  maxRefused: z.number().exactOptional(),
  /** What to do with rows that were sent before; absent if the request does not say. */
  onlyNew: z.boolean().exactOptional(),
  allRows: z.boolean().exactOptional(),
  /** The options that determine how the file is read, for actions that read it again. */
  readAs: z.record(z.string(), z.union([z.string(), z.literal(true), z.array(z.string())])).exactOptional(),
  /** Version of the program's function that mapped the rows. */
  mapVersion: z.string().exactOptional(),
  /** The part of the request that a recipe keeps (RecipeOptions). */
  recipe: z.record(z.string(), z.unknown()).exactOptional(),
});
export type JobRequest = z.infer<typeof JobRequest>;

/**
 * Facts about the rows and their items when they are planned; they are collected again when the job is corrected or
 * planned again.
 */
export const JobPlan = z.strictObject({
  /** True if no row can name a collection: then a missing `collection` is an error of the command. */
  noCollectionColumn: z.boolean(),
  /** The file is a shelflift export, which contains the items' ids. */
  ownExport: z.boolean(),
  /** Index of the column with the number of items of each row. */
  quantityColumn: z.number().optional(),
  /** Indexes of the columns whose blank cells are filled in from above. */
  filledColumns: z.array(z.number()).optional(),
  /**
   * Columns that are kept as custom fields without anybody having asked for it, until this was reported or confirmed.
   */
  kept: z.array(z.string()).optional(),
  /** Items go to a collection that is public, or that may be. */
  intoPublic: z.boolean().exactOptional(),
  /** The shipped template that is used because it knows the headers of the file. */
  recognised: z.string().exactOptional(),
  /** Readings that are only likely, by column. */
  likely: (z.array(messageSchema(LIKELY_NOTES)) as z.ZodType<Message[]>).optional(),
  /** Rows have notes, so the results have a column for them. */
  noted: z.boolean().exactOptional(),
  /** Number of rows equal to an earlier row of the file, as last reported; absent if 0. */
  equalRows: z.number().exactOptional(),
  /** Ids of the collections that contain the items of an update: a resume compares them to detect another team's key. */
  teamCollections: z.array(z.string()).exactOptional(),
  reading: ItemLookup.exactOptional(),
  /** Number of intents of the store that the readings of unchanged rows account for. */
  accounted: z.number().exactOptional(),
  /** Undo: number of intents of the store that were committed before its last plan. */
  plannedAfter: z.number().exactOptional(),
  /** The column of amounts that show a currency, which is compared with the currency of the items. */
  amounts: AmountSource.optional(),
  /** Known changes of the server to values: `--match` compares keys after these changes. */
  keyChanges: z.array(StoreChange).exactOptional(),
  /** Rows were judged again after the job owned them: its next run looks again which of them other jobs have sent. */
  compareAgain: z.literal(true).optional(),
  /** A person has said that all rows are new, whatever earlier jobs had sent (`--all-rows`). */
  allRows: z.literal(true).exactOptional(),
  /** Undefined if the last plan found no similar rows. */
  similar: SimilarRows.optional(),
  missing: MissingItems.exactOptional(),
});
export type JobPlan = z.infer<typeof JobPlan>;

/** Facts that the answers to a job's own requests have shown. */
export const JobLearned = z.strictObject({
  server: ServerNormalisation.exactOptional(),
  /** Ids of possible duplicates: items that equal a row which was sent twice. */
  doubles: z.array(z.string()).exactOptional(),
  /** Ids of items that were created with an amount of the file in the wrong currency. */
  wrongAmounts: z.array(z.string()).exactOptional(),
  /** The server has not kept values of the job's rows: the issues of the rows say which. */
  loses: z.literal(true).exactOptional(),
  /** Rows were held because another store seems to have sent them (`store_behind`). */
  isSentElsewhere: z.literal(true).exactOptional(),
});
export type JobLearned = z.infer<typeof JobLearned>;

/** Several processes may learn of one job: a process that settles rows of another's job, for example. */
export function withLearned(known: JobLearned, more: JobLearned): JobLearned {
  const merged = { ...known, ...more };
  for (const list of ['doubles', 'wrongAmounts'] as const)
    if (merged[list] !== undefined) merged[list] = union(known[list] ?? [], merged[list]);
  if (known.server !== undefined && more.server !== undefined)
    merged.server = bothNormalisations(known.server, more.server);
  return merged;
}

/** What one process would have learned from the answers that both have had. */
function bothNormalisations(one: ServerNormalisation, other: ServerNormalisation): ServerNormalisation {
  const differing = Object.entries(other.defaults).flatMap(([field, value]) =>
    field in one.defaults && !sameJson(value, one.defaults[field]) ? [field] : [],
  );
  // One value is a default; two are computed by the server.
  const opaque = union(union(one.opaque, other.opaque), differing);
  const fields = union(Object.keys(one.kept), Object.keys(other.kept));
  const orders = [one.timesOrder, other.timesOrder];
  return {
    acknowledged: one.acknowledged || other.acknowledged,
    changes: union(one.changes, other.changes),
    defaults: { ...one.defaults, ...other.defaults },
    opaque,
    unlike: union(one.unlike, other.unlike),
    kept: Object.fromEntries(
      fields
        .filter((field) => !opaque.includes(field))
        .map((field) => [field, Math.max(one.kept[field] ?? 0, other.kept[field] ?? 0)]),
    ),
    touchedMs: Math.max(one.touchedMs, other.touchedMs),
    timesOrder: (['no', 'yes'] as const).find((each) => orders.includes(each)) ?? 'unknown',
  };
}

function union<T>(some: readonly T[], others: readonly T[]): T[] {
  return [...new Set([...some, ...others])];
}
