/** What one request was told. Times are milliseconds from the request. */
export interface Admission {
  admitted: boolean;
  /** Requests that would be admitted right now, after this one. */
  remaining: number;
  /** Until the budget is better than `remaining` says: at 0 remaining, until the next request is admitted. */
  resetMs: number;
}

/**
 * Counts the requests of one key. A request that is refused takes nothing from the budget.
 * Time is an argument, in milliseconds, and may not run backwards.
 */
export interface Limiter {
  take(nowMs: number): Admission;
}
