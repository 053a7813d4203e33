/** The end of a run, and whether to retry it. */
import { defined } from '../../base/defined.ts';
import { placedMessage, ShelfliftError } from '../../base/errors.ts';
import { systemCode } from '../../sheets/file-error.ts';
import { ExitCode } from '../../base/exit-code.ts';
import { adviceOf, english, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import { isAway } from '../outage.ts';

export type RunEnd =
  /** Done; the exit code is not 0 if rows were left out. */
  | ({
      kind: 'done';
      exitCode: ExitCode;
      rows: number;
      files: string[];
      error?: RunError;
      /** A notice for people, although the run is done. */
      notice?: Message;
    } & OfJob)
  /** A retry would not help: somebody has to correct a file or a setting. */
  | ({ kind: 'failed'; exitCode: ExitCode; error: RunError; rows?: number; files?: string[] } & OfJob)
  /** Retried, and counted as a try. */
  | ({ kind: 'error'; exitCode: ExitCode; error: RunError; rows?: number; files?: string[] } & OfJob)
  /** An outage: retried, and not counted as a try. */
  | ({ kind: 'away'; exitCode: ExitCode; error: RunError; rows?: number; files?: string[] } & OfJob)
  /** Stopped from outside, or waiting for room under the item limit: not counted as a try. */
  | ({ kind: 'later'; exitCode: ExitCode; afterMs: number; error?: RunError } & OfJob);

/** The data about its file that a run keeps. */
interface Made {
  rows?: number;
  files?: string[];
  leftOut?: number;
  notInTotals?: number;
  leftBlank?: number;
  renamed?: Message;
}

/** The end of a run whose file is in its place. */
export function madeEnd({ rows = 0, files = [], leftOut, notInTotals, leftBlank, renamed }: Made): RunEnd {
  const gaps = [
    ...(leftOut === undefined ? [] : [message('left_out_by_layout', { rows: leftOut })]),
    ...(notInTotals === undefined ? [] : [message('totals_lack_values', { values: notInTotals })]),
    ...(leftBlank === undefined ? [] : [message('cells_left_blank', { cells: leftBlank })]),
  ];
  const notice = gaps.length > 1 ? message('several_gaps', { gaps }) : gaps[0];
  if (notice !== undefined) return { kind: 'done', exitCode: ExitCode.rows, rows, files, notice };
  return { kind: 'done', exitCode: ExitCode.ok, rows, files, ...defined({ notice: renamed }) };
}

interface OfJob {
  /** The job if it is not the run's own: a parked one of the same file. */
  job?: string;
}

export interface RunError {
  /** A code of the error catalogue; system errors become `cannot_write` or `disk_full`. */
  code: string;
  /** In English. */
  message: string;
  /** The message as data, with the possible actions; absent if only the text is known. */
  said?: Message;
  actions?: readonly Action[];
  /** The remedy, in English. */
  remedy?: string;
}

/** An error without an exception. */
export function runError(code: string, said: Message, actions: readonly Action[] = []): RunError {
  const remedy = adviceOf(actions);
  return { code, message: english(said), said, actions, ...(remedy === undefined ? {} : { remedy }) };
}

/** The same error with another name for a path in all of its texts. */
export function withName(error: RunError, path: string, name: string): RunError {
  // A path within JSON is written as in JSON.
  const [from, to] = [path, name].map((each) => JSON.stringify(each).slice(1, -1));
  return JSON.parse(JSON.stringify(error).replaceAll(from ?? '', () => to ?? '')) as RunError;
}

/** The message and actions of an error. */
export function toldBy({
  said,
  actions,
  remedy,
}: ShelfliftError): Pick<RunError, 'said' | 'actions' | 'remedy'> {
  return {
    ...(said === undefined ? {} : { said }),
    actions,
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** Wait before one create checks for room under the item limit again (design §1: a state, not an error). */
export const PLAN_FULL_MS = 3_600_000;

/** The end that an error causes for its run. */
export function endOf(thrown: unknown, stopped: boolean): RunEnd {
  const known = thrown instanceof ShelfliftError;
  const told = systemCode(thrown) ?? '';
  // Only errors of the system: the codes of Node's own errors begin with ERR_.
  const code = /^E[A-Z0-9]+$/.test(told) ? told : undefined;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  const error: RunError = {
    code: known ? thrown.code : full ? 'disk_full' : code === undefined ? 'defect' : 'cannot_write',
    message: known ? placedMessage(thrown) : thrown instanceof Error ? thrown.message : String(thrown),
    ...(known ? toldBy(thrown) : {}),
  };
  const exitCode = known ? thrown.exitCode : code === undefined ? ExitCode.defect : ExitCode.parked;
  if (stopped || exitCode === ExitCode.interrupted)
    return { kind: 'later', exitCode: ExitCode.interrupted, afterMs: 0 };
  if (exitCode === ExitCode.limit) return { kind: 'later', exitCode, afterMs: PLAN_FULL_MS, error };
  if (exitCode === ExitCode.usage || exitCode === ExitCode.rows) return { kind: 'failed', exitCode, error };
  return { kind: isAway(thrown) ? 'away' : 'error', exitCode, error };
}
