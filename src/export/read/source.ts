/** Reads the API for exports and reports: pages with bounded retries, request ids and progress events. */
import type { Answer, Page } from '../../api/answer.ts';
import type { ApiClient, CallOptions } from '../../api/client.ts';
import { MissingScopeError, NotFoundError } from '../../api/errors.ts';
import { FieldWatch, ReadOnce } from '../../api/field-watch.ts';
import { type OutageWaits, WAITS } from '../../api/outage.ts';
import type { Collection, Item, ItemStatus, SalesSummary } from '../../api/schemas.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { LoadPage } from '../../listing/list-counter.ts';
import { withNewItems } from '../../listing/new-items.ts';
import type { ListReading } from '../../listing/read-items.ts';
import type { KnownItems } from '../../ledger/ledger.ts';
import { RetriedReads } from '../../listing/retry-reads.ts';
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** The events of an export, for progress and logs. */
export type ExportEvent =
  /** Number of entries in the list; repeated after a restart. */
  | {
      type: 'counted';
      /** Number of entries. */
      entries: number;
    }
  /** A pass over the list begins. */
  | {
      type: 'pass';
      /** Number of the pass, from 1. If the list changes, it is read again. */
      pass: number;
    }
  | {
      type: 'page';
      /** Pages read so far, in all passes and counts. */
      pages: number;
    }
  /** Wanted rows and distinct entries read so far; fewer than before after a restart. */
  | {
      type: 'read';
      /** Wanted rows. */
      rows: number;
      /** All entries, wanted or not. */
      seen: number;
    }
  /** Continues an interrupted export. */
  | {
      type: 'resumed';
      /** Rows that were read before the interruption. */
      rows: number;
      /** When the interrupted export began. */
      startedAt: Date;
    }
  /** The export was interrupted; the pages that it read are kept for the next run. */
  | {
      type: 'kept';
      /** Rows that were read so far. */
      rows: number;
    }
  | {
      type: 'retry';
      /** Number of the next try: 2 after the first failure. */
      tryNumber: number;
      /** Wait before the next try, ms. */
      waitMs: number;
      /** Why the last try failed, in English. */
      message: string;
      /** The reason as a message. */
      said?: Message;
    }
  | {
      type: 'written';
      /** Rows of the file. */
      rows: number;
    }
  /** A fact that is useful to know; the export continues. */
  | {
      type: 'note';
      /** The note in English. */
      message: string;
      /** The message as data. */
      said: Message;
    }
  /** A fact that is important to know; the export continues. */
  | {
      type: 'warning';
      /** The warning in English. */
      message: string;
      /** The message as data. */
      said: Message;
    };

const REST_MS = 60;

export interface SourceOptions {
  client: ApiClient;
  /** The known items of the store: new ones that the list may not show yet. */
  knownItems?: Pick<KnownItems, 'acknowledged' | 'ofOtherTeams'>;
  signal?: AbortSignal;
  /** Called with progress, retries and warnings; nothing is printed here. */
  onEvent?: (event: ExportEvent) => void;
  /** Maximum length of an outage. Default: 30 s before the first answer, 10 minutes after it. */
  patience?: OutageWaits;
  clock?: Clock;
}

export class ExportSource implements AsyncDisposable {
  readonly clock: Clock;
  /** ISO 8601, by our clock. */
  readonly startedAt: string;
  readonly warnings: Message[] = [];
  readonly knownItems: SourceOptions['knownItems'];
  readonly #client: ApiClient;
  readonly #signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #onEvent: ((event: ExportEvent) => void) | undefined;
  readonly #reads: RetriedReads;
  readonly #readOnce = new ReadOnce();
  #watches = this.#newWatches();
  #pages = 0;
  #first: string | null = null;
  #last: string | null = null;

