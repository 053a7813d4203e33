import { commandsOf } from '../../src/cli/show/actions.ts';
import { describe, expect, it } from 'vitest';
import { type ApiClient, createClient } from '../../src/api/client.ts';
import { exportItems } from '../../src/export/export.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { csv, parseCsv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('an update by id', () => {
  it('sends only changed fields, one PATCH for each item', async () => {
    await using it = await openImport();
    const seeds = Array.from({ length: 30 }, (_, index) => ({
      name: `T ${index}`,
      status: index % 2 === 0 ? ('sold' as const) : ('keep' as const),
    }));
    const ids = it.sandbox.control.insertItems(seeds);
    const before = new Map(it.items().map((item) => [item.id, item]));
    const rows = [...ids.map((id) => [id, 'sold']), ['nonsense', 'sold'], [UNKNOWN_ID, 'sold'], ['', 'sold']];
    const file = await it.file('sold.csv', csv(['id', 'status'], rows));
    const stopped = await it.import({ file, mode: 'update' });
    expect(stopped.exitCode).toBe(3);
    expect(stopped.summary.rows).toMatchObject({ unchanged: 15, pending: 15, invalid: 3 });
    expect(it.sandbox.control.counts().byOperation.updateItem).toBeUndefined();
    const rejects = parseCsv(await it.read(stopped.summary.files.rejects));
    expect(rejects.map((row) => row['_error_code'])).toEqual(['not_an_id', 'no_such_item', 'blank_key']);
    const { summary, exitCode } = await it.apply('last', { skipInvalid: true });
    expect(exitCode).toBe(3);
    expect(summary.rows).toMatchObject({ read: 33, unchanged: 15, updated: 15, invalid: 3, pending: 0 });
    expect(it.sandbox.control.counts().byOperation.updateItem).toEqual({ '200': 15 });
    for (const item of it.items())
      expect({ ...item, updated_at: '' }).toEqual({ ...before.get(item.id), status: 'sold', updated_at: '' });
    // Again: nothing to do, and nothing is sent.
    const again = await it.import({ file, mode: 'update', skipInvalid: true });
    expect(again.summary.rows).toMatchObject({ unchanged: 30, updated: 0, invalid: 3 });
    expect(it.sandbox.control.counts().byOperation.updateItem).toEqual({ '200': 15 });
  });

  it('by another key leaves out the numbers of a column called id', async () => {
    await using it = await openImport();
    const list = (...rows: string[][]) => csv(['id', 'name', 'series', 'image'], rows);
    const file = await it.file('list.csv', list(['1', 'Robot', 'A', 'r.jpg'], ['2', 'Bear', 'A', 'b.jpg']));
    await it.import({ file, collection: 'Main', run: { yes: true } });
    const changed = await it.file(
      'june.csv',
      list(['1', 'Robot', 'B', 'r.jpg'], ['2', 'Bear', 'A', 'b.jpg']),
    );
    const { summary } = await it.import({
      file: changed,
      mode: 'update',
      match: ['name'],
      run: { yes: true },
    });
    expect(summary.rows).toMatchObject({ updated: 1, unchanged: 1, invalid: 0 });
    expect(it.items().map(({ name, series, custom_fields: own }) => [name, series, own?.['id']])).toEqual(
      expect.arrayContaining([
        ['Robot', 'B', '1'],
        ['Bear', 'A', '2'],
      ]),
    );
  });

  it('accepts a repeated key as one change if its rows agree, and reports it if they disagree', async () => {
    await using it = await openImport();
    const [a = '', b = ''] = it.sandbox.control.insertItems([{ name: 'a' }, { name: 'b' }]);
    const rows = [
      [a, 'sold'],
      [b, 'sold'],
      [a, 'sold'],
      [b, 'trade'],
    ];
    const file = await it.file('u.csv', csv(['id', 'status'], rows));
    const { summary } = await it.import({ file, mode: 'update', skipInvalid: true });
    expect(summary.rows).toMatchObject({ read: 4, updated: 1, unchanged: 1, invalid: 2 });
    expect(
      it
        .items()
        .map((item) => item.status)
        .sort((x, y) => (x < y ? -1 : 1)),
    ).toEqual(['keep', 'sold']);
  });

  it('accepts several rows with a key in different spellings, and reports them if they name two collections', async () => {
    await using it = await openImport();
    for (const name of ['Attic', 'Cellar']) it.sandbox.control.addCollection(name);
    const ids = it.sandbox.control.insertItems([{ name: 'a' }, { name: 'b' }]);
    const [a = '', b = ''] = ids;
    const rows = [
      [a, 'sold', 'Attic'],
      [a.toUpperCase(), 'Sold', 'attic'],
      [b, 'sold', 'Attic'],
      [b, 'sold', 'Cellar'],
    ];
    const file = await it.file('u.csv', csv(['id', 'status', 'collection'], rows));
    const { summary } = await it.import({ file, mode: 'update', skipInvalid: true });
    expect(summary.rows).toMatchObject({ read: 4, updated: 1, unchanged: 1, invalid: 2 });
    const rejects = parseCsv(await it.read(summary.files.rejects));
    expect(rejects.map((row) => row['_error_code'])).toEqual(['duplicate_key', 'duplicate_key']);
  });

  it.each(['update', 'upsert'] as const)(
    'sends nothing with --mode %s if a file has no key column',
    async (mode) => {
      await using it = await openImport();
      const file = await it.file('names.csv', csv(['name'], [['a'], ['b']]));
      await expect(it.import({ file, mode })).rejects.toMatchObject({ code: 'no_match_column', exitCode: 2 });
      expect(it.items()).toEqual([]);
    },
  );

  it('keeps other custom fields, and <clear> removes one', async () => {
    await using it = await openImport();
    const custom_fields = { sku: 'x', count: 5, deep: { a: [1] }, gone: true };
    const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', brand: 'B', custom_fields }]);
    const headers = ['id', 'brand', 'custom_fields.gone', 'custom_fields.count', 'custom_fields.new'];
    const file = await it.file('u.csv', csv(headers, [[id, '<clear>', '<clear>', '', 'n']]));
    const { exitCode } = await it.import({ file, mode: 'update' });
    expect(exitCode).toBe(0);
    expect(it.items()[0]).toMatchObject({
      brand: null,
      custom_fields: { sku: 'x', count: 5, deep: { a: [1] }, new: 'n' },
    });
    expect(it.items()[0]?.custom_fields).not.toHaveProperty('gone');
  });

  it('holds items that changed between plan and apply, and sends the rest', async () => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    const file = await it.file(
      'u.csv',
      csv(
        ['id', 'status'],
        ids.map((id) => [id, 'sold']),
      ),
    );
    const dry = await it.import({ file, mode: 'update', dryRun: true });
    expect(dry.summary.plan).toEqual({ create: 0, update: 3, unchanged: 0, skipped: 0, invalid: 0 });
    const [first = '', second = ''] = ids;
    await using other = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    await other.updateItem(first, { status: 'trade' });
    // Something else of it, which does not concern the plan.
    await other.updateItem(second, { brand: 'New' });
    const { summary, exitCode } = await it.apply(dry.summary.job);
    expect(exitCode).toBe(3);
    expect(summary.rows).toMatchObject({ updated: 2, held: 1 });
    expect(it.items().find((item) => item.id === first)?.status).toBe('trade');
    const [held] = await it.ledger.rows.list(summary.job, { states: ['held'], limit: 1 });
    expect(held?.issues[0]).toMatchObject({ code: 'drifted' });
  });

  it('of many items requires --yes, and sends nothing without it', async () => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    const file = await it.file(
      'u.csv',
      csv(
        ['id', 'status'],
        ids.map((id) => [id, 'sold']),
      ),
    );
    const guarded = await it.import({ file, mode: 'update', run: { maxChanges: 2 } });
    expect(guarded).toMatchObject({ exitCode: 2, summary: { error: { code: 'too_many_changes' } } });
    expect(guarded.summary.rows).toMatchObject({ pending: 3, updated: 0 });
    const sent = await it.apply('last', { maxChanges: 2, yes: true });
    expect(sent).toMatchObject({ exitCode: 0, summary: { rows: { updated: 3 } } });
  });

  it('whose results file is imported as if it were a rejects file repeats nothing', async () => {
    await using it = await openImport();
    const [id = ''] = it.sandbox.control.insertItems([{ name: 'a' }]);
    const rows = [
      [id, 'sold'],
      [UNKNOWN_ID, 'sold'],
    ];
    const file = await it.file('u.csv', csv(['id', 'status'], rows));
    const first = await it.import({ file, mode: 'update', skipInvalid: true });
    const again = await it.import({
      file: first.summary.files.results ?? '',
      mode: 'update',
      skipInvalid: true,
    });
    expect(again.summary.rows).toMatchObject({ skipped: 1, invalid: 1, updated: 0 });
  });
});

