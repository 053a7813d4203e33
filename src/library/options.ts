/**
 * The options of every verb, with the descriptions that editors show. Their schemas are in given.ts; a test keeps both
 * in step.
 */
import type { ItemCondition, ItemPackaging, ItemStatus } from '../api/resources.ts';
import type { ExportEvent } from '../export/read/source.ts';
import type { Message } from '../messages/params.ts';
import type { WhereObject } from '../where/where-object.ts';

/** Options of everything that takes time. */
export interface CallOptions {
  /** Ends the work, as `stop` of its run does. */
  signal?: AbortSignal | undefined;
  /** The longest outage of the API to wait for, ms. Default: 30,000 before its first answer, 600,000 later. */
  waitMs?: number | undefined;
}

/** How a job is sent. */
export interface SendOptions extends CallOptions {
  /** Answers yes to every confirmation: more than 500 changes, uncertain columns. */
  yes?: boolean | undefined;
  /**
   * Called with each question that needs confirmation, in place of `yes`. The question has a `code`, and
   * `textOf(question)` gives its sentence. Without `confirm` and `yes`, a question throws an error that names it.
   */
  confirm?: ((question: Message) => boolean | Promise<boolean>) | undefined;
  /** Sends this many rows, some of each kind of change, and then pauses; `jobs.resume` sends the others. */
  first?: number | undefined;
  /** Sends the valid rows even if others are invalid; otherwise nothing is sent. */
  skipInvalid?: boolean | undefined;
  /** Leaves out rows that any job of this store has sent before. */
  onlyNew?: boolean | undefined;
  /** Creates rows even if they were sent before. */
  allRows?: boolean | undefined;
  /** What to do with rows that `checkSimilar` marked. */
  similar?: 'skip' | 'create' | undefined;
  /** Parks the job after this many refused rows. Default: 100 in a row, or 20%. */
  maxRefused?: number | undefined;
  /** Refuses `missing` if it would archive more items than this: a share such as `20%`, or a number. Default `10%`. */
  maxMissing?: string | number | undefined;
  /** More updates than this need a confirmation. Default 500. */
  maxChanges?: number | undefined;
  /** What to do with items that changed after the plan, or since the file was exported. Default `hold`: a person decides. */
  onDrift?: 'hold' | 'skip' | 'overwrite' | undefined;
  /** Reads an item again before changing it if its data is older than this, ms; `Infinity` never. Default 60,000. */
  recheckMs?: number | undefined;
  /** Waits for room in the API plan's item limit instead of parking. */
  waitForLimit?: boolean | undefined;
  /** How long a request whose answer was lost may still take effect, ms. Default 10,000. */
  quietPeriodMs?: number | undefined;
}

/** How a table is read. */
export interface ReadOptions {
  /** Sheet of a workbook, or `all`. Default: the first sheet that contains a table. */
  sheet?: string | undefined;
  /** Number of the row with the headers, from 1; 0 if there are none. Default: detected. */
  headerRow?: number | undefined;
  /** CSV: one character, or `tab`. Default: detected. */
  delimiter?: string | undefined;
  /** CSV: `utf-8`, `windows-1252` … Default: detected. */
  encoding?: string | undefined;
  /** Decimal mark, if the table does not show it. */
  decimal?: 'point' | 'comma' | undefined;
  /**
   * Returns the password of a protected workbook; `wrong` is true if the last password did not open it. Return
   * undefined to give up.
   */
  filePassword?: ((file: string, wrong: boolean) => Promise<string | undefined>) | undefined;
}

/** The fields of an item, as a mapping function returns them. They are used exactly as they are. */
export interface ItemFields {
  /** UUID of the item that the row changes (modes update and upsert). */
  id?: string | undefined;
  /** 1 to 255 characters. */
  name?: string | undefined;
  /** Null empties the field in updates. */
  brand?: string | null | undefined;
  /** Null empties the field in updates. */
  series?: string | null | undefined;
  /** 1968 to 2100. */
  release_year?: number | null | undefined;
  /** Null empties the field in updates. */
  condition?: ItemCondition | null | undefined;
  /** Null empties the field in updates. */
  packaging?: ItemPackaging | null | undefined;
  /** Default of the service for new items: `keep`. */
  status?: ItemStatus | undefined;
  /** Replaces all tags. */
  tags?: readonly string[] | undefined;
  /** In major units of the items' currency: 12.5. */
  estimated_value?: number | null | undefined;
  /** Name → any JSON value. */
  custom_fields?: Record<string, unknown> | undefined;
  /** Name or UUID of the collection. Default: the option `collection`. */
  collection?: string | undefined;
  /** UUID of the collection, in place of `collection`. */
  collection_id?: string | undefined;
}

/**
 * Makes the fields of an item from a row; undefined leaves the row out. In modes update and upsert, null empties a field and
 * undefined leaves it alone.
 */
