import { english, inOneLine } from '../../../src/messages/message.ts';
import { mkdir, mkdtemp, readFile as readBytes, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cell, cellText, NO_RESULT } from '../../../src/sheets/cell.ts';
import { openTable, openTables } from '../../../src/sheets/open-table.ts';
import type { TableColumn } from '../../../src/sheets/table-writer.ts';
import { createTableWriter } from '../../../src/sheets/write-table.ts';
import { errorOf, readFile } from '../support/files.ts';
import { convert, office, python, runPython } from './programs.ts';

let folder = '';
const made = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'torture-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const date = (day: string, time?: string): Cell => ({
  kind: 'date',
  date: day,
  ...(time === undefined ? {} : { time }),
});
const error = (text: string): Cell => ({ kind: 'error', text });

const COLUMNS: TableColumn[] = [
  { header: 'Name', kind: 'text' },
  { header: 'Value', kind: 'number' },
  { header: 'Bought', kind: 'date' },
  { header: 'Seen', kind: 'datetime' },
  { header: 'Kept', kind: 'boolean' },
];
const ROWS: Cell[][] = [
  ['=1+1', 12.5, date('2020-02-29'), date('1999-12-31', '23:59:58'), true],
  ['007', -1e-7, date('1969-07-20'), null, false],
  ['  two\nlines & <tags> "ünd" _x0041_ 𝄞 ', 0, null, null, null],
  ['bell \u0007, half \uD800, tab \t', 1234567890.25, date('9999-12-31'), null, true],
  ['x'.repeat(32_767), null, null, null, null],
];

async function writeOwn(name: string): Promise<string> {
  const file = made(name);
  const format = name.endsWith('csv') ? 'csv' : 'xlsx';
  const writer = await createTableWriter({ file, format, columns: COLUMNS, sheetName: 'My: [toys]' });
  await writer.write(ROWS);
  await writer.finish();
  return file;
}

describe.skipIf(python === undefined)('workbooks from openpyxl and XlsxWriter', () => {
  beforeAll(() => runPython('make-workbooks.py', folder));

  it.each(['openpyxl.xlsx', 'openpyxl-1904.xlsx'])(
    'are read with all features of a sheet: %s',
    async (name) => {
      const { table, rows } = await readFile(made(name));
      expect(inOneLine(table.detected)).toBe('XLSX · sheet "Toys" · header in row 4');
      expect(table.letters[0]).toBe('C');
      expect(table.notes.map(english)).toEqual([
        'hidden sheets were not read: "Secret"',
        '1 hidden row was read too',
        'hidden columns were read too: M',
      ]);
      const noResult = error(NO_RESULT);
      expect(rows).toEqual([
        {
          number: 5,
          cells: [
            'Räuber & <Co>',
            '007',
            date('2020-02-29'),
            date('1999-12-31', '23:59:58'),
            date('', '12:30:00'),
            '12.5%',
            { kind: 'money', amount: 12.5, currency: 'EUR' },
            true,
            noResult,
            'shop',
            '  two\nlines  ',
          ],
        },
        {
          number: 6,
          cells: [
            '1.23E+12',
            123456789012345,
            null,
            null,
            null,
            '100%',
            { kind: 'money', amount: -3, currency: 'EUR' },
            false,
            noResult,
            null,
            'ok',
          ],
        },
      ]);
    },
  );

  it('a write-only workbook of openpyxl is read without dimension and shared strings', async () => {
    const { cells } = await readFile(made('openpyxl-write-only.xlsx'));
    expect(cells).toEqual([0, 1, 2].map((number) => [`Toy ${number}`, 1980 + number]));
  });

  it('sheets of openpyxl with the same columns are read in any order of columns', async () => {
    const tables = await openTables(made('openpyxl-sheets.xlsx'), { sheet: 'all' });
    expect(tables.map((table) => table.sheet)).toEqual(['Sheet', '1999', '2000']);
    expect(tables[0]?.notes.map(english)).toEqual(['sheets with other columns were left out: "Other"']);
  });

  it.each(['xlsxwriter.xlsx', 'xlsxwriter-inline.xlsx', 'xlsxwriter-1904.xlsx'])('%s', async (name) => {
    const { cells } = await readFile(made(name));
    expect(cells).toEqual([
      ['007', date('2020-02-29'), '50%', 2, 'plain bold ünd', '=1+1', 'shop', true],
      ['control \u0007 and \t tab', null, '0.00001%', 'ab', null, error('#N/A'), null, null],
    ]);
  });

  it('openpyxl can read a workbook that shelflift writes', async () => {
    const sheets = JSON.parse(await runPython('read-workbook.py', await writeOwn('own.xlsx'))) as Record<
      string,
      unknown[][]
    >;
    const [[name, rows] = ['', []]] = Object.entries(sheets);
    expect(name).toBe('My   toys');
    expect(rows.map((row) => row[0])).toEqual(['Name', ...ROWS.map(([text]) => escaped(text ?? ''))]);
    expect(rows.map((row) => row[1])).toEqual(['Value', 12.5, -1e-7, 0, 1234567890.25, null]);
    expect(rows[1]?.slice(2)).toEqual(['2020-02-29T00:00:00', '1999-12-31T23:59:58', true]);
    expect(rows[4]?.[2]).toBe('9999-12-31T00:00:00');
  });
});

