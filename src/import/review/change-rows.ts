/** The rows of a job for review, with the old and new value of each changed field. */
import type { JobRecord, Ledger, LedgerRow, RowQuery, StoredIssue } from '../../ledger/ledger.ts';
import type { RowAction, RowState } from '../../ledger/states.ts';
import { type FieldChange, fieldChanges } from '../engine/field-changes.ts';
import { fieldsOfCreate } from '../engine/input.ts';
import { isArchiving, isBuiltOnItem, type ItemShown, updateOf } from '../engine/operation.ts';
import { rowPages } from '../job/row-pages.ts';

/** The changes that a row makes or has made to its item. */
export interface ChangeRow {
  /** Row number as a spreadsheet program shows it. */
  row: number;
  /** Worksheet, if the source has several. */
  sheet?: string;
  /** State of the row. */
  state: RowState;
  /** `archive`: an update that archives an item missing from the file. */
  action: RowAction | 'archive';
  /** Null if the item does not exist yet. */
  itemId: string | null;
  /** The item's name when the plan was made, or the name of a new item; '' if unknown. */
  name: string;
  /** The planned changes. Empty for rows that change nothing, or whose before-images were pruned. */
  changes: FieldChange[];
  /** The item when the plan was made; absent for creates. */
  item?: ItemShown;
  /** The item is read again right before the change, whatever `--recheck` says. */
  isBuiltOnItem?: true;
  /** Problems of the row. */
  issues: StoredIssue[];
}

export async function* changeRows(
  job: Pick<JobRecord, 'id'>,
  ledger: Ledger,
  query: Omit<RowQuery, 'limit'> = {},
): AsyncGenerator<ChangeRow[], void> {
  for await (const rows of rowPages(ledger, job.id, query)) yield rows.map(toChangeRow);
}

export function toChangeRow(row: LedgerRow): ChangeRow {
  const { sheetRow, sheet, state, action, itemId, issues } = row;
  const base = { row: sheetRow, ...(sheet === undefined ? {} : { sheet }), state, action, itemId, issues };
  if (state === 'invalid') return { ...base, name: '', changes: [] };
  if (action === 'create') {
    const fields = fieldsOfCreate(row);
    const changes = fieldChanges({ set: fields, before: {} });
    return { ...base, name: typeof fields['name'] === 'string' ? fields['name'] : '', changes };
  }
  const update = updateOf(row);
  const { item } = update;
  const changes = fieldChanges(update);
  return {
    ...base,
    ...(isArchiving(update) ? { action: 'archive' } : {}),
    ...(isBuiltOnItem(update) ? { isBuiltOnItem: true } : {}),
    name: item?.name ?? '',
    changes,
    ...(item === undefined ? {} : { item }),
  };
}
