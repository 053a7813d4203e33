/**
 * An export, from the API to a file:
 *
 *   query → completeness → columns → write → manifest
 *
 * Nothing appears before it is complete: after a failed export, the old file and its manifest are unchanged.
 */
import { basename } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { english, message, withActions } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { printAll } from '../where/where.ts';
import { VERSION } from '../packaged/version.ts';
import { ChangeState, finishChanges, type ProposedChanges } from './changes/change-state.ts';
import { type Changes, type ChangesSummary, decideTeam, onlyChanges } from './changes/only-changes.ts';
import { takesOf } from './layout/requirements.ts';
import type { KeyValues } from '../ledger/key-values.ts';
import type { SalesReading } from './row.ts';
import { dayOf, daysText, type Period, placeTime, readingNear } from './keep/period.ts';
import { EVERYTHING, isNearTurn, itemsOf, type Reading, Readings, ReadingTaker } from './keep/readings.ts';
import { keepReading } from './keep/sales-history.ts';
import { ExportSource, type SourceOptions } from './read/source.ts';
import { type Manifest, PREMISES, warned, writeManifest } from './verify/manifest.ts';
import type { WrittenExport } from './write/plain-output.ts';
import { StreamingOutput } from './write/streaming-output.ts';
import { type Query, resolveQuery, selectionOf } from './query.ts';
import { readRows, readSales, type Rows, whenRead } from './read/read-rows.ts';
import { checkRequest, type ExportRequest, type ExportResource } from './request.ts';
import { markOf } from './read/team.ts';
import { writeExport } from './write/write-export.ts';
import { defined } from '../base/defined.ts';

export interface ExportDeps extends SourceOptions {
  /** The store: with it, an interrupted export of items can continue. */
  values?: KeyValues;
  /**
   * The worker's run that delivers the file. Changes then count as delivered only when it calls finishChanges; without
   * a run, they count once the file is in place. A run that reads all items also keeps a reading of the inventory.
   */
  run?: string;
  /**
   * Whether a run of the worker may still deliver its file. While it may, no other file has its changes. Default: it may.
   */
  isOpenRun?: (run: string) => Promise<boolean>;
}

/** A file of an export. Paths are absolute. */
export interface ExportSummary {
  /** `-` if the rows went to a stream. */
  file: string;
  /** Number of rows written. */
  rows: number;
  /** Rows that the layout left out, because its recipient does not accept their values; absent if no row was left out. */
  leftOut?: number;
  /** Values that the layout's totals lack, because they are texts such as "12,50"; absent if they lack none. */
  notInTotals?: number;
  /** Cells left blank, because their texts are too long for a workbook; absent if there are none. */
  leftBlank?: number;
  /** `stable`: the count proves that no row is missing. `moved`: the list changed while it was read. */
  consistency: 'stable' | 'moved';
  /** How often the list was read from its first page to its last. */
  passes: number;
  /** Lower-case hex; null if `requireStable` prevented the file. */
  sha256: string | null;
  /** The manifest beside the file; null for a stream, and if `requireStable` prevented the file. */
  manifest: string | null;
}

/** An export, with the changes that its delivery settles. */
export interface MadeExport extends ExportSummary {
  /** With `changedSinceLast` and a `run`: pass it to finishChanges after the delivery. */
  told?: ProposedChanges;
}

/**
 * Reads, writes, and reports how complete the result is.
 *
 * With `requireStable`, a list that changed is not written: an existing file stays as it was, and the summary has
 * neither hash nor manifest (the caller then exits with code 3).
 *
 * @throws UsageError before anything is read (see checkRequest, resolveQuery); ApiError if an outage lasts longer than
 *   `patience`
 */
