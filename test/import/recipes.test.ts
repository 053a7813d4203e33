/** Recipes and remembered answers: the next file is read like this one. */
import { english, message } from '../../src/messages/message.ts';
import { describe, expect, it } from 'vitest';
import { correctionQuestions } from '../../src/import/correction/questions.ts';
import { jobOffers } from '../../src/import/correction/job-rows.ts';
import { issuesOf } from '../../src/import/results/issues.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { rememberAnswers, saveRecipe } from '../../src/import/correction/save-reading.ts';
import { importFile } from '../../src/import/run.ts';
import { forgetReading, rememberedReadings } from '../../src/import/stage/recipes.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';

const HEADERS = ['Title', 'Year', 'State', 'Worth'];
const ROWS = [
  ['Falcon', 'c. 1975', 'Vitrine', '12.50'],
  ['Rex', '1962', 'NM', 'ca. 20'],
  ['Car', '1990', 'Vitrine', '8'],
];

/** Imports a file and answers every question with its first choice. */
async function mended(open: OpenImport, request: { collection?: string; decimal?: 'point' } = {}) {
  const file = await open.file('toys.csv', csv(HEADERS, ROWS));
  const { summary } = await open.import({
    file,
    collection: 'Main',
    strict: true,
    map: { condition: 'State', estimated_value: 'Worth' },
    ...request,
  });
  const questions = correctionQuestions(await issuesOf(summary.job, open.ledger));
  const changes = questions.flatMap(({ choices }) => choices[0]?.changes ?? []);
  const outcome = await open.run((deps) => correctAndReport(summary.job, { changes }, deps));
  return { job: summary.job, questions, outcome };
}

describe('questions about the rows that cannot be sent', () => {
  it('have first choices that mend all rows, and each can be left for later', async () => {
    await using open = await openImport();
    const { questions, outcome } = await mended(open);
    expect(outcome.summary.rows).toMatchObject({ pending: 3, invalid: 0 });
    expect(questions.map(({ text, rows }) => [english(text), rows])).toEqual([
      ['State: what does "Vitrine" mean? (2 rows)', 2],
      expect.arrayContaining([1]),
      expect.arrayContaining([1]),
      expect.arrayContaining([1]),
      expect.arrayContaining([1]),
    ]);
    for (const { choices } of questions)
      expect(choices.at(-1)).toMatchObject({ says: { code: 'decide_later' }, changes: [] });
  });
});

it.each([
  ['two_digit_year', ['years_from', 'years_from', 'leave_cells_blank', 'leave_rows_out', 'decide_later']],
  ['not_a_year', ['leave_cells_blank', 'leave_rows_out', 'decide_later']],
] as const)('only two-digit years need a century: %s', (code, says) => {
  const at = { field: 'release_year', column: 'B', firstRows: [{ row: 2 }] };
  const reason = { ...at, code, rows: 1, kinds: 1, params: {} };
  const [question] = correctionQuestions([
    { ...reason, message: '', said: message('no_year', { text: 'x' }), values: [{ text: 'x', rows: 1 }] },
  ]);
  expect(question?.choices.map((choice) => choice.says.code)).toEqual(says);
});

