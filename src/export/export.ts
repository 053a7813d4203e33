/**
 * An export, from the API to a file:
 *
 *   query → completeness → columns → write → manifest
 *
 * Nothing appears before it is complete: a failed export leaves the old file, and its manifest, as they were.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ApiClient } from '../api/client.ts';
import { type Clock, systemClock } from '../clock.ts';
import { UsageError } from '../errors.ts';
import { ChangeState } from './changes/change-state.ts';
import { onlyChanges } from './changes/only-changes.ts';
import type { KeyValues } from '../ledger/key-values.ts';
import type { SalesReading } from './row.ts';
import { keepReading } from './keep/sales-history.ts';
import { ExportSource, type ExportEvent } from './read/source.ts';
import { manifestPath, type Manifest, PREMISES, shelfliftVersion, writeManifest } from './verify/manifest.ts';
import type { Patience } from '../listing/retry-reads.ts';
import type { WrittenExport } from './write/plain-output.ts';
import { type Query, resolveQuery } from './query.ts';
import { readRows, readSales, type Rows } from './read/read-rows.ts';
import { type CheckedRequest, checkRequest, type ExportRequest } from './request.ts';
import { collectionIds, teamOf } from './read/team.ts';
import { writeRows } from './write/write-rows.ts';

export interface ExportDeps {
  client: ApiClient;
  /** The store: with it, an export of items that is interrupted goes on where it was. */
  values?: KeyValues;
  signal?: AbortSignal;
  /** Progress, retries and warnings: nothing is printed here. */
  onEvent?: (event: ExportEvent) => void;
  /** How long an outage may last. Default: 30 s before the first answer, 10 minutes after it. */
  patience?: Patience;
  /** Only to wait and to show. Default: the system's. */
  clock?: Clock;
}

/** The summary of DESIGN §2. Paths are absolute. */
export interface ExportSummary {
  /** `-` where the rows went to a stream. */
  file: string;
  rows: number;
  consistency: 'stable' | 'moved';
  /** Readings of the list from its first page to its last. */
  passes: number;
  /** Lower-case hex; null where `requireStable` kept the file from being written. */
  sha256: string | null;
  /** null for a stream, and where `requireStable` kept the file from being written. */
  manifest: string | null;
}

/**
 * Reads, writes, and says what is promised of the result.
 *
 * With `requireStable`, a list that moved is not written: an older file stays as it was, and the summary has
 * neither hash nor manifest (the caller's exit code is 3 then).
 *
 * @throws UsageError before anything is read (see checkRequest, resolveQuery); ApiError where an outage outlasts `patience`
 */
export async function exportResource(request: ExportRequest, deps: ExportDeps): Promise<ExportSummary> {
  const clock = deps.clock ?? systemClock;
  const checked = await checkRequest(request);
  await using source = openSource(deps, clock);

  const query = await resolveQuery(checked, source);
  const state = await openState(checked, deps);
  await using read = await readRows(query, source, deps.values, state?.items);
  const { consistency, passes } = read.reading;
  await using changes =
    state === undefined
      ? undefined
      : await onlyChanges(state, read, { startedAt: source.startedAt, latest: read.reading.latest });
  const rows = changes?.rows ?? read;
  const summary = { file: checked.file, rows: rows.count, consistency, passes };
  if (consistency === 'moved') source.warn(rows.reading.explanation);
  if (consistency === 'moved' && checked.requireStable) {
    await rows.done();
    return { ...summary, sha256: null, manifest: null };
  }
  const written = await writeRows(query, rows, source);
  if (checked.file === '-') {
    await rows.done();
    return { ...summary, sha256: written.sha256, manifest: null };
  }
  const manifest = manifestPath(checked.file);
  const endedAt = new Date(clock.now()).toISOString();
  await writeManifest(manifest, {
    ...(await describe(query, rows, written)),
    ...(changes === undefined ? {} : { changes: changes.summary }),
    apiUrl: deps.client.apiUrl,
    startedAt: rows.resumed?.startedAt ?? source.startedAt,
    endedAt,
    ...(rows.resumed === undefined ? {} : { resumed: { rows: rows.resumed.rows, at: source.startedAt } }),
    requests: {
      first: rows.resumed?.firstRequest ?? source.requestIds.first,
      last: source.requestIds.last,
    },
    warnings: source.warnings,
  });
  await rows.done();
  if ((await changes?.commit()) === false) {
    source.warn(
      `Another export of the changes of ${checked.changedSinceLast} ended meanwhile: the next one starts from there.`,
    );
  }
  return { ...summary, sha256: written.sha256, manifest };
}

