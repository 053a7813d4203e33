/** `--rate CODE=RATE`: the checks that do not need the items' currency (for the others, see plan/check-currency.ts). */
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
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
        message('rate_with_comma', { pair: `${code}=${rate}`, better: `${code}=${rate.replace(',', '.')}` }),
      );
    if (!isCurrencyCode(code) || !isRate(rate))
      throw new UsageError('bad_pair', message('not_a_rate', { pair: `${code}=${rate}` }));
  }
  return rates;
}

/** @throws UsageError `bad_rate` if no column contains amounts of the items */
export function refuseIdleRates(rates: object, mappings: readonly Pick<Mapping, 'columns'>[]): void {
  if (mappings.some(({ columns }) => columns.some(({ target }) => target === 'estimated_value'))) return;
  const label = message('to_map_value', {});
  const map: Action = { do: 'setOption', option: 'map', value: 'estimated_value=COLUMN', label };
  throw new UsageError('bad_rate', message('rates_idle', { codes: Object.keys(rates) }, map));
}
