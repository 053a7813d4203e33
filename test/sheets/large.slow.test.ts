import { describe, expect, it } from 'vitest';
import { message } from '../../src/messages/message.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import type { TableColumn } from '../../src/sheets/table-writer.ts';
import { createTableWriter } from '../../src/sheets/write-table.ts';
import { readAlone } from './support/alone.ts';
import { newPath } from './support/files.ts';

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

describe('memory does not grow with the file', () => {
  it.each([
    ['csv', 1_000_000],
    ['xlsx', 1_000_000],
  ] as const)('%s of %d rows', async (format, count) => {
    const { rows, megabytes } = await readAlone(await writeRows(format, count));
    expect(rows).toBe(count);
    expect(megabytes).toBeLessThan(280);
  });

  it('rows that do not fit into a sheet are written to the next sheet', async () => {
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
    expect((await writer.finish()).warnings).toEqual([message('rows_fill_sheets', { sheets: 2 })]);

    const second = await openTable(file, { sheet: 'Items (2)' });
    expect(second.sheets).toEqual(['Items', 'Items (2)']);
    const rows = [];
    for await (const batch of second.batches) rows.push(...batch);
    expect(rows.map((row) => row.cells[0])).toEqual(Array.from({ length: 10 }, (_, row) => 1_048_575 + row));
  });
});
