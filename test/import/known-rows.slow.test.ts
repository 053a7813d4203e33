/** The same file next month: rows that were sent before are known again, whatever has become of the file. */
import { commandsOf } from '../../src/cli/show/actions.ts';
import { nextText } from '../../src/cli/show/output.ts';
import { describe, expect, test } from 'vitest';
import type { ImportRequest, RunOptions } from '../../src/import/job/options.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { KEPT_MS, pruneJobs } from '../../src/import/jobs/prune-jobs.ts';
import { EqualRows } from '../../src/import/stage/equal-rows.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { undoJob } from '../../src/import/run.ts';
import { UnreachableError } from '../../src/api/errors.ts';
import { cancelJob } from '../../src/import/jobs/cancel-job.ts';
import { asWritten } from '../support/as-written.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const HEADERS = ['name', 'brand', 'release_year'];
const toys = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => [`Toy ${from + index}`, 'Kenner', '1984']);

const namesOf = (count: number) =>
  toys(count)
    .map(([name = '']) => name)
    .sort((a, b) => (a < b ? -1 : 1));

/** Imports rows as a file of this name. */
async function send(
  it: OpenImport,
  rows: string[][],
  run: RunOptions = {},
  {
    name = 'toys.csv',
    headers = HEADERS,
    ...request
  }: {
    name?: string;
    headers?: string[];
    dryRun?: boolean;
    collection?: string;
    map?: Record<string, string>;
    force?: boolean;
  } = {},
) {
  return it.import({ file: await it.file(name, csv(headers, rows)), run, ...request });
}

/** `_state _item_id _error_code` of each row of a results file. */
async function results(it: OpenImport, path: string | undefined): Promise<string[][]> {
  const [header = '', ...lines] = (await it.read(path)).trim().split('\r\n');
  const at = ['_state', '_item_id', '_error_code'].map((name) => header.split(',').indexOf(name));
  return lines.map((line) => at.map((index) => line.split(',')[index] ?? ''));
}

describe('a longer file', () => {
  test('ends with exit code 2 if nobody can be asked: nothing is sent, and no job is left', async () => {
    await using it = await openImport();
    await send(it, toys(84));
    await expect(send(it, toys(114))).rejects.toMatchObject({
      code: 'rows_sent_before',
      exitCode: 2,
      message: expect.stringMatching(/^84 of 114 rows were sent before .*30 are new\. Nothing was sent\.$/),
    });
    expect(it.items()).toHaveLength(84);
    expect(await it.ledger.jobs.list()).toHaveLength(1);
  });

  test.each<[string, RunOptions]>([
    ['--only-new', { onlyNew: true }],
    ['--yes', { yes: true }],
  ])('sends the new rows with %s; the others are skipped and point to their items', async (_, run) => {
    await using it = await openImport();
    await send(it, toys(8));
    const { summary, exitCode } = await send(it, toys(11), run);
    expect([exitCode, summary.state, summary.rows]).toMatchObject([
      0,
      'done',
      { read: 11, created: 3, skipped: 8 },
    ]);
    expect(it.items()).toHaveLength(11);
    const ids = new Map(it.items().map((item) => [item.name, item.id]));
    const rows = await results(it, summary.files.results);
    expect(rows[0]).toEqual(['skipped', ids.get('Toy 1'), 'already_sent']);
    expect(rows[10]).toEqual(['created', ids.get('Toy 11'), '']);
    // The same longer file once more is applied, and one more row is the only new one.
    expect((await send(it, toys(11))).summary.state).toBe('already_applied');
    expect((await send(it, toys(12), { onlyNew: true })).summary.rows).toMatchObject({
      created: 1,
      skipped: 11,
    });
  });

  test.each<[string, RunOptions, object]>([
    ['--all-rows', { allRows: true }, {}],
    ['--force', {}, { force: true }],
  ])('sends all rows with %s', async (_, run, request) => {
    await using it = await openImport();
    await send(it, toys(8));
    const { summary } = await send(it, toys(11), run, request);
    expect(summary.rows).toMatchObject({ created: 11, skipped: 0 });
    expect(it.items()).toHaveLength(19);
  });

  test.each([
    ['n', 3, 11],
    ['a', 11, 19],
  ])('asks on a terminal; the answer is %s', async (key, created, items) => {
    await using it = await openImport();
    await send(it, toys(8));
    const asked: string[] = [];
    const file = await it.file('toys.csv', csv(HEADERS, toys(11)));
    const { summary } = await it.import(
      { file },
      {
        choose: (question, answers) => {
          asked.push(question, ...answers.map(({ says }) => says));
          return Promise.resolve(key);
        },
      },
    );
    expect(asked).toEqual([
      expect.stringMatching(/^8 of 11 rows were sent before \(by job \S+ of toys.csv\); 3 are new\. What/),
      'only the 3 new rows (recommended)',
      'all 11 rows',
      'cancel',
    ]);
    expect([summary.rows.created, it.items().length]).toEqual([created, items]);
  });

  test('leaves no job if a person cancels on the terminal', async () => {
    await using it = await openImport();
    await send(it, toys(8));
    const file = await it.file('toys.csv', csv(HEADERS, toys(11)));
    await expect(it.import({ file }, { choose: () => Promise.resolve('c') })).rejects.toMatchObject({
      code: 'rows_sent_before',
    });
    expect([it.items().length, (await it.ledger.jobs.list()).length]).toEqual([8, 1]);
  });

  test('makes shelflift ask only once it knows that the key is valid', async () => {
    await using it = await openImport();
    await send(it, toys(8));
    const file = await it.file('toys.csv', csv(HEADERS, toys(11)));
    let asked = 0;
    const { exitCode, summary } = await it.import(
      { file },
      { client: { key: 'wrong' }, choose: () => Promise.resolve(String((asked += 1))) },
    );
    expect([exitCode, summary.state, asked]).toEqual([5, 'parked_unauthorised', 0]);
  });

  test('is planned by a dry run exactly as the import would send it', async () => {
    await using it = await openImport();
    await send(it, toys(8));
    const dry = await send(it, toys(11), { onlyNew: true }, { dryRun: true });
    expect(dry.summary.plan).toMatchObject({ create: 3, skipped: 8 });
    const events: ImportEvent[] = [];
    const file = await it.file('toys.csv', csv(HEADERS, toys(11)));
    const told = await it.import({ file, dryRun: true }, { onEvent: (event) => events.push(event) });
    expect(told.summary.plan).toMatchObject({ create: 11 });
    expect(events).toContainEqual({
      type: 'warning',
      message: expect.stringMatching(/^8 of 11 rows were sent before /),
      said: expect.objectContaining({
        actions: [
          expect.objectContaining({ option: 'only-new' }),
          expect.objectContaining({ option: 'all-rows' }),
        ],
      }),
    });
    expect(nextText(told, {})).toMatch(
      /To send only the new rows: .* --only-new\. To send all rows: .* --all-rows$/,
    );
    // What was only told is asked when it is applied; what was said is remembered.
    expect((await it.apply(told.summary.job)).summary.error?.code).toBe('rows_sent_before');
    expect((await it.apply(dry.summary.job)).summary.rows).toMatchObject({ created: 3, skipped: 8 });
    expect((await it.apply(told.summary.job, { onlyNew: true })).summary.rows).toMatchObject({
      created: 0,
      skipped: 11,
    });
    expect(it.items()).toHaveLength(11);
  });
});

