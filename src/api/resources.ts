/**
 * The contract's resources and requests as types (api-v1.md §2, §4), with the descriptions that editors show. Their
 * schemas are in schemas.ts; a test keeps both in step.
 */
/** The status that the owner gives an item. `archived` is the closest that the API has to a deletion. */
export type ItemStatus = 'keep' | 'sell' | 'trade' | 'sold' | 'archived';

/** The conditions that the API accepts. */
export type ItemCondition = 'mint_on_card' | 'loose_mint' | 'loose_good' | 'loose_fair' | 'damaged';

/** The kinds of packaging that the API accepts. */
export type ItemPackaging = 'in_package' | 'opened' | 'loose' | 'custom';

/**
 * An item of the collection, as the API returns it.
 *
 * @typeParam Extra fields of this API that are not in the contract: `Item<{ location: string }>`. They are preserved.
 */
export type Item<Extra = unknown> = {
  /** Always `item`. */
  object: 'item';
  /** UUID. */
  id: string;
  /** 1 to 255 characters. */
  name: string;
  /** Null or absent if unknown. */
  brand?: string | null | undefined;
  /** Null or absent if unknown. */
  series?: string | null | undefined;
  /** 1968 to 2100. */
  release_year?: number | null | undefined;
  /** One of mint_on_card, loose_mint, loose_good, loose_fair and damaged; other texts may come from other programs. */
  condition?: string | null | undefined;
  /** One of in_package, opened, loose and custom; other texts may come from other programs. */
  packaging?: string | null | undefined;
  /** The owner's plan for the item. */
  status: ItemStatus;
  /** In the order of the service. */
  tags?: string[] | undefined;
  /** Any JSON by name. */
  custom_fields?: Record<string, unknown> | undefined;
  /** UUID of the item's collection. */
  collection_id: string;
  /** In major units of `currency`: 12.5 is 12 dollars 50. */
  estimated_value?: number | null | undefined;
  /** Code of three letters, which the service decides: `usd`. */
  currency: string;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
} & Extra;

/** A collection of a team, as the API returns it. */
export type Collection = {
  /** Always `collection`. */
  object: 'collection';
  /** UUID. */
  id: string;
  /** Need not be unique. */
  name: string;
  /** Null or absent if there is no description. */
  description?: string | null | undefined;
  /** True if its items are public. */
  is_public: boolean;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
};

/** Totals of all sales. Amounts are whole numbers in minor units (cents); the API does not name their currency. */
export type SalesSummary = {
  /** Always `sales_summary`. */
  object: 'sales_summary';
  /** Number of completed sales. */
  completed_count: number;
  /** Amount that buyers paid, in minor units. */
  gross_cents: number;
  /** Fees of the service, in minor units. */
  fee_cents: number;
  /** Amount paid out or to be paid out, in minor units. */
  net_payout_cents: number;
  /** In minor units; absent if the service does not say. */
  refunded_cents?: number | undefined;
  /** Number of refunded sales. */
  refunded_count?: number | undefined;
  /** Number of disputed sales. */
  disputed_count?: number | undefined;
  /** Number of sales that are not completed. */
  pending_count?: number | undefined;
};

/** The position of a page in its list. */
export type Pagination = {
  /** From 1. */
  page: number;
  /** Entries a page, at most 100. */
  per_page: number;
  /** True if another page follows. */
  has_more: boolean;
};

/** The fields of an item that a program may write. */
export interface ItemUpdate {
  /** UUID of the collection to move the item to. */
  collection_id?: string | undefined;
  /** 1 to 255 characters. */
  name?: string | undefined;
  /** Null empties it. */
  brand?: string | null | undefined;
  /** Null empties it. */
  series?: string | null | undefined;
  /** 1968 to 2100. */
  release_year?: number | null | undefined;
  /** Null empties it. */
  condition?: ItemCondition | null | undefined;
  /** Null empties it. */
  packaging?: ItemPackaging | null | undefined;
  /** The owner's plan for the item. */
  status?: ItemStatus | undefined;
  /** Replaces all tags. */
  tags?: string[] | undefined;
  /** Any JSON by name. */
  custom_fields?: Record<string, unknown> | undefined;
  /** In major units of the item's currency, at least 0: 12.5 is 12 dollars 50. */
  estimated_value?: number | null | undefined;
}

/** The fields of a new item. Without a status, the service sets `keep`. */
export interface ItemCreate extends ItemUpdate {
  /** UUID of an existing collection. */
  collection_id: string;
  /** 1 to 255 characters. */
  name: string;
}