describe('an upsert by a custom field', () => {
  it('updates existing items, creates the others, and finds all unchanged the second time', async () => {
    await using it = await openImport();
    it.sandbox.control.insertItems(
      Array.from({ length: 10 }, (_, index) => ({
        name: `T ${index}`,
        custom_fields: { sku: `S-${index}`, shelf: index, keep: { me: true } },
      })),
    );
    const rows = Array.from({ length: 13 }, (_, index) => [` s-${index} `, `T ${index}`, 'sold']);
    const file = await it.file(
      'u.csv',
      csv(['sku', 'name', 'status'], [...rows, ['', 'No key 1', 'sell'], ['', 'No key 2', 'sell']]),
    );
    const request = {
      file,
      mode: 'upsert' as const,
      match: ['custom_fields.sku'],
      map: { 'custom_fields.sku': 'sku' },
    };
    const { summary, exitCode } = await it.import(request);
    expect(exitCode).toBe(0);
    expect(summary.rows).toMatchObject({ read: 15, updated: 10, created: 5 });
    for (let index = 0; index < 10; index += 1) {
      const item = it.items().find((each) => each.name === `T ${index}`);
      expect(item).toMatchObject({ status: 'sold', custom_fields: { shelf: index, keep: { me: true } } });
    }
    it.sandbox.control.resetCounts();
    const keyed = await it.file('u2.csv', csv(['sku', 'name', 'status'], rows));
    const again = await it.import({ ...request, file: keyed });
    expect(again.summary.rows).toMatchObject({ read: 13, unchanged: 13 });
    const { byOperation } = it.sandbox.control.counts();
    expect([byOperation.createItem, byOperation.updateItem]).toEqual([undefined, undefined]);
  });

  it('of 60 rows makes 50 updates and 10 creates, and writes nothing when it is repeated', async () => {
    await using it = await openImport();
    const typed = { number: 7, text: '7', yes: true, list: [1, 'a'], nested: { a: null }, nothing: null };
    it.sandbox.control.insertItems(
      Array.from({ length: 50 }, (_, index) => ({
        name: `T ${index}`,
        custom_fields: { sku: `S-${index}`, ...typed },
      })),
    );
    const rows = Array.from({ length: 60 }, (_, index) => [`S-${index}`, `T ${index}`, 'sell']);
    const file = await it.file('u.csv', csv(['sku', 'name', 'status'], rows));
    const request = { file, mode: 'upsert' as const, match: ['custom_fields.sku'] };
    const first = await it.import(request);
    expect([first.exitCode, first.summary.rows]).toMatchObject([0, { read: 60, updated: 50, created: 10 }]);
    expect(it.sandbox.control.counts().byOperation).toMatchObject({
      updateItem: { '200': 50 },
      createItem: { '201': 10 },
    });
    for (const item of it.items()) {
      const index = Number(item.name.slice(2));
      expect(item.custom_fields).toEqual({ sku: `S-${index}`, ...(index < 50 ? typed : {}) });
    }
    it.sandbox.control.resetCounts();
    const again = await it.import(request);
    expect(again.summary.rows).toMatchObject({ read: 60, unchanged: 60 });
    expect(it.sandbox.control.counts().byOperation).not.toHaveProperty('updateItem');
    expect(it.sandbox.control.counts().byOperation).not.toHaveProperty('createItem');
  });

  it('names both items if two items match a key', async () => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems([
      { name: 'a', custom_fields: { sku: 'X' } },
      { name: 'b', custom_fields: { sku: 'x' } },
    ]);
    const file = await it.file('u.csv', csv(['sku', 'name'], [['x', 'c']]));
    const map = { 'custom_fields.sku': 'sku' };
    const { summary } = await it.import({ file, mode: 'upsert', match: ['custom_fields.sku'], map });
    const [row] = await it.ledger.rows.list(summary.job, { limit: 1 });
    expect(row?.issues[0]?.code).toBe('ambiguous_match');
    for (const id of ids) expect(row?.issues[0]?.message).toContain(id);
    const { undecided } = (await it.run((deps) => showJob(summary.job, deps))).summary;
    const [shown] = undecided?.rows ?? [];
    expect(shown).toMatchObject({ row: 2, state: 'invalid', code: 'ambiguous_match' });
    expect(shown?.candidates.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(commandsOf(shown?.otherwise ?? [], {})).toContain(
      '.rejects.csv --mode upsert --match custom_fields.sku',
    );
  });

  it('changes the item that was chosen for each row, if two items match a key', async () => {
    await using it = await openImport();
    const [a = '', b = '', other = ''] = it.sandbox.control.insertItems([
      { name: 'a', custom_fields: { sku: 'X' } },
      { name: 'b', custom_fields: { sku: 'x' } },
      { name: 'other', custom_fields: { sku: 'Y' } },
    ]);
    const file = await it.file(
      'u.csv',
      csv(
        ['sku', 'status'],
        [
          ['x', 'sold'],
          ['X', 'sell'],
        ],
      ),
    );
    const { summary } = await it.import({
      file,
      mode: 'update',
      match: ['custom_fields.sku'],
      map: { 'custom_fields.sku': 'sku' },
    });
    expect(summary.rows).toMatchObject({ invalid: 2 });
    const choose = (row: number, item: string) =>
      it.run((deps) => correctAndReport(summary.job, { changes: [{ type: 'item', row, item }] }, deps));
    // Each row disagrees with the other one as long as nobody has said which item it means.
    const [first] = await it.ledger.rows.list(summary.job, { limit: 1 });
    expect(first?.issues[0]).toMatchObject({ code: 'ambiguous_match' });
    await expect(choose(2, other)).rejects.toMatchObject({ code: 'bad_change' });
    await expect(choose(9, a)).rejects.toMatchObject({ code: 'bad_change' });
    expect((await choose(2, b.toUpperCase().toLowerCase())).summary.rows).toMatchObject({
      pending: 1,
      invalid: 1,
    });
    // The row has its item: it can be taken back, but not chosen again.
    await expect(choose(2, a)).rejects.toMatchObject({ code: 'bad_change' });
    await it.run((deps) => correctAndReport(summary.job, { undo: 1 }, deps));
    await choose(2, b);
    const { undecided } = (await it.run((deps) => showJob(summary.job, deps))).summary;
    expect(
      commandsOf(
        [undecided?.rows[0]?.candidates[0]?.action].filter((each) => each !== undefined),
        {},
      ),
    ).toMatch(
      /^this is the item that belongs to the row: shelflift jobs mend \S+ --row 3 --item [0-9a-f-]{36}$/,
    );
    await choose(3, a);
    expect((await it.apply(summary.job)).summary.rows).toMatchObject({ updated: 2, invalid: 0 });
    const status = (id: string) => it.items().find((item) => item.id === id)?.status;
    expect([status(a), status(b), status(other)]).toEqual(['sell', 'sold', 'keep']);
  });

  describe('an item chosen in the rejects file', () => {
    const request = {
      mode: 'upsert' as const,
      match: ['custom_fields.sku'],
      map: { 'custom_fields.sku': 'sku' },
    };

    /** Rejects of a row that two items match, with something done to each line's cells, and imported again. */
    async function choose(
      it: OpenImport,
      change: (cells: Record<string, string>, ids: string[]) => Record<string, string>,
      mode: 'upsert' | 'create' = 'upsert',
    ) {
      const ids = it.sandbox.control.insertItems([
        { name: 'a', custom_fields: { sku: 'X' } },
        { name: 'b', custom_fields: { sku: 'x' } },
        { name: 'other', custom_fields: { sku: 'Y' } },
      ]);
      const first = await it.import({
        file: await it.file('u.csv', csv(['sku', 'name'], [['x', 'c']])),
        ...request,
      });
      const [before = {}] = parseCsv(await it.read(first.summary.files.rejects));
      const after = { ...before, ...change(before, ids) };
      const file = await it.file('mended.csv', csv(Object.keys(after), [Object.values(after)]));
      const { summary } = await it.import({ file, ...request, mode });
      const [row] = await it.ledger.rows.list(summary.job, { limit: 1 });
      return { summary, row, ids };
    }

    it('is changed, although another item has the same key', async () => {
      await using it = await openImport();
      const { summary, row, ids } = await choose(it, (_, [, second = '']) => ({
        _item_id: ` ${second.toUpperCase()}`,
      }));
      expect(summary.rows).toMatchObject({ updated: 1, created: 0, invalid: 0 });
      expect(row?.itemId).toBe(ids[1]);
      expect(it.names()).toEqual(['a', 'c', 'other']);
    });

    it.each<[string, (ids: string[]) => Record<string, string>, 'upsert' | 'create']>([
      ['that was not shown', ([, , third = '']) => ({ _item_id: third }), 'upsert'],
      [
        'for a row that failed for another reason',
        ([id = '']) => ({ _item_id: id, _error_code: 'required' }),
        'upsert',
      ],
      ['for a row that is to be created', ([id = '']) => ({ _item_id: id }), 'create'],
      ['for a row whose key was changed since', ([id = '']) => ({ _item_id: id, sku: 'Z' }), 'upsert'],
      ['that is not an id', () => ({ _item_id: 'the first' }), 'upsert'],
    ])('%s is an issue, and nothing is sent', async (_, cells, mode) => {
      await using it = await openImport();
      const { summary, row } = await choose(it, (_before, ids) => cells(ids), mode);
      expect(summary.rows).toMatchObject({ read: 1, invalid: 1, created: 0, updated: 0 });
      expect(row?.issues[0]).toMatchObject({ code: 'not_a_candidate', column: '_item_id' });
    });

    it('is not created as a new item if the key is blank', async () => {
      await using it = await openImport();
      const { summary, row } = await choose(it, (_, [id = '']) => ({ _item_id: id, sku: '' }));
      expect(summary.rows).toMatchObject({ invalid: 1, created: 0 });
      expect(row?.issues[0]?.code).toBe('blank_key');
    });
  });
});

