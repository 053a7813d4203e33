/** How much of 20 small budgets is used at the same time, and by the one that gets least. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/api/client.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { FolderSpool } from '../../src/worker/queue/spool.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { submitImport } from '../../src/worker/submit.ts';

const KEYS = 20;
const RATE = 5;
const SECONDS = 15;
/** Before it is counted: workers start, files are read, limits are learned. */
const WARM_UP_S = 8;
/** More than can be sent meanwhile. */
const ROWS = RATE * (SECONDS + WARM_UP_S) * 3;
const BIN = resolve(import.meta.dirname, '../../src/cli/bin.ts');

export interface Shares {
  /** Creates as a share of what the limit admits. */
  mean: number;
  slowest: number;
  /** Share of all answers. */
  limited: number;
}

interface Team {
  id: number;
  key: string;
}

export async function workers(count: number): Promise<Shares> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-bench-'));
  await using sandbox = await startSandbox({ rateLimit: `${RATE}/1s` });
  const teams = makeTeams(sandbox);
  const store = join(folder, 'ledger.db');
  const config = join(folder, 'shelflift.yaml');
  const children: ChildProcess[] = [];
  try {
    const profiles = teams.map(
      (_, index) => `  team${index}: { apiUrl: "${sandbox.url}", keyEnv: KEY_${index} }`,
    );
    await writeFile(config, `profiles:\n${profiles.join('\n')}\n`);
    await submit(folder, store, sandbox, teams);
    const env = {
      ...process.env,
      ...Object.fromEntries(teams.map(({ key }, index) => [`KEY_${index}`, key])),
    };
    for (let index = 0; index < count; index += 1) {
      const argv = [BIN, 'worker', '--config', config, '--store', store, '--quiet', '--grace', '1s'];
      children.push(spawn(process.execPath, argv, { env, stdio: 'ignore' }));
    }
    await everyKeyBegan(sandbox, teams);
    return await measure(sandbox, teams);
  } finally {
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(ended);
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a person would write: one request after the other, and after a 429 the pause that the server names. */
export async function scripts(): Promise<Shares> {
  await using sandbox = await startSandbox({ rateLimit: `${RATE}/1s` });
  const teams = makeTeams(sandbox);
  const stop = new AbortController();
  const sending = teams.map((team) => script(sandbox, team, stop.signal));
  await everyKeyBegan(sandbox, teams);
  const shares = await measure(sandbox, teams);
  stop.abort();
  await Promise.all(sending);
  return shares;
}

async function script(sandbox: Sandbox, { key, id }: Team, stop: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const lists = (await (await fetch(`${sandbox.url}/api/public/v1/collections`, { headers })).json()) as {
    data: { id: string }[];
  };
  const collection = lists.data[0]?.id;
  for (let row = 0; !stop.aborted; row += 1) {
    const body = JSON.stringify({ collection_id: collection, name: `Team ${id} toy ${row}` });
    const answer = await fetch(`${sandbox.url}/api/public/v1/items`, { method: 'POST', headers, body });
    await answer.text();
    if (answer.status === 429) await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000);
  }
}

function makeTeams(sandbox: Sandbox): Team[] {
  return Array.from({ length: KEYS }, (_, index) => {
    const { id } = sandbox.control.addTeam({ name: `Team ${index}` });
    return { id, key: sandbox.control.addKey(undefined, id).secret };
  });
}

async function submit(folder: string, store: string, sandbox: Sandbox, teams: Team[]): Promise<void> {
  await using ledger = openSqliteLedger(store);
  await using queue = new StoreQueue(ledger);
  const spool = new FolderSpool(`${store}.spool`);
  for (const { id, key } of teams) {
    await using client = createClient({ apiUrl: sandbox.url, key });
    const file = join(folder, `team${id}.csv`);
    await writeFile(
      file,
      `name\n${Array.from({ length: ROWS }, (_, row) => `Team ${id} toy ${row}`).join('\n')}\n`,
    );
    await submitImport({ file, collection: 'Main' }, { ledger, queue, spool, laneId: client.laneId });
  }
}

async function everyKeyBegan(sandbox: Sandbox, teams: Team[]): Promise<void> {
  const givingUp = performance.now() + 120_000;
  while (teams.some(({ id }) => sandbox.control.items(id).length === 0)) {
    if (performance.now() > givingUp) throw new Error('not every key sent something within two minutes');
    await sleep(200);
  }
  await sleep(WARM_UP_S * 1000);
}

async function measure(sandbox: Sandbox, teams: Team[]): Promise<Shares> {
  const made = () => teams.map(({ id }) => sandbox.control.items(id).length);
  sandbox.control.resetCounts();
  const before = made();
  const since = performance.now();
  await sleep(SECONDS * 1000);
  const after = made();
  const budget = (RATE * (performance.now() - since)) / 1000;
  const shares = after.map((count, index) => (count - (before[index] ?? 0)) / budget);
  const { requests, limited } = sandbox.control.counts();
  return {
    mean: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    slowest: Math.min(...shares),
    limited: limited / Math.max(1, requests),
  };
}
