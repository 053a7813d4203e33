/** What a column, a default or a constant can be given to. */
import { WRITABLE_FIELDS } from '../api/schemas.ts';
import { WORD_FIELDS, type WordField } from './word-lists.ts';

/** Fields of the contract, and what is no field but can come from a column. Beside these, `custom_fields.NAME`. */
export const TARGETS: readonly string[] = [
  ...WRITABLE_FIELDS.filter((field) => field !== 'custom_fields'),
  'id',
  'collection',
  'quantity',
];
export const CUSTOM_PREFIX = 'custom_fields.';

/** For messages: every name that can be a target. */
export const TARGET_NAMES = `${TARGETS.join(', ')} or ${CUSTOM_PREFIX}NAME`;

/** Whether a name can be a target: a field of the contract, id, collection, quantity, custom_fields.NAME. */
export function isTarget(name: string): boolean {
  return name.startsWith(CUSTOM_PREFIX) || TARGETS.includes(name);
}

/** Whether a field has a word list. */
export function isWordField(name: string): name is WordField {
  return Object.hasOwn(WORD_FIELDS, name);
}
