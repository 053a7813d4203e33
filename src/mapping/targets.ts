/** The targets that a column, a default or a constant can set. */
import { WRITABLE_FIELDS } from '../api/schemas.ts';
import { CUSTOM_PREFIX } from './custom-prefix.ts';

/** Fields of the contract, and other things that a column can give. `custom_fields.NAME` is possible too. */
export const TARGETS: readonly string[] = [
  ...WRITABLE_FIELDS.filter((field) => field !== 'custom_fields'),
  'id',
  'collection',
  'quantity',
];

/** All possible targets, for messages. */
export const TARGET_NAMES = `${TARGETS.join(', ')} or ${CUSTOM_PREFIX}NAME`;

/** Whether a name can be a target: a field of the contract, id, collection, quantity, custom_fields.NAME. */
export function isTarget(name: string): boolean {
  // JSON.parse cannot create that key as an ordinary property.
  if (name === `${CUSTOM_PREFIX}__proto__`) return false;
  return name.startsWith(CUSTOM_PREFIX) || TARGETS.includes(name);
}
