/**
 * The API's seven operations (contract §4), each through the key's request limiter.
 *
 * Calls wait out a 429 and are sent again, because a request answered 429 was not applied; with `failOnLimit`, the
 * ledger records the 429 instead. Any other failure goes to the caller at once: the ledger decides whether a create may
 * be sent again.
 */
import { type Clock, momentOf, msSince, systemClock } from '../base/clock.ts';
import { type Check, compileCheck } from '../base/compile-check.ts';
import type { Answer, Page } from './answer.ts';
import { type ApiError, NotFoundError, RateLimitedError } from './errors.ts';
import type { FieldWatch } from './field-watch.ts';
import { Limiter, type RequestPriority, type Permit } from './limiter.ts';
import type { RawReads } from './item-fields.ts';
import { WAITS } from './outage.ts';
import { Pacer } from './pacer.ts';
import { dateOf, readRateLimit } from './rate-limit-headers.ts';
import { ServerClock } from './server-clock.ts';
import type { Collection, Item, ItemCreate, ItemStatus, ItemUpdate, SalesSummary } from './resources.ts';
import { CollectionList, ItemList, Item as ItemSchema, PER_PAGE_MAX, SalesSummaryAnswer } from './schemas.ts';
import { Transport } from './transport.ts';
import { WholeItems } from './whole-items.ts';
import type { WireRequest } from './wire.ts';

/** The API that a client uses, its key and its pace. */
export interface ClientOptions {
  /** Base address without `/api/public/v1`. https, or http to loopback. */
  apiUrl: string;
  /** The secret key. Kept in a private field; never in a message, log or file. */
  key: string;
  /**
   * Identifies this API in jobs. Default: the normalised address. Set it if the address changes from run to run, like
   * that of an embedded sandbox.
   */
  target?: string;
  /** Per request, in ms. Default 30,000. */
  timeoutMs?: number;
  /** Maximum requests per second, even if the server allows more. Default: no maximum. */
  maxRate?: number;
  /** Maximum requests in flight, up to 64. Default 64. */
  maxConcurrency?: number;
  /** Called for each answer, for logs. */
  onRequest?: RequestListener;
  /** Called when the server makes all requests wait, with the end of the pause. */
  onPause?: (until: Date) => void;
}

/** The clock too: replaced in tests. */
export interface ApiClientOptions extends ClientOptions {
  /** Longest time for which a call is repeated while it is answered 429, ms. Default: 24 hours. */
  limitedWaitMs?: number;
  clock?: Clock;
}

/** Called with a record of each answer. */
export type RequestListener = (record: RequestRecord) => void;

/** A request and its answer, without the key and the bodies. */
export interface RequestRecord {
  /** The operation; undefined if the request does not belong to the API. */
  operation: Operation;
  /** `GET`, `POST` or `PATCH`. */
  method: string;
  /** Path with its query, without the base address. */
  path: string;
  /** HTTP status; undefined if no answer came. */
  status: number | undefined;
  /** Time from the permit to the end of the answer, ms. */
  tookMs: number;
  /** X-Request-Id of the answer, for the service's support. */
  requestId: string | undefined;
  /** Stable error code, if the request failed. */
  error: string | undefined;
}

/** The API's operations, by their names in its description. */
export type Operation =
  | 'listItems'
  | 'createItem'
  | 'getItem'
  | 'updateItem'
  | 'listCollections'
  | 'listListings'
  | 'getSalesSummary';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call with AbortedError, whose `applied` says whether the server may have carried it out. */
  signal?: AbortSignal;
}

/** Options of calls that write. */
export interface WriteOptions extends CallOptions {
  /** Throw RateLimitedError at a 429 instead of waiting and sending the request again. Default false. */
  failOnLimit?: boolean;
}

/** Further options that imports need for calls. */
export interface PermitOptions {
  /** Default: `read` for reads, `write` for writes. */
  priority?: RequestPriority;
  /** A permit taken before the intent was recorded, so that no intent waits in the queue. */
  permit?: Permit;
  /**
   * Called when a connection is ready and nothing is written yet. Returning false cancels the request as `aborted` and
   * not applied.
   */
  mayLeave?: () => boolean;
}

/** What a read of an item is for. */
export interface ItemReadOptions {
  /**
   * Completes the optional fields that the answer lacks from the list (item-fields.ts); while that is impossible, the
   * read fails with FieldsUnknownError. The names are those of the fields that are about to be sent.
   */
  fields?: readonly string[];
}

