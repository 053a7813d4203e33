/** A worker's metrics, as Prometheus text. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { JobRecord, Ledger, RowCounts } from '../../ledger/ledger.ts';
import type { WorkerEvent } from '../events.ts';
import { FINAL_STATES, isFinal, OPEN_STATES } from '../queue/run.ts';
import { Runs } from '../queue/runs.ts';

/** Minimum time between two counts of jobs and rows in the store, however often metrics are requested. */
const COUNT_EVERY_MS = 15_000;
/** If counting takes longer, the previous counts are used. */
const COUNT_WITHIN_MS = 500;
/** Number of newest jobs to count; older jobs no longer change. */
const JOBS_COUNTED = 500;

export class Metrics {
  readonly #registry = new Registry();
  readonly #ledger: Ledger;
  readonly #requests = this.#counter('shelflift_requests_total', 'Answers of the API.', [
    'profile',
    'status',
  ]);
  readonly #limited = this.#gauge(
    'shelflift_requests_limited_share',
    'Share of answers that were 429, by this worker.',
    ['profile'],
  );
  readonly #laneWait = new Histogram({
    name: 'shelflift_lane_wait_seconds',
    help: 'From when a run was due to when its key was free.',
    buckets: [0.1, 1, 10, 60, 600, 3600],
    registers: [this.#registry],
  });
  readonly #jobs = this.#gauge('shelflift_jobs', `Jobs of the store by state (the newest ${JOBS_COUNTED}).`, [
    'state',
  ]);
  readonly #rows = this.#gauge('shelflift_rows', `Rows of these jobs by state.`, ['state']);
  readonly #runs = this.#gauge('shelflift_runs', 'Runs of the store that have not ended, by state.', [
    'state',
  ]);
  readonly #ended = this.#counter(
    'shelflift_runs_ended_total',
    'Runs that this worker has ended, by state.',
    ['state'],
  );
  readonly #lag = this.#gauge('shelflift_schedule_lag_seconds', 'How late a schedule began, the last time.', [
    'schedule',
  ]);
  readonly #success = this.#gauge(
    'shelflift_schedule_last_success_timestamp_seconds',
    'When a schedule last succeeded.',
    ['schedule'],
  );
  readonly #answers = new Map<string, { all: number; limited: number }>();
  /** Schedule → ms since the epoch. */
  readonly #succeeded = new Map<string, number>();
  #schedules: readonly string[] = [];
  /** Rows by job, as last counted: the counts stay valid until the job changes. */
  readonly #counted = new Map<string, { as: string | undefined; rows: RowCounts }>();
  #countedAt = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    for (const state of FINAL_STATES) this.#ended.inc({ state }, 0);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  onEvent(event: WorkerEvent): void {
    if (event.type === 'started') this.#schedules = event.schedules;
    if (event.type === 'request') this.#onRequest(event.profile, event.record.status);
    if (event.type === 'begun') {
      this.#laneWait.observe(Math.max(0, event.waitedMs) / 1000);
      const { work } = event.run;
      if (work.kind === 'schedule')
        this.#lag.set({ schedule: work.schedule }, (Date.now() - work.fire) / 1000);
    }
    if (event.type === 'ended' && isFinal(event.run)) {
      this.#ended.inc({ state: event.run.state });
      const { work, state, endedAt } = event.run;
      if (work.kind === 'schedule' && state === 'done' && endedAt !== undefined)
        this.#noteSuccess(work.schedule, endedAt);
    }
  }

  /** @throws errors of the store */
  async text(): Promise<string> {
    if (performance.now() - this.#countedAt > COUNT_EVERY_MS) {
      // Requests in the meantime wait for the same count; if it fails, the next request counts again.
      this.#counting ??= this.#count().finally(() => (this.#counting = undefined));
      // Counting millions of rows takes a while, so the previous counts are used until it has finished.
      const known = this.#countedAt > Number.NEGATIVE_INFINITY;
      await (known ? Promise.race([this.#counting, sleep(COUNT_WITHIN_MS)]) : this.#counting);
    }
    return this.#registry.metrics();
  }

  #onRequest(profile: string, status: number | undefined): void {
    this.#requests.inc({ profile, status: status === undefined ? 'none' : String(status) });
    const known = this.#answers.get(profile) ?? { all: 0, limited: 0 };
    known.all += 1;
    if (status === 429) known.limited += 1;
    this.#answers.set(profile, known);
    this.#limited.set({ profile }, known.limited / known.all);
  }

  async #count(): Promise<void> {
    const jobs = await this.#ledger.jobs.list(JOBS_COUNTED);
    this.#jobs.reset();
    this.#rows.reset();
    const rows = await this.#rowsOf(jobs);
    for (const job of jobs) {
      this.#jobs.inc({ state: job.state });
      const counted = rows.get(job.id);
      if (counted === undefined) continue;
      const { created: _, updated: __, plannedUpdates: ___, ...states } = counted;
      for (const [state, count] of Object.entries(states)) if (count > 0) this.#rows.inc({ state }, count);
    }
    const runs = new Runs(this.#ledger);
    const counts = await runs.counts();
    for (const state of OPEN_STATES) this.#runs.set({ state }, counts[state]);
    // Another worker may have run it, even before this one was started.
    for (const [schedule, at] of await runs.lastSuccess(this.#schedules)) this.#noteSuccess(schedule, at);
    this.#countedAt = performance.now();
  }

  /** Only jobs that have changed since the last time are counted, in one query. */
  async #rowsOf(jobs: readonly JobRecord[]): Promise<Map<string, RowCounts>> {
    const as = ({ state, updatedAt }: JobRecord) => (state === 'done' ? `${updatedAt}` : undefined);
    const changed = jobs.filter((job) => as(job) === undefined || this.#counted.get(job.id)?.as !== as(job));
    const found = await this.#ledger.rows.countsOf(changed.map(({ id }) => id));
    const known = new Map(this.#counted);
    this.#counted.clear();
    for (const job of jobs) {
      const rows = found.get(job.id) ?? known.get(job.id)?.rows;
      if (rows !== undefined) this.#counted.set(job.id, { as: as(job), rows });
    }
    return new Map([...this.#counted].map(([id, { rows }]) => [id, rows]));
  }

  /** Runs end in any order: only the newest success is kept. */
  #noteSuccess(schedule: string, endedAt: number): void {
    if (endedAt <= (this.#succeeded.get(schedule) ?? 0)) return;
    this.#succeeded.set(schedule, endedAt);
    this.#success.set({ schedule }, endedAt / 1000);
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }
}
