/**
 * Hands out planned rows and takes back those that could not be sent.
 *
 * While the outcome of a row is unknown, no row with equal content is handed out, because settling could not tell which
 * of the two an item belongs to (design §4, settling, 2).
 */
import type { LedgerRow } from '../../ledger/ledger.ts';
import type { RowAction } from '../../ledger/states.ts';
import { fieldsOfCreate } from '../engine/input.ts';

export interface RowSource {
  /** The next rows; empty at the end. */
  next(actions: readonly RowAction[]): Promise<LedgerRow[]>;
  /** Takes back a row that must not be sent yet; a later `next` returns it. False if it may be sent. */
  takeBack(row: LedgerRow): boolean;
  restart(): void;
}

export interface FeedOptions {
  source: RowSource;
  /** Maximum number of rows to hand out. */
  most: number;
}

export class Feed {
  readonly #options: FeedOptions;
  readonly #ready: LedgerRow[] = [];
  readonly #returned: LedgerRow[] = [];
  readonly #blocked = new Set<string>();
  #ended = false;
  #loading: Promise<void> | undefined;
  #handedOut = 0;
  #creates = true;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** The next row to send; undefined if no row can be sent now. */
  async next(): Promise<LedgerRow | undefined> {
    for (;;) {
      if (this.#handedOut >= this.#options.most) return undefined;
      const row = this.#returned.shift() ?? this.#nextReady();
      if (row === undefined) {
        if (this.#ended) return undefined;
        this.#loading ??= this.#load();
        await this.#loading;
        continue;
      }
      // Left for later: its content is unknown, or the API plan is full.
      if (!this.maySend(row)) continue;
      this.#handedOut += 1;
      return row;
    }
  }

  /** Checked again at the last moment, because much can change while a row waits for its permit. */
  maySend(row: LedgerRow): boolean {
    return (
      row.action === 'update' ||
      (this.#creates && (this.#blocked.size === 0 || !this.#blocked.has(contentOf(row))))
    );
  }

  /** Returns a row that was certainly not applied: it may be handed out again. */
  giveBack(row: LedgerRow): void {
    this.#handedOut -= 1;
    this.#returned.push(row);
  }

  /** Takes back a row that was handed out but must not be sent yet; false if it may be sent. */
  takeBack(row: LedgerRow): boolean {
    if (!this.#options.source.takeBack(row)) return false;
    this.#handedOut -= 1;
    this.#ended = false;
    return true;
  }

  /** Stops handing out rows with this content until `restart`. */
  block(row: LedgerRow): void {
    this.#blocked.add(contentOf(row));
  }

  /** The item limit is reached: stops handing out creates; updates continue. */
  stopCreates(): void {
    this.#creates = false;
  }

  get createsStopped(): boolean {
    return !this.#creates;
  }

  /** There may be room under the item limit again. */
  allowCreates(): void {
    this.#creates = true;
  }

  /** Called after settling: starts from the first row, and unblocks all contents. */
  restart(): void {
    this.#ready.length = 0;
    this.#returned.length = 0;
    this.#blocked.clear();
    this.#options.source.restart();
    this.#ended = false;
  }

  #nextReady(): LedgerRow | undefined {
    for (;;) {
      const row = this.#ready.shift();
      if (row === undefined || !this.#options.source.takeBack(row)) return row;
    }
  }

  async #load(): Promise<void> {
    try {
      const rows = await this.#options.source.next(this.#creates ? ['create', 'update'] : ['update']);
      if (rows.length === 0) this.#ended = true;
      this.#ready.push(...rows);
    } finally {
      this.#loading = undefined;
    }
  }
}

/** Rows with equal content have equal texts, because staging writes them in the same way. */
function contentOf(row: LedgerRow): string {
  return `${row.collection ?? ''}\n${JSON.stringify(fieldsOfCreate(row))}`;
}
