/** What a column, a default or a constant can be given to. */
import { WRITABLE_FIELDS } from '../api/schemas.ts';
import { CUSTOM_PREFIX } from './custom-prefix.ts';
import { WORD_FIELDS, type WordField } from './word-lists.ts';

/** Fields of the contract, and what is no field but can come from a column. Beside these, `custom_fields.NAME`. */
export const TARGETS: readonly string[] = [
  ...WRITABLE_FIELDS.filter((field) => field !== 'custom_fields'),
  'id',
  'collection',
  'quantity',
];

/** For messages: every name that can be a target. */
export const TARGET_NAMES = `${TARGETS.join(', ')} or ${CUSTOM_PREFIX}NAME`;

/** Whether a name can be a target: a field of the contract, id, collection, quantity, custom_fields.NAME. */
export function isTarget(name: string): boolean {
  // That key cannot be one of an object that JSON makes.
  if (name === `${CUSTOM_PREFIX}__proto__`) return false;
  return name.startsWith(CUSTOM_PREFIX) || TARGETS.includes(name);
}

/** Whether a field has a word list. */
export function isWordField(name: string): name is WordField {
  return Object.hasOwn(WORD_FIELDS, name);
}
