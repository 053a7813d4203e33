/**
 * One lane per key: two jobs on one key and one store take turns, by a lease with a heartbeat.
 *
 * On one host a holder whose process is gone is taken over at once; a lease that expires is for other hosts.
 */
import { randomUUID } from 'node:crypto';
import type { LaneHolder, Lease } from '../ledger.ts';
import { mayStillRun, thisProcess } from '../process-identity.ts';
import type { Database } from './database.ts';

const BEAT_MS = 5_000;
/** A holder of another host that has not been heard of for this long is taken to be gone. */
const EXPIRY_MS = 60_000;

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
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(db: Database) {
    this.#db = db;
  }

  acquire(lane: string, job: string): Lease | LaneHolder {
    const me = thisProcess();
    const token = randomUUID();
    let deadHolder: string | undefined;
    const holder = this.#db.transaction(() => {
      const row = this.#db.prepare('SELECT * FROM lanes WHERE lane = ?').get(lane) as LaneRow | undefined;
      const now = Date.now();
      if (row !== undefined && this.#alive(row, me.host, now)) return row;
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
    if (holder !== undefined)
      return { host: holder.host, pid: holder.pid, since: holder.since, job: holder.job };
    const timer = setInterval(() => this.#beat(token), BEAT_MS);
    timer.unref();
    this.#timers.add(timer);
    return {
      token,
      ...(deadHolder === undefined ? {} : { deadHolder }),
      release: () => {
        clearInterval(timer);
        this.#timers.delete(timer);
        try {
          this.#db.prepare('DELETE FROM lanes WHERE token = ?').run(token);
        } catch {
          // A full disk, say: it must not hide why the job ended, and a dead process holds no lane.
        }
        return Promise.resolve();
      },
    };
  }

  /** The process that may still run and holds a lane for this job. */
  runner(job: string): LaneHolder | undefined {
    const rows = this.#db.prepare('SELECT * FROM lanes WHERE job = ?').all(job) as unknown as LaneRow[];
    const { host } = thisProcess();
    const row = rows.find((each) => this.#alive(each, host, Date.now()));
    return row === undefined ? undefined : { host: row.host, pid: row.pid, since: row.since, job: row.job };
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #alive(row: LaneRow, host: string, now: number): boolean {
    if (row.host === host) return mayStillRun(row);
    // A beat from the future is another clock's, not a sign of death.
    return now - row.beat < EXPIRY_MS;
  }

  #beat(token: string): void {
    try {
      this.#db.prepare('UPDATE lanes SET beat = ? WHERE token = ?').run(Date.now(), token);
    } catch {
      // A missed beat is not an error: the next commit of intents checks the lease and fails if it was lost.
    }
  }
}
