/** The entry point: a shelf is an API with its key and the store of its jobs, and has a method for every task. */
import { type ApiClient, type Client, type ClientOptions, createClient } from '../api/client.ts';
import { text } from '../base/option.ts';
import { byHand, message } from '../messages/message.ts';
import type { Collection, Item } from '../api/resources.ts';
import type { RunOptions } from '../import/job/options.ts';
import type { ChangeRow } from '../import/review/change-rows.ts';
import type { Explained } from '../import/history/explain-item.ts';
import type { LiveComparison } from '../export/verify/verify-live.ts';
import { z } from 'zod';
import { aFunction, callWrong, checked, milliseconds, optionMissing } from './check.ts';
import type { ShelfEvent } from './events.ts';
import { jobDeps, type ShelfContext, splitRun } from './job-deps.ts';
import { type Jobs, jobsOf, undo } from './jobs.ts';
import { unwrapLedger, type Ledger, openLedger } from './ledger.ts';
import { Given } from './given.ts';
import { changesOf, type ItemChanges } from './item-changes.ts';
import type {
  DupesOptions,
  ExportOptions,
  ImportOptions,
  ItemQuery,
  ListOptions,
  ReportOptions,
  SendOptions,
  SetOptions,
  UndoOptions,
} from './options.ts';
import type { ExportSummary } from '../export/export.ts';
import {
  compareFile,
  type Duplicates,
  findDupes,
  type List,
  listOf,
  makeReport,
  type ReadContext,
  writeExport,
} from './read.ts';
import type { Report } from './report.ts';
import { endOf, type JobResult } from './result.ts';
import { Results } from './results.ts';
import type { Run } from './run.ts';
import { mapRun, Running } from './running.ts';
import {
  type FileRow,
  type FileSource,
  type ImportSource,
  type RowsSource,
  type StreamSource,
  withSource,
} from './source.ts';
import { expecting } from '../base/schema-words.ts';
import { defined } from '../base/defined.ts';

/** The API, the key, and the store. */
export interface OpenOptions extends Omit<ClientOptions, 'onPause'> {
  /**
   * The store: path of an SQLite file, which is created if it does not exist; `postgres://…`; `:memory:`; or the result
   * of openLedger. Keep the store: without it, a job cannot be resumed, and a repeated import is not recognised.
   */
  store: string | Ledger;
}

/** The changes of `set`: an object of fields, or texts such as `status=sold`, as on the command line. */
export type SetChanges = ItemChanges | readonly string[];

/** The changes of a plan that is not an import. */
export type ChangeSource =
  | {
      /** The changes, as `set` takes them; the options are those of `set`. */
      set: SetChanges;
    }
  | {
      /** The job to undo; the options are those of `jobs.undo`. */
      undo: string;
    };

/** A plan: the changes that would be made. Nothing was sent. */
export interface Plan {
  /** Id of the planned job. It can be applied later, also by another process. */
  readonly job: string;
  /** The plan in numbers: `plan`, `changes`, `issues`, and the rejects file. */
  readonly summary: JobResult;
  /** Each row: its item, and the old and new value of each field. */
  changes(): AsyncIterable<ChangeRow>;
  /** Sends exactly this plan. Items that somebody has changed since are held (`onDrift`). */
  apply(options?: SendOptions): Run<JobResult, ShelfEvent>;
}

/**
 * An API with its key and the store of its jobs. Close it, or open it with `await using`: closing stops the runs that
 * have not ended, as `stop` does; their jobs can be resumed.
 */
