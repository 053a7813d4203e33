/** The same upsert in two jobs: whatever their order, every key ends with one item. Real processes on one store. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { JobSummary } from '../../src/import/results/summary.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace, type Place, type Run } from '../cli/run-shelflift.ts';
import { csv, toys } from '../support/csv.ts';

const KEYS = 40;
const CARS = 800;
const UPSERT = [
  'import toys.csv --mode upsert --match custom_fields.sku --map custom_fields.sku=sku',
  '--collection Main --json --yes --quiet-period 300ms',
].flatMap((words) => words.split(' '));

function placeBefore(sandbox: Sandbox, key = sandbox.key): Place {
  const place = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: key,
    SHELFLIFT_STORE: 'ledger.db',
  });
  const rows = Array.from({ length: KEYS }, (_, index) => [`Toy ${index}`, `S-${index}`, 'sell']);
  place.file('toys.csv', csv(['name', 'sku', 'status'], rows));
  return place;
}

const summaryOf = ({ stdout, stderr }: Run): JobSummary => {
  expect(stdout, stderr).toMatch(/^\{/);
  return JSON.parse(stdout) as JobSummary;
};

function expectEachKeyOnce(sandbox: Sandbox): void {
  const toysThere = sandbox.control.items().filter(({ name }) => name.startsWith('Toy'));
  const skus = toysThere.map(({ custom_fields }) => String(custom_fields?.['sku']));
  const expected = Array.from({ length: KEYS }, (_, index) => `S-${index}`);
  expect(skus.sort()).toEqual(expected.sort());
}

async function untilItems(sandbox: Sandbox, count: number): Promise<void> {
  while (sandbox.control.items().length < count) await sleep(20);
}

async function untilTold(child: ChildProcess, what: string): Promise<void> {
  let told = '';
  for await (const chunk of child.stderr ?? []) {
    told += String(chunk);
    if (told.toLowerCase().includes(what)) return;
  }
  throw new Error(`not told: ${what}\n${told}`);
}

it('two equal upserts that start at once create each item once', async () => {
  await using sandbox = await startSandbox({ latencyMs: 50 });
  const place = placeBefore(sandbox);
  // At one row a round trip they take most of a minute, if nobody lets them go on faster.
  place.file('cars.csv', toys(CARS, 'Car'));
  const slowly = ['--collection', 'Main', '--yes', '--quiet', '--max-concurrency', '1'];
  const ahead = ended(place.start(['import', 'cars.csv', ...slowly]));
  await untilItems(sandbox, 1);
  // Both have their plan, in which nothing is there, before either has its turn.
  const children = [place.start(UPSERT), place.start(UPSERT)];
  const both = children.map((child) => ended(child));
  await Promise.all(children.map((child) => untilTold(child, 'waiting for')));
  expect(sandbox.control.items().length).toBeLessThan(CARS);
  sandbox.control.setLatency(1);
  const runs = await Promise.all(both);
  expect((await ahead).code).toBe(0);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expectEachKeyOnce(sandbox);
  const rows = runs.map((run) => summaryOf(run).rows);
  expect(rows.map(({ created, unchanged }) => created + unchanged)).toEqual([KEYS, KEYS]);
  expect(rows.reduce((sum, { created }) => sum + created, 0)).toBe(KEYS);
});

it('two equal upserts with two keys of one team create each item once', async () => {
  await using sandbox = await startSandbox({ latencyMs: 30 });
  const place = placeBefore(sandbox);
  const other = { SHELFLIFT_API_KEY: sandbox.control.addKey().secret };
  const runs = await Promise.all([ended(place.start(UPSERT)), ended(place.start(UPSERT, other))]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expectEachKeyOnce(sandbox);
});

it.each(['SIGINT', 'SIGKILL'] as const)(
  'an upsert that is stopped by %s, repeated, and then resumed creates each item once',
  async (signal) => {
    await using sandbox = await startSandbox({ latencyMs: 100 });
    const place = placeBefore(sandbox);
    const first = place.start([...UPSERT, '--max-concurrency', '2']);
    const stopped = ended(first);
    await untilItems(sandbox, 5);
    first.kill(signal);
    await stopped;
    const before = sandbox.control.items().length;
    expect(before).toBeLessThan(KEYS);

    const again = await place.run(UPSERT);
    expect(again.code, again.stderr).toBe(0);
    expectEachKeyOnce(sandbox);
    const jobs = JSON.parse((await place.run(['jobs', 'list', '--json'])).stdout) as {
      jobs: { job: string; state: string }[];
    };
    const [id = ''] = jobs.jobs.filter(({ state }) => state === 'interrupted').map(({ job }) => job);
    const resumed = await place.run(['jobs', 'resume', id, '--json', '--yes', '--quiet-period', '300ms']);
    expect(resumed.code, resumed.stderr).toBe(0);
    expectEachKeyOnce(sandbox);
    const { rows } = summaryOf(resumed);
    expect(rows.created + rows.unchanged).toBe(KEYS);
  },
);
