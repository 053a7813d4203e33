import { readdirSync } from 'node:fs';
import { readFile as readBytes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { message } from '../../src/messages/message.ts';
import { openAtomicFile } from '../../src/sheets/atomic-file.ts';
import type { Cell } from '../../src/sheets/cell.ts';
import { hashFile } from '../../src/sheets/hash-file.ts';
import { createNdjsonWriter } from '../../src/sheets/write-ndjson.ts';
import type { TableColumn, TableWriterOptions } from '../../src/sheets/table-writer.ts';
import { createTableWriter } from '../../src/sheets/write-table.ts';
import { numberedSheetName, validSheetName } from '../../src/sheets/xlsx/sheet-name.ts';
import { errorOf, newPath, readFile } from './support/files.ts';

const COLUMNS: TableColumn[] = [
  { header: 'name', kind: 'text' },
  { header: 'value', kind: 'number' },
  { header: 'tags', kind: 'json' },
  { header: 'bought', kind: 'date' },
];
const ROWS: (Cell | undefined)[][] = [
  ['=1+1', 1234.5, '["a"]', { kind: 'date', date: '2020-02-29' }],
  ["'quoted", -5, '-', null],
  ['a "b", c;\nd', 1e21, undefined, { kind: 'date', date: '1850-01-01' }],
  ['Citroën €', '', true, { kind: 'error', text: '#N/A' }],
];

async function written(options: Omit<TableWriterOptions, 'file' | 'columns'>, rows = ROWS): Promise<string> {
  const file = newPath(options.format);
  const writer = await createTableWriter({ file, columns: COLUMNS, ...options });
  await writer.write(rows);
  const result = await writer.finish();
  expect(result.rows).toBe(rows.length);
  expect(result.sha256).toBe(await hashFile(file));
  return file;
}

describe('a CSV file', () => {
  it('follows RFC 4180 and escapes formulas', async () => {
    expect(await readBytes(await written({ format: 'csv' }), 'utf8')).toBe(
      [
        'name,value,tags,bought',
        `'=1+1,1234.5,"[""a""]",2020-02-29`,
        `'quoted,-5,'-,`,
        '"a ""b"", c;\nd",1000000000000000000000,,1850-01-01',
        'Citroën €,,true,#N/A',
        '',
      ].join('\r\n'),
    );
  });

  it('follows its options', async () => {
    const file = await written(
      { format: 'csv', delimiter: ';', decimal: 'comma', bom: true, lineEnd: '\n' },
      ROWS.slice(0, 2),
    );
    expect(await readBytes(file, 'utf8')).toBe(
      `\uFEFFname;value;tags;bought\n'=1+1;1234,5;"[""a""]";2020-02-29\n'quoted;-5;'-;\n`,
    );
  });

  it('can be written to a slow stream', async () => {
    let text = '';
    let waiting = 0;
    const stream = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        waiting += 1;
        setImmediate(() => {
          waiting -= 1;
          text += chunk.toString();
          done();
        });
      },
    });
    const writer = await createTableWriter({ file: '-', format: 'csv', columns: COLUMNS, stream });
    await writer.write(Array.from({ length: 2000 }, () => ['x', 1]));
    expect(waiting).toBe(0);
    await writer.finish();
    expect(text.split('\r\n')).toHaveLength(2002);
  });
});