export type MapRow<Row> = (
  row: Row,
  place: {
    /** Number of the row, from 1; for a file, as in a spreadsheet program. */
    row: number;
  },
) => ItemFields | null | undefined | Promise<ItemFields | null | undefined>;

/** How the columns of a table become fields: by a template, by names of columns, or by headers alone. */
export interface ColumnOptions {
  /** Name of a shipped template, path of a YAML file, or a template itself. */
  template?: string | ImportTemplate | undefined;
  /** Name of a recipe in this store. The table is read with it. */
  recipe?: string | undefined;
  /** Field → header or letter of its column. */
  map?: Record<string, string> | undefined;
  mapVersion?: undefined;
  /** Turns columns that no field uses into custom fields. */
  keepUnknown?: boolean | undefined;
  /** Leaves out columns that no field uses. */
  dropUnknown?: boolean | undefined;
  /** Does not guess: words, grades and years without an exact counterpart are problems. */
  strict?: boolean | undefined;
  /** Currency code → value of one unit in the currency of the items: `{ USD: 0.92 }`. */
  rates?: Record<string, string | number> | undefined;
}

/** How rows become fields: by a function. */
export interface MapOptions<Row> {
  /**
   * Called once for each row, in order. A RowError that it throws makes its row invalid; any other error ends the import
   * before anything is sent.
   */
  map: MapRow<Row>;
  /**
   * Change it whenever the function maps differently: the same rows with the same version are recognised as the same
   * import, and are not sent twice.
   */
  mapVersion: string;
  template?: undefined;
  recipe?: undefined;
  keepUnknown?: undefined;
  dropUnknown?: undefined;
  strict?: undefined;
  rates?: undefined;
}

/** Options of an import, however its rows are mapped. */
export interface ImportBaseOptions extends SendOptions, ReadOptions {
  /** Name or UUID of the collection for rows that do not name one. */
  collection?: string | undefined;
  /** What to do with the rows. Default `create`. */
  mode?: 'create' | 'update' | 'upsert' | undefined;
  /** Fields that identify the item of a row, with update and upsert. Default `['id']`. */
  match?: readonly string[] | undefined;
  /**
   * With mode upsert and `collection`: archives the items of the collection that are not among the rows. A row that `map`
   * leaves out does not count as one of the rows.
   */
  missing?: 'archive' | undefined;
  /** Field → value for rows whose cell is blank. */
  defaults?: Record<string, string | number | boolean> | undefined;
  /** `custom_fields.NAME` that marks each created item with its job and row. */
  stamp?: string | undefined;
  /** Imports the source again, with all of its rows, even if it was imported before. */
  force?: boolean | undefined;
  /** Marks rows that look like existing items; see `similar`. */
  checkSimilar?: boolean | undefined;
  /** Never looks up lost answers, but holds their rows: for keys without items:read. */
  noSettle?: boolean | undefined;
  /**
   * Where the results and rejects go. Default: beside the file; for rows and streams, no files. `jobs.results` can
   * write them later.
   */
  results?: ResultsTarget | undefined;
  /** Also writes the plan to this file for review: .xlsx or .html. */
  planFile?: string | undefined;
}

/** Options of an import. */
export type ImportOptions<Row = object> = ImportBaseOptions & (ColumnOptions | MapOptions<Row>);

/** An import template as an object. Its keys are those of a template's YAML, see docs/templates.md. */
export interface ImportTemplate {
  /** Name of the template in messages. */
  name: string;
  /** Field → header, headers, or a map of options. */
  columns?: Record<string, unknown>;
  [key: string]: unknown;
}

/** An export layout as an object. Its keys are those of a layout's YAML, see docs/layouts.md. */
export interface ExportLayout {
  /** For messages and the manifest. */
  name: string;
  /** Fields, or maps with a title and a field, text, formula or constant. */
  columns: readonly unknown[];
  [key: string]: unknown;
}

/** Filters for items. */
export interface ItemQuery {
  /** One status or several. Default: all. */
  status?: ItemStatus | readonly ItemStatus[] | undefined;
  /** Name or UUID of a collection. */
  collection?: string | undefined;
  /**
   * An object, `{ brand: 'Hasbro', estimated_value: { gte: 50 } }`, or expressions that must all be true: `tags has
   * boxed`.
   */
  where?: WhereObject | string | readonly string[] | undefined;
}

/** Options for reading a list as objects. */
export interface ListOptions extends CallOptions {
  /** Throws `list_moved` if the list changes while it is read; otherwise `consistency` shows it. */
  requireStable?: boolean | undefined;
  /** Called with progress, retries and warnings. */
  onEvent?: ((event: ExportEvent) => void) | undefined;
}

/** The part of a writable Node stream that is used; the original type would require `@types/node` in every program. */
export interface NodeWritable {
  /** Writes a piece; returns false to ask for a wait until `drain`. */
  write(piece: Uint8Array | string): boolean;
  /** Ends the stream. */
  end(): unknown;
  /** Calls the listener when the stream can take more. */
  once(event: 'drain', listener: () => void): unknown;
}

