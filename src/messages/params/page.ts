import type { Params } from './kinds.ts';

/** The page. */
export const PAGE = {} as const satisfies Params;
