import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { errorOf, readText } from './support/files.ts';

describe('delimiter, quote and line ends', () => {
  it.each([
    [',', 'Name,Year,Value\nAE86,1999,3.5\nFord,2001,4\n'],
    [';', 'Name;Year;Value\nAE86;1999;3,5\nFord;2001;4,25\n'],
    ['\t', 'Name\tYear\tValue\nAE86, red\t1999\t3,5\nFord\t2001\t4\n'],
    ['|', 'Name|Year|Value\nAE86|1999|3,5\nFord|2001|4,5\n'],
  ])('finds %j', async (delimiter, text) => {
    const { table, rows } = await readText(text);
    expect(table.delimiter).toBe(delimiter);
    expect(table.headers).toEqual(['Name', 'Year', 'Value']);
    expect(rows.map((row) => row.number)).toEqual([2, 3]);
  });

  it('is not misled by commas within the texts of a semicolon file', async () => {
    const { table } = await readText('name;note\na;"one, two, three"\nb;four, five\nc;1,5\n');
    expect(table.delimiter).toBe(';');
  });

  it('reads a file with apostrophes as quotes', async () => {
    const { cells } = await readText("'name','note'\n'a','x, y'\n'b','it''s'\n");
    expect(cells).toEqual([
      ['a', 'x, y'],
      ['b', "it's"],
    ]);
  });

  it('takes a sep= line as the delimiter, and not as a row', async () => {
    const { table, rows } = await readText('sep=;\r\nName;Note\r\nA;x,y\r\n');
    expect(table.headerRow).toBe(1);
    expect(table.headers).toEqual(['Name', 'Note']);
    expect(rows).toEqual([{ number: 2, line: 3, cells: ['A', 'x,y'] }]);
  });

  it.each(['\n', '\r\n', '\r'])('reads lines that end in %j', async (end) => {
    const { rows } = await readText(['a,b', '1,x', '2,"y"', ''].join(end));
    expect(rows).toEqual([
      { number: 2, line: 2, cells: ['1', 'x'] },
      { number: 3, line: 3, cells: ['2', 'y'] },
    ]);
  });

  it('reads mixed line ends', async () => {
    const { cells } = await readText('a,b\n1,"x"\r\n2,y\n');
    expect(cells).toEqual([
      ['1', 'x'],
      ['2', 'y'],
    ]);
  });

  it('obeys the delimiter option', async () => {
    const { cells } = await readText('a,b;c\n1,2;3\n', { delimiter: ';' });
    expect(cells).toEqual([['1,2', '3']]);
    expect((await errorOf(readText('a,b\n', { delimiter: ';;' }))).code).toBe('bad_delimiter');
  });
});

describe('encodings', () => {
  const text = 'Name;Größe\r\nCitroën;1€\r\n';
  it.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])('finds %s', async (encoding) => {
    const { table, cells } = await readText(iconv.encode(text, encoding));
    expect(table.headers).toEqual(['Name', 'Größe']);
    expect(cells).toEqual([['Citroën', '1€']]);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'])('leaves the byte order mark of %s out', async (encoding) => {
    const { table } = await readText(iconv.encode(text, encoding, { addBOM: true }));
    expect(table.headers[0]).toBe('Name');
  });

  it('reads Shift_JIS when told', async () => {
    const { cells } = await readText(iconv.encode('名前,年\n初音ミク,2007\n', 'shift_jis'), {
      encoding: 'shift-jis',
    });
    expect(cells).toEqual([['初音ミク', '2007']]);
    expect((await errorOf(readText('a,b\n', { encoding: 'klingon' }))).code).toBe('bad_encoding_name');
  });

  it('keeps characters whole where pieces of the file meet', async () => {
    const rows = Array.from({ length: 9000 }, (_, index) => `${index},ééé€𝄞`);
    const { cells, rows: read } = await readText(`id,text\n${rows.join('\n')}`);
    expect(cells.every((row) => row[1] === 'ééé€𝄞')).toBe(true);
    expect(read.filter((row) => row.problem)).toEqual([]);
  });

  it('marks rows with a bad byte, and only those', async () => {
    const { rows } = await readText(
      Buffer.concat([
        Buffer.from('name,x\né,1\né,2\né,3\né,4\né'),
        Buffer.from([0xff]),
        Buffer.from(',5\nè,6\n'),
      ]),
    );
    expect(rows.map((row) => row.problem?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'bad_encoding',
      undefined,
    ]);
  });

  it('reads late accents as Windows-1252 where everything before was ASCII', async () => {
    const head = `name,x\n${'abcdefgh,12345678\n'.repeat(20_000)}`;
    const { table, rows } = await readText(
      Buffer.concat([Buffer.from(head), iconv.encode('Citroën,1\n', 'windows-1252')]),
    );
    expect(rows.at(-1)?.cells).toEqual(['Citroën', '1']);
    expect(table.notes.join()).toContain('Windows-1252');
  });
});

