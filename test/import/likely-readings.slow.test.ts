/** What an import takes unasked because it can be undone, and says: the likely reading, beside the text as it was. */
import { expect, it } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { correctionQuestions } from '../../src/import/correction/questions.ts';
import { issuesOf } from '../../src/import/results/issues.ts';
import { english } from '../../src/messages/message.ts';
import { type CorrectionRequest, correctAndReport } from '../../src/import/correction/correct-job.ts';
import type { Action } from '../../src/messages/params.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, type RunSetting } from '../support/open-import.ts';

/** Imports the rows; what was said, and the items by name. */
async function imported(
  at: OpenImport,
  content: string,
  request: Partial<ImportRequest> = {},
  setting: RunSetting = {},
) {
  const said: string[] = [];
  const told: Action[] = [];
  const wrong: string[] = [];
  const onEvent = (event: ImportEvent) => {
    if (event.type === 'note' || event.type === 'warning') {
      said.push(event.message);
      told.push(...(event.said?.actions ?? []));
    }
    if (event.type === 'issues') wrong.push(...event.reasons.map(({ code, rows }) => `${code} ${rows}`));
  };
  const file = await at.file('list.csv', content);
  const { summary } = await at.import({ file, ...request }, { onEvent, ...setting });
  const items = new Map(at.items().map((item) => [item.name, item]));
  return { summary, said: said.join('\n'), told, wrong, items };
}

const SHOP = csv(
  ['Nombre', 'Estado', 'Marca'],
  [
    ['Robot', 'Disponible', 'Tomy'],
    ['Coche rojo', 'Disponible', 'Corgi'],
    ['Tren', 'Vendido ayer', 'Hornby'],
    ['Barco', 'nuevo', 'Tomy'],
  ],
);

it('a column whose words do not fit the field of its header is kept as a custom field', async () => {
  await using at = await openImport();
  const { summary, said, told, wrong, items } = await imported(at, SHOP);
  expect(wrong).toEqual([]);
  expect(summary.rows.created).toBe(4);
  expect(items.get('Robot')).toMatchObject({ condition: null, custom_fields: { Estado: 'Disponible' } });
  expect(said).toContain('"Estado" is not read as condition: of its 4 cells (');
  expect(told).toContainEqual(
    expect.objectContaining({ do: 'setOption', option: 'map', value: 'condition=Estado' }),
  );
});

it('a Status with other words is kept unchanged, because only the API writes status', async () => {
  await using at = await openImport();
  const { wrong, items } = await imported(at, 'Title,Status\nRobot,Active\nBus,Draft\nTram,Active\n');
  expect(wrong).toEqual([]);
  expect(items.get('Robot')).toMatchObject({ status: 'keep', custom_fields: { Status: 'Active' } });
});

it.each([
  ['a person who maps the column', SHOP, { map: { condition: 'Estado' } }, 'unknown_word 3'],
  ["the API's own name", SHOP.replace('Estado', 'Condition'), {}, 'unknown_word 3'],
])(
  'a column keeps its field because of %s, and unusual words are issues',
  async (_, content, request, problem) => {
    await using at = await openImport();
    const { summary, wrong } = await imported(at, content, request);
    expect(wrong).toContain(problem);
    expect(summary.rows.created).toBe(0);
  },
);

it('with --strict, shelflift asks about a column whose words are not valid for its field', async () => {
  await using at = await openImport();
  await expect(imported(at, SHOP, { strict: true })).rejects.toMatchObject({ code: 'unsure_mapping' });
  expect(at.items()).toEqual([]);
});

const COMICS = csv(
  ['Title', 'Grade', 'Release date', 'Qty', 'ID'],
  [
    ['Saga', 'VG+', 'February 1992', '2', 'A-17'],
    ['Maus', 'VG+', '1954', '', 'A-18'],
    ['Bone', 'MOC', '1991', '1', ''],
    ['Tintin', 'MOC', 'ca. 1985', '1', ''],
    ['Hawk', '9.4', '1992-00-00', '1', 'A-20'],
  ],
);

