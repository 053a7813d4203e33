import { english, inOneLine } from '../../src/messages/message.ts';
import { describe, expect, it } from 'vitest';
import { type Cell, NO_RESULT } from '../../src/sheets/cell.ts';
import { openTables } from '../../src/sheets/open-table.ts';
import { errorOf, makeZip, newFile, type Read, readFile } from './support/files.ts';
import {
  makeFlatOds,
  makeOds,
  odsContent,
  odsNumber,
  type OdsParts,
  odsRow,
  odsText,
} from './support/make-ods.ts';

const HEADER = odsRow(odsText('Name') + odsText('Cell'));

async function read(parts: OdsParts): Promise<Read> {
  return readFile(await newFile(makeOds(parts), 'ods'));
}

/** The value of a cell, given as XML. */
async function valueOf(cell: string, parts: Partial<OdsParts> = {}): Promise<Cell | undefined> {
  const { cells } = await read({ sheets: HEADER + odsRow(odsText('x') + cell), ...parts });
  return cells[0]?.[1];
}

const typed = (type: string, attributes: string, text = '') =>
  `<table:table-cell office:value-type="${type}" ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const day = (date: string, time?: string): Cell => ({
  kind: 'date',
  date,
  ...(time === undefined ? {} : { time }),
});
const error = (text: string): Cell => ({ kind: 'error', text });

describe('cells of an OpenDocument spreadsheet', () => {
  it.each<[what: string, xml: string, value: Cell]>([
    ['a number, with all its digits', typed('float', 'office:value="1234.5678"', '1,234.57'), 1234.5678],
    [
      'a currency',
      typed('currency', 'office:currency="EUR" office:value="12.5"', '12,50 €'),
      { kind: 'money', amount: 12.5, currency: 'EUR' },
    ],
    ['a percentage', typed('percentage', 'office:value="0.125"', '12.50%'), '12.5%'],
    ['a number without a value', typed('float', '', '12 apples'), '12 apples'],
    ['a boolean', typed('boolean', 'office:boolean-value="true"', 'TRUE'), true],
    [
      'a boolean as Calc stores Excel booleans',
      typed('float', 'table:formula="of:=FALSE()" office:value="0"', 'FALSE'),
      false,
    ],
    ['a date', typed('date', 'office:date-value="2020-02-29"', '29.02.20'), day('2020-02-29')],
    [
      'a date with a time',
      typed('date', 'office:date-value="1999-12-31T23:59:58"', '…'),
      day('1999-12-31', '23:59:58'),
    ],
    [
      'a date with a fraction',
      typed('date', 'office:date-value="1999-12-31T23:59:59.9999999"'),
      day('2000-01-01', '00:00:00'),
    ],
    [
      'a date before Christ',
      typed('date', 'office:date-value="-0044-03-15"', '15 March 44 BC'),
      '15 March 44 BC',
    ],
    ['a time', typed('time', 'office:time-value="PT12H30M00S"', '12:30'), day('', '12:30:00')],
    ['a duration', typed('time', 'office:time-value="PT36H05M00.4S"', '36:05'), day('', '36:05:00')],
    ['text in the attribute', typed('string', 'office:string-value="whole"', 'cut'), 'whole'],
    ['text without a type', '<table:table-cell><text:p>plain</text:p></table:table-cell>', 'plain'],
    ['a formula', typed('float', 'table:formula="of:=[.A1]*2" office:value="25"', '25'), 25],
    ['a formula with empty text', typed('string', 'table:formula="of:=&quot;&quot;"'), ''],
    ['a formula without a result', '<table:table-cell table:formula="of:=A1"/>', error(NO_RESULT)],
    [
      'an error by LibreOffice',
      typed('string', 'table:formula="of:=1/0" office:string-value="" calcext:value-type="error"', '#DIV/0!'),
      error('#DIV/0!'),
    ],
    [
      'an error by another program',
      typed('float', 'table:formula="of:=1/0" office:value="0"', 'Err:503'),
      error('Err:503'),
    ],
    ['text that looks like an error', odsText('#N/A'), '#N/A'],
    [
      'a covered cell of a merge',
      '<table:covered-table-cell office:value-type="string"><text:p>below</text:p></table:covered-table-cell>',
      'below',
    ],
  ])('are read: %s', async (_, xml, value) => {
    expect(await valueOf(xml)).toEqual(value);
  });

  it.each<[what: string, paragraphs: string, value: string]>([
    ['paragraphs as lines', '<text:p>one</text:p><text:p/><text:p>three</text:p>', 'one\n\nthree'],
    [
      'spaces, tabs and line breaks',
      '<text:p>a<text:s text:c="3"/>b<text:s/>c<text:tab/>d<text:line-break/>e</text:p>',
      'a   b c\td\ne',
    ],
    [
      'formats and links',
      '<text:p>Star <text:span>Cr<text:span>ui</text:span>ser</text:span> <text:a>shop</text:a></text:p>',
      'Star Cruiser shop',
    ],
    ['an indented file', '<text:p>\n    Star\n    Cruiser</text:p>', 'Star Cruiser'],
    ['several spaces as LibreOffice writes them', '<text:p>  two  spaces </text:p>', '  two  spaces '],
    [
      'a comment',
      '<office:annotation><dc:date>2020</dc:date><text:p>mint?</text:p></office:annotation><text:p>Bear</text:p>',
      'Bear',
    ],
    [
      'a picture with text',
      '<draw:frame><draw:text-box><text:p>no</text:p></draw:text-box></draw:frame><text:p>Bear</text:p>',
      'Bear',
    ],
    [
      'reading aids',
      '<text:p><text:ruby><text:ruby-base>初音</text:ruby-base><text:ruby-text>はつね</text:ruby-text></text:ruby></text:p>',
      '初音',
    ],
    [
      'a table within the cell',
      '<text:p>Bear</text:p><table:table><table:table-row><table:table-cell><text:p>no</text:p></table:table-cell></table:table-row></table:table>',
      'Bear',
    ],
  ])('turn into text: %s', async (_, paragraphs, value) => {
    expect(
      await valueOf(`<table:table-cell office:value-type="string">${paragraphs}</table:table-cell>`),
    ).toBe(value);
  });

  describe('a style determines how much of a date is shown', () => {
    const dateStyle = (name: string, parts: string) =>
      `<number:date-style style:name="${name}">${parts}</number:date-style>`;
    const style = (name: string, data: string) =>
      `<style:style style:name="${name}" style:family="table-cell" ${data}/>`;
    const styles =
      dateStyle('N1', '<number:day/><number:month/><number:year/>') +
      dateStyle('N2', '<number:year/><number:hours/>') +
      '<number:time-style style:name="N3"><number:hours/></number:time-style>' +
      '<number:time-style style:name="N4" number:truncate-on-overflow="false"><number:hours/></number:time-style>' +
      style('ce1', 'style:data-style-name="N1"') +
      style('ce2', 'style:data-style-name="N2"') +
      style('ce3', 'style:parent-style-name="ce2"') +
      style('ce4', 'style:parent-style-name="ce4"') +
      style('ce5', 'style:data-style-name="N3"') +
      style('ce6', 'style:data-style-name="N4"');
    const cell = (name: string, value: string) =>
      typed('date', `table:style-name="${name}" office:date-value="${value}"`);

    it.each<[style: string, value: string, shown: Cell]>([
      ['ce1', '2020-05-01T10:30:00', day('2020-05-01')],
      ['ce2', '2020-05-01', day('2020-05-01', '00:00:00')],
      ['ce3', '2020-05-01', day('2020-05-01', '00:00:00')],
      ['ce4', '2020-05-01T10:30:00', day('2020-05-01', '10:30:00')],
      ['none', '2020-05-01', day('2020-05-01')],
    ])('the style %s applies to %s', async (name, value, shown) => {
      expect(await valueOf(cell(name, value), { styles })).toEqual(shown);
    });

    it.each<[style: string, time: string]>([
      ['ce5', '16:01:55'],
      ['ce6', '937600:01:55'],
      ['none', '937600:01:55'],
    ])('%s shows a long duration in hours', async (name, time) => {
      const cellOf = typed('time', `table:style-name="${name}" office:time-value="PT937600H01M55.2S"`);
      expect(await valueOf(cellOf, { styles })).toEqual(day('', time));
    });

    it('a common style, and the default style of a row or a column, apply', async () => {
      const moment = typed('date', 'office:date-value="2020-05-01T10:30:00"');
      const columns =
        '<table:table-column table:default-cell-style-name="ce2"/><table:table-column table:default-cell-style-name="ce1"/>';
      expect(
        await valueOf(moment, { common: styles, sheets: columns + HEADER + odsRow(odsText('x') + moment) }),
      ).toEqual(day('2020-05-01'));
      const row = odsRow(odsText('x') + moment, 'table:default-cell-style-name="ce1"');
      expect(await valueOf(moment, { common: styles, sheets: HEADER + row })).toEqual(day('2020-05-01'));
    });
  });
});

describe('repeated rows and columns', () => {
  const blanks = (rows: number) =>
    `<table:table-row table:number-rows-repeated="${rows}"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;

  it('count if they are blank, and are not read one by one', async () => {
    const { rows, table } = await read({
      sheets: `${blanks(2)}${HEADER}${odsRow(odsText('a'))}${blanks(1000)}${odsRow(`<table:table-cell/>${odsNumber(5)}`)}${blanks(1_047_571)}`,
    });
    expect(table.headerRow).toBe(3);
    expect(rows).toEqual([
      { number: 4, cells: ['a', null] },
      { number: 1005, cells: [null, 5] },
    ]);
  });

  it('are read as often as the file says if they are filled', async () => {
    const { rows } = await read({
      sheets:
        odsRow(odsText('A') + odsText('B') + odsText('C')) +
        odsRow(
          odsNumber(1, 'table:number-columns-repeated="2"') + odsText('x'),
          'table:number-rows-repeated="1200"',
        ) +
        odsRow(odsText('end')),
    });
    expect(rows).toHaveLength(1201);
    expect(rows[1199]).toEqual({ number: 1201, cells: [1, 1, 'x'] });
    expect(rows[1200]).toEqual({ number: 1202, cells: ['end', null, null] });
  });

  it.each([
    ['limit_rows', odsRow(odsText('x'), 'table:number-rows-repeated="1048577"')],
    ['limit_rows', odsRow('', 'table:number-rows-repeated="99999999999"') + odsRow(odsText('x'))],
    ['limit_columns', odsRow(odsNumber(1, 'table:number-columns-repeated="16385"'))],
    ['limit_columns', odsRow(`<table:table-cell table:number-columns-repeated="99999999"/>${odsNumber(1)}`)],
    [
      'limit_repeated_cells',
      odsRow(odsNumber(1, 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1000000"'),
    ],
    ['limit_xml_text', odsRow(odsText('<text:s text:c="4000000"/><text:s text:c="4000000"/>x'))],
  ])('beyond the limits are refused with %s', async (code, rows) => {
    const file = await newFile(makeOds({ sheets: HEADER + odsRow(odsText('a')) + rows }), 'ods');
    expect((await errorOf(readFile(file))).code).toBe(code);
  });

  it('count once if their number is not valid', async () => {
    const { cells } = await read({
      sheets:
        HEADER + odsRow(odsText('a', 'table:number-columns-repeated="-4"'), 'table:number-rows-repeated="x"'),
    });
    expect(cells).toEqual([['a', null]]);
  });
});

