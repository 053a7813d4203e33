/**
 * Holds everything that jobs do against the promise: every row of every job once, nothing of a job after its cancel
 * was answered, nobody's edit overwritten that is older than `--recheck` allows, no key of an upsert made again that
 * was there, and all sums right.
 *
 * It watches requests and the ledger's own port from outside; of the code under test it believes nothing but the rows
 * that are left at the end.
 */
import { rowTotals } from '../../src/import/job/row-totals.ts';
import { createBody } from '../../src/import/engine/operation.ts';
import type { ItemUpdate } from '../../src/api/schemas.ts';
import type { JobRecord, Ledger, LedgerRow, NewJob, NewRow, Rows } from '../../src/ledger/ledger.ts';
import type { TimedRequest } from '../history/history.ts';
import { overriding } from '../support/overriding.ts';
import { fieldsOf, type FieldWrite, type ModelItem, type ModelServer } from './model-server.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** Custom field of the key of upserts. */
export const KEY = 'sku';
/** Custom field of an item that an undo has archived. */
const UNDONE = 'shelflift_undone';
/** A reading may be so much older than it seems where nothing is slow: what happens in one moment, ms. */
const SLACK_MS = 100;

/** The server may make what is under way so much later, ms. */
const LATEST_MS = 120_000;
/** A reading made just before the write counts for so long, however short `--recheck` is, ms. */
const JUST_READ_MS = 5_000;

/** A request of ours that changes something, as it leaves. */
export interface Sent {
  process: SimulatedProcess;
  /** The job that the process holds a lane for. */
  job: string;
  /** When it took that lane. */
  laneAt: number;
  /** When the request left. */
  at: number;
}

/** What a process was told by its command line. */
export interface Told {
  recheckMs: number;
  overwrites: boolean;
  /** Whatever would be asked. */
  agreed: boolean;
  /** `--max-changes`. */
  mostChanges: number | undefined;
  /** So many items shall have a key. */
  copiesOf: (key: unknown) => number;
}

interface PlannedUpdate {
  ordinal: number;
  itemId: string;
  /** What the plan first knew of the item's fields. */
  before: Map<string, unknown>;
  /** When the last intent was asked for. */
  askedAt: number;
}

interface Reading {
  /** When the process had it, and how long before that the server had looked, ms. */
  at: number;
  lateMs: number;
  way: 'item' | 'page';
}

interface JobSeen {
  id: string;
  begunAt: number;
  /** That has begun it. */
  process: SimulatedProcess;
  kind: NewJob['kind'];
  mode: NewJob['mode'];
  undoes: string | undefined;
  updates: Map<number, PlannedUpdate>;
  /** Item → the fields that were sent for it. */
  wanted: Map<string, Map<string, unknown>>;
  cancelledAt: number | undefined;
}

export class Judge {
  /** What went against the promise; empty at the end of a good run. */
  readonly violations: string[] = [];
  /** In the order in which they were begun. */
  readonly jobs: JobSeen[] = [];
  /** How often a rule was put to the test, so that a scenario that tests nothing is seen. */
  readonly tested = { cancels: 0, edits: 0, undone: 0, keys: 0, pages: 0 };
  readonly store: string;
  readonly #time: SimulatedTime;
  readonly #server: ModelServer;
  readonly #lanes = new Map<SimulatedProcess, { job: string; at: number }>();
  readonly #told = new Map<SimulatedProcess, Told>();
  /** The newest answer about an item, by process and item. */
  readonly #readings = new Map<string, Reading>();
  /** What people were told of rows that they have sent whatever the items have become, by job and item. */
  readonly #meant = new Map<string, string>();
  readonly #left = new Set<string>();
  /** What made the items of upserts. */
  readonly #makers = new Map<ModelItem, Sent>();
  /** Of what was made in this time, the store knows nothing. */
  #forgotten = { from: 0, to: 0 };

  /** @param store whose jobs it judges; those of another are other people to it */
  constructor(store: string, time: SimulatedTime, server: ModelServer) {
    this.store = store;
    this.#time = time;
    this.#server = server;
  }

