/** The send stage: takes the key's lane, sends with settling, and records the outcome. */
import { defined } from '../../base/defined.ts';
import {
  JobCancelledError,
  type JobRecord,
  type LaneHolder,
  type LastHolder,
  type Lease,
  LeaseLostError,
} from '../../ledger/ledger.ts';
import { waitsOf } from '../../api/outage.ts';
import { Answers } from '../gates/answers.ts';
import type { OnDrift } from '../../ledger/job-parts.ts';
import { initialNormalisation } from '../job/server-normalisation.ts';
import { type JobDeps, PlanChangedError } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { recordJobState } from '../job/job-state-after-error.ts';
import { findJudging } from '../job/judging.ts';
import { learn } from '../job/learn.ts';
import { jobLane, runsElsewhere } from '../job/runs-elsewhere.ts';
import { Readings } from '../engine/reading.ts';
import { createsByKey } from '../changes/match-key.ts';
import { recallRate, rememberRate } from './remembered-rate.ts';
import { checkStoreBehind, holdMadeElsewhere } from '../settle/store-behind.ts';
import { ServerTime } from '../settle/server-time.ts';
import { ItemObservations } from '../settle/item-observations.ts';
import type { RunFacts } from '../results/summary.ts';
import { isOvertaken } from './overtaken.ts';
import { sendRows } from './send-rows.ts';
import type { WriteEnd } from './write-end.ts';
import type { WriteContext } from './write-context.ts';

const LANE_POLL_MS = 1000;
/** A server may commit late, and even later if the client only timed out (design §4). */
const QUIET_AFTER_RESET_MS = 10_000;
/** Default of `--recheck`. */
const RECHECK_MS = 60_000;
const QUIET_BEYOND_TIMEOUT_MS = 30_000;
/** When a run is stopped, open requests have this long to be answered: a resume looks up the others. */
const LAST_CALL_MS = 5_000;

/** The job was corrected after the plan was confirmed. */
export class MendedError extends PlanChangedError {}

interface SendOptions {
  /** Ordinals of the rows to send before a pause (`--first`); absent for all rows. */
  only?: readonly number[] | undefined;
  /** Revision of the rows when they were confirmed; undefined if nothing is sent, or if the job cannot be corrected. */
  revision?: number | undefined;
  /** False for a job that this process has staged. */
  isResumed?: boolean;
  /** The number of intents that the answers to the gates account for, and the way to ask again; absent if no rows are sent. */
  answered?: { accounted: number; askAgain: (job: JobRecord) => Promise<void> };
  /** Checks the plan once more, right before rows are sent; absent if no rows are sent. */
  confirmPlan?: (
    job: JobRecord,
    deps: JobDeps,
    options: { lease: Lease; recheckMs: number; quietMs: number; onDrift: OnDrift },
  ) => Promise<void>;
}

/**
 * @throws JobCancelledError if somebody cancels the job, until the last moment before a row is sent
 * @throws MendedError
 */
