/** The outcome of a job for a program, discriminated by `state`. */
import type { ErrorCode } from '../base/error-codes.ts';
import type { ExitCode } from '../base/exit-code.ts';
import { UnansweredError } from '../import/job/deps.ts';
import { InterruptedError } from '../import/job/interrupted.ts';
import type { JobOutcome, JobReport } from '../import/results/summary.ts';
import type { JobState as StoredState } from '../ledger/states.ts';
import type { Action, Message } from '../messages/params.ts';

/** The reason for each parked state of the store. */
const REASONS = {
  parked_limit: 'limit',
  parked_unreachable: 'unreachable',
  parked_unauthorised: 'unauthorized',
  parked_refused: 'refused',
  parked_disk: 'disk',
} as const satisfies Record<string, ParkReason>;
type StoredPark = keyof typeof REASONS;

export const JOB_STATES = [
  'planned',
  'running',
  'paused',
  'parked',
  'interrupted',
  'cancelled',
  'done',
] as const;
/** The state of a job in the store. */
export type JobState = (typeof JOB_STATES)[number];

/**
 * Why a job is parked: the API plan's `limit` of items is reached; the API is `unreachable` or keeps failing; the key is
 * `unauthorized`; too many rows were `refused`; the `disk` is full. `jobs.resume` continues it.
 */
export type ParkReason = 'limit' | 'unreachable' | 'unauthorized' | 'refused' | 'disk';

/** The common part of all results of a job. */
export interface JobFacts extends JobReport {
  /** The exit code that the command line would end with: 0 if everything was done. */
  exitCode: ExitCode;
  /** Notes besides the counts; `textOf` gives the sentence. */
  said: readonly Message[];
  /** Possible next actions, the likeliest first; empty if there are none. */
  actions: readonly Action[];
}

/** A job that is neither parked nor waiting for an answer. */
export interface StandingJob extends JobFacts {
  /** The state; `already_applied` for an import that another job has made. */
  state: Exclude<JobState, 'parked'> | 'already_applied';
}

/** A job that had to stop. `error` has the details; `jobs.resume` continues the job. */
export interface ParkedJob extends JobFacts {
  /** The discriminant of the union. */
  state: 'parked';
  /** The reason. */
  reason: ParkReason;
}

/**
 * A question must be answered before the first row is sent: this run has sent nothing. `jobs.apply(job, …)` with an
 * option that answers the question sends the job; `jobs.cancel(job)` drops it.
 */
export interface UnansweredJob extends JobFacts {
  /** The discriminant of the union. */
  state: 'needs_answer';
  /** The code of the question: `rows_sent_before`, `own_export`, `too_many_changes` … */
  code: ErrorCode;
  /** The question as a message; `textOf` gives the sentence. */
  question: Message;
  /** Never an error. */
  error?: never;
}

/** The outcome of a job: check `state`. A full item limit, an outage and a question are states, not exceptions. */
export type JobResult = StandingJob | ParkedJob | UnansweredJob;

export function resultOf({ summary, exitCode, said, actions, cause }: JobOutcome): JobResult {
  const { error, ...facts } = { ...summary, exitCode, said, actions };
  if (cause instanceof UnansweredError)
    return { ...facts, state: 'needs_answer', code: cause.code, question: cause.said };
  // An error made from the state would only repeat it.
  const why = error === undefined || error.code === summary.state ? {} : { error };
  return { ...facts, ...why, ...standing(summary.state) };
}

/** The result of a run. @throws InterruptedError with the job's id if it was stopped */
export function endOf(outcome: JobOutcome, signal: AbortSignal): JobResult {
  if (signal.aborted && outcome.summary.state === 'interrupted')
    throw new InterruptedError(signal.reason, outcome.summary.job);
  return resultOf(outcome);
}

/** The state of a job in the library's words. */
export function standing<S extends string>(
  state: S | StoredPark,
): { state: Exclude<S, StoredPark> } | { state: 'parked'; reason: ParkReason } {
  return isPark(state)
    ? { state: 'parked', reason: REASONS[state] }
    : { state: state as Exclude<S, StoredPark> };
}

/** A job whose rows are still being read is not visible to anybody. */
export function stateOf(state: StoredState): ReturnType<typeof standing<Exclude<StoredState, 'staging'>>> {
  return standing(state === 'staging' ? 'planned' : state);
}

function isPark(state: string): state is StoredPark {
  return Object.hasOwn(REASONS, state);
}
