/** Months, days and periods: what is known of them adds up, and what is not known is not shown. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Big } from 'big.js';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { systemClock } from '../../src/base/clock.ts';
import { pruneReadings, type Reading, type ReadItem } from '../../src/export/keep/readings.ts';
import type { SalesReading } from '../../src/export/row.ts';
import { Tally } from '../../src/export/tally.ts';
import { verifyExport } from '../../src/export/verify/verify.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { english } from '../../src/messages/message.ts';
import { writeMonth } from '../../src/reports/month.ts';
import { itemTables, rollForwardSections } from '../../src/reports/month-sections.ts';
import { daysText, periodOf } from '../../src/export/keep/period.ts';
import { commandLine } from '../../src/export/command-line.ts';
import { MonthOptions } from '../../src/reports/request.ts';
import { writeReportFile } from '../../src/reports/report.ts';
import { compare, sumKnown } from '../../src/reports/roll-forward.ts';
import { readingsOf } from '../../src/reports/sales.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import * as fc from '../support/fast-check.ts';

const anyItem = fc.record({
  status: fc.constantFrom('keep', 'sell', 'trade', 'sold', 'archived'),
  currency: fc.constantFrom('usd', 'eur', 'jpy'),
  value: fc.option(fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents / 100)),
  collection: fc.constantFrom('a', 'b'),
});

test('a roll-forward of any two inventories adds up by currency and by collection, and includes every item', async () => {
  const pair = fc.tuple(fc.option(anyItem), fc.option(anyItem));
  const owned = (status: string) => status !== 'sold' && status !== 'archived';
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { maxLength: 30 }), async (pairs) => {
      const side = (which: 0 | 1): ReadItem[] =>
        pairs.flatMap((each, index) => {
          const item = each[which];
          return item === null
            ? []
            : [[`${index}`, 'Toy', item.status, item.currency, item.value, item.collection] as ReadItem];
        });
      const [before, now] = [side(0), side(1)];
      const pieces = async function* () {
        yield before;
      };
      const comparison = await compare({ items: before.length, pieces } as unknown as Reading, now, owned);
      if (comparison === undefined) throw new Error('nothing to compare');
      for (const section of rollForwardSections(comparison, new Map())) {
        const sums = new Map<string, Big>();
        for (const { currency = '', rows, total } of section.blocks)
          for (const { values } of [...rows, ...(total === undefined ? [] : [total])]) {
            const [opening = 0, ...rest] = values.slice(1).map((value) => new Big(value ?? 0));
            const closing = rest.pop();
            // Revaluations change no number of items, so their column is left out there.
            const steps = rest.reduce((sum, step) => sum.plus(step), new Big(opening));
            expect(steps.toFixed()).toBe(closing?.toFixed());
            if (values[0] !== 'Total')
              sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(closing ?? 0));
          }
        for (const currency of ['usd', 'eur', 'jpy']) {
          const here = now.filter((item) => item[3] === currency && owned(item[2]));
          const wanted =
            section.id === 'roll_forward'
              ? here.reduce((sum, item) => sum.plus(item[4] ?? 0), new Big(0))
              : new Big(here.length);
          expect((sums.get(currency) ?? new Big(0)).toFixed()).toBe(wanted.toFixed());
        }
      }
    }),
  );
});

/** The rows of a month's table: name, what, status then and now, value then and now, amount. */
async function movementsOf(before: readonly ReadItem[], now: readonly ReadItem[], file = 'movements.csv') {
  const pieces = async function* () {
    yield before;
  };
  const owned = (status: string) => status !== 'sold' && status !== 'archived';
  const comparison = await compare({ items: before.length, pieces } as unknown as Reading, now, owned);
  const [, section] = itemTables(now, comparison, new Map()).find(([name]) => name === file) ?? [];
  return (section?.blocks ?? []).flatMap(({ currency, rows, total }) =>
    [...rows, ...(total === undefined ? [] : [total])].map(({ values }) => [
      currency,
      ...[0, 1, 3, 4, 5, 6, 7].map((index) => {
        const value = values[index] ?? null;
        return value instanceof Big ? value.toFixed() : value;
      }),
    ]),
  );
}

