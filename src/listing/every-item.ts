/** Reads the whole list of items, each once, for callers that draw conclusions from missing items. */
import type { ApiClient } from '../api/client.ts';
import { NotFoundError } from '../api/errors.ts';
import type { FieldWatch } from '../api/field-watch.ts';
import type { Item } from '../api/schemas.ts';
import { type Clock, type Moment, momentOf, systemClock } from '../base/clock.ts';
import { ShelfliftError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import type { ListPage } from './list-counter.ts';
import { withNewItems } from './new-items.ts';
import { readItems } from './read-items.ts';
import type { RetriedReads } from './retry-reads.ts';

/** Maximum number of readings of a list that changes. */
const MAX_TRIES = 3;

/** Thrown if it cannot be proven that the list was read completely, with all fields of its items. */
export class ListMovedError extends ShelfliftError {
  constructor(explanation: Message) {
    super('list_moved', message('list_moved', { explanation }), {
      actions: [{ do: 'byHand', label: message('read_list_again', {}) }],
    });
  }
}

export interface EveryItemOptions {
  client: ApiClient;
  signal: AbortSignal;
  clock?: Clock;
  /** A new one for each reading, with the fields that the caller needs. */
  watch: FieldWatch;
  /** Retries pages during an outage. Default: an outage is an error. */
  retried?: RetriedReads;
  /** Receives the items of one page in list order, and the time of the request; no item comes twice. */
  onItems: (items: readonly Item[], askedAt: Moment) => Promise<void> | void;
  /** Called with the number of items read so far, and about how many there are. */
  onRead?: (done: number, total: number) => void;
}

export interface ListRead {
  items: number;
  requests: number;
}

/**
 * Reads the list once. Only at the end does the count prove that `onItems` received every item that existed at the
 * beginning and still exists (design §7), and only then is it known whether the list left out fields: do not act on any
 * item before.
 *
 * @throws ListMovedError if items or fields may be missing; `untilProven` reads the list again
 */
export async function everyItem(options: EveryItemOptions): Promise<ListRead> {
  const { client, watch, signal, onItems, onRead, retried, clock = systemClock } = options;
  const askedAt = new WeakMap<ListPage<Item>, Moment>();
  let requests = 0;
  let items = 0;
  let total = 0;
  // Cancels the other pages when one fails.
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const retry: RetriedReads['read'] = (read) => (retried === undefined ? read() : retried.read(read));
  const one = async (id: string): Promise<Item | undefined> => {
    try {
      return (await retry(() => client.getItem(id, { signal: either }))).value;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  };
  try {
    const { consistency, explanation } = await readItems<Item>({
      load: async (page, perPage) => {
        let now = momentOf(clock);
        const load = () => {
          requests += 1;
          now = momentOf(clock);
          return retry(() => client.listItems({ page, perPage, signal: either, watch }));
        };
        const { value } = await withNewItems(load, (answer) => answer.value.data, watch, clock, either);
        const loaded = { data: value.data, hasMore: value.pagination.has_more };
        askedAt.set(loaded, now);
        return loaded;
      },
      sink: {
        add: async (fresh, page) => {
          items += fresh.length;
          onRead?.(items, Math.max(total, items));
          await onItems(fresh, askedAt.get(page) ?? momentOf(clock));
        },
        reset: async () => {},
      },
      attempts: 1,
      concurrency: () => client.limiter.concurrency,
      onCount: (count) => {
        total = count;
      },
    });
    if (consistency === 'moved') throw new ListMovedError(explanation);
    if (await watch.isOutdated(one)) throw new ListMovedError(message('list_left_out_fields', {}));
    return { items, requests };
  } finally {
    over.abort();
  }
}

/**
 * Repeats `read` while the list changes, three times at most.
 *
 * @param read starts over each time
 * @throws ListMovedError
 */
export async function untilProven<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ListMovedError) || tries === MAX_TRIES) throw error;
    }
  }
}
