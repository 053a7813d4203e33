/** The options of an import. */
import { z } from 'zod';
import { defined } from '../../base/defined.ts';
import {
  cellText,
  decimalMark,
  duration,
  flag,
  list,
  looseText,
  rowRanges,
  text,
  wholeNumber,
} from '../../base/option.ts';
import type { MappingOptions } from '../../mapping/mapping.ts';
import type { Template } from '../../mapping/template/template.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { whereFlag } from '../../where/where.ts';

const skipInvalid = flag(z.boolean().describe('Send the valid rows even if others are invalid.'), {
  group: 'Safety',
});

export const ImportOptions = z.object({
  sheet: flag(looseText.describe('Sheet of a workbook, or "all".'), { group: 'Read' }),
  headerRow: flag(wholeNumber(0).describe('Row that holds the headers; 0 if there are none.'), {
    group: 'Read',
  }),
  delimiter: flag(text.describe('CSV: one character, or "tab".'), { group: 'Read' }),
  encoding: flag(text.describe('CSV: utf-8, utf-16le, windows-1252 …'), { group: 'Read' }),
  decimal: flag(decimalMark.describe('Decimal mark, if the file leaves it unclear.'), {
    group: 'Read',
    choices: ['point', 'comma'],
  }),
  strict: flag(
    z.boolean().describe('Do not use the likeliest reading of a doubtful value: ask, or report a problem.'),
    {
      group: 'Read',
    },
  ),
  template: flag(text.describe('Import template: the name of a template, a YAML file, or none.'), {
    group: 'Map',
  }),
  recipe: flag(text.describe('Read the file with a recipe (saved by import --save-as NAME).'), {
    group: 'Map',
  }),
  map: flag(
    z.record(z.string(), cellText).describe('FIELD=COLUMN: the column that holds a field (repeatable).'),
    { group: 'Map', pairs: 'FIELD=COLUMN' },
  ),
  defaults: flag(
    z
      .record(z.string(), cellText)
      .describe(
        'FIELD=VALUE for new items without a value; in an update, for fields without a column (repeatable).',
      ),
    { group: 'Map', name: 'default', pairs: 'FIELD=VALUE' },
  ),
  rates: flag(
    z
      .record(z.string(), cellText)
      .describe(
        'CODE=RATE, such as USD=0.92: converts amounts in this currency to that of the items (repeatable).',
      ),
    { group: 'Map', name: 'rate', pairs: 'CODE=RATE' },
  ),
  collection: flag(text.describe('Name or id of the collection for rows that name none.'), { group: 'Map' }),
  keepUnknown: flag(
    z
      .boolean()
      .describe('Turn unmapped columns into custom fields (default for new items without a template).'),
    { group: 'Map' },
  ),
  dropUnknown: flag(z.boolean().describe('Leave unmapped columns out.'), { group: 'Map' }),
  mode: flag(z.enum(['create', 'update', 'upsert']).describe('What to do with the rows (default: create).'), {
    group: 'Map',
  }),
  missing: flag(
    z
      .enum(['archive'])
      .describe(
        'With --mode upsert and --collection: archive the items of the collection that are not in the file.',
      ),
    { group: 'Map' },
  ),
  match: flag(
    list.describe('FIELD[,FIELD] that identifies the item of a row, with update and upsert (default: id).'),
    { group: 'Map' },
  ),
  stamp: flag(text.describe('custom_fields.NAME that marks each created item with its job and row.'), {
    group: 'Map',
  }),
  dryRun: flag(z.boolean().describe('Only plan, and show the changes; jobs apply sends them.'), {
    group: 'Send',
  }),
  force: flag(z.boolean().describe('Import a file again, with all of its rows.'), { group: 'Send' }),
  outDir: flag(text.describe('Folder for results and rejects (default: next to the file).'), {
    group: 'Send',
  }),
  checkSimilar: flag(z.boolean().describe('Mark rows that look like existing items; see --similar.'), {
    group: 'Safety',
  }),
  skipInvalid,
  noSettle: flag(
    z
      .boolean()
      .describe('Hold rows whose answers were lost, and never look them up: for keys without items:read.'),
    { group: 'Safety' },
  ),
});

/** The options that a recipe keeps from the request that made it; its template has the columns. */
export const RecipeOptions = ImportOptions.pick({
  sheet: true,
  headerRow: true,
  delimiter: true,
  encoding: true,
  decimal: true,
  strict: true,
  collection: true,
  mode: true,
  match: true,
  stamp: true,
  checkSimilar: true,
  skipInvalid: true,
  noSettle: true,
});
export type RecipeOptions = z.infer<typeof RecipeOptions>;

/** Rows from a program, in place of a file. */
export interface GivenRows {
  table: SheetTable;
  /** Hash of the given rows: lower-case hex. */
  sha256: string;
  /** Version of the function that mapped the rows: it is part of the fingerprint. */
  mapVersion?: string;
}

export interface ImportRequest extends Omit<z.infer<typeof ImportOptions>, 'template' | 'defaults'> {
  /** Programs also give numbers and booleans, which custom fields keep. */
  defaults?: MappingOptions['defaults'];
  /** Do not write results, rejects and deletions. */
  noFiles?: true;
  /** Name of a shipped template, a YAML file, or a template itself. */
  template?: string | Template;
  /** The job's id, if it was assigned before the file is read; otherwise a new one. */
  jobId?: string;
  /** When the import was queued, ms since the epoch, if it waited for a worker. */
  queuedAt?: number;
  /** Path of the spreadsheet. */
  file: string;
  /** The path that the person knows, if `file` is a copy: the job and its messages use it. */
  knownAs?: string;
  /** `file` is a copy of standard input. */
  isStdin?: true;
  /** These rows are read in place of `file`, which then only names the job and its results. */
  given?: GivenRows;
  run?: RunOptions;
}

