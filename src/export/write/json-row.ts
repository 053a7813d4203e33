import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { COLLECTION_NAME } from './item-columns.ts';
import type { Query } from '../query.ts';
import type { Row } from '../row.ts';

/** Cuts a row to columns, values as the server sent them; what a row does not have is absent. */
export function jsonRow(query: Query, columns: readonly string[]): (row: Row) => Record<string, unknown> {
  return (row) => {
    const cut: Record<string, unknown> = {};
    for (const column of columns) {
      const value = valueOf(query, row, column);
      if (value !== undefined) cut[column] = value;
    }
    return cut;
  };
}

function valueOf(query: Query, row: Row, column: string): unknown {
  if (column === COLLECTION_NAME && 'collection_id' in row) {
    return query.collectionNames.get(String(row.collection_id).toLowerCase());
  }
  if (!column.startsWith(CUSTOM_PREFIX)) return row[column];
  const fields = row['custom_fields'];
  const name = column.slice(CUSTOM_PREFIX.length);
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return undefined;
  return (fields as Record<string, unknown>)[name];
}
