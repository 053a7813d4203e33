/** A worker inside a program: schedules, watched folders and submitted files, as shelflift.yaml describes them. */
import { resolve } from 'node:path';
import { z } from 'zod';
import type { RequestRecord } from '../api/client.ts';
import { systemClock } from '../base/clock.ts';
import type { WorkerConfig } from './worker-config.ts';
import { stateFolder } from '../base/config.ts';
import { UsageError } from '../base/errors.ts';
import type { ExitCode } from '../base/exit-code.ts';
import type { WorkerEvent as EngineEvent } from '../worker/events.ts';
import type { WorkerEnd as EngineEnd } from '../worker/worker-end.ts';
import { fileOf, type Run } from '../worker/queue/run.ts';
import { aFunction, aSignal, checked, milliseconds } from './check.ts';
import type { ShelfEvent } from './events.ts';
import { unwrapLedger, type Ledger, openLedger } from './ledger.ts';
import { english, message } from '../messages/message.ts';
import { expecting } from '../base/schema-words.ts';
import { defined } from '../base/defined.ts';

/** Options of a worker. */
export interface WorkerOptions {
  /** Path of shelflift.yaml, or its content as an object. Without it, the worker only imports submitted files. */
  config?: string | WorkerConfig | undefined;
  /** Where relative paths of a configuration given as an object start. Default: the current folder. */
  folder?: string | undefined;
  /** The store: path of an SQLite file, `postgres://…`, or the result of openLedger. It cannot be `:memory:`. */
  store: string | Ledger;
  /** Where keyEnv, passwordEnv and the like of the configuration are looked up: usually `process.env`. Default: nothing. */
  environment?: Record<string, string | undefined> | undefined;
  /** Imports the files that were submitted for this key too. */
  own?:
    | {
        /** Base address of the API, without `/api/public/v1`. */
        apiUrl: string;
        /** The API key. */
        key: string;
        /** The name that jobs are stored under instead of the address. */
        target?: string;
      }
    | undefined;
  /** Executes queued and due runs, and ends. Default false: runs until the signal. */
  once?: boolean | undefined;
  /** Stops the worker: it starts nothing new, and current runs have `graceMs` to end or park. */
  signal?: AbortSignal | undefined;
  /** ms. Default 30,000. */
  graceMs?: number | undefined;
  /** Timeout for each request to the API, ms. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Receives the worker's events. */
  onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** A run of a worker: one export or report of a schedule, or the import of one file. */
export interface WorkerRun {
  /** Unique in its store; for an import, also the id of its job. */
  id: string;
  /** The reason for the run: a schedule, or a file to import. */
  kind: 'schedule' | 'import';
  /** State of the run. */
  state: 'queued' | 'running' | 'delivering' | 'done' | 'failed' | 'parked_poison' | 'cancelled';
  /** Name of its schedule. */
  schedule?: string;
  /** Path of the file that it imports. */
  file?: string;
  /** When its schedule was due. */
  fire?: Date;
  /** Tries that ended in an error. */
  tries: number;
  /** Rows written or read. */
  rows?: number;
  /** Paths of the files that it made. */
  files: string[];
  /** The exit code of the corresponding command. */
  exitCode?: number;
  /** Why it failed or waits. */
  error?: {
    /** Stable, for programs. */
    code: string;
    /** A sentence for people; it may change. */
    message: string;
  };
  /** Warnings for a person, a sentence each. */
  warnings: string[];
}

/** The events of a worker, discriminated by `type`. */
export type WorkerEvent =
  | {
      type: 'started';
      /** Names of the profiles. */
      profiles: string[];
      /** Names of the schedules. */
      schedules: string[];
      /** Paths of the watched folders. */
      hotFolders: string[];
    }
  | {
      type: 'queued' | 'yielded';
      /** The run as it is now. */
      run: WorkerRun;
    }
  | {
      type: 'begun';
      /** The run as it is now. */
      run: WorkerRun;
      /** True if another worker had begun it and is gone. */
      takenOver: boolean;
      /** How long it was in the queue, ms. */
      waitedMs: number;
    }
  /** A run has ended, for good or until its next try. */
  | {
      type: 'ended';
      /** The run as it is now. */
      run: WorkerRun;
      /** How long it took, ms. */
      tookMs: number;
    }
  | {
      type: 'delivering' | 'delivered';
      /** The run as it is now. */
      run: WorkerRun;
      /** Where its files go, without passwords. */
      to: string;
    }
  | {
      type: 'delivery_failed';
      /** The run as it is now. */
      run: WorkerRun;
      /** Where its files were to go, without passwords. */
      to: string;
      /** Why it failed. */
      message: string;
    }
  | {
      type: 'request';
      /** Name of the profile. */
      profile: string;
      /** The request and its answer. */
      record: RequestRecord;
    }
  | {
      type: 'limited';
      /** Name of the profile. */
      profile: string;
      /** End of the pause. */
      until: Date;
    }
  /** An event of a run. */
  | {
      type: 'import' | 'export';
      /** The run as it is now. */
      run: WorkerRun;
      /** The event, as the run of a shelf has it. */
      event: ShelfEvent;
    }
  /** The worker has checked again what is due. */
  | { type: 'looked' }
  | {
      type: 'warning';
      /** One or more sentences for people. */
      message: string;
    }
  | {
      type: 'stopping';
      /** Runs that it waits for. */
      running: number;
    };

/** How a worker ended. */
export interface WorkerEnd {
  /** The most severe exit code of its runs. */
  exitCode: ExitCode;
  /** In the order of their ends. */
  runs: WorkerRun[];
  /** The reason for the exit code, if it is an error. */
  error?: {
    /** Stable, for programs. */
    code: string;
    /** A sentence for people; it may change. */
    message: string;
  };
}

const Options = z.object({
  config: z.union([z.string().min(1), z.looseObject({})], expecting('a_path_or_object', {})).exactOptional(),
  folder: z.string().min(1).exactOptional(),
  store: z.union(
    [z.string().min(1), z.custom<Ledger>((value) => typeof value === 'object' && value !== null)],
    expecting('a_location', {}),
  ),
  // Not z.record: process.env is not a plain object.
  environment: z.object({}).catchall(z.string().optional()).exactOptional(),
  own: z.object({ apiUrl: z.string(), key: z.string(), target: z.string().exactOptional() }).exactOptional(),
  once: z.boolean().exactOptional(),
  signal: aSignal.exactOptional(),
  graceMs: milliseconds.exactOptional(),
  timeoutMs: milliseconds.exactOptional(),
  onEvent: aFunction<(event: WorkerEvent) => void>().exactOptional(),
});

/** @throws as the library's `runWorker` */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const given = checked('runWorker', Options, options);
  const {
    store,
    environment = {},
    own,
    once = false,
    signal,
    graceMs = 30_000,
    timeoutMs = 30_000,
    onEvent,
  } = given;
  const handle = typeof store === 'string' ? await openLedger(store) : store;
  try {
    const { ledger, location } = unwrapLedger(handle);
    if (location === ':memory:')
      throw new UsageError(
        'bad_option',
        message('option_is', {
          of: 'runWorker',
          option: 'store',
          found: message('verbatim', { text: location }),
          problem: message('expected', { expected: message('a_shared_store', {}) }),
        }),
      );
    const [{ parseWorkerConfig, readWorkerConfig }, { runWorker: run }, { openQueue }, { Spool }] =
      await Promise.all([
        import('../worker/config/read-config.ts'),
        import('../worker/worker.ts'),
        import('../worker/queue/open-queue.ts'),
        import('../worker/queue/spool.ts'),
      ]);
    const folder = resolve(given.folder ?? '.');
    const config =
      typeof given.config === 'string'
        ? readWorkerConfig(given.config)
        : // JSON is YAML: one reader for both.
          parseWorkerConfig(JSON.stringify(given.config ?? {}, null, 2), { file: 'config', folder });
    const warn = (message: string) => onEvent?.({ type: 'warning', message });
    await using queue = await openQueue(ledger, warn);
    const end = await run({
      config,
      ledger,
      queue,
      spool: Spool.of(ledger, resolve(stateFolder(environment), 'spool')),
      clock: systemClock,
      environment,
      client: { timeoutMs },
      ...(own === undefined ? {} : { own }),
      run: {},
      once,
      signal: signal ?? new AbortController().signal,
      graceMs,
      emit: (event) => onEvent?.(eventOf(event)),
    });
    return endOf(end);
  } finally {
    if (typeof store === 'string') await handle.close();
  }
}

function endOf({ exitCode, runs, error }: EngineEnd): WorkerEnd {
  return { exitCode, runs: runs.map(runOf), ...(error === undefined ? {} : { error }) };
}

function eventOf(event: EngineEvent): WorkerEvent {
  return 'run' in event ? { ...event, run: runOf(event.run) } : event;
}

function runOf({ id, work, state, tries, rows, files = [], exitCode, error, warnings = [] }: Run): WorkerRun {
  return {
    id,
    kind: work.kind,
    state,
    ...(work.kind === 'schedule'
      ? { schedule: work.schedule, fire: new Date(work.fire) }
      : { file: fileOf(work.source) }),
    tries,
    ...(rows === undefined ? {} : { rows }),
    files,
    ...defined({ exitCode, error }),
    warnings: warnings.map(english),
  };
}