test('a movement shows only values in its currency, and nothing before the item existed', async () => {
  expect(
    await movementsOf(
      [
        ['1', 'Moved', 'keep', 'eur', 100, 'a'],
        ['2', 'Sold abroad', 'sell', 'eur', 20, 'a'],
      ],
      [
        ['1', 'Moved', 'keep', 'usd', 117.5, 'a'],
        ['2', 'Sold abroad', 'sold', 'usd', 25, 'a'],
        ['3', 'New and sold', 'sold', 'eur', 7, 'a'],
      ],
    ),
  ).toEqual([
    ['eur', 'Moved', 'now in another currency', 'keep', 'keep', '100', null, '-100'],
    ['eur', 'Sold abroad', 'sold', 'sell', 'sold', '20', null, '-20'],
    ['eur', 'New and sold', 'added', null, 'sold', null, '7', '7'],
    ['eur', 'New and sold', 'sold', null, 'sold', null, '7', '-7'],
    ['eur', 'Total', null, null, null, null, null, '-120'],
    ['usd', 'Moved', 'was in another currency', 'keep', 'keep', null, '117.5', '117.5'],
    ['usd', 'Total', null, null, null, null, null, '117.5'],
  ]);
});

test('a table of a month leaves the total blank if no value is known', async () => {
  const item: ReadItem = ['1', 'Unvalued', 'sell', 'jpy', null, 'a'];
  expect(await movementsOf([], [item])).toEqual([
    ['jpy', 'Unvalued', 'added', null, 'sell', null, null, null],
    ['jpy', 'Total', null, null, null, null, null, null],
  ]);
  const [[, listings] = []] = itemTables([item], undefined, new Map());
  expect(listings?.blocks[0]?.total?.values[3]).toBeNull();
  expect(sumKnown(new Tally())?.toFixed()).toBe('0');
  const tally = new Tally();
  tally.add(null);
  expect(sumKnown(tally)).toBeNull();
});

test('the amount of a movement is blank if the value that it adds or deducts is unknown', async () => {
  const rows = await movementsOf(
    [
      ['1', 'Sold', 'sell', 'eur', null, 'a'],
      ['2', 'Moved', 'keep', 'eur', null, 'a'],
      ['3', 'Returned', 'sold', 'eur', 5, 'a'],
    ],
    [
      ['1', 'Sold', 'sold', 'eur', 55, 'a'],
      ['2', 'Moved', 'keep', 'eur', 7, 'b'],
      ['3', 'Returned', 'keep', 'eur', null, 'a'],
    ],
  );
  expect(rows.map(([, name, what, , , , , amount]) => [name, what, amount])).toEqual([
    ['Sold', 'sold', null],
    ['Moved', 'moved out', null],
    ['Moved', 'moved in', null],
    ['Moved', 'revalued', '7'],
    ['Returned', 'returned', null],
    ['Total', null, '7'],
  ]);
});

test('days, months and years begin and end at midnight of their time zone', () => {
  const iso = (name: string, form: 'month' | 'day' | 'any', zone: string) => {
    const { start, end } = periodOf(name, form, zone);
    return [new Date(start).toISOString(), new Date(end).toISOString()];
  };
  expect(iso('2026-10', 'month', 'Europe/Berlin')).toEqual([
    '2026-09-30T22:00:00.000Z',
    '2026-10-31T23:00:00.000Z',
  ]);
  expect(iso('2026', 'any', 'UTC')).toEqual(['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']);
  expect(iso('2026-12', 'any', 'UTC')[1]).toBe('2027-01-01T00:00:00.000Z');
  expect(iso('2026-02-28', 'day', 'UTC')[1]).toBe('2026-03-01T00:00:00.000Z');
  for (const [name, form] of [
    ['2026-02-30', 'day'],
    ['2026-13', 'month'],
    ['2026-10-31', 'month'],
    ['October', 'any'],
  ] as const)
    expect(() => periodOf(name, form, 'UTC')).toThrow(expect.objectContaining({ code: 'bad_period' }));
  expect(() => periodOf('2026-10', 'month', 'Berlin')).toThrow(expect.objectContaining({ code: 'bad_zone' }));
});

