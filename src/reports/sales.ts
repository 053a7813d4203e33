/**
 * The sales summary as reported, with earlier readings from the store (design §8). Pure.
 *
 * The contract names neither currency nor period: amounts are in minor units, and shown as money only if the reader
 * gives the currency. The difference of two readings is not interpreted: a total that falls was restated, and gets a
 * separate line. Absent fields are blank.
 */
import { Big } from 'big.js';
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { SalesReading } from '../export/row.ts';
import { minorDigits } from '../base/minor-digits.ts';
import type { Block, Column, Figure, Row, Section, Value } from './model.ts';
import { type Period, placeTime, readingNear } from '../export/keep/period.ts';
import { timeText } from './value-text.ts';

const COUNTS = ['completed_count', 'refunded_count', 'disputed_count', 'pending_count'] as const;
const AMOUNTS = ['gross_cents', 'fee_cents', 'refunded_cents', 'net_payout_cents'] as const;
type Field = (typeof COUNTS)[number] | (typeof AMOUNTS)[number];

const TITLES: Record<Field, string> = {
  completed_count: 'Completed sales',
  refunded_count: 'Refunds',
  disputed_count: 'Disputes',
  pending_count: 'Pending',
  gross_cents: 'Gross',
  fee_cents: 'Fees',
  refunded_cents: 'Refunded',
  net_payout_cents: 'Net payout',
};

/** Totals that only grow unless they are restated; the other fields are current counts. */
const GROWING: readonly Field[] = ['completed_count', 'refunded_count', ...AMOUNTS];
/** Maximum number of recent readings in the table and the chart. */
const MAX_READINGS = 60;

/**
 * The readings of a period: from the one nearest to its beginning to the one nearest to its end, so that adjacent
 * periods share one.
 *
 * @param readings oldest first
 * @throws UsageError `no_reading`
 */
export function readingsOf(
  { start, end, timeZone }: Period,
  readings: readonly SalesReading[],
): readonly SalesReading[] {
  const timesOf = ({ reported_at: at }: SalesReading) => ({ startedAt: at, at });
  const placeNear = (instant: number) => readings.indexOf(readingNear(readings, instant, timeZone, timesOf));
  const [opening, closing] = [placeNear(start), placeNear(end)];
  // With a later one, two adjacent periods could both have the sales between the same two readings.
  if (closing <= opening)
    throw new UsageError(
      'no_reading',
      message('only_one_reading', {
        start: placeTime(start, timeZone),
        end: placeTime(end, timeZone),
        at: timeText(readings[closing]?.reported_at ?? ''),
      }),
      { actions: [{ do: 'byHand', label: message('keep_readings', {}) }] },
    );
  return readings.slice(opening, closing + 1);
}

/**
 * @param readings oldest first; the last one is the report's own
 * @param period undefined: all reported sales
 */
export function salesReport(
  readings: readonly SalesReading[],
  currency: string | undefined,
  period?: Period,
): { figures: Figure[]; sections: Section[] } {
  const now = readings[readings.length - 1] as SalesReading;
  const money = moneyOf(currency);
  if (period !== undefined) {
    const whole: Pair = [readings[0] as SalesReading, now];
    return {
      figures: [
        ...AMOUNTS.flatMap((field): Figure[] => {
          const value = money.value(differenceOf(whole, field));
          return value === null
            ? []
            : [
                {
                  key: `${money.key(field)}_change`,
                  label: `${TITLES[field]}, change`,
                  value,
                  ...money.figure,
                },
              ];
        }),
        {
          key: 'completed_count_change',
          label: `${TITLES.completed_count}, change`,
          value: differenceOf(whole, 'completed_count'),
          kind: 'count',
        },
      ],
      sections: [
        ...inPeriod(readings, period, money),
        restatements(readings, money),
        changes(readings, money),
        history(readings, money),
      ],
    };
  }
  return {
    figures: AMOUNTS.flatMap((field): Figure[] => {
      const value = money.value(now[field]);
      return value === null ? [] : [{ key: money.key(field), label: TITLES[field], value, ...money.figure }];
    }).concat({
      key: 'completed_count',
      label: TITLES.completed_count,
      value: now.completed_count,
      kind: 'count',
    }),
    sections: [
      summary(now, money),
      check(now, money),
      changes(readings, money),
      restatements(readings, money),
      history(readings, money),
    ],
  };
}

/** How to show an amount of minor units. */
interface Money {
  currency: string | undefined;
  column: Pick<Column, 'kind'>;
  figure: { kind: 'money'; currency: string } | { kind: 'plain'; detail: string };
  value: (cents: Big | number | null | undefined) => Value;
  /** `gross_cents` unchanged, or `gross`. */
  key: (field: string) => string;
  note: string;
}

