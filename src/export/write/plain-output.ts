/** An export's file without a layout: a table, or lines of JSON. */
import { message } from '../../messages/message.ts';
import type { Collection, Item } from '../../api/schemas.ts';
import type { TableColumn, TableValues } from '../../sheets/table-writer.ts';
import { createNdjsonWriter } from '../../sheets/write-ndjson.ts';
import { openWriter } from './open-writer.ts';
import { chooseColumns, COLLECTION_COLUMNS, fieldCell, SALES_COLUMNS } from './flat-tables.ts';
import { COLLECTION_NAME, ITEM_FIELDS } from '../../where/item-values.ts';
import type { RowTally } from './row-tally.ts';
import { headerOf, itemColumns } from './item-columns.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import type { Query } from '../query.ts';
import { changeColumns, type Row, type SalesReading } from '../row.ts';
import type { ExportSource } from '../read/source.ts';

/** How many ids a warning lists. */
const MAX_NAMED = 20;

export interface WrittenExport {
  sha256: string;
  /** Headers, left to right; undefined if each row is the server's whole object. */
  columns?: string[];
  /** Number of totals rows beside the rows of items. */
  totalsRows?: number;
  /** A layout's columns of money with totals: what they add up to by currency. */
  amounts?: { title: string; totals: Record<string, string> }[];
  /** Rows that a layout left out. */
  leftOut?: number;
  /** Values that the totals of a layout lack, because they are texts. */
  notInTotals?: number;
  /** Cells left blank, because their texts are too long for XLSX. */
  leftBlank?: number;
  /** The rows of the file, if others were left out. */
  kept?: RowTally;
}

/** A file that appears, complete, when `finish` resolves; otherwise nothing changes. */
export interface PlainOutput {
  /** Appends rows; await it before the next call. */
  write(rows: readonly Row[]): Promise<void>;
  /**
   * @param customFields names of all custom fields in the rows; requested columns that none of them has are warned
   * about
   */
  finish(customFields: ReadonlySet<string>): Promise<WrittenExport>;
  abort(): Promise<void>;
}

/** @param customFields names of custom fields; each gets a column unless columns are named without them */
export async function openPlainOutput(
  query: Query,
  customFields: ReadonlySet<string>,
  source: ExportSource,
): Promise<PlainOutput> {
  return query.request.format === 'ndjson'
    ? openLines(query, source)
    : openTable(query, customFields, source);
}

async function openTable(
  query: Query,
  customFields: ReadonlySet<string>,
  source: ExportSource,
): Promise<PlainOutput> {
  const { format, columns: names } = query.request;
  if (format === 'ndjson') throw new TypeError('NDJSON is no table');
  const { columns, fields, values, blanked } = plainTable(query, customFields, format);
  const writer = await openWriter(query.request, columns);
  return {
    write: (rows) => writer.write(rows.map(values)),
    async finish(found) {
      const { sha256, warnings } = await writer.finish();
      warnOfColumns(names, found, fields, source);
      for (const warning of warnings) source.warn(warning);
      const leftBlank = warnOfBlanked(blanked, source);
      return { sha256, columns: columns.map(({ header }) => header), ...leftBlank };
    },
    abort: () => writer.abort(),
  };
}

async function openLines(query: Query, source: ExportSource): Promise<PlainOutput> {
  const { file, stream, columns: asked } = query.request;
  const columns = asked === undefined ? undefined : [...asked, ...changeColumns(query.request)];
  const writer = await createNdjsonWriter({ file, ...(stream === undefined ? {} : { stream }) });
  const toLine = columns === undefined ? undefined : jsonRow(query, columns);
  return {
    write: (rows) => writer.write(toLine === undefined ? rows : rows.map(toLine)),
    async finish() {
      const { sha256, warnings } = await writer.finish();
      for (const warning of warnings) source.warn(warning);
      return { sha256 };
    },
    abort: () => writer.abort(),
  };
}

interface PlainTable {
  columns: TableColumn[];
  /** Fields of the item columns. */
  fields: string[];
  values: (row: Row) => TableValues;
  /** Field → ids of items whose text is too long for XLSX; filled while rows are converted. */
  blanked: ReadonlyMap<string, readonly string[]>;
}

function plainTable(query: Query, customFields: ReadonlySet<string>, format: 'csv' | 'xlsx'): PlainTable {
  const { resource, columns: names } = query.request;
  const added = changeColumns(query.request);
  const blanked = new Map<string, string[]>();
  if (resource === 'items' || resource === 'listings') {
    const columns = itemColumns({
      names: added.length === 0 ? names : [...(names ?? ITEM_FIELDS), ...added],
      customFields,
      format,
      collectionNames: query.collectionNames,
      onTooLong: (item, field) => blanked.set(field, [...(blanked.get(field) ?? []), item.id]),
    });
    const fields = columns.map(({ field }) => field);
    return { columns, fields, blanked, values: (row) => columns.map((column) => column.cell(row as Item)) };
  }
  const columns = chooseColumns(resource === 'sales' ? SALES_COLUMNS : COLLECTION_COLUMNS, names);
  return {
    columns,
    fields: [],
    blanked,
    values: (row) => columns.map((column) => fieldCell(row as Collection | SalesReading, column, format)),
  };
}

/**
 * The manifest has it, too, so that nobody mistakes the blank cell for a value.
 *
 * @returns the number of blank cells, if there are any
 */
export function warnOfBlanked(
  blanked: ReadonlyMap<string, readonly string[]>,
  source: Pick<ExportSource, 'warn'>,
): Pick<WrittenExport, 'leftBlank'> {
  const cells = blanked.values().reduce((sum, ids) => sum + ids.length, 0);
  for (const [field, ids] of blanked) {
    const more = Math.max(0, ids.length - MAX_NAMED);
    source.warn(message('too_long_for_cell', { field, items: ids.slice(0, MAX_NAMED), more }));
  }
  return cells === 0 ? {} : { leftBlank: cells };
}

function warnOfColumns(
  names: readonly string[] | undefined,
  customFields: ReadonlySet<string>,
  fields: readonly string[],
  source: ExportSource,
): void {
  for (const name of fields.length === 0 ? [] : (names ?? [])) {
    if (name.startsWith('custom_fields.') && !customFields.has(name.slice('custom_fields.'.length))) {
      source.warn(message('column_is_blank', { field: name }));
    }
  }
  for (const field of fields.filter((each) => headerOf(each) !== each)) {
    source.warn(message('header_would_not_survive', { field: JSON.stringify(field) }));
  }
}

/** Reduces a row to columns, with values as the server sent them; absent values stay absent. */
function jsonRow(query: Query, columns: readonly string[]): (row: Row) => Record<string, unknown> {
  return (row) => {
    const cut: Record<string, unknown> = {};
    for (const column of columns) {
      const value = jsonValue(query, row, column);
      if (value !== undefined) cut[column] = value;
    }
    return cut;
  };
}

function jsonValue(query: Query, row: Row, column: string): unknown {
  if (column === COLLECTION_NAME && 'collection_id' in row) {
    return query.collectionNames.get(String(row.collection_id).toLowerCase());
  }
  if (!column.startsWith(CUSTOM_PREFIX)) return row[column];
  const fields = row['custom_fields'];
  const name = column.slice(CUSTOM_PREFIX.length);
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return undefined;
  return (fields as Record<string, unknown>)[name];
}
