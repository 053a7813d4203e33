/** Mending a staged job: its rows are judged again without the file. */
import { english } from '../../src/messages/message.ts';
import { fieldsOfCreate } from '../../src/import/engine/input.ts';
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { findJudging, judgeOnceMore, writeJudging } from '../../src/import/job/judging.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { jobLane } from '../../src/import/job/runs-elsewhere.ts';
import { changesOf } from '../../src/import/correction/correction-options.ts';
import { correctionQuestions } from '../../src/import/correction/questions.ts';
import {
  finishCorrection,
  type CorrectionRequest,
  correctJob,
  correctAndReport,
} from '../../src/import/correction/correct-job.ts';
import { jobColumns, jobRows, correctionSteps } from '../../src/import/correction/job-rows.ts';
import { issuesOf } from '../../src/import/results/issues.ts';
import { rowPages } from '../../src/import/job/row-pages.ts';
import type { LedgerRow } from '../../src/ledger/ledger.ts';
import { german } from '../../src/messages/german.ts';
import type { Message } from '../../src/messages/params.ts';
import { csv, parseCsv } from '../support/csv.ts';
import { openImport, type OpenImport, type RunSetting } from '../support/open-import.ts';

async function open(headers: string[], rows: string[][], request = {}) {
  const at = await openImport();
  const file = await at.file('toys.csv', csv(headers, rows));
  const { summary } = await at.import({ file, ...request });
  await rm(file);
  const mend = (asked: CorrectionRequest, setting?: RunSetting) =>
    at.run((deps) => correctAndReport(summary.job, asked, deps), setting);
  return { at, job: summary.job, mend, summary };
}

async function rowsOf(at: OpenImport, job: string): Promise<LedgerRow[]> {
  return (await Array.fromAsync(rowPages(at.ledger, job))).flat();
}

const created = (at: OpenImport) =>
  at
    .items()
    .map(({ name, condition, estimated_value: value }) => [name, condition, value])
    .sort(([a], [b]) => String(a).localeCompare(String(b)));

it('a word is corrected for all rows, the job is sent, and importing the file again adds nothing', async () => {
  const headers = ['name', 'condition', 'estimated_value'];
  const rows = [
    ['Robot', 'C7', '5'],
    ['Car', 'mint on card', '6'],
    ['Bear', 'C7', '7'],
  ];
  const { at, job, mend, summary } = await open(headers, rows, { strict: true });
  await using _ = at;
  expect(summary).toMatchObject({ state: 'planned', rows: { invalid: 2, pending: 1 } });
  const mended = await mend({
    changes: [{ type: 'word', field: 'condition', word: 'C7', means: 'loose_good' }],
  });
  expect(mended.summary).toMatchObject({ state: 'planned', rows: { read: 3, invalid: 0, pending: 3 } });
  expect(mended.exitCode).toBe(0);
  expect((await at.apply(job)).summary.rows.created).toBe(3);
  expect(created(at)).toEqual([
    ['Bear', 'loose_good', 7],
    ['Car', 'mint_on_card', 6],
    ['Robot', 'loose_good', 5],
  ]);
  const again = await at.import({ file: await at.file('toys.csv', csv(headers, rows)) });
  expect(again.summary.state).toBe('already_applied');
});

