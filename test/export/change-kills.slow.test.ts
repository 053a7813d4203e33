import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace, type Place, SOURCE } from '../cli/run-shelflift.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { seed } from '../support/seed.ts';

const KILLER = pathToFileURL(join(import.meta.dirname, '../support/kill-at.ts')).href;
const ITEMS = 6;

/** What somebody has who applies each file of changes as it arrives. */
class Reader {
  readonly items = new Map<string, string>();
  rows = 0;

  /** @param takes whether the files are taken away: a worker replaces none */
  read(file: string, takes: boolean): void {
    const folder = dirname(file);
    this.rows = 0;
    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
      if (!/^changes(-\d+)?\.ndjson$/.test(name)) continue;
      for (const line of readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)) {
        this.rows += 1;
        const { _change, ...item } = JSON.parse(line) as { _change: string; id: string };
        if (_change === 'left') this.items.delete(item.id);
        else this.items.set(item.id, JSON.stringify(item));
      }
      if (takes) rmSync(join(folder, name));
    }
  }

  expectAll(sandbox: Sandbox): void {
    expect(this.items).toEqual(
      new Map(sandbox.control.items().map((item) => [item.id, JSON.stringify(item)])),
    );
  }
}

interface Way {
  /** The command that is killed. */
  argv: string[];
  /** What queues it first. */
  before?: string[];
  file: string;
}

const EXPORT: Way = {
  argv: ['export', 'items', '--out', 'changes.ndjson', '--changed-since-last', 'weekly'],
  file: 'changes.ndjson',
};
const WORKER = {
  argv: ['worker', '--once', '--config', 'shelflift.yaml'],
  before: ['schedule', 'run', 'weekly', '--config', 'shelflift.yaml'],
};
const DELIVERED: Way = { ...WORKER, file: 'out/changes.ndjson' };
const PLACED: Way = { ...WORKER, file: 'changes.ndjson' };

function yamlOf(apiUrl: string, deliver: string): string {
  return `profiles:
  main: { apiUrl: "${apiUrl}", keyEnv: SHELFLIFT_API_KEY }
schedules:
  weekly:
    profile: main
    cron: "0 0 29 2 *"
    timeZone: Europe/Berlin
    task: { export: items, out: changes.ndjson, changedSinceLast: weekly }
    ${deliver}
`;
}

async function killed(place: Place, argv: string[], step: number): Promise<boolean> {
  const environment = { KILL_AT: String(step), NODE_OPTIONS: `--import ${KILLER}` };
  const child = place.start(argv, environment, SOURCE);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout?.resume();
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL') expect({ code, stderr }).toMatchObject({ code: 0 });
  return signal === 'SIGKILL';
}

/** One round at a step; false where the process ended before it. */
async function round(way: Way, deliver: string, step: number, store: string | undefined): Promise<boolean> {
  await using api = await startSandbox();
  const place = newPlace({
    SHELFLIFT_API_URL: api.url,
    SHELFLIFT_API_KEY: api.key,
    ...(store === undefined ? {} : { SHELFLIFT_STORE: store }),
  });
  place.file('shelflift.yaml', yamlOf(api.url, deliver));
  const file = join(place.folder, way.file);
  const reader = new Reader();
  const run = async (argv: string[] | undefined) => {
    if (argv === undefined) return;
    const { code, stderr } = await place.call(argv);
    expect({ argv, code, stderr }).toMatchObject({ code: 0 });
  };
  const ids = api.control.insertItems(Array.from({ length: ITEMS }, (_, n) => ({ name: `Toy ${n}` })));
  await run(way.before);
  await run(way.argv);
  reader.read(file, way.before !== undefined);
  reader.expectAll(api);

  await using client = createClient({ apiUrl: api.url, key: api.key });
  const change = (n: number, name: string) => client.updateItem(ids[n] ?? '', { name });
  await change(0, 'changed before the kill');
  await change(1, 'changed before the kill');
  api.control.removeItem(ids[2] ?? '');
  await run(way.before);
  const wasKilled = await killed(place, way.argv, step);
  reader.read(file, way.before !== undefined);

  await change(0, 'Toy 0');
  await change(3, 'changed after the kill');
  api.control.insertItems([{ name: 'new after the kill' }]);
  await run(way.argv);
  reader.read(file, way.before !== undefined);
  // The run that was killed has a file of its own; what came after it is in the next one.
  await run(way.before);
  await run(way.argv);
  reader.read(file, way.before !== undefined);
  reader.expectAll(api);

  // Nothing is told for ever.
  await run(way.before);
  await run(way.argv);
  reader.read(file, way.before !== undefined);
  expect(reader.rows).toBe(0);
  return wasKilled;
}

interface Steps {
  first: number;
  every: number;
}

/** One of so many steps, and the others with other seeds: each takes seconds. */
const oneOf = (every: number): Steps => ({ first: 1 + (seed % every), every });

/** @returns the last step at which it was killed */
async function allSteps(
  way: Way,
  deliver: string,
  newStore: () => Promise<string | undefined>,
  { first, every }: Steps = { first: 1, every: 1 },
): Promise<number> {
  let step = first;
  while (await round(way, deliver, step, await newStore())) step += every;
  return step - every;
}

const CASES = [
  ['on the command line', EXPORT, ''],
  ['by a worker that delivers', DELIVERED, 'deliver: [{ folder: ./out }]'],
  ['by a worker, to its place', PLACED, ''],
] as const;

describe('an export of changes that is killed at any step loses no change', () => {
  test.each(CASES)('%s, on SQLite', async (_name, way, deliver) => {
    expect(await allSteps(way, deliver, async () => undefined, oneOf(4))).toBeGreaterThan(8);
  });

  describe.skipIf(POSTGRES.length === 0)('with PostgreSQL', () => {
    const server = usePostgres(POSTGRES.at(-1));
    test.each(CASES)('%s, on PostgreSQL', async (_name, way, deliver) => {
      expect(await allSteps(way, deliver, () => server.newDatabase(), oneOf(8))).toBeGreaterThan(6);
    });
  });
});