describe('an export of the same team', () => {
  it.each(['csv', 'xlsx'])('is imported again as %s without a change', async (format) => {
    await using it = await openImport();
    const custom = [
      5,
      '5',
      true,
      'true',
      {},
      [],
      { a: [1, null] },
      null,
      '',
      '=1+1',
      "'q",
      '-5',
      '007',
      1.5,
      '1e5',
    ];
    it.sandbox.control.insertItems(
      custom.map((value, index) => ({
        name: ['=1+1', "'quoted", '-5', '+x', '@y', ' spaced ', 'plain', '007', '1,5'][index % 9] ?? '',
        brand: index % 2 === 0 ? null : '=brand',
        tags: index % 3 === 0 ? [] : ['a;b', ' c', '-d'],
        release_year: index % 4 === 0 ? null : 1990 + index,
        estimated_value: index % 5 === 0 ? null : index * 1.115,
        custom_fields: { nasty: value, [`only.${index}`]: value, 'a=b': 'x' },
      })),
    );
    await using client = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    const file = `${it.folder}/items.${format}`;
    await exportItems({ client, out: file });
    it.sandbox.control.resetCounts();
    const { summary, exitCode } = await it.import({ file, mode: 'update', match: ['id'] });
    const changed = await it.ledger.rows.list(summary.job, {
      states: ['done', 'planned', 'invalid'],
      limit: 9,
    });
    expect(changed.map((row) => [row.operation, row.issues])).toEqual([]);
    expect(exitCode).toBe(0);
    expect(summary.rows).toMatchObject({ read: custom.length, unchanged: custom.length });
    expect(it.sandbox.control.counts().byOperation.updateItem).toBeUndefined();
  });
});

