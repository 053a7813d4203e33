/** `set --from`: a file names items by a key, and gives values in its columns. */
import { describe, expect, it } from 'vitest';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import type { SetRequest } from '../../src/import/set/stage-set.ts';
import { csv, parseCsv } from '../support/csv.ts';
import * as fc from '../support/fast-check.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

function set(open: OpenImport, request: SetRequest) {
  const run = { quietPeriodMs: QUIET_MS, ...request.run };
  return open.run((deps) => setItems({ outDir: open.folder, ...request, run }, deps));
}

function undo(open: OpenImport, job: string) {
  return open.run((deps) =>
    undoJob(job, deps, { outDir: open.folder, run: { quietPeriodMs: QUIET_MS, yes: true } }),
  );
}

const MATCH = ['custom_fields.sku=SKU'];
const item = (open: OpenImport, name: string) => open.items().find((each) => each.name === name);

const toy = (name: string, sku: string, over: object = {}, custom: object = {}) => ({
  name,
  status: 'sell' as const,
  ...over,
  custom_fields: { sku, ...custom },
});

it('a results file names its items by _item_id, and no other column that begins with _ can be matched', async () => {
  await using open = await openImport();
  const file = await open.file('toys.csv', 'name,estimated_value\nA,1\nB,2\n');
  const from = (await open.import({ file })).summary.files.results ?? '';
  const changed = await set(open, { changes: ['estimated_value*=10'], from, match: ['id=_item_id'] });
  expect([changed.exitCode, changed.summary.rows]).toMatchObject([0, { updated: 2 }]);
  expect(item(open, 'B')?.estimated_value).toBe(20);
  for (const match of ['id=_request_id', 'custom_fields.sku=_item_id'])
    await expect(set(open, { changes: ['status=sold'], from, match: [match] })).rejects.toMatchObject({
      code: 'unknown_column',
      message: expect.stringContaining('_item_id') as string,
    });
});

