import { nextText } from '../../src/cli/show/output.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csv, parseCsv, toyNames, toys } from '../support/csv.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { openImport } from '../support/open-import.ts';

const NO_ROWS = {
  read: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  invalid: 0,
  refused: 0,
  held: 0,
  pending: 0,
};

describe('a create import', () => {
  it('creates one item for each row, and reports it', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(30));
    const { summary, exitCode } = await it.import({ file });
    expect(exitCode).toBe(0);
    expect(summary.state).toBe('done');
    expect(summary.rows).toEqual({ ...NO_ROWS, read: 30, created: 30 });
    expect(summary.sheetRows).toBe(30);
    expect(it.names()).toEqual(toyNames(30));
    const results = parseCsv(await it.read(summary.files.results));
    expect(results.map((row) => row['_state'])).toEqual(Array(30).fill('created'));
    expect(results.map((row) => row['_item_id'])).toEqual(
      results.map((row) => it.items().find((item) => item.name === row['name'])?.id),
    );
    expect(results[4]?.['_row']).toBe('6');
    expect(summary.files.rejects).toBeUndefined();
  });

  it('makes only the requests of the contract, and sends the values of the row', async () => {
    await using it = await openImport();
    const file = await it.file(
      'one.csv',
      csv(
        ['name', 'year', 'condition', 'status', 'tags', 'value'],
        [['A', 1999, 'loose_good', 'sell', 'x;y', '3.5']],
      ),
    );
    await it.import({ file });
    expect(it.items()[0]).toMatchObject({
      name: 'A',
      release_year: 1999,
      condition: 'loose_good',
      status: 'sell',
      tags: ['x', 'y'],
      estimated_value: 3.5,
    });
    const { byOperation } = it.sandbox.control.counts();
    expect(Object.keys(byOperation).sort()).toEqual(['createItem', 'listCollections', 'listItems']);
    expect(byOperation.createItem).toEqual({ '201': 1 });
  });

  it('reports the earlier job if the same file was already applied, and --force imports it again', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(5));
    const first = await it.import({ file });
    const again = await it.import({ file });
    expect(again.exitCode).toBe(0);
    expect(again.summary).toMatchObject({
      state: 'already_applied',
      job: first.summary.job,
      rows: { ...NO_ROWS, read: 5, skipped: 5 },
    });
    expect(it.items()).toHaveLength(5);
    // Named by id, it is the same collection, and so the same import.
    const byId = await it.import({ file, collection: it.sandbox.teams[0]?.collections[0]?.id ?? '' });
    expect(byId.summary.state).toBe('already_applied');
    const forced = await it.import({ file, force: true });
    expect(forced.summary.rows.created).toBe(5);
    expect(it.items()).toHaveLength(10);
  });

  it('sends nothing if rows are invalid, and the valid rows with --skip-invalid', async () => {
    await using it = await openImport();
    const file = await it.file(
      'bad.csv',
      csv(
        ['name', 'year'],
        [
          ['A', 1990],
          ['B', 'soon'],
          ['', 1991],
          ['D', 1992],
        ],
      ),
    );
    const { summary, exitCode } = await it.import({ file });
    expect(exitCode).toBe(3);
    expect(summary).toMatchObject({
      state: 'planned',
      rows: { ...NO_ROWS, read: 4, invalid: 2, pending: 2 },
    });
    expect(it.items()).toHaveLength(0);
    expect((await it.ledger.jobs.find('last')).firstSentAt).toBeUndefined();
    const applied = await it.apply('last', { skipInvalid: true });
    expect(applied.exitCode).toBe(3);
    expect(applied.summary).toMatchObject({
      state: 'done',
      rows: { ...NO_ROWS, read: 4, invalid: 2, created: 2 },
    });
    expect(it.names()).toEqual(['A', 'D']);
  });

  it('needs no options to read a corrected rejects file, and adds nothing from a results file', async () => {
    await using it = await openImport();
    const file = await it.file(
      'bad.csv',
      csv(
        ['name', 'brand', 'year'],
        [
          ['A', 'x', 1990],
          ['=1+1', '-5', 'soon'],
          ["'quoted", '@home', 'later'],
        ],
      ),
    );
    const first = await it.import({ file, skipInvalid: true });
    const rejects = await it.read(first.summary.files.rejects);
    await it.file('bad.rejects.csv', rejects.replace('soon', '1995').replace('later', '1996'));
    const second = await it.import({ file: first.summary.files.rejects ?? '' });
    expect(second.summary.rows).toEqual({ ...NO_ROWS, read: 2, created: 2 });
    expect(it.names()).toEqual(["'quoted", '=1+1', 'A']);
    expect(
      it
        .items()
        .map((item) => item.brand ?? '')
        .sort(),
    ).toEqual(['-5', '@home', 'x']);
    const mistake = await it.import({ file: second.summary.files.results ?? '' });
    expect(mistake.summary.rows).toEqual({ ...NO_ROWS, read: 2, skipped: 2 });
    expect(it.items()).toHaveLength(3);
  });

  it('keeps text unchanged through any number of rejects files', async () => {
    await using it = await openImport();
    const file = await it.file('a.csv', csv(['name', 'brand', 'year'], [['=x', '+y', 'soon']]));
    const first = await it.import({ file, skipInvalid: true });
    const second = await it.import({ file: first.summary.files.rejects ?? '', skipInvalid: true });
    const third = await it.import({ file: second.summary.files.rejects ?? '', skipInvalid: true });
    const text = await it.read(third.summary.files.rejects);
    expect(text.split('\n')[1]?.startsWith("'=x,'+y,soon,2,invalid")).toBe(true);
    await it.file('mended.csv', text.replace('soon', '2001'));
    await it.import({ file: `${it.folder}/mended.csv` });
    expect(it.items()[0]).toMatchObject({ name: '=x', brand: '+y', release_year: 2001 });
  });

  it('replaces the rejects file of another store if it is identical, and otherwise keeps it', async () => {
    await using it = await openImport();
    const file = await it.file('bad.csv', 'name,year\nA,soon\nB,1990\n');
    const notes: string[] = [];
    const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
    const first = await it.import({ file, dryRun: true });
    for (const [store, year, name] of [
      ['second.db', 'soon', 'bad.rejects.csv'],
      ['third.db', 'later', 'bad.rejects-2.csv'],
    ] as const) {
      await using ledger = openSqliteLedger(join(it.folder, store));
      await it.file('bad.csv', `name,year\nA,${year}\nB,1990\n`);
      const { summary } = await it.import({ file, dryRun: true }, { ledger, onEvent });
      expect(summary.files.rejects).toBe(join(it.folder, name));
    }
    expect(await it.read(first.summary.files.rejects)).toContain('soon');
    expect(notes).toEqual([
      expect.stringMatching(/written with another store, and stays as it is\. .*-2\.csv\.$/),
    ]);
  });

  it('never overwrites a rejects file that was edited by hand', async () => {
    await using it = await openImport();
    const file = await it.file('bad.csv', csv(['name', 'year'], [['A', 'soon']]));
    const first = await it.import({ file });
    const path = await it.file('bad.rejects.csv', 'my own work\n');
    expect(first.summary.files.rejects).toBe(path);
    const second = await it.import({ file });
    expect(await it.read(path)).toBe('my own work\n');
    expect(second.summary.files.rejects).toBe(`${it.folder}/bad.rejects-2.csv`);
    // Its own file, untouched, is replaced.
    const third = await it.import({ file });
    expect(third.summary.files.rejects).toBe(`${it.folder}/bad.rejects-2.csv`);
  });

  it('expands a quantity column, and writes each refused copy to the rejects file with a quantity of one', async () => {
    await using it = await openImport();
    const content = csv(
      ['name', 'qty'],
      [
        ['A', 3],
        ['B', 1],
        ['C', 'many'],
      ],
    );
    const file = await it.file('q.csv', content);
    const map = { quantity: 'qty' };
    const { summary } = await it.import({ file, map, skipInvalid: true });
    expect(summary.rows).toEqual({ ...NO_ROWS, read: 5, created: 4, invalid: 1 });
    expect(summary.sheetRows).toBe(3);
    expect(it.names()).toEqual(['A', 'A', 'A', 'B']);

    // A collection of another team, which only the server can refuse.
    const elsewhere = it.sandbox.control.addTeam().collections[0]?.id ?? '';
    const { secret } = it.sandbox.control.addKey(['items:read', 'items:write']);
    const refused = await it.import(
      { file, map, collection: elsewhere, skipInvalid: true },
      { client: { key: secret } },
    );
    expect(refused.exitCode).toBe(3);
    expect(refused.summary.rows).toEqual({ ...NO_ROWS, read: 5, refused: 4, invalid: 1 });
    const rejects = await it.read(refused.summary.files.rejects);
    expect(parseCsv(rejects).map((row) => [row['name'], row['qty'], row['_error_code']])).toEqual([
      ['A', '1', 'invalid_request'],
      ['A', '1', 'invalid_request'],
      ['A', '1', 'invalid_request'],
      ['B', '1', 'invalid_request'],
      ['C', 'many', 'bad_quantity'],
    ]);
    const mended = await it.file('mended.csv', rejects.replace('many', '2'));
    const again = await it.import({ file: mended, map, run: { allRows: true } });
    expect(again.summary.rows.created).toBe(6);
  });

  it('reads workbooks', async () => {
    await using it = await openImport();
    const { summary } = await it.import({
      file: 'samples/action-figures.xlsx',
      template: 'action-figures',
      outDir: it.folder,
      skipInvalid: true,
    });
    expect(summary.rows.created).toBeGreaterThan(20);
    expect(it.items()).toHaveLength(summary.rows.created);
    expect(summary.files.results).toBe(`${it.folder}/action-figures.results.csv`);
  });

  it('pauses after --first, and continues from there', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(12));
    const first = await it.import({ file, run: { first: 5 } });
    expect(first).toMatchObject({
      exitCode: 0,
      summary: { state: 'paused', rows: { created: 5, pending: 7 } },
    });
    // Not finished, so the same file again is that job's own answer.
    const again = await it.import({ file });
    expect(again).toMatchObject({ exitCode: 3, summary: { state: 'paused', job: first.summary.job } });
    expect(nextText(again, {})).toContain(`jobs resume ${first.summary.job}`);
    const rest = await it.resume('last');
    expect(rest).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 12 } } });
    expect(it.names()).toEqual(toyNames(12));
    const finished = await it.resume('last');
    expect(finished).toMatchObject({
      exitCode: 0,
      summary: { requests: { sent: 0 }, rows: { created: 12 } },
    });
  });

  it('can be resumed even if --force has imported the same file in another job since', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(4));
    const first = await it.import({ file, run: { first: 1 } });
    await it.import({ file, force: true });
    const rest = await it.resume(first.summary.job);
    expect(rest.summary).toMatchObject({ job: first.summary.job, state: 'done', rows: { created: 4 } });
    expect(it.items()).toHaveLength(8);
  });
});