describe('an export of the same team that was reduced to some columns', () => {
  it('is imported again without a change, whatever its cells would mean in another file', async () => {
    await using it = await openImport();
    const names = ['1.23E+12', '<clear>', 'bell\u0007', "'quoted", '=1+1', 'plain'];
    it.sandbox.control.insertItems(
      names.map((name, index) => ({
        name,
        brand: name,
        currency: 'kwd',
        estimated_value: [1.005, 12.345, null][index % 3] ?? null,
        custom_fields: { sku: '1.23E+12' },
      })),
    );
    await using client = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    for (const columns of [
      ['id', 'estimated_value'],
      ['id', 'name', 'brand', 'custom_fields.sku'],
    ]) {
      const file = `${it.folder}/${columns.length}.csv`;
      await exportItems({ client, out: file, columns });
      const { summary, exitCode } = await it.import({ file, mode: 'update', match: ['id'] });
      const changed = await it.ledger.rows.list(summary.job, {
        states: ['done', 'planned', 'invalid'],
        limit: 9,
      });
      expect(changed.map((row) => [row.operation, row.issues])).toEqual([]);
      expect({ exitCode, rows: summary.rows }).toMatchObject({ exitCode: 0, rows: { unchanged: 6 } });
    }
    expect(it.sandbox.control.counts().byOperation.updateItem).toBeUndefined();
  });

  it('asks about a number that a program with the other decimal mark may have rewritten in an export', async () => {
    await using it = await openImport();
    it.sandbox.control.insertItems([
      { name: 'a', estimated_value: 14.875, custom_fields: { weight: 0.125, shelf: '1.250' } },
    ]);
    await using client = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    const file = `${it.folder}/items.csv`;
    await exportItems({ client, out: file });
    const exported = await it.read(file);
    const saved = exported.replace('14.875', '14875').replace('0.125', '125').replace('1.250', '1250');
    const { summary, exitCode } = await it.import({ file: await it.file('saved.csv', saved) });
    const [row] = await it.ledger.rows.list(summary.job, { limit: 9 });
    expect(row?.issues.map(({ code, column }) => [code, column])).toEqual([
      ['uncertain_mark', 'estimated_value'],
      ['uncertain_mark', 'custom_fields.shelf'],
      ['uncertain_mark', 'custom_fields.weight'],
    ]);
    expect(exitCode).toBe(3);
    const meant = exported.replace('14.875', '14875.00').replace('0.125', '125.00');
    expect((await it.import({ file: await it.file('meant.csv', meant) })).exitCode).toBe(0);
    expect(it.items()).toMatchObject([
      { estimated_value: 14_875, custom_fields: { weight: 125, shelf: '1.250' } },
    ]);
  });

  it('must have readable keys: two numbers that a spreadsheet has shortened do not count as equal', async () => {
    await using it = await openImport();
    it.sandbox.control.insertItems([{ name: 'a', custom_fields: { sku: '1230000000001' } }]);
    const rows = [1, 2].map(() => ['1.23E+12', 'sold']);
    const file = await it.file('u.csv', csv(['custom_fields.sku', 'status'], rows));
    const { summary } = await it.import({ file, mode: 'update', match: ['custom_fields.sku'] });
    const codes = (await it.ledger.rows.list(summary.job, { limit: 9 })).flatMap((row) => row.issues);
    expect(codes.map(({ code }) => code)).toEqual(['number_lost', 'number_lost']);
  });

  it('needs an unambiguous value if it was edited by hand', async () => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems([
      { name: 'a', estimated_value: 1.005 },
      { name: 'b', estimated_value: 5 },
    ]);
    const rows = ids.map((id) => [id, '1.005', '<clear>']);
    const file = await it.file('u.csv', csv(['id', 'estimated_value', 'name'], rows));
    const { summary, exitCode } = await it.import({ file, mode: 'update' });
    expect(exitCode).toBe(3);
    const codes = (await it.ledger.rows.list(summary.job, { limit: 9 })).map((row) =>
      row.issues.map(({ code }) => code),
    );
    expect(codes).toEqual([['not_clearable'], ['ambiguous_number', 'not_clearable']]);
    expect(it.sandbox.control.counts().byOperation.updateItem).toBeUndefined();
    const { summary: told } = await it.import({ file, mode: 'update', decimal: 'point' });
    expect((await it.ledger.rows.list(told.job, { limit: 9 })).flatMap((row) => row.issues)).toHaveLength(2);
  });
});

