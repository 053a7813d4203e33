/** Which column is the name of the items where several, or none, can be. */
import { expect, test } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { openImport } from '../support/open-import.ts';

const ARTISTS = 'Name,Title,Year\nStan Lee,Hulk,1970\nStan Lee,X-Men,1971\nJack Kirby,Thor,1972\n';

test('shelflift asks which column is the name if "name" and "title" both may be; --yes takes the column with more text', async () => {
  await using it = await openImport();
  const file = await it.file('comics.csv', ARTISTS);
  await expect(it.import({ file })).rejects.toMatchObject({
    code: 'unsure_mapping',
    message: expect.stringContaining('"Title" → name'),
    actions: expect.arrayContaining([expect.objectContaining({ option: 'map', value: 'name=Title' })]),
  });
  await it.import({ file, run: { yes: true } });
  expect(it.names()).toEqual(['Hulk', 'Thor', 'X-Men']);
});

test('the column "name" is used without a question if no other column can be the name', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', 'Name,Title\nFalcon,1\nTie,2\nBus,3\nVan,4\n');
  await it.import({ file });
  expect(it.names()).toEqual(['Bus', 'Falcon', 'Tie', 'Van']);
});

const SAGA = Array.from({ length: 24 }, (_, at) => `Saga,${at + 1},Image`).join('\n');

test.each(['Issue', 'Issue #', 'Number'])(
  'Title and %s together become the name, and a note says so',
  async (header) => {
    await using it = await openImport();
    const notes: string[] = [];
    const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
    const numbers = header === 'Number' ? SAGA.replaceAll(',1,', ',54,') : SAGA;
    const file = await it.file(
      'comics.csv',
      `Title,${header},Publisher\n${numbers}\nSaga,,Image\n,7,Image\n`,
    );
    const map = { brand: 'Publisher' };
    const { summary } = await it.import({ file, map, skipInvalid: true }, { onEvent });
    // An issue without a title has no name.
    expect(summary.rows).toMatchObject({ created: 25, invalid: 1 });
    expect(it.names()).toContain('Saga #12');
    expect(it.names()).toContain('Saga');
    expect(notes).toContainEqual(expect.stringContaining(`"Title" and "${header}" together are the name`));
  },
);

test('a title that already contains its number is not joined with it, nor with a row number', async () => {
  await using it = await openImport();
  const map = { brand: 'Publisher' };
  const full = await it.file('full.csv', 'Title,Issue,Publisher\nSaga #1,1,Image\nSaga #2,2,Image\n');
  await it.import({ file: full, map });
  expect(it.names()).toEqual(['Saga #1', 'Saga #2']);
  const rows = await it.file(
    'rows.csv',
    'Number,Title,Publisher\n1,Thor,Marvel\n2,Thor,Marvel\n3,Hulk,Marvel\n',
  );
  await it.import({ file: rows, map });
  expect(it.names()).toEqual(['Hulk', 'Saga #1', 'Saga #2', 'Thor', 'Thor']);
});

test.each([
  ['a header that names nothing', 'sku,price day 1\nRobot one,5\nRobot two,6\nRobot three,7\n'],
  ['lines of prose', 'Author: Poe\nAuthor: Doyle\nAuthor: Verne\nAuthor: Wells\n'],
])('no column becomes the name: %s', async (_, content) => {
  await using it = await openImport();
  const file = await it.file('list.csv', content);
  await expect(it.import({ file, run: { yes: true } })).rejects.toMatchObject({
    code: 'no_name_column',
    exitCode: 2,
  });
  expect(it.items()).toEqual([]);
  await it.import({ file, map: { name: 'A' }, headerRow: 1, run: { yes: true } });
  expect(it.names().length).toBeGreaterThan(2);
});

test.each([
  'Name,Falcon,Tie fighter\nBrand,Kenner,Hasbro\nYear,1979,1980\nCondition,damaged,damaged\n',
  'name,light arcanine,skyridge raichu\nsku,2897382,2884230\nuids,86734,88502\nprice day 1,5,6\nprice day 2,5,7\nprice day 3,6,7\n',
  'Field,1,2\nName,Falcon,Tie fighter\nBrand,Kenner,Hasbro\nRelease year,1979,1980\n',
])('a transposed table is refused: %j', async (content) => {
  await using it = await openImport();
  const file = await it.file('toys.csv', content);
  await expect(it.import({ file, run: { yes: true } })).rejects.toMatchObject({
    code: 'transposed_table',
    exitCode: 2,
    message: expect.stringContaining('column A holds the names of fields'),
  });
});

test('series and issue together become the name if no column names the comic', async () => {
  await using it = await openImport();
  const notes: string[] = [];
  const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
  const file = await it.file(
    'comics.csv',
    'Value,Series,Issue\n6,1963,2\n3,2010,2A\n5,Saga,7\n4,Saga,8\n2,Thor,1\n',
  );
  await it.import({ file }, { onEvent });
  expect(it.names()).toEqual(['1963 #2', '2010 #2A', 'Saga #7', 'Saga #8', 'Thor #1']);
  expect(notes).toContainEqual(expect.stringContaining('"Series" and "Issue" together are the name'));
  const named = await it.file('named.csv', 'Series,Issue,Story\nSaga,7,The Will\nThor,1,The Hammer\n');
  await it.import({ file: named, map: { name: 'Story' } });
  expect(it.items().find(({ name }) => name === 'The Will')).toMatchObject({ series: 'Saga' });
});

test('a row with a cell that ends with "name" is the header if another cell names a field', async () => {
  await using it = await openImport();
  const file = await it.file(
    'rocks.csv',
    'Mineral Name,Year First Published\nAbellaite,2014\nAbelsonite,1975\n',
  );
  await it.import({ file });
  expect(it.items().find(({ name }) => name === 'Abelsonite')).toMatchObject({ release_year: 1975 });
  const films = await it.file('films.csv', 'Your Name,Toho\nAkira,Ghibli\nPonyo,Sony\n');
  await expect(it.import({ file: films })).rejects.toMatchObject({ code: 'unsure_mapping' });
});

test.each([
  [
    'two columns with the same text in each row',
    'Mineral Name,Mineral Name (plain),Symbol\nAbellaite,Abellaite,Abe\nAbelsonite,Abelsonite,Abl\nAdamite,Adamite,Ad\nAlbite,Albite,Ab\n',
    ['Abellaite', 'Abelsonite', 'Adamite', 'Albite'],
  ],
  [
    'the model, though its cells are codes',
    'Бренд,Модель\nCasio,GA-700SKE-7AER\nCasio,GA-2100-1AER\nSeiko,SRPD51K1\nSeiko,SNK809K2\n',
    ['GA-2100-1AER', 'GA-700SKE-7AER', 'SNK809K2', 'SRPD51K1'],
  ],
])('the only column that can be the name is used without a question: %s', async (_, content, names) => {
  await using it = await openImport();
  await it.import({ file: await it.file('list.csv', content) });
  expect(it.names()).toEqual(names);
});

test('a row with a single known header is used without a question if no cell shows that the row is data', async () => {
  await using it = await openImport();
  const file = await it.file(
    'games.csv',
    'Game,Expectation,Played?\nDead Cells,9,Yes\nDisco Elysium,8,No\nHades,7,Somewhat\nPortal,9,Yes\n',
  );
  await it.import({ file, strict: false });
  expect(it.names()).toEqual(['Dead Cells', 'Disco Elysium', 'Hades', 'Portal']);
});
