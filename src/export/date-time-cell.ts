import type { Cell } from '../sheets/cell.ts';

/**
 * A time of the API as a cell: the calendar date and time of day in UTC, to the second. What cannot be read as a
 * time stays the text it is; null and absent are blank.
 */
export function dateTimeCell(value: unknown): Cell {
  if (typeof value !== 'string') return null;
  const time = Date.parse(value);
  if (Number.isNaN(time)) return value;
  const [date = '', rest = ''] = new Date(time).toISOString().split('T');
  return /^\d{4}-/.test(date) ? { kind: 'date', date, time: rest.slice(0, 8) } : value;
}