describe('a column that names each group once', () => {
  const group = (brand: string) => [brand, '', '', ''].map((cell, index) => [cell, `${brand} ${index}`]);
  const GROUPED = ['Hersteller', 'Name'];
  const rows = [...group('Faller'), ...group('Kibri')];

  it('can be filled down before anything is sent, even if all rows are valid', async () => {
    await using open = await openImport();
    const file = await open.file('houses.csv', csv(GROUPED, rows));
    const notes: string[] = [];
    const { summary, exitCode } = await open.run(
      (deps) =>
        importFile({ file, collection: 'Main', map: { brand: 'Hersteller' } }, { ...deps, asksNext: true }),
      { onEvent: (event) => void (event.type === 'note' && notes.push(event.message)) },
    );
    expect([exitCode, summary.state, summary.rows.pending, open.items()]).toEqual([3, 'planned', 8, []]);
    expect(notes).toContainEqual(
      expect.stringContaining('Hersteller is blank in 6 of 8 rows, each time below a filled cell.'),
    );
    const questions = correctionQuestions([], await jobOffers(summary.job, open.ledger));
    expect(questions).toMatchObject([
      {
        rows: 6,
        choices: [{ says: { code: 'same_as_above', params: { cells: 6 } } }, {}, { changes: [] }],
      },
    ]);
    const changes = questions[0]?.choices[0]?.changes ?? [];
    await open.run((deps) => correctAndReport(summary.job, { changes }, deps));
    expect(await jobOffers(summary.job, open.ledger)).toEqual([]);
    await open.apply(summary.job);
    expect(open.items().filter(({ brand }) => brand === 'Kibri')).toHaveLength(4);
  });

  it('stays blank without a terminal, and a recipe can remember that answer', async () => {
    await using open = await openImport();
    const file = await open.file('houses.csv', csv(GROUPED, rows));
    const { summary } = await open.import({ file, map: { brand: 'Hersteller' } });
    expect(open.items().filter(({ brand }) => brand === null)).toHaveLength(6);
    const [{ choices } = { choices: [] }] = correctionQuestions(
      [],
      await jobOffers(summary.job, open.ledger),
    );
    await open.run((deps) => correctAndReport(summary.job, { changes: choices[1]?.changes ?? [] }, deps));
    expect(await jobOffers(summary.job, open.ledger)).toEqual([]);
  });

  it.each([
    ['names a group twice in succession', [...group('Faller'), ...group('Faller')]],
    ['is blank in the first row', [['', 'Hut'], ...rows]],
    [
      'has values in most rows',
      [...rows, ...'abcdefghij'].map((row, index) => [`B${index}`, `N${index} ${row[1]}`]),
    ],
    ['has only one group', group('Faller')],
  ])('does not count as a column of groups if it %s', async (_, given) => {
    await using open = await openImport();
    const file = await open.file('houses.csv', csv(GROUPED, given));
    const { summary } = await open.import({ file, map: { brand: 'Hersteller' }, dryRun: true });
    expect(await jobOffers(summary.job, open.ledger)).toEqual([]);
  });
});

describe('a recipe', () => {
  it('reads another file like the file that it was made from, with the same collection and answers', async () => {
    await using open = await openImport();
    const { job } = await mended(open);
    await saveRecipe('trains', job, open.ledger);
    const file = await open.file('more.csv', csv(HEADERS, [['Duck', '1950', 'Vitrine', 'ca. 7']]));
    const { summary, exitCode } = await open.import({ file, recipe: 'trains' });
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 1 }]);
    expect(open.items()[0]).toMatchObject({
      name: 'Duck',
      condition: 'mint_on_card',
      estimated_value: 7,
      custom_fields: { year: 1950 },
    });
  });

  it('replaces a column that the file lacks by one that it detects, or is refused', async () => {
    await using open = await openImport();
    const head = ['Title', 'Price', 'Brand', 'Vitrine no.'];
    const map = { 'custom_fields.vitrine': 'Vitrine no.' };
    const first = await open.file('a.csv', csv(head, [['Falcon', '12.50', 'Acme', 'A3']]));
    const { summary } = await open.import({ file: first, map, run: { yes: true } });
    await saveRecipe('shop', summary.job, open.ledger);
    const notes: string[] = [];
    const read = (name: string, headers: string[], more: object = {}, price = '1.234,50') =>
      open
        .file(name, csv(headers, [['Rex', price, 'Bolt', 'B1']]))
        .then((file) =>
          open.import(
            { file, recipe: 'shop', run: { yes: true }, ...more },
            { onEvent: (event) => void (event.type === 'note' && notes.push(event.message)) },
          ),
        );
    const renamed = await read('b.csv', ['Title', 'Preis', 'Brand', 'Vitrine no.']);
    expect([renamed.exitCode, renamed.summary.rows]).toMatchObject([0, { created: 1 }]);
    expect(open.items()[0]).toMatchObject({ name: 'Rex', estimated_value: 1234.5, brand: 'Bolt' });
    expect(notes.join('\n')).toContain(
      'reads estimated_value from "Price", which the file does not have: "Preis"',
    );
    await expect(read('c.csv', ['Title', 'Price', 'Brand', 'Place'])).rejects.toMatchObject({
      code: 'missing_column',
      exitCode: 2,
      actions: [{ do: 'setOption', option: 'map' }],
    });
    await expect(read('d.csv', ['Title', 'xyz', 'Brand', 'Vitrine no.'])).rejects.toMatchObject({
      code: 'missing_column',
    });
    expect(open.items()).toHaveLength(2);
    const place = { map: { 'custom_fields.vitrine': 'Place' } };
    const mapped = await read('e.csv', ['Title', 'Price', 'Brand', 'Place'], place, '7.50');
    expect(mapped.summary.rows).toMatchObject({ created: 1 });
  });

  it('can be listed and forgotten; an unknown recipe is reported with the known names', async () => {
    await using open = await openImport();
    const { job } = await mended(open);
    await saveRecipe('trains', job, open.ledger);
    await rememberAnswers(job, open.ledger);
    const [recipe, answers] = await rememberedReadings(open.ledger);
    expect([recipe, answers]).toMatchObject([
      { kind: 'recipe', name: 'trains', file: 'toys.csv' },
      { kind: 'answers', file: 'toys.csv' },
    ]);
    const file = await open.file('more.csv', csv(HEADERS, ROWS));
    await expect(open.import({ file, recipe: 'train' })).rejects.toMatchObject({
      code: 'no_such_recipe',
      message: expect.stringContaining('Did you mean trains?') as string,
    });
    await expect(open.import({ file, recipe: 'trains', template: 'generic' })).rejects.toMatchObject({
      code: 'bad_choice',
    });
    await expect(saveRecipe('../x', job, open.ledger)).rejects.toMatchObject({ code: 'bad_recipe' });
    await forgetReading('trains', open.ledger);
    await forgetReading(answers?.name ?? '', open.ledger);
    expect(await rememberedReadings(open.ledger)).toEqual([]);
    await expect(forgetReading('trains', open.ledger)).rejects.toMatchObject({ code: 'no_such_recipe' });
  });
});

