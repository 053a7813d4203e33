/** An import as the library runs it: a real sandbox, a real client, a real ledger, in a folder of its own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ApiClient, type ApiClientOptions, createClient } from '../../src/api/client.ts';
import { RequestMeter } from '../../src/api/meter.ts';
import type { Item } from '../../src/api/schemas.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { JobDeps } from '../../src/import/job/deps.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { ImportRequest, RunOptions } from '../../src/import/job/options.ts';
import { applyJob, resumeJob } from '../../src/import/run.ts';
import { importFile } from '../../src/import/run.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { english } from '../../src/messages/message.ts';
import type { Message } from '../../src/messages/params.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';

/** Long enough for whatever the sandbox still has to do after a connection ended, short enough for a test. */
export const QUIET_MS = 60;

export interface OpenImport extends AsyncDisposable {
  sandbox: Sandbox;
  folder: string;
  /** Path of the ledger. */
  store: string;
  ledger: Ledger;
  /** Writes a file into the folder and gives its path. */
  file(name: string, content: string | Uint8Array): Promise<string>;
  read(path: string | undefined): Promise<string>;
  /** Imports into the collection "Main" with a short quiet period; see `RunSetting` for more. */
  import(request: ImportRequest, setting?: RunSetting): Promise<JobOutcome>;
  resume(reference: string, run?: RunOptions, setting?: RunSetting): Promise<JobOutcome>;
  apply(reference: string, run?: RunOptions, setting?: RunSetting): Promise<JobOutcome>;
  /** Runs anything else that takes the same as an import does. */
  run<T>(work: (deps: JobDeps) => Promise<T>, setting?: RunSetting): Promise<T>;
  /** All items of the default team, newest first. */
  items(): Item[];
  /** Their names, sorted. */
  names(): string[];
}

/** What one run has of its own. */
export interface RunSetting {
  client?: Partial<ApiClientOptions>;
  signal?: AbortSignal;
  clock?: Clock;
  ledger?: Ledger;
  onEvent?: (event: ImportEvent) => void;
  /** Somebody at a terminal. */
  /** In English. */
  confirm?: (question: string) => Promise<boolean>;
  choose?: (question: string, answers: readonly { key: string; says: string }[]) => Promise<string>;
  /** Changes the client before it is used: to count, to wait, to stop at an instant. */
  wrap?: (client: ApiClient) => ApiClient;
}

/** Removed when the test ends. Not for concurrent tests. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * `await using it = await openImport()`: everything is closed and removed when the test ends.
 *
 * @param openStore opens another ledger than an SQLite file at the path
 */
export async function openImport(
  options: SandboxOptions = {},
  openStore: (path: string) => Ledger | Promise<Ledger> = openSqliteLedger,
): Promise<OpenImport> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-test-'));
  const sandbox = await startSandbox(options);
  const store = join(folder, 'ledger.db');
  const ledger = await openStore(store);

  const run = async <T>(setting: RunSetting, work: (deps: JobDeps) => Promise<T>): Promise<T> => {
    const meter = new RequestMeter();
    await using client = createClient({
      apiUrl: sandbox.url,
      key: sandbox.key,
      // A busy machine loses no answer: who wants a timeout says so.
      timeoutMs: 60_000,
      onRequest: meter.onRequest,
      ...setting.client,
    });
    return await work({
      client: setting.wrap?.(client) ?? client,
      ledger: setting.ledger ?? ledger,
      meter,
      clock: setting.clock ?? systemClock,
      signal: setting.signal ?? new AbortController().signal,
      emit: setting.onEvent ?? (() => undefined),
      ...asking(setting),
    });
  };
  const short = (given: RunOptions = {}): RunOptions => ({
    quietPeriodMs: QUIET_MS,
    waitMs: 60_000,
    ...given,
  });
  return {
    sandbox,
    folder,
    store,
    ledger,
    async file(name, content) {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
    read: (path) => readFile(path ?? 'no file was named', 'utf8'),
    import: (request, setting = {}) =>
      run(setting, (deps) => importFile({ collection: 'Main', ...request, run: short(request.run) }, deps)),
    resume: (reference, given, setting = {}) =>
      run(setting, (deps) => resumeJob(reference, deps, short(given))),
    apply: (reference, given, setting = {}) =>
      run(setting, (deps) => applyJob(reference, deps, short(given))),
    run: (work, setting = {}) => run(setting, work),
    items: () => sandbox.control.items(),
    names: () =>
      sandbox.control
        .items()
        .map((item) => item.name)
        .sort(),
    async [Symbol.asyncDispose]() {
      await ledger.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function asking({ confirm, choose }: RunSetting): Pick<JobDeps, 'confirm' | 'choose'> {
  const said = (text: Message | string) => (typeof text === 'string' ? text : english(text));
  return {
    ...(confirm === undefined ? {} : { confirm: (question) => confirm(question) }),
    ...(choose === undefined
      ? {}
      : {
          choose: (question, answers) =>
            choose(
              said(question),
              answers.map(({ key, says }) => ({ key, says: said(says) })),
            ),
        }),
  };
}