it('a grade is read by its likeliest meaning, and words that the field cannot hold are kept', async () => {
  await using at = await openImport();
  const { summary, said, wrong, items } = await imported(at, COMICS);
  expect(wrong).toEqual([]);
  expect(summary.rows.created).toBe(5);
  expect(items.get('Tintin')).toMatchObject({
    release_year: 1985,
    custom_fields: { release_date: 'ca. 1985' },
  });
  expect(items.get('Saga')).toMatchObject({
    condition: 'loose_good',
    release_year: 1992,
    custom_fields: { grade: 'VG+', release_date: 'February 1992', Qty: '2', ID: 'A-17' },
  });
  expect(items.get('Maus')).toMatchObject({ release_year: null, custom_fields: { year: 1954 } });
  expect(items.get('Bone')).toMatchObject({ condition: 'mint_on_card', release_year: 1991 });
  expect(items.get('Bone')?.custom_fields).toEqual({ Qty: '1' });
  expect(items.get('Hawk')).toMatchObject({ condition: 'loose_mint', custom_fields: { grade: '9.4' } });
  expect(said).toContain('3 words without an exact counterpart');
  expect(said).toContain('2 dates goes into release_year');
  expect(summary.likely?.map(({ code, params }) => [code, params['cells']]).sort()).toEqual([
    ['dates_kept', 2],
    ['likely_words', 3],
    ['years_kept', 1],
  ]);
});

it('a correction undoes likely readings, and --strict makes them problems', async () => {
  await using at = await openImport();
  const file = await at.file('comics.csv', COMICS);
  const { summary } = await at.import({ file, dryRun: true });
  expect(summary.rows.invalid).toBe(0);
  const changes: CorrectionRequest['changes'] = [
    { type: 'option', field: 'condition', option: 'offeredWords', value: 'ask' },
    { type: 'option', field: 'release_year', option: 'outOfRange', value: 'issue' },
  ];
  const mended = await at.run((deps) => correctAndReport(summary.job, { changes }, deps));
  expect(mended.summary.rows.invalid).toBe(3);
  const strict = await at.import({ file, dryRun: true, strict: true });
  expect(strict.summary.rows.invalid).toBe(4);
  expect(strict.summary.likely).toBeUndefined();
});

it('a column with names of unknown collections does not override --collection', async () => {
  await using at = await openImport();
  const list = csv(
    ['Name', 'Collection'],
    [
      ['Robot', 'Attic'],
      ['Car', 'Cellar'],
    ],
  );
  const { summary, said, items } = await imported(at, list, { collection: 'Main' });
  expect(summary.rows.created).toBe(2);
  expect(items.get('Car')?.custom_fields).toEqual({ Collection: 'Cellar' });
  expect(said).toContain('"Collection" names no collection of your team ("Attic", "Cellar")');
  at.sandbox.control.addCollection('Attic');
  const some = await imported(at, list.replaceAll('r', 's'), { collection: 'Main' });
  expect(some.wrong).toEqual(['unknown_collection 1']);
  const mapped = await imported(at, list, { collection: 'Main', map: { collection: 'Collection' } });
  expect(mapped.wrong).toEqual(['unknown_collection 1']);
  const strict = await imported(at, list, { collection: 'Main', strict: true });
  expect(strict.wrong).toEqual(['unknown_collection 1']);
});