test('a file that was already imported has no problems to mend, and a dry run of it plans nothing', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', csv(HEADERS, [...toys(3), ['Toy', 'X', 'soon']]));
  const first = await it.import({ file, skipInvalid: true });
  expect(first.summary.rows).toMatchObject({ created: 3, invalid: 1 });
  const events: ImportEvent[] = [];
  const onEvent = (event: ImportEvent) => void events.push(event);
  const again = await it.import({ file }, { onEvent });
  expect(again.summary).toMatchObject({ state: 'already_applied', job: first.summary.job });
  const dry = await it.import({ file, dryRun: true }, { onEvent });
  expect(nextText(dry, {})).toBe(`This was a dry run: nothing was sent. ${nextText(again, {})}`);
  expect(dry.summary.plan).toMatchObject({ create: 0, skipped: 3, invalid: 1 });
  expect(events.filter(({ type }) => type === 'issues')).toEqual([]);
  const forced = await it.import({ file, dryRun: true, force: true }, { onEvent });
  expect(forced.summary.plan).toMatchObject({ create: 3, invalid: 1 });
  expect(events).toContainEqual(expect.objectContaining({ type: 'issues', job: forced.summary.job }));
});

describe('a row counts as sent before', () => {
  test('with a column added, the columns in another order, or the file under another name', async () => {
    await using it = await openImport();
    await send(it, toys(6));
    const wider = toys(7).map(([name = '', brand = '', year = '']) => [year, 'boxed', name, brand]);
    const headers = ['release_year', 'custom_fields.shelf', 'name', 'brand'];
    const { summary } = await send(it, wider, { yes: true }, { name: 'june.csv', headers });
    expect(summary.rows).toMatchObject({ created: 1, skipped: 6 });
  });

  test('with another mapping of the same cells, and with other cells of the same meaning', async () => {
    await using it = await openImport();
    await send(it, toys(6));
    const mapped = await send(it, toys(7), { onlyNew: true }, { map: { series: 'brand' } });
    expect(mapped.summary.rows).toMatchObject({ created: 1, skipped: 6 });
    const other = toys(8).map(([name = '', brand = '']) => [`${name} `, brand, '1984 ']);
    const renamed = await send(it, other, { onlyNew: true }, { headers: ['Title', 'Maker', 'Year'] });
    // The maker of the seventh was sent as its series.
    expect(renamed.summary.rows).toMatchObject({ created: 1, skipped: 6, held: 1 });
  });

  test('only as often as it was sent: a third copy is new, and a quantity counts copies', async () => {
    await using it = await openImport();
    const [toy = []] = toys(1);
    await send(it, [toy, toy, ...toys(3, 5)]);
    expect((await send(it, [toy, toy, toy, ...toys(3, 5)], { onlyNew: true })).summary.rows).toMatchObject({
      created: 1,
      skipped: 5,
    });
    const blocks = { headers: [...HEADERS, 'quantity'], name: 'blocks.csv', map: { quantity: 'quantity' } };
    await send(it, [['Block', 'Lego', '1990', '3']], {}, blocks);
    const more = await send(it, [['Block', 'Lego', '1990', '5']], { onlyNew: true }, blocks);
    expect(more.summary.rows).toMatchObject({ created: 2, skipped: 3 });
    expect(it.names().filter((name) => name === 'Block')).toHaveLength(5);
  });

  test('only in the same collection', async () => {
    await using it = await openImport();
    await send(it, toys(4));
    const { id: other } = it.sandbox.control.addCollection('Other');
    const { summary } = await send(it, toys(4), {}, { collection: other });
    expect(summary.rows.created).toBe(4);
    // By its id or by its name.
    const main = it.sandbox.teams[0]?.collections.find(({ name }) => name === 'Main')?.id ?? '';
    expect((await send(it, toys(5), { onlyNew: true }, { collection: main })).summary.rows).toMatchObject({
      created: 1,
      skipped: 4,
    });
  });

  test('after its job was pruned', async () => {
    await using it = await openImport();
    await send(it, toys(6));
    const pruned = await pruneJobs(it.ledger, { now: Date.now() + 2 * KEPT_MS });
    expect(pruned.jobs).toHaveLength(1);
    expect((await send(it, toys(7), { onlyNew: true })).summary.rows).toMatchObject({
      created: 1,
      skipped: 6,
    });
  });

  test('if an upsert has created it', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', csv(HEADERS, toys(4)));
    await it.import({ file, mode: 'upsert', match: ['name'] });
    expect((await send(it, toys(5), { onlyNew: true })).summary.rows).toMatchObject({
      created: 1,
      skipped: 4,
    });
  });

  test('by its number, if an upsert has created it and its values have changed since', async () => {
    await using it = await openImport();
    const headers = ['name', 'custom_fields.SKU'];
    const numbered = (count: number) => toys(count).map(([name = ''], index) => [name, `SK-${index}`]);
    const file = await it.file('toys.csv', csv(headers, numbered(4)));
    await it.import({ file, mode: 'upsert', match: ['custom_fields.SKU'] });
    const [, ...others] = numbered(5);
    const { summary } = await send(it, [['Toy 1, boxed', 'SK-0'], ...others], { onlyNew: true }, { headers });
    expect(summary.rows).toMatchObject({ created: 1, skipped: 3, held: 1 });
  });
});