it('300 rows at 60 requests a second are each sent once, with hardly any 429s', async () => {
  await using it = await openImport({ rateLimit: '60/1s' });
  const rows = Array.from({ length: 300 }, (_, index) => [`Paced ${index}`]);
  const file = await it.file('paced.csv', csv(['name'], rows));
  const dry = await it.import({ file, dryRun: true });
  expect(dry.summary.plan?.create).toBe(300);
  it.sandbox.control.resetCounts();
  const { summary, exitCode } = await it.import({ file });
  expect(exitCode).toBe(0);
  expect(summary.rows.created).toBe(300);
  expect(new Set(it.names()).size).toBe(300);
  const { requests, limited } = it.sandbox.control.counts();
  expect(limited / requests).toBeLessThan(0.02);
  expect(summary.requests).toMatchObject({ sent: requests, limited });
});

it.each(['12345678901234567890', '9007199254740993'])(
  'the custom field %s keeps its digits if the item has a number, and the next run reports it as unchanged',
  async (long) => {
    await using at = await openImport();
    const [id = ''] = at.sandbox.control.insertItems([{ name: 'a', custom_fields: { gtin: 5 } }]);
    const file = await at.file('u.csv', csv(['id', 'custom_fields.gtin'], [[id, long]]));
    const { summary } = await at.import({ file, mode: 'update' });
    expect(summary.rows).toMatchObject({ updated: 1 });
    expect(at.items()[0]?.custom_fields?.['gtin']).toBe(long);
    expect((await at.import({ file, mode: 'update' })).summary.rows).toMatchObject({ unchanged: 1 });
  },
);