it('mend corrects columns, defaults, options, rules, cells and rows, and each step can be undone', async () => {
  const { at, job, mend } = await open(
    ['Title', 'Shelf', 'Worth', 'Note'],
    [
      ['Robot', 'A1', '1.234', 'x'],
      ['', 'A2', '2', ''],
      ['Bear', 'A3', 'much', 'sold'],
      ['Car', 'B1', '3', ''],
    ],
    { map: { name: 'Title' }, dropUnknown: true },
  );
  await using _ = at;
  const before = await rowsOf(at, job);
  const { steps, summary } = await mend({
    changes: [
      { type: 'map', field: 'estimated_value', column: 'C' },
      { type: 'keep', column: 'Shelf' },
      { type: 'option', field: 'estimated_value', option: 'decimal', value: 'comma' },
      { type: 'default', field: 'name', value: 'Nameless' },
      { type: 'condition', when: { from: 'Note', is: ['sold'] }, set: { status: 'sold' } },
      { type: 'cell', row: 4, column: 'Worth', text: '1,50' },
      { type: 'omit', row: 5 },
    ],
  });
  expect(steps).toHaveLength(1);
  expect(summary.rows).toMatchObject({ read: 4, pending: 3, skipped: 1, invalid: 0 });
  const inputs = (await rowsOf(at, job)).map((row) => (row.input === null ? null : fieldsOfCreate(row)));
  expect(inputs).toEqual([
    { name: 'Robot', estimated_value: 1234, custom_fields: { Shelf: 'A1' } },
    { name: 'Nameless', estimated_value: 2, custom_fields: { Shelf: 'A2' } },
    { name: 'Bear', estimated_value: 1.5, status: 'sold', custom_fields: { Shelf: 'A3' } },
    null,
  ]);
  expect((await rowsOf(at, job))[2]?.notes?.map(english)).toEqual(['Worth corrected from "much" to "1,50"']);
  await mend({ changes: [{ type: 'omit', row: 2 }] });
  expect((await mend({ undo: 1 })).summary.rows).toMatchObject({ pending: 3, skipped: 1 });
  await mend({ undo: 1 });
  expect(await rowsOf(at, job)).toEqual(before);
});

it('an invalid correction is refused, and nothing is changed', async () => {
  const { at, job, mend } = await open(['name', 'Shelf'], [['Robot', 'A1']], { dryRun: true });
  await using _ = at;
  const before = await rowsOf(at, job);
  const refused: [CorrectionRequest['changes'], string][] = [
    [[{ type: 'map', field: 'brand', column: 'Maker' }], 'bad_change'],
    [[{ type: 'map', field: 'colour', column: 'Shelf' }], 'bad_change'],
    [[{ type: 'word', field: 'condition', word: 'C7', means: 'fine' }], 'bad_change'],
    [[{ type: 'option', field: 'brand', option: 'no_such', value: true }], 'bad_change'],
    [[{ type: 'cell', row: 77, column: 'name', text: 'x' }], 'bad_change'],
    [[{ type: 'ignore', column: 'name' }], 'no_name_column'],
  ];
  for (const [changes = [], code] of refused) await expect(mend({ changes })).rejects.toMatchObject({ code });
  expect(await rowsOf(at, job)).toEqual(before);
  expect((await findJudging(job, at.ledger))?.steps).toEqual([]);
  const lease = await at.ledger.lanes.acquire(jobLane(job), job);
  await expect(mend({ undo: 1 })).rejects.toMatchObject({ code: 'job_runs_elsewhere' });
  if ('token' in lease) await lease.release();
});

it('mend leaves sent rows as they are and changes the others, and the job continues', async () => {
  const { at, job, mend } = await open(
    ['name', 'estimated_value', 'Shelf'],
    [
      ['Robot', '1', 'A'],
      ['Car', '2', 'B'],
      ['Bear', 'cheap', 'C'],
    ],
    { run: { first: 1 }, skipInvalid: true },
  );
  await using _ = at;
  const [sent] = (await rowsOf(at, job)).filter(({ state }) => state === 'done');
  const mended = await mend({
    changes: [
      { type: 'keep', column: 'Shelf' },
      { type: 'cell', row: 4, column: 'estimated_value', text: '3' },
    ],
  });
  expect(mended.summary).toMatchObject({ state: 'paused', rows: { created: 1, pending: 2, invalid: 0 } });
  expect((await rowsOf(at, job)).find(({ ordinal }) => ordinal === sent?.ordinal)).toEqual(sent);
  expect((await at.resume(job)).summary).toMatchObject({ state: 'done', rows: { created: 3 } });
  const shelves = at.items().map(({ name, custom_fields: own }) => [name, own?.['Shelf']]);
  expect(
    shelves.filter(([name]) => name !== 'Robot').sort(([a], [b]) => String(a).localeCompare(String(b))),
  ).toEqual([
    ['Bear', 'C'],
    ['Car', 'B'],
  ]);
});

