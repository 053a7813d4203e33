/** Reads the rows of a query, and keeps them until they are written. */
import { message } from '../../messages/message.ts';
import { UsageError } from '../../base/errors.ts';
import type { Collection, Item } from '../../api/schemas.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { type ChunkStore, FileChunks } from '../keep/chunk-store.ts';
import type { Row, SalesReading } from '../row.ts';
import type { ChangeState } from '../changes/change-state.ts';
import { isOld, KeptExport, keptName, type KeptState, sweepKept } from '../keep/kept-export.ts';
import { KeptRows, type RowSink } from '../keep/kept-rows.ts';
import { keepReading } from '../keep/sales-history.ts';
import type { LoadPage } from '../../listing/list-counter.ts';
import { PageSpool } from '../keep/page-spool.ts';
import { matches, type Query } from '../query.ts';
import { LateItems } from './late-items.ts';
import { readItems, type ReadItemsOptions, type ListReading } from '../../listing/read-items.ts';
import { type ListingsComparison, readListings } from '../../listing/read-listings.ts';
import { readPasses } from '../../listing/read-passes.ts';
import type { ExportSource } from './source.ts';
import { keyOfTeam, sameMark } from './team.ts';
import type { Manifest } from '../verify/manifest.ts';
import type { ValueTotals } from '../write/value-totals.ts';

/** A kill may lose pages that were read within this time, ms. */
const FLUSH_AFTER_MS = 2000;

/**
 * Number of items that a team had at the last reading, by the lane of its key: starting there to look for the end of
 * the list saves most requests of the first count.
 */
const LENGTHS = 'list-lengths';

/** Rows that were read and pass the filters. Closing it leaves nothing behind except the pages in the store. */
export interface Rows extends AsyncDisposable {
  count: number;
  reading: ListReading;
  /** Names of the custom fields in the rows. */
  customFields: ReadonlySet<string>;
  /** Items and listings: rows by status. */
  statuses: ReadonlyMap<string, number> | undefined;
  /** Items and listings: sums of the values, by currency. */
  values: ValueTotals | undefined;
  /** Items that the last export of the same name had and that are no longer wanted. */
  left: readonly Item[];
  listings: ListingsComparison | undefined;
  /** The interrupted run that this one continued. */
  resumed: Pick<KeptState, 'startedAt' | 'firstRequest' | 'rows'> | undefined;
  /** Whether `every` received all items, and the list is known to be complete. */
  isWhole: boolean;
  /** In the order in which they were read. */
  batches(): AsyncIterable<Row[]>;
  /** Call this once the file is in place: the store deletes the rows, and keeps a sales reading for reports. */
  done(): Promise<void>;
}

export interface ReadOptions {
  /** The store; without it, an interrupted export starts over. */
  values?: KeyValues | undefined;
  /** The changes that earlier exports of the same name reported. */
  changes?: ChangeState | undefined;
  /** Also receives the rows while they are read. */
  sink?: RowSink | undefined;
  /** Receives all items while they are read, wanted or not. */
  every?: RowSink | undefined;
}

