/** The request of an export, checked before anything is read. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { z } from 'zod';
import { ITEM_STATUSES, type ItemStatus } from '../api/schemas.ts';
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';
import { decimalMark, flag, list, text } from '../base/option.ts';
import { commandLine } from './command-line.ts';
import { placeOf } from '../sheets/atomic-file.ts';
import { ITEM_FIELDS } from '../where/item-values.ts';
import { parseAll, type Where, whereFlag } from '../where/where.ts';
import { checkItemColumns } from './write/item-columns.ts';
import { type Period, periodOf, zoneOf } from './keep/period.ts';
import { fieldsOf } from './layout/compile-columns.ts';
import { isLocale, type Layout } from './layout/layout.ts';
import { BECAME_AFTER, BECAME_BY } from './row.ts';

export const EXPORT_RESOURCES = ['items', 'listings', 'collections', 'sales'] as const;
export type ExportResource = (typeof EXPORT_RESOURCES)[number];

export const EXPORT_FORMATS = ['csv', 'xlsx', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const FilterOptions = z.object({
  status: flag(list.describe('Only these statuses, comma-separated (default: all).'), {
    group: 'Select',
    repeatable: true,
  }),
  collection: flag(text.describe('Only this collection, by name or id.'), { group: 'Select' }),
  where: whereFlag,
});

/** Time zone of named days. */
export const timeZone = flag(
  text.describe("Time zone of days and months, such as Europe/Berlin (default: this machine's)."),
  { group: 'Select' },
);

/** Options that only exports of items and listings have. */
export const ItemExportOptions = FilterOptions.extend({
  /** Requires a store and a file (see changes/only-changes.ts). */
  changedSinceLast: flag(
    text.describe(
      'Only items that were created, changed or removed since the last export of this NAME; the column _change says which.',
    ),
    { group: 'Select' },
  ),
  /** Requires `changedSinceLast`, and replaces `status`. */
  became: flag(
    text.describe(
      'With --changed-since-last: only items that changed to this status since then; the first run sets the starting point.',
    ),
    { group: 'Select' },
  ),
  since: flag(
    text.describe(
      'With --became: the first run writes the items that changed to the status since this day (2026-10-01), from a stored reading.',
    ),
    { group: 'Select' },
  ),
  timeZone,
  template: flag(text.describe('Export layout: the name of a layout, or a YAML file.'), {
    group: 'Write',
  }),
  locale: flag(
    text.describe(
      'CSV: write dates, money and numbers in the format of this locale (de-DE); do not import such a file.',
    ),
    { group: 'Write' },
  ),
});

export const ExportOptions = z.object({
  out: flag(text.describe('File to write; .csv, .xlsx or .ndjson sets the format; - is stdout.'), {
    group: 'Write',
  }),
  columns: flag(
    list.describe(
      'Columns to write, in this order, comma-separated; custom_fields stands for all custom fields.',
    ),
    { group: 'Write' },
  ),
  delimiter: flag(text.describe('CSV: one character, or "tab" (default: a comma).'), { group: 'Write' }),
  decimal: flag(decimalMark.describe('CSV: decimal mark (default: point, as an import expects).'), {
    group: 'Write',
  }),
  bom: flag(z.boolean().describe('CSV: start with a byte order mark, for Excel.'), { group: 'Write' }),
  requireStable: flag(
    z.boolean().describe('Write nothing, and exit with 3, if the list changes while it is read.'),
    { group: 'Safety' },
  ),
  fresh: flag(z.boolean().describe('Read everything again, even if an interrupted export could continue.'), {
    group: 'Read',
  }),
  /** Overrides the extension of `out`. */
  format: z.enum(EXPORT_FORMATS).exactOptional(),
});

export interface ExportRequest
  extends Omit<z.infer<typeof ExportOptions>, 'out' | 'columns'>,
    Omit<z.infer<typeof ItemExportOptions>, 'status' | 'template'> {
  resource: ExportResource;
  /** Path; its extension sets the format. `-` writes to `stream` (as CSV if no format is given), without a manifest. */
  out: string;
  /** Receives the output of `-`; it is not ended. */
  stream?: Writable;
  /** Items and listings: one status or several, also comma-separated. Default: all. */
  status?: string | readonly string[];
  /** Default: the contract's. */
  columns?: readonly string[];
  /** Items and listings: name of a shipped layout, a YAML file (see layout/layout.ts), or a layout itself. */
  template?: string | Layout;
}

