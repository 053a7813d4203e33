/** Writes duplicates as a table with an `action` column, to fill in and import. */
import type { Writable } from 'node:stream';
import { extname } from 'node:path';
import { isOwned } from '../../api/item-words.ts';
import type { Item } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { textForm } from '../../mapping/text-form.ts';
import type { TableColumn, TableWriter } from '../../sheets/table-writer.ts';
import { createTableWriter } from '../../sheets/write-table.ts';
import type { DuplicateGroup, Duplicates } from './find-duplicates.ts';

const FIELDS = [
  'name',
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'status',
  'estimated_value',
  'currency',
  'created_at',
] as const;
/** Not collection_id: a file with that header would be taken for an export. */
const COLLECTION_HEADER = 'in_collection';
/** The import recognises such a file by this header, and never creates items from it. */
export const GROUP_HEADER = 'dupes_group';
export const ACTION_HEADER = 'action';

const COLUMNS: TableColumn[] = [
  { header: GROUP_HEADER, kind: 'number' },
  { header: ACTION_HEADER, kind: 'text', width: 12 },
  { header: 'id', kind: 'text', width: 38 },
  ...FIELDS.map(
    (header): TableColumn => ({
      header,
      kind: header === 'release_year' || header === 'estimated_value' ? 'number' : 'text',
    }),
  ),
  { header: COLLECTION_HEADER, kind: 'text', width: 38 },
  { header: 'looks', kind: 'text' },
];

export interface WriteDuplicatesOptions {
  /** The extension decides between CSV and XLSX; `-` writes CSV to `stream`. */
  out: string;
  /** Receives the table instead of a file; the stream is not ended. */
  stream?: Writable;
  /** Fill in `action`: keep the oldest owned item, and archive the other owned items. */
  suggest?: boolean;
}

/** @throws UsageError `unknown_format` */
export async function writeDuplicates(
  { groups }: Pick<Duplicates, 'groups'>,
  { out, suggest = false, stream }: WriteDuplicatesOptions,
): Promise<{ rows: number }> {
  const writer = await createTableWriter({
    file: out,
    format: formatOf(out),
    columns: COLUMNS,
    sheetName: 'Duplicates',
    ...(stream === undefined ? {} : { stream }),
  });
  try {
    for (const [index, group] of groups.entries()) await writeGroup(writer, group, index + 1, suggest);
    return await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function writeGroup(
  writer: TableWriter,
  group: DuplicateGroup,
  number: number,
  suggest: boolean,
): Promise<void> {
  const best = group.items.find(isOwned);
  // `keep` leaves an item as it is: a sold one stays sold.
  const actionOf = (item: Item) => (item === best || !isOwned(item) ? 'keep' : 'archive');
  return writer.write(
    group.items.map((item) => [
      number,
      suggest ? actionOf(item) : '',
      item.id,
      ...FIELDS.map((field) => cellOf(item, field)),
      item.collection_id,
      group.why,
    ]),
  );
}

function cellOf(item: Item, field: (typeof FIELDS)[number]): string | number | null {
  const value = item[field];
  if (value === null || value === undefined) return null;
  return typeof value === 'number' ? value : textForm(field, value);
}

/**
 * The format by the extension of the name; `-` is CSV.
 *
 * @throws UsageError `unknown_format`
 */
export function formatOf(out: string): 'csv' | 'xlsx' {
  const ending = extname(out).toLowerCase();
  if (out === '-' || ending === '.csv') return 'csv';
  if (ending === '.xlsx') return 'xlsx';
  throw new UsageError('unknown_format', message('dupes_format', { file: out }));
}

/** Whether `dupes` wrote the file: such a file changes existing items and must never create any. */
export function isDupesFile(headers: readonly string[]): boolean {
  return [GROUP_HEADER, ACTION_HEADER, 'id'].every((header) => headers.includes(header));
}
