import * as fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { cellText } from '../../src/sheets/cell.ts';
import {
  builtInFormat,
  type FormatKind,
  formatKind,
  formatOf,
} from '../../src/sheets/workbook/number-format.ts';
import { dateToSerial, isoToDate, numberCell, serialToDate } from '../../src/sheets/workbook/serial-date.ts';

describe('number formats', () => {
  it.each([
    ['General', 'number'],
    ['0.00', 'number'],
    ['0.00E+00', 'number'],
    ['#,##0 "days"', 'number'],
    ['[Red]-0.00;[Green]0', 'number'],
    ['"year "0', 'number'],
    ['\\d0', 'number'],
    ['_d0*y', 'number'],
    ['[$-409]0.0', 'number'],
    ['@', 'number'],
    ['0;yyyy', 'number'],
    ['yyyy', 'date'],
    ['dd.mm.yyyy', 'date'],
    ['[$-F800]dddd, mmmm dd, yyyy', 'date'],
    ['mmm', 'date'],
    ['[$-411]ge.m.d', 'date'],
    ['yyyy"年"m"月"d"日";@', 'date'],
    ['h:mm AM/PM', 'time'],
    ['[h]:mm:ss', 'duration'],
    ['mm:ss.0', 'time'],
    ['[mm]', 'duration'],
    ['[Red]h:mm', 'time'],
    ['yyyy-mm-dd hh:mm', 'datetime'],
    ['d/m/yy h:mm AM/PM', 'datetime'],
  ])('%s shows a %s', (code, kind) => {
    expect(formatKind(code)).toBe(kind);
  });

  it.each([
    ['00000', 7, '00007'],
    ['[Red]00000', 123, '00123'],
    ['00000;-0', 1234567, '1234567'],
    ['00000', 7.5, 7.5],
    ['00000', -7, -7],
    ['0', 7, 7],
    ['00.00', 7, 7],
    ['[<10]000;0', 70, 70],
    ['0%', 0.19, '19%'],
    ['[<1]0%;0', 0.5, '50%'],
    ['[<1]0%;0', 5, 5],
    ['[>=1]0%;0.0%', 0.5, '50%'],
    ['[Red][<=1]0.0%;0', 1, '100%'],
  ])('with %s, the number %s is read as %s', (code, value, cell) => {
    expect(numberCell(value, formatOf(code))).toBe(cell);
  });

  it('include the built-in formats', () => {
    expect([0, 9, 10, 14, 20, 22, 30, 46, 55, 164].map((id) => builtInFormat(id).kind)).toEqual([
      'number',
      'percent',
      'percent',
      'date',
      'time',
      'datetime',
      'date',
      'duration',
      'date or time',
      'number',
    ]);
  });
});

describe('serial numbers', () => {
  it.each<[serial: number, epoch1904: boolean, date: string | undefined]>([
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [60, false, '1900-02-29'],
    [61, false, '1900-03-01'],
    [36_526, false, '2000-01-01'],
    [2_958_465, false, '9999-12-31'],
    [2_958_466, false, undefined],
    [-1, false, undefined],
    [0, false, undefined],
    [0, true, '1904-01-01'],
    [35_064, true, '2000-01-01'],
  ])('%d (1904: %s) is %s', (serial, epoch1904, date) => {
    expect(serialToDate(serial, 'date', epoch1904)?.date).toBe(date);
  });

  it('are rounded to the second, even across midnight', () => {
    expect(serialToDate(36_526.999_999_9, 'datetime', false)).toEqual({
      kind: 'date',
      date: '2000-01-02',
      time: '00:00:00',
    });
    expect(serialToDate(0.5, 'datetime', false)).toEqual({ kind: 'date', date: '', time: '12:00:00' });
  });

  it.each<[serial: number, kind: FormatKind, text: string]>([
    [39_066.668, 'time', '16:01:55'],
    [39_066.668, 'datetime', '2006-12-15T16:01:55'],
    [1.5, 'time', '12:00:00'],
    [1.5, 'duration', '36:00:00'],
    [0.5, 'date or time', '12:00:00'],
    [39_066, 'date or time', '2006-12-15'],
    [39_066.668, 'date or time', '2006-12-15T16:01:55'],
  ])('%d as a %s is %s', (serial, kind, text) => {
    expect(cellText(serialToDate(serial, kind, false) ?? null)).toBe(text);
  });

  it('are unchanged by a conversion to a date and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_958_464 }),
        fc.integer({ min: 0, max: 86_399 }),
        (day, seconds) => {
          const value = serialToDate(day + seconds / 86_400, 'datetime', false);
          expect(value).toBeDefined();
          if (value !== undefined) expect(dateToSerial(value)).toBeCloseTo(day + seconds / 86_400, 8);
        },
      ),
    );
  });

  it('agree with the calendar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_958_465 }), (day) => {
        const date = new Date(Date.UTC(1899, 11, 30) + day * 86_400_000).toISOString().slice(0, 10);
        expect(serialToDate(day, 'date', false)?.date).toBe(date);
      }),
    );
  });

  it('cannot be computed for dates before 1900 or for an empty date', () => {
    expect(dateToSerial({ kind: 'date', date: '1899-12-31' })).toBeUndefined();
    expect(dateToSerial({ kind: 'date', date: '' })).toBeUndefined();
    expect(dateToSerial({ kind: 'date', date: '', time: '06:00:00' })).toBe(0.25);
  });

  it('can be read from ISO 8601', () => {
    expect(isoToDate('2020-05-01')).toEqual({ kind: 'date', date: '2020-05-01' });
    expect(isoToDate('2020-05-01T12:30:05.250Z')).toEqual({
      kind: 'date',
      date: '2020-05-01',
      time: '12:30:05',
    });
    expect(isoToDate('12:30')).toEqual({ kind: 'date', date: '', time: '12:30:00' });
    expect(isoToDate('soon')).toBeUndefined();
    expect(isoToDate('')).toBeUndefined();
  });
});