it('mapping, raising or lowering a quantity later adds or leaves out copies', async () => {
  const { at, job, mend } = await open(
    ['name', 'Pieces'],
    [
      ['Robot', '3'],
      ['Car', '1'],
      ['Bear', '2x'],
    ],
    { dryRun: true },
  );
  await using _ = at;
  const mapped = await mend({ changes: [{ type: 'map', field: 'quantity', column: 'Pieces' }] });
  expect(mapped.summary.rows).toMatchObject({ read: 5, pending: 4, invalid: 1 });
  const more = await mend({ changes: [{ type: 'cell', row: 4, column: 'Pieces', text: '2' }] });
  expect(more.summary.rows).toMatchObject({ read: 6, pending: 6 });
  const less = await mend({ changes: [{ type: 'cell', row: 2, column: 'Pieces', text: '2' }] });
  expect(less.summary.rows).toMatchObject({ read: 6, pending: 5, skipped: 1 });
  await at.apply(job);
  expect(at.names()).toEqual(['Bear', 'Bear', 'Car', 'Robot', 'Robot']);
});

it('an update is planned again after mending, and unchanged rows are compared again', async () => {
  const at = await openImport();
  await using _ = at;
  at.sandbox.control.insertItems([
    { name: 'a', status: 'keep', custom_fields: { sku: 'A' } },
    { name: 'b', status: 'keep', custom_fields: { sku: 'B' } },
  ]);
  const file = await at.file(
    'changes.csv',
    csv(
      ['custom_fields.sku', 'status', 'Stand'],
      [
        ['A', 'keep', 'sold'],
        ['B', 'keep', 'keep'],
      ],
    ),
  );
  const { summary } = await at.import({ file, mode: 'update', match: ['custom_fields.sku'], dryRun: true });
  expect(summary.rows).toMatchObject({ unchanged: 2, pending: 0 });
  const mended = await at.run((deps) =>
    correctAndReport(summary.job, { changes: [{ type: 'map', field: 'status', column: 'Stand' }] }, deps),
  );
  expect(mended.summary.plan).toMatchObject({ update: 1, unchanged: 1 });
  await at.apply(summary.job);
  expect(
    at
      .items()
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['keep', 'sold']);
});

it('a correction that was killed is completed before anything is sent', async () => {
  const { at, job } = await open(['name', 'condition'], [['Robot', 'C7']], { strict: true });
  await using _ = at;
  const judging = await findJudging(job, at.ledger);
  if (judging === undefined) throw new Error('not kept');
  const change = { type: 'word', field: 'condition', word: 'C7', means: 'damaged' } as const;
  // As after a kill right behind the store of the corrections.
  const steps = [{ number: 1, at: '', changes: [change] }];
  await writeJudging(job, { ...judging, revision: 1, pending: true, steps }, at.ledger);
  await at.apply(job);
  expect(created(at)).toEqual([['Robot', 'damaged', null]]);
});

it('a plan that is mended during a question to a person needs confirmation again before it is sent', async () => {
  const at = await openImport();
  await using _ = at;
  const items = Array.from({ length: 3 }, (_, index) => ({ name: `toy ${index}`, status: 'keep' as const }));
  at.sandbox.control.insertItems(items);
  const rows = at.items().map(({ id }) => [id, 'sold', 'trade']);
  const file = await at.file('changes.csv', csv(['id', 'status', 'Later'], rows));
  const { summary } = await at.import({ file, mode: 'update', dryRun: true });
  let asked = 0;
  await at.apply(
    summary.job,
    { maxChanges: 1 },
    {
      confirm: async () => {
        asked += 1;
        if (asked === 1)
          await at.run((deps) =>
            correctAndReport(
              summary.job,
              { changes: [{ type: 'map', field: 'status', column: 'Later' }] },
              deps,
            ),
          );
        return true;
      },
    },
  );
  expect(asked).toBe(2);
  expect(at.items().map(({ status }) => status)).toEqual(['trade', 'trade', 'trade']);
});