describe('sheets of an OpenDocument spreadsheet', () => {
  const sheet = (name: string) => HEADER + odsRow(odsText(name) + odsNumber(1));
  const hidden =
    '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';

  it('are left out if they are hidden, hidden rows and columns are read, and both are reported', async () => {
    const { table, cells } = await read({
      styles: hidden,
      sheets: [
        sheet('secret'),
        `<table:table-column/><table:table-column table:visibility="collapse"/>${HEADER}${odsRow(odsText('Bear'), 'table:visibility="filter"')}`,
        sheet('later'),
      ],
      sheetStyles: ['ta2', 'ta1', 'ta1'],
    });
    expect(inOneLine(table.detected)).toBe('ODS · sheet "Sheet2" · header in row 1');
    expect(cells).toEqual([['Bear', null]]);
    expect(table.notes.map(english)).toEqual([
      'hidden sheets were not read: "Sheet1"',
      '1 hidden row was read too',
      'hidden columns were read too: B',
    ]);
  });

  it('give currencies and percentages that only the format of cells shows', async () => {
    const styles = ['number', 'currency', 'percentage'].map(
      (kind) =>
        `<style:style style:name="${kind}" style:family="table-cell" style:data-style-name="N-${kind}"/><number:${kind}-style style:name="N-${kind}"><number:number/><number:text> </number:text>${kind === 'currency' ? '<number:currency-symbol>kr</number:currency-symbol>' : '<number:text> €</number:text>'}</number:${kind}-style>`,
    );
    const cell = (type: string, more = '') =>
      `<table:table-cell office:value-type="${type}" office:value="0.07" ${more}/>`;
    const { table, cells } = await read({
      styles: styles.join(''),
      sheets:
        HEADER +
        [
          cell('currency', 'office:currency="CHF"'),
          cell('currency', 'table:style-name="currency"'),
          cell('float', 'table:style-name="number"'),
          cell('float', 'table:style-name="percentage"'),
          cell('percentage'),
          cell('float'),
        ]
          .map((each) => odsRow(odsText('Bear') + each))
          .join(''),
    });
    const money = ['CHF', 'kr', '€'].map((currency) => ({ kind: 'money', amount: 0.07, currency }));
    expect(cells.map(([, value]) => value)).toEqual([...money, '7%', '7%', 0.07]);
    expect(table.notes).toEqual([]);
  });

  it('give codes with the zeros in front that their format shows', async () => {
    const style = (name: string, digits: string, more = '') =>
      `<style:style style:name="${name}" style:family="table-cell" style:data-style-name="N-${name}"/><number:number-style style:name="N-${name}"><number:number number:decimal-places="0" number:min-integer-digits="${digits}"/>${more}</number:number-style>`;
    const cell = (style: string) =>
      `<table:table-cell office:value-type="float" office:value="7" table:style-name="${style}"/>`;
    const { cells } = await read({
      styles: style('text', '5', '<number:text> cm</number:text>') + style('code', '5') + style('one', '1'),
      sheets: HEADER + ['code', 'one', 'text'].map((name) => odsRow(odsText('Bear') + cell(name))).join(''),
    });
    expect(cells.map(([, value]) => value)).toEqual(['00007', 7, 7]);
  });

  it('are chosen by name, or all sheets that have the same columns are read', async () => {
    const file = await newFile(makeOds({ sheets: [sheet('a'), odsRow(odsText('What')), sheet('c')] }), 'ods');
    expect((await readFile(file, { sheet: 'sheet3' })).cells).toEqual([['c', 1]]);
    const tables = await openTables(file, { sheet: 'all' });
    expect(tables.map((table) => table.sheet)).toEqual(['Sheet1', 'Sheet3']);
    expect(tables[0]?.sheets).toEqual(['Sheet1', 'Sheet2', 'Sheet3']);
  });

  it('include rows in groups and header rows, but no linked tables or tracked changes', async () => {
    const other = `<table:table table:name="x">${sheet('no')}</table:table>`;
    const { cells, table } = await read({
      before: `<table:tracked-changes><table:cell-content-change><table:change-track-table-cell><text:p>no</text:p></table:change-track-table-cell></table:cell-content-change></table:tracked-changes><table:dde-links><table:dde-link>${other}</table:dde-link></table:dde-links>`,
      sheets: `<table:table-header-rows>${HEADER}</table:table-header-rows><table:table-row-group>${odsRow(odsText('a'))}<table:table-row-group>${odsRow(odsText('b'))}</table:table-row-group></table:table-row-group>`,
    });
    expect(table.sheet).toBe('Sheet1');
    expect(cells.map(([name]) => name)).toEqual(['a', 'b']);
  });

  it('have their names even in a large file, with comments, or with unusual prefixes', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => odsRow(odsText(`Toy > ${at}`) + odsNumber(at))).join(
      '',
    );
    const big = { sheets: [HEADER + rows, sheet('b')] };
    const names = async (content: string) => {
      const file = await newFile(makeOds({ sheets: '', extra: { 'content.xml': content } }), 'ods');
      const { table, cells } = await readFile(file);
      return [...(table.sheets ?? []), cells.length];
    };
    const content = odsContent(big);
    expect(await names(content)).toEqual(['Sheet1', 'Sheet2', 3000]);
    expect(await names(content.replaceAll('Toy', '<!-- <table:table> -->Toy'))).toEqual([
      'Sheet1',
      'Sheet2',
      3000,
    ]);
    const renamed = content
      .replaceAll('table:', 't:')
      .replaceAll('xmlns:table', 'xmlns:t')
      .replaceAll(':t:', ':table:');
    expect(await names(renamed)).toEqual(['Sheet1', 'Sheet2', 3000]);
  });
});