test('consecutive days are named as one range', () => {
  expect(english(daysText([]))).toBe('The store has no usable reading.');
  expect(english(daysText(['2026-10-04', '2026-10-01', '2026-10-02', '2026-10-02']))).toBe(
    'The store has readings of 2026-10-01 to 2026-10-02, 2026-10-04.',
  );
});

/** A shop, and a store whose readings are made at the time that is set. */
async function shop() {
  const { folder } = newPlace();
  const sandbox = await startSandbox({ seed: 3, seedItems: 0 });
  const ledger = openSqliteLedger(join(folder, 'ledger.db'));
  const client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  onTestFinished(async () => {
    await client[Symbol.asyncDispose]();
    await ledger.close();
    await sandbox.close();
  });
  const clock = { ...systemClock };
  const deps = { client, values: ledger.values, clock };
  return {
    sandbox,
    client,
    values: ledger.values,
    at: (time: string) => {
      const shift = Date.parse(time) - Date.now();
      clock.now = () => Date.now() + shift;
    },
    report: (report: 'inventory' | 'sales', more: object = {}) =>
      writeReportFile({ report, out: join(folder, `${report}.csv`), timeZone: 'UTC', ...more }, deps),
    month: (month: string) =>
      writeMonth({ month, out: join(folder, `${month}.zip`), currency: 'usd', timeZone: 'UTC' }, deps),
    text: (report: string) => readFileSync(join(folder, `${report}.csv`), 'utf8'),
    files: (month: string) =>
      Object.fromEntries(
        Object.entries(unzipSync(readFileSync(join(folder, `${month}.zip`)))).map(([name, bytes]) => [
          name,
          Buffer.from(bytes).toString(),
        ]),
      ),
    zip: (month: string) => join(folder, `${month}.zip`),
  };
}

test('the inventory of a past day uses the nearest reading; without one, the error names the available days', async () => {
  const { sandbox, client, at, report, text } = await shop();
  const [toy = ''] = sandbox.control.insertItems([
    { name: 'Toy', estimated_value: 10.5, status: 'keep', currency: 'eur' },
  ]);
  at('2026-10-31T20:00:00Z');
  await report('inventory');
  await client.updateItem(toy, { estimated_value: 99 });
  at('2026-11-03T20:00:00Z');
  await report('inventory');
  const past = await report('inventory', { asOf: '2026-10-31' });
  expect(past).toMatchObject({ rows: 1, comparedWith: null });
  expect(text('inventory')).toMatch(/by_status,keep,eur,value,10\.50/);
  expect(text('inventory')).toContain('The reading nearest to the end of 2026-10-31');
  expect((await verifyExport(past.file)).problems).toEqual([]);
  await expect(report('inventory', { asOf: '2026-10-15' })).rejects.toMatchObject({
    code: 'no_reading',
    message: expect.stringContaining('The store has readings of 2026-10-31, 2026-11-03.'),
  });
  await expect(report('inventory', { asOf: '2026-11-03' })).rejects.toMatchObject({
    code: 'period_not_over',
  });
  // A selection of which there are no readings.
  await expect(report('inventory', { asOf: '2026-10-31', status: 'keep' })).rejects.toMatchObject({
    code: 'no_reading',
  });
});

test('the sales of a period explain the difference between two totals, with separate restatements; without readings they are left out', async () => {
  const { at, report, text } = await shop();
  for (const time of ['2026-09-30T23:00:00Z', '2026-10-15T12:00:00Z', '2026-11-01T01:00:00Z']) {
    at(time);
    await report('sales');
  }
  at('2026-11-05T00:00:00Z');
  expect(await report('sales', { period: '2026-10', currency: 'usd' })).toMatchObject({ rows: 3 });
  const row = Object.fromEntries(
    [...text('sales').matchAll(/^period,gross_cents,usd,(\w+),(.*)\r$/gm)].map(([, key = '', value]) => [
      key,
      Number(value),
    ]),
  );
  expect(row['opening']).toBeGreaterThan(0);
  expect((row['opening'] ?? 0) + (row['rises'] ?? 0) + (row['falls'] ?? 0)).toBeCloseTo(
    row['closing'] ?? 0,
    5,
  );
  await expect(report('sales', { period: '2026-09' })).rejects.toMatchObject({ code: 'no_reading' });
  await expect(report('sales', { period: '2026-11' })).rejects.toMatchObject({ code: 'period_not_over' });
});

