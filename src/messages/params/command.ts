import type { Params } from './kinds.ts';

/** The command line. */
export const COMMAND = {} as const satisfies Params;
