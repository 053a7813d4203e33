/** Plays a scenario: real commands on a real store and real files; time, processes, the network and the server are simulated. */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import { RequestMeter } from '../../src/api/meter.ts';
import type { ItemUpdate } from '../../src/api/schemas.ts';
import { ShelfliftError } from '../../src/base/errors.ts';
import { setItems } from '../../src/import/run.ts';
import type { JobDeps } from '../../src/import/job/deps.ts';
import { cancelJob } from '../../src/import/jobs/cancel-job.ts';
import { applyJob, resumeJob } from '../../src/import/run.ts';
import { type Resolution, resolveRow } from '../../src/import/jobs/resolve-row.ts';
import type { RunOptions } from '../../src/import/job/options.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { importFile } from '../../src/import/run.ts';
import { undoJob } from '../../src/import/run.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import type { Correction } from '../../src/mapping/template/change.ts';
import { createBody } from '../../src/import/engine/operation.ts';
import type { JobRecord, Ledger, LedgerRow } from '../../src/ledger/ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import type { Applied, Change, Ended, Given, TimedHistory, TimedJob } from '../history/history.ts';
import { judgeChanges } from '../history/judge-changes.ts';
import { judgeHistory } from '../history/judge-history.ts';
import { rowTotals } from '../../src/import/job/row-totals.ts';
import { writeResults } from '../../src/import/results/results.ts';
import { assignments, BAD_WORD, CommandFiles, contentOf, customOf, MEANING } from './command-files.ts';
import { ReturnedFiles } from './returned-files.ts';
import { isParkedForGood, Judge, KEY } from './judge.ts';
import { modelClient, type Network } from './model-client.ts';
import { COLLECTION, ModelServer } from './model-server.ts';
import type { Command, CommandOf, Person, Scenario, Terminal, When } from './scenario.ts';
import { processesSeenBy, SimulatedProcess, type Stop } from './simulated-process.ts';
import { SimulatedTime } from './simulated-time.ts';

