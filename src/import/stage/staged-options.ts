import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { shellWord } from '../../shell-word.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { type ImportRequest, RecipeOptions } from '../job/options.ts';
import { UsageError } from '../../errors.ts';
import type { SourceTables } from './source-tables.ts';
import type { JobOptions, MissingItems } from '../../ledger/job-options.ts';

/** What a job keeps of its command and of how its file is read: for resumes, results and the fingerprint. */
export function stagedOptions(
  request: ImportRequest,
  sourceTables: SourceTables,
  table: SheetTable,
): JobOptions {
  const { sheet, delimiter, encoding, headerRow, collection, stamp } = request;
  const mapped = sourceTables.first.columns.some((column) => column.target === 'collection');
  const options: JobOptions = {
    match: sourceTables.match,
    noCollectionColumn: !mapped && sourceTables.template?.constants?.['collection'] === undefined,
    skipInvalid: request.skipInvalid === true,
    force: request.force === true,
    noSettle: request.noSettle === true,
    outDir: resolve(request.outDir ?? dirname(table.file)),
    mappingHash: hashOf([
      sourceTables.template ?? null,
      sourceTables.options,
      sheet,
      delimiter,
      encoding,
      headerRow,
      // Left out without one, so that files keep the fingerprints that they have.
      ...(request.given?.mapVersion === undefined ? [] : [request.given.mapVersion]),
    ]),
    ownExport: sourceTables.first.ownExport,
  };
  const quantity = sourceTables.first.columns.findIndex((column) => column.target === 'quantity');
  if (quantity >= 0) options.quantityColumn = quantity;
  const { filledColumns } = sourceTables.first;
  if (filledColumns.length > 0) options.filledColumns = [...filledColumns];
  if (collection !== undefined) options.collection = collection;
  if (request.missing !== undefined) options.missing = checkedMissing(request, sourceTables);
  if (request.checkSimilar === true) options.checkSimilar = true;
  const mapVersion = request.given?.mapVersion;
  if (mapVersion !== undefined) options.mapVersion = mapVersion;
  if (request.run?.onlyNew === true) options.onlyNew = true;
  if (request.run?.allRows === true) options.allRows = true;
  const readAs = flagsOf(request);
  if (readAs !== '') options.readAs = readAs;
  // A caller of the library may set an option to undefined, which is the same as leaving it out.
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  options.recipe = RecipeOptions.parse(Object.fromEntries(given));
  if (stamp !== undefined) options.stamp = stampField(stamp);
  return options;
}

/** @throws UsageError `bad_choice` */
function checkedMissing({ collection, run }: ImportRequest, { mode }: SourceTables): MissingItems {
  const wrong =
    mode !== 'upsert'
      ? '--missing needs --mode upsert: the file must be the whole collection.'
      : collection === undefined
        ? '--missing needs --collection NAME: it archives items of one collection.'
        : undefined;
  if (wrong === undefined) return run?.maxMissing === undefined ? {} : { most: run.maxMissing };
  throw new UsageError('bad_choice', wrong, {
    remedy:
      'For example: --mode upsert --match custom_fields.sku --collection Main --missing archive --dry-run',
  });
}

/** The flags that say how the file is read. */
export function flagsOf(request: ImportRequest): string {
  const {
    template,
    recipe,
    map = {},
    defaults = {},
    sheet,
    delimiter,
    encoding,
    decimal,
    headerRow,
  } = request;
  const flags: [flag: string, value: string | number | undefined][] = [
    ['recipe', recipe],
    ['template', typeof template === 'string' ? template : undefined],
    ...Object.entries(map).map(([field, column]): [string, string] => ['map', `${field}=${column}`]),
    ...Object.entries(defaults).map(([field, value]): [string, string] => ['default', `${field}=${value}`]),
    ...Object.entries(request.rates ?? {}).map(([code, rate]): [string, string] => [
      'rate',
      `${code}=${rate}`,
    ]),
    ['sheet', sheet],
    ['delimiter', delimiter],
    ['encoding', encoding],
    ['decimal', decimal],
    ['header-row', headerRow],
  ];
  const given = flags.flatMap(([flag, value]) =>
    value === undefined ? [] : [` --${flag} ${shellWord(String(value))}`],
  );
  const switches = [
    request.keepUnknown === true ? ' --keep-unknown' : '',
    request.dropUnknown === true ? ' --drop-unknown' : '',
  ];
  return [...given, ...switches].join('');
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** The custom field of `--stamp`, without its prefix. */
function stampField(stamp: string): string {
  if (!stamp.startsWith('custom_fields.') || stamp.length === 'custom_fields.'.length) {
    throw new UsageError('bad_stamp', `--stamp is "${stamp}"; expected custom_fields.NAME.`);
  }
  return stamp.slice('custom_fields.'.length);
}
