/** One run of a job inside this process, watched by any number of pages, or none. */
import { createHash } from 'node:crypto';
import type { Message } from '../../messages/params.ts';
import { RequestMeter } from '../../api/meter.ts';
import { systemClock } from '../../base/clock.ts';
import { sameJson } from '../../base/equal-json.ts';
import { message } from '../../messages/message.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { type JobDeps, UnansweredError } from '../../import/job/deps.ts';
import type { ImportEvent } from '../../import/job/events.ts';
import type { Consents } from '../../ledger/job-parts.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import type { JobOutcome } from '../../import/results/summary.ts';

export type RunKind = 'reading' | 'judging' | 'comparing' | 'sending' | 'undoing' | 'looking' | 'reporting';

/** What a run is for, besides its kind. */
export interface RunOptions {
  /** Rows that earlier runs of the job have sent: the progress bar continues from there. */
  before?: number;
  /** The most rows to send. */
  first?: number | undefined;
  /** What else the person has chosen; plain data. */
  asked?: unknown;
}

/** The progress of a run as a page shows it: the newest event of each type. */
export interface Progress {
  done: number;
  total: number | undefined;
  perSecond: number | undefined;
  leftMs: number | undefined;
  /** The reason for the current wait, if any; times are ms since the epoch. */
  waiting:
    | { for: 'rate_limit'; until: number }
    | { for: 'api'; until: number; message: string }
    | { for: 'answers'; until: number; rows: number }
    | { for: 'other_process'; host: string; pid: number }
    | undefined;
  notes: { kind: 'note' | 'warning'; message: string; said: Message | undefined }[];
}

const MAX_NOTES = 50;

export class Run {
  readonly kind: RunKind;
  readonly progress: Progress = {
    done: 0,
    total: undefined,
    perSecond: undefined,
    leftMs: undefined,
    waiting: undefined,
    notes: [],
  };
  /** Outcome of a job; other runs leave files. */
  outcome: JobOutcome | undefined;
  error: Error | undefined;
  /** The most rows that it was asked to send; undefined for all. */
  readonly first: number | undefined;
  readonly ended: Promise<void>;
  #isOver = false;
  readonly #stopping = new AbortController();
  readonly #watchers = new Set<() => void>();
  readonly #before: number;
  readonly #asked: unknown;

  constructor(
    kind: RunKind,
    { client, ledger, filePassword }: Pick<JobDeps, 'client' | 'ledger' | 'filePassword'>,
    work: (deps: JobDeps) => Promise<JobOutcome | undefined>,
    { before = 0, first, asked }: RunOptions = {},
  ) {
    this.kind = kind;
    this.first = first;
    this.#before = before;
    this.#asked = asked;
    const meter = new RequestMeter();
    const deps: JobDeps = {
      client: client.withListener((record) => {
        meter.onRequest(record);
        // An answer has arrived, so the wait is over.
        this.progress.waiting = undefined;
      }),
      ledger,
      meter,
      clock: systemClock,
      ...(filePassword === undefined ? {} : { filePassword }),
      signal: this.#stopping.signal,
      emit: (event) => this.#onEvent(event),
    };
    this.ended = this.#run(work, deps);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted && !this.#isOver;
  }

  /** Whether a person who wants this is served by this run. */
  does(kind: RunKind, { first, asked }: RunOptions): boolean {
    return kind === this.kind && first === this.first && sameJson(asked, this.#asked);
  }

  /** Stops the run once open requests are finished; the job can be resumed. */
  stop(): void {
    this.#stopping.abort(new ShelfliftError('interrupted', message('page_stopped', {})));
    this.#tell();
  }

  /** A pause of the key affects every run of the account. */
  onPause(until: Date): void {
    this.progress.waiting = { for: 'rate_limit', until: until.getTime() };
    this.#tell();
  }

  /** Calls back on every change. @returns a function that ends this */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  async #run(work: (deps: JobDeps) => Promise<JobOutcome | undefined>, deps: JobDeps): Promise<void> {
    try {
      this.outcome = await work(deps);
    } catch (error) {
      this.error = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#isOver = true;
      this.#tell();
    }
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }

  #onEvent(event: ImportEvent): void {
    const { progress } = this;
    switch (event.type) {
      case 'staging':
        progress.done = event.rows;
        break;
      case 'checking':
        progress.done = event.done;
        progress.total = event.total;
        break;
      case 'judging':
        progress.done = event.done;
        progress.total = event.total;
        break;
      case 'sending':
        progress.done = this.#before + event.done;
        progress.total = this.#before + event.total;
        progress.perSecond = event.perSecond;
        progress.leftMs = event.leftMs;
        break;
      case 'limited':
        progress.waiting = { for: 'rate_limit', until: event.until.getTime() };
        break;
      case 'settling':
        progress.waiting = {
          for: 'answers',
          until: systemClock.now() + event.waitMs,
          rows: event.unknown,
        };
        break;
      case 'unreachable':
        progress.waiting = {
          for: 'api',
          until: systemClock.now() + event.nextTryMs,
          message: event.message,
        };
        break;
      case 'waiting_for_lane':
        progress.waiting = { for: 'other_process', host: event.host, pid: event.pid };
        break;
      case 'note':
      case 'warning':
        if (progress.notes.length < MAX_NOTES)
          progress.notes.push({ kind: event.type, message: event.message, said: event.said });
        break;
      default:
    }
    this.#tell();
  }
}

/**
 * Whether a run ended with a question of the engine, about all rows or the rest of them. The plan shows it with its
 * answer, until the job has ended: it may have been answered or cancelled elsewhere.
 */
export function isAsked(run: Run | undefined, { state }: Pick<JobRecord, 'state'>): boolean {
  return run?.outcome?.exitCode === 2 && state !== 'done' && state !== 'cancelled';
}

/**
 * What a person who says yes to the question of a run agrees to, and a name of it for the form: an older page may have
 * shown another question, or fewer rows. Undefined if no answer helps.
 */
export function consentOf(
  run: Run | undefined,
  job: Pick<JobRecord, 'state'>,
): { name: string; consent: Consents } | undefined {
  const cause = isAsked(run, job) ? run?.outcome?.cause : undefined;
  const consent = cause instanceof UnansweredError ? cause.consent : undefined;
  if (consent === undefined) return undefined;
  return { name: createHash('sha256').update(JSON.stringify(consent)).digest('hex'), consent };
}
