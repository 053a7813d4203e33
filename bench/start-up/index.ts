/**
 * The processor's time of short commands of the built package, from the process's start to its end. The wall's time of
 * something so short depends on what else the machine does.
 *
 * `BENCH_DIST=FOLDER` measures the dist of another build.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from '../measure.ts';
import { startSandboxProcess } from '../sandbox-process.ts';

export const name = 'start-up';

const dist = resolve(process.env['BENCH_DIST'] ?? join(import.meta.dirname, '../../dist'));
const RUNS = 21;

/** Seconds. */
const GOALS = {
  'an empty program': undefined,
  "import 'shelflift'": 0.15,
  'shelflift --version': 0.1,
  'shelflift --help': 0.2,
  'shelflift import --help': 0.2,
  'completion of a word': 0.15,
  'shelflift jobs list': 0.15,
  'shelflift import, 10 rows': 0.35,
  'shelflift export items, 500 as CSV': undefined,
  'shelflift export items, 500 as XLSX': undefined,
};

export async function run(): Promise<string> {
  const cli = join(dist, 'cli/bin.js');
  if (!existsSync(cli)) throw new Error(`There is no ${cli}: npm run build makes it.`);
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    await using server = await startSandboxProcess(['--seed', '7']);
    let rows = 0;
    const commands: Record<keyof typeof GOALS, () => string[]> = {
      'an empty program': () => ['--eval', '0'],
      "import 'shelflift'": () => ['--eval', `import(${JSON.stringify(join(dist, 'index.js'))})`],
      'shelflift --version': () => [cli, '--version'],
      'shelflift --help': () => [cli, '--help'],
      'shelflift import --help': () => [cli, 'import', '--help'],
      'completion of a word': () => [cli, '--get-yargs-completions', 'shelflift', 'imp'],
      'shelflift jobs list': () => [cli, 'jobs', 'list'],
      'shelflift import, 10 rows': () => {
        // Another file each time: one that was sent before sends nothing.
        const file = join(folder, 'toys.csv');
        const lines = Array.from({ length: 10 }, () => `Robot ${(rows += 1)},Acme,1985`);
        writeFileSync(file, `name,brand,release_year\n${lines.join('\n')}\n`);
        return [cli, 'import', file, '--collection', 'Action figures', '--quiet', '--yes'];
      },
      'shelflift export items, 500 as CSV': () => [cli, 'export', 'items', '--out', 'items.csv', '--quiet'],
      'shelflift export items, 500 as XLSX': () => [cli, 'export', 'items', '--out', 'items.xlsx', '--quiet'],
    };
    const environment = { ...process.env, ...server.env, SHELFLIFT_STORE: join(folder, 'store.db') };
    const measured = Object.fromEntries(Object.keys(GOALS).map((label) => [label, [] as number[]]));
    for (let turn = 0; turn <= RUNS; turn += 1) {
      for (const [label, argv] of Object.entries(commands)) {
        const seconds = await processorSeconds(argv(), folder, environment);
        // The first fills the cache of compiled modules.
        if (turn > 0) measured[label]?.push(seconds);
      }
    }
    return [
      "**Processor's time of short commands**",
      '',
      '| | median, seconds | least | goal |',
      '|---|---|---|---|',
      ...Object.entries(GOALS).map(([label, goal]) => {
        const seconds = measured[label] ?? [];
        return `| ${label} | ${median(seconds).toFixed(3)} | ${Math.min(...seconds).toFixed(3)} | ${goal ?? ''} |`;
      }),
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** It prints what the process took, when that ends. */
const REPORTER = `data:text/javascript,${encodeURIComponent(
  'process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write("\\ncpu-us="+(user+system)+"\\n")})',
)}`;

async function processorSeconds(argv: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, ['--import', REPORTER, ...argv], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}:\n${errors}`);
  return Number(/cpu-us=(\d+)/.exec(errors)?.[1]) / 1e6;
}
