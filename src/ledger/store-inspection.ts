/** What a look at a store found, whichever database it is. */
export interface StoreInspection {
  /** The database, where it is a server: `PostgreSQL 18.4`. */
  server?: string;
  /** Of the store's tables. */
  version: number;
  jobs: number;
  /** What is set such that a promise does not hold; with what to do. */
  warning?: { found: string; remedy: string };
}