/** Runs of a terminal by itself; then runs of each job until it ends. */
const TERMINAL_RUNS = 4;
const MAX_RUNS = 40;
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
    copyFileSync(join(this.#folder, 'empty.db'), join(folder, 'first.db'));
    try {
      return await new Play(scenario, folder, trace).run();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

type RunEnd = JobOutcome | 'refused' | 'elsewhere' | 'killed';

/** A store of jobs, with whoever judges them. */
interface Store {
  path: string;
  /** Nobody but us reads through this. */
  ledger: Ledger;
  readonly judge: Judge;
  readonly ends: Ended[];
}

class Play {
  readonly #scenario: Scenario;
  readonly #folder: string;
  readonly #time: SimulatedTime;
  readonly #server: ModelServer;
  readonly #files: CommandFiles;
  readonly #returned: ReturnedFiles;
  readonly #network: Network;
  readonly #first: Store;
  /** In the order in which they were first used. */
  readonly #stores: Store[];
  readonly #processes: SimulatedProcess[] = [];
  /** Job → rows that a person may have left out. */
  readonly #omitted = new Map<string, number[]>();
  readonly #mendedAt = new Map<string, number>();
  /** Number of the first request that a restored backup knows nothing of, and of those after these. */
  #forgotten: [from: number, to: number] = [0, 0];
  readonly #commands = new Map<SimulatedProcess, Command>();
  readonly #awaited = { read: new Map<number, (() => void)[]>(), write: new Map<number, (() => void)[]>() };
  readonly #arrived = { read: 0, write: 0 };

  constructor(scenario: Scenario, folder: string, trace: string[] | undefined) {
    this.#time = new SimulatedTime(trace);
    this.#scenario = scenario;
    this.#folder = folder;
    this.#server = new ModelServer(this.#time, scenario.server);
    this.#files = new CommandFiles(scenario, this.#server, folder);
    this.#returned = new ReturnedFiles(this.#files, this.#server, folder);
    this.#first = this.#open('first');
    this.#stores = [this.#first];
    this.#network = {
      time: this.#time,
      server: this.#server,
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

  #open(name: string): Store {
    const path = join(this.#folder, `${name}.db`);
    return {
      path,
      ledger: openSqliteLedger(path, { flush }),
      judge: new Judge(name, this.#time, this.#server),
      ends: [],
    };
  }

  async run(): Promise<End> {
    this.#fillServer();
    const { people, restored } = this.#scenario;
    for (const person of people) this.#when(person.at, () => this.#person(person));
    if (restored !== undefined) this.#restores(restored);
    const { violations, tested } = this.#first.judge;
    try {
      await this.#time.until(this.#terminals());
      // What was lost may still be applied.
      await this.#time.until(this.#time.sleep(10 * 60_000));
    } catch (error) {
      violations.push(String(error));
    }
    const rows: LedgerRow[] = [];
    for (const store of this.#stores) {
      const { judge, ledger } = store;
      rows.push(...(await judge.end(ledger)));
      const history = await this.#history(store);
      judge.violations.push(...judgeHistory(history), ...judgeChanges(history));
      if (judge.violations !== violations)
        violations.push(...judge.violations.map((each) => `${judge.store} store: ${each}`));
      await ledger.close();
    }
    const creates = rows.filter((row) => row.action === 'create');
    return {
      violations,
      rows: {
        created: creates.filter((row) => row.state === 'done').length,
        updated: rows.filter((row) => row.action === 'update' && row.state === 'done').length,
        held: creates.filter((row) => row.state === 'held').length,
        resent: rows.filter((row) => row.attempts > 1).length,
      },
      tested,
    };
  }

  #fillServer(): void {
    const { before, oldEveryMs, equals, terminals, room } = this.#scenario;
    const contents = terminals.flatMap(({ command }) =>
      command.do === 'create' ? command.rows.map(contentOf) : [],
    );
    for (let number = 1; number <= before; number += 1) {
      const equal = contents[equals.indexOf(number)];
      const content = equal ?? {
        name: `Old ${number}`,
        brand: 'Old',
        tags: ['old'],
        estimated_value: 100,
        custom_fields: { [KEY]: `S${number}` },
      };
      // Older than the shortest time that updated_at tells apart.
      const ageMs = 1_000 + (before - number) * oldEveryMs;
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
      const key =
        person.key === undefined ? {} : { custom_fields: { [KEY]: this.#files.freshKey(person.key) } };
      this.#server.create({ collection_id: COLLECTION, ...person.content, ...key }, 'others');
      return;
    }
    if (person.what === 'swap') return this.#swap(person.items);
    if (person.what === 'export') {
      this.#returned.export(this.#time.now);
      return;
    }
    if (person.what === 'restore') return this.#restore(person.item);
    const id = this.#files.itemAt(person.item);
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

  #restore(place: number): void {
    const archived = this.#server.items.filter(
      ({ item, removed }) =>
        !removed && item.status === 'archived' && item.custom_fields?.['shelflift_undone'] !== undefined,
    );
    const id = archived[place % archived.length]?.item.id;
    if (id !== undefined) this.#server.update(id, { status: 'keep' }, 'others');
  }

  #swap([one, other]: [number, number]): void {
    const items = [one, other].map((place) => this.#server.find(this.#files.itemAt(place) ?? '')?.item);
    for (const [index, item] of items.entries()) {
      const key = items[1 - index]?.custom_fields?.[KEY];
      if (item !== undefined && key !== undefined)
        this.#server.update(item.id, { custom_fields: { ...item.custom_fields, [KEY]: key } }, 'others');
    }
  }

  /** The first store is a backup of an earlier moment from a later one on: everybody begins anew. */
  #restores({ backup, at }: NonNullable<Scenario['restored']>): void {
    const { path } = this.#first;
    const copy = `${path}.backup`;
    let sent: number | undefined;
    let made = 0;
    this.#when(backup, () => {
      if (this.#time.now >= at) return;
      const database = new DatabaseSync(path);
      database.exec(`VACUUM INTO '${copy}'`);
      database.close();
      sent = this.#network.requests.length;
      made = this.#time.now;
    });
    this.#time.at(at, () => {
      if (sent === undefined) return;
      for (const process of this.#processes) process.kill();
      this.#forgotten = [sent, this.#network.requests.length];
      this.#first.judge.restored(made);
      const before = this.#first.ledger;
      this.#first.path = copy;
      this.#first.ledger = openSqliteLedger(copy, { flush });
      void before.close();
    });
  }

  async #terminals(): Promise<void> {
    const all = this.#scenario.terminals.map(async (terminal, index) => {
      await new Promise<void>((resolve) => {
        this.#when(terminal.at, resolve);
        this.#time.at(AT_THE_LATEST_MS + ('ms' in terminal.at ? terminal.at.ms : 0), resolve);
      });
      await this.#terminal(terminal, index, this.#storeOf(terminal));
    });
    await Promise.all(all);
    for (const store of this.#stores) for (const { id } of store.judge.jobs) await this.#toTheEnd(id, store);
  }

  #storeOf({ store: name }: Terminal): Store {
    if (name === undefined) return this.#first;
    const found = this.#stores.find(({ judge }) => judge.store === name) ?? this.#open(name);
    if (!this.#stores.includes(found)) this.#stores.push(found);
    return found;
  }

  /** Gives a command, and its job on and on, as a person would who has other things to do, too. */
  async #terminal(terminal: Terminal, index: number, store: Store): Promise<void> {
    const stops = [...terminal.stops];
    const { jobs } = store.judge;
    let { command } = terminal;
    for (let run = 1; run <= TERMINAL_RUNS; run += 1) {
      const begunBefore = jobs.length;
      const end = await this.#process(command, terminal, `${index}`, stops.shift() ?? [], store);
      if (end === 'refused') return;
      if (end === 'killed') {
        if (terminal.afterKill === 'leave') return;
        await this.#time.sleep(this.#scenario.restartMs);
        const job = jobs.length > begunBefore ? jobs.length - 1 : undefined;
        if (terminal.afterKill === 'resume' && job !== undefined) command = { do: 'resume', job };
        continue;
      }
      if (end !== 'elsewhere') {
        const { state, job } = end.summary;
        const isOver = isParkedForGood(await store.ledger.jobs.find(job));
        const goesOn = !isOver && (state.startsWith('parked') || state === 'interrupted');
        if (!goesOn || BESIDE.has(command.do)) return;
        command = { do: 'resume', job: jobs.findIndex((each) => each.id === job) };
      }
      await this.#time.sleep(NEXT_TRY_MS);
    }
  }

  /** Resumes a job until it has ended; a cancelled one and a dry run stay as they are. */
  async #toTheEnd(id: string, store: Store): Promise<void> {
    const job = store.judge.jobs.findIndex((each) => each.id === id);
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
    for (let run = 1; run <= MAX_RUNS; run += 1) {
      const record = await store.ledger.jobs.find(id).catch(() => undefined);
      if (record === undefined || record.dryRun || record.state === 'staging') return;
      const { planned, sending, unknown } = await store.ledger.rows.counts(id);
      const ended = record.state === 'done' && planned + sending + unknown === 0;
      if (ended || record.state === 'cancelled' || isParkedForGood(record)) return;
      const end = await this.#process(terminal.command, terminal, 'end', [], store);
      if (end === 'refused') return;
      await this.#time.sleep(NEXT_TRY_MS);
    }
    store.judge.violations.push(`job ${job} did not end in ${MAX_RUNS} runs`);
  }

  /** One process with one command, to its end or death. */
  async #process(
    command: Command,
    terminal: Terminal,
    name: string,
    stops: Stop[],
    store: Store,
  ): Promise<RunEnd> {
    const { judge } = store;
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
    const ledger = openSqliteLedger(store.path, {
      flush,
      clock: process.clock,
      processes: processesSeenBy(process, this.#processes),
    });
    const stepped = process.behindSteps(judge.watching(ledger, process));
    const watched = judge.asking(stepped, process, {
      recheckMs: terminal.recheckMs,
      overwrites: terminal.onDrift === 'overwrite',
      agreed: terminal.asks !== true,
      mostChanges: terminal.mostChanges,
      copiesOf: (key) => this.#files.copiesOf(command, key),
    });
    const deps: JobDeps = {
      client: modelClient(this.#network, judge, process, `key ${terminal.key}`),
      ledger: watched,
      meter: new RequestMeter(),
      clock: process.clock,
      signal: new AbortController().signal,
      emit: () => undefined,
    };
    const begunAt = this.#time.now;
    const end = await Promise.race([
      this.#command(command, terminal, name, deps, store).catch((error: unknown) =>
        this.#failed(error, judge),
      ),
      process.death,
    ]);
    this.#time.tell(process.name, 'ends', command, end);
    await ledger.close();
    if (typeof end === 'object') await this.#ended(end, command, begunAt, store);
    return end;
  }

  #command(command: Command, terminal: Terminal, name: string, deps: JobDeps, store: Store): Promise<RunEnd> {
    const { judge } = store;
    const run: RunOptions = {
      waitForLimit: terminal.waitForLimit,
      onDrift: terminal.onDrift,
      recheckMs: terminal.recheckMs,
      skipInvalid: terminal.wholeOnly !== true,
      allRows: terminal.allRows,
      ...(terminal.asks === true ? {} : { yes: true }),
      ...(terminal.mostChanges === undefined ? {} : { maxChanges: terminal.mostChanges }),
    };
    const about = 'job' in command ? (judge.jobs.at(command.job)?.id ?? 'nothing') : 'nothing';
    const byKey = [`custom_fields.${KEY}`];
    switch (command.do) {
      case 'create':
        return importFile(
          {
            ...this.#files.creates(`create-${name}`, command),
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
            ...this.#files.things(command),
            run: { ...run, ...(command.onlyNew ? { onlyNew: true } : {}) },
          },
          deps,
        );
      case 'exported':
        return importFile(
          {
            file: this.#returned.exported(`exported-${name}`, command, this.#time.now),
            ...(command.mode === undefined ? {} : { mode: command.mode, match: ['id'] }),
            dryRun: command.dryRun,
            run,
          },
          deps,
        );
      case 'returned':
        return this.#comesBack(`returned-${name}`, command, run, deps, store);
      case 'upsert':
        return importFile(
          {
            ...this.#files.upsert(`upsert-${command.file}`, command, judge.store),
            ...(command.creates === true ? {} : { mode: 'upsert', match: byKey }),
            ...(command.missing === undefined ? {} : { missing: 'archive' }),
            collection: 'Main',
            dryRun: command.dryRun,
            run: {
              ...run,
              ...(command.missing?.most === undefined ? {} : { maxMissing: `${command.missing.most}%` }),
            },
          },
          deps,
        );
      case 'update':
        return importFile(
          {
            ...this.#files.updates(`update-${name}`, command),
            mode: 'update',
            match: command.byKey === true ? byKey : ['id'],
            dryRun: command.dryRun,
            run,
          },
          deps,
        );
      case 'set':
        return setItems(
          {
            changes: assignments(command.set),
            idsFrom: this.#files.ids(`set-${name}`, command),
            dryRun: command.dryRun,
            run,
          },
          deps,
        );
      case 'setFrom':
        return setItems(
          {
            ...this.#files.setFrom(`from-${name}`, command),
            match: [`custom_fields.${KEY}=SKU`],
            dryRun: command.dryRun,
            run,
          },
          deps,
        );
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
        judge.applied(about);
        return applyJob(about, deps, run);
      case 'cancel':
        return this.#cancel(about, deps, judge);
      case 'mend':
        return this.#mend(about, command.how, run, deps, judge);
      default:
        return this.#resolve(about, command.as, deps, store);
    }
  }

  /** A person edits the file that a job has written, and imports it. */
  async #comesBack(
    name: string,
    command: CommandOf<'returned'>,
    run: RunOptions,
    deps: JobDeps,
    { judge }: Store,
  ): Promise<RunEnd> {
    const { ledger } = deps;
    let file = this.#returned.fileOf(command);
    const writer = judge.jobs[command.job];
    const given = writer && this.#given(this.#commands.get(writer.process), judge);
    const job = given && (await ledger.jobs.find(writer.id).catch(() => undefined));
    if (job === undefined || given === undefined || job.state === 'staging') return 'refused';
    if (file === undefined) {
      const { [command.which]: path } = await this.#write(job, join(this.#folder, name), ledger);
      if (path === undefined) return 'refused';
      const isUndone = judge.jobs.some(({ undoes }) => undoes === job.id);
      file = this.#returned.edited(name, command, path, { given, isUndone });
    }
    return importFile({ file, dryRun: command.dryRun, run }, deps);
  }

  #write(job: JobRecord, outDir: string, ledger: Ledger): ReturnType<typeof writeResults> {
    mkdirSync(outDir, { recursive: true });
    return writeResults({ ...job, request: { ...job.request, outDir } }, ledger, () => undefined);
  }

  #given(command: Command | undefined, { store }: Judge): Given[] | undefined {
    return this.#returned.given(command) ?? this.#files.given(command, store);
  }

  async #cancel(id: string, deps: JobDeps, judge: Judge): Promise<JobOutcome> {
    const outcome = await cancelJob(id, deps);
    if (outcome.exitCode === 0 && outcome.summary.state === 'cancelled') judge.cancelled(id);
    return outcome;
  }

  /** A person corrects what is bad in a job's file. */
  async #mend(
    id: string,
    how: Extract<Command, { do: 'mend' }>['how'],
    run: RunOptions,
    deps: JobDeps,
    judge: Judge,
  ): Promise<RunEnd> {
    // The plan that it shows has what was there when it ended, or was killed.
    const note = () => this.#mendedAt.set(id, this.#time.now);
    note();
    if (how === 'back') return correctAndReport(id, { undo: 1, run }, deps).finally(note);
    const job = judge.jobs.find((each) => each.id === id);
    const rows = this.#files.badRows(job && this.#commands.get(job.process));
    if (rows.length === 0) return 'refused';
    if (how === 'omit') this.#omitted.set(id, [...(this.#omitted.get(id) ?? []), ...rows]);
    const changes =
      how === 'word'
        ? [{ type: 'word', field: 'status', word: BAD_WORD, means: MEANING } as const]
        : rows.map(
            (row): Correction =>
              how === 'omit' ? { type: 'omit', row } : { type: 'cell', row, column: 'status', text: MEANING },
          );
    return correctAndReport(id, { changes, run }, deps).finally(note);
  }

  /** What a person says of the first row that waits for one, who sees everything that the server has. */
  async #resolve(
    id: string,
    as: Extract<Command, { do: 'resolve' }>['as'],
    deps: JobDeps,
    { ledger: real, judge }: Store,
  ): Promise<RunEnd> {
    const job = await real.jobs.find(id);
    const [row] = await real.rows.list(id, { states: ['held', 'unknown'], limit: 1 });
    if (row === undefined) return 'refused';
    // Of an item to be made, only who has looked can say anything.
    const changed = row.issues.find(({ code }) => code === 'row_changed')?.itemId;
    const itemId = row.itemId ?? changed;
    const isTruth = as === 'truth' || (as !== 'skip' && row.action === 'create' && changed === undefined);
    const resolution = isTruth ? await this.#truth(job, row, real) : { as };
    if (resolution === undefined) return 'refused';
    const { as: means } = resolution;
    if (means === 'skip' || means === 'theirs')
      this.#omitted.set(id, [...(this.#omitted.get(id) ?? []), row.sheetRow]);
    if (itemId !== undefined && means === 'theirs') judge.left(id, itemId);
    if (itemId !== undefined && (means === 'mine' || means === 'retry'))
      judge.meant(id, itemId, row.issues.map(({ message }) => message).join());
    return resolveRow(id, row.sheetRow, resolution, deps);
  }

  async #truth(job: JobRecord, row: LedgerRow, real: Ledger): Promise<Resolution | undefined> {
    if (row.action === 'update') return { as: 'retry' };
    if (row.issues.some(({ code, itemId }) => code === 'row_changed' && itemId !== undefined))
      return { as: 'theirs' };
    const body = createBody(job, row, job.request.stamp);
    const content = this.#server.contentOf(body);
    // Whoever looks while it may still come sees nothing, and waits.
    if (this.#network.underWay.includes(content)) return undefined;
    const owned = new Set<string>();
    for (const { id } of await real.jobs.list())
      for (const { itemId } of await real.rows.list(id, { actions: ['create'], limit: 1000 }))
        owned.add(itemId ?? '');
    const found = this.#server.items.find(
      (each) => each.by !== 'others' && each.content === content && !owned.has(each.item.id),
    );
    if (found !== undefined) return { as: 'created', itemId: found.item.id };
    const key = body.custom_fields?.[KEY];
    const isThere =
      key !== undefined && this.#server.items.some((each) => each.item.custom_fields?.[KEY] === key);
    return { as: isThere ? 'skip' : 'retry' };
  }

  #failed(error: unknown, judge: Judge): RunEnd {
    if (error instanceof ShelfliftError) {
      if (error.code === 'job_runs_elsewhere') return 'elsewhere';
      // Whatever a command line or the API can be blamed for.
      if (error.code !== 'store_failed') return 'refused';
    }
    judge.violations.push(`a defect: ${error instanceof Error ? error.stack : String(error)}`);
    return 'refused';
  }

  async #ended(
    { summary, exitCode }: JobOutcome,
    command: Command,
    begunAt: number,
    { ledger, judge, ends }: Store,
  ): Promise<void> {
    const { job, rows, state, doubles = [] } = summary;
    const at = this.#time.now;
    const { refused, held, invalid, pending } = rowTotals(await ledger.rows.counts(job));
    const open = refused + held + invalid;
    if (!BESIDE.has(command.do))
      ends.push({ job, state, exitCode, begunAt, at, open, pending, doubles: doubles.length });
    const { read, ...parts } = rows;
    const sum = Object.values(parts).reduce((one, other) => one + other, 0);
    if (sum !== read && state !== 'already_applied')
      judge.violations.push(`a summary does not add up: ${JSON.stringify(rows)}`);
  }

  /** What a judge is told who knows nothing of the code. */
  async #history({ ledger, judge, ends }: Store): Promise<TimedHistory> {
    const jobs: TimedJob[] = [];
    for (const { id, begunAt, undoes, process } of judge.jobs) {
      const job = await ledger.jobs.find(id).catch(() => undefined);
      if (job === undefined || job.state === 'staging') continue;
      const { results = '' } = await this.#write(job, join(this.#folder, id), ledger);
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
        given: this.#given(command, judge),
        ...(command?.do === 'upsert' && command.missing !== undefined
          ? { archivesMissing: { most: command.missing.most ?? DEFAULT_MOST_MISSING } }
          : {}),
        ...(judge.overwrites(process) ? { overwrites: true as const } : {}),
        omitted: this.#omitted.get(id) ?? [],
        mendedAt: this.#mendedAt.get(id) ?? 0,
        claims,
        counts: { ...rowTotals(await ledger.rows.counts(id)) },
      });
    }
    const own = new Map<number, number>();
    const requests = this.#network.requests.filter((request, number) => {
      if (!judge.jobs.some(({ id }) => id === request.job)) return false;
      own.set(number, own.size);
      if (number >= this.#forgotten[0] && number < this.#forgotten[1]) request.forgotten = true;
      return true;
    });
    const changes = this.#server.log.map(({ request = -1, ...change }): Change => {
      const number = own.get(request);
      return { ...change, ...(number === undefined ? {} : { request: number }) };
    });
    const applied = changes.filter((change): change is Change & Applied => change.request !== undefined);
    return { requests, applied, changes, jobs, ends };
  }
}

/** Percent: what `--max-missing` is for whoever does not say. */
const DEFAULT_MOST_MISSING = 10;

/** Commands beside those that run a job: these say what they did, not what the job has done. */
const BESIDE: ReadonlySet<Command['do']> = new Set(['cancel', 'resolve', 'mend']);