/** What a page of items is for. */
export interface PageReadOptions {
  /** The reading of the whole list that the page is part of. */
  watch?: FieldWatch;
}

/** The page of a list to read. */
export interface PageOptions extends CallOptions {
  /** From 1. Default 1. */
  page?: number;
  /** 1 to 100. Default 100 (the API's own default is 20). */
  perPage?: number;
}

/**
 * The paced client alone: the API's seven operations. Every call waits for its turn, which depends on the server's
 * answers, and is repeated after a 429. Any other failure is thrown: a create whose answer was lost may have made its
 * item, and is never repeated here (imports do that, with a ledger).
 */
export interface Client extends AsyncDisposable {
  /** Normalised base address. */
  readonly apiUrl: string;
  /** A page of the items, newest first. @throws ApiError */
  listItems(
    options?: PageOptions & {
      /** Only items with this status. Default: all. */
      status?: ItemStatus;
    },
  ): Promise<Answer<Page<Item>>>;
  /** Creates an item. @throws ApiError, whose `applied` is `unknown` if the item may have been created */
  createItem(item: ItemCreate, options?: WriteOptions): Promise<Answer<Item>>;
  /** One item by its id. @throws NotFoundError, and any other ApiError */
  getItem(id: string, options?: CallOptions): Promise<Answer<Item>>;
  /** Changes the given fields of an item. @throws NotFoundError, and any other ApiError */
  updateItem(id: string, update: ItemUpdate, options?: WriteOptions): Promise<Answer<Item>>;
  /** A page of the collections. @throws ApiError */
  listCollections(options?: PageOptions): Promise<Answer<Page<Collection>>>;
  /** A page of the items that are for sale. @throws ApiError */
  listListings(options?: PageOptions): Promise<Answer<Page<Item>>>;
  /** Totals of all sales. @throws ApiError */
  getSalesSummary(options?: CallOptions): Promise<Answer<SalesSummary>>;
  /**
   * Every item, read in pages of 100: items that move in the list meanwhile may be missed or returned twice. `items` of
   * a shelf repeats the reading until the count proves that no item is missing.
   */
  items(
    options?: CallOptions & {
      /** Only items with this status. Default: all. */
      status?: ItemStatus;
    },
  ): AsyncGenerator<Item, void>;
  /** Every collection, read like `items`. */
  collections(options?: CallOptions): AsyncGenerator<Collection, void>;
  /** Every item that is for sale, read like `items`. */
  listings(options?: CallOptions): AsyncGenerator<Item, void>;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** The client that imports and exports use, with its limiter. */
export interface ApiClient extends Client {
  /** Identifies this API in jobs: the address, unless `target` was given. */
  readonly target: string;
  readonly timeoutMs: number;
  readonly limiter: Pick<
    Limiter,
    'acquire' | 'concurrency' | 'pausedUntil' | 'knownRate' | 'foundRate' | 'beginAt'
  >;
  /** Equal for the same address and key; it does not reveal the key. */
  readonly laneId: string;
  createItem(item: ItemCreate, options?: WriteOptions & PermitOptions): Promise<Answer<Item>>;
  getItem(id: string, options?: CallOptions & PermitOptions & ItemReadOptions): Promise<Answer<Item>>;
  updateItem(id: string, update: ItemUpdate, options?: WriteOptions & PermitOptions): Promise<Answer<Item>>;
  listItems(options?: ItemPageOptions & { status?: ItemStatus }): Promise<Answer<Page<Item>>>;
  listListings(options?: PageOptions & PageReadOptions): Promise<Answer<Page<Item>>>;
  /**
   * A client for one job: the listener is called for its own requests only. Pacing and connections are shared, and
   * closing it closes nothing.
   */
  withListener(listener: RequestListener): ApiClient;
}

const isItemList = compileCheck(ItemList);
const isItem = compileCheck(ItemSchema);

/** Sends nothing. @throws UsageError for an invalid address or key */
export function createClient(options: ApiClientOptions): ApiClient {
  const clock = options.clock ?? systemClock;
  const transport = new Transport(options);
  const core: Core = {
    transport,
    clock,
    serverClock: new ServerClock(),
    limiter: new Limiter(
      new Pacer(options),
      clock,
      options.onPause === undefined ? {} : { onPause: options.onPause },
    ),
    target: options.target ?? transport.apiUrl,
    whole: new WholeItems(clock),
    limitedWaitMs: options.limitedWaitMs ?? WAITS.limitedMs,
  };
  return new HttpClient(core, options.onRequest === undefined ? [] : [options.onRequest], true);
}

/** State that all jobs of one client share. */
interface Core {
  transport: Transport;
  clock: Clock;
  serverClock: ServerClock;
  limiter: Limiter;
  target: string;
  whole: WholeItems;
  limitedWaitMs: number;
}

type ItemPageOptions = PageOptions & PermitOptions & PageReadOptions;

class HttpClient implements ApiClient {
  readonly #core: Core;
  readonly #listeners: readonly RequestListener[];
  readonly #closes: boolean;