describe('orders of a marketplace', () => {
  const SOLD = ['status=sold', 'custom_fields.sold_for=@Price'];
  const ORDERS = csv(
    ['Order', 'SKU', 'Price'],
    [
      [1, 'HW-1', '9.99'],
      [2, 'hw-2 ', '12.50'],
      [3, 'HW-3', '5'],
      [4, 'HW-4', '7'],
      [5, 'HW-4', '7'],
      [6, 'HW-5', '4'],
      [7, 'HW-5', '6'],
      [8, 'XX-9', '3'],
      [9, '', '3'],
    ],
  );

  function shop(open: OpenImport) {
    open.sandbox.control.insertItems([
      toy('Hot Rod', 'HW-1'),
      toy('Blue Car', 'HW-2', { status: 'sold' }, { sold_for: '12.50' }),
      toy('Twin A', 'HW-3'),
      toy('Twin B', 'HW-3'),
      toy('Truck', 'HW-4'),
      toy('Bus', 'HW-5'),
    ]);
    return open.file('orders.csv', ORDERS);
  }

  it('are sent if a key belongs to one item; the others are listed, separately from items that are already sold', async () => {
    await using open = await openImport();
    const from = await shop(open);
    const stopped = await set(open, { changes: SOLD, from, match: MATCH });
    expect([stopped.exitCode, stopped.summary]).toMatchObject([
      3,
      {
        state: 'planned',
        rows: { read: 9, pending: 2, unchanged: 2, invalid: 5, updated: 0 },
        already: { items: 1, first: [{ row: 3, name: 'Blue Car' }] },
      },
    ]);
    expect(stopped.summary.issues).toMatchObject([
      { code: 'duplicate_key', rows: 2, values: [{ text: 'HW-5', rows: 2 }] },
      {
        code: 'ambiguous_match',
        rows: 1,
        values: [{ text: 'HW-3' }],
        message: expect.stringMatching(/\(Twin B\), .* \(Twin A\)/) as string,
      },
      { code: 'no_such_item', rows: 1, values: [{ text: 'XX-9' }] },
      { code: 'blank_key', rows: 1 },
    ]);
    expect(open.sandbox.control.counts().byOperation.updateItem).toBeUndefined();

    const { summary, exitCode } = await open.apply('last', { skipInvalid: true });
    expect([exitCode, summary.rows]).toMatchObject([3, { updated: 2, unchanged: 2, invalid: 5 }]);
    expect(item(open, 'Hot Rod')).toMatchObject({ status: 'sold', custom_fields: { sold_for: '9.99' } });
    expect(item(open, 'Truck')).toMatchObject({ status: 'sold', custom_fields: { sold_for: '7' } });
    expect(item(open, 'Bus')).toMatchObject({ status: 'sell' });
    const results = parseCsv(await open.read(summary.files.results));
    expect(results.map((row) => [row['Order'], row['_state']])).toEqual([
      ['1', 'updated'],
      ['2', 'unchanged'],
      ['3', 'invalid'],
      ['4', 'updated'],
      ['5', 'unchanged'],
      ['6', 'invalid'],
      ['7', 'invalid'],
      ['8', 'invalid'],
      ['9', 'invalid'],
    ]);
    const again = await set(open, { changes: SOLD, from, match: MATCH, run: { skipInvalid: true } });
    expect(again.summary).toMatchObject({
      rows: { updated: 0, unchanged: 4, invalid: 5 },
      already: { items: 3 },
    });

    const undone = await undo(open, summary.job);
    expect(undone.summary.rows).toMatchObject({ updated: 2 });
    expect(item(open, 'Hot Rod')).toMatchObject({ status: 'sell', custom_fields: { sku: 'HW-1' } });
    expect(item(open, 'Hot Rod')?.custom_fields).not.toHaveProperty('sold_for');
  });

  it('are sent by the same command once an item is chosen in the rejects file', async () => {
    await using open = await openImport();
    const from = await shop(open);
    const { summary } = await set(open, { changes: SOLD, from, match: MATCH });
    const twin = item(open, 'Twin A')?.id ?? '';
    const rejects = await open.read(summary.files.rejects);
    const chosen = rejects
      .split('\n')
      .filter((line) => line.includes('_row') || line.includes('ambiguous_match'))
      .map((line) => line.replace(',invalid,update,,', `,invalid,update,${twin},`));
    const again = await set(open, {
      changes: SOLD,
      from: await open.file('chosen.csv', chosen.join('\n')),
      match: MATCH,
    });
    expect([again.exitCode, again.summary.rows]).toMatchObject([0, { read: 1, updated: 1 }]);
    expect(item(open, 'Twin A')?.status).toBe('sold');
    expect(item(open, 'Twin B')?.status).toBe('sell');
  });

  it('can be mended without their file', async () => {
    await using open = await openImport();
    const from = await shop(open);
    const { summary } = await set(open, { changes: SOLD, from, match: MATCH });
    const step = [
      { type: 'cell' as const, row: 9, column: 'SKU', text: 'HW-5' },
      ...[4, 7, 8, 10].map((row) => ({ type: 'omit' as const, row })),
    ];
    const mended = await open.run((deps) => correctAndReport(summary.job, { changes: step }, deps));
    expect(mended.summary.rows).toMatchObject({ pending: 3, unchanged: 2, skipped: 4, invalid: 0 });
    const sent = await open.apply(summary.job);
    expect([sent.exitCode, sent.summary.rows]).toMatchObject([0, { updated: 3 }]);
    expect(item(open, 'Bus')).toMatchObject({ status: 'sold', custom_fields: { sold_for: '3' } });
  });
});

it('set --from reads numbers, tags and words like an import, and <clear> and @@ like set', async () => {
  await using open = await openImport();
  const shelf = open.sandbox.control.addCollection('Sold');
  open.sandbox.control.insertItems([toy('A', '007', { brand: 'Acme', tags: ['x', 'y'], series: 'S' })]);
  const from = await open.file('list.csv', 'Art;Wert;Marken;Zustand\n007;1.234,50;neu; gut\n');
  const { exitCode } = await set(open, {
    changes: [
      'estimated_value=@Wert',
      'tags+=@c',
      'tags-=y',
      'brand=<clear>',
      'custom_fields.shop=@@toys',
      'collection=sold',
      'packaging=@Zustand',
    ],
    from,
    match: ['custom_fields.sku=Art'],
    decimal: 'comma',
    run: { skipInvalid: true },
  });
  expect(exitCode).toBe(3);
  await set(open, {
    changes: [
      'estimated_value=@Wert',
      'tags+=@c',
      'tags-=y',
      'brand=<clear>',
      'custom_fields.shop=@@toys',
      'collection=sold',
    ],
    from,
    match: ['custom_fields.sku=Art'],
    decimal: 'comma',
  });
  expect(item(open, 'A')).toMatchObject({
    estimated_value: 1234.5,
    tags: ['x', 'neu'],
    brand: null,
    collection_id: shelf.id,
    custom_fields: { sku: '007', shop: '@toys' },
  });
});

