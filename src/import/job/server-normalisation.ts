/**
 * Decides whether an item of the server is the one that a row would have created.
 *
 * Compares every writable field, including those that the row did not send: an item with a brand does not match a row
 * without a brand. Servers change values as they store them (trimmed names, rounded values, sorted tags …).
 * Acknowledged creates show these changes, which are then applied to both sides of a comparison.
 */
import { type Item, type ItemCreate, WRITABLE_FIELDS, type WritableField } from '../../api/schemas.ts';
import { canonicalJson, sameJson } from '../../base/equal-json.ts';
import { type ServerNormalisation, StoreChange } from '../../ledger/job-parts.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { EMPTY, mayBeStoredAs, sameStored, storedForm, USUAL_CHANGES } from '../engine/equality.ts';
import { fieldOf } from '../engine/field-changes.ts';

/** Changes that servers make to values when they store them, finer ones first. */
const CHANGES = StoreChange.options;

/**
 * A server rounds in one of these ways: `round2` makes 1662.495 and 1662.5 equal, which `round0` keeps apart. `round2`
 * is `Math.round(x * 100) / 100`, `round2_half_up` rounds the decimal number, `round2_exact` the binary one.
 */
const ROUNDINGS: readonly StoreChange[] = ['round2', 'round2_half_up', 'round2_exact', 'round0'];

export function initialNormalisation(): ServerNormalisation {
  return {
    acknowledged: false,
    changes: [],
    defaults: {},
    opaque: [],
    unlike: [],
    kept: {},
    touchedMs: 0,
    timesOrder: 'unknown',
  };
}

type Content = Partial<Record<WritableField, unknown>>;
type Known = Pick<ServerNormalisation, 'changes' | 'defaults' | 'opaque'>;

/** The canonical text of one field's value after the changes; equal texts are equal values. */
function fieldKey(field: WritableField, value: unknown, changes: readonly StoreChange[]): string {
  return canonicalJson(storedForm(field, value, changes));
}

/** The text of a whole content: rows and items with equal texts are equal to this server. */
export function contentKey(content: Content, known: Known): string {
  return WRITABLE_FIELDS.filter((field) => !known.opaque.includes(field))
    .map((field) => fieldKey(field, valueOf(content, field, known), known.changes))
    .join('\n');
}

/** The canonical texts of all writable fields after every change, in the contract's order. */
export function normalisedFields(content: Content, known: Known): string[] {
  const changes = [...new Set([...known.changes, ...USUAL_CHANGES])];
  return WRITABLE_FIELDS.map((field) => fieldKey(field, valueOf(content, field, known), changes));
}

/** True if the item's times show that somebody has edited it since it was created. */
export function wasEdited(item: Item, { touchedMs }: Pick<ServerNormalisation, 'touchedMs'>): boolean {
  // A time that cannot be read shows nothing.
  return !(touchOf(item) <= touchedMs);
}

/**
 * True if the server cannot have made this item from that content: they differ in a field that it keeps as sent, by
 * more than the changes that the server is known to make.
 */
export function isNotMadeOf(item: Item, sent: Content, { kept }: Pick<ServerNormalisation, 'kept'>): boolean {
  return Object.entries(kept).some(([field, longest]) => {
    const value = fieldOf(sent as Item, field);
    if (value === undefined || value === null) return false;
    const stored = fieldOf(item, field);
    return !sameStored(field, value, stored, CHANGES) && !mayBeStoredAs(value, stored ?? '', longest);
  });
}

/**
 * True if a server may have made this item from that content: each field is as sent, or may be a changed form of it.
 */
export function mayBeMadeOf(
  item: Item,
  sent: ItemCreate,
  { kept, opaque, defaults }: Pick<ServerNormalisation, 'kept' | 'opaque' | 'defaults'>,
): boolean {
  return fieldsIn(sent, item).every((field) => {
    const stored = fieldOf(item, field);
    if (stored === undefined || opaque.includes(field)) return true;
    const value =
      fieldOf(sent as Partial<Item> as Item, field) ?? defaults[field] ?? EMPTY[field as WritableField];
    if (sameStored(field, value, stored, CHANGES)) return true;
    return typeof value === 'string' && value !== '' && mayBeStoredAs(value, stored ?? '', kept[field]);
  });
}

/** The opaque fields of a content, as text: contents that differ in these fields are not copies of each other. */
export function opaquePart(content: Content, { opaque }: Pick<ServerNormalisation, 'opaque'>): string {
  return canonicalJson(opaque.map((field) => fieldOf(content as Item, field) ?? null));
}

/** True if the opaque fields of the item may have been made from those that were sent. */
export function mayBeOpaqueOf(
  item: Item,
  sent: Content,
  { opaque, unlike }: Pick<ServerNormalisation, 'opaque' | 'unlike'>,
): boolean {
  return opaque.every((field) => {
    const value = fieldOf(sent as Item, field);
    // A value that is not a text does not show its origin.
    return unlike.includes(field) || typeof value !== 'string' || mayBeStoredAs(value, fieldOf(item, field));
  });
}

