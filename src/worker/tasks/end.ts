/** How a run ended, and whether it is tried again. */
import { ShelfliftError } from '../../errors.ts';
import { ExitCode } from '../../exit-code.ts';

export type RunEnd =
  /** Ended for good; with an exit code other than 0 where rows stayed behind. */
  | { kind: 'done'; exitCode: ExitCode; rows: number; files: string[]; error?: RunError }
  /** Nothing to try again: a person must mend a file or a setting. */
  | { kind: 'failed'; exitCode: ExitCode; error: RunError; rows?: number; files?: string[] }
  /** A try: the API, the disk, or we. */
  | { kind: 'error'; exitCode: ExitCode; error: RunError }
  /** No try: stopped from outside, or waiting for room in the plan. */
  | { kind: 'later'; exitCode: ExitCode; afterMs: number; error?: RunError };

export interface RunError {
  code: string;
  message: string;
}

/** How long a full plan is left alone before one create tries it again (DESIGN §1: a state, not an error). */
export const PLAN_FULL_MS = 3_600_000;

/** What an error that ended a run means for it. */
export function endOf(thrown: unknown, stopped: boolean): RunEnd {
  const known = thrown instanceof ShelfliftError;
  const error: RunError = {
    code: known ? thrown.code : 'defect',
    message: thrown instanceof Error ? thrown.message : String(thrown),
  };
  const exitCode = known ? thrown.exitCode : ExitCode.defect;
  if (stopped || exitCode === ExitCode.interrupted)
    return { kind: 'later', exitCode: ExitCode.interrupted, afterMs: 0 };
  if (exitCode === ExitCode.limit) return { kind: 'later', exitCode, afterMs: PLAN_FULL_MS, error };
  if (exitCode === ExitCode.usage || exitCode === ExitCode.rows) return { kind: 'failed', exitCode, error };
  return { kind: 'error', exitCode, error };
}