/** Options of a single run, not of the job: a resume has its own. Waits and ages are in ms. */
export const RunOptions = z.object({
  plan: flag(
    text.describe('Write the plan to this file for review, with changes in colour; .xlsx or .html.'),
    {
      group: 'Send',
    },
  ),
  first: flag(wholeNumber(1).describe('Send this many rows, some of each kind of change, then pause.'), {
    group: 'Send',
  }),
  onlyNew: flag(z.boolean().describe('Leave out rows that any job of this store has sent before.'), {
    group: 'Send',
  }),
  allRows: flag(z.boolean().describe('Create rows even if they were sent before.'), { group: 'Send' }),
  skipInvalid,
  similar: flag(z.enum(['skip', 'create']).describe('What to do with rows that --check-similar marked.'), {
    group: 'Safety',
  }),
  maxRefused: flag(
    wholeNumber(1).describe('Park after this many refused rows (default: 100 in a row, or 20%).'),
    { group: 'Safety' },
  ),
  maxChanges: flag(wholeNumber(0).describe('Ask before changing more items than this (default: 500).'), {
    group: 'Safety',
  }),
  maxMissing: flag(
    looseText.describe(
      'Refuse --missing archive if it would archive more items than this: a share such as 20%, or a number (default: 10%).',
    ),
    { group: 'Safety' },
  ),
  onDrift: flag(
    z
      .enum(['hold', 'skip', 'overwrite'])
      .describe(
        'What to do with items that changed after the plan, or since the file was exported (default: hold).',
      ),
    { group: 'Safety' },
  ),
  /** It also applies to the list in which an upsert found no item. 0 reads every item again, `Infinity` none. */
  recheckMs: flag(
    z
      .union([z.literal('never').transform(() => Number.POSITIVE_INFINITY), duration])
      .describe(
        'Before changing an item, read it again if its data is older than this; 0s, 5m, never (default: 60s).',
      ),
    { group: 'Safety', name: 'recheck' },
  ),
  yes: flag(z.boolean().describe('Answer yes to every confirmation.'), { group: 'Global' }),
  takeOver: flag(
    z
      .boolean()
      .describe(
        'Take over from a process on another machine that seems to be running; use it only if that machine is gone.',
      ),
    { group: 'Safety' },
  ),
  waitForLimit: flag(z.boolean().describe("Wait for room in the plan's item limit instead of parking."), {
    group: 'Global',
  }),
  waitMs: flag(
    duration.describe('Maximum wait for the API (default: 30s at the start, 10m later, 24h after a 429).'),
    {
      group: 'Global',
      name: 'wait',
    },
  ),
  quietPeriodMs: flag(
    duration.describe('How long a request whose answer was lost may still take effect (default: 10s).'),
    { group: 'Global', name: 'quiet-period' },
  ),
  /**
   * Without `onlyNew` and `allRows`: leave out rows that were sent before if the file continues an earlier one, and
   * hold them otherwise. `yes` implies it. Without any of these options, a run that cannot ask ends with
   * `rows_sent_before`.
   */
  asAdvised: z.boolean().exactOptional(),
});
export type RunOptions = z.infer<typeof RunOptions>;

/** Of the options of the run that plans a job: those that later runs keep, unless they set them themselves. */
export function keptOf({ onDrift, maxChanges, maxRefused }: RunOptions = {}) {
  return defined({ onDrift, maxChanges, maxRefused });
}

/** Options of `shelflift set`, beside those of its run. */
export const SetOptions = z.object({
  idsFrom: flag(text.describe('CSV, XLSX or plain list with the ids of the items.'), { group: 'Select' }),
  from: flag(
    text.describe(
      'CSV, XLSX, XLS or ODS file that names the items by --match; FIELD=@COLUMN takes a value from it. - is standard input.',
    ),
    { group: 'Select' },
  ),
  match: flag(
    list.describe(
      'FIELD=COLUMN[,FIELD=COLUMN]: fields that identify an item, and their columns in the --from file (default: id).',
    ),
    { group: 'Select' },
  ),
  /** setItems checks the words. */
  status: flag(
    z
      .union([text, z.array(text)])
      .transform((given) => [given].flat().flatMap((words) => words.split(',').map((word) => word.trim())))
      .describe('Items with this status, instead of a list (repeatable).'),
    { group: 'Select', repeatable: true },
  ),
  collection: flag(text.describe('Items of this collection, by name or id, instead of a list.'), {
    group: 'Select',
  }),
  where: whereFlag,
  round: flag(
    looseText.describe(
      'Round new values to a multiple of this, such as 0.50, with halves rounded up; none keeps all digits (default: the decimal places of the currency).',
    ),
    {
      group: 'Map',
    },
  ),
  ...ImportOptions.pick({
    sheet: true,
    headerRow: true,
    delimiter: true,
    encoding: true,
    decimal: true,
  }).shape,
  currency: flag(text.describe('Change only values in this currency, such as USD.'), { group: 'Select' }),
  dryRun: ImportOptions.shape.dryRun,
  outDir: flag(
    text.describe('Folder for results and rejects (default: next to the list, or the current folder).'),
    {
      group: 'Send',
    },
  ),
});

/** Options of `shelflift jobs undo`, beside those of its run. */
export const UndoOptions = z.object({
  rows: flag(rowRanges.describe('Only these rows of the file: 3,7-9.'), { group: 'Select', name: 'row' }),
  sheet: flag(text.describe('Sheet of the rows, if several sheets have these rows.'), { group: 'Select' }),
  dryRun: ImportOptions.shape.dryRun,
  outDir: flag(text.describe("Folder for the files (default: the job's folder)."), { group: 'Send' }),
});