/** Where the results of a job go: no files, a folder, or a stream that takes a CSV of every row and is not ended. */
export type ResultsTarget = false | string | NodeWritable | WritableStream<Uint8Array>;

/** Options of an export to a file or stream. */
export interface ExportOptions extends ItemQuery, CallOptions {
  /**
   * A path, whose extension .csv, .xlsx or .ndjson sets the format; or a Node or Web stream, which is not ended: it has
   * received every byte when the export ends. An error of the stream ends the export.
   */
  out: string | NodeWritable | WritableStream<Uint8Array>;
  /** The list to read. Default `items`. */
  resource?: 'items' | 'listings' | 'collections' | 'sales' | undefined;
  /** Overrides the extension of `out`. Default for a stream: `csv`. */
  format?: 'csv' | 'xlsx' | 'ndjson' | undefined;
  /** Columns in the desired order; `custom_fields` stands for all custom fields. Default: all. */
  columns?: readonly string[] | undefined;
  /** Name of a shipped layout, path of a YAML file, or a layout itself, in place of `columns`. */
  template?: string | ExportLayout | undefined;
  /**
   * CSV: dates and money in the format of this locale, such as `de-DE`. Such a file is for reading, not for importing.
   */
  locale?: string | undefined;
  /** CSV: one character, or `tab`. Default: a comma. */
  delimiter?: string | undefined;
  /** CSV: decimal mark. Default `point`. */
  decimal?: 'point' | 'comma' | undefined;
  /** CSV: starts with a byte order mark, for Excel. */
  bom?: boolean | undefined;
  /** Writes nothing if the list changes while it is read; `sha256` is null then. */
  requireStable?: boolean | undefined;
  /**
   * Only items that were created, changed or removed since the last export of this name. Needs a path and a permanent
   * store.
   */
  changedSinceLast?: string | undefined;
  /** With `changedSinceLast`: only items that changed to this status since then. */
  became?: ItemStatus | undefined;
  /** With `became`: the first day of the first file (`2026-10-01`), from a stored reading. */
  since?: string | undefined;
  /** Time zone of `since`: `Europe/Berlin`. Default: the time zone of this machine. */
  timeZone?: string | undefined;
  /** Reads everything again, even if an interrupted export could continue. */
  fresh?: boolean | undefined;
}

/** Options of a report. */
export interface ReportOptions extends ItemQuery, CallOptions {
  /** Kind of report. `sales` cannot be filtered by status, collection or where. */
  kind: 'inventory' | 'listings' | 'sales';
  /** Also writes the report to this file: .xlsx, .html or .csv. */
  out?: string | undefined;
  /** Inventory and listings: also groups by these fields, such as `custom_fields.shelf`. */
  by?: readonly string[] | undefined;
  /** Page and CSV: numbers, money and times in the format of this locale: `de-DE`. */
  locale?: string | undefined;
  /** Inventory and listings: only items in this currency. Sales: the currency of the amounts, which the API does not name. */
  currency?: string | undefined;
}

/** Options of a change to many items. `idsFrom`, `from`, or `status`, `collection` and `where` choose the items. */
export interface SetOptions extends SendOptions, ItemQuery, Omit<ReadOptions, 'filePassword'> {
  /** CSV, XLSX or plain list with the ids of the items. */
  idsFrom?: string | undefined;
  /** File that names the items by `match`; `FIELD=@COLUMN` takes a value from it. The reading options apply to this file. */
  from?: string | undefined;
  /** With `from`: `FIELD=COLUMN` pairs that identify an item. Default: its id. */
  match?: readonly string[] | undefined;
  /** Rounds new values to a multiple of this, halves up: `0.50`. */
  round?: string | undefined;
  /** Changes only values in this currency, such as `USD`. */
  currency?: string | undefined;
  /** Where the results go. Default: beside the list; without a list, no files. */
  results?: ResultsTarget | undefined;
}

/** Options for undoing a job. */
export interface UndoOptions extends SendOptions {
  /** Only these rows of the job's file, from 1: `3,7-9`. */
  rows?: string | undefined;
  /** Sheet of these rows, if several sheets have them. */
  sheet?: string | undefined;
  /** Where the results go. Default: where the results of the job went. */
  results?: ResultsTarget | undefined;
}

/** Options of a search for duplicates. */
export interface DupesOptions extends CallOptions {
  /** Includes names of five letters or more that differ by one or two letters, if all other fields are equal. */
  close?: boolean | undefined;
  /** Includes archived items. */
  archived?: boolean | undefined;
  /** Only items that match this expression. */
  where?: WhereObject | string | readonly string[] | undefined;
  /** Also writes the groups to this file, .csv or .xlsx, with a column `action` to fill in and import. */
  out?: string | undefined;
  /** With `out`: fills in `action`: keep the oldest item of each group, archive the others. */
  suggest?: boolean | undefined;
}
