/** Turns events into words on stderr. stdout is for the command's result. */
import type { RequestRecord } from '../../api/client.ts';
import type { ExportEvent } from '../../export/read/source.ts';
import type { ImportEvent } from '../../import/job/events.ts';
import { describeReason } from '../../mapping/issue-reasons.ts';
import { ExportProgress } from './export-progress.ts';
import type { GlobalFlags } from '../flags.ts';
import { paint } from './paint.ts';
import { cut } from './plan-words.ts';
import { commandsOf, toldWithCommands } from './actions.ts';
import { say } from './say.ts';
import { ProgressLine, type ProgressStream } from './progress.ts';
import { duration } from '../../base/words.ts';
import { count, counted } from '../../base/counted.ts';
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

  constructor(flags: GlobalFlags, stream: ProgressStream = process.stderr) {
    this.#line = new ProgressLine(stream);
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
        this.update(`reading: ${counted(event.rows, 'row')}`);
        return;
      case 'judging':
        this.update(`checking again: ${count(event.done)} of ${count(event.total)}`);
        return;
      case 'note':
        this.say(`note: ${this.#told(event)}`);
        return;
      case 'warning':
        this.warn(`${paint('warning', 'warning:')} ${this.#told(event)}`);
        return;
      case 'drifted':
        this.warn(
          `changed by somebody else: row ${event.row}, ${cut(event.name)} (${event.itemId}): ${say(event.said)}`,
        );
        return;
      case 'issues':
        this.#issues(event);
        return;
      case 'checking': {
        const of = event.total > 0 ? ` of ${count(event.total)}` : '';
        this.update(`comparing with current items: ${count(event.done)}${of}`);
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
        if (wait > 5000) this.say(`rate limit: waiting ${duration(wait)}, until ${clockTime(event.until)}`);
        else this.update(`${this.#sending}; rate limit: waiting ${duration(wait)}`.replace(/^; /, ''));
        return;
      }
      case 'settling':
        this.say(
          `${counted(event.unknown, 'answer was', 'answers were')} lost: waiting ${duration(event.waitMs)} for the server to finish, then looking ${event.unknown === 1 ? 'it' : 'them'} up`,
        );
        return;
      case 'unreachable':
        this.update(
          `no answer from the API since ${clockTime(event.since)}; next try in ${duration(event.nextTryMs)}. ${event.message}`,
        );
        return;
      case 'waiting_for_lane':
        this.say(
          `waiting for job ${event.job}, which uses the same key (${event.host}, pid ${event.pid}, since ${clockTime(event.since)})`,
        );
        return;
      default:
    }
  }

  onExportEvent(event: ExportEvent): void {
    switch (event.type) {
      case 'resumed':
        this.say(
          `continuing the export interrupted at ${clockTime(event.startedAt)}: ${counted(event.rows, 'row is', 'rows are')} already read (--fresh reads everything again)`,
        );
        return;
      case 'retry':
        this.update(`${event.message} Trying again in ${duration(event.waitMs)} (try ${event.tryNumber}).`);
        return;
      case 'note':
        this.say(`note: ${this.#told(event)}`);
        return;
      case 'warning':
        this.warn(`${paint('warning', 'warning:')} ${this.#told(event)}`);
        return;
      default: {
        if (this.#quiet) return;
        const text = this.#export.after(event);
        if (text !== undefined) this.update(text);
      }
    }
  }

  #told({ message, said }: Extract<ImportEvent, { type: 'note' | 'warning' }>): string {
    return said === undefined ? message : toldWithCommands(said, this.#flags);
  }

  #opened(event: Extract<ImportEvent, { type: 'opened' }>): void {
    this.say(event.file);
    this.say(`detected: ${event.detected}`);
    // Columns that are kept unasked are reported once it is known who can see their collection.
    const used = event.columns.filter((column) => column.target !== undefined && column.isUnasked !== true);
    const ignored = event.columns.filter((column) => column.target === undefined);
    this.say(`columns: ${used.map((column) => `${column.header} → ${column.target}`).join(', ')}`);
    if (ignored.length > 0) {
      const shown = ignored
        .slice(0, COLUMNS_SHOWN)
        .map((column) => `${column.header} (${toldWithCommands(column.why, this.#flags)})`);
      const more = ignored.length - shown.length;
      this.say(`ignored: ${shown.join(', ')}${more > 0 ? `, and ${count(more)} more` : ''}`);
    }
  }

  #issues({ reasons, job }: Extract<ImportEvent, { type: 'issues' }>): void {
    for (const reason of reasons) {
      const { line, values } = describeReason(reason);
      this.say(`  ${line}`);
      if (values !== undefined) this.say(`    ${values}`);
      if (job === undefined) continue;
      for (const action of mendActions(reason, job)) this.say(`    ${commandsOf([action], this.#flags)}`);
    }
  }
}

function sendingText(event: Extract<ImportEvent, { type: 'sending' }>): string {
  const { done, total, unit, perSecond, leftMs } = event;
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const rate = perSecond > 0 ? `, ${perSecond.toFixed(1)}/s` : '';
  const left = leftMs === undefined || done >= total ? '' : `, ${duration(leftMs)} left`;
  return `sending: ${count(done)} of ${counted(total, unit)} (${percent} %)${rate}${left}`;
}

function clockTime(moment: Date): string {
  // Swedish writes times as ISO 8601 does: 2026-11-23 13:14:19.
  const [day, time = ''] = moment.toLocaleString('sv-SE').split(' ');
  return day === new Date().toLocaleDateString('sv-SE') ? time : `${day} ${time}`;
}