describe('a relative change by the numbers in a column', () => {
  it('is made once per item, is not mistaken for a repetition, and can be undone', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([
      toy('A', 'a', { estimated_value: 10 }, { count: 5 }),
      toy('B', 'b', { estimated_value: 20.05 }, { count: '7' }),
      toy('C', 'c', { estimated_value: null }, { count: 1 }),
      toy('D', 'd', { estimated_value: 1 }, { count: 1 }),
    ]);
    const from = await open.file(
      'raises.csv',
      csv(
        ['SKU', 'By', 'Qty'],
        [
          ['a', '1.10', '2'],
          ['b', '', '3'],
          ['c', '5', ''],
          ['d', '1', '1'],
          ['d', '1', '1'],
        ],
      ),
    );
    const request: SetRequest = {
      changes: ['estimated_value+=@By', 'custom_fields.count-=@Qty'],
      from,
      match: MATCH,
      round: '0.50',
      run: { skipInvalid: true },
    };
    const { exitCode, summary } = await set(open, request);
    // A change of a blank value leaves out the whole row; two changes of one item may add up.
    expect([exitCode, summary.rows]).toMatchObject([3, { updated: 2, skipped: 1, invalid: 2 }]);
    expect(item(open, 'A')).toMatchObject({ estimated_value: 11, custom_fields: { count: 3 } });
    expect(item(open, 'B')).toMatchObject({ estimated_value: 20.05, custom_fields: { count: '4' } });
    expect(item(open, 'D')).toMatchObject({ estimated_value: 1, custom_fields: { count: 1 } });
    await expect(set(open, request)).rejects.toMatchObject({ code: 'repeated_change' });
    const undone = await undo(open, summary.job);
    expect(undone.summary.rows).toMatchObject({ updated: 2 });
    expect(item(open, 'A')).toMatchObject({ estimated_value: 10, custom_fields: { count: 5 } });
    expect(item(open, 'B')).toMatchObject({ estimated_value: 20.05, custom_fields: { count: '7' } });
  });

  it('is not repeated by a row whose key is corrected to that of a sent row', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([toy('A', 'a', { estimated_value: 10 })]);
    const rows = csv(
      ['SKU', 'By'],
      [
        ['a', '5'],
        ['a-typo', '5'],
      ],
    );
    const { summary } = await set(open, {
      changes: ['estimated_value+=@By'],
      from: await open.file('raises.csv', rows),
      match: MATCH,
      run: { skipInvalid: true },
    });
    expect(summary.rows).toMatchObject({ updated: 1, invalid: 1 });
    const changes = [{ type: 'cell', row: 3, column: 'SKU', text: 'a' }] as const;
    const mended = await open.run((deps) => correctAndReport(summary.job, { changes }, deps));
    expect(mended.summary.rows).toMatchObject({ updated: 1, invalid: 1 });
    expect(mended.summary.issues).toMatchObject([{ code: 'duplicate_key' }]);
    await open.resume(summary.job);
    expect(item(open, 'A')).toMatchObject({ estimated_value: 15 });
  });

  it('refuses cells that are not amounts of 0 or more, and amounts in another currency', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems(
      ['a', 'b', 'c', 'd'].map((sku) => toy(sku, sku, { estimated_value: 10, currency: 'usd' })),
    );
    const from = await open.file(
      'raises.csv',
      csv(
        ['SKU', 'By', 'Qty'],
        [
          ['a', '-1', '1'],
          ['b', '<clear>', '1'],
          ['c', '€ 5', '1'],
          ['d', '1', '-1'],
          ['d', '1', '1.5'],
        ],
      ),
    );
    const { exitCode, summary } = await set(open, {
      changes: ['estimated_value+=@By', 'custom_fields.count+=@Qty'],
      from,
      match: MATCH,
      dryRun: true,
    });
    expect([exitCode, summary.rows]).toMatchObject([3, { read: 5, invalid: 5 }]);
    expect(summary.issues?.map(({ code, rows }) => [code, rows]).sort()).toEqual([
      ['negative', 1],
      ['not_a_number', 1],
      ['not_an_integer', 1],
      ['not_clearable', 1],
      ['wrong_currency', 1],
    ]);
  });
});

