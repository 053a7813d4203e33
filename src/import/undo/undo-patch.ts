/** What a row of an undo takes back, as the ledger keeps it until the plan knows the item. */
import type { ItemCreate } from '../../api/schemas.ts';
import type { FieldChange } from '../engine/field-changes.ts';
import type { ServerNormalisation } from '../../ledger/job-options.ts';
import type { LedgerRow } from '../../ledger/ledger.ts';

export type UndoPatch =
  /** From what the job set each field to, to what it was before. */
  | { kind: 'update'; itemId: string; changes: FieldChange[] }
  /** The body that was sent, and how the server was seen to store values. */
  | { kind: 'create'; itemId: string; origin: string; body: ItemCreate; learned?: ServerNormalisation };

/** True for a planned row that still keeps its patch; once the plan knows its item, it keeps an update. */
export function isUnplanned(row: LedgerRow): boolean {
  return row.itemId === null;
}
