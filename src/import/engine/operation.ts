/**
 * The request that is sent for a row. Planners make it from the row's input, and the writer uses nothing else.
 *
 * A create sends the fields of its input unchanged, so they are not stored a second time. It gets its collection when
 * it is sent, because a file can be staged before the API is reached. An update is stored in the column `operation`.
 */
import { z } from 'zod';
import {
  type Item,
  type ItemCreate,
  ItemCreate as ItemCreateSchema,
  type ItemUpdate,
} from '../../api/schemas.ts';
import { compileCheck } from '../../base/compile-check.ts';
import type { JobRecord, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import type { RowName } from '../../ledger/row-name.ts';
import type { ServerNormalisation } from '../../ledger/job-parts.ts';
import { fieldsOfCreate, RelativeChange, StoredTags } from './input.ts';
import { storedReader } from '../../base/stored-json.ts';
import type { TagsChange } from './three-way.ts';

/** An update of one item. */
export interface Update {
  kind: 'update';
  /** The fields to send. */
  set: ItemUpdate;
  /** The values of these fields when the plan was made. */
  before: Record<string, unknown>;
  /**
   * Further values of the row that the item already had when the plan was made: they are not sent, but must still be
   * there. A field without a value is a custom field that does not exist.
   */
  already?: FieldValue[] | undefined;
  /** Further conditions on the item when the update is sent. */
  expect?: Expectation[];
  /** The properties of the item that the plan shows besides its changes. */
  item?: ItemShown;
  /** Tags to add and remove, whichever other tags the item has then; `set` has the whole list. */
  tags?: TagsChange;
  /** Changes whose new values were computed from the old ones, by field. */
  relative?: Record<string, RelativeChange>;
  /** Why further such changes are left out: the item has no value to compute from, or one in another currency. */
  unset?: StoredIssue[];
  /** A row of our own export: `updated_at` of the item when it was exported. */
  exported?: string;
  /**
   * The item has changed since then or since the plan, or was created after the row was planned as a new item: all values
   * of the row may be older than those of the item.
   */
  isOlder?: true;
  /** A person decided to send the update, whatever the item has become (`jobs resolve --as retry`). */
  confirmed?: true;
  /** A person decided what to send (`jobs resolve`): the row is judged again only if a person corrects it. */
  decided?: true;
  /** The row of an earlier job that created the item: a person made a row to create into this change of it. */
  sentAs?: RowName;
  /** `updated_at` in the answer to the update: an older state of the item does not show it. */
  answered?: string;
  /**
   * The server has applied `set`; the row is held for the rest. `perhaps`: nobody knows, because a person left the row
   * out after its answer was lost.
   */
  applied?: true | 'perhaps';
  /**
   * Undo: fields left as they are because somebody has changed them since; the row is held or skipped because of them.
   */
  left?: { set: ItemUpdate; before: Record<string, unknown>; issue: StoredIssue; to: 'held' | 'skipped' };
}

/** A field of an item and its value; undefined for a custom field that does not exist. */
export type FieldValue = [field: string, value?: unknown];

/** A condition that an item must meet right before its update is sent. */
export type Expectation =
  /** The item still has this part of its key; without `was`, it still does not have this custom field. */
  | { is: 'key'; field: string; was?: unknown }
  /**
   * `--missing`: the item still has the key, and is still in the collection, by which it counts as missing from the
   * file.
   */
  | { is: 'missing'; field: string; was?: unknown }
  /** Change of a selection: the item still meets the selection. */
  | ({ is: 'selected' } & SelectedItem)
  /** List of duplicates: at least one of these other items still exists. */
  | { is: 'copy'; field: string; of: string[] }
  /** Undo: the item still has the content with which the job created it; a person may delete it by hand. */
  | ({ is: 'created' } & CreatedItem);

export interface SelectedItem {
  /** The expression that selected the item. */
  where: string;
  /** The first field of the expression. */
  field: string;
  /** If the expression tests the name of the collection: the item's collection when it was read. */
  collection?: { id: string; name: string };
}

export interface CreatedItem {
  body: ItemCreate;
  /** Learned changes that the server makes to values. */
  learned?: ServerNormalisation;
}

/** An item as it was when a plan was made. */
export interface ItemShown {
  /** Name of the item. */
  name: string;
  /** Status of the item. */
  status: string;
  /** estimated_value, in `currency`. */
  value: number | null;
  /** Currency code of the value. */
  currency: string;
}

/** The empty update of a row that was not planned, or whose operation was pruned. */
const NOTHING: Update = { kind: 'update', set: {}, before: {} };

const record = z.record(z.string(), z.unknown());
export const readUpdate = storedReader('update', () =>
  z.strictObject({
    kind: z.literal('update'),
    set: record,
    before: record,
    already: z.array(z.array(z.unknown())).optional(),
    expect: z
      .array(
        z.discriminatedUnion('is', [
          z.strictObject({ is: z.literal('key'), field: z.string(), was: z.unknown() }),
          z.strictObject({ is: z.literal('missing'), field: z.string(), was: z.unknown() }),
          z.strictObject({
            is: z.literal('selected'),
            where: z.string(),
            field: z.string(),
            collection: z.strictObject({ id: z.string(), name: z.string() }).optional(),
          }),
          z.strictObject({ is: z.literal('copy'), field: z.string(), of: z.array(z.string()) }),
          z.strictObject({ is: z.literal('created'), body: record, learned: record.optional() }),
        ]),
      )
      .optional(),
    item: z
      .strictObject({
        name: z.string(),
        status: z.string(),
        value: z.number().nullable(),
        currency: z.string(),
      })
      .optional(),
    tags: StoredTags.optional(),
    relative: z.record(z.string(), RelativeChange).optional(),
    unset: z.array(record).optional(),
    exported: z.string().optional(),
    isOlder: z.literal(true).optional(),
    confirmed: z.literal(true).optional(),
    decided: z.literal(true).optional(),
    sentAs: z.strictObject({ job: z.string(), ordinal: z.number() }).optional(),
    answered: z.string().optional(),
    applied: z.union([z.literal(true), z.literal('perhaps')]).optional(),
    left: z
      .strictObject({ set: record, before: record, issue: record, to: z.enum(['held', 'skipped']) })
      .optional(),
  }),
);

export function updateOf({ operation }: Pick<LedgerRow, 'operation'>): Update {
  return operation === null ? NOTHING : (readUpdate(operation) as unknown as Update);
}

/** The text of the column `operation`. */
export function updateText(update: Omit<Update, 'kind'>): string {
  return JSON.stringify({ kind: 'update', ...update } satisfies Update);
}

/** `--missing archive`: the row archives an item that the file does not have. */
export function isArchiving({ expect = [] }: Pick<Update, 'expect'>): boolean {
  return expect.some(({ is }) => is === 'missing');
}

/** For an undo: the content with which its job created the item, if it did. */
export function createdWith({ expect = [] }: Pick<Update, 'expect'>): CreatedItem | undefined {
  return expect.find((each) => each.is === 'created');
}

export function fieldValue(field: string, value: unknown): FieldValue {
  return value === undefined ? [field] : [field, value];
}

/** Other items, at least one of which must still exist; empty for most updates. */
export function copiesOf({ expect = [] }: Pick<Update, 'expect'>): string[] {
  return expect.flatMap((each) => (each.is === 'copy' ? each.of.map((id) => id.toLowerCase()) : []));
}

/**
 * True if the item must be read immediately before the update: the update sends a whole map or list, depends on the
 * current value, or relies on a duplicate that somebody may have archived.
 */
export function isBuiltOnItem(update: Update): boolean {
  const { set, relative } = update;
  const isWhole = set.custom_fields !== undefined || set.tags !== undefined || relative !== undefined;
  return isWhole || copiesOf(update).length > 0;
}

/**
 * True if no earlier reading is recent enough: values that the item had may have changed, or a person overwrites values
 * that an undo must be able to restore.
 */
export function isUnread(update: Update): boolean {
  if (copiesOf(update).length > 0) return true;
  return Object.keys(update.set).length === 0 || update.confirmed === true;
}

/** True for a held or skipped row whose update the server has partly applied. */
export function wasApplied(row: Pick<LedgerRow, 'action' | 'operation'>): boolean {
  return row.action !== 'create' && updateOf(row).applied === true;
}

/** True for a skipped update that a person left out although the server may have applied it. */
export function mayBeApplied(row: Pick<LedgerRow, 'action' | 'operation'>): boolean {
  return row.action !== 'create' && updateOf(row).applied === 'perhaps';
}

/** The update of a held row that a person has confirmed: all of it, even if others have changed the item since. */
export function confirmed({ left, ...update }: Update): Update {
  const all = { ...update, confirmed: true, decided: true } as const;
  return left === undefined ? all : { ...all, set: left.set, before: left.before };
}

export function isDecided(row: Pick<LedgerRow, 'state' | 'action' | 'operation'>): boolean {
  return row.state === 'planned' && row.action === 'update' && updateOf(row).decided === true;
}

export function itemShown(item: Item): ItemShown {
  const { name, status, currency, estimated_value: value = null } = item;
  return { name, status, value, currency };
}

/**
 * The body of a row's create.
 *
 * @param stamp custom field that carries the stamp (`--stamp`), if any
 */
export function createBody(job: JobRecord, row: LedgerRow, stamp: string | undefined): ItemCreate {
  const body: unknown = createContent(job, row, stamp);
  // The last check before a request is sent: shelflift never sends anything outside the contract.
  return isItemCreate(body) ? (body as ItemCreate) : ItemCreateSchema.parse(body);
}

const isItemCreate = compileCheck(ItemCreateSchema);

/** The body of a create as it is stored, unchecked. */
export function createContent(
  job: JobRecord,
  row: LedgerRow,
  stamp: string | undefined,
): Record<string, unknown> {
  const fields = fieldsOfCreate(row);
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

/** The value that `--stamp` writes: it identifies the item without comparing contents. */
export function stampOf(jobId: string, ordinal: number): string {
  return `${jobId}:${ordinal}`;
}
