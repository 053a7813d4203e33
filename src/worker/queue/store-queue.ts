/** The queue of a store that needs no other service: an SQLite file, or a database whose role may make no schema. */
import { randomBytes } from 'node:crypto';
import type { KeyValuePage } from '../../ledger/key-values.ts';
import type { Ledger, Lease } from '../../ledger/ledger.ts';
import type { Entry as Added, Queue, QueueLease, Service } from './queue.ts';
import { OPEN_STATES, type Run } from './run.ts';
import type { Runs } from './runs.ts';

/** Prefix of the queues' spaces. */
export const QUEUES = 'queue:';
/** Digits of a time in ms: keys sort as their times do until the year 5138. */
const DIGITS = 14;
const PRIORITIES = { read: '0', write: '1' } as const;
/** Maximum number of entries to look at in each queue; the others are not due, or not next. */
const LOOK = 16;
/** Entries per page when all are read. */
const PAGE = 500;

/** A write that has waited this long goes before reads, so that frequent exports do not starve imports. */
const WRITE_PATIENCE_MS = 30_000;

interface Entry {
  queue: string;
  key: string;
  runId: string;
  notBefore: number;
}

/**
 * Keys are `priority time id`: the first one that is due is next. Each lane is guarded by a lease of the ledger, with
 * its heartbeat and takeover of dead holders.
 */
