/** Several real worker processes on one store, killed now and then and replaced, with teams of a sandbox to serve. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { systemClock } from '../../src/base/clock.ts';
import { rowTotals } from '../../src/import/job/row-totals.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { isFinal, type Run } from '../../src/worker/queue/run.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { isPostgresLocation } from '../../src/ledger/postgres/location.ts';
import { fireTimes } from '../../src/worker/schedule/fire-times.ts';
import { submitImport } from '../../src/worker/submit.ts';
import { BIN } from '../cli/run-shelflift.ts';
import { judgeHistory } from '../history/judge-history.ts';
import { toys } from '../support/csv.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { type HalfOpenProxy, startHalfOpenProxy } from '../support/half-open-proxy.ts';
import { FleetHistory, type TeamImport } from './fleet-history.ts';
import { LaneLog, type LogLine } from './lane-log.ts';
import { random } from '../support/seed.ts';

/** Longer than this machine, however busy, takes to apply what had reached it before its connection was cut. */
const QUIET = '1s';
/** Shorter, and a busy machine would lose every answer. */
const TIMEOUT = '5s';
/** For what takes seconds on a machine that does nothing else. */
const PATIENCE_MS = 360_000;
/** The next fire is far away. */
const NEVER = '0 0 29 2 *';

export interface FleetSetting {
  folder: string;
  /** Location of the store, and how the workers reach it where that is another way. */
  store: string;
  storeOfWorkers?: string;
  teams: number;
  workers: number;
  /** Rows that each team imports. */
  rows: number;
  /** When each team's export is due. */
  cron: string;
  /** How long workers are killed, ms. */
  trouble: number;
  /** Between two kills, ms at most. */
  every: number;
  /** What happens in the middle; called in turn, evenly over the trouble. */
  disasters?: ((api: HalfOpenProxy) => unknown)[];
}

/** @returns what was counted, after everything was checked */
export async function fleet(setting: FleetSetting) {
  const { folder, store, teams, workers } = setting;
  const history = new FleetHistory();
  await using sandbox = await startSandbox({
    rateLimit: '20/1s',
    onRequest: (record) => history.arrived(record),
  });
  await using api = await startHalfOpenProxy(sandbox.url);
  const team = Array.from({ length: teams }, (_, index) =>
    index === 0 ? { id: 1, key: sandbox.key } : addTeam(sandbox, index),
  );
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    SHELFLIFT_STORE: setting.storeOfWorkers ?? store,
    XDG_STATE_HOME: join(folder, 'state'),
  };
  team.forEach(({ key }, index) => (environment[`KEY_${index}`] = key));
  const config = join(folder, 'shelflift.yaml');
  writeFileSync(config, yamlOf(api.url, teams, setting.cron));
  mkdirSync(join(folder, 'files'));
  await using ledger = await openLedger(store);

  const children = new Set<ChildProcess>();
  const working = new WeakSet<ChildProcess>();
  const delivered = new Map<string, number>();
  const complaints: string[] = [];
  const lanes = new LaneLog();
  const start = (...more: string[]) => {
    const flags = [
      '--config',
      config,
      '--quiet-period',
      QUIET,
      '--timeout',
      TIMEOUT,
      '--grace',
      '5s',
      '--verbose',
    ];
    const argv = [BIN, 'worker', ...flags, ...more];
    const child = spawn(process.execPath, argv, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    let rest = '';
    child.stderr.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = line.startsWith('{') ? (JSON.parse(line) as LogLine) : undefined;
        if (event !== undefined) {
          lanes.note(child.pid ?? 0, event);
          history.told(event);
        }
        // Before this it only loads its code: a kill then shows nothing.
        if (event?.msg === 'worker started') working.add(child);
        if (event?.msg === 'delivered')
          delivered.set(event.run ?? '', (delivered.get(event.run ?? '') ?? 0) + 1);
        else if (event === undefined) complaints.push(line);
      }
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  for (let count = 0; count < workers; count += 1) start();
  const jobs = await submitAll(setting, api.url, team, ledger);

  // Killed without warning, replaced at once.
  const kills = { count: 0 };
  const until = systemClock.monotonic() + setting.trouble;
  const disasters = [...(setting.disasters ?? [])];
  const between = setting.trouble / (disasters.length + 1);
  let nextDisaster = systemClock.monotonic() + between;
  while (systemClock.monotonic() < until) {
    await systemClock.sleep(random() * setting.every);
    const victims = [...children].filter((child) => working.has(child));
    const victim = victims[Math.floor(random() * victims.length)];
    if (victim !== undefined && victim.exitCode === null) {
      victim.kill('SIGKILL');
      await once(victim, 'exit');
      kills.count += 1;
    }
    while (children.size < workers) start();
    if (systemClock.monotonic() > nextDisaster) {
      nextDisaster += between;
      await disasters.shift()?.(api);
    }
  }

  // Peace: what is left is done, and then all stop.
  const runs = new Runs(ledger);
  await eventually('every import has ended', async () => {
    const left = (await Promise.all(jobs.map((id) => runs.get(id)))).filter(
      (run) => run === undefined || !isFinal(run),
    );
    return left.length === 0 ? undefined : JSON.stringify([left, complaints, codesOf(children)]);
  });
  await eventually('every team has had an export', async () => {
    const exported = new Set(
      (await runs.list()).flatMap(({ work, state }) =>
        work.kind === 'schedule' && state === 'done' ? [work.schedule] : [],
      ),
    );
    return exported.size === teams ? undefined : `${exported.size} of ${teams}`;
  });
  // One that is still loading its code would be ended by the signal itself.
  await eventually('every worker has started', async () => {
    const loading = [...children].filter((child) => !working.has(child)).length;
    return loading === 0 ? undefined : `${loading} have not`;
  });
  const ending = [...children].map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGTERM');
  const codes = (await Promise.all(ending)).map(([code]) => code as number | null);
  // What is left is run, and nothing new comes: a schedule that was changed has missed nothing.
  writeFileSync(config, yamlOf(api.url, teams, NEVER));
  const [last] = (await once(start('--once'), 'exit')) as [number | null];
  expect(last, complaints.join('\n')).toBe(0);

  let rowsDone = 0;
  let held = 0;
  const imports: TeamImport[] = [];
  for (const [index, { id, key }] of team.entries()) {
    const job = jobs[index] ?? '';
    const items = sandbox.control.items(id);
    const ended = await expectExactlyOnce(ledger, job, items);
    rowsDone += ended.created;
    held += ended.held;
    const counts = { ...rowTotals(await ledger.rows.counts(job)) };
    imports.push({ job, key, file: fileOf(folder, index), counts, items });
  }
  expect(judgeHistory(history.of(imports))).toEqual([]);
  const all = await runs.list();
  const fires = checkFires(all, teams, setting.cron);
  for (const run of all) expect(run.state, JSON.stringify(run)).toBe('done');
  lanes.expectOneAtATime();
  // How often a worker was stopped in what it did: by a kill, or with all others by a disaster.
  const troubles = kills.count + (setting.disasters?.length ?? 0) * workers;
  return {
    kills: kills.count,
    troubles,
    rowsDone,
    held,
    fires,
    delivered,
    codes,
    complaints,
    lanes,
    runs: all,
  };
}

