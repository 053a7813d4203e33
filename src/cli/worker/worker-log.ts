/** Logs what a worker does. Events never contain a key, so the log does not either. */
import type { EventLog } from '../../base/log.ts';
import type { WorkerEvent } from '../../worker/events.ts';
import { fileOf, type Run } from '../../worker/queue/run.ts';
import { oneLine } from '../show/words.ts';

/** For a person at a terminal: `13:14:19 ended: run 261123-3201401e, state done, exitCode 0`. */
export function openTextLog(write: (line: string) => void): EventLog {
  const line = (fields: Record<string, unknown>, message: string) => {
    const parts = Object.entries(fields).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === '' ? [] : [`${name} ${text}`];
    });
    const about = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
    write(`${new Date().toLocaleTimeString('sv-SE')} ${oneLine(message + about)}\n`);
  };
  return { info: line, warn: line };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value === 'object') return 'message' in value ? textOf(value.message) : JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @param every also log requests and pages, not only starts and ends */
export function workerLog(log: EventLog, every: boolean): (event: WorkerEvent) => void {
  return (event) => {
    switch (event.type) {
      case 'started': {
        const { profiles, schedules, hotFolders } = event;
        log.info({ profiles, schedules, hotFolders }, 'worker started');
        return;
      }
      case 'queued':
        log.info(about(event.run), 'queued');
        return;
      case 'begun':
        log.info({ ...about(event.run), takenOver: event.takenOver, waitedMs: event.waitedMs }, 'begun');
        return;
      case 'ended': {
        const { run, tookMs } = event;
        const { state, exitCode, tries, rows, files, error } = run;
        const fields = { ...about(run), state, exitCode, tries, rows, files, seconds: tookMs / 1000, error };
        if (state === 'done') log.info(fields, 'ended');
        else log.warn(fields, 'ended');
        return;
      }
      case 'delivered':
        log.info({ ...about(event.run), to: event.to }, 'delivered');
        return;
      case 'delivery_failed':
        log.warn({ ...about(event.run), to: event.to, error: event.message }, 'delivery failed');
        return;
      case 'yielded':
        log.info(about(event.run), 'gave way to an export of the same key');
        return;
      case 'request': {
        const { operation, method, path, status, requestId, error, tookMs } = event.record;
        const fields = {
          profile: event.profile,
          operation,
          method,
          path,
          status,
          ms: Math.round(tookMs),
          requestId,
          error,
        };
        if (error !== undefined) log.warn(fields, 'request');
        else if (every) log.info(fields, 'request');
        return;
      }
      case 'limited':
        log.warn({ profile: event.profile, until: event.until.toISOString() }, 'rate limit');
        return;
      case 'import':
        if (event.event.type === 'note' || event.event.type === 'warning')
          log.warn({ ...about(event.run), message: event.event.message }, event.event.type);
        return;
      case 'export':
        if (event.event.type === 'warning' || event.event.type === 'retry')
          log.warn({ ...about(event.run), message: event.event.message }, event.event.type);
        return;
      case 'warning':
        log.warn({}, event.message);
        return;
      case 'stopping':
        log.info({ running: event.running }, 'stopping');
        return;
      default:
    }
  };
}

function about({ id, work }: Run): Record<string, unknown> {
  return work.kind === 'schedule'
    ? { run: id, schedule: work.schedule, fire: new Date(work.fire).toISOString() }
    : { run: id, file: fileOf(work.source) };
}
