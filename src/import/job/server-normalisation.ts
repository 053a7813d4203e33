/**
 * Decides whether an item of the server is the one that a row would have created.
 *
 * Compares every writable field, including those that the row did not send: an item with a brand is not the one that
 * was sent without a brand. Servers change values as they store them (trimmed names, rounded values, sorted tags …).
 * Acknowledged creates show these changes, which are then applied to both sides of a comparison.
 */
import { Big } from 'big.js';
import { type Item, type ItemCreate, WRITABLE_FIELDS, type WritableField } from '../../api/schemas.ts';
import type { ServerNormalisation, StoreChange } from '../../ledger/job-options.ts';

/** Ways in which servers change values as they store them, finer ones first. */
const CHANGES = [
  'trim',
  'spaces',
  'nfc',
  'nfkc',
  'case_of_tags',
  'tag_order',
  'round2',
  'round2_half_up',
  'round2_exact',
  'round0',
  'empty_as_null',
] as const satisfies StoreChange[];

/**
 * A server rounds in one of these ways: `round2` makes 1662.495 and 1662.5 equal, which `round0` keeps apart. `round2`
 * is `Math.round(x * 100) / 100`, `round2_half_up` rounds the decimal number, `round2_exact` the binary one.
 */
const ROUNDINGS: readonly StoreChange[] = ['round2', 'round2_half_up', 'round2_exact', 'round0'];

export function initialNormalisation(): ServerNormalisation {
  return { acknowledged: false, changes: [], defaults: {}, opaque: [], timesOrder: 'unknown' };
}

/** The changes that one-to-one similarity ignores (design §4, settling, 6). */
const EVERY_CHANGE: readonly StoreChange[] = [
  'trim',
  'spaces',
  'nfkc',
  'tag_order',
  'round2',
  'empty_as_null',
];

type Content = Partial<Record<WritableField, unknown>>;

