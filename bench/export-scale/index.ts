/** A million items as CSV and as XLSX: killed in the middle, gone on with, and held against the manifest. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startSandboxProcess } from '../sandbox-process.ts';

export const name = 'export-scale';

const ITEMS = 1_000_000;
const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');
const reporter = resolve(import.meta.dirname, '../report-memory.mjs');

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    await using server = await startSandboxProcess(['--seed', '7', '--seed-items', String(ITEMS)]);
    const env = { ...server.env, SHELFLIFT_STORE: join(folder, 'store.db') };
    const lines: string[] = [];
    for (const format of ['csv', 'xlsx']) {
      const file = join(folder, `items.${format}`);
      const killed = await exportTo(file, env, ITEMS / 2);
      const whole = await exportTo(file, env);
      await verify(file);
      lines.push(
        `| ${format.toUpperCase()} | ${killed.rows.toLocaleString('en-US')} | ${killed.peakMb} MB | ${whole.peakMb} MB | ${whole.seconds.toFixed(0)} | ${whole.processor.toFixed(0)} |`,
      );
      rmSync(file);
    }
    return [
      `**Export of ${ITEMS.toLocaleString('en-US')} items, killed (SIGKILL) in the middle and gone on with; the file holds against its manifest**`,
      '',
      '| | rows read before the kill | peak memory before it | peak memory of the run that went on | its seconds | its processor seconds |',
      '|---|---|---|---|---|---|',
      ...lines,
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  /** As its progress told last. */
  rows: number;
  seconds: number;
  processor: number;
  peakMb: number;
}

/** @param killAt rows after which it is killed; without it the export must end well */
async function exportTo(
  file: string,
  env: Record<string, string>,
  killAt = Number.POSITIVE_INFINITY,
): Promise<Run> {
  const startedAt = performance.now();
  const argv = ['--import', reporter, cli, 'export', 'items', '--out', file, '--json'];
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  let rows = 0;
  let peakMb = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told = (told + text).slice(-2000);
    rows = Number(
      told
        .match(/reading: [\d,]+/g)
        ?.at(-1)
        ?.replaceAll(/\D/g, '') ?? rows,
    );
    if (rows < killAt || child.killed) return;
    peakMb = peakOf(child.pid);
    child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - startedAt) / 1000;
  if (code === null) return { rows, seconds, processor: Number.NaN, peakMb };
  if (code !== 0 || killAt < ITEMS) throw new Error(`the export ended with ${code}:\n${told}`);
  const figure = (what: RegExp) => Number(what.exec(told)?.[1]);
  return { rows, seconds, processor: figure(/processor-s=([\d.]+)/), peakMb: figure(/peak-mb=(\d+)/) };
}

/** MB; of another process only Linux tells it. */
function peakOf(pid: number | undefined): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return Number.NaN;
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024);
}

async function verify(file: string): Promise<void> {
  const child = spawn(process.execPath, [cli, 'export', 'verify', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${file} is not what was written`);
}
