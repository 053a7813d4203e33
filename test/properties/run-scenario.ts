/** Plays a scenario with the real import, a real ledger file and simulated time, and holds the end against the promise. */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RequestMeter } from '../../src/api/meter.ts';
import { ShelfliftError } from '../../src/errors.ts';
import { checkTeam } from '../../src/import/jobs/check-team.ts';
import type { ImportDeps } from '../../src/import/deps.ts';
import type { JobOptions, RunOptions } from '../../src/import/options.ts';
import { outlast } from '../../src/import/write/outlast.ts';
import { createBody } from '../../src/import/write/payload.ts';
import { sendJob } from '../../src/import/write/send.ts';
import { stateAfter } from '../../src/import/write/standstill.ts';
import { rowTotals } from '../../src/import/results/summary.ts';
import type { Ledger, LedgerRow, NewRow } from '../../src/ledger/ledger.ts';
import type { JobState } from '../../src/ledger/states.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { modelClient, type Network } from './model-client.ts';
import { COLLECTION, ModelServer } from './model-server.ts';
import type { Change, Content, Scenario } from './scenario.ts';
import { processesSeenBy, SimulatedProcess, type Stop } from './simulated-process.ts';
import { SimulatedTime } from './simulated-time.ts';

const TARGET = 'https://model.test';
const MOST_RUNS = 40;

/** How a scenario ended. */
export interface End {
  /** What went against the promise. */
  violations: string[];
  rows: { done: number; held: number; refused: number };
  /** Codes of what was held. */
  held: string[];
  resent: number;
}

