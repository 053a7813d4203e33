/**
 * Sends the planned rows of a job, each exactly once.
 *
 * Many workers send rows (row-sender.ts); rows whose answers were lost are settled between passes (settle/settle.ts).
 * ledger/states.ts says which stage may move a row.
 */
import { MissingScopeError } from '../../api/errors.ts';
import { unitOf } from '../../base/counted.ts';
import { saidOf } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import type { Waits } from '../../api/outage.ts';
import type { MoveOptions } from '../../ledger/ledger.ts';
import { ProgressMeter } from './progress-meter.ts';
import { noteOf } from '../job/events.ts';
import { rowTotals } from '../job/row-totals.ts';
import { OthersQuiet } from '../settle/others-quiet.ts';
import { rowPages } from '../job/row-pages.ts';
import { settleUpdates } from '../settle/settle-updates.ts';
import { findDoubles, RESENT, settleCreates } from '../settle/settle.ts';
import { Circuit, withRecovery } from '../job/circuit.ts';
import { Feed } from './feed.ts';
import { Journal } from './journal.ts';
import { waitForRoom } from '../job/limit-wait.ts';
import { PlannedRows } from './planned-rows.ts';
import { Recheck } from './recheck.ts';
import { RefusalGuard } from './refusal-guard.ts';
import { RowSender } from './row-sender.ts';
import { RunState } from './run-state.ts';
import type { WriteContext } from './write-context.ts';
import { stateAtEnd, type WriteEnd } from './write-end.ts';

export interface WriteOptions {
  /** Ordinals of the rows to send before a pause (`--first`), ascending; absent for all rows. */
  only?: readonly number[];
  /** Park after this many refusals in this run (`--max-refused`). */
  maxRefused?: number;
  /** Wait for room in the API plan instead of parking (`--wait-for-limit`). */
  waitForLimit: boolean;
  waits: Waits;
  claim: MoveOptions['claim'];
}

/** More workers than the limiter ever admits, so that the limiter alone limits concurrency. */
const WORKERS = 64;
const FEED_PAGE = 500;
const LIMIT_POLL_MS = { first: 60_000, longest: 600_000 };

export async function sendRows(context: WriteContext, options: WriteOptions): Promise<WriteEnd> {
  return new Writer(context, options).run();
}

class Writer {
  readonly #context: WriteContext;
  readonly #options: WriteOptions;
  readonly #circuit: Circuit;
  readonly #journal: Journal;
  readonly #feed: Feed;
  readonly #progress: ProgressMeter;
  readonly #recheck: Recheck;
  readonly #state: RunState;
  readonly #sender: RowSender;
  readonly #othersQuiet: OthersQuiet;
  /** True once the plan was checked again; until then, nothing is sent. */
  #confirmed = false;

