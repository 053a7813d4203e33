/** `jobs show`: a job of the ledger, a run of a worker, or both; once, or until it has ended. */
import { systemClock } from '../../base/clock.ts';
import { showJob } from '../../import/results/outcome.ts';
import type { JobOutcome } from '../../import/results/summary.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isFinal, type Run } from '../../worker/queue/run.ts';
import { findEither } from '../../worker/queue/find-either.ts';
import type { Session } from '../session.ts';
import { message } from '../../messages/message.ts';
import { say } from '../show/say.ts';
import { stateText } from './runs-table.ts';
import { defined } from '../../base/defined.ts';

const LOOK_MS = 500;

export interface JobOrRun {
  outcome?: JobOutcome;
  run?: Run;
}

/**
 * The current state.
 *
 * @throws UsageError `no_such_job` if there is neither a job nor a run with that id
 */
export async function lookAt(id: string, ledger: Ledger, session: Session): Promise<JobOrRun> {
  const { job, run } = await findEither(id, ledger);
  const outcome = job === undefined ? undefined : await showJob(job.id, { ledger, meter: session.meter });
  return { ...defined({ outcome, run }) };
}

/** Polls until the job has ended, and shows progress. */
export async function follow(
  id: string,
  ledger: Ledger,
  session: Session,
  signal: AbortSignal,
): Promise<JobOrRun> {
  for (;;) {
    const seen = await lookAt(id, ledger, session);
    if (hasEnded(seen) || signal.aborted) return seen;
    session.reporter.update(progress(seen));
    await systemClock.sleep(LOOK_MS, signal).catch(() => undefined);
  }
}

/** A worker's run ends by its state; a command's job ends when no process works on it. */
function hasEnded({ outcome, run }: JobOrRun): boolean {
  if (run !== undefined) return isFinal(run);
  return outcome?.summary.state !== 'running';
}

function progress({ outcome, run }: JobOrRun): string {
  if (outcome === undefined) return run === undefined ? '' : `${run.id}: ${stateText(run)}`;
  const { rows, state } = outcome.summary;
  return say(message('job_progress', { state, done: rows.read - rows.pending, total: rows.read }));
}