describe('an XLSX file', () => {
  it('has a bold frozen header, a filter, widths, and typed cells', async () => {
    const file = await written({ format: 'xlsx', sheetName: 'My: toys' });
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(file);
    const sheet = book.worksheets[0];
    expect(sheet?.name).toBe('My  toys');
    expect(sheet?.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
    expect(sheet?.autoFilter).toBe('A1:D5');
    expect(sheet?.getCell('A1').font.bold).toBe(true);
    expect(sheet?.getColumn(1).width).toBe(10);
    expect(sheet?.getCell('A2').value).toBe('=1+1');
    expect(sheet?.getCell('B2').value).toBe(1234.5);
    expect(sheet?.getCell('D2').value).toEqual(new Date(Date.UTC(2020, 1, 29)));
    expect(sheet?.getCell('D2').numFmt).toBe('yyyy-mm-dd');
    expect(sheet?.getCell('D4').value).toBe('1850-01-01');
    expect(sheet?.getCell('C5').value).toBe(true);
  });

  it('truncates long cells, with a note', async () => {
    const file = newPath('xlsx');
    const writer = await createTableWriter({ file, format: 'xlsx', columns: COLUMNS });
    await writer.write([['x'.repeat(40_000), 1]]);
    expect((await writer.finish()).warnings).toEqual([message('cells_cut', { cells: 1 })]);
    expect((await readFile(file)).cells[0]?.[0]).toHaveLength(32_767);
    const whole = newPath('xlsx');
    const second = await createTableWriter({ file: whole, format: 'xlsx', columns: COLUMNS });
    await second.write([[`${'x'.repeat(32_766)}𝄞`, 1]]);
    await second.finish();
    expect((await readFile(whole)).cells[0]?.[0]).toBe('x'.repeat(32_766));
  });

  it('is valid without rows', async () => {
    const file = await written({ format: 'xlsx' }, []);
    expect((await errorOf(readFile(file))).code).toBe('no_rows');
  });

  it('fails with a disk error', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(new Error('disk full')),
    });
    const writer = await createTableWriter({ file: 'x', format: 'xlsx', columns: COLUMNS, stream });
    stream.on('error', () => {});
    const filler = Array.from({ length: 200 }, (_, row) => [`${row} ${Math.sin(row)}`.repeat(40), row]);
    await expect(async () => {
      for (let batch = 0; batch < 50; batch += 1) await writer.write(filler);
      await writer.finish();
    }).rejects.toThrow('disk full');
    await writer.abort();
  });

  it('cannot be written to standard output', async () => {
    const error = await errorOf(createTableWriter({ file: '-', format: 'xlsx', columns: COLUMNS }));
    expect(error.code).toBe('cannot_stream');
  });

  it('has valid sheet names', () => {
    expect(validSheetName('a/b\\c?d*e[f]g:h')).toBe('a b c d e f g h');
    expect(validSheetName("'x'")).toBe('x');
    expect(validSheetName(' ')).toBe('Sheet1');
    expect(validSheetName('HISTORY')).toBe('HISTORY 1');
    expect(validSheetName('x'.repeat(40))).toHaveLength(31);
    expect(numberedSheetName('x'.repeat(40), 12)).toBe(`${'x'.repeat(26)} (12)`);
  });
});

describe('an NDJSON file', () => {
  it('has one value per line', async () => {
    const file = newPath('ndjson');
    const writer = await createNdjsonWriter({ file });
    await writer.write([{ a: 1, b: { c: [null, 'é'] } }, 'x']);
    await writer.write([]);
    expect(await writer.finish()).toMatchObject({ rows: 2, warnings: [], sha256: await hashFile(file) });
    expect(await readBytes(file, 'utf8')).toBe('{"a":1,"b":{"c":[null,"é"]}}\n"x"\n');
  });

  it('has one object for each row of a table', async () => {
    const lines = (await readBytes(await written({ format: 'ndjson' }), 'utf8')).trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      name: '=1+1',
      value: 1234.5,
      tags: '["a"]',
      bought: '2020-02-29',
    });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ bought: null });
  });
});

describe('an output file is complete or absent', () => {
  it.each(['csv', 'xlsx', 'ndjson'] as const)(
    'and the old file is kept until finish, and after abort: %s',
    async (format) => {
      const file = newPath(format);
      await writeFile(file, 'old');
      const writer = await createTableWriter({ file, format, columns: COLUMNS });
      await writer.write(ROWS);
      expect(await readBytes(file, 'utf8')).toBe('old');
      await writer.abort();
      await writer.abort();
      expect(await readBytes(file, 'utf8')).toBe('old');
      const second = await createTableWriter({ file, format, columns: COLUMNS });
      await second.finish();
      expect(await readBytes(file, 'utf8')).not.toBe('old');
      expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  it('an output file that cannot be written is reported with its path', async () => {
    const error = await errorOf(openAtomicFile(join(newPath('x'), 'deep', 'a.csv')));
    expect(error.code).toBe('cannot_write');
    expect(error.message).toContain('its folder does not exist');
    const folder = await openAtomicFile(dirname(newPath('csv')));
    await folder.write('x');
    expect((await errorOf(folder.commit())).code).toBe('cannot_write');
    await folder.abort();
  });
});
