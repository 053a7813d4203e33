/**
 * The client's port over the model server, with the faults of a network between them.
 *
 * What the real client makes of a broken answer is tested against real sockets (test/api, test/faults); here
 * the errors are its own classes, and only their order in time is simulated.
 */
import type { ApiClient, CallOptions, PermitOptions } from '../../src/api/client.ts';
import {
  AbortedError,
  type ApiError,
  LimitReachedError,
  NotFoundError,
  RateLimitedError,
  RequestTimeoutError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../src/api/errors.ts';
import type { RequestPriority, Permit } from '../../src/api/limiter.ts';
import { ListFields } from '../../src/api/list-fields.ts';
import type { Collection, Item, ItemCreate, ItemUpdate } from '../../src/api/schemas.ts';
import type { TimedRequest } from '../history/history.ts';
import type { Judge, Sent } from './judge.ts';
import { COLLECTIONS, type ModelServer } from './model-server.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { asWritten } from '../support/as-written.ts';

export const FAULTS = ['ok', 'refused', 'limited', 'reset', 'error500', 'html502', 'cut', 'timeout'] as const;

/** What happens to one request. */
export interface Fault {
  kind: (typeof FAULTS)[number];
  /** Whether the server applies it although no good answer comes; `late`: only after the connection ended, or slowly. */
  applied: 'no' | 'yes' | 'late';
  /** How much of the time that it may be late it is, 0 to 1. */
  lateness: number;
}

/** All requests of all processes take their faults from one list, in order; behind its end all goes well. */
export interface Network {
  time: SimulatedTime;
  server: ModelServer;
  writeFaults: Fault[];
  readFaults: Fault[];
  /** ms there, and the same back. */
  latencyMs: () => number;
  /** Requests of a key in flight at once. */
  concurrency: number;
  /** Told just before a request reaches the server. */
  onArrival: (what: 'read' | 'write') => void;
  /** Contents of creates that the server may still apply. */
  underWay: string[];
  /** What is asked for, with what came of it for whoever asked. */
  requests: TimedRequest[];
}

export const TIMEOUT_MS = 30_000;
/** The premise of exactly-once (design §4): nothing is applied later than this after its connection ended. */
const LATEST_AFTER_RESET_MS = 9_900;
const LATEST_AFTER_TIMEOUT_MS = 59_900;
const PAUSE_MS = 2_000;
/** In the order of the limiter. */
const RANKS: readonly RequestPriority[] = ['settle', 'read', 'write', 'recheck'];

const ALL_COLLECTIONS = COLLECTIONS.map(
  (each): Collection => ({
    object: 'collection',
    ...each,
    is_public: false,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }),
);
const OK: Fault = { kind: 'ok', applied: 'yes', lateness: 0 };

/** @param judge of the store that the process works with */
export function modelClient(
  network: Network,
  judge: Judge,
  process: SimulatedProcess,
  laneId: string,
): ApiClient {
  const { time, server } = network;
  let busy = 0;
  let pausedUntil = 0;
  const waiting: { rank: number; grant: () => void }[] = [];

  const free = () => {
    busy -= 1;
    waiting.shift()?.grant();
  };
  const turn = (rank: number) =>
    new Promise<void>((grant) => {
      const behind = waiting.findIndex((each) => each.rank > rank);
      waiting.splice(behind < 0 ? waiting.length : behind, 0, { rank, grant });
    });
  /** As the limiter: what is read again for a write waits for all writes that are ready. */
  const acquire = async (priority: RequestPriority, signal?: AbortSignal): Promise<Permit> => {
    await process.step();
    for (;;) {
      if (signal?.aborted) {
        // Another may have its turn.
        waiting.shift()?.grant();
        throw new AbortedError('aborted', asWritten('stopped'), { applied: 'no' });
      }
      if (time.now < pausedUntil) await process.clock.sleep(pausedUntil - time.now);
      else if (busy >= network.concurrency) await turn(RANKS.indexOf(priority));
      else break;
    }
    busy += 1;
    let open = true;
    const end = () => {
      if (open) free();
      open = false;
    };
    return { answered: end, unused: end };
  };

  /**
   * Plans what the server does, and answers as the network lets it.
   *
   * @param over called once the server has applied it, or certainly never will
   */
  const exchange = <T>(
    what: 'read' | 'write',
    fault: Fault,
    work: () => T,
    over: () => void = () => undefined,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const apply = () => {
        network.onArrival(what);
        time.tell(process.name, `the server has its ${what}`);
        try {
          return work();
        } finally {
          over();
        }
      };
      const arrives = time.now + network.latencyMs();
      const answered = arrives + network.latencyMs();
      const fail = (error: ApiError, at: number) => time.at(at, () => reject(error));
      const unexpected = (answer: string) =>
        new UnexpectedResponseError('unexpected_response', asWritten(answer), { applied: 'unknown' });
      const perhapsApply = (connectionEnds: number, latest: number) => {
        if (fault.applied === 'no') return over();
        const run = () => {
          try {
            apply();
          } catch {
            // Nobody is there any more to be told that the plan is full.
          }
        };
        const planned = fault.applied === 'yes' ? arrives : connectionEnds + fault.lateness * latest;
        const cancel = time.at(planned, run);
        // A killed process ends its connections: from then on the server is only so much late.
        void process.death.then(() => {
          const latestNow = time.now + LATEST_AFTER_TIMEOUT_MS;
          if (planned <= latestNow) return;
          cancel();
          time.at(latestNow, run);
        });
      };
      time.tell(process.name, `sends a ${what}`, fault);
      switch (fault.kind) {
        case 'ok': {
          // A slow server answers just in time; whoever is killed before that never hears of it.
          const slow = fault.applied === 'late' ? fault.lateness * (TIMEOUT_MS - 1_000) : 0;
          time.at(arrives + slow, () => {
            try {
              const value = apply();
              time.at(answered + slow, () => resolve(value));
            } catch (error) {
              time.at(answered + slow, () => reject(error));
            }
          });
          break;
        }
        case 'refused':
          over();
          fail(
            new UnreachableError('unreachable', asWritten('connection refused'), { applied: 'no' }),
            arrives,
          );
          break;
        case 'limited':
          over();
          time.at(answered, () => {
            pausedUntil = time.now + PAUSE_MS;
            reject(new RateLimitedError('rate_limited', asWritten('too many requests'), { applied: 'no' }));
          });
          break;
        case 'timeout':
          perhapsApply(time.now + TIMEOUT_MS, LATEST_AFTER_TIMEOUT_MS);
          fail(
            new RequestTimeoutError('timeout', asWritten('no answer'), { applied: 'unknown' }),
            time.now + TIMEOUT_MS,
          );
          break;
        case 'reset':
          perhapsApply(answered, LATEST_AFTER_RESET_MS);
          fail(new UnreachableError('unreachable', asWritten('reset'), { applied: 'unknown' }), answered);
          break;
        default:
          perhapsApply(answered, LATEST_AFTER_RESET_MS);
          fail(unexpected(fault.kind), answered);
      }
    });

  const write = async <T extends Item>(
    asked: Pick<TimedRequest, 'kind' | 'body' | 'item'>,
    apply: (write: Sent) => T,
    { permit, mayLeave }: PermitOptions,
    over?: () => void,
  ) => {
    await process.leave();
    try {
      if (mayLeave?.() === false)
        throw new AbortedError('aborted', asWritten('kept back'), { applied: 'no' });
      const sentAt = time.now;
      const sent = judge.leaves(process);
      const fault = network.writeFaults.shift() ?? OK;
      const shownAt = judge.shownAt(process, asked.item);
      const request: TimedRequest = {
        job: sent.job,
        ...asked,
        at: sentAt,
        ...(shownAt === undefined ? {} : { shownAt }),
        ...judge.consentOf(sent, asked.item),
        end: { was: 'unknown' },
      };
      const number = network.requests.push(request) - 1;
      const work = () => {
        const item = apply(sent);
        const logged = server.log.at(-1);
        if (logged !== undefined) logged.request = number;
        return item;
      };
      const value = await exchange('write', fault, work, over).catch((error: ApiError) => {
        if (error.applied === 'no') request.end = { was: 'failed' };
        throw error;
      });
      request.end = { was: 'ok', item: value.id };
      await process.step();
      return {
        value: structuredClone(value),
        body: new Uint8Array(),
        requestId: 'request',
        tookMs: time.now - sentAt,
      };
    } finally {
      permit?.unused();
    }
  };
  const read = async <T>(apply: () => T, { priority = 'read', signal }: CallOptions & PermitOptions = {}) => {
    for (;;) {
      const permit = await acquire(priority, signal);
      const sentAt = time.now;
      try {
        const value = await exchange('read', network.readFaults.shift() ?? OK, apply);
        await process.step();
        return { value, body: new Uint8Array(), requestId: 'request', tookMs: time.now - sentAt };
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error;
      } finally {
        permit.unused();
      }
    }
  };
  const listCollections = () =>
    read(() => ({ data: ALL_COLLECTIONS, pagination: { page: 1, per_page: 100, has_more: false } }));
  const notFound = () => new NotFoundError('not_found', asWritten('no such item'), { applied: 'no' });
  const getItem: ApiClient['getItem'] = async (id, options) => {
    let shownAt = 0;
    const answer = await read(() => {
      const found = server.shown(id);
      if (found === undefined) throw notFound();
      shownAt = time.now;
      return { ...found.item };
    }, options);
    judge.read(process, [id], shownAt, 'item');
    return answer;
  };
  const listFields = new ListFields();
  const unused = (): never => {
    throw new Error('no import asks for this');
  };

  return {
    apiUrl: 'https://model.test',
    target: 'https://model.test',
    timeoutMs: TIMEOUT_MS,
    laneId,
    limiter: {
      acquire,
      get concurrency() {
        return network.concurrency;
      },
      get pausedUntil() {
        return process.clock.now() + pausedUntil - time.now;
      },
      knownRate: undefined,
      foundRate: undefined,
      beginAt: () => undefined,
    },
    createItem: (body: ItemCreate, options = {}) => {
      const content = server.contentOf(body);
      network.underWay.push(content);
      const over = () => network.underWay.splice(network.underWay.indexOf(content), 1);
      return write(
        { kind: 'create', body: { ...body } },
        (sent) => {
          if (server.full) throw new LimitReachedError('limit_reached', asWritten('full'), { applied: 'no' });
          const made = server.create(body, judge.store);
          judge.created(sent, made);
          return made.item;
        },
        options,
        over,
      );
    },
    updateItem: (id: string, set: ItemUpdate, options = {}) =>
      write(
        { kind: 'update', item: id, body: { ...set } },
        (sent) => {
          const written = server.update(id, set, judge.store);
          const found = server.find(id);
          if (written === undefined || found === undefined) throw notFound();
          judge.updated(sent, id, set, written);
          return found.item;
        },
        options,
      ),
    getItem,
    listItems: async (options) => {
      let shownAt = 0;
      const askedAt = time.now;
      const { page = 1, perPage = 100, status, ...calls } = options ?? {};
      const answer = await read(() => {
        const { data, has_more } = server.list(page, perPage, status);
        shownAt = time.now - server.staleMs;
        return { data, pagination: { page, per_page: perPage, has_more } };
      }, options);
      const data = await listFields.complete(answer.value.data, page === 1, (id) =>
        getItem(id, { priority: 'read', ...calls }).then(
          ({ value }) => value,
          (error: unknown) => {
            if (error instanceof NotFoundError) return undefined;
            throw error;
          },
        ),
      );
      judge.read(
        process,
        data.map((item) => item.id),
        shownAt,
        'page',
      );
      return data === answer.value.data
        ? answer
        : { ...answer, value: { ...answer.value, data }, tookMs: time.now - askedAt };
    },
    async *items(options) {
      for (let page = 1; ; page += 1) {
        const { value } = await this.listItems({ ...options, page });
        yield* value.data;
        if (!value.pagination.has_more) return;
      }
    },
    async *collections() {
      yield* (await listCollections()).value.data;
    },
    listCollections,
    listListings: unused,
    getSalesSummary: unused,
    listings: unused,
    withListener: unused,
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
