/** `--rate CODE=RATE`: what can be checked before the items are known (their currency: plan/check-currency.ts). */
import { UsageError } from '../../errors.ts';
import { isCurrencyCode } from '../../mapping/casts/amount.ts';
import { isRate } from '../../mapping/casts/currency.ts';
import type { Mapping } from '../../mapping/mapping.ts';

type Rates = Readonly<Record<string, string>>;

/** @throws UsageError `bad_pair` */
export function checkedRates<T extends Rates>(rates: T): T {
  for (const [code, rate] of Object.entries(rates)) {
    if (/^\d+,\d+$/.test(rate))
      throw new UsageError(
        'bad_pair',
        `--rate ${code}=${rate}: write the rate with a decimal point: ${code}=${rate.replace(',', '.')}.`,
      );
    if (!isCurrencyCode(code) || !isRate(rate))
      throw new UsageError(
        'bad_pair',
        `--rate ${code}=${rate}: expected a currency and a rate, such as USD=0.92.`,
      );
  }
  return rates;
}

/** @throws UsageError `bad_rate` if no column is an amount of the items */
export function refuseIdleRates(rates: object, mappings: readonly Pick<Mapping, 'columns'>[]): void {
  if (mappings.some(({ columns }) => columns.some(({ target }) => target === 'estimated_value'))) return;
  const given = Object.keys(rates)
    .map((code) => `--rate ${code}`)
    .join(' ');
  throw new UsageError('bad_rate', `${given} converts nothing: no column is estimated_value.`, {
    remedy: 'Leave it out, or say which column it is: --map estimated_value=COLUMN',
  });
}
