/**
 * Many keys on one PostgreSQL: `node bench/worker/scale.ts [PROFILES] [QUEUED] [WORKERS] [DRAINED]`, by default 10,000 profiles
 * with a schedule each, 200,000 queued runs of the future, 3 workers. 10,000 due runs are drained at the end, in at most
 * ten minutes.
 *
 * Apart from the other benchmarks, because it takes minutes and much of a machine. It runs the built package, as users do
 * (a worker from the sources takes 40 MB more, for Node's reader of TypeScript), with MALLOC_ARENA_MAX as in deploy/.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { TASK } from '../../src/worker/queue/graphile-entries.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { profileQueue } from '../../src/worker/queue/queue.ts';
import type { Run } from '../../src/worker/queue/run.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { runOfFire, Schedules } from '../../src/worker/schedule/schedules.ts';
import { POSTGRES, PostgresServer } from '../../test/support/postgres-server.ts';

const [PROFILES = 10_000, QUEUED = 200_000, WORKERS = 3, DRAINED = 10_000] = process.argv
  .slice(2)
  .map(Number);
const BIN = resolve(import.meta.dirname, '../../dist/cli/bin.js');
/** Keys that the practice server knows: those of the runs that are due. */
const TEAMS = 20;
const DUE = 100;
const IDLE_S = 30;
const DRAIN_MS = 600_000;
/** A worker gives memory back at most so much later. */
const AT_REST_MS = 35_000;
const DAY = 86_400_000;

execFileSync(process.execPath, [resolve(import.meta.dirname, '../../deploy/bundle/build.ts')]);
const binaries = POSTGRES.at(-1);
if (binaries === undefined) throw new Error('there is no PostgreSQL here');
const folder = await mkdtemp(join(tmpdir(), 'shelflift-scale-'));
const server = new PostgresServer(binaries, true);
await server.start();
const sandbox = await startSandbox({ seedItems: 3, rateLimit: '100000/1s' });
const children: ChildProcess[] = [];
/** Run → how often a worker has said that it ended. */
const endings = new Map<string, number>();
const say = (what: string, value: string) => console.log(`${what.padEnd(58)} ${value}`);

try {
  const store = await server.newDatabase();
  const config = join(folder, 'shelflift.yaml');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    SHELFLIFT_STORE: store,
    XDG_STATE_HOME: folder,
    MALLOC_ARENA_MAX: '2',
  };
  const lines = Array.from({ length: PROFILES }, (_, index) => index);
  for (const index of lines.slice(0, TEAMS)) {
    const { id } = sandbox.control.addTeam({ name: `Team ${index}` });
    env[`KEY_${index}`] = sandbox.control.addKey(undefined, id).secret;
  }
  // As many variables as this would not fit into an environment.
  for (const index of lines.slice(TEAMS))
    await writeFile(join(folder, `key${index}`), `key-${index}`, { mode: 0o600 });
  const key = (index: number) => (index < TEAMS ? `keyEnv: KEY_${index}` : `keyFile: key${index}`);
  await writeFile(
    config,
    `profiles:\n${lines.map((index) => `  p${index}: { apiUrl: "${sandbox.url}", ${key(index)} }`).join('\n')}
schedules:\n${lines.map((index) => `  s${index}: { profile: p${index}, cron: "${index % 60} 6 1 1 *", timeZone: Europe/Berlin, task: { export: items, out: "s${index}.csv" } }`).join('\n')}\n`,
  );
  await using ledger = await openLedger(store);
  await using queue = await openQueue(ledger);
  const runs = new Runs(ledger);
  const fire = Date.now() - 60_000;
  const runOf = (index: number, name: number, notBefore: number) => ({
    ...runOfFire(
      { schedule: `s${name}`, fire: fire + index, previous: fire - DAY },
      profileQueue(`p${name}`),
      notBefore,
    ),
    createdAt: Date.now(),
  });
  await queueMany(store, 'later', QUEUED, PROFILES, runOf(0, 0, Date.now() + DAY));
  await server.run('VACUUM ANALYZE', store);

  const started = performance.now();
  const ready = Array.from({ length: WORKERS }, () => startWorker(config, env));
  const addresses = await Promise.all(ready);
  say('until every worker is ready', seconds(performance.now() - started));
  await allSeen(ledger);
  say('until they have looked at every schedule', seconds(performance.now() - started));

  const before = await transactions(store);
  await sleep(IDLE_S * 1000);
  const idle = (await transactions(store)) - before;
  say('queries/s of an idle worker', (idle / IDLE_S / WORKERS).toFixed(1));
  const { rows: open } = await server.run(
    `SELECT count(*) AS open FROM pg_stat_activity WHERE datname = '${nameOf(store)}' AND pid <> pg_backend_pid()`,
  );
  say('connections, with one or two of this script', (open[0] as { open: string }).open);
  await memories('memory of a worker');

  const due = Array.from({ length: DUE }, (_, index) =>
    runOf(QUEUED + index, index % TEAMS, Date.now() + 3_000 + index * 100),
  );
  for (const run of due) await queue.enqueue(run, runs);
  const waits: number[] = [];
  for (const run of due) {
    for (;;) {
      const { startedAt, state } = (await runs.get(run.id)) ?? run;
      if (startedAt !== undefined && state !== 'running') {
        waits.push(startedAt - run.notBefore);
        break;
      }
      await sleep(50);
    }
  }
  waits.sort((a, b) => a - b);
  say(
    `${DUE} due runs of ${TEAMS} keys began after (median, p95, last)`,
    [0.5, 0.95, 1].map((share) => seconds(waits[Math.ceil(share * DUE) - 1] ?? 0)).join(', '),
  );
  const counts = await runs.counts();
  say('ended', JSON.stringify(counts));

  for (const argv of [
    ['schedule', 'run', 's1', '--config', config],
    ['jobs', 'list'],
    ['jobs', 'list', '--config', config],
  ])
    say(argv.slice(0, 3).join(' ').replace(config, ''), seconds(await timeOf(argv, env)));
  for (const address of addresses.slice(0, 1)) {
    for (const which of ['/metrics, the first time', '/metrics, again']) {
      const from = performance.now();
      const answer = await fetch(`${address}/metrics`);
      const text = await answer.text();
      say(
        which,
        `${seconds(performance.now() - from)}, ${answer.status}, ${(text.length / 1e6).toFixed(1)} MB`,
      );
    }
  }
  await memories('memory of a worker, then');
  const drainFrom = performance.now();
  await queueMany(store, 'drain', DRAINED, TEAMS, runOf(0, 0, Date.now()));
  const ended = () => [...endings].filter(([run]) => run.includes('@drain-'));
  while (ended().length < DRAINED && performance.now() - drainFrom < DRAIN_MS) await sleep(500);
  const drainMs = performance.now() - drainFrom;
  say(
    `${ended().length} of ${DRAINED} due runs of ${TEAMS} keys drained`,
    `${seconds(drainMs)}, ${Math.round((ended().length * 1000) / drainMs)} a second`,
  );
  say('of these ended more than once', String(ended().filter(([, times]) => times > 1).length));
  await memories('memory of a worker, then');
  await sleep(AT_REST_MS);
  await memories('… 35 s later');

  const [first, ...others] = children;
  if (first !== undefined) say('SIGTERM to exit, with nothing to do', seconds(await timeToEnd(first)));
  await sandbox[Symbol.asyncDispose]();
  const held = Array.from({ length: TEAMS }, (_, index) => runOf(2 * QUEUED + index, index, Date.now()));
  for (const run of held) await queue.enqueue(run, runs);
  // Until they have found out that the API is away.
  await sleep(10_000);
  say('of these under way', String((await runs.counts()).running));
  say(
    `SIGTERM to exit, with ${TEAMS} runs that wait for an API that is away`,
    (await Promise.all(others.map(timeToEnd))).map(seconds).join(', '),
  );
  say(
    'load of the machine, 1, 5 and 15 minutes',
    loadavg()
      .map((load) => load.toFixed(1))
      .join(', '),
  );
} finally {
  for (const child of children) child.kill('SIGKILL');
  await Promise.resolve(sandbox[Symbol.asyncDispose]()).catch(() => undefined);
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}

