/**
 * From a cell's attributes and text to its value (OpenDocument part 3, 19.385 office:value-type and around).
 */
import { type CalendarDate, type Cell, type CellError, NO_RESULT } from '../cell.ts';
import type { FormatKind, NumberFormat } from '../workbook/number-format.ts';
import { numberCell, roundedMoment, timeOfDay } from '../workbook/serial-date.ts';

/** Errors as Calc and other programs show them; in a cell without a formula they are text that somebody typed. */
const ERROR = /^(?:#(?:N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!|SPILL!|CALC!)|Err:\d{3})$/u;
/** Calc writes a boolean that came from Excel as a formula whose result is a number. */
const BOOLEAN_FORMULA = /^(?:\w+:)?=(?<value>TRUE|FALSE)\(\)$/u;
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(?:Z|[+-]\d{2}:\d{2})?)?$/u;
const DURATION = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/u;

/**
 * The cell's own value: a formula's cached result, a date as its style shows it.
 *
 * @param text undefined if the cell has no paragraph @param formatOf what the cell's style shows
 */
export function cellValue(
  attributes: Record<string, string>,
  text: string | undefined,
  formatOf: () => NumberFormat | undefined,
): Cell {
  const formula = attributes['table:formula'];
  if (attributes['calcext:value-type'] === 'error') return error(text ?? '#N/A');
  if (formula !== undefined) {
    if (text !== undefined && ERROR.test(text)) return error(text);
    const logical = BOOLEAN_FORMULA.exec(formula)?.groups?.['value'];
    if (logical !== undefined) return logical === 'TRUE';
  }
  // An empty text is the result of a formula; without one the cell is blank.
  const shown = text === '' && formula === undefined ? null : (text ?? null);
  switch (attributes['office:value-type']) {
    case 'float':
    case 'currency':
    case 'percentage':
      return numberValue(attributes, formatOf()) ?? shown;
    case 'date':
      return dateValue(attributes['office:date-value'] ?? '', formatOf()?.kind) ?? shown;
    case 'time':
      return timeValue(attributes['office:time-value'] ?? '', formatOf()?.kind) ?? shown;
    case 'boolean':
      return attributes['office:boolean-value'] === undefined
        ? shown
        : attributes['office:boolean-value'] === 'true';
    case 'string':
      return attributes['office:string-value'] ?? (formula === undefined ? shown : (text ?? ''));
    default:
      return shown ?? (formula === undefined ? null : error(NO_RESULT));
  }
}

function numberValue(attributes: Record<string, string>, format: NumberFormat | undefined): Cell | undefined {
  const text = attributes['office:value']?.trim() ?? '';
  const number = text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) return undefined;
  const isPercentage = attributes['office:value-type'] === 'percentage' || format?.kind === 'percent';
  const currency = attributes['office:currency'] ?? format?.currency;
  const digits = isPercentage ? undefined : format?.digits;
  return numberCell(number, { kind: isPercentage ? 'percent' : 'number', currency, digits });
}

/** `2020-05-01` or `2020-05-01T10:30:00.5`. Undefined for other calendars' years, such as those before Christ. */
function dateValue(text: string, kind: FormatKind | undefined): CalendarDate | undefined {
  const [found, date = '', hours, minutes, seconds] = MOMENT.exec(text.trim()) ?? [];
  if (found === undefined) return undefined;
  if (kind === 'date' || (hours === undefined && kind !== 'datetime')) return { kind: 'date', date };
  return roundedMoment(date, Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0));
}

/** `PT12H30M00S`; more than 24 hours are a duration, unless the style shows the time of day alone. */
function timeValue(text: string, kind: FormatKind | undefined): CalendarDate | undefined {
  const [found, hours, minutes, seconds] = DURATION.exec(text.trim()) ?? [];
  if (found === undefined || (hours ?? minutes ?? seconds) === undefined) return undefined;
  const total =
    Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number((seconds ?? '0').replace(',', '.'));
  if (!Number.isSafeInteger(Math.round(total))) return undefined;
  const moment = roundedMoment('', total);
  return kind === 'time' ? timeOfDay(moment) : moment;
}

function error(text: string): CellError {
  return { kind: 'error', text: text === '' ? '#N/A' : text };
}
