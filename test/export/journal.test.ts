/** A journal of sales: one line a sale, the price and the date from where they are known, and nothing in their place. */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { exportItems } from '../../src/export/export.ts';
import type { Layout } from '../../src/export/layout/layout.ts';
import { writeReportFile } from '../../src/reports/report.ts';
import { loadLayout } from '../../src/export/layout/load-layout.ts';
import { Manifest } from '../../src/export/verify/manifest.ts';
import { verifyExport } from '../../src/export/verify/verify.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { setUp } from './support.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 9, 1, 6);

/** A journal that is written each day, with the clock of the export set to that day at 06:00. */
async function journal(template: string | Layout = 'journal') {
  const setup = await setUp();
  const { values, close } = (() => {
    const ledger = openSqliteLedger(':memory:');
    return { values: ledger.values, close: () => ledger.close() };
  })();
  onTestFinished(close);
  const write = async (day: number) => {
    const out = setup.path(`journal-${day}.csv`);
    const shift = FIRST + day * DAY - Date.now();
    const clock = { ...systemClock, now: () => Date.now() + shift };
    const { client } = setup;
    const options = { out, template, changedSinceLast: 'journal', became: 'sold' } as const;
    const summary = await exportItems({ client, values, clock, ...options });
    const rows = parse<Record<string, string>>(readFileSync(out), {
      columns: true,
      delimiter: typeof template === 'string' ? ',' : (template.delimiter ?? ','),
    });
    const manifest = Manifest.parse(JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8')));
    expect((await verifyExport(out)).problems).toEqual([]);
    return { summary, rows, manifest };
  };
  return { ...setup, write };
}

test('each sale is in one journal, with its price and the first reading that shows it as sold; a sale without a price is listed again', async () => {
  const { client, sandbox, write } = await journal();
  const [priced = '', unpriced = '', wrong = ''] = sandbox.control.insertItems([
    { name: 'Priced', status: 'sell', currency: 'eur', estimated_value: 99 },
    { name: 'Unpriced', status: 'sell', currency: 'eur', estimated_value: 50 },
    { name: 'Wrong', status: 'sell', currency: 'usd', estimated_value: 1 },
    { name: 'Long ago', status: 'sold', custom_fields: { sold_price: '1.00' } },
  ]);
  const first = await write(0);
  expect(first.rows).toEqual([]);
  // No row has a price, because there is no row.
  expect(first.manifest.warnings).toEqual([]);
  await client.updateItem(priced, { status: 'sold', custom_fields: { sold_price: '120.50' } });
  await client.updateItem(unpriced, { status: 'sold' });
  await client.updateItem(wrong, { status: 'sold', custom_fields: { sold_price: '12,30' } });
  const second = await write(1);
  expect(second.rows).toEqual([
    {
      'Date (seen as sold)': '2026-10-02',
      'Not sold before': '2026-10-01',
      Document: priced,
      Text: 'Sale: Priced',
      'Debit account': '1200',
      'Credit account': '8400',
      'Tax code': '',
      'Amount (custom_fields.sold_price)': '120.50',
      Currency: 'eur',
    },
  ]);
  expect(second.summary).toMatchObject({ rows: 1, leftOut: 2 });
  expect(second.manifest.amounts).toEqual([
    { title: 'Amount (custom_fields.sold_price)', totals: { eur: '120.50' } },
  ]);
  expect(second.manifest.warnings.join('\n')).toContain('custom_fields.sold_price is blank');
  expect(second.manifest.warnings.join('\n')).toContain('"12,30" is not a number');

  // Left out again, and still dated by the reading that first saw it.
  await client.updateItem(wrong, { custom_fields: { sold_price: '12.30' } });
  const third = await write(2);
  expect(third.rows.map((row) => [row['Text'], row['Date (seen as sold)'], row['Not sold before']])).toEqual([
    ['Sale: Wrong', '2026-10-02', '2026-10-01'],
  ]);
  await client.updateItem(unpriced, { custom_fields: { sold_price: '0.10' } });
  const fourth = await write(3);
  expect(fourth.rows.map((row) => [row['Text'], row['Date (seen as sold)']])).toEqual([
    ['Sale: Unpriced', '2026-10-02'],
  ]);
  expect((await write(4)).rows).toEqual([]);
});

test('a journal whose price field no item has is refused with the name of that field, and its sales are in a later journal', async () => {
  const { client, sandbox, path, write } = await journal();
  const [id = ''] = sandbox.control.insertItems([{ name: 'A', status: 'sell' }]);
  await write(0);
  await client.updateItem(id, { status: 'sold' });
  await expect(write(1)).rejects.toMatchObject({
    code: 'layout_needs_field',
    message: expect.stringContaining('from custom_fields.sold_price') as string,
  });
  await expect(stat(path('journal-1.csv'))).rejects.toMatchObject({ code: 'ENOENT' });
  await client.updateItem(id, { custom_fields: { sold_price: '5' } });
  expect((await write(2)).rows).toMatchObject([{ Text: 'Sale: A', 'Not sold before': '2026-10-01' }]);
});

test('a layout with the day of a sale is refused without --became', async () => {
  const { client, path } = await setUp();
  await expect(exportItems({ client, out: path('a.csv'), template: 'journal' })).rejects.toMatchObject({
    code: 'bad_choice',
  });
});

test('a date that a person enters is written in a standard form, and an invalid date is left out', async () => {
  const own = await loadLayout('journal');
  const [, ...others] = own.columns;
  const date = {
    title: 'Belegdatum',
    field: 'custom_fields.sold_on',
    format: 'date',
    pattern: 'ddMM',
    required: true,
  } as const;
  const { client, sandbox, write } = await journal({
    ...own,
    columns: [date, ...others],
    decimal: 'comma',
    delimiter: ';',
  });
  const ids = sandbox.control.insertItems([{ name: 'A' }, { name: 'B' }]);
  await write(0);
  for (const [index, sold_on] of ['2026-10-31', '31.10.2026'].entries())
    await client.updateItem(ids[index] ?? '', {
      status: 'sold',
      custom_fields: { sold_on, sold_price: '1.5' },
    });
  const { summary, rows, manifest } = await write(1);
  expect(summary).toMatchObject({ rows: 1, leftOut: 1 });
  expect(rows).toMatchObject([{ Belegdatum: '3110', 'Amount (custom_fields.sold_price)': '1,50' }]);
  expect(manifest.warnings.join('\n')).toContain('"31.10.2026" is not a date');
});

test('the layout accounting says that its amount is an estimate, and its date the last change', async () => {
  const { client, sandbox, path } = await setUp();
  sandbox.control.insertItems([{ name: 'A', status: 'sold', estimated_value: 5 }]);
  await exportItems({ client, out: path('a.csv'), template: 'accounting' });
  const [header = ''] = readFileSync(path('a.csv'), 'utf8').split('\r\n');
  expect(header).toContain('Date of the last change (not of the sale)');
  expect(header).toContain('"Amount (estimated value, not a sale price)"');
});

test('a first file may begin on a past day with a reading in the store, says when that was, and is refused for other days', async () => {
  const { client, sandbox, path } = await setUp();
  const ledger = openSqliteLedger(':memory:');
  onTestFinished(() => ledger.close());
  let shift = 0;
  const clock = { ...systemClock, now: () => Date.now() + shift };
  const setDay = (day: number) => {
    shift = FIRST + day * DAY - Date.now();
  };
  const notes: string[] = [];
  const texts: string[] = [];
  const sold = (name: string, more: object = {}) =>
    exportItems({
      client,
      values: ledger.values,
      clock,
      out: path(`${name}.csv`),
      became: 'sold',
      changedSinceLast: name,
      timeZone: 'Europe/Berlin',
      onEvent: (event) => {
        if (event.type !== 'note') return;
        notes.push(event.said.code);
        texts.push(event.message);
      },
      ...more,
    });
  const names = (file: string) =>
    parse<Record<string, string>>(readFileSync(path(`${file}.csv`)), { columns: true }).map(
      (row) => row['name'],
    );
  const [early = '', late = ''] = sandbox.control.insertItems([
    { name: 'Early', status: 'sell' },
    { name: 'Late', status: 'sell' },
    { name: 'Before', status: 'sold' },
  ]);
  setDay(0);
  await writeReportFile(
    { report: 'inventory', out: path('inventory.csv') },
    { client, values: ledger.values, clock },
  );
  setDay(5);
  await client.updateItem(early, { status: 'sold' });
  await expect(sold('a', { since: '2026-10-05' })).rejects.toMatchObject({
    code: 'no_reading',
    message: expect.stringContaining('readings of 2026-10-01') as string,
  });
  const [space = ''] = await ledger.values.spaces('readings:');
  const [piece] = await ledger.values.list(space, { prefix: 'rows/', limit: 1 });
  if (piece === undefined) expect.unreachable('the reading has items');
  await ledger.values.remove(space, [piece.key]);
  await expect(sold('a', { since: '2026-10-01' })).rejects.toMatchObject({ code: 'no_reading' });
  await ledger.values.put(space, [piece]);
  await sold('a', { since: '2026-10-01' });
  expect(names('a')).toEqual(['Early']);
  expect(notes.splice(0)).toEqual(['starts_with_reading']);
  expect(texts[0]).toContain('the reading of 2026-10-01 08:00 (Europe/Berlin)');
  expect(texts[0]).toContain('not those that changed earlier on that day');
  const manifest = Manifest.parse(JSON.parse(readFileSync(path('a.csv.manifest.json'), 'utf8')));
  expect(manifest.changes?.since).toMatch(/^2026-10-01T06/);
  expect(manifest.command).toContain('--since 2026-10-01');
  await client.updateItem(late, { status: 'sold' });
  await sold('a', { since: '2026-10-01' });
  expect(names('a')).toEqual(['Late']);

  await sold('b');
  expect(names('b')).toEqual([]);
  expect(notes.splice(0)).toEqual(['earlier_start_known', 'first_export_of_became']);
  // The day that it names has the reading in the zone of the export, where it is the evening of the day before.
  await sold('d', { timeZone: 'America/Los_Angeles' });
  expect(texts.at(-2)).toContain('readings of 2026-09-30');
  await sold('e', { timeZone: 'America/Los_Angeles', since: '2026-09-30' });
  await expect(sold('c', { became: undefined, since: '2026-10-01' })).rejects.toMatchObject({
    code: 'bad_choice',
  });
});
