import type { Params } from './kinds.ts';

/** The store. */
export const STORE = {
  stored_unreadable: { what: 'text' },
  restore_store: {},
  to_check_store: {},
} as const satisfies Params;