const EMPTY: Record<WritableField, unknown> = {
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

/** The canonical text of one field's value after the changes; equal texts are equal values. */
function fieldKey(field: WritableField, value: unknown, changes: readonly StoreChange[]): string {
  return JSON.stringify(canonical(storedForm(field, value, changes)));
}

/** The text of a whole content: rows and items with equal keys are equal to this server. */
export function contentKey(
  content: Content,
  normalisation: Pick<ServerNormalisation, 'changes' | 'defaults' | 'opaque'>,
): string {
  return WRITABLE_FIELDS.filter((field) => !normalisation.opaque.includes(field))
    .map((field) => fieldKey(field, valueOf(content, field, normalisation.defaults), normalisation.changes))
    .join('\n');
}

/** True if two values of a field mean the same: absent, null and empty are equal; objects compare by content. */
export function sameValue(field: WritableField, a: unknown, b: unknown): boolean {
  const empty = EMPTY[field];
  return fieldKey(field, a ?? empty, []) === fieldKey(field, b ?? empty, []);
}

/** True if two values of a field differ at most by changes that servers are known to make. */
export function alikeValue(field: WritableField, a: unknown, b: unknown): boolean {
  const empty = EMPTY[field];
  return fieldKey(field, a ?? empty, EVERY_CHANGE) === fieldKey(field, b ?? empty, EVERY_CHANGE);
}

/** The canonical texts of all writable fields after every change, in the contract's order. */
export function normalisedFields(
  content: Content,
  normalisation: Pick<ServerNormalisation, 'changes' | 'defaults'>,
): string[] {
  const changes = [...new Set([...normalisation.changes, ...EVERY_CHANGE])];
  return WRITABLE_FIELDS.map((field) =>
    fieldKey(field, valueOf(content, field, normalisation.defaults), changes),
  );
}

/** Adds what an acknowledged create shows. Returns the same object if nothing is new. */
export function withAcknowledged(
  normalisation: ServerNormalisation,
  sent: ItemCreate,
  stored: Item,
  mark: number | null,
): ServerNormalisation {
  if (isNoNews(normalisation, sent, stored, mark)) return normalisation;
  const next: ServerNormalisation = structuredClone(normalisation);
  next.acknowledged = true;
  for (const field of WRITABLE_FIELDS) {
    if (next.opaque.includes(field)) continue;
    if (sent[field] === undefined) {
      // A field that the answer omits says nothing about what is stored.
      if (stored[field] === undefined) continue;
      const expected = next.defaults[field] ?? EMPTY[field];
      if (fieldKey(field, stored[field], next.changes) === fieldKey(field, expected, next.changes)) continue;
      // One value is a default; two are computed by the server (an estimate, for example).
      if (normalisation.acknowledged) next.opaque.push(field);
      else next.defaults[field] = stored[field];
      continue;
    }
    if (agrees(field, sent, stored, next.changes)) continue;
    const changes = fewestChanges(field, sent, stored, next.changes);
    if (changes === undefined) next.opaque.push(field);
    else next.changes = changes;
  }
  next.timesOrder = timesOrderAfter(normalisation, stored, mark);
  return JSON.stringify(next) === JSON.stringify(normalisation) ? normalisation : next;
}

/** Most answers show exactly what was sent. Checked without canonical texts, which took a tenth of an import's time. */
function isNoNews(
  normalisation: ServerNormalisation,
  sent: ItemCreate,
  stored: Item,
  mark: number | null,
): boolean {
  if (
    !normalisation.acknowledged ||
    timesOrderAfter(normalisation, stored, mark) !== normalisation.timesOrder
  )
    return false;
  for (const field of WRITABLE_FIELDS) {
    const value = stored[field];
    const expected =
      sent[field] === undefined ? (normalisation.defaults[field] ?? EMPTY[field]) : sent[field];
    if (sent[field] === undefined && value === undefined) continue;
    if (!isIdentical(expected, value) && !normalisation.opaque.includes(field)) return false;
  }
  return true;
}

/** Deep equality; the order of an object's keys does not count. */
function isIdentical(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  const other = b as Record<string, unknown>;
  return keys.every(
    (key) => Object.hasOwn(other, key) && isIdentical((a as Record<string, unknown>)[key], other[key]),
  );
}

function timesOrderAfter(
  normalisation: ServerNormalisation,
  stored: Item,
  mark: number | null,
): ServerNormalisation['timesOrder'] {
  if (mark === null || normalisation.timesOrder === 'no') return normalisation.timesOrder;
  const created = Date.parse(stored.created_at);
  if (Number.isNaN(created)) return normalisation.timesOrder;
  return created < mark - CLOCK_SLACK_MS ? 'no' : 'yes';
}

/** Two times of one server may be this far out of order (design §4). */
export const CLOCK_SLACK_MS = 2 * 60_000;

/** The known changes, and the fewest others that explain what was stored; undefined if none do. */
function fewestChanges(
  field: WritableField,
  sent: Content,
  stored: Content,
  known: readonly StoreChange[],
): StoreChange[] | undefined {
  const all = [...new Set([...known, ...CHANGES.filter((each) => !ROUNDINGS.includes(each))])];
  let found = [all, ...ROUNDINGS.map((rounding) => [...all, rounding])].find((changes) =>
    agrees(field, sent, stored, changes),
  );
  if (found === undefined) return undefined;
  // Drops the coarsest first, so that of two explanations the finer one stays.
  for (const each of [...CHANGES].reverse()) {
    if (known.includes(each)) continue;
    const without: StoreChange[] = found.filter((change) => change !== each);
    if (agrees(field, sent, stored, without)) found = without;
  }
  return found;
}

function agrees(
  field: WritableField,
  sent: Content,
  stored: Content,
  changes: readonly StoreChange[],
): boolean {
  return (
    fieldKey(field, valueOf(sent, field, {}), changes) ===
    fieldKey(field, valueOf(stored, field, {}), changes)
  );
}

function valueOf(content: Content, field: WritableField, defaults: Content): unknown {
  const value = content[field];
  if (value !== undefined) return value;
  return defaults[field] ?? EMPTY[field];
}

/** The value as a server stores it that makes these changes. */
export function storedForm(field: WritableField, value: unknown, changes: readonly StoreChange[]): unknown {
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
  if (field === 'custom_fields' && typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        typeof each === 'string' ? text(each, changes) : each,
      ]),
    );
  }
  return value;
}

function text(value: string, changes: readonly StoreChange[]): string {
  let result = value;
  if (changes.includes('nfkc')) result = result.normalize('NFKC');
  else if (changes.includes('nfc')) result = result.normalize('NFC');
  if (changes.includes('spaces')) result = result.replace(/\s+/g, ' ');
  return changes.includes('trim') ? result.trim() : result;
}

/** Objects with their keys in order, so that equal objects have equal texts. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, canonical(each)]),
  );
}
