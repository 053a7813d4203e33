import { expect, test, vi } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { WorkerConfig } from '../../src/worker/config/schema.ts';
import { Metrics } from '../../src/worker/health/metrics.ts';
import { Profiles } from '../../src/worker/profiles.ts';
import { deliveryQueue, profileQueue } from '../../src/worker/queue/queue.ts';
import type { Run } from '../../src/worker/queue/run.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { startHealthServer } from '../../src/worker/health/server.ts';
import { runOfFire } from '../../src/worker/schedule/schedules.ts';
import { overriding } from '../support/overriding.ts';

const DAY = 86_400_000;

function runOn(day: number, how: Partial<Run> = {}, schedule = 'daily'): Run {
  const fire = day * DAY;
  return { ...runOfFire({ schedule, fire, previous: fire - DAY }, profileQueue('main'), fire), ...how };
}

async function metricsOf(ledger: Ledger): Promise<string> {
  const metrics = new Metrics(ledger);
  metrics.onEvent({ type: 'started', profiles: ['main'], schedules: ['daily'], hotFolders: [] });
  return metrics.text();
}

test('metrics count waiting, running and delivered runs, and show when each schedule last succeeded', async () => {
  await using ledger = openSqliteLedger(':memory:');
  const runs = new Runs(ledger);
  await runs.add(runOn(1, { state: 'done', endedAt: DAY + 5000 }));
  await runs.add(runOn(2, { state: 'failed', endedAt: 2 * DAY }));
  await runs.add(runOn(9, { state: 'done', endedAt: 9 * DAY }, 'daily@noon'));
  for (const run of [
    runOn(3, { state: 'running' }),
    ...Array.from({ length: 600 }, (_, index) => runOn(4 + index, {}, 'other')),
    runOn(2000, { state: 'delivering', queue: deliveryQueue('x') }),
  ]) {
    await runs.add(run);
  }
  const text = await metricsOf(ledger);
  expect(text).toContain('shelflift_runs{state="queued"} 600\n');
  expect(text).toContain('shelflift_runs{state="running"} 1\n');
  expect(text).toContain('shelflift_runs{state="delivering"} 1\n');
  expect(text).toContain('shelflift_schedule_last_success_timestamp_seconds{schedule="daily"} 86405\n');
  const newest = await new Runs(ledger).newest(['daily']);
  expect(newest.get('daily')).toMatchObject({ state: 'delivering' });
});

test('the cost of metrics does not grow with the number of past runs', async () => {
  const read = async (history: number): Promise<number> => {
    await using ledger = openSqliteLedger(':memory:');
    const runs = new Runs(ledger);
    for (let day = 1; day <= history; day += 1)
      await runs.add(runOn(day, { state: 'done', endedAt: day * DAY }));
    const lists = [vi.spyOn(ledger.values, 'list'), vi.spyOn(ledger.runs, 'list')];
    await metricsOf(ledger);
    const results = lists.flatMap(({ mock }) => mock.results.map(({ value }) => value as Promise<unknown[]>));
    const pages = await Promise.all(results);
    return pages.reduce((lines, page) => lines + page.length, 0);
  };
  expect(await read(1000)).toBe(await read(10));
});

test('/readyz and /metrics soon report that the store does not answer, however often they are requested', async () => {
  await using store = openSqliteLedger(':memory:');
  const silent = new Promise<never>(() => undefined);
  const values = overriding(store.values, { get: () => silent });
  const ledger = overriding(store, { values, jobs: overriding(store.jobs, { list: () => silent }) });
  const state = { alive: () => true, stopping: () => false };
  await using server = await startHealthServer(
    { host: '127.0.0.1', port: 0 },
    ledger,
    new Metrics(ledger),
    state,
  );
  const statusOf = async (path: string) => (await fetch(server.url + path)).status;
  expect(await Promise.all(['/readyz', '/metrics', '/healthz'].map(statusOf))).toEqual([503, 503, 200]);
  expect(await statusOf('/metrics')).toBe(503);
});

test('requests with a key that two profiles share are counted for both profiles', async () => {
  await using api = await startSandbox();
  const profile = { apiUrl: api.url, keyEnv: 'THE_KEY' };
  const config = { ...WorkerConfig.parse({ profiles: { main: profile, second: profile } }), folder: '.' };
  const asked: string[] = [];
  const listen = { onRequest: (name: string) => void asked.push(name), onPause: () => undefined };
  await using profiles = new Profiles(config, { THE_KEY: api.key }, { timeoutMs: 10_000 }, listen);
  await profiles.ofLane(profiles.lanes.get('second') ?? '')?.listCollections({ page: 1 });
  expect(asked).toEqual(['main,second']);
});
