import type { JobRecord } from '../../ledger/ledger.ts';

/** The only place that tells, beside the reason why a job stops before it sends rows, whether it has sent others. */
export function hasSent({ firstSentAt }: Pick<JobRecord, 'firstSentAt'>): { hasSent: boolean } {
  return { hasSent: firstSentAt !== undefined };
}