export async function exportResource(request: ExportRequest, deps: ExportDeps): Promise<MadeExport> {
  const checked = await checkRequest(request);
  await using source = new ExportSource(deps);

  const query = await resolveQuery(checked, source);
  const state = await openState(query, deps, source);
  await using streaming = StreamingOutput.fits(query) ? new StreamingOutput(query, source) : undefined;
  const taker = deps.run === undefined ? undefined : new ReadingTaker(isNearTurn(source.clock.now()));
  await using read = await readRows(query, source, {
    values: deps.values,
    changes: state,
    sink: streaming,
    every: taker,
  });
  const readAt = new Date(source.clock.now()).toISOString();
  const { consistency, passes } = read.reading;
  if (state?.isUndecided === true) {
    const { name } = state;
    if (!(await decideTeam(state, read, checked.became)))
      source.warn(message('changes_team_assumed', { name }));
    await checkDelivered(state, deps.isOpenRun);
  }
  await using changes =
    state === undefined
      ? undefined
      : await onlyChanges(state, read, {
          startedAt: source.startedAt,
          latest: read.reading.latest,
          became: checked.became,
          isFiltered:
            query.collectionId !== undefined ||
            checked.where.some(({ fields }) => fields.some((field) => field !== 'status')),
          takes: checked.layout === undefined ? undefined : takesOf(checked.layout, query.values),
          now: () => new Date(source.clock.now()).toISOString(),
        });
  if (changes?.summary.since === null) source.note(startOf(changes.summary));
  if (changes?.summary.became !== undefined && changes.summary.left > 0) {
    const { name, became: status, left: items } = changes.summary;
    source.warn(message('became_undone', { name, status, items }));
  }
  const rows = changes?.rows ?? read;
  const summary = { file: checked.file, rows: rows.count, consistency, passes };
  if (consistency === 'moved') source.warn(rows.reading.explanation);
  if (consistency === 'moved' && checked.requireStable) {
    await rows.done();
    return { ...summary, sha256: null, manifest: null };
  }
  if (checked.file === '-') {
    const written = await writeExport(query, rows, source);
    await rows.done();
    return { ...summary, ...rowsOf(rows, written), sha256: written.sha256, manifest: null };
  }
  const written = await placeChanges(changes, deps, () =>
    writeFile(query, rows, { changes, streaming }, source),
  );
  await rows.done();
  if (taker !== undefined && deps.values !== undefined && read.isWhole) {
    const { startedAt } = whenRead(source, read.resumed);
    const { team } = query;
    const readings = await Readings.open(deps.values, {
      target: deps.client.target,
      selection: EVERYTHING,
      team,
    });
    await readings.keep(taker.reading({ startedAt, at: readAt, team }), false);
  }
  return { ...summary, ...written };
}

export type ExportItemsOptions = Omit<ExportRequest, 'resource'> &
  Omit<ExportDeps, 'run'> & {
    /** Default `items`. */
    resource?: ExportResource;
  };

/**
 * Exports items (or listings, collections, sales) to CSV, XLSX or NDJSON; the file appears when it is complete.
 *
 * @throws UsageError if the request cannot be met, ApiError if the API fails; an existing file stays as it was
 */
export function exportItems(options: ExportItemsOptions): Promise<ExportSummary> {
  return exportResource({ resource: 'items', ...options }, options);
}

function startOf({ name, became }: ChangesSummary): Message {
  return became === undefined
    ? message('first_export_of_changes', { name })
    : message('first_export_of_became', { name, status: became });
}

/** Adds the changes to the state before the file is in place, and counts them as delivered afterwards. */
async function placeChanges(
  changes: Changes | undefined,
  { values, run }: ExportDeps,
  place: () => Promise<Placed>,
): Promise<Placed & { told?: ProposedChanges }> {
  if (changes === undefined || values === undefined) return place();
  const proposed = await changes.propose();
  if (proposed === undefined) return place();
  try {
    const placed = await place();
    if (run !== undefined) return { ...placed, told: proposed };
    await finishChanges(values, proposed, true);
    return placed;
  } catch (error) {
    await finishChanges(values, proposed, false);
    throw error;
  }
}

/** The number of rows in the file, without rows that its layout left out. */
function rowsOf(rows: Rows, { leftOut = 0, notInTotals, leftBlank }: WrittenExport): Counts {
  return {
    rows: rows.count - leftOut,
    ...(leftOut === 0 ? {} : { leftOut }),
    ...(notInTotals === undefined ? {} : { notInTotals }),
    ...(leftBlank === undefined ? {} : { leftBlank }),
  };
}

type Counts = Pick<ExportSummary, 'rows' | 'leftOut' | 'notInTotals' | 'leftBlank'>;

interface Placed extends Counts {
  sha256: string;
  manifest: string;
}

/** Writes the file, then its manifest. */
async function writeFile(
  query: Query,
  rows: Rows,
  { changes, streaming }: { changes: Changes | undefined; streaming: StreamingOutput | undefined },
  source: ExportSource,
): Promise<Placed> {
  const written = await writeExport(query, rows, source, streaming?.take());
  const reading = whenRead(source, rows.resumed);
  const { manifest } = await writeManifest(query.request.file, (bytes) => ({
    ...describe(query, rows, written),
    bytes,
    ...(changes === undefined ? {} : { changes: changes.summary }),
    ...reading,
    ...warned(source.warnings),
  }));
  return { ...rowsOf(rows, written), sha256: written.sha256, manifest };
}

/**
 * The sales summary as data: the contract's fields, and the time of the reading by our clock. The store, if any, keeps
 * it for the history in reports.
 *
 * @throws ApiError if an outage lasts longer than `patience`
 */
export async function readSalesSummary(deps: ExportDeps): Promise<SalesReading> {
  await using source = new ExportSource(deps);
  const reading = await readSales(source);
  if (deps.values !== undefined) {
    const owner = { target: deps.client.target, team: await markOf(source) };
    await keepReading(deps.values, owner, reading);
  }
  return reading;
}

