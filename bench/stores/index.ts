/** What a store on a server costs: the same import with its ledger in an SQLite file and on PostgreSQL. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { POSTGRES, PostgresServer } from '../../test/support/postgres-server.ts';
import { inTurn, markdown } from '../measure.ts';
import { startSandboxProcess } from '../sandbox-process.ts';

export const name = 'stores';

const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');
const RUNS = 5;
const ROWS = 5000;

export async function run(): Promise<string> {
  const binaries = POSTGRES.at(-1);
  if (binaries === undefined) return 'No PostgreSQL can start on this machine.';
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  // It waits for the disk, as SQLite does.
  const postgres = new PostgresServer(binaries, true);
  try {
    await postgres.start();
    return await compare(folder, await postgres.newDatabase(), binaries.name);
  } finally {
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(folder: string, database: string, version: string): Promise<string> {
  const file = join(folder, 'toys.csv');
  const rows = Array.from({ length: ROWS }, (_, row) => `Toy ${row},Halloway,${row}.50`);
  writeFileSync(file, `name,brand,estimated_value\n${rows.join('\n')}\n`);
  await using server = await startSandboxProcess([]);
  let stores = 0;
  const side = (label: string, next: () => string) => {
    const env = { ...server.env, SHELFLIFT_STORE: '' };
    const args = [
      cli,
      'import',
      file,
      '--collection',
      'Main',
      '--quiet',
      '--json',
      '--max-concurrency',
      '16',
    ];
    return {
      label,
      args,
      env,
      // A new store for each run.
      prepare: () => {
        stores += 1;
        env.SHELFLIFT_STORE = next();
      },
    };
  };
  const measured = await inTurn(
    [
      side(`the ledger on ${version}, on the same machine`, () => `${database}?schema=s${stores}`),
      side('the ledger in an SQLite file', () => join(folder, `${stores}.db`)),
    ],
    RUNS,
  );
  const title = `Import of ${ROWS.toLocaleString('en-US')} rows, 16 in flight, server without latency or limit`;
  return markdown(title, 'rows', ROWS, measured);
}