test('a single reading is not used as a period, because it would look like a period without sales', () => {
  const noon = { reported_at: '2026-10-01T12:00:00Z' } as SalesReading;
  expect(() => readingsOf(periodOf('2026-10-01', 'day', 'UTC'), [noon])).toThrow(
    'is the nearest to both 2026-10-01 00:00 (UTC) and 2026-10-02 00:00 (UTC)',
  );
});

test('adjacent days never have the sales between the same two readings', () => {
  const readings = ['2026-11-10T12:00:00Z', '2026-11-11T20:00:00Z'].map(
    (at) => ({ reported_at: at }) as SalesReading,
  );
  const ofDay = (day: string) => readingsOf(periodOf(day, 'day', 'UTC'), readings);
  expect(() => ofDay('2026-11-10')).toThrow(expect.objectContaining({ code: 'no_reading' }));
  expect(ofDay('2026-11-11')).toEqual(readings);
});

test('a month begins with the reading that closed the previous month, even if a nearer reading exists now', async () => {
  const { sandbox, client, at, month, files, zip } = await shop();
  const ids = sandbox.control.insertItems([
    { name: 'Sold', estimated_value: 30, status: 'sell', currency: 'usd' },
    { name: 'Dearer', estimated_value: 10.25, status: 'keep', currency: 'usd' },
    { name: 'Put away', estimated_value: 7, status: 'keep', currency: 'jpy' },
  ]);
  const [sold = '', dearer = '', away = ''] = ids;
  at('2026-10-01T00:30:00Z');
  expect(await month('2026-09')).toMatchObject({
    report: 'month',
    format: 'zip',
    rows: 3,
    comparedWith: null,
  });
  const first = files('2026-09');
  expect(Object.keys(first)).not.toContain('roll-forward.csv');
  expect(first['cover.html']).toContain('so additions and departures are not known');
  await client.updateItem(sold, { status: 'sold', estimated_value: 55 });
  await client.updateItem(dearer, { estimated_value: 12 });
  await client.updateItem(away, { status: 'archived' });
  sandbox.control.insertItems([{ name: 'New', estimated_value: 1.5, status: 'keep', currency: 'usd' }]);
  at('2026-11-01T00:30:00Z');
  const summary = await month('2026-10');
  expect(summary.comparedWith).toMatch(/^2026-10-01T00:30/);
  expect((await verifyExport(zip('2026-10'))).problems).toEqual([]);
  const names = /^(\w+),[^,]*,(.*)$/gm;
  const flow = [...(files('2026-10')['roll-forward.csv'] ?? '').replaceAll('\r', '').matchAll(names)];
  expect(flow.map(([, currency, amounts]) => [currency, amounts])).toEqual([
    ['currency', 'opening,added,sold,archived,revalued,closing'],
    ['usd', '40.25,1.50,-30.00,0.00,1.75,13.50'],
    ['jpy', '7,0,0,-7,0,0'],
  ]);
  const counts = [...(files('2026-10')['roll-forward-items.csv'] ?? '').replaceAll('\r', '').matchAll(names)];
  expect(counts.map(([, currency, items]) => [currency, items])).toEqual([
    ['currency', 'opening,added,sold,archived,closing'],
    ['usd', '2,1,-1,0,2'],
    ['jpy', '1,0,0,-1,0'],
  ]);
  // The same from the store, weeks later; a month that nobody has read is refused.
  at('2026-11-20T00:00:00Z');
  await month('2026-10');
  expect(files('2026-10')['roll-forward.csv']).toContain('40.25,1.50');
  await expect(month('2026-08')).rejects.toMatchObject({
    code: 'no_reading',
    message: expect.stringContaining('The store has readings of 2026-10-01, 2026-11-01.'),
  });
  await expect(month('2026-11')).rejects.toMatchObject({ code: 'period_not_over' });
});