describe('rows that are no data', () => {
  it('finds the header below title lines, and counts what it leaves out', async () => {
    const { table, rows } = await readText(
      [
        'My collection',
        'Exported,2024-05-01',
        '',
        'Name,Brand,Year,Value',
        'A,Mattel,1999,1.50',
        ',,,',
        'Name,Brand,Year,Value',
        'B,Mattel,2000,2.50',
        '   , ,,',
        'Total,,,4.00',
        '',
      ].join('\n'),
    );
    expect(table.headerRow).toBe(4);
    expect(table.detected).toBe(', · UTF-8 · header in row 4');
    expect(rows.map((row) => [row.number, row.cells[0]])).toEqual([
      [5, 'A'],
      [8, 'B'],
    ]);
    expect(table.skipped).toEqual({ blank: 2, repeatedHeader: 1, totals: 1 });
  });

  it('keeps a row named Total that is not the last', async () => {
    const { table, cells } = await readText('Name,Value\nTotal,4\nB,5\nSumme:,9\nGesamt,9\n');
    expect(cells).toEqual([
      ['Total', '4'],
      ['B', '5'],
    ]);
    expect(table.skipped.totals).toBe(2);
  });

  it('obeys the header row option', async () => {
    const { table, cells } = await readText('a,b\nc,d\n1,2\n', { headerRow: 2 });
    expect(table.headers).toEqual(['c', 'd']);
    expect(cells).toEqual([['1', '2']]);
    expect((await errorOf(readText('a,b\n1,2\n', { headerRow: 9 }))).code).toBe('no_header');
  });

  it('reads one column', async () => {
    const { table, cells } = await readText('Name\nCorvette\n\nMustang\n');
    expect(table.headers).toEqual(['Name']);
    expect(cells).toEqual([['Corvette'], ['Mustang']]);
    expect(table.skipped.blank).toBe(1);
  });
});

describe('odd rows', () => {
  it('numbers rows as a spreadsheet does, and lines as the file does', async () => {
    const { rows } = await readText('a,b\n1,"x\r\ny\nz"\n2,w\n3,"p\nq"\n4,r\n');
    expect(rows.map(({ number, line, cells }) => [number, line, cells[0]])).toEqual([
      [2, 2, '1'],
      [3, 5, '2'],
      [4, 6, '3'],
      [5, 8, '4'],
    ]);
  });

  it('fills short rows, and reports filled cells beyond the header', async () => {
    const { rows } = await readText('a,b,c\n1\n1,2,3,,\n1,2,3,4\n');
    expect(rows.map((row) => row.cells)).toEqual([
      ['1', '', ''],
      ['1', '2', '3'],
      ['1', '2', '3'],
    ]);
    expect(rows.map((row) => row.problem?.code)).toEqual([undefined, undefined, 'too_many_cells']);
    expect(rows[2]?.problem?.message).toContain('column D');
  });

  it('keeps cells as they are, and trims headers', async () => {
    const { table, cells } = await readText('\uFEFF a\u00a0, "b" ,c\n  x ,007,\u00a01\u00a0\n');
    expect(table.headers).toEqual(['a', '"b"', 'c']);
    expect(cells).toEqual([['  x ', '007', '\u00a01\u00a0']]);
  });

  it('keeps duplicate and blank headers, and notes them', async () => {
    const { table } = await readText('Name,Name,,Year\nA,B,C,1999\n');
    expect(table.headers).toEqual(['Name', 'Name', '', 'Year']);
    expect(table.notes).toEqual(['column C has data but no header', 'header "Name" stands in columns A, B']);
  });

  it('keeps stray quotes and zero bytes as text', async () => {
    const { cells } = await readText('name,size,note\nTank,12",a\nCar,"6" long",b\nBus,\0,c\n');
    expect(cells).toEqual([
      ['Tank', '12"', 'a'],
      ['Car', '"6" long"', 'b'],
      ['Bus', '\0', 'c'],
    ]);
  });

  it('reports a row whose open quote took the next lines in, and reads on', async () => {
    const { rows } = await readText(
      'id,name,year\n1,"Barbie,1999\n2,Ken,2000\n3,"Skipper",2001\n4,Stacie,2002\n',
    );
    expect(rows.map((row) => row.problem?.code)).toEqual(['unclosed_quote', undefined]);
    expect(rows[1]).toEqual({ number: 3, line: 5, cells: ['4', 'Stacie', '2002'] });
  });

  it('names the line of a quote that swallows the rest', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `${index},x`);
    const error = await errorOf(readText(`a,b\n1,2\n3,"open\n${lines.join('\n')}`));
    expect(error).toMatchObject({ code: 'unclosed_quote', position: { line: 3, row: 3 } });
  });

  it('stops at a record that is larger than any could be', async () => {
    const error = await errorOf(readText(`a,b\n1,2\n3,"open\n${'x,y\n'.repeat(2_500_000)}`));
    expect(error).toMatchObject({ code: 'limit_record_size', position: { line: 3 } });
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const rows = Array.from({ length: 50_000 }, (_, index) => `${index},some text`);
    await expect(async () => {
      const { table } = await readText('a,b\n1,2\n');
      expect(table.headers).toHaveLength(2);
      controller.abort();
      await readText(`a,b\n${rows.join('\n')}`, { signal: controller.signal });
    }).rejects.toThrow(/abort/iu);
  });
});