export interface Shelf extends AsyncDisposable {
  /** The paced client, for single requests. It shares its pace with everything else on the shelf. */
  readonly client: Client;
  /** The jobs of the store. */
  readonly jobs: Jobs;
  /**
   * Imports rows, each exactly once, even after kills and lost answers.
   *
   * @throws UsageError, SheetError for a source, template or option that cannot be used: nothing was sent
   * @example
   * const { state, rows } = await shelf.import({ rows: toys, name: 'nightly' }, {
   *   collection: 'Main',
   *   map: (toy) => ({ name: toy.title, release_year: toy.year }),
   *   mapVersion: '1',
   * });
   */
  import(source: FileSource | StreamSource, options?: ImportOptions<FileRow>): Run<JobResult, ShelfEvent>;
  import<Row>(source: RowsSource<Row>, options?: ImportOptions<Row>): Run<JobResult, ShelfEvent>;
  /**
   * Plans an import, a change or an undo without sending anything.
   *
   * @throws the errors of the planned verb
   * @example
   * const plan = await shelf.plan({ set: { status: 'archived' } }, { where: { status: 'sold' } });
   * for await (const row of plan.changes()) console.log(row.name, row.changes);
   * await plan.apply();
   */
  plan(source: FileSource | StreamSource, options?: ImportOptions<FileRow>): Run<Plan, ShelfEvent>;
  plan<Row>(source: RowsSource<Row>, options?: ImportOptions<Row>): Run<Plan, ShelfEvent>;
  plan(
    source: {
      /** The changes, as `shelf.set` takes them. */
      set: SetChanges;
    },
    options: SetOptions,
  ): Run<Plan, ShelfEvent>;
  plan(
    source: {
      /** Id of the job to undo. */
      undo: string;
    },
    options?: UndoOptions,
  ): Run<Plan, ShelfEvent>;
  /**
   * Makes the same change to many items; items that already have the values stay as they are.
   *
   * @param changes fields and values; or texts: `FIELD=VALUE`; `<clear>` empties; `tags+=VALUE`, `tags-=VALUE`
   * @throws UsageError, SheetError for a request that cannot be used: nothing was sent
   * @example
   * await shelf.set({ status: 'sold' }, { where: { brand: 'Hasbro', estimated_value: { gte: 20 } } });
   */
  set(changes: SetChanges, options: SetOptions): Run<JobResult, ShelfEvent>;
  /**
   * The items, complete by count.
   *
   * @typeParam Extra fields that this API has in addition to those of the contract
   * @throws UsageError for a query that cannot be used, ApiError if the API fails
   */
  items<Extra = unknown>(options?: ItemQuery & ListOptions): List<Item<Extra>>;
  /** The items that are for sale, complete by count. @throws as `items` */
  listings<Extra = unknown>(options?: ItemQuery & ListOptions): List<Item<Extra>>;
  /** The collections, complete by count. @throws as `items` */
  collections(options?: ListOptions): List<Collection>;
  /**
   * Writes a file, which appears once it is complete, with a manifest beside it. A stopped export of items continues
   * where it stopped if it is repeated with the same store.
   *
   * @throws UsageError if the request cannot be met, ApiError if the API fails; an existing file stays as it was
   */
  export(options: ExportOptions): Run<ExportSummary, ShelfEvent>;
  /**
   * Compares a file that an export wrote with the current items of the API.
   *
   * @throws UsageError `no_manifest`, `no_live_changes`
   */
  compare(file: string): Run<LiveComparison, ShelfEvent>;
  /** A report as data, and as a file if `out` is given. @throws as `export` */
  report(options: ReportOptions): Run<Report, ShelfEvent>;
  /** Groups of items that look the same. @throws ShelfliftError `list_moved` if the list kept changing while it was read */
  dupes(options?: DupesOptions): Run<Duplicates, ShelfEvent>;
  /**
   * Explains an item: every row of a job that names it, and for each field the row that set it, if the store knows it.
   *
   * @param item id, or at least its first 8 characters
   * @throws UsageError `unknown_item`, `ambiguous_item`
   */
  why(item: string): Promise<Explained>;
  /** Stops the runs that have not ended, and closes connections and store. */
  close(): Promise<void>;
}

const Opening = z.object({
  apiUrl: z.string().min(1),
  key: text,
  store: z.union(
    [z.string().min(1), z.custom<Ledger>((value) => typeof value === 'object' && value !== null)],
    expecting('a_location', {}),
  ),
  target: z.string().min(1).exactOptional(),
  timeoutMs: milliseconds.exactOptional(),
  maxRate: z.number().positive().exactOptional(),
  maxConcurrency: z.number().positive().exactOptional(),
  onRequest: aFunction<NonNullable<ClientOptions['onRequest']>>().exactOptional(),
});

/** @throws as `open` */
export async function openShelf(options: OpenOptions): Promise<Shelf> {
  const { store, ...settings } = checkOpening(options);
  const running = new Running();
  const client = createClient({ ...settings, onPause: (until) => running.tell({ type: 'limited', until }) });
  try {
    const onOutage = (message: string) => running.tell({ type: 'warning', message });
    const ledger = typeof store === 'string' ? await openLedger(store, { onOutage }) : store;
    return shelfOf(client, ledger, typeof store === 'string', running);
  } catch (error) {
    await client.close();
    throw error;
  }
}

function checkOpening(options: OpenOptions): OpenOptions {
  if (typeof (options as Partial<OpenOptions> | undefined)?.key !== 'string')
    throw optionMissing('open', 'key', message('a_secret_key', {}));
  return checked('open', Opening, options);
}