  constructor(context: WriteContext, options: WriteOptions) {
    this.#context = context;
    this.#options = options;
    const { client, clock, emit, signal, ledger, job, lease } = context;
    this.#circuit = new Circuit({
      client,
      clock,
      emit,
      signal,
      ...options.waits,
    });
    const moveOptions: MoveOptions = {
      lease,
      ...(options.claim === undefined ? {} : { claim: options.claim }),
    };
    this.#journal = new Journal(ledger, clock, job.id, moveOptions, (ordinals) =>
      this.#onContested(ordinals),
    );
    this.#progress = new ProgressMeter(context.clock, context.emit);
    this.#othersQuiet = new OthersQuiet(context);
    this.#state = new RunState(context);
    this.#recheck = new Recheck(context, {
      journal: this.#journal,
      progress: this.#progress,
      state: this.#state,
      othersQuiet: this.#othersQuiet,
    });
    const only = options.only === undefined ? {} : { ordinals: options.only };
    const source = new PlannedRows(context, this.#recheck, this.#circuit, (after, actions) =>
      ledger.rows.list(job.id, { states: ['planned'], actions, after, limit: FEED_PAGE, ...only }),
    );
    this.#feed = new Feed({ source, most: options.only?.length ?? Number.POSITIVE_INFINITY });
    this.#sender = new RowSender(context, {
      state: this.#state,
      circuit: this.#circuit,
      journal: this.#journal,
      feed: this.#feed,
      refusals: new RefusalGuard(options.maxRefused, job.id),
      progress: this.#progress,
      recheck: this.#recheck,
      longestWaitMs: options.waits.limitedMs,
    });
  }

  async run(): Promise<WriteEnd> {
    const { ledger, job } = this.#context;
    let doubles: string[] = [];
    try {
      await this.#takeOver();
      const counts = await ledger.rows.counts(job.id);
      this.#state.unknown = counts.unknown;
      if (counts.unknown > 0) this.#state.keepQuiet(await this.#quietOfEarlierRuns());
      this.#progress.begin(
        (this.#options.only?.length ?? counts.planned) + counts.unknown,
        unitOf({ rows: rowTotals(counts), sheetRows: job.sheetRows }),
      );
      if (counts.planned + counts.unknown > 0) await readHead(this.#context, this.#circuit);
      await this.#passes();
      doubles = await this.#lookForDoubles();
    } catch (error) {
      this.#state.fail(error);
    }
    await this.#journal.flush().catch((error: unknown) => {
      this.#state.fail(error);
    });
    this.#progress.end();
    this.#recheck.end();
    const end = await stateAtEnd(this.#context, this.#feed, this.#state.failure);
    return { ...end, retried: this.#state.retried, doubles };
  }

  /** Handles requests that earlier holders left in flight: the server may have applied them, or may still do so. */
  async #takeOver(): Promise<void> {
    const { client, job, lastHolders, ledger } = this.#context;
    // A silent holder may live, and its requests with it: their quiet periods begin when it gives them up.
    const silent = new Set(lastHolders.flatMap((each) => (each.certainlyGone ? [] : [each.job])));
    for (const id of new Set([job.id, ...lastHolders.map((each) => each.job)]))
      await ledger.rows.takeOver(id, silent.has(id) ? client.timeoutMs : 0);
  }

  /** How long the server may still apply requests that earlier runs left unknown, ms. */
  async #quietOfEarlierRuns(): Promise<number> {
    const { ledger, job, quietPeriod } = this.#context;
    let longestMs = quietPeriod.afterTimeout;
    if (quietPeriod.given) return longestMs;
    for await (const rows of rowPages(ledger, job.id, { states: ['unknown'] }))
      for (const { quietMs } of rows) longestMs = Math.max(longestMs, quietMs ?? 0);
    return longestMs;
  }

  /** Settles unknown rows and sends planned ones in turn, until none are left or the run must stop. */
  async #passes(): Promise<void> {
    for (let pollMs = LIMIT_POLL_MS.first; ; ) {
      if (this.#state.unknown > 0) await this.#settle();
      if (!this.#confirmed) await this.#confirm();
      await this.#send();
      if (this.#state.stopped) return;
      if (this.#state.unknown > 0) continue;
      if (await this.#mustConfirmAgain()) {
        this.#confirmed = false;
        continue;
      }
      if (!this.#feed.createsStopped || !this.#options.waitForLimit) return;
      const { planned } = await this.#context.ledger.rows.counts(this.#context.job.id);
      if (planned === 0) return;
      const { id: job } = this.#context.job;
      const params = { rows: planned, at: this.#context.clock.now() + pollMs };
      const again: Action = { do: 'resume', job, label: message('to_try_at_once', {}) };
      this.#context.emit(noteOf(message('waits_for_room', params, again)));
      await waitForRoom(this.#context, this.#context.job.id, pollMs);
      pollMs = Math.min(pollMs * 2, LIMIT_POLL_MS.longest);
      this.#confirmed = false;
      // Only a real create shows whether there is room.
      this.#sender.probeAgain();
      this.#feed.allowCreates();
      this.#feed.restart();
    }
  }

  async #settle(): Promise<void> {
    await this.#journal.flush();
    const { ledger, job } = this.#context;
    const before = await ledger.rows.counts(job.id);
    const { quietUntil } = this.#state;
    // Another job's settling may have made rows unknown: the two looks are always at least this far apart.
    const quietMs = Math.max(this.#state.takeQuietMs(), this.#context.quietPeriod.afterReset);
    await withRecovery(this.#circuit, () => settleUpdates(this.#context, quietUntil));
    const quiet = { untilMs: quietUntil, lengthMs: quietMs, others: this.#othersQuiet };
    await withRecovery(this.#circuit, () => settleCreates(this.#context, quiet));
    const after = await ledger.rows.counts(job.id);
    this.#progress.settled(before.planned + before.unknown - after.planned - after.unknown);
    this.#state.unknown = after.unknown;
    this.#feed.restart();
  }

  async #confirm(): Promise<void> {
    const { ledger, job, confirmPlan } = this.#context;
    const before = await ledger.rows.counts(job.id);
    await withRecovery(this.#circuit, confirmPlan);
    const after = await ledger.rows.counts(job.id);
    this.#progress.settled(before.planned - after.planned);
    this.#feed.restart();
    this.#confirmed = true;
  }

  /** A long job looks up its keys again, because somebody may have created items with them since. */
  async #mustConfirmAgain(): Promise<boolean> {
    const { readings, ledger, job } = this.#context;
    return readings.areKeysOld() && (await ledger.rows.counts(job.id)).planned > 0;
  }

  async #send(): Promise<void> {
    await Promise.all(Array.from({ length: WORKERS }, () => this.#work()));
    await this.#journal.flush();
  }

  async #work(): Promise<void> {
    try {
      while (!this.#state.stopped) {
        if (this.#circuit.isOpen) {
          await this.#circuit.recover();
          continue;
        }
        const row = this.#context.readings.areKeysOld() ? undefined : await this.#feed.next();
        if (row === undefined) return;
        await this.#sender.send(row);
      }
    } catch (error) {
      this.#state.fail(error);
    }
  }

  async #lookForDoubles(): Promise<string[]> {
    if (this.#state.stopped) return [];
    const { ledger, job, clock, quietPeriod, signal } = this.#context;
    const resent = await ledger.rows.list(job.id, { ...RESENT, limit: 1 });
    if (resent.length === 0) return [];
    await clock.sleep(quietPeriod.afterReset, signal);
    return withRecovery(this.#circuit, () => findDoubles(this.#context));
  }

  #onContested(ordinals: number[]): void {
    this.#state.unknown += ordinals.length;
    this.#state.keepQuiet(this.#context.quietPeriod.afterReset);
  }
}

/**
 * Reads the first page of the list before the first create: this gives the mark for settling and the existing ids.
 *
 * @throws MissingScopeError if lost answers could not be looked up, unless --no-settle allows that
 */
async function readHead(context: WriteContext, circuit: Circuit): Promise<void> {
  const { client, job, observations, signal, noSettle } = context;
  try {
    await withRecovery(circuit, () => observations.readHead(client, signal, job.mode === 'upsert'));
  } catch (error) {
    // Without items:read nothing can be settled.
    if (!(error instanceof MissingScopeError)) throw error;
    if (noSettle) return;
    const { requestId, applied } = error;
    const said = message(
      'cannot_look_up',
      { why: saidOf(error) },
      { do: 'byHand', label: message('add_scope_items_read', {}) },
      { do: 'setOption', option: 'no-settle', label: message('to_send_without_looking_up', {}) },
    );
    throw new MissingScopeError('missing_scope', said, {
      cause: error,
      applied,
      ...(requestId === undefined ? {} : { requestId }),
    });
  }
}
