import { Buffer } from 'node:buffer';
import ExcelJS from 'exceljs';
import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import type { Report } from '../../src/reports/model.ts';
import { salesReport } from '../../src/reports/sales.ts';
import { workbook } from '../../src/reports/xlsx/workbook.ts';
import { inventoryReport, itemOf, reportOf } from './support.ts';

async function open(report: Report): Promise<{ book: ExcelJS.Workbook; parts: Record<string, string> }> {
  const bytes = await workbook(report);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(Buffer.from(bytes) as unknown as ExcelJS.Buffer);
  const parts = Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]),
  );
  return { book, parts };
}

function sheetOf(book: ExcelJS.Workbook, name: string): ExcelJS.Worksheet {
  const sheet = book.getWorksheet(name);
  if (sheet === undefined) throw new Error(`no sheet ${name}`);
  return sheet;
}

/** Formula and cached result, or the value. */
function rowsOf(sheet: ExcelJS.Worksheet): unknown[][] {
  const rows: unknown[][] = [];
  sheet.eachRow((row) => {
    const cells = (row.values as ExcelJS.CellValue[]).slice(1);
    rows.push(
      Array.from(cells, (value) =>
        typeof value === 'object' && value !== null && 'formula' in value
          ? [value.formula, value.result]
          : value,
      ),
    );
  });
  return rows;
}

const TWO_CURRENCIES = [
  itemOf({ brand: 'Acme', estimated_value: 0.105 }),
  itemOf({ brand: 'Acme', estimated_value: 0.1 }),
  itemOf({ brand: 'Bolt', estimated_value: 0.2 }),
  itemOf({ brand: null, estimated_value: null }),
  itemOf({ brand: 'Bolt', estimated_value: 99.5, currency: 'jpy' }),
  itemOf({ brand: 'Acme', estimated_value: null, currency: 'jpy' }),
];

test('totals are formulas over the visible cells, with cached results', async () => {
  const { book } = await open(inventoryReport(TWO_CURRENCIES));
  const rows = rowsOf(sheetOf(book, 'By brand'));
  expect(rows[1]).toEqual([
    'Currency',
    'Brand',
    'Items',
    'Value',
    'Share',
    'Average',
    'Valued',
    'Value unknown',
  ]);
  expect(rows[2]?.slice(0, 4)).toEqual(['USD', 'Acme', 2, 0.21]);
  expect(rows[5]).toEqual([
    'USD',
    'Total',
    ['SUM(C4:C6)', 4],
    ['IF(COUNT(D4:D6)=0,"",ROUND(SUM(D4:D6),2))', 0.41],
    ['IF(N(D$7)=0,"",D7/D$7)', 1],
    ['IF(N(G7)=0,"",ROUND(D7/G7,2))', 0.14],
    ['SUM(G4:G6)', 3],
    ['SUM(H4:H6)', 1],
  ]);
  // The other currency below, with sums of its own: yen have no fraction.
  expect(rows[8]?.slice(0, 4)).toEqual([
    'JPY',
    'Total',
    ['SUM(C9:C10)', 2],
    ['IF(COUNT(D9:D10)=0,"",ROUND(SUM(D9:D10),0))', 100],
  ]);
});

test('every chart is referenced by its sheet, and takes its figures from cells', async () => {
  const { book, parts } = await open(inventoryReport(TWO_CURRENCIES));
  const names = Object.keys(parts);
  const charts = names.filter((name) => /^xl\/charts\/chart\d+\.xml$/.test(name));
  expect(charts.length).toBeGreaterThan(1);
  for (const name of [...charts, ...names.filter((each) => /^xl\/drawings\/drawing\d+\.xml$/.test(each))])
    expect(parts['[Content_Types].xml']).toContain(`PartName="/${name}"`);
  // Whatever a relation names is there, and every part is well-formed.
  for (const [name, text] of Object.entries(parts)) {
    new SaxesParser({ xmlns: true }).write(text).close();
    if (!name.endsWith('.rels')) continue;
    const folder = name.replace(/_rels\/[^/]*$/, '');
    for (const [, target = ''] of text.matchAll(/Target="([^"]*)"/g)) {
      const path = target.startsWith('/') ? target : new URL(target, `file:///${folder}`).pathname;
      expect(names, `${name} → ${target}`).toContain(path.slice(1));
    }
  }
  const brand =
    charts.map((name) => parts[name] ?? '').find((text) => text.includes('Value by brand, USD')) ?? '';
  expect(brand).toContain("<c:f>'By brand'!$B$4:$B$6</c:f>");
  expect(brand).toContain("<c:f>'By brand'!$D$4:$D$6</c:f>");
  expect(brand).toContain('<c:pt idx="0"><c:v>0.21</c:v></c:pt>');
  expect(sheetOf(book, 'By brand').getCell('D4').value).toBe(0.21);
  // A bar is as long as its figure only where its axis begins at 0.
  expect(brand).toContain('<c:min val="0"/>');
  // Eight columns, one between, nine of the chart, and its edge: what is printed holds all of it.
  expect(sheetOf(book, 'By brand').pageSetup.printArea).toMatch(/^A1:S\d+$/);
});