it('custom fields that no row names keep the digits of their numbers', async () => {
  await using it = await openImport();
  const digits = ['12345678901234567890', '0.10000000000000000555', '1e400'];
  const raw = (source: string) => (JSON as unknown as { rawJSON: (text: string) => object }).rawJSON(source);
  const custom_fields = { serials: digits.map(raw), shelf: 'A' };
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', custom_fields, estimated_value: 0.5 }]);
  const file = await it.file('u.csv', csv(['id', 'custom_fields.shelf'], [[id, 'B']]));
  const sent: string[] = [];
  const wrap = (client: ApiClient) =>
    overriding(client, {
      updateItem: (item, body, options) => {
        sent.push(JSON.stringify(body));
        return client.updateItem(item, body, options);
      },
    });
  // 0s: read again before it is sent.
  const { summary } = await it.import({ file, mode: 'update', run: { recheckMs: 0 } }, { wrap });
  expect(summary.rows).toMatchObject({ updated: 1 });
  expect(sent).toEqual([`{"custom_fields":{"serials":[${digits.join(',')}],"shelf":"B"}}`]);
});

it('an item whose key has leading zeros is suggested for a key without zeros, because spreadsheet programs remove them', async () => {
  await using it = await openImport();
  it.sandbox.control.insertItems([{ name: 'Robot', custom_fields: { SKU: '00001' } }]);
  const update = async (rows: string) => {
    const file = await it.file('sold.csv', `SKU,status\n${rows}`);
    const { summary } = await it.import({ file, mode: 'update', match: ['custom_fields.SKU'], dryRun: true });
    return summary.issues?.map(({ message }) => message);
  };
  expect(await update('1,sold\n')).toEqual(['no item has this custom_fields.SKU: "1"; one has "00001"']);
  expect(await update('1,sold\n7,sold\n')).toEqual([
    'no item has this custom_fields.SKU; a spreadsheet program may have changed it, because some items have keys such as "00001"',
  ]);
  expect(await update('00001,sold\n')).toBeUndefined();
});