describe('a dry run', () => {
  it('leaves only a plan, and apply sends exactly that plan', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(7));
    const dry = await it.import({ file, dryRun: true });
    expect(dry).toMatchObject({
      exitCode: 0,
      summary: {
        state: 'planned',
        rows: { ...NO_ROWS, read: 7, pending: 7 },
        plan: { create: 7, update: 0, unchanged: 0, skipped: 0, invalid: 0 },
        files: {},
      },
    });
    expect(it.sandbox.control.counts().byOperation.createItem).toBeUndefined();
    // It is no import: neither `last` nor applied.
    await expect(it.resume('last')).rejects.toMatchObject({ code: 'no_such_job' });
    const refused = await it.resume(dry.summary.job);
    expect(refused).toMatchObject({
      exitCode: 2,
      summary: { error: { code: 'is_a_dry_run' }, rows: { pending: 7 } },
    });
    const real = await it.apply(dry.summary.job);
    expect(real).toMatchObject({
      exitCode: 0,
      summary: { state: 'done', job: dry.summary.job, rows: { created: 7 } },
    });
    expect((await it.import({ file })).summary.state).toBe('already_applied');
    expect(it.names()).toEqual(toyNames(7));
  });

  it('does not let apply send a file that was imported meanwhile', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(3));
    const dry = await it.import({ file, dryRun: true });
    await it.import({ file });
    const applied = await it.apply(dry.summary.job);
    expect(applied.summary.state).toBe('already_applied');
    expect(it.items()).toHaveLength(3);
  });

  it('ends with exit code 3 if rows are invalid, and names them', async () => {
    await using it = await openImport();
    const file = await it.file(
      'bad.csv',
      csv(
        ['name', 'year'],
        [
          ['A', 1990],
          ['B', 'soon'],
        ],
      ),
    );
    const dry = await it.import({ file, dryRun: true });
    expect(dry.exitCode).toBe(3);
    expect(dry.summary.plan).toEqual({ create: 1, update: 0, unchanged: 0, skipped: 0, invalid: 1 });
    expect(parseCsv(await it.read(dry.summary.files.rejects))).toHaveLength(1);
    expect(dry.summary.files.results).toBeUndefined();
  });
});

