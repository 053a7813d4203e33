/**
 * The settings of a sandbox: at its start (SandboxOptions) and, in part, while it runs (limits, faults, latency).
 * The schemas validate input from the control surface.
 */
import { z } from 'zod';

/** Faults of a request that passed key, rate limit and scope; see FaultRates. */
export const FAULT_KINDS = [
  'dropAfterCommit',
  'dropBefore',
  'error500',
  'html502',
  'cutBody',
  'stall',
  'lateCommit',
] as const;
/** A fault of a request; FaultRates says what each does. */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The contract's operations (api-v1 §4), by their names there. */
export const OPERATION_NAMES = [
  'listItems',
  'createItem',
  'getItem',
  'updateItem',
  'listCollections',
  'listListings',
  'getSalesSummary',
] as const;
/** An operation of the API, by its name in the contract. */
export type OperationName = (typeof OPERATION_NAMES)[number];

/** The default team's key, with every scope. It is public and opens only a sandbox. */
export const SANDBOX_KEY = 'sandbox-key-for-tests-only';

export const LIMITER_KINDS = ['fixed', 'sliding', 'bucket'] as const;
/**
 * fixed: consecutive windows, each with the whole budget. sliding: at most `limit` in any `windowMs`. bucket: at most
 * `limit` tokens, refilled evenly over `windowMs`.
 */
export type LimiterKind = (typeof LIMITER_KINDS)[number];

export const HEADER_STYLES = [
  'draft3',
  'draft3-on-429',
  'policy',
  'structured',
  'retry-after',
  'epoch',
  'none',
] as const;
/** The headers that carry the limit; the contract names none (api-v1 §8). See limits/rate-headers.ts. */
export type HeaderStyle = (typeof HEADER_STYLES)[number];

/** `limit` requests per key in `windowMs` milliseconds. */
export interface RateLimit {
  /** Requests. */
  limit: number;
  /** Milliseconds. */
  windowMs: number;
}
export const RateLimitForm = z.strictObject({ limit: z.int().min(1), windowMs: z.int().min(1) });

const probability = z.number().min(0).max(1);

/**
 * Probabilities, 0 to 1, of each fault for a request that passed key, rate limit and scope. Their sum is at most 1,
 * because a request gets at most one fault.
 */
export interface FaultRates {
  /** Applied, then the connection is closed or reset instead of an answer. */
  dropAfterCommit?: number | undefined;
  /** The connection is closed or reset, and nothing is applied. */
  dropBefore?: number | undefined;
  /** A 500 with the error envelope; the request is applied first in half of the cases. */
  error500?: number | undefined;
  /** A 502 with a proxy's HTML page; the request is applied first in half of the cases. */
  html502?: number | undefined;
  /** Applied; the answer's head is complete, its body is cut off in the middle. */
  cutBody?: number | undefined;
  /** No answer, and the connection stays open; the request is applied in half of the cases. */
  stall?: number | undefined;
  /** The connection is closed at once, and the request is applied `lateCommitMs` later. */
  lateCommit?: number | undefined;
  /** Milliseconds, default 1000. */
  lateCommitMs?: number | undefined;
  /** Only these operations get faults; default: all. */
  operations?: OperationName[] | undefined;
}

export const FaultRatesForm = z
  .strictObject({
    dropAfterCommit: probability.optional(),
    dropBefore: probability.optional(),
    error500: probability.optional(),
    html502: probability.optional(),
    cutBody: probability.optional(),
    stall: probability.optional(),
    lateCommit: probability.optional(),
    lateCommitMs: z.int().min(0).optional(),
    operations: z.array(z.enum(OPERATION_NAMES)).optional(),
  })
  .refine((rates) => FAULT_KINDS.reduce((sum, kind) => sum + (rates[kind] ?? 0), 0) <= 1 + 1e-9, {
    message: 'the probabilities add up to more than 1',
  });

