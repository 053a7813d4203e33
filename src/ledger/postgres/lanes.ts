/**
 * One lane per key, for jobs on any machine: a lease with a heartbeat, by the database's clock alone.
 *
 * A lease expires after 50 s without a heartbeat. The lane of a process that has certainly gone is taken over at once.
 * That is certain only on this machine: containers may share a host's name and have their own pids, so a machine is a
 * boot and a pid namespace (process-identity.ts). A live process that is silent (it lost its server, and could not
 * release the lane) loses its lease like one on another machine. The lease is not what protects the rows: each commit
 * of moves checks the token (move-rows.ts).
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { Heartbeats } from '../heartbeat.ts';
import { HeartWatch, LEASE_EXPIRY_MS, LeaseFreshness } from '../lease-freshness.ts';
import { type LaneHolder, type Lanes, type LastHolder, type Lease, LeaseLostError } from '../ledger.ts';
import type { Processes } from '../process-identity.ts';
import { type Database, NOW } from './database.ts';

/** Longest wait for a lost server; then the next process waits for the lease to expire. */
const RELEASE_WITHIN_MS = 2_000;

interface LaneRow {
  token: string;
  job: string;
  host: string;
  machine: string | null;
  pid: number;
  started: string;
  since: number;
  beat: number;
  /** ms since the last heartbeat. */
  silence: number;
}

export class PostgresLanes implements Lanes {
  readonly #db: Database;
  readonly #columns: string;
  readonly #clock: Clock;
  readonly #processes: Processes;
  readonly #hearts: Heartbeats;
  readonly #watch: HeartWatch;
  /** Tokens of leases that were released while the server was lost: nobody holds them. */
  readonly #givenBack = new Set<string>();

  constructor(db: Database, clock: Clock, processes: Processes) {
    this.#db = db;
    this.#clock = clock;
    this.#processes = processes;
    this.#hearts = new Heartbeats(clock);
    this.#watch = new HeartWatch(clock);
    this.#columns = `token, job, host, machine, pid, started, since, beat, ${NOW} - beat AS silence`;
  }

  async acquire(lane: string, job: string, takeOver = false): Promise<Lease | LaneHolder> {
    const token = randomUUID();
    for (;;) {
      const [row] = await this.#db.repeatable<LaneRow>({
        text: `SELECT ${this.#columns} FROM ${this.#db.schema}.lanes WHERE lane = $1`,
        values: [lane],
      });
      if (row !== undefined && this.#isAlive(row, takeOver && row.job === job)) return holderOf(row);
      // Starts before the lane is taken: the answer may take long.
      const freshness = new LeaseFreshness(this.#clock);
      const taken = await this.#take(lane, job, token, row?.token);
      if (taken === undefined) continue;
      const from = taken.taken_from;
      const certainlyGone = row !== undefined && this.#isGone(row);
      return this.#lease(token, freshness, from === null ? undefined : { job: from, certainlyGone });
      // Another process was faster, or has released it.
    }
  }

  /** The process that may still run and holds a lane for this job. */
  async runner(job: string, takeOver = false): Promise<LaneHolder | undefined> {
    return (await this.runners([job], takeOver)).get(job);
  }

