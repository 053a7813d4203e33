/** The columns of items and listings, and their cells. */
import { BECAME_AFTER, BECAME_BY } from '../row.ts';
import type { Item } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { textForm } from '../../mapping/text-form.ts';
import type { Cell } from '../../sheets/cell.ts';
import type { TableColumn } from '../../sheets/table-writer.ts';
import { COLLECTION_NAME, ITEM_FIELDS, valueOf } from '../../where/item-values.ts';
import { dateTimeCell } from './date-time-cell.ts';

/** Excel's limit (the writer would truncate there). */
const CELL_CHARACTERS = 32_767;

const WIDTHS: Record<string, number> = {
  id: 38,
  name: 40,
  brand: 20,
  series: 24,
  condition: 16,
  tags: 28,
  collection_id: 38,
  collection_name: 24,
  estimated_value: 16,
  created_at: 20,
  updated_at: 20,
  [BECAME_AFTER]: 20,
  [BECAME_BY]: 20,
};

const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at', BECAME_AFTER, BECAME_BY]);

/** A column of an item table. */
export interface ItemColumn extends TableColumn {
  /** Field of the contract, `custom_fields.NAME` with the literal name, or `collection_name`. */
  field: string;
  cell: (item: Item) => Cell;
}

/** @throws UsageError `unknown_column`, `double_column` */
export function checkItemColumns(names: readonly string[]): void {
  checkNamedOnce(names);
  const known: readonly string[] = [...ITEM_FIELDS, COLLECTION_NAME];
  const unknown = names.filter((name) => !known.includes(name) && !name.startsWith(CUSTOM_PREFIX));
  if (unknown.length === 0 && names.length > 0) return;
  throw new UsageError(
    'unknown_column',
    unknown.length === 0 ? message('no_column_named', {}) : message('unknown_column', { columns: unknown }),
    {
      actions: [
        { do: 'byHand', label: message('available_columns', { known: [...known, `${CUSTOM_PREFIX}NAME`] }) },
      ],
    },
  );
}

/** @throws UsageError `double_column` */
export function checkNamedOnce(names: readonly string[]): void {
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double === undefined) return;
  throw new UsageError('double_column', message('double_column', { column: double }), {
    actions: [{ do: 'byHand', label: message('name_column_once', {}) }],
  });
}

export interface ItemColumnOptions {
  /**
   * The requested columns; by default all of the contract's. A custom field that `custom_fields` also covers
   * appears once.
   */
  names: readonly string[] | undefined;
  /** Names of all custom fields in the rows. */
  customFields: Iterable<string>;
  format: 'csv' | 'xlsx' | 'ndjson';
  /** Id in lower case → name; only for `collection_name`. */
  collectionNames: ReadonlyMap<string, string>;
  /** CSV: how numbers in custom fields look; by default plain digits with the decimal mark of the file. */
  showNumber?: (value: number) => Cell;
  /** Called for each cell left blank because its text is too long for XLSX. */
  onTooLong: (item: Item, field: string) => void;
}

/** The columns of a table, left to right. */
export function itemColumns(options: ItemColumnOptions): ItemColumn[] {
  const custom = [...options.customFields].sort().map((name) => CUSTOM_PREFIX + name);
  const fields = (options.names ?? ITEM_FIELDS).flatMap((name) =>
    name === 'custom_fields' ? custom : [name],
  );
  return [...new Set(fields)].map((field) => {
    const value = valueOf(field, options.collectionNames);
    const width = WIDTHS[field];
    return {
      field,
      header: headerOf(field),
      kind: options.showNumber !== undefined && field.startsWith(CUSTOM_PREFIX) ? 'number' : kindOf(field),
      ...(width === undefined ? {} : { width }),
      cell: cellOf(field, value, options),
    };
  });
}

/**
 * A custom field's name is its header, literally. A name that would not survive (readers trim headers and collapse
 * white space) gets a leading `_`, so that an import never treats the column as data.
 */
export function headerOf(field: string): string {
  if (!field.startsWith(CUSTOM_PREFIX)) return field;
  return headerAsRead(field) === field && field.isWellFormed() ? field : `_${field}`;
}

/** The header as shelflift reads it back from a file. */
export function headerAsRead(header: string): string {
  return header
    .replaceAll(/[\uFEFF\u200B\0]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function kindOf(field: string): TableColumn['kind'] {
  if (TIMES.has(field)) return 'datetime';
  if (field === 'release_year' || field === 'estimated_value') return 'number';
  return 'text';
}

function cellOf(
  field: string,
  value: (item: Item) => unknown,
  { format, showNumber, onTooLong }: ItemColumnOptions,
): ItemColumn['cell'] {
  if (format === 'csv' && showNumber !== undefined && field.startsWith(CUSTOM_PREFIX)) {
    return (item) => {
      const found = value(item);
      return typeof found === 'number' ? showNumber(found) : csvCell(field, found);
    };
  }
  if (format === 'csv') return (item) => csvCell(field, value(item));
  if (format === 'ndjson') return (item) => jsonCell(field, value(item));
  return (item) => {
    const cell = xlsxCell(field, value(item));
    if (typeof cell !== 'string' || cell.length <= CELL_CHARACTERS) return cell;
    // Truncated text would come back as a change; a blank cell changes nothing.
    onTooLong(item, field);
    return null;
  };
}

/** In text form; numbers stay numbers, whose decimal mark the writer sets. */
function csvCell(field: string, value: unknown): Cell {
  return typeof value === 'number' ? value : textForm(field, value);
}

/** Numbers, booleans and times keep their type; everything else is in text form. */
function xlsxCell(field: string, value: unknown): Cell {
  if (TIMES.has(field)) return dateTimeCell(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return textForm(field, value);
}

/** A layout's cell in JSON: numbers and booleans keep their type, blank is null, everything else is text. */
function jsonCell(field: string, value: unknown): Cell {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = textForm(field, value);
  return text === '' ? null : text;
}
