/** How a run ended, and whether it is tried again. */
import { placedMessage, ShelfliftError } from '../../errors.ts';
import { systemCode } from '../../sheets/file-error.ts';
import { ExitCode } from '../../exit-code.ts';
import { isAway } from '../outage.ts';

export type RunEnd =
  /** Ended for good; with an exit code other than 0 where rows stayed behind. */
  | ({
      kind: 'done';
      exitCode: ExitCode;
      rows: number;
      files: string[];
      error?: RunError;
      /** What a person is to be told of it all the same. */
      notice?: string;
    } & OfJob)
  /** Nothing to try again: a person must mend a file or a setting. */
  | ({ kind: 'failed'; exitCode: ExitCode; error: RunError; rows?: number; files?: string[] } & OfJob)
  /** A try: the API, the disk, or we. */
  | ({ kind: 'error'; exitCode: ExitCode; error: RunError; rows?: number; files?: string[] } & OfJob)
  /** Not counted as a try: what it needs cannot be reached. */
  | ({ kind: 'away'; exitCode: ExitCode; error: RunError; rows?: number; files?: string[] } & OfJob)
  /** No try: stopped from outside, or waiting for room in the plan. */
  | ({ kind: 'later'; exitCode: ExitCode; afterMs: number; error?: RunError } & OfJob);

interface OfJob {
  /** The job that it was, where it is not the run's own: one of the same file that had been parked. */
  job?: string;
}

export interface RunError {
  /** Of the error catalogue; what the system says of a file or a folder is `cannot_write` or `disk_full`. */
  code: string;
  message: string;
  /** What a person can do about it. */
  remedy?: string;
}

/** How long a full plan is left alone before one create tries it again (design §1: a state, not an error). */
export const PLAN_FULL_MS = 3_600_000;

/** What an error that ended a run means for it. */
export function endOf(thrown: unknown, stopped: boolean): RunEnd {
  const known = thrown instanceof ShelfliftError;
  const told = systemCode(thrown) ?? '';
  // Of the system: what Node finds wrong with its caller begins with ERR_.
  const code = /^E[A-Z0-9]+$/.test(told) ? told : undefined;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  const error: RunError = {
    code: known ? thrown.code : full ? 'disk_full' : code === undefined ? 'defect' : 'cannot_write',
    message: known ? placedMessage(thrown) : thrown instanceof Error ? thrown.message : String(thrown),
    ...(known && thrown.remedy !== undefined ? { remedy: thrown.remedy } : {}),
  };
  const exitCode = known ? thrown.exitCode : code === undefined ? ExitCode.defect : ExitCode.parked;
  if (stopped || exitCode === ExitCode.interrupted)
    return { kind: 'later', exitCode: ExitCode.interrupted, afterMs: 0 };
  if (exitCode === ExitCode.limit) return { kind: 'later', exitCode, afterMs: PLAN_FULL_MS, error };
  if (exitCode === ExitCode.usage || exitCode === ExitCode.rows) return { kind: 'failed', exitCode, error };
  return { kind: isAway(thrown) ? 'away' : 'error', exitCode, error };
}
