import type { Cell } from '../../sheets/cell.ts';

/** RFC 3339 in UTC, on a day that every month has: the digits can be used without a Date. */
const PLAIN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** Other accepted forms: a day, or a moment with its zone. Date.parse alone also accepts `-1` and `Toy 7`. */
const ISO = /^\d{4}-\d\d-\d\d(?:[Tt ].*(?:[Zz]|[+-]\d\d:?\d\d))?$/;

/**
 * A time of the API as a cell: date and time of day in UTC, to the second. Text that is not a time stays as it is;
 * null and absent values are blank.
 */
export function dateTimeCell(value: unknown): Cell {
  if (typeof value !== 'string') return null;
  if (PLAIN.test(value)) return { kind: 'date', date: value.slice(0, 10), time: value.slice(11, 19) };
  const time = ISO.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) return value;
  const [date = '', rest = ''] = new Date(time).toISOString().split('T');
  return /^\d{4}-/.test(date) ? { kind: 'date', date, time: rest.slice(0, 8) } : value;
}