/** openpyxl 3.0 leaves `_xHHHH_` as it stands in the file. */
function escaped(text: Cell): unknown {
  return typeof text === 'string'
    ? text
        .replaceAll('_x0041_', '_x005F_x0041_')
        .replaceAll('\u0007', '_x0007_')
        .replaceAll('\uD800', '_xD800_')
    : text;
}

const WORKBOOKS = [
  'openpyxl.xlsx',
  'openpyxl-1904.xlsx',
  'openpyxl-sheets.xlsx',
  'xlsxwriter.xlsx',
  'own.xlsx',
];

describe.skipIf(python === undefined || office === undefined)('workbooks from LibreOffice', () => {
  beforeAll(async () => {
    await mkdir(made('office'));
    await runPython('make-workbooks.py', folder);
  });

  it('are read from .xlsx, with the results of formulas', async () => {
    await convert(made('openpyxl.xlsx'), 'xlsx', made('office'));
    const { table, cells } = await readFile(made('office/openpyxl.xlsx'));
    expect(inOneLine(table.detected)).toBe('XLSX · sheet "Toys" · header in row 4');
    expect(cells.map((row) => row[8])).toEqual([25, error('#DIV/0!')]);
    expect(cells[0]?.slice(0, 8)).toEqual([
      'Räuber & <Co>',
      '007',
      date('2020-02-29'),
      date('1999-12-31', '23:59:58'),
      date('', '12:30:00'),
      '12.5%',
      { kind: 'money', amount: 12.5, currency: 'EUR' },
      true,
    ]);
  });

  it('are read from .html, with every cell as it is shown', async () => {
    await convert(made('openpyxl.xlsx'), 'html', made('office'));
    const { table, cells } = await readFile(made('office/openpyxl.html'));
    expect(table.headers.slice(0, 2)).toEqual(['Name', 'Bar code']);
    expect(cells[0]?.slice(0, 7).map(cellText)).toEqual([
      'Räuber & <Co>',
      '007',
      '29.02.2020',
      '1999-12-31 23:59:58',
      '12:30',
      '12.50%',
      '12.50 EUR',
    ]);
  });

  it('are refused as .pdf, with their real kind', async () => {
    await convert(made('openpyxl.xlsx'), 'pdf', made('office'));
    expect((await errorOf(openTable(made('office/openpyxl.pdf'), {}))).code).toBe('binary');
  });

  // Together: most of a conversion is the start of LibreOffice.
  const saveAll = async () => {
    await writeOwn('own.xlsx');
    for (const ending of ['xlsx', 'ods', 'fods']) await convert(WORKBOOKS.map(made), ending, made('office'));
  };
  let allSaved: Promise<void> | undefined;

  it.each(WORKBOOKS)(
    'are read from .ods and .fods: every cell of %s is the same as from .xlsx',
    async (name) => {
      await (allSaved ??= saveAll());
      const saved = async (ending: string) => {
        const tables = await openTables(made(`office/${name.replace('.xlsx', `.${ending}`)}`), {
          sheet: 'all',
        });
        const names = tables[0]?.sheets ?? [];
        const read = names.map(async (sheet) => {
          try {
            const { table, cells } = await readFile(tables[0]?.file ?? '', { sheet });
            const { headers, letters, notes } = table;
            return { sheet, headers, letters, notes, cells };
          } catch (problem) {
            return { sheet, code: (problem as { code: string }).code };
          }
        });
        return JSON.stringify(await Promise.all(read), null, 1);
      };
      // Calc leaves characters that XML cannot hold out of OpenDocument, and spoils them in XLSX.
      const comparable = (text: string) => text.replaceAll(/\\u0007|(?<=half)\W+(?=tab)/gu, '');
      const workbook = comparable(await saved('xlsx'));
      for (const ending of ['ods', 'fods']) {
        expect(comparable(await saved(ending))).toBe(workbook);
      }
    },
  );

  it.each([
    ['for-office.xlsx', '"=1+1"'],
    // In CSV a formula is escaped with an apostrophe, which LibreOffice shows.
    ['for-office.csv', `"'=1+1"`],
  ])('LibreOffice opens %s, which shelflift wrote', async (name, first) => {
    await convert(await writeOwn(name), 'csv:Text - txt - csv (StarCalc):44,34,76,1', made('office'));
    const lines = (await readBytes(made('office/for-office.csv'), 'utf8')).split('\n');
    expect(lines[1]?.slice(0, first.length + 16)).toBe(`${first},12.5,2020-02-29`);
    expect(lines[4]).toBe('lines & <tags> ""ünd"" _x0041_ 𝄞 ",0,,,');
  });
});