export async function sendJob(
  planned: JobRecord,
  deps: JobDeps,
  run: RunOptions,
  { only: chosen, revision, isResumed = false, answered, confirmPlan }: SendOptions = {},
): Promise<{ job: JobRecord; facts: RunFacts }> {
  const { client, ledger, clock, meter } = deps;
  // An undo (`first` 0) also settles what a cancelled job may have written.
  const sends = run.first !== 0;
  const { lease, lastHolders } = await takeLanes(planned, deps, { sends, takeOver: run.takeOver === true });
  using lastCall = lastCallAfter(deps);
  const only = sends ? chosen : [];
  let end: WriteEnd;
  try {
    if (sends && (await findJudging(planned.id, ledger))?.revision !== revision)
      throw new MendedError('the job was mended');
    const state = await ledger.jobs.update(planned.id, { state: 'running', error: null });
    if (state === 'cancelled' && sends) throw new JobCancelledError(planned.id);
    // The previous holder of the lane may have gone on with this job meanwhile.
    const job = await ledger.jobs.find(planned.id);
    const { request, learned } = job;
    const { recheckMs = RECHECK_MS } = run;
    const readings = sends && deps.readings !== undefined ? deps.readings : new Readings(deps);
    const quietPeriod = {
      afterReset: run.quietPeriodMs ?? QUIET_AFTER_RESET_MS,
      afterTimeout: run.quietPeriodMs ?? client.timeoutMs + QUIET_BEYOND_TIMEOUT_MS,
      given: run.quietPeriodMs !== undefined,
    };
    const answers =
      answered &&
      new Answers(job, answered.accounted, {
        ledger,
        askAgain: async () => answered.askAgain(await ledger.jobs.find(job.id)),
      });
    let mayBeBehind = (isResumed || request.queuedAt !== undefined) && !request.noSettle;
    const { onDrift = request.onDrift ?? 'hold' } = run;
    const context: WriteContext = {
      ...deps,
      lease,
      lastHolders,
      job,
      observations: new ItemObservations(ledger, job.apiUrl),
      serverTime: new ServerTime(clock),
      normalisation: learned.server ?? initialNormalisation(),
      stamp: request.stamp,
      noSettle: request.noSettle,
      recheckMs,
      lastCall: lastCall.signal,
      readings,
      confirmPlan: async () => {
        if (confirmPlan === undefined) return;
        if (mayBeBehind) await checkStoreBehind(context);
        mayBeBehind = false;
        await answers?.confirm();
        const quietMs = quietPeriod.afterTimeout;
        await confirmPlan(job, { ...deps, readings }, { lease, recheckMs, quietMs, onDrift });
      },
      onDrift,
      quietPeriod,
      ...(answers === undefined ? {} : { answers }),
    };
    await recallRate(client, ledger, clock.now());
    end = await sendRows(context, {
      ...(only === undefined ? {} : { only }),
      ...defined({ maxRefused: run.maxRefused ?? request.maxRefused }),
      waitForLimit: run.waitForLimit === true,
      waits: waitsOf(run.waitMs),
      claim:
        // Claimed with the first intent. A job that has already sent rows needs no claim.
        job.fingerprint === undefined || job.mode !== 'create' || job.firstSentAt !== undefined
          ? undefined
          : { fingerprint: job.fingerprint, force: request.force },
    });
    // For a job that is undone: rows that another store has sent are not taken back, which must be reported.
    if (!sends && mayBeBehind && end.error === undefined) await holdMadeElsewhere(context);
    if (sends && end.state === 'done' && (await isOvertaken(job, deps)))
      throw new PlanChangedError('another job has written to items of unchanged rows');
    if (end.doubles.length > 0) await learn(ledger, job, { doubles: end.doubles });
    // Whoever has taken a lane meanwhile records what becomes of the job.
    if (await isHeld(lease)) await recordJobState(job.id, ledger, end.state, end.error);
    await rememberRate(client, ledger, clock.now());
  } finally {
    await lease.release();
  }
  const facts: RunFacts = { requests: meter.totals, retried: end.retried };
  if (end.error !== undefined) facts.error = end.error;
  return { job: { ...(await ledger.jobs.find(planned.id)), state: end.state }, facts };
}

function lastCallAfter({ signal, clock }: JobDeps): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  let cancel: () => void = () => undefined;
  const onStop = () => {
    cancel = clock.after(LAST_CALL_MS, () => {
      controller.abort(signal.reason);
    });
  };
  if (signal.aborted) onStop();
  else signal.addEventListener('abort', onStop, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', onStop);
      cancel();
    },
  };
}

interface TakeOptions {
  sends: boolean;
  /** A person has said that the holders no longer run. */
  takeOver: boolean;
}

/**
 * Jobs with the same API key and store take turns. So do jobs that create items whose match keys they did not find,
 * whatever their API key, because neither could see the items that the other is about to create. A job has only one
 * sender, and nobody corrects it meanwhile. Its own lane comes last, so that a job that waits for its turn can still be
 * cancelled.
 */
async function takeLanes(
  job: JobRecord,
  deps: JobDeps,
  how: TakeOptions,
): Promise<{ lease: Lease; lastHolders: LastHolder[] }> {
  const taken: Lease[] = [];
  const take = async (lane: string) => {
    const lease = await takeLane(lane, job, deps, how);
    taken.push(lease);
    return lease;
  };
  try {
    const creates = createsByKey(job) ? [await take(`creates by key ${job.apiUrl}`)] : [];
    const key = await take(deps.client.laneId);
    const own = await take(jobLane(job.id));
    const lastHolders = taken.flatMap(({ lastHolder }) => lastHolder ?? []);
    // Rows are committed under the token of the key's lane.
    return { lease: [...creates, own, key].reduce(together), lastHolders };
  } catch (error) {
    for (const each of taken.reverse()) await each.release();
    throw error;
  }
}

async function isHeld(lease: Lease): Promise<boolean> {
  try {
    await lease.renew();
    return true;
  } catch (error) {
    // An unreachable store says nothing about the lane.
    return !(error instanceof LeaseLostError);
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

async function takeLane(
  lane: string,
  job: JobRecord,
  deps: JobDeps,
  { sends, takeOver }: TakeOptions,
): Promise<Lease> {
  let told = '';
  for (;;) {
    const taken = await deps.ledger.lanes.acquire(lane, job.id, takeOver);
    if (isLease(taken)) return taken;
    if (taken.job === job.id) throw runsElsewhere(job, taken);
    const who = `${taken.host} ${taken.pid} ${taken.job}`;
    if (who !== told) deps.emit({ type: 'waiting_for_lane', ...taken, since: new Date(taken.since) });
    told = who;
    await deps.clock.sleep(LANE_POLL_MS, deps.signal);
    if (sends && (await deps.ledger.jobs.find(job.id)).state === 'cancelled')
      throw new JobCancelledError(job.id);
  }
}

function isLease(taken: Lease | LaneHolder): taken is Lease {
  return 'token' in taken;
}
