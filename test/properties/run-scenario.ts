/** Plays a scenario: real commands on a real store and real files; time, processes, the network and the server are simulated. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { RequestMeter } from '../../src/api/meter.ts';
import type { ItemUpdate } from '../../src/api/schemas.ts';
import { ShelfliftError } from '../../src/errors.ts';
import { setItems } from '../../src/import/run.ts';
import type { JobDeps } from '../../src/import/job/deps.ts';
import { cancelJob } from '../../src/import/jobs/cancel-job.ts';
import { applyJob, resumeJob } from '../../src/import/run.ts';
import { type Resolution, resolveRow } from '../../src/import/jobs/resolve-row.ts';
import type { ImportRequest, RunOptions } from '../../src/import/job/options.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { importFile } from '../../src/import/run.ts';
import { undoJob } from '../../src/import/run.ts';
import { createBody } from '../../src/import/job/payload.ts';
import type { JobRecord, Ledger, LedgerRow } from '../../src/ledger/ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import type { Fields, Given, History, JobHistory } from '../history/history.ts';
import { judgeHistory } from '../history/judge-history.ts';
import { rowTotals } from '../../src/import/results/row-totals.ts';
import { writeResults } from '../../src/import/results/results.ts';
import { csv } from '../support/csv.ts';
import { Judge, KEY } from './judge.ts';
import { modelClient, type Network } from './model-client.ts';
import { COLLECTION, ModelServer } from './model-server.ts';
import type { Command, Edit, Keyed, Person, Scenario, Terminal, When } from './scenario.ts';
import { processesSeenBy, SimulatedProcess, type Stop } from './simulated-process.ts';
import { SimulatedTime } from './simulated-time.ts';

/** Runs of a terminal by itself; then runs of each job until it ends. */
const TERMINAL_RUNS = 4;
const MOST_RUNS = 40;
/** When a command begins whose request never comes. */
const AT_THE_LATEST_MS = 60_000;
const NEXT_TRY_MS = 120_000;

/** How a scenario ended. */
export interface End {
  /** What went against the promise. */
  violations: string[];
  rows: { created: number; updated: number; held: number; resent: number };
  tested: Judge['tested'];
}

