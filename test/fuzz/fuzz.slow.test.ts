import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/open-import.ts';
import { seed } from '../support/seed.ts';
import { type Kind, KINDS } from './kinds.ts';

/** Longer without a word, and the input at hand has hung its reader: on a busy machine a start alone took half a minute. */
const SILENCE_MS = 120_000;
/** How many a second there are differs, so a short run takes as long for each. FUZZ=100000 plays so many of each. */
const SHORT: Record<Kind, number> = {
  csv: 2_500,
  xlsx: 1_200,
  xls: 1_200,
  ods: 1_200,
  yaml: 120,
  headers: 1_000,
  answers: 500,
  names: 100,
  forms: 200,
  cells: 25,
};
/** Of the whole process; the sandbox and the store of an import are in it, too. */
const MAX_MEGABYTES = 300;
const MAX_OF_IMPORTS = 450;
const asked = process.env['FUZZ'];
/** Old memory is given back soon, so that what a parser holds is what is seen. */
const HEAP = ['--max-semi-space-size=4', '--max-old-space-size=160'];

/** Plays inputs in a process of its own, which is ended where it hangs. */
async function run(kind: Kind, count: number): Promise<{ slowest: number; megabytes: number }> {
  const from = seed % 1_000_000_000;
  const script = [
    join(import.meta.dirname, 'run.ts'),
    kind,
    String(from),
    String(count),
    await temporaryFolder(),
  ];
  const child = spawn(process.execPath, [...HEAP, ...script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let last = '';
  let rest = '';
  let errors = '';
  const watchdog = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    watchdog.refresh();
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    last = lines.at(-1) ?? last;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(watchdog);
  if (code !== 0) throw new Error(`input ${last} of ${kind}: ended with ${code ?? signal}\n${errors}`);
  return JSON.parse(last) as { slowest: number; megabytes: number };
}

it.each(KINDS)(
  'thousands of damaged %s cause no crash, no hang, and no unlimited memory',
  async (kind) => {
    const count = asked === undefined ? SHORT[kind] : Number(asked);
    const { slowest, megabytes } = await run(kind, count);
    console.log(`${kind}: ${count} in at most ${slowest.toFixed(2)} s each, and ${Math.round(megabytes)} MB`);
    expect(slowest).toBeLessThan(5);
    expect(megabytes).toBeLessThan(kind === 'cells' ? MAX_OF_IMPORTS : MAX_MEGABYTES);
  },
  7_200_000,
);
