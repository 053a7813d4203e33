/**
 * Sends one row: gets a permit, commits the intent, sends the request, records the outcome.
 *
 * The permit comes first so that no intent waits in a queue: the request of a row in `sending` is sent at once.
 */
import { ApiError, LimitReachedError, RateLimitedError, RequestTimeoutError } from '../../api/errors.ts';
import type { PermitOptions, WriteOptions as RequestOptions } from '../../api/client.ts';
import { saidOf } from '../../base/errors.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { isOutage } from '../../api/outage.ts';
import type { Permit } from '../../api/limiter.ts';
import type { Item, ItemCreate } from '../../api/schemas.ts';
import {
  type Intents,
  JobCancelledError,
  type LedgerRow,
  type RowMove,
  type StoredIssue,
} from '../../ledger/ledger.ts';
import type { RowCode } from '../../messages/row-codes.ts';
import { updateOutcome } from '../changes/update-outcome.ts';
import type { ProgressMeter } from './progress-meter.ts';
import { withAcknowledged } from '../job/server-normalisation.ts';
import type { Circuit } from '../job/circuit.ts';
import type { Feed } from './feed.ts';
import type { Journal } from './journal.ts';
import { copiesOf, createBody, updateOf } from '../engine/operation.ts';
import type { Recheck } from './recheck.ts';
import type { RefusalGuard } from './refusal-guard.ts';
import type { RunState } from './run-state.ts';
import { createdIssues, KeyNotKeptError, unaskedRewrite } from '../gates/keys-kept.ts';
import { Mutex } from './mutex.ts';
import { checkCurrency } from '../gates/other-currency.ts';
import { type WriteContext } from './write-context.ts';
import { keepNormalisation, noteLosses } from '../settle/settle-context.ts';

/** The objects that the workers of one run share. */
export interface SenderParts {
  state: RunState;
  circuit: Circuit;
  journal: Journal;
  feed: Feed;
  refusals: RefusalGuard;
  progress: ProgressMeter;
  recheck: Recheck;
  /** Longest wait that a 429 may impose, ms. */
  longestWaitMs: number;
}

export class RowSender {
  readonly #context: WriteContext;
  readonly #parts: SenderParts;
  /** Monotonic ms of the first 429 since the last other answer. */
  #limitedSince: number | undefined;
  readonly #firstCreate = new Mutex();
  /** True once a create was acknowledged: until then, creates are sent one by one. */
  #proven = false;

