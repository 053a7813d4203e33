/**
 * No update leaves on values that were read too long ago (`--recheck`): its item is read again, and what somebody
 * has changed meanwhile follows `--on-drift`.
 */
import { counted } from '../../counted.ts';
import { NotFoundError } from '../../api/errors.ts';
import type { Item } from '../../api/schemas.ts';
import type { LedgerRow } from '../../ledger/ledger.ts';
import type { ProgressMeter } from './progress-meter.ts';
import { driftMove } from '../changes/drift.ts';
import type { Journal } from './journal.ts';
import { updatePayload } from '../job/payload.ts';
import type { WriteContext } from './write-context.ts';

/** Items that are told with their three values; the results file has all of them. */
const TOLD = 10;
/** A reading just before the write counts for at least so long, or a slow lane would read for ever. */
const JUST_READ_MS = 2_000;
/** So many rows are read ahead of their writes: as many as the lane sends in this time. */
const AHEAD_SECONDS = 0.5;
const MOST_AHEAD = 64;
/** After so many readings of a row in turn, the last one counts: no permit came in time. */
const MOST_READINGS = 3;

export class Recheck {
  readonly #context: WriteContext;
  readonly #journal: Journal;
  readonly #progress: ProgressMeter;
  #drifted = 0;
  #ahead = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(context: WriteContext, journal: Journal, progress: ProgressMeter) {
    this.#context = context;
    this.#journal = journal;
    this.#progress = progress;
  }

  /** @param readings how often the row was read just now, for this very write */
  isFresh(row: LedgerRow, readings = 0): boolean {
    const { recheckMs, readTimes, clock } = this.#context;
    if (row.action === 'create' || recheckMs === Number.POSITIVE_INFINITY || readings >= MOST_READINGS)
      return true;
    const at = readTimes.of(row.itemId ?? '');
    if (at === undefined) return false;
    return clock.monotonic() - at < (readings > 0 ? Math.max(recheckMs, JUST_READ_MS) : recheckMs);
  }

  /** Waits until the lane has room for one more row to be read and then sent; `leave` ends that. */
  async enter(): Promise<void> {
    while (this.#ahead >= this.#mostAhead) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#ahead += 1;
  }

  /** The row has its permit for the write, or is not sent. */
  leave(): void {
    this.#ahead -= 1;
    this.#waiting.shift()?.();
  }

  /** A budget that comes in bursts would else go to reads, which are old when the writes have their turn. */
  get #mostAhead(): number {
    const { knownRate } = this.#context.client.lane;
    if (knownRate === undefined) return MOST_AHEAD;
    return Math.max(1, Math.min(MOST_AHEAD, Math.ceil(knownRate * AHEAD_SECONDS)));
  }

  /**
   * Reads the item of one row again.
   *
   * @returns whether the row is still to be sent
   * @throws ApiError when the read fails
   */
  async read(row: LedgerRow): Promise<boolean> {
    const { client, clock, signal, readTimes } = this.#context;
    let item: Item;
    try {
      const { value, ms } = await client.getItem(row.itemId ?? '', { signal, priority: 'recheck' });
      item = value;
      readTimes.note(item.id, clock.monotonic() - ms);
    } catch (error) {
      // Gone: the write is refused in the server's own words.
      if (!(error instanceof NotFoundError)) throw error;
      readTimes.note(row.itemId ?? '', clock.monotonic());
      return true;
    }
    return this.judge(row, item);
  }

  /** Compares a row with its item as it was just read, and tells whether it is still to be sent. */
  judge(row: LedgerRow, item: Item): boolean {
    const move = driftMove(row, item, this.#context.onDrift);
    if (move === undefined) return true;
    // On disk before the intent is, as both go in order. Whatever another process has made of the row stays.
    this.#journal.outcome({ ...move, from: 'planned' });
    if (move.to === 'planned') {
      row.payload = move.payload ?? row.payload;
      return true;
    }
    this.#progress.advance();
    const [issue] = move.issues ?? [];
    if (issue !== undefined) this.#tell(row, item, issue.message);
    return false;
  }

  /** Says how many more items had drifted than were named. */
  end(): void {
    const more = this.#drifted - TOLD;
    if (more <= 0) return;
    const message = `${counted(more, 'more item was', 'more items were')} changed by somebody since the plan was made. The results file lists them.`;
    this.#context.emit({ type: 'note', message });
  }

  #tell(row: LedgerRow, item: Item, message: string): void {
    this.#drifted += 1;
    if (this.#drifted > TOLD) return;
    const name = updatePayload(row).item?.name ?? item.name;
    this.#context.emit({ type: 'drifted', row: row.sheetRow, itemId: item.id, name, message });
  }
}
