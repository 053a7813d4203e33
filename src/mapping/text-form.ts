/**
 * The text form of an item's values: what our exports write, and how a cell is recognised as unchanged.
 *
 * null, absent and '' are all '': a blank cell means "leave alone", so a round trip loses none of them. Every other
 * value has a form that no other value of its type has.
 */
import { plainNumber } from '../sheets/cell.ts';
import { CastProblem } from './casts/cast.ts';
import { jsonValue } from './casts/custom-field.ts';
import { type DecimalStyle, parseDecimal } from './casts/decimal.ts';
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

/** `1.250` and `1,250` have two readings: with a decimal mark, and with grouped thousands. */
export function twoReadings(text: string): Record<DecimalStyle, number> | undefined {
  const parsed = MARKED.test(text.trim()) ? parseDecimal(text.trim(), true) : undefined;
  return parsed instanceof CastProblem ? undefined : parsed?.ambiguous;
}

const MARKED = /^-?\d[\d.,'’\s]*$/u;

/** The number, unless it would lose digits. Without a decimal mark, a comma before three digits has two readings. */
function numberIn(text: string, decimal?: DecimalStyle): number | undefined {
  const two = twoReadings(text);
  if (two !== undefined && (decimal !== undefined || text.includes(','))) return decimal && two[decimal];
  const plain = exactNumber(text);
  if (plain !== undefined || !MARKED.test(text)) return plain;
  const parsed = parseDecimal(text, true);
  if (parsed instanceof CastProblem || parsed.value === undefined) return undefined;
  const isWhole = text.replace(/\D/g, '').length <= DIGITS_KEPT;
  return isWhole ? parsed.value : undefined;
}

/** A number of JavaScript keeps this many digits exactly. */
const DIGITS_KEPT = 15;

/**
 * The new value of a custom field, with the type of the current value if the text allows it: `6` for a field
 * that holds 5 is the number 6, and for one that holds "5" the text "6".
 *
 * @param otherwise the value if the item has no such field yet: the cell's own value; the text by default
 * @param decimal the decimal mark of the text, if it is known
 */
export function castLike(
  current: unknown,
  text: string,
  otherwise: unknown = text,
  decimal?: DecimalStyle,
): unknown {
  if (current === null || current === undefined) return otherwise;
  const trimmed = text.trim();
  switch (typeof current) {
    case 'number':
      return numberIn(trimmed, decimal) ?? text;
    case 'boolean':
      return /^(?:true|false)$/i.test(trimmed) ? trimmed.toLowerCase() === 'true' : text;
    case 'object':
      return jsonValue(trimmed) ?? otherwise;
    default:
      return text;
  }
}
