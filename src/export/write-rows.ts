/** Writes rows as the table, or the lines of JSON, that the query asks for. */
import type { Collection, Item } from '../api/schemas.ts';
import { createNdjsonWriter } from '../sheets/write-ndjson.ts';
import type { TableColumn, TableValues } from '../sheets/table-writer.ts';
import { createTableWriter } from '../sheets/write-table.ts';
import {
  chooseColumns,
  COLLECTION_COLUMNS,
  fieldCell,
  SALES_COLUMNS,
  type SalesReading,
} from './flat-tables.ts';
import { CHANGE_COLUMN } from './changes/only-changes.ts';
import { headerOf, ITEM_FIELDS, itemColumns } from './item-columns.ts';
import type { Layout } from './layout/layout.ts';
import { writeByLayout } from './layout/write-layout.ts';
import type { Query } from './query.ts';
import { jsonRow } from './json-row.ts';
import type { Row, Rows } from './read-rows.ts';
import type { ExportSource } from './source.ts';

/** Ids that a warning names. */
const MOST_NAMED = 20;

export interface WrittenExport {
  sha256: string;
  /** Headers, left to right; undefined where each row is the whole answer of the server. */
  columns?: string[];
  /** Rows of totals beside the rows of items. */
  totalsRows?: number;
}

/** The file appears, complete, when the promise resolves; else nothing changes. */
export async function writeRows(query: Query, rows: Rows, source: ExportSource): Promise<WrittenExport> {
  const { layout } = query.request;
  if (layout !== undefined) return writeLayout(layout, query, rows, source);
  return query.request.format === 'ndjson'
    ? writeLines(query, rows, source)
    : writeTable(query, rows, source);
}

async function writeLayout(
  layout: Layout,
  query: Query,
  rows: Rows,
  source: ExportSource,
): Promise<WrittenExport> {
  const { blanked, ...written } = await writeByLayout(layout, query, rows, source);
  warnOfBlanked(blanked, source);
  return written;
}

interface Writer<T> {
  write(rows: readonly T[]): Promise<void>;
  finish(): Promise<{ rows: number; sha256: string; warnings: string[] }>;
  abort(): Promise<void>;
}

async function writeTable(query: Query, rows: Rows, source: ExportSource): Promise<WrittenExport> {
  const { file, stream, format, resource, delimiter, decimal, bom } = query.request;
  if (format === 'ndjson') throw new TypeError('NDJSON is no table');
  const { columns, values, blanked } = plainTable(query, rows, source, format);
  const writer = await createTableWriter({
    file,
    format,
    columns,
    sheetName: resource,
    delimiter,
    decimal,
    bom,
    // Texts are escaped by the columns: here numbers in text columns would be taken for formulas.
    escapeFormulas: false,
    ...(stream === undefined ? {} : { stream }),
  });
  const sha256 = await pour(writer, rows, values, source);
  warnOfBlanked(blanked, source);
  return { sha256, columns: columns.map(({ header }) => header) };
}

/** Told in the manifest too: a blank cell must not be taken for a value. */
function warnOfBlanked(blanked: ReadonlyMap<string, readonly string[]>, source: ExportSource): void {
  for (const [field, ids] of blanked) {
    const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
    source.warn(
      `${field} is longer than a cell of XLSX can hold and was left blank in ${ids.slice(0, MOST_NAMED).join(', ')}${more}.`,
    );
  }
}

async function writeLines(query: Query, rows: Rows, source: ExportSource): Promise<WrittenExport> {
  const { file, stream, columns: asked, changedSinceLast } = query.request;
  const columns = asked === undefined || changedSinceLast === undefined ? asked : [...asked, CHANGE_COLUMN];
  const writer = await createNdjsonWriter({ file, ...(stream === undefined ? {} : { stream }) });
  const toLine = columns === undefined ? (row: Row) => row : jsonRow(query, columns);
  return { sha256: await pour<unknown>(writer, rows, toLine, source) };
}

async function pour<T>(
  writer: Writer<T>,
  rows: Rows,
  convert: (row: Row) => T,
  source: ExportSource,
): Promise<string> {
  try {
    let count = 0;
    for await (const batch of rows.batches()) {
      source.throwIfAborted();
      await writer.write(batch.map(convert));
      count += batch.length;
      source.tell({ kind: 'written', rows: count });
    }
    const { sha256, warnings } = await writer.finish();
    for (const warning of warnings) source.warn(warning);
    return sha256;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

interface PlainTable {
  columns: TableColumn[];
  values: (row: Row) => TableValues;
  /** Field → ids of items whose text XLSX could not hold; filled while rows are converted. */
  blanked: ReadonlyMap<string, readonly string[]>;
}

function plainTable(query: Query, rows: Rows, source: ExportSource, format: 'csv' | 'xlsx'): PlainTable {
  const { resource, columns: names } = query.request;
  const blanked = new Map<string, string[]>();
  if (resource === 'items' || resource === 'listings') {
    const { changedSinceLast } = query.request;
    const columns = itemColumns({
      names: changedSinceLast === undefined ? names : [...(names ?? ITEM_FIELDS), CHANGE_COLUMN],
      customFields: rows.customFields,
      format,
      collectionNames: query.collectionNames,
      onTooLong: (item, field) => blanked.set(field, [...(blanked.get(field) ?? []), item.id]),
    });
    warnOfColumns(
      names,
      rows,
      columns.map(({ field }) => field),
      source,
    );
    return { columns, blanked, values: (row) => columns.map((column) => column.cell(row as Item)) };
  }
  const columns = chooseColumns(resource === 'sales' ? SALES_COLUMNS : COLLECTION_COLUMNS, names);
  return {
    columns,
    blanked,
    values: (row) => columns.map((column) => fieldCell(row as Collection | SalesReading, column, format)),
  };
}

function warnOfColumns(
  names: readonly string[] | undefined,
  rows: Rows,
  fields: readonly string[],
  source: ExportSource,
): void {
  for (const name of names ?? []) {
    if (name.startsWith('custom_fields.') && !rows.customFields.has(name.slice('custom_fields.'.length))) {
      source.warn(`No row has ${name}: its column is blank.`);
    }
  }
  for (const field of fields.filter((each) => headerOf(each) !== each)) {
    source.warn(
      `The name of ${JSON.stringify(field)} cannot stand in a header as it is: its column begins with _ and is not read by an import.`,
    );
  }
}