  /** The ledger as it is, watched: what is called here has its effect. */
  watching(ledger: Ledger, process: SimulatedProcess): Ledger {
    return overriding(ledger, {
      jobs: overriding(ledger.jobs, {
        create: (job) => {
          this.jobs.push({
            id: job.id,
            undoes: job.request.undoes,
            begunAt: this.#time.now,
            process,
            kind: job.kind,
            mode: job.mode,
            updates: new Map(),
            wanted: new Map(),
            cancelledAt: undefined,
          });
          return ledger.jobs.create(job);
        },
      }),
      rows: overriding(ledger.rows, {
        stage: (jobId, rows) => {
          for (const row of rows) this.#plans(jobId, row);
          return ledger.rows.stage(jobId, rows);
        },
        // Once a person has mended it, the plan is made anew of what there is by then.
        rejudge: (jobId, rows, ...more) => {
          for (const { ordinal } of rows) this.#job(jobId)?.updates.delete(ordinal);
          return ledger.rows.rejudge(jobId, rows, ...more);
        },
        move: async (jobId, moves, options) => {
          const result = await ledger.rows.move(jobId, moves, options);
          for (const { ordinal, to, itemId = null, operation = null } of moves)
            if (to === 'planned' && !result.missed.includes(ordinal))
              this.#plans(jobId, { ordinal, itemId, operation });
          return result;
        },
      }),
      lanes: overriding(ledger.lanes, {
        acquire: async (lane, jobId) => {
          const taken = await ledger.lanes.acquire(lane, jobId);
          if ('token' in taken) this.#lanes.set(process, { job: jobId, at: this.#time.now });
          return taken;
        },
      }),
    });
  }

  /** The ledger as a process sees it: what is called here may take long, and may never happen. */
  asking(ledger: Ledger, process: SimulatedProcess, told: Told): Ledger {
    this.#told.set(process, told);
    const move: Rows['move'] = (jobId, moves, options) => {
      for (const { ordinal, to } of moves) {
        const update = this.#job(jobId)?.updates.get(ordinal);
        if (to === 'sending' && update !== undefined) update.askedAt = this.#time.now;
      }
      return ledger.rows.move(jobId, moves, options);
    };
    return overriding(ledger, { rows: overriding(ledger.rows, { move }) });
  }

  /** A backup of this moment takes the place of the store now. */
  restored(from: number): void {
    this.#forgotten = { from, to: this.#time.now };
  }

  /** A cancel was answered as done. */
  cancelled(jobId: string): void {
    const job = this.#job(jobId);
    if (job === undefined) return;
    job.cancelledAt = this.#time.now;
    this.tested.cancels += 1;
  }

  /** A person has said that the rows of a cancelled job shall be sent after all. */
  applied(jobId: string): void {
    const job = this.#job(jobId);
    if (job !== undefined) job.cancelledAt = undefined;
  }

