/** Exports beside a bare loop that reads the same pages one by one: whole process against whole process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inTurn, markdown } from '../measure.ts';
import { startSandboxProcess } from '../sandbox-process.ts';

export const name = 'export';

const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');
const peer = (format: string) => resolve(import.meta.dirname, `../main-path/export-${format}.ts`);
const ITEMS = 100_000;
const RUNS = 3;

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    await using server = await startSandboxProcess(['--seed', '7', '--seed-items', String(ITEMS)]);
    const tables: string[] = [];
    for (const format of ['csv', 'xlsx'] as const) {
      const measured = await inTurn(
        [
          {
            label: `shelflift export items --out items.${format} (complete by count, resumable, manifest)`,
            args: [cli, 'export', 'items', '--out', join(folder, `items.${format}`), '--quiet', '--json'],
            env: { ...server.env, SHELFLIFT_STORE: join(folder, 'store.db') },
          },
          {
            label: `a bare loop over pages, one by one, and ${format === 'csv' ? 'csv-stringify' : "exceljs's streaming writer"}`,
            args: [peer(format), join(folder, `peer.${format}`)],
            env: server.env,
          },
        ],
        RUNS,
      );
      const title = `Export of ${ITEMS.toLocaleString('en-US')} items as ${format.toUpperCase()}, server without a limit`;
      tables.push(markdown(title, 'items', ITEMS, measured));
    }
    return tables.join('\n\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