  constructor(core: Core, listeners: readonly RequestListener[], closes: boolean) {
    this.#core = core;
    this.#listeners = listeners;
    this.#closes = closes;
  }

  get limiter(): Limiter {
    return this.#core.limiter;
  }

  get target(): string {
    return this.#core.target;
  }

  get apiUrl(): string {
    return this.#core.transport.apiUrl;
  }

  get timeoutMs(): number {
    return this.#core.transport.timeoutMs;
  }

  get laneId(): string {
    return this.#core.transport.laneId;
  }

  listItems(options: ItemPageOptions & { status?: ItemStatus } = {}): Promise<Answer<Page<Item>>> {
    const query = pageQuery(options);
    const { status, perPage = PER_PAGE_MAX } = options;
    if (status !== undefined) query.set('status', status);
    const isUsual = status === undefined && perPage === PER_PAGE_MAX;
    return this.#listOfItems('listItems', `/items?${query.toString()}`, isUsual, options);
  }

  async createItem(item: ItemCreate, options: WriteOptions & PermitOptions = {}): Promise<Answer<Item>> {
    const answer = await this.#send(
      'createItem',
      { method: 'POST', path: '/items', body: item, success: 201, schema: ItemSchema, check: isItem },
      options,
    );
    return this.#core.whole.written(answer, item, this.#readsAfter(options));
  }

  async getItem(
    id: string,
    options: CallOptions & PermitOptions & ItemReadOptions = {},
  ): Promise<Answer<Item>> {
    const answer = await this.#rawItem(id, options);
    const { fields } = options;
    if (fields === undefined) return answer;
    return this.#core.whole.item(answer, fields, this.#rawReads(options));
  }

