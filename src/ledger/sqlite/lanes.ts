/**
 * One lane per key: two jobs on one key and one store take turns, by a lease with a heartbeat.
 *
 * On one host a holder whose process is gone is taken over at once; a lease that expires is for other hosts. Nothing
 * here waits for the disk: a machine that loses its power loses the processes that held its lanes, too, and an intent
 * is on disk only with the lane under which it was made.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { LEASE_EXPIRY_MS, LeaseFreshness } from '../lease-freshness.ts';
import { Heartbeats } from '../heartbeat.ts';
import { type LaneHolder, type Lease, LeaseLostError } from '../ledger.ts';
import type { Processes } from '../process-identity.ts';
import type { Database } from './database.ts';

interface LaneRow {
  token: string;
  job: string;
  host: string;
  pid: number;
  started: string;
  since: number;
  beat: number;
}

export class Lanes {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #processes: Processes;
  readonly #hearts: Heartbeats;

  constructor(db: Database, clock: Clock, processes: Processes) {
    this.#db = db;
    this.#clock = clock;
    this.#processes = processes;
    this.#hearts = new Heartbeats(clock);
  }

  acquire(lane: string, job: string): Lease | LaneHolder {
    const me = this.#processes.current();
    const token = randomUUID();
    let deadHolder: string | undefined;
    const look = () => {
      const row = this.#db.prepare('SELECT * FROM lanes WHERE lane = ?').get(lane) as LaneRow | undefined;
      return { row, alive: row !== undefined && this.#alive(row, me.host, this.#clock.now()) };
    };
    // Looked at first without waiting for those who write: workers look at each other's lanes all the time.
    const before = look();
    if (before.row !== undefined && before.alive) return holderOf(before.row);
    const holder = this.#db.relaxed(() => {
      const { row, alive } = look();
      if (alive) return row;
      const now = this.#clock.now();
      deadHolder = row?.job;
      this.#db
        .prepare(
          `INSERT INTO lanes (lane, token, job, host, pid, started, since, beat) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (lane) DO UPDATE SET token = excluded.token, job = excluded.job, host = excluded.host,
             pid = excluded.pid, started = excluded.started, since = excluded.since, beat = excluded.beat`,
        )
        .run(lane, token, job, me.host, me.pid, me.started, now, now);
      return undefined;
    });
    if (holder !== undefined) return holderOf(holder);
    const freshness = new LeaseFreshness(this.#clock);
    const stop = this.#hearts.start(() => this.#beat(token, freshness));
    return {
      token,
      ...(deadHolder === undefined ? {} : { deadHolder }),
      isFresh: () => freshness.isFresh(),
      renew: async () => {
        if (!this.#beat(token, freshness)) throw new LeaseLostError();
      },
      release: async () => {
        stop();
        try {
          this.#db.relaxed(() => this.#db.prepare('DELETE FROM lanes WHERE token = ?').run(token));
        } catch {
          // A full disk, say: it must not hide why the job ended, and a dead process holds no lane.
        }
      },
    };
  }

  /** The process that may still run and holds a lane for this job. */
  runner(job: string): LaneHolder | undefined {
    const rows = this.#db.prepare('SELECT * FROM lanes WHERE job = ?').all(job) as unknown as LaneRow[];
    const { host } = this.#processes.current();
    const row = rows.find((each) => this.#alive(each, host, this.#clock.now()));
    return row === undefined ? undefined : holderOf(row);
  }

  holders(): LaneHolder[] {
    const rows = this.#db.prepare('SELECT * FROM lanes ORDER BY since, lane').all() as unknown as LaneRow[];
    const { host } = this.#processes.current();
    return rows.filter((row) => this.#alive(row, host, this.#clock.now())).map(holderOf);
  }

  close(): void {
    this.#hearts.stopAll();
  }

  #alive(row: LaneRow, host: string, now: number): boolean {
    if (row.host === host) return this.#processes.mayStillRun(row);
    // A beat from the future is another clock's, not a sign of death.
    return now - row.beat < LEASE_EXPIRY_MS;
  }

  /** False where the lane is another's now. */
  #beat(token: string, freshness: LeaseFreshness): boolean {
    const moment = freshness.moment();
    const { changes } = this.#db.relaxed(() =>
      this.#db.prepare('UPDATE lanes SET beat = ? WHERE token = ?').run(moment.now, token),
    );
    if (Number(changes) === 0) return false;
    freshness.confirmed(moment);
    return true;
  }
}

function holderOf({ host, pid, since, job }: LaneRow): LaneHolder {
  return { host, pid, since, job };
}
