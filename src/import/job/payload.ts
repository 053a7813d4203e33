/**
 * What a row keeps in the ledger, and what is sent for it.
 *
 * A create keeps its fields without collection_id, which is added once the collections are resolved: a file can be
 * staged before the API is reached. An update keeps what it sets, and the values from before.
 */
import {
  type Item,
  type ItemCreate,
  ItemCreate as ItemCreateSchema,
  type ItemUpdate,
} from '../../api/schemas.ts';
import { compileCheck } from '../../api/compile-check.ts';
import type { TagsChange } from '../engine/three-way.ts';
import type { RelativeChange } from './judging.ts';
import { parseExactJson } from '../../exact-json.ts';
import type { JobRecord, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import type { ServerNormalisation } from '../../ledger/job-options.ts';

export interface UpdatePayload {
  set: ItemUpdate;
  /** The same fields when the plan was made. */
  before: Record<string, unknown>;
  /** What the plan shows of the item besides its changes, when the plan was made. */
  item?: ItemShown;
  /** Tags to add and remove, whichever other tags the item has by then; `set` has the whole list. */
  tags?: TagsChange;
  /** A person decided to send it whatever the item has become (`jobs resolve --as retry`). */
  confirmed?: true;
  /** The server has applied `set`; the row is held for what remains. */
  applied?: true;
  /** `--missing`: the row's key, by which its item is known to be in the file. */
  key?: string;
  /** `--missing archive`: the file does not have the item. */
  missing?: true;
  /** What must hold of the item besides its values when they are sent: it has the key by which it was found. */
  expect?: Expectation[];
  /** Changes whose new values were computed from the old ones, by field. */
  relative?: Record<string, RelativeChange>;
  /**
   * Undo: the job created the item with this body. It is archived only while it still has that content, and may be
   * deleted by hand. `true` in plans of earlier versions, which did not keep the body.
   */
  created?: CreatedItem | true;
  /** Undo: fields left as they are because somebody has changed them since; the row is held for them. */
  left?: { set: ItemUpdate; before: Record<string, unknown>; issue: StoredIssue };
}

export interface Expectation {
  field: string;
  /** As the plan read it; absent for a custom field that did not exist. */
  was?: unknown;
}

export interface CreatedItem {
  body: ItemCreate;
  /** How the server was seen to store values. */
  learned?: ServerNormalisation;
}

/** An item as it was when a plan was made. */
export interface ItemShown {
  /** Its name. */
  name: string;
  /** Its status. */
  status: string;
  /** estimated_value, in `currency`. */
  value: number | null;
  /** Code of the currency of its value. */
  currency: string;
}

export function itemShown(item: Item): ItemShown {
  const { name, status, currency, estimated_value: value = null } = item;
  return { name, status, value, currency };
}

/**
 * Fields of a create, without collection_id. An upsert keeps them inside its row patch, because an item with its key
 * may be created before the row is sent (changes/row-patch.ts).
 */
export function fieldsOfCreate(payload: string | null): Record<string, unknown> {
  const kept = JSON.parse(payload ?? '{}') as Record<string, unknown>;
  // No field of an item is called `create`.
  const { create } = kept as { create?: { fields: Record<string, unknown> } };
  return create === undefined ? kept : create.fields;
}

/**
 * The body of a row's create.
 *
 * @param stamp custom field that carries the stamp (`--stamp`), if any
 */
export function createBody(job: JobRecord, row: LedgerRow, stamp: string | undefined): ItemCreate {
  const body: unknown = createContent(job, row, stamp);
  // The last check before a request leaves: nothing outside the contract is ever sent.
  return isItemCreate(body) ? (body as ItemCreate) : ItemCreateSchema.parse(body);
}

const isItemCreate = compileCheck(ItemCreateSchema);

/** The same as it is stored, unchecked. */
export function createContent(
  job: JobRecord,
  row: LedgerRow,
  stamp: string | undefined,
): Record<string, unknown> {
  const fields = fieldsOfCreate(row.payload);
  const collectionId = job.collections[row.collection ?? ''];
  const body: Record<string, unknown> = { collection_id: collectionId, ...fields };
  if (stamp !== undefined) {
    body['custom_fields'] = {
      ...(fields['custom_fields'] as object | undefined),
      [stamp]: stampOf(job.id, row.ordinal),
    };
  }
  return body;
}

/** The value that `--stamp` writes: it identifies an item without any comparison. */
export function stampOf(jobId: string, ordinal: number): string {
  return `${jobId}:${ordinal}`;
}

export function updatePayload(row: Pick<LedgerRow, 'payload'>): UpdatePayload {
  return parseExactJson(row.payload ?? '{"set":{},"before":{}}') as UpdatePayload;
}

/** True if others may lose what is not in it: a map or list is sent whole, and a computed value forgets its base. */
export function isBuiltOnItem({ set, relative }: UpdatePayload): boolean {
  return set.custom_fields !== undefined || set.tags !== undefined || relative !== undefined;
}

/** True for a held or skipped row of which the server has applied a part. */
export function wasApplied(row: Pick<LedgerRow, 'action' | 'payload'>): boolean {
  if (row.action === 'create') return false;
  return updatePayload(row).applied === true;
}

/** The update of a held row that a person has confirmed: all of it, whoever has changed the item since. */
export function confirmedPayload(row: LedgerRow): UpdatePayload {
  const { left, ...payload } = updatePayload(row);
  if (left === undefined) return { ...payload, confirmed: true };
  return { ...payload, set: left.set, before: left.before, confirmed: true };
}
