import { english, inOneLine } from '../../src/messages/message.ts';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { cellText } from '../../src/sheets/cell.ts';
import type { SheetTable } from '../../src/sheets/table.ts';
import { errorOf, readText } from './support/files.ts';

describe('detecting delimiter, quotes and line ends', () => {
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

  it('finds semicolons even if the text contains commas', async () => {
    const { table } = await readText('name;note\na;"one, two, three"\nb;four, five\nc;1,5\n');
    expect(table.delimiter).toBe(';');
  });

  it('prefers commas to semicolons of HTML in quotes, and keeps the header whole', async () => {
    const { cells } = await readText('Title,Body\nA,"<p>a; b; c</p>"\nB,"<p>d; e; f</p>"\n');
    expect(cells).toEqual([
      ['A', '<p>a; b; c</p>'],
      ['B', '<p>d; e; f</p>'],
    ]);
  });

  it('prefers commas to semicolons of HTML in rows without their last cells', async () => {
    const headers = Array.from({ length: 30 }, (_, index) => `Option ${index}`);
    const rows = headers.slice(0, 20).map((_, index) => `A,"<p>a; b;</p>"${',x'.repeat(28 - index)}`);
    const { table, cells } = await readText(`${[headers.join(','), ...rows].join('\n')}\n`);
    expect(table.headers).toEqual(headers);
    expect(cells.map(([name]) => name)).toEqual(rows.map(() => 'A'));
  });

  it('prefers semicolons below a title with a comma, and to decimal commas', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => `Auto ${index};${index},50;x`);
    const { table } = await readText(`Sammlung, Stand 2024\nName;Wert;Ort\n${rows.join('\n')}\n`);
    expect(table.headers).toEqual(['Name', 'Wert', 'Ort']);
  });

  it('accepts apostrophes as quotes', async () => {
    const { cells } = await readText("'name','note'\n'a','x, y'\n'b','it''s'\n");
    expect(cells).toEqual([
      ['a', 'x, y'],
      ['b', "it's"],
    ]);
  });

  it('uses a sep= line as the delimiter, and not as a row', async () => {
    const { table, rows } = await readText('sep=;\r\nName;Note\r\nA;x,y\r\n');
    expect(table.headerRow).toBe(1);
    expect(table.headers).toEqual(['Name', 'Note']);
    expect(rows).toEqual([{ number: 2, line: 3, cells: ['A', 'x,y'] }]);
  });

  it.each(['\n', '\r\n', '\r'])('reads lines that end with %j', async (end) => {
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

  it('follows the delimiter option', async () => {
    const { cells } = await readText('a,b;c\n1,2;3\n', { delimiter: ';' });
    expect(cells).toEqual([['1,2', '3']]);
    expect((await errorOf(readText('a,b\n', { delimiter: ';;' }))).code).toBe('bad_delimiter');
  });
});

