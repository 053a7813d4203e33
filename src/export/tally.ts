/** Exact counts and sums: floats are never added to each other. */
import { Big } from 'big.js';
import type { Item } from '../api/schemas.ts';
import { meanMoney, roundValue } from '../base/money.ts';

/** Up to 15 digits, a decimal and the double next to it represent each other, so their integers add up exactly. */
const MAX_HUNDREDTHS = 999_999_999_999_999;

/** Items of one group in one currency. */
export class Tally {
  items = 0;
  /** Number of items with a value; 0 is a value. */
  known = 0;
  /**
   * Sum of the values with at most two decimals, which are nearly all, as integers: a Big for each took half of a
   * report's time.
   */
  #hundredths = 0;
  #others = new Big(0);
  #sum: Big | undefined;

  /** @param value a JSON number: the decimal that was written */
  add(value: number | null | undefined): void {
    this.items += 1;
    if (typeof value !== 'number') return;
    this.known += 1;
    this.#sum = undefined;
    const hundredths = Math.round(value * 100);
    const sum = this.#hundredths + hundredths;
    const isExact =
      hundredths / 100 === value && Math.abs(hundredths) <= MAX_HUNDREDTHS && Math.abs(sum) <= MAX_HUNDREDTHS;
    if (isExact) this.#hundredths = sum;
    else this.#others = this.#others.plus(value);
  }

  take({ items, known, sum }: Pick<Tally, 'items' | 'known' | 'sum'>): void {
    this.items += items;
    this.known += known;
    this.#others = this.#others.plus(sum);
    this.#sum = undefined;
  }

  /** Exact sum of the known values. */
  get sum(): Big {
    this.#sum ??= new Big(this.#hundredths).times('0.01').plus(this.#others);
    return this.#sum;
  }

  get unknown(): number {
    return this.items - this.known;
  }

  /** Mean of the known values; null if there are none. */
  mean(currency: string): Big | null {
    return this.known === 0 ? null : meanMoney(this.sum, this.known, currency);
  }
}

/** The item with its value as displayed: sums are those of the displayed lines. */
export function withRoundedValue(item: Item): Item {
  const { estimated_value: value, currency } = item;
  if (typeof value !== 'number') return item;
  const rounded = roundValue(value, currency);
  return rounded === value ? item : { ...item, estimated_value: rounded };
}

/** A JSON number as the decimal that was written; undefined if the item has no value. */
export function valueOf(value: number | null | undefined): Big | undefined {
  return typeof value === 'number' ? new Big(value) : undefined;
}

/** Tallies by currency and key. The key null stands for items without the property. */
export class Tallies {
  readonly #currencies = new Map<string, Map<string | null, Tally>>();

  /** The tally of a key; it is created if necessary. */
  at(currency: string, key: string | null): Tally {
    let groups = this.#currencies.get(currency);
    if (groups === undefined) {
      groups = new Map();
      this.#currencies.set(currency, groups);
    }
    let tally = groups.get(key);
    if (tally === undefined) {
      tally = new Tally();
      groups.set(key, tally);
    }
    return tally;
  }

  of(currency: string): ReadonlyMap<string | null, Tally> {
    return this.#currencies.get(currency) ?? new Map();
  }
}

/** By default, Big divides to 20 digits, which takes three times as long. */
const Shown = Big();
Shown.DP = 6;

/** part / whole to 6 digits, for display; null if the whole is 0. */
export function shareOf(part: Big | number, whole: Big | number): number | null {
  const divisor = new Shown(whole);
  return divisor.eq(0) ? null : Number(new Shown(part).div(divisor));
}
