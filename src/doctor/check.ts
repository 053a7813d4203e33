/** One line of `doctor`'s report. */
import type { ErrorCode } from '../base/error-codes.ts';
import { saidOf, ShelfliftError } from '../base/errors.ts';
import { ExitCode } from '../base/exit-code.ts';
import { adviceOf, english, message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';

export interface Check {
  /** Stable, for scripts: `address`, `scope items:read`. */
  check: string;
  /** warning: works, but needs attention. unknown: could not be checked. */
  state: 'ok' | 'failed' | 'warning' | 'unknown';
  /** The finding. */
  found: Message;
  /** What to do. */
  actions?: readonly Action[];
}

/** A failed check carries doctor's exit code, unless another check failed earlier. */
export interface Failure extends Check {
  state: 'failed';
  actions: readonly Action[];
  exitCode: ExitCode;
  /** Stable error code. */
  code: ErrorCode;
}

export type Finding = Check | Failure;

/** A check in English, and what to do as a sentence and as data. */
export interface ReportedCheck extends Pick<Check, 'check' | 'state' | 'actions'> {
  detail: string;
  remedy?: string;
}

export interface DoctorReport {
  ok: boolean;
  checks: ReportedCheck[];
  error?: { code: string; message: string };
}

/**
 * @param actions for errors without actions of their own
 * @param otherwise code for errors that are not shelflift's
 */
export function failed(
  check: string,
  error: unknown,
  exitCode: ExitCode,
  actions: readonly Action[],
  otherwise: ErrorCode = 'defect',
): Failure {
  if (error instanceof ShelfliftError) {
    const own = error.actions.length > 0 ? error.actions : actions;
    return { check, state: 'failed', found: saidOf(error), actions: own, exitCode, code: error.code };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { check, state: 'failed', found: message('verbatim', { text }), actions, exitCode, code: otherwise };
}

/**
 * All findings in English, and the exit code of the first failure.
 *
 * @param advice says what can be done
 */
export function verdict(
  findings: readonly Finding[],
  advice: (actions: readonly Action[]) => string | undefined = adviceOf,
): { report: DoctorReport; exitCode: ExitCode } {
  const first = findings.find((finding) => 'exitCode' in finding);
  const checks = findings.map(({ check, state, found, actions = [] }): ReportedCheck => {
    const reported = { check, state, detail: english(found) };
    const remedy = actions.length === 0 ? undefined : advice(actions);
    return remedy === undefined ? reported : { ...reported, remedy, actions };
  });
  if (first === undefined) return { report: { ok: true, checks }, exitCode: ExitCode.ok };
  const error = { code: first.code, message: `${first.check}: ${english(first.found)}` };
  return { report: { ok: false, checks, error }, exitCode: first.exitCode };
}
