/** Values of a report as text: plain digits for machines, separators for people. Rounding happens here, once. */
import { Big } from 'big.js';
import { minorDigits, moneyText } from '../money.ts';
import { plainNumber } from '../sheets/cell.ts';
import type { Kind, Value } from './model.ts';

/** Plain digits with a point; '' for null. */
export function machineText(value: Value, kind: Kind, currency: string | undefined): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (kind === 'money') return moneyText(new Big(value), currency ?? '');
  return typeof value === 'number' ? plainNumber(value) : value.toFixed();
}

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

/** To the minute, in UTC; text that is not a time stays as it is. */
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

/** Adds thousands separators without touching digits: a float would change long numbers. */
function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const text = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? text : `${text}.${fraction}`;
}
