import { readdir, readFile, writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { FIRST_ROWS } from '../../src/export/write/streaming-output.ts';
import { exportResource } from '../../src/export/export.ts';
import type { ExportEvent } from '../../src/export/read/source.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { setUp } from './support.ts';

const ITEMS = FIRST_ROWS + 700;

/** A list whose oldest item, which is read last, is the only one with a custom field of that name. */
async function withLateField() {
  const place = await setUp();
  const { control } = place.sandbox;
  control.insertItems([{ name: 'The oldest', custom_fields: { late: 'x' } }]);
  control.insertItems(Array.from({ length: ITEMS - 1 }, (_, number) => ({ name: `Item ${number}` })));
  return place;
}

describe('a file that is written while the list is being read', () => {
  test.each(['csv', 'xlsx', 'ndjson'] as const)(
    'as %s has every row and every column, even if a column first occurs in a late row',
    async (format) => {
      const { sandbox, client, folder, path } = await withLateField();
      const file = path(`items.${format}`);
      const summary = await exportResource({ resource: 'items', out: file }, { client });
      expect(summary).toMatchObject({ rows: ITEMS, consistency: 'stable', passes: 1 });
      const late =
        format === 'csv'
          ? parse<Record<string, string>>(await readFile(file), { columns: true }).map((row) => ({
              id: row['id'],
              late: row['custom_fields.late'],
            }))
          : format === 'ndjson'
            ? (await readFile(file, 'utf8'))
                .trimEnd()
                .split('\n')
                .map((line) => JSON.parse(line) as { id: string; custom_fields?: { late?: string } })
                .map((row) => ({ id: row.id, late: row.custom_fields?.late }))
            : await sheetRows(file);
      const ids = sandbox.control.items().map(({ id }) => id);
      expect(late).toHaveLength(ids.length);
      expect(new Set(late.map(({ id }) => id))).toEqual(new Set(ids));
      expect(late.filter((row) => row.late === 'x')).toHaveLength(1);
      expect((await readdir(folder)).toSorted()).toEqual([
        `items.${format}`,
        `items.${format}.manifest.json`,
      ]);
    },
  );

  test('equals a file that is written after all rows are read', async () => {
    const { client, path } = await setUp({ seed: 3, seedItems: ITEMS });
    await exportResource({ resource: 'items', out: path('early.csv') }, { client });
    // A stream cannot be taken back, and is written at the end.
    let streamed = '';
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        streamed += chunk.toString('utf8');
        done();
      },
    });
    await exportResource({ resource: 'items', out: '-', format: 'csv', stream }, { client });
    expect(await readFile(path('early.csv'), 'utf8')).toBe(streamed);
  });

  test('is discarded if reading fails, or if the list changed although a stable list is required', async () => {
    const { sandbox, client, folder, path } = await setUp({ seed: 3, seedItems: ITEMS });
    const out = path('items.csv');
    await writeFile(out, 'as it was');
    let isRemoved = false;
    const onEvent = (event: ExportEvent) => {
      // One removal in each of the two readings.
      if (event.type === 'pass') isRemoved = false;
      if (event.type !== 'read' || event.seen <= FIRST_ROWS || isRemoved) return;
      const [newest] = sandbox.control.items();
      isRemoved = newest !== undefined && sandbox.control.removeItem(newest.id);
    };
    const request = { resource: 'items' as const, out, requireStable: true };
    const summary = await exportResource(request, { client, onEvent });
    expect(summary).toMatchObject({ consistency: 'moved', sha256: null });
    expect(await readFile(out, 'utf8')).toBe('as it was');

    const stop = new AbortController();
    await expect(
      exportResource(
        { resource: 'items', out },
        {
          client,
          signal: stop.signal,
          onEvent: (event) => event.type === 'read' && event.seen > FIRST_ROWS + 200 && stop.abort(),
        },
      ),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(await readFile(out, 'utf8')).toBe('as it was');
    expect(await readdir(folder)).toEqual(['items.csv']);
  });
});

async function sheetRows(file: string): Promise<{ id: unknown; late: unknown }[]> {
  const table = await openTable(file, {});
  const id = table.headers.indexOf('id');
  const late = table.headers.indexOf('custom_fields.late');
  const rows = (await Array.fromAsync(table.batches)).flat();
  return rows.map(({ cells }) => ({ id: cells[id], late: cells[late] }));
}