test('each sheet is set up for printing: header repeated, pages numbered, as wide as the paper', async () => {
  const { book } = await open(inventoryReport(TWO_CURRENCIES));
  for (const sheet of book.worksheets) {
    expect(sheet.headerFooter.oddFooter).toContain('&RPage &P of &N');
    expect(sheet.pageSetup).toMatchObject({ fitToPage: true, fitToWidth: 1, fitToHeight: 0, paperSize: 9 });
    if (sheet.name !== 'Summary') expect(sheet.pageSetup.printTitlesRow).toMatch(/^\d+:\d+$/);
  }
  expect(new Set(book.worksheets.map(({ name }) => name)).size).toBe(book.worksheets.length);
});

test('a workbook keeps text as text, and invalid XML characters do not break it', async () => {
  const hostile = ['=1+1', '<c:pt>&"', '_x0041_', '\u0007\uD800', "'quoted'"];
  const items = hostile.map((name, index) => itemOf({ name, brand: name, estimated_value: index + 1 }));
  const { book, parts } = await open(inventoryReport(items));
  expect(sheetOf(book, 'By brand').getCell('B4').value).toBe("'quoted'");
  const cells = Array.from({ length: 5 }, (_, row) =>
    sheetOf(book, 'Most valuable items').getCell(`B${row + 5}`),
  );
  expect(cells.at(-1)?.value).toBe('=1+1');
  expect(cells.every((cell) => cell.formula === undefined)).toBe(true);
  for (const text of Object.values(parts)) new SaxesParser({ xmlns: true }).write(text).close();
});

test('amounts too large for a cell are written as text', async () => {
  const items = ['Acme', 'Acme', 'Bolt'].map((brand) => itemOf({ brand, estimated_value: 1.5e308 }));
  const { book, parts } = await open(inventoryReport(items));
  expect(sheetOf(book, 'By brand').getCell('D4').value).toBe(`3${'0'.repeat(308)}`);
  for (const text of Object.values(parts)) expect(text).not.toMatch(/Infinity|NaN/);
});

test('times in a workbook are dates, and a history of readings has a line chart', async () => {
  const reading = (day: number) => ({
    object: 'sales_summary' as const,
    completed_count: day,
    gross_cents: day * 100,
    fee_cents: 0,
    net_payout_cents: day * 50,
    reported_at: `2026-07-0${day}T06:00:00.000Z`,
  });
  const { sections } = salesReport([reading(1), reading(2)], 'usd');
  const { book, parts } = await open(reportOf(sections, { name: 'sales' }));
  expect(sheetOf(book, 'Readings').getCell('B6').value).toEqual(new Date('2026-07-02T06:00:00.000Z'));
  const [chart = ''] = Object.entries(parts).flatMap(([name, text]) =>
    name.includes('charts/') ? [text] : [],
  );
  expect(chart).toContain('<c:lineChart>');
  expect(chart).not.toContain('<c:min ');
  expect(chart).toContain('<c:v>46204.25</c:v>');
});

test('a table of a workbook has a thousand rows and the sum of the others', async () => {
  const items = Array.from({ length: 1500 }, (_, index) =>
    itemOf({ brand: `Brand ${index}`, estimated_value: 2 }),
  );
  const { book } = await open(inventoryReport(items));
  const sheet = sheetOf(book, 'By brand');
  expect(sheet.getCell('B1004').value).toBe('500 more, combined');
  expect(sheet.getCell('D1005').value).toEqual({
    formula: 'IF(COUNT(D4:D1004)=0,"",ROUND(SUM(D4:D1004),2))',
    result: 3000,
  });
});

test('a column without a total has none in a workbook either', async () => {
  const report = inventoryReport([]);
  const value = (key: string) => ({ key, title: key, kind: 'money' as const });
  const { book } = await open({
    ...report,
    sections: [
      {
        id: 'movements',
        title: 'Movements',
        notes: [],
        columns: [{ key: 'name', title: 'Name', kind: 'text' }, value('then'), value('change')],
        blocks: [
          {
            currency: 'usd',
            rows: [{ key: '1', values: ['Toy', 5, 2] }],
            total: { key: 'total', values: ['Total', null, 2] },
          },
        ],
        empty: '',
      },
    ],
  });
  expect(rowsOf(sheetOf(book, 'Movements')).at(-1)).toEqual([
    'USD',
    'Total',
    undefined,
    ['IF(COUNT(D4:D4)=0,"",ROUND(SUM(D4:D4),2))', 2],
  ]);
});