it('remembered answers are used for files with the same headers in another order', async () => {
  await using open = await openImport();
  const { job } = await mended(open);
  await rememberAnswers(job, open.ledger);
  const file = await open.file(
    'more.csv',
    csv(['Worth', 'State', 'Title', 'Year'], [['ca. 7', 'Vitrine', 'Duck', '1950']]),
  );
  const { summary } = await open.import({ file, collection: 'Main' });
  expect(summary.rows).toMatchObject({ created: 1, invalid: 0 });
  expect(open.items()[0]).toMatchObject({
    name: 'Duck',
    condition: 'mint_on_card',
    custom_fields: { year: 1950 },
  });
});

it('the same file with the same command counts as already applied, although its answers are remembered now', async () => {
  await using open = await openImport();
  const file = await open.file('toys.csv', csv(HEADERS, [ROWS[0] ?? [], ROWS[2] ?? []]));
  const request = { file, collection: 'Main' };
  const { summary } = await open.import(request);
  const questions = correctionQuestions(await issuesOf(summary.job, open.ledger));
  const changes = questions.flatMap(({ choices }) => choices[0]?.changes ?? []);
  await open.run((deps) => correctAndReport(summary.job, { changes }, deps));
  expect((await open.apply(summary.job)).summary.rows).toMatchObject({ created: 2 });
  await rememberAnswers(summary.job, open.ledger);
  const again = await open.import(request);
  expect(again.summary).toMatchObject({ state: 'already_applied', job: summary.job });
  const warnings: string[] = [];
  const onEvent = (event: { type: string; message?: string }) => {
    if (event.type === 'warning') warnings.push(event.message ?? '');
  };
  await open.import({ ...request, dryRun: true }, { onEvent });
  expect(warnings).toContain(
    `Job ${summary.job} has already imported this file: an import would send nothing.`,
  );
  // Other columns by flags are another wish: it is asked about.
  await expect(open.import({ ...request, map: { brand: 'State' } })).rejects.toMatchObject({
    code: 'rows_sent_before',
  });
});

it('an exchange rate is not remembered, because it is valid only for its day', async () => {
  await using open = await openImport();
  const { job } = await mended(open);
  const rates = { type: 'option', field: 'estimated_value', option: 'rates', value: { EUR: '1.1' } } as const;
  await open.run((deps) => correctAndReport(job, { changes: [rates] }, deps));
  await saveRecipe('trains', job, open.ledger);
  await rememberAnswers(job, open.ledger);
  for (const [space, key] of [['recipe', 'trains'] as const, ['mapping', ''] as const]) {
    const entries = await open.ledger.values.list(space, { limit: 10 });
    const entry = entries.find((each) => each.key.includes(key));
    expect(entry?.value).toContain('estimated_value');
    expect(entry?.value).not.toContain('rates');
  }
});
