import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace } from '../cli/run-shelflift.ts';

/** Tells what the program itself took: this process, which holds the sandbox, is larger. */
const reporter = new URL('../../bench/report-memory.mjs', import.meta.url).href;
const ITEMS = 150_000;
/** As for a million (bench -- export-scale): of each item 23 bytes stay, and the rest is the same. */
const MAX_MB = 300;

test.each(['csv', 'xlsx'])(
  'an export of 150,000 items as %s that is killed halfway and resumed is complete, and uses constant memory',
  async (format) => {
    await using sandbox = await startSandbox({ seed: 5, seedItems: ITEMS });
    const place = newPlace({
      SHELFLIFT_API_URL: sandbox.url,
      SHELFLIFT_API_KEY: sandbox.key,
      SHELFLIFT_STORE: 'l.db',
    });
    const start = () =>
      place.start(['export', 'items', '--out', `items.${format}`, '--json'], {
        NODE_OPTIONS: `--import=${reporter}`,
      });
    const first = start();
    const gone = once(first, 'exit');
    while (sandbox.control.counts().requests < ITEMS / 200) await setTimeout(20);
    first.kill('SIGKILL');
    await gone;
    sandbox.control.resetCounts();
    const { code, stdout, stderr } = await ended(start());
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('continuing the export');
    expect(JSON.parse(stdout)).toMatchObject({ rows: ITEMS, consistency: 'stable', passes: 1 });
    // Less than two thirds of the pages were read again.
    expect(sandbox.control.counts().requests).toBeLessThan(ITEMS / 150);
    const peak = Number(/peak-mb=(\d+)/.exec(stderr)?.[1]);
    process.stderr.write(`export of ${ITEMS} items as ${format}: ${peak.toFixed(0)} MB\n`);
    expect(peak).toBeLessThan(MAX_MB);
    const verified = await place.run(['export', 'verify', `items.${format}`, '--json']);
    expect(verified.code, verified.stdout).toBe(0);
  },
);
