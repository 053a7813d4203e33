/** An import without a template: what headers leave open is told by values, asked about once, and remembered. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { openImport } from '../support/open-import.ts';

const STRANGE =
  'Was;Zst;Sammlerwert;Regal\nFalcon;MOC;1.234,00;A1\nX-Wing;loose mint;20,00;A2\nScout;damaged;3,50;A2\n';

test('if nobody can be asked, nothing is sent, and the error gives the options to add', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', STRANGE);
  await expect(it.import({ file, collection: 'Main' })).rejects.toMatchObject({
    code: 'unsure_mapping',
    exitCode: 2,
    message: expect.stringContaining('"Was" → name (3 different texts in 3 cells)'),
    actions: expect.arrayContaining([
      expect.objectContaining({
        also: { map: ['name=Was', 'condition=Zst', 'estimated_value=Sammlerwert'] },
      }),
    ]),
  });
  expect(it.names()).toEqual([]);
  expect(await it.ledger.jobs.list()).toEqual([]);
});

test.each([
  'Name,Brand\nyes,Foo\nno,Bar\n',
  'name,Brand\nx,Foo\n,Bar\nx,Baz\n',
  'Title,Brand\nTRUE,Foo\nFALSE,Bar\n',
])('shelflift asks before it uses a column of yes/no answers as the name: %j', async (content) => {
  await using it = await openImport();
  const file = await it.file('toys.csv', content);
  await expect(it.import({ file, collection: 'Main' })).rejects.toMatchObject({
    code: 'unsure_mapping',
    message: expect.stringMatching(/→ name .*filled cells are yes or no/),
  });
});

test('one confirmation is enough for all files with the same headers, in any order, as a note says', async () => {
  await using it = await openImport();
  const questions: string[] = [];
  const confirm = (answer: boolean) => async (question: string) => {
    questions.push(question);
    return answer;
  };
  const file = await it.file('toys.csv', STRANGE);
  await expect(it.import({ file, collection: 'Main' }, { confirm: confirm(false) })).rejects.toMatchObject({
    code: 'unsure_mapping',
  });
  const first = await it.import({ file, collection: 'Main' }, { confirm: confirm(true) });
  expect(first.summary.rows.created).toBe(3);
  expect(questions).toHaveLength(2);
  expect(it.items().find((item) => item.name === 'Falcon')).toMatchObject({
    condition: 'mint_on_card',
    estimated_value: 1234,
  });

  const notes: string[] = [];
  const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
  // The same file again is the same import, whether its columns were asked about or remembered.
  const again = await it.import({ file, collection: 'Main' }, { onEvent });
  expect(again.summary.state).toBe('already_applied');
  const other = await it.file('more.csv', 'REGAL,Sammlerwert,Zst.,was\nB1,1.50,MOC,Tie\n');
  const second = await it.import({ file: other, collection: 'Main' }, { onEvent });
  expect(second.summary.rows.created).toBe(1);
  expect(it.items().find((item) => item.name === 'Tie')).toMatchObject({ estimated_value: 1.5 });
  // Rejects and results have columns of ours beside the same headers.
  const rejects = await it.file(
    'toys.rejects.csv',
    `${STRANGE.split('\n')[0]};_row;_state\nCar;MOC;2,00;B2;7;invalid\n`,
  );
  expect((await it.import({ file: rejects, collection: 'Main' })).summary.rows.created).toBe(1);
  expect(
    notes.filter((note) =>
      /Columns as confirmed on \d{4}-\d\d-\d\d .*Was → name; Zst → condition/.test(note),
    ),
  ).toHaveLength(2);
});

test('a dry run shows the mapping and asks nothing; apply then uses exactly that mapping', async () => {
  await using it = await openImport();
  const events: ImportEvent[] = [];
  const file = await it.file('toys.csv', STRANGE);
  const plan = await it.import(
    { file, collection: 'Main', dryRun: true },
    { onEvent: (event) => void events.push(event) },
  );
  expect(plan.summary).toMatchObject({ state: 'planned', plan: { create: 3 } });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'note',
      message: expect.stringMatching(/^3 columns may be mapped wrongly:\n {2}"Was" → name /),
    }),
  );
  const opened = events.find((event) => event.type === 'opened');
  expect(opened?.columns[0]).toMatchObject({ header: 'Was', target: 'name', reason: 'by its values' });
  expect((await it.apply(plan.summary.job)).summary.rows.created).toBe(3);
  // Nobody was asked, so nothing is remembered.
  await expect(
    it.import({ file: await it.file('b.csv', STRANGE.replace('Tie', 'Bus')), collection: 'Main' }),
  ).rejects.toMatchObject({ code: 'unsure_mapping' });
});

test('known headers need no confirmation, whatever the other columns', async () => {
  await using it = await openImport();
  const file = await it.file(
    'toys.csv',
    'name,status,estimated_value,Shelf,Notes,Bought,Serial\nFalcon,keep,12.50,A1,with box,1999,000123\nTie,sell,3,A2,,2001,000124\n',
  );
  const { summary } = await it.import({ file, collection: 'Main' });
  expect(summary.rows.created).toBe(2);
});

test('--map maps a column, and shelflift still asks about the others', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', STRANGE);
  const map = { name: 'Was', 'custom_fields.grade': 'Zst' };
  await expect(it.import({ file, map, collection: 'Main' })).rejects.toMatchObject({
    message: expect.stringMatching(/1 column may be mapped wrongly:\n {2}"Sammlerwert"/),
  });
  const all = { ...map, estimated_value: 'Sammlerwert' };
  const { summary } = await it.import({ file, map: all, collection: 'Main' });
  expect(summary.rows.created).toBe(3);
});

test('the template of another program’s export is used, and a note names it', async () => {
  await using it = await openImport();
  const notes: string[] = [];
  const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
  const file = resolve(import.meta.dirname, '../../samples/exports/boardgamegeek.csv');
  const hint = 'The columns match the template boardgamegeek, so it is used.';
  const run = { file, collection: 'Main', dryRun: true, outDir: it.folder };
  await it.import(run, { onEvent });
  expect(notes).toContain(hint);
  notes.length = 0;
  await it.import({ ...run, template: 'boardgamegeek' }, { onEvent });
  expect(notes).not.toContain(hint);
});

test.each<[string, string, Partial<ImportRequest>]>([
  ['a year above years, read cautiously', 'Robot,Acme,1985\nRocket,Acme,1990\n', { strict: true }],
  ['years that count up, as above prices', 'Robot,1985,1986\nRocket,1990,1991\nBear,1999,1998\n', {}],
  ['a repeated maker', 'Robot,Acme\nRocket,acme\nBear,Steiff\n', {}],
  ['a grade above grades', 'Robot;loose mint\nRocket;damaged\nBear;MOC\n', {}],
  ['a code above codes, next to blank cells', 'Robot,,HKK12\nRocket,Ideal,HKK13\nBear,,GRX07\n', {}],
])(
  'a first row of data is never used as the header, even if a person confirms it: %s',
  async (_, text, more) => {
    await using it = await openImport();
    const file = await it.file('toys.csv', text);
    const request = { file, ...more };
    await expect(it.import({ ...request, run: { yes: true } })).rejects.toMatchObject({
      code: 'header_is_data',
      exitCode: 2,
      remedy: expect.stringContaining('header-row=1'),
    });
    await expect(it.import({ ...request, dryRun: true })).rejects.toMatchObject({ code: 'header_is_data' });
    expect(await it.ledger.jobs.list()).toEqual([]);
    // A person who says that these are the names is believed.
    const { summary } = await it.import({ ...request, headerRow: 1, dryRun: true });
    expect(summary.rows.read).toBe(text.split('\n').length - 2);
  },
);

test('the first row of numbers above numbers is an item; its columns are named by letter', async () => {
  await using it = await openImport();
  const robots = await it.file('robots.csv', '1;Acme;Robot;1985\n2;Acme;Rocket;1990\n3;Acme;Bear;1999\n');
  expect((await it.import({ file: robots })).summary.rows.created).toBe(3);
  expect(it.items().find((item) => item.name === 'Robot')).toMatchObject({
    custom_fields: { A: '1', B: 'Acme', D: '1985' },
  });
  // Letters are the same in every file: what was agreed to for one says nothing about the next.
  const two = await it.file('two.csv', 'Falcon,Acme,7,2\nTie,Kenner,8,3\n');
  await expect(it.import({ file: two })).rejects.toMatchObject({ code: 'unsure_mapping' });
  expect((await it.import({ file: two, run: { yes: true } })).summary.rows.created).toBe(2);
  const three = await it.file('three.csv', '5,Acme,Bus,8\n6,Acme,Tram,3\n7,Acme,Car,9\n');
  await it.import({ file: three });
  expect(it.names()).toContain('Tram');
});

test('a person is asked whether the first row is data if a word above the same words is the only sign of it', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', 'Robot;loose mint\nRocket;damaged\nBear;MOC\n');
  const asked: string[] = [];
  const confirm = async (question: string) => asked.push(question) > 0;
  expect((await it.import({ file }, { confirm })).summary.rows.created).toBe(3);
  expect(asked[0]).toMatch(/may have no column names: .*Read the first row as data\?/);
  expect(it.names()).toContain('Robot');
});

test('a file without column names keeps its first row if columns are named by letter', async () => {
  await using it = await openImport();
  const text = 'Robot,Acme,1985\nRocket,Acme,1990\n';
  const file = await it.file('toys.csv', text);
  const events: ImportEvent[] = [];
  const map = { name: 'A', brand: 'B', release_year: 'C' };
  const { summary } = await it.import({ file, map }, { onEvent: (event) => void events.push(event) });
  expect(summary.rows.created).toBe(2);
  expect(it.items().find((item) => item.name === 'Robot')).toMatchObject({
    brand: 'Acme',
    release_year: 1985,
  });
  expect(events).toContainEqual(expect.objectContaining({ said: { code: 'first_row_is_data', params: {} } }));
  const template = await it.file('t.yaml', 'name: t\ncolumns:\n  name: { column: A }\n');
  const other = await it.file('more.csv', 'Boat,7\nBus,8\nTram,9\n');
  expect((await it.import({ file: other, template })).summary.rows.created).toBe(3);
  const flag = await it.file('flag.csv', 'Crane\nDigger\n');
  expect((await it.import({ file: flag, map: { name: 'A' }, headerRow: 0 })).summary.rows.created).toBe(2);
});

test('misleading headers are not used: numbers, sets and addresses are not names', async () => {
  await using it = await openImport();
  const cars = await it.file('cars.csv', 'Toy #,Model Name,Series\nHKK12,Falcon,Space\nHKK13,Tie,Space\n');
  await it.import({ file: cars });
  expect(it.names()).toEqual(['Falcon', 'Tie']);
  const rows = Array.from(
    { length: 40 },
    (_, row) => `Wave ${row % 3},https://example.com/${row}.jpg,${row}\n`,
  );
  const none = await it.file('none.csv', `Name,Title,Item #\n${rows.join('')}`);
  await expect(it.import({ file: none, run: { yes: true } })).rejects.toMatchObject({
    code: 'no_name_column',
  });
  expect(it.names()).toEqual(['Falcon', 'Tie']);
});

test('shelflift asks about two columns of money, and does not read cents as dollars', async () => {
  await using it = await openImport();
  const file = await it.file('money.csv', 'Name,Price,Value\nFalcon,$5,$9\nTie,$6,$8\n');
  await expect(it.import({ file })).rejects.toMatchObject({
    code: 'unsure_mapping',
    message: expect.stringMatching(/"Value" → estimated_value .*"Price" \(column B\) contains money, too/),
  });
  const cents = await it.file('cents.csv', 'Name,price-in-pennies\nBus,2549\nTram,1000\n');
  await it.import({ file: cents, run: { yes: true } });
  expect(it.items().find((item) => item.name === 'Bus')).toMatchObject({ estimated_value: 25.49 });
});

test('the advice identifies columns with the same header by letter; unneeded columns do not stop the import', async () => {
  await using it = await openImport();
  const file = await it.file('twice.csv', 'Name,Notes,Notes,Value,Value\nFalcon,a,b,5,6\nTie,c,d,7,8\n');
  await expect(it.import({ file })).rejects.toMatchObject({
    code: 'unsure_mapping',
    actions: expect.arrayContaining([expect.objectContaining({ option: 'map', value: 'estimated_value=D' })]),
  });
  await it.import({ file, map: { estimated_value: 'E' }, keepUnknown: true });
  expect(it.items().find((item) => item.name === 'Falcon')).toMatchObject({
    estimated_value: 6,
    custom_fields: { Notes: 'a', Value: '5', 'Notes (C)': 'b' },
  });
});

test('a block of statistics next to the table is not read, and makes no row invalid', async () => {
  await using it = await openImport();
  const rows = Array.from(
    { length: 30 },
    (_, row) => `Toy ${row},Acme,19${70 + row},,${row < 6 ? `Acme,${row},total` : ',,'}\n`,
  );
  const file = await it.file('stats.csv', `Name,Brand,Year,,,,\n${rows.join('')}`);
  const { summary } = await it.import({ file });
  expect(summary.rows).toMatchObject({ created: 30, invalid: 0 });
});

test('the number of rows that a template skips is reported, with the reason', async () => {
  await using it = await openImport();
  const file = await it.file('stock.csv', 'Name,Stock\nFalcon,0\nTie,0\n');
  const template = await it.file(
    't.yaml',
    'name: t\ncolumns: { name: Name }\nskip: [{ from: Stock, is: [0] }]\n',
  );
  const events: ImportEvent[] = [];
  await it.import({ file, template }, { onEvent: (event) => void events.push(event) });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      message: 'The template skips all 2 rows of the file: Stock is 0 (2). Nothing will be sent.',
    }),
  );

  const some = await it.file('some.csv', 'Name,Stock\nFalcon,0\nTie,1\n');
  await it.import({ file: some, template }, { onEvent: (event) => void events.push(event) });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'note', message: 'The template skips 1 of 2 rows: Stock is 0 (1).' }),
  );
});

test('shelflift asks about a file whose encoding is uncertain', async () => {
  await using it = await openImport();
  const file = await it.file('old.csv', Buffer.from('Name,Brand\nAb\x9acd,x\nAb\xe6cd,x\n', 'latin1'));
  const answer = (agreed: boolean) => async (question: string) => {
    expect(question).toContain('Windows-1252 or Windows-1250');
    return agreed;
  };
  const unsure = { code: 'unsure_encoding', exitCode: 2 };
  await expect(it.import({ file })).rejects.toMatchObject(unsure);
  await expect(it.import({ file }, { confirm: answer(false) })).rejects.toMatchObject(unsure);
  expect((await it.import({ file, dryRun: true })).summary.state).toBe('planned');
  expect((await it.import({ file }, { confirm: answer(true) })).summary.rows.created).toBe(2);
  const given = await it.import({ file, encoding: 'windows-1252', force: true });
  expect(given.summary.rows.created).toBe(2);
});

test('a year of 0 is blank, and a date that becomes a custom field is ISO text', async () => {
  await using it = await openImport();
  const file = await it.file('years.csv', 'Name,Year,Bought\nFalcon,0,2020-05-01\nTie,1979,\n');
  await it.import({ file, keepUnknown: true });
  expect(it.items().find((item) => item.name === 'Falcon')).toMatchObject({
    release_year: null,
    custom_fields: { Bought: '2020-05-01' },
  });
});

test('unknown names are accepted as names only if a person confirms them; --yes alone is not enough', async () => {
  await using it = await openImport();
  const asked: string[] = [];
  const file = await it.file('toys.csv', 'Robot,Acme\nRocket,Ideal\nBear,Steiff\n');
  await expect(it.import({ file, run: { yes: true } })).rejects.toMatchObject({
    code: 'no_name_column',
    actions: [{ option: 'yes', also: { map: 'name=Robot' } }],
  });
  const confirm = async (question: string) => asked.push(question) > 0;
  expect((await it.import({ file }, { confirm })).summary.rows.created).toBe(2);
  expect(asked).toEqual([
    expect.stringContaining('Row 1 is read as the header, but none of its names is known'),
  ]);
});

const ALBUMS =
  'Artist,Album,Genre,Year,My price\nAdele,21,Pop,2011,20\nABBA,Arrival,Pop,1976,12\nBach,Messe,Classical,1965,8\nCher,Believe,Pop,1998,5\nDylan,Desire,Folk,1976,9\n';

test('likely columns are used and reported; name and value columns need confirmation', async () => {
  await using it = await openImport();
  const notes: string[] = [];
  const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
  const file = await it.file('albums.csv', ALBUMS);
  await expect(it.import({ file })).rejects.toMatchObject({
    code: 'unsure_mapping',
    message: expect.stringMatching(/1 column may be mapped wrongly:\n {2}"My price" → estimated_value/),
  });
  const plain = await it.file('plain.csv', ALBUMS.replaceAll(/,[^,\n]*\n/gu, '\n'));
  const { summary } = await it.import({ file: plain }, { onEvent });
  expect(summary.rows).toMatchObject({ created: 5, invalid: 0 });
  expect(it.items().find(({ name }) => name === 'Arrival')).toMatchObject({ brand: 'ABBA', tags: ['Pop'] });
  expect(notes).toContainEqual(expect.stringMatching(/"Artist" → brand is likely and is used/));
  expect(notes).toContainEqual(expect.stringMatching(/"Album" → name is likely and is used/));
  // The next month's file is read alike, though its own cells would say less.
  const next = await it.file('next.csv', 'Artist,Album,Genre,Year\nEagles,12,x,1979\n');
  await it.import({ file: next });
  expect(it.items().find(({ name }) => name === '12')).toMatchObject({ brand: 'Eagles', tags: ['x'] });
});

test('an update requires confirmation for every column whose field is only likely', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  it.sandbox.control.addCollection('Main');
  const [item] = it.items();
  const file = await it.file('change.csv', `id,Artist\n${item?.id},Adele\n`);
  await expect(it.import({ file, mode: 'update' })).rejects.toMatchObject({
    code: 'unsure_mapping',
    message: expect.stringContaining('"Artist" → brand'),
  });
});

const PRICED = 'Name,Title,Worth now,Value 2\nAdele,21,5,1\nAdele,Hello,6,2\nABBA,Arrival,7,3\n';

test.each([[['']], [['y']], [['j']], [['7', 'y']]])(
  'one screen shows all columns with samples; %j confirms them',
  async (answers) => {
    await using it = await openImport();
    const asked: { question: string; says: string[] }[] = [];
    const left = [...answers];
    const file = await it.file('albums.csv', PRICED);
    const choose = async (question: string, offered: readonly { says: string }[]) => {
      asked.push({ question, says: offered.map(({ says }) => says) });
      return left.shift() ?? 'n';
    };
    await it.import({ file }, { choose });
    expect(it.names()).toEqual(['21', 'Arrival', 'Hello']);
    expect(asked).toHaveLength(answers.length);
    expect(asked[0]?.says.join('\n')).toMatch(/"Title" → name .*: "21", "Hello", "Arrival"/);
  },
);

test('typing the number of a column on the screen changes that column, and answering n sends nothing', async () => {
  await using it = await openImport();
  const file = await it.file('albums.csv', PRICED);
  const choose =
    (answers: string[]) => async (_: string, offered: readonly { key: string; says: string }[]) => {
      const wanted = answers.shift() ?? 'n';
      return offered.find(({ says }) => says.startsWith(wanted))?.key ?? wanted;
    };
  await expect(it.import({ file }, { choose: choose(['n']) })).rejects.toMatchObject({
    code: 'unsure_mapping',
  });
  await it.import({ file }, { choose: choose(['"Title" → name', 'Use column A "Name"', 'y']) });
  expect(it.names()).toEqual(['ABBA', 'Adele', 'Adele']);
});
