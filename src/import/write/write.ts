/**
 * Sends the planned rows of a job, each exactly once.
 *
 * For each row: a permit of the lane, then the intent on disk, then the request, then the outcome. The permit
 * comes first so that no intent waits in a queue: what is `sending` on disk has left, or leaves at once.
 * Rows whose answer never came are settled between the passes (settle.ts); who may move a row, and when, is
 * written in ledger/states.ts.
 */
import {
  ApiError,
  LimitReachedError,
  MissingScopeError,
  RateLimitedError,
  RequestTimeoutError,
} from '../../api/errors.ts';
import type { WriteOptions as RequestOptions } from '../../api/client.ts';
import type { Permit } from '../../api/lane.ts';
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { ShelfliftError } from '../../errors.ts';
import {
  AlreadyClaimedError,
  type LedgerRow,
  type MoveOptions,
  type RowMove,
  type StoredIssue,
} from '../../ledger/ledger.ts';
import type { JobState } from '../../ledger/states.ts';
import type { RowCode } from '../../row-catalogue.ts';
import { loadOnly } from './canary.ts';
import { updateOutcome } from '../changes/update-outcome.ts';
import { Circuit, isOutage, withRecovery } from './circuit.ts';
import { learn } from '../settle/content.ts';
import { Feed } from './feed.ts';
import { Journal } from './journal.ts';
import { createBody, updatePayload } from './payload.ts';
import { waitForRoom } from './limit-wait.ts';
import { ProgressMeter } from '../progress-meter.ts';
import { RefusalGuard } from './refusal-guard.ts';
import { findDoubles, settleCreates } from '../settle/settle.ts';
import { settleUpdates } from '../settle/settle-updates.ts';
import { stateAfter } from './standstill.ts';
import { Turn } from './turn.ts';
import { keepLearned, type WriteContext } from './write-context.ts';
import { counted } from '../../counted.ts';

export interface WriteOptions {
  /** Ordinals of the rows to send, ascending; then pause (`--first`). All rows where it is absent. */
  only?: readonly number[];
  /** Park after this many refusals in this run (`--max-refused`). */
  maxRefused?: number;
  /** Wait for room in the plan instead of parking (`--wait-for-limit`). */
  waitForLimit: boolean;
  /** Longest waits, ms: DESIGN §2, Waiting. */
  waits: { neverReached: number; outage: number; limited: number };
  claim: MoveOptions['claim'];
}

export interface WriteEnd {
  state: JobState;
  /** Why it stands still, where it does. */
  error?: ShelfliftError;
  /** Requests that were sent again for a row whose earlier request was not applied. */
  retried: number;
  /** Ids of items that equal a row which was sent twice. */
  doubles: string[];
}

/** More workers than the lane ever admits: its concurrency is the limit, not this. */
const WORKERS = 64;
const FEED_PAGE = 500;
const LIMIT_POLL_MS = { first: 60_000, longest: 600_000 };

export async function writeRows(context: WriteContext, options: WriteOptions): Promise<WriteEnd> {
  return new Writer(context, options).run();
}

class Writer {
  readonly #context: WriteContext;
  readonly #options: WriteOptions;
  readonly #circuit: Circuit;
  readonly #journal: Journal;
  readonly #feed: Feed;
  readonly #refusals: RefusalGuard;
  readonly #progress: ProgressMeter;
  readonly #firstCreate = new Turn();
  /** True once a create was acknowledged in this run: until then creates go one by one. */
  #proven = false;
  #unknown = 0;
  /** Monotonic ms before which nothing may be settled, and the period that led to it. */
  #quietUntil = 0;
  #quietMs = 0;
  #retried = 0;
  #failure: unknown;
  #recovering: Promise<void> | undefined;

