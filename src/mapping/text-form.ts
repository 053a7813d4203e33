/**
 * The text form of an item's values: what our exports write, and how a cell is recognised as unchanged.
 *
 * null, absent and '' are all '': a blank cell means "leave alone", so a round trip loses none of them. Every other
 * value has a form that no other value of its type has.
 */
import { plainNumber } from '../sheets/cell.ts';
import { jsonValue } from './casts/custom-field.ts';
import { castExactTags } from './casts/tags.ts';
import { sameJson } from '../base/equal-json.ts';
import { exactNumber } from '../base/exact-json.ts';

/**
 * The text that our exports write for a value, before any escaping: numbers in plain digits with a point,
 * tags joined by `; ` (as a JSON list if splitting would not give the same tags), custom fields as text, digits,
 * `true`/`false` or JSON.
 *
 * @param field a field of the contract, or `custom_fields.NAME`
 */
export function textForm(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (field === 'tags' && Array.isArray(value)) return tagsForm(value as string[]);
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return plainNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return JSON.stringify(value);
  }
}

/** The same for people: a tag with a comma is in quotes, because it looks like several tags. */
export function shownForm(field: string, value: unknown): string {
  const tags = field === 'tags' && Array.isArray(value) ? (value as string[]) : [];
  if (!tags.some((tag) => tag.includes(','))) return textForm(field, value);
  return tags.map((tag) => (/[,;|"]/.test(tag) ? JSON.stringify(tag) : tag)).join('; ');
}

/** All Unicode white space, such as NBSP: people cannot see which one a cell contains, and servers collapse it. */
const SPACES = /[\s\u0085\u180e]+/gu;

/** How match keys and expressions compare texts: case, outer spaces and the Unicode form do not count. */
export function comparable(text: string): string {
  return text.normalize('NFC').replace(SPACES, ' ').trim().toLowerCase();
}

/** A tag of plain words, which cannot be split, trimmed or parsed. */
const PLAIN_TAG = /^[\w\u00c0-\u024f]+(?:[ .-][\w\u00c0-\u024f]+)*$/;

function tagsForm(tags: string[]): string {
  // Most tags are plain; testing how they split takes three times as long.
  const [first] = tags;
  if (first === undefined) return '';
  if (tags.length === 1 && PLAIN_TAG.test(first)) return first;
  if (tags.length < 9 && tags.every((tag, index) => PLAIN_TAG.test(tag) && tags.indexOf(tag) === index)) {
    return tags.join('; ');
  }
  const joined = tags.join('; ');
  return sameJson(castExactTags(joined), tags) ? joined : JSON.stringify(tags);
}

/**
 * The new value of a custom field, with the type of the current value if the text allows it: `6` for a field
 * that holds 5 is the number 6, and for one that holds "5" the text "6".
 *
 * @param otherwise the value if the item has no such field yet: the cell's own value; the text by default
 */
export function castLike(current: unknown, text: string, otherwise: unknown = text): unknown {
  if (current === null || current === undefined) return otherwise;
  const trimmed = text.trim();
  switch (typeof current) {
    case 'number': {
      // A decimal comma is certain unless three digits follow it.
      const plain = /^-?\d+,(?:\d{1,2}|\d{4,})$/.test(trimmed) ? trimmed.replace(',', '.') : trimmed;
      return exactNumber(plain) ?? text;
    }
    case 'boolean':
      return /^(?:true|false)$/i.test(trimmed) ? trimmed.toLowerCase() === 'true' : text;
    case 'object':
      return jsonValue(trimmed) ?? otherwise;
    default:
      return text;
  }
}
