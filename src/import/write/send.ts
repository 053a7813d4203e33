/** Third stage's frame: takes the key's lane, sends with settling, and records how it ended. */
import {
  JobCancelledError,
  type JobRecord,
  type LaneHolder,
  type Lease,
  type Ledger,
  LeaseLostError,
} from '../../ledger/ledger.ts';
import { waitsOf } from '../../api/outage.ts';
import { UsageError } from '../../errors.ts';
import { chooseCanary } from './canary.ts';
import { nothingLearned } from '../settle/content.ts';
import type { ImportDeps } from '../deps.ts';
import type { RunOptions } from '../options.ts';
import { ReadTimes } from '../plan/read-times.ts';
import { confirmCreates } from '../plan/confirm-creates.ts';
import { createsByKey } from '../plan/plan-updates.ts';
import { recallRate, rememberRate } from './remembered-rate.ts';
import { ServerTime } from '../settle/server-time.ts';
import { Sightings } from '../settle/sightings.ts';
import type { RunFacts } from '../results/summary.ts';
import { writeRows } from './write.ts';
import type { WriteEnd } from './write-end.ts';
import type { WriteContext } from './write-context.ts';

const LANE_POLL_MS = 1000;
/** design §4: a server may commit late, later still where a client only gave up waiting. */
const QUIET_AFTER_RESET_MS = 10_000;
/** Default of `--recheck`. */
export const RECHECK_MS = 60_000;
const QUIET_BEYOND_TIMEOUT_MS = 30_000;

/** @throws JobCancelledError where somebody has cancelled the job, until the last moment before a row is sent */
export async function sendJob(
  planned: JobRecord,
  deps: ImportDeps,
  run: RunOptions,
): Promise<{ job: JobRecord; facts: RunFacts }> {
  const { client, ledger, clock, signal, emit, meter } = deps;
  // What a cancelled job may have written is looked up all the same before it is taken back.
  const sends = run.first !== 0;
  const { lease, deadHolders } = await takeLanes(planned, deps, sends);
  let end: WriteEnd;
  let only: number[] | undefined;
  try {
    const state = await ledger.jobs.update(planned.id, { state: 'running', error: null });
    if (state === 'cancelled' && sends) throw new JobCancelledError(planned.id);
    // Whoever had the lane may have gone on with this very job meanwhile.
    const job = await ledger.jobs.find(planned.id);
    const options = job.options;
    const { recheckMs = RECHECK_MS } = run;
    const { readTimes = new ReadTimes() } = deps;
    const quietPeriod = {
      afterReset: run.quietPeriodMs ?? QUIET_AFTER_RESET_MS,
      afterTimeout: run.quietPeriodMs ?? client.timeoutMs + QUIET_BEYOND_TIMEOUT_MS,
      given: run.quietPeriodMs !== undefined,
    };
    const context: WriteContext = {
      client,
      ledger,
      clock,
      lease,
      deadHolders,
      signal,
      emit,
      job,
      sightings: new Sightings(ledger, job.apiUrl),
      serverTime: new ServerTime(),
      learned: options.learned ?? nothingLearned(),
      stamp: options.stamp,
      noSettle: options.noSettle,
      recheckMs,
      readTimes,
      confirm: async () => {
        const quietMs = quietPeriod.afterTimeout;
        if (sends) await confirmCreates(job, { ...deps, readTimes }, { lease, recheckMs, quietMs });
      },
      onDrift: run.onDrift ?? 'hold',
      quietPeriod,
    };
    await recallRate(client, ledger, clock.now());
    only = run.first === undefined ? undefined : await chooseCanary(job.id, ledger, run.first);
    end = await writeRows(context, {
      ...(only === undefined ? {} : { only }),
      ...(run.maxRefused === undefined ? {} : { maxRefused: run.maxRefused }),
      waitForLimit: run.waitForLimit === true,
      waits: waitsOf(run.waitMs),
      claim:
        // Claimed with the first intent; a job that has sent already only goes on with what is its own.
        job.fingerprint === undefined || job.mode !== 'create' || job.firstSentAt !== undefined
          ? undefined
          : { fingerprint: job.fingerprint, force: options.force },
    });
    await recordEnd(ledger, job, end);
    await rememberRate(client, ledger, clock.now());
  } finally {
    await lease.release();
  }
  const facts: RunFacts = { requests: meter.totals, retried: end.retried, doubles: end.doubles };
  if (end.error !== undefined) facts.error = end.error;
  if (only !== undefined) facts.canary = only;
  return { job: { ...(await ledger.jobs.find(planned.id)), state: end.state }, facts };
}

