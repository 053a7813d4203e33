/**
 * The reference server of the Collection Inventory API: every rule of the contract, options for everything that the
 * contract leaves open, and real faults on the wire.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { SCOPES } from '../api/schemas.ts';
import { listen } from '../base/listen.ts';
import { errorAnswer } from './answer.ts';
import { createClock } from './clock.ts';
import { addCollection, createControl, DEFAULT_TEAM, type SandboxControl } from './control.ts';
import { FaultPlan } from './faults.ts';
import { Gate } from './limits/gate.ts';
import { createRandom } from './random.ts';
import { toRateLimit } from './rate-limit-text.ts';
import { noSales, seededSales } from './sales.ts';
import { seedTeam } from './seed/seed-team.ts';
import { SANDBOX_KEY, type SandboxOptions } from './settings.ts';
import type { SandboxState } from './state.ts';
import { openDatabase } from './store/database.ts';
import { ItemStore } from './store/items.ts';
import { type Team, TeamStore } from './store/teams.ts';
import { Tally } from './tally.ts';
import { createApp } from './wire/app.ts';
import { answerRawErrors } from './wire/raw-errors.ts';
import { createTimers } from './wire/wire-context.ts';

/** A running practice server. */
export interface Sandbox extends AsyncDisposable {
  /** The base address, without the API's prefix: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The port it listens on. */
  readonly port: number;
  /** The default team's key, with all scopes. */
  readonly key: string;
  /** All teams; the first is the default one. */
  readonly teams: readonly Team[];
  /** Changes and inspects the server while it runs. */
  readonly control: SandboxControl;
  /**
   * Closes all connections and the server. Pending late commits are dropped. May be called again.
   */
  close(): Promise<void>;
}

const DEFAULT_SEED_ITEMS = 500;
/** Longer than clients keep idle connections, so that every reset is a requested fault. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Starts a sandbox, which serves when the promise resolves.
 *
 * @throws UsageError `port_in_use`, `cannot_listen`, `bad_rate_limit`, and errors of the data file (store/database.ts)
 * @throws RangeError if `faults` are not probabilities or add up to more than 1
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const rate = options.rateLimit === undefined ? undefined : toRateLimit(options.rateLimit);
  const clock = createClock(options.now, options.clockOffsetMs ?? 0);
  const sort = options.order ?? 'created';
  const database = openDatabase(options.dataFile, sort);
  const timers = createTimers();
  try {
    const state: SandboxState = {
      teams: new TeamStore(database),
      items: new ItemStore(database, sort),
      gate: new Gate(options.limiter ?? 'fixed', options.headers ?? 'draft3', rate, clock),
      faults: new FaultPlan(createRandom(options.faultSeed ?? options.seed ?? 1), options.faults ?? {}),
      tally: new Tally(),
      clock,
      customFields: options.customFields ?? 'replace',
      storing: options.storing ?? {},
      planLimit: options.planLimit,
      latencyMs: options.latencyMs ?? 0,
      listLagMs: options.listLagMs ?? 0,
      lateCommits: 0,
    };
    const key = options.key ?? SANDBOX_KEY;
    fill(state, key, options);
    const control = createControl(state);
    const nextRequestId = requestIds();
    const wire = { state, nextRequestId, ...timers, onRequest: options.onRequest };
    const app = createApp(wire, control);
    const listener = getRequestListener(app.fetch, {
      // Leave the globals of the embedding process (tests, other programs) alone.
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
      errorHandler: () => unreadable(nextRequestId()),
    });
    const server = createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false },
      (incoming, outgoing) => {
        void listener(incoming, outgoing);
      },
    );
    answerRawErrors(server, nextRequestId);
    const port = await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
    const close = once(async () => {
      timers.stop();
      await shut(server);
      database.close();
    });
    return {
      url: `http://${urlHost(options.host ?? '127.0.0.1')}:${port}`,
      port,
      key,
      get teams() {
        return state.teams.all();
      },
      control,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    timers.stop();
    database.close();
    throw error;
  }
}

/** Creates the default team, its key and its items, unless the data file contains them. */
function fill(state: SandboxState, key: string, options: SandboxOptions): void {
  const { seed } = options;
  if (state.teams.all().length === 0) {
    const sales = seed === undefined ? noSales() : seededSales(seed);
    const team = state.teams.addTeam('Sandbox', options.currency ?? 'usd', JSON.stringify(sales));
    if (seed === undefined) addCollection(state, 'Main', team.id, null, false);
    else seedTeam(state, team, seed, options.seedItems ?? DEFAULT_SEED_ITEMS);
  }
  if (state.teams.access(key) === undefined) state.teams.addKey(DEFAULT_TEAM, key, SCOPES);
}

/** Unique within a run and, by the random prefix, across runs. */
function requestIds(): () => string {
  const run = randomBytes(6).toString('hex');
  let count = 0;
  return () => `req_${run}_${((count += 1)).toString(36)}`;
}

/** The answer to requests that Hono's adapter cannot read, such as one without a Host header. */
function unreadable(requestId: string): Response {
  const { status, body } = errorAnswer(400, 'invalid_request', 'request: unreadable address or Host header');
  return new Response(body, {
    status,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': requestId },
  });
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function once(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= task());
}

function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
