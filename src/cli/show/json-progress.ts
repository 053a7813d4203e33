/**
 * `--progress json`: one JSON object per line on stderr, for programs that start shelflift. Every object has `type`; keys
 * are added, never renamed:
 *
 *   reading, judging, comparing, sending, writing   `done`, and where known `total`, `per_second`, `eta_seconds`
 *   waiting                                `reason` (rate_limit, lost_answers, unreachable, key_in_use), `until`
 *   issues                                 `code`, `column`, `rows`, `message`: one kind of invalid row
 *   drifted                                `row`, `item_id`, `message`: somebody changed the item
 *   note, warning, error                   `message`; errors also `code`, `remedy`
 *
 * Times are ISO 8601 in UTC. A stage reports its state at most once per second, and always its last state.
 */
import { messageJson } from './actions.ts';
import type { RequestRecord } from '../../api/client.ts';
import type { ExportEvent } from '../../export/read/source.ts';
import type { ImportEvent } from '../../import/job/events.ts';
import { english } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { GlobalFlags } from '../flags.ts';
import { type Line, writeLine } from './json-lines.ts';
import { Reporter } from './reporter.ts';

const INTERVAL_MS = 1000;

export class JsonProgress extends Reporter {
  #type: string | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #pending: Line | undefined;
  #total: number | undefined;

  constructor(flags: GlobalFlags) {
    super({ ...flags, quiet: true });
  }

  override say(message: string): void {
    this.#write({ type: 'note', message });
  }

  override warn(message: string): void {
    this.#write({ type: 'warning', message });
  }

  override warning(said: Message): void {
    this.#write({ type: 'warning', message: english(said), ...messageJson(said) });
  }

  override update(message: string): void {
    this.#stage({ type: 'note', message });
  }

  override end(): void {
    if (this.#pending !== undefined) writeLine(this.#pending);
    this.#pending = undefined;
    this.#type = undefined;
  }

  override onRequest(_: RequestRecord): void {}

  override onEvent(event: ImportEvent): void {
    switch (event.type) {
      case 'staging':
        this.#stage({ type: 'reading', done: event.rows });
        return;
      case 'judging':
        this.#stage({ type: 'judging', done: event.done, total: event.total });
        return;
      case 'checking':
        this.#stage({
          type: 'comparing',
          done: event.done,
          ...(event.total > 0 ? { total: event.total } : {}),
        });
        return;
      case 'sending': {
        const { done, total, perSecond, leftMs } = event;
        this.#stage({
          type: 'sending',
          done,
          total,
          per_second: perSecond,
          ...(leftMs === undefined ? {} : { eta_seconds: Math.round(leftMs / 1000) }),
        });
        return;
      }
      case 'limited':
        this.#write({ type: 'waiting', reason: 'rate_limit', until: event.until.toISOString() });
        return;
      case 'settling':
        this.#write({
          type: 'waiting',
          reason: 'lost_answers',
          rows: event.unknown,
          until: time(Date.now() + event.waitMs),
        });
        return;
      case 'unreachable':
        this.#write({
          type: 'waiting',
          reason: 'unreachable',
          since: event.since.toISOString(),
          until: time(Date.now() + event.nextTryMs),
          message: event.message,
        });
        return;
      case 'waiting_for_lane':
        this.#write({
          type: 'waiting',
          reason: 'key_in_use',
          job: event.job,
          host: event.host,
          pid: event.pid,
          since: event.since.toISOString(),
        });
        return;
      case 'drifted': {
        const { row, itemId, name, message } = event;
        this.#write({ type: 'drifted', row, item_id: itemId, name, message });
        return;
      }
      case 'issues':
        for (const { code, header, rows, message } of event.reasons)
          this.#write({ type: 'issues', code, column: header ?? null, rows, message });
        return;
      case 'note':
      case 'warning':
        this.#write({ type: event.type, message: event.message, ...(event.said && messageJson(event.said)) });
        return;
      case 'opened':
        this.#write({ type: 'note', message: `${event.file}: ${event.detected}` });
    }
  }

  override onExportEvent(event: ExportEvent): void {
    switch (event.type) {
      case 'counted':
        this.#total = event.entries;
        return;
      case 'read':
        this.#stage({
          type: 'reading',
          done: event.seen,
          ...(this.#total === undefined ? {} : { total: this.#total }),
          rows: event.rows,
        });
        return;
      case 'written':
        this.#stage({ type: 'writing', done: event.rows });
        return;
      case 'retry':
        this.#write({
          type: 'waiting',
          reason: 'unreachable',
          until: time(Date.now() + event.waitMs),
          message: event.message,
        });
        return;
      case 'note':
      case 'warning':
        this.#write({ type: event.type, message: event.message, ...messageJson(event.said) });
        return;
      case 'resumed':
        this.#write({
          type: 'note',
          message: `continuing the export that began at ${event.startedAt.toISOString()}`,
          rows: event.rows,
        });
        return;
      default:
    }
  }

  /** The last state of each stage is written in any case. */
  #stage(line: Line): void {
    if (line.type !== this.#type) this.end();
    this.#type = line.type;
    const now = performance.now();
    if (now - this.#lastAt < INTERVAL_MS) {
      this.#pending = line;
      return;
    }
    this.#lastAt = now;
    this.#pending = undefined;
    writeLine(line);
  }

  #write(line: Line): void {
    this.end();
    writeLine(line);
  }
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
