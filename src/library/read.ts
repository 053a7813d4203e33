/** The reading methods of a shelf: lists as objects, files, reports as data. */
import type { ApiClient } from '../api/client.ts';
import { waitsOf } from '../api/outage.ts';
import type { Collection, Item } from '../api/resources.ts';
import { ShelfliftError } from '../base/errors.ts';
import type { ExportSummary } from '../export/export.ts';
import type { ExportEvent } from '../export/read/source.ts';
import type { LiveComparison } from '../export/verify/verify-live.ts';
import { interruptedOr } from '../import/job/interrupted.ts';
import type { DuplicateGroup } from '../import/similar/find-duplicates.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { checked } from './check.ts';
import { Given } from './given.ts';
import type { DupesOptions, ExportOptions, ItemQuery, ListOptions, ReportOptions } from './options.ts';
import type { Report } from './report.ts';
import { streamFailed } from './stream-failed.ts';
import { StreamTarget } from './stream-target.ts';
import { english, message } from '../messages/message.ts';
import { Runs } from '../worker/queue/runs.ts';

/** The completeness of a list that was read. */
export interface ListSummary {
  /** Number of entries that pass the query. */
  rows: number;
  /** `stable`: the count proves that no row is missing. `moved`: the list changed while it was read. */
  consistency: 'stable' | 'moved';
  /** How often the list was read from its first page to its last. */
  passes: number;
  /** A sentence: the proof, or the items that may be missing. */
  explanation: string;
}

/**
 * A list that can be iterated once. It is read completely before the first entry is returned, because only then does
 * the count prove that no entry is missing.
 */
export interface List<Entry> extends AsyncIterable<Entry> {
  /** The completeness of the list; undefined until the first entry is returned. */
  readonly summary: ListSummary | undefined;
}

/** The parts of a shelf that reading needs. */
export interface Reading {
  client: ApiClient;
  ledger: Ledger;
  signal: AbortSignal;
}

type Resource = 'items' | 'listings' | 'collections';

/** The list rejects with a UsageError for invalid options, before anything is read. */
export function listOf<Entry extends Item | Collection>(
  resource: Resource,
  options: (ItemQuery & ListOptions) | undefined,
  reading: Reading,
): List<Entry> {
  const list = { summary: undefined as ListSummary | undefined, [Symbol.asyncIterator]: entries };
  return list;

  async function* entries(): AsyncGenerator<Entry, void> {
    const {
      signal: outside,
      waitMs,
      requireStable = false,
      onEvent,
      ...query
    } = checked(resource, Given.List, options);
    const signal = outside === undefined ? reading.signal : AbortSignal.any([outside, reading.signal]);
    try {
      const { openRows } = await import('../export/read/open-rows.ts');
      const { client, ledger } = reading;
      await using rows = await openRows(
        { resource, ...query },
        {
          client,
          knownItems: ledger.items,
          signal,
          patience: waitsOf(waitMs),
          ...(onEvent === undefined ? {} : { onEvent }),
        },
      );
      const { consistency, passes, explanation } = rows.reading;
      list.summary = { rows: rows.count, consistency, passes, explanation: english(explanation) };
      if (requireStable && consistency === 'moved')
        throw new ShelfliftError('list_moved', message('list_moved', { explanation }));
      for await (const batch of rows.batches()) yield* batch as Entry[];
    } catch (error) {
      throw interruptedOr(error, signal);
    }
  }
}

/** The context of a run that reads. */
export interface ReadContext extends Reading {
  emit: (event: ExportEvent) => void;
}

export async function writeExport(options: ExportOptions, context: ReadContext): Promise<ExportSummary> {
  const {
    signal: _,
    waitMs,
    out,
    resource = 'items',
    template,
    ...request
  } = checked('export', Given.Export, options);
  const { exportResource } = await import('../export/export.ts');
  const { client, ledger, signal, emit } = context;
  const runs = new Runs(ledger);
  using stream =
    typeof out === 'string'
      ? undefined
      : new StreamTarget(out as Exclude<ExportOptions['out'], string>, signal);
  try {
    return await exportResource(
      {
        ...request,
        resource,
        ...(template === undefined ? {} : { template }),
        ...(stream === undefined ? { out: out as string } : { out: '-', stream: stream.writable }),
      },
      {
        client,
        values: ledger.values,
        knownItems: ledger.items,
        isOpenRun: (id) => runs.isOpen(id),
        signal,
        onEvent: emit,
        patience: waitsOf(waitMs),
      },
    );
  } catch (error) {
    const isOfStream = error !== null && error === stream?.writable.errored && !signal.aborted;
    throw isOfStream ? streamFailed('out', error) : error;
  }
}

export async function makeReport(options: ReportOptions, context: ReadContext): Promise<Report> {
  const { signal: _, waitMs, kind, ...request } = checked('report', Given.Report, options);
  const { makeReport: make } = await import('../reports/report.ts');
  const { reportData } = await import('./report.ts');
  const { client, ledger, signal, emit } = context;
  const deps = {
    client,
    values: ledger.values,
    knownItems: ledger.items,
    signal,
    onEvent: emit,
    patience: waitsOf(waitMs),
  };
  return reportData(await make({ report: kind, ...request }, deps));
}

/** Groups of items that look the same. */
export interface Duplicates {
  /** Largest first. */
  groups: DuplicateGroup[];
  /** Number of items read. */
  items: number;
  /** Number of pairs of names that were compared (`close`). */
  compared: number;
  /** The written file, if requested. */
  file?: string;
}

export async function findDupes(
  options: DupesOptions | undefined,
  context: ReadContext,
): Promise<Duplicates> {
  const { signal: _, waitMs, out, suggest, ...request } = checked('dupes', Given.Dupes, options);
  const { client, signal, emit } = context;
  const [{ findDuplicates }, { formatOf, writeDuplicates }] = await Promise.all([
    import('../import/similar/find-duplicates.ts'),
    import('../import/similar/write-duplicates.ts'),
  ]);
  // Refused before the list is read.
  if (out !== undefined) formatOf(out);
  const found = await findDuplicates({
    ...request,
    client,
    signal,
    patience: waitsOf(waitMs),
    onWarning: (said) => emit({ type: 'warning', message: english(said), said }),
    onRead: (items) => emit({ type: 'read', rows: items, seen: items }),
    onRetry: ({ message: text, said }, tryNumber, wait) =>
      emit({ type: 'retry', tryNumber, waitMs: wait, message: text, said }),
  });
  if (out === undefined) return found;
  await writeDuplicates(found, { out, ...(suggest === undefined ? {} : { suggest }) });
  return { ...found, file: out };
}

export async function compareFile(
  file: string,
  { client, ledger, signal, emit }: ReadContext,
): Promise<LiveComparison> {
  const [{ verifyExport }, { compareLive }] = await Promise.all([
    import('../export/verify/verify.ts'),
    import('../export/verify/verify-live.ts'),
  ]);
  return compareLive(await verifyExport(file), {
    client,
    signal,
    onEvent: emit,
    values: ledger.values,
    knownItems: ledger.items,
  });
}
