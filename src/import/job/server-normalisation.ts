/**
 * Decides whether an item of the server is the one that a row would have created.
 *
 * Compares every writable field, including those that the row did not send: an item with a brand is not the one that
 * was sent without a brand. Servers change values as they store them (trimmed names, rounded values, sorted tags …).
 * Acknowledged creates show these changes, which are then applied to both sides of a comparison.
 */
import { type Item, type ItemCreate, WRITABLE_FIELDS, type WritableField } from '../../api/schemas.ts';
import { canonicalJson, sameJson } from '../../equal-json.ts';
import type { ServerNormalisation, StoreChange } from '../../ledger/job-options.ts';
import { EMPTY, sameStored, storedForm, USUAL_CHANGES } from '../engine/equality.ts';

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

type Content = Partial<Record<WritableField, unknown>>;

/** The canonical text of one field's value after the changes; equal texts are equal values. */
function fieldKey(field: WritableField, value: unknown, changes: readonly StoreChange[]): string {
  return canonicalJson(storedForm(field, value, changes));
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

/** The canonical texts of all writable fields after every change, in the contract's order. */
export function normalisedFields(
  content: Content,
  normalisation: Pick<ServerNormalisation, 'changes' | 'defaults'>,
): string[] {
  const changes = [...new Set([...normalisation.changes, ...USUAL_CHANGES])];
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
      if (sameStored(field, stored[field], expected, next.changes)) continue;
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
  return sameJson(next, normalisation) ? normalisation : next;
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
    if (!sameJson(expected, value) && !normalisation.opaque.includes(field)) return false;
  }
  return true;
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
  return sameStored(field, sent[field], stored[field], changes);
}

function valueOf(content: Content, field: WritableField, defaults: Content): unknown {
  const value = content[field];
  if (value !== undefined) return value;
  return defaults[field] ?? EMPTY[field];
}