  /** A request of this process that changes something leaves now. */
  leaves(process: SimulatedProcess): Sent {
    const lane = this.#lanes.get(process);
    if (lane === undefined) {
      this.#violated(`process ${process.identity.started} sent something without a lane`);
      return { process, job: '', laneAt: 0, at: this.#time.now };
    }
    const { cancelledAt } = this.#job(lane.job) ?? {};
    if (cancelledAt !== undefined && cancelledAt < this.#time.now)
      this.#violated(
        `job ${this.#name(lane.job)} sent a row at ${this.#time.now}, cancelled at ${cancelledAt}`,
      );
    return { process, job: lane.job, laneAt: lane.at, at: this.#time.now };
  }

  /** A process was told what these items hold. @param shownAt when the server looked */
  read(process: SimulatedProcess, itemIds: string[], shownAt: number, way: Reading['way']): void {
    const reading = { at: this.#time.now, lateMs: this.#time.now - shownAt, way };
    for (const id of itemIds) this.#readings.set(`${process.identity.started} ${id}`, reading);
  }

  /** When the server last looked at an item for an answer that this process has had. */
  shownAt(process: SimulatedProcess, itemId: string | undefined): number | undefined {
    const reading = this.#readings.get(`${process.identity.started} ${itemId}`);
    return reading === undefined ? undefined : reading.at - reading.lateMs;
  }

  /** A person was told this of a row, and has its item get the values of the row. */
  meant(jobId: string, itemId: string, told: string): void {
    this.#meant.set(`${jobId} ${itemId}`, told);
  }

  /** What others have changed in the item stays. */
  left(jobId: string, itemId: string): void {
    this.#left.add(`${jobId} ${itemId}`);
  }

  /** Whether a process was told to overwrite what others have changed. */
  overwrites(process: SimulatedProcess): boolean {
    return this.#told.get(process)?.overwrites === true;
  }

  /** @param itemId of an update */
  consentOf(
    { process, job }: Sent,
    itemId: string | undefined,
  ): Pick<TimedRequest, 'overwrites' | 'agreed' | 'recheckMs' | 'mostChanges' | 'told' | 'theirs'> {
    const told = this.#meant.get(`${job} ${itemId}`);
    const { overwrites = false, agreed = false, recheckMs = 0, mostChanges } = this.#told.get(process) ?? {};
    return {
      recheckMs,
      ...(overwrites ? { overwrites } : {}),
      ...(agreed ? { agreed } : {}),
      ...(mostChanges === undefined ? {} : { mostChanges }),
      ...(told === undefined ? {} : { told }),
      ...(this.#left.has(`${job} ${itemId}`) ? { theirs: true as const } : {}),
    };
  }

  created(sent: Sent, made: ModelItem): void {
    const key = made.item.custom_fields?.[KEY];
    if (key === undefined) return;
    this.#makers.set(made, sent);
    const job = this.#job(sent.job);
    if (job?.mode !== 'upsert') return this.#createdBeside(made, key, sent);
    this.tested.keys += 1;
    const others = this.#server.items.filter(
      (each) =>
        each !== made &&
        !each.removed &&
        each.item.custom_fields?.[KEY] === key &&
        each.item.custom_fields?.[UNDONE] === undefined,
    );
    const wanted = this.#told.get(job.process)?.copiesOf(key) ?? 1;
    const there = others.filter(
      (each) =>
        each.madeAt <
        sent.laneAt -
          (each.by !== this.store
            ? (this.#told.get(sent.process)?.recheckMs ?? 0) + this.#server.lagMs + SLACK_MS
            : 0),
    );
    const [first] = there;
    if (first !== undefined && there.length >= wanted)
      this.#violated(
        `job ${this.#name(sent.job)} made key ${JSON.stringify(key)} again: ${first.item.id} was there since ${first.madeAt}, the lane was taken at ${sent.laneAt}`,
      );
    // Whoever begins while a create may still be applied, waits for it.
    const hasty = others.map((each) => this.#makers.get(each)).find((each) => (each?.laneAt ?? 0) > sent.at);
    if (hasty !== undefined && others.length >= wanted)
      this.#violated(
        `job ${this.#name(hasty.job)} made key ${JSON.stringify(key)} again: the lane was taken at ${hasty.laneAt}, and what left at ${sent.at} was applied at ${made.madeAt}`,
      );
  }

  /** A create does not look for its key, but waits for the upserts that may be making it. */
  #createdBeside(made: ModelItem, key: unknown, sent: Sent): void {
    const upsert = [...this.#makers].find(
      ([each, { job }]) =>
        each !== made &&
        !each.removed &&
        each.item.custom_fields?.[KEY] === key &&
        each.item.custom_fields?.[UNDONE] === undefined &&
        this.#job(job)?.mode === 'upsert',
    );
    if (upsert === undefined) return;
    const [there, { job }] = upsert;
    this.#violated(
      `job ${this.#name(sent.job)} made key ${JSON.stringify(key)}: job ${this.#name(job)} had made ${there.item.id} of it`,
    );
  }

  updated(sent: Sent, itemId: string, body: ItemUpdate, written: readonly FieldWrite[]): void {
    const job = this.#job(sent.job);
    job?.wanted.set(itemId, flat(this.#server.asStored(body)));
    const told = this.#told.get(sent.process);
    if (job === undefined || told === undefined) return;
    const plan = [...job.updates.values()].find((each) => each.itemId === itemId);
    const reading = this.#readings.get(`${sent.process.identity.started} ${itemId}`);
    if (job.kind === 'undo') this.tested.undone += 1;
    // Its page was read again while it waited for its turn.
    if (reading?.way === 'page' && reading.at > sent.laneAt + told.recheckMs) this.tested.pages += 1;
    for (const { field, value, over } of written) {
      if (over === undefined || over.by === this.store) continue;
      this.tested.edits += 1;
      // The plan knew of it, and was made to change it. What an undo takes back nobody else may have touched, but for one
      // who wanted it just so.
      const known =
        job.kind === 'undo'
          ? same(
              this.#job(job.undoes ?? '')
                ?.wanted.get(itemId)
                ?.get(field),
              over.value,
            )
          : same(plan?.before.get(field), over.value);
      if (known || told.overwrites || this.#meant.has(`${sent.job} ${itemId}`)) continue;
      const askedAt = plan?.askedAt ?? this.#time.now;
      const oldestMs = Math.max(told.recheckMs, JUST_READ_MS) + (reading?.lateMs ?? 0) + SLACK_MS;
      if (over.at >= askedAt - oldestMs) continue;
      this.#violated(
        `job ${this.#name(sent.job)} made ${field} of ${itemId} ${JSON.stringify(value)} (asked at ${askedAt}): ` +
          `somebody had made it ${JSON.stringify(over.value)} at ${over.at}, recheck ${told.recheckMs}`,
      );
    }
  }

  /** Everything that must hold once nothing happens any more. */
  async end(ledger: Ledger): Promise<LedgerRow[]> {
    const jobs = (await ledger.jobs.list()).filter((job) => job.state !== 'staging').reverse();
    for (const { id, cancelledAt } of this.jobs)
      if (cancelledAt !== undefined && !jobs.some((job) => job.id === id))
        this.#violated(`job ${this.#name(id)} is not listed any more, cancelled at ${cancelledAt}`);
    const all: LedgerRow[] = [];
    const creates = new Map<string, LedgerRow[]>();
    const owners = new Map<string, string>();
    const named = new Set<string>();
    for (const job of jobs) {
      const rows = await ledger.rows.list(job.id, { limit: 1000 });
      all.push(...rows);
      for (const row of rows) {
        this.#checkRow(job, row);
        if (row.itemId !== null) named.add(row.itemId);
      }
      const mayBeMade = ({ attempts, state }: LedgerRow) => attempts > 0 || state === 'held';
      for (const row of rows.filter((row) => row.action === 'create' && mayBeMade(row))) {
        if (row.input === null) continue;
        const content = this.#contentOf(job, row);
        creates.set(content, [...(creates.get(content) ?? []), row]);
        if (row.itemId === null || row.state !== 'done') continue;
        if (owners.has(row.itemId)) this.#violated(`item ${row.itemId} belongs to two rows`);
        owners.set(row.itemId, job.id);
      }
      const totals = rowTotals(await ledger.rows.counts(job.id));
      const { read, ...parts } = totals;
      const sum = Object.values(parts).reduce((one, other) => one + other, 0);
      if (read !== rows.length || sum !== rows.length)
        this.#violated(`the counts of job ${this.#name(job.id)} do not add up: ${JSON.stringify(totals)}`);
    }
    this.#checkItems(creates, owners, named);
    return all;
  }

  /** Of each content no more items than rows that were sent; and what no row owns, a row tells that a person must look. */
  #checkItems(
    creates: Map<string, LedgerRow[]>,
    owners: Map<string, string>,
    named: ReadonlySet<string>,
  ): void {
    // What a store has forgotten, it may find by its key, and change.
    const isFound = ({ item, madeAt }: ModelItem) =>
      named.has(item.id) &&
      !owners.has(item.id) &&
      madeAt >= this.#forgotten.from &&
      madeAt <= this.#forgotten.to + LATEST_MS;
    const made = new Map<string, ModelItem[]>();
    for (const each of this.#server.items)
      if (each.by === this.store && !isFound(each))
        made.set(each.content, [...(made.get(each.content) ?? []), each]);
    for (const [content, items] of made) {
      const rows = creates.get(content) ?? [];
      if (items.length > rows.length)
        this.#violated(`${items.length} items for ${rows.length} rows: ${content}`);
      const free = items.filter(({ item }) => !owners.has(item.id)).length;
      const told = rows.filter((row) => row.state !== 'done').length;
      if (free > told) this.#violated(`${free} items belong to no row, and ${told} rows say so: ${content}`);
    }
  }

  #checkRow(job: JobRecord, row: LedgerRow): void {
    const violation = (what: string) =>
      this.#violated(`row ${row.ordinal} of job ${this.#name(job.id)} is ${row.state}: ${what}`);
    const isOpen = job.dryRun || job.state === 'cancelled' || isParkedForGood(job);
    switch (row.state) {
      case 'done':
        if (row.action === 'create') this.#checkCreated(job, row, violation);
        else this.#checkUpdated(row, violation);
        return;
      case 'held':
      case 'skipped':
      case 'invalid':
        if (row.issues.length === 0) violation('without a cause');
        return;
      case 'refused':
        if (row.action === 'create' || this.#server.find(row.itemId ?? '') !== undefined)
          violation(`nothing refuses it: ${row.issues[0]?.message}`);
        return;
      case 'unchanged':
        return;
      default:
        if (!isOpen) violation(`which is no end (job ${job.state}: ${job.error?.message})`);
    }
  }

  #checkCreated(job: JobRecord, row: LedgerRow, violation: (what: string) => void): void {
    const found = this.#server.items.find(({ item }) => item.id === row.itemId);
    if (found === undefined) violation(`its item ${row.itemId} was never there`);
    else if (found.by !== this.store) violation(`its item ${row.itemId} is somebody else's`);
    else if (found.content !== this.#contentOf(job, row))
      violation(`its item ${row.itemId} has another content: ${found.content}`);
  }

  /** Each field that the row sets has been so at some time. */
  #checkUpdated(row: LedgerRow, violation: (what: string) => void): void {
    const found = this.#server.items.find(({ item }) => item.id === row.itemId);
    const { set = {}, before = {} } = JSON.parse(row.operation ?? '{}') as Partial<
      Record<'set' | 'before', object>
    >;
    const was = flat(before);
    for (const [field, value] of flat(this.#server.asStored(set))) {
      if (same(was.get(field), value)) continue;
      const writings = found?.writings.get(field) ?? [];
      const isNow = found !== undefined && same(fieldsOf(found.item).get(field), value);
      if (!isNow && !writings.some((each) => same(each.value, value)))
        violation(`${field} was never ${String(value)}`);
    }
  }

  #contentOf(job: JobRecord, row: LedgerRow): string {
    const { stamp } = job.request;
    return this.#server.contentOf(createBody(job, row, stamp));
  }

  #plans(
    jobId: string,
    { ordinal, itemId, operation }: Pick<NewRow, 'ordinal' | 'itemId' | 'operation'>,
  ): void {
    const job = this.#job(jobId);
    if (job === undefined || itemId === null || operation === null || job.updates.has(ordinal)) return;
    const { set, before } = JSON.parse(operation) as Partial<Record<'set' | 'before', object>>;
    if (set === undefined || before === undefined) return;
    job.updates.set(ordinal, { ordinal, itemId, before: flat(before), askedAt: 0 });
  }

  #job(id: string): JobSeen | undefined {
    return this.jobs.find((job) => job.id === id);
  }

  /** `import 2`: their ids are new in each run. */
  #name(id: string): string {
    const index = this.jobs.findIndex((job) => job.id === id);
    const { kind, mode } = this.jobs[index] ?? {};
    return `${index} (${kind} ${mode})`;
  }

  #violated(what: string): void {
    this.violations.push(what);
  }
}

/** The server does not keep the keys of its items, or a file lacks too much of its collection: nothing helps. */
export function isParkedForGood({ state, error, request, firstSentAt }: JobRecord): boolean {
  if (state === 'parked_refused') return error?.code === 'key_not_kept';
  return state === 'planned' && request.missing !== undefined && firstSentAt === undefined;
}

function flat(fields: Record<string, unknown> | object): Map<string, unknown> {
  return new Map(
    Object.entries(fields).flatMap(([field, value]): [string, unknown][] => {
      if (field === 'tags') return (value as string[]).map((tag) => [`tags.${tag}`, true]);
      if (field !== 'custom_fields') return [[field, value]];
      return Object.entries(value as object).map(([key, each]) => [`custom_fields.${key}`, each]);
    }),
  );
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
