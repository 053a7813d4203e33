/** `--log-file`: every API request as a JSON line (pino). No record contains the key. */
import { pino } from 'pino';
import { UsageError } from './errors.ts';
import { message } from '../messages/message.ts';

/** The logged part of a request; see RequestRecord in api/client.ts. */
export interface LoggedRequest {
  operation: string;
  method: string;
  path: string;
  status: number | undefined;
  tookMs: number;
  requestId: string | undefined;
  /** Stable error code, if the request failed. */
  error: string | undefined;
}

export interface RequestLog extends Disposable {
  request(record: LoggedRequest): void;
  /** The server made all requests wait until then. */
  pause(until: Date): void;
}

/** @throws UsageError `log_file_unwritable` */
export function openRequestLog(file: string): RequestLog {
  const destination = openLogFile(file);
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    request({ operation, method, path, status, tookMs, requestId, error }) {
      const entry = { operation, method, path, status, ms: Math.round(tookMs * 10) / 10, requestId, error };
      if (error === undefined) logger.info(entry, 'request');
      else logger.warn(entry, 'request');
    },
    pause(until) {
      logger.warn({ until: until.toISOString() }, 'rate limit');
    },
    [Symbol.dispose]() {
      destination[Symbol.dispose]();
    },
  };
}

/**
 * Appends to `file`. Each line is handed to the operating system before the call returns, so a kill loses none.
 *
 * @throws UsageError `log_file_unwritable`
 */
export function openLogFile(file: string): { write(line: string): void } & Disposable {
  let destination: ReturnType<typeof pino.destination>;
  try {
    destination = pino.destination({ dest: file, append: true, sync: true, mode: 0o600 });
  } catch (cause) {
    throw new UsageError('log_file_unwritable', message('log_file_unwritable', { file }), {
      cause,
      actions: [{ do: 'byHand', label: message('check_log_file', {}) }],
    });
  }
  // A full disk for the log must not end the job.
  destination.on('error', () => undefined);
  return {
    write: (line) => void destination.write(line),
    [Symbol.dispose]: () => destination.end(),
  };
}

/** The log of a long-running command, as JSON lines: one fact per line, with its fields. */
export interface EventLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

/** @param write receives each line, which ends with a line feed */
export function openEventLog(write: (line: string) => void): EventLog {
  return pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}