describe('detecting the encoding', () => {
  const text = 'Name;Größe\r\nCitroën;1€\r\n';
  it.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])('finds %s', async (encoding) => {
    const { table, cells } = await readText(iconv.encode(text, encoding));
    expect(table.headers).toEqual(['Name', 'Größe']);
    expect(cells).toEqual([['Citroën', '1€']]);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'])('leaves out the byte order mark of %s', async (encoding) => {
    const { table } = await readText(iconv.encode(text, encoding, { addBOM: true }));
    expect(table.headers[0]).toBe('Name');
  });

  it('reads Shift_JIS on request', async () => {
    const { cells } = await readText(iconv.encode('名前,年\n初音ミク,2007\n', 'shift_jis'), {
      encoding: 'shift-jis',
    });
    expect(cells).toEqual([['初音ミク', '2007']]);
    for (const encoding of ['klingon', 'constructor'])
      expect((await errorOf(readText('a,b\n', { encoding }))).code).toBe('bad_encoding_name');
  });

  it.each([
    ['shift_jis', '名前,年\n初音ミク,2007\n', 'Shift_JIS'],
    [
      'shift_jis',
      '商品名,メーカー,発売年\nねんどろいど 初音ミク,グッドスマイルカンパニー,2008\n',
      'Shift_JIS',
    ],
    ['euc-jp', '商品名,メーカー,発売年\nねんどろいど 初音ミク,グッドスマイルカンパニー,2008\n', 'Euc-jp'],
    ['windows-1251', 'Название;Марка\nМашинка красная;Тантал\nСамолёт;Огонёк\n', 'Windows-1251'],
    ['windows-1252', 'Nom;État\nVoiture “héritée” – ƒ 5;abîmé\nPoupée;très bon\n', 'Windows-1252'],
    ['windows-1252', 'Name;Note\n“Barbie”;it’s “new”\n', 'Windows-1252'],
    ['latin1', 'Name;Größe\nCitroën;groß\n', 'Windows-1252'],
  ])('finds %s in a few words', async (encoding, content, name) => {
    const { table, rows } = await readText(iconv.encode(content, encoding));
    expect(table.detected[1]?.params).toEqual({ text: name });
    const lines = content.trim().split('\n');
    expect(rows.map((row) => row.cells.map((cell) => cellText(cell)).join(table.delimiter))).toEqual(
      lines.slice(1),
    );
  });

  it('accepts any name that iconv-lite knows, and no other', async () => {
    const { cells } = await readText(iconv.encode('Nazwa;Stan\nŁódź;źle\n', 'win1250'), {
      encoding: 'windows-1250',
    });
    expect(cells).toEqual([['Łódź', 'źle']]);
    expect((await errorOf(readText('a,b\n', { encoding: 'base64' }))).code).toBe('bad_encoding_name');
  });

  it('does not split characters at the borders of file chunks', async () => {
    const rows = Array.from({ length: 9000 }, (_, index) => `${index},ééé€𝄞`);
    const { cells, rows: read } = await readText(`id,text\n${rows.join('\n')}`);
    expect(cells.every((row) => row[1] === 'ééé€𝄞')).toBe(true);
    expect(read.filter((row) => row.problem)).toEqual([]);
  });

  it('marks only the rows that contain invalid bytes', async () => {
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

  it('reads late accents as Windows-1252 if everything before was ASCII', async () => {
    const head = `name,x\n${'abcdefgh,12345678\n'.repeat(20_000)}`;
    const { table, rows } = await readText(
      Buffer.concat([Buffer.from(head), iconv.encode('Citroën,1\n', 'windows-1252')]),
    );
    expect(rows.at(-1)?.cells).toEqual(['Citroën', '1']);
    expect(table.notes.map(english).join()).toContain('Windows-1252');
  });
});

