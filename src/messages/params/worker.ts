import type { Params } from './kinds.ts';

/** Schedules, watched folders, deliveries and mails. */
export const WORKER = {} as const satisfies Params;
