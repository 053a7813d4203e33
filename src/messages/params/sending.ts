import type { Params } from './kinds.ts';

/** What becomes of requests: answers that were lost, and why a job stops before its end. */
export const SENDING = {
  key_was_rewritten: { key: 'text', sent: 'text', stored: 'text' },
  key_lost_on_server: { what: 'message' },
} as const satisfies Params;