describe('skipping rows without data', () => {
  it('finds the header below title lines, and counts skipped rows', async () => {
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
    expect(inOneLine(table.detected)).toBe(', · UTF-8 · decimal point · header in row 4');
    expect(rows.map((row) => [row.number, row.cells[0]])).toEqual([
      [5, 'A'],
      [8, 'B'],
    ]);
    expect(table.skipped).toEqual({
      blank: 2,
      repeatedHeader: 1,
      totals: 1,
      totalsNamed: [{ code: 'labelled_row', params: { label: 'Total', row: 10 } }],
    });
  });

  it('keeps a row named Total that is not the last row', async () => {
    const { table, cells } = await readText('Name,Value\nTotal,4\nB,5\nSumme:,9\nGesamt,9\n');
    expect(cells).toEqual([
      ['Total', '4'],
      ['B', '5'],
    ]);
    expect(table.skipped.totals).toBe(2);
  });

  const TOYS = Array.from({ length: 12 }, (_, toy) => `Racer ${toy},Corgi,19${70 + toy},${toy}.50`);
  const withToys = (rows: string[]) => readText(['Name,Brand,Year,Value', ...TOYS, ...rows, ''].join('\n'));

  it('leaves out statistics below the table, and reports them', async () => {
    const { table, rows } = await withToys([
      'Statistics,,,',
      'Total value,,,72.00',
      ',,Average,6.00',
      'Items: 12,,,',
      'Oldest,1970,,',
    ]);
    expect(rows).toHaveLength(TOYS.length);
    expect(namedTotals(table)).toEqual([
      '"Statistics" (row 14)',
      '"Total value" (row 15)',
      '"Average" (row 16)',
      '"Items: 12" (row 17)',
      '"Oldest" (row 18)',
    ]);
  });

  it('leaves out a total without a label only if its numbers are the sums of the rows above', async () => {
    const { table, rows } = await withToys([',,,72.00']);
    expect(rows).toHaveLength(TOYS.length);
    expect(namedTotals(table)).toEqual(['"72.00" (row 14)']);
    const other = await withToys([',,,71.00', ',,1970,72.00', 'Racer,,,72.00']);
    expect(other.rows).toHaveLength(TOYS.length + 3);
    expect(other.table.skipped.totals).toBe(0);
  });

  it('leaves out totals without a label only at the end, and only if they are certainly sums', async () => {
    const rows = (price: number) => Array.from({ length: 4 }, (_, toy) => `Joe ${toy},GI Joe,1984,${price}`);
    const left = async (lines: string[]) => {
      const { table, rows: kept } = await readText(['Name,Brand,Year,Value', ...lines, ''].join('\n'));
      expect(kept.length + table.skipped.totals).toBe(lines.length - table.skipped.blank);
      expect(kept.map(({ number }) => number)).toEqual(
        kept.map(({ number }) => number).sort((a, b) => a - b),
      );
      return table.skipped.totals === 0 ? undefined : namedTotals(table).join(', ');
    };
    expect(await left([...rows(5), ',,,20', ',,,', ',,7936,20.00', ',,,'])).toBe(
      '"20" (row 6), "7936" (row 8)',
    );
    // Means, years, counts, sums of few amounts, and a sum beside a year.
    for (const last of [',,1984,5', ',,,5', ',,,4', ',,4,20', ',,7936,', ',,1984,20', ',,,0'])
      expect(await left([...rows(5), last])).toBeUndefined();
    expect(await left([...rows(1), ',,,4'])).toBeUndefined();
    expect(await left([...rows(0), 'Jeep,GI Joe,1984,15', ',,,15'])).toBeUndefined();
    expect(await left([...rows(5).slice(0, 2), ',,,10'])).toBeUndefined();
    // Sums, but in the middle.
    expect(await left([...rows(5), ',,,20', 'Jeep,GI Joe,1984,9'])).toBeUndefined();
    expect(await left([...rows(5), ',,,20', '-----,,,'])).toBe('"-----" (row 7)');
    expect(await left([...rows(5), ',,,20', 'Total,,,20'])).toBe('"Total" (row 7)');
    expect(await left([...rows(5), ',,,20', ',,,20', ',,,80', ',,,20'])).toBeUndefined();
    expect(await left([...rows(5), 'Total,,,20', ',,,20'])).toBe('"Total" (row 6), "20" (row 7)');
    expect(await left([...rows(5), 'Total,,,20', ',,,20', 'Jeep,GI Joe,1984,9'])).toBe('"Total" (row 6)');
  });

  it('reports rows among statistics that may be items', async () => {
    const { table, rows } = await withToys(['Max,1970,,', 'Total,,,72.00', 'Brands,5,,']);
    expect(table.skipped.totals).toBe(1);
    expect(rows.filter(({ problem }) => problem !== undefined)).toMatchObject([
      { number: 14, cells: ['Max', '1970', '', ''], problem: { code: 'summary_row' } },
      { number: 16, cells: ['Brands', '5', '', ''], problem: { code: 'summary_row' } },
    ]);
  });

  it.each<[string, string[], string]>([
    [
      'after each group, and at the end',
      ['A,Foo,,10', 'B,Foo,,20', 'Subtotal,,,30', 'C,Bar,,5', 'Total,,,5', 'D,Bar,,6', 'Grand total,,,41'],
      'Subtotal Total Grand total',
    ],
    [
      'with the name of the group',
      ['A,Foo,,"10,50"', 'B,Foo,,"1.020,00 €"', 'Summe Foo,,,"1.030,50 €"', 'C,Bar,,5', ',Bar Total,,5'],
      'Summe Foo Bar Total',
    ],
    [
      'with a count and a mean',
      ['A,Foo,1990,10', 'B,Foo,1991,20', 'Total,2,,30', 'Average,,,15', 'C,Bar,1990,5'],
      'Total Average',
    ],
  ])('leaves out totals between the items if the sum is right: %s', async (_, lines, totals) => {
    const { rows, table } = await readText(['Name,Brand,Year,Value', ...lines, ''].join('\n'));
    expect(JSON.stringify(rows.map(({ cells }) => cells[0]))).toMatch(/^\["A","B","C"(,"D")?\]$/u);
    expect(rows.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(
      namedTotals(table)
        .join(' ')
        .replaceAll(/"|,| \(row \d+\)/gu, ''),
    ).toBe(totals);
  });

  it.each([
    ['Subtotal,,,31', 'Subtotal: 31'],
    ['Summe Foo,,,31', 'Summe Foo: 31'],
    ['Total,,,0', 'Total: 0'],
  ])('reports %s between the items if the sum is wrong', async (line, what) => {
    const { rows, table } = await readText(
      ['Name,Brand,Year,Value', 'A,Foo,1990,10', 'B,Foo,1991,20', line, 'C,Bar,1990,5', ''].join('\n'),
    );
    expect(rows).toHaveLength(4);
    expect(table.skipped.totals).toBe(0);
    expect(rows[2]?.problem?.message).toContain(`"${what}" looks like a total or a statistic`);
  });

  it.each([
    ['a sparse item before a total', ['Blue Racer,,1985,', 'Total,,,72.00'], 13],
    ['names of statistics without a total', ['Max,,1970,', 'Oldest,,1970,'], 14],
    ['only a heading', ['Statistics,,,'], 13],
    ['a total with a year', ['Total,,1990,12.00', 'Racer 13,Corgi,1990,1.00'], 14],
    ['a total with text', ['Total,General Mills,,12.00', 'Racer 13,Corgi,1990,1.00'], 14],
    ['a name with a number', ['Sum 41,,,72.00', 'Racer 13,Corgi,1990,1.00'], 14],
    ['a name with the beginning of a total', ['Total Recall,,1990,', 'Average Joe,,1991,'], 14],
    [
      'names with the beginning of a count',
      ['No Face,,,30', 'Number Five,,,40', 'Count Duckula,,,5', 'No key,,,6'],
      16,
    ],
    [
      'statistics that do not count the table',
      ['Racer,Corgi,1990,1.00', 'Number of cars,,,12', 'No. items,,,12'],
      13,
    ],
  ])('keeps %s', async (_, last, expected) => {
    const { rows, table } = await withToys(last);
    expect(rows).toHaveLength(expected);
    expect(rows.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(table.skipped.totals).toBe(TOYS.length + last.length - expected);
  });

  const BOXES = Array.from({ length: 6 }, (_, box) => `Racer ${box},Corgi,19${70 + box},${box}.50,good`);
  const withBoxes = (rows: string[]) =>
    readText(['Name,Brand,Year,Value,State', ...BOXES, ...rows, ...BOXES, ''].join('\n'));

  it.each(['*** LOFT B BOXES ***', '--- Trains ---', '=== 1990s ===', '-----', '•• Attic ••:'])(
    'leaves out the section row %s, and reports it',
    async (line) => {
      const { table, rows } = await withBoxes([`${line},,,,`]);
      expect(rows).toHaveLength(2 * BOXES.length);
      expect(namedTotals(table)).toEqual([`"${line}" (row 8)`]);
    },
  );

  it('reports a row with only words in capitals, which may be a heading or an item', async () => {
    const { rows } = await withBoxes(['LOFT B BOXES,,,,']);
    expect(rows.filter(({ problem }) => problem !== undefined)).toMatchObject([
      {
        number: 8,
        problem: {
          code: 'summary_row',
          message: expect.stringContaining('the heading of the rows below it'),
        },
      },
    ]);
    const loud = await withBoxes(['LOFT B BOXES,,,,', 'STAR RACER,Corgi,1990,1,good']);
    expect(loud.rows.every(({ problem }) => problem === undefined)).toBe(true);
    const long = await withBoxes(['LOFT B BOXES,,,,', `Racer,${'E'.repeat(300_000)},1990,1,good`]);
    expect(long.rows.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
  });

  it.each(['Loft B boxes,,,,', 'R2-D2,,,,', '*star* Racer,,,,', '*** Boss ***,Corgi,1970,,', '--Racer,,,,'])(
    'keeps the row %s',
    async (line) => {
      const { rows } = await withBoxes([line]);
      expect(rows).toHaveLength(2 * BOXES.length + 1);
      expect(rows.every(({ problem }) => problem === undefined)).toBe(true);
    },
  );

  it('follows the header row option', async () => {
    const { table, cells } = await readText('a,b\nc,d\n1,2\n', { headerRow: 2 });
    expect(table.headers).toEqual(['c', 'd']);
    expect(cells).toEqual([['1', '2']]);
    expect((await errorOf(readText('a,b\n1,2\n', { headerRow: 9 }))).code).toBe('no_header');
  });

  it('reads a table with one column', async () => {
    const { table, cells } = await readText('Name\nCorvette\n\nMustang\n');
    expect(table.headers).toEqual(['Name']);
    expect(cells).toEqual([['Corvette'], ['Mustang']]);
    expect(table.skipped.blank).toBe(1);
  });
});

describe('the summary of the detected format', () => {
  it.each([
    ['; · Windows-1252 · decimal comma · header in row 4', 'Titel\n\n\nName;Größe;Wert\nBär;1;12,50\n'],
    [', · UTF-8 · decimal point · header in row 1', 'Name,Value\nBear,"$1,234.50"\nTank,0.5\n'],
    ['; · UTF-8 · header in row 1', 'Name;Value\nBear;1,234\nTank;5\n'],
    ['; · UTF-8 · decimal comma and point · header in row 1', 'Name;Value\nBear;1,5\nTank;2.5\n'],
    ['tab · UTF-8 · decimal comma · header in row 1', 'Name\tValue\nBear\t€ 1.234,567\nTank\t24.12.2001\n'],
    [
      ', · UTF-8 · header in rows 1 and 2',
      'Name,Brand,Money,\n,,Paid,Value\nBear,Steiff,12,3\nTank,Acme,1,2\n',
    ],
  ])('%s', async (detected, text) => {
    const content = detected.includes('1252') ? iconv.encode(text, 'windows-1252') : text;
    expect(inOneLine((await readText(content)).table.detected)).toBe(detected);
  });

  it('shows given options instead of a guess', async () => {
    const { table } = await readText('Name;Value\nBear;1.5\n', {
      decimal: 'comma',
      encoding: 'latin1',
      headerRow: 1,
    });
    expect(inOneLine(table.detected)).toBe('; · Windows-1252 · decimal comma · header in row 1');
  });
});

describe('reading headers in several rows', () => {
  it('joins the names below groups, and leaves out both rows if they are repeated', async () => {
    const header = 'Name,Brand,Money,,Size,\n,,Paid,Value,Paid,Height\n';
    const { table, rows } = await readText(
      `Toys\n${header}Bear,Steiff,12,3,4,5\n${header}Tank,Acme,1,2,3,4\n`,
    );
    expect(table.headers).toEqual(['Name', 'Brand', 'Money Paid', 'Value', 'Size Paid', 'Height']);
    expect(table.headerRow).toBe(3);
    expect(rows.map((row) => [row.number, row.cells[0]])).toEqual([
      [4, 'Bear'],
      [7, 'Tank'],
    ]);
    expect(table.skipped.repeatedHeader).toBe(2);
  });

  it('uses the names below groups that are printed above each column', async () => {
    const { table } = await readText('Item,Item,Money,Money\nName,Brand,Paid,Value\nBear,Steiff,12,3\n');
    expect(table.headers).toEqual(['Name', 'Brand', 'Paid', 'Value']);
  });

  it.each([
    ['a first row with a name', 'Name,Brand,Notes,\nBear,Acme,nice,extra\nTank,Acme,x,y\n'],
    ['a first row of numbers', 'Name,Brand,Notes,\n,,5,6\nTank,Acme,x,y\n'],
    ['a row further down', 'Name,Brand,Notes,\n\n,,a,b\nTank,Acme,x,y\n'],
  ])('does not join %s', async (_, text) => {
    expect((await readText(text)).table.headerRow).toBe(1);
  });
});

describe('an unclosed quote', () => {
  const codes = (rows: { problem?: { code: string } }[]) => rows.map((row) => row.problem?.code);

  it('spoils only its own row; the lines that it swallowed are read', async () => {
    const { rows } = await readText(
      'id,name,year\n1,"Barbie,1999\n2,Ken,2000\n3,"Skipper",2001\n4,Stacie,2002\n',
    );
    expect(codes(rows)).toEqual(['unclosed_quote', undefined, undefined, undefined]);
    expect(rows[0]?.cells).toEqual(['1', '"Barbie', '1999']);
    expect(rows[0]?.problem?.message).toMatch(/line 2 \(byte 13\)/);
    expect(rows.slice(1).map(({ number, line, cells }) => [number, line, cells[1]])).toEqual([
      [3, 3, 'Ken'],
      [4, 4, 'Skipper'],
      [5, 5, 'Stacie'],
    ]);
  });

  it('is found even if another quote closes it by chance', async () => {
    const { rows } = await readText('id,name,year\n1,"Barbie,1999\n2,Ken,20"\n3,Skipper,2001\n');
    expect(codes(rows)).toEqual(['unclosed_quote', undefined, undefined]);
    expect(rows.map((row) => row.cells[0])).toEqual(['1', '2', '3']);
  });

  it('is recognised even if a cell with several lines follows', async () => {
    const { rows } = await readText(
      'id,name,year\n1,"Barbie,1999\n2,Ken,2000\n3,"Skip\nper",2001\n4,"Stacie, ""small""",2002\n',
    );
    expect(codes(rows)).toEqual(['unclosed_quote', undefined, undefined, undefined]);
    expect(rows.map((row) => row.cells[1])).toEqual(['"Barbie', 'Ken', 'Skip\nper', 'Stacie, "small"']);
    expect(rows.map((row) => row.line)).toEqual([2, 3, 4, 6]);
  });

  it('is found even if the file has several', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, at) => `${at},${at % 7 === 3 ? '"' : ''}Toy ${at},${1980 + (at % 30)}`,
    );
    const { rows } = await readText(`id,name,year\n${lines.join('\n')}\n`);
    expect(rows.map((row) => row.cells[0])).toEqual(lines.map((_, at) => String(at)));
    expect(rows.map((row) => row.line)).toEqual(lines.map((_, at) => at + 2));
    expect(codes(rows).filter((code) => code === 'unclosed_quote')).toHaveLength(43);
  });

  it('is found when the file ends', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `${index},x`);
    const { rows } = await readText(`a,b\n1,2\n3,"open\n${lines.join('\n')}`);
    expect(rows).toHaveLength(52);
    expect(codes(rows).filter((code) => code !== undefined)).toEqual(['unclosed_quote']);
    expect(rows[1]).toMatchObject({ number: 3, line: 3, cells: ['3', '"open'] });
    expect(rows.at(-1)).toMatchObject({ number: 53, line: 53, cells: ['49', 'x'] });
  });

  it('is found even if more than one chunk of the file follows', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index},some words é`);
    const { rows } = await readText(`a,b\n1,2\n3,"open\n${lines.join('\n')}\n`);
    expect(rows).toHaveLength(20_002);
    expect(codes(rows).filter((code) => code !== undefined)).toEqual(['unclosed_quote']);
    expect(rows.at(-1)).toMatchObject({ number: 20_003, line: 20_003 });
  });

  it('makes one bad row if it is in the last row', async () => {
    const { rows } = await readText('id,name,note\n1,Ken,x\n2,Bär,"cut off in the\nmiddle of a note');
    expect(codes(rows)).toEqual([undefined, 'unclosed_quote']);
    expect(rows[1]?.problem?.message).toMatch(/line 3 \(byte 21\) and never closed/);
  });

  it('does not affect valid cells, however many lines they have', async () => {
    const note = Array.from({ length: 40 }, (_, at) => `line ${at}, with a comma, and ""quotes""`).join(
      '\r\n',
    );
    const { rows } = await readText(`id,name,note\r\n1,Ken,"${note}"\r\n2,Bear\r\n3,"a\nb"\r\n4,x,y\r\n`);
    expect(codes(rows)).toEqual([undefined, undefined, undefined, undefined]);
    expect(rows.map((row) => row.line)).toEqual([2, 42, 43, 45]);
  });

  it('is reported with line and byte if the rest is not a table', async () => {
    const prose = 'words without any delimiter\n'.repeat(4000);
    const error = await errorOf(readText(`a,b\n1,2\n3,"open\n${prose}`));
    expect(error).toMatchObject({ code: 'unclosed_quote', position: { line: 3, row: 3 } });
    expect(error.message).toContain('line 3 (byte 8)');
  });

  it.each(['windows-1252', 'utf-16le', 'shift_jis'])(
    'is located by bytes of the file in %s',
    async (encoding) => {
      const text = 'id,name,year\n1,ミé,1999\n2,"Ken,2000\n3,Bear,2001\n';
      const legible = encoding === 'windows-1252' ? text.replace('ミ', 'ö') : text.replace('é', 'ク');
      const { rows } = await readText(iconv.encode(legible, encoding), { encoding });
      const at = iconv.encode(legible.slice(0, legible.indexOf('2,"Ken')), encoding).length;
      expect(rows[1]?.problem?.message).toContain(`line 3 (byte ${at})`);
    },
  );

  it('ends the reading at a record above the maximum size', async () => {
    const error = await errorOf(readText(`a,b\n1,2\n3,"open\n${'x y\n'.repeat(2_500_000)}`));
    expect(error).toMatchObject({ code: 'limit_record_size', position: { line: 3 } });
  });

  it('cannot make reading slow, because the amount that is read again is limited', async () => {
    // Each second line is swallowed: 30,000 times a parser would be made.
    const { rows } = await readText(`a,b,c\n1,2,3\n${'x,y,"a""\n'.repeat(60_000)}`);
    expect(new Set(codes(rows))).toEqual(new Set([undefined, 'unclosed_quote']));
    expect(rows.length).toBeGreaterThan(30_000);
    expect(rows.length).toBeLessThan(60_001);
  });
});

