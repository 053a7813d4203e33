/**
 * What spreadsheet programs make of texts when they open and save an export: zeros in front are gone, long numbers are
 * rounded, and TRUE is a boolean. In a row of our own export, such a cell is not an edit.
 */

/** Digits that a spreadsheet program keeps of a number. */
const KEPT_DIGITS = 15;
/** `4.00687E+12`, also with a decimal comma. */
const SCIENTIFIC = /^-?\d(?:[.,]\d+)?E\+?\d+$/i;

/** A cell that was not taken for an edit. */
export interface RewrittenCell {
  field: string;
  from: string;
  to: string;
}

/** @param current the item's value; only texts are rewritten */
export function isRewritten(current: unknown, text: string): current is string {
  if (typeof current !== 'string' || current === text || current.trim() === '') return false;
  if (/^(?:true|false)$/i.test(current)) return current.toLowerCase() === text.toLowerCase();
  const number = Number(current);
  const shown = Number(text.replace(',', '.'));
  if (!/^[+-]?[\d.]+(?:E[+-]?\d+)?$/i.test(current) || !Number.isFinite(number)) return false;
  // More digits than a spreadsheet program keeps were typed by a person.
  if (!Number.isFinite(shown) || !/\d/.test(text) || significantDigits(text) > KEPT_DIGITS) return false;
  if (number === shown || Number(number.toPrecision(KEPT_DIGITS)) === shown || cutNumber(current) === shown)
    return true;
  const digits = text.replace(/E.*$/i, '').replace(/\D/g, '').length;
  return SCIENTIFIC.test(text) && Number(number.toPrecision(digits)) === shown;
}

function significantDigits(text: string): number {
  return text
    .replace(/E.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '').length;
}

/** As Excel reads a long number: zeros in place of the digits that it cannot keep. */
function cutNumber(digits: string): number {
  return Number(digits.slice(0, KEPT_DIGITS) + digits.slice(KEPT_DIGITS).replace(/\d/g, '0'));
}