it('an upsert creates no second item for a key that has lost its zeros, and archives no item', async () => {
  await using it = await openImport();
  it.sandbox.control.insertItems([{ name: 'Robot', custom_fields: { SKU: '00001' } }]);
  const upsert = async (rows: string, more: Partial<ImportRequest> = {}) =>
    it.import({
      file: await it.file('stock.csv', `SKU,Name\n${rows}`),
      mode: 'upsert',
      match: ['custom_fields.SKU'],
      skipInvalid: true,
      ...more,
    });
  const archiving = await upsert('1,Robot\n2,Bear\n', { missing: 'archive', run: { yes: true } });
  expect(archiving.summary.error?.code).toBe('missing_unsafe');
  const { exitCode, summary } = await upsert('1,Robot\n2,Bear\n');
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, invalid: 1 }]);
  const [refused] = await it.ledger.rows.list(summary.job, { states: ['invalid'], limit: 9 });
  expect(refused?.issues[0]).toMatchObject({ code: 'no_such_item' });
  // A file that has both has lost nothing.
  expect((await upsert('00001,Robot\n1,Other\n2,Bear\n')).summary.rows).toMatchObject({
    created: 1,
    invalid: 0,
  });
});

it.for([
  ['12-11', '12-Nov'],
  ['3/4', '4-Mar'],
  ['MAR1', '1-Mar'],
  ['0012.50', '12.5'],
  ['1.10', '1.1'],
  ['3-4', '2026-03-04'],
  ['3-4', '04.03.2026'],
  ['4006871234567890123', '4006871234567890000'],
  ['1:43', '01:43:00 AM'],
  ['5%', '5.00%'],
  ['5%', '5,00\u00a0%'],
  ['12.345.678', '12345678'],
  ['12.345', '12345'],
  ["1'234", '1234'],
  ['1,250', '1250'],
])(
  'an upsert creates no second item for the key %s if a spreadsheet program has made it %s, and archives no item',
  async ([key = '', rewritten = '']) => {
    await using it = await openImport();
    it.sandbox.control.insertItems(
      [key, 'B-2'].map((sku) => ({ name: `Toy ${sku}`, status: 'keep', custom_fields: { SKU: sku } })),
    );
    const rows = [rewritten, 'B-2'].map((sku) => [sku, `Toy ${sku === 'B-2' ? sku : key}`]);
    const file = await it.file('stock.csv', csv(['SKU', 'Name'], rows));
    const request: ImportRequest = {
      file,
      mode: 'upsert',
      match: ['custom_fields.SKU'],
      skipInvalid: true,
    };
    const { exitCode, summary } = await it.import(request);
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 0, invalid: 1, unchanged: 1 }]);
    const archiving = await it.import({ ...request, missing: 'archive', force: true, run: { yes: true } });
    expect(archiving.summary.error?.code).toBe('missing_unsafe');
    expect(it.items().map(({ status }) => status)).toEqual(['keep', 'keep']);
  },
);