describe('a damaged file', () => {
  it('with the markers of a merge conflict is reported, and neither version is used', async () => {
    const { rows } = await readText(
      'name,year\nA,1\n<<<<<<< HEAD\nB,2\n=======\nB,3\n>>>>>>> other, branch\nC,4\n=======\nD,5\n',
    );
    expect(rows.map((row) => [row.line, row.problem?.code])).toEqual([
      [2, undefined],
      [3, 'merge_conflict'],
      [4, 'merge_conflict'],
      [5, 'merge_conflict'],
      [6, 'merge_conflict'],
      [7, 'merge_conflict'],
      [8, undefined],
      [9, 'merge_conflict'],
      [10, undefined],
    ]);
    expect(rows[2]?.problem?.message).toContain('begins on line 3');
  });

  it('with a conflict marker that is never closed is read normally', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `${at},x`);
    const { rows } = await readText(`name,year\n<<<<<<< HEAD\n${lines.join('\n')}\n`);
    expect(rows.filter((row) => row.problem)).toHaveLength(1001);
  });

  it('is read except for bytes that are not text', async () => {
    const garbage = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x81, 0x07, 0xc3, 0x28]);
    const { rows } = await readText(
      Buffer.concat([
        Buffer.from('name,year\né,1\nè,2\nü,3\nö,4\nß,5\nbad'),
        garbage,
        Buffer.from(',6\nA,7\n'),
      ]),
    );
    expect(rows.map((row) => row.problem?.code)).toEqual([
      ...Array.from({ length: 5 }),
      'bad_encoding',
      undefined,
    ]);
  });

  it('is read with trailing delimiters, ragged rows and lone CR', async () => {
    const { table, rows } = await readText('name;year;;\rA;1;;\rB\rC;3;;;;\r');
    expect(table.headers).toEqual(['name', 'year', '', '']);
    expect(table.notes.map(english)).toEqual([]);
    expect(rows.map((row) => [row.cells.slice(0, 2), row.problem])).toEqual([
      [['A', '1'], undefined],
      [['B', ''], undefined],
      [['C', '3'], undefined],
    ]);
  });
});