export async function readRows(
  query: Query,
  source: ExportSource,
  { values, changes, sink, every }: ReadOptions = {},
): Promise<Rows> {
  const kept = values === undefined ? undefined : await takePlace(query, source, values);
  const chunks: ChunkStore = kept ?? new FileChunks();
  const spool = new PageSpool<Row>(
    chunks,
    kept === undefined ? {} : { flushAfter: { ms: FLUSH_AFTER_MS, clock: source.clock } },
  );
  const rows = new KeptRows({
    spool,
    sink,
    every,
    matches: (item) => matches(query, item),
    left: (item) => changes?.mayHave(item.id.toLowerCase()) === true,
    keepSeen: kept !== undefined,
    onRows: (count, seen) => source.emit({ type: 'read', rows: count, seen }),
  });
  try {
    if (kept !== undefined) {
      rows.before = await usable(kept, query, source, changes);
      query.where.recall(rows.before?.customFields ?? []);
      kept.describeBy(() => stateOf(rows, query, source, changes));
    }
    const { reading, comparison, sales } = await readResource(query, source, rows, spool, values);
    await spool.settled();
    query.where.check((said) => source.warn(said));
    const { resource } = query.request;
    const areItems = resource === 'items' || resource === 'listings';
    return {
      count: rows.tally.rows,
      reading,
      customFields: rows.tally.customFields,
      statuses: areItems ? rows.tally.statuses : undefined,
      values: areItems ? rows.tally.values : undefined,
      left: rows.left,
      listings: comparison,
      resumed: rows.before,
      isWhole: resource === 'items' && rows.isEvery && reading.consistency === 'stable',
      async *batches() {
        for await (const { data } of spool.pages()) yield data;
      },
      async done() {
        await kept?.done();
        if (sales === undefined || values === undefined) return;
        await keepReading(values, { target: source.api.target, team: query.team }, sales);
      },
      async [Symbol.asyncDispose]() {
        await spool[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    try {
      if (kept !== undefined && rows.checkpoint !== undefined && !(error instanceof UsageError)) {
        await spool.flush();
        source.emit({ type: 'kept', rows: rows.tally.rows });
      }
    } finally {
      await spool[Symbol.asyncDispose]();
    }
    throw error;
  }
}

/** The sales summary, and the time of the reading. */
export async function readSales(source: ExportSource): Promise<SalesReading> {
  const summary = await source.sales();
  return { ...summary, reported_at: new Date(source.clock.now()).toISOString() };
}

/** Only reading the list of items can be resumed; the other lists are short and are read from end to end. */
async function takePlace(
  query: Query,
  source: ExportSource,
  values: KeyValues,
): Promise<KeptExport | undefined> {
  const { resource, statuses, where, changedSinceLast } = query.request;
  if (resource !== 'items') return undefined;
  const now = source.clock.now();
  await sweepKept(values, now);
  const wanted = [
    source.api.target,
    keyOfTeam(query.team),
    [...(statuses ?? [])].sort(),
    query.collectionId ?? null,
    where.map(({ text }) => text).sort(),
    changedSinceLast ?? null,
  ];
  return KeptExport.take(values, keptName(wanted), now);
}

/**
 * The pages of an interrupted run, if they can be used: pages of another team, pages from days ago, and pages older
 * than changes reported since, which would be reported again, are not used.
 */
async function usable(
  kept: KeptExport,
  query: Query,
  source: ExportSource,
  changes: ChangeState | undefined,
): Promise<KeptState | undefined> {
  const state = await kept.read();
  const fits =
    state !== undefined &&
    !query.request.fresh &&
    sameMark(state.team, query.team) === true &&
    state.changes === (changes?.id ?? null) &&
    !isOld(state, source.clock.now());
  if (fits) {
    source.emit({ type: 'resumed', rows: state.rows, startedAt: new Date(state.startedAt) });
    return state;
  }
  if (state !== undefined) await kept.clear();
  return undefined;
}

/** undefined until the list has been counted, because there is nothing to resume. */
function stateOf(rows: KeptRows, query: Query, source: ExportSource, changes: ChangeState | undefined) {
  const { checkpoint, before } = rows;
  if (checkpoint === undefined) return undefined;
  return {
    startedAt: before?.startedAt ?? source.startedAt,
    firstRequest: before?.firstRequest ?? source.requestIds.first,
    team: query.team,
    changes: changes?.id ?? null,
    rows: rows.tally.rows,
    customFields: [...query.where.names],
    checkpoint,
  };
}

async function readResource(
  query: Query,
  source: ExportSource,
  rows: KeptRows,
  spool: PageSpool<Row>,
  values: KeyValues | undefined,
): Promise<{ reading: ListReading; comparison?: ListingsComparison; sales?: SalesReading }> {
  const { resource } = query.request;
  const onPass = (pass: number) => source.emit({ type: 'pass', pass });
  if (resource === 'listings') {
    const { listings: load, isOutdated } = source;
    const read = await readListings({ load, sink: rows, onPass, isOutdated }, (status) =>
      source.itemsOf(status),
    );
    return { ...read, reading: source.withDoubt(read.reading) };
  }
  if (resource === 'collections') {
    const sink = { add: (collections: readonly Collection[]) => rows.keep(collections) };
    return readPasses({ load: source.collections, sink, onPass });
  }
  if (resource === 'sales') {
    const sales = await readSales(source);
    await rows.keep([sales]);
    return { reading: ONE_ANSWER, sales };
  }
  const load: LoadPage<Item> = source.items;
  const { laneId } = source.api;
  const known = await values?.get(LENGTHS, laneId);
  const late = await LateItems.open(source, query.team.collections, values);
  const options: ReadItemsOptions<Item> = {
    load: async (page, perPage) => {
      const answer = await load(page, perPage);
      late.shown(answer.data);
      return answer;
    },
    sink: rows,
    isOutdated: source.isOutdated,
    concurrency: source.concurrency,
    onCount: (entries) => source.emit({ type: 'counted', entries }),
    onPass,
    rest: source.rest,
    near: known === undefined ? undefined : Number(known),
  };
  if (rows.before !== undefined) {
    const { checkpoint } = rows.before;
    options.resume = { checkpoint, read: recalled(spool, rows, late, source) };
    rows.checkpoint = checkpoint;
  }
  const reading = await readItems(options);
  const length = String(reading.counts.after ?? '');
  if (length !== '' && length !== known) {
    await values?.put(LENGTHS, [{ key: laneId, value: length }], 'soon');
  }
  return { reading: source.withDoubt(await late.judge(reading)) };
}

async function* recalled(
  spool: PageSpool<Row>,
  rows: KeptRows,
  late: LateItems,
  source: ExportSource,
): AsyncGenerator<Item[], void> {
  for await (const page of spool.pages()) {
    const items = await rows.recall(page);
    late.shown(items);
    source.recalled(items);
    yield items;
  }
}

const ONE_ANSWER: ListReading = {
  consistency: 'stable',
  passes: 1,
  distinct: 1,
  counts: { before: null, after: null },
  createdMeanwhile: 0,
  removedAtLeast: 0,
  missingAtMost: 0,
  latest: null,
  explanation: message('summary_in_one_response', {}),
};

/** The time and source of the reading, for a manifest. */
export function whenRead(
  source: ExportSource,
  resumed: Rows['resumed'],
): Pick<Manifest, 'apiUrl' | 'startedAt' | 'endedAt' | 'resumed' | 'requests'> {
  const { first, last } = source.requestIds;
  return {
    apiUrl: source.api.apiUrl,
    startedAt: resumed?.startedAt ?? source.startedAt,
    endedAt: new Date(source.clock.now()).toISOString(),
    ...(resumed === undefined ? {} : { resumed: { rows: resumed.rows, at: source.startedAt } }),
    requests: { first: resumed?.firstRequest ?? first, last },
  };
}