function shelfOf(client: ApiClient, store: Ledger, isOwn: boolean, running: Running): Shelf {
  const { ledger } = unwrapLedger(store);
  const shared: ShelfContext = {
    client,
    ledger,
    job: (of, schema, options, work) => {
      const signal = signalOf(options);
      return running.start(signal, async (context) => {
        const { run, person, rest } = splitRun(checked(of, schema, options) as RunOptions);
        return endOf(await work(jobDeps(shared, context, person), run, rest), context.signal);
      });
    },
  };
  const reading = <Result>(
    options: unknown,
    work: (context: ReadContext) => Promise<Result>,
  ): Run<Result, ShelfEvent> =>
    running.start(signalOf(options), (context) => work({ client, ledger, ...context }));

  const importing = (of: string, source: ImportSource, options: ImportOptions | undefined, dryRun: boolean) =>
    running.start(signalOf(options), async (context) => {
      const { rest, run, person } = splitRun(checkImport(of, options));
      const { map, mapVersion, filePassword, planFile, results, ...request } = rest;
      using sink = new Results(results, context.signal);
      const deps = jobDeps(shared, context, {
        ...person,
        ...(filePassword === undefined ? {} : { filePassword }),
        ...sink.deps,
      });
      const { sheet, headerRow, delimiter, encoding, decimal, mode = 'create' } = request;
      const { importFile } = await import('../import/run.ts');
      const outcome = await withSource(
        source,
        {
          mode,
          signal: context.signal,
          ...(typeof map === 'function' ? { map } : {}),
          ...(mapVersion === undefined ? {} : { mapVersion }),
          open: {
            ...defined({ sheet, headerRow, delimiter, encoding, decimal, password: deps.filePassword }),
          },
        },
        (read) =>
          importFile(
            {
              ...request,
              ...read,
              ...sink.requestFor('file' in source),
              ...(typeof map === 'object' ? { map } : {}),
              ...(dryRun ? { dryRun } : {}),
              ...(run.skipInvalid === true ? { skipInvalid: true } : {}),
              run: { ...run, ...(planFile === undefined ? {} : { plan: planFile }) },
            },
            deps,
          ),
      );
      return endOf(outcome, context.signal);
    });

  const setting = (of: string, given: SetChanges, options: SetOptions, dryRun: boolean) =>
    shared.job(of, Given.Set, options, async (deps, run, rest) => {
      const changes = changesOf(of, given);
      const { setItems } = await import('../import/run.ts');
      const { status, results, ...request } = rest as z.infer<typeof Given.Set>;
      using sink = new Results(results, deps.signal);
      const isBesideList = request.idsFrom !== undefined || request.from !== undefined;
      const selection = status === undefined ? {} : { status: status as never };
      return await setItems(
        {
          ...request,
          ...selection,
          ...sink.requestFor(isBesideList),
          changes,
          run,
          ...(dryRun ? { dryRun } : {}),
        },
        { ...deps, ...sink.deps },
      );
    });

  const planned = (run: Run<JobResult, ShelfEvent>): Run<Plan, ShelfEvent> => mapRun(run, planOf);
  const planOf = (summary: JobResult): Plan => ({
    job: summary.job,
    summary,
    changes: () => jobs.changes(summary.job),
    apply: (options) => jobs.apply(summary.job, options),
  });
  const jobs = jobsOf(shared);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await running.end();
      await client.close();
      if (isOwn) await store.close();
    })();
    return closing;
  };
  return {
    client,
    jobs,
    import: (source: ImportSource, options?: ImportOptions) => importing('import', source, options, false),
    plan: (source: ImportSource | ChangeSource, options?: ImportOptions | SetOptions | UndoOptions) => {
      if ('set' in source) return planned(setting('plan', source.set, options as SetOptions, true));
      if ('undo' in source)
        return planned(
          shared.job('plan', Given.Undo, options, (deps, run, rest) =>
            undo(source.undo, deps, { ...rest, run, dryRun: true }),
          ),
        );
      return planned(importing('plan', source, options, true));
    },
    set: (changes, options) => setting('set', changes, options, false),
    items: <Extra>(options?: ItemQuery & ListOptions) =>
      listOf<Item<Extra>>('items', options, { client, ledger, signal: running.signal }),
    listings: <Extra>(options?: ItemQuery & ListOptions) =>
      listOf<Item<Extra>>('listings', options, { client, ledger, signal: running.signal }),
    collections: (options) =>
      listOf<Collection>('collections', options, { client, ledger, signal: running.signal }),
    export: (options) => reading(options, (context) => writeExport(options, context)),
    compare: (file) => reading(undefined, (context) => compareFile(file, context)),
    report: (options) => reading(options, (context) => makeReport(options, context)),
    dupes: (options) => reading(options, (context) => findDupes(options, context)),
    why: async (item) => {
      if (typeof item !== 'string')
        throw callWrong('why', message('expected', { expected: message('an_item_id', {}) }));
      const { explainItem } = await import('../import/history/explain-item.ts');
      return explainItem(item, { ledger, client, signal: running.signal });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Checks for options that exclude each other: types express this, but plain JavaScript has none. */
function checkImport(of: string, options: ImportOptions | undefined) {
  const given = checked(of, Given.Import, options);
  const { map, mapVersion } = given;
  if (typeof map !== 'function') {
    if (mapVersion === undefined) return given;
    throw callWrong(of, message('map_version_alone', {}));
  }
  if (mapVersion === undefined)
    throw optionMissing(of, 'mapVersion', message('a_map_version', {}), byHand('give_map_version', {}));
  for (const name of ['template', 'recipe', 'keepUnknown', 'dropUnknown', 'strict', 'rates'] as const)
    if (given[name] !== undefined) throw callWrong(of, message('map_and_option', { option: name }));
  if (given.sheet === 'all') throw callWrong(of, message('map_reads_one_sheet', {}));
  return given;
}

function signalOf(options: unknown): AbortSignal | undefined {
  const signal = (options as { signal?: unknown } | undefined | null)?.signal;
  return signal instanceof AbortSignal ? signal : undefined;
}
