/**
 * estimated_value: an amount of 0 or more (contract §8), read with its column's decimal mark.
 *
 * Unless the mark is given, an ambiguous cell (`1.234`) is only cast once the whole column has been seen: otherwise
 * the result would depend on the order of the rows.
 */
import { message } from '../../messages/message.ts';
import { Big } from 'big.js';
import { currencyOf } from '../../base/currency-signs.ts';
import { type Cell, isMoney, type MoneyCell } from '../../sheets/cell.ts';
import { type AmountReading, type Approximations, notExact, readAmount } from './approximate.ts';
import { BLANK, CastProblem, cut } from './cast.ts';
import { rateCode } from './currency.ts';
import { codesBeside, type DecimalStyle, type ParsedDecimal } from './decimal.ts';
import { notAnInteger } from './integer.ts';

export interface AmountOptions {
  /** From `--decimal` or a template; otherwise decided from the column. */
  style?: DecimalStyle | undefined;
  /** The codes of the column's currency, one of which applies. An amount in another currency is an issue. */
  currency?: readonly string[] | undefined;
  /** Currency code → value of one unit in the currency of the items; amounts in that currency are converted. */
  rates?: Readonly<Record<string, string | number>> | undefined;
  /** Custom fields: allows amounts below 0. */
  signed?: boolean;
  /** For plain numbers: a currency sign is an issue. */
  bare?: boolean;
  /** Amounts are in hundredths, also those that the cast returns. */
  cents?: boolean;
  /** If given, `ca. 20` and `20-25` are read as 20 and counted here; otherwise they are issues. */
  approximate?: Approximations | undefined;
  isBlankWord: (text: string) => boolean;
}

const AMOUNT = message('want_amount', {});
const NUMBER = message('a_number', {});

/** `USD 20 × 0.92 = 18.4` */
interface Conversion {
  currency: string;
  from: string;
  rate: string;
  to: string;
}

/** One column of amounts: casts cells, and collects their evidence about the column. */
export class AmountColumn {
  readonly #options: AmountOptions;
  #style: DecimalStyle | undefined;
  readonly #seen = { point: false, comma: false, ambiguous: false };
  #resolved = false;
  /** Sign or code → how many cells have it, and the codes that it can stand for. */
  readonly #currencies = new Map<string, { count: number; codes: readonly string[] }>();

  readonly #rates: ReadonlyMap<string, Big>;
  /** Rate for amounts that show no currency, if the column's own currency is converted. */
  readonly #ownRate: { code: string; rate: Big } | undefined;
  #conversion: Conversion | undefined;
  /** Codes that amounts showed and that were converted. */
  readonly convertedSeen = new Set<string>();

