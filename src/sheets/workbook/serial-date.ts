/**
 * Spreadsheet serial numbers ⇄ calendar dates, by whole numbers only: a JavaScript Date would bring a time zone.
 */
import { type CalendarDate, type Cell, plainNumber } from '../cell.ts';
import { type FormatKind, meets, type NumberFormat } from './number-format.ts';

const DAY_SECONDS = 86_400;
/** Days from 0000-03-01 (where leap days end a year) to the day before serial 1, and to 1904-01-01. */
const DAYS_TO_1899_12_31 = daysFromCivil(1899, 12, 31);
const DAYS_TO_1904_01_01 = daysFromCivil(1904, 1, 1);
/** 9999-12-31 in the 1900 system; nothing later can be shown. */
const LAST_SERIAL = 2_958_465;

/**
 * The date that a cell with this number and kind of format shows; undefined if a program shows `####` instead
 * (negative, or after 9999). The 1900 system has a 29 February 1900 that never was (serial 60), and a date of
 * "0 January 1900" below 1, of which only the time is kept.
 */
export function serialToDate(serial: number, kind: FormatKind, epoch1904: boolean): CalendarDate | undefined {
  if (!Number.isFinite(serial) || serial < 0) return undefined;
  if (kind === 'date or time') {
    const shown = serial < 1 ? 'time' : Number.isInteger(serial) ? 'date' : 'datetime';
    return serialToDate(serial, shown, epoch1904);
  }
  let day = Math.floor(serial);
  let seconds = kind === 'date' ? 0 : Math.round((serial - day) * DAY_SECONDS);
  if (seconds === DAY_SECONDS) {
    day += 1;
    seconds = 0;
  }
  if (kind === 'time') return { kind: 'date', date: '', time: clock(seconds) };
  if (kind === 'duration') return { kind: 'date', date: '', time: clock(day * DAY_SECONDS + seconds) };
  const date = dayToDate(day, epoch1904);
  if (date === undefined) return undefined;
  if (kind === 'date') return date === '' ? undefined : { kind: 'date', date };
  return { kind: 'date', date, time: clock(seconds) };
}

/** Programs keep this many digits of a number. */
const DIGITS = 15;

/** A number as its format shows it: a date, money, the text of a percentage or of a code, or the number itself. */
export function numberCell(
  value: number,
  { kind: first, currency, digits, condition }: NumberFormat = { kind: 'number' },
  epoch1904 = false,
): Cell {
  const kind = condition === undefined || meets(value, condition) ? first : condition.otherwise;
  if (digits !== undefined && Number.isInteger(value) && value >= 0 && value < 10 ** DIGITS)
    return String(value).padStart(digits, '0');
  if (kind === 'percent') return `${plainNumber(Number((value * 100).toPrecision(DIGITS)))}%`;
  if (kind !== 'number') return serialToDate(value, kind, epoch1904) ?? value;
  return currency === undefined ? value : { kind: 'money', amount: value, currency };
}

/** Serial number of a calendar date in the 1900 system; undefined before 1900-01-01 and for an impossible date. */
export function dateToSerial(value: CalendarDate): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value.date);
  const time = timeFraction(value.time);
  if (match === null) return value.date === '' && value.time !== undefined ? time : undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year === 1900 && month === 2 && day === 29) return 60 + time;
  const days = daysFromCivil(year, month, day) - DAYS_TO_1899_12_31;
  if (days < 1) return undefined;
  return days + (days >= 60 ? 1 : 0) + time;
}

/** `2020-05-01`, `2020-05-01T12:30:00Z`, `12:30`: the text of a cell of type "d" (ISO 8601). */
export function isoToDate(text: string): CalendarDate | undefined {
  const match =
    /^(\d{4}-\d{2}-\d{2})?(?:T|\s|^)?(?:(\d{2}:\d{2})(?::(\d{2}))?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u.exec(
      text.trim(),
    );
  if (match === null || (match[1] === undefined && match[2] === undefined)) return undefined;
  const date = match[1] ?? '';
  if (match[2] === undefined) return { kind: 'date', date };
  return { kind: 'date', date, time: `${match[2]}:${match[3] ?? '00'}` };
}

/**
 * A date and seconds after its midnight, to the nearest second, which may be on the next day. Without a date, hours
 * go on counting after 24.
 */
export function roundedMoment(date: string, seconds: number): CalendarDate {
  const whole = Math.round(seconds);
  const match = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(date);
  if (match === null || whole < DAY_SECONDS) return { kind: 'date', date, time: clock(whole) };
  const days = daysFromCivil(Number(match[1]), Number(match[2]), Number(match[3]));
  return {
    kind: 'date',
    date: civilFromDays(days + Math.floor(whole / DAY_SECONDS)),
    time: clock(whole % DAY_SECONDS),
  };
}

function dayToDate(day: number, epoch1904: boolean): string | undefined {
  if (epoch1904) return day + 1462 > LAST_SERIAL ? undefined : civilFromDays(DAYS_TO_1904_01_01 + day);
  if (day > LAST_SERIAL) return undefined;
  if (day === 0) return '';
  if (day === 60) return '1900-02-29';
  return civilFromDays(DAYS_TO_1899_12_31 + day - (day > 60 ? 1 : 0));
}

function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** A time as a clock shows it, without whole days. */
export function timeOfDay({ time }: CalendarDate): CalendarDate {
  return { kind: 'date', date: '', time: clock(Math.round(timeFraction(time) * DAY_SECONDS) % DAY_SECONDS) };
}

/** `HH:MM:SS` as a fraction of a day; 0 if there is no time. */
export function timeFraction(time: string | undefined): number {
  const match = /^(\d+):(\d{2})(?::(\d{2}))?/.exec(time ?? '');
  if (match === null) return 0;
  return (Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0)) / DAY_SECONDS;
}

/** Days of the proleptic Gregorian calendar since 0000-03-01 (after Howard Hinnant's "chrono-compatible" algorithms). */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const yearOfEra = y % 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return Math.floor(y / 400) * 146_097 + dayOfEra;
}

function civilFromDays(days: number): string {
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}