/** The machine stays on: only processes are killed here. Waiting for a real disk would play a scenario differently each time. */
const flush = () => Promise.resolve();

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

  /**
   * @param trace gets a line for all that happens
   * @returns what happened, and never throws for what a command did wrong
   */
  async play(scenario: Scenario, trace?: string[]): Promise<End> {
    const folder = join(this.#folder, String((this.#count += 1)));
    mkdirSync(folder);
    copyFileSync(join(this.#folder, 'empty.db'), join(folder, 'store.db'));
    try {
      return await new Play(scenario, folder, trace).run();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

type RunEnd = JobOutcome | 'refused' | 'elsewhere' | 'killed';

class Play {
  readonly #scenario: Scenario;
  readonly #folder: string;
  readonly #time: SimulatedTime;
  readonly #server: ModelServer;
  readonly #judge: Judge;
  readonly #network: Network;
  readonly #processes: SimulatedProcess[] = [];
  readonly #commands = new Map<SimulatedProcess, Command>();
  readonly #awaited = { read: new Map<number, (() => void)[]>(), write: new Map<number, (() => void)[]>() };
  readonly #arrived = { read: 0, write: 0 };

  constructor(scenario: Scenario, folder: string, trace: string[] | undefined) {
    this.#time = new SimulatedTime(trace);
    this.#scenario = scenario;
    this.#folder = folder;
    this.#server = new ModelServer(this.#time, scenario.server);
    this.#judge = new Judge(this.#time, this.#server);
    this.#network = {
      time: this.#time,
      server: this.#server,
      judge: this.#judge,
      writeFaults: [...scenario.writeFaults],
      readFaults: [...scenario.readFaults],
      latencyMs: () => scenario.latencyMs,
      concurrency: scenario.concurrency,
      underWay: [],
      requests: [],
      applied: [],
      onArrival: (what) => {
        this.#arrived[what] += 1;
        for (const happens of this.#awaited[what].get(this.#arrived[what]) ?? []) happens();
      },
    };
  }

  async run(): Promise<End> {
    this.#fillServer();
    for (const person of this.#scenario.people) this.#when(person.at, () => this.#person(person));
    await using ledger = openSqliteLedger(join(this.#folder, 'store.db'), { flush });
    try {
      await this.#time.until(this.#terminals(ledger));
      // What was lost may still be applied.
      await this.#time.until(this.#time.sleep(10 * 60_000));
    } catch (error) {
      this.#judge.violations.push(String(error));
    }
    const rows = await this.#judge.end(ledger);
    this.#judge.violations.push(...judgeHistory(await this.#history(ledger)));
    const creates = rows.filter((row) => row.action === 'create');
    return {
      violations: this.#judge.violations,
      rows: {
        created: creates.filter((row) => row.state === 'done').length,
        updated: rows.filter((row) => row.action === 'update' && row.state === 'done').length,
        held: creates.filter((row) => row.state === 'held').length,
        resent: rows.filter((row) => row.attempts > 1).length,
      },
      tested: this.#judge.tested,
    };
  }

  #fillServer(): void {
    const { before, oldEveryMs, equals, terminals, room } = this.#scenario;
    const contents = terminals.flatMap(({ command }) => (command.do === 'create' ? command.rows : []));
    for (let number = 1; number <= before; number += 1) {
      const equal = contents[equals.indexOf(number)];
      const content = equal ?? {
        name: `Old ${number}`,
        brand: 'Old',
        custom_fields: { [KEY]: `S${number}` },
      };
      const ageMs = (before - number) * oldEveryMs;
      const made = this.#server.create({ collection_id: COLLECTION, ...content }, 'others', ageMs);
      // Whatever reads the list, reads it later.
      made.madeAt = Number.NEGATIVE_INFINITY;
    }
    if (room === undefined) return;
    this.#server.planLimit = this.#server.items.length + room;
    // Every other minute somebody makes room for a few more.
    const raise = () => {
      this.#server.planLimit += 4;
      if (this.#server.planLimit < 400) this.#time.at(this.#time.now + 120_000, raise);
    };
    this.#time.at(120_000, raise);
  }

  #when(at: When, happens: () => void): void {
    if ('ms' in at) {
      this.#time.at(at.ms, happens);
      return;
    }
    const [what, number] = 'read' in at ? (['read', at.read] as const) : (['write', at.write] as const);
    this.#awaited[what].set(number, [...(this.#awaited[what].get(number) ?? []), happens]);
  }

  #person(person: Person): void {
    if (person.what === 'create') {
      const key = person.key === undefined ? {} : { custom_fields: { [KEY]: `N${person.key}` } };
      this.#server.create({ collection_id: COLLECTION, ...person.content, ...key }, 'others');
      return;
    }
    const id = this.#itemAt(person.item);
    if (id === undefined) return;
    if (person.what === 'remove') this.#server.remove(id);
    else {
      const { place, note, ...set } = person.set;
      const custom = {
        ...this.#server.find(id)?.item.custom_fields,
        ...(place === undefined ? {} : { place }),
        ...(note === undefined ? {} : { note }),
      };
      const change: ItemUpdate =
        place === undefined && note === undefined ? set : { ...set, custom_fields: custom };
      this.#server.update(id, change, 'others');
    }
  }

  /** The id of an item that is there from the start, counted from the newest of them. */
  #itemAt(place: number): string | undefined {
    return this.#server.items[this.#scenario.before - 1 - place]?.item.id;
  }

  async #terminals(ledger: Ledger): Promise<void> {
    const all = this.#scenario.terminals.map(async (terminal, index) => {
      await new Promise<void>((resolve) => {
        this.#when(terminal.at, resolve);
        this.#time.at(AT_THE_LATEST_MS + ('ms' in terminal.at ? terminal.at.ms : 0), resolve);
      });
      await this.#terminal(terminal, index, ledger);
    });
    await Promise.all(all);
    for (const { id } of this.#judge.jobs) await this.#toTheEnd(id, ledger);
  }

  /** Gives a command, and its job on and on, as a person would who has other things to do, too. */
  async #terminal(terminal: Terminal, index: number, ledger: Ledger): Promise<void> {
    const stops = [...terminal.stops];
    let { command } = terminal;
    for (let run = 1; run <= TERMINAL_RUNS; run += 1) {
      const begunBefore = this.#judge.jobs.length;
      const end = await this.#process(command, terminal, `${index}`, stops.shift() ?? [], ledger);
      if (end === 'refused') return;
      if (end === 'killed') {
        if (terminal.afterKill === 'leave') return;
        await this.#time.sleep(this.#scenario.restartMs);
        const job = this.#judge.jobs.length > begunBefore ? this.#judge.jobs.length - 1 : undefined;
        if (terminal.afterKill === 'resume' && job !== undefined) command = { do: 'resume', job };
        continue;
      }
      if (end !== 'elsewhere') {
        const { state, job } = end.summary;
        const goesOn = state.startsWith('parked') || state === 'interrupted';
        if (!goesOn || command.do === 'cancel' || command.do === 'resolve') return;
        command = { do: 'resume', job: this.#judge.jobs.findIndex((each) => each.id === job) };
      }
      await this.#time.sleep(NEXT_TRY_MS);
    }
  }

  /** Resumes a job until it has ended; a cancelled one and a dry run stay as they are. */
  async #toTheEnd(id: string, ledger: Ledger): Promise<void> {
    const job = this.#judge.jobs.findIndex((each) => each.id === id);
    const terminal: Terminal = {
      command: { do: 'resume', job },
      at: { ms: 0 },
      key: 1,
      host: 'one',
      stops: [],
      afterKill: 'resume',
      recheckMs: 60_000,
      onDrift: 'hold',
      allRows: false,
      waitForLimit: false,
    };
    for (let run = 1; run <= MOST_RUNS; run += 1) {
      const record = await ledger.jobs.find(id).catch(() => undefined);
      if (record === undefined || record.dryRun || record.state === 'staging') return;
      const { planned, sending, unknown } = await ledger.rows.counts(id);
      const ended = record.state === 'done' && planned + sending + unknown === 0;
      if (ended || record.state === 'cancelled') return;
      const end = await this.#process(terminal.command, terminal, 'end', [], ledger);
      if (end === 'refused') return;
      await this.#time.sleep(NEXT_TRY_MS);
    }
    this.#judge.violations.push(`job ${job} did not end in ${MOST_RUNS} runs`);
  }

  /** One process with one command, to its end or death. */
  async #process(
    command: Command,
    terminal: Terminal,
    name: string,
    stops: Stop[],
    real: Ledger,
  ): Promise<RunEnd> {
    const { jump } = this.#scenario;
    const number = this.#processes.length + 1;
    const process = new SimulatedProcess(
      this.#time,
      { host: terminal.host, pid: number, started: String(number), machine: terminal.host },
      stops,
      (moment) => (jump !== undefined && moment >= jump.at ? jump.byMs : 0),
    );
    this.#processes.push(process);
    this.#commands.set(process, command);
    const ledger = openSqliteLedger(join(this.#folder, 'store.db'), {
      flush,
      clock: process.clock,
      processes: processesSeenBy(process, this.#processes),
    });
    const stepped = process.behindSteps(this.#judge.watching(ledger, process));
    const watched = this.#judge.asking(stepped, process, {
      recheckMs: terminal.recheckMs,
      overwrites: terminal.onDrift === 'overwrite',
    });
    const deps: JobDeps = {
      client: modelClient(this.#network, process, `key ${terminal.key}`),
      ledger: watched,
      meter: new RequestMeter(),
      clock: process.clock,
      signal: new AbortController().signal,
      emit: () => undefined,
    };
    const end = await Promise.race([
      this.#command(command, terminal, name, deps, real).catch((error: unknown) => this.#failed(error)),
      process.death,
    ]);
    this.#time.tell(process.name, 'ends', command, end);
    await ledger.close();
    if (typeof end === 'object') this.#checkSummary(end);
    return end;
  }

  #command(command: Command, terminal: Terminal, name: string, deps: JobDeps, real: Ledger): Promise<RunEnd> {
    const run: RunOptions = {
      waitForLimit: terminal.waitForLimit,
      onDrift: terminal.onDrift,
      recheckMs: terminal.recheckMs,
      skipInvalid: true,
      allRows: terminal.allRows,
      yes: true,
    };
    const about = 'job' in command ? (this.#judge.jobs.at(command.job)?.id ?? 'nothing') : 'nothing';
    switch (command.do) {
      case 'create':
        return importFile(
          {
            ...this.#fileOf(`create-${name}`, createLines(command.rows)),
            collection: 'Main',
            dryRun: command.dryRun,
            ...(command.stamp ? { stamp: 'custom_fields.import_id' } : {}),
            run,
          },
          deps,
        );
      case 'upsert': {
        const rows = this.#scenario.files[command.file] ?? [];
        return importFile(
          {
            ...this.#fileOf(`upsert-${command.file}`, this.#keyedLines(rows)),
            mode: 'upsert',
            match: [`custom_fields.${KEY}`],
            collection: 'Main',
            dryRun: command.dryRun,
            run,
          },
          deps,
        );
      }
      case 'update':
        return importFile(
          {
            ...this.#fileOf(`update-${name}`, this.#changeLines(command.rows)),
            mode: 'update',
            match: ['id'],
            dryRun: command.dryRun,
            run,
          },
          deps,
        );
      case 'set': {
        const path = this.#write(`set-${name}`, [
          ['id'],
          ...command.items.map((item) => [this.#itemAt(item) ?? '']),
        ]);
        return setItems(
          { changes: assignments(command.set), idsFrom: path, dryRun: command.dryRun, run },
          deps,
        );
      }
      case 'undo':
        return undoJob(about, deps, { run });
      case 'resume':
        return resumeJob(about, deps, run);
      case 'apply':
        this.#judge.applied(about);
        return applyJob(about, deps, run);
      case 'cancel':
        return this.#cancel(about, deps);
      default:
        return this.#resolve(about, command.as, deps, real);
    }
  }

  async #cancel(id: string, deps: JobDeps): Promise<JobOutcome> {
    const outcome = await cancelJob(id, deps);
    if (outcome.exitCode === 0 && outcome.summary.state === 'cancelled') this.#judge.cancelled(id);
    return outcome;
  }

  /** What a person says of the first row that waits for one, who sees everything that the server has. */
  async #resolve(id: string, as: 'truth' | 'skip', deps: JobDeps, real: Ledger): Promise<RunEnd> {
    const job = await real.jobs.find(id);
    const [row] = await real.rows.list(id, { states: ['held', 'unknown'], limit: 1 });
    if (row === undefined) return 'refused';
    const resolution = as === 'skip' ? ({ as } as const) : await this.#truth(job, row, real);
    if (resolution === undefined) return 'refused';
    return resolveRow(id, row.sheetRow, resolution, deps);
  }

  async #truth(job: JobRecord, row: LedgerRow, real: Ledger): Promise<Resolution | undefined> {
    if (row.action === 'update') return { as: 'retry' };
    const body = createBody(job, row, job.options.stamp);
    const content = this.#server.contentOf(body);
    // Whoever looks while it may still come sees nothing, and waits.
    if (this.#network.underWay.includes(content)) return undefined;
    const owned = new Set<string>();
    for (const { id } of await real.jobs.list())
      for (const { itemId } of await real.rows.list(id, { actions: ['create'], limit: 1000 }))
        owned.add(itemId ?? '');
    const found = this.#server.items.find(
      (each) => each.by === 'us' && each.content === content && !owned.has(each.item.id),
    );
    if (found !== undefined) return { as: 'created', itemId: found.item.id };
    const key = body.custom_fields?.[KEY];
    const isThere =
      key !== undefined && this.#server.items.some((each) => each.item.custom_fields?.[KEY] === key);
    return { as: isThere ? 'skip' : 'retry' };
  }

  #failed(error: unknown): RunEnd {
    if (error instanceof ShelfliftError) {
      if (error.code === 'job_runs_elsewhere') return 'elsewhere';
      // Whatever a command line or the API can be blamed for.
      if (error.code !== 'store_failed') return 'refused';
    }
    this.#judge.violations.push(`a defect: ${error instanceof Error ? error.stack : String(error)}`);
    return 'refused';
  }

  #checkSummary({ summary: { rows, state } }: JobOutcome): void {
    const { read, ...parts } = rows;
    const sum = Object.values(parts).reduce((one, other) => one + other, 0);
    if (sum !== read && state !== 'already_applied')
      this.#judge.violations.push(`a summary does not add up: ${JSON.stringify(rows)}`);
  }

  /** What a judge is told who knows nothing of the code. */
  async #history(ledger: Ledger): Promise<History> {
    const { requests, applied } = this.#network;
    const jobs: JobHistory[] = [];
    for (const { id, process } of this.#judge.jobs) {
      const job = await ledger.jobs.find(id).catch(() => undefined);
      if (job === undefined || job.state === 'staging') continue;
      const outDir = join(this.#folder, id);
      mkdirSync(outDir);
      job.options = { ...job.options, outDir };
      const { results = '' } = await writeResults(job, ledger, () => undefined);
      const lines = parse(readFileSync(results), { columns: true, bom: true }) as Record<string, string>[];
      const claims = lines.map(({ _row = '', _state = '', _item_id = '' }) => ({
        row: Number(_row),
        state: _state,
        item: _item_id,
      }));
      const command = this.#commands.get(process);
      jobs.push({
        id,
        given: this.#given(command),
        claims,
        counts: { ...rowTotals(await ledger.rows.counts(id)) },
      });
    }
    return { requests, applied, jobs };
  }

  #given(command: Command | undefined): Given[] | undefined {
    switch (command?.do) {
      case 'create':
        return command.rows.map((fields) => ({ kind: 'create', fields: { ...fields } }));
      case 'upsert':
        return this.#scenario.files[command.file]?.map(({ key, set }) => ({
          kind: 'either',
          fields: {
            name: 'fresh' in key ? `New ${key.fresh}` : `Old ${this.#scenario.before - key.old}`,
            ...asSent(set, 'fresh' in key ? `N${key.fresh}` : `S${this.#scenario.before - key.old}`),
          },
        }));
      case 'update':
        return command.rows.map(({ set }) => ({ kind: 'update', fields: asSent(set) }));
      case 'set':
        return command.items
          .filter((item) => this.#itemAt(item) !== undefined)
          .map(() => ({ kind: 'update', fields: asSent(command.set) }));
      default:
        return undefined;
    }
  }

  #fileOf(name: string, lines: readonly string[][]): Pick<ImportRequest, 'file' | 'map' | 'skipInvalid'> {
    const [headers = []] = lines;
    const map = Object.fromEntries(headers.map((header) => [header, header]));
    return { file: this.#write(name, lines), map, skipInvalid: true };
  }

  #write(name: string, [headers = [], ...rows]: readonly string[][]): string {
    const path = join(this.#folder, `${name}.csv`);
    writeFileSync(path, csv(headers, rows));
    return path;
  }

  #keyedLines(rows: readonly Keyed[]): string[][] {
    const lines = rows.map(({ key, set }) => {
      if ('fresh' in key) return [`N${key.fresh}`, `New ${key.fresh}`, ...cells(set)];
      const number = this.#scenario.before - key.old;
      return [`S${number}`, `Old ${number}`, ...cells(set)];
    });
    return [[`custom_fields.${KEY}`, 'name', ...EDITED], ...lines];
  }

  #changeLines(rows: Extract<Command, { do: 'update' }>['rows']): string[][] {
    return [['id', ...EDITED], ...rows.map(({ item, set }) => [this.#itemAt(item) ?? '', ...cells(set)])];
  }
}

/** As a file says it, which has no notes. */
function asSent({ place, status, brand }: Edit, key?: string): Fields {
  const custom = { ...(key === undefined ? {} : { [KEY]: key }), ...(place === undefined ? {} : { place }) };
  return {
    ...(status === undefined ? {} : { status }),
    ...(brand === undefined ? {} : { brand }),
    custom_fields: custom,
  };
}

const EDITED = ['status', 'brand', 'custom_fields.place'];

function cells({ status, brand, place }: Edit): string[] {
  return [status ?? '', brand ?? '', place ?? ''];
}

function createLines(rows: Extract<Command, { do: 'create' }>['rows']): string[][] {
  return [
    ['name', 'brand', 'tags', 'estimated_value'],
    ...rows.map(({ name, brand = '', tags = [], estimated_value: value }) => [
      name,
      brand,
      tags.join('; '),
      value === undefined ? '' : String(value),
    ]),
  ];
}

function assignments({ status, brand, place }: Edit): string[] {
  return [
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(brand === undefined ? [] : [`brand=${brand}`]),
    ...(place === undefined ? [] : [`custom_fields.place=${place}`]),
  ];
}