it.each([
  [['status=sold'], { match: ['custom_fields.sku=Nothing'] }, 'unknown_column'],
  [['status=sold'], { match: ['sku=SKU'] }, 'unknown_field'],
  [['status=sold'], {}, 'unknown_column'],
  [['brand=@Brant'], { match: MATCH }, 'unknown_column'],
  [['brand=@SKU', 'brand=x'], { match: MATCH }, 'bad_pair'],
  [['brand*=@SKU'], { match: MATCH }, 'bad_pair'],
  [['brand=@'], { match: MATCH }, 'bad_pair'],
  [['tags+=@SKU', 'tags-=@SKU'], { match: MATCH }, 'bad_pair'],
  [['tags=@SKU', 'tags+=x'], { match: MATCH }, 'bad_pair'],
  [['colour=@SKU'], { match: MATCH }, 'unknown_field'],
  [['custom_fields.sku=x'], { match: MATCH }, 'bad_choice'],
  [['custom_fields.sku=@SKU'], { match: MATCH }, 'bad_choice'],
  [['status=sold'], { match: MATCH, status: ['keep' as const] }, 'bad_choice'],
  [['status=sold'], { match: MATCH, idsFrom: 'x.csv' }, 'bad_choice'],
  [['status=sold'], { match: MATCH, from: undefined, status: ['keep' as const] }, 'bad_choice'],
  [['brand=@SKU'], { from: undefined, status: ['keep' as const] }, 'bad_pair'],
])('set --from refuses %j with %j: %s, without a question', async (changes, more, code) => {
  await using open = await openImport();
  const from = await open.file('f.csv', csv(['SKU', 'Brand'], [['a', 'b']]));
  const { from: given = from, ...rest } = more as Partial<SetRequest>;
  const request = { changes, ...('from' in more ? {} : { from: given }), ...rest };
  await expect(set(open, request)).rejects.toMatchObject({ code, exitCode: 2 });
  expect(open.sandbox.control.counts().requests).toBe(0);
  expect(await open.ledger.jobs.list()).toEqual([]);
});

describe('import --mode update with --default', () => {
  it('sets fields without a column in every item of the file', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([toy('A', 'a', { brand: 'X' }), toy('B', 'b'), toy('C', 'c')]);
    const file = await open.file(
      'brands.csv',
      csv(
        ['custom_fields.sku', 'brand'],
        [
          ['a', ''],
          ['b', 'New'],
        ],
      ),
    );
    const request = { file, mode: 'update' as const, match: ['custom_fields.sku'] };
    const { exitCode, summary } = await open.import({
      ...request,
      defaults: { status: 'trade', 'custom_fields.shelf': 'A3' },
    });
    expect([exitCode, summary.rows]).toMatchObject([0, { updated: 2 }]);
    const seen = open
      .items()
      .map(({ name, status, brand, custom_fields: custom }) => [name, status, brand, custom?.['shelf']]);
    expect(seen.toSorted(([a = ''], [b = '']) => String(a).localeCompare(String(b)))).toEqual([
      ['A', 'trade', 'X', 'A3'],
      ['B', 'trade', 'New', 'A3'],
      ['C', 'sell', null, undefined],
    ]);
    await expect(open.import({ ...request, defaults: { brand: 'Y' } })).rejects.toMatchObject({
      code: 'default_in_update',
    });
  });

  it('keeps the default while rows are mended', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([toy('A', 'a')]);
    const file = await open.file('f.csv', csv(['custom_fields.sku', 'release_year'], [['a', 'soon']]));
    const { summary } = await open.import({
      file,
      mode: 'update',
      match: ['custom_fields.sku'],
      defaults: { status: 'trade' },
    });
    const cell = { type: 'cell' as const, row: 2, column: 'release_year', text: '1990' };
    await open.run((deps) => correctAndReport(summary.job, { changes: [cell] }, deps));
    await open.apply(summary.job);
    expect(item(open, 'A')).toMatchObject({ status: 'trade', release_year: 1990 });
  });
});

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e', '');
const stock = fc.array(
  fc.record({
    sku: keys,
    status: fc.constantFrom('keep' as const, 'sell' as const, 'sold' as const),
    sold: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
  }),
  { maxLength: 6 },
);
const orders = fc.array(
  fc
    .record({
      sku: fc.oneof(keys, fc.constantFrom('A', ' b ', 'zz')),
      price: fc.constantFrom('1', '2', '3', ''),
    })
    // A blank row is none.
    .filter(({ sku, price }) => sku + price !== ''),
  { minLength: 1, maxLength: 6 },
);

