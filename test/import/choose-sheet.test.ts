/** Which sheet of a workbook is imported: the first, unless another one is far more like a list of items. */
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { inferFile } from '../../src/mapping/infer/infer-file.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';

type Sheets = Record<string, (string | number)[][]>;

async function book(it: OpenImport, sheets: Sheets): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets)) workbook.addWorksheet(name).addRows(rows);
  return it.file('toys.xlsx', new Uint8Array(await workbook.xlsx.writeBuffer()));
}

const TOYS = [
  ['Name', 'Brand', 'Year', 'Value'],
  ['Falcon', 'Kenner', 1979, 120],
  ['Scout', 'Hasbro', 1984, 35],
];

test.each<[string, (string | number)[][]]>([
  [
    'instructions',
    [
      ['Column', 'Description'],
      ['A', 'The name of the toy, as on its box'],
      ['B', 'Who made it'],
      ['D', 'What it is worth today'],
    ],
  ],
  [
    'users with passwords',
    [
      ['Name', 'Role', 'Password'],
      ['Ada', 'admin', 'hunter2'],
      ['Bob', 'guest', 'letmein'],
    ],
  ],
  ['licence lines', [['Licence and terms'], ['This list may be copied.'], ['It comes without warranty.']]],
])('the sheet of toys is read even if it comes after %s', async (_, rows) => {
  await using it = await openImport();
  const told: ImportEvent[] = [];
  const file = await book(it, { Start: rows, Toys: TOYS });
  const { summary } = await it.import({ file }, { onEvent: (event) => void told.push(event) });
  expect(summary.rows).toMatchObject({ created: 2, invalid: 0 });
  expect(it.names()).toEqual(['Falcon', 'Scout']);
  const notes = told.flatMap((event) => (event.type === 'note' ? [event.message] : []));
  expect(notes).toContainEqual(expect.stringMatching(/"Toys" is read.*"Start"/));
  expect((await inferFile(file, {})).template).toContain('brand: { from: Brand }');
  const start = await it.import({ file, sheet: 'Start', map: { name: 'A' }, dryRun: true, headerRow: 1 });
  expect(start.summary.plan?.create).toBe(rows.length - 1);
});

test('the first of two lists is read, even if the second has more columns', async () => {
  await using it = await openImport();
  const file = await book(it, {
    Toys: TOYS,
    Wanted: [
      ['Name', 'Brand', 'Year', 'Value', 'Condition', 'Series'],
      ['Tie', 'Kenner', 1978, 90, 'damaged', 'Star Wars'],
    ],
  });
  await it.import({ file });
  expect(it.names()).toEqual(['Falcon', 'Scout']);
});

test('a template chooses the sheet that has its columns', async () => {
  await using it = await openImport();
  const file = await book(it, {
    Prices: [
      ['Name', 'Value'],
      ['Any', 5],
    ],
    Toys: [
      ['Was', 'Wert', 'Jahr'],
      ['Falcon', 5, 1979],
    ],
  });
  const template = await it.file(
    't.yaml',
    'name: t\nguess: false\ncolumns: { name: Was, estimated_value: Wert, release_year: Jahr }\n',
  );
  await it.import({ file, template });
  expect(it.names()).toEqual(['Falcon']);
});
