import type { Params } from './kinds.ts';

/** The library: options and rows of a program. */
export const PROGRAM = {} as const satisfies Params;
