/** A request to the API on the wire, and its answer. */
import type { z } from 'zod';
import type { Check } from '../base/compile-check.ts';
import type { ApiError } from './errors.ts';

export interface WireRequest<T> {
  method: 'GET' | 'POST' | 'PATCH';
  /** Path below the prefix, beginning with a slash; may have a query. */
  path: string;
  body?: unknown;
  /** The contract's success status of this operation. */
  success: 200 | 201;
  schema: z.ZodType<T>;
  /** A check that copies nothing. If it accepts the answer, the answer is used as it is. */
  check?: Check;
  signal?: AbortSignal;
  /** Called when a connection is ready and nothing is written yet; false cancels the request. */
  mayLeave?: () => boolean;
}

/** A value or an error, and always the headers that pacing needs. */
export interface WireAnswer<T> {
  headers: Record<string, string | string[] | undefined>;
  status: number | undefined;
  requestId: string | undefined;
  /** Milliseconds from the write to the end of the answer. */
  ms: number;
  result: { ok: true; value: T; body: Uint8Array } | { ok: false; error: ApiError };
}
