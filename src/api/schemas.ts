/**
 * The contract's resources, requests and envelopes (api-v1.md), as zod schemas; each type is `z.infer` of its schema
 * and shares its name. Requests are strict, because the server rejects unknown properties (§4); responses are loose,
 * because additive fields may appear and must be kept (§9).
 *
 * `meta` has the parts of a description in JSON Schema that these schemas cannot express: bounds that a function
 * checks, formats that are not checked on read, and the server's defaults.
 */
import { z } from 'zod';
import { ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES } from './item-words.ts';
import type * as resources from './resources.ts';

/** Path prefix of every operation (§1, §9). */
export const API_PREFIX = '/api/public/v1';

export { ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES };
/** §5.3 */
export const SCOPES = [
  'items:read',
  'items:write',
  'collections:read',
  'marketplace:read',
  'analytics:read',
] as const;

/** §8 Limits. */
export const NAME_MAX = 255;
export const RELEASE_YEAR_MIN = 1968;
export const RELEASE_YEAR_MAX = 2100;
export const ESTIMATED_VALUE_MIN = 0;
export const PER_PAGE_MAX = 100;
export const PER_PAGE_DEFAULT = 20;

export type ItemStatus = resources.ItemStatus;
export const ItemStatus = z.enum(ITEM_STATUSES);
export type ItemCondition = resources.ItemCondition;
export const ItemCondition = z.enum(ITEM_CONDITIONS);
export type ItemPackaging = resources.ItemPackaging;
export const ItemPackaging = z.enum(ITEM_PACKAGINGS);
/** The permissions of a key (contract §1). */
export type Scope = (typeof SCOPES)[number];

/** "String in UUID format" (§4): any version, either case. */
const Uuid = z.guid();
/** §2 "string, date-time". Not checked: an odd timestamp is no reason to refuse an answer. */
const DateTime = z.string().meta({ format: 'date-time' });
const CustomFields = z.record(z.string(), z.unknown());

export type Item<Extra = unknown> = resources.Item<Extra>;

/** §2 Item. Condition and packaging are any string on read: only writes list the accepted values. */
export const Item = z.looseObject({
  object: z.literal('item'),
  id: Uuid,
  name: z.string(),
  brand: z.string().nullish(),
  series: z.string().nullish(),
  release_year: z.int().nullish(),
  condition: z.string().nullish(),
  packaging: z.string().nullish(),
  status: ItemStatus,
  tags: z.array(z.string()).optional(),
  custom_fields: CustomFields.optional(),
  collection_id: Uuid,
  estimated_value: z.number().nullish(),
  currency: z.string(),
  created_at: DateTime,
  updated_at: DateTime,
});

/** §2 Item: not required in a response. */
export const OPTIONAL_FIELDS = [
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'tags',
  'custom_fields',
  'estimated_value',
] as const;

export type OptionalField = (typeof OPTIONAL_FIELDS)[number];

export type Collection = resources.Collection;

/** §2 Collection. */
export const Collection = z.looseObject({
  object: z.literal('collection'),
  id: Uuid,
  name: z.string(),
  description: z.string().nullish(),
  is_public: z.boolean(),
  created_at: DateTime,
  updated_at: DateTime,
});

export type SalesSummary = resources.SalesSummary;

/** §2 SalesSummary. Amounts are integers in minor currency units; which currency is not shown. */
export const SalesSummary = z.looseObject({
  object: z.literal('sales_summary'),
  completed_count: z.int(),
  gross_cents: z.int(),
  fee_cents: z.int(),
  net_payout_cents: z.int(),
  refunded_cents: z.int().optional(),
  refunded_count: z.int().optional(),
  disputed_count: z.int().optional(),
  pending_count: z.int().optional(),
});

/**
 * Some servers send null for a missing total (§2: not required). Null means the same as absent: blank everywhere, and
 * never 0.
 */
export const SalesSummaryAnswer = z.preprocess((answer) => {
  if (typeof answer !== 'object' || answer === null) return answer;
  const optional = Object.entries(SalesSummary.shape).filter(([, field]) => field instanceof z.ZodOptional);
  const names = new Set(optional.map(([name]) => name));
  return Object.fromEntries(
    Object.entries(answer).filter(([name, value]) => value !== null || !names.has(name)),
  );
}, SalesSummary);

/** §2 Pagination object. */
export const Pagination = z.looseObject({ page: z.int(), per_page: z.int(), has_more: z.boolean() });
export type Pagination = resources.Pagination;

/** §2 List envelope around one of the listed resources. */
function listOf<T extends z.ZodType>(resource: T) {
  return z.looseObject({ object: z.literal('list'), data: z.array(resource), pagination: Pagination });
}
export const ItemList = listOf(Item);
export type ItemList = z.infer<typeof ItemList>;
export const CollectionList = listOf(Collection);
export type CollectionList = z.infer<typeof CollectionList>;

/** §7 Error envelope. */
export const ErrorEnvelope = z.looseObject({
  error: z.looseObject({ type: z.string(), message: z.string() }),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/**
 * The eleven writable fields with their bounds (§4 ItemCreate, §8). "length 1 to 255" does not name a unit; here it
 * means Unicode code points. See mapping for rows near the bound.
 */
const writableFields = {
  collection_id: Uuid,
  name: z
    .string()
    .refine((name) => name.length >= 1 && codePoints(name) <= NAME_MAX, {
      message: `expected 1 to ${NAME_MAX} characters`,
    })
    .meta({ minLength: 1, maxLength: NAME_MAX }),
  brand: z.string().nullable(),
  series: z.string().nullable(),
  release_year: z.int().min(RELEASE_YEAR_MIN).max(RELEASE_YEAR_MAX).nullable(),
  condition: ItemCondition.nullable(),
  packaging: ItemPackaging.nullable(),
  status: ItemStatus,
  tags: z.array(z.string()),
  custom_fields: CustomFields,
  estimated_value: z.number().min(ESTIMATED_VALUE_MIN).nullable(),
};

function codePoints(text: string): number {
  // The length in UTF-16 units is never less, so most names need no walk.
  return text.length <= NAME_MAX ? text.length : [...text].length;
}

export type ItemUpdate = resources.ItemUpdate;

export type ItemCreate = resources.ItemCreate;

/**
 * §4 ItemCreate: collection_id and name are required; status defaults to keep on the server, and is not
 * defaulted here so that exactly the values of the row are sent.
 */
export const ItemCreate = z.strictObject({
  ...z.strictObject(writableFields).partial().shape,
  collection_id: writableFields.collection_id,
  name: writableFields.name,
  status: ItemStatus.optional().meta({ default: 'keep' }),
});

/** §4 ItemUpdate: any subset, at least one property; status has no default. */
export const ItemUpdate = z
  .strictObject(writableFields)
  .partial()
  .refine((update) => Object.keys(update).length > 0, { message: 'expected at least one property' })
  .meta({ minProperties: 1 });

/** The writable fields in the contract's order (§4). */
export const WRITABLE_FIELDS = Object.keys(writableFields) as (keyof typeof writableFields)[];
export type WritableField = (typeof WRITABLE_FIELDS)[number];

/** §4 query of the list operations. */
export const PageQuery = z.object({
  page: z.int().min(1).optional().meta({ default: 1 }),
  per_page: z.int().min(1).max(PER_PAGE_MAX).optional().meta({ default: PER_PAGE_DEFAULT }),
});
export const ListItemsQuery = PageQuery.extend({ status: ItemStatus.optional() });
export type ListItemsQuery = z.infer<typeof ListItemsQuery>;
