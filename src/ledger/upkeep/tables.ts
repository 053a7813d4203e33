/**
 * The tables that are copied, checked and hashed, as both databases have them. Lanes, the last commits of connections,
 * and the owners of jobs in `staging` are left out, because they belong to processes.
 */
export interface Table {
  name: string;
  /** In the order in which they are hashed. */
  columns: readonly string[];
  /** These columns are unique together; pages are read in their order. */
  key: readonly string[];
  /** Columns that may contain any character: PostgreSQL stores them with NUL escaped. */
  free?: readonly string[];
}

/** In an order in which tables refer only to earlier tables. */
export const TABLES: readonly Table[] = [
  { name: 'targets', columns: ['number', 'api_url', 'sequence'], key: ['number'] },
  {
    name: 'jobs',
    columns: [
      'number',
      'id',
      'target',
      'kind',
      'state',
      'dry_run',
      'created_at',
      'updated_at',
      'first_sent_at',
      'record',
      'hashed_to',
      'owned_at',
    ],
    key: ['number'],
  },
  {
    name: 'rows',
    columns: [
      'job',
      'ordinal',
      'target',
      'state',
      'action',
      'sheet_row',
      'sheet',
      'copy',
      'item_id',
      'request_id',
      'mark',
      'sequence',
      'attempts',
      'collection',
      'issues',
      'input',
      'operation',
      'source',
      'reverts',
      'quiet_ms',
      'resent',
      'kinds',
      'notes',
    ],
    key: ['job', 'ordinal'],
    free: ['sheet', 'collection'],
  },
  {
    name: 'row_hashes',
    columns: ['target', 'hash', 'job', 'ordinal'],
    key: ['target', 'hash', 'job', 'ordinal'],
  },
  { name: 'claims', columns: ['fingerprint', 'job'], key: ['fingerprint'] },
  { name: 'seen_items', columns: ['target', 'item_id', 'sequence'], key: ['target', 'item_id'] },
  {
    name: 'acknowledged_items',
    columns: ['target', 'item_id', 'mark', 'at'],
    key: ['target', 'item_id'],
  },
  { name: 'written_files', columns: ['sha256', 'job'], key: ['sha256'] },
  {
    name: 'runs',
    columns: ['id', 'state', 'schedule', 'created_at', 'ended_at', 'at', 'record'],
    key: ['id'],
  },
  { name: 'key_values', columns: ['space', 'key', 'value', 'at'], key: ['space', 'key'], free: ['value'] },
];

export type Cell = string | number | null;
export type StoredLine = Record<string, Cell>;
/** Any table by its name; TABLES has the differences. */
export type Tables = Record<string, StoredLine>;