function moneyOf(currency: string | undefined): Money {
  const digits = currency === undefined ? undefined : minorDigits(currency);
  if (currency === undefined || digits === undefined) {
    return {
      currency: undefined,
      column: { kind: 'plain' },
      figure: { kind: 'plain', detail: 'minor units' },
      value: (cents) => cents ?? null,
      key: (field) => field,
      note: 'Amounts are minor units (cents), as the API gives them. It does not say in which currency.',
    };
  }
  return {
    currency,
    column: { kind: 'money' },
    figure: { kind: 'money', currency },
    value: (cents) => (cents === null || cents === undefined ? null : new Big(cents).times(`1e-${digits}`)),
    key: (field) => field.replace(/_cents$/, ''),
    note: `Amounts are shown in ${currency.toUpperCase()}, as requested. The API does not say in which currency they are.`,
  };
}

function block({ currency }: Pick<Money, 'currency'>, rows: readonly Row[]): Block[] {
  return rows.length === 0 ? [] : [{ currency, rows }];
}

function summary(now: SalesReading, money: Money): Section {
  const amount: Column = { key: 'amount', title: 'Amount', kind: 'money' };
  return {
    id: 'summary',
    title: 'As reported',
    notes: [
      `As reported at ${timeText(now.reported_at)}. The API does not say which period this covers.`,
      money.note,
    ],
    columns: [
      { key: 'figure', title: 'Figure', kind: 'text' },
      { key: 'count', title: 'Count', kind: 'count' },
      { key: 'minor_units', title: 'Minor units', kind: 'plain' },
      ...(money.currency === undefined ? [] : [amount]),
    ],
    blocks: block(money, [
      ...COUNTS.map(
        (field): Row => ({ key: field, values: [TITLES[field], now[field] ?? null, null, null] }),
      ),
      ...AMOUNTS.map(
        (field): Row => ({
          key: field,
          values: [TITLES[field], null, now[field] ?? null, money.value(now[field])],
        }),
      ),
    ]),
    empty: '',
  };
}

/** Both ways of calculating, side by side; the contract does not say which one net payout follows. */
function check(now: SalesReading, money: Money): Section {
  const beforeRefunds = new Big(now.gross_cents).minus(now.fee_cents);
  const afterRefunds = now.refunded_cents === undefined ? null : beforeRefunds.minus(now.refunded_cents);
  const off = (amount: Big | null) =>
    money.value(amount === null ? null : new Big(now.net_payout_cents).minus(amount));
  return {
    id: 'net_beside_gross',
    title: 'Net, gross and fees',
    notes: ['The API does not say how it calculates net payout. This table compares it with two ways.'],
    columns: [
      { key: 'way', title: 'Way', kind: 'text' },
      { key: money.key('amount_cents'), title: 'Amount', ...money.column },
      { key: money.key('net_less_amount_cents'), title: 'Difference to net payout', ...money.column },
    ],
    blocks: block(money, [
      {
        key: money.key('net_payout_cents'),
        values: ['Net payout as reported', money.value(now.net_payout_cents), null],
      },
      { key: 'gross_less_fees', values: ['Gross − fees', money.value(beforeRefunds), off(beforeRefunds)] },
      {
        key: 'gross_less_fees_less_refunds',
        values: ['Gross − fees − refunds', money.value(afterRefunds), off(afterRefunds)],
      },
    ]),
    empty: '',
  };
}

/** Two readings, the later one second. */
type Pair = [SalesReading, SalesReading];

function pairs(readings: readonly SalesReading[]): Pair[] {
  return readings.slice(1).map((later, index): Pair => [readings[index] as SalesReading, later]);
}

function differenceOf([earlier, later]: Pair, field: Field): Big | null {
  const [a, b] = [earlier[field], later[field]];
  return a === undefined || b === undefined ? null : new Big(b).minus(a);
}

function valueOfField(field: Field, value: Big | null, money: Money): Value {
  return field.endsWith('_cents') ? money.value(value) : value;
}

const PAIR_COLUMNS: readonly Column[] = [
  { key: 'from', title: 'From the reading of', kind: 'time' },
  { key: 'to', title: 'to the reading of', kind: 'time' },
];

