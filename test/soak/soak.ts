/**
 * `npm run soak -- --hours N`: the random tests with new seeds, one after the other, until the time is up.
 *
 * Prints a line a minute. For a test that fails it writes a file into soak-failures/ that begins with the command
 * which repeats it, and goes on. Ends with 1 if any did.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Each takes its randomness from PROPERTY_SEED alone. */
const RANDOM_TESTS = [
  'test/properties/exactly-once.slow.test.ts',
  'test/fuzz/fuzz.slow.test.ts',
  'test/properties/exactly-once-2.slow.test.ts',
  'test/export/churn.slow.test.ts',
  'test/worker/fleet.slow.test.ts',
  'test/listing/read-items.slow.test.ts',
  'test/worker/hot-folder-kills.slow.test.ts',
  'test/ui/hostile.slow.test.ts',
  'test/export/change-kills.slow.test.ts',
  'test/power-cuts/power-cuts.slow.test.ts',
  'test/faults/known-rows.slow.test.ts',
  'test/properties/workbook-lives.slow.test.ts',
  'test/properties/report-lives.slow.test.ts',
];
const failures = resolve('soak-failures');

const { hours } = parseArgs({ options: { hours: { type: 'string', default: '2' } } }).values;
const endAt = performance.now() + Number(hours) * 3_600_000;
if (!(endAt > 0)) {
  process.stderr.write(`--hours is "${hours}"; expected a number, such as 2 or 0.5\n`);
  process.exit(2);
}
let passed = 0;
let failed = 0;
let now = 'begins';
const told = setInterval(tell, 60_000);
while (performance.now() < endAt) {
  for (const file of RANDOM_TESTS) {
    const leftMs = endAt - performance.now();
    if (leftMs > 0) await play(file, randomInt(2 ** 31), leftMs);
  }
}
clearInterval(told);
now = 'the time is up';
tell();
process.exitCode = failed === 0 ? 0 : 1;

function tell(): void {
  const left = Math.max(0, Math.round((endAt - performance.now()) / 60_000));
  process.stdout.write(
    `${new Date().toISOString()} passed ${passed}, failed ${failed}, ${left} min left: ${now}\n`,
  );
}

/** One file with one seed; killed once the time is up, which counts as nothing. */
async function play(file: string, seed: number, leftMs: number): Promise<void> {
  now = `PROPERTY_SEED=${seed} ${file}`;
  const command = ['vitest', 'run', '--config', 'vitest.slow.config.ts', file];
  const child = spawn('npx', command, {
    env: { ...process.env, PROPERTY_SEED: String(seed) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }, leftMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  if (isOver) return;
  if (code === 0) {
    passed += 1;
    return;
  }
  failed += 1;
  mkdirSync(failures, { recursive: true });
  const name = join(failures, `${file.replace(/^.*\/|\.slow\.test\.ts$/g, '')}-${seed}.log`);
  writeFileSync(
    name,
    `PROPERTY_SEED=${seed} npx ${command.join(' ')}\n\n${output}\nended with ${signal ?? code}\n`,
  );
  process.stdout.write(`failed: ${now}: ${name}\n`);
}
