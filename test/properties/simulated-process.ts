/**
 * A process on some host that may be killed or stopped between any two of its steps.
 *
 * A killed process never gets an answer again: whatever it awaits stays open for ever, and no line of it runs
 * any more. A stopped one (SIGSTOP, a sleeping machine) goes on later as if no time had passed for it.
 */
import type { Clock } from '../../src/base/clock.ts';
import type { ProcessIdentity, Processes } from '../../src/ledger/process-identity.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** What is done to a process at one of its steps. */
export interface Stop {
  /**
   * Before its step of this number, counted from 1; so many ms after its start; or just before its request of this
   * number that changes something leaves.
   */
  at: { step: number } | { ms: number } | { write: number };
  /** Killed, or stopped for this many ms. */
  what: 'kill' | number;
  /** The machine sleeps while it is stopped, and the monotonic clock stands still. */
  asleep?: boolean;
}

/** 21 November 2026: where the clocks on the wall begin. */
export const WALL_START_MS = 1_795_200_000_000;

/** What a ledger is asked all the time, and does not tell what happens. */
const READS = new Set<string | symbol>(['list', 'counts', 'seenAt', 'noteSeen', 'owned', 'get']);
const NEVER = new Promise<never>(() => undefined);

export class SimulatedProcess {
  readonly identity: ProcessIdentity;
  readonly clock: Clock;
  readonly #time: SimulatedTime;
  readonly #stops: Map<number, Stop>;
  readonly #stopsAtWrites: Map<number, Stop>;
  readonly #death = Promise.withResolvers<'killed'>();
  #alive = true;
  #steps = 0;
  #writes = 0;
  #stoppedUntil = 0;
  #asleepSince = 0;
  #sleptBefore = 0;

  /** @param wallJump what its clock on the wall is off by at a moment, ms */
  constructor(
    time: SimulatedTime,
    identity: ProcessIdentity,
    stops: readonly Stop[],
    wallJump: (moment: number) => number,
  ) {
    this.#time = time;
    this.identity = identity;
    this.#stops = new Map(stops.flatMap((stop) => ('step' in stop.at ? [[stop.at.step, stop]] : [])));
    this.#stopsAtWrites = new Map(
      stops.flatMap((stop) => ('write' in stop.at ? [[stop.at.write, stop]] : [])),
    );
    for (const stop of stops) if ('ms' in stop.at) time.at(time.now + stop.at.ms, () => this.#stop(stop));
    const monotonic = () => time.now - this.#slept;
    const after = (ms: number, callback: () => void): (() => void) => {
      const due = monotonic() + ms;
      const look = () => {
        const waitMs = Math.max(this.#stoppedUntil - time.now, due - monotonic());
        if (waitMs <= 0) callback();
        else cancel = time.at(time.now + waitMs, look);
      };
      let cancel = time.at(time.now + ms, look);
      return () => cancel();
    };
    const ifAlive = (callback: () => void) => () => {
      if (this.#alive) callback();
    };
    const wall = () => WALL_START_MS + time.now + wallJump(time.now);
    this.clock = {
      begun: { now: wall(), monotonic: monotonic() },
      now: wall,
      monotonic,
      slept: () => this.#slept,
      after: (ms, callback) => after(ms, ifAlive(callback)),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.throwIfAborted();
          const cancel = after(ms, ifAlive(resolve));
          signal?.addEventListener('abort', () => {
            cancel();
            reject(signal.reason as Error);
          });
        }),
    };
  }

  /** `P3`: the third of all. */
  get name(): string {
    return `P${this.identity.pid}`;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Resolves when it is killed. */
  get death(): Promise<'killed'> {
    return this.#death.promise;
  }

  /** Where it may be killed or stopped: on the way into and out of the ledger and the network. */
  step(): Promise<void> {
    this.#steps += 1;
    return this.#stopFor(this.#stops.get(this.#steps));
  }

  /** The last of these before a request that changes something. */
  async leave(): Promise<void> {
    await this.step();
    this.#writes += 1;
    await this.#stopFor(this.#stopsAtWrites.get(this.#writes));
  }

  async #stopFor(stop: Stop | undefined): Promise<void> {
    if (!this.#alive) return NEVER;
    if (stop !== undefined) this.#stop(stop);
    while (this.#time.now < this.#stoppedUntil) await this.#time.sleep(this.#stoppedUntil - this.#time.now);
    return this.#alive ? undefined : NEVER;
  }

  /** How long its machine has slept until now, ms. */
  get #slept(): number {
    return this.#sleptBefore + Math.max(0, Math.min(this.#time.now, this.#stoppedUntil) - this.#asleepSince);
  }

  kill(): void {
    this.#stop({ at: { ms: 0 }, what: 'kill' });
  }

  #stop({ what, asleep = false }: Stop): void {
    if (what !== 'kill') {
      this.#sleptBefore = this.#slept;
      this.#stoppedUntil = this.#time.now + what;
      this.#asleepSince = asleep ? this.#time.now : this.#stoppedUntil;
    } else if (this.#alive) {
      this.#alive = false;
      this.#death.resolve('killed');
    }
  }

  /** A port whose every call is two steps: one before it has its effect, one after. */
  behindSteps<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member === 'object' && member !== null) return this.behindSteps(member);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          await this.step();
          const result: unknown = await Reflect.apply(member, target, given);
          if (!READS.has(name)) this.#time.tell(this.name, String(name), given, result);
          await this.step();
          return result;
        };
      },
    });
  }
}

/** All processes of all hosts, as one of them sees them. */
export function processesSeenBy(own: SimulatedProcess, all: readonly SimulatedProcess[]): Processes {
  return {
    current: () => own.identity,
    mayStillRun: (identity) =>
      identity.host !== own.identity.host ||
      all.some((each) => each.alive && each.identity.started === identity.started),
  };
}
