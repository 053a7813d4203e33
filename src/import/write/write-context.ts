/** What the writing stages share while one process holds the lane of a key. */
import type { JobRecord, Lease, RowMove } from '../../ledger/ledger.ts';
import { noteChanges } from '../job/server-changes.ts';
import type { JobDeps } from '../job/deps.ts';
import type { ReadTimes } from '../job/read-times.ts';
import type { ServerTime } from '../settle/server-time.ts';
import type { Sightings } from '../settle/sightings.ts';
import type { OnDrift, ServerNormalisation } from '../../ledger/job-options.ts';

/** A row that this many requests got no answer for is a person's: each further one risks a double. */
export const MOST_ATTEMPTS = 5;

export interface WriteContext extends JobDeps {
  readTimes: ReadTimes;
  lease: Lease;
  /** Jobs of dead or expired holders that the lanes were taken from: their `sending` rows are unknown now. */
  deadHolders: readonly string[];
  job: JobRecord;
  sightings: Sightings;
  /** Whether the server's clock ran on, as this process has seen it. */
  serverTime: ServerTime;
  /** What acknowledged creates have shown; replaced as more is learned, and kept with the job. */
  learned: ServerNormalisation;
  /** Custom field that carries our stamp (`--stamp`), without `custom_fields.`. */
  stamp: string | undefined;
  noSettle: boolean;
  /** Looks again whether what is to be created is not there yet: before the first row leaves, and after a pause. */
  confirmPlan: () => Promise<void>;
  /** What becomes of an update whose item somebody has changed since the plan. */
  onDrift: OnDrift;
  /** An update whose item was read longer ago is read again before it is sent, ms; infinite for never. */
  recheckMs: number;
  /** How long after a failure the server may still apply what was sent (design §4), ms. */
  quietPeriod: {
    afterReset: number;
    afterTimeout: number;
    /** True where a person has set it for this run: then it holds for the job's rows of earlier runs, too. */
    given: boolean;
  };
}

/** Commits moves of one job, this one's or another's, under this process's lease. */
export async function commit(context: WriteContext, jobId: string, moves: RowMove[]): Promise<void> {
  const { ledger, lease, job } = context;
  if (moves.length > 0) await ledger.rows.move(jobId, moves, { lease, by: job.id });
}

/** Replaces what is known of the server, on disk too, so that a crash does not forget it. */
export async function keepLearned(context: WriteContext, learned: ServerNormalisation): Promise<void> {
  if (learned === context.learned) return;
  const { ledger, job } = context;
  if (learned.changes !== context.learned.changes) await noteChanges(ledger, job.apiUrl, learned.changes);
  context.learned = learned;
  context.job.options = { ...context.job.options, learned };
  await context.ledger.jobs.update(context.job.id, { options: context.job.options });
}
