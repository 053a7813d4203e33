/** 5,000 changes among 100,000 items: requests and seconds, beside the plain way of a getItem and a full PATCH a row. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type SandboxProcess, startSandboxProcess } from '../sandbox-process.ts';
import { median } from '../measure.ts';
import { eachItem } from './items.ts';

export const name = 'changes';

const ITEMS = 100_000;
const CHANGES = 5_000;
const RUNS = 3;
/** What a plan of the service may admit: the time that a user waits is requests divided by this. */
const RATE = 10;
const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');

interface Run {
  seconds: number;
  requests: number;
}

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    await using server = await startSandboxProcess(['--seed', '7', '--seed-items', String(ITEMS)]);
    const ids: string[] = [];
    await eachItem(server.env, (item) => void ids.push(item.id));
    const ours: Run[] = [];
    const plain: Run[] = [];
    for (let round = 0; round < RUNS; round += 1) {
      // Another text each time, so that there is always something to change.
      ours.push(await shelflift(folder, server, changes(folder, ids, `ours ${round}`)));
      plain.push(await plainWay(server, changes(folder, ids, `plain ${round}`)));
    }
    return table([
      [
        'shelflift import --mode update (reads the list, compares, one PATCH with the changed field alone)',
        ours,
      ],
      ['the plain way: getItem and a full PATCH for each row, 16 in flight', plain],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function changes(folder: string, ids: readonly string[], brand: string): string {
  const file = join(folder, 'changes.csv');
  const lines = Array.from({ length: CHANGES }, (_, index) => `${ids[(index * 7919) % ids.length]},${brand}`);
  writeFileSync(file, `id,brand\n${lines.join('\n')}\n`);
  return file;
}

async function shelflift(folder: string, server: SandboxProcess, file: string): Promise<Run> {
  const argv = [cli, 'import', file, '--mode', 'update', '--match', 'id', '--yes', '--json', '--quiet'];
  const { seconds, stdout } = await timed(argv, {
    ...server.env,
    SHELFLIFT_STORE: join(folder, 'ledger.db'),
  });
  const summary = JSON.parse(stdout) as { requests: { sent: number }; rows: { updated: number } };
  if (summary.rows.updated !== CHANGES) throw new Error(`${summary.rows.updated} of ${CHANGES} were changed`);
  return { seconds, requests: summary.requests.sent };
}

async function plainWay(server: SandboxProcess, file: string): Promise<Run> {
  const { seconds, stdout } = await timed([join(import.meta.dirname, 'plain-way.ts'), file], server.env);
  return { seconds, requests: Number(stdout) };
}

async function timed(
  argv: string[],
  env: Record<string, string>,
): Promise<{ seconds: number; stdout: string }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, stdout };
}

function table(sides: [string, Run[]][]): string {
  const lines = sides.map(([label, runs]) => {
    const requests = median(runs.map((each) => each.requests));
    const seconds = median(runs.map((each) => each.seconds));
    const minutes = Math.round(requests / RATE / 60);
    return `| ${label} | ${requests.toLocaleString('en-US')} | ${seconds.toFixed(2)} | ${minutes} min |`;
  });
  return [
    `**${CHANGES.toLocaleString('en-US')} changes among ${ITEMS.toLocaleString('en-US')} items, server without latency or limit**`,
    '',
    `| | requests | seconds | at ${RATE} requests/s |`,
    '|---|---|---|---|',
    ...lines,
  ].join('\n');
}