  async updateItem(
    id: string,
    update: ItemUpdate,
    options: WriteOptions & PermitOptions = {},
  ): Promise<Answer<Item>> {
    const path = `/items/${encodeURIComponent(id)}`;
    const answer = await this.#send(
      'updateItem',
      { method: 'PATCH', path, body: update, success: 200, schema: ItemSchema, check: isItem },
      options,
    );
    return this.#core.whole.written(answer, update, this.#readsAfter(options));
  }

  listCollections(options: PageOptions = {}): Promise<Answer<Page<Collection>>> {
    return this.#read(
      'listCollections',
      `/collections?${pageQuery(options).toString()}`,
      CollectionList,
      options,
    );
  }

  listListings(options: PageOptions & PageReadOptions = {}): Promise<Answer<Page<Item>>> {
    const path = `/marketplace/listings?${pageQuery(options).toString()}`;
    return this.#listOfItems('listListings', path, false, options);
  }

  getSalesSummary(options: CallOptions = {}): Promise<Answer<SalesSummary>> {
    return this.#read('getSalesSummary', '/sales/summary', SalesSummaryAnswer, options);
  }

  items(options: CallOptions & { status?: ItemStatus } = {}): AsyncGenerator<Item, void> {
    return everyPage((page) => this.listItems({ ...options, page }));
  }

  collections(options: CallOptions = {}): AsyncGenerator<Collection, void> {
    return everyPage((page) => this.listCollections({ ...options, page }));
  }

  listings(options: CallOptions = {}): AsyncGenerator<Item, void> {
    return everyPage((page) => this.listListings({ ...options, page }));
  }

  withListener(listener: RequestListener): ApiClient {
    return new HttpClient(this.#core, [...this.#listeners, listener], false);
  }

  async close(): Promise<void> {
    if (!this.#closes) return;
    await this.#core.limiter.close();
    await this.#core.transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #read<T>(
    operation: Operation,
    path: string,
    schema: WireRequest<T>['schema'],
    options: CallOptions,
    check?: Check,
  ) {
    const wire: WireRequest<T> = { method: 'GET', path, success: 200, schema };
    if (check !== undefined) wire.check = check;
    return this.#send(operation, wire, { priority: 'read', ...options });
  }

  #rawItem(id: string, options: CallOptions & PermitOptions): Promise<Answer<Item>> {
    return this.#read('getItem', `/items/${encodeURIComponent(id)}`, ItemSchema, options, isItem);
  }

  #rawReads({ signal, priority = 'read' }: CallOptions & PermitOptions): RawReads {
    const options = { priority, ...(signal === undefined ? {} : { signal }) };
    return {
      item: async (id) => {
        try {
          return (await this.#rawItem(id, options)).value;
        } catch (error) {
          if (error instanceof NotFoundError) return undefined;
          throw error;
        }
      },
      page: async (page) => {
        const path = `/items?${pageQuery({ page }).toString()}`;
        const { value } = await this.#read('listItems', path, ItemList, options, isItemList);
        return { items: value.data, hasMore: value.pagination.has_more };
      },
    };
  }

  /** Reads that follow a write. */
  #readsAfter({ signal }: CallOptions): RawReads {
    return this.#rawReads({ priority: 'recheck', ...(signal === undefined ? {} : { signal }) });
  }

  async #listOfItems(
    list: 'listItems' | 'listListings',
    path: string,
    isUsual: boolean,
    options: ItemPageOptions,
  ): Promise<Answer<Page<Item>>> {
    const answer = await this.#read(list, path, ItemList, options, isItemList);
    const read = { list, number: options.page ?? 1, isUsual, watch: options.watch };
    return this.#core.whole.page(answer, read, this.#rawReads(options));
  }

  /** Takes a permit and sends the request; sends it again after a 429, unless `failOnLimit` is set. */
  async #send<T>(
    operation: Operation,
    wire: WireRequest<T>,
    options: WriteOptions & PermitOptions,
  ): Promise<Answer<T>> {
    if (options.signal !== undefined) wire.signal = options.signal;
    if (options.mayLeave !== undefined) wire.mayLeave = options.mayLeave;
    let permit = options.permit;
    let limitedSince: number | undefined;
    for (;;) {
      permit ??= await this.limiter.acquire(options.priority ?? 'write', options.signal);
      const leaves = momentOf(this.#core.clock);
      const answer = await this.#core.transport.send(wire);
      const error: ApiError | undefined = answer.result.ok ? undefined : answer.result.error;
      const limited = error instanceof RateLimitedError;
      const receivedAt = this.#core.clock.monotonic();
      const serverTime = this.#core.serverClock.observe(
        dateOf(answer.headers),
        receivedAt - answer.ms,
        receivedAt,
      );
      permit.answered({
        limited,
        reading: readRateLimit(answer.headers, this.#core.clock.now(), serverTime),
        lost: answer.status === undefined,
      });
      permit = undefined;
      const record: RequestRecord = {
        operation,
        method: wire.method,
        path: wire.path,
        status: answer.status,
        tookMs: answer.ms,
        requestId: answer.requestId,
        error: error?.code,
      };
      for (const listener of this.#listeners) listener(record);
      if (answer.result.ok) {
        const { value, body } = answer.result;
        return { value, body, requestId: answer.requestId, tookMs: msSince(leaves, this.#core.clock) };
      }
      if (!limited || options.failOnLimit === true) throw answer.result.error;
      limitedSince ??= receivedAt;
      const pause = Math.max(0, this.limiter.pausedUntil - this.#core.clock.now());
      if (receivedAt - limitedSince + pause > this.#core.limitedWaitMs) throw answer.result.error;
    }
  }
}

function pageQuery(options: PageOptions): URLSearchParams {
  return new URLSearchParams({
    page: String(options.page ?? 1),
    per_page: String(options.perPage ?? PER_PAGE_MAX),
  });
}

/** Follows has_more. An empty page ends the list in any case, so that no server can make the reading endless. */
async function* everyPage<T>(load: (page: number) => Promise<Answer<Page<T>>>): AsyncGenerator<T, void> {
  for (let page = 1; ; page += 1) {
    const { value } = await load(page);
    yield* value.data;
    if (!value.pagination.has_more || value.data.length === 0) return;
  }
}
