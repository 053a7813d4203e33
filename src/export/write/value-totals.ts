/**
 * Exact sums of item values by currency: in integers of a ten-thousandth if that is exact, as it is for nearly all
 * amounts, otherwise in decimals. A sum is rounded once, when it is shown.
 */
import { Big } from 'big.js';
import { moneyText } from '../../base/money.ts';

const SCALE = 10_000;
/** Up to here, 15 digits and their double are the same number, and the sum of two is still an exact integer. */
const LARGEST = 1e15;

export class ValueTotals {
  readonly #whole = new Map<string, number>();
  readonly #rest = new Map<string, Big>();

  /** @param currency as the API gives it, in any case */
  add(value: number, currency: string): void {
    const code = currency.toLowerCase();
    const scaled = Math.round(value * SCALE);
    const sum = (this.#whole.get(code) ?? 0) + scaled;
    if (scaled / SCALE === value && Math.abs(scaled) < LARGEST && Math.abs(sum) < LARGEST) {
      this.#whole.set(code, sum);
    } else this.#rest.set(code, (this.#rest.get(code) ?? new Big(0)).plus(String(value)));
  }

  clear(): void {
    this.#whole.clear();
    this.#rest.clear();
  }

  /** Currency → exact sum, sorted by code. */
  totals(): Map<string, Big> {
    const codes = [...new Set([...this.#whole.keys(), ...this.#rest.keys()])].sort();
    return new Map(
      codes.map((code) => {
        const whole = new Big(this.#whole.get(code) ?? 0).div(SCALE);
        return [code, whole.plus(this.#rest.get(code) ?? 0)];
      }),
    );
  }

  /** Currency → sum, rounded by ISO 4217. */
  texts(): Record<string, string> {
    return Object.fromEntries(
      [...this.totals()].map(([currency, sum]) => [currency, moneyText(sum, currency)]),
    );
  }
}