export class StoreQueue implements Queue {
  readonly #ledger: Ledger;
  /** Lanes that this process holds. */
  readonly #mine = new Set<string>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async enqueue(run: Run, runs: Runs): Promise<boolean> {
    if (!(await runs.add(run))) return false;
    await this.add(run);
    return true;
  }

  async add({ queue, ...run }: Added, before = run.notBefore): Promise<void> {
    await this.#ledger.values.put(QUEUES + queue, [{ key: keyOf(run), value: '' }]);
    const old = keyOf({ ...run, notBefore: before });
    if (old !== keyOf(run)) await this.#ledger.values.remove(QUEUES + queue, [old]);
  }

  async start(): Promise<void> {
    // `take` reads the entries itself.
  }

  async take(service: Service): Promise<QueueLease | undefined> {
    for (const queue of await this.#queues()) {
      const lane = service.laneOf(queue);
      if (lane === undefined || this.#mine.has(lane)) continue;
      if ((await this.#next(queue, service)) === undefined) continue;
      const lease = await this.#takeLane(lane, service);
      if (lease !== undefined) return lease;
    }
    return undefined;
  }

  async readWaits(lane: string, service: Service): Promise<boolean> {
    for (const queue of await this.#queues()) {
      if (service.laneOf(queue) !== lane) continue;
      if ((await this.#next(queue, service, ['read'])) !== undefined) return true;
    }
    return false;
  }

  async nextAt(service: Service): Promise<number | undefined> {
    let next: number | undefined;
    for (const queue of await this.#queues()) {
      if (service.laneOf(queue) === undefined) continue;
      for (const entry of await this.#entries(queue))
        if (!service.left.has(entry.runId)) next = Math.min(next ?? entry.notBefore, entry.notBefore);
    }
    return next;
  }

  async repair(runs: Runs): Promise<void> {
    // In this order, so that each of these entries has, or had, a run.
    const entries: Entry[] = [];
    for (const queue of await this.#queues()) entries.push(...(await this.#allEntries(queue)));
    const open = new Map<string, Run>();
    // A cancelled run needs its entry: the next turn archives its file.
    for await (const run of runs.each({ states: [...OPEN_STATES, 'cancelled'] })) open.set(run.id, run);
    for (const { queue, key, runId } of entries)
      if (!open.has(runId)) await this.#ledger.values.remove(QUEUES + queue, [key]);
    const known = new Set(entries.map(({ runId }) => runId));
    for (const run of open.values()) if (run.state !== 'cancelled' && !known.has(run.id)) await this.add(run);
  }

  stop(): void {
    // `take` is not called any more.
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Each lease ends with its run, and the caller closes the ledger.
  }

  /** If the store fails, gives up lane and lease, so that the next look tries again. */
  async #takeLane(lane: string, service: Service): Promise<QueueLease | undefined> {
    this.#mine.add(lane);
    let lease: Lease | undefined;
    let queueLease: QueueLease | undefined;
    try {
      const got = await this.#ledger.lanes.acquire(`turn:${lane}`, `turn-${randomBytes(4).toString('hex')}`);
      if (!('token' in got)) return undefined;
      lease = got;
      // Look again under the lease: another worker may have ended the run meanwhile.
      const entry = await this.#firstOfLane(lane, service);
      if (entry !== undefined) queueLease = this.#leaseOf(entry, lane, lease);
      return queueLease;
    } finally {
      if (queueLease === undefined) {
        this.#mine.delete(lane);
        await lease?.release();
      }
    }
  }

  async #queues(): Promise<string[]> {
    return (await this.#ledger.values.spaces(QUEUES)).map((space) => space.slice(QUEUES.length));
  }

  /** Reads of all queues of the lane go before writes, except a write that has waited long. */
  async #firstOfLane(lane: string, service: Service): Promise<Entry | undefined> {
    const queues = (await this.#queues()).filter((queue) => service.laneOf(queue) === lane);
    for (const queue of queues) {
      const write = await this.#next(queue, service, ['write']);
      if (write !== undefined && service.now() - write.notBefore > WRITE_PATIENCE_MS) return write;
    }
    for (const priority of ['read', 'write'] as const) {
      for (const queue of queues) {
        const entry = await this.#next(queue, service, [priority]);
        if (entry !== undefined) return entry;
      }
    }
    return undefined;
  }

  async #next(
    queue: string,
    service: Service,
    priorities: readonly Run['priority'][] = ['read', 'write'],
  ): Promise<Entry | undefined> {
    const entries = await this.#entries(queue, priorities);
    return entries.find(({ runId, notBefore }) => service.isDue(runId, notBefore));
  }

  async #entries(
    queue: string,
    priorities: readonly Run['priority'][] = ['read', 'write'],
  ): Promise<Entry[]> {
    const found: Entry[] = [];
    for (const priority of priorities) {
      const page = { prefix: `${PRIORITIES[priority]} `, limit: LOOK };
      found.push(...(await this.#page(queue, page)));
    }
    return found;
  }

  async #allEntries(queue: string): Promise<Entry[]> {
    const found: Entry[] = [];
    for (;;) {
      const after = found.at(-1)?.key;
      const page = await this.#page(queue, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }

  async #page(queue: string, page: KeyValuePage): Promise<Entry[]> {
    const values = await this.#ledger.values.list(QUEUES + queue, page);
    return values.map(({ key }) => {
      const { id: runId, notBefore } = entryOf(QUEUES + queue, key);
      return { queue, key, notBefore, runId };
    });
  }

  #leaseOf({ queue, key, runId }: Entry, lane: string, lease: Lease): QueueLease {
    const { values } = this.#ledger;
    const end = async () => {
      try {
        await lease.release();
      } finally {
        this.#mine.delete(lane);
      }
    };
    return {
      runId,
      lane,
      queue,
      priority: key.startsWith(PRIORITIES.read) ? 'read' : 'write',
      hold: () => lease.renew(),
      abandon: end,
      // Not synced: after a power cut the run's record, which is on disk, shows whether it has ended and
      // where it belongs.
      finish: async () => {
        await values.remove(QUEUES + queue, [key], 'soon');
        await end();
      },
      putBack: async (notBefore, elsewhere = queue) => {
        const later = `${key.slice(0, 2)}${timeText(notBefore)}${key.slice(2 + DIGITS)}`;
        if (later !== key || elsewhere !== queue) {
          // In this order, so that a kill in between leaves two entries, never none.
          await values.put(QUEUES + elsewhere, [{ key: later, value: '' }], 'soon');
          await values.remove(QUEUES + queue, [key], 'soon');
        }
        await end();
      },
    };
  }
}

function keyOf({ id, priority, notBefore }: Pick<Run, 'id' | 'priority' | 'notBefore'>): string {
  return `${PRIORITIES[priority]} ${timeText(notBefore)} ${id}`;
}

/** The entry that is stored as a value in one of the queues' spaces. */
export function entryOf(space: string, key: string): Added {
  return {
    queue: space.slice(QUEUES.length),
    id: key.slice(2 + DIGITS + 1),
    priority: key.startsWith(PRIORITIES.read) ? 'read' : 'write',
    notBefore: Number(key.slice(2, 2 + DIGITS)),
  };
}

function timeText(ms: number): string {
  return String(Math.max(0, Math.floor(ms))).padStart(DIGITS, '0');
}
