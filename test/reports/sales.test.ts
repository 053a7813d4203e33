import { expect, test } from 'vitest';
import type { SalesReading } from '../../src/export/row.ts';
import { salesReport } from '../../src/reports/sales.ts';
import { machineText } from '../../src/reports/value-text.ts';
import { sectionOf } from './support.ts';

function reading(day: number, figures: Partial<SalesReading> = {}): SalesReading {
  return {
    object: 'sales_summary',
    completed_count: 10 + day,
    gross_cents: 100_000 + day * 1000,
    fee_cents: 12_000,
    net_payout_cents: 86_000 + day * 1000,
    reported_at: `2026-07-0${day}T00:00:00.000Z`,
    ...figures,
  };
}

/** Rows as text, by key. */
function shown(readings: [SalesReading, ...SalesReading[]], id: string, currency?: string) {
  const last = readings.at(-1) as SalesReading;
  const { columns, blocks } = sectionOf(salesReport([...readings.slice(0, -1), last], currency).sections, id);
  return blocks.flatMap((block) =>
    block.rows.map((row) => ({
      key: row.key,
      ...Object.fromEntries(
        columns.map(({ key, kind }, index) => [
          key,
          machineText(row.values[index] ?? null, kind, block.currency),
        ]),
      ),
    })),
  );
}

test('sales without a currency show raw minor units, and blanks for absent fields', () => {
  const rows = shown([reading(1)], 'summary');
  expect(rows.find((row) => row.key === 'gross_cents')).toMatchObject({ minor_units: '101000' });
  expect(rows.find((row) => row.key === 'gross_cents')).not.toHaveProperty('amount');
  expect(rows.find((row) => row.key === 'refunded_cents')).toMatchObject({ minor_units: '', count: '' });
  expect(rows.find((row) => row.key === 'refunded_count')).toMatchObject({ count: '' });
  expect(salesReport([reading(1)], undefined).figures.map(({ label }) => label)).not.toContain('Refunded');
});

test.each([
  ['usd', '1010.00'],
  ['jpy', '101000'],
  ['kwd', '101.000'],
])('money in %s has the minor unit of that currency', (currency, gross) => {
  const rows = shown([reading(1)], 'summary', currency);
  expect(rows.find((row) => row.key === 'gross_cents')).toMatchObject({
    minor_units: '101000',
    amount: gross,
  });
});

test('a sales report compares the net payout with two ways of calculating it', () => {
  const rows = shown([reading(1, { refunded_cents: 2000 })], 'net_beside_gross');
  expect(rows).toEqual([
    {
      key: 'net_payout_cents',
      way: 'Net payout as reported',
      amount_cents: '87000',
      net_less_amount_cents: '',
    },
    { key: 'gross_less_fees', way: 'Gross − fees', amount_cents: '89000', net_less_amount_cents: '-2000' },
    {
      key: 'gross_less_fees_less_refunds',
      way: 'Gross − fees − refunds',
      amount_cents: '87000',
      net_less_amount_cents: '0',
    },
  ]);
  const without = shown([reading(1)], 'net_beside_gross');
  expect(without.at(-1)).toMatchObject({ amount_cents: '', net_less_amount_cents: '' });
});

test('a higher sales total is a change; a lower total is a restatement on a separate line', () => {
  const readings: [SalesReading, ...SalesReading[]] = [
    reading(1, { refunded_cents: 500 }),
    reading(2, { net_payout_cents: 80_000 }),
    reading(3, { refunded_cents: 700 }),
  ];
  const changes = shown(readings, 'changes_between_readings');
  expect(changes).toMatchObject([
    { from: readings[0].reported_at, gross_cents: '1000', net_payout_cents: '', refunded_cents: '' },
    { to: '2026-07-03T00:00:00.000Z', gross_cents: '1000', net_payout_cents: '9000', refunded_cents: '' },
  ]);
  expect(shown(readings, 'restatements')).toEqual([
    {
      key: '2026-07-02T00:00:00.000Z net_payout_cents',
      from: '2026-07-01T00:00:00.000Z',
      to: '2026-07-02T00:00:00.000Z',
      figure: 'Net payout',
      count: '',
      amount_cents: '-7000',
    },
  ]);
  const { notes } = sectionOf(
    salesReport([reading(1), reading(2)], undefined).sections,
    'changes_between_readings',
  );
  expect(notes.join(' ')).toContain('not the same as the sales in between');
});

test('amounts beyond the precision of a float stay exact', () => {
  const gross = Number.MAX_SAFE_INTEGER;
  const rows = shown([reading(1, { gross_cents: gross, fee_cents: -gross })], 'net_beside_gross', 'usd');
  expect(rows[1]).toMatchObject({ amount: '180143985094819.82' });
});