it('mend shows problems by reason, rows page by page, and the columns and corrections', async () => {
  const toys = Array.from({ length: 9 }, (_, at) => [
    `Toy ${at}`,
    at % 3 === 0 ? 'Z7' : 'damaged',
    at === 3 ? 'x' : '1',
  ]);
  const { at, job, mend } = await open(['Name', 'Condition', 'Value'], toys);
  await using _ = at;
  expect(await issuesOf(job, at.ledger)).toMatchObject([
    { code: 'unknown_word', column: 'B', header: 'Condition', rows: 3, values: [{ text: 'Z7', rows: 3 }] },
    { code: 'not_a_number', column: 'C', rows: 1, firstRows: [{ row: 5 }] },
  ]);
  await mend({ changes: [{ type: 'cell', row: 2, column: 'Condition', text: 'damaged' }] });
  expect((await correctionSteps(job, at.ledger)).map(({ changes }) => changes.length)).toEqual([1]);
  const words = { reason: { code: 'unknown_word', column: 'B' }, limit: 1 };
  const { rows, next = 0 } = await jobRows(job, at.ledger, words);
  expect(rows).toMatchObject([{ row: 5, state: 'invalid', cells: ['Toy 3', 'Z7', 'x'], mendable: true }]);
  expect((await jobRows(job, at.ledger, { ...words, after: next })).rows).toMatchObject([{ row: 8 }]);
  const corrected = await jobRows(job, at.ledger, { corrected: true });
  expect(corrected).toEqual({ rows: [expect.objectContaining({ row: 2, corrected: { B: 'damaged' } })] });
  expect(corrected.rows[0]?.fields).toEqual({ name: 'Toy 0', condition: 'damaged', estimated_value: 1 });
  expect((await jobColumns(job, at.ledger)).map(({ letter, target }) => [letter, target])).toEqual([
    ['A', 'name'],
    ['B', 'condition'],
    ['C', 'estimated_value'],
  ]);
});

it('the error about an invalid option names the option, not a position in a template', async () => {
  const { at, mend } = await open(['name', 'Year'], [['Robot', '1902']], { dryRun: true });
  await using _ = at;
  const refused = (option: string, value: string) =>
    mend({ changes: [{ type: 'option', field: 'release_year', option, value }] }).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
  expect(await refused('outOfRange', 'foo')).toBe(
    'release_year: outOfRange "foo": expected one of issue, blank, keep, found text. Nothing was changed.',
  );
  expect(await refused('decimal', 'point')).toBe(
    'release_year: decimal "point": only for estimated_value, and custom fields as money or decimal. Nothing was changed.',
  );
  expect(await refused('foo', 'bar')).toMatch(
    /^release_year: foo "bar": is unknown: expected .*\. Nothing was changed\.$/,
  );
});

it('blank cells below a merged cell are filled in from above, on request', async () => {
  const { at, job, mend } = await open(
    ['Brand', 'name', 'estimated_value'],
    [
      ['Märklin', 'Loco', '1.234'],
      ['', 'Wagon', '5'],
      ['Faller', 'House', '7'],
      ['', 'Church', '1,50'],
    ],
    { dryRun: true },
  );
  await using _ = at;
  const brands = async () => (await rowsOf(at, job)).map((row) => fieldsOfCreate(row)['brand']);
  expect(await brands()).toEqual(['Märklin', undefined, 'Faller', undefined]);
  await mend({ changes: [{ type: 'option', field: 'brand', option: 'fillDown', value: true }] });
  expect(await brands()).toEqual(['Märklin', 'Märklin', 'Faller', 'Faller']);
  expect((await rowsOf(at, job))[1]?.notes?.map(english)).toEqual(['Brand filled down: "Märklin"']);
  // A row that is left out stands above the others all the same.
  await mend({ changes: [{ type: 'omit', row: 4 }] });
  expect((await brands())[3]).toBe('Faller');
});

it('the rejects file of a filled-down file contains the filled values, so it can be imported on its own', async () => {
  const at = await openImport();
  await using _ = at;
  const rows = [
    ['Märklin', 'Loco', '1950'],
    ['', 'Wagon', 'x'],
    ['Faller', 'House', '1990'],
    ['', 'Church', 'y'],
  ];
  const file = await at.file('toys.csv', csv(['Brand', 'name', 'Year'], rows));
  const template = await at.file(
    't.yaml',
    'name: t\ncolumns:\n  brand: { from: Brand, fillDown: true }\n  name: name\n  release_year: Year\n',
  );
  const { summary } = await at.import({ file, template });
  const rejects = parseCsv(await at.read(summary.files.rejects));
  expect(rejects.map(({ Brand, name }) => [Brand, name])).toEqual([
    ['Märklin', 'Loco'],
    ['Märklin', 'Wagon'],
    ['Faller', 'Church'],
  ]);
});

