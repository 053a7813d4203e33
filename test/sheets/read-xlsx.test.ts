import type { SheetError } from '../../src/base/errors.ts';
import { german } from '../../src/messages/german.ts';
import { english, inOneLine } from '../../src/messages/message.ts';
import ExcelJS from 'exceljs';
import { describe, expect, it, vi } from 'vitest';
import { ZipFile } from 'yauzl';
import { NO_RESULT } from '../../src/sheets/cell.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { errorOf, MAIN, makeBook, makeZip, newFile, newPath, readFile } from './support/files.ts';

async function readBook(parts: Parameters<typeof makeBook>[0], options = {}) {
  return readFile(await newFile(makeBook(parts), 'xlsx'), options);
}

const inline = (text: string, reference = '') => `<c ${reference} t="inlineStr"><is><t>${text}</t></is></c>`;
const header = `<row>${inline('Name')}${inline('Value')}</row>`;
const data = (xml: string) => `<sheetData>${header}${xml}</sheetData>`;

describe('reading a workbook from exceljs', () => {
  it('gives currencies and percentages that only the format of numbers shows', async () => {
    const shown = [
      '[$€-407] #,##0.00',
      '0.00 "USD"',
      '"$"#,##0.00',
      '#,##0.00\\ £',
      '[$kr-406] 0',
      '_-* 0.00 [$CHF]_-',
      '_-* #,##0.00\\ "zł"_-',
      '#,##0.00 "kr."',
      '"Fr. "0.00',
      '#,##0"円"',
    ];
    const plain = ['#,##0.00', '0.00\\ _€', '0 "Stk"', '0 "pcs"', '[$-409]0', '"$ in thousands" 0', '@'];
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Toys');
    sheet.addRow(['Name', ...shown, ...plain, 'Share', 'More']);
    const row = sheet.addRow(['Bear', ...[...shown, ...plain].map(() => 1234.5)]);
    const texts = sheet.addRow(['Tank', ...[...shown, ...plain].map(() => 'a text'), null, null]);
    for (const [index, format] of [...shown, ...plain].entries())
      for (const each of [row, texts]) each.getCell(index + 2).numFmt = format;
    for (const [index, value] of [0.07, 1234.5].entries()) {
      const cell = row.getCell(shown.length + plain.length + 2 + index);
      Object.assign(cell, { value, numFmt: index === 0 ? '0%' : '[Red]0.00\\ %' });
    }
    const file = newPath('xlsx');
    await book.xlsx.writeFile(file);
    const { table, cells } = await readFile(file);
    const money = ['€', 'USD', '$', '£', 'kr', 'CHF', 'zł', 'kr.', 'Fr.', '円'].map((currency) => ({
      kind: 'money',
      amount: 1234.5,
      currency,
    }));
    expect(cells).toEqual([
      ['Bear', ...money, ...plain.map(() => 1234.5), '7%', '123450%'],
      ['Tank', ...[...shown, ...plain].map(() => 'a text'), null, null],
    ]);
    expect(table.notes).toEqual([]);
  });

  it('gives typed cells, with dates as calendar dates', async () => {
    const book = new ExcelJS.Workbook();
    book.addWorksheet('Empty');
    book.addWorksheet('Secret', { state: 'hidden' }).addRow(['a', 'b']);
    const sheet = book.addWorksheet('Toys');
    sheet.mergeCells('B2:F2');
    sheet.getCell('B2').value = 'My toys';
    sheet.getRow(4).values = [undefined, undefined, 'Name', 'Bought', 'Value', 'Kept', 'Sum', 'Link'];
    const row = sheet.getRow(5);
    row.values = [
      undefined,
      undefined,
      { richText: [{ text: 'Red ' }, { text: 'Car', font: { bold: true } }] },
      new Date(Date.UTC(2020, 1, 29)),
      12.5,
      true,
      { formula: 'E5*2', result: 25 },
      { text: 'shop', hyperlink: 'https://example.org' },
    ];
    row.getCell(4).numFmt = 'dd.mm.yyyy';
    sheet.getRow(6).values = [
      undefined,
      undefined,
      '007',
      null,
      { error: '#N/A' },
      false,
      { formula: 'X' },
      '1.23E+12',
    ];
    sheet.getRow(6).hidden = true;
    sheet.getColumn(8).hidden = true;
    const file = newPath('xlsx');
    await book.xlsx.writeFile(file);

    const { table, rows } = await readFile(file);
    expect(table.sheet).toBe('Toys');
    expect(table.headers).toEqual(['Name', 'Bought', 'Value', 'Kept', 'Sum', 'Link']);
    expect(table.letters).toEqual(['C', 'D', 'E', 'F', 'G', 'H']);
    expect(table.headerRow).toBe(4);
    expect(inOneLine(table.detected)).toBe('XLSX · sheet "Toys" · header in row 4');
    expect(rows).toEqual([
      { number: 5, cells: ['Red Car', { kind: 'date', date: '2020-02-29' }, 12.5, true, 25, 'shop'] },
      {
        number: 6,
        cells: [
          '007',
          null,
          { kind: 'error', text: '#N/A' },
          false,
          { kind: 'error', text: NO_RESULT },
          '1.23E+12',
        ],
      },
    ]);
    expect(table.notes.map(english)).toEqual([
      'hidden sheets were not read: "Secret"',
      '1 hidden row was read too',
      'hidden columns were read too: H',
    ]);
  });

  it('reads a hidden sheet that is named', async () => {
    const file = await newFile(
      makeBook({
        sheets: ['<sheetData/>', data(`<row>${inline('a')}</row>`)],
        states: ['', 'state="hidden"'],
      }),
      'xlsx',
    );
    expect((await errorOf(openTable(file, {}))).code).toBe('empty_file');
    expect((await readFile(file, { sheet: ' sheet2 ' })).cells).toEqual([['a', null]]);
    const hidden = makeBook({ sheets: data(''), states: ['state="hidden"'] });
    expect((await errorOf(openTable(await newFile(hidden), {}))).code).toBe('no_visible_sheet');
  });
});

