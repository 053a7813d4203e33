/** Turns events into words on stderr. stdout is for the command's result. */
import { saidOf } from '../../base/errors.ts';
import type { RequestRecord } from '../../api/client.ts';
import type { ExportEvent } from '../../export/read/source.ts';
import type { ImportEvent } from '../../import/job/events.ts';
import { describeReason } from '../../mapping/issue-reasons.ts';
import { ExportProgress } from './export-progress.ts';
import type { GlobalFlags } from '../flags.ts';
import { paint } from './paint.ts';
import { cut } from './plan-words.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { commandsOf, toldWithCommands } from './actions.ts';
import { say, warningText } from './say.ts';
import { oneLine, plainLines } from './words.ts';
import { ProgressLine } from './progress.ts';
import { mendActions } from '../../mapping/issue-actions.ts';

const COLUMNS_SHOWN = 20;

export class Reporter {
  readonly #line: ProgressLine;
  readonly #quiet: boolean;
  readonly #verbose: boolean;
  readonly #flags: GlobalFlags;
  readonly #export = new ExportProgress();
  /** The last displayed progress of sending. */
  #sending = '';

  constructor(flags: GlobalFlags) {
    this.#line = new ProgressLine(process.stderr);
    this.#quiet = flags.quiet === true;
    this.#verbose = flags.verbose === true;
    this.#flags = flags;
  }

  /** Prints a line, unless --quiet is given. */
  say(text: string): void {
    if (!this.#quiet) this.#line.say(text);
  }

  /** Prints an important line, even with --quiet. */
  warn(text: string): void {
    this.#line.say(text);
  }

  /** Prints a warning after its label, even with --quiet. */
  warning(said: Message): void {
    this.warn(warningText(said));
  }

  update(text: string): void {
    if (!this.#quiet) this.#line.update(text);
  }

  end(): void {
    this.#line.end();
  }

  onRequest(record: RequestRecord): void {
    if (!this.#verbose) return;
    const status = record.status ?? record.error ?? 'no answer';
    this.#line.say(
      `${record.method} ${record.path} ${status} ${Math.round(record.tookMs)} ms ${record.requestId ?? ''}`.trimEnd(),
    );
  }

  onEvent(event: ImportEvent): void {
    switch (event.type) {
      case 'opened':
        this.#opened(event);
        return;
      case 'staging':
        this.update(say(message('rows_being_read', { rows: event.rows })));
        return;
      case 'judging':
        this.update(say(message('rows_checked_again', { done: event.done, total: event.total })));
        return;
      case 'note':
      case 'warning':
        this.#note(event);
        return;
      case 'drifted':
        this.warn(
          say(
            message('changed_by_others', {
              row: event.row,
              name: cut(event.name),
              item: event.itemId,
              change: event.said,
            }),
          ),
        );
        return;
      case 'issues':
        this.#issues(event);
        return;
      case 'checking': {
        const { done, total } = event;
        this.update(say(message('items_compared', { done, ...(total > 0 ? { total } : {}) })));
        return;
      }
      case 'sending': {
        this.#sending = sendingText(event);
        this.update(this.#sending);
        return;
      }
      case 'limited': {
        const wait = event.until.getTime() - Date.now();
        // Short waits are normal with a rate limit.
        if (wait > 5000) this.say(say(message('waits_for_limit', { wait, until: clockTime(event.until) })));
        else this.update(`${this.#sending}; ${say(message('waits_for_limit', { wait }))}`.replace(/^; /, ''));
        return;
      }
      case 'settling':
        this.say(say(message('answers_were_lost', { answers: event.unknown, wait: event.waitMs })));
        return;
      case 'unreachable':
        this.update(
          say(
            message('no_answer_since', {
              since: clockTime(event.since),
              next: event.nextTryMs,
              why: saidOf(event),
            }),
          ),
        );
        return;
      case 'waiting_for_lane':
        this.say(
          say(
            message('waits_for_lane', {
              job: event.job,
              host: event.host,
              process: event.pid,
              since: clockTime(event.since),
            }),
          ),
        );
        return;
      default:
    }
  }

  onExportEvent(event: ExportEvent): void {
    switch (event.type) {
      case 'resumed':
        this.say(
          say(
            message('export_continues', {
              since: clockTime(event.startedAt),
              rows: event.rows,
              option: '--fresh',
            }),
          ),
        );
        return;
      case 'retry':
        this.update(
          say(message('tries_again', { why: saidOf(event), wait: event.waitMs, number: event.tryNumber })),
        );
        return;
      case 'note':
      case 'warning':
        this.#note(event);
        return;
      default: {
        if (this.#quiet) return;
        const text = this.#export.after(event);
        if (text !== undefined) this.update(text);
      }
    }
  }

  #note({ type, message: text, said }: Extract<ImportEvent, { type: 'note' | 'warning' }>): void {
    const shown = plainLines(said === undefined ? text : toldWithCommands(said, this.#flags));
    if (type === 'note') this.say(`${say(message('label_note', {}))}: ${shown}`);
    else this.warn(`${paint('warning', `${say(message('label_warning', {}))}:`)} ${shown}`);
  }

  #opened(event: Extract<ImportEvent, { type: 'opened' }>): void {
    this.say(oneLine(event.file));
    this.say(say(message('detected_as', { parts: event.detectedAs })));
    // Columns that are kept unasked are reported once it is known who can see their collection.
    const used = event.columns.filter((column) => column.target !== undefined && column.isUnasked !== true);
    const ignored = event.columns.filter((column) => column.target === undefined);
    this.say(
      say(message('columns_used', { pairs: used.map((column) => `${column.header} → ${column.target}`) })),
    );
    if (ignored.length > 0) {
      const shown = ignored
        .slice(0, COLUMNS_SHOWN)
        .map((column) => `${column.header} (${toldWithCommands(column.why, this.#flags)})`);
      const more = ignored.length - shown.length;
      this.say(say(message('columns_ignored', { columns: shown, ...(more > 0 ? { more } : {}) })));
    }
  }

  #issues({ reasons, job }: Extract<ImportEvent, { type: 'issues' }>): void {
    for (const reason of reasons) {
      const { line, values } = describeReason(reason);
      this.say(`  ${say(line)}`);
      if (values !== undefined) this.say(`    ${say(values)}`);
      if (job === undefined) continue;
      for (const action of mendActions(reason, job)) this.say(`    ${commandsOf([action], this.#flags)}`);
    }
  }
}

function sendingText(event: Extract<ImportEvent, { type: 'sending' }>): string {
  const { done, total, unit, perSecond, leftMs } = event;
  return say(
    message('being_sent', {
      done,
      total,
      areItems: unit === 'item',
      percent: total === 0 ? 100 : Math.floor((done / total) * 100),
      ...(perSecond > 0 ? { perSecond } : {}),
      ...(leftMs === undefined || done >= total ? {} : { left: leftMs }),
    }),
  );
}

function clockTime(moment: Date): string {
  // Swedish writes times as ISO 8601 does: 2026-11-23 13:14:19.
  const [day, time = ''] = moment.toLocaleString('sv-SE').split(' ');
  return day === new Date().toLocaleDateString('sv-SE') ? time : `${day} ${time}`;
}
