import type { Params } from './kinds.ts';

/** The store. */
export const STORE = {} as const satisfies Params;
