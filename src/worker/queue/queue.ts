/**
 * Decides which run is next. All queues of one key form a lane, whose runs are executed one by one, on any worker.
 * Other keys run in parallel.
 *
 * An entry stays until its run has ended, and the worker that executes the run holds a lease with a heartbeat. If that
 * worker dies, another one takes the lease over and finds the entry.
 */
import type { Run } from './run.ts';
import type { Runs } from './runs.ts';

/** The right to execute one run. Ends with `finish`, `putBack` or `abandon`. */
export interface QueueLease {
  readonly runId: string;
  readonly lane: string;
  readonly queue: string;
  readonly priority: Run['priority'];
  /** Renews the lease before a step that cannot be undone. @throws LeaseLostError if another worker has taken it over */
  hold(): Promise<void>;
  /** The run has ended: removes its entry. */
  finish(): Promise<void>;
  /** Any worker may take the run again from this time on (ms since the epoch), from this queue or another. */
  putBack(notBefore: number, queue?: string): Promise<void>;
  /** Gives the lease up after the store failed; the entry stays. Never throws. */
  abandon(): Promise<void>;
}

/** The queues and runs that a worker can execute. */
export interface Service {
  /** The lane of a queue; undefined if this worker cannot serve the queue. */
  laneOf(queue: string): string | undefined;
  /** The queues of a lane. */
  queuesOf(lane: string): string[];
  /** The queues of its profiles. Delivery queues come and go. */
  queues(): string[];
  /** Maximum number of runs at the same time. */
  readonly parallel: number;
  /** ms since the epoch. */
  now(): number;
  /** Whether a run that waits until `notBefore` (ms since the epoch) may be taken now. */
  isDue(runId: string, notBefore: number): boolean;
  /** Ids of waiting runs that this worker leaves to others: it neither takes them nor waits for them. */
  readonly left: ReadonlySet<string>;
  /** True for a worker that ends when nothing is left to do. */
  readonly once: boolean;
}

/** The part of a run that a queue knows. */
export type Entry = Pick<Run, 'id' | 'queue' | 'priority' | 'notBefore'>;

export interface Queue extends AsyncDisposable {
  /** Records a run and adds its entry. Returns false, and changes nothing, if there is a run with this id. */
  enqueue(run: Run, runs: Runs): Promise<boolean>;
  /**
   * Adds the entry of a run that is recorded; repeating it changes nothing.
   * @param before the `notBefore` that a waiting run had so far: it gets the new one
   */
  add(entry: Entry, before?: number): Promise<void>;
  /** The next run that is due. If its holder has died, a run is due at once. */
  take(service: Service): Promise<QueueLease | undefined>;
  /** True if a read waits in this lane: an import then yields. */
  readWaits(lane: string, service: Service): Promise<boolean>;
  /** Starts serving; `woken` is called when there may be something to take. */
  start(service: Service, woken: () => void): Promise<void>;
  /** Stops handing out runs. Leases that were taken stay. */
  stop(): void;
  /** Adds missing entries and removes stale ones, both of which kills can leave. */
  repair(runs: Runs): Promise<void>;
  /** When the next entry is due, ms since the epoch; undefined if there is none. */
  nextAt(service: Service): Promise<number | undefined>;
}

const PROFILE = 'profile:';
const KEY = 'key:';
const HOST = 'host:';
export const DELIVER = 'deliver:';

/** The queue of a profile's schedules. */
export function profileQueue(profile: string): string {
  return PROFILE + profile;
}

/** The queue of files submitted for a key. `laneId` does not reveal the key. */
export function keyQueue(laneId: string): string {
  return KEY + laneId;
}

/** The queue of files that only this host can read. */
export function hostQueue(host: string, profile: string): string {
  return `${HOST}${host}:${profile}`;
}

/**
 * The queue of one run's deliveries, which need no key. Any host may serve it: a recreated container has a new host
 * name and continues what the old one left.
 */
export function deliveryQueue(runId: string): string {
  return DELIVER + runId;
}

/**
 * The queues that a worker on this host can serve.
 *
 * @param profiles name → lane
 * @param names lane → names of its profiles
 */
export function lanesOf(
  host: string,
  profiles: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, readonly string[]> = Map.groupBy(
    profiles.keys(),
    (name) => profiles.get(name) ?? '',
  ),
): Pick<Service, 'laneOf' | 'queuesOf' | 'queues'> {
  const own = hostQueue(host, '');
  const queuesOf = (lane: string) => [
    lane.startsWith(DELIVER) ? lane : keyQueue(lane),
    ...(names.get(lane) ?? []).flatMap((name) => [profileQueue(name), hostQueue(host, name)]),
  ];
  return {
    laneOf: (queue) => {
      if (queue.startsWith(DELIVER)) return queue;
      if (queue.startsWith(PROFILE)) return profiles.get(queue.slice(PROFILE.length));
      if (queue.startsWith(own)) return profiles.get(queue.slice(own.length));
      const lane = queue.slice(KEY.length);
      return queue.startsWith(KEY) && names.has(lane) ? lane : undefined;
    },
    queuesOf,
    queues: () => [...names.keys()].flatMap(queuesOf),
  };
}