/** A folder with an empty store in it, which every scenario begins with a copy of. */
export class Stage {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async prepare(): Promise<void> {
    await openSqliteLedger(join(this.#folder, 'empty.db')).close();
  }

  /** @returns what happened, and never throws for what the import did wrong */
  async play(scenario: Scenario): Promise<End> {
    const path = join(this.#folder, `${(this.#count += 1)}.db`);
    copyFileSync(join(this.#folder, 'empty.db'), path);
    try {
      return await new Play(scenario, path).run();
    } finally {
      for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
    }
  }
}

class Play {
  readonly #scenario: Scenario;
  readonly #path: string;
  readonly #time = new SimulatedTime();
  readonly #server: ModelServer;
  readonly #network: Network;
  readonly #processes: SimulatedProcess[] = [];
  readonly #violations: string[];

  constructor(scenario: Scenario, path: string) {
    this.#scenario = scenario;
    this.#path = path;
    this.#server = new ModelServer(this.#time, scenario.server);
    this.#violations = this.#server.violations;
    this.#network = {
      time: this.#time,
      server: this.#server,
      writeFaults: [...scenario.writeFaults],
      readFaults: [...scenario.readFaults],
      latencyMs: () => scenario.latencyMs,
      concurrency: scenario.concurrency,
    };
  }

  async run(): Promise<End> {
    const { rival, others, before, oldEveryMs, equals, creates } = this.#scenario;
    for (let number = 1; number <= before; number += 1) {
      const equal = creates[equals.indexOf(number)] ?? { name: `Old ${number}`, brand: 'Old' };
      const ageMs = (before - number) * oldEveryMs;
      this.#server.create({ collection_id: COLLECTION, ...equal }, 'others', ageMs);
    }
    const jobs = rival?.job === 'own' ? ['a', 'b'] : ['a'];
    await using ledger = openSqliteLedger(this.#path);
    for (const job of jobs) await this.#stageJob(ledger, job);
    if (this.#scenario.room !== undefined) this.#planWithRoom(this.#scenario.room);
    for (const each of others) this.#time.at(each.at, () => this.#foreign(each));
    await this.#time.until(this.#machines());
    const rows = (await Promise.all(jobs.map((job) => ledger.rows(job, { limit: 1000 })))).flat();
    for (const job of jobs) await this.#checkJob(ledger, job);
    return {
      violations: this.#violations,
      rows: {
        done: rows.filter((row) => row.state === 'done').length,
        held: rows.filter((row) => row.state === 'held').length,
        refused: rows.filter((row) => row.state === 'refused').length,
      },
      held: rows.flatMap((row) => (row.state === 'held' ? [row.issues[0]?.code ?? 'no cause'] : [])),
      resent: rows.filter((row) => row.attempts > 1).length,
    };
  }

  async #machines(): Promise<void> {
    const { rival, stops } = this.#scenario;
    const machines = [this.#machine('a', 'one', 'lane', [...stops])];
    if (rival !== undefined) {
      const host = rival.host === 'same' ? 'one' : 'two';
      const lane = rival.lane === 'same' ? 'lane' : 'lane of another key';
      const job = rival.job === 'same' ? 'a' : 'b';
      // One job with two keys at once is nobody's wish; each key has its own job then.
      const ownLane = rival.job === 'same' ? 'lane' : lane;
      machines.push(this.#time.sleep(rival.startsAt).then(() => this.#machine(job, host, ownLane, [])));
    }
    await Promise.all(machines);
  }

  /** Every other minute somebody makes room for a few more. */
  #planWithRoom(room: number): void {
    this.#server.planLimit = this.#server.items.length + room;
    const raise = () => {
      this.#server.planLimit += 4;
      if (this.#server.planLimit < 400) this.#time.at(this.#time.now + 120_000, raise);
    };
    this.#time.at(120_000, raise);
  }

  /** Starts the job again and again, as a person would, until it has ended. */
  async #machine(job: string, host: string, lane: string, stops: Stop[][]): Promise<void> {
    const { jump, restartMs } = this.#scenario;
    for (let run = 1; run <= MOST_RUNS; run += 1) {
      const number = this.#processes.length + 1;
      const process = new SimulatedProcess(
        this.#time,
        { host, pid: number, started: String(number) },
        stops.shift() ?? [],
        (moment) => (jump !== undefined && moment >= jump.at ? jump.byMs : 0),
      );
      this.#processes.push(process);
      const ledger = openSqliteLedger(this.#path, {
        clock: process.clock,
        processes: processesSeenBy(process, this.#processes),
      });
      const end = await Promise.race([this.#runJob(job, lane, process, ledger), process.death]);
      await ledger.close();
      if (end === 'done') return;
      await this.#time.sleep(end === 'killed' ? restartMs : 120_000);
    }
    this.#violations.push(`job ${job} did not end in ${MOST_RUNS} runs`);
  }

  /** What `jobs resume` does, without the files for people. */
  async #runJob(
    id: string,
    lane: string,
    process: SimulatedProcess,
    realLedger: Ledger,
  ): Promise<JobState | 'elsewhere'> {
    const ledger = process.behindSteps(realLedger);
    const deps: ImportDeps = {
      client: modelClient(this.#network, process, lane),
      ledger,
      meter: new RequestMeter(),
      clock: process.clock,
      signal: new AbortController().signal,
      emit: () => undefined,
    };
    const run: RunOptions = { waitForLimit: this.#scenario.waitForLimit };
    try {
      const job = await ledger.findJob(id);
      if ((await ledger.runner(id)) !== undefined) return 'elsewhere';
      await outlast(deps, run, () => checkTeam(job, deps));
      const sent = await sendJob(job, deps, run);
      return sent.job.state;
    } catch (error) {
      if (error instanceof ShelfliftError) {
        if (error.code === 'job_runs_elsewhere') return 'elsewhere';
        const state = stateAfter(error);
        if (state !== undefined) return state;
      }
      this.#violations.push(`job ${id} ended with a defect: ${String(error)}`);
      return 'done';
    }
  }

  async #stageJob(ledger: Ledger, id: string): Promise<void> {
    const { creates, changes, stamp } = this.#scenario;
    const options: JobOptions = {
      match: [],
      noCollectionColumn: true,
      skipInvalid: false,
      force: false,
      ownExport: false,
      noSettle: false,
      outDir: '/',
      mappingHash: id,
      escapedSource: false,
      ...(stamp ? { stamp: 'import_id' } : {}),
    };
    await ledger.createJob({
      id,
      kind: 'import',
      mode: 'upsert',
      dryRun: false,
      apiUrl: TARGET,
      source: { file: '/toys.csv', format: 'csv', headers: [], letters: [], sha256: id },
      options: options as unknown as Record<string, unknown>,
      collections: { '': COLLECTION },
      sheetRows: 0,
    });
    const rows = [
      ...creates.map((content, index) => createRow(index + 1, content)),
      // Only one job changes items: two that disagree would be each other's strangers.
      ...(id === 'a' ? changes : []).map((change, index) =>
        this.#changeRow(creates.length + index + 1, change),
      ),
    ];
    await ledger.stageRows(id, rows);
    await ledger.finishStaging(id, {
      sheetRows: rows.length,
      collections: { '': COLLECTION },
      fingerprint: id,
    });
    const job = await ledger.findJob(id);
    for (const row of await ledger.rows(id, { actions: ['create'], limit: 1000 }))
      this.#server.expect(createBody(job, row, options.stamp));
  }

  #changeRow(ordinal: number, { item, set }: Change): NewRow {
    const { id, ...now } = this.#server.items[item]?.item ?? { id: '' };
    const fields = Object.keys(set) as (keyof typeof now)[];
    const before = Object.fromEntries(fields.map((field) => [field, now[field] ?? null]));
    return { ...newRow(ordinal), action: 'update', itemId: id, payload: JSON.stringify({ set, before }) };
  }

  #foreign(each: Scenario['others'][number]): void {
    if (each.what === 'create') {
      this.#server.create({ collection_id: COLLECTION, ...each.content }, 'others');
      return;
    }
    const item = this.#server.items[each.item];
    if (item !== undefined) this.#server.update(item.item.id, each.set);
  }

  async #checkJob(ledger: Ledger, id: string): Promise<void> {
    const job = await ledger.findJob(id);
    const rows = await ledger.rows(id, { limit: 1000 });
    const stamp = (job.options as unknown as JobOptions).stamp;
    const violation = (row: LedgerRow, what: string) =>
      this.#violations.push(`row ${row.ordinal} of job ${id} is ${row.state}: ${what}`);
    for (const row of rows) {
      if (row.state === 'held') {
        if (row.issues.length === 0) violation(row, 'without a cause');
        continue;
      }
      if (row.state !== 'done') {
        violation(row, 'which is no end');
        continue;
      }
      const found = this.#server.items.find((each) => each.item.id === row.itemId);
      if (found === undefined) violation(row, `its item ${row.itemId} is not there`);
      else if (row.action === 'update') this.#checkUpdate(row, violation);
      else if (found.by !== 'us') violation(row, `its item ${row.itemId} is somebody else's`);
      else if (found.content !== this.#server.contentOf(createBody(job, row, stamp)))
        violation(row, `its item ${row.itemId} has another content: ${found.content}`);
    }
    const owned = rows.flatMap((row) => (row.action === 'create' && row.itemId !== null ? [row.itemId] : []));
    if (new Set(owned).size !== owned.length) this.#violations.push('an item belongs to two rows');
    const totals = rowTotals(await ledger.counts(id));
    const sum = totals.created + totals.updated + totals.held + totals.refused;
    if (totals.read !== rows.length || sum !== rows.length)
      this.#violations.push(`the counts do not add up: ${JSON.stringify(totals)}`);
  }

  #checkUpdate(row: LedgerRow, violation: (row: LedgerRow, what: string) => void): void {
    const { set } = JSON.parse(row.payload ?? '{}') as Change;
    const item = this.#server.items.find((each) => each.item.id === row.itemId)?.item;
    for (const [field, value] of Object.entries(set)) {
      const edited = this.#server.foreignEdits.some(
        (edit) => edit.itemId === row.itemId && edit.field === field,
      );
      if (!edited && item?.[field] !== value) violation(row, `${field} is ${JSON.stringify(item?.[field])}`);
    }
  }
}

function newRow(ordinal: number): NewRow {
  return {
    ordinal,
    sheetRow: ordinal + 1,
    copy: 0,
    state: 'planned',
    action: 'create',
    payload: null,
    collection: null,
    itemId: null,
    source: null,
    issues: [],
  };
}

function createRow(ordinal: number, content: Content): NewRow {
  return { ...newRow(ordinal), payload: JSON.stringify(content) };
}
