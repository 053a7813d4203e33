import type { Params } from './kinds.ts';

/** What is wrong with a row. */
export const ROWS = {} as const satisfies Params;