describe('a failing command leaves no job', () => {
  it('an unknown collection is reported before any row is checked', async () => {
    await using it = await openImport();
    const events: string[] = [];
    const file = await it.file('toys.csv', 'Name,Year\nRobot,c. 1985\nCar,soon\n');
    const wrong = it.import({ file, collection: 'Mian' }, { onEvent: ({ type }) => events.push(type) });
    await expect(wrong).rejects.toMatchObject({ code: 'unknown_collection', message: /Did you mean "Main"/ });
    expect(events).toEqual([]);
    expect(it.sandbox.control.counts().requests).toBe(1);
  });

  it.each([
    ['an unknown collection', { collection: 'Nowhere' }, 'unknown_collection'],
    ['no collection', { collection: undefined }, 'no_collection'],
    ['an unknown template', { template: 'nothing-of-the-kind' }, undefined],
    ['a results folder that cannot be created', { outDir: '/dev/null/x' }, 'out_dir_unwritable'],
  ])('%s', async (_, wrong, code) => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(3));
    const request = { file, ...wrong } as { file: string };
    const error: unknown = await it.import(request).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ exitCode: 2, ...(code === undefined ? {} : { code }) });
    expect(await it.ledger.jobs.list()).toEqual([]);
    expect(it.items()).toHaveLength(0);
  });
});