test('a month with many items in one currency is written, with a row that adds up the others', async () => {
  const { sandbox, at, month, files } = await shop();
  sandbox.control.insertItems(
    Array.from({ length: 150 }, () => ({
      name: 'Toy',
      estimated_value: 1.5,
      status: 'sell',
      currency: 'usd',
    })),
  );
  at('2026-10-01T00:30:00Z');
  await month('2026-09');
  expect(files('2026-09')['cover.html']).toMatch(/50 more, combined(<[^>]*>)+75\.00/);
});

test('a month that could not be written has the same readings if it is written weeks later', async () => {
  const { sandbox, client, at, month, files, zip } = await shop();
  const [toy = ''] = sandbox.control.insertItems([
    { name: 'Toy', estimated_value: 30, status: 'keep', currency: 'usd' },
  ]);
  at('2026-10-01T00:30:00Z');
  mkdirSync(`${zip('2026-09')}.manifest.json/full`, { recursive: true });
  await expect(month('2026-09')).rejects.toThrow();
  rmSync(`${zip('2026-09')}.manifest.json`, { recursive: true });
  await client.updateItem(toy, { estimated_value: 99 });
  at('2026-10-20T00:00:00Z');
  await month('2026-09');
  expect(files('2026-09')['inventory.csv']).toContain(',30.00,');
});

test('a month that is made again after a prune has the same opening', async () => {
  const { sandbox, client, values, at, month, report, files } = await shop();
  const [toy = ''] = sandbox.control.insertItems([
    { name: 'Toy', estimated_value: 30, status: 'keep', currency: 'usd' },
  ]);
  at('2026-10-01T00:30:00Z');
  await month('2026-09');
  await client.updateItem(toy, { estimated_value: 40 });
  at('2026-10-01T02:00:00Z');
  await report('inventory');
  at('2026-11-01T00:30:00Z');
  await month('2026-10');
  const before = files('2026-10')['roll-forward.csv'];
  expect(before).toContain(',30.00,');
  expect(await pruneReadings(values, Date.parse('2026-10-01T01:00:00Z'), false)).toBe(0);
  await month('2026-10');
  expect(files('2026-10')['roll-forward.csv']).toBe(before);
});

test('a prune keeps the reading with which a reported month begins, even if the month before was never reported', async () => {
  const { sandbox, client, values, at, month, report, files } = await shop();
  const [toy = ''] = sandbox.control.insertItems([
    { name: 'Toy', estimated_value: 30, status: 'keep', currency: 'usd' },
  ]);
  at('2026-09-30T20:00:00Z');
  await report('inventory');
  await client.updateItem(toy, { estimated_value: 40 });
  at('2026-10-01T10:00:00Z');
  await report('inventory');
  at('2026-11-01T00:30:00Z');
  await month('2026-10');
  const before = files('2026-10')['roll-forward.csv'];
  expect(before).toContain(',30.00,');
  await pruneReadings(values, Date.parse('2026-10-01T05:00:00Z'), false);
  await month('2026-10');
  expect(files('2026-10')['roll-forward.csv']).toBe(before);
});

test('the command in a manifest can be run', () => {
  const request = { month: '2026-10', out: '/toys/2026-10.zip', currency: 'EUR' };
  expect(commandLine('report month', [MonthOptions], request)).toBe(
    'shelflift report month 2026-10 --out 2026-10.zip --currency EUR',
  );
});

test('the command report month reports missing arguments', async () => {
  await using api = await startSandbox({ seed: 7, seedItems: 3 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  for (const [words, hint] of [
    ['report month 2026-10', '--out 2026-10.zip'],
    ['report month 2026-10 --out x.xlsx', 'does not end in .zip'],
    ['report month 2026-10-31 --out x.zip', 'is not a month'],
    ['report month 2020-10 --out x.zip', 'The store has no usable reading.'],
    [
      'report inventory --as-of 2026-10-31 --by brand --out x.html',
      'only collections and statuses are known',
    ],
  ] as const) {
    const { code, stderr } = await place.call(words.split(' '));
    expect({ words, code }).toEqual({ words, code: 2 });
    expect(stderr).toContain(hint);
  }
  const pruned = await place.call(['store', 'prune', '--json']);
  expect(JSON.parse(pruned.stdout)).toMatchObject({ readings: 0 });
});