/**
 * The sales summary as data: the contract's fields and when they were read, by our clock. The store, where there is
 * one, keeps it for the history that reports show.
 * @throws ApiError where an outage outlasts `patience`
 */
export async function readSalesSummary(deps: ExportDeps): Promise<SalesReading> {
  await using source = openSource(deps, deps.clock ?? systemClock);
  const reading = await readSales(source);
  if (deps.values !== undefined) {
    const owner = { target: deps.client.target, collections: await collectionIds(source) };
    await keepReading(deps.values, owner, reading);
  }
  return reading;
}

async function openState(
  { changedSinceLast, resource, statuses, collection, layout }: CheckedRequest,
  { client, values }: ExportDeps,
): Promise<ChangeState | undefined> {
  if (changedSinceLast === undefined) return undefined;
  if (values === undefined) {
    throw new UsageError(
      'changes_need_store',
      'There is no store to remember what an export of changes held.',
    );
  }
  const filters = [
    ...(statuses === undefined ? [] : [`status ${[...statuses].sort().join(',')}`]),
    ...(collection === undefined ? [] : [`collection ${collection}`]),
    ...(layout?.filter === undefined
      ? []
      : [`what the filter ${JSON.stringify(layout.filter)} lets through`]),
  ];
  const selection = filters.length === 0 ? `all ${resource}` : filters.join(' and ');
  return ChangeState.open(values, changedSinceLast, [client.target, resource], selection);
}

function openSource({ client, signal, onEvent, patience }: ExportDeps, clock: Clock): ExportSource {
  return new ExportSource(client, clock, signal, onEvent, patience);
}

type Described = Omit<
  Manifest,
  'changes' | 'apiUrl' | 'startedAt' | 'endedAt' | 'resumed' | 'requests' | 'warnings'
>;

async function describe(query: Query, rows: Rows, written: WrittenExport): Promise<Described> {
  const { request } = query;
  const { reading } = rows;
  return {
    manifest: 1,
    shelflift: shelfliftVersion(),
    resource: request.resource,
    file: basename(request.file),
    format: request.format,
    ...(request.format === 'csv'
      ? { delimiter: request.delimiter, decimal: request.decimal, bom: request.bom }
      : {}),
    bytes: (await stat(request.file)).size,
    sha256: written.sha256,
    rows: rows.count,
    ...(written.totalsRows === undefined || written.totalsRows === 0
      ? {}
      : { totalsRows: written.totalsRows }),
    ...(request.layout === undefined ? {} : { layout: request.layout }),
    ...(written.columns === undefined ? {} : { columns: written.columns }),
    filters: {
      ...(request.statuses === undefined ? {} : { status: [...request.statuses] }),
      ...(query.collectionId === undefined ? {} : { collection: query.collectionId }),
    },
    team: query.teamCollections === null ? null : teamOf(query.teamCollections),
    ...(request.columns === undefined ? {} : { columnsAsked: [...request.columns] }),
    ...(rows.values === undefined ? {} : { values: rows.values.texts() }),
    ...(rows.statuses === undefined ? {} : { statuses: Object.fromEntries(rows.statuses) }),
    consistency: reading.consistency,
    passes: reading.passes,
    premise: PREMISES[request.resource],
    explanation: reading.explanation,
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
