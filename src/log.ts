/** `--log-file`: what was asked of the API, as JSON lines (pino). The key is in no record, so it is in no line. */
import { pino } from 'pino';
import { UsageError } from './errors.ts';

/** What is kept of one request; see RequestRecord of the API's client. */
export interface LoggedRequest {
  operation: string;
  method: string;
  path: string;
  status: number | undefined;
  /** Milliseconds. */
  ms: number;
  requestId: string | undefined;
  /** Stable code of the error, where it was one. */
  error: string | undefined;
}

export interface RequestLog extends Disposable {
  request(record: LoggedRequest): void;
  /** The server made everybody wait, until then (ms since the epoch). */
  pause(until: number): void;
}

/**
 * Appends to `file`; each line is on its way to the disk before the call returns, so that a kill loses none.
 *
 * @throws UsageError `log_file_unwritable`
 */
export function openRequestLog(file: string): RequestLog {
  let destination: ReturnType<typeof pino.destination>;
  try {
    destination = pino.destination({ dest: file, append: true, sync: true, mode: 0o600 });
  } catch (cause) {
    throw new UsageError('log_file_unwritable', `the log file ${file} cannot be written`, {
      cause,
      remedy: 'Check the folder and its permissions, or name another --log-file.',
    });
  }
  // A full disk must not end a job for its log's sake.
  destination.on('error', () => undefined);
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    request({ operation, method, path, status, ms, requestId, error }) {
      const entry = { operation, method, path, status, ms: Math.round(ms * 10) / 10, requestId, error };
      if (error === undefined) logger.info(entry, 'request');
      else logger.warn(entry, 'request');
    },
    pause(until) {
      logger.warn({ until: new Date(until).toISOString() }, 'rate limit');
    },
    [Symbol.dispose]() {
      destination.end();
    },
  };
}

/** What a long-running command says, as JSON lines: a fact a line, with the fields that belong to it. */
export interface EventLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

/** @param write where a line goes; it ends in a line feed */
export function openEventLog(write: (line: string) => void): EventLog {
  return pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}
