/** The outcome of a worker. With several outcomes, the most severe exit code wins. */
import { ExitCode, mostSevere } from '../base/exit-code.ts';
import type { ReadConfig } from './config/read-config.ts';
import { english, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { failedDeliveries, type Run } from './queue/run.ts';
import { type RunError, runError } from './tasks/end.ts';

export interface WorkerEnd {
  exitCode: ExitCode;
  /** The runs of this worker in their last states, in the order in which they ended. */
  runs: Run[];
  /** The reason for the exit code; absent for 0, 3, 4 and 130 (design §2, JSON). */
  error?: RunError;
  /** The changed configuration to restart with. */
  nextConfig?: ReadConfig;
}

const WITHOUT_ERROR: readonly number[] = [ExitCode.ok, ExitCode.rows, ExitCode.limit, ExitCode.interrupted];

/** @param away watched folders that could not be read → why */
export function worstOf(runs: Run[], away: ReadonlyMap<string, Message>): WorkerEnd {
  const codes = runs.map((run) => run.exitCode ?? ExitCode.ok);
  if (away.size > 0) codes.push(ExitCode.parked);
  const exitCode = mostSevere(codes);
  if (WITHOUT_ERROR.includes(exitCode)) return { exitCode, runs };
  const worst = runs.find((run) => run.exitCode === exitCode);
  const error = worst === undefined ? folderAway(away) : errorOf(worst);
  return { exitCode, runs, error };
}

function errorOf(run: Run): RunError {
  const { id } = run;
  const said = message('deliveries_failed', { problems: failedDeliveries(run) });
  const error = run.error ?? { code: 'delivery_failed', message: english(said), said };
  return { ...error, message: `${id}: ${error.message}` };
}

function folderAway(away: ReadonlyMap<string, Message>): RunError {
  const problems = [...away].map(([key, problem]) => message('at_key', { key, problem }));
  return runError('folder_away', message('folders_away', { problems }));
}
