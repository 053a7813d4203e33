/** Judging a job again without its file, beside the dry run that staged it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inTurn, markdown } from '../measure.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import { writeToys } from '../sheets/rows.ts';

export const name = 'remap';

const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');
const ROWS = 1_000_000;

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    const file = join(folder, 'toys.csv');
    writeToys(file, ROWS);
    await using server = await startSandboxProcess([]);
    const store = join(folder, 'remap.db');
    const env = { ...server.env, SHELFLIFT_STORE: store };
    // The only job of the store: every id begins with the year.
    const mend = [cli, 'jobs', 'mend', String(new Date().getFullYear()).slice(2, 3), '--quiet', '--json'];
    const measured = await inTurn(
      [
        {
          label: 'shelflift import --dry-run',
          args: [cli, 'import', file, '--collection', 'Main', '--dry-run', '--quiet', '--json'],
          env,
          prepare: () => {
            for (const end of ['', '-wal', '-shm']) rmSync(store + end, { force: true });
          },
        },
        {
          label: 'shelflift jobs mend, a column left out, which changes every row',
          args: [...mend, '--ignore', 'comment'],
          env,
        },
        {
          label: 'shelflift jobs mend, one cell',
          args: [...mend, '--row', '17', '--set', 'name=Robot'],
          env,
        },
      ],
      1,
    );
    return markdown(
      `Rows of a CSV of ${ROWS.toLocaleString('en-US')} rows judged again`,
      'rows',
      ROWS,
      measured,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