describe('kinds of documents', () => {
  const parts = { sheets: HEADER + odsRow(odsText('Bear') + odsNumber(1)) };

  it('a flat file (.fods) is read like a package', async () => {
    const { table, cells } = await readFile(await newFile(makeFlatOds(parts), 'fods'));
    expect(table.format).toBe('ods');
    expect(cells).toEqual([['Bear', 1]]);
  });

  it.each<[code: string, message: string, content: Buffer]>([
    [
      'password_protected',
      'is an OpenDocument spreadsheet protected by a password',
      makeOds({
        ...parts,
        extra: {
          'META-INF/manifest.xml':
            '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>',
          'content.xml': Buffer.from('encrypted'),
        },
      }),
    ],
    [
      'password_protected',
      'is an OpenDocument spreadsheet protected by a password',
      makeZip({
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
        'META-INF/manifest.xml':
          '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><file-entry full-path="encrypted-package"><encryption-data/></file-entry></manifest>',
        'encrypted-package': 'encrypted',
      }),
    ],
    [
      'not_a_workbook',
      'OpenDocument (.odt) format',
      makeOds({ ...parts, extra: { mimetype: 'application/vnd.oasis.opendocument.text' } }),
    ],
    ['not_a_workbook', 'OpenDocument format', makeOds({ ...parts, extra: { 'content.xml': '<a/>' } })],
    [
      'broken_xml',
      'content.xml',
      makeOds({ ...parts, extra: { 'content.xml': odsContent(parts).slice(0, -60) } }),
    ],
    [
      'limit_xml_entities',
      'DOCTYPE',
      makeOds({ ...parts, extra: { 'content.xml': `<!DOCTYPE x [<!ENTITY a "b">]>${odsContent(parts)}` } }),
    ],
  ])('are refused with %s: %s', async (code, message, content) => {
    const found = await errorOf(readFile(await newFile(content, 'ods')));
    expect(found.code).toBe(code);
    expect(found.message).toContain(message);
  });

  it('a file from OpenOffice 2, whose manifest has a DOCTYPE without entities, is read', async () => {
    const manifest =
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd">\n' +
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>';
    const { cells } = await read({
      sheets: HEADER + odsRow(odsText('x') + odsNumber(5)),
      extra: { 'META-INF/manifest.xml': manifest },
    });
    expect(cells).toEqual([['x', 5]]);
  });
});
