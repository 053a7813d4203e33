/** The text by which `--match` finds an item: the same on both sides, the row's and the server's. */
import type { Item, ItemCreate, WritableField } from '../../api/schemas.ts';
import { textForm } from '../../mapping/text-form.ts';
import { storedForm } from '../job/content.ts';
import type { StoreChange } from '../../ledger/job-options.ts';

/** What keys are made of. */
export interface KeyRule {
  /** Fields of `--match`. */
  match: readonly string[];
  /** What the server was seen to change as it stores: it is undone on both sides. */
  changes: readonly StoreChange[];
}

/** Between the parts of a key: no cell holds it. */
const BETWEEN = '\u0000';
/** All white space of Unicode, NBSP among it: people do not see which one a cell holds, and servers collapse it. */
const SPACES = /[\s\u0085\u180e]+/gu;

/** '' where every part is blank: such a row has no key. */
function joinKey(parts: string[]): string {
  const normal = parts.map((part) => part.normalize('NFC').replace(SPACES, ' ').trim().toLowerCase());
  return normal.every((part) => part === '') ? '' : normal.join(BETWEEN);
}

/**
 * The key of which these are the parts; '' where all of them are blank.
 *
 * @param valueOf the value of a field of `--match`, or its text
 */
export function keyOfValues({ match, changes }: KeyRule, valueOf: (field: string) => unknown): string {
  return joinKey(
    match.map((field) => {
      const value = valueOf(field);
      if (customField(field) === undefined)
        return textForm(field, storedForm(field as WritableField, value, changes));
      const { custom } = storedForm('custom_fields', { custom: value }, changes) as { custom: unknown };
      return textForm(field, custom);
    }),
  );
}

/** The key of an item, or of what a create sends; '' where it has none. */
export function itemKey(item: Partial<Item | ItemCreate>, rule: KeyRule): string {
  return keyOfValues(rule, (field) => {
    const custom = customField(field);
    return custom === undefined ? (item as Item)[field] : item.custom_fields?.[custom];
  });
}

/** The name behind `custom_fields.`; undefined for a field of the contract. */
export function customField(field: string): string | undefined {
  return field.startsWith('custom_fields.') ? field.slice('custom_fields.'.length) : undefined;
}