describe('a file with the names of an earlier one', () => {
  const cars = Array.from({ length: 6 }, (_, index) => [
    `Car ${index}`,
    `${index}.50`,
    `note ${index}`,
    '1981',
  ]);
  const fresh = ['Bus', '9', 'x', '1999'];
  const headers = ['Name', 'Price', 'Notes', 'Year'];
  const as = (change: (row: string[]) => string[]) => [...cars, fresh].map((row) => change([...row]));

  test.each<[string, string[], (row: string[]) => string[]]>([
    ['years became dates', headers, (row) => row.with(3, `${row[3]}-01-01`)],
    ['names have other capitals', headers, (row) => row.with(0, ` ${row[0]?.toUpperCase()} `)],
    ['prices have changed', headers, (row) => row.with(1, `${Number(row[1]) + 1}`)],
  ])('has its rows held if %s, and sends only new names', async (_, columns, change) => {
    await using it = await openImport();
    await send(it, cars, {}, { headers });
    const grown = await send(it, as(change), { onlyNew: true }, { headers: columns });
    expect([grown.exitCode, grown.summary.rows]).toMatchObject([3, { created: 1, held: 6 }]);
    expect((await results(it, grown.summary.files.results))[0]).toEqual([
      'held',
      expect.any(String),
      'row_changed',
    ]);
    const { undecided } = (await it.run((deps) => showJob(grown.summary.job, deps))).summary;
    expect(commandsOf(undecided?.rows[0]?.otherwise ?? [], {})).toMatch(/ --mode update --match name$/m);
  });

  test.each<[string, string[], (row: string[]) => string[]]>([
    ['', ['Name', 'Price', 'Year'], ([name = '', price = '', , year = '']) => [name, price, year]],
    [' of amounts', ['Name', 'Notes', 'Year'], ([name = '', , notes = '', year = '']) => [name, notes, year]],
  ])(
    'has its rows skipped if only a column%s is missing: their items have all values',
    async (_, columns, change) => {
      await using it = await openImport();
      await send(it, cars, {}, { headers });
      const grown = await send(it, as(change), {}, { headers: columns });
      expect([grown.exitCode, grown.summary.rows]).toMatchObject([0, { created: 1, skipped: 6 }]);
    },
  );

  test.each([[['Car 3', '99', 'x', '1999']], [['Car 3', '', '', '']]])(
    'has every equal row known, wherever a new row of the same name stands: %s',
    async (more) => {
      await using it = await openImport();
      const many = Array.from({ length: 60 }, (_, index) => [`Car ${index}`, `${index}.50`, 'note', '1981']);
      await send(it, many, {}, { headers });
      const grown = await send(it, [more, ...many], { onlyNew: true }, { headers });
      expect([grown.exitCode, grown.summary.rows]).toMatchObject([0, { created: 1, skipped: 60 }]);
    },
  );

  test.each([
    ['name', headers],
    ['code', ['Name', 'Price', 'SKU', 'Year']],
  ])('has its other rows held if it has two equal rows (%s)', async (_, columns) => {
    await using it = await openImport();
    const [first = []] = cars;
    await send(it, [...cars, first], {}, { headers: columns });
    const dearer = [...cars.slice(1).map((row) => row.with(1, '99')), first, first, fresh];
    const grown = await send(it, dearer, { onlyNew: true }, { headers: columns });
    expect([grown.exitCode, grown.summary.rows]).toMatchObject([3, { created: 1, held: 5, skipped: 2 }]);
  });

  test.each([
    ['name', headers],
    ['code', ['Name', 'Price', 'SKU', 'Year']],
  ])('has its equal rows held, too, if both have changed (%s)', async (_, columns) => {
    await using it = await openImport();
    const [first = []] = cars;
    await send(it, [...cars, first], {}, { headers: columns });
    const dearer = first.with(1, '99');
    const grown = await send(
      it,
      [dearer, dearer, ...cars.slice(1), fresh],
      { onlyNew: true },
      { headers: columns },
    );
    expect([grown.exitCode, grown.summary.rows]).toMatchObject([3, { created: 1, held: 2, skipped: 5 }]);
  });

  test('is sent whole with --all-rows, or if only a few names are the same', async () => {
    await using it = await openImport();
    await send(it, cars, {}, { headers });
    const cheaper = cars.map((row) => row.with(1, '1'));
    expect((await send(it, cheaper, { allRows: true }, { headers })).summary.rows.created).toBe(6);
    const others = cheaper.map((row, index) => (index < 2 ? row : row.with(0, `Van ${index}`)));
    const few = await send(
      it,
      others.map((row) => row.with(2, 'y')),
      {},
      { headers },
    );
    expect([few.exitCode, few.summary.rows.created]).toEqual([0, 6]);
    // The names of a small list in a long one are names of other things.
    const long = Array.from({ length: 20 }, (_, index) => [`Tram ${index}`, '1', '', '']);
    await send(it, long.slice(0, 3), {}, { headers });
    const dearer = long.map((row) => row.with(1, '2'));
    expect((await send(it, dearer, {}, { headers })).summary.rows.created).toBe(20);
  });
});

