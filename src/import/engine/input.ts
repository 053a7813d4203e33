/**
 * The judged request of a row of a file, a selection or an undo. It does not change until the row is judged again; a
 * planner makes the operation from it (operation.ts).
 */
import { z } from 'zod';
import type { ItemCreate, WritableField } from '../../api/schemas.ts';
import type { ServerNormalisation } from '../../ledger/job-parts.ts';
import type { LedgerRow } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import { CLEAR, type MappedRow, type MappedValue } from '../../mapping/mapping.ts';
import { createFields } from '../../mapping/payload.ts';
import { textForm } from '../../mapping/text-form.ts';
import type { FieldChange } from './field-changes.ts';
import { storedReader } from '../../base/stored-json.ts';
import type { TagsChange } from './three-way.ts';

/** A change relative to the item's current value, without its operand. */
const RelativeRule = z.strictObject({
  sign: z.enum(['*=', '+=', '-=']),
  /**
   * Results are rounded to a multiple of this, halves up; `none` keeps all digits. Default: the digits of the currency.
   */
  round: z.string().exactOptional(),
  /** Lower case. Items of another currency are skipped. */
  currency: z.string().exactOptional(),
});
export type RelativeRule = z.infer<typeof RelativeRule>;

/** A relative change with its operand. */
export const RelativeChange = RelativeRule.extend({
  /** Plain digits with a decimal point. */
  operand: z.string(),
  /** The text of the cell that the operand was read from. */
  shown: z.string().exactOptional(),
});
export type RelativeChange = z.infer<typeof RelativeChange>;

/** The changes that `set --from` makes to the items of a file's rows. */
export const TableChange = z.strictObject({
  /** The values that every row sets, as text. */
  patch: z.string(),
  /** Name or id of the collection that every item moves to. */
  collection: z.string().exactOptional(),
  /** Fields whose column contains the operands of a relative change. */
  relative: z.record(z.string(), RelativeRule).exactOptional(),
});
export type TableChange = z.infer<typeof TableChange>;

/** The fields that a row of an update or upsert sets. */
export interface RowPatch {
  fields: Partial<Record<WritableField, MappedValue>>;
  customFields: Record<string, MappedValue>;
  id?: string;
  /** The item that a person chose among several items with the row's key. */
  chosen?: string;
  /** A row of our own export: `updated_at` of the item when it was exported. */
  exported?: string;
  /** Tags to add to the item's own tags, and to remove from them. */
  tags?: TagsChange;
  /** `set`: changes relative to the item's current values, by field. */
  relative?: Record<string, RelativeChange>;
  /** `set estimated_value=9.99`: the same amount for all items. */
  valueForAll?: true;
  /** Two rows for one item do not count as a repetition: it is unknown whether their changes add up. */
  onceOnly?: true;
  /** Upsert: the fields of a create without collection_id, and the issues that prevent a create. */
  create?: { fields: Record<string, unknown>; issues: RowIssue[] };
}

/** The change of the row that an undo takes back. */
export type UndoPatch = { itemId: string } & (
  | {
      /** From the value that the job set to the value before. */
      changes: FieldChange[];
    }
  | {
      /** The job created the item with this body. */
      body: ItemCreate;
      /** For messages: the row that created the item. */
      origin: string;
      /** Learned changes that the server makes to values. */
      learned?: ServerNormalisation;
    }
);

/** JSON has no symbols, so `<clear>` becomes a separate key. */
interface StoredValue extends Omit<MappedValue, 'value'> {
  value?: unknown;
  clear?: true;
}

type StoredPatch = Omit<RowPatch, 'fields' | 'customFields'> & {
  fields: Record<string, StoredValue>;
  customFields: Record<string, StoredValue>;
};

/** `create`: writable fields of a new item without collection_id, which is not known yet. */
type Input =
  | { kind: 'create'; fields: Record<string, unknown> }
  | ({ kind: 'change' } & StoredPatch)
  | ({ kind: 'undo' } & UndoPatch);

const record = z.record(z.string(), z.unknown());
const mapped = z.record(z.string(), z.looseObject({ text: z.string(), clear: z.literal(true).optional() }));

export const StoredTags = z.strictObject({ add: z.array(z.string()), remove: z.array(z.string()) });

export const readInput = storedReader('row', () =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('create'), fields: record }),
    z.strictObject({
      kind: z.literal('change'),
      fields: mapped,
      customFields: mapped,
      id: z.string().optional(),
      chosen: z.string().optional(),
      exported: z.string().optional(),
      tags: StoredTags.optional(),
      relative: z.record(z.string(), RelativeChange).optional(),
      valueForAll: z.literal(true).optional(),
      onceOnly: z.literal(true).optional(),
      create: z
        .strictObject({
          fields: record,
          issues: z.array(z.looseObject({ code: z.string(), message: z.string() })),
        })
        .optional(),
    }),
    z.strictObject({
      kind: z.literal('undo'),
      itemId: z.string(),
      changes: z.array(z.looseObject({ field: z.string() })).optional(),
      body: record.optional(),
      origin: z.string().optional(),
      learned: record.optional(),
    }),
  ]),
);

/** Undefined for a row that a plan added, and for a row whose input was pruned. */
function inputOf({ input }: Pick<LedgerRow, 'input'>): Input | undefined {
  return input === null ? undefined : (readInput(input) as unknown as Input);
}

/** All rows of a kind of job have the same kind of input, which TypeScript cannot check for a caller. */
function unfit(input: Input | undefined): Error {
  return new Error(`The row has ${input === undefined ? 'no input' : `the input of a ${input.kind}`}.`);
}