/** How a server may normalise values before it stores them; not in the contract. All default to false. */
export interface Storing {
  /** Remove white space around name, brand and series. */
  trimNames?: boolean;
  /** Collapse white space in name, brand and series to one space. */
  collapseSpaces?: boolean;
  /** Round estimated_value to two digits. */
  roundValues?: boolean;
  /** Sort tags in code unit order. */
  sortTags?: boolean;
  /** Store texts and tags in Unicode form NFC. */
  normaliseUnicode?: boolean;
  /** Cut the texts of custom fields to 10 characters. */
  cutCustomFields?: boolean;
  /** Keep no custom field. */
  dropCustomFields?: boolean;
  /** Add a custom field, `checked`, with another value for each item. */
  addCustomField?: boolean;
  /** Store `&` as `&amp;` in name, brand, series and the texts of custom fields. */
  escapeTexts?: boolean;
  /** Store the brand in capitals. */
  raiseBrands?: boolean;
  /** Lists show the required fields of an item only (contract §2); the item by its id has them all. */
  shortLists?: boolean;
  /** Answers about single items show the required fields only (contract §2); the list has them all. */
  shortItems?: boolean;
  /** Answers leave out the optional fields that are empty (contract §2). */
  omitEmpty?: boolean;
  /** Lists leave out the optional fields that are empty (contract §2); the item by its id has them all. */
  sparseLists?: boolean;
}

/** Options of a practice server; all are optional. */
export interface SandboxOptions {
  /** 0, the default, chooses a free port. */
  port?: number;
  /** Address to listen on; default 127.0.0.1. */
  host?: string;
  /** SQLite file for teams, keys, collections and items; default: in memory. */
  dataFile?: string;
  /** Fills a new sandbox with toys and changing sales figures; the same seed gives the same toys. */
  seed?: number;
  /** How many toys `seed` makes; default 500. */
  seedItems?: number;
  /** The default team's key; default SANDBOX_KEY. Valid again at each start, even if it was revoked. */
  key?: string;
  /** Currency of the default team's items; default usd. */
  currency?: string;
  /** For each key; `100/60s` or an object; default none. */
  rateLimit?: RateLimit | string;
  /** Default fixed. */
  limiter?: LimiterKind;
  /** Default draft3. */
  headers?: HeaderStyle;
  /** Maximum number of items of a team; a create beyond it is limit_reached. Default none. */
  planLimit?: number;
  /** Delay of every API answer, half before the request is handled and half after. Default 0. */
  latencyMs?: number;
  /** What PATCH does with custom_fields; default replace. */
  customFields?: 'replace' | 'merge';
  /** Time that "newest first" sorts by; default: created. */
  order?: 'created' | 'updated';
  /** Time until lists show a new item, ms. Its own address answers at once. Default 0. */
  listLagMs?: number;
  /** How values are normalised before they are stored; default: not at all. */
  storing?: Storing;
  /** How far the server's timestamps are ahead of the machine's clock, ms; negative is behind. Default 0. */
  clockOffsetMs?: number;
  /** Faults by probability; default: none. */
  faults?: FaultRates;
  /** Seeds the choice of faults; default `seed`, or 1. */
  faultSeed?: number;
  /** Milliseconds since 1970, for timestamps and limiters; default the machine's clock. */
  now?: () => number;
  /** Called when an API request was answered, dropped or left without an answer. */
  onRequest?: (record: RequestRecord) => void;
}

/** One API request and its outcome, for tests that check whole conversations. */
export interface RequestRecord {
  /** X-Request-Id that was answered. */
  requestId: string;
  /** undefined if method and path do not belong to an operation of the contract. */
  operation: OperationName | undefined;
  /** In capitals. */
  method: string;
  /** As on the wire, with the prefix, without the query. */
  path: string;
  /** Without the question mark; '' if there is none. */
  query: string;
  /** Names in lower case. Includes the key. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The request's body as text; '' if there is none. */
  body: string;
  /** undefined if no answer was sent. */
  status: number | undefined;
  /** The answer's whole body as text, even if it was cut off on the wire; '' if no answer was sent. */
  answer: string;
  /** The fault that the request met, if any. */
  fault: FaultKind | undefined;
}
