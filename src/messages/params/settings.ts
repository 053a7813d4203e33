import type { Params } from './kinds.ts';

/** Keys, profiles and configuration. */
export const SETTINGS = {} as const satisfies Params;
