/** Values of a report as cells: numbers stay numbers, with a format that rounds them. */
import { Big } from 'big.js';
import type ExcelJS from 'exceljs';
import { minorDigits } from '../../base/minor-digits.ts';
import { fractionDigits, moneyText } from '../../base/money.ts';
import { encodeEscapes } from '../../sheets/xlsx/escapes.ts';
import type { Kind, Value } from '../model.ts';

/** Excel's limit. */
const CELL_CHARACTERS = 32_767;
/** Every font has a face name: without one, Excel and LibreOffice use a serif. */
export function font(more: Partial<ExcelJS.Font> = {}): Partial<ExcelJS.Font> {
  return { name: 'Calibri', family: 2, size: 11, ...more };
}

export const TIME_FORMAT = 'yyyy-mm-dd hh:mm';

/**
 * Amounts are rounded only by the cell's format: a workbook's own sums are right only over exact values. Values that a
 * double cannot represent stay text.
 */
export function cellValue(value: Value, kind: Kind): ExcelJS.CellValue {
  if (value === null) return null;
  if (typeof value === 'string') {
    const ms = kind === 'time' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(ms) ? textCell(value) : new Date(ms);
  }
  const number = Number(value);
  return Number.isFinite(number) ? number : value.toFixed();
}

/** Text as text, whatever its first character. */
export function textCell(text: string): string {
  return encodeEscapes(text.slice(0, CELL_CHARACTERS));
}

/** undefined for text. */
export function numberFormat(kind: Kind, currency: string | undefined): string | undefined {
  return kind === 'money' ? moneyFormat(currency ?? '') : FORMATS[kind];
}

const FORMATS: Record<Exclude<Kind, 'money'>, string | undefined> = {
  text: undefined,
  time: TIME_FORMAT,
  count: '#,##0',
  days: '#,##0',
  plain: '0',
  share: '0.0%',
};

function moneyFormat(currency: string): string {
  const digits = minorDigits(currency);
  if (digits === undefined) return '#,##0.##########';
  return digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`;
}

/** Digits to which a formula rounds: the currency's, or all that the exact amount has. */
export function formulaDigits(amount: Value, currency: string): number {
  return (
    minorDigits(currency) ??
    (amount === null || typeof amount === 'string' ? 2 : fractionDigits(new Big(amount)))
  );
}

/** The cached result of a formula's cell: rounded as the formula rounds. */
export function cachedMoney(amount: Value, currency: string): number | string {
  if (amount === null || typeof amount === 'string') return '';
  const text = moneyText(new Big(amount), currency);
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
