/**
 * Reads the item of an update again if the last reading is too old (`--recheck`). If somebody has changed the item
 * since, `--on-drift` applies.
 */
import { message } from '../../messages/message.ts';
import { momentOf } from '../../base/clock.ts';
import { saidOf } from '../../base/errors.ts';
import { FieldsUnknownError, NotFoundError } from '../../api/errors.ts';
import { isOwned } from '../../api/item-words.ts';
import type { Item } from '../../api/schemas.ts';
import type { Intents, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import type { ProgressMeter } from './progress-meter.ts';
import { mayBeLate } from '../engine/absence.ts';
import { NO_INTENTS } from '../engine/reading.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { OwnChanges } from '../items/own-changes.ts';
import { driftMove } from '../changes/drift.ts';
import { noteOf } from '../job/events.ts';
import type { Journal } from './journal.ts';
import { copiesOf, isBuiltOnItem, isUnread, updateOf } from '../engine/operation.ts';
import type { OthersQuiet } from '../settle/others-quiet.ts';
import type { RunState } from './run-state.ts';
import type { WriteContext } from './write-context.ts';

/** Maximum number of changed items to report individually; the results file has all of them. */
const TOLD = 10;
/** A reading right before the write is valid for this long. */
const JUST_READ_MS = 1_000;
/** Rows to read ahead of their writes: as many as the limiter admits in this time. */
const AHEAD_SECONDS = 0.5;
const MAX_AHEAD = 64;
/** Interval for noticing the outcome of another row's request to the same item, ms. */
const OTHERS_POLL_MS = 200;

interface RecheckParts {
  journal: Journal;
  progress: ProgressMeter;
  state: RunState;
  othersQuiet: OthersQuiet;
}

export class Recheck {
  readonly #context: WriteContext;
  readonly #parts: RecheckParts;
  #drifted = 0;
  #ahead = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #own: OwnChanges;

  constructor(context: WriteContext, parts: RecheckParts) {
    this.#context = context;
    this.#parts = parts;
    this.#own = new OwnChanges(context);
  }

  /** @param readings number of readings of the item for this write: each counts for longer, or none would be in time */
  isFresh(row: LedgerRow, readings = 0): boolean {
    if (row.action === 'create') return true;
    const { recheckMs } = this.#context;
    const update = updateOf(row);
    if (readings === 0 && isUnread(update)) return false;
    const isBuilt = isBuiltOnItem(update);
    const itemId = row.itemId ?? '';
    if (readings === 0 && isBuilt && !this.#context.readings.isBasis(itemId)) return false;
    const limit = isBuilt ? Math.min(JUST_READ_MS, recheckMs) : recheckMs;
    const age = this.#context.readings.ageOf(itemId);
    return limit === Number.POSITIVE_INFINITY || age < Math.max(limit, readings * this.#justReadMs);
  }

  /** True if the item is cheaper to read from the list, with others, than individually. */
  isReadByList(row: LedgerRow): boolean {
    return this.#context.recheckMs > 0 && !isBuiltOnItem(updateOf(row));
  }

  /** Waits until the limiter has room to read and send one more row; end it with `leave`. */
  async enter(): Promise<void> {
    while (this.#ahead >= this.#mostAhead) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#ahead += 1;
  }

  /** Call this when the row has its permit, or is not sent. */
  leave(): void {
    this.#ahead -= 1;
    this.#waiting.shift()?.();
  }

  /**
   * At least as long as the limiter takes for two requests; otherwise a slow limiter would lead to endless readings.
   */
  get #justReadMs(): number {
    const { knownRate = Number.POSITIVE_INFINITY } = this.#context.client.limiter;
    return Math.max(JUST_READ_MS, 2_000 / knownRate);
  }

  /** Without a limit, a bursty budget would be spent on readings that are outdated when their rows are sent. */
  get #mostAhead(): number {
    const { knownRate } = this.#context.client.limiter;
    if (knownRate === undefined) return MAX_AHEAD;
    return Math.max(1, Math.min(MAX_AHEAD, Math.ceil(knownRate * AHEAD_SECONDS)));
  }

  /**
   * Waits until a reading of the items would show every change that other rows have sent.
   *
   * @returns the intents whose effects later readings of the items show; undefined if the run ends first
   */
  async accountFor(row: LedgerRow): Promise<Intents | undefined> {
    const { ledger, job, clock, signal } = this.#context;
    while (!this.#parts.state.stopped) {
      const { committed, open } = await ledger.items.openUpdates(job.apiUrl, itemsOf(row));
      const ends = open
        .filter(({ jobId, ordinal }) => jobId !== job.id || ordinal !== row.ordinal)
        .map((update) => this.#parts.othersQuiet.endOf(update.jobId, update));
      const waitMs = Math.max(0, ...ends) - clock.monotonic();
      if (ends.length === 0 || waitMs <= 0) return { ...NO_INTENTS, committed };
      await clock.sleep(Math.min(waitMs, OTHERS_POLL_MS), signal);
    }
    return undefined;
  }

  /**
   * Reads the item of one row again.
   *
   * @param intents the intents whose effects the reading shows
   * @returns whether to send the row
   * @throws ApiError if the read fails
   */
  async read(row: LedgerRow, intents: Intents): Promise<boolean> {
    const { client, clock, signal, readings } = this.#context;
    let item: Item;
    const hasCopy = await this.#hasCopy(row);
    try {
      const { value, tookMs } = await client.getItem(row.itemId ?? '', {
        signal,
        priority: 'recheck',
        fields: Object.keys(updateOf(row).set),
      });
      const at = momentOf(clock, tookMs);
      [item = value] = await this.#own.current([value]);
      readings.note(item, { at, intents });
    } catch (error) {
      // Another server of the address may know the item, and a write would overwrite an edit unseen.
      const isUnknown = error instanceof NotFoundError;
      if (!isUnknown && !(error instanceof FieldsUnknownError)) throw error;
      const issues = [issueOf(isUnknown ? 'no_such_item' : 'fields_unknown', saidOf(error))];
      const to = isUnknown && !(await this.#mayBeLate(row)) ? 'refused' : 'held';
      this.#parts.journal.outcome({ ordinal: row.ordinal, from: 'planned', to, issues });
      this.#parts.progress.advance();
      return false;
    }
    if (this.#own.isBehind(item) && updateOf(row).confirmed !== true) {
      const issues = [issueOf('drifted', message('shown_as_before', {}))];
      this.#parts.journal.outcome({ ordinal: row.ordinal, from: 'planned', to: 'held', issues });
      this.#parts.progress.advance();
      return false;
    }
    return this.judge(row, item, hasCopy);
  }

  /** Whether this store has made or changed the item so recently that one server may not know it yet. */
  async #mayBeLate({ itemId }: LedgerRow): Promise<boolean> {
    const { ledger, clock, job } = this.#context;
    return (await mayBeLate(new Set([itemId ?? '']), job.apiUrl, { ledger, clock })).size > 0;
  }

  /** Whether one of the duplicates that should stay exists; true for rows without this condition. */
  async #hasCopy(row: LedgerRow): Promise<boolean> {
    const { client, signal } = this.#context;
    const ids = copiesOf(updateOf(row));
    for (const id of ids) {
      try {
        const { value } = await client.getItem(id, { signal, priority: 'recheck' });
        if (isOwned(value)) return true;
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    return ids.length === 0;
  }

  /** Compares a row with its item, which was just read. @returns whether to send the row */
  judge(row: LedgerRow, item: Item, hasCopy = true): boolean {
    const move = driftMove(row, item, this.#context.onDrift, hasCopy);
    if (move === undefined) return true;
    // Committed before the intent, as both go in order. Another process's move of the row stays.
    this.#parts.journal.outcome({ ...move, from: 'planned' });
    if (move.to === 'planned') {
      row.operation = move.operation ?? row.operation;
      return true;
    }
    this.#parts.progress.advance();
    const [issue] = move.issues ?? [];
    if (issue !== undefined) this.#tell(row, item, issue);
    return false;
  }

  /** Reports how many further items had changed. */
  end(): void {
    const more = this.#drifted - TOLD;
    if (more <= 0) return;
    this.#context.emit(noteOf(message('more_items_changed', { items: more })));
  }

  #tell(row: LedgerRow, item: Item, issue: StoredIssue): void {
    this.#drifted += 1;
    if (this.#drifted > TOLD) return;
    const name = updateOf(row).item?.name ?? item.name;
    const { message: text } = issue;
    const said = saidOf(issue);
    this.#context.emit({ type: 'drifted', row: row.sheetRow, itemId: item.id, name, message: text, said });
  }
}

/** The item of a row, and the items that it depends on. */
function itemsOf(row: LedgerRow): string[] {
  return [row.itemId ?? '', ...copiesOf(updateOf(row))];
}
