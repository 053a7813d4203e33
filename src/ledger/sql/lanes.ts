/**
 * One lane per key: jobs with one key and one store take turns, by a lease with a heartbeat, by the clock of the
 * database.
 *
 * A lease expires after 50 s without a heartbeat. The lane of a process that has certainly gone is taken over at once.
 * This is certain only on the same machine: containers may share a host's name and have their own pids, so a machine is
 * a boot and a pid namespace (process-identity.ts). The lease alone does not protect the rows: each commit of moves
 * checks the token. Nothing here waits for SQLite's disk: a power cut ends the holders too, and an intent reaches the
 * disk only together with the lane under which it was made.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { Heartbeats } from '../heartbeat.ts';
import { HeartWatch, LEASE_EXPIRY_MS, LeaseFreshness } from '../lease-freshness.ts';
import { type LaneHolder, type Lanes, type LastHolder, type Lease, LeaseLostError } from '../ledger.ts';
import type { Processes } from '../process-identity.ts';
import type { Session } from './session.ts';

/** Longest wait for a store in an outage; after it, the lane is released later. */
const RELEASE_WITHIN_MS = 2_000;

interface LaneRow {
  lane: string;
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

export class SqlLanes implements Lanes {
  readonly #db: Session;
  readonly #table: string;
  readonly #clock: Clock;
  readonly #processes: Processes;
  readonly #hearts: Heartbeats;
  readonly #watch: HeartWatch;
  /** Tokens of leases that were released while the store was in an outage: nobody holds them. */
  readonly #givenBack = new Set<string>();

  constructor(db: Session, clock: Clock, processes: Processes) {
    this.#db = db;
    this.#clock = clock;
    this.#processes = processes;
    this.#hearts = new Heartbeats(clock);
    this.#watch = new HeartWatch(clock);
    this.#table = `${db.schema}.lanes`;
  }