/** Adds the changes that an acknowledged create shows. Returns the same object if there are no new ones. */
export function withAcknowledged(
  normalisation: ServerNormalisation,
  sent: ItemCreate,
  stored: Item,
  mark: number | null,
): ServerNormalisation {
  if (isNoNews(normalisation, sent, stored, mark)) return normalisation;
  const next: ServerNormalisation = structuredClone(normalisation);
  next.acknowledged = true;
  const makeOpaque = (field: string) => {
    next.opaque.push(field);
    delete next.kept[field];
  };
  for (const field of fieldsIn(sent, stored)) {
    const [value, found] = [fieldOf(sent as Partial<Item> as Item, field), fieldOf(stored, field)];
    if (next.opaque.includes(field)) {
      if (isNotAlike(value, found) && !next.unlike.includes(field)) next.unlike.push(field);
      continue;
    }
    if (value === undefined) {
      // A field that the answer omits says nothing about what is stored.
      if (found === undefined) continue;
      const expected = next.defaults[field] ?? EMPTY[field as WritableField];
      if (sameStored(field, found, expected, next.changes)) continue;
      // One value is a default; two are computed by the server (an estimate, for example).
      if (normalisation.acknowledged) makeOpaque(field);
      else next.defaults[field] = found;
      continue;
    }
    const changes = sameStored(field, value, found, next.changes)
      ? next.changes
      : fewestChanges(field, value, found, next.changes);
    if (changes === undefined) {
      makeOpaque(field);
      if (isNotAlike(value, found)) next.unlike.push(field);
      continue;
    }
    next.changes = changes;
    if (isKept(value, found)) next.kept[field] = Math.max(next.kept[field] ?? 0, lengthKept(value));
  }
  next.touchedMs = Math.max(next.touchedMs, touchOf(stored) || 0);
  next.timesOrder = timesOrderAfter(normalisation, stored, mark);
  return sameJson(next, normalisation) ? normalisation : next;
}

/**
 * Most answers show exactly what was sent. This check does without canonical texts, which took a tenth of an import's
 * time.
 */
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
  if (touchOf(stored) > normalisation.touchedMs) return false;
  for (const field of fieldsIn(sent, stored)) {
    const [value, found] = [fieldOf(sent as Partial<Item> as Item, field), fieldOf(stored, field)];
    if (value === undefined && found === undefined) continue;
    if (normalisation.opaque.includes(field)) {
      if (isNotAlike(value, found) && !normalisation.unlike.includes(field)) return false;
      continue;
    }
    const expected = value ?? normalisation.defaults[field] ?? EMPTY[field as WritableField];
    if (!sameJson(expected, found)) return false;
    if (isKept(value, found) && lengthKept(value) > (normalisation.kept[field] ?? -1)) return false;
  }
  return true;
}

/** The fields of the contract, and each custom field of either content. */
function fieldsIn(sent: ItemCreate, stored: Item): string[] {
  const custom = new Set([
    ...Object.keys(sent.custom_fields ?? {}),
    ...Object.keys(stored.custom_fields ?? {}),
  ]);
  return [...PLAIN_FIELDS, ...[...custom].map((name) => CUSTOM_PREFIX + name)];
}

const PLAIN_FIELDS = WRITABLE_FIELDS.filter((field) => field !== 'custom_fields');

/** Even servers that keep nothing else keep null and empty values. */
function isKept(value: unknown, found: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && sameJson(value, found);
}

/** A power of two, so that the value rarely changes. */
function lengthKept(value: unknown): number {
  return typeof value === 'string' && value !== '' ? 2 ** Math.floor(Math.log2(value.length)) : 0;
}

function isNotAlike(value: unknown, found: unknown): boolean {
  return value !== undefined && !mayBeStoredAs(value, found);
}

function touchOf({ created_at: created, updated_at: updated }: Item): number {
  return Date.parse(updated) - Date.parse(created);
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

/** The known changes, with the fewest additional ones that explain the stored value; undefined if no changes do. */
function fewestChanges(
  field: string,
  sent: unknown,
  stored: unknown,
  known: readonly StoreChange[],
): StoreChange[] | undefined {
  const all = [...new Set([...known, ...CHANGES.filter((each) => !ROUNDINGS.includes(each))])];
  let found = [all, ...ROUNDINGS.map((rounding) => [...all, rounding])].find((changes) =>
    sameStored(field, sent, stored, changes),
  );
  if (found === undefined) return undefined;
  // Drops the coarsest first, so that of two explanations the finer one stays.
  for (const each of [...CHANGES].reverse()) {
    if (known.includes(each)) continue;
    const without: StoreChange[] = found.filter((change) => change !== each);
    if (sameStored(field, sent, stored, without)) found = without;
  }
  return found;
}

function valueOf(content: Content, field: WritableField, { defaults, opaque }: Known): unknown {
  const value = content[field] === undefined ? (defaults[field] ?? EMPTY[field]) : content[field];
  if (field !== 'custom_fields') return value;
  const custom = new Map<string, unknown>(
    Object.entries(value as object).map(([name, each]) => [CUSTOM_PREFIX + name, each]),
  );
  for (const [name, each] of Object.entries(defaults))
    if (name.startsWith(CUSTOM_PREFIX) && !custom.has(name)) custom.set(name, each);
  for (const name of opaque) custom.delete(name);
  return Object.fromEntries(custom);
}
