import type { Params } from './kinds.ts';

/** Exports, layouts and comparisons. */
export const EXPORTS = {} as const satisfies Params;