function addTeam(sandbox: Sandbox, index: number) {
  const { id } = sandbox.control.addTeam({ name: `Team ${index}` });
  return { id, key: sandbox.control.addKey(undefined, id).secret };
}

function yamlOf(url: string, teams: number, cron: string): string {
  const each = (line: (index: number) => string) =>
    Array.from({ length: teams }, (_, index) => line(index)).join('\n');
  return `profiles:
${each((index) => `  team${index}: { apiUrl: "${url}", keyEnv: KEY_${index} }`)}
schedules:
${each(
  (index) =>
    `  export${index}: { profile: team${index}, cron: "${cron}", timeZone: UTC, catchUp: all, task: { export: items, out: "team${index}-{{period.end:yyyyMMdd-HHmmss}}.csv", columns: "id,name" }, deliver: [{ folder: ./out }] }`,
)}
retries: { tries: 20, backoff: 500ms }
`;
}

async function submitAll(
  { folder, store, rows }: FleetSetting,
  apiUrl: string,
  teams: { key: string }[],
  ledger: Ledger,
): Promise<string[]> {
  const shared = isPostgresLocation(store);
  await using queue = await openQueue(ledger);
  const spool = shared
    ? new Spool(join(folder, 'spool'), ledger.values)
    : new Spool(`${ledger.location}.spool`);
  const ids: string[] = [];
  for (const [index, { key }] of teams.entries()) {
    await using client = createClient({ apiUrl, key });
    const file = fileOf(folder, index);
    writeFileSync(file, toys(rows, `Team ${index} toy`));
    const request = { file, collection: 'Main', run: {} };
    ids.push((await submitImport(request, { ledger, queue, spool, laneId: client.laneId })).id);
  }
  return ids;
}

function fileOf(folder: string, team: number): string {
  return join(folder, 'files', `team${team}.csv`);
}

/** Between the first and the last fire that a team's runs tell of, none is missing, and none is there twice. */
function checkFires(runs: readonly Run[], teams: number, cron: string): number {
  let total = 0;
  for (let index = 0; index < teams; index += 1) {
    const found = runs
      .flatMap(({ work }) =>
        work.kind === 'schedule' && work.schedule === `export${index}` ? [work.fire] : [],
      )
      .sort((a, b) => a - b);
    const [first = 0] = found;
    const expected: number[] = [];
    for (const fire of fireTimes({ cron, timeZone: 'UTC' }, first - 1)) {
      if (fire > (found.at(-1) ?? 0)) break;
      expected.push(fire);
    }
    expect(found, `fires of team ${index}`).toEqual(expected);
    total += found.length;
  }
  return total;
}

/** @param look tells what is still missing */
async function eventually(what: string, look: () => Promise<string | undefined>): Promise<void> {
  const givingUp = systemClock.monotonic() + PATIENCE_MS;
  for (;;) {
    const missing = await look();
    if (missing === undefined) return;
    expect(systemClock.monotonic(), `${what}, in time: ${missing}`).toBeLessThan(givingUp);
    await systemClock.sleep(250);
  }
}

function codesOf(children: Set<ChildProcess>): (number | null)[] {
  return [...children].map(({ exitCode }) => exitCode);
}