/** Queues runs by the database: how they come there is not measured. @param example whose time they get */
async function queueMany(store: string, name: string, count: number, keys: number, example: Run) {
  const delay = example.notBefore - Date.now();
  await server.run(
    `CREATE TEMP TABLE many AS SELECT 's' || i % ${keys} || '@${name}-' || i AS id, i % ${keys} AS p, i FROM generate_series(1, ${count}) i;
     INSERT INTO shelflift.runs (id, state, schedule, created_at, at, record)
       SELECT id, 'queued', 's' || p, ${Date.now()} - i, ${Date.now()},
         replace(replace('${JSON.stringify(example)}', '${example.id}', id), '"schedule":"s0"', '"schedule":"s' || p || '"') FROM many;
     INSERT INTO shelflift_queue._private_tasks (identifier) VALUES ('${TASK}') ON CONFLICT DO NOTHING;
     INSERT INTO shelflift_queue._private_jobs (task_id, payload, run_at, max_attempts, key, priority, flags)
       SELECT t.id, json_build_object('run', many.id, 'queue', 'profile:p' || p, 'priority', 'read'),
         now() + ${delay} * interval '1 ms', 32767, many.id, 0, jsonb_build_object(many.id, true, 'profile:p' || p, true)
       FROM many, shelflift_queue._private_tasks t WHERE t.identifier = '${TASK}'`,
    store,
  );
}

async function timeToEnd(child: ChildProcess): Promise<number> {
  const from = performance.now();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return performance.now() - from;
}

async function startWorker(config: string, env: NodeJS.ProcessEnv): Promise<string> {
  const argv = [BIN, 'worker', '--config', config, '--health', '127.0.0.1:0'];
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  const { promise, resolve: ready, reject } = Promise.withResolvers<string>();
  child.once('exit', () => reject(new Error('a worker ended before it was ready')));
  createInterface({ input: child.stderr }).on('line', (line) => {
    const [, address] = /health: (\S+)\/healthz/.exec(line) ?? [];
    if (address !== undefined) ready(address);
    const [, run] = (/"msg":"ended"/.test(line) && /"run":"([^"]+)"/.exec(line)) || [];
    if (run !== undefined) endings.set(run, (endings.get(run) ?? 0) + 1);
  });
  return promise;
}

/** Waits until each schedule has been looked at once, by any worker. */
async function allSeen(ledger: Ledger): Promise<void> {
  const schedules = new Schedules(ledger);
  while ((await Array.fromAsync(schedules.all())).length < PROFILES) await sleep(1_000);
  // The server counts transactions of others a second late.
  await sleep(5_000);
}

async function transactions(store: string): Promise<number> {
  const { rows } = await server.run(
    `SELECT pg_stat_clear_snapshot(), xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = '${nameOf(store)}'`,
  );
  return Number((rows[0] as { count: string }).count);
}

function nameOf(store: string): string {
  return new URL(store).pathname.slice(1);
}

async function memory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000);
}

async function memories(what: string): Promise<void> {
  say(what, (await Promise.all(children.map(memory))).map((mb) => `${mb} MB`).join(', '));
}

async function timeOf(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, [BIN, ...argv], { env, stdio: 'ignore' });
  await once(child, 'exit');
  return performance.now() - from;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
