/**
 * estimated_value: an amount of 0 or more (contract §8), with the decimal style of its column.
 *
 * An ambiguous cell (`1.234`) is never cast before the whole column was seen, unless the style was given:
 * otherwise the answer would depend on the order of the rows.
 */
import type { Cell } from '../../sheets/cell.ts';
import { BLANK, CastProblem, quoted } from './cast.ts';
import { currencyOf } from './currency.ts';
import { type DecimalStyle, type ParsedDecimal, parseDecimal } from './decimal.ts';

export interface AmountOptions {
  /** Given by `--decimal` or a template; decided from the column otherwise. */
  style?: DecimalStyle | undefined;
  /** A three-letter code; an amount that shows another currency is an issue. */
  currency?: string | undefined;
  /** Custom fields: amounts below 0 are amounts too. */
  signed?: boolean;
  /** Plain numbers: a currency beside one is an issue. */
  bare?: boolean;
  isBlankWord: (text: string) => boolean;
}

const AMOUNT = 'an amount of 0 or more';
const NUMBER = 'a number';

/** One column of amounts: casts cells, and remembers what they say about the column. */
export class AmountColumn {
  readonly #options: AmountOptions;
  #style: DecimalStyle | undefined;
  readonly #seen = { point: false, comma: false, ambiguous: false };
  #settled = false;
  /** Sign or code → how many cells had it, and the codes that it may stand for. */
  readonly #currencies = new Map<string, { count: number; codes: readonly string[] }>();

  constructor(options: AmountOptions) {
    this.#options = options;
    this.#style = options.style;
  }

  readonly cast = (text: string, cell: Cell): number | typeof BLANK | CastProblem => {
    const signed = this.#options.signed === true;
    if (typeof cell === 'number') return fromNumber(cell, text, signed);
    if (typeof cell !== 'string') {
      return new CastProblem('not_a_number', `${quoted(text)} is not an amount`, signed ? NUMBER : AMOUNT);
    }
    // The commonest shapes, without the full reading: `12`, `12.50` and `12,50`.
    if (/^\d{1,15}$/.test(text)) return Number(text);
    if (/^\d{1,15}\.\d{1,2}$/.test(text)) {
      this.#seen.point = true;
      return Number(text);
    }
    if (/^\d{1,15},\d{1,2}$/.test(text)) {
      this.#seen.comma = true;
      return Number(text.replace(',', '.'));
    }
    if (this.#options.isBlankWord(text)) return BLANK;
    return this.#read(text);
  };

  /**
   * After the last row: takes the style from the evidence, if all of it points one way.
   * @returns true when ambiguous cells were met that would be cast now
   */
  settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    if (this.#style !== undefined || this.#seen.point === this.#seen.comma) return false;
    this.#style = this.#seen.point ? 'point' : 'comma';
    return this.#seen.ambiguous;
  }

  /** Whether the whole column was seen. */
  get isSettled(): boolean {
    return this.#settled;
  }

  /** Whether cells were met that may be read in two ways, and still may. */
  get isAmbiguous(): boolean {
    return this.#seen.ambiguous && this.#style === undefined;
  }

  /** The style that the column's evidence decided for its ambiguous cells, where it came to that. */
  decided(): DecimalStyle | undefined {
    return this.#settled && this.#seen.ambiguous && this.#options.style === undefined
      ? this.#style
      : undefined;
  }

  /** `EUR 12×, $ 3×`; undefined where no cell had a currency. */
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

  /** For each sign or code that was met, the upper-case codes that it may stand for. */
  currencyCodes(): (readonly string[])[] {
    return [...this.#currencies.values()].map(({ codes }) => codes);
  }

  /** Upper-case code that the template names. */
  get expected(): string | undefined {
    return this.#options.currency?.toUpperCase();
  }

  #read(text: string): number | CastProblem {
    const parsed = parseDecimal(text, this.#options.signed);
    if (parsed instanceof CastProblem) return parsed;
    if (this.#options.bare === true && parsed.currency !== undefined) {
      return new CastProblem('not_a_number', `${quoted(text)} is not a plain number`, NUMBER);
    }
    const wrong = this.#checkCurrency(text, parsed);
    if (wrong !== undefined) return wrong;
    if (parsed.evidence !== undefined) this.#seen[parsed.evidence] = true;
    if (parsed.value !== undefined) return parsed.value;
    const readings = parsed.ambiguous ?? { point: Number.NaN, comma: Number.NaN };
    this.#seen.ambiguous = true;
    return this.#style === undefined ? this.#ambiguous(text, readings) : readings[this.#style];
  }

  #checkCurrency(text: string, parsed: ParsedDecimal): CastProblem | undefined {
    if (parsed.currency === undefined) return undefined;
    const { expected } = this;
    if (expected !== undefined && !parsed.currency.includes(expected)) {
      return new CastProblem(
        'wrong_currency',
        `${quoted(text)} is in another currency`,
        `an amount in ${expected}`,
      );
    }
    // Rows that are mapped a second time after settling were counted the first time.
    if (!this.#settled) {
      const sign = parsed.currency[0] ?? '';
      const seen = this.#currencies.get(sign);
      if (seen === undefined) this.#currencies.set(sign, { count: 1, codes: parsed.currency });
      else seen.count += 1;
    }
    return undefined;
  }

  #ambiguous(text: string, readings: Record<DecimalStyle, number>): CastProblem {
    const why =
      this.#seen.point && this.#seen.comma
        ? 'the column has both styles'
        : 'no other cell of the column says which';
    return new CastProblem(
      'ambiguous_number',
      `${quoted(text)} may be ${readings.point} or ${readings.comma}${this.#settled ? `, and ${why}` : ''}`,
      '--decimal point or --decimal comma',
    );
  }
}

/** Amounts in our own exports: digits, at most one decimal mark, no thousands, no currency. */
export function exactAmountCast(style: DecimalStyle): (text: string, cell: Cell) => number | CastProblem {
  const shape = style === 'point' ? /^-?\d+(?:\.\d+)?$/ : /^-?\d+(?:,\d+)?$/;
  return (text, cell) => {
    if (typeof cell === 'number') return fromNumber(cell, text);
    if (shape.test(text)) return fromNumber(Number(text.replace(',', '.')), text);
    return new CastProblem(
      'not_a_number',
      `${quoted(text)} is not an amount as our exports write it`,
      `digits with a decimal ${style}, as an export without --locale has them`,
    );
  };
}

function fromNumber(value: number, text: string, signed = false): number | CastProblem {
  if (!Number.isFinite(value)) {
    return new CastProblem('not_a_number', `${quoted(text)} is not an amount`, AMOUNT);
  }
  if (value < 0 && !signed) return new CastProblem('negative', `${quoted(text)} is less than 0`, AMOUNT);
  // -0 would be written as 0 by JSON, and compare as another value.
  return value === 0 ? 0 : value;
}

/** Whether `code` is a currency that this project knows; for the checks of templates. */
export function isCurrencyCode(code: string): boolean {
  return /^[a-z]{3}$/i.test(code) && currencyOf(code) !== undefined;
}
