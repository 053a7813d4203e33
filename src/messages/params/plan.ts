import type { Params } from './kinds.ts';

/** Plans, questions before rows are sent, and how a job ended. */
export const PLAN = {} as const satisfies Params;