describe('reading workbooks from other programs', () => {
  it('accepts prefixed elements in parts at odd paths', async () => {
    const relations = (inner: string) => `<p:Relationships xmlns:p="x">${inner}</p:Relationships>`;
    const zip = makeZip({
      '/Odd/wb.xml': `<x:workbook xmlns:x="${MAIN}" xmlns:rel="r"><x:workbookPr date1904="true"/><x:sheets><x:sheet name="S" rel:id="q"/></x:sheets></x:workbook>`,
      '_rels/.rels': relations(
        '<p:Relationship Id="a" Type="http://x/officeDocument" Target="/Odd/wb.xml"/>',
      ),
      'Odd/_rels/wb.xml.rels': relations(
        '<p:Relationship Id="q" Type="http://x/worksheet" Target="../Data/One.XML"/><p:Relationship Id="s" Type="http://x/sharedStrings" Target="strings"/>',
      ),
      'Odd/strings':
        '<x:sst xmlns:x="y"><x:si><x:t>Name</x:t></x:si><x:si><x:r><x:t>Ja</x:t></x:r><x:rPh><x:t>pho</x:t></x:rPh><x:r><x:t xml:space="preserve"> pan</x:t></x:r></x:si><x:si><x:t/></x:si></x:sst>',
      'Data/one.xml':
        '<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="str"><x:v>Year</x:v></x:c></x:row><x:row><x:c t="s"><x:v>1</x:v></x:c><x:c><x:v>1999</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    });
    const { table, cells } = await readFile(await newFile(zip));
    expect(table.headers).toEqual(['Name', 'Year']);
    expect(cells).toEqual([['Ja pan', 1999]]);
  });

  it('counts positions if references are missing, and otherwise follows the references', async () => {
    const { rows } = await readBook({
      sheets: `<dimension ref="A1:A1"/>${data(
        `<row>${inline('a')}</row><row r="7">${inline('b')}<c r="B7"><v>3</v></c></row><row>${inline('c')}<c/><c><v>9</v></c></row>`,
      )}`,
    });
    expect(rows).toEqual([
      { number: 2, cells: ['a', null] },
      { number: 7, cells: ['b', 3] },
      {
        number: 8,
        cells: ['c', null],
        problem: expect.objectContaining({
          code: 'too_many_cells',
          message: 'column C holds "9", but has no header',
        }),
      },
    ]);
  });

  it('reads every type of cell', async () => {
    const { cells } = await readBook({
      sheets: data(
        [
          '<c t="str"><f>X</f><v>res_x000D_ult</v></c><c t="b"><v>1</v></c>',
          '<c t="e"><v>#REF!</v></c><c t="d"><v>2020-05-01T12:30:00</v></c>',
          '<c><f>A1</f><v></v></c><c t="str"><f>A1</f><v></v></c>',
          '<c t="s"><v>99</v></c><c><v>1E3</v></c>',
          '<c t="n"><v>x</v></c><c t="inlineStr"><is><r><t>a</t></r><rPh><t>no</t></rPh><r><t>&amp;b</t></r></is></c>',
          '<c t="inlineStr"><is><t><![CDATA[<b>]]></t></is></c><c t="b"/>',
        ]
          .map((row) => `<row>${row}</row>`)
          .join(''),
      ),
    });
    expect(cells).toEqual([
      ['res\rult', true],
      [
        { kind: 'error', text: '#REF!' },
        { kind: 'date', date: '2020-05-01', time: '12:30:00' },
      ],
      [{ kind: 'error', text: NO_RESULT }, ''],
      [{ kind: 'error', text: '#REF!' }, 1000],
      ['x', 'a&b'],
      ['<b>', null],
    ]);
  });

  // openpyxl, XlsxWriter and LibreOffice make their own files in torture/; these are the shapes of the others.
  it('reads files from SheetJS: stubs, ISO dates, text of type str, no styles', async () => {
    const { rows } = await readBook({
      sheets: `<dimension ref="A1:C3"/><cols><col min="1" max="1" width="9.83"/></cols><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="2"><c r="A2" t="str"><v>Bear &amp; Co</v></c><c r="B2" t="d"><v>2020-02-29T00:00:00.000Z</v></c><c r="C2" t="n"><v>0.1</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3" t="z"/><c r="C3" t="b"><v>0</v></c></row></sheetData><ignoredErrors><ignoredError numberStoredAsText="1" sqref="A1:C3"/></ignoredErrors>`,
      strings: `<sst xmlns="${MAIN}" count="4" uniqueCount="4"><si><t>Name</t></si><si><t>Bought</t></si><si><t>Value</t></si><si><t xml:space="preserve"> x </t></si></sst>`,
    });
    expect(rows.map((row) => row.cells)).toEqual([
      ['Bear & Co', { kind: 'date', date: '2020-02-29', time: '00:00:00' }, 0.1],
      [' x ', null, false],
    ]);
  });

  it('reads files from Google Sheets and Excel: percentages, links as formulas, shared formulas, filters', async () => {
    const { rows } = await readBook({
      sheets: `<sheetPr filterMode="1"><outlinePr summaryBelow="0"/></sheetPr><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetData><row r="1" customHeight="1" ht="15.75" spans="1:4"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="1" t="s"><v>1</v></c><c r="C1" s="1" t="s"><v>2</v></c><c r="D1" s="1" t="s"><v>3</v></c></row><row r="2" hidden="1"><c r="A2" t="str"><f>HYPERLINK("https://example.org","shop")</f><v>shop</v></c><c r="B2" s="2"><v>0.125</v></c><c r="C2"><f t="shared" ref="C2:C3" si="0">B2*2</f><v>0.25</v></c><c r="D2" s="3"><v>36526</v></c></row><row r="3"><c r="A3" s="4" t="s"><v>4</v></c><c r="B3" s="2"><v>1.0</v></c><c r="C3"><f t="shared" si="0"/><v>2</v></c><c r="D3" s="3"/></row></sheetData><autoFilter ref="A1:D3"/><drawing r:id="rId1"/><tableParts count="1"><tablePart r:id="rId2"/></tableParts>`,
      strings: `<sst><si><t>Name</t></si><si><t>Share</t></si><si><t>Twice</t></si><si><t>Bought</t></si><si><t>007</t></si></sst>`,
      styles:
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="m/d/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="0" applyFont="1"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="49" quotePrefix="1"/></cellXfs></styleSheet>',
    });
    expect(rows.map((row) => row.cells)).toEqual([
      ['shop', '12.5%', 0.25, { kind: 'date', date: '2000-01-01' }],
      ['007', '100%', 2, null],
    ]);
  });

  it('recognises dates by built-in and custom formats, in both epochs', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]0.00"/><numFmt numFmtId="165" formatCode="yyyy&quot;-Year&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/><xf numFmtId="10"/></cellXfs></styleSheet>`;
    const sheets = data(
      ['1', '2', '3', '4', '5', '6']
        .map((style) => `<row>${inline('x')}<c s="${style}"><v>43890.25</v></c></row>`)
        .join(''),
    );
    const values = (read: { cells: unknown[][] }) => read.cells.map((row) => row[1]);
    expect(values(await readBook({ sheets, styles }))).toEqual([
      { kind: 'date', date: '2020-02-29' },
      { kind: 'date', date: '2020-02-29', time: '06:00:00' },
      43890.25,
      { kind: 'date', date: '2020-02-29' },
      { kind: 'date', date: '', time: '06:00:00' },
      '4389025%',
    ]);
    expect(values(await readBook({ sheets, styles, properties: 'date1904="1"' }))[0]).toEqual({
      kind: 'date',
      date: '2024-03-01',
    });
  });

  it('keeps the date system of 1904 even if an extension has its own workbookPr', async () => {
    const X15 = 'http://schemas.microsoft.com/office/spreadsheetml/2010/11/main';
    const workbook =
      `<workbook xmlns="${MAIN}" xmlns:r="r"><workbookPr date1904="1"/>` +
      '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>' +
      `<extLst><ext xmlns:x15="${X15}"><x15:workbookPr chartTrackingRefBase="1"/></ext>` +
      `<ext><workbookPr xmlns="${X15}"/></ext></extLst></workbook>`;
    const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>';
    const sheets = `<sheetData><row><c t="str"><v>Bought</v></c></row><row><c s="1"><v>30650</v></c></row></sheetData>`;
    const { cells } = await readBook({ sheets, styles, extra: { 'xl/workbook.xml': workbook } });
    expect(cells).toEqual([[{ kind: 'date', date: '1987-12-01' }]]);
  });

  it('uses the number formats of cells, not those of conditional formats with the same id', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/></numFmts>' +
      '<cellXfs><xf/><xf numFmtId="164"/></cellXfs>' +
      '<dxfs><dxf><numFmt numFmtId="164" formatCode="0.00"/></dxf></dxfs></styleSheet>';
    const sheets =
      '<sheetData><row><c t="str"><v>Bought</v></c></row><row><c s="1"><v>43890</v></c></row></sheetData>';
    expect((await readBook({ sheets, styles })).cells).toEqual([[{ kind: 'date', date: '2020-02-29' }]]);
  });

  it('reads the zip directory once, however many sheets are checked', async () => {
    const empty = Array.from({ length: 1022 }, () => '<sheetData/>');
    const table =
      '<sheetData><row><c t="str"><v>Name</v></c></row><row><c t="str"><v>Robot</v></c></row></sheetData>';
    const read = vi.spyOn(ZipFile.prototype, 'eachEntry');
    try {
      const { cells } = await readBook({ sheets: [...empty, table] });
      expect(cells).toEqual([['Robot']]);
      expect(read).toHaveBeenCalledOnce();
    } finally {
      read.mockRestore();
    }
  });

  it('finds a table below thousands of formatted blank rows', async () => {
    const blank = Array.from({ length: 2000 }, () => '<row><c s="0"/><c s="0"/></row>').join('');
    const { table, rows } = await readBook({
      sheets: `<sheetData>${blank}${header}<row>${inline('x')}</row></sheetData>`,
    });
    expect(table.headerRow).toBe(2001);
    expect(rows).toEqual([{ number: 2002, cells: ['x', null] }]);
  });

  it('reads parts in UTF-16', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?><worksheet>${data(`<row>${inline('é')}</row>`)}</worksheet>`;
    const { cells } = await readBook({
      sheets: '',
      extra: { 'xl/worksheets/sheet1.xml': Buffer.from(`\uFEFF${xml}`, 'utf16le') },
    });
    expect(cells).toEqual([['é', null]]);
  });

  it('includes columns without a header in the table if most rows fill them', async () => {
    const { table, cells } = await readBook({
      sheets: `<sheetData><row r="1">${inline('Name', 'r="B1"')}${inline('Year', 'r="C1"')}</row><row r="2"><c r="A2"><v>1</v></c>${inline('x', 'r="B2"')}</row><row r="3"><c r="A3"><v>2</v></c>${inline('y', 'r="B3"')}</row></sheetData>`,
    });
    expect(table.headers).toEqual(['', 'Name', 'Year']);
    expect(table.notes.map(english)).toEqual(['column A has data but no header']);
    expect(cells[1]).toEqual([2, 'y', null]);
  });

  it('includes helper columns without a header after blank columns, and does not report their rows', async () => {
    const line = (at: number, [name, brand, shelf]: [string, string, string], more = '') =>
      `<row r="${at}">${inline(name, `r="A${at}"`)}${inline(brand, `r="B${at}"`)}${inline(shelf, `r="C${at}"`)}${more}</row>`;
    const lines = [2, 3, 4, 5, 6].map((at) =>
      line(at, [`Toy ${at}`, 'Acme', 'Attic'], `<c r="E${at}"><v>${at}</v></c>`),
    );
    const { table, rows } = await readBook({
      sheets: `<sheetData>${line(1, ['Name', 'Brand', 'Shelf'])}${lines.join('')}</sheetData>`,
    });
    expect(table.headers).toEqual(['Name', 'Brand', 'Shelf', '', '']);
    expect(table.notes.map(english)).toEqual(['column E has data but no header']);
    expect(rows.every(({ problem }) => problem === undefined)).toBe(true);
  });
});

