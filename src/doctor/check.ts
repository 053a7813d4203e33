/** One line of `doctor`'s report. */
import type { ErrorCode } from '../error-codes.ts';
import { ShelfliftError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';

export interface Check {
  /** Stable, for scripts: `address`, `scope items:read`. */
  check: string;
  /** warning: works, but needs attention. unknown: could not be checked. */
  state: 'ok' | 'failed' | 'warning' | 'unknown';
  /** What was found. */
  detail: string;
  /** What to do; set for every failure and warning. */
  remedy?: string;
}

/** A failed check carries doctor's exit code, unless another check failed earlier. */
export interface Failure extends Check {
  state: 'failed';
  remedy: string;
  exitCode: ExitCode;
  /** Stable error code. */
  code: ErrorCode;
}

export type Finding = Check | Failure;

export interface DoctorReport {
  ok: boolean;
  checks: Check[];
  error?: { code: string; message: string };
}

/** @param otherwise code for errors that are not shelflift's */
export function failed(
  check: string,
  error: unknown,
  exitCode: ExitCode,
  remedy: string,
  otherwise: ErrorCode = 'defect',
): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  const own = error instanceof ShelfliftError ? error.remedy : undefined;
  const code = error instanceof ShelfliftError ? error.code : otherwise;
  return { check, state: 'failed', detail, remedy: own ?? remedy, exitCode, code };
}

/** What doctor --json prints, and the exit code: that of the first failure. */
export function verdict(findings: readonly Finding[]): { report: DoctorReport; exitCode: ExitCode } {
  const first = findings.find((finding) => 'exitCode' in finding);
  const checks = findings.map(({ check, state, detail, remedy }) =>
    remedy === undefined ? { check, state, detail } : { check, state, detail, remedy },
  );
  if (first === undefined) return { report: { ok: true, checks }, exitCode: ExitCode.ok };
  const error = { code: first.code, message: `${first.check}: ${first.detail}` };
  return { report: { ok: false, checks, error }, exitCode: first.exitCode };
}