  async acquire(lane: string, job: string, takeOver = false): Promise<Lease | LaneHolder> {
    const token = randomUUID();
    for (;;) {
      const [row] = await this.#find('WHERE lane = $1', [lane]);
      if (row !== undefined && this.#isAlive(row, takeOver && row.job === job)) return holderOf(row);
      // Starts before the lane is taken: the answer may take a long time.
      const freshness = new LeaseFreshness(this.#clock);
      const taken = await this.#take(lane, job, token, row?.token);
      // Another process was faster, or has released it.
      if (taken === undefined) continue;
      const from = taken.taken_from;
      const certainlyGone = row !== undefined && this.#isGone(row);
      return this.#lease(token, freshness, from === null ? undefined : { job: from, certainlyGone });
    }
  }

  async runner(job: string, takeOver = false): Promise<LaneHolder | undefined> {
    return (await this.runners([job], takeOver)).get(job);
  }

  /** As `runner`, for many jobs at once. */
  async runners(jobs: readonly string[], takeOver = false): Promise<Map<string, LaneHolder>> {
    if (jobs.length === 0) return new Map();
    const rows = await this.#find('WHERE job = ANY ($1::text[])', [jobs]);
    return new Map(rows.filter((row) => this.#isAlive(row, takeOver)).map((row) => [row.job, holderOf(row)]));
  }

  async holders(): Promise<LaneHolder[]> {
    const rows = await this.#find('ORDER BY since, lane');
    return rows.filter((row) => this.#isAlive(row)).map(holderOf);
  }

  /**
   * Lanes that begin with the prefix: `held` by processes that may still run, and `abandoned` by processes that have
   * ended.
   *
   * @param withinMs longest wait for a lost server
   */
  async beginningWith(prefix: string, withinMs?: number): Promise<{ held: string[]; abandoned: string[] }> {
    const rows = await this.#find('WHERE substr(lane, 1, length($1::text)) = $1', [prefix], withinMs);
    // Asked once per process, because a process may hold many lanes, and the answer comes from the system.
    const gone = new Map<string, boolean>();
    const { held = [], abandoned = [] } = Object.groupBy(rows, (row) => {
      const { token, machine, pid, started } = row;
      const holder = this.#givenBack.has(token) ? token : `${machine} ${pid} ${started}`;
      const isGone = gone.get(holder) ?? this.#isGone(row);
      gone.set(holder, isGone);
      return this.#isAlive(row, false, isGone) ? 'held' : 'abandoned';
    });
    return { held: held.map(({ lane }) => lane), abandoned: abandoned.map(({ lane }) => lane) };
  }

  close(): void {
    this.#hearts.stopAll();
  }

  #find(which: string, values: readonly unknown[] = [], withinMs?: number): Promise<LaneRow[]> {
    const text = `SELECT lane, token, job, host, machine, pid, started, since, beat, ${this.#db.now} - beat AS silence
      FROM ${this.#table} ${which}`;
    return this.#db.read<LaneRow>({ text, values }, withinMs);
  }

  /** Takes a lane that is free or still held by the dead holder `from`; otherwise returns undefined. */
  async #take(lane: string, job: string, token: string, from: string | undefined) {
    const { now } = this.#db;
    const me = this.#processes.current();
    const statement = {
      // Repeated after a lost answer, it finds its own token, and still knows whom it took the lane from.
      text: `INSERT INTO ${this.#table} AS l (lane, token, job, host, machine, pid, started, since, beat)
        VALUES ($1, $2, $3, $4, $5, $6, $7, ${now}, ${now})
        ON CONFLICT (lane) DO UPDATE SET token = excluded.token, job = excluded.job, host = excluded.host,
          machine = excluded.machine, pid = excluded.pid, started = excluded.started, since = excluded.since,
          beat = excluded.beat, taken_from = CASE WHEN l.token = $2 THEN l.taken_from ELSE l.job END
          WHERE l.token IN ($2, $8)
        RETURNING taken_from`,
      values: [lane, token, job, me.host, this.#machine ?? null, me.pid, me.started, from ?? token],
    };
    const [taken] = await this.#db.change<{ taken_from: string | null }>(statement, { durable: 'soon' });
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
        await this.#release(token);
      },
    };
  }

  /** Never throws, because that would hide why the job ended. Keeps trying while the process lives. */
  async #release(token: string): Promise<void> {
    this.#givenBack.add(token);
    const remove = async () => {
      const text = `DELETE FROM ${this.#table} WHERE token = $1`;
      await this.#db.change({ text, values: [token] }, { durable: 'soon', withinMs: RELEASE_WITHIN_MS });
      this.#givenBack.delete(token);
    };
    await remove().catch(() => {
      const stop = this.#hearts.start(() => remove().then(stop));
    });
  }

  async #beat(token: string, freshness: LeaseFreshness): Promise<boolean> {
    const moment = freshness.moment();
    const text = `UPDATE ${this.#table} SET beat = ${this.#db.now} WHERE token = $1 RETURNING 1`;
    const rows = await this.#db.change({ text, values: [token] }, { durable: 'soon' });
    if (rows.length === 0) return false;
    freshness.confirmed(moment);
    return true;
  }

  /** @param takeOver a person says that the holder is gone: then only a process that is seen to run here is alive */
  #isAlive(row: LaneRow, takeOver = false, isGone = this.#isGone(row)): boolean {
    if (isGone) return false;
    const isHere = this.#isHere(row);
    // A process on the store's machine loses the store only with the machine, which may have slept: its silence proves
    // nothing.
    if (isHere && this.#db.isFile) return true;
    const isSilent = this.#watch.stoodStill(row.token, row.beat) || row.silence >= LEASE_EXPIRY_MS;
    return !isSilent && (isHere || !takeOver);
  }

  /** True for a process of this machine that has ended, and for a lane that this process has given back. */
  #isGone(row: LaneRow): boolean {
    if (this.#givenBack.has(row.token)) return true;
    const { host } = this.#processes.current();
    return this.#isHere(row) && !this.#processes.mayStillRun({ host, pid: row.pid, started: row.started });
  }

  #isHere({ machine }: LaneRow): boolean {
    return machine !== null && machine === this.#machine;
  }

  get #machine(): string | undefined {
    return this.#db.machineOf(this.#processes.current());
  }
}

function holderOf({ host, pid, since, job }: LaneRow): LaneHolder {
  return { host, pid, since, job };
}
