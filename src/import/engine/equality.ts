/**
 * When two values of a field are the same: for the person who wrote a cell, for the API, and for a server that changes
 * values when it stores them. Fields are those of the contract, or `custom_fields.NAME`.
 */
import { Big } from 'big.js';
import type { WritableField } from '../../api/schemas.ts';
import { sameJson } from '../../base/equal-json.ts';
import type { StoreChange } from '../../ledger/job-parts.ts';
import { unescapeText } from '../../sheets/escape.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { CLEAR, type MappedValue } from '../../mapping/mapping.ts';
import { castLike, textForm } from '../../mapping/text-form.ts';

/**
 * The value of each field that is not set: absent, null and this value are equal. A custom field that is null counts as
 * set.
 */
export const EMPTY: Record<WritableField, unknown> = {
  collection_id: null,
  name: null,
  brand: null,
  series: null,
  release_year: null,
  condition: null,
  packaging: null,
  status: 'keep',
  tags: [],
  custom_fields: {},
  estimated_value: null,
};

/** Changes that every server may make. Rounding, case and the order of keys are learned from each server's answers. */
export const USUAL_CHANGES: readonly StoreChange[] = [
  'trim',
  'spaces',
  'nfkc',
  'tag_order',
  'round2',
  'empty_as_null',
];

/** True if two values of a field mean the same. */
export function sameField(field: string, a: unknown, b: unknown): boolean {
  return sameStored(field, a, b, []);
}

/** True if the values differ at most by the changes that servers usually make to a value. */
export function alikeField(field: string, a: unknown, b: unknown): boolean {
  return sameStored(field, a, b, USUAL_CHANGES);
}

/** True if a server that makes these changes stores the same for both values. */
export function sameStored(field: string, a: unknown, b: unknown, changes: readonly StoreChange[]): boolean {
  const form = (value: unknown) =>
    storedForm(field, isCustom(field) ? value : (value ?? EMPTY[field as WritableField]), changes);
  return sameJson(form(a), form(b));
}

/** The value as stored by a server that makes these changes. */
export function storedForm(field: string, value: unknown, changes: readonly StoreChange[]): unknown {
  if (isCustom(field)) return typeof value === 'string' ? text(value, changes) : value;
  if (field === 'collection_id') return typeof value === 'string' ? value.toLowerCase() : value;
  if (Array.isArray(value)) {
    const tags = value.map((tag) => (typeof tag === 'string' ? text(tag, changes) : tag));
    const cased = changes.includes('case_of_tags')
      ? tags.map((tag) => (typeof tag === 'string' ? tag.toLowerCase() : tag))
      : tags;
    return changes.includes('tag_order')
      ? [...new Set(cased)].sort((a, b) => (String(a) < String(b) ? -1 : 1))
      : cased;
  }
  if (typeof value === 'string') {
    const changed = text(value, changes);
    return changed === '' && changes.includes('empty_as_null') ? null : changed;
  }
  if (typeof value === 'number') {
    if (changes.includes('round0')) return Math.round(value);
    if (changes.includes('round2_exact')) return Number(value.toFixed(2));
    if (changes.includes('round2_half_up')) return new Big(value).round(2, Big.roundHalfUp).toNumber();
    if (changes.includes('round2')) return Math.round(value * 100) / 100;
  }
  if (field === 'custom_fields' && typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, storedForm(CUSTOM_PREFIX + key, each, changes)]),
    );
  return value;
}

function text(value: string, changes: readonly StoreChange[]): string {
  let result = value;
  if (changes.includes('nfkc')) result = result.normalize('NFKC');
  else if (changes.includes('nfc')) result = result.normalize('NFC');
  if (changes.includes('spaces')) result = result.replace(/\s+/g, ' ');
  return changes.includes('trim') ? result.trim() : result;
}

/**
 * True if a server that cuts, escapes, recases or drops texts may have turned `sent` into `stored`: only these changes
 * are attributed to the server.
 *
 * @param longest length of the longest text that was kept whole: shorter texts were not cut
 */
export function mayBeStoredAs(sent: unknown, stored: unknown, longest = 0): boolean {
  if (sent === undefined || sent === null || stored === undefined || stored === null) return true;
  if (typeof sent !== 'string' || typeof stored !== 'string') return sameJson(sent, stored);
  const [whole, part] = [folded(sent), folded(stored)];
  return whole === part || (stored.length >= longest && whole.startsWith(part.replace(/(?:…|\.{3})$/, '')));
}

