/**
 * One lane per key: jobs with one key and one store take turns, by a lease with a heartbeat.
 *
 * The lane of a process that has certainly gone is taken over at once. That is certain only on this machine, which is
 * a boot and a pid namespace (process-identity.ts), as containers may share a host's name. All other leases must
 * expire. Nothing here waits for the disk: a power cut ends the holders too, and an intent is on disk only with the
 * lane under which it was made.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { HeartWatch, LEASE_EXPIRY_MS, LeaseFreshness } from '../lease-freshness.ts';
import { Heartbeats } from '../heartbeat.ts';
import { type LaneHolder, type Lanes, type LastHolder, type Lease, LeaseLostError } from '../ledger.ts';
import { machineOf, type Processes } from '../process-identity.ts';
import type { Database } from './database.ts';

/** Longest wait for a locked store; then the lane is released later. */
const RELEASE_WITHIN_MS = 2_000;

interface LaneRow {
  token: string;
  job: string;
  host: string;
  /** Null if an older shelflift took the lane. */
  machine: string | null;
  pid: number;
  started: string;
  since: number;
  beat: number;
}

export class SqliteLanes implements Lanes {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #processes: Processes;
  readonly #hearts: Heartbeats;
  readonly #watch: HeartWatch;
  /** Tokens of leases that were released while the store was locked: nobody holds them. */
  readonly #givenBack = new Set<string>();

  constructor(db: Database, clock: Clock, processes: Processes) {
    this.#db = db;
    this.#clock = clock;
    this.#processes = processes;
    this.#hearts = new Heartbeats(clock);
    this.#watch = new HeartWatch(clock);
  }

  async acquire(lane: string, job: string, takeOver = false): Promise<Lease | LaneHolder> {
    const token = randomUUID();
    const { holder, lastHolder } = await this.#db.patiently(() => this.#take(lane, job, token, takeOver));
    if (holder !== undefined) return holderOf(holder);
    const freshness = new LeaseFreshness(this.#clock);
    const stop = this.#hearts.start(() => this.#beat(token, freshness));
    return {
      token,
      ...(lastHolder === undefined ? {} : { lastHolder }),
      isFresh: () => freshness.isFresh(),
      renew: async () => {
        if (!(await this.#beat(token, freshness))) throw new LeaseLostError();
      },
      release: async () => {
        stop();
        await this.#release(token);
      },
    };
  }

  /** Takes the lane, or returns the row of the process that may still hold it. */
  #take(
    lane: string,
    job: string,
    token: string,
    takeOver: boolean,
  ): { holder?: LaneRow; lastHolder?: LastHolder } {
    const look = () => {
      const row = this.#db.prepare('SELECT * FROM lanes WHERE lane = ?').get(lane) as LaneRow | undefined;
      return { row, alive: row !== undefined && this.#alive(row, takeOver && row.job === job) };
    };
    // First without a write lock: workers look at each other's lanes all the time.
    const before = look();
    if (before.row !== undefined && before.alive) return { holder: before.row };
    return this.#db.relaxed(() => {
      const { row, alive } = look();
      if (row !== undefined && alive) return { holder: row };
      const me = this.#processes.current();
      const now = this.#clock.now();
      this.#db
        .prepare(
          `INSERT INTO lanes (lane, token, job, host, machine, pid, started, since, beat) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (lane) DO UPDATE SET token = excluded.token, job = excluded.job, host = excluded.host,
             machine = excluded.machine, pid = excluded.pid, started = excluded.started, since = excluded.since,
             beat = excluded.beat`,
        )
        .run(lane, token, job, me.host, machineOf(me), me.pid, me.started, now, now);
      return row === undefined
        ? {}
        : { lastHolder: { job: row.job, certainlyGone: row.machine === machineOf(me) } };
    });
  }

  /** Never throws, as that would hide why the job ended. Keeps trying while the process lives. */
  async #release(token: string): Promise<void> {
    this.#givenBack.add(token);
    const remove = async () => {
      await this.#db.patiently(
        () => this.#db.relaxed(() => this.#db.prepare('DELETE FROM lanes WHERE token = ?').run(token)),
        RELEASE_WITHIN_MS,
      );
      this.#givenBack.delete(token);
    };
    await remove().catch(() => {
      const stop = this.#hearts.start(() => remove().then(stop));
    });
  }

  async runner(job: string, takeOver = false): Promise<LaneHolder | undefined> {
    const row = await this.#db.patiently(() => this.#runner(job, takeOver));
    return row === undefined ? undefined : holderOf(row);
  }

  async holders(): Promise<LaneHolder[]> {
    const rows = await this.#db.patiently(
      () => this.#db.prepare('SELECT * FROM lanes ORDER BY since, lane').all() as unknown as LaneRow[],
    );
    return rows.filter((row) => this.#alive(row)).map(holderOf);
  }

  /** Whether a process that may still run holds a lane for this job; within a transaction, too. */
  isRunning(job: string): boolean {
    return this.#runner(job) !== undefined;
  }

  #runner(job: string, takeOver = false): LaneRow | undefined {
    const rows = this.#db.prepare('SELECT * FROM lanes WHERE job = ?').all(job) as unknown as LaneRow[];
    return rows.find((row) => this.#alive(row, takeOver));
  }

  close(): void {
    this.#hearts.stopAll();
  }

  /** @param takeOver a person says that it is not: only a process that is seen to run here is alive */
  #alive(row: LaneRow, takeOver = false): boolean {
    if (this.#givenBack.has(row.token)) return false;
    const me = this.#processes.current();
    if (row.machine === machineOf(me))
      return this.#processes.mayStillRun({ host: me.host, pid: row.pid, started: row.started });
    const isSilent = this.#watch.stoodStill(row.token, row.beat);
    // A beat from the future comes from another clock; it is no sign of death, and none of life.
    return !takeOver && !isSilent && this.#clock.now() - row.beat < LEASE_EXPIRY_MS;
  }

  /** False if another process has the lane now. */
  #beat(token: string, freshness: LeaseFreshness): Promise<boolean> {
    return this.#db.patiently(() => {
      const moment = freshness.moment();
      const { changes } = this.#db.relaxed(() =>
        this.#db.prepare('UPDATE lanes SET beat = ? WHERE token = ?').run(moment.now, token),
      );
      if (Number(changes) === 0) return false;
      freshness.confirmed(moment);
      return true;
    });
  }
}

function holderOf({ host, pid, since, job }: LaneRow): LaneHolder {
  return { host, pid, since, job };
}
