/**
 * What a sandbox can be told: at its start (SandboxOptions) and, in part, while it runs (limits, faults, latency).
 * The schemas check what comes from the control surface; the types are theirs.
 */
import { z } from 'zod';

/** What may become of a request that passed key, rate limit and scope; FaultRates says what each does. */
export const FAULT_KINDS = [
  'dropAfterCommit',
  'dropBefore',
  'error500',
  'html502',
  'cutBody',
  'stall',
  'lateCommit',
] as const;
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
export type OperationName = (typeof OPERATION_NAMES)[number];

/** The key of the default team, with every scope. Fixed and public: it opens nothing but a sandbox. */
export const SANDBOX_KEY = 'sandbox-key-for-tests-only';

export const LIMITER_KINDS = ['fixed', 'sliding', 'bucket'] as const;
/**
 * fixed: windows that follow each other, all of the budget at each start. sliding: no more than `limit` in any
 * `windowMs`. bucket: `limit` tokens at most, refilled evenly over `windowMs`.
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
/** How the limit is told to clients; the contract names no header (api-v1 §8). See limits/rate-headers.ts. */
export type HeaderStyle = (typeof HEADER_STYLES)[number];

/** `limit` requests a key in `windowMs` milliseconds. */
export const RateLimit = z.strictObject({ limit: z.int().min(1), windowMs: z.int().min(1) });
export type RateLimit = z.infer<typeof RateLimit>;

const probability = z.number().min(0).max(1);

/**
 * Probabilities, 0 to 1, that a request which passed key, rate limit and scope meets a fault; their sum is at
 * most 1, because a request meets one fault or none.
 */
export const FaultRates = z
  .strictObject({
    /** Applied, then the connection is closed or reset instead of an answer. */
    dropAfterCommit: probability.optional(),
    /** The connection is closed or reset, and nothing is applied. */
    dropBefore: probability.optional(),
    /** A 500 with the envelope; half of them after the request was applied. */
    error500: probability.optional(),
    /** A 502 with an HTML page, as a proxy writes; half of them after the request was applied. */
    html502: probability.optional(),
    /** Applied; the answer's head is whole, its body ends in the middle. */
    cutBody: probability.optional(),
    /** No answer, and the connection stays open; half of them after the request was applied. */
    stall: probability.optional(),
    /** The connection is closed at once, and the request is applied `lateCommitMs` later. */
    lateCommit: probability.optional(),
    /** Milliseconds, default 1000. */
    lateCommitMs: z.int().min(0).optional(),
    /** Only these operations meet faults; default all. */
    operations: z.array(z.enum(OPERATION_NAMES)).optional(),
  })
  .refine((rates) => FAULT_KINDS.reduce((sum, kind) => sum + (rates[kind] ?? 0), 0) <= 1 + 1e-9, {
    message: 'the probabilities add up to more than 1',
  });
export type FaultRates = z.infer<typeof FaultRates>;

/** What a server may do to values before it stores them. The contract says nothing about it. All default to no. */
export interface Storing {
  /** White space around name, brand and series goes. */
  trimNames?: boolean;
  /** White space inside name, brand and series becomes one space. */
  collapseSpaces?: boolean;
  /** estimated_value is rounded to two digits. */
  roundValues?: boolean;
  /** Tags come back in code unit order. */
  sortTags?: boolean;
  /** Texts and tags are stored in Unicode's form NFC. */
  normaliseUnicode?: boolean;
}

export interface SandboxOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** Address to listen on; default 127.0.0.1. */
  host?: string;
  /** SQLite file that keeps teams, keys, collections and items; default in memory. */
  dataFile?: string;
  /** Fills a new sandbox with toys and moving sales figures; the same number gives the same toys. */
  seed?: number;
  /** How many toys `seed` makes; default 500. */
  seedItems?: number;
  /** The default team's key; default SANDBOX_KEY. Valid again at each start, also where it was revoked. */
  key?: string;
  /** Currency of the default team's items; default usd. */
  currency?: string;
  /** For each key; `100/60s` or an object; default none. */
  rateLimit?: RateLimit | string;
  /** Default fixed. */
  limiter?: LimiterKind;
  /** Default draft3. */
  headers?: HeaderStyle;
  /** Most items that a team may have; a create past it is limit_reached. Default none. */
  planLimit?: number;
  /** Added to every answer of the API, half before the request is handled and half after. Default 0. */
  latencyMs?: number;
  /** What PATCH does with custom_fields; default replace. */
  customFields?: 'replace' | 'merge';
  /** What "newest first" goes by; default created. */
  order?: 'created' | 'updated';
  storing?: Storing;
  /** How far the server's timestamps are ahead of the machine's clock, ms; negative is behind. Default 0. */
  clockOffsetMs?: number;
  faults?: FaultRates;
  /** Seeds the choice of faults; default `seed`, or 1. */
  faultSeed?: number;
  /** Milliseconds since 1970, for timestamps and limiters; default the machine's clock. */
  now?: () => number;
  /** Called when a request to the API has been answered (or dropped, or left without an answer). */
  onRequest?: (record: RequestRecord) => void;
}

/** One request to the API as it came in, and what became of it: for tests that check whole conversations. */
export interface RequestRecord {
  requestId: string;
  /** undefined where method and path are no operation of the contract. */
  operation: OperationName | undefined;
  method: string;
  /** As on the wire, with the prefix, without the query. */
  path: string;
  /** Without the question mark; '' where there is none. */
  query: string;
  /** Names in lower case; the key is among them. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The request's body as text; '' where there is none. */
  body: string;
  /** undefined where no answer was sent. */
  status: number | undefined;
  /** The answer's whole body as text, also where it was cut on the wire; '' where no answer was sent. */
  answer: string;
  fault: FaultKind | undefined;
}
