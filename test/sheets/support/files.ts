import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Cell } from '../../../src/sheets/cell.ts';
import { openTable } from '../../../src/sheets/open-table.ts';
import type { OpenOptions, SheetRow, SheetTable } from '../../../src/sheets/table.ts';

export { MAIN, makeBook, makeZip, type PartContent } from './make-book.ts';

let folder: string | undefined;
let count = 0;

/** A path in a folder that is removed when the test ends. Not for concurrent tests. */
export function newPath(ending: string): string {
  folder ??= folderOfThisTest();
  count += 1;
  return join(folder, `file-${count}.${ending}`);
}

function folderOfThisTest(): string {
  const made = mkdtempSync(join(tmpdir(), 'sheets-'));
  onTestFinished(async () => {
    folder = undefined;
    await rm(made, { recursive: true, force: true });
  });
  return made;
}

export async function newFile(content: string | Uint8Array, ending = 'csv'): Promise<string> {
  const path = newPath(ending);
  await writeFile(path, content);
  return path;
}

async function allRows(table: SheetTable): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const batch of table.batches) rows.push(...batch);
  return rows;
}

export interface Read {
  table: SheetTable;
  rows: SheetRow[];
  cells: Cell[][];
}

export async function readFile(file: string, options: OpenOptions = {}): Promise<Read> {
  const table = await openTable(file, options);
  const rows = await allRows(table);
  return { table, rows, cells: rows.map((row) => row.cells) };
}

export async function readText(content: string | Uint8Array, options: OpenOptions = {}): Promise<Read> {
  return readFile(await newFile(content), options);
}

/** The code of the error that `promise` ends in; fails the test where it does not. */
export async function errorOf(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; remedy: string }> {
  try {
    await promise;
  } catch (error) {
    return error as { code: string; message: string; remedy: string };
  }
  throw new Error('expected an error');
}