it('a person may choose a collection for each name that the team does not have', async () => {
  await using at = await openImport();
  at.sandbox.control.addCollection('Loft');
  const list = await at.file(
    'rooms.csv',
    csv(
      ['Name', 'Collection'],
      [
        ['Robot', 'Attic'],
        ['Car', 'Cellar'],
      ],
    ),
  );
  const asked: string[] = [];
  const confirm = async (question: string) => asked.push(question) > 0;
  const { summary } = await at.import({ file: list, collection: 'Main' }, { confirm });
  expect(asked[0]).toContain('Choose a collection for each name?');
  const [reason] = summary.issues ?? [];
  expect(reason).toMatchObject({ code: 'unknown_collection', rows: 2 });
  expect(reason?.actions).toContainEqual(
    expect.objectContaining({
      options: { word: ['collection:Attic=COLLECTION', 'collection:Cellar=COLLECTION'] },
    }),
  );
  const questions = correctionQuestions(await issuesOf(summary.job, at.ledger));
  expect(questions.map(({ text }) => english(text))).toEqual([
    'Your team has no collection "Attic" (1 row). Where do the items go?',
    'Your team has no collection "Cellar" (1 row). Where do the items go?',
  ]);
  const changes = questions.flatMap(
    ({ choices }, index) => choices[0]?.asks?.changes(['Loft', 'Main'][index] ?? '') ?? [],
  );
  await at.run((deps) => correctAndReport(summary.job, { changes }, deps));
  await at.apply(summary.job);
  expect(
    at
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Car', 'Robot']);
  expect(new Set(at.items().map(({ collection_id: id }) => id)).size).toBe(2);
});

const MOXFIELD = csv(
  [
    'Count',
    'Name',
    'Edition',
    'Condition',
    'Foil',
    'Tags',
    'Collector Number',
    'Alter',
    'Proxy',
    'Last Modified',
    'Binder',
  ],
  [
    ['2', 'Shivan Dragon', 'M20', 'NM', '', '', '17', 'False', 'False', '2024-01-01', 'red'],
    ['1', 'Opt', 'DOM', 'LP', 'foil', '', '60', 'False', 'False', '2024-01-01', ''],
  ],
);

it('a file of a known program is read by its template without losing a column; with --template none, it is read without the template', async () => {
  await using at = await openImport();
  const { summary, said, items, wrong } = await imported(at, MOXFIELD);
  expect(wrong).toEqual([]);
  expect(said).toContain('The columns match the template moxfield, so it is used.');
  expect(summary.rows.created).toBe(3);
  expect(items.get('Shivan Dragon')).toMatchObject({
    series: 'M20',
    custom_fields: { collector_number: '17', Binder: 'red' },
  });
  // Read otherwise, the rows are known by their cells.
  const again = await imported(at, MOXFIELD, { template: 'none', run: { yes: true } });
  expect(again.said).not.toContain('so it is used');
  expect(again.summary.rows.created).toBe(0);
  expect(at.items()).toHaveLength(3);
});

it('a correction reads the file without the template that was recognised, as an import without it does', async () => {
  await using at = await openImport();
  const file = await at.file('list.csv', MOXFIELD);
  const { summary } = await at.import({ file, dryRun: true });
  expect(JSON.stringify(summary.likely)).toContain('moxfield');
  const mended = await at.run((deps) =>
    correctAndReport(summary.job, { changes: [{ type: 'template', name: 'none' }] }, deps),
  );
  expect(JSON.stringify(mended.summary.likely ?? [])).not.toContain('moxfield');
  expect(mended.summary.mended).toMatchObject([{ changes: ['read without a template'] }]);
  await at.apply(summary.job);

  await using other = await openImport();
  await other.import({ file: await other.file('list.csv', MOXFIELD), template: 'none', run: { yes: true } });
  const fields = (one: OpenImport) =>
    one.items().map(({ name, series, condition, tags, custom_fields: own, estimated_value: value }) => ({
      name,
      series,
      condition,
      tags,
      own,
      value,
    }));
  expect(fields(at)).toEqual(fields(other));
});

it('undoing a correction that left out the template brings the template back', async () => {
  await using at = await openImport();
  const file = await at.file('list.csv', MOXFIELD);
  const { summary } = await at.import({ file, dryRun: true });
  const mend = (request: CorrectionRequest) => at.run((deps) => correctAndReport(summary.job, request, deps));
  await mend({ changes: [{ type: 'template', name: 'none' }] });
  const back = await mend({ undo: 1 });
  expect(back.summary.rows).toEqual(summary.rows);
  await at.apply(summary.job);
  expect(at.items().find(({ name }) => name === 'Shivan Dragon')).toMatchObject({
    series: 'M20',
    custom_fields: { collector_number: '17', Binder: 'red' },
  });
});

it('a correction reads a column that was kept as a custom field, and leaves out the id of another program', async () => {
  await using at = await openImport();
  const file = await at.file('shop.csv', csv(['Nombre', 'Id', 'Estado'], [['Robot', 'A-17', 'Disponible']]));
  const { summary } = await at.import({ file, dryRun: true });
  expect(summary.rows).toMatchObject({ pending: 1, invalid: 0 });
  const mend = (request: CorrectionRequest) => at.run((deps) => correctAndReport(summary.job, request, deps));
  const mapped = await mend({
    changes: [
      { type: 'map', field: 'condition', column: 'Estado' },
      { type: 'ignore', column: 'Id' },
    ],
  });
  expect(mapped.summary.rows).toMatchObject({ pending: 0, invalid: 1 });
  await mend({ changes: [{ type: 'word', field: 'condition', word: 'Disponible', means: 'loose_good' }] });
  await at.apply(summary.job);
  const [item] = at.items();
  expect([item?.condition, item?.custom_fields]).toEqual(['loose_good', {}]);
});

it.each([
  [{ strict: true }, {}],
  [{}, { strict: true }],
])('rows that were sent with another reading are recognised: first %j, then %j', async (first, then) => {
  await using at = await openImport();
  const rows = [
    ['Saga', 'MOC', 'February 1992'],
    ['Maus', 'MOC', '1991'],
  ];
  const headers = ['Title', 'Grade', 'Release date'];
  const before = await imported(at, csv(headers, rows), { ...first, run: { yes: true } });
  expect(before.summary.rows.created).toBe(2);
  const next = csv(headers, [...rows, ['Bone', 'MOC', 'May 1993']]);
  const after = await imported(at, next, { ...then, run: { onlyNew: true, yes: true } });
  expect(after.summary.rows).toMatchObject({ created: 1, skipped: 2 });
  expect(at.items()).toHaveLength(3);
});

it.each([
  ['nuevo', 'Disponible'],
  ['Disponible', 'nuevo'],
])(
  'the next file with the same columns is read like the first, even if most words are %s at first and %s later',
  async (first, next) => {
    await using at = await openImport();
    const list = (name: string, most: string) =>
      csv(
        ['Nombre', 'Estado'],
        ['Disponible', 'nuevo', most, most].map((word, index) => [`${name} ${index}`, word]),
      );
    const run = { skipInvalid: true };
    await imported(at, list('Robot', first), run);
    const { items } = await imported(at, list('Tren', next), run);
    const readAs = (name: string) => (items.get(name)?.condition === null ? 'kept' : 'condition');
    expect(readAs('Tren 1')).toBe(readAs('Robot 1'));
    expect(readAs('Robot 1')).toBe(first === 'nuevo' ? 'condition' : 'kept');
  },
);

it('the id column of another program is kept if the headers alone identify all other columns', async () => {
  await using at = await openImport();
  const { summary, items } = await imported(at, csv(['Name', 'Brand', 'Id'], [['Robot', 'Tomy', 'A-17']]));
  expect(summary.rows.created).toBe(1);
  expect(items.get('Robot')).toMatchObject({ custom_fields: { Id: 'A-17' } });
});

it('shelflift asks once for the century of two-digit years', async () => {
  await using at = await openImport();
  const file = await at.file(
    'cars.csv',
    csv(
      ['Name', 'Year'],
      [
        ['A', "'85"],
        ['B', "'86"],
        ['C', "'04"],
        ['D', "'97"],
      ],
    ),
  );
  const { summary } = await at.import({ file, dryRun: true });
  expect(summary.issues).toMatchObject([
    {
      code: 'two_digit_year',
      rows: 4,
      actions: ['1900', '2000'].map((first) => ({
        options: { option: `release_year:twoDigitYears=${first}` },
      })),
    },
  ]);
  const changes: CorrectionRequest['changes'] = [
    { type: 'option', field: 'release_year', option: 'twoDigitYears', value: '1950' },
  ];
  const mend = (request: CorrectionRequest) => at.run((deps) => correctAndReport(summary.job, request, deps));
  expect((await mend({ changes })).summary.rows.invalid).toBe(0);
  expect((await mend({ undo: 1 })).summary.rows.invalid).toBe(4);
  await mend({ changes });
  await at.apply(summary.job);
  const years = Object.fromEntries(at.items().map(({ name, release_year }) => [name, release_year]));
  expect(years).toEqual({ A: 1985, B: 1986, C: 2004, D: 1997 });
});

it('years before 1000 stay in a custom field, and so do years of two digits beside them', async () => {
  await using at = await openImport();
  const list = csv(
    ['Name', 'Year'],
    [
      ['Solidus', '324'],
      ['Follis', '308'],
      ['Denarius', '98'],
      ['As', '27 BC'],
      ['Cent', '1969'],
      ['Penny', '1985'],
      ['Unknown', '0'],
    ],
  );
  const { summary, items, wrong, said } = await imported(at, list);
  expect(wrong).toEqual([]);
  expect(summary.rows.created).toBe(7);
  const years = ['Solidus', 'Denarius', 'As', 'Unknown'].map(
    (name) => items.get(name)?.custom_fields?.['year'],
  );
  expect(years).toEqual([324, 98, '27 BC', undefined]);
  expect(items.get('Cent')?.release_year).toBe(1969);
  expect(said).toContain('4 years outside 1968 to 2100 ("324")');
  // In a later file with these headers, two digits are read in the same way.
  const later = await imported(
    at,
    csv(
      ['Name', 'Year'],
      [
        ['Dupondius', '54'],
        ['Dime', '1999'],
      ],
    ),
  );
  expect(later.items.get('Dupondius')?.custom_fields).toEqual({ year: 54 });
});

it('cells with only a placeholder are reported, unless a person or a template has named the word', async () => {
  await using at = await openImport();
  const rows = [
    ['Robot', '0', '-', 'n/a', 'new', '-'],
    ['Bus', '1985', '2', 'Corgi', '?', 'none'],
    ['Tram', '0000', 'n/a', '-', 'sealed', ''],
    ['Car', '-', '-', '', 'sealed', 'x'],
  ];
  const list = csv(['Name', 'Year', 'Value', 'Brand', 'Packaging', 'Shelf'], rows);
  const { summary, said, items } = await imported(at, list);
  expect(said).toContain('B (Year): 3 cells count as blank ("0", "0000", "-")');
  expect(said).toContain('C (Value): 3 cells count as blank ("-", "n/a")');
  expect(said).toContain('D (Brand): 2 cells count as blank ("n/a", "-")');
  expect(said).toContain('E (Packaging): 1 cell counts as blank ("?")');
  expect(summary.likely?.filter(({ code }) => code === 'cells_blank')).toHaveLength(4);
  // Custom fields keep such texts.
  expect(items.get('Robot')?.custom_fields).toMatchObject({ Shelf: '-' });
  const template: CorrectionRequest['changes'] = ['-', 'n/a'].map((word) => ({
    type: 'word',
    field: 'estimated_value',
    word,
    means: '',
  }));
  const file = await at.file(
    'other.csv',
    list.replace('Robot', 'Robots').replace('Bus', 'Buses').replace('Tram', 'Trams').replace('Car', 'Cars'),
  );
  const other = await at.import({ file, dryRun: true });
  const mended = await at.run((deps) => correctAndReport(other.summary.job, { changes: template }, deps));
  expect(mended.summary.likely?.filter(({ code }) => code === 'cells_blank')).toHaveLength(3);
});

it('a file that continues an earlier file is read like the earlier file, even if few of its words are known', async () => {
  await using at = await openImport();
  const list = (...rows: [string, string][]) => csv(['Name', 'Grade'], rows);
  const first: [string, string][] = [
    ['Falcon', 'VG+'],
    ['Tie', 'NM'],
    ['Hulk', 'G'],
    ['Thor', 'Fair'],
  ];
  await at.import({ file: await at.file('may.csv', list(...first)) });
  const words = ['Disponible', 'Agotado', 'Otro', 'Vendido ya'];
  const more = Array.from({ length: 8 }, (_, row): [string, string] => [`Saga ${row}`, words[row % 4] ?? '']);
  const { summary } = await at.import({
    file: await at.file('june.csv', list(...first, ...more)),
    run: { onlyNew: true },
    dryRun: true,
  });
  expect(summary.rows).toMatchObject({ invalid: 8 });
});