describe('a row with the values of one that was sent under other column names', () => {
  const cards = (count: number) =>
    Array.from({ length: count }, (_, index) => [`Card ${index}`, `S-${index}`, `${index}.50`]);

  test.each([
    ['code', ['name', 'Artikelnummer', 'value'], 'sent_before'],
    ['text', ['name', 'Kennung', 'value'], 'sent_before'],
    ['value', ['name', 'sku', 'Once paid'], 'row_changed'],
  ])('is held (%s)', async (_, headers, code) => {
    await using it = await openImport();
    await send(it, cards(4), {}, { headers: ['name', 'sku', 'value'] });
    const { exitCode, summary } = await send(it, cards(5), { onlyNew: true }, { headers });
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, held: 4 }]);
    expect((await results(it, summary.files.results))[0]).toEqual(['held', expect.any(String), code]);
  });

  test('is asked about without --only-new, and created with --all-rows', async () => {
    await using it = await openImport();
    await send(it, cards(4), {}, { headers: ['name', 'sku', 'value'] });
    const headers = ['name', 'Artikelnummer', 'value'];
    await expect(send(it, cards(4), {}, { headers })).rejects.toMatchObject({
      code: 'rows_sent_before',
      message: expect.stringMatching(/^All 4 rows were sent before/),
    });
    const { summary } = await send(it, cards(4), { allRows: true }, { headers });
    expect(summary.rows.created).toBe(4);
  });

  test('counts as a new item if only a few rows of its file have such values', async () => {
    await using it = await openImport();
    await send(
      it,
      [
        ['Batman', '5'],
        ['Robin', '6'],
      ],
      {},
      { headers: ['name', 'Issue'] },
    );
    const prices = [
      ['Batman', '5'],
      ['Joker', '7'],
      ['Penguin', '8'],
      ['Catwoman', '9'],
    ];
    const { exitCode, summary } = await send(it, prices, {}, { headers: ['name', 'Price'] });
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 4 }]);
  });

  test('counts as a new item if its file has the same columns', async () => {
    await using it = await openImport();
    const headers = ['name', 'serial', 'shelf', 'case'];
    const equal = (from: number, ...places: string[]) =>
      Array.from({ length: 5 }, (_, index) => ['Card', `N-${from + index}`, ...places]);
    const swapped = ['Card', '', 'A', 'B'];
    await send(it, [...equal(1, 'A', 'A'), ['Card', '', 'B', 'A']], {}, { headers });
    const { exitCode, summary } = await send(it, [...equal(6, 'A', 'A'), swapped], {}, { headers });
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 6 }]);
  });
});

test('with --yes, a few identical rows are held if their file does not continue an earlier file', async () => {
  await using it = await openImport();
  await send(it, toys(10));
  const { summary, exitCode } = await send(
    it,
    [...toys(2), ...toys(8, 50)],
    { yes: true },
    { name: 'aunt.csv' },
  );
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 8, held: 2 }]);
  expect((await results(it, summary.files.results))[0]).toEqual(['held', expect.any(String), 'sent_before']);
  expect(it.items()).toHaveLength(18);
});

