import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newPath } from '../support/files.ts';

/** Longer without a word, and the file at hand has hung the reader: 5 s and some, as a busy machine needs. */
const SILENCE_MS = 30_000;

/** Reads the files in a process of its own, which is ended where it hangs. */
async function run(
  kind: string,
  from: number,
  count: number,
): Promise<{ slowest: number; megabytes: number }> {
  const args = [join(import.meta.dirname, 'run.ts'), kind, String(from), String(count), newPath(kind)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let last = '';
  let errors = '';
  const watchdog = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    watchdog.refresh();
    last = text.trim().split('\n').at(-1) ?? last;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(watchdog);
  if (code !== 0) throw new Error(`file ${last} of ${kind}: ended with ${code ?? signal}\n${errors}`);
  return JSON.parse(last) as { slowest: number; megabytes: number };
}

describe('10,000 spoiled files of each kind: no crash, no hang, no memory without bound', () => {
  it.each(['csv', 'xlsx', 'xls', 'ods'])('%s', async (kind) => {
    const { slowest, megabytes } = await run(kind, 1000, 10_000);
    expect(slowest).toBeLessThan(5);
    expect(megabytes).toBeLessThan(400);
  });
});