it('set --from gives the same result as a simple reference computation, and its undo restores every field without losing other edits', async () => {
  await using open = await openImport();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(stock, orders, async (items, lines) => {
      round += 1;
      const prefix = `R${round}-`;
      const full = (sku: string) => (sku.trim() === '' ? sku : `${prefix}${sku.trim()}`);
      const ids = open.sandbox.control.insertItems(
        items.map(({ sku, status, sold }, index) =>
          toy(
            `${prefix}${index}`,
            full(sku),
            { status, brand: 'B' },
            sold === undefined ? {} : { sold_for: sold },
          ),
        ),
      );
      // The plain computation.
      const norm = (sku: string) => sku.trim().toLowerCase();
      const wanted = items.map(({ status, sold }) => ({ status: status as string, sold }));
      let invalid = 0;
      let updated = 0;
      const changed = new Set<number>();
      for (const { sku, price } of lines) {
        const key = norm(sku);
        const same = lines.filter((line) => norm(line.sku) === key);
        const found = items.flatMap((each, index) => (norm(each.sku) === key ? [index] : []));
        const [one] = found;
        if (
          key === '' ||
          found.length !== 1 ||
          one === undefined ||
          same.some((line) => line.price !== price)
        ) {
          invalid += 1;
          continue;
        }
        if (changed.has(one)) continue;
        changed.add(one);
        const before = { ...wanted[one] };
        wanted[one] = { status: 'sold', sold: price === '' ? wanted[one]?.sold : price };
        if (before.status !== 'sold' || before.sold !== wanted[one]?.sold) updated += 1;
        else changed.delete(one);
      }
      const from = await open.file(
        'orders.csv',
        csv(
          ['SKU', 'Price'],
          lines.map(({ sku, price }) => [full(sku), price]),
        ),
      );
      const { summary, exitCode } = await set(open, {
        changes: ['status=sold', 'custom_fields.sold_for=@Price'],
        from,
        match: MATCH,
        run: { skipInvalid: true },
      });
      expect(summary.rows).toMatchObject({ read: lines.length, invalid, updated });
      expect(exitCode).toBe(invalid > 0 ? 3 : 0);
      const stored = () => {
        const all = new Map(open.items().map((each) => [each.id, each]));
        return ids.map((id) => all.get(id));
      };
      const seen = stored().map((each) => ({
        status: each?.status,
        sold: each?.custom_fields?.['sold_for'],
      }));
      expect(seen).toEqual(wanted);
      if (updated === 0) return;
      await open.run(async ({ client }) => {
        for (const id of ids) await client.updateItem(id, { brand: 'Edited' });
      });
      await undo(open, summary.job);
      expect(
        stored().map((each) => ({
          status: each?.status,
          sold: each?.custom_fields?.['sold_for'],
          brand: each?.brand,
        })),
      ).toEqual(items.map(({ status, sold }) => ({ status, sold, brand: 'Edited' })));
    }),
    { numRuns: 60 },
  );
});

it('a number in a custom field is not set to a text with two readings, unless the decimal mark is given', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems(
    ['a', 'b', 'c', 'd'].map((sku) => toy(sku, sku, {}, { paid: sku === 'd' ? '12.5' : 12.5 })),
  );
  const from = await open.file('paid.csv', 'SKU;Paid\na;1.234\nb;1.234,50\nc;2,75\nd;1.234\n');
  const request = { changes: ['custom_fields.paid=@Paid'], from, match: MATCH };
  const run = { skipInvalid: true };
  const refused = await set(open, { ...request, run });
  expect([refused.exitCode, refused.summary.rows]).toMatchObject([3, { updated: 3, invalid: 1 }]);
  expect(refused.summary.issues).toMatchObject([{ code: 'ambiguous_number', rows: 1 }]);
  const paid = () => ['a', 'b', 'c', 'd'].map((name) => item(open, name)?.custom_fields?.['paid']);
  expect(paid()).toEqual([12.5, 1234.5, 2.75, '1.234']);
  const given = await set(open, { ...request, decimal: 'comma' });
  expect([given.exitCode, given.summary.rows]).toMatchObject([0, { updated: 1, unchanged: 3 }]);
  expect(paid()[0]).toBe(1234);
});
