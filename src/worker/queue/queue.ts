/**
 * Which run is next. All queues of one key are one lane: its runs go one after the other, on whatever worker, and
 * other keys go on in parallel.
 *
 * An entry stays until its run has ended for good, and a turn is held by a lease with a heartbeat: whatever a dead
 * worker had in hand is found again, by whoever takes its lease over.
 */
import type { Run } from './run.ts';

/** A run in hand. Ends by one of the three. */
export interface Turn {
  readonly runId: string;
  readonly lane: string;
  readonly queue: string;
  readonly priority: Run['priority'];
  /** Before what cannot be taken back. @throws LeaseLostError where another has taken the turn over */
  hold(): Promise<void>;
  /** The run has ended for good: its entry goes. */
  finish(): Promise<void>;
  /** Not ended: it may be taken again, by anybody, from then on (ms since the epoch), from this queue or another. */
  putBack(notBefore: number, queue?: string): Promise<void>;
  /** The store failed: the entry stays as it is. Never throws. */
  abandon(): Promise<void>;
}

/** What a worker serves. */
export interface Service {
  /** The lane of a queue; undefined for queues that this worker cannot serve. */
  laneOf(queue: string): string | undefined;
  /** Queues of its profiles; those of deliveries come and go. */
  readonly queues: readonly string[];
  /** Most turns at a time. */
  readonly parallel: number;
  /** ms since the epoch. */
  now(): number;
  /** Whether a run may be taken now that was to be left alone until then (ms since the epoch). */
  isDue(runId: string, notBefore: number): boolean;
  /** Whether a run that waits is none of this worker's business any more: `nextAt` does not tell of it. */
  isLeft(runId: string): boolean;
}

export interface Queue extends AsyncDisposable {
  /**
   * Makes a run known. Twice is the same as once.
   * @param before of a run that waits: until when it was to wait so far
   */
  add(run: Pick<Run, 'id' | 'queue' | 'priority' | 'notBefore'>, before?: number): Promise<void>;
  /** The next run whose time has come, if any. A run whose holder is dead is next at once. */
  take(service: Service): Promise<Turn | undefined>;
  /** True where a read waits in this lane, which an import then gives way to. */
  readWaits(lane: string, service: Service): Promise<boolean>;
  /** Begins to serve; `woken` is called when there may be something to take. */
  start(service: Service, woken: () => void): Promise<void>;
  /** Adds what has no entry, and removes entries of what has ended or is gone: kills leave both. */
  repair(list: () => Promise<readonly Run[]>): Promise<void>;
  /** When the next entry may be taken, ms since the epoch; undefined where there is none. */
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

/** The queue of files that were submitted for a key; `laneId` tells nothing of the key. */
export function keyQueue(laneId: string): string {
  return KEY + laneId;
}

/** The queue of files that only this host can see. */
export function hostQueue(host: string, profile: string): string {
  return `${HOST}${host}:${profile}`;
}

/**
 * The queue of one run's deliveries, which need no key. Whoever has the store has the file: a container that is
 * made anew has another host's name, and goes on with what the old one left.
 */
export function deliveryQueue(runId: string): string {
  return DELIVER + runId;
}

/** What a worker on this host with these profiles (name → lane) can serve. */
export function lanesOf(
  host: string,
  profiles: ReadonlyMap<string, string>,
): Pick<Service, 'laneOf' | 'queues'> {
  const known = new Map<string, string>();
  for (const [name, lane] of profiles) {
    for (const queue of [profileQueue(name), keyQueue(lane), hostQueue(host, name)]) known.set(queue, lane);
  }
  return {
    queues: [...known.keys()],
    laneOf: (queue) => known.get(queue) ?? (queue.startsWith(DELIVER) ? queue : undefined),
  };
}
