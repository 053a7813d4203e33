/**
 * The contract's resources and requests as types (api-v1.md §2, §4), with the words that an editor shows. The schemas that
 * check them are in schemas.ts; a test keeps both the same.
 */
/** What the owner does with an item. `archived` is the nearest that the API has to a deletion. */
export type ItemStatus = 'keep' | 'sell' | 'trade' | 'sold' | 'archived';

/** The conditions that the API accepts. */
export type ItemCondition = 'mint_on_card' | 'loose_mint' | 'loose_good' | 'loose_fair' | 'damaged';

/** The kinds of packaging that the API accepts. */
export type ItemPackaging = 'in_package' | 'opened' | 'loose' | 'custom';

/** An item of the collection, as the API returns it. Fields that the contract does not name are kept. */
export interface Item {
  object: 'item';
  /** UUID. */
  id: string;
  /** 1 to 255 characters. */
  name: string;
  brand?: string | null | undefined;
  series?: string | null | undefined;
  /** 1968 to 2100. */
  release_year?: number | null | undefined;
  /** One of mint_on_card, loose_mint, loose_good, loose_fair and damaged; other texts may come from other programs. */
  condition?: string | null | undefined;
  /** One of in_package, opened, loose and custom; other texts may come from other programs. */
  packaging?: string | null | undefined;
  status: ItemStatus;
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
  [field: string]: unknown;
}

/** A collection of a team, as the API returns it. */
export interface Collection {
  object: 'collection';
  /** UUID. */
  id: string;
  name: string;
  description?: string | null | undefined;
  /** True if everybody can see its items. */
  is_public: boolean;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
  [field: string]: unknown;
}

/** Totals of all sales. Amounts are whole numbers in minor units (cents); the API does not name their currency. */
export interface SalesSummary {
  object: 'sales_summary';
  /** Number of completed sales. */
  completed_count: number;
  gross_cents: number;
  fee_cents: number;
  net_payout_cents: number;
  refunded_cents?: number | undefined;
  refunded_count?: number | undefined;
  disputed_count?: number | undefined;
  pending_count?: number | undefined;
  [field: string]: unknown;
}

/** Where a page of a list stands. */
export interface Pagination {
  /** From 1. */
  page: number;
  per_page: number;
  /** True if another page follows. */
  has_more: boolean;
  [field: string]: unknown;
}

/** The fields of an item that a program may write. */
export interface ItemUpdate {
  /** UUID of the collection to move the item to. */
  collection_id?: string | undefined;
  /** 1 to 255 characters. */
  name?: string | undefined;
  brand?: string | null | undefined;
  series?: string | null | undefined;
  /** 1968 to 2100. */
  release_year?: number | null | undefined;
  condition?: ItemCondition | null | undefined;
  packaging?: ItemPackaging | null | undefined;
  status?: ItemStatus | undefined;
  /** Replaces all tags. */
  tags?: string[] | undefined;
  /** Any JSON by name. */
  custom_fields?: Record<string, unknown> | undefined;
  /** In major units of the item's currency, at least 0: 12.5 is 12 dollars 50. */
  estimated_value?: number | null | undefined;
}

/** The fields of a new item. The service gives it `status` keep, if there is none. */
export interface ItemCreate extends ItemUpdate {
  /** UUID of an existing collection. */
  collection_id: string;
  /** 1 to 255 characters. */
  name: string;
}
