/** What an undo row wants, as it is kept in the ledger until the plan has seen the item. */
import type { ItemCreate } from '../../api/schemas.ts';
import type { FieldChange } from '../changes/field-changes.ts';
import type { ServerNormalisation } from '../../ledger/job-options.ts';

export type UndoPatch =
  /** From what the job had made of each field, to what it was before. */
  | { kind: 'update'; itemId: string; changes: FieldChange[] }
  /** The body that was sent, and what was seen of how the server stores such. */
  | { kind: 'create'; itemId: string; origin: string; body: ItemCreate; learned?: ServerNormalisation };