/** From the total at the beginning to the total at the end: increases, and restatements. */
function inPeriod(
  readings: readonly SalesReading[],
  { name, start, end, timeZone }: Period,
  money: Money,
): Section[] {
  const [opening, closing] = [readings[0] as SalesReading, readings[readings.length - 1] as SalesReading];
  const section = (id: string, title: string, fields: readonly Field[], kind: Money['column']): Section => ({
    id,
    title,
    notes: [
      `${name}, from ${placeTime(start, timeZone)} to ${placeTime(end, timeZone)}: from the reading of ${timeText(opening.reported_at)} to the reading of ${timeText(closing.reported_at)}, the nearest ones. Total at the beginning + rose by + restated = total at the end.`,
      money.note,
    ],
    columns: [
      { key: 'figure', title: 'Figure', kind: 'text' },
      { key: 'opening', title: 'At the beginning', ...kind },
      { key: 'rises', title: 'Rose by', ...kind },
      { key: 'falls', title: 'Restated', ...kind },
      { key: 'closing', title: 'At the end', ...kind },
    ],
    blocks: block(
      kind.kind === 'count' ? { currency: undefined } : money,
      fields.map((field): Row => {
        const differences = pairs(readings).map((pair) => differenceOf(pair, field));
        const sum = (isIn: (difference: Big) => boolean): Value => {
          // If one reading lacks the field, the change is unknown.
          if (differences.includes(null)) return null;
          const some = differences.filter((difference) => difference !== null && isIn(difference));
          return valueOfField(
            field,
            some.reduce<Big>((all, each) => all.plus(each ?? 0), new Big(0)),
            money,
          );
        };
        const total = ({ [field]: value }: SalesReading) =>
          field.endsWith('_cents') ? money.value(value) : (value ?? null);
        return {
          key: field,
          values: [
            TITLES[field],
            total(opening),
            sum((difference) => difference.gt(0)),
            sum((difference) => difference.lt(0)),
            total(closing),
          ],
        };
      }),
    ),
    empty: '',
  });
  return [
    section('period', 'In the period', AMOUNTS, money.column),
    section('period_counts', 'In the period, counts', ['completed_count', 'refunded_count'], {
      kind: 'count',
    }),
  ];
}

/** Only increases; decreases are among the restatements. */
function changes(readings: readonly SalesReading[], money: Money): Section {
  const fields = GROWING;
  const rows = pairs(readings)
    .slice(-MAX_READINGS)
    .map(
      (pair): Row => ({
        key: pair[1].reported_at,
        values: [
          pair[0].reported_at,
          pair[1].reported_at,
          ...fields.map((field) => {
            const difference = differenceOf(pair, field);
            return valueOfField(field, difference?.lt(0) === true ? null : difference, money);
          }),
        ],
      }),
    );
  return {
    id: 'changes_between_readings',
    title: 'Change between two readings',
    notes: [
      'The difference between two totals as reported, which is not the same as the sales in between. Totals that fell are blank here and shown under Restatements.',
    ],
    columns: [
      ...PAIR_COLUMNS,
      ...fields.map(
        (field): Column =>
          field.endsWith('_cents')
            ? { key: money.key(field), title: TITLES[field], ...money.column }
            : { key: field, title: TITLES[field], kind: 'count' },
      ),
    ],
    blocks: block(money, rows),
    empty: 'There is only one reading so far. The next report will show what changed.',
  };
}

function restatements(readings: readonly SalesReading[], money: Money): Section {
  const rowsOf = (kind: 'amount' | 'count') =>
    pairs(readings).flatMap((pair) =>
      GROWING.filter((field) => (kind === 'amount') === field.endsWith('_cents')).flatMap((field): Row[] => {
        const difference = differenceOf(pair, field);
        if (difference === null || difference.gte(0)) return [];
        const [amount, count] = kind === 'amount' ? [money.value(difference), null] : [null, difference];
        return [
          {
            key: `${pair[1].reported_at} ${field}`,
            values: [pair[0].reported_at, pair[1].reported_at, TITLES[field], count, amount],
          },
        ];
      }),
    );
  return {
    id: 'restatements',
    title: 'Restatements',
    notes: ['Totals that fell between two readings: earlier figures have been corrected.'],
    columns: [
      ...PAIR_COLUMNS,
      { key: 'figure', title: 'Figure', kind: 'text' },
      { key: 'count', title: 'Count', kind: 'count' },
      { key: money.key('amount_cents'), title: 'Amount', ...money.column },
    ],
    blocks: block(money, [...rowsOf('amount'), ...rowsOf('count')]),
    empty: 'No total has fallen between two readings.',
  };
}

function history(readings: readonly SalesReading[], money: Money): Section {
  const shown = readings.slice(-MAX_READINGS);
  const left = readings.length - shown.length;
  const fields: Field[] = ['gross_cents', 'fee_cents', 'refunded_cents', 'net_payout_cents'];
  return {
    id: 'readings',
    title: 'Readings',
    notes: [
      'Each as reported at that time.',
      ...(left > 0 ? [`The latest ${MAX_READINGS} readings; the store has ${left} older ones.`] : []),
    ],
    columns: [
      { key: 'reported_at', title: 'Reported at', kind: 'time' },
      ...fields.map((field): Column => ({ key: money.key(field), title: TITLES[field], ...money.column })),
      ...COUNTS.map((field): Column => ({ key: field, title: TITLES[field], kind: 'count' })),
    ],
    blocks: [
      {
        currency: money.currency,
        rows: shown.map((reading) => ({
          key: reading.reported_at,
          values: [
            reading.reported_at,
            ...fields.map((field) => money.value(reading[field])),
            ...COUNTS.map((field) => reading[field] ?? null),
          ],
        })),
        ...(shown.length > 1
          ? {
              chart: {
                kind: 'lines',
                title: 'Totals as reported',
                label: 'reported_at',
                series: [money.key('gross_cents'), money.key('net_payout_cents')],
              },
            }
          : {}),
      },
    ],
    empty: '',
  };
}
