/** Tables of objects with a fixed set of fields: collections, and the sales summary. */
import { SalesSummary } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Row } from '../row.ts';
import { textForm } from '../../mapping/text-form.ts';
import type { Cell } from '../../sheets/cell.ts';
import type { TableColumn } from '../../sheets/table-writer.ts';
import { dateTimeCell } from './date-time-cell.ts';
import { checkNamedOnce } from './item-columns.ts';

/** A column of a table whose rows are JSON objects. */
export interface FieldColumn extends TableColumn {
  field: string;
}

/** In the contract's order (§2). */
export const COLLECTION_COLUMNS: readonly FieldColumn[] = [
  column('object', 'text'),
  column('id', 'text', 38),
  column('name', 'text', 32),
  column('description', 'text', 48),
  column('is_public', 'boolean'),
  column('created_at', 'datetime', 20),
  column('updated_at', 'datetime', 20),
];

/** In the contract's order (§2): amounts as raw minor units, then the time of reading. */
export const SALES_COLUMNS: readonly FieldColumn[] = [
  column('object', 'text', 16),
  ...Object.keys(SalesSummary.shape)
    .filter((field) => field !== 'object')
    .map((field) => column(field, 'number', field.length + 4)),
  column('reported_at', 'datetime', 20),
];

/**
 * The requested columns, or all of them.
 *
 * @throws UsageError `unknown_column`, `double_column`
 */
export function chooseColumns(
  all: readonly FieldColumn[],
  names: readonly string[] | undefined,
): FieldColumn[] {
  if (names === undefined) return [...all];
  checkNamedOnce(names);
  const unknown = names.filter((name) => !all.some(({ field }) => field === name));
  if (unknown.length > 0 || names.length === 0) {
    throw new UsageError(
      'unknown_column',
      names.length === 0 ? message('no_column_named', {}) : message('unknown_column', { columns: unknown }),
      {
        actions: [
          { do: 'byHand', label: message('available_columns', { known: all.map(({ field }) => field) }) },
        ],
      },
    );
  }
  return names.flatMap((name) => all.filter(({ field }) => field === name));
}

/** The cell of a column; absent values are blank, never 0. */
export function fieldCell(row: Row, { field, kind }: FieldColumn, format: 'csv' | 'xlsx'): Cell {
  const value = row[field];
  if (format === 'csv') return textForm(field, value);
  if (kind === 'datetime') return dateTimeCell(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : textForm(field, value);
}

function column(field: string, kind: TableColumn['kind'], width?: number): FieldColumn {
  return { field, header: field, kind, ...(width === undefined ? {} : { width }) };
}
