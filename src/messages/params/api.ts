import type { Params } from './kinds.ts';

/** The API: addresses, answers and outages. */
export const API = {} as const satisfies Params;