it('a template also fills down if ambiguous numbers are read a second time', async () => {
  const at = await openImport();
  await using _ = at;
  const rows = [
    ['Märklin', 'Loco', '1.234'],
    ['', 'Wagon', '1.500'],
    ['Faller', 'House', '7,50'],
    ['', 'Church', '2.000'],
  ];
  const file = await at.file('toys.csv', csv(['Brand', 'name', 'estimated_value'], rows));
  const template = await at.file('t.yaml', 'name: t\ncolumns:\n  brand: { from: Brand, fillDown: true }\n');
  await at.import({ file, template });
  const made = at.items().map(({ name, brand, estimated_value: value }) => `${name} ${brand} ${value}`);
  expect(made.toSorted()).toEqual([
    'Church Faller 2000',
    'House Faller 7.5',
    'Loco Märklin 1234',
    'Wagon Märklin 1500',
  ]);
});

it('mending warns of identical rows whenever their number changes', async () => {
  const twin = ['Twin', 'gut'];
  const { at, job } = await open(['name', 'condition'], [twin, twin, ['Other', 'loose_good']], {
    strict: true,
  });
  await using _ = at;
  const warned = async (asked: CorrectionRequest) => {
    const messages: string[] = [];
    const onEvent = (event: ImportEvent) => void (event.type === 'warning' && messages.push(event.message));
    await at.run((deps) => correctAndReport(job, asked, deps), { onEvent });
    return messages;
  };
  const word = { type: 'word', field: 'condition', word: 'gut', means: 'loose_good' } as const;
  const name = { type: 'cell', row: 4, column: 'name', text: 'Twin' } as const;
  expect(await warned({ changes: [word] })).toEqual([expect.stringMatching(/^1 row repeats .* \(3 = 2\)/)]);
  expect(await warned({})).toEqual([]);
  expect(await warned({ changes: [{ ...name, text: 'Third' }] })).toEqual([]);
  expect(await warned({ changes: [name], undo: 1 })).toEqual([expect.stringMatching(/^2 rows repeat/)]);
});

it('tags with commas are reported, and split on request', async () => {
  const notes: Message[] = [];
  const onEvent = (event: ImportEvent) =>
    void (event.type === 'note' && event.said !== undefined && notes.push(event.said));
  await using at = await openImport();
  const rows = [
    ['Robot', 'fair, boxed'],
    ['Car', 'rare'],
  ];
  const file = await at.file('toys.csv', csv(['name', 'tags'], rows));
  const { summary } = await at.import({ file, dryRun: true }, { onEvent });
  const told = notes.find(({ code }) => code === 'commas_in_tags');
  expect(told?.params).toMatchObject({ cells: 1, text: 'fair, boxed' });
  expect(told && german(told)).toContain('Eine Zelle mit Komma');
  const [action] = told?.actions ?? [];
  expect(action).toMatchObject({ do: 'mend', options: { option: 'tags:separators=,' } });
  const changes = changesOf({ options: ['tags:separators=,'] });
  await at.run((deps) => correctAndReport(summary.job, { changes }, deps));
  await at.apply(summary.job);
  expect(new Set(at.items().flatMap(({ tags }) => tags))).toEqual(new Set(['boxed', 'fair', 'rare']));
});

