/**
 * Hands out planned rows and takes back what could not be sent.
 *
 * Once a row of some content is unknown, no row of that content is handed out before it is settled: with a
 * row under way, a lookup could not tell which of them an item belongs to (design §4, settling, 2).
 */
import type { LedgerRow } from '../../ledger/ledger.ts';
import type { RowAction } from '../../ledger/states.ts';
import { fieldsOfCreate } from '../job/payload.ts';

/** Where the rows come from. */
export interface RowSource {
  /** Some more rows; none when there are no more. */
  next(actions: readonly RowAction[]): Promise<LedgerRow[]>;
  /** Takes a row back that must not go as it is; it comes again with a later `next`. False where it may go. */
  takeBack(row: LedgerRow): boolean;
  restart(): void;
}

export interface FeedOptions {
  source: RowSource;
  /** Rows to hand out in all. */
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
  #putAside = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** The next row to send; undefined when there is none for now. */
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
      if (!this.maySend(row)) {
        this.#putAside += 1;
        continue;
      }
      this.#handedOut += 1;
      return row;
    }
  }

  /** Asked again at the last moment, because much can happen while a row waits for its permit. */
  maySend(row: LedgerRow): boolean {
    return (
      row.action === 'update' ||
      (this.#creates && (this.#blocked.size === 0 || !this.#blocked.has(contentOf(row))))
    );
  }

  /** The row was certainly not applied and may be handed out again. */
  giveBack(row: LedgerRow): void {
    this.#handedOut -= 1;
    this.#returned.push(row);
  }

  /** Takes a row back that was handed out but must not go as it is; false where it may go. */
  takeBack(row: LedgerRow): boolean {
    if (!this.#options.source.takeBack(row)) return false;
    this.#handedOut -= 1;
    this.#ended = false;
    return true;
  }

  /** Nothing of this row's content leaves until `restart`. */
  block(row: LedgerRow): void {
    this.#blocked.add(contentOf(row));
  }

  /** The plan is full: no create leaves any more in this run; updates go on. */
  stopCreates(): void {
    this.#creates = false;
  }

  get createsStopped(): boolean {
    return !this.#creates;
  }

  /** True when `most` rows have been handed out. */
  get exhausted(): boolean {
    return this.#handedOut >= this.#options.most;
  }

  /** Rows that were left for later because their content is unknown, or the plan full. */
  get putAside(): number {
    return this.#putAside;
  }

  /** The plan may have room again. */
  allowCreates(): void {
    this.#creates = true;
  }

  /** After settling: from the beginning, with nothing blocked. */
  restart(): void {
    this.#ready.length = 0;
    this.#returned.length = 0;
    this.#blocked.clear();
    this.#options.source.restart();
    this.#ended = false;
    this.#putAside = 0;
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

/** Equal texts mean equal contents: what a file says twice is staged as the same text twice. */
function contentOf({ collection, payload }: LedgerRow): string {
  return `${collection ?? ''}\n${JSON.stringify(fieldsOfCreate(payload))}`;
}