async function recordEnd(ledger: Ledger, job: JobRecord, end: WriteEnd): Promise<void> {
  // The job goes on, or has ended, in another process: its state is that one's to tell. A cancel is noted already.
  if (end.error instanceof LeaseLostError || end.error instanceof JobCancelledError) return;
  const error = end.error === undefined ? null : { code: end.error.code, message: end.error.message };
  await ledger.jobs.update(job.id, { state: end.state, error }).catch((failure: unknown) => {
    // On a full disk the state cannot be kept either; the rows are, and a resume starts from them.
    if (end.state !== 'parked_disk') throw failure;
  });
}

/**
 * Two jobs on one key and one store take turns; so do two that look for keys and create what they do not find, whatever
 * API key they have: neither could see what the other is about to create.
 */
async function takeLanes(
  job: JobRecord,
  deps: ImportDeps,
  sends: boolean,
): Promise<{ lease: Lease; deadHolders: string[] }> {
  const outer = createsByKey(job)
    ? await takeLane(`creates by key ${job.apiUrl}`, job, deps, sends)
    : undefined;
  try {
    const inner = await takeLane(deps.client.laneId, job, deps, sends);
    const deadHolders = [outer, inner].flatMap((each) => each?.deadHolder ?? []);
    return { lease: outer === undefined ? inner : together(outer, inner), deadHolders };
  } catch (error) {
    await outer?.release();
    throw error;
  }
}

function together(outer: Lease, inner: Lease): Lease {
  return {
    token: inner.token,
    isFresh: () => inner.isFresh() && outer.isFresh(),
    renew: async () => {
      await outer.renew();
      await inner.renew();
    },
    release: async () => {
      await inner.release();
      await outer.release();
    },
  };
}

async function takeLane(lane: string, job: JobRecord, deps: ImportDeps, sends: boolean): Promise<Lease> {
  let told = '';
  for (;;) {
    const taken = await deps.ledger.lanes.acquire(lane, job.id);
    if (isLease(taken)) return taken;
    if (taken.job === job.id) throw runsElsewhere(job, taken);
    const who = `${taken.host} ${taken.pid} ${taken.job}`;
    if (who !== told) deps.emit({ type: 'waiting_for_lane', ...taken });
    told = who;
    await deps.clock.sleep(LANE_POLL_MS, deps.signal);
    if (sends && (await deps.ledger.jobs.find(job.id)).state === 'cancelled')
      throw new JobCancelledError(job.id);
  }
}

function isLease(taken: Lease | LaneHolder): taken is Lease {
  return 'token' in taken;
}

/**
 * A job that a living process works on is that process's alone.
 *
 * @param waitedUntil when it would have looked for room in the plan, ms since the epoch, where that was cut short
 */
export function runsElsewhere(job: JobRecord, holder: LaneHolder, waitedUntil?: number): UsageError {
  const since = new Date(holder.since).toISOString();
  const remedy =
    waitedUntil === undefined
      ? 'Wait for it, or stop it there first.'
      : `It waited for room in the plan until ${new Date(waitedUntil).toISOString()}, and looks at once now.`;
  return new UsageError(
    'job_runs_elsewhere',
    `job ${job.id} runs already: on ${holder.host}, pid ${holder.pid}, since ${since}`,
    { remedy },
  );
}
