/** One request of the API as it goes over the wire, and what comes back. */
import type { z } from 'zod';
import type { Check } from './compile-check.ts';
import type { ApiError } from './errors.ts';

export interface WireRequest<T> {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below the prefix, beginning with a slash; may carry a query. */
  path: string;
  body?: unknown;
  /** The contract's success status of this operation. */
  success: 200 | 201;
  schema: z.ZodType<T>;
  /** What the schema says, without its copies: where it says yes, the answer is taken as it came. */
  check?: Check;
  signal?: AbortSignal;
  /** Asked when a connection is there and nothing is written yet; false keeps the request back. */
  mayLeave?: () => boolean;
}

/** What came back, sorted: a value or an error, and always the headers that pacing reads. */
export interface WireAnswer<T> {
  headers: Record<string, string | string[] | undefined>;
  status: number | undefined;
  requestId: string | undefined;
  /** Milliseconds from the write to the end of the answer. */
  ms: number;
  result: { ok: true; value: T; body: Uint8Array } | { ok: false; error: ApiError };
}
