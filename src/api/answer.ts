/** Answers of the API that were checked. */
import type { Pagination } from './resources.ts';

/** A value and its X-Request-Id. */
export interface Answer<T> {
  /** The checked answer of the API. */
  value: T;
  /** The body that `value` was read from, with what was read item by item: JSON in UTF-8. */
  body: Uint8Array;
  /** X-Request-Id of the answer, for the service's support. */
  requestId: string | undefined;
  /**
   * Duration of the request after its permit, ms, including time for which the machine slept: the answer is no older
   * than this.
   */
  tookMs: number;
}

/** A page of a list. */
export interface Page<T> {
  /** The entries of the page. */
  data: T[];
  /** Position of the page in the list. */
  pagination: Pagination;
}
