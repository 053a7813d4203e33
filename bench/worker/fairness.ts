/**
 * How much of 20 small budgets is used at the same time, and by the one that gets least: from each key's first create
 * on, and when everything has started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/api/client.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { submitImport } from '../../src/worker/submit.ts';
import { openStore, type Stores } from './stores.ts';

const KEYS = 20;
const RATE = 5;
const WINDOW_MS = 1000;
/** Before the steady part: whole seconds are lost to no import any more. */
const WARM_UP_MS = 3_000;
export const STEADY_MS = 15_000;
/** More than can be sent meanwhile. */
const ROWS = 3 * RATE * ((WARM_UP_MS + STEADY_MS) / 1000);
const BIN = resolve(import.meta.dirname, '../../src/cli/bin.ts');

export interface Shares {
  /** Creates as a share of what the limit admits, when everything has started. */
  mean: number;
  slowest: number;
  /** Of all answers from the first request on. */
  limited: number;
  /** From the start of the processes to the first create of the last key, seconds. */
  startSeconds: number;
}

interface Team {
  id: number;
  key: string;
}

/** @param count processes of `shelflift worker`, on one store */
export async function workers(count: number, stores: Stores): Promise<Shares> {
  const { folder } = stores;
  await using sandbox = await startSandbox({ rateLimit: `${RATE}/${WINDOW_MS}ms` });
  const teams = makeTeams(sandbox);
  const store = await stores.fresh();
  const config = join(folder, 'shelflift.yaml');
  const profiles = teams.map(
    (_, index) => `  team${index}: { apiUrl: "${sandbox.url}", keyEnv: KEY_${index} }`,
  );
  await writeFile(config, `profiles:\n${profiles.join('\n')}\n`);
  await submit(folder, store, sandbox, teams);
  const env = {
    ...process.env,
    ...Object.fromEntries(teams.map(({ key }, index) => [`KEY_${index}`, key])),
    SHELFLIFT_STORE: store,
    XDG_STATE_HOME: folder,
  };
  const children: ChildProcess[] = [];
  try {
    const since = Date.now();
    for (let index = 0; index < count; index += 1) {
      const argv = [BIN, 'worker', '--config', config, '--quiet', '--grace', '1s'];
      children.push(spawn(process.execPath, argv, { env, stdio: 'ignore' }));
    }
    return await measure(sandbox, teams, since);
  } finally {
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(ended);
  }
}

/** What a person would write: one request after the other, and after a 429 the pause that the server names. */
export async function scripts(): Promise<Shares> {
  await using sandbox = await startSandbox({ rateLimit: `${RATE}/${WINDOW_MS}ms` });
  const teams = makeTeams(sandbox);
  const stop = new AbortController();
  const since = Date.now();
  const sending = teams.map((team) => script(sandbox, team, stop.signal));
  const shares = await measure(sandbox, teams, since);
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

async function submit(folder: string, location: string, sandbox: Sandbox, teams: Team[]): Promise<void> {
  await using store = await openStore(location, folder);
  for (const { id, key } of teams) {
    await using client = createClient({ apiUrl: sandbox.url, key });
    const file = join(folder, `team${id}.csv`);
    const names = Array.from({ length: ROWS }, (_, row) => `Team ${id} toy ${row}`);
    await writeFile(file, `name\n${names.join('\n')}\n`);
    await submitImport({ file, collection: 'Main' }, { ...store, laneId: client.laneId });
  }
}

async function measure(sandbox: Sandbox, teams: Team[], since: number): Promise<Shares> {
  const givingUp = Date.now() + 120_000;
  while (teams.some(({ id }) => sandbox.control.items(id).length === 0)) {
    if (Date.now() > givingUp) throw new Error('not every key sent something within two minutes');
    await sleep(50);
  }
  await sleep(WARM_UP_MS + STEADY_MS + WINDOW_MS);
  const { requests, limited } = sandbox.control.counts();
  const created = teams.map(({ id }) => sandbox.control.items(id).map((item) => Date.parse(item.created_at)));
  const last = Math.max(...created.map((times) => Math.min(...times)));
  const shares = created.map((times) => steadyShare(times, last + WARM_UP_MS));
  return {
    mean: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    slowest: Math.min(...shares),
    limited: limited / Math.max(1, requests),
    startSeconds: (last - since) / 1000,
  };
}

/**
 * A limit's windows begin at any time, and all of a window may be sent at its beginning: what is sent within the
 * first and the last window of the time counts the less, the nearer it is to the end.
 */
function steadyShare(times: readonly number[], from: number): number {
  const until = from + STEADY_MS;
  const weight = (at: number) => clamp((at - from) / WINDOW_MS) * clamp((until - at) / WINDOW_MS);
  const sent = times.reduce((sum, at) => sum + weight(at), 0);
  return sent / ((RATE * (STEADY_MS - WINDOW_MS)) / WINDOW_MS);
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