  constructor(options: AmountOptions) {
    this.#rates = new Map(
      Object.entries(options.rates ?? {}).map(([code, rate]) => [code.toUpperCase(), new Big(rate)]),
    );
    this.#options = options;
    const code = rateCode(this.expected ?? []) ?? '';
    const rate = this.#rates.get(code);
    this.#ownRate = rate === undefined ? undefined : { code, rate };
    this.#style = options.style;
  }

  readonly cast = (text: string, cell: Cell): number | typeof BLANK | CastProblem => {
    const read = this.#cast(text, cell);
    if (read !== BLANK) this.isUsed = true;
    return read;
  };

  #cast(text: string, cell: Cell): number | typeof BLANK | CastProblem {
    const signed = this.#options.signed === true;
    if (typeof cell === 'number') {
      const own = fromNumber(cell, text, signed);
      return typeof own !== 'number' ? own : this.#convert(text, own, this.#ownRate);
    }
    if (isMoney(cell)) return this.#ofMoney(text, cell);
    if (typeof cell !== 'string') return this.#noAmount(text);
    if (this.#ownRate !== undefined) return this.#options.isBlankWord(text) ? BLANK : this.#read(text);
    // A short way for the commonest forms: `12`, `12.50` and `12,50`.
    if (/^\d{1,15}$/.test(text)) return Number(text);
    if (this.#options.cents !== true && /^\d{1,15}\.\d{1,2}$/.test(text)) {
      this.#seen.point = true;
      return Number(text);
    }
    if (this.#options.cents !== true && /^\d{1,15},\d{1,2}$/.test(text)) {
      this.#seen.comma = true;
      return Number(text.replace(',', '.'));
    }
    if (this.#options.isBlankWord(text)) return BLANK;
    return this.#read(text);
  }

  /** The decimal marks that cells have shown so far. */
  get marks(): DecimalStyle[] {
    return (['point', 'comma'] as const).filter((style) => this.#seen[style]);
  }

  /**
   * After the last row: uses the decimal mark that the cells show, if they all show the same one.
   *
   * @param others the decimal mark of the file's other amounts, for a column that does not show one
   * @returns true if there were ambiguous cells that can now be cast
   */
  resolve(others?: DecimalStyle): boolean {
    if (this.#resolved) return false;
    this.#resolved = true;
    const [mark = others, second] = this.marks;
    if (this.#style !== undefined || mark === undefined || second !== undefined) return false;
    this.#style = mark;
    return this.#seen.ambiguous;
  }

  /** Whether the whole column was seen. */
  get isResolved(): boolean {
    return this.#resolved;
  }

  /** Whether some cells still have two readings. */
  get isAmbiguous(): boolean {
    return this.#seen.ambiguous && this.#style === undefined;
  }

  /** The decimal mark of the column: given, or shown by all of its values. */
  get style(): DecimalStyle | undefined {
    return this.#style;
  }

  /** The decimal mark that other cells showed for the ambiguous ones; undefined if no cell was ambiguous. */
  decided(): DecimalStyle | undefined {
    return this.#resolved && this.#seen.ambiguous && this.#options.style === undefined
      ? this.#style
      : undefined;
  }

  /** `EUR 12×, $ 3×`; undefined if no cell had a currency. */
  currencies(): { count: number; text: string } | undefined {
    if (this.#currencies.size === 0) return undefined;
    const entries = [...this.#currencies];
    return {
      count: entries.reduce((sum, [, { count }]) => sum + count, 0),
      text: entries
        .map(([sign, { count }]) => (entries.length === 1 ? sign : `${sign} ${count}×`))
        .join(', '),
    };
  }

  /** For each sign or code in the column, the upper-case codes that it can stand for. */
  currencyCodes(): (readonly string[])[] {
    return [...this.#currencies.values()].map(({ codes }) => codes);
  }

  /** Whether the column had any amount. */
  isUsed = false;

  /** Upper-case codes of the column's currency, one of which applies; undefined if unknown. */
  get expected(): readonly string[] | undefined {
    return this.#options.currency;
  }

  /** Reads the number as it is, and its currency as one that a text shows. */
  #ofMoney(text: string, cell: MoneyCell): number | CastProblem {
    const value = fromNumber(cell.amount, text, this.#options.signed);
    if (value instanceof CastProblem) return value;
    const currency = codesBeside([cell.currency]);
    return currency === undefined ? this.#noAmount(text) : this.#read(text, { amount: { value, currency } });
  }

  #noAmount(text: string): CastProblem {
    const expected = this.#options.signed === true ? NUMBER : AMOUNT;
    return new CastProblem('not_a_number', message('no_amount', { text: cut(text) }), expected);
  }

  #read(
    text: string,
    read: AmountReading | CastProblem = readAmount(text, this.#options.signed),
  ): number | CastProblem {
    const { signed, approximate } = this.#options;
    if (read instanceof CastProblem) return read;
    const { amount, approximately } = read;
    const wrong = this.#wrongKind(text, amount);
    if (wrong !== undefined) return wrong;
    const rate = this.#rateOf(amount);
    if (approximately !== undefined && approximate === undefined) {
      const value = amount.value ?? (this.#style === undefined ? undefined : amount.ambiguous?.[this.#style]);
      const offered = value === undefined || rate === undefined ? value : this.#converted(value, rate.rate);
      return notExact(text, offered, signed === true ? NUMBER : AMOUNT);
    }
    const own = this.#value(text, amount);
    if (typeof own !== 'number') return own;
    const value = this.#convert(text, own, rate);
    if (typeof value !== 'number') return value;
    if (approximately !== undefined) approximate?.add(text, own, approximately.isRange);
    return value;
  }

  /** The problem that a decimal mark cannot solve: a sign in a column of plain numbers, or another currency. */
  #wrongKind(text: string, parsed: ParsedDecimal): CastProblem | undefined {
    if (this.#options.bare === true && parsed.currency !== undefined) {
      return new CastProblem('not_a_number', message('no_plain_number', { text: cut(text) }), NUMBER);
    }
    return this.#rateOf(parsed) === undefined ? this.#checkCurrency(text, parsed) : undefined;
  }

  #rateOf({ currency = [] }: ParsedDecimal): { code: string; rate: Big } | undefined {
    if (currency.length === 0) return this.#ownRate;
    const code = rateCode(currency) ?? '';
    const rate = this.#rates.get(code);
    if (rate === undefined) return undefined;
    this.convertedSeen.add(code);
    return { code, rate };
  }

  /** The conversions since the last call, for the notes of the row. */
  takeConversion(): Conversion | undefined {
    const conversion = this.#conversion;
    this.#conversion = undefined;
    return conversion;
  }

  /** Upper-case codes that are converted. */
  get converted(): string[] {
    return [...this.#rates.keys()];
  }

  /** Converts an amount if it has a rate. */
  #convert(text: string, own: number, conversion?: { code: string; rate: Big }): number | CastProblem {
    if (this.#options.cents === true && !Number.isInteger(own)) return notAnInteger(text);
    if (conversion === undefined) return own;
    const { code, rate } = conversion;
    const value = this.#converted(own, rate);
    const [from, to] = [own, value].map((each) => String(this.#options.cents === true ? each / 100 : each));
    this.#conversion = { currency: code, from: from ?? '', rate: rate.toFixed(), to: to ?? '' };
    return value;
  }

  /** Converts exactly, and rounds once, to hundredths of the currency. */
  #converted(value: number, rate: Big): number {
    const digits = this.#options.cents === true ? 0 : 2;
    return new Big(value).times(rate).round(digits, Big.roundHalfUp).toNumber();
  }

  #value(text: string, parsed: ParsedDecimal): number | CastProblem {
    if (parsed.evidence !== undefined) this.#seen[parsed.evidence] = true;
    if (parsed.value !== undefined) return parsed.value;
    const readings = parsed.ambiguous ?? { point: Number.NaN, comma: Number.NaN };
    this.#seen.ambiguous = true;
    return this.#style === undefined ? this.#ambiguous(text, readings) : readings[this.#style];
  }

  #checkCurrency(text: string, parsed: ParsedDecimal): CastProblem | undefined {
    if (parsed.currency === undefined) return undefined;
    const { expected } = this;
    if (expected !== undefined && !parsed.currency.some((code) => expected.includes(code))) {
      const to = rateCode(expected) ?? 'CODE';
      return new CastProblem(
        'wrong_currency',
        message('in_other_currency', { text: cut(text) }),
        message('want_amount_in', { currency: to }),
        [],
        { from: rateCode(parsed.currency) ?? 'CODE', to },
      );
    }
    // Rows that are mapped a second time were counted the first time.
    if (!this.#resolved) {
      const sign = parsed.currency[0] ?? '';
      const seen = this.#currencies.get(sign);
      if (seen === undefined) this.#currencies.set(sign, { count: 1, codes: parsed.currency });
      else seen.count += 1;
    }
    return undefined;
  }

  #ambiguous(text: string, readings: Record<DecimalStyle, number>): CastProblem {
    const { point, comma } = readings;
    const about = { text: cut(text), point: String(point), comma: String(comma) };
    const isDisputed = this.#resolved && this.#seen.point && this.#seen.comma;
    return new CastProblem(
      'ambiguous_number',
      isDisputed
        ? message('two_readings_disputed', about)
        : message('two_readings', { ...about, isUndecided: this.#resolved }),
      message('want_decimal_mark', {}),
    );
  }
}

/** Amounts whose decimal mark is given: digits, at most one mark, no thousands, no currency. */
export function exactAmountCast(style: DecimalStyle): (text: string, cell: Cell) => number | CastProblem {
  const shape = style === 'point' ? /^-?\d+(?:\.\d+)?$/ : /^-?\d+(?:,\d+)?$/;
  return (text, cell) => {
    if (typeof cell === 'number') return fromNumber(cell, text);
    if (shape.test(text)) return fromNumber(Number(text.replace(',', '.')), text);
    return new CastProblem(
      'not_a_number',
      message('no_exported_amount', { text: cut(text) }),
      message('want_exported', { isComma: style === 'comma' }),
    );
  };
}

function fromNumber(value: number, text: string, signed = false): number | CastProblem {
  if (!Number.isFinite(value)) {
    return new CastProblem('not_a_number', message('no_amount', { text: cut(text) }), AMOUNT);
  }
  if (value < 0 && !signed)
    return new CastProblem('negative', message('below_zero', { text: cut(text) }), AMOUNT);
  // JSON would write -0 as 0, and the two compare as different values.
  return value === 0 ? 0 : value;
}

/** Whether `code` is a known currency; for checking templates. */
export function isCurrencyCode(code: string): boolean {
  return /^[a-z]{3}$/i.test(code) && currencyOf(code) !== undefined;
}
