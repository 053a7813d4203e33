/** A file of 5,000 changes against 100,000 items: as few requests as can be, and memory that does not grow with them. */
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { BIN, ended, newPlace } from '../cli/run-shelflift.ts';
import { csv } from '../support/csv.ts';

const ITEMS = 100_000;
const CHANGES = 5_000;
/** Of Node, our modules and buffers, whatever the number of items. */
const MAX_MB = 400;

it.each([
  ['id', ['--match', 'id']],
  ['sku', ['--match', 'custom_fields.sku', '--map', 'custom_fields.sku=sku']],
])(
  'changing a selection by %s costs at most 5 % more than the minimum of requests, when planned, applied, and applied again',
  async (key, match) => {
    await using api = await startSandbox();
    const ids = api.control.insertItems(
      Array.from({ length: ITEMS }, (_, index) => ({
        name: `Toy ${index}`,
        status: 'keep' as const,
        custom_fields: { sku: `S-${index}` },
      })),
    );
    const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
    const rows = Array.from({ length: CHANGES }, (_, index) => {
      const at = (index * 7919) % ITEMS;
      return [key === 'id' ? (ids[at] ?? '') : `s-${at}`, 'sold'];
    });
    place.file('changes.csv', csv([key, 'status'], rows));

    const run = async (...argv: string[]) => {
      api.control.resetCounts();
      const reporter = new URL('../../bench/report-memory.mjs', import.meta.url).href;
      const child = spawn(process.execPath, ['--import', reporter, BIN, ...argv, '--json', '--quiet'], {
        cwd: place.folder,
        env: place.environment,
      });
      const { code, stdout, stderr } = await ended(child);
      expect(code, stderr).toBe(0);
      const { requests, byOperation } = api.control.counts();
      const peakMb = Number(/peak-mb=(\d+)/.exec(stderr)?.[1]);
      return { summary: JSON.parse(stdout) as { job: string }, requests, byOperation, peakMb };
    };

    // Pages of 100 are the cheaper way, and the collections are read once.
    const pages = ITEMS / 100;
    const plan = await run('import', 'changes.csv', '--mode', 'update', ...match, '--dry-run');
    expect(plan.summary).toMatchObject({ plan: { update: CHANGES }, changes: { reading: { way: 'pages' } } });
    expect(plan.requests).toBeLessThanOrEqual((pages + 1) * 1.05);
    expect(plan.peakMb).toBeLessThan(MAX_MB);

    // From here on both are the same.
    if (key !== 'id') return;
    const applied = await run('jobs', 'apply', plan.summary.job, '--yes');
    expect(applied.summary).toMatchObject({ state: 'done', rows: { updated: CHANGES } });
    // The items are looked at once more, for somebody may have changed them since.
    expect(applied.requests).toBeLessThanOrEqual((pages + CHANGES + 2) * 1.05);
    expect(applied.byOperation['updateItem']).toEqual({ '200': CHANGES });
    expect(applied.peakMb).toBeLessThan(MAX_MB);

    const again = await run('import', 'changes.csv', '--mode', 'update', ...match);
    expect(again.summary).toMatchObject({ rows: { unchanged: CHANGES, updated: 0 } });
    expect(again.byOperation['updateItem']).toBeUndefined();
  },
);
