/** Times whole processes in turn, so that a slow minute of the machine hits both sides. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Side {
  label: string;
  /** Default: this node. Another program tells its own `peak-mb=` on stderr. */
  program?: string;
  args: string[];
  env?: Record<string, string>;
  /** Before each run. */
  prepare?: () => Promise<void> | void;
}

export interface Measured {
  label: string;
  /** Median of the runs. */
  seconds: number;
  /** Median of the processor's time, seconds: what a busy machine does not change much. */
  processor: number;
  /** Largest of the runs, MB. */
  peakMb: number;
}

/** Runs each side `runs` times, in turn. @throws when a run fails: a figure of a failure is none */
export async function inTurn(sides: Side[], runs: number): Promise<Measured[]> {
  const seconds = sides.map(() => [] as number[]);
  const processor = sides.map(() => [] as number[]);
  const peaks = sides.map(() => 0);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, side] of sides.entries()) {
      await side.prepare?.();
      const one = await once1(side);
      seconds[index]?.push(one.seconds);
      processor[index]?.push(one.processor);
      peaks[index] = Math.max(peaks[index] ?? 0, one.peakMb);
    }
  }
  return sides.map((side, index) => ({
    label: side.label,
    seconds: median(seconds[index] ?? []),
    processor: median(processor[index] ?? []),
    peakMb: peaks[index] ?? 0,
  }));
}

async function once1(side: Side): Promise<Omit<Measured, 'label'>> {
  const startedAt = performance.now();
  const reporter = new URL('./report-memory.mjs', import.meta.url).href;
  const { program = process.execPath } = side;
  const args = side.program === undefined ? ['--import', reporter, ...side.args] : side.args;
  const child = spawn(program, args, {
    env: { ...process.env, ...side.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`${side.label} ended with ${code}:\n${errors}`);
  const told = (what: RegExp) => Number(what.exec(errors)?.[1] ?? 0);
  return { seconds, processor: told(/processor-s=([\d.]+)/), peakMb: told(/peak-mb=(\d+)/) };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A Markdown table; the ratio is the first side's speed as a share of each other's. */
export function markdown(title: string, unit: string, amount: number, measured: Measured[]): string {
  const [ours] = measured;
  const lines = measured.map((each, index) => {
    const ratio = index === 0 || ours === undefined ? '' : (each.seconds / ours.seconds).toFixed(2);
    return `| ${each.label} | ${each.seconds.toFixed(2)} | ${each.processor.toFixed(2)} | ${Math.round(amount / each.seconds).toLocaleString('en-US')} | ${each.peakMb} MB | ${ratio} |`;
  });
  return [
    `**${title}**`,
    '',
    `| | seconds | processor seconds | ${unit}/s | peak memory | shelflift's speed as a share of it |`,
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