/** The request with all defaults and names resolved. */
export interface CheckedRequest {
  /** The equivalent command line. */
  command: string;
  resource: ExportResource;
  /** Absolute path, or `-`. */
  file: string;
  stream: Writable | undefined;
  format: ExportFormat;
  statuses: ReadonlySet<ItemStatus> | undefined;
  collection: string | undefined;
  /** Expressions that must all be true, including those of a layout. */
  where: readonly Where[];
  columns: readonly string[] | undefined;
  /** With `locale`, a layout with the requested columns; undefined if rows are written without a layout. */
  layout: Layout | undefined;
  delimiter: string;
  decimal: 'point' | 'comma';
  bom: boolean;
  requireStable: boolean;
  changedSinceLast: string | undefined;
  /** Only items that changed to this status since, which is also in `statuses`; undefined: any change. */
  became: string | undefined;
  /** The day at whose start a name without an earlier file begins; undefined: now. */
  since: Period | undefined;
  timeZone: string;
  fresh: boolean;
}

/**
 * @throws UsageError `unknown_format`, `no_stream`, `changes_need_file`, `cannot_write`, `unknown_status`,
 *   `not_for_resource`, `bad_delimiter`, `bad_locale`, `layout_and_columns`, `needs_xlsx`, `bad_choice`, `bad_period`,
 *   `bad_zone`, and errors of loadLayout
 */
export async function checkRequest(request: ExportRequest): Promise<CheckedRequest> {
  const checked = await checkOptions(request);
  if (checked.file !== '-') await checkPlace(checked.file);
  else if (checked.stream === undefined) throw new UsageError('no_stream', message('no_stream', {}));
  return checked;
}

/** Checks the options of a request, but not the place that the rows go to. */
export async function checkOptions(request: ExportRequest): Promise<CheckedRequest> {
  const { resource } = request;
  const filters = resource === 'items' || resource === 'listings';
  for (const name of [
    'status',
    'collection',
    'where',
    'template',
    'locale',
    'changedSinceLast',
    'became',
    'since',
  ] as const) {
    if (!filters && request[name] !== undefined) {
      throw new UsageError('not_for_resource', message('not_for_resource', { resource, option: name }));
    }
  }
  if (request.changedSinceLast !== undefined && request.out === '-') {
    throw new UsageError('changes_need_file', message('changes_need_file', {}));
  }
  if (
    request.became !== undefined &&
    (request.changedSinceLast === undefined || request.status !== undefined)
  ) {
    throw new UsageError('bad_choice', message('became_needs_name', {}), {
      actions: [nameChanges(request.became)],
    });
  }
  if (request.since !== undefined && request.became === undefined)
    throw new UsageError('bad_choice', message('since_needs_became', {}), { actions: [nameChanges('sold')] });
  const status = request.became ?? request.status;
  const file = request.out === '-' ? '-' : resolve(request.out);
  const format = request.format ?? formatOf(request.out);
  const layout = await readLayout(request, format);
  const fields = layout === undefined || request.became !== undefined ? undefined : fieldsOf(layout);
  if (layout !== undefined && (fields?.has(BECAME_BY) === true || fields?.has(BECAME_AFTER) === true)) {
    throw new UsageError('bad_choice', message('layout_needs_became', { layout: layout.name }), {
      actions: [nameChanges('sold')],
    });
  }
  return {
    command: commandLine(`export ${resource}`, [ItemExportOptions, ExportOptions], { ...request }),
    resource,
    file,
    stream: file === '-' ? request.stream : undefined,
    format,
    statuses: status === undefined ? undefined : readStatuses(status, resource),
    collection: request.collection,
    where: [...parseAll(request.where), ...parseAll(layout?.where)],
    columns: request.columns,
    layout,
    delimiter: readDelimiter(request.delimiter ?? layout?.delimiter),
    decimal: request.decimal ?? layout?.decimal ?? 'point',
    bom: request.bom ?? layout?.bom ?? false,
    requireStable: request.requireStable ?? false,
    changedSinceLast: request.changedSinceLast,
    became: request.became,
    since: request.since === undefined ? undefined : periodOf(request.since, 'day', request.timeZone),
    timeZone: zoneOf(request.timeZone),
    fresh: request.fresh ?? false,
  };
}