describe('a row with the identifier of a row that was sent', () => {
  const headers = ['name', 'custom_fields.SKU', 'estimated_value'];
  const rows = (value: string) => [
    ['Rover', 'R-1', value],
    ['Lander', 'L-7', '5'],
    ['Probe', 'P-3', '9'],
  ];

  test('counts as a new item if its values differ and several rows of that file share the identifier', async () => {
    await using it = await openImport();
    const shared = (value: string) => ['Wheel', 'W-1', value];
    await send(it, [...rows('10'), shared('1'), shared('2')], {}, { headers });
    const { summary } = await send(
      it,
      [...rows('10'), shared('1'), shared('2'), shared('3')],
      { onlyNew: true },
      { headers },
    );
    expect(summary.rows).toMatchObject({ created: 1, skipped: 5, held: 0 });
    // In this file it stands once, as a number of a single thing would.
    const next = await send(it, [...rows('10'), shared('4')], { onlyNew: true }, { headers });
    expect(next.summary.rows).toMatchObject({ created: 1, skipped: 3, held: 0 });
  });

  test('is held if a spreadsheet program has rewritten it in a later version of the file', async () => {
    await using it = await openImport();
    const headers = ['name', 'sku', 'value'];
    const codes = (...all: string[]) => all.map((code, index) => [`Toy ${index}`, code, '5']);
    await send(it, codes('007', '4006870000001', '4006870000002', 'X9'), {}, { headers });
    const { exitCode, summary } = await send(
      it,
      codes('7', '4.00687E+12', '4,00687E+12', 'X9', '8'),
      { onlyNew: true },
      { headers },
    );
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, skipped: 1, held: 3 }]);
    expect(it.names()).toEqual(['Toy 0', 'Toy 1', 'Toy 2', 'Toy 3', 'Toy 4']);
    // The rewritten code is no value to give the item, and finds none.
    const { undecided } = (await it.run((deps) => showJob(summary.job, deps))).summary;
    expect(commandsOf(undecided?.rows[0]?.otherwise ?? [], {})).not.toMatch(/--as mine|--match/);
  });

  test.each([
    ['12-11', '12-Nov'],
    ['12-11', '11. Dez'],
    ['12/11', '2026-11-12'],
    ['12.11', '12. Nov'],
    ['4/64', 'Apr-64'],
    ['4-2031', '01.04.2031'],
    ['MAR1', '1-Mar'],
    ['0012.50', '12,5'],
    ['1E5', '1.00E+05'],
    ['12345678901234567890', '12345678901234500000'],
    ['1:43', '01:43:00'],
    ['(5)', '-5'],
    ['5%', '5.00%'],
  ])('is held if its code %s has become %s', async (code, saved) => {
    await using it = await openImport();
    const headers = ['name', 'sku', 'value'];
    const rows = (first: string) => [
      ['Alpha', first, '5'],
      ['Beta', 'X9', '5'],
    ];
    await send(it, rows(code), {}, { headers });
    const { exitCode, summary } = await send(it, rows(saved), { onlyNew: true }, { headers });
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 0, skipped: 1, held: 1 }]);
  });

  test.each([
    ['12-11', '12-Nov', '3-4'],
    ['12-11', '11-12', 'X9'],
    ['3-4', '2024-03-04', 'X9'],
    ['3-4', '1.2.3', 'X9'],
    ['MAR-5', 'MAR-105', 'X9'],
    ['100000', '100001', 'X9'],
  ])('is another item if its code only looks like it: %s, %s beside %s', async (code, other, beside) => {
    await using it = await openImport();
    const headers = ['name', 'sku', 'value'];
    const first = [['Alpha', code, '5']];
    await send(it, first, {}, { headers });
    const rows = [...first, ['Beta', other, '5'], ['Gamma', beside, '5']];
    const { exitCode, summary } = await send(it, rows, { onlyNew: true }, { headers });
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 2, skipped: 1 }]);
  });

  test('is a different item if a file that kept the leading zeros of its codes has both', async () => {
    await using it = await openImport();
    const headers = ['name', 'sku', 'value'];
    const first = [
      ['Alpha', '0071', '5'],
      ['Beta', '71', '6'],
    ];
    await send(it, first, {}, { headers });
    const next = [
      ['Gamma', '44', '1'],
      ['Alpha', '0071', '9'],
      ['Beta', '71', '6'],
    ];
    const { exitCode, summary } = await send(it, next, { onlyNew: true }, { headers });
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, skipped: 1, held: 1 }]);
    const more = [...first, ['Delta', '071', '2']];
    const later = await send(it, more, { onlyNew: true }, { headers });
    expect(later.summary.rows).toMatchObject({ created: 1, skipped: 2, held: 0 });
  });

  test('is held if its values differ, with the command that updates its item', async () => {
    await using it = await openImport();
    await send(it, rows('10'), {}, { headers });
    const { summary, exitCode } = await send(
      it,
      [...rows('12'), ['Dish', 'D-1', '3']],
      { onlyNew: true },
      { headers },
    );
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, skipped: 2, held: 1 }]);
    const text = await it.read(summary.files.results);
    expect(text).toMatch(/row_changed.*was sent before with other values/);
    const { undecided } = (await it.run((deps) => showJob(summary.job, deps))).summary;
    expect(commandsOf(undecided?.rows[0]?.otherwise ?? [], {})).toMatch(
      /shelflift import \S*toys.csv --mode update --match custom_fields.SKU/,
    );
    expect(it.names()).toEqual(['Dish', 'Lander', 'Probe', 'Rover']);

    // Once that command has run, the item holds all of it.
    await it.import({ file: `${it.folder}/toys.csv`, mode: 'update', match: ['custom_fields.SKU'] });
    const again = await send(
      it,
      [...rows('12'), ['Dish', 'D-1', '3'], ['Flag', 'F-1', '1']],
      { onlyNew: true },
      { headers },
    );
    expect([again.exitCode, again.summary.rows]).toMatchObject([0, { created: 1, skipped: 4, held: 0 }]);
  });

  test('is new if the column only counts the rows', async () => {
    await using it = await openImport();
    const numbered = ['name', 'custom_fields.No'];
    await send(
      it,
      [
        ['Rover', '1'],
        ['Lander', '2'],
        ['Probe', '3'],
      ],
      {},
      { headers: numbered },
    );
    const { summary } = await send(
      it,
      [
        ['Ark', '1'],
        ['Boat', '2'],
        ['Canoe', '3'],
        ['Dhow', '4'],
      ],
      { yes: true },
      { headers: numbered },
    );
    expect(summary.rows).toMatchObject({ held: 0, created: 4 });
  });
});