it.for([
  ['7', '007'],
  ['4006871234567890000', '4006871234567890123'],
  ['12-Nov', '12-11'],
  ['1250', '1,250'],
])(
  'an upsert creates no second item for the key %s that a program had made of %s in an earlier file',
  async ([damaged = '', key = '']) => {
    await using it = await openImport();
    it.sandbox.control.insertItems([{ name: 'Toy', custom_fields: { SKU: damaged } }]);
    const upsert = async (skus: string[]) => {
      const file = await it.file(
        `${skus.length}.csv`,
        csv(
          ['SKU', 'Name'],
          skus.map((sku) => [sku, 'Toy']),
        ),
      );
      return it.import({ file, mode: 'upsert', match: ['custom_fields.SKU'], skipInvalid: true });
    };
    const { exitCode, summary } = await upsert([key]);
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 0, invalid: 1 }]);
    expect((await upsert([key, damaged])).summary.rows).toMatchObject({ created: 1, unchanged: 1 });
  },
);

it.for([
  ['MAR-5', 'MAR-105'],
  ['1.10', '1.1.0'],
  ['R12.345', '12345'],
  ['1.2.345', '12345'],
])(
  'an upsert creates a new item for a key that only looks like that of an item: %s, %s',
  async ([key = '', other = '']) => {
    await using it = await openImport();
    it.sandbox.control.insertItems([{ name: 'Toy', custom_fields: { SKU: key } }]);
    const file = await it.file('stock.csv', csv(['SKU', 'Name'], [[other, 'Other']]));
    const { exitCode, summary } = await it.import({ file, mode: 'upsert', match: ['custom_fields.SKU'] });
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 1, invalid: 0 }]);
  },
);

it('an upsert creates no second item if the name of the key field differs only in case', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems([
    { name: 'Falcon', status: 'keep', custom_fields: { SKU: 'a-1 ' } },
    { name: 'Rover', status: 'keep', custom_fields: { SKU: 'B-2', sku: 'B-2' } },
  ]);
  const file = await open.file(
    'toys.csv',
    csv(
      ['name', 'custom_fields.sku'],
      [
        ['Falcon', 'A-1'],
        ['Rover', 'B-2'],
        ['Comet', 'C-3'],
      ],
    ),
  );
  const request = { file, mode: 'upsert' as const, match: ['custom_fields.sku'] };
  const { summary, exitCode } = await open.import(request);
  expect([exitCode, summary.rows]).toMatchObject([3, { invalid: 1, created: 0, unchanged: 1, pending: 1 }]);
  expect(summary.issues?.[0]).toMatchObject({
    code: 'key_spelled_otherwise',
    message: expect.stringMatching(
      /^found only as custom_fields\.SKU, in .* \(Falcon\): match by custom_fields\.SKU$/,
    ),
  });
  const { summary: sent } = await open.import({ ...request, skipInvalid: true });
  expect(sent.rows).toMatchObject({ invalid: 1, created: 1, unchanged: 1 });
});

it.each(['01-A', '0042'])(
  'a key %s in the file does not prove that the other keys are intact',
  async (kept) => {
    await using it = await openImport();
    it.sandbox.control.insertItems([{ name: 'Blue', custom_fields: { SKU: '00123' } }]);
    const rows = [
      ['123', 'Blue'],
      [kept, 'New'],
    ];
    const file = await it.file('stock.csv', csv(['SKU', 'Name'], rows));
    const request = { file, mode: 'upsert', match: ['custom_fields.SKU'], skipInvalid: true } as const;
    const { exitCode, summary } = await it.import({ ...request, match: [...request.match] });
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, invalid: 1 }]);
  },
);