  constructor({ client, knownItems, clock = systemClock, signal, onEvent, patience = WAITS }: SourceOptions) {
    this.#client = client;
    this.knownItems = knownItems;
    this.clock = clock;
    this.startedAt = new Date(clock.now()).toISOString();
    this.#signal = signal === undefined ? this.#over.signal : AbortSignal.any([signal, this.#over.signal]);
    this.#onEvent = onEvent;
    this.#reads = new RetriedReads({
      clock,
      patience,
      signal: this.#signal,
      onRetry: ({ message: text, said }, tryNumber, waitMs) =>
        this.emit({ type: 'retry', tryNumber, waitMs, message: text, said }),
    });
  }

  readonly items: LoadPage<Item> = (page, perPage) => this.#itemsPage({ page, perPage });

  readonly listings: LoadPage<Item> = (page, perPage) =>
    this.#page((call) =>
      this.#client.listListings({ page, perPage, watch: this.#watches.listings, ...call }),
    );

  readonly collections: LoadPage<Collection> = (page, perPage) =>
    this.#page((call) => this.#client.listCollections({ page, perPage, ...call }));

  itemsOf(status: ItemStatus): LoadPage<Item> {
    return (page, perPage) => this.#itemsPage({ page, perPage, status });
  }

  /** Whether the pages read so far lack fields, as has turned out now: then the reading starts over. */
  readonly isOutdated = async (): Promise<boolean> => {
    for (const watch of Object.values(this.#watches)) {
      if (!(await watch.isOutdated((id) => this.#item(id)))) continue;
      this.#watches = this.#newWatches();
      return true;
    }
    return false;
  };

  /** Takes the items of an interrupted reading. */
  recalled(items: readonly Item[]): void {
    this.#watches.items.recalled(items);
  }

  /** The reading, with the fields that the list may have left out. */
  withDoubt(reading: ListReading): ListReading {
    const doubts = Object.values(this.#watches).flatMap(({ doubt }) => doubt ?? []);
    const [doubt] = doubts;
    if (doubt === undefined) return reading;
    const fields = [...new Set(doubts.flatMap((each) => each.fields))];
    const items = Math.max(...doubts.map(({ unread }) => unread));
    const said =
      items > 0
        ? message('fields_not_read', { fields, items })
        : message('fields_not_shown', { fields, lookedUp: doubt.lookedUp });
    this.note(said);
    return {
      ...reading,
      explanation: message('reading_with_doubt', { reading: reading.explanation, doubt: said }),
    };
  }

  async hasItem(id: string): Promise<boolean> {
    return (await this.#item(id)) !== undefined;
  }

  sales(): Promise<SalesSummary> {
    return this.#read((call) => this.#client.getSalesSummary(call)).then(({ value }) => value);
  }

  /** Pauses briefly, so that a rate limit has room for a burst. The length is random, to avoid any rhythm. */
  readonly rest = (): Promise<void> => this.clock.sleep(REST_MS * (0.5 + Math.random()), this.#signal);

  /** Number of concurrent requests. */
  readonly concurrency = (): number => this.#client.limiter.concurrency;

  /** Base address, name for jobs, and a hash of address and key. */
  get api(): Pick<ApiClient, 'apiUrl' | 'target' | 'laneId'> {
    return this.#client;
  }

  /** X-Request-Id of the first and the last response so far. */
  get requestIds(): { first: string | null; last: string | null } {
    return { first: this.#first, last: this.#last };
  }

  emit(event: ExportEvent): void {
    this.#onEvent?.(event);
  }

  /** Emits a warning, and records it for the manifest. */
  warn(said: Message): void {
    this.warnings.push(said);
    this.emit({ type: 'warning', message: english(said), said });
  }

  note(said: Message): void {
    this.emit({ type: 'note', message: english(said), said });
  }

  throwIfAborted(): void {
    this.#signal.throwIfAborted();
  }

  /** Cancels requests in progress after a failure. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
  }

  /** Undefined if there is no such item, or if the key may not read items. */
  async #item(id: string): Promise<Item | undefined> {
    try {
      return (await this.#read((call) => this.#client.getItem(id, call))).value;
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof MissingScopeError) return undefined;
      throw error;
    }
  }

  #itemsPage(options: Parameters<ApiClient['listItems']>[0]) {
    const watch = this.#watches.items;
    const load = () => this.#page((call) => this.#client.listItems({ ...options, watch, ...call }));
    return withNewItems(load, ({ data }) => data, watch, this.clock, this.#signal);
  }

  async #page<T>(load: (call: CallOptions) => Promise<Answer<Page<T>>>) {
    const { value, body } = await this.#read(load);
    this.#pages += 1;
    this.emit({ type: 'page', pages: this.#pages });
    return { data: value.data, hasMore: value.pagination.has_more, body };
  }

  async #read<T>(load: (call: CallOptions) => Promise<Answer<T>>): Promise<Answer<T>> {
    const signal = this.#signal;
    const answer = await this.#reads.read(() => load({ signal }));
    const requestId = answer.requestId ?? null;
    this.#first ??= requestId;
    this.#last = requestId;
    return answer;
  }

  #newWatches(): Record<'items' | 'listings', FieldWatch> {
    const watch = () => new FieldWatch('sample', undefined, this.#readOnce);
    return { items: watch(), listings: watch() };
  }
}