describe('an interrupted import that is resumed', () => {
  /** Sends a part of the first file, as an interrupted run leaves it. */
  const begin = async (it: OpenImport) => (await send(it, toys(10), { first: 4 })).summary.job;

  test('sends every row once, even if a longer version of the file is imported before the resume', async () => {
    await using it = await openImport();
    const first = await begin(it);
    const events: ImportEvent[] = [];
    const file = await it.file('toys.csv', csv(HEADERS, toys(13)));
    const longer = await it.import(
      { file, run: { onlyNew: true } },
      { onEvent: (event) => events.push(event) },
    );
    expect(longer.summary.rows).toMatchObject({ created: 3, skipped: 10 });
    expect(events).toContainEqual({
      type: 'note',
      message: expect.stringContaining(`job ${first} has not sent 6 of them yet`),
      said: expect.anything(),
    });
    expect((await it.resume(first)).summary.rows.created).toBe(10);
    expect(it.names()).toEqual(namesOf(13));
  });

  test('sends every row once if it was cancelled and a longer version of the file is imported next', async () => {
    await using it = await openImport();
    const first = await begin(it);
    await it.ledger.jobs.update(first, { state: 'cancelled' });
    const longer = await send(it, toys(13), { onlyNew: true });
    expect(longer.summary.rows).toMatchObject({ created: 9, skipped: 4 });
    // What a cancelled job has left is compared again before it is sent after all.
    expect((await it.apply(first)).summary.error?.code).toBe('rows_sent_before');
    expect((await it.apply(first, { onlyNew: true })).summary.rows).toMatchObject({ created: 4, skipped: 6 });
    expect(it.names()).toEqual(namesOf(13));
  });

  test('sends every row once if a longer version was imported before it was cancelled, and again after', async () => {
    await using it = await openImport();
    const first = await begin(it);
    const left = await send(it, toys(13), { onlyNew: true });
    expect(left.summary.rows).toMatchObject({ created: 3, skipped: 10 });
    await it.run((deps) => cancelJob(first, deps));
    expect((await send(it, toys(13), { onlyNew: true })).summary.rows).toMatchObject({ created: 6 });
    expect((await it.apply(first, { onlyNew: true })).summary.rows).toMatchObject({ created: 4, skipped: 6 });
    expect(it.names()).toEqual(namesOf(13));
  });

  test('sends its rows if a file with more equal rows left them to it, and sent the others', async () => {
    await using it = await openImport();
    const equal = (count: number) => Array.from({ length: count }, () => ['Toy 1', 'Kenner', '1984']);
    const first = (await send(it, equal(4), { first: 1 })).summary.job;
    expect((await send(it, equal(6), { onlyNew: true })).summary.rows).toMatchObject({ created: 2 });
    await it.run((deps) => cancelJob(first, deps));
    expect((await it.apply(first, { onlyNew: true })).summary.rows).toMatchObject({ created: 4 });
    expect(it.items()).toHaveLength(6);
  });

  test('sends every row once if a longer version of the file is imported at the same time', async () => {
    await using it = await openImport();
    const file = await it.file('a.csv', csv(HEADERS, toys(10)));
    const longer = await it.file('b.csv', csv(HEADERS, toys(13)));
    const run: RunOptions = { onlyNew: true };
    const ended = await Promise.all([file, longer].map((each) => it.import({ file: each, run })));
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(it.names()).toEqual(namesOf(13));
  });
});

