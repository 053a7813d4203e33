/** Spreadsheets in and out, whole process against whole process: csv-parse, exceljs, openpyxl, XlsxWriter. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inTurn, markdown, type Side } from '../measure.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import { writeOds, writeToys, writeXls } from './rows.ts';

export const name = 'sheets';

const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');
const here = (file: string) => join(import.meta.dirname, file);
const DRY_ROWS = 1_000_000;
const XLSX_ROWS = 200_000;
const LONG_XLSX_ROWS = 1_000_000;
const XLS_ROWS = 65_500;
const RUNS = 3;
/** A million rows take long: one run. */
const LONG_RUNS = 1;

/** A Python with both packages (Debian: python3-openpyxl, python3-xlsxwriter), if there is one. */
const python = ['/usr/bin/python3', 'python3'].find(
  (program) => spawnSync(program, ['-c', 'import openpyxl, xlsxwriter']).status === 0,
);

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    return [
      await dryRun(folder),
      await writes(folder, XLSX_ROWS, RUNS, true),
      await reads(folder),
      await readsOds(folder),
      await readsXls(folder),
      await writes(folder, LONG_XLSX_ROWS, LONG_RUNS, false),
    ].join('\n\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function dryRun(folder: string): Promise<string> {
  const file = join(folder, 'toys.csv');
  writeToys(file, DRY_ROWS);
  await using server = await startSandboxProcess([]);
  const sides: Side[] = [
    {
      label: 'shelflift import --dry-run (reads, maps, validates, stages in the ledger)',
      args: [cli, 'import', file, '--collection', 'Main', '--dry-run', '--quiet', '--json'],
      env: { ...server.env, SHELFLIFT_STORE: join(folder, 'dry.db') },
      prepare: () => {
        for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `dry.db${ending}`), { force: true });
      },
    },
    {
      label: 'csv-parse alone, arrays in batches: its fastest way',
      args: [here('../main-path/csv-parse-alone.ts'), file],
    },
  ];
  const title = `Dry run of a CSV of ${words(DRY_ROWS)} rows of 12 columns`;
  return markdown(title, 'rows', DRY_ROWS, await inTurn(sides, LONG_RUNS));
}

async function writes(folder: string, rows: number, runs: number, others: boolean): Promise<string> {
  const out = (who: string) => [join(folder, `${who}.xlsx`), String(rows)];
  const sides: Side[] = [
    { label: 'shelflift (waits for the disk)', args: [here('write-ours.ts'), ...out('ours')] },
    { label: 'exceljs, streaming, no styles', args: [here('write-exceljs.ts'), ...out('exceljs')] },
    ...(others
      ? pythonSides([
          ['XlsxWriter, constant memory', ['write-xlsxwriter', ...out('xlsxwriter')]],
          ['openpyxl, write-only', ['write-openpyxl', ...out('openpyxl')]],
        ])
      : []),
  ];
  const title = `Write an XLSX of ${words(rows)} rows of 12 columns`;
  return markdown(title, 'rows', rows, await inTurn(sides, runs));
}

async function reads(folder: string): Promise<string> {
  // As exceljs wrote it: a file that our reader is not tuned for.
  const file = join(folder, 'exceljs.xlsx');
  const sides: Side[] = [
    { label: 'shelflift', args: [here('read-ours.ts'), file] },
    { label: 'exceljs, streaming, batches', args: [here('read-exceljs.ts'), file] },
    ...pythonSides([['openpyxl, read-only', ['read-openpyxl', file]]]),
  ];
  const title = `Read an XLSX of ${words(XLSX_ROWS)} rows of 12 columns`;
  return markdown(title, 'rows', XLSX_ROWS, await inTurn(sides, RUNS));
}

async function readsOds(folder: string): Promise<string> {
  const file = join(folder, 'toys.ods');
  writeOds(file, XLSX_ROWS);
  const sides: Side[] = [{ label: 'shelflift', args: [here('read-ours.ts'), file] }];
  const title = `Read an ODS of ${words(XLSX_ROWS)} rows of 12 columns`;
  return markdown(title, 'rows', XLSX_ROWS, await inTurn(sides, RUNS));
}

/** Nearly the longest table that an .xls can hold, and the same as XLSX. */
async function readsXls(folder: string): Promise<string> {
  const file = join(folder, 'toys.xls');
  writeXls(file, XLS_ROWS);
  const same = join(folder, 'as-xls.xlsx');
  spawnSync(process.execPath, [here('write-ours.ts'), same, String(XLS_ROWS)]);
  const sides: Side[] = [
    { label: 'shelflift, .xls', args: [here('read-ours.ts'), file] },
    { label: 'shelflift, the same table as .xlsx', args: [here('read-ours.ts'), same] },
  ];
  const title = `Read an .xls of ${words(XLS_ROWS)} rows of 12 columns`;
  return markdown(title, 'rows', XLS_ROWS, await inTurn(sides, RUNS));
}

function pythonSides(sides: [label: string, args: string[]][]): Side[] {
  if (python === undefined) return [];
  return sides.map(([label, args]) => ({ label, program: python, args: [here('python.py'), ...args] }));
}

function words(count: number): string {
  return count.toLocaleString('en-US');
}