/** The layout for writing the rows; undefined if they are written without a layout. */
async function readLayout(request: ExportRequest, format: ExportFormat): Promise<Layout | undefined> {
  const { template, locale, columns } = request;
  if (locale !== undefined && !isLocale(locale)) {
    throw new UsageError('bad_locale', message('bad_locale', { locale }));
  }
  if (template === undefined) {
    if (locale === undefined || format !== 'csv') return undefined;
    if (columns !== undefined) checkItemColumns(columns);
    return { name: 'locale', columns: [...(columns ?? ITEM_FIELDS)], locale };
  }
  if (columns !== undefined) {
    throw new UsageError('layout_and_columns', message('layout_and_columns', {}));
  }
  const layout = typeof template === 'string' ? await byName(template) : template;
  if (layout.sheets !== undefined && format !== 'xlsx') {
    throw new UsageError('needs_xlsx', message('needs_xlsx', { layout: layout.name, field: layout.sheets }));
  }
  return locale === undefined ? layout : { ...layout, locale };
}

/** YAML is loaded only if a template is given. */
async function byName(template: string): Promise<Layout> {
  const { loadLayout } = await import('./layout/load-layout.ts');
  return loadLayout(template);
}

function formatOf(out: string): ExportFormat {
  if (out === '-') return 'csv';
  const ending = extname(out).slice(1).toLowerCase();
  const format = EXPORT_FORMATS.find((known) => known === ending);
  if (format !== undefined) return format;
  throw new UsageError(
    'unknown_format',
    message('unknown_format', { file: out, ending, endings: ['.csv', '.xlsx', '.ndjson'] }),
    { actions: [{ do: 'byHand', label: message('use_one_ending', {}) }] },
  );
}

/** Checks the output early, so that nobody reads a million items for a file that cannot be written. */
async function checkPlace(file: string): Promise<void> {
  const found = await kindOf(file);
  await placeOf(file);
  if (found === 'folder')
    throw place(file, message('folder_has_that_name', {}), message('name_file_inside', {}));
  const folder = dirname(file);
  const parent = await kindOf(folder);
  if (parent === 'nothing')
    throw place(file, message('place_no_folder', { folder }), message('create_or_choose_place', {}));
  if (parent === 'file')
    throw place(file, message('place_below_file', { folder }), message('choose_another_place', {}));
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw place(file, message('user_may_not_write', {}), message('choose_another_place', {}));
  }
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'nothing'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}

function place(file: string, why: Message, todo: Message): UsageError {
  return new UsageError('cannot_write', message('cannot_write', { file, why }), {
    position: { file },
    actions: [{ do: 'byHand', label: todo }],
  });
}

function nameChanges(became: string): Action {
  const also = { became };
  return {
    do: 'setOption',
    label: message('for_example', {}),
    option: 'changed-since-last',
    value: 'NAME',
    also,
  };
}

/** The marketplace lists items that are for sale or trade (api-v1). */
const LISTED: readonly ItemStatus[] = ['sell', 'trade'];

function readStatuses(
  given: string | readonly string[],
  resource: ExportRequest['resource'],
): ReadonlySet<ItemStatus> {
  const words = [given].flat().flatMap((text) => text.split(','));
  const statuses = new Set<ItemStatus>();
  for (const word of words.map((text) => text.trim().toLowerCase()).filter((text) => text !== '')) {
    const status = ITEM_STATUSES.find((known) => known === word);
    if (status === undefined) {
      throw new UsageError('unknown_status', message('unknown_status', { word, known: ITEM_STATUSES }));
    }
    // An export of them would always be empty.
    if (resource === 'listings' && !LISTED.includes(status))
      throw new UsageError('unknown_status', message('status_not_listed', { word, known: LISTED }));
    statuses.add(status);
  }
  if (statuses.size === 0) {
    throw new UsageError('unknown_status', message('status_missing', { known: ITEM_STATUSES }));
  }
  return statuses;
}

function readDelimiter(given: string | undefined): string {
  if (given === undefined) return ',';
  const delimiter = given === 'tab' || given === String.raw`\t` ? '\t' : given;
  // One UTF-16 code unit, as the reader takes it; half a character cannot be written.
  const isOne = delimiter.length === 1 && delimiter.isWellFormed();
  if (isOne && !/["\r\n'\0\uFEFF]/.test(delimiter)) return delimiter;
  throw new UsageError('bad_delimiter', message('bad_delimiter', { given }));
}