describe('rows that an undo has taken back', () => {
  const undo = (it: OpenImport, job: string) =>
    it.run((deps) => undoJob(job, deps, { run: { quietPeriodMs: 1 } }));

  test('count as never sent: the same file, and a longer file, are imported again', async () => {
    await using it = await openImport();
    const { summary } = await send(it, toys(5));
    await undo(it, summary.job);
    const again = await send(it, toys(5));
    expect([again.summary.state, again.summary.rows.created]).toEqual(['done', 5]);
    await undo(it, again.summary.job);
    expect((await send(it, toys(7))).summary.rows).toMatchObject({ created: 7 });
    expect(it.items().filter(({ status }) => status !== 'archived')).toHaveLength(7);
  });

  test('still count as sent if their undo was held, and count again once the undo is undone', async () => {
    await using it = await openImport();
    const { summary } = await send(it, toys(5));
    const mine = it.items().find(({ name }) => name === 'Toy 2');
    await it.run(({ client }) => client.updateItem(mine?.id ?? '', { brand: 'Mattel' }));
    const undone = await undo(it, summary.job);
    expect(undone.summary.rows).toMatchObject({ updated: 4, held: 1 });
    const again = await send(it, toys(5), { onlyNew: true });
    expect(again.summary.rows).toMatchObject({ created: 4, skipped: 1 });
    await undo(it, again.summary.job);
    await undo(it, undone.summary.job);
    expect((await send(it, toys(6), { onlyNew: true })).summary.rows).toMatchObject({
      created: 1,
      skipped: 5,
    });
  });

  test('are held if a spreadsheet program has since rewritten their codes', async () => {
    await using it = await openImport();
    const headers = ['name', 'sku', 'value'];
    const rows = (...codes: string[]) => codes.map((code, index) => [`Toy ${index}`, code, '5']);
    const { summary } = await send(it, rows('007', '12-11', 'X9'), {}, { headers });
    await undo(it, summary.job);
    const saved = rows('7', '12-Nov', 'X9');
    const again = await send(it, saved, {}, { headers });
    expect([again.exitCode, again.summary.rows]).toMatchObject([3, { created: 1, held: 2 }]);
    const lines = await it.read(again.summary.files.results);
    expect(lines).toMatch(/sent_before,sku,[^\n]*sku 007 to 7 \(row 2 of toys.csv/);
    const wanted = await send(it, [...saved, ['Toy 3', '8', '5']], { allRows: true }, { headers });
    expect(wanted.summary.rows.created).toBe(4);
  });

  test('may still be taken back by an undo that an outage stopped before its first change', async () => {
    await using it = await openImport();
    const { summary } = await send(it, toys(3));
    const down = () =>
      Promise.reject(new UnreachableError('unreachable', asWritten('no answer'), { applied: 'no' }));
    const parked = await it.run((deps) => undoJob(summary.job, deps, { run: { waitMs: 1, yes: true } }), {
      wrap: (client) => overriding(client, { getItem: down, listItems: down }),
    });
    expect([parked.exitCode, parked.summary.state]).toEqual([6, 'parked_unreachable']);
    expect((await it.ledger.jobs.find(parked.summary.job)).firstSentAt).toBeUndefined();
    const again = await send(it, toys(3), { yes: true });
    expect([again.exitCode, again.summary.rows]).toMatchObject([3, { created: 0, held: 3 }]);
    expect(await it.read(again.summary.files.results)).toContain(parked.summary.job);

    // Whoever does not want it cancels it.
    await it.run((deps) => cancelJob(parked.summary.job, deps));
    expect((await send(it, toys(3))).summary.state).toBe('already_applied');
  });

  test('match no key of an upsert', async () => {
    await using it = await openImport();
    const { summary } = await send(it, toys(4));
    await undo(it, summary.job);
    const file = await it.file('more.csv', csv(HEADERS, toys(4)));
    const upsert = async () => (await it.import({ file, mode: 'upsert', match: ['name'] })).summary.rows;
    expect(await upsert()).toMatchObject({ created: 4, invalid: 0 });
    expect(await upsert()).toMatchObject({ created: 0, unchanged: 4, invalid: 0 });
  });
});

test('a dry run with --check-similar --similar skip plans exactly the creates of the import, and apply uses the same choice', async () => {
  await using it = await openImport();
  it.sandbox.control.insertItems(
    toys(5).map(([name = '', brand = '']) => ({ name, brand, release_year: 1984 })),
  );
  const file = await it.file('toys.csv', csv(HEADERS, toys(6)));
  const dry = await it.import({ file, dryRun: true, checkSimilar: true, run: { similar: 'skip' } });
  expect(dry.summary.plan).toMatchObject({ create: 1, skipped: 5 });
  expect((await it.apply(dry.summary.job)).summary.rows).toMatchObject({ created: 1, skipped: 5 });
  const all = await it.import({
    file: await it.file('toys.csv', csv(HEADERS, toys(6).reverse())),
    dryRun: true,
    checkSimilar: true,
    run: { similar: 'create', allRows: true },
  });
  expect(all.summary.plan).toMatchObject({ create: 6 });
  expect((await it.apply(all.summary.job)).summary.rows).toMatchObject({ created: 6 });
});

test('with a quantity, rows that were already sent are counted in items, as in the plan', async () => {
  await using it = await openImport();
  const rows = (count: number) => toys(count).map((row) => [...row, '2']);
  const request = { map: { quantity: 'Pieces' } };
  await it.import({ file: await it.file('toys.csv', csv([...HEADERS, 'Pieces'], rows(3))), ...request });
  const more = await it.file('toys.csv', csv([...HEADERS, 'Pieces'], rows(4)));
  await expect(it.import({ file: more, ...request })).rejects.toMatchObject({
    message: expect.stringMatching(/^6 of 8 items were sent before .*; 2 are new\./),
    remedy: expect.stringContaining('To create all 8 items: all-rows.'),
  });
});

test('identical rows of one file are all sent, and a note says so', async () => {
  await using it = await openImport();
  const [one = [], two = []] = toys(2);
  const events: ImportEvent[] = [];
  const file = await it.file('toys.csv', csv(HEADERS, [one, two, one, two, one, ...toys(3, 10)]));
  const { summary } = await it.import({ file }, { onEvent: (event) => events.push(event) });
  expect(summary.rows.created).toBe(8);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      message: expect.stringMatching(
        /^3 rows repeat earlier rows of the file \(4 = 2, 5 = 3, 6 = 2\): each becomes/,
      ),
    }),
  );
});

