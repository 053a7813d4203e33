/**
 * A cell, the same for every reader and kind of file.
 *
 * CSV cells are always strings, exactly as in the file. Cells of workbooks keep their type: dates are calendar
 * dates (never a JavaScript Date, which would add a time zone), numbers whose format shows a currency are
 * `MoneyCell`s, error cells and formulas without a cached result are `CellError`s. A percentage is the text that its
 * cell shows.
 */
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

export type Cell = string | number | boolean | CalendarDate | MoneyCell | CellError | null;

/** A date as a calendar shows it: no time zone. `time` is `HH:MM:SS` if the cell has a time. */
export interface CalendarDate {
  kind: 'date';
  /** `YYYY-MM-DD`; empty for a time without a date. */
  date: string;
  time?: string;
}

/** A number whose format shows a currency. Only columns of money use the currency. */
export interface MoneyCell {
  kind: 'money';
  amount: number;
  /** As the format shows it: `€`, `USD`. */
  currency: string;
}

/** An error such as #N/A, or a formula that was never calculated. */
export interface CellError {
  kind: 'error';
  /** `#N/A`, `#REF!` …, or NO_RESULT; a number if its decimal mark is uncertain. */
  text: string;
}

/** The text of a formula that no program has calculated: in no language, like those of other errors. */
export const NO_RESULT = '#FORMULA';

/** What is wrong with the cell. */
export function errorOfCell({ text }: CellError): Message {
  if (/^[+-]?\d/.test(text)) return message('has_uncertain_mark', { text });
  return text === NO_RESULT ? message('formula_without_result', {}) : message('in_error', { text });
}

/**
 * The text form of a cell, as in results files: '' for blank, `true`/`false`, plain digits for
 * numbers (never an exponent), `12.5 €`, ISO dates (`2020-05-01T10:00:00` with a time), the error's own text.
 */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  switch (typeof cell) {
    case 'string':
      return cell;
    case 'number':
      return plainNumber(cell);
    case 'boolean':
      return cell ? 'true' : 'false';
    default:
      if (cell.kind === 'error') return cell.text;
      if (cell.kind === 'money') return `${plainNumber(cell.amount)} ${cell.currency}`;
      return [cell.date, cell.time].filter((part) => part !== undefined && part !== '').join('T');
  }
}

export function isMoney(cell: Cell | undefined): cell is MoneyCell {
  return typeof cell === 'object' && cell?.kind === 'money';
}

/** The cell without the currency that its format shows. */
export function bareCell(cell: Cell): Cell {
  return isMoney(cell) ? cell.amount : cell;
}

/** A number in plain digits with a decimal point: `1e21` becomes `1000000000000000000000`. */
export function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', head = '', tail = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  const digits = head + tail;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, '0');
}

/** Column letter of a 0-based index: 0 → A, 25 → Z, 26 → AA. */
export function columnLetter(index: number): string {
  let rest = index + 1;
  let letters = '';
  while (rest > 0) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
    rest = Math.floor((rest - 1) / 26);
  }
  return letters;
}

const NUMBER = /^[-+(]{0,2}\d[\d.,'’\s\u00a0\u202f]*\)?$/u;
const SIGNS = /[\p{Sc}%]|\b(?:EUR|USD|GBP|CHF|JPY|CAD|AUD)\b/giu;

/** Whether a person reads the cell as a number or an amount. */
export function isNumeric(cell: Cell | undefined): boolean {
  return typeof cell === 'number' || isMoney(cell) || (typeof cell === 'string' && isNumberLike(cell));
}

/** True for text that a person reads as an amount: `1.234,50`, `€ 12`, `(3)`, `45 %`. */
export function isNumberLike(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most cells are words in Latin letters: checking the first character avoids the expressions.
  if ((first >= 97 && first <= 122) || (first >= 65 && first <= 90 && text.length > 24)) return false;
  return /\d/u.test(text) && NUMBER.test(text.replace(SIGNS, '').trim());
}
