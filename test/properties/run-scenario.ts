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
import { createBody } from '../../src/import/engine/operation.ts';
import type { JobRecord, Ledger, LedgerRow } from '../../src/ledger/ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import type { Applied, Change, Ended, Fields, Given, TimedHistory, TimedJob } from '../history/history.ts';
import { judgeChanges } from '../history/judge-changes.ts';
import { judgeHistory } from '../history/judge-history.ts';
import { rowTotals } from '../../src/import/job/row-totals.ts';
import { writeResults } from '../../src/import/results/results.ts';
import { csv } from '../support/csv.ts';
import { isParkedForGood, Judge, KEY } from './judge.ts';
import { modelClient, type Network } from './model-client.ts';
import { COLLECTION, ModelServer } from './model-server.ts';
import type {
  Change as RowChange,
  Command,
  Content,
  Edit,
  Keyed,
  Person,
  Scenario,
  Terminal,
  When,
} from './scenario.ts';
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
  readonly #ends: Ended[] = [];
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
    const history = await this.#history(ledger);
    this.#judge.violations.push(...judgeHistory(history), ...judgeChanges(history));
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
        tags: ['old'],
        estimated_value: 100,
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
      const key = person.key === undefined ? {} : { custom_fields: { [KEY]: this.#freshKey(person.key) } };
      this.#server.create({ collection_id: COLLECTION, ...person.content, ...key }, 'others');
      return;
    }
    if (person.what === 'swap') return this.#swap(person.items);
    const id = this.#itemAt(person.item);
    if (id === undefined) return;
    if (person.what === 'remove') this.#server.remove(id);
    else {
      const { status, brand, place, note, tag } = person.set;
      const { custom_fields: custom, tags = [] } = this.#server.find(id)?.item ?? {};
      const change: ItemUpdate = {
        ...(status === undefined ? {} : { status }),
        ...(brand === undefined ? {} : { brand }),
        ...(tag === undefined ? {} : { tags: [...tags, tag] }),
        ...(place === undefined && note === undefined
          ? {}
          : { custom_fields: { ...custom, ...customOf(person.set) } }),
      };
      this.#server.update(id, change, 'others');
    }
  }

  #swap([one, other]: [number, number]): void {
    const items = [one, other].map((place) => this.#server.find(this.#itemAt(place) ?? '')?.item);
    for (const [index, item] of items.entries()) {
      const key = items[1 - index]?.custom_fields?.[KEY];
      if (item !== undefined && key !== undefined)
        this.#server.update(item.id, { custom_fields: { ...item.custom_fields, [KEY]: key } }, 'others');
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
        const isOver = isParkedForGood(await ledger.jobs.find(job));
        const goesOn = !isOver && (state.startsWith('parked') || state === 'interrupted');
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
      if (ended || record.state === 'cancelled' || isParkedForGood(record)) return;
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
      agreed: terminal.asks !== true,
      mostChanges: terminal.mostChanges,
    });
    const deps: JobDeps = {
      client: modelClient(this.#network, process, `key ${terminal.key}`),
      ledger: watched,
      meter: new RequestMeter(),
      clock: process.clock,
      signal: new AbortController().signal,
      emit: () => undefined,
    };
    const begunAt = this.#time.now;
    const end = await Promise.race([
      this.#command(command, terminal, name, deps, real).catch((error: unknown) => this.#failed(error)),
      process.death,
    ]);
    this.#time.tell(process.name, 'ends', command, end);
    await ledger.close();
    if (typeof end === 'object') await this.#ended(end, command, begunAt, real);
    return end;
  }

  #command(command: Command, terminal: Terminal, name: string, deps: JobDeps, real: Ledger): Promise<RunEnd> {
    const run: RunOptions = {
      waitForLimit: terminal.waitForLimit,
      onDrift: terminal.onDrift,
      recheckMs: terminal.recheckMs,
      skipInvalid: true,
      allRows: terminal.allRows,
      ...(terminal.asks === true ? {} : { yes: true }),
      ...(terminal.mostChanges === undefined ? {} : { maxChanges: terminal.mostChanges }),
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
      case 'things':
        return importFile(
          {
            ...this.#fileOf('things', createLines(command.things.map(thing))),
            collection: 'Main',
            run: { ...run, ...(command.onlyNew ? { onlyNew: true } : {}) },
          },
          deps,
        );
      case 'upsert': {
        const rows = this.#scenario.files[command.file] ?? [];
        return importFile(
          {
            ...this.#fileOf(`upsert-${command.file}`, this.#keyedLines(rows)),
            ...(command.creates === true ? {} : { mode: 'upsert', match: [`custom_fields.${KEY}`] }),
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
            ...this.#fileOf(
              `update-${name}`,
              command.byKey === true
                ? this.#keyedLines(command.rows.map(keyedOf))
                : this.#changeLines(command.rows),
            ),
            mode: 'update',
            match: [command.byKey === true ? `custom_fields.${KEY}` : 'id'],
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
        return undoJob(about, deps, {
          run,
          ...(command.rows === undefined
            ? {}
            : { rows: command.rows.map((row) => ({ from: row, to: row })) }),
        });
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
    const body = createBody(job, row, job.request.stamp);
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

  async #ended(
    { summary, exitCode }: JobOutcome,
    command: Command,
    begunAt: number,
    real: Ledger,
  ): Promise<void> {
    const { job, rows, state, doubles = [] } = summary;
    const at = this.#time.now;
    const { refused, held, invalid, pending } = rowTotals(await real.rows.counts(job));
    const open = refused + held + invalid + pending;
    // These say what they did, not what the job has done.
    if (command.do !== 'cancel' && command.do !== 'resolve')
      this.#ends.push({ job, state, exitCode, begunAt, at, open, doubles: doubles.length });
    const { read, ...parts } = rows;
    const sum = Object.values(parts).reduce((one, other) => one + other, 0);
    if (sum !== read && state !== 'already_applied')
      this.#judge.violations.push(`a summary does not add up: ${JSON.stringify(rows)}`);
  }

  /** What a judge is told who knows nothing of the code. */
  async #history(ledger: Ledger): Promise<TimedHistory> {
    const { requests } = this.#network;
    const jobs: TimedJob[] = [];
    for (const { id, begunAt, undoes, process } of this.#judge.jobs) {
      const job = await ledger.jobs.find(id).catch(() => undefined);
      if (job === undefined || job.state === 'staging') continue;
      const outDir = join(this.#folder, id);
      mkdirSync(outDir);
      job.request = { ...job.request, outDir };
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
        begunAt,
        ...(undoes === undefined ? {} : { undoes }),
        ...(command?.do !== 'undo' || command.rows === undefined ? {} : { undoesRows: command.rows }),
        given: this.#given(command),
        claims,
        counts: { ...rowTotals(await ledger.rows.counts(id)) },
      });
    }
    const changes = this.#server.log;
    const applied = changes.filter((change): change is Change & Applied => change.request !== undefined);
    return { requests, applied, changes, jobs, ends: this.#ends };
  }

  #given(command: Command | undefined): Given[] | undefined {
    switch (command?.do) {
      case 'create':
        return command.rows.map((fields) => ({ kind: 'create', fields: { ...fields } }));
      case 'things':
        return command.things.map((number) => ({ kind: 'create', fields: { ...thing(number) }, once: true }));
      case 'upsert':
        return this.#scenario.files[command.file]?.map(({ key, set }) => ({
          ...this.#keyedRow(key, set),
          kind: command.creates === true ? 'create' : 'either',
        }));
      case 'update':
        return command.rows.map((row) => {
          if (command.byKey !== true) return this.#change(row.item, row.set);
          const { key, set } = keyedOf(row);
          return { ...this.#keyedRow(key, set), kind: 'update' };
        });
      case 'set':
        return command.items
          .filter((item) => this.#itemAt(item) !== undefined)
          .map((item) => this.#change(item, command.set));
      default:
        return undefined;
    }
  }

  #keyedRow(key: Keyed['key'], set: Edit): Pick<Given, 'fields' | 'key'> {
    const [value = '', name] = this.#keyAndName(key);
    const kept = this.#server.asStored({ custom_fields: { [KEY]: value } }).custom_fields?.[KEY];
    return {
      fields: { name, ...asSent(set, value) },
      key: { field: `custom_fields.${KEY}`, value: String(kept) },
    };
  }

  #change(place: number, set: Edit): Given {
    const item = this.#itemAt(place);
    return {
      kind: 'update',
      fields: asSent(set),
      ...(item === undefined ? {} : { item }),
      ...(set.value === undefined ? {} : { value: set.value }),
      ...(set.tag === undefined ? {} : { tags: { add: [set.tag], remove: [] } }),
    };
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
    const lines = rows.map(({ key, set }) => [...this.#keyAndName(key), ...cells(set)]);
    return [[`custom_fields.${KEY}`, 'name', ...EDITED], ...lines];
  }

  #keyAndName(key: Keyed['key']): string[] {
    if ('fresh' in key) return [this.#freshKey(key.fresh), `New ${key.fresh}`];
    const number = this.#scenario.before - key.old;
    return [`S${number}`, `Old ${number}`];
  }

  #freshKey(number: number): string {
    return this.#scenario.oddKeys === true ? `N${number} & the rest of it` : `N${number}`;
  }

  #changeLines(rows: Extract<Command, { do: 'update' }>['rows']): string[][] {
    return [['id', ...EDITED], ...rows.map(({ item, set }) => [this.#itemAt(item) ?? '', ...cells(set)])];
  }
}

/** As a file or a `set` says it. */
function asSent(set: Edit, key?: string): Fields {
  const { status, brand } = set;
  return {
    ...(status === undefined ? {} : { status }),
    ...(brand === undefined ? {} : { brand }),
    custom_fields: { ...(key === undefined ? {} : { [KEY]: key }), ...customOf(set) },
  };
}

function customOf({ place, note }: Edit): Record<string, string> {
  return { ...(place === undefined ? {} : { place }), ...(note === undefined ? {} : { note }) };
}

function keyedOf({ item, set }: RowChange): Keyed {
  return { key: { old: item }, set };
}

function thing(number: number): Content {
  return { name: `Thing ${number + 1}`, brand: 'Halloway', estimated_value: 10 };
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

function assignments(set: Edit): string[] {
  const { status, brand, tag, value } = set;
  return [
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(brand === undefined ? [] : [`brand=${brand}`]),
    ...(tag === undefined ? [] : [`tags+=${tag}`]),
    ...(value === undefined ? [] : [`estimated_value${value.sign}${value.by}`]),
    ...Object.entries(customOf(set)).map(([name, text]) => `custom_fields.${name}=${text}`),
  ];
}