test('identical rows are found among thousands of rows', () => {
  const rows = new EqualRows();
  for (let row = 0; row < 50_000; row += 1)
    rows.add({ input: `{"name":"Toy ${row % 49_990}"}`, collection: null, sheetRow: row + 2 });
  expect(rows.note()?.params).toMatchObject({
    rows: 10,
    pairs: expect.arrayContaining(['49992 = 2', '49993 = 3']),
  });
  rows.add({ input: '{"name":"Toy 1"}', collection: 'Other', sheetRow: 1 });
  rows.add({ input: null, collection: null, sheetRow: 1 });
  expect(rows.note()?.params).toMatchObject({ rows: 10 });
});

describe('rows of an upsert without a key', () => {
  const rows = 'SKU,Name\nK-1,Toy 1\n,No key A\n,No key B\n';
  const upsert = async (it: OpenImport, text = rows, more: Partial<ImportRequest> = {}, name = 'stock.csv') =>
    it.import({
      file: await it.file(name, text),
      mode: 'upsert',
      match: ['custom_fields.sku'],
      map: { 'custom_fields.sku': 'SKU' },
      ...more,
    });

  test('create their items once, however often the file is imported', async () => {
    await using it = await openImport();
    await upsert(it);
    const dry = await upsert(it, rows, { dryRun: true });
    expect(dry.summary.rows).toMatchObject({ pending: 0, skipped: 2, unchanged: 1 });
    const again = await upsert(it, `${rows},No key C\n`);
    expect([again.exitCode, again.summary.rows]).toMatchObject([0, { created: 1, skipped: 2, unchanged: 1 }]);
    const both = await upsert(it, rows, { run: { allRows: true } });
    expect(both.summary.rows).toMatchObject({ created: 2 });
    expect(it.items()).toHaveLength(6);
  });

  test('are held if they are few and their file does not continue another file', async () => {
    await using it = await openImport();
    await upsert(it);
    const other = await upsert(it, 'SKU,Name\n,No key A\n,X\n,Y\n,Z\nK-1,Toy 1\n', {}, 'other.csv');
    expect([other.exitCode, other.summary.rows]).toMatchObject([3, { created: 3, held: 1, unchanged: 1 }]);
  });
});

test.each([false, true])(
  'a changed row is known by its code (a list with only its name since: %s)',
  async (isSince) => {
    await using it = await openImport();
    const stock = (price: number) =>
      csv(
        ['name', 'sku', 'price'],
        [
          ['Robot', 'A-1', String(price)],
          ['Car', 'B-2', '20'],
          ['Boat', 'C-3', '30'],
        ],
      );
    await it.import({ file: await it.file('stock.csv', stock(10)) });
    if (isSince) {
      const names = await it.import({ file: await it.file('fair.csv', 'name\nRobot\n'), run: { yes: true } });
      expect(names.summary.rows.created).toBe(1);
    }
    const again = await it.import({ file: await it.file('stock.csv', stock(12)), run: { onlyNew: true } });
    expect([again.exitCode, again.summary.rows]).toMatchObject([3, { held: 1, skipped: 2 }]);
  },
);

test('a row whose file says more of it by a code is held if a list with only its name was sent', async () => {
  await using it = await openImport();
  const names = ['Robot', 'Car', 'Boat'];
  const list = csv(
    ['Name'],
    names.map((name) => [name]),
  );
  await it.import({ file: await it.file('stock.csv', list) });
  const [car] = it.items().filter(({ name }) => name === 'Car');
  await it.run(({ client }) => client.updateItem(car?.id ?? '', { custom_fields: { SKU: 'A-2' } }));
  const rows = [
    ['Robot', 'A-9'],
    ['Car', 'A-2'],
    ['Kite', 'K-1'],
  ];
  const file = await it.file('stock.csv', csv(['Name', 'SKU'], rows));
  const again = await it.import({ file, run: { yes: true } });
  expect(again).toMatchObject({ exitCode: 3, summary: { rows: { created: 1, held: 1, skipped: 1 } } });
  const held = await it.ledger.rows.list(again.summary.job, { states: ['held'], after: 0, limit: 10 });
  expect(held.map(({ issues: [issue] }) => issue)).toMatchObject([{ code: 'row_changed', column: 'name' }]);
  // The same file once more is known by its codes.
  const once = await it.import({ file, run: { onlyNew: true } });
  expect(once.summary.rows).toMatchObject({ created: 0, held: 1, skipped: 2 });
});