  constructor(context: WriteContext, parts: SenderParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Sends the next create alone again, because only a real create shows whether there is room under the item limit. */
  probeAgain(): void {
    this.#proven = false;
  }

  /** Sends one row and records the outcome. Returns it to the feed if it was certainly not applied. */
  async send(row: LedgerRow): Promise<void> {
    const { job, stamp } = this.#context;
    // Built before the intent: a body that cannot be built must not leave a row that seems to have been sent.
    const body = row.action === 'create' ? createBody(job, row, stamp) : undefined;
    let endTurn: (() => void) | undefined;
    if (row.action === 'create' && !this.#proven) {
      endTurn = await this.#firstCreate.take();
      // After the first acknowledged create, all waiting ones go on together.
      if (this.#proven) endTurn();
    }
    try {
      const permit = await this.#freshPermit(row);
      if (permit === undefined) return;
      if (row.attempts > 0) this.#parts.state.retried += 1;
      await (body === undefined ? this.#update(row, permit) : this.#create(row, body, permit));
    } finally {
      endTurn?.();
    }
  }

  /** A permit for a row whose item was read recently; undefined if the row must not be sent now, or at all. */
  async #freshPermit(row: LedgerRow): Promise<Permit | undefined> {
    if (this.#parts.recheck.isFresh(row)) {
      const permit = await this.#permit(row, 0);
      if (permit !== 'stale') return permit;
      if (this.#parts.feed.takeBack(row)) return undefined;
    }
    for (let readings = 1; ; readings += 1) {
      const intents = await this.#parts.recheck.accountFor(row);
      if (intents === undefined) {
        this.#parts.feed.giveBack(row);
        return undefined;
      }
      await this.#parts.recheck.enter();
      try {
        if (!(await this.#readAgain(row, intents))) return undefined;
        const permit = await this.#permit(row, readings, intents);
        if (permit !== 'stale') return permit;
      } finally {
        this.#parts.recheck.leave();
      }
    }
  }

  /** Reads the row's item again; false if the row must not be sent now, or at all. */
  async #readAgain(row: LedgerRow, intents: Intents): Promise<boolean> {
    try {
      return await this.#parts.recheck.read(row, intents);
    } catch (error) {
      this.#parts.feed.giveBack(row);
      if (!(error instanceof ApiError)) throw error;
      if (isOutage(error)) this.#parts.circuit.failed(error);
      else if (error.code !== 'aborted') this.#parts.state.fail(error);
      return false;
    }
  }

  /**
   * A permit, with the intent on disk. Undefined if the row must not be sent now after all; `stale` if the last reading
   * of its item is too old when the permit comes, or if another row has changed the item since.
   */
  async #permit(row: LedgerRow, readings: number, intents?: Intents): Promise<Permit | 'stale' | undefined> {
    let permit: Permit;
    try {
      permit = await this.#context.client.limiter.acquire('write', this.#context.signal);
    } catch (error) {
      this.#parts.feed.giveBack(row);
      if (error instanceof ApiError && error.code === 'aborted') return undefined;
      throw error;
    }
    const mayLeave =
      !this.#parts.state.stopped && !this.#parts.circuit.isOpen && this.#parts.feed.maySend(row);
    if (!mayLeave || this.#context.readings.areKeysOld()) {
      permit.unused();
      this.#parts.feed.giveBack(row);
      return undefined;
    }
    // The permit may have taken long: a 429 can pause all requests for hours.
    if (!this.#parts.recheck.isFresh(row, readings)) {
      permit.unused();
      return 'stale';
    }
    try {
      row.mark = this.#context.observations.mark;
      const { ordinal, mark } = row;
      // A process that finds the intent after a kill does not know this run's options.
      const quietMs = this.#context.quietPeriod.afterTimeout;
      const accounted = this.#accountedOf(row, intents);
      const intent = { ordinal, from: 'planned', to: 'sending', mark, quietMs, ...accounted } as const;
      const outcome = await this.#parts.journal.intent(intent);
      if (outcome !== 'committed') {
        permit.unused();
        // A change that starts from the value must not be made twice.
        if (outcome === 'stale' && isRelative(row)) await this.#context.answers?.confirm();
        // Moved: in another terminal (`jobs resolve`).
        return outcome === 'stale' ? 'stale' : undefined;
      }
      // After a long stop (a sleeping machine, SIGSTOP) another host may have the lane.
      if (!this.#context.lease.isFresh()) await this.#lookAgain();
      if (!this.#parts.state.stopped && this.#parts.feed.maySend(row)) return permit;
      // During the commit, an answer reported that the API plan is full, a row of this content was lost, or the job
      // was cancelled.
      permit.unused();
      this.#parts.journal.outcome({ ordinal: row.ordinal, from: 'sending', to: 'planned' });
      this.#parts.feed.giveBack(row);
      return undefined;
    } catch (error) {
      permit.unused();
      throw error;
    }
  }

  /**
   * What an update relies on: the readings of its items, and for a relative one, that no job has made it before.
   *
   * @param intents the intents that the readings of its items account for, if the items were read for this row
   */
  #accountedOf(row: LedgerRow, intents: Intents | undefined): Pick<RowMove, 'accounted' | 'reliesOn'> {
    if (row.action === 'create') return {};
    const { answers, readings } = this.#context;
    const read = intents?.committed ?? readings.accountedOf(row.itemId ?? '');
    const accounted = isRelative(row) ? Math.min(read, answers?.accounted ?? read) : read;
    return { accounted, reliesOn: copiesOf(updateOf(row)) };
  }

  /** Checks that the lane is still held, and that nobody cancelled the job while this process seemed dead. */
  async #lookAgain(): Promise<void> {
    const { lease, ledger, job } = this.#context;
    await lease.renew();
    const { state } = await ledger.jobs.find(job.id);
    if (state === 'cancelled') this.#parts.state.fail(new JobCancelledError(job.id));
  }

  async #create(row: LedgerRow, body: ItemCreate, permit: Permit): Promise<void> {
    const { client, observations, serverTime, clock } = this.#context;
    const sentAt = clock.monotonic();
    try {
      const { value, requestId } = await client.createItem(body, this.#requestOptions(permit));
      serverTime.shown(Date.parse(value.created_at), sentAt, clock.monotonic());
      const known = withAcknowledged(this.#context.normalisation, body, value, row.mark);
      const issues = createdIssues(this.#context, body, value, known);
      await noteLosses(this.#context, this.#context.job.id, issues);
      const currency = await checkCurrency(this.#context, body, value);
      if (currency !== undefined) this.#parts.state.fail(currency);
      this.#done(row, value, requestId, issues);
      await keepNormalisation(this.#context, known);
      observations.observe([value]);
      this.#proven = true;
    } catch (error) {
      serverTime.lost(row.ordinal, sentAt, clock.monotonic() + this.#quietAfter(error));
      this.#onError(row, error);
    }
  }

  async #update(row: LedgerRow, permit: Permit): Promise<void> {
    const { client, readings } = this.#context;
    try {
      const { value, requestId } = await client.updateItem(
        row.itemId ?? '',
        updateOf(row).set,
        this.#requestOptions(permit),
      );
      readings.forget(row.itemId ?? '');
      const outcome = updateOutcome(row, value);
      await noteLosses(this.#context, this.#context.job.id, outcome.issues);
      this.#acknowledged(outcome, requestId);
    } catch (error) {
      this.#onError(row, error);
    }
  }

  #requestOptions(permit: Permit): RequestOptions & PermitOptions {
    const { lease, lastCall } = this.#context;
    return { permit, failOnLimit: true, mayLeave: () => lease.isFresh(), signal: lastCall };
  }

  #done({ ordinal }: LedgerRow, item: Item, requestId: string | undefined, issues: StoredIssue[]): void {
    const { job } = this.#context;
    const mark = Date.parse(item.created_at);
    const made = Number.isNaN(mark) ? {} : { mark };
    this.#acknowledged({ ordinal, to: 'done', itemId: item.id.toLowerCase(), issues, ...made }, requestId);
    const unasked = unaskedRewrite(job, { ordinal, issues });
    if (unasked !== undefined) this.#parts.state.fail(new KeyNotKeptError(unasked));
  }

  #acknowledged(move: RowMove, requestId: string | undefined): void {
    this.#parts.journal.outcome({ ...move, requestId: requestId ?? null });
    this.#limitedSince = undefined;
    this.#parts.circuit.succeeded();
    this.#parts.refusals.accepted();
    this.#parts.progress.advance();
  }

  /** Handles a failed request, for its row and for the run. */
  #onError(row: LedgerRow, error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const requestId = error.requestId ?? null;
    const { ordinal } = row;
    if (error.applied === 'unknown') {
      const issues = [issueOf(lostAnswer(error), saidOf(error))];
      const quietMs = this.#quietAfter(error);
      // The row may already be unknown, if another job's answer named the same item.
      this.#parts.journal.outcome({ ordinal, from: 'sending', to: 'unknown', requestId, issues, quietMs });
      this.#parts.state.unknown += 1;
      this.#parts.state.keepQuiet(quietMs);
      this.#parts.feed.block(row);
      if (error.code !== 'aborted') this.#parts.circuit.failed(error);
      return;
    }
    if (error.code === 'invalid_request' || error.code === 'not_found') {
      const code = error.code === 'not_found' && row.action === 'update' ? 'no_such_item' : error.code;
      this.#parts.journal.outcome({
        ordinal,
        to: 'refused',
        requestId,
        // The server's own message exists in one language only.
        issues: [
          error.serverMessage === undefined
            ? issueOf(code, saidOf(error))
            : { code, message: error.serverMessage },
        ],
      });
      this.#parts.circuit.succeeded();
      this.#parts.progress.advance();
      const parked = this.#parts.refusals.refused();
      if (parked !== undefined) this.#parts.state.fail(parked);
      return;
    }
    // All other errors mean that the request was certainly not applied: the row is free again.
    this.#parts.journal.outcome({ ordinal, from: 'sending', to: 'planned', requestId, issues: [] });
    row.attempts += 1;
    this.#parts.feed.giveBack(row);
    if (error instanceof LimitReachedError) {
      this.#parts.circuit.succeeded();
      this.#parts.feed.stopCreates();
    } else if (error instanceof RateLimitedError) this.#onLimited(error);
    else if (isOutage(error)) this.#parts.circuit.failed(error);
    // `aborted`: held back at the socket by a stale lease. The next intent checks the lease in the store.
    else if (error.code !== 'aborted') this.#parts.state.fail(error);
  }

  /** Fails if the server holds all rows back for longer than they may wait. */
  #onLimited(error: RateLimitedError): void {
    const { client, clock } = this.#context;
    this.#limitedSince ??= clock.monotonic();
    const pause = Math.max(0, client.limiter.pausedUntil - clock.now());
    if (clock.monotonic() - this.#limitedSince + pause > this.#parts.longestWaitMs)
      this.#parts.state.fail(error);
  }

  /** How long the server may still apply a request that failed with this error, ms. */
  #quietAfter(error: unknown): number {
    const { afterReset, afterTimeout } = this.#context.quietPeriod;
    return error instanceof RequestTimeoutError ? afterTimeout : afterReset;
  }
}

/** The codes that leave open whether a request was applied. */
function lostAnswer({ code }: ApiError): RowCode {
  return code === 'unreachable' || code === 'timeout' || code === 'aborted' ? code : 'unexpected_response';
}

function isRelative(row: LedgerRow): boolean {
  return row.action === 'update' && updateOf(row).relative !== undefined;
}
