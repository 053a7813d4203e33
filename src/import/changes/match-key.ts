/** The key by which `--match` finds an item: a text that is computed in the same way for a row and for an item. */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { CLEAR, type MappedValue } from '../../mapping/mapping.ts';
import { comparable, textForm } from '../../mapping/text-form.ts';
import { storedForm } from '../engine/equality.ts';
import { fieldOf } from '../engine/field-changes.ts';
import type { RowPatch } from '../engine/input.ts';
import type { Expectation } from '../engine/operation.ts';
import type { StoreChange } from '../../ledger/job-parts.ts';
import type { JobRecord } from '../../ledger/ledger.ts';

/** How keys are made. */
export interface KeyRule {
  match: readonly string[];
  /** Learned changes that the server makes to values; they are applied to both sides. */
  changes: readonly StoreChange[];
}

function matchOf({ request: { match } }: JobRecord): string[] {
  return match.length === 0 ? ['id'] : match;
}

/** The rule does not change between the plan and the last row. */
export function keyRule(job: JobRecord): KeyRule {
  return { match: matchOf(job), changes: job.plan.keyChanges ?? [] };
}

/**
 * True if the job creates an item for each row that matches none. A match by id never does: the server assigns ids.
 */
export function createsByKey(job: JobRecord): boolean {
  return job.mode === 'upsert' && !matchOf(job).includes('id');
}

/** Separates the parts of a key. Cells never contain this character. */
const BETWEEN = '\u0000';

function keyOfValues({ match, changes }: KeyRule, valueOf: (field: string) => unknown): string {
  const parts = match.map((field) => comparable(textForm(field, storedForm(field, valueOf(field), changes))));
  return parts.every((part) => part === '') ? '' : parts.join(BETWEEN);
}

/** The key of an item, or of the body of a create; '' if it has none. */
export function itemKey(item: Partial<Item | ItemCreate>, rule: KeyRule): string {
  return keyOfValues(rule, (field) => fieldOf(item as Item, field));
}

/** The key as the item spells it, for messages. */
export function shownKey(item: Partial<Item | ItemCreate>, { match }: Pick<KeyRule, 'match'>): string {
  return match.map((field) => textForm(field, fieldOf(item as Item, field))).join(' + ');
}

/**
 * The key that an item would have if the names of custom fields were compared without regard to case, and the fields of
 * `--match` with this item's spelling; undefined if it spells them as `--match` does.
 *
 * The API treats `sku` and `SKU` as two fields; a person rarely does.
 */
export function keySpelledOtherwise(item: Item, rule: KeyRule): { key: string; match: string[] } | undefined {
  const { custom_fields: fields = {} } = item;
  const match = rule.match.map((field) => {
    const custom = customField(field);
    if (custom === undefined || custom in fields) return field;
    const wanted = custom.toLowerCase();
    const spelled = Object.keys(fields).find((name) => name.toLowerCase() === wanted);
    return spelled === undefined ? field : CUSTOM_PREFIX + spelled;
  });
  if (match.every((field, index) => field === rule.match[index])) return undefined;
  return { key: itemKey(item, { ...rule, match }), match };
}

/** A key as it was compared when it was sent, and as the server shows it. */
export interface RewrittenKey {
  sent: string;
  stored: string;
}

/** True if a server that rewrote one key in this way (dropped, cut or escaped it) may rewrite other keys too. */
export function mayBeRewritten(key: string, { sent, stored }: RewrittenKey): boolean {
  const kept = comparable(stored);
  if (kept === '' || key.includes(BETWEEN)) return true;
  return sent.startsWith(kept) ? key.length > kept.length : /[^\p{L}\p{N} ._-]/u.test(key);
}

export function expectations(
  fields: readonly string[],
  item: Item,
  is: 'key' | 'missing' = 'key',
): Expectation[] {
  return fields.filter((field) => field !== 'id').map((field) => ({ is, field, was: fieldOf(item, field) }));
}

/** True if two values of a field are the same in a key. */
export function sameKeyPart(field: string, a: unknown, b: unknown): boolean {
  return comparable(textForm(field, a)) === comparable(textForm(field, b));
}

export class RowKeys {
  readonly #rule: KeyRule;
  /** The fields of `--match` for messages. */
  readonly label: string;

  constructor(rule: KeyRule) {
    this.#rule = rule;
    this.label = rule.match.join(' + ');
  }

  get match(): readonly string[] {
    return this.#rule.match;
  }

  /** The key of a row, '' if all its key cells are blank. */
  of(patch: RowPatch): string {
    return keyOfValues(this.#rule, (field) => {
      if (field === 'id') return patch.id;
      const mapped = mappedOf(patch, field);
      if (mapped === undefined || mapped.value === CLEAR) return undefined;
      return customField(field) === undefined ? mapped.value : mapped.text;
    });
  }

  /** The key as it is written in the file. */
  asWritten(patch: RowPatch): { found: string } {
    const parts = this.match.map((field) => (field === 'id' ? patch.id : mappedOf(patch, field)?.text) ?? '');
    return { found: cut(parts.map((part) => part.trim()).join(' + ')) };
  }

  /**
   * The patch without the fields of the key: `--match` treats ` af-1 ` and `AF-1` as equal, so spelling differences in
   * the key are not changes.
   */
  besides(patch: RowPatch): RowPatch {
    const kept = <T>(record: Record<string, T>, prefix: string) =>
      Object.fromEntries(Object.entries(record).filter(([key]) => !this.match.includes(`${prefix}${key}`)));
    return {
      ...patch,
      fields: kept(patch.fields, ''),
      customFields: kept(patch.customFields, CUSTOM_PREFIX),
    };
  }
}

function mappedOf({ fields, customFields }: RowPatch, field: string): MappedValue | undefined {
  const custom = customField(field);
  return custom === undefined ? fields[field as keyof typeof fields] : customFields[custom];
}

/** The name after `custom_fields.`; undefined for a field of the contract. */
export function customField(field: string): string | undefined {
  return field.startsWith(CUSTOM_PREFIX) ? field.slice(CUSTOM_PREFIX.length) : undefined;
}