async function openState(
  query: Query,
  { client, values, run, isOpenRun }: ExportDeps,
  source: ExportSource,
): Promise<ChangeState | undefined> {
  const { changedSinceLast, resource, statuses, where, became, since } = query.request;
  if (changedSinceLast === undefined) return undefined;
  if (values === undefined) {
    throw new UsageError('changes_need_store', message('changes_need_store', {}));
  }
  const filters = [
    ...(statuses === undefined
      ? []
      : [`${became !== undefined ? 'what came to ' : ''}status ${[...statuses].sort().join(',')}`]),
    // The same id, however the collection was named.
    ...(query.collectionId === undefined ? [] : [`collection ${query.collectionId}`]),
    ...(where.length === 0 ? [] : [printAll(where)]),
  ];
  const state = await ChangeState.open(values, {
    name: changedSinceLast,
    scope: [client.target, resource],
    team: query.team,
    selection: filters.length === 0 ? `all ${resource}` : filters.join(' and '),
    run,
    now: source.clock.now(),
  });
  await checkDelivered(state, isOpenRun);
  if (became === undefined || !state.isNew) return state;
  const owner = {
    target: client.target,
    selection: EVERYTHING,
    team: query.team,
  };
  const readings = (await (await Readings.open(values, owner)).all()).filter(({ pieces }) => pieces);
  if (since !== undefined) source.note(await startAt(since, readings, { state, became }));
  else if (readings.length > 0) source.note(earlierStart(readings, query.request.timeZone));
  return state;
}

/** @throws ShelfliftError `changes_undelivered` */
async function checkDelivered(state: ChangeState, isOpenRun: ExportDeps['isOpenRun']): Promise<void> {
  for (const other of state.deliverers)
    if ((await isOpenRun?.(other)) !== false) throw state.undelivered(other);
}

/**
 * Starts a name with the items of a reading, as if an earlier file had reported them, and says when it was made:
 * a day with one reading begins late.
 *
 * @throws UsageError `no_reading`
 */
async function startAt(
  { start, timeZone }: Period,
  readings: readonly Reading[],
  { state, became }: { state: ChangeState; became: string },
): Promise<Message> {
  const reading = readingNear(readings, start, timeZone, (each) => each);
  const ids: string[] = [];
  for await (const [id, , status] of itemsOf(reading)) if (status === became) ids.push(id.toLowerCase());
  state.startFrom(ids, reading.startedAt);
  const startedAt = Date.parse(reading.startedAt);
  return message('starts_with_reading', {
    at: placeTime(startedAt, timeZone),
    status: became,
    late: startedAt > start,
  });
}

/** A starting point counts once it is set, so an earlier starting point needs another name. */
function earlierStart(readings: readonly Reading[], timeZone: string): Message {
  const days = readings.map(({ at }) => dayOf(Date.parse(at), timeZone));
  return withActions(message('earlier_start_known', { days: daysText(days) }), {
    do: 'setOption',
    label: message('to_begin_earlier', {}),
    option: 'since',
    value: days.at(-1) ?? '',
    also: { 'changed-since-last': 'NAME' },
  });
}

type Described = Omit<
  Manifest,
  'bytes' | 'changes' | 'apiUrl' | 'startedAt' | 'endedAt' | 'resumed' | 'requests' | 'warnings' | 'said'
>;

function describe(query: Query, rows: Rows, written: WrittenExport): Described {
  const { request } = query;
  const { reading } = rows;
  const { values, statuses } = written.kept ?? rows;
  return {
    manifest: 1,
    shelflift: VERSION,
    resource: request.resource,
    file: basename(request.file),
    command: request.command,
    format: request.format,
    ...(request.format === 'csv'
      ? { delimiter: request.delimiter, decimal: request.decimal, bom: request.bom }
      : {}),
    sha256: written.sha256,
    ...rowsOf(rows, written),
    ...(written.totalsRows === undefined || written.totalsRows === 0
      ? {}
      : { totalsRows: written.totalsRows }),
    ...defined({ layout: request.layout, columns: written.columns }),
    ...selectionOf(query),
    ...(request.columns === undefined ? {} : { columnsAsked: [...request.columns] }),
    ...(values === undefined ? {} : { values: values.texts() }),
    ...(written.amounts === undefined ? {} : { amounts: written.amounts }),
    ...(statuses === undefined ? {} : { statuses: Object.fromEntries(statuses) }),
    consistency: reading.consistency,
    passes: reading.passes,
    premise: PREMISES[request.resource],
    explanation: english(reading.explanation),
    seen: {
      distinct: reading.distinct,
      countBefore: reading.counts.before,
      countAfter: reading.counts.after,
      createdMeanwhile: reading.createdMeanwhile,
      removedAtLeast: reading.removedAtLeast,
      missingAtMost: reading.missingAtMost,
    },
    ...(rows.listings === undefined ? {} : { listings: rows.listings }),
  };
}
