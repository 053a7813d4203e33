/**
 * The main path, whole process against whole process: dry run, import and export beside plain loops. shelflift as it is
 * installed: the built package, with its cache of compiled modules filled.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startSandboxProcess } from '../sandbox-process.ts';
import { inTurn, markdown } from '../measure.ts';

export const name = 'main-path';

const cli = resolve(import.meta.dirname, '../../dist/cli/bin.js');
const peer = (file: string) => join(import.meta.dirname, file);
const RUNS = 3;
const DRY_ROWS = 200_000;
const IMPORT_ROWS = 20_000;
const EXPORT_ITEMS = [1000, 20_000];

export async function run(): Promise<string> {
  if (!existsSync(cli)) throw new Error(`There is no ${cli}: npm run build makes it.`);
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    const tables = [await dryRun(folder), await imports(folder)];
    for (const items of EXPORT_ITEMS) tables.push(await exports_(folder, items));
    return tables.join('\n\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function dryRun(folder: string): Promise<string> {
  const file = join(folder, 'dry.csv');
  writeToys(file, DRY_ROWS);
  await using server = await startSandboxProcess([]);
  const measured = await inTurn(
    [
      {
        label: 'shelflift import --dry-run (reads, maps, validates, stages in the ledger)',
        args: [cli, 'import', file, '--collection', 'Main', '--dry-run', '--quiet', '--json'],
        env: { ...server.env, SHELFLIFT_STORE: join(folder, 'dry.db') },
        prepare: () => dropStore(folder, 'dry.db'),
      },
      {
        label: 'csv-parse alone, arrays in batches: its fastest way',
        args: [peer('csv-parse-alone.ts'), file],
      },
    ],
    RUNS,
  );
  return markdown(
    `Dry run of a CSV of ${DRY_ROWS.toLocaleString('en-US')} rows of 12 columns`,
    'rows',
    DRY_ROWS,
    measured,
  );
}

async function imports(folder: string): Promise<string> {
  const file = join(folder, 'import.csv');
  writeToys(file, IMPORT_ROWS);
  await using server = await startSandboxProcess([]);
  const measured = await inTurn(
    [
      {
        label: 'shelflift import (ledger, intents on disk before each request)',
        args: [cli, 'import', file, '--collection', 'Main', '--quiet', '--json'],
        env: { ...server.env, SHELFLIFT_STORE: join(folder, 'import.db') },
        prepare: () => dropStore(folder, 'import.db'),
      },
      { label: 'a bare loop of fetch, 16 in flight', args: [peer('fetch-loop.ts'), file], env: server.env },
      {
        label: "a bare loop of undici's request, 16 in flight",
        args: [peer('undici-loop.ts'), file],
        env: server.env,
      },
    ],
    RUNS,
  );
  return markdown(
    `Import of ${IMPORT_ROWS.toLocaleString('en-US')} rows, server without latency or limit`,
    'rows',
    IMPORT_ROWS,
    measured,
  );
}

async function exports_(folder: string, items: number): Promise<string> {
  await using server = await startSandboxProcess(['--seed', '7', '--seed-items', String(items)]);
  const tables: string[] = [];
  for (const format of ['csv', 'xlsx'] as const) {
    const sides = [
      {
        label: `shelflift export items --out items.${format} (complete by count, manifest)`,
        args: [cli, 'export', 'items', '--out', join(folder, `items.${format}`), '--quiet', '--json'],
        // From the second run on the store knows how long the list was.
        env: { ...server.env, SHELFLIFT_STORE: join(folder, `export-${items}.db`) },
      },
      {
        label: `a plain loop over pages and ${format === 'csv' ? 'csv-stringify' : "exceljs's streaming writer"}`,
        args: [peer(`export-${format}.ts`), join(folder, `peer.${format}`)],
        env: server.env,
      },
    ];
    const title = `Export of ${items.toLocaleString('en-US')} items as ${format.toUpperCase()}`;
    tables.push(markdown(title, 'items', items, await inTurn(sides, RUNS)));
  }
  return tables.join('\n\n');
}

function dropStore(folder: string, store: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, store + ending), { force: true });
}

/** Twelve columns as in SPEED: eleven that are mapped and one that is ignored. */
function writeToys(file: string, rows: number): void {
  const lines = [
    'name,brand,series,year,condition,packaging,status,tags,estimated value,custom_fields.sku,custom_fields.shelf,comment',
  ];
  for (let row = 1; row <= rows; row += 1) {
    lines.push(
      `Star Cruiser No. ${row},Halloway Plastics,Deep ${row % 40},${1970 + (row % 50)},loose_good,opened,keep,space;blue,${(row % 900) + 0.5},SKU-${row},A${row % 30},"bought at a fair, boxed"`,
    );
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
}