/** The fields of a create, without collection_id, for a row that is or may become a create. Empty once pruned. */
export function fieldsOfCreate(row: Pick<LedgerRow, 'input'>): Record<string, unknown> {
  const input = inputOf(row);
  if (input?.kind === 'create') return input.fields;
  return input?.kind === 'change' ? (input.create?.fields ?? {}) : {};
}

/** The fields that a row sets in an existing item, even if the item was to be created. */
export function patchOf(row: Pick<LedgerRow, 'input'>): RowPatch {
  const input = inputOf(row);
  if (input?.kind === 'change') return restored(input);
  if (input?.kind !== 'create') throw unfit(input);
  const { custom_fields: custom = {}, ...fields } = input.fields as {
    custom_fields?: Record<string, unknown>;
  };
  const asMapped = (prefix: string) => (value: unknown, name: string) => ({
    value,
    text: textForm(prefix + name, value),
  });
  return {
    fields: mapValues(fields, asMapped('')),
    customFields: mapValues(custom, asMapped(CUSTOM_PREFIX)),
    create: { fields: input.fields, issues: [] },
  };
}

export function undoPatchOf(row: Pick<LedgerRow, 'input'>): UndoPatch {
  const input = inputOf(row);
  if (input?.kind !== 'undo') throw unfit(input);
  return input;
}

/** The input of a row that creates an item. */
export function createInput(row: MappedRow): string {
  return textOf({ kind: 'create', fields: createFields(row) });
}

/**
 * The input of a row that is not in a file: from a selection, from a list of ids, or the part of `set --from` that is
 * the same for every row.
 */
export function changeInput(patch: Omit<RowPatch, 'create'>): string {
  return textOf({ kind: 'change', ...stored(patch) });
}

export function undoInput(patch: UndoPatch): string {
  return textOf({ kind: 'undo', ...patch });
}

/** Names of the item's fields that the row depends on: those that it sets. */
export function fieldsOf({ fields, customFields, tags, relative = {} }: RowPatch): string[] {
  const hasOwn = Object.keys(customFields).length > 0;
  return [
    ...Object.keys(fields),
    ...Object.keys(relative),
    ...(tags === undefined ? [] : ['tags']),
    ...(hasOwn ? ['custom_fields'] : []),
  ];
}

/** How a tags column changes the tags of an item. */
export type TagsMode = 'set' | 'add' | 'remove';

/** @param asCreate turns the row into a create (upsert); called once the patch is complete */
export function rowInput(
  row: MappedRow,
  tagsMode: TagsMode,
  asCreate?: (row: MappedRow) => MappedRow,
): string {
  const tags = tagsMode === 'set' ? undefined : tagsToChange(row, tagsMode);
  const patch = stored({ ...ownOf(row), ...(tags === undefined ? {} : { tags }) });
  if (asCreate === undefined) return textOf({ kind: 'change', ...patch });
  // A new item gets the tags to add, and has none to remove.
  if (tags !== undefined && tags.add.length > 0) row.fields.tags = { value: tags.add, text: '' };
  const created = asCreate(row);
  const create = { fields: createFields(created), issues: created.issues };
  return textOf({ kind: 'change', ...patch, create });
}

/** The input of a row of `set --from`: its own cells combined with the values of the command. */
export function tableRowInput(row: MappedRow, tagsMode: TagsMode, change: TableChange): string {
  const every = patchOf({ input: change.patch });
  const own = tagsMode === 'set' ? undefined : tagsToChange(row, tagsMode);
  const tags = {
    add: [...(every.tags?.add ?? []), ...(own?.add ?? [])],
    remove: [...(every.tags?.remove ?? []), ...(own?.remove ?? [])],
  };
  const relative: Record<string, RelativeChange> = { ...every.relative };
  for (const [field, operand] of Object.entries(row.operands ?? {})) {
    const rule = change.relative?.[field];
    if (rule !== undefined) relative[field] = { ...rule, ...operand };
  }
  return changeInput({
    ...ownOf(row),
    fields: { ...row.fields, ...every.fields },
    customFields: { ...row.customFields, ...every.customFields },
    ...(tags.add.length + tags.remove.length === 0 ? {} : { tags }),
    ...(Object.keys(relative).length === 0 ? {} : { relative, onceOnly: true }),
    ...(every.valueForAll === undefined ? {} : { valueForAll: true }),
  });
}

function ownOf({ fields, customFields, id, chosen, exported }: MappedRow): Omit<RowPatch, 'create'> {
  return {
    fields,
    customFields,
    ...(id === undefined ? {} : { id }),
    ...(chosen === undefined ? {} : { chosen }),
    ...(exported === undefined ? {} : { exported }),
  };
}

/** Takes the tags out of the row's fields. `<clear>` stays in the fields, because it empties the tags in every mode. */
function tagsToChange(row: MappedRow, mode: 'add' | 'remove'): RowPatch['tags'] {
  const value = row.fields.tags?.value;
  if (!Array.isArray(value)) return undefined;
  delete row.fields.tags;
  return { add: [], remove: [], [mode]: value as string[] };
}

function textOf(input: Input): string {
  return JSON.stringify(input);
}

function stored(patch: RowPatch): StoredPatch {
  return {
    ...patch,
    fields: mapValues(patch.fields, store),
    customFields: mapValues(patch.customFields, store),
  };
}

function restored(input: Extract<Input, { kind: 'change' }>): RowPatch {
  return {
    ...input,
    fields: mapValues(input.fields, restore),
    customFields: mapValues(input.customFields, restore),
  };
}

function store(value: MappedValue): StoredValue {
  return value.value === CLEAR ? { ...value, value: undefined, clear: true } : value;
}

function restore({ clear, ...value }: StoredValue): MappedValue {
  return clear === true ? { ...value, value: CLEAR } : { value: undefined, ...value };
}

function mapValues<T, U>(
  values: Partial<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, change(value, key)]],
    ),
  );
}
