import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { message } from '../../messages/message.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { type ImportRequest, keptOf, RecipeOptions } from '../job/options.ts';
import { UsageError } from '../../base/errors.ts';
import type { SourceTables } from './source-tables.ts';
import type { JobRequest } from '../../ledger/job-parts.ts';

export function recipeOf(request: ImportRequest): RecipeOptions {
  // A caller of the library may set an option to undefined, which is the same as leaving it out.
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return RecipeOptions.parse(Object.fromEntries(given));
}

/** The options of the command that a job keeps, for resumes, results and the fingerprint. */
export function requestOf(request: ImportRequest, sourceTables: SourceTables, table: SheetTable): JobRequest {
  const { sheet, delimiter, encoding, headerRow, collection, stamp, missing, run } = request;
  const mapVersion = request.given?.mapVersion;
  const readAs = readingOptions(request);
  return {
    match: sourceTables.match,
    skipInvalid: request.skipInvalid === true,
    force: request.force === true,
    noSettle: request.noSettle === true,
    outDir: resolve(request.outDir ?? dirname(table.file)),
    ...(request.queuedAt === undefined ? {} : { queuedAt: request.queuedAt }),
    ...(request.noFiles === true ? { noFiles: true } : {}),
    mappingHash: hashOf([
      sourceTables.template ?? null,
      sourceTables.options,
      sheet,
      delimiter,
      encoding,
      headerRow,
      // Left out if there is none, so that files keep their existing fingerprints.
      ...(mapVersion === undefined ? [] : [mapVersion]),
    ]),
    recipe: recipeOf(request),
    ...(collection === undefined ? {} : { collection }),
    ...(missing === undefined ? {} : { missing: checkedMissing(request, sourceTables) }),
    ...(request.checkSimilar === true ? { checkSimilar: true } : {}),
    ...(mapVersion === undefined ? {} : { mapVersion }),
    ...(run?.onlyNew === true ? { onlyNew: true } : {}),
    ...(run?.allRows === true ? { allRows: true } : {}),
    ...keptOf(run),
    ...(Object.keys(readAs).length === 0 ? {} : { readAs }),
    ...(stamp === undefined ? {} : { stamp: stampField(stamp) }),
  };
}

/** @throws UsageError `bad_choice` */
function checkedMissing(
  { collection, run }: ImportRequest,
  { mode }: SourceTables,
): JobRequest['missing'] & {} {
  if (mode === 'upsert' && collection !== undefined)
    return run?.maxMissing === undefined ? {} : { most: run.maxMissing };
  const code = mode === 'upsert' ? 'missing_needs_collection' : 'missing_needs_upsert';
  const also = {
    match: 'custom_fields.sku',
    collection: 'Main',
    missing: 'archive',
    'dry-run': true,
  } as const;
  const label = message('for_example', {});
  const action = { do: 'setOption', option: 'mode', value: 'upsert', also, label } as const;
  throw new UsageError('bad_choice', message(code, {}, action));
}

/** The options that determine how the file is read. */
export function readingOptions(request: ImportRequest): NonNullable<JobRequest['readAs']> {
  const { template, recipe, sheet, delimiter, encoding, decimal, headerRow } = request;
  const pairs = (record: Readonly<Record<string, string | number | boolean>> = {}) =>
    Object.entries(record).map(([name, value]) => `${name}=${String(value)}`);
  const given: Record<string, string | true | string[] | undefined> = {
    recipe,
    template: typeof template === 'string' ? template : undefined,
    map: pairs(request.map),
    default: pairs(request.defaults),
    rate: pairs(request.rates),
    sheet,
    delimiter,
    encoding,
    decimal,
    'header-row': headerRow === undefined ? undefined : String(headerRow),
    strict: request.strict === true ? true : undefined,
    'keep-unknown': request.keepUnknown === true ? true : undefined,
    'drop-unknown': request.dropUnknown === true ? true : undefined,
  };
  const isGiven = ([, value]: [string, unknown]) =>
    value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(given).filter(isGiven)) as NonNullable<JobRequest['readAs']>;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** The custom field of `--stamp`, without its prefix. */
function stampField(stamp: string): string {
  if (!stamp.startsWith('custom_fields.') || stamp.length === 'custom_fields.'.length) {
    throw new UsageError('bad_stamp', message('bad_stamp', { stamp }));
  }
  return stamp.slice('custom_fields.'.length);
}