describe('hostile workbooks are refused with a known error', () => {
  const far = (reference: string) =>
    `<sheetData>${header}<row><c r="${reference}"><v>1</v></c></row></sheetData>`;
  const entities = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]>';
  it.each<[code: string, parts: Parameters<typeof makeBook>[0]]>([
    ['limit_inflation', { sheets: `<sheetData>${' '.repeat(40_000_000)}</sheetData>` }],
    ['limit_inflation', { sheets: data(''), strings: `<sst>${'<si><t/></si>'.repeat(3_000_000)}</sst>` }],
    ['limit_shared_strings', { sheets: data(''), strings: '<sst uniqueCount="10000000"/>' }],
    ['limit_columns', { sheets: far('XFE2') }],
    ['limit_columns', { sheets: far('7') }],
    ['limit_rows', { sheets: `<sheetData>${header}<row r="1048577"/></sheetData>` }],
    ['limit_xml_entities', { sheets: data(''), strings: `${entities}<sst><si><t>&c;</t></si></sst>` }],
    ['broken_xml', { sheets: data(`<row>${inline('&c;')}</row>`) }],
    ['bad_part_name', { sheets: data(''), extra: { 'xl/../../x': '' } }],
    [
      'not_a_workbook',
      {
        sheets: data(''),
        extra: {
          'xl/_rels/workbook.xml.rels':
            '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="gone.xml"/></Relationships>',
        },
      },
    ],
  ])('%s', async (code, parts) => {
    const file = await newFile(makeBook(parts), 'xlsx');
    expect((await errorOf(readFile(file))).code).toBe(code);
  });

  it('a limit is named in German with the sheet, the cell and the last column', async () => {
    const file = await newFile(makeBook({ sheets: far('XFE2') }), 'xlsx');
    const error: unknown = await readFile(file).catch((cause: unknown) => cause);
    expect(german((error as SheetError).said)).toMatch(
      /^Das Blatt „.+“ hat eine Zelle XFE2; die letzte mögliche Spalte ist XFD\.$/,
    );
  });

  it('a cell in the last corner is read, and 50,000 merges are ignored', async () => {
    const merges = Array.from({ length: 50_000 }, (_, index) => `<mergeCell ref="A${index}:B${index}"/>`);
    const { rows } = await readBook({
      sheets: `<dimension ref="A1:XFD1048576"/>${data(`<row>${inline('x')}</row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`)}<mergeCells>${merges.join('')}</mergeCells>`,
    });
    expect(rows.map((row) => [row.number, row.problem?.code])).toEqual([
      [2, undefined],
      [1_048_576, 'too_many_cells'],
    ]);
  });
});
