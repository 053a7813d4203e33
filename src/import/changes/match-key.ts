/** The text by which `--match` finds an item, made in the same way from a row and from an item. */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { comparable, textForm } from '../../mapping/text-form.ts';
import { storedForm } from '../engine/equality.ts';
import { fieldOf } from '../engine/field-changes.ts';
import type { Expectation } from '../engine/operation.ts';
import type { StoreChange } from '../../ledger/job-parts.ts';
import type { JobRecord } from '../../ledger/ledger.ts';

/** How keys are made. */
export interface KeyRule {
  /** Fields of `--match`. */
  match: readonly string[];
  /** How the server was seen to change values: applied to both sides. */
  changes: readonly StoreChange[];
}

function matchOf({ request: { match } }: JobRecord): string[] {
  return match.length === 0 ? ['id'] : match;
}

/** Stays the same from the plan to the last row. */
export function keyRule(job: JobRecord): KeyRule {
  return { match: matchOf(job), changes: job.plan.keyChanges ?? [] };
}

/** True if the job creates what it finds no item for. A match by id never does: the server assigns ids. */
export function createsByKey(job: JobRecord): boolean {
  return job.mode === 'upsert' && !matchOf(job).includes('id');
}

/** Separates the parts of a key; no cell contains it. */
const BETWEEN = '\u0000';

/** '' if every part is blank: such a row has no key. */
function joinKey(parts: string[]): string {
  const normal = parts.map(comparable);
  return normal.every((part) => part === '') ? '' : normal.join(BETWEEN);
}

/**
 * The key made of these values; '' if all of them are blank.
 *
 * @param valueOf gives the value of a field of `--match`, or its text
 */
export function keyOfValues({ match, changes }: KeyRule, valueOf: (field: string) => unknown): string {
  return joinKey(match.map((field) => textForm(field, storedForm(field, valueOf(field), changes))));
}

/** The key of an item, or of the body of a create; '' if it has none. */
export function itemKey(item: Partial<Item | ItemCreate>, rule: KeyRule): string {
  return keyOfValues(rule, (field) => valueOf(item, field));
}

/** The key as the item has it, for people. */
export function shownKey(item: Partial<Item | ItemCreate>, { match }: Pick<KeyRule, 'match'>): string {
  return match.map((field) => textForm(field, valueOf(item, field))).join(' + ');
}

function valueOf(item: Partial<Item | ItemCreate>, field: string): unknown {
  const custom = customField(field);
  return custom === undefined ? (item as Item)[field] : item.custom_fields?.[custom];
}

/**
 * The key that an item would have if the names of custom fields were compared without regard to case, and the fields
 * of `--match` as this item spells them; undefined if it spells them as `--match` does.
 *
 * For the API `sku` and `SKU` are two fields, for a person seldom.
 */
export function keySpelledOtherwise(item: Item, rule: KeyRule): { key: string; match: string[] } | undefined {
  const { custom_fields: fields = {} } = item;
  const match = rule.match.map((field) => {
    const custom = customField(field);
    if (custom === undefined || custom in fields) return field;
    const wanted = custom.toLowerCase();
    const spelled = Object.keys(fields).find((name) => name.toLowerCase() === wanted);
    return spelled === undefined ? field : `custom_fields.${spelled}`;
  });
  if (match.every((field, index) => field === rule.match[index])) return undefined;
  return { key: itemKey(item, { ...rule, match }), match };
}

/** What an update by a key expects of its item: that these fields stay as they are. Its id cannot change. */
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

/** The name after `custom_fields.`; undefined for a field of the contract. */
export function customField(field: string): string | undefined {
  return field.startsWith('custom_fields.') ? field.slice('custom_fields.'.length) : undefined;
}