  constructor(context: WriteContext, options: WriteOptions) {
    this.#context = context;
    this.#options = options;
    const { client, clock, emit, signal, ledger, job, lease } = context;
    this.#circuit = new Circuit({
      client,
      clock,
      emit,
      signal,
      neverReachedMs: options.waits.neverReached,
      outageMs: options.waits.outage,
    });
    const moveOptions: MoveOptions = {
      lease,
      ...(options.claim === undefined ? {} : { claim: options.claim }),
    };
    this.#journal = new Journal(ledger, clock, job.id, moveOptions, (ordinals) =>
      this.#onContested(ordinals),
    );
    this.#feed = new Feed({
      load: (after, actions) =>
        options.only === undefined
          ? ledger.rows(job.id, { states: ['planned'], actions, after, limit: FEED_PAGE })
          : loadOnly(job.id, ledger, options.only, after, actions),
      most: options.only?.length ?? Number.POSITIVE_INFINITY,
    });
    this.#refusals = new RefusalGuard(options.maxRefused);
    this.#progress = new ProgressMeter(context.clock, context.emit);
  }

  async run(): Promise<WriteEnd> {
    const { ledger, job } = this.#context;
    let doubles: string[] = [];
    try {
      // What a dead holder left under way may have been applied, and may still be.
      await ledger.takeOver(job.id);
      const { deadHolder } = this.#context.lease;
      if (deadHolder !== undefined && deadHolder !== job.id && (await ledger.takeOver(deadHolder)) > 0)
        this.#keepQuiet(this.#context.quietPeriod.afterTimeout);
      const counts = await ledger.counts(job.id);
      this.#unknown = counts.unknown;
      if (counts.unknown > 0) this.#keepQuiet(this.#context.quietPeriod.afterTimeout);
      this.#progress.begin((this.#options.only?.length ?? counts.planned) + counts.unknown);
      if (counts.planned + counts.unknown > 0) await this.#readHead();
      await this.#passes();
      doubles = await this.#lookForDoubles();
    } catch (error) {
      this.#failure ??= error;
    }
    await this.#journal.flush().catch((error: unknown) => {
      this.#failure ??= error;
    });
    this.#progress.end();
    return { ...(await this.#end()), retried: this.#retried, doubles };
  }

  /** Settles what is unknown and sends what is planned, in turn, until neither is left or something stops us. */
  async #passes(): Promise<void> {
    for (let pollMs = LIMIT_POLL_MS.first; ; ) {
      if (this.#unknown > 0) await this.#settle();
      await this.#send();
      if (this.#failure !== undefined || this.#stopped) return;
      if (this.#unknown > 0) continue;
      if (!this.#feed.createsStopped || !this.#options.waitForLimit) return;
      const { planned } = await this.#context.ledger.counts(this.#context.job.id);
      if (planned === 0) return;
      const at = new Date(this.#context.clock.now() + pollMs).toISOString();
      this.#context.emit({
        type: 'note',
        message:
          `the plan is full, ${counted(planned, 'row waits', 'rows wait')}: looking again at ${at}, ` +
          `or at once when another terminal says: shelflift jobs resume ${this.#context.job.id}`,
      });
      await waitForRoom(this.#context, this.#context.job.id, pollMs);
      pollMs = Math.min(pollMs * 2, LIMIT_POLL_MS.longest);
      // One real create is the probe: there is no other way to ask.
      this.#proven = false;
      this.#feed.allowCreates();
      this.#feed.restart();
    }
  }

  async #settle(): Promise<void> {
    await this.#journal.flush();
    const { ledger, job } = this.#context;
    const before = await ledger.counts(job.id);
    await withRecovery(this.#circuit, () => settleUpdates(this.#context, this.#quietUntil));
    // Also for rows that another job's settling made unknown: the two looks are never less than this apart.
    const quietMs = Math.max(this.#quietMs, this.#context.quietPeriod.afterReset);
    await withRecovery(this.#circuit, () => settleCreates(this.#context, this.#quietUntil, quietMs));
    const after = await ledger.counts(job.id);
    this.#progress.settled(before.planned + before.unknown - after.planned - after.unknown);
    this.#unknown = after.unknown;
    this.#quietMs = 0;
    this.#feed.restart();
  }

  async #send(): Promise<void> {
    await Promise.all(Array.from({ length: WORKERS }, () => this.#work()));
    await this.#journal.flush();
  }

  async #work(): Promise<void> {
    try {
      while (!this.#stopped) {
        if (this.#circuit.isOpen) {
          await this.#recover();
          continue;
        }
        const row = await this.#feed.next();
        if (row === undefined) return;
        await this.#sendRow(row);
      }
    } catch (error) {
      this.#failure ??= error;
    }
  }

  async #sendRow(row: LedgerRow): Promise<void> {
    const { job, stamp } = this.#context;
    // Made before the intent: a body that cannot be made must not leave a row that looks as if it was sent.
    const body = row.action === 'create' ? createBody(job, row, stamp) : undefined;
    let endTurn: (() => void) | undefined;
    if (row.action === 'create' && !this.#proven) {
      endTurn = await this.#firstCreate.take();
      // Whoever waited for the first acknowledged create goes on together with the others.
      if (this.#proven) endTurn();
    }
    try {
      const permit = await this.#permit(row);
      if (permit === undefined) return;
      if (row.attempts > 0) this.#retried += 1;
      await (body === undefined ? this.#update(row, permit) : this.#create(row, body, permit));
    } finally {
      endTurn?.();
    }
  }

  /** A permit with the intent on disk; undefined when the row must not be sent now after all. */
  async #permit(row: LedgerRow): Promise<Permit | undefined> {
    let permit: Permit;
    try {
      permit = await this.#context.client.lane.acquire('write', this.#context.signal);
    } catch (error) {
      this.#feed.giveBack(row);
      if (error instanceof ApiError && error.code === 'aborted') return undefined;
      throw error;
    }
    if (this.#stopped || this.#circuit.isOpen || !this.#feed.maySend(row)) {
      permit.unused();
      this.#feed.giveBack(row);
      return undefined;
    }
    try {
      row.mark = this.#context.sightings.mark;
      const { ordinal, mark } = row;
      // A second `jobs resume` may have held the row for its drift before it saw that the job runs here.
      if (!(await this.#journal.intent({ ordinal, from: 'planned', to: 'sending', mark }))) {
        permit.unused();
        return undefined;
      }
      // Stopped for long (a sleeping machine, SIGSTOP): another host may have the lane by now.
      if (!this.#context.lease.isFresh()) await this.#context.lease.renew();
      if (!this.#stopped && this.#feed.maySend(row)) return permit;
      // While the intent went to disk an answer said that the plan is full, or lost a row of this content.
      permit.unused();
      this.#journal.outcome({ ordinal: row.ordinal, to: 'planned' });
      this.#feed.giveBack(row);
      return undefined;
    } catch (error) {
      permit.unused();
      throw error;
    }
  }

  async #create(row: LedgerRow, body: ItemCreate, permit: Permit): Promise<void> {
    const { client, sightings, serverTime, clock } = this.#context;
    const sentAt = clock.monotonic();
    try {
      const { value, requestId } = await client.createItem(body, this.#requestOptions(permit));
      serverTime.shown(Date.parse(value.created_at), sentAt, clock.monotonic());
      this.#done(row, value, requestId);
      await keepLearned(this.#context, learn(this.#context.learned, body, value, row.mark));
      sightings.observe([value]);
      this.#proven = true;
    } catch (error) {
      serverTime.lost(row.ordinal, sentAt, clock.monotonic() + this.#quietAfter(error));
      this.#onError(row, error);
    }
  }

  async #update(row: LedgerRow, permit: Permit): Promise<void> {
    const { client } = this.#context;
    try {
      const { value, requestId } = await client.updateItem(
        row.itemId ?? '',
        updatePayload(row).set,
        this.#requestOptions(permit),
      );
      this.#acknowledged(updateOutcome(row, value), requestId);
    } catch (error) {
      this.#onError(row, error);
    }
  }

  #requestOptions(permit: Permit): RequestOptions {
    return { permit, failOnLimit: true, mayLeave: () => this.#context.lease.isFresh() };
  }

  #done(row: LedgerRow, item: Item, requestId: string | undefined): void {
    const itemId = item.id.toLowerCase();
    this.#acknowledged({ ordinal: row.ordinal, to: 'done', itemId, issues: [] }, requestId);
  }

  #acknowledged(move: RowMove, requestId: string | undefined): void {
    this.#journal.outcome({ ...move, requestId: requestId ?? null });
    this.#circuit.succeeded();
    this.#refusals.accepted();
    this.#progress.advance();
  }

  /** What a failed request means for its row, and for the run. */
  #onError(row: LedgerRow, error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const requestId = error.requestId ?? null;
    const { ordinal } = row;
    if (error.applied === 'unknown') {
      const issues: StoredIssue[] = [{ code: lostAnswer(error), message: error.message }];
      // Another job's answer may have named the same item, which makes both rows unknown already.
      this.#journal.outcome({ ordinal, from: 'sending', to: 'unknown', requestId, issues });
      this.#unknown += 1;
      this.#keepQuiet(this.#quietAfter(error));
      this.#feed.block(row);
      if (isOutage(error)) this.#circuit.failed(error);
      return;
    }
    if (error.code === 'invalid_request' || error.code === 'not_found') {
      const code = error.code === 'not_found' && row.action === 'update' ? 'no_such_item' : error.code;
      this.#journal.outcome({
        ordinal,
        to: 'refused',
        requestId,
        issues: [{ code, message: error.serverMessage ?? error.message }],
      });
      this.#circuit.succeeded();
      this.#progress.advance();
      this.#failure ??= this.#refusals.refused();
      return;
    }
    // All that is left was certainly not applied: the row is free again.
    this.#journal.outcome({ ordinal, to: 'planned', requestId, issues: [] });
    row.attempts += 1;
    this.#feed.giveBack(row);
    if (error instanceof LimitReachedError) {
      this.#circuit.succeeded();
      this.#feed.stopCreates();
    } else if (error instanceof RateLimitedError) this.#onLimited(error);
    else if (isOutage(error)) this.#circuit.failed(error);
    // Held back at the socket because the lease was stale: the next intent asks the store whose the lane is.
    else if (error.code !== 'aborted') this.#failure ??= error;
  }

  #onLimited(error: RateLimitedError): void {
    const wait = this.#context.client.lane.pausedUntil - this.#context.clock.now();
    if (wait > this.#options.waits.limited) this.#failure ??= error;
  }

  async #recover(): Promise<void> {
    this.#recovering ??= this.#circuit.recover().finally(() => {
      this.#recovering = undefined;
    });
    await this.#recovering;
  }

  async #readHead(): Promise<void> {
    const { client, sightings, signal, noSettle } = this.#context;
    try {
      await withRecovery(this.#circuit, () => sightings.readHead(client, signal));
    } catch (error) {
      // Without items:read nothing can be settled; the caller chose that with --no-settle.
      if (!(error instanceof MissingScopeError)) throw error;
      if (noSettle) return;
      const { message, requestId, applied } = error;
      throw new MissingScopeError('missing_scope', message, {
        cause: error,
        applied,
        ...(requestId === undefined ? {} : { requestId }),
        remedy:
          'Nothing was sent: without the scope items:read a lost answer could not be looked up. Give it to the key, ' +
          'or import with --no-settle.',
      });
    }
  }

  async #lookForDoubles(): Promise<string[]> {
    if (this.#failure !== undefined || this.#stopped || this.#context.learned.resent.length === 0) return [];
    const { clock, quietPeriod, signal } = this.#context;
    await clock.sleep(quietPeriod.afterReset, signal);
    return withRecovery(this.#circuit, () => findDoubles(this.#context));
  }

  /** How long the server may still apply a request that ended so, ms. */
  #quietAfter(error: unknown): number {
    const { afterReset, afterTimeout } = this.#context.quietPeriod;
    return error instanceof RequestTimeoutError ? afterTimeout : afterReset;
  }

  #keepQuiet(ms: number): void {
    this.#quietUntil = Math.max(this.#quietUntil, this.#context.clock.monotonic() + ms);
    this.#quietMs = Math.max(this.#quietMs, ms);
  }

  #onContested(ordinals: number[]): void {
    this.#unknown += ordinals.length;
    this.#keepQuiet(this.#context.quietPeriod.afterReset);
  }

  get #stopped(): boolean {
    return this.#context.signal.aborted || this.#failure !== undefined;
  }

  async #end(): Promise<Pick<WriteEnd, 'state' | 'error'>> {
    const failure = this.#failure;
    // Whoever owns the import answers for it; our job has sent nothing.
    if (failure instanceof AlreadyClaimedError) throw failure;
    if (failure !== undefined && !this.#context.signal.aborted) {
      if (!(failure instanceof ShelfliftError)) throw failure;
      const state = stateAfter(failure) ?? (failure instanceof ApiError ? 'parked_unreachable' : undefined);
      if (state === undefined) throw failure;
      return { state, error: failure };
    }
    if (this.#context.signal.aborted) return { state: 'interrupted' };
    const { planned } = await this.#context.ledger.counts(this.#context.job.id);
    if (planned === 0) return { state: 'done' };
    if (this.#feed.createsStopped) {
      return {
        state: 'parked_limit',
        error: new ShelfliftError(
          'limit_reached',
          `the plan's item limit is reached: ${counted(planned, 'row waits', 'rows wait')} for room`,
          {
            remedy: 'Raise the plan, or archive and remove items, then resume the job.',
          },
        ),
      };
    }
    return { state: 'paused' };
  }
}

/** Only these leave open whether a request was applied. */
function lostAnswer({ code }: ApiError): RowCode {
  return code === 'unreachable' || code === 'timeout' || code === 'aborted' ? code : 'unexpected_response';
}
