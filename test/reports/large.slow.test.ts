import { expect, test } from 'vitest';
import { startSandboxProcess } from '../../bench/sandbox-process.ts';
import { ended, newPlace } from '../cli/run-shelflift.ts';

const reporter = new URL('../../bench/report-memory.mjs', import.meta.url).href;
const ITEMS = 50_000;
const MAX_MB = 500;

test('reports of 50,000 items need less than 500 MB, even if they are compared with the last report', async () => {
  // A process of its own: its memory is not ours.
  await using server = await startSandboxProcess(['--seed', '7', '--seed-items', String(ITEMS)]);
  const place = newPlace({ ...server.env, SHELFLIFT_STORE: 'ledger.db' });
  for (const [report, format] of [
    ['inventory', 'html'],
    ['inventory', 'xlsx'],
    ['inventory', 'csv'],
    ['listings', 'xlsx'],
  ] as const) {
    const startedAt = performance.now();
    const argv = ['report', report, '--out', `${report}.${format}`, '--json', '--quiet'];
    const run = await ended(place.start(argv, { NODE_OPTIONS: `--import=${reporter}` }));
    const seconds = (performance.now() - startedAt) / 1000;
    expect(run.code, run.stderr).toBe(0);
    const { rows } = JSON.parse(run.stdout) as { rows: number };
    expect(rows).toBeGreaterThan(report === 'inventory' ? ITEMS - 1 : ITEMS / 10);
    const peak = Number(/peak-mb=(\d+)/.exec(run.stderr)?.[1]);
    process.stderr.write(
      `${report}.${format}: ${seconds.toFixed(1)} s with its reading, ${peak.toFixed(0)} MB\n`,
    );
    expect(peak).toBeLessThan(MAX_MB);
  }
});
