/** An account that is open: its API, its store, and the runs of its jobs in this process. */
import { resolve } from 'node:path';
import type { FilePassword } from '../../sheets/table.ts';
import type { ApiClient } from '../../api/client.ts';
import { type ClientOptions, createClient } from '../../api/client.ts';
import { type KeyPlace, openTarget, type Target, type TargetChoice } from '../../account/target.ts';
import { storeOf } from '../../account/store-of.ts';
import type { JobDeps } from '../../import/job/deps.ts';
import type { RunOptions } from '../../import/job/options.ts';
import type { JobOutcome } from '../../import/results/summary.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { isPostgresLocation, withoutPassword } from '../../ledger/postgres/location.ts';
import { BusyError } from './busy.ts';
import { OpenIssuesCache } from './open-issues.ts';
import { Run, type RunKind, type RunOptions as OwnOptions } from './run.ts';

export interface WorkspaceOptions {
  choice: TargetChoice;
  /** `--store`. */
  store?: string;
  environment: NodeJS.ProcessEnv;
  filePassword: FilePassword;
  settings: Pick<ClientOptions, 'timeoutMs' | 'maxRate' | 'maxConcurrency'>;
  /** `--wait`, `--wait-for-limit`, `--quiet-period`; default none. */
  waits?: JobWaits;
  signal: AbortSignal;
}

export type JobWaits = Pick<RunOptions, 'waitMs' | 'waitForLimit' | 'quietPeriodMs'>;

interface StartOptions<Refusal> extends OwnOptions {
  /** Asked right before the start, when nothing else is under way; its answer takes the place of the run. */
  unless?: () => Promise<Refusal | undefined>;
}

/** Ended runs whose outcome a page may still request. */
const MAX_ENDED_RUNS = 50;

export class Workspace implements AsyncDisposable {
  readonly client: ApiClient;
  readonly ledger: Ledger;
  /** Location of the ledger; a server's address has its password. */
  readonly store: string;
  /** The location for records: without the password. */
  readonly storeName: string;
  /** True for the sandbox on this machine. */
  readonly practice: boolean;
  /** Name of the profile, if there is one. */
  readonly profile: string | undefined;
  /** Tells it from the other accounts of this page. */
  readonly account: string;
  /** Host of the API. */
  readonly host: string;
  /** Passwords of protected workbooks. */
  readonly filePassword: FilePassword;
  /** Waits of every job that the page sends. */
  readonly waits: JobWaits;
  /** Checked by doctor; in memory only. */
  readonly connection: { apiUrl: string; key: string };
  /** The place where a configuration finds the key; undefined for the practice account. */
  readonly keyPlace: KeyPlace | undefined;
  readonly openIssues = new OpenIssuesCache();
  readonly #target: Target;
  readonly #runs = new Map<string, Run>();

  private constructor(
    options: WorkspaceOptions,
    opened: { target: Target; client: ApiClient; ledger: Ledger; store: string },
  ) {
    this.#target = opened.target;
    this.client = opened.client;
    this.ledger = opened.ledger;
    this.store = opened.store;
    this.storeName = withoutPassword(isPostgresLocation(opened.store) ? opened.store : resolve(opened.store));
    this.account = JSON.stringify(options.choice);
    this.practice = options.choice.sandbox === true;
    this.profile = options.choice.profile;
    this.filePassword = options.filePassword;
    this.waits = options.waits ?? {};
    this.host = new URL(opened.client.apiUrl).host;
    this.connection = { apiUrl: opened.target.client.apiUrl, key: opened.target.client.key };
    this.keyPlace = opened.target.keyPlace;
  }

  /** @throws UsageError as openTarget and openLedger */
  static async open(options: WorkspaceOptions): Promise<Workspace> {
    const { choice, environment, signal, settings, store: given } = options;
    const target = await openTarget(choice, environment, { say: () => undefined, signal });
    try {
      const store = storeOf({ ...choice, ...(given === undefined ? {} : { store: given }) }, environment);
      const ledger = await openLedger(store);
      const client = createClient({
        ...target.client,
        ...settings,
        onPause: (until) => workspace.onPause(until),
      });
      const workspace: Workspace = new Workspace(options, { target, client, ledger, store });
      return workspace;
    } catch (error) {
      await target[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Starts a run. Corrections that are under way with that id come first, because they take a moment. If the same run is
   * under way, it is returned: pressing a button twice does the work only once.
   *
   * @param id of the job, or of the file that is read
   * @throws BusyError while another run is under way
   */
  async start<Refusal = never>(
    id: string,
    kind: RunKind,
    work: (deps: JobDeps) => Promise<JobOutcome | undefined>,
    { unless, ...options }: StartOptions<Refusal> = {},
  ): Promise<Run | Refusal> {
    for (;;) {
      const known = this.#runs.get(id);
      if (known === undefined || known.isOver) {
        const refusal = await unless?.();
        if (refusal !== undefined) return refusal;
        if (this.#runs.get(id) === known) break;
      } else if (known.kind === 'judging') {
        await known.ended;
      } else {
        if (known.does(kind, options)) return known;
        throw new BusyError(known.kind, id);
      }
    }
    this.#runs.delete(id);
    const run = new Run(kind, this, work, options);
    this.#runs.set(id, run);
    for (const [other, { isOver }] of this.#runs) {
      if (this.#runs.size <= MAX_ENDED_RUNS) break;
      if (isOver) this.#runs.delete(other);
    }
    return run;
  }

  /** Sends a job, or the rest of it. */
  async send<Refusal = never>(
    id: string,
    work: (deps: JobDeps) => Promise<JobOutcome>,
    options: StartOptions<Refusal> = {},
  ): Promise<Run | Refusal> {
    const { created, updated, refused } = await this.ledger.rows.counts(id);
    return this.start(id, 'sending', work, { ...options, before: created + updated + refused });
  }

  /** The run under this id, if this process has started one. */
  run(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  /** Runs under way in this process. */
  get running(): number {
    return [...this.#runs.values()].filter(({ isOver }) => !isOver).length;
  }

  onPause(until: Date): void {
    for (const run of this.#runs.values()) if (!run.isOver) run.onPause(until);
  }

  /** Stops all runs, waits until open requests are recorded, and closes everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#runs.values()].filter((run) => !run.isOver);
    for (const run of open) run.stop();
    await Promise.all(open.map((run) => run.ended));
    await this.client.close();
    await this.ledger.close();
    await this.#target[Symbol.asyncDispose]();
  }
}
