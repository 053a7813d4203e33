/**
 * The context of settling while this process holds the lane of a key; the write stage adds to it
 * (write/write-context.ts).
 */
import type { OnDrift, ServerNormalisation } from '../../ledger/job-parts.ts';
import type { JobRecord, Lease, RowMove, StoredIssue } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { NOT_KEPT } from '../changes/not-kept.ts';
import type { Readings } from '../engine/reading.ts';
import { learn } from '../job/learn.ts';
import { noteChanges } from '../job/server-changes.ts';
import type { ItemObservations } from './item-observations.ts';
import type { ServerTime } from './server-time.ts';

/** After this many unanswered requests, a person decides about the row: each further request risks a duplicate. */
export const MAX_ATTEMPTS = 5;

export interface SettleContext extends JobDeps {
  readings: Readings;
  lease: Lease;
  job: JobRecord;
  observations: ItemObservations;
  /** Whether the server's clock kept running, as observed by this process. */
  serverTime: ServerTime;
  /** How the server stores values; updated when acknowledged creates show more, and stored with the job. */
  normalisation: ServerNormalisation;
  /** Custom field for the stamp (`--stamp`), without `custom_fields.`. */
  stamp: string | undefined;
  noSettle: boolean;
  /** What to do with an update if somebody has changed its item since the plan. */
  onDrift: OnDrift;
  /** How long the server may still apply a request after a failure (design §4), ms. */
  quietPeriod: {
    afterReset: number;
    afterTimeout: number;
    /** True if the user set it for this run: then it also applies to rows of earlier runs. */
    given: boolean;
  };
}

/** Commits moves of a job, this one or another, under this process's lease. */
export async function commit(context: SettleContext, jobId: string, moves: RowMove[]): Promise<void> {
  const { ledger, lease, job } = context;
  if (moves.length > 0) await ledger.rows.move(jobId, moves, { lease, by: job.id });
}

/**
 * Records with the job that its rows have lost values, before the first of them is committed: only then are they
 * counted.
 */
export async function noteLosses(
  { ledger, job: own }: Pick<SettleContext, 'ledger' | 'job'>,
  jobId: string,
  issues: readonly StoredIssue[] = [],
): Promise<void> {
  if (!issues.some(({ code }) => code === NOT_KEPT)) return;
  const job: Pick<JobRecord, 'id' | 'learned'> = jobId === own.id ? own : { id: jobId, learned: {} };
  if (job.learned.loses !== true) await learn(ledger, job, { loses: true });
}

/** Replaces the knowledge of the server, also in the store, so that it survives a crash. */
export async function keepNormalisation(context: SettleContext, next: ServerNormalisation): Promise<void> {
  const { ledger, job, normalisation } = context;
  if (next === normalisation) return;
  // At once: another answer may come while this is stored, and starts from it.
  context.normalisation = next;
  await noteChanges(ledger, job.apiUrl, () => context.normalisation.changes);
  // Another answer may have shown more meanwhile.
  await learn(ledger, job, { server: context.normalisation });
}
