/**
 * Formats of dates and money: as in the API, or by a locale (Intl, CLDR). In both cases, amounts are rounded to the ISO
 * 4217 digits of their currency. XLSX contains numbers and dates, which the reader's program formats.
 */
import type { Big } from 'big.js';
import { moneyText, roundMoney } from '../../base/money.ts';
import type { Cell } from '../../sheets/cell.ts';
import { dateTimeCell } from '../write/date-time-cell.ts';

export interface OutputForm {
  format: 'csv' | 'xlsx' | 'ndjson';
  decimal: 'point' | 'comma';
  locale: string | undefined;
}

/** Intl's maximum; numbers with more digits keep all of them, in plain digits. */
const MAX_FRACTION_DIGITS = 100;

/** @param decimals digits after the decimal mark; undefined keeps all */
export function roundTo(amount: Big, decimals: number | undefined): Big {
  return decimals === undefined ? amount : amount.round(decimals, 1);
}

function decimalMarkOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.1);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}

/** Formats the values of one column; created once per column, because Intl's formatters are slow to construct. */
export class ValueFormatter {
  readonly #look: OutputForm;
  /** By digits after the decimal mark. */
  readonly #numbers = new Map<number, Intl.NumberFormat>();
  readonly #dates = new Map<string, Intl.DateTimeFormat>();

  constructor(look: OutputForm) {
    this.#look = look;
  }

  /**
   * An amount in its currency; amounts in currencies unknown to ISO 4217 stay unrounded. It has no currency sign and no
   * thousands separators, so that bookkeeping programs can read it.
   *
   * @param currency '' if unknown, as for an item that no longer exists
   */
  money(amount: Big, currency: string): Cell {
    const { format, locale } = this.#look;
    if (format !== 'csv') return roundMoney(amount, currency).toNumber();
    const text = moneyText(amount, currency);
    return locale === undefined ? this.#marked(text) : text.replace('.', decimalMarkOf(locale));
  }

  /** @param decimals digits after the decimal mark; undefined keeps all */
  number(amount: Big, decimals: number | undefined): Cell {
    const { format, locale } = this.#look;
    if (format !== 'csv') return roundTo(amount, decimals).toNumber();
    const text = roundTo(amount, decimals).toFixed(decimals);
    if (locale === undefined) return this.#marked(text);
    const digits = text.split('.')[1]?.length ?? 0;
    if (digits > MAX_FRACTION_DIGITS) return text.replace('.', decimalMarkOf(locale));
    return this.#numberFormat(locale, digits).format(text as Intl.StringNumericLiteral);
  }

  /** A time of the API in UTC, with or without its time of day; text that is not a time stays as it is. */
  date(value: unknown, withTime: boolean): Cell {
    const cell = dateTimeCell(value);
    const { format, locale } = this.#look;
    if (typeof cell !== 'object' || cell === null || cell.kind !== 'date') return cell;
    if (format === 'csv' && locale !== undefined) {
      return this.#dateFormat(locale, withTime).format(Date.parse(String(value)));
    }
    return withTime ? cell : { kind: 'date', date: cell.date };
  }

  #marked(text: string): string {
    return this.#look.decimal === 'comma' ? text.replace('.', ',') : text;
  }

  #numberFormat(locale: string, digits: number): Intl.NumberFormat {
    let format = this.#numbers.get(digits);
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      this.#numbers.set(digits, format);
    }
    return format;
  }

  #dateFormat(locale: string, withTime: boolean): Intl.DateTimeFormat {
    const key = String(withTime);
    let format = this.#dates.get(key);
    if (format === undefined) {
      format = new Intl.DateTimeFormat(locale, {
        timeZone: 'UTC',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        ...(withTime ? { hour: '2-digit', minute: '2-digit', second: '2-digit' } : {}),
      });
      this.#dates.set(key, format);
    }
    return format;
  }
}