  /** The same for many jobs at once. */
  async runners(jobs: readonly string[], takeOver = false): Promise<Map<string, LaneHolder>> {
    if (jobs.length === 0) return new Map();
    const rows = await this.#db.repeatable<LaneRow>({
      text: `SELECT ${this.#columns} FROM ${this.#db.schema}.lanes WHERE job = ANY ($1::text[])`,
      values: [jobs],
    });
    return new Map(rows.filter((row) => this.#isAlive(row, takeOver)).map((row) => [row.job, holderOf(row)]));
  }

  async holders(): Promise<LaneHolder[]> {
    const rows = await this.#db.repeatable<LaneRow>({
      text: `SELECT ${this.#columns} FROM ${this.#db.schema}.lanes ORDER BY since, lane`,
    });
    return rows.filter((row) => this.#isAlive(row)).map(holderOf);
  }

  /**
   * Lanes that begin with the prefix: `held` by a process that may still run, and those of the others.
   *
   * @param withinMs longest wait for a lost server
   */
  async beginningWith(prefix: string, withinMs?: number): Promise<{ held: string[]; abandoned: string[] }> {
    const rows = await this.#db.repeatable<LaneRow & { lane: string }>(
      {
        name: 'lanes_beginning',
        text: `SELECT lane, ${this.#columns} FROM ${this.#db.schema}.lanes WHERE starts_with(lane, $1)`,
        values: [prefix],
      },
      withinMs,
    );
    // A process has many of them, and whether it still runs is asked of the system.
    const gone = new Map<string, boolean>();
    const isAlive = (row: LaneRow & { lane: string }) => {
      const { machine, pid, started } = row;
      const holder = this.#givenBack.has(row.token) ? row.token : `${machine} ${pid} ${started}`;
      if (!gone.has(holder)) gone.set(holder, this.#isGone(row));
      return !this.#isSilent(row) && gone.get(holder) === false;
    };
    const { held = [], abandoned = [] } = Object.groupBy(rows, (row) =>
      isAlive(row) ? 'held' : 'abandoned',
    );
    return { held: held.map(({ lane }) => lane), abandoned: abandoned.map(({ lane }) => lane) };
  }

  close(): void {
    this.#hearts.stopAll();
  }

  /** Takes a lane that is free, or still held by the dead holder `from`; else returns undefined. */
  async #take(lane: string, job: string, token: string, from: string | undefined) {
    const me = this.#processes.current();
    const [taken] = await this.#db.repeatable<{ taken_from: string | null }>({
      // Repeated after a lost answer, it finds its own token, and still knows whom it took the lane from.
      text: `INSERT INTO ${this.#db.schema}.lanes AS l (lane, token, job, host, machine, pid, started, since, beat)
             VALUES ($1, $2, $3, $4, $5, $6, $7, ${NOW}, ${NOW})
             ON CONFLICT (lane) DO UPDATE SET token = excluded.token, job = excluded.job, host = excluded.host,
               machine = excluded.machine, pid = excluded.pid, started = excluded.started, since = excluded.since,
               beat = excluded.beat, taken_from = CASE WHEN l.token = $2 THEN l.taken_from ELSE l.job END
               WHERE l.token IN ($2, $8)
             RETURNING l.taken_from`,
      values: [lane, token, job, me.host, me.machine ?? null, me.pid, me.started, from ?? token],
    });
    return taken;
  }

  #lease(token: string, freshness: LeaseFreshness, lastHolder: LastHolder | undefined): Lease {
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
        await this.#db
          .repeatable(
            { text: `DELETE FROM ${this.#db.schema}.lanes WHERE token = $1`, values: [token] },
            RELEASE_WITHIN_MS,
          )
          // Must not hide why the job ended. For others the lease expires without heartbeats.
          .catch(() => this.#givenBack.add(token));
      },
    };
  }

  /** False if another process has the lane now. */
  async #beat(token: string, freshness: LeaseFreshness): Promise<boolean> {
    const moment = freshness.moment();
    const rows = await this.#db.repeatable({
      text: `UPDATE ${this.#db.schema}.lanes SET beat = ${NOW} WHERE token = $1 RETURNING 1`,
      values: [token],
    });
    if (rows.length === 0) return false;
    freshness.confirmed(moment);
    return true;
  }

  /** @param takeOver a person says that it is not: only a process that is seen to run here is alive */
  #isAlive(row: LaneRow, takeOver = false): boolean {
    if (this.#isSilent(row) || this.#isGone(row)) return false;
    const { machine } = this.#processes.current();
    return !takeOver || (machine !== undefined && row.machine === machine);
  }

  #isSilent({ token, beat, silence }: LaneRow): boolean {
    return this.#watch.stoodStill(token, beat) || silence >= LEASE_EXPIRY_MS;
  }

  /** True for a process of this machine that is not there any more, and where this process gave the lane back. */
  #isGone(row: LaneRow): boolean {
    const { machine } = this.#processes.current();
    if (this.#givenBack.has(row.token)) return true;
    if (machine === undefined || row.machine !== machine) return false;
    return !this.#processes.mayStillRun({ host: row.host, pid: row.pid, started: row.started });
  }
}

function holderOf({ host, pid, since, job }: LaneRow): LaneHolder {
  return { host, pid, since, job };
}