it('checking a single cell gives the same result as checking all rows', async () => {
  const headers = ['name', 'Year', 'Price', 'Collection', 'quantity'];
  const rows = [
    ['Robot', '1985', '5,50', 'Main', '2'],
    ['Car', '1959', 'ca. 20', 'Main', '1'],
    ['', '1999', '7,00', '', '1'],
    ['Bear', '1999', '€ 8,00', '', '1'],
    ['Duck', '1990', '9,00', 'Main', '1'],
  ];
  const { at, job } = await open(headers, rows, { dryRun: true, map: { quantity: 'quantity' } });
  await using _ = at;
  const step = (asked: CorrectionRequest) => at.run((deps) => correctJob(job, asked, deps));
  const cell = (row: number, column: string, text: string): CorrectionRequest => ({
    changes: [{ type: 'cell', row, column, text }],
  });
  const steps: [CorrectionRequest, number | undefined][] = [
    [cell(3, 'Year', '1995'), 1],
    [cell(3, 'Price', '20'), 1],
    [cell(4, 'name', 'Rocket'), 1],
    [cell(5, 'name', 'Teddy'), 1],
    [{ changes: [{ type: 'omit', row: 2 }] }, 2],
    [{ undo: 1 }, 2],
    [cell(2, 'Year', 'long ago'), 2],
    [{ undo: 2 }, 3],
    // Each of these may change what other rows are, or needs another look at the account.
    [cell(2, 'Price', '$ 5,50'), undefined],
    [cell(4, 'Collection', 'Nowhere'), undefined],
    [cell(4, 'Collection', 'Main'), undefined],
    [cell(6, 'quantity', '3'), undefined],
    [{ changes: [{ type: 'ignore', column: 'Year' }] }, undefined],
  ];
  for (const [asked, judged] of steps) {
    const { rows: some } = await step(asked);
    expect(some?.length, JSON.stringify(asked)).toBe(judged);
    const after = await rowsOf(at, job);
    await judgeOnceMore(job, at.ledger);
    const found = await at.ledger.jobs.find(job);
    await at.run(async (deps) => {
      await finishCorrection(found, deps, {});
    });
    expect(await rowsOf(at, job), JSON.stringify(asked)).toEqual(after);
  }
});

it('rows that look like totals can be accepted as items, singly or together, and this can be undone', async () => {
  const headers = ['name', 'brand', 'Year', 'Price'];
  const rows = [
    ['Robot', 'Acme', '1985', '5'],
    ['Car', 'Acme', '1990', '6'],
    ['Total', '', '', '99'],
    ['Bear', 'Steiff', '1999', '7'],
    ['Total value', '', '', '18'],
    ['Brands', '2', '', ''],
  ];
  const { at, job, mend, summary } = await open(headers, rows, { map: { brand: 'brand' } });
  await using _ = at;
  expect(summary.rows).toMatchObject({ read: 5, invalid: 2, pending: 3 });
  const [reason] = await issuesOf(job, at.ledger);
  expect(reason).toMatchObject({
    code: 'summary_row',
    values: [{ text: 'Total: 99' }, { text: 'Brands: 2' }],
    firstRows: [{ row: 4 }, { row: 7 }],
  });
  const before = await rowsOf(at, job);
  const [question] = correctionQuestions(await issuesOf(job, at.ledger));
  expect(question?.choices.map(({ says }) => english(says))).toEqual([
    'They are items: import all 2 rows.',
    'Only row 4 is an item.',
    'Only row 7 is an item.',
    'Leave out 2 rows with this problem.',
    'Decide later.',
  ]);

  const one = await mend({ changes: changesOf({ row: [4], accept: true }) });
  expect(one.summary.rows).toMatchObject({ invalid: 1, pending: 4 });
  const all = await mend({ changes: question?.choices[0]?.changes ?? [] });
  expect(all.summary.rows).toMatchObject({ invalid: 0, pending: 5 });
  const noted = (await rowsOf(at, job)).filter(({ notes }) => notes !== undefined);
  expect(noted.map(({ sheetRow, notes }) => [sheetRow, notes])).toEqual(
    [4, 7].map((row) => [row, [{ code: 'taken_as_item', params: {} }]]),
  );
  // Whatever else is corrected meanwhile, the problem is there again once nobody overrules it.
  await mend({ changes: [{ type: 'cell', row: 4, column: 'Price', text: '98' }] });
  expect((await mend({ undo: 3 })).summary.rows).toMatchObject({ invalid: 2, pending: 3 });
  expect(await rowsOf(at, job)).toEqual(before);

  await mend({ changes: [{ type: 'omit', row: 4 }] });
  await mend({ changes: [{ type: 'accept', row: 4 }] });
  await expect(mend({ changes: [{ type: 'accept', row: 3 }] })).rejects.toThrow(
    'row 3 does not look like a total',
  );
  await expect(mend({ changes: [{ type: 'acceptReason', code: 'required' }] })).rejects.toThrow(
    'only rows with summary_row',
  );
  expect((await at.apply(job, { skipInvalid: true })).summary.rows).toMatchObject({ created: 4, invalid: 1 });
  expect(created(at)).toContainEqual(['Total', null, 99]);
});
