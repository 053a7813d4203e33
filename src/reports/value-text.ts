/** Values of a report as text: plain digits for machines, separators for people. Rounding happens here, once. */
import { Big } from 'big.js';
import { minorDigits } from '../base/minor-digits.ts';
import { moneyText } from '../base/money.ts';
import { plainNumber } from '../sheets/cell.ts';
import type { Kind, Value } from './model.ts';

/** Plain digits with a point; '' for null. */
export function machineText(value: Value, kind: Kind, currency: string | undefined): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (kind === 'money') return moneyText(new Big(value), currency ?? '');
  return typeof value === 'number' ? plainNumber(value) : value.toFixed();
}

/** The format of a report for people: English, or by a locale (Intl, CLDR). */
export class ValueFormat {
  readonly #locale: string | undefined;
  readonly #numbers = new Map<number, Intl.NumberFormat>();
  readonly #time: Intl.DateTimeFormat | undefined;
  readonly #share: Intl.NumberFormat | undefined;

  constructor(locale: string | undefined) {
    this.#locale = locale;
    if (locale === undefined) return;
    this.#share = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1 });
    this.#time = new Intl.DateTimeFormat(locale, {
      timeZone: 'UTC',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  }

  /** As humanText. */
  text(value: Value, kind: Kind, currency: string | undefined): string {
    if (this.#locale === undefined || value === null || kind === 'plain' || kind === 'text')
      return humanText(value, kind, currency);
    if (typeof value === 'string') return kind === 'time' ? this.time(value) : value;
    if (kind === 'share') return this.#share?.format(Number(value)) ?? '';
    const digits = machineText(value, kind, currency);
    const decimals = digits.split('.')[1]?.length ?? 0;
    // By text: a float would change long numbers.
    return this.#number(decimals).format(digits as Intl.StringNumericLiteral);
  }

  /** To the minute, in UTC. */
  time(time: string): string {
    const ms = Date.parse(time);
    return this.#time === undefined || Number.isNaN(ms) ? timeText(time) : `${this.#time.format(ms)} UTC`;
  }

  /** A whole number. */
  count(value: number): string {
    return this.#number(0).format(value);
  }

  /** `1.2K`: for the labels of a chart. */
  compact(value: number): string {
    const options = { notation: 'compact', maximumSignificantDigits: 3 } as const;
    return new Intl.NumberFormat(this.#locale ?? 'en-US', options).format(value);
  }

  #number(decimals: number): Intl.NumberFormat {
    const digits = Math.min(decimals, MAX_FRACTION_DIGITS);
    let format = this.#numbers.get(digits);
    if (format === undefined) {
      const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      format = new Intl.NumberFormat(this.#locale ?? 'en-US', options);
      this.#numbers.set(digits, format);
    }
    return format;
  }
}

/** Intl's maximum. */
const MAX_FRACTION_DIGITS = 100;

const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', minimumFractionDigits: 1 });

/** `1,234.50`, `12.5%`, `2026-07-01 12:00 UTC`; the currency is shown in a column or heading. */
export function humanText(value: Value, kind: Kind, currency: string | undefined): string {
  if (value === null) return '';
  if (typeof value === 'string') return kind === 'time' ? timeText(value) : value;
  if (kind === 'share') return SHARE.format(Number(value));
  // Years and raw minor units get no separators.
  const text = machineText(value, kind, currency);
  return kind === 'plain' ? text : grouped(text);
}

/** To the minute, in UTC; text that is not a time is unchanged. */
export function timeText(time: string): string {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) return time;
  const [date = '', rest = ''] = new Date(ms).toISOString().split('T');
  return `${date} ${rest.slice(0, 5)} UTC`;
}

/** USD; an empty code is shown as such. */
export function currencyText(currency: string): string {
  return currency === '' ? '(no currency)' : currency.toUpperCase();
}

/** A note on codes whose minor unit is unknown. */
export function currencyNote(currency: string): string | undefined {
  return minorDigits(currency) === undefined
    ? `${currencyText(currency)} is not an ISO 4217 code with a minor unit, so its amounts are not rounded.`
    : undefined;
}

/** Adds thousands separators without changing digits: a float would change long numbers. */
function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const text = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? text : `${text}.${fraction}`;
}
