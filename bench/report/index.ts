/**
 * Reports of 50,000 items, by the built package: what they take beside reading the list alone, and beside the export that
 * reads the same pages and writes them down.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startSandboxProcess } from '../sandbox-process.ts';
import { inTurn, markdown } from '../measure.ts';

export const name = 'report';

const cli = resolve(import.meta.dirname, '../../dist/cli/bin.js');
const RUNS = 5;
const ITEMS = 50_000;

export async function run(): Promise<string> {
  if (!existsSync(cli)) throw new Error(`There is no ${cli}: npm run build makes it.`);
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    await using server = await startSandboxProcess(['--seed', '7', '--seed-items', String(ITEMS)]);
    // From the second run on each report is also compared with the one before.
    const env = { ...server.env, SHELFLIFT_STORE: join(folder, 'report.db') };
    const sides = (['html', 'xlsx', 'csv'] as const).map((format) => ({
      label: `shelflift report inventory --out inventory.${format} (read, count, compare, write, keep a snapshot)`,
      args: [cli, 'report', 'inventory', '--out', join(folder, `inventory.${format}`), '--quiet', '--json'],
      env,
    }));
    const measured = await inTurn(
      [
        ...sides,
        {
          label: 'reading the list alone',
          args: [join(import.meta.dirname, 'read-alone.mjs')],
          env,
        },
        {
          label: 'shelflift export items --out items.csv (reads the same pages)',
          args: [cli, 'export', 'items', '--out', join(folder, 'items.csv'), '--quiet', '--json'],
          env,
        },
      ],
      RUNS,
    );
    const title = `Inventory of ${ITEMS.toLocaleString('en-US')} items, server without latency or limit`;
    return markdown(title, 'items', ITEMS, measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
