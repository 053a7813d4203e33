import type { Params } from './kinds.ts';

/** Reports. */
export const REPORTS = {} as const satisfies Params;