describe('reading unusual rows', () => {
  it('numbers rows as a spreadsheet does, and lines as in the file', async () => {
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

  it('keeps cells unchanged, and trims headers', async () => {
    const { table, cells } = await readText('\uFEFF a\u00a0, b ,c\n  x ,007,\u00a01\u00a0\n');
    expect(table.headers).toEqual(['a', 'b', 'c']);
    expect(cells).toEqual([['  x ', '007', '\u00a01\u00a0']]);
  });

  it('keeps duplicate and blank headers, with a note', async () => {
    const { table } = await readText('Name,Name,,Year\nA,B,C,1999\n');
    expect(table.headers).toEqual(['Name', 'Name', '', 'Year']);
    expect(table.notes.map(english)).toEqual([
      'column C has data but no header',
      'header "Name" is in columns A, B',
    ]);
  });

  it('keeps stray quotes and zero bytes as text', async () => {
    const { cells } = await readText('name,size,note\nTank,12",a\nCar,"6" long",b\nBus,\0,c\n');
    expect(cells).toEqual([
      ['Tank', '12"', 'a'],
      ['Car', '6" long', 'b'],
      ['Bus', '\0', 'c'],
    ]);
  });

  it('stops when it is aborted', async () => {
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

describe('non-standard quotes', () => {
  it.each([
    ['a space after the closing quote', '"Falcon" ,x', 'Falcon'],
    ['a space before the opening quote', ' "Falcon",x', 'Falcon'],
    ['quotes inside that are not doubled', '""A" Cell",x', '"A" Cell'],
    ['quotes inside after a backslash', '"a \\"b\\"",x', 'a "b"'],
    ['text after the closing quote', '"Fal"con,x', '"Fal"con'],
  ])('are read, with a note: %s', async (_, line, name) => {
    const { table, cells } = await readText(`Name,Maker\nRobot,y\n${line}\n`);
    expect(cells.map(([first]) => first)).toEqual(['Robot', name]);
    expect(table.notes.map(english).join('\n')).toContain(
      '1 row has quotes that do not follow the rules of CSV (the first in line 3)',
    );
  });

  it('are kept if they are part of the text', async () => {
    const { table, cells } = await readText('Name,Maker\n"  ""Lead""",x\n6" disc,y\nan "old" car,z\n');
    expect(cells.map(([first]) => first)).toEqual(['  "Lead"', '6" disc', 'an "old" car']);
    expect(table.notes.map(english)).toEqual([]);
  });

  it('are kept next to a cell with the same text in its own quotes', async () => {
    const { cells } = await readText('Name,Maker\n "Lead"," ""Lead"""\n');
    expect(cells).toEqual([['Lead', ' "Lead"']]);
  });
});

describe('quoted cells after a space', () => {
  it('are not split at a delimiter within them if the row would have too many cells', async () => {
    const text =
      'Name, About, Genre\nFalcon, "Fast, \'old\' ship", Space\nTie, "Small", Space\nJet, "Fast", Air\nX, "a, b, Space\n';
    const { table, cells } = await readText(text);
    expect(table.headers).toEqual(['Name', 'About', 'Genre']);
    expect(cells.map((row) => row.map((cell) => (typeof cell === 'string' ? cell.trim() : cell)))).toEqual([
      ['Falcon', "Fast, 'old' ship", 'Space'],
      ['Tie', 'Small', 'Space'],
      ['Jet', 'Fast', 'Air'],
      ['X', '"a', 'b'],
    ]);
  });
});

describe('encodings from before UTF-8', () => {
  it.each([
    ['windows-1250', 'Škoda červená, žlutá Tatra', 'Windows-1250'],
    ['windows-1250', 'Żółty samochód, wóz strażacki', 'Windows-1250'],
    ['iso-8859-2', 'Żółty samochód, łódka śliczna', 'Iso-8859-2'],
    ['windows-1251', 'Красная машина', 'Windows-1251'],
    ['koi8-r', 'Красная машина', 'Koi8-r'],
    ['windows-1253', 'Κόκκινο αυτοκίνητο', 'Windows-1253'],
    ['windows-1254', 'Kırmızı araba, yeşil tren', 'Windows-1254'],
    ['macintosh', 'Schönberger Straße', 'Macintosh'],
    ['windows-1252', 'Schönberger Straße', 'Windows-1252'],
    ['windows-1252', 'Pokémon 12½ “Café”', 'Windows-1252'],
    ['windows-1252', 'Señor niño, coleção', 'Windows-1252'],
    ['windows-1252', 'Østergård Blåbær', 'Windows-1252'],
    ['windows-1252', 'El Niño', 'Windows-1252'],
    ['windows-1252', 'Müller Straße, Ñandú, Élan, Crème brûlée', 'Windows-1252'],
    ['windows-1252', 'Assassin’s Creed', 'Windows-1252'],
    ['windows-1252', 'Wait…', 'Windows-1252'],
    ['windows-1252', 'Star\u00a0Wars', 'Windows-1252'],
    ['windows-1252', 'GI\u00a0Joe, He\u00a0Man, the\u00a0toy, My\u00a0little\u00a0pony', 'Windows-1252'],
    ['windows-1252', 'Peter’s, John’s, Mary’s, O’Brien, Rock ’n’ Roll, 1970’s, the end…', 'Windows-1252'],
    ['windows-1252', 'L’étoile, l’Île', 'Windows-1252'],
    ['windows-1252', 'the concept of monopoly—the domination', 'Windows-1252'],
    ['macintosh', 'Assassin’s Creed, Hero’s Journey, “Wait…”', 'Macintosh'],
    ['cp850', 'Märklin Straßenbahn, rot-weiß, Gehäuse für Züge', 'Cp850'],
  ])('%s is detected from the letters of its language: %s', async (encoding, name, shown) => {
    const { table, cells } = await readText(iconv.encode(`Name;Maker\n${name};x\n`, encoding));
    expect(cells[0]?.[0]).toBe(name);
    expect(inOneLine(table.detected)).toContain(shown);
    expect(table.doubts.map(english)).toEqual([]);
  });

  it.each(['ASSASSIN’S CREED', 'Gödel, Escher', 'Wait… What'])(
    '%s with Macintosh line ends is read in the Macintosh encoding',
    async (name) => {
      const { table, cells } = await readText(iconv.encode(`Name;Maker\r${name};x\r`, 'macintosh'));
      expect(cells[0]?.[0]).toBe(name);
      expect(inOneLine(table.detected)).toContain('Macintosh');
      expect(table.doubts.map(english)).toEqual([]);
    },
  );

  it('are doubtful if two encodings give different text, and neither is clearly better', async () => {
    const { table, cells } = await readText(iconv.encode('Name;Maker\nBarış;x\n', 'windows-1254'));
    expect(cells[0]?.[0]).toBe('Barış');
    expect(table.doubts).toMatchObject([
      { params: { encoding: 'Windows-1254', other: 'Windows-1252' }, actions: [{ value: 'windows-1252' }] },
    ]);
    const asked = await readText(iconv.encode('Name;Maker\nBarış;x\n', 'windows-1254'), {
      encoding: 'windows-1254',
    });
    expect(asked.table.doubts.map(english)).toEqual([]);
  });
});

describe('UTF-8 with invalid bytes', () => {
  const good = Buffer.from('Schönberger,1\nMüller,2\nRené,3\n');
  const bad = Buffer.from([...Buffer.from('Sch'), 0xf6, ...Buffer.from('n,4\n')]);

  it('stays UTF-8, and rows with invalid bytes are problems', async () => {
    const { table, rows } = await readText(Buffer.concat([Buffer.from('Name,No\n'), good, bad]));
    expect(inOneLine(table.detected)).toContain('UTF-8');
    expect(rows.map(({ cells: [name] }) => name).slice(0, 3)).toEqual(['Schönberger', 'Müller', 'René']);
    expect(rows.map(({ problem }) => problem?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      'bad_encoding',
    ]);
    expect(table.doubts.map(english)).toEqual([]);
  });

  it('is doubtful if the evidence for it and against it is equal', async () => {
    const { table } = await readText(Buffer.concat([Buffer.from('Name,No\n'), good, bad, bad, bad]));
    expect(table.doubts.map(english)).toEqual([expect.stringContaining('may be UTF-8 or ')]);
  });
});

/** The totals that were left out, as a note names them. */
function namedTotals({ skipped }: SheetTable): string[] {
  return (skipped.totalsNamed ?? []).map(english);
}
