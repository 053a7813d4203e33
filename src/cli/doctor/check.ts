/** One line of what `doctor` says. */
import { ExitCode, ShelfliftError } from '../../errors.ts';

export interface Check {
  /** Stable, for scripts: `address`, `scope items:read`. */
  check: string;
  /** warning: works, but look at it. unknown: could not be, or cannot be, found out. */
  state: 'ok' | 'failed' | 'warning' | 'unknown';
  /** What was found. */
  detail: string;
  /** What to do; with every failure and warning. */
  remedy?: string;
}

/** A failed check carries the exit code that doctor ends with, if no other failed before it. */
export interface Failure extends Check {
  state: 'failed';
  remedy: string;
  exitCode: ExitCode;
  /** The stable code of what is wrong. */
  code: string;
}

export type Finding = Check | Failure;

export function failed(check: string, error: unknown, exitCode: ExitCode, remedy: string): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  const own = error instanceof ShelfliftError ? error.remedy : undefined;
  const code = error instanceof ShelfliftError ? error.code : check.replaceAll(' ', '_');
  return { check, state: 'failed', detail, remedy: own ?? remedy, exitCode, code };
}

export function isFailure(finding: Finding): finding is Failure {
  return 'exitCode' in finding;
}