/** Changes to any value, with each way of rounding to cents. */
const HARMLESS = (['round2', 'round2_half_up', 'round2_exact'] as const).map((rounding): StoreChange[] => [
  ...USUAL_CHANGES.filter((change) => change !== 'round2'),
  'case_of_tags',
  rounding,
]);

/**
 * True if a server has lost or changed a value: a text was cut, a number differs, a custom field is missing. A value
 * that is only written in another way (trimmed, escaped, in capitals, a date with its time) is not lost.
 */
export function isLost(field: string, sent: unknown, stored: unknown): boolean {
  if (sent === undefined || sent === null || sent === '') return false;
  // An answer need not contain every field of the contract.
  if (stored === undefined) return isCustom(field);
  if (sameJson(sent, stored) || HARMLESS.some((changes) => sameStored(field, sent, stored, changes)))
    return false;
  if (!Array.isArray(sent) || !Array.isArray(stored)) return !isRewritten(sent, stored);
  return sent.some((each) => !stored.some((kept) => isRewritten(each, kept)));
}

/** True if a value that was sent unchanged, as part of a larger value, was cut, escaped or dropped once more. */
export function isMangled(sent: unknown, stored: unknown): boolean {
  if (stored === undefined) return sent !== undefined && sent !== null && sent !== '';
  if (typeof sent !== 'string' || typeof stored !== 'string' || sent === stored) return false;
  return unescaped(stored) === sent || sent.startsWith(stored);
}

/** True for one value written in two ways. */
function isRewritten(sent: unknown, stored: unknown): boolean {
  if (!isPlain(sent) || !isPlain(stored)) return sameJson(sent, stored);
  const [a, b] = [String(sent).trim(), String(stored).trim()];
  return folded(a) === folded(b) || isSameNumberOrDate(a, b);
}

function isSameNumberOrDate(a: string, b: string): boolean {
  // Texts with leading zeros are not numbers.
  if (NUMBER.test(a) && NUMBER.test(b)) return Number(a) === Number(b);
  return DATE.test(a) && DATE.test(b) && Date.parse(a) === Date.parse(b);
}

/** True if two cells set a field to the same value, even if a spreadsheet program has rewritten one: 1 and 1.0. */
export function sameMapped(field: string, a: MappedValue, b: MappedValue): boolean {
  if (a.text === b.text) return true;
  if (a.issue !== undefined || b.issue !== undefined) return false;
  if (a.value === CLEAR || b.value === CLEAR) return a.value === b.value;
  return sameField(field, a.value, b.value) || isSameNumberOrDate(a.text.trim(), b.text.trim());
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

const ENTITY = /&(amp|lt|gt|quot|#39|#x27);/gi;

function asCharacter(_: string, name: string): string {
  return ENTITIES[name.toLowerCase()] ?? '';
}

function unescaped(value: string): string {
  return value.replaceAll(ENTITY, asCharacter);
}

function folded(value: string): string {
  return unescaped(value.normalize('NFKC'))
    .replaceAll(/[‘’‚′]/g, "'")
    .replaceAll(/[“”„″]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * True if the cell is the text form of the current value, with or without our escaping: then nothing is sent, and the
 * type of the value is kept. A blank cell is the text form of null.
 */
export function sameAsText(field: string, current: unknown, mapped: MappedValue): boolean {
  const form = textForm(field, current);
  if (form === mapped.text) return true;
  // Only for an export with a decimal comma: a typed `1,234` may mean a thousand.
  if (typeof current === 'number' && mapped.exact === true) return form.replace('.', ',') === mapped.text;
  return mapped.exact !== true && form === unescapeText(mapped.text);
}

/**
 * True if sending the cell would change nothing: its text is the text form of the current value, or its value is the
 * current value written in another way (`12.50` for 12.5, ` Falcon ` for Falcon).
 */
export function isUnchanged(field: string, current: unknown, mapped: MappedValue): boolean {
  if (sameAsText(field, current, mapped)) return true;
  if (mapped.issue !== undefined) return false;
  if (mapped.value === CLEAR) return isEmpty(field, current);
  const value = isCustom(field) ? castLike(current, mapped.text, mapped.value, mapped.decimal) : mapped.value;
  return sameJson(value, current);
}

/** The result of CLEAR: null, an empty list of tags, or no such custom field. */
function isEmpty(field: string, current: unknown): boolean {
  if (isCustom(field)) return current === undefined;
  return current === null || current === undefined || (Array.isArray(current) && current.length === 0);
}

function isCustom(field: string): boolean {
  return field.startsWith(CUSTOM_PREFIX);
}
