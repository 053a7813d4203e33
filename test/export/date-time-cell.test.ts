import { assert, boolean, date as dates, property } from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { dateTimeCell } from '../../src/export/write/date-time-cell.ts';

test('a time cell contains the date and time of day in UTC', () => {
  const moment = dates({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
  });
  assert(
    property(
      moment.filter((date) => !Number.isNaN(date.getTime())),
      boolean(),
      (date, short) => {
        const iso = date.toISOString();
        const [day, rest = ''] = iso.split('T');
        const cell = { kind: 'date', date: day, time: rest.slice(0, 8) };
        expect(dateTimeCell(short ? iso.replace(/\.\d+/, '') : iso)).toEqual(cell);
        expect(dateTimeCell(iso.replace('Z', '+00:00'))).toEqual(cell);
      },
    ),
  );
});

test.each([
  ['2025-02-28T23:59:59Z', '2025-02-28', '23:59:59'],
  ['2025-12-31T23:59:59.999999Z', '2025-12-31', '23:59:59'],
  ['2025-01-31T00:30:00+01:00', '2025-01-30', '23:30:00'],
  ['2025-01-05T24:00:00Z', '2025-01-06', '00:00:00'],
])('%s', (value, date, time) => {
  expect(dateTimeCell(value)).toEqual({ kind: 'date', date, time });
});

test.each([
  '2025-13-01T00:00:00Z',
  '2025-01-00T00:00:00Z',
  '2025-01-01T25:00:00Z',
  'soon',
  '-1',
  '+1',
  'Toy 7',
  '7',
  '2025-01-01 10:00',
])('%s stays text', (value) => {
  expect(dateTimeCell(value)).toBe(value);
});
