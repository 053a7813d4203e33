import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { listSheets, openTable } from '../../src/sheets/open-table.ts';
import type { TableColumn } from '../../src/sheets/table-writer.ts';
import { createTableWriter } from '../../src/sheets/write-table.ts';
import { newPath } from './support/files.ts';

const run = promisify(execFile);
const COLUMNS: TableColumn[] = Array.from({ length: 12 }, (_, index) => ({
  header: `Column ${index + 1}`,
  kind: index % 3 === 0 ? 'number' : 'text',
}));

async function writeRows(format: 'csv' | 'xlsx', count: number): Promise<string> {
  const file = newPath(format);
  const writer = await createTableWriter({ file, format, columns: COLUMNS });
  for (let from = 0; from < count; from += 1000) {
    await writer.write(
      Array.from({ length: 1000 }, (_, row) =>
        COLUMNS.map((column, index) =>
          column.kind === 'number' ? from + row + index / 4 : `Item ${from + row}, series ${index}`,
        ),
      ),
    );
  }
  expect((await writer.finish()).rows).toBe(count);
  return file;
}

/** Reads a file in a process of its own: the rows it counts, and the most memory it had, in MB. */
async function readAlone(file: string): Promise<{ rows: number; megabytes: number }> {
  const script = `
    const { openTable } = await import(${JSON.stringify(new URL('../../src/sheets/open-table.ts', import.meta.url).href)});
    const table = await openTable(${JSON.stringify(file)}, {});
    let rows = 0;
    for await (const batch of table.batches) rows += batch.length;
    console.log(JSON.stringify({ rows, megabytes: process.resourceUsage().maxRSS / 1024 }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as { rows: number; megabytes: number };
}

describe('memory does not grow with the file', () => {
  it.each([
    ['csv', 1_000_000],
    ['xlsx', 1_000_000],
  ] as const)('%s of %d rows', { timeout: 300_000 }, async (format, count) => {
    const { rows, megabytes } = await readAlone(await writeRows(format, count));
    expect(rows).toBe(count);
    expect(megabytes).toBeLessThan(280);
  });

  it('rows that do not fit into a sheet go to the next', { timeout: 300_000 }, async () => {
    const file = newPath('xlsx');
    const writer = await createTableWriter({
      file,
      format: 'xlsx',
      columns: [{ header: 'Number', kind: 'number' }],
      sheetName: 'Items',
    });
    const total = 1_048_575 + 10;
    for (let from = 0; from < total; from += 5000) {
      await writer.write(Array.from({ length: Math.min(5000, total - from) }, (_, row) => [from + row]));
    }
    expect((await writer.finish()).warnings).toEqual(['the rows fill 2 sheets: one has room for 1,048,576']);

    expect(await listSheets(file)).toEqual(['Items', 'Items (2)']);
    const second = await openTable(file, { sheet: 'Items (2)' });
    const rows = [];
    for await (const batch of second.batches) rows.push(...batch);
    expect(rows.map((row) => row.cells[0])).toEqual(Array.from({ length: 10 }, (_, row) => 1_048_575 + row));
  });
});
